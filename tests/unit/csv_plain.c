/* The fast reader of wide CSV against the careful one, which reads a row at a time and knows every form. Both give
 * the same table, or the same error, for any text, however it arrives in pieces and however it is cut between
 * threads. Deterministic; with HECATE_SLOW more rounds. */
#include "collect/import/csv_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/csv.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "table.h"
#include "test.h"

static struct obs_table *
read_so(const char *text, size_t n, size_t piece, const struct import_how *how, struct err *e)
{
	memset(e, 0, sizeof *e);
	return feed_read_text(csv_read_feed, "f.csv", text, n, piece, how, e);
}

/* Cells as files have them, most of them well-formed. */
static void
add_cell(struct str *out, uint64_t *seed, unsigned strange)
{
	static const char *const odd[] = {"", " 12", "7 ", "\"5\"", "\"\"", "1e3", "+4", "0.50", "12.000", ".5", "5.",
		"\t8", "\" 6\"", "9223372036854775807", "999999999999999999", "1234567890123456789",
		"0.000000000000000001", "00000000000000000000012", "1.5e-2", "12345678.12345678"};
	static const char *const bad[] = {
		"nan", "-1", "x", "\"5", "1,2", "1 2", "<not counted>", "9223372036854775808", "\"a\"b", "\"1\n2\"",
		"\xff", "1\r", "\"1\"\"2\""
	};
	uint64_t what = test_random(seed) % 1000;

	if (what < strange / 20)
		str_add(out, bad[test_random(seed) % (sizeof bad / sizeof *bad)]);
	else if (what < strange)
		str_add(out, odd[test_random(seed) % (sizeof odd / sizeof *odd)]);
	else
		str_addf(out, "%llu", (unsigned long long)(test_random(seed) >> 20 >> test_random(seed) % 44));
}

static void
add_row(struct str *out, uint64_t *seed, size_t columns, bool named, bool timed, unsigned strange, size_t row)
{
	static const char *const name[] = {"a", "run b", "\"c,d\"", "\xc3\xa9", " e ", "\"a\""};

	if (named)
		str_addf(out, "%s,", name[test_random(seed) % 40 < 36 ? row / 7 % 2 : test_random(seed) % 6]);
	if (timed && test_random(seed) % 1000 >= strange / 10)
		str_addf(out, "%zu.%03u", row, (unsigned)(test_random(seed) % 1000));
	str_add(out, timed ? "," : "");
	for (size_t i = 0; i < columns; i++) {
		str_add(out, i ? "," : "");
		add_cell(out, seed, strange);
	}
	if (test_random(seed) % 1000 < strange / 50)
		str_add(out, ",");
	str_add(out, test_random(seed) % 1000 < strange ? "\r\n" : "\n");
	if (test_random(seed) % 1000 < strange / 5)
		str_add(out, test_random(seed) % 2 ? "\n" : "\r\n");
}

static void
add_header(struct str *out, size_t columns, bool named, bool timed)
{
	str_addf(out, "%s%s", named ? "observation," : "", timed ? "time," : "");
	for (size_t i = 0; i < columns; i++)
		str_addf(out, "%sc%zu", i ? "," : "", i);
	str_addc(out, '\n');
}

static void
draw_text(struct str *out, uint64_t *seed)
{
	size_t columns = 1 + test_random(seed) % 5, rows = test_random(seed) % 60;
	bool named = test_random(seed) % 2, timed = test_random(seed) % 2;
	unsigned strange = test_random(seed) % 3 ? (unsigned)(test_random(seed) % 60) : 0;

	str_clear(out);
	if (test_random(seed) % 10 == 0)
		str_add(out, "\xef\xbb\xbf");
	add_header(out, columns, named, timed);
	for (size_t i = 0; i < rows; i++) {
		if (test_random(seed) % 50 == 0)
			add_header(out, columns, named, timed);
		add_row(out, seed, columns, named, timed, strange, i);
	}
	/* The file ends as if it were still being written. */
	if (test_random(seed) % 3 == 0 && out->n > 3)
		out->n -= test_random(seed) % 3;
}

static bool
compare(const char *text, size_t n, size_t piece, const struct import_how *fast, const struct import_how *slow,
	unsigned round)
{
	struct err ea, eb;
	struct obs_table *a = read_so(text, n, piece, fast, &ea), *b = read_so(text, n, 0, slow, &eb);
	/* Bytes that are no text are found a window at a time, so of two faults the readers may report different
	 * ones. */
	bool no_text = !a && !b && (str_starts(ea.what, "not ") || str_starts(eb.what, "not "));
	char *difference = no_text ? NULL : table_difference(a, &ea, b, &eb);

	if (difference)
		test_check(false, __FILE__, __LINE__, "round %u, pieces of %zu: %s\n%.*s", round, piece, difference,
			(int)(n < 2000 ? n : 2000), text);
	obs_table_free(a);
	obs_table_free(b);
	free(difference);
	return !difference;
}

static void
both_readers_give_the_same(void)
{
	unsigned rounds = test_rounds(20000, 300000);
	struct str text = {0};
	uint64_t seed = 5;
	bool good = true;

	for (unsigned round = 0; round < rounds && good; round++) {
		struct import_how slow = {.careful = true,
					  .exact = round % 5 == 0,
					  .near = round % 4 ? GATHER_NEAR_CELLS : 1 + round % 300},
				  fast = slow;
		size_t piece = round % 3 ? 1 + test_random(&seed) % 300 : 0;

		fast.careful = false;
		fast.slice = 1 + test_random(&seed) % 200;
		draw_text(&text, &seed);
		good = compare(str_text(&text), text.n, piece, &fast, &slow, round);
	}
	CHECK(good);
	str_free(&text);
}

/* Interleaved rows of far more observations than the reader searches through. */
static void
rows_of_many_observations_find_theirs(void)
{
	struct import_how slow = {.careful = true, .near = GATHER_NEAR_CELLS},
			  fast = {.near = GATHER_NEAR_CELLS, .slice = 1000};
	struct str text = {0};
	uint64_t seed = 9;

	str_add(&text, "observation,time,a,b\n");
	for (int i = 0; i < 20000; i++)
		str_addf(&text, "run %d,%d,%d,%d\n", (int)(test_random(&seed) % 500), i, i, i / 2);
	CHECK(compare(str_text(&text), text.n, 0, &fast, &slow, 0));
	CHECK(compare(str_text(&text), text.n, 777, &fast, &slow, 0));
	str_free(&text);
}

/* Fast reading stops at the beginning of the first row that is not plain. */
static void
reading_stops_at_what_is_not_plain(void)
{
	static const struct { const char *text; size_t rows, stop, lines; } row[] = {
		{"1,2\n3,4\n", 2, 8, 2}, {"1,2\n\n\r\n3,4\n", 2, 11, 4}, {"1,2\n3,4", 1, 4, 1}, {"1,2\n3,4,5\n",
			1, 4, 1}, {"1,2\n3\n", 1, 4, 1},
		{"1,2\nx,4\n", 1, 4, 1}, {"1,2\n-3,4\n", 1, 4, 1}, {"1,2\n\"3\n\",4\n", 1, 4, 1},
			{"1,2\n \"3\" , 4 \n", 2, 14, 2}, {"1,2\n,\n", 2, 6, 2},
		{"1,2\r\n3,4\r\n", 2, 10, 2}, {"", 0, 0, 0},
	};
	const struct csv_plain_shape shape = {
		.n_columns = 2, .n_counters = 2, .observation = CSV_PLAIN_NONE, .time = CSV_PLAIN_NONE};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct csv_plain_rows rows = {0};
		char text[64] = "";
		size_t n = strlen(row[i].text);

		memcpy(text, row[i].text, n);
		test_label("row %zu: %s", i, row[i].text);
		csv_plain_read(&rows, &shape, text, text + n, text + n);
		CHECK_INT(rows.n, row[i].rows);
		CHECK_INT(rows.stop - text, row[i].stop);
		CHECK_INT(rows.lines, row[i].lines);
		csv_plain_free(&rows);
	}
}

TEST_MAIN(CASE(both_readers_give_the_same), CASE(rows_of_many_observations_find_theirs),
	CASE(reading_stops_at_what_is_not_plain))
