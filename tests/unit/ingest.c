/* Imports that are interrupted at any place, on request or by a kill. After they have been resumed to their end, the
 * file holds what it would hold without interruptions. */
#include "work/files/ingest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "core/obs/obs.h"
#include "session_place.h"
#include "table.h"
#include "test.h"
#include "work/files/data.h"

/* --- texts whose form shows late --------------------------------------------------------------------------------- */

static void
wide(struct str *out, uint64_t *seed)
{
	str_add(out, "observation,time,a,b,c\n");
	for (int i = 0; i < 400; i++) {
		str_addf(out, "%s,%d.%02d,", test_random(seed) % 3 ? "one" : "\"two, too\"", i,
			(int)(test_random(seed) % 100));
		str_addf(out, "%d,%s%d,%d\n", (int)(test_random(seed) % 100000),
			i > 100 && i % 50 == 0 ? ""
				: i > 200      ? "1."
					       : "",
			(int)(test_random(seed) % 1000) + 1, (int)(test_random(seed) % 7));
	}
}

static void
times_back(struct str *out, uint64_t *seed)
{
	str_add(out, "observation,time,a\n");
	for (int i = 0; i < 300; i++)
		str_addf(out, "%c,%d,%d\n", 'x' + i % 2, i % 90 == 89 ? i - 50 : i, (int)(test_random(seed) % 1000));
}

static void
times_missing(struct str *out, uint64_t *seed)
{
	str_add(out, "time,a\n");
	for (int i = 0; i < 300; i++)
		if (i == 250)
			str_addf(out, ",%d\n", i);
		else
			str_addf(out, "%d,%d\n", i, (int)(test_random(seed) % 1000));
}

static void
parts(struct str *out, uint64_t *seed)
{
	for (int k = 0; k < 3; k++) {
		str_add(out, "a,b\n");
		for (int i = 0; i < 120; i++)
			str_addf(out, "%d,%d.%03d\n", (int)(test_random(seed) % 1000), 1000 + i,
				(int)(test_random(seed) % 1000));
	}
}

static void
perf(struct str *out, uint64_t *seed)
{
	for (int i = 0; i < 90; i++) {
		str_addf(out, "%6d.000239848,CPU0,%d,,page-faults,100,100.00,,\n", i + 1,
			(int)(test_random(seed) % 1000));
		str_addf(out, "%6d.000239848,CPU1,%d,,page-faults,100,%d.00,,\n", i + 1,
			(int)(test_random(seed) % 1000), i % 9 ? 100 : 50);
		if (i > 40)
			str_addf(out, "%6d.000239848,CPU0,%d.%d,msec,task-clock,100,100.00,,\n", i + 1,
				(int)(test_random(seed) % 1000), i % 10);
		if (i == 60)
			str_addf(out, "%6d.000239848,CPU1,9223372036854775,,cycles,100,100.00,,\n", i + 1);
		if (i == 70)
			str_addf(out, "%6d.000239848,CPU1,12.12345,Joules,power/e/,100,100.00,,\n", i + 1);
		if (i == 80)
			str_add(out, "# started on Sat\n\n");
	}
}

static void (*const texts[])(struct str *, uint64_t *) = {wide, times_back, times_missing, parts, perf};

/* --- imports ----------------------------------------------------------------------------------------------------- */

struct bed {
	struct session_place place;
	char *data;
	size_t calls, stop_at; /* calls of go_on; stop_at 0: never stops */
	bool kill;
	struct str said;
};

static bool
go_on(void *ctx, const struct data_progress *p)
{
	struct bed *b = ctx;

	(void)p;
	if (!b->stop_at || ++b->calls < b->stop_at)
		return true;
	if (b->kill)
		_exit(7);
	return false;
}

static void
say(void *ctx, const char *sentence)
{
	struct bed *b = ctx;

	str_addf(&b->said, "%s\n", sentence);
}

static void
write_file(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CHECK(fd >= 0 && write(fd, text, n) == (ssize_t)n);
	close(fd);
}

static bool
run(struct bed *b, const char *const *path, size_t n, bool exact, size_t window, struct ingest_result *r, struct err *e)
{
	struct session_file *f = session_file_open(b->place.file, e);
	const struct ingest_how how = {
		.path = path, .n = n, .exact = exact, .go_on = go_on, .say = say, .ctx = b, .window = window};
	bool good = f && ingest_all(f, &how, r, e);

	session_file_close(f);
	return good;
}

static struct bed
begin(void)
{
	struct bed b = {.place = session_place_new()};

	b.data = str_format("%s.data.csv", b.place.file);
	return b;
}

static void
end(struct bed *b)
{
	unlink(b->data);
	free(b->data);
	str_free(&b->said);
	session_place_free(&b->place);
}

static struct obs_table *
read_back(const char *path)
{
	struct err e = {.what = ""};
	struct session_file *f = session_file_open_to_read(path, &e);
	struct obs_table *t = f ? session_file_read(f, &e) : NULL;

	test_check(t != NULL, __FILE__, __LINE__, "%s", e.what);
	session_file_close(f);
	return t;
}

static void
check_same(const struct obs_table *got, const struct obs_table *want)
{
	char *difference = got && want ? table_difference(got, NULL, want, NULL) : NULL;

	test_check(got && want && !difference, __FILE__, __LINE__, "%s", difference ? difference : "no table");
	free(difference);
}

/* Imports until the end is reached. Returns the number of interruptions. */
static size_t
import_with_interruptions(struct bed *b, bool exact, size_t window, uint64_t *seed)
{
	const char *const path[] = {b->data};

	for (size_t round = 0; round < 1000; round++) {
		struct ingest_result r = {.stopped = true};
		struct err e = {.what = ""};
		int status;
		pid_t pid;

		b->calls = 0;
		b->stop_at = 1 + test_random(seed) % 40;
		b->kill = round % 2;
		if (!b->kill) {
			if (!test_check(run(b, path, 1, exact, window, &r, &e), __FILE__, __LINE__, "%s", e.what) ||
				!r.stopped)
				return round;
			continue;
		}
		pid = fork();
		if (pid == 0) {
			bool good = run(b, path, 1, exact, window, &r, &e);

			_exit(good && !r.stopped ? 0 : 1);
		}
		if (!CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status)) || WEXITSTATUS(status) == 0)
			return round;
		CHECK_INT(WEXITSTATUS(status), 7);
	}
	return 1000;
}

/* Compares a table read into memory at once, a file imported at once, and a file imported in pieces. */
static void
interrupted_imports_end_as_others_do(void)
{
	size_t n = sizeof texts / sizeof *texts, interrupted = 0;
	uint64_t seed = 1;

	for (size_t round = 0; round < n * test_rounds(3, 30); round++)
		for (int exact = 0; exact < 2; exact++) {
			size_t k = round % n;
			struct bed whole = begin(), pieces = begin();
			struct str text = {0};
			struct ingest_result r;
			struct err e = {.what = ""};
			struct obs_table *direct, *a, *b;

			test_label("round %zu, text %zu, exact %d", round, k, exact);
			texts[k](&text, &seed);
			write_file(pieces.data, text.s, text.n);
			CHECK(run(&whole, (const char *const[]){pieces.data}, 1, exact, 0, &r, &e));
			interrupted += import_with_interruptions(&pieces, exact, 100 + test_random(&seed) % 100, &seed);
			direct = data_read(pieces.data, exact, &e);
			a = read_back(whole.place.file);
			b = read_back(pieces.place.file);
			check_same(a, direct);
			check_same(b, direct);
			obs_table_free(direct);
			obs_table_free(a);
			obs_table_free(b);
			str_free(&text);
			end(&whole);
			end(&pieces);
		}
	test_check(interrupted > 40, __FILE__, __LINE__, "%zu interruptions", interrupted);
}

static size_t
rows_in(const struct bed *b)
{
	struct obs_table *t = read_back(b->place.file);
	size_t rows = 0;

	for (size_t i = 0; t && i < t->n; i++)
		rows += t->obs[i]->n_rows;
	obs_table_free(t);
	return rows;
}

/* Interrupts an import in the middle. Returns the number of rows in the file. */
static size_t
interrupt(struct bed *b, const char *const *path, size_t n, size_t calls)
{
	struct ingest_result r;
	struct err e = {.what = ""};

	b->calls = 0;
	b->stop_at = calls;
	CHECK(run(b, path, n, false, 1000, &r, &e));
	CHECK(r.stopped);
	b->stop_at = 0;
	return rows_in(b);
}

static void
add_rows(struct str *out, int from, int to)
{
	for (int i = from; i < to; i++)
		str_addf(out, "%d,%d\n", i, 2 * i);
}

/* Writes a file of these rows; its text is left in *text. */
static void
write_rows(const char *path, struct str *text, int from, int to)
{
	str_clear(text);
	str_add(text, "a,b\n");
	add_rows(text, from, to);
	write_file(path, text->s, text->n);
}

/* Data that begin otherwise are other data. Data that begin in the same way and differ later are refused, and
 * nothing is changed. */
static void
other_data_are_not_taken_for_the_same(void)
{
	struct bed b = begin();
	const char *const path[] = {b.data};
	struct str text = {0};
	struct ingest_result r;
	struct err e = {.what = ""};
	size_t rows, all = 20000;

	write_rows(b.data, &text, 0, (int)all);
	rows = interrupt(&b, path, 1, 120);
	CHECK(rows > 8000 && rows < all);
	/* A digit changes after the first 64 KB, in the part that was read. */
	text.s[70000] = text.s[70000] == '5' ? '6' : '5';
	write_file(b.data, text.s, text.n);
	CHECK(!run(&b, path, 1, false, 0, &r, &e));
	CHECK(strstr(e.what, "has changed since its import was interrupted") != NULL);
	CHECK_INT(rows_in(&b), rows);
	/* The file ends before the place of the interruption. */
	text.s[70000] = text.s[70000] == '5' ? '6' : '5';
	write_file(b.data, text.s, 90000);
	CHECK(!run(&b, path, 1, false, 0, &r, &e));
	CHECK(strstr(e.what, "ends before the place where its import was interrupted") != NULL);
	CHECK_INT(rows_in(&b), rows);
	/* The file holds other data. */
	write_rows(b.data, &text, 7, 107);
	CHECK(run(&b, path, 1, false, 0, &r, &e));
	CHECK(strstr(str_text(&b.said), "these are not the data") != NULL);
	CHECK_INT(rows_in(&b), rows + 100);
	/* That import has ended: the same command adds its rows again. */
	CHECK(run(&b, path, 1, false, 0, &r, &e));
	CHECK_INT(rows_in(&b), rows + 200);
	str_free(&text);
	end(&b);
}

/* Of several files those that are wholly imported are not read again. */
static void
the_file_that_was_being_read_goes_on(void)
{
	struct bed b = begin();
	char *second = str_format("%s.second.csv", b.place.file);
	const char *const path[] = {b.data, second};
	struct str text = {0};
	struct ingest_result r;
	struct err e = {.what = ""};
	size_t rows;

	write_rows(b.data, &text, 0, 1000);
	add_rows(&text, 1000, 3000);
	write_file(second, text.s, text.n);
	rows = interrupt(&b, path, 2, 20);
	CHECK(rows > 1000 && rows < 4000);
	CHECK(run(&b, path, 2, false, 0, &r, &e));
	CHECK(strstr(str_text(&b.said), "1 of 2 files, with 1000 rows, are already in the session file") != NULL);
	CHECK_INT(rows_in(&b), 4000);
	CHECK_INT(r.rows, 4000 - rows);
	unlink(second);
	free(second);
	str_free(&text);
	end(&b);
}

/* A bad row discards rows that are not in the file yet. After it was corrected, the import is resumed. */
static void
a_bad_row_is_corrected_and_goes_on(void)
{
	struct bed b = begin();
	const char *const path[] = {b.data};
	struct str text = {0};
	struct ingest_result r;
	struct err e = {.what = ""};
	size_t rows;

	str_add(&text, "a,b\n");
	add_rows(&text, 0, 1000);
	str_add(&text, "1,x\n");
	add_rows(&text, 1001, 1100);
	write_file(b.data, text.s, text.n);
	CHECK(!run(&b, path, 1, false, 1000, &r, &e));
	CHECK_STR(e.what, "b is not a number: \"x\"");
	CHECK_INT(e.line, 1002);
	rows = rows_in(&b);
	CHECK(rows > 500 && rows <= 1000);
	write_rows(b.data, &text, 0, 1100);
	CHECK(run(&b, path, 1, false, 1000, &r, &e));
	CHECK_INT(rows_in(&b), 1100);
	CHECK_INT(r.rows, 1100 - rows);
	str_free(&text);
	end(&b);
}

TEST_MAIN(CASE(interrupted_imports_end_as_others_do), CASE(other_data_are_not_taken_for_the_same),
	CASE(the_file_that_was_being_read_goes_on), CASE(a_bad_row_is_corrected_and_goes_on))
