/* Repeated lines of perf stat -x, read by the fast way and by the careful one: the tables are the same for any lines in
 * any pieces. Deterministic; more rounds with HECATE_SLOW. */
#include "collect/import/perf_repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "collect/import/perf_stat.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "table.h"
#include "test.h"

static struct obs_table *
read_so(const char *text, size_t n, size_t piece, const struct import_how *how, struct err *e)
{
	memset(e, 0, sizeof *e);
	return feed_read_text(import_read_feed, "f.csv", text, n, piece, how, e);
}

struct shape {
	size_t groups, events, intervals;
	unsigned strange; /* of 1000 */
	char sep;
	bool parts, old; /* old: no field after the percentage */
};

static const char *const event[] = {
	"page-faults", "cpu/event=0x3c,umask=0x0/", "task-clock", "r01c4", "power/energy-pkg/", "cycles:u"
};
static const char *const group[] = {"CPU0", "S0-D0-C1", "bash-3901"};

static void
add_value(struct str *out, const struct shape *s, size_t k, uint64_t *seed)
{
	static const char *const odd[] = {
		"<not counted>", "<not supported>", "0", "1e3", "0.50", "9223372036854775807", "00012", "12.", "nan", ""
	};

	if (test_random(seed) % 1000 < s->strange)
		str_add(out, odd[test_random(seed) % (sizeof odd / sizeof *odd)]);
	else if (k == 2)
		str_addf(out, "%u.%02u", (unsigned)(test_random(seed) % 10000), (unsigned)(test_random(seed) % 100));
	else
		str_addf(out, "%llu", (unsigned long long)(test_random(seed) >> 30 >> test_random(seed) % 34));
}

static void
add_tail(struct str *out, const struct shape *s, uint64_t *seed)
{
	static const char *const odd[] = {
		",nan,K/sec", ",,", ",12,x", ",0.5%", ",1.000,a,b", "", ",1.000", ",5.000,GHz\r", ",1.000,\x01"
	};
	const char *tail = odd[test_random(seed) % (sizeof odd / sizeof *odd)];

	if (s->old)
		return;
	if (test_random(seed) % 1000 >= s->strange) {
		str_addf(out, "%c%u.%03u%cK/sec", s->sep, (unsigned)(test_random(seed) % 1000),
			(unsigned)(test_random(seed) % 1000), s->sep);
		return;
	}
	for (; *tail; tail++)
		str_addc(out, *tail == ',' ? s->sep : *tail);
}

static void
add_line(struct str *out, const struct shape *s, size_t time, size_t g, size_t k, uint64_t *seed)
{
	unsigned percent = test_random(seed) % 5 ? 10000 : (unsigned)(test_random(seed) % 10100);

	str_addf(out, "%6zu.%09u%c", time / 10, (unsigned)(time % 10 * 100000000 + 239848), s->sep);
	if (s->groups > 1)
		str_addf(out, "%s%c", group[g], s->sep);
	if (s->groups > 1 && s->parts)
		str_addf(out, "%zu%c", g + 1, s->sep);
	add_value(out, s, k, seed);
	str_addf(out, "%c%s%c%s%c%llu%c%u.%02u", s->sep, k == 2 ? "msec" : "", s->sep, event[k], s->sep,
		(unsigned long long)(test_random(seed) % 1000 < s->strange ? 0 : 1 + test_random(seed) % 100000000),
		s->sep, percent / 100, percent % 100);
	add_tail(out, s, seed);
	str_addc(out, '\n');
}

static void
draw_text(struct str *out, uint64_t *seed)
{
	static const char sep[] = ",,,;\t|:";
	static const char *const noise[] = {
		"", "its own output", "# started on Sat", "a,b,c", "0.1,2", ",,,,,70.1,%  tma_backend_bound"
	};
	struct shape s = {.groups = 1 + test_random(seed) % 3,
		.events = 1 + test_random(seed) % 6,
		.intervals = 1 + test_random(seed) % 30,
		.strange = test_random(seed) % 2 ? (unsigned)(test_random(seed) % 80) : 0,
		.sep = sep[test_random(seed) % 7],
		.parts = test_random(seed) % 2,
		.old = test_random(seed) % 4 == 0};

	str_clear(out);
	for (size_t i = 0; i < s.intervals; i++) {
		/* Now and then the time goes back: another run begins. */
		size_t time = test_random(seed) % 1000 < s.strange / 4 ? 1 : 10 * i + 1;

		for (size_t k = 0; k < s.events; k++)
			for (size_t g = 0; g < s.groups; g++) {
				if (test_random(seed) % 1000 < s.strange / 4)
					str_addf(
						out, "%s\n", noise[test_random(seed) % (sizeof noise / sizeof *noise)]);
				if (test_random(seed) % 1000 < s.strange / 2)
					continue; /* a line is missing */
				add_line(out, &s, time, g, k, seed);
				if (test_random(seed) % 1000 < s.strange / 2)
					add_line(out, &s, time, g, k, seed);
			}
	}
	if (test_random(seed) % 3 == 0 && out->n > 40)
		out->n -= test_random(seed) % 40;
}

static void
both_ways_give_the_same(void)
{
	unsigned rounds = test_rounds(1500, 60000);
	struct str text = {0};
	uint64_t seed = 3;
	bool good = true;

	for (unsigned round = 0; round < rounds && good; round++) {
		struct import_how slow = {.careful = true,
					  .exact = round % 5 == 0,
					  .near = round % 4 ? GATHER_NEAR_CELLS : 1 + round % 300},
				  fast = slow;
		/* The first piece must be large enough to detect the format. */
		size_t piece = round % 3 ? 1 + test_random(&seed) % 3000 : 0;
		struct obs_table *a, *b;
		struct err ea, eb;
		char *difference;

		fast.careful = false;
		draw_text(&text, &seed);
		a = read_so(str_text(&text), text.n, piece, &fast, &ea);
		b = read_so(str_text(&text), text.n, 0, &slow, &eb);
		difference = table_difference(a, &ea, b, &eb);
		good = test_check(!difference, __FILE__, __LINE__, "round %u, pieces of %zu: %s\n%s", round, piece,
			difference ? difference : "", difference ? str_text(&text) : "");
		obs_table_free(a);
		obs_table_free(b);
		free(difference);
	}
	str_free(&text);
}

/* Input that the fast way reads, so that the test above compares both ways. */
static void
repeated_lines_are_recognised(void)
{
	static const char first[] = "     0.100239848,CPU0,3,,page-faults,100471784,100.00,29.861,/sec\n";
	static const char later[] =
		"    12.200239848,CPU0,4711,,page-faults,99,50.25,1.000,K/sec\n                                        "
		"                                                                                                      "
		"                                    ";
	static const char other[] =
		"    12.200239848,CPU1,4711,,page-faults,99,50.25,1.000,K/sec\n                                        "
		"                                                                                                      "
		"                                    ";
	struct perf_places places = {
		.time = {first + 5, 11}, .value = {first + 22, 1}, .run = {first + 37, 9}, .percent = {first + 47, 6}};
	struct perf_count c = {.group = 2, .event = 5, .variance = __builtin_nan(""), .parts = 7}, got;
	struct perf_repeat r;
	const char *rest;

	CHECK(perf_repeat_begin(&r, ","));
	perf_repeat_learn(&r, first, sizeof first - 1, &places, &c);
	perf_repeat_learn(&r, first, sizeof first - 1, &places, &c);
	CHECK(!perf_repeat_read(&r, other, other + sizeof other - 1, &got));
	rest = perf_repeat_read(&r, later, later + sizeof later - 1, &got);
	CHECK(rest && rest[-1] == '\n');
	CHECK_INT(got.group, 2);
	CHECK_INT(got.event, 5);
	CHECK_INT(got.parts, 7);
	CHECK_INT(got.value.digits, 4711);
	CHECK_NEAR(got.time, 12.200239848, 0);
	CHECK_NEAR(got.running, 0.5025, 0);
	CHECK_INT(got.state, PERF_COUNTED);
	perf_repeat_forget(&r);
	CHECK(!perf_repeat_read(&r, later, later + sizeof later - 1, &got));
	perf_repeat_free(&r);
}

TEST_MAIN(CASE(both_ways_give_the_same), CASE(repeated_lines_are_recognised))
