#include "core/verdict/match.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/udd/model.h"

struct match *
match_new(const struct udd_model *model, const struct obs_table *t)
{
	struct wanted_counter *wanted = mem_new_array(model->n_counters, sizeof *wanted);
	const char **event;
	size_t n = 0;
	struct match *m;

	for (size_t i = 0; i < model->n_counters; i++)
		n += model->counter[i].n_events ? model->counter[i].n_events : 1;
	event = mem_new_array(n, sizeof *event);
	n = 0;
	for (size_t i = 0; i < model->n_counters; i++) {
		const struct udd_counter *c = &model->counter[i];

		wanted[i] = (struct wanted_counter){c->name, event + n, c->n_events ? c->n_events : 1};
		if (!c->n_events)
			event[n++] = c->name;
		for (size_t k = 0; k < c->n_events; k++)
			event[n++] = c->event[k].filter ? NULL : c->event[k].name;
	}
	m = match_columns(wanted, model->n_counters, t);
	free(wanted);
	free(event);
	return m;
}
