/* The files of a lesson: a student's answers, and the model that is written in it. Once that is open, it follows its
 * file as every model does (control_model.h). A file that has errors from the start is looked at until it has none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/control/control.h"
#include "explorer/control/control_parts.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/state.h"
#include "explorer/state/state_views.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/keep.h"
#include "work/lesson/lesson_files.h"

#define LOOK_SECONDS 0.5 /* how often a file with errors is looked at */

/* The file that the student writes. */
struct lesson_watch {
	char *path;
	bool open; /* it is the open model */
	double looked_at;
};

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
	const struct lesson_task *task = state_lesson_model_task(state);
	struct err e = {0};
	char *from, *to;

	if (!task || !task->solution) {
		state_say(state, false, "this lesson brings no model that is right");
		return;
	}
	from = lesson_beside(state->lesson->lesson->source, task->solution);
	to = lesson_model_path(state->lesson->lesson, task->file, true);
	if (!to || !keep_copy(from, to, &e))
		state_say(state, true, "%s", to ? e.what : "there is no place for the model: HOME is not set");
	free(from);
	free(to);
}

/* --- the student's model ------------------------------------------------------------------------------------------ */

/* Reads the data of the task. False with *e if one file does not load. */
static bool
read_tests(const struct state *state, const struct lesson_task *task, struct obs_table **table, struct err *e)
{
	for (size_t i = 0; i < task->n_tests; i++) {
		char *path = lesson_beside(state->lesson->lesson->source, task->test[i].data);

		table[i] = data_read(path, state->question.how.exact, e);
		free(path);
		if (!table[i])
			return false;
	}
	return true;
}

/* Puts the model and the task's data into the state, in place of what was open. */
static void
take_written(struct control *control, const struct lesson_task *task, struct bundle *bundle, struct udd_model *model,
	const struct fset *on)
{
	struct state *state = control->s;
	struct analysis_options how = analysis_options_default();
	struct obs_table **table = mem_new_array(task->n_tests, sizeof *table);
	enum view view = state->view.current;
	struct err e = {0};

	how.exact = state->question.how.exact;
	if (!read_tests(state, task, table, &e)) {
		state_say(state, true, "%s", e.what);
		for (size_t i = 0; i < task->n_tests; i++)
			obs_table_free(table[i]);
		free(table);
		udd_free(model);
		return;
	}
	control_leave(control);
	state_set_model(state, bundle, model, &how, on);
	*bundle = (struct bundle){0};
	state_set_recorded(state, table, task->n_tests, mem_str("the lesson's data"));
	if (view != VIEW_START && view != state->view.current)
		state_show_view(state, view);
}

/* Opens the student's model. False: it has errors, which the lesson says. */
static bool
open_written(struct control *control, const struct lesson_task *task, const char *path)
{
	struct bundle bundle = {0};
	struct udd_loader loader = bundle_disk_loader(&bundle);
	struct diags found = {0};
	struct err e = {0};
	struct udd_model *model = udd_parse(path, &loader, &found);
	struct fset on;
	bool good = model && udd_choose(model, NULL, NULL, NULL, &on, &e);

	if (good) {
		state_lesson_say(control->s, false, NULL);
		take_written(control, task, &bundle, model, &on);
	} else {
		state_lesson_say_errors(control->s, &found, e.what);
		udd_free(model);
	}
	diags_free(&found);
	bundle_free(&bundle);
	return good;
}

/* The student's copy; it begins as the file beside the lesson. NULL: there is no place for it. */
static char *
copy_of(const struct lesson *lesson, const struct lesson_task *task)
{
	char *path = lesson_model_path(lesson, task->file, true), *from;

	if (path && access(path, F_OK) != 0) {
		from = lesson_beside(lesson->source, task->file);
		keep_copy(from, path, NULL);
		free(from);
	}
	return path;
}

bool
control_follow_lesson(struct control *control)
{
	struct state *state = control->s;
	const struct lesson_task *task = state_lesson_model_task(state);
	struct lesson_watch *watch = control->lesson;
	double now = state->view.frame.now;
	bool same = task && watch && watch->path && str_ends(watch->path, task->file);
	char *path;

	if (!task || (same && (watch->open || (now >= watch->looked_at && now < watch->looked_at + LOOK_SECONDS))))
		return false;
	path = copy_of(state->lesson->lesson, task);
	if (!path)
		return false;
	if (!watch)
		watch = control->lesson = mem_new(sizeof *watch);
	free(watch->path);
	watch->path = path;
	watch->looked_at = now;
	watch->open = open_written(control, task, path);
	return true;
}

double
control_lesson_patience(const struct control *control)
{
	const struct lesson_watch *watch = control->lesson;

	return state_lesson_model_task(control->s) && watch && !watch->open ? LOOK_SECONDS : INFINITY;
}

void
control_forget_lesson(struct control *control)
{
	if (control->lesson)
		free(control->lesson->path);
	free(control->lesson);
	control->lesson = NULL;
}

bool
control_lesson_loads(struct control *control, const char *name)
{
	struct diags found = {0};
	struct err e = {0};
	struct lesson *lesson = lesson_load(name, &found, &e);
	struct str lines = {0};
	bool good = lesson != NULL;

	diags_print(&found, "", &lines);
	if (!good && lines.n)
		state_show_text(control->s, POPUP_TEXT, "The lesson does not load", str_text(&lines));
	else if (!good)
		state_say(control->s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
	str_free(&lines);
	diags_free(&found);
	lesson_free(lesson);
	return good;
}
