/* Probes on simulated cores whose parameters are drawn at random: the probes must find them. And the language of
 * probes: what a pass has, and what is refused. */
#include "collect/sim/probe_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/lang/diag.h"
#include "core/probe/probe.h"
#include "test.h"

static struct probe *
parse(const char *text, struct diags *d)
{
	*d = (struct diags){0};
	return probe_parse(str_format("t.probe"), str_format("%s", text), strlen(text), d);
}

static struct probe *
installed(const char *name)
{
	unsigned long n;
	char *path = str_format("../models/probes/%s.probe", name), *text = test_read(path, &n);
	struct diags d = {0};
	struct probe *p = probe_parse(path, text, n, &d);

	test_check(p != NULL, __FILE__, __LINE__, "%s: %s", name, d.n ? d.item[0].text : "refused without a reason");
	diags_free(&d);
	return p;
}

/* The answer of a probe on core.machine with changes. */
static struct probe_answer
answer(const char *name, const char *changes, sim_plants plants)
{
	unsigned long n;
	char *text = test_read("../models/machines/core.machine", &n);
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("core", text, n, changes, &d);
	struct probe *p = installed(name);
	struct curve c = {0};
	struct probe_answer a = {0};

	if (test_check(m != NULL, __FILE__, __LINE__, "%s: %s", changes, d.n ? d.item[0].text : "refused") && p) {
		struct knees *k;

		sim_probe_run(m, m->has | plants, p, NULL, NULL, &c);
		k = knees_find(&c);
		a = probe_answer_of(p, k);
		knees_free(k);
	}
	curve_free(&c);
	probe_free(p);
	sim_machine_free(m);
	diags_free(&d);
	free(text);
	return a;
}

/* A number from `least` to `most`. */
static unsigned
draw(uint64_t *seed, unsigned least, unsigned most)
{
	return least + (unsigned)(test_random(seed) % (most - least + 1));
}

static void
check_answer(const char *name, const char *changes, double truth, double within)
{
	struct probe_answer a = answer(name, changes, 0);

	test_label("%s with \"%s\": %g", name, changes, a.value);
	CHECK(a.found);
	CHECK_NEAR(a.value, truth, within);
	CHECK(a.low <= truth + 1e-9 && truth <= a.high + 1e-9);
}

/* Capacities within an entry, latencies and widths within 1 %. Nothing else that is drawn may change an answer: all
 * parameters differ at once. Memory is slow enough that the fill is dispatched meanwhile, or no knee would show. */
static void
finds_what_was_drawn(void)
{
	unsigned rounds = test_rounds(2, 24);
	uint64_t seed = 5;

	for (unsigned i = 0; i < rounds; i++) {
		unsigned rob = draw(&seed, 120, 400), loads = draw(&seed, 16, 100), stores = draw(&seed, 16, 100);
		unsigned ints = draw(&seed, 60, 110), fps = draw(&seed, 60, 110), width = draw(&seed, 3, 8);
		unsigned mul = draw(&seed, 2, 9), fmul = draw(&seed, 2, 9), l1 = draw(&seed, 1, 6);
		unsigned memory = draw(&seed, 300, 450);
		char *changes = str_format("rob %u; load_queue %u; store_queue %u; int_registers %u; fp_registers %u; "
			"fetch %u; width %u; latency mul %u cycles; latency fmul %u cycles; l1 16 KiB, 4 ways, %u "
			"cycles; memory %u cycles", rob, loads, stores, ints, fps, width, width, mul, fmul, l1, memory);

		check_answer("rob", changes, rob, 1);
		check_answer("load_queue", changes, loads, 1);
		check_answer("store_queue", changes, stores, 1);
		check_answer("int_registers", changes, ints, 1);
		check_answer("fp_registers", changes, fps, 1);
		check_answer("decode_width", changes, fmin(width, 4), 0.01 * width); /* core.machine commits 4 */
		check_answer("mul_latency", changes, mul, 0.01 * mul);
		check_answer("fmul_latency", changes, fmul, 0.01 * fmul);
		check_answer("l1_latency", changes, l1 + 1, 0.01 * l1); /* and 1 for the address */
		free(changes);
	}
}

/* A BOOM-like core, whose load and store queue have 24 entries each (section 5.6). */
static void
both_queues_of_boom(void)
{
	static const char boom[] = "rob 96; load_queue 24; store_queue 24; fetch 4; width 3";

	check_answer("load_queue", boom, 24, 0);
	check_answer("store_queue", boom, 24, 0);
}

static void
pairs_show_features(void)
{
	sim_plants eliminates = (sim_plants)1 << SIM_PLANT_MOVE_ELIMINATION;
	sim_plants splits = (sim_plants)1 << SIM_PLANT_FMA_SPLIT;

	CHECK_NEAR(answer("move_latency", NULL, 0).value, 1, 0.01);
	CHECK(answer("move_latency", NULL, eliminates).value < 0.5);
	CHECK_NEAR(answer("fma_latency", NULL, 0).value, 4, 0.04);
	CHECK_NEAR(answer("fma_latency", NULL, splits).value, 8, 0.08);
	CHECK_NEAR(answer("l1_size", NULL, 0).value, 16384, 0);
}

static void
a_pass_has_what_is_written(void)
{
	struct diags d;
	struct probe *p = parse("probe t \"test\" { knee 1 .. 40 step 1; block; "
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

static void
errors_are_named(void)
{
	static const struct { const char *text, *error; } row[] = {
		{"", "'probe' expected"},
		{"probe t \"x\" { fill nop; }", "does not say what it looks for"},
		{"probe t \"x\" { knee 4 .. 9 step 1; }", "has no instructions"},
		{"probe t \"x\" { knee 9 .. 4 step 1; fill nop; }", "x must rise"},
		{"probe t \"x\" { knee 4 .. 9 step 0; fill nop; }", "the step of x expected"},
		{"probe t \"x\" { knee 1 .. 1M step 1; fill nop; }", "x must rise, in at most"},
		{"probe t \"x\" { knee 4 .. 9 step 1; rate 1 .. 2 step 1; fill nop; }", "a second value"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill noop; }", "nop, add, mul, move"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop }", "';' expected"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop; footprint; }", "a footprint has no fill"},
		{"probe t \"x\" { ratio 4 .. 9 step 1; fill nop; }", "a ratio needs a second fill"},
		{"probe t \"x\" { knee 4 .. 9 halving; fill nop; }", "'step' or 'doubling' expected"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill far store; }", "store has no such place"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill same nop; }", "nop has no such place"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill load late; }", "'late' needs a chain with a store"},
		{"probe t \"x\" { knee 8 .. 16k doubling; fill load stride x; }", "x is a stride of more than"},
		{"probe t \"x\" { knee 8 .. 1M step 1k; fill load; }", "x is a pass of more than"},
		{"probe t \"x\" { level 0 4 .. 9 step 1; footprint; }", "the number of the plateau expected"},
		{"probe t \"x\" { level 2 4 .. 9 step 1; footprint; pages 2M; }", "'4k' expected"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill 0 nop; }", "the number of instructions expected"},
		{"probe t \"x\" { knee 4 .. 9 step 1; fill nop; ", "'}' expected"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d;
		struct probe *p = parse(row[i].text, &d);

		test_label("%s: %s", row[i].text, d.n ? d.item[0].text : "no error");
		CHECK(p == NULL);
		CHECK(d.n && strstr(d.item[0].text, row[i].error));
		probe_free(p);
		diags_free(&d);
	}
}

TEST_MAIN(CASE(finds_what_was_drawn), CASE(both_queues_of_boom), CASE(pairs_show_features),
	CASE(a_pass_has_what_is_written), CASE(errors_are_named))
