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
state_sim_open(struct state *s)
{
	struct err e = {0};

	subject_forget_simulated(&s->question.subject);
	if (!state_is_simulated(s)) {
		state_say(s, false, "no simulated machine runs; r, then sim:haswell, starts one");
		return;
	}
	s->question.subject.simulated = mem_new(sizeof *s->question.subject.simulated);
	if (simulation_parse(s->question.subject.argv[0], s->question.subject.simulated, &e)) {
		state_open_popup(s, POPUP_SIMULATED);
		return;
	}
	state_say(s, true, "%s", e.what);
	subject_forget_simulated(&s->question.subject);
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
state_sim_row(const struct state *s, size_t row, struct state_sim_row *out)
{
	size_t plants = count_plants(s);

	*out = (struct state_sim_row){.plant = row < plants};
	if (out->plant) {
		out->number = plant_at(s, row);
		out->on = s->question.subject.simulated->plants >> out->number & 1;
		out->name = sim_plant_name((enum sim_plant)out->number);
		out->text = sim_plant_text((enum sim_plant)out->number);
		return;
	}
	out->number = row - plants;
	out->name = simulation_input_name(s->question.subject.simulated->machine, out->number);
	out->text = simulation_input_text(s->question.subject.simulated->machine, out->number);
	out->on = kind_runs(s, out->name);
}

void
state_sim_choose(struct state *s)
{
	struct simulation *m = s->question.subject.simulated;
	struct state_sim_row row;

	if (!m || s->view.popup.cursor < 0 || (size_t)s->view.popup.cursor >= state_sim_rows(s))
		return;
	state_sim_row(s, (size_t)s->view.popup.cursor, &row);
	if (row.plant) {
		m->plants ^= (sim_plants)1 << row.number;
	} else {
		free(m->workload);
		m->workload = mem_str(row.name);
	}
	free(s->question.subject.argv[0]);
	s->question.subject.argv[0] = simulation_short_text(m);
	state_request(s, REQUEST_RERUN);
}
