/* hecate's own determinism run, on the machine's PMU: the workload with known counts, and the search for what an event
 * counts too often. */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "collect/workload/expected.h"
#include "collect/workload/workload.h"
#include "test.h"
#include "work/trust/determinism.h"

/* What an event counts in a set, by inspection. */
static double
expected_of(const struct determinism *d, const struct determinism_set *set, int kind)
{
	uint32_t *loops = calloc(workload_n_parts, sizeof *loops);
	double n;

	for (size_t k = 0; k < workload_n_parts; k++)
		loops[k] = set->on[k] ? d->loops[k] / set->divisor : 0;
	n = (double)workload_expect(loops).n[kind];
	free(loops);
	return n;
}

/* The sets of all parts and of single parts, as rows of a table of repeated runs. */
static void
print_set(const struct determinism *d, const struct determinism_set *set, size_t event)
{
	size_t parts = 0, part = 0;
	const char *test;

	for (size_t k = 0; k < workload_n_parts; k++)
		if (set->on[k]) {
			parts++;
			part = k;
		}
	if (set->divisor != 1 || (parts > 1 && parts < workload_n_parts))
		return;
	test = parts == 0 ? "no part" : parts == 1 ? workload_parts[part].name : "all parts";
	if (d->event[event].kind >= 0)
		printf("expected: %s,%s,%.0f\n", d->event[event].name, test,
			expected_of(d, set, d->event[event].kind));
	for (size_t r = 0; r < set->n; r++)
		printf("runs: %s,%s,%s,,%zu,%s,%.0f,page-faults,%.0f,%.0f,%.0f,%.0f,%.9f\n", machine_name,
			d->event[event].name, test, r, d->event[event].name, set->count[r][event], set->faults[r],
			set->switches[r], set->timer[r], set->interrupts[r], set->seconds[r]);
}

static void
print_event(const struct determinism *d, size_t k, size_t runs)
{
	const struct determinism_event *e = &d->event[k];

	printf("# %s: %zu sets of parts, %zu runs each; all parts: expected %.0f, counted %.0f, spread %.0f\n", e->name,
		d->n_sets, runs, e->expected, e->mean, e->spread);
	for (size_t i = 0; i < e->parts.n_found; i++) {
		const struct attribute_found *f = &e->parts.found[i];
		double per;
		const char *occasion = determinism_occasion(f->part, &per);

		printf("#   %s: %.1f (%.1f to %.1f) for each %s\n", workload_parts[f->part].name, f->slope / per,
			f->low / per, f->high / per, occasion);
	}
	for (size_t i = 0; i < d->n_sets; i++)
		if (d->set[i].counted[k])
			print_set(d, &d->set[i], k);
}

struct determinism *
determinism_here(const char *const *event, size_t n, size_t runs)
{
	const struct determinism_spec spec = {.event = event, .n_events = n, .runs = runs, .scale = 0.01};
	struct err e = {0};
	struct determinism *d;

	setenv("HECATE_WORKLOAD", "/hecate-workload", 1);
	d = determinism_run(&spec, &e);
	if (!test_check(d && !d->cut, __FILE__, __LINE__, "%s", d && d->n_remarks ? d->remark[0] : e.what)) {
		determinism_free(d);
		return NULL;
	}
	for (size_t k = 0; k < n; k++)
		if (CHECK_INT(d->event[k].status.health, OBS_LIVE))
			print_event(d, k, runs);
	for (size_t k = 0; k < d->n_remarks; k++)
		printf("# %s\n", d->remark[k]);
	return d;
}
