/* The files of a lesson: a student's answers, and the model that is written in it. */
#include <stdlib.h>

#include "base/err.h"
#include "explorer/control/control.h"
#include "explorer/control/control_parts.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/state.h"
#include "work/lesson/lesson_files.h"

void
control_keep_lesson(struct control *control)
{
	struct state *state = control->s;
	struct err e = {0};

	if (state->lesson && !lesson_answers_write(state->lesson->answers, &e))
		state_say(state, true, "%s; the lesson goes on, but it begins anew next time", e.what);
}

void
control_write_solution(struct control *control)
{
	struct state *state = control->s;
	const struct lesson_step *step = state->lesson ? state_lesson_step(state) : NULL;
	size_t k = step ? state_lesson_open_task(state, false) : 0;
	struct err e = {0};
	char *from, *to;

	if (!step || k == step->n_tasks || !step->task[k].solution) {
		state_say(state, false, "this lesson brings no model that is right");
		return;
	}
	from = lesson_beside(state->lesson->lesson->source, step->task[k].solution);
	to = lesson_model_path(state->lesson->lesson, step->task[k].file, true);
	if (!to || !lesson_copy_file(from, to, &e))
		state_say(state, true, "%s", to ? e.what : "there is no place for the model: HOME is not set");
	else
		state_say(state, false, "%s is now a model that is right", to);
	free(from);
	free(to);
}
