/* Isolation: every parameter of a core is changed, one after the other, and each probe runs again. Its answer moves by
 * less than its interval, or 1 %, unless the parameter is the one that it measures. The matrix of the others, which the
 * paper's section 4.2.2 asks for, is printed with HECATE_SLOW; quickly, only a few of its cells are measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/probe/probe.h"
#include "probe_bed.h"
#include "test.h"

/* Items of the base core, and two other values of each. */
static const struct { const char *name, *base, *other[2]; } item[] = {
	{"fetch", "fetch 8", {"fetch 10", "fetch 7"}},
	{"fetch_branches", "fetch_branches 8", {"fetch_branches 4", "fetch_branches 3"}},
	{"fetch_buffer", "fetch_buffer 32", {"fetch_buffer 48", "fetch_buffer 24"}},
	{"front_end", "front_end 7 cycles", {"front_end 9 cycles", "front_end 5 cycles"}},
	{"width", "width 6", {"width 7", "width 5"}},
	{"issue", "issue 12", {"issue 16", "issue 10"}},
	{"commit", "commit 8", {"commit 10", "commit 7"}},
	{"rob", "rob 160", {"rob 192", "rob 144"}},
	{"load_queue", "load_queue 64", {"load_queue 72", "load_queue 56"}},
	{"store_queue", "store_queue 56", {"store_queue 64", "store_queue 50"}},
	{"branches", "branches 96", {"branches 128", "branches 80"}},
	{"scheduler", "scheduler 400", {"scheduler 500", "scheduler 320"}},
	{"int_registers", "int_registers 120", {"int_registers 128", "int_registers 100"}},
	{"fp_registers", "fp_registers 112", {"fp_registers 120", "fp_registers 100"}},
	{"latency alu", "latency alu 1 cycles", {"latency alu 2 cycles", NULL}},
	{"latency mul", "latency mul 3 cycles", {"latency mul 4 cycles", "latency mul 2 cycles"}},
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
	{"l1", "l1 32 KiB, 8 ways, 3 cycles", {"l1 64 KiB, 8 ways, 3 cycles", "l1 32 KiB, 8 ways, 4 cycles"}},
	{"l2", "l2 512 KiB, 8 ways, 14 cycles", {"l2 1024 KiB, 8 ways, 14 cycles", "l2 512 KiB, 8 ways, 16 cycles"}},
	{"l3", "l3 8 MiB, 16 ways, 40 cycles", {"l3 16 MiB, 16 ways, 40 cycles", "l3 8 MiB, 16 ways, 50 cycles"}},
	{"memory", "memory 350 cycles", {"memory 400 cycles", "memory 320 cycles"}},
	{"fill_buffers", "fill_buffers 16", {"fill_buffers 20", "fill_buffers 12"}},
	{"dtlb", "dtlb 4k 64 entries, 4 ways", {"dtlb 4k 128 entries, 4 ways", "dtlb 4k 32 entries, 4 ways"}},
	{"walkers", "walkers 2", {"walkers 3", "walkers 1"}},
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
};
#define N_ITEMS (sizeof item / sizeof *item)

/* Features that are switched on. */
static const enum sim_plant feature[] = {SIM_PLANT_ROB_COMPRESSION, SIM_PLANT_MOVE_ELIMINATION, SIM_PLANT_FMA_SPLIT,
	SIM_PLANT_STA_STD, SIM_PLANT_NUKE_REPLAY};
#define N_FEATURES (sizeof feature / sizeof *feature)

/* What each probe measures, and what else moves it, with the reason. */
static const struct { const char *name, *own, *exceptions, *why; } probe[] = {
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
	{"fill_buffers", "fill_buffers", "", ""},
	{"fma_split", "fma_split", "latency fma,latency fmul,latency fadd", "the pair compares these latencies"},
	{"fma_latency", "latency fma,fma_split", "", ""},
	{"move_elimination", "move_elimination", "latency alu,latency move", "the pair compares these latencies"},
	{"move_latency", "latency move,move_elimination", "", ""},
	{"atomic_latency", "latency atomic", "l1", "an atomic loads, too"},
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
};
#define N_PROBES (sizeof probe / sizeof *probe)

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
	return a.found != b.found || fabs(a.value - b.value) > 0.01 * fabs(a.value);
}

static void
check_cell(size_t p, const char *name, const char *text, struct probe_answer base, struct probe_answer a)
{
	bool own = lists(probe[p].own, name), exception = lists(probe[p].exceptions, name);

	if (moves(base, a) && (test_rounds(0, 1) || (!own && !exception)))
		printf("# %-17s %-40s %12g %12g  %s\n", probe[p].name, text, base.value, a.value,
			own ? "own" : exception ? probe[p].why : "NOT ISOLATED");
	test_label("%s with %s: %g, was %g (%g to %g)", probe[p].name, text, a.value, base.value, base.low, base.high);
	CHECK(own || exception || !moves(base, a));
}

static void
run_row(size_t n, const struct probe *p, struct probe_answer base, unsigned *count, unsigned every)
{
	for (size_t i = 0; i < N_ITEMS; i++)
		for (unsigned k = 0; k < 2 && item[i].other[k]; k++) {
			struct sim_machine *m = (*count)++ % every == 0 ? core_with(i, k) : NULL;

			if (m)
				check_cell(n, item[i].name, item[i].other[k], base, bed_answer_on(p, m, m->has));
			sim_machine_free(m);
		}
	for (size_t i = 0; i < N_FEATURES; i++) {
		struct sim_machine *m = (*count)++ % every == 0 ? core_with(N_ITEMS, 0) : NULL;

		if (m)
			check_cell(n, sim_plant_name(feature[i]), sim_plant_name(feature[i]), base,
				bed_answer_on(p, m, m->has | (sim_plants)1 << feature[i]));
		sim_machine_free(m);
	}
}

static bool
is_due(size_t n)
{
	static const char slow[] = "l2_latency,l1_size,l2_size,l3_size,dtlb_reach,history,predictor_size";

	return !lists(slow, probe[n].name) || test_rounds(0, 1);
}

/* Quickly, each 37th cell of probes that take a few milliseconds. */
static void
only_its_own_parameter_moves_a_probe(void)
{
	unsigned count = 0, every = test_rounds(37, 1);
	struct sim_machine *m = core_with(N_ITEMS, 0);

	for (size_t n = 0; n < N_PROBES && m; n++) {
		struct probe *p = is_due(n) ? bed_probe(probe[n].name) : NULL;

		if (p)
			run_row(n, p, bed_answer_on(p, m, m->has), &count, every);
		probe_free(p);
	}
	sim_machine_free(m);
}

/* Each probe answers to what it measures. */
static void
its_own_parameter_moves_a_probe(void)
{
	struct sim_machine *m = core_with(N_ITEMS, 0);

	for (size_t n = 0; n < N_PROBES && m; n++) {
		struct probe *p = is_due(n) && *probe[n].own ? bed_probe(probe[n].name) : NULL;
		struct probe_answer base = {0};
		bool moved = false;

		if (p)
			base = bed_answer_on(p, m, m->has);
		for (size_t i = 0; i < N_ITEMS && p && !moved; i++)
			for (unsigned k = 0; k < 2 && item[i].other[k] && lists(probe[n].own, item[i].name); k++) {
				struct sim_machine *other = core_with(i, k);

				moved |= other && differ(base, bed_answer_on(p, other, other->has));
				sim_machine_free(other);
			}
		for (size_t i = 0; i < N_FEATURES && p && !moved; i++)
			if (lists(probe[n].own, sim_plant_name(feature[i])))
				moved |= differ(base, bed_answer_on(p, m, m->has | (sim_plants)1 << feature[i]));
		test_label("%s: %g", probe[n].name, base.value);
		CHECK(moved || !p);
		probe_free(p);
	}
	sim_machine_free(m);
}

TEST_MAIN(CASE(only_its_own_parameter_moves_a_probe), CASE(its_own_parameter_moves_a_probe))
