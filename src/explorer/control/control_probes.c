#include "explorer/control/control_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_probes.h"
#include "work/catalogue.h"
#include "work/files/instruction_run.h"
#include "work/files/simulation.h"
#include "work/probe/probe_book.h"
#include "work/probe/probe_known.h"
#include "work/probe/probe_machine.h"
#include "work/probe/prober.h"
#include "work/run/probe_run.h"
#include "work/run/run.h"
#include "work/slices/sliced.h"

static const char this_machine[] = "native", simulated[] = "sim:core", beside_simulated[] = "sim:cbp2025";

/* --- machines ---------------------------------------------------------------------------------------------------- */

/* The machine that was asked for, or the simulated one that is the subject, as probe_machine_new() takes it; NULL:
 * none, or it has no pipeline. The caller frees it. */
static char *
subject_machine(const struct state *state)
{
	char *const *argv = state->question.subject.argv;
	struct simulation sim = {0};
	struct err e = {0};
	char *name = NULL;

	if (state->question.subject.probed)
		return mem_str(state->question.subject.probed);
	if (argv && argv[0] && simulation_is(argv[0]) && simulation_parse(argv[0], &sim, &e) && sim.machine->pipe.there)
		name = str_format("sim:%s", sim.name);
	simulation_free(&sim);
	return name;
}

/* False and *e: why not. */
static bool
runs_probes(const char *on, struct err *e)
{
	struct probe_machine *m = probe_machine_new(on, NULL, e);

	probe_machine_free(m);
	return m != NULL;
}

/* Says why probes cannot run on the machine that was asked for. */
static void
choose_machines(struct state *state, struct probe_book *book)
{
	struct err none, e = {0};
	char *subject = subject_machine(state);
	bool fits = subject && runs_probes(subject, &e);
	const char *machine = fits                 ? subject
		: book->machine                    ? book->machine
		: runs_probes(this_machine, &none) ? this_machine
						   : simulated;
	const char *other = str_eq(machine, simulated) ? beside_simulated : simulated;

	if (subject && !fits)
		state_say(state, true, "%s; this is %s", e.what, machine);
	probe_book_choose(book, machine, runs_probes(other, &none) ? other : NULL);
	probe_known_fill(book);
	free(subject);
}

void
control_list_probes(struct control *d, const char *choose)
{
	struct state *s = d->s;
	size_t at;

	if (state_probing(s))
		return;
	if (!s->data.probes)
		state_set_probes(s, probe_book_load());
	choose_machines(s, s->data.probes);
	at = choose ? probe_book_find(s->data.probes, choose) : s->data.probes->n;
	if (at < s->data.probes->n)
		state_choose(s, PANE_PROBES, (int)at);
}

/* --- runs -------------------------------------------------------------------------------------------------------- */

/* The jobs that are asked for; the caller frees the array. */
static struct prober_job *
jobs_of(const struct probe_book *b, const char *name, size_t where, size_t *n)
{
	const char *machine[] = {where & PROBE_HERE ? b->machine : NULL, where & PROBE_BESIDE ? b->other : NULL};
	struct prober_job *job = mem_new_array(2 * b->n, sizeof *job);

	*n = 0;
	for (size_t k = 0; k < sizeof machine / sizeof *machine; k++)
		for (size_t i = 0; i < b->n && machine[k]; i++) {
			const struct probe_measured *measured = probe_book_curve(b, machine[k], b->entry[i].name);
			bool wanted = *name ? str_eq(name, b->entry[i].name)
				: (!measured || !measured->whole) && probe_book_runs(b, machine[k], i);

			if (wanted && b->entry[i].probe)
				job[(*n)++] = (struct prober_job){.on = machine[k], .probe = b->entry[i].probe};
		}
	return job;
}

void
control_probe(struct control *control, const char *name, size_t where)
{
	struct state *state = control->s;
	struct prober_job *job;
	struct run *run;
	struct err e = {0};
	size_t n;

	if (!state->data.probes || state_probing(state))
		return;
	job = jobs_of(state->data.probes, name, where, &n);
	if (n == 0) {
		state_say(state, false, "every probe has its curve; Enter measures the chosen one again");
		free(job);
		return;
	}
	run = probe_run_new(state->data.probes, job, n);
	free(job);
	state_set_probing(state, run);
	runs_clear(control->probing);
	runs_add(control->probing, run, false);
	if (!runs_begin(control->probing, &e))
		state_say(state, true, "%s", e.what);
}

void
control_end_probes(struct control *d)
{
	runs_finish(d->probing);
}

/* How a run ended that did not end by itself. */
static void
say_end(struct state *state, struct run *run, const struct err *e)
{
	struct str remarks = {0};

	run->ops->explain(run, &remarks);
	if (*e->what)
		state_say(state, true, "%s", e->what);
	else if (remarks.n)
		state_say(state, true, "%.*s", (int)(strcspn(str_text(&remarks), "\n")), str_text(&remarks));
	else if (run_facts(run).ending == RUN_END_ASKED)
		state_say(state, false, "stopped; what was measured stands");
	str_free(&remarks);
}

static void
control_probes_hear(void *control, struct run *r, enum run_step step, const struct err *e)
{
	struct control *d = control;

	if (step == RUN_ENDED)
		say_end(d->s, r, e);
	d->heard = true;
}

bool
control_follow_probes(struct control *d)
{
	d->heard = false;
	runs_poll(d->probing, control_probes_hear, d);
	return d->heard;
}

/* --- slices ------------------------------------------------------------------------------------------------------ */

/* Slices of the rows that are recorded and counted here. False: they have no slots, or are too few. */
static bool
slice_tables(struct state *state)
{
	const struct obs_table **table = mem_new_array(state->data.n_tables + state->data.n_runs, sizeof *table);
	const char *of = state->data.name ? state->data.name : "this session";
	struct sliced *sliced;
	struct err e = {0};
	size_t n = 0;

	for (size_t i = 0; i < state->data.n_tables; i++)
		table[n++] = state->data.table[i];
	for (size_t i = 0; i < state->data.n_runs; i++)
		if (run_table(state->data.run[i]))
			table[n++] = run_table(state->data.run[i]);
	sliced = n ? sliced_of_tables(of, table, n, &e) : NULL;
	free(table);
	if (sliced)
		state_set_sliced(state, sliced);
	else if (*e.hint) /* they have slots, but are too few or too many */
		state_say(state, false, "%s; %s", e.what, e.hint);
	return sliced != NULL;
}

/* The machine whose programs are simulated: the subject with its workload, that of view 9, or the one beside it. NULL:
 * none is simulated. */
static const char *
sliced_machine(const struct state *state)
{
	char *const *argv = state->question.subject.argv;
	const struct probe_book *book = state->data.probes;
	char *subject = subject_machine(state);
	const char *on = !book ? NULL : book->machine && simulation_is(book->machine) ? book->machine
		: book->other && simulation_is(book->other) ? book->other : NULL;

	if (subject && argv && argv[0] && !state->question.subject.probed)
		on = argv[0];
	free(subject);
	return on;
}

void
control_slice(struct control *control)
{
	struct state *state = control->s;
	const char *on = sliced_machine(state);
	struct err e = {0};

	if (slice_tables(state) || state->data.slicing)
		return;
	if (on && state->data.sliced && str_eq(state->data.sliced->of, on))
		return;
	state_set_sliced(state, NULL);
	if (on)
		state_set_slicing(state, slicing_start(on, &e));
	else
		err_set(&e, "slots are known of simulated cores, and neither machine of this view is one");
	if (*e.what) {
		state_close_popup(state);
		state_say(state, true, "%s", e.what);
	}
}

bool
control_follow_slices(struct control *control)
{
	struct state *state = control->s;
	struct sliced *got = NULL;
	struct err e = {0};
	enum slicing_step step;

	if (!state->data.slicing)
		return false;
	if (state->view.popup.kind != POPUP_SLICES) {
		state_set_slicing(state, NULL);
		state_say(state, false, "stopped; no slices are kept");
		return true;
	}
	step = slicing_poll(state->data.slicing, &got, &e);
	if (step == SLICING_ENDED) {
		state_set_slicing(state, NULL);
		state_set_sliced(state, got);
		if (!got) {
			state_close_popup(state);
			state_say(state, true, "%s", e.what);
		}
	}
	return step != SLICING_GOES_ON;
}

/* --- instructions ------------------------------------------------------------------------------------------------ */

void
control_simulate_instructions(struct control *control, const char *simulation)
{
	struct state *state = control->s;
	struct instruction_run *run = state->view.popup.instructions;
	struct err e = {0};

	if (run && str_eq(instruction_run_of(run), simulation))
		return;
	run = instruction_run_start(simulation, &e);
	state_set_instructions(state, run);
	if (!run) {
		state_close_popup(state);
		state_say(state, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	}
}

bool
control_follow_instructions(struct control *control)
{
	struct state *state = control->s;
	struct instruction_run *run = state->view.popup.instructions;
	struct err e = {0};
	enum instruction_step step;

	if (!run || instruction_run_fd(run) < 0)
		return false;
	if (state->view.popup.kind != POPUP_INSTRUCTIONS) {
		state_set_instructions(state, NULL);
		state_say(state, false, "stopped; no instructions are kept");
		return true;
	}
	step = instruction_run_poll(run, &e);
	if (step == INSTRUCTION_FAILED) {
		state_set_instructions(state, NULL);
		state_close_popup(state);
		state_say(state, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	}
	return step != INSTRUCTION_GOES_ON;
}

/* --- events ------------------------------------------------------------------------------------------------------ */

void
control_load_catalogue(struct control *control)
{
	struct state *state = control->s;
	struct err e = {0};

	if (state->view.events.catalogue)
		return;
	state_set_catalogue(state, catalogue_start(&e));
	if (!state->view.events.catalogue)
		state_say(state, true, "%s", e.what);
}

bool
control_follow_catalogue(struct control *control)
{
	struct catalogue *catalogue = control->s->view.events.catalogue;

	if (!catalogue || !catalogue_poll(catalogue))
		return false;
	state_catalogue_came(control->s);
	return true;
}
