#include "explorer/state/state_instructions.h"

#include "base/str.h"
#include "core/obs/obs.h"
#include "explorer/state/question.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_stalls.h"
#include "work/files/instruction_run.h"
#include "work/files/simulation_text.h"
#include "work/run/run.h"
#include "work/timeline/timeline.h"

/* The source of the observation with this name, if it is a simulation. */
static const char *
source_in(const struct obs_table *t, const char *name)
{
	for (size_t i = 0; t && i < t->n; i++)
		if (str_eq(t->obs[i]->name, name) && t->obs[i]->source && simulation_is(t->obs[i]->source))
			return t->obs[i]->source;
	return NULL;
}

const char *
state_simulation(const struct state *s)
{
	const struct timeline_bar *b = s->data.timeline ? state_bar(s) : NULL;
	const char *source = NULL;

	for (size_t i = 0; b && !source && i < s->data.n_tables; i++)
		source = source_in(s->data.table[i], b->name);
	for (size_t i = 0; b && !source && i < s->data.n_runs; i++)
		source = source_in(run_table(s->data.run[i]), b->name);
	return source ? source : state_is_simulated(s) ? s->question.subject.argv[0] : NULL;
}

void
state_instructions_open(struct state *s)
{
	const char *simulation = state_simulation(s);

	if (!simulation) {
		state_say(s, false, "recorded counts have no instructions; hecate sim:core:mcf-like simulates some");
		return;
	}
	state_open_popup(s, POPUP_INSTRUCTIONS);
	requests_add(&s->requests, REQUEST_INSTRUCTIONS, 0, simulation);
}

void
state_set_instructions(struct state *s, struct instruction_run *r)
{
	instruction_run_free(s->view.popup.instructions);
	s->view.popup.instructions = r;
}

const struct instruction_stacks *
state_instructions(const struct state *s)
{
	return s->view.popup.instructions ? instruction_run_stacks(s->view.popup.instructions) : NULL;
}
