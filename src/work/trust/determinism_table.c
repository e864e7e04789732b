#include "work/trust/determinism_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/workload/workload.h"
#include "core/trust/runs.h"
#include "event/name.h"
#include "work/trust/determinism.h"

char *
determinism_machine(void)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char *line = NULL, *name = NULL;
	size_t cap = 0;
	while (f != NULL && name == NULL && getline(&line, &cap, f) > 0) {
		char *colon = strchr(line, ':');
		if (colon == NULL || !str_starts(line, "model name"))
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		name = mem_str(colon + 1 + strspn(colon + 1, " "));
	}
	free(line);
	if (f != NULL)
		fclose(f);
	return name != NULL ? name : mem_str(workload_frame.arch);
}

static bool
has_no_part(const struct determinism_set *set)
{
	for (size_t k = 0; k < workload_n_parts; k++)
		if (set->on[k])
			return false;
	return true;
}

static bool
has_all_parts(const struct determinism *d, const struct determinism_set *set)
{
	for (size_t k = 0; k < workload_n_parts; k++)
		if (set->on[k] != (d->loops[k] > 0))
			return false;
	return set->divisor == 1;
}

/* The first event whose name has one of two words, and which was counted in the runs of a set; n_events: none. */
static size_t
find_event(const struct determinism *d, const struct determinism_set *set, const char *word, const char *other)
{
	size_t k = 0;
	while (k < d->n_events && (!set->counted[k] || d->event[k].name == NULL ||
					  (strstr(d->event[k].name, word) == NULL &&
						  strstr(d->event[k].name, other) == NULL)))
		k++;
	return k;
}

static void
add_group(const struct determinism *determinism, const struct determinism_set *set, size_t event, const char *machine,
	const char *test, struct trust_runs *runs)
{
	struct trust_group *group = trust_runs_group(runs, machine, determinism->event[event].name, test);
	size_t irq = find_event(determinism, set, "interrupt", "exc_irq");
	size_t reference = find_event(determinism, set, "ref-cycles", "ref_tsc");
	group->kernel = event_name_counts_kernel(determinism->event[event].name, true);
	group->kernel_anyway = determinism->event[event].kernel;
	group->expected = determinism_expected(determinism, event, set);
	for (size_t r = 0; r < set->n; r++) {
		struct trust_run run = trust_run_of(set->count[r][event]);
		if (isnan(run.count)) {
			group->empty++;
			continue;
		}
		run.running = set->running[r][event];
		run.number = (int64_t)r + 1;
		if (irq < determinism->n_events && irq != event)
			run.beside[TRUST_BESIDE_INTERRUPTS] = set->count[r][irq];
		if (reference < determinism->n_events && reference != event)
			run.beside[TRUST_BESIDE_REFERENCE] = set->count[r][reference];
		run.beside[TRUST_BESIDE_STEAL] = set->steal[r];
		run.beside[TRUST_BESIDE_FAULTS] = set->faults[r];
		run.beside[TRUST_BESIDE_SWITCHES] = set->switches[r];
		run.beside[TRUST_BESIDE_TIMER] = set->timer[r];
		run.beside[TRUST_BESIDE_ALL_INTERRUPTS] = set->interrupts[r];
		run.beside[TRUST_BESIDE_SECONDS] = set->seconds[r];
		trust_group_add(group, &run);
	}
}

void
determinism_table(const struct determinism *determinism, const char *machine, struct trust_runs *runs)
{
	for (size_t k = 0; k < determinism->n_events; k++)
		for (size_t s = 0; s < determinism->n_sets; s++) {
			const struct determinism_set *set = &determinism->set[s];
			if (determinism->event[k].name == NULL || !set->counted[k] || set->n == 0)
				continue;
			if (has_all_parts(determinism, set))
				add_group(determinism, set, k, machine, "all parts", runs);
			else if (has_no_part(set))
				add_group(determinism, set, k, machine, "no part", runs);
		}
}
