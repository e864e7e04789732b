/* Answers of probes that check each other: on a core whose limits are drawn at random, the smaller one of two shows,
 * and the answer about the larger one is a lower bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "probe_bed.h"
#include "test.h"

#define NONE 0
#define KIB 1024.0

/* The capacities of a core, by the probes that find them. */
enum { ROB, LOADS, STORES, BRANCHES, INTS, FPS, BUFFERS, L1, L2, L3, DTLB, N_CAPACITIES };
static const struct { const char *name, *item, *rest; double unit, within; } capacity[N_CAPACITIES] = {
	[ROB] = {"rob", "rob ", "", 1, 1},
	[LOADS] = {"load_queue", "load_queue ", "", 1, 1},
	[STORES] = {"store_queue", "store_queue ", "", 1, 1},
	[BRANCHES] = {"branches", "branches ", "", 1, 1},
	[INTS] = {"int_registers", "int_registers ", "", 1, 1},
	[FPS] = {"fp_registers", "fp_registers ", "", 1, 1},
	[BUFFERS] = {"fill_buffers", "fill_buffers ", "", 1, 1},
	[L1] = {"l1_size", "l1 ", " KiB, 8 ways, 3 cycles", KIB, 0},
	[L2] = {"l2_size", "l2 ", " KiB, 8 ways, 14 cycles", KIB, 0},
	[L3] = {"l3_size", "l3 ", " KiB, 16 ways, 50 cycles", KIB, 0},
	[DTLB] = {"dtlb_reach", "dtlb 4k ", " entries, 4 ways", 4096, 0},
};

struct core {
	unsigned size[N_CAPACITIES]; /* NONE: there is no such limit */
	unsigned width, memory;
	bool compressed;
};

static struct probe *probe[N_CAPACITIES]; /* loaded once */

static unsigned
draw(uint64_t *seed, unsigned least, unsigned most)
{
	return least + (unsigned)(test_random(seed) % (most - least + 1));
}

static void
draw_core(uint64_t *s, struct core *c)
{
	*c = (struct core){.size = {
		[ROB] = draw(s, 40, 400), [LOADS] = draw(s, 12, 140), [STORES] = draw(s, 12, 140),
		[BRANCHES] = draw(s, 16, 140), [INTS] = draw(s, 0, 3) ? draw(s, 48, 300) : NONE,
		[FPS] = draw(s, 0, 3) ? draw(s, 48, 300) : NONE, [BUFFERS] = draw(s, 4, 50), [L1] = 8u << draw(s, 0, 4),
		[L2] = 256u << draw(s, 0, 4), [L3] = 8192u << draw(s, 0, 1), [DTLB] = 16u << draw(s, 0, 6)},
		.width = draw(s, 4, 8), .memory = draw(s, 350, 450), .compressed = draw(s, 0, 3) == 0};
}

/* Its items, as for hecate probe --set. */
static void
write_core(const struct core *c, struct str *s)
{
	for (size_t i = 0; i < N_CAPACITIES; i++)
		if (c->size[i] != NONE)
			str_addf(s, "%s%u%s; ", capacity[i].item, c->size[i], capacity[i].rest);
	str_addf(s, "fetch %u; width %u; issue 16; commit %u; fetch_buffer 32; memory %u cycles; "
		"ports 8 alu, branch, move, nop; ports 2 mul, div; ports 2 fadd; ports 2 fmul; ports 2 fma, fdiv; "
		"ports 4 load; ports 2 store, atomic", c->width, c->width, c->width, c->memory);
}

/* Answers of all probes, each by itself. */
static void
answer_all(const struct core *c, const char *text, struct probe_answer *answer)
{
	struct sim_machine *m = bed_core(text);
	sim_plants plants = c->compressed ? (sim_plants)1 << SIM_PLANT_ROB_COMPRESSION : 0;

	for (size_t i = 0; i < N_CAPACITIES; i++)
		answer[i] = m ? bed_answer_on(probe[i], m, m->has | plants) : (struct probe_answer){0};
	sim_machine_free(m);
}

/* Whether an interval leaves out what is true. */
static bool
is_false(const struct core *c, size_t i, const struct probe_answer *a)
{
	double truth = c->size[i] == NONE ? INFINITY : c->size[i] * capacity[i].unit, within = capacity[i].within;

	return a->found && (truth < a->low - within || truth > a->high + within);
}

struct score {
	unsigned answers, wrong, wrong_alone, at_least, needless;
};

/* A lower bound where the probe by itself had found what is true. */
static bool
is_needless(const struct core *c, size_t i, const struct probe_answer *alone, const struct probe_answer *a)
{
	return probe_answer_at_least(a) && !probe_answer_at_least(alone) && !is_false(c, i, alone);
}

static void
score_core(const struct core *c, struct score *s)
{
	struct probe_answer alone[N_CAPACITIES], all[N_CAPACITIES];
	struct probe_finding finding[N_CAPACITIES];
	struct str text = {0};

	write_core(c, &text);
	answer_all(c, str_text(&text), alone);
	memcpy(all, alone, sizeof all);
	for (size_t i = 0; i < N_CAPACITIES; i++)
		finding[i] = (struct probe_finding){.probe = probe[i], .answer = &all[i]};
	probe_answers_compare(finding, N_CAPACITIES, false);
	for (size_t i = 0; i < N_CAPACITIES; i++) {
		const struct probe_answer *a = &all[i];

		s->answers += a->found;
		s->wrong_alone += is_false(c, i, &alone[i]);
		s->at_least += probe_answer_at_least(a);
		s->needless += is_needless(c, i, &alone[i], a);
		s->wrong += is_false(c, i, a);
		test_label("%s: %g to %g, before %g, of a core with %s", capacity[i].name, a->low, a->high,
			alone[i].value, str_text(&text));
		CHECK(!is_false(c, i, a));
	}
	str_free(&text);
}

/* No interval leaves out what is true, although many did before answers were compared; and most answers stay exact. */
static void
no_interval_is_false(void)
{
	for (size_t i = 0; i < N_CAPACITIES; i++)
		if (!(probe[i] = bed_probe(capacity[i].name)))
			return;
	unsigned rounds = test_rounds(3, 100);
	uint64_t seed = 7;
	struct score s = {0};

	for (unsigned i = 0; i < rounds; i++) {
		struct core c;

		draw_core(&seed, &c);
		score_core(&c, &s);
	}
	printf("# %u cores, %u answers: false %u, before %u; lower bounds %u, needless %u\n", rounds, s.answers,
		s.wrong, s.wrong_alone, s.at_least, s.needless);
	CHECK(s.wrong_alone >= rounds);
	CHECK(2 * s.needless <= s.at_least);
}

/* Two probes, and what the second one's answer makes of the first one's. */
static void
one_hides_another(void)
{
	static const struct {
		const char *probe, *other;
		double low, high, other_low, other_high;
		bool hidden;
	} row[] = {
		{"rob", "load_queue", 188, 190, 33, 34, true},
		{"rob", "load_queue", 188, 190, 34, 35, false},      /* there is room for another turn of the fill */
		{"rob", "load_queue", 188, 190, 20, 24, false},      /* it would have been full long before */
		{"rob", "load_queue", 188, 190, 20, INFINITY, true}, /* of which no more is known */
		{"rob", "load_queue", 188, INFINITY, 33, 34, false}, /* is a lower bound by itself */
		{"load_queue", "rob", 33, 34, 188, 190, false},
		{"dtlb_reach", "l1i_size", 524288, 655360, 8192, 10240, false}, /* code has a cache of its own */
		{"load_queue", "int_registers", 64, 65, 33, 34, true},
		{"load_queue", "fp_registers", 65, 66, 31, 32, true},
		{"load_queue", "fp_registers", 64, 65, 31, 32, false}, /* the next one is a load of an integer */
		{"int_registers", "rob", 128, 129, 128, 130, true},
		{"int_registers", "rob", 128, 129, 130, 132, false},
		{"rob", "branches", 96, 98, 16, 17, true},
		{"fill_buffers", "load_queue", 20, 21, 20, 21, true},
		{"fill_buffers", "rob", 20, 21, 128, 130, false},
		{"rob", "fill_buffers", 128, 130, 16, 17, false},
		{"l2_size", "l1_size", 131072, 163840, 131072, 163840, true},
		{"l1_size", "l2_size", 131072, 163840, 131072, 163840, false}, /* which is asked later */
		{"dtlb_reach", "l1_size", 1048576, 1310720, 16384, 20480, true},
		{"dtlb_reach", "l1_size", 262144, 327680, 16384, 20480, false},
		{"probe own \"x\" { knee 4 .. 600 step 1; fill jump stride 4096; unit \"entries\"; "
			"parameter itlb; }", "rob", 512, 513, 128, 130, false}, /* not in flight at once */
		{"rob_nops", "rob", 126, 130, 128, 130, false}, /* counts instructions, not entries */
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};
		struct probe *p = strchr(row[i].probe, '{') ? bed_parse(row[i].probe, &d) : bed_probe(row[i].probe);
		struct probe *other = bed_probe(row[i].other);
		struct probe_answer a = {.found = true, .value = row[i].low, .low = row[i].low, .high = row[i].high};
		struct probe_answer b = {.found = true, .value = row[i].other_low, .low = row[i].other_low,
			.high = row[i].other_high};
		struct probe_finding both[] = {{.probe = p, .answer = &a}, {.probe = other, .answer = &b}};

		test_label("row %zu: %s %g, %s %g", i, row[i].probe, a.value, row[i].other, b.value);
		if (p && other) {
			probe_answers_compare(both, 2, false);
			CHECK(row[i].hidden ? a.hidden_by && str_eq(a.hidden_by, row[i].other) : !a.hidden_by);
			CHECK(probe_answer_at_least(&a) == (row[i].hidden || isinf(row[i].high)));
		}
		diags_free(&d);
		probe_free(p);
		probe_free(other);
	}
}

TEST_MAIN(CASE(no_interval_is_false), CASE(one_hides_another))
