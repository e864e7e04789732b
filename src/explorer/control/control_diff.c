/* Two ways A and B: the process that measures them, and the file that keeps their runs. */
#include "explorer/control/control_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "explorer/control/control.h"
#include "explorer/state/state.h"
#include "explorer/state/state_diff.h"
#include "work/diff/contest.h"
#include "work/run/output.h"

void
control_contest(struct control *control)
{
	struct contest *contest = control->s->data.contest;
	struct err e = {0};

	if (!contest || !contest->task)
		return;
	if (contest->measuring)
		contest_pause(contest, contest_waits(contest) == CONTEST_RUNS);
	else if (contest->of.measured.table.n_runs)
		state_say(control->s, false, "the comparison has ended; hecate diff -i begins a new one");
	else if (!contest_start(contest, &e))
		state_say(control->s, true, "%s", e.what);
}

void
control_end_contest(struct control *control)
{
	if (!control->s->data.contest)
		return;
	contest_stop(control->s->data.contest);
	state_contest_came(control->s);
	state_say(control->s, false, "stopped; what was measured stands, w keeps it in a file");
}

bool
control_follow_contest(struct control *control)
{
	struct contest *contest = control->s->data.contest;

	if (!contest || !contest_poll(contest))
		return false;
	if (contest->failure)
		state_say(control->s, true, "%s", contest->failure);
	state_contest_came(control->s);
	return true;
}

void
control_pair(struct control *control)
{
	struct state *state = control->s;
	const struct result *result = state->answers.result;
	const struct obs_table *table[2];
	const struct obs *obs[2];
	struct contest *contest;
	struct err e = {0};
	size_t n = 0;

	for (size_t i = 0; result && i < result->n_findings && n < 2; i++)
		if (state->view.marks.on[i] && (obs[n] = state_samples(state, &result->finding[i], &table[n])))
			n++;
	if (n < 2) {
		state_say(state, false, "the samples of the marked observations are gone");
		return;
	}
	if (state_measures(state) || state_unsaved_runs(state)) {
		state_say(state, false, "runs of A and B are in no file; p, then w keeps them");
		return;
	}
	contest = contest_of_observations(table, obs,
		&(struct diff_rule){.confidence = state->question.how.confidence, .threshold = 0.01}, &e);
	if (!contest) {
		state_say(state, false, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
		return;
	}
	state_show_pair(state, contest);
}

/* The runs go into a file of their own, next to the session's: "hecate-1.json" for "hecate-1.hct". */
bool
control_keep_runs(struct control *control, const char *file, struct err *e)
{
	struct contest *contest = control->s->data.contest;
	size_t n = str_ends(file, ".hct") ? strlen(file) - strlen(".hct") : strlen(file);
	char *path = str_ends(file, ".json") ? mem_str(file) : str_format("%.*s.json", (int)n, file);
	struct str text = {0};
	bool good;

	contest->write(contest, &text);
	good = output_save(path, &text, e);
	str_free(&text);
	if (good) {
		contest->unsaved = false;
		state_say(control->s, false, "written: %s; hecate diff -i %s opens it", path, path);
	}
	free(path);
	return good;
}

void
control_keep_contest(struct control *control, const char *path)
{
	struct err e = {0};

	if (!state_unsaved_runs(control->s))
		state_say(control->s, false, "every run of A and B is in a file");
	else if (!control_keep_runs(control, path, &e))
		state_say(control->s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
}
