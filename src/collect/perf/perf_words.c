#include "collect/perf/names.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "event/words.h"

/* On x86 these two are never raised: it fixes up unaligned accesses in hardware, and emulates no instruction that is
 * counted. */
#if defined(__x86_64__) || defined(__i386__)
#define EVENT_NOT_X86 EVENT_NEVER
#else
#define EVENT_NOT_X86 EVENT_PLAIN
#endif

struct word {
	const char *name;
	uint32_t type;
	uint64_t config;
	enum event_nature nature;
	bool certain;
};

/* perf-list(1), perf_event_open(2). Measured on 6.18: context-switches with exclude_kernel opens and counts 0. */
static const struct word words[] = {
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, EVENT_PLAIN, true},
	{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, EVENT_PLAIN, false},
	{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, EVENT_PLAIN, false},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, EVENT_KERNEL, false},
	{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, EVENT_KERNEL, false},
	{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, EVENT_SIDE_BLIND, true},
	{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, EVENT_SIDE_BLIND, true},
	{"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS, EVENT_NOT_X86, false},
	{"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, EVENT_NOT_X86, false},
	{"dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, EVENT_NEVER, false},
	{"bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, EVENT_NEVER, false},
	{"cgroup-switches", PERF_TYPE_SOFTWARE, 11 /* PERF_COUNT_SW_CGROUP_SWITCHES, Linux 5.13 */, EVENT_KERNEL,
		false},
	{"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, EVENT_PLAIN, true},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, EVENT_PLAIN, true},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, EVENT_PLAIN, false},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, EVENT_PLAIN, false},
	{"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, EVENT_PLAIN, true},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, EVENT_PLAIN, false},
	{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, EVENT_PLAIN, false},
	{"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
		EVENT_PLAIN, false},
	{"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
		EVENT_PLAIN, false},
	{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, EVENT_PLAIN, true},
};

#define N_WORDS (sizeof words / sizeof *words)

static void
perf_words_take(const struct word *w, struct event_code *c)
{
	c->kind = w->type == PERF_TYPE_SOFTWARE ? EVENT_SOFTWARE : EVENT_HARDWARE;
	c->nature = w->nature;
	c->certain = w->certain;
	c->type = w->type;
	c->config = w->config;
	snprintf(c->name, sizeof c->name, "%s", w->name);
}

int
event_by_perf_word(const char *name, struct event_code *code)
{
	char first[EVENT_WORD_MAX];
	struct event_cache cache;

	if (event_word(name, strlen(name), first) == EVENT_WORD_NONE)
		return 0;
	for (size_t i = 0; i < N_WORDS; i++)
		if (str_eq(first, words[i].name)) {
			perf_words_take(&words[i], code);
			return 1;
		}
	if (!event_word_cache(name, strlen(name), &cache))
		return 0; /* perf's tool counts it, not the kernel; or sysfs knows it */
	code->kind = EVENT_HARDWARE;
	code->type = PERF_TYPE_HW_CACHE;
	code->config = cache.cache | cache.operation << 8 | cache.result << 16;
	snprintf(code->name, sizeof code->name, "%s", first);
	return 1;
}

bool
event_software_by_config(uint64_t config, struct event_code *c)
{
	for (size_t i = 0; i < N_WORDS; i++)
		if (words[i].type == PERF_TYPE_SOFTWARE && words[i].config == config) {
			perf_words_take(&words[i], c);
			return true;
		}
	return false;
}

const char *
event_software_name(unsigned i)
{
	return i < N_WORDS && words[i].type == PERF_TYPE_SOFTWARE ? words[i].name : NULL;
}
