/* Saves what is open before it is left: for another file, or for good. */
#include "base/err.h"
#include "base/str.h"
#include "explorer/autosave/autosave.h"
#include "explorer/control/control.h"
#include "explorer/control/control_parts.h"
#include "explorer/state/state.h"
#include "explorer/state/state_leave.h"

#define END_SECONDS 3 /* a killed command that is still there after so long is not waited for */

static void
save_and_leave(struct control *control)
{
	struct state *state = control->s;
	const char *file = state->view.leaving.file;
	struct err e = {0};
	bool good;

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
