#include "sim_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "test.h"

const struct sim_machine bed_machine = {
	.name = (char[]){"bed"}, .text = (char[]){""}, .width = 1, .rob = 64, .load_queue = 32, .store_queue = 16,
	.branch_penalty = 10,
	.dtlb = {{4, 4}, {2, 2}, {1, 1}}, .stlb = {16, 4}, .stlb_holds = {true, true, false}, .stlb_latency = 7,
	.pde = {2, 2}, .pdpte = {1, 1}, .pml4e = {1, 1}, .walkers = 1, .mshrs = 4, .walk_start = 5, .line_up = {51, 52},
	.line_down = {8, 7},
	.l1 = {4096, 8, 4, 0}, .l2 = {64 << 10, 8, 12, 0}, .l3 = {1 << 20, 16, 40, 0},
	.memory_latency = 200, .data_mlp = 4,
	.ghz = 1, .counters = 4, .fixed = 2,
	.may = ((sim_plants)1 << SIM_N_PLANTS) - 1,
};

static const char *const name[SIM_N_COUNTS] = {
#define X(id, text) [SIM_##id] = #id,
	SIM_EVENTS(X)
#undef X
#define X(id, text) [SIM_TRUE_##id] = "TRUE_" #id,
	SIM_TRUTHS(X)
#undef X
};

const char *
bed_event(int event)
{
	return name[event];
}

void
bed_init(struct bed *b, enum sim_page page, sim_plants plants)
{
	*b = (struct bed){.machine = bed_machine,
		.memory = {.base = BED_BASE, .bytes = (uint64_t)1 << 40, .page = page, .touched = true},
		.plants = plants};
}

void
bed_begin(struct bed *b)
{
	sim_core_free(b->core);
	b->core = sim_core_new(&b->machine, b->plants, &b->memory);
	memset(b->seen, 0, sizeof b->seen);
}

void
bed_end(struct bed *b)
{
	sim_core_free(b->core);
	b->core = NULL;
}

static void
run(struct bed *b, enum sim_uop_kind kind, uint64_t at, int flags)
{
	struct sim_uop u = {.at = BED_BASE + at, .kind = (uint8_t)kind, .flags = (uint8_t)flags, .size = 8};

	sim_core_run(b->core, &u, 1);
}

void
bed_load(struct bed *b, uint64_t at, int flags)
{
	run(b, SIM_LOAD, at, flags);
}

void
bed_store(struct bed *b, uint64_t at, int flags)
{
	run(b, SIM_STORE, at, flags);
}

void
bed_loads(struct bed *b, uint64_t at, int64_t stride, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bed_load(b, at + i * (uint64_t)stride, 0);
}

void
bed_drain(struct bed *b)
{
	sim_core_drain(b->core);
}

void
bed_warm(struct bed *b, uint64_t at)
{
	bed_load(b, at, 0);
	bed_drain(b);
	memcpy(b->seen, sim_core_counts(b->core), sizeof b->seen);
}

static bool
only_where_named(int e)
{
	return e == (int)SIM_CYCLES || e == (int)SIM_INSTRUCTIONS || e == (int)SIM_LOAD_WALK_CYCLES ||
		e == (int)SIM_STORE_WALK_CYCLES || (e >= (int)SIM_DATA_L1_HIT && e <= (int)SIM_DATA_L3_MISS);
}

bool
bed_counts(struct bed *b, const char *text, const char *file, int line)
{
	const uint64_t *now = sim_core_counts(b->core);
	uint64_t want[SIM_N_COUNTS] = {0};
	bool named[SIM_N_COUNTS] = {0}, good = true;
	struct str differ = {0};

	for (const char *at = text; *at;) {
		char word[40];
		unsigned long long n;
		int used, e = 0;

		if (sscanf(at, " %39[A-Z0-9_] %llu%n", word, &n, &used) != 2)
			return test_check(false, file, line, "the expected counts cannot be read: %s", at);
		while (e < (int)SIM_N_COUNTS && strcmp(name[e], word) != 0)
			e++;
		if (e == (int)SIM_N_COUNTS)
			return test_check(false, file, line, "there is no event %s", word);
		want[e] = n;
		named[e] = true;
		at += used;
		at += strspn(at, ", ");
	}
	for (int e = 0; e < (int)SIM_N_COUNTS; e++) {
		uint64_t got = now[e] - b->seen[e];

		if ((named[e] || !only_where_named(e)) && got != want[e]) {
			str_addf(&differ, " %s %llu (expected %llu)", name[e], (unsigned long long)got,
				(unsigned long long)want[e]);
			good = false;
		}
	}
	memcpy(b->seen, now, sizeof b->seen);
	test_check(good, file, line, "counts:%s", str_text(&differ));
	str_free(&differ);
	return good;
}
