#include "explorer/state/state_sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "explorer/state/question.h"
#include "explorer/state/state.h"
#include "work/files/simulation.h"

bool
state_is_simulated(const struct state *s)
{
	return s->question.subject.argv && s->question.subject.argv[0] && simulation_is(s->question.subject.argv[0]);
}

void
state_sim_open(struct state *state)
{
	struct err e = {0};

	subject_forget_simulated(&state->question.subject);
	if (!state_is_simulated(state)) {
		state_say(state, false, "no simulated machine runs; r, then sim:haswell, starts one");
		return;
	}
	state->question.subject.simulated = mem_new(sizeof *state->question.subject.simulated);
	if (simulation_parse(state->question.subject.argv[0], state->question.subject.simulated, &e)) {
		state_open_popup(state, POPUP_SIMULATED);
		return;
	}
	state_say(state, true, "%s", e.what);
	subject_forget_simulated(&state->question.subject);
}

const char *
state_sim_name(const struct state *s)
{
	return s->question.subject.simulated ? s->question.subject.simulated->name : NULL;
}

static size_t
count_plants(const struct state *s)
{
	return (size_t)__builtin_popcount(s->question.subject.simulated->machine->may);
}

size_t
state_sim_rows(const struct state *s)
{
	return s->question.subject.simulated
		? count_plants(s) + simulation_inputs(s->question.subject.simulated->machine)
		: 0;
}

/* The n-th feature that the machine may have. */
static size_t
plant_at(const struct state *s, size_t n)
{
	size_t p = 0;

	for (sim_plants left = s->question.subject.simulated->machine->may; p < SIM_N_PLANTS; p++)
		if (left >> p & 1 && n-- == 0)
			break;
	return p;
}

static bool
kind_runs(const struct state *s, const char *kind)
{
	size_t n = strcspn(s->question.subject.simulated->workload, ":+");

	return strlen(kind) == n && strncmp(s->question.subject.simulated->workload, kind, n) == 0;
}

void
state_sim_row(const struct state *state, size_t row, struct state_sim_row *out)
{
	size_t plants = count_plants(state);

	*out = (struct state_sim_row){.plant = row < plants};
	if (out->plant) {
		out->number = plant_at(state, row);
		out->on = state->question.subject.simulated->plants >> out->number & 1;
		out->name = sim_plant_name((enum sim_plant)out->number);
		out->text = sim_plant_text((enum sim_plant)out->number);
		return;
	}
	out->number = row - plants;
	out->name = simulation_input_name(state->question.subject.simulated->machine, out->number);
	out->text = simulation_input_text(state->question.subject.simulated->machine, out->number);
	out->on = kind_runs(state, out->name);
}

void
state_sim_choose(struct state *state)
{
	struct simulation *simulation = state->question.subject.simulated;
	struct state_sim_row row;

	if (!simulation || state->view.popup.cursor < 0 || (size_t)state->view.popup.cursor >= state_sim_rows(state))
		return;
	state_sim_row(state, (size_t)state->view.popup.cursor, &row);
	if (row.plant) {
		simulation->plants ^= (sim_plants)1 << row.number;
	} else {
		free(simulation->workload);
		simulation->workload = mem_str(row.name);
	}
	free(state->question.subject.argv[0]);
	state->question.subject.argv[0] = simulation_short_text(simulation);
	state_request(state, REQUEST_RERUN);
}
