/* The language of probes: what a pass has, what an answer is, and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/probe/probe.h"
#include "probe_bed.h"
#include "test.h"
#include "text/diag.h"

static void
a_pass_has_what_is_written(void)
{
	struct diags d;
	struct probe *p = bed_parse("probe t \"test\" { knee 1 .. 40 step 1; block; "
		"fill 3 branch then load, nop stride 8; counts 2; }", &d);
	struct probe_code c = {0};

	if (!CHECK(p != NULL))
		return;
	probe_code_write(&c, p, &p->fill, 5);
	if (CHECK_INT(c.n, 2 * (1 + 3 + 5))) {
		CHECK(c.insn[0].op == PROBE_LOAD && c.insn[0].place == PROBE_FAR && c.insn[0].chain == 1);
		CHECK(c.insn[1].op == PROBE_BRANCH && c.insn[4].op == PROBE_LOAD && c.insn[5].op == PROBE_NOP);
		CHECK_INT(c.insn[8].offset, 32);
		CHECK_INT(c.insn[9].chain, 2);
	}
	probe_code_free(&c);
	probe_free(p);
	diags_free(&d);
}

/* What fills a queue natively is eight instructions after a load that misses: on cores that dispatch so many at once it
 * is not in the group of that load, which would wait until there is room for all. */
static void
queues_fill_after_the_group(void)
{
	static const struct { const char *name; enum probe_op op; } row[] = {
		{"load_queue", PROBE_LOAD}, {"store_queue", PROBE_STORE},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct probe *p = bed_probe(row[i].name);
		struct probe_code c = {0};

		test_label("%s", row[i].name);
		if (CHECK(p != NULL)) {
			probe_code_write(&c, p, &p->native, 20);
			CHECK_INT(c.n, 2 * (1 + 8 + 20));
			for (size_t k = 1; k < c.n / 2; k++)
				CHECK(k <= 8 ? c.insn[k].op == PROBE_NOP : c.insn[k].op == row[i].op ||
					c.insn[k].op == PROBE_FLOAD);
		}
		probe_code_free(&c);
		probe_free(p);
	}
}

/* Jumps skip the same bytes each, loads go on from where the last one was. */
static void
strides_are_written(void)
{
	struct diags d;
	struct probe *p = bed_parse("probe t \"x\" { slope 4 .. 8 step 1; fill jump, load stride 16; }", &d);
	struct probe_code c = {0};

	if (!CHECK(p != NULL))
		return;
	probe_code_write(&c, p, &p->fill, 4);
	CHECK_INT(c.insn[0].offset, 16);
	CHECK_INT(c.insn[1].offset, 16);
	CHECK_INT(c.insn[2].offset, 16);
	CHECK_INT(c.insn[3].offset, 48);
	probe_code_free(&c);
	probe_free(p);
	diags_free(&d);
}

static void
steps_are_taken(void)
{
	static const struct { const char *range, *want; } row[] = {
		{"4 .. 10 step 3", "4 7 10"},
		{"1 .. 16 doubling", "1 2 4 8 16"},
		{"2 .. 20 doubling 4", "2 3 4 5 6 7 8 10 12 14 16 20"},
		{"96 .. 256 doubling 4", "96 112 128 160 192 224 256"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *text = str_format("probe t \"x\" { knee %s; fill nop; }", row[i].range);
		struct diags d;
		struct probe *p = bed_parse(text, &d);
		struct str got = {0};

		test_label("%s", row[i].range);
		if (CHECK(p != NULL)) {
			for (uint64_t x = p->first; x <= p->last; x = probe_next_x(p, x))
				str_addf(&got, "%s%llu", x == p->first ? "" : " ", (unsigned long long)x);
			CHECK_STR(str_text(&got), row[i].want);
		}
		str_free(&got);
		probe_free(p);
		diags_free(&d);
		free(text);
	}
}

/* The instructions of a fill, one letter each, with what they read (from) and write (chain). */
static void
links_are_written(void)
{
	static const struct { const char *fill, *want; } row[] = {
		{"fill load;", "load/0>0 load/0>0 load/0>0 load/0>0"},
		{"fill load chained;", "load/3>3 load/3>3 load/3>3 load/3>3"},
		{"fill prefetch, load together;", "prefetch/3>0 load/3>3 prefetch/3>0 load/3>3"},
		{"fill fresh load waves;", "load/3>0 load/3>0 load/3>0 load/3>3"},
		{"fill fresh prefetch then same load waves;",
			"prefetch/3>0 load/3>0 load/3>0 load/3>0 load/3>3"},
		{"simulated; fill call then return;", "call/0>0 return/0>0 return/0>0 return/0>0 return/0>0"},
		{"fill load then nop then load waves;", "load/3>0 nop/3>0 nop/3>0 nop/3>0 nop/3>0 load/3>3"},
		{"fill far load, store chained;", "load/3>3 store/3>0 load/3>3 store/3>0"},
		{"block; fill add, store waiting;", "load/1>1 add/1>0 store/1>0 add/1>0 store/1>0 "
			"load/2>2 add/2>0 store/2>0 add/2>0 store/2>0"},
		{"fill div, fdiv chained;", "div/3>3 fdiv/3>3 div/3>3 fdiv/3>3"},
		{"fill store, load chained late;", "add/3>4 store/3>0 load/3>3 add/3>4 store/3>0 load/3>3"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *text = str_format("probe t \"x\" { slope 4 .. 8 step 1; %s }", row[i].fill);
		struct diags d;
		struct probe *p = bed_parse(text, &d);
		struct probe_code c = {0};
		struct str got = {0};

		test_label("%s", row[i].fill);
		if (CHECK(p != NULL)) {
			probe_code_write(&c, p, &p->fill, 4);
			for (size_t k = 0; k < c.n; k++)
				str_addf(&got, "%s%s/%u>%u", k ? " " : "", probe_op_name(c.insn[k].op),
					c.insn[k].from, c.insn[k].chain);
			CHECK_STR(str_text(&got), row[i].want);
		}
		str_free(&got);
		probe_code_free(&c);
		probe_free(p);
		diags_free(&d);
		free(text);
	}
}

/* The answer to a made curve of two plateaus, 10 up to x = 20 and 30 from then on, and to one that rises by 0.5. */
static void
answers_are_read_off_curves(void)
{
	static const struct { const char *items; bool rises; double value, low, high; } row[] = {
		{"knee 1 .. 40 step 1; fill nop; counts 2;", false, 22, 22, 23},
		{"knee 1 .. 40 step 1; fill nop; over 4; counts 1;", false, 6, 6, 6.25},
		{"level 1 1 .. 40 step 1; footprint;", false, 10, 10, 10},
		{"level 2 1 .. 40 step 1; footprint;", false, 30, 30, 30},
		{"slope 1 .. 40 step 1; fill nop; times 2;", true, 1, 1, 1},
		{"rate 1 .. 40 step 1; fill nop;", true, 2, 2, 2},
		{"ratio 1 .. 50 step 1; fill nop; against nop;", false, 30, 30, 30},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *text = str_format("probe t \"x\" { %s }", row[i].items);
		struct diags d;
		struct probe *p = bed_parse(text, &d);
		struct curve c = {0};
		struct knees *k;
		struct probe_answer a;

		test_label("%s", row[i].items);
		if (!CHECK(p != NULL))
			return;
		for (double x = 1; x <= (p->value == PROBE_RATIO ? 50 : 40); x++) {
			double y = row[i].rises ? 7 + x / 2 : x <= 20 ? 10 : 30;

			curve_add(&c, &(struct curve_point){x, y, y, y});
		}
		k = knees_find(&c);
		a = probe_answer_of(p, k);
		CHECK(a.found);
		CHECK_NEAR(a.value, row[i].value, 1e-6);
		CHECK_NEAR(a.low, row[i].low, 1e-6);
		CHECK_NEAR(a.high, row[i].high, 1e-6);
		knees_free(k);
		curve_free(&c);
		probe_free(p);
		diags_free(&d);
		free(text);
	}
}

/* The interval of a slope has the true one in 99 of 100 curves, though they have few points. */
static void
slopes_of_few_points(void)
{
	struct diags d;
	struct probe *p = bed_parse("probe t \"x\" { slope 1 .. 8 step 1; fill mul chained; }", &d);
	uint64_t seed = 11;
	size_t n = 0, has = 0;

	for (int round = 0; round < 2000; round++) {
		struct curve c = {0};
		struct knees *k;

		for (int x = 1; x <= 8; x++) {
			double y = 100 + 3 * x + 2 * test_normal(&seed);

			curve_add(&c, &(struct curve_point){x, y, y, y});
		}
		k = knees_find(&c);
		if (k->n_trends == 1 && k->trend[0].last - k->trend[0].first == 7) {
			struct probe_answer a = probe_answer_of(p, k);

			has += a.low <= 3 && 3 <= a.high;
			n++;
		}
		knees_free(k);
		curve_free(&c);
	}
	CHECK(n > 1500);
	CHECK((double)has > 0.98 * (double)n);
	probe_free(p);
	diags_free(&d);
}

/* Curves between two loads that miss, of 480 cycles, which bend at 195 without a step, by what follows. */
enum bend { STEEP, ROUND, SLOW, DISPATCH, NOTHING };

static double
bent(enum bend b, double x)
{
	double over = fmax(0, x - 195);

	switch (b) {
	case STEEP: return 480 + 6 * over;
	case ROUND: return 480 + (over < 30 ? over * over / 10 : 90 + 6 * (over - 30));
	case SLOW: return 480 + 1.5 * over;
	case DISPATCH: return fmax(480, 480.0 / 195 * x); /* as long as the instructions take by themselves */
	case NOTHING: return 480;
	}
	return 0;
}

/* One that rises steeply is full; of the others what fits is known, and what is full is not. */
static void
bends_are_found(void)
{
	static const struct { enum bend bend; const char *doubt; double from, at, to; } row[] = {
		{STEEP, "what is full delays", 190, 197, 202},
		{ROUND, "what is full delays", 190, 212, 232}, /* where the lines meet */
		{SLOW, "or more: the curve bends", 150, 197, INFINITY},
		{DISPATCH, "or more: the curve bends", 150, 197, INFINITY},
		{NOTHING, NULL, 0, 0, 0},
	};
	struct probe *p = bed_probe("load_queue");
	uint64_t seed = 3;

	for (size_t i = 0; i < 30 * sizeof row / sizeof *row && p; i++) {
		struct curve c = {0};
		struct knees *k;
		struct probe_answer a;
		const char *doubt;
		size_t r = i / 30;

		for (int x = 4; x <= 400; x++) {
			double y = bent(row[r].bend, x) * (1 + 0.01 * test_normal(&seed));

			curve_add(&c, &(struct curve_point){x, y, y, y});
		}
		k = knees_find(&c);
		a = probe_answer_of(p, k);
		doubt = probe_answer_doubt(p, &a);
		test_label("shape %zu: %g (%g to %g), %s", r, a.value, a.low, a.high, doubt ? doubt : "no doubt");
		CHECK(row[r].doubt ? a.found && doubt && strstr(doubt, row[r].doubt) != NULL : !a.found && !doubt);
		if (a.found) {
			CHECK(row[r].from <= a.low && a.low <= row[r].at + 1);
			CHECK(row[r].at - 1 <= a.high && a.high <= row[r].to);
		}
		knees_free(k);
		curve_free(&c);
	}
	probe_free(p);
}

/* A rate counts units, and a latency cycles: what is far from a whole number is said to be. */
static void
parts_of_a_whole_are_doubted(void)
{
	static const struct { const char *probe; double value, off; bool doubt; } row[] = {
		{"decode_width", 6.45, 0.02, true}, {"decode_width", 6.05, 0.01, false},
		{"decode_width", 5.7, 0.01, true}, {"decode_width", 6.45, 0.6, false},
		{"move_latency", 0.165, 0.001, true}, {"mul_latency", 2.967, 0.001, false},
		{"bank_conflict", 0.002, 0.006, false}, {"memory_latency", 479.7, 2, false},
		{"fma_split", 1.33, 0.01, false}, {"rob", 129.5, 0.1, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct probe *p = bed_probe(row[i].probe);
		struct probe_answer a = {.found = true, .value = row[i].value, .low = row[i].value - row[i].off,
			.high = row[i].value + row[i].off};

		test_label("%s: %g", row[i].probe, row[i].value);
		if (p)
			CHECK_INT(probe_answer_doubt(p, &a) != NULL, row[i].doubt);
		probe_free(p);
	}
}

static void
errors_are_named(void)
{
	static const struct { const char *text, *error; } row[] = {
		{"", "'probe' expected"},
		{"probe t \"x\" { fill nop; }", "does not say what it looks for"},
		{"probe t \"x\" { knee 4 .. 9 step 1; }", "has no instructions"},
		{"probe t \"x\" { knee 9 .. 4 step 1; fill nop; }", "x must rise"},
		{"probe t \"x\" { knee 4 .. 9 step 0; fill nop; }",
			"the step of x: a whole number, as 5 or 100K, from 1 to 1T is expected, not '0'"},
		{"probe t \"x\" { knee 1 .. 1M step 1; fill nop; }", "x must rise, in at most"},
		{"probe t \"x\" { knee 1 .. 200k doubling 100k; fill nop; }", "x must rise, in at most"},
		{"probe t \"x\" { level 1 1k .. 1M doubling 1M; footprint; }", "x must rise, in at most"},
		{"probe t \"x\" { knee 4 .. 17592186044417M step 1; fill nop; }", "the last x: a whole number,"},
		{"probe t \"x\" { knee 4 .. 9 step 1; rate 1 .. 2 step 1; fill nop; }", "a second value"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill noop; }", "nop, add, mul, div, move"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop }", "';' expected"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop; footprint; }", "a footprint has no fill"},
		{"probe t \"x\" { ratio 4 .. 9 step 1; fill nop; }", "a ratio needs a second fill"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill call; }", "are for a simulated core alone"},
		{"probe t \"x\" { slope 4 .. 9 step 1; fill nop; less nop then return; }", "are for a simulated core"},
		{"probe t \"x\" { knee 1k .. 9k step 64; footprint code; }", "are for a simulated core alone"},
		{"probe t \"x\" { knee 1k .. 9k step 64; footprint code stride 32; simulated; }", "lines of code are"},
		{"probe t \"x\" { knee 1k .. 9k step 64; footprint code stride x; simulated; }", "lines of code are"},
		{"probe t \"x\" { knee 1M .. 64M step 1M; footprint code; simulated; }", "there are at most"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop; native; simulated; }", "exclude each other"},
		{"probe t \"x\" { knee 4 .. 9 halving; fill nop; }", "'step' or 'doubling' expected"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill far store; }", "store has no such place"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill same nop; }", "nop has no such place"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill load late; }", "'late' needs a chain with a store"},
		{"probe t \"x\" { knee 8 .. 16k doubling; fill load stride x; }", "x is a stride of more than"},
		{"probe t \"x\" { knee 8 .. 1M step 1k; fill load; }", "x is a pass of more than"},
		{"probe t \"x\" { knee 8 .. 2k step 8; fill 20000 load, add stride x; }", "x is a pass of more than"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill 200k nop then add then 100k nop; }", "x is a pass of more"},
		{"probe t \"x\" { slope 4 .. 9 step 1; fill nop; native fill 300k nop then nop; }", "x is a pass"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop; fill add; }", "a second sequence of the same kind"},
		{"probe t \"x\" { ratio 4 .. 9 step 1; fill nop; less add; against mul; }", "a second sequence"},
		{"probe t \"x\" { level 1 1k .. 9k step 1k; footprint stride 20; }", "a multiple of 8 bytes apart"},
		{"probe t \"x\" { level 1 64 .. 1k step 4; footprint stride x; }", "a multiple of 8 bytes apart"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill add waiting; }", "'waiting' needs the loads of 'block'"},
		{"probe t \"x\" { knee 4 .. 9 step 1; block; fill fadd waiting; }", "and no floating-point"},
		{"probe t \"x\" { knee 8 .. 80 step 8; fill add; against footprint stride 8; }",
			"a footprint is compared with a footprint"},
		{"probe t \"x\" { knee 8 .. 80 step 8; footprint; against footprint; }", "'stride' expected"},
		{"probe t \"x\" { knee 8 .. 80 step 8; footprint; against footprint stride 12; simulated; }",
			"a multiple of 8 bytes apart"},
		{"probe t \"x\" { knee 8 .. 80 step 8; footprint; against footprint stride 8; }",
			"for a simulated core alone"},
		{"probe t \"x\" { knee 8 .. 80 step 8; footprint hot; }", "for a simulated core alone"},
		{"probe t \"x\" { knee 8 .. 80 step 8; footprint pairs; simulated; }", "a second footprint, which"},
		{"probe t \"x\" { knee 8 .. 80 step 8; fill add; native; simulated; }", "exclude each other"},
		{"probe t \"x\" { level 0 4 .. 9 step 1; footprint; }", "the number of the plateau: a whole number"},
		{"probe t \"x\" { level 2 4 .. 9 step 1; footprint; pages 2M; }", "'4k' expected"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill 0 nop; }", "the number of instructions: a whole number"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop; ", "'}' expected"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d;
		struct probe *p = bed_parse(row[i].text, &d);

		test_label("%s: %s", row[i].text, d.n ? d.item[0].text : "no error");
		CHECK(p == NULL);
		CHECK(d.n && strstr(d.item[0].text, row[i].error));
		probe_free(p);
		diags_free(&d);
	}
}

TEST_MAIN(CASE(a_pass_has_what_is_written), CASE(queues_fill_after_the_group), CASE(strides_are_written),
	CASE(steps_are_taken), CASE(links_are_written), CASE(answers_are_read_off_curves), CASE(slopes_of_few_points),
	CASE(bends_are_found), CASE(parts_of_a_whole_are_doubted), CASE(errors_are_named))
