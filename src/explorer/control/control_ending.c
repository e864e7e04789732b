/* The ends of runs, and of what is open. */
#include "explorer/control/control_parts.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/number.h"
#include "base/str.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control.h"
#include "explorer/state/state.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_timeline_due.h"
#include "work/run/spec_run.h"

#define END_SECONDS 3 /* a killed command that is still there after so long is not waited for */

static void
say_end_of_subject(struct state *state, const struct run *run, const struct err *e)
{
	const struct run_facts f = run_facts(run);
	const struct source_end *end = &f.end;
	const char *name = state_subject(state);
	char number[NUMBER_TEXT];

	if (*e->what)
		state_say(state, true, "%s", e->what);
	else if (end->left_behind)
		state_say(
			state, true, "%zu processes of %s still run: its totals are not exact", end->left_behind, name);
	else if (end->vanished)
		state_say(state, false, "%s ended after %s s", name, number_digits(number, end->seconds, 3, false));
	else if (f.ending == RUN_END_FULL)
		state_say(state, true, "the observation is full after %zu samples; a longer interval (-I) lasts longer",
			f.rows);
	else if (f.ending == RUN_END_ASKED && end->signalled && end->code == SIGKILL)
		state_say(state, false,
			"%s did not end when asked, and was killed after %s s; its counts until then are kept", name,
			number_digits(number, end->seconds, 3, false));
	else if (f.ending != RUN_END_ITSELF)
		state_say(state, false,
			state->question.subject.argv ? "%s was stopped after %s s; its counts until then are kept"
				: "%s: the watching ended after %s s",
			name, number_digits(number, end->seconds, 3, false));
	else if (state->data.timeline && state_tasks_table(state))
		state_say(state, false, "%s", ""); /* the status line has the run's answer */
	else if (end->signalled)
		state_say(state, true, "%s was ended by signal %d (%s)", name, end->code, strsignal(end->code));
	else if (end->code)
		state_say(state, true, "%s ended with status %d; O shows what it printed", name, end->code);
	else if (state->question.model && state->question.subject.argv && !state_is_simulated(state))
		state_say(state, false, "%s ended, status 0, %s", name, number_seconds(number, end->seconds, false));
}

/* Reports the first program that failed by itself. Programs that the profile ended are not reported. */
static bool
say_failure(struct state *state, const struct spec_run *run)
{
	struct str name = {0};
	bool some = false;

	for (size_t i = 0; i < programs_n(spec_run_programs(run)) && !some; i++) {
		const struct program *program = programs_at(spec_run_programs(run), i);
		int status = program->end.status;

		if (program->state != PROGRAM_ENDED || !program->end.known ||
			!(WIFSIGNALED(status) ? !program->of->background : WEXITSTATUS(status)))
			continue;
		some = true;
		programs_name(spec_run_programs(run), i, &name);
		if (WIFSIGNALED(status))
			state_say(state, true, "%s was ended by signal %d (%s)", str_text(&name), WTERMSIG(status),
				strsignal(WTERMSIG(status)));
		else
			state_say(state, true, "%s ended with status %d; O shows what it printed", str_text(&name),
				WEXITSTATUS(status));
	}
	str_free(&name);
	return some;
}

static void
say_end_of_spec(struct state *state, struct spec_run *run, const struct err *e)
{
	const char *name = state->question.subject.spec->name;
	struct spec_run_state t;
	char number[NUMBER_TEXT], other[NUMBER_TEXT];

	spec_run_state(run, &t);
	if (*e->what)
		state_say(state, true, "%s", e->what);
	else if (t.ending == RUN_END_ASKED)
		state_say(state, false, "%s was stopped after %s s; its counts until then are kept",
			name, number_digits(number, t.seconds, 3, false));
	else if (t.ending == RUN_END_ITSELF && say_failure(state, run))
		;
	else if (!t.processor_kept || !t.memory_kept)
		state_say(state, true, "%s took %s s; its limit of %s was not kept: O shows more",
			name, number_digits(number, t.seconds, 3, false),
			t.processor_kept ? "memory" : "processor");
	else if (t.looks)
		state_say(state, false, "%s took %s s: %zu samples, every %s s on average", name,
			number_digits(number, t.seconds, 3, false), t.looks,
			number_digits(other, t.interval, 3, false));
	else
		state_say(state, false, "%s took %s s", name,
			number_digits(number, t.seconds, 3, false));
}

void
control_ending_say(struct state *state, struct run *run, const struct err *e)
{
	struct spec_run *spec = run_as_spec(run);

	str_clear(&state->data.run_notes);
	if (spec) {
		say_end_of_spec(state, spec, e);
		spec_run_report_programs(spec, &state->data.run_notes);
		spec_run_report_limits(spec, &state->data.run_notes);
	} else {
		say_end_of_subject(state, run, e);
	}
	run->ops->explain(run, &state->data.run_notes);
}

/* --- leaving ------------------------------------------------------------------------------------------------------ */

static void
save_and_leave(struct control *control)
{
	struct state *state = control->s;
	const char *file = state->view.leaving.file;
	struct err e = {0};
	bool good;

	if (state->view.leaving.to == LEAVE_HECATE && state_unsaved_runs(state)) {
		control_end_contest(control);
		if (!control_keep_runs(control, file, &e)) {
			state_leave_failed(state, e.what);
			return;
		}
	}
	if (file && state_leave_asks(state))
		good = autosave_make(control->file, state, file, &e);
	else
		good = autosave_now(control->file, state, &e);
	if (good)
		state_leave_goes(state);
	else
		state_leave_failed(state, e.what);
}

void
control_save_and_leave(struct control *control, enum leave_answer answer)
{
	if (state_running(control->s) && control->s->view.leaving.since > 0)
		control_end_command(control);
	else
		save_and_leave(control);
	control->runs_on = answer == LEAVE_LETS_RUN && requests_find(&control->s->requests, REQUEST_QUIT);
}

bool
control_follow_leaving(struct control *control)
{
	struct state *state = control->s;
	const struct leaving *leaving = &state->view.leaving;

	state_leave_follow(state);
	if (leaving->since <= 0 ||
		(state_running(state) && state->view.frame.now - leaving->since < END_SECONDS))
		return false;
	save_and_leave(control);
	return true;
}
