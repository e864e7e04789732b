/* Isolation: every parameter of a core is changed, one after the other, and each probe runs again. Its answer moves by
 * less than its interval, or 1 %, unless the parameter is the one that it measures. The matrix of the others, which the
 * paper's section 4.2.2 asks for, is printed with HECATE_SLOW; quickly, only a few of its cells are measured. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/probe/probe.h"
#include "probe_bed.h"
#include "test.h"

#define OTHERS 3
/* Items of the base core, and other values of each. */
static const struct { const char *name, *base, *other[OTHERS]; } item[] = {
	{"fetch", "fetch 8", {"fetch 10", "fetch 7"}},
	{"fetch_branches", "fetch_branches 8", {"fetch_branches 4", "fetch_branches 3"}},
	{"fetch_buffer", "fetch_buffer 32", {"fetch_buffer 48", "fetch_buffer 24"}},
	{"front_end", "front_end 7 cycles", {"front_end 9 cycles", "front_end 5 cycles"}},
	{"width", "width 6", {"width 7", "width 5"}},
	{"issue", "issue 12", {"issue 16", "issue 8"}},
	{"commit", "commit 8", {"commit 10", "commit 7"}},
	{"rob", "rob 160", {"rob 192", "rob 144"}},
	{"load_queue", "load_queue 64", {"load_queue 72", "load_queue 56"}},
	{"store_queue", "store_queue 56", {"store_queue 64", "store_queue 50"}},
	{"branches", "branches 128", {"branches 160", "branches 96"}},
	{"scheduler", "scheduler 90", {"scheduler 110", "scheduler 80"}},
	{"int_registers", "int_registers 120", {"int_registers 128", "int_registers 100"}},
	{"fp_registers", "fp_registers 112", {"fp_registers 120", "fp_registers 100"}},
	{"latency alu", "latency alu 1 cycles", {"latency alu 2 cycles", NULL}},
	{"latency mul", "latency mul 3 cycles", {"latency mul 4 cycles", "latency mul 2 cycles"}},
	{"latency div", "latency div 20 cycles, blocking",
		{"latency div 24 cycles, blocking", "latency div 20 cycles"}},
	{"latency fdiv", "latency fdiv 20 cycles, blocking",
		{"latency fdiv 16 cycles, blocking", "latency fdiv 20 cycles"}},
	{"latency fadd", "latency fadd 4 cycles", {"latency fadd 5 cycles", "latency fadd 3 cycles"}},
	{"latency fmul", "latency fmul 4 cycles", {"latency fmul 5 cycles", "latency fmul 3 cycles"}},
	{"latency fma", "latency fma 4 cycles", {"latency fma 5 cycles", "latency fma 3 cycles"}},
	{"latency move", "latency move 1 cycles", {"latency move 2 cycles", NULL}},
	{"latency load", "latency load 1 cycles", {"latency load 2 cycles", NULL}},
	{"latency store", "latency store 1 cycles", {"latency store 2 cycles", NULL}},
	{"latency atomic", "latency atomic 6 cycles", {"latency atomic 8 cycles", "latency atomic 4 cycles"}},
	{"fp_dispatch", "fp_dispatch 4", {"fp_dispatch 5", "fp_dispatch 3"}},
	{"banks", "banks 8", {"banks 16", "banks 4"}},
	{"write_back", "write_back 2", {"write_back 3", "write_back 1"}},
	{"forward", "forward 3 cycles", {"forward 4 cycles", "forward 2 cycles"}},
	{"l1", "l1 32 KiB, 8 ways, 3 cycles", {"l1 64 KiB, 8 ways, 3 cycles", "l1 32 KiB, 8 ways, 4 cycles",
		"l1 32 KiB, 4 ways, 3 cycles"}},
	{"l2", "l2 512 KiB, 8 ways, 14 cycles", {"l2 1024 KiB, 8 ways, 14 cycles", "l2 512 KiB, 8 ways, 16 cycles",
		"l2 512 KiB, 4 ways, 14 cycles"}},
	{"l3", "l3 8 MiB, 16 ways, 40 cycles", {"l3 16 MiB, 16 ways, 40 cycles", "l3 8 MiB, 16 ways, 50 cycles",
		"l3 8 MiB, 8 ways, 40 cycles"}},
	{"memory", "memory 350 cycles", {"memory 400 cycles", "memory 320 cycles"}},
	{"fill_buffers", "fill_buffers 16", {"fill_buffers 20", "fill_buffers 12"}},
	{"dtlb", "dtlb 4k 64 entries, 4 ways", {"dtlb 4k 128 entries, 4 ways", "dtlb 4k 32 entries, 4 ways"}},
	{"walkers", "walkers 2", {"walkers 3", "walkers 1"}},
	{"walk_start", "walk_start 5 cycles", {"walk_start 8 cycles", "walk_start 0 cycles"}},
	{"replacement", "replacement lru", {"replacement fifo", "replacement random"}},
	{"predictor", "predictor hybrid 2048 entries, history 10",
		{"predictor hybrid 4096 entries, history 10", "predictor hybrid 2048 entries, history 8"}},
	{"ports load", "ports 3 load", {"ports 4 load", "ports 2 load"}},
	{"ports store", "ports 2 store, atomic", {"ports 3 store, atomic", "ports 1 store, atomic"}},
	{"ports alu", "ports 8 alu, branch, move, nop",
		{"ports 7 alu, branch, move, nop", "ports 6 alu, branch, move, nop"}},
	{"ports mul", "ports 2 mul, div", {"ports 3 mul, div", "ports 1 mul, div"}},
	{"ports fadd", "ports 2 fadd", {"ports 3 fadd", NULL}},
	{"ports fmul", "ports 2 fmul", {"ports 3 fmul", NULL}},
	{"ports fma", "ports 2 fma, fdiv", {"ports 3 fma, fdiv", NULL}},
	{"disambiguation", "disambiguation oracle", {"disambiguation wait", "disambiguation blind"}},
	{"rob_pack", "rob_pack 6", {"rob_pack 4", NULL}},
	{"l1i", "l1i 32 KiB, 4 ways, 1 cycles", {"l1i 64 KiB, 4 ways, 1 cycles", "l1i 32 KiB, 8 ways, 1 cycles"}},
	{"itlb", "itlb 64 entries, 4 ways", {"itlb 128 entries, 4 ways", "itlb 64 entries, 8 ways"}},
	{"returns", "returns 32 entries", {"returns 64 entries", "returns 16 entries"}},
};
#define N_ITEMS (sizeof item / sizeof *item)

/* Features that are switched on. */
static const enum sim_plant feature[] = {SIM_PLANT_ROB_COMPRESSION, SIM_PLANT_MOVE_ELIMINATION, SIM_PLANT_FMA_SPLIT,
	SIM_PLANT_STA_STD, SIM_PLANT_NUKE_REPLAY};
#define N_FEATURES (sizeof feature / sizeof *feature)

/* What each probe measures, and what else moves it, with the reason. */
struct row { const char *name, *own, *exceptions, *why; };

static const struct row probe[] = {
	{"l1_latency", "l1,latency load", "", ""},
	{"l2_latency", "l2,latency load", "", ""},
	{"memory_latency", "memory,latency load", "", ""},
	{"l1_size", "l1", "", ""},
	{"l2_size", "l2", "", ""},
	{"l3_size", "l3", "", ""},
	{"dtlb_reach", "dtlb", "", ""},
	{"decode_width", "width", "", ""},
	{"load_pipes", "ports load", "", ""},
	{"store_pipes", "ports store", "", ""},
	{"int_registers", "int_registers", "", ""},
	{"fp_registers", "fp_registers", "", ""},
	{"rob", "rob", "", ""},
	{"load_queue", "load_queue", "", ""},
	{"store_queue", "store_queue", "", ""},
	{"branches", "branches", "", ""},
	{"fill_buffers", "fill_buffers", "", ""},
	{"fma_split", "fma_split", "latency fma,latency fmul,latency fadd", "fused, it is the ratio of these"},
	{"fma_latency", "latency fma,fma_split", "", ""},
	{"move_elimination", "move_elimination", "latency alu,latency move", "executed, it is the ratio of these"},
	{"move_latency", "latency move,move_elimination", "", ""},
	{"atomic_latency", "latency atomic", "l1", "the chain waits for what an atomic loads"},
	{"mul_latency", "latency mul", "", ""},
	{"fmul_latency", "latency fmul", "", ""},
	{"fp_rate", "fp_dispatch", "", ""},
	{"fmul_rate", "ports fmul", "", ""},
	{"bank_conflict", "", "", ""}, /* that there are banks, not how many */
	{"banks", "banks", "", ""},
	{"rob_nops", "rob_compression", "rob", "its entries, times the instructions in each"},
	{"write_back", "write_back", "", ""},
	{"sta_std", "sta_std", "", ""},
	{"nuke_replay", "disambiguation", "", ""},
	{"store_forwarding", "forward,latency load", "", ""},
	{"history", "predictor", "", ""},
	{"predictor_size", "predictor", "", ""},
	{"div_latency", "latency div", "", ""},
	{"fdiv_latency", "latency fdiv", "", ""},
	{"add_rate", "width", "", ""},
	{"branch_rate", "width,fetch_branches", "", ""},
	{"move_rate", "width", "", ""},
	{"mul_rate", "ports mul", "", ""},
	{"div_rate", "latency div,ports mul", "", ""},
	{"fadd_rate", "ports fadd", "", ""},
	{"fma_rate", "ports fma", "", ""},
	{"fdiv_rate", "latency fdiv,ports fma", "", ""},
	{"l1_ways", "l1", "replacement", "a hit or miss by chance hides where a set is full"},
	{"l2_ways", "l2", "replacement", "a hit or miss by chance hides where a set is full"},
	{"l3_ways", "l3", "replacement", "a hit or miss by chance hides where a set is full"},
	{"scheduler", "scheduler", "", ""},
	{"walk_latency", "walk_start", "l1", "the walk reads an entry that the first cache has"},
	{"replacement", "replacement", "", ""},
	{"l1i_size", "l1i", "", ""},
	{"l1i_ways", "l1i", "", ""},
	{"itlb_entries", "itlb", "", ""},
	{"itlb_ways", "itlb", "", ""},
	{"returns", "returns", "", ""},
	{"misprediction", "front_end", "", ""},
	{"fetch_width", "fetch", "", ""},
	{"issue_width", "issue", "ports load,latency alu", "beyond 9 a cycle it is what ports of loads take"},
	{"commit_width", "commit", "", ""},
};
#define N_PROBES (sizeof probe / sizeof *probe)

/* Those that look for a feature, on the core with all features. */
static const struct row with_features[] = {
	{"fma_split", "fma_split", "", ""},
	{"fma_latency", "fma_split,latency fmul,latency fadd", "", ""}, /* those of its parts */
	{"move_elimination", "move_elimination", "", ""},
	{"move_latency", "move_elimination,width", "", ""}, /* a copy takes a slot of dispatch, and no more */
	{"rob_nops", "rob_compression,rob,rob_pack,width", "", ""},
	{"rob", "rob", "", ""},
	{"sta_std", "sta_std", "", ""},
	{"nuke_replay", "disambiguation", "forward,l1", "a load that is repeated is forwarded to, not read from L1"},
};
#define N_WITH (sizeof with_features / sizeof *with_features)

static bool
lists(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
			return true;
	return false;
}

/* The base core, with one item changed; N_ITEMS: none. */
static struct sim_machine *
core_with(size_t changed, unsigned k)
{
	struct str s = {0};
	struct sim_machine *m;

	for (size_t i = 0; i < N_ITEMS; i++)
		str_addf(&s, "%s%s", i ? "; " : "", i == changed ? item[i].other[k] : item[i].base);
	m = bed_core(str_text(&s));
	str_free(&s);
	return m;
}

static bool
moves(struct probe_answer a, struct probe_answer b)
{
	double by = fmax(fmax(a.high - a.low, b.high - b.low), 0.01 * fabs(a.value) + 1e-3);

	return a.found != b.found || (a.found && fabs(a.value - b.value) > by);
}

/* True if the answers are not the same: enough for what a probe measures itself, as a number of banks, which is only
 * known to a factor of 2. */
static bool
differ(struct probe_answer a, struct probe_answer b)
{
	return a.found != b.found || fabs(a.value - b.value) > 0.001 * fabs(a.value);
}

/* A probe, and what has moved its answer so far. */
struct study {
	const struct row *row;
	struct probe *probe;
	sim_plants plants;         /* beside the machine's */
	struct probe_answer base;
	uint64_t moved;            /* bits: items, then features */
	unsigned every, *count;    /* each so many-th cell of all rows is measured, and those of `own` */
	bool once;                 /* one other value of each item is enough, but for `own` */
};

static void
check_cell(struct study *s, size_t number, const char *name, const char *text, const struct sim_machine *m,
	sim_plants plants)
{
	const struct row *r = s->row;
	bool own = lists(r->own, name), exception = lists(r->exceptions, name), moved;
	struct probe_answer a;

	if ((*s->count)++ % s->every && !own)
		return;
	a = bed_answer_on(s->probe, m, m->has | plants);
	moved = moves(s->base, a);
	s->moved |= (uint64_t)differ(s->base, a) << number;
	if (moved && (s->every == 1 || (!own && !exception)))
		printf("# %-17s %-40s %12g %12g  %s\n", r->name, text, s->base.value, a.value,
			own ? "own" : exception ? r->why : "NOT ISOLATED");
	test_label("%s with %s: %g, was %g (%g to %g)", r->name, text, a.value, s->base.value, s->base.low,
		s->base.high);
	CHECK(own || exception || !moved);
}

/* Each parameter that the probe measures has moved its answer. */
static void
check_own(const struct study *s)
{
	for (size_t i = 0; i < N_ITEMS + N_FEATURES; i++) {
		const char *name = i < N_ITEMS ? item[i].name : sim_plant_name(feature[i - N_ITEMS]);

		test_label("%s: %g, and %s", s->row->name, s->base.value, name);
		CHECK(!lists(s->row->own, name) || s->moved >> i & 1);
	}
}

/* Changes one item or feature after the other. */
static void
study(struct study *s, const struct sim_machine *m)
{
	s->base = bed_answer_on(s->probe, m, m->has | s->plants);
	for (size_t i = 0; i < N_ITEMS; i++)
		for (unsigned k = 0; k < OTHERS && item[i].other[k]; k++) {
			struct sim_machine *other;

			if (s->once && item[i].other[1] && k != i % 2 && !lists(s->row->own, item[i].name))
				continue;
			other = core_with(i, k);
			if (other)
				check_cell(s, i, item[i].name, item[i].other[k], other, s->plants);
			sim_machine_free(other);
		}
	for (size_t i = 0; i < N_FEATURES; i++)
		check_cell(s, N_ITEMS + i, sim_plant_name(feature[i]), sim_plant_name(feature[i]), m,
			s->plants ^ (sim_plants)1 << feature[i]);
	check_own(s);
}

/* Quickly, each 37th cell of probes that take a few milliseconds, and what they measure. Slow ones are run with one
 * other value of each item. */
static void
study_rows(const struct row *row, size_t n, sim_plants plants)
{
	static const char slow[] = "l2_latency,l1_size,l2_size,l3_size,dtlb_reach,history,predictor_size";
	unsigned count = 0, every = test_rounds(37, 1);
	struct sim_machine *m = core_with(N_ITEMS, 0);

	for (size_t i = 0; i < n && m; i++) {
		struct study s = {.row = &row[i], .plants = plants, .every = every, .count = &count};

		s.once = lists(slow, row[i].name);
		s.probe = !s.once || every == 1 ? bed_probe(row[i].name) : NULL;
		if (s.probe)
			study(&s, m);
		probe_free(s.probe);
	}
	sim_machine_free(m);
}

static void
only_its_own_parameter_moves_a_probe(void)
{
	study_rows(probe, N_PROBES, 0);
}

static void
the_same_on_a_core_with_features(void)
{
	sim_plants all = 0;

	for (size_t i = 0; i < N_FEATURES; i++)
		all |= (sim_plants)1 << feature[i];
	study_rows(with_features, N_WITH, all);
}

/* A probe that is new in models/probes/ gets a row, unless a simulated core cannot run it. */
static void
every_probe_is_studied(void)
{
	glob_t found = {0};
	char *pattern = str_format("%s/../models/probes/*.probe", getenv("HECATE_TESTS"));

	CHECK_INT(glob(pattern, 0, NULL, &found), 0);
	CHECK(found.gl_pathc >= N_PROBES);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *file = strrchr(found.gl_pathv[i], '/') + 1;
		char *name = str_format("%.*s", (int)strcspn(file, "."), file);
		struct probe *p = bed_probe(name);
		bool studied = false;

		studied = str_starts(name, "ports_"); /* tests/unit/probe_sim.c draws groups of ports */
		for (size_t k = 0; k < N_PROBES; k++)
			studied |= str_eq(probe[k].name, name);
		test_label("%s", name);
		CHECK(p && studied == !p->needs_native);
		probe_free(p);
		free(name);
	}
	globfree(&found);
	free(pattern);
}

TEST_MAIN(CASE(only_its_own_parameter_moves_a_probe), CASE(the_same_on_a_core_with_features),
	CASE(every_probe_is_studied))
