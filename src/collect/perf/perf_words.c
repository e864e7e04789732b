#include "collect/perf/names.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

/* On x86 these two are never raised: it fixes up unaligned accesses in hardware, and emulates no instruction that is
 * counted. */
#if defined(__x86_64__) || defined(__i386__)
#define EVENT_NOT_X86 EVENT_NEVER
#else
#define EVENT_NOT_X86 EVENT_PLAIN
#endif

struct word {
	const char *name, *alias;
	uint32_t type;
	uint64_t config;
	enum event_nature nature;
	bool certain;
};

/* perf-list(1), perf_event_open(2). Measured on 6.18: context-switches with exclude_kernel opens and counts 0. */
static const struct word words[] = {
	{"page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, EVENT_PLAIN, true},
	{"minor-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, EVENT_PLAIN, false},
	{"major-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, EVENT_PLAIN, false},
	{"context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, EVENT_KERNEL, false},
	{"cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, EVENT_KERNEL, false},
	{"task-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, EVENT_SIDE_BLIND, true},
	{"cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, EVENT_SIDE_BLIND, true},
	{"alignment-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS, EVENT_NOT_X86, false},
	{"emulation-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, EVENT_NOT_X86, false},
	{"dummy", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, EVENT_NEVER, false},
	{"bpf-output", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, EVENT_NEVER, false},
	{"cgroup-switches", NULL, PERF_TYPE_SOFTWARE, 11 /* PERF_COUNT_SW_CGROUP_SWITCHES, Linux 5.13 */, EVENT_KERNEL,
		false},
	{"cpu-cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, EVENT_PLAIN, true},
	{"instructions", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, EVENT_PLAIN, true},
	{"cache-references", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, EVENT_PLAIN, false},
	{"cache-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, EVENT_PLAIN, false},
	{"branch-instructions", "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, EVENT_PLAIN, true},
	{"branch-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, EVENT_PLAIN, false},
	{"bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, EVENT_PLAIN, false},
	{"stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
		EVENT_PLAIN, false},
	{"stalled-cycles-backend", "idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
		EVENT_PLAIN, false},
	{"ref-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, EVENT_PLAIN, true},
};

#define N_WORDS (sizeof words / sizeof *words)

/* CACHE-OPERATION[-misses]: the number is its id in PERF_TYPE_HW_CACHE. */
static const char *const cache[] = {"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
static const struct { const char *name; unsigned op, result; } cache_op[] = {
	{"loads", 0, 0}, {"load-misses", 0, 1}, {"stores", 1, 0}, {"store-misses", 1, 1}, {"prefetches", 2, 0},
		{"prefetch-misses", 2, 1},
};

static bool
find_cache_event(const char *name, struct event_code *c)
{
	for (unsigned i = 0; i < sizeof cache / sizeof *cache; i++) {
		size_t n = strlen(cache[i]);

		if (strncasecmp(name, cache[i], n) != 0 || name[n] != '-')
			continue;
		for (unsigned j = 0; j < sizeof cache_op / sizeof *cache_op; j++) {
			if (strcasecmp(name + n + 1, cache_op[j].name) != 0)
				continue;
			c->kind = EVENT_HARDWARE;
			c->type = PERF_TYPE_HW_CACHE;
			c->config = i | cache_op[j].op << 8 | cache_op[j].result << 16;
			snprintf(c->name, sizeof c->name, "%s-%s", cache[i], cache_op[j].name);
			return true;
		}
	}
	return false;
}

static void
take(const struct word *w, struct event_code *c)
{
	c->kind = w->type == PERF_TYPE_SOFTWARE ? EVENT_SOFTWARE : EVENT_HARDWARE;
	c->nature = w->nature;
	c->certain = w->certain;
	c->type = w->type;
	c->config = w->config;
	snprintf(c->name, sizeof c->name, "%s", w->name);
}

int
event_by_perf_word(const char *name, struct event_code *c)
{
	for (size_t i = 0; i < N_WORDS; i++) {
		if (strcasecmp(name, words[i].name) != 0 && (!words[i].alias || strcasecmp(name, words[i].alias) != 0))
			continue;
		take(&words[i], c);
		return 1;
	}
	return find_cache_event(name, c) ? 1 : 0;
}

bool
event_software_by_config(uint64_t config, struct event_code *c)
{
	for (size_t i = 0; i < N_WORDS; i++)
		if (words[i].type == PERF_TYPE_SOFTWARE && words[i].config == config) {
			take(&words[i], c);
			return true;
		}
	return false;
}

const char *
event_software_name(unsigned i)
{
	return i < N_WORDS && words[i].type == PERF_TYPE_SOFTWARE ? words[i].name : NULL;
}
