/* Phases of a timeline's observations. */
#include "app/timeline/timeline_state.h"

#include <stdlib.h>

#include "app/timeline/stack_phases.h"
#include "base/mem.h"
#include "core/obs/obs.h"

void
timeline_forget_phases(struct timeline_table *t)
{
	for (size_t i = 0; t->phases && i < t->n_rows; i++)
		free(t->phases[i].first);
	free(t->phases);
	t->phases = NULL;
}

/* Finds the phases that are unknown, or were found when the observation had at most half of its rows. */
static void
find_phases(const struct timeline *p, struct timeline_table *t)
{
	if (!t->columns)
		return;
	if (!t->phases)
		t->phases = mem_new_array(t->n_rows, sizeof *t->phases);
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct obs *o = t->table->obs[i];
		struct timeline_phases *ph = &t->phases[i];

		if (!t->has_bar[i] || (ph->first && o->folded == ph->folded && o->n_rows < 2 * ph->rows))
			continue;
		free(ph->first);
		ph->first = stack_phases(t->columns, p->n_stacks, t->table, i, &ph->n);
		ph->rows = o->n_rows;
		ph->folded = o->folded;
	}
}

size_t
timeline_split(struct timeline *p, bool phases)
{
	size_t several = 0;

	for (size_t i = 0; i < p->n_tables; i++) {
		struct timeline_table *t = &p->table[i];

		if (!phases)
			timeline_forget_phases(t);
		else
			find_phases(p, t);
		for (size_t k = 0; t->phases && k < t->n_rows; k++)
			several += t->phases[k].n > 1;
	}
	return several;
}
