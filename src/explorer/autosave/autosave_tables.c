/* Writes what a session is about into its file: texts of the model, network or stacks, and tables that grow. */
#include "explorer/autosave/autosave.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/state/state.h"
#include "explorer/state/state_timeline_due.h"
#include "work/files/recording.h"
#include "work/files/stored.h"
#include "work/run/run.h"
#include "work/timeline/run_answer.h"
#include "work/timeline/timeline.h"

static bool
is_stored(const struct session_model *m, const struct session_model *stored)
{
	return str_eq(stored->name, m->name) && stored->n == 1 && stored->file[0].n == m->file[0].n &&
		memcmp(stored->file[0].text, m->file[0].text, m->file[0].n) == 0;
}

/* Does the file already have these stacks first, in this order? */
static bool
are_stored(struct session_file *session_file, struct stack *const *stack, const struct text *text, size_t n, bool *same,
	struct err *e)
{
	struct session_model *stored;
	size_t n_stored;

	if (!session_file_texts(session_file, TEXT_STACK, &stored, &n_stored, e))
		return false;
	*same = n <= n_stored;
	for (size_t i = 0; i < n && *same; i++) {
		struct udd_file file;
		struct session_model m = stored_text(TEXT_STACK, stack[i]->name, &text[i], &file);

		*same = is_stored(&m, &stored[i]);
	}
	session_models_free(stored, n_stored);
	return true;
}

/* Texts that the file already brings are not stored again. `alone`: without a network, the last text stored decides
 * what the file opens, so the first stack is always stored. */
static bool
store_stacks(struct session_file *session_file, const struct state *s, bool alone, struct err *e)
{
	size_t n;
	struct stack *const *stack = timeline_stacks(s->data.timeline, &n);
	struct udd_file file;
	bool same, good = are_stored(session_file, stack, s->question.stack_text, n, &same, e);

	for (size_t i = n; i-- > 0 && good;) {
		struct session_model m = stored_text(TEXT_STACK, stack[i]->name, &s->question.stack_text[i], &file);

		if (!same || (alone && i == 0))
			good = session_file_add_model(session_file, &m, e);
	}
	return good;
}

/* Stores the stacks before the network, the first stack last, because the file opens with the text stored last. */
static bool
store_profile(struct session_file *session_file, const struct state *state, struct err *e)
{
	const struct network *net = timeline_network(state->data.timeline);
	struct udd_file file;
	struct session_model m;

	if (!store_stacks(session_file, state, !net, e))
		return false;
	if (!net)
		return true;
	m = stored_text(TEXT_NETWORK, net->name, &state->question.network_text, &file);
	return session_file_add_model(session_file, &m, e);
}

bool
autosave_subject(const struct state *s, struct session_model *out, struct udd_file *file)
{
	const struct network *net;
	struct stack *const *stack;
	size_t n;

	if (s->question.model) {
		*out = stored_model(s->question.model, &s->question.bundle);
		return true;
	}
	if (!s->data.timeline)
		return false;
	net = timeline_network(s->data.timeline);
	stack = timeline_stacks(s->data.timeline, &n);
	if (!net && !n)
		return false;
	*out = net ? stored_text(TEXT_NETWORK, net->name, &s->question.network_text, file)
		   : stored_text(TEXT_STACK, stack[0]->name, &s->question.stack_text[0], file);
	return true;
}

bool
autosave_texts_write(struct session_file *f, const struct state *s, int64_t *model, struct err *e)
{
	struct session_model m;

	*model = 0;
	if (!s->question.model)
		return !s->data.timeline || store_profile(f, s, e);
	m = stored_model(s->question.model, &s->question.bundle);
	if (!session_file_find_model(f, &m, model, e))
		return false;
	return *model || (session_file_add_model(f, &m, e) && session_file_model_number(f, model, e));
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* Writes what is new in a table, if it has rows. */
static bool
autosave_tables_follow(struct stored_tables *tables, struct session_file *f, const struct state *state,
	const struct obs_table *t, struct err *e)
{
	const char *const specified[] = {"hecate", "--spec", state->question.subject.spec_file, NULL};
	char *command = state->question.subject.argv || state->question.subject.spec
		? recording_command(
			state->question.subject.argv ? (const char *const *)state->question.subject.argv : specified)
		: NULL;
	bool good = !t->n || stored_follow(tables, f, t, command, e);

	free(command);
	return good;
}

static bool
write_end(struct session_file *file, const struct state *state, struct err *e)
{
	struct run_end end = state_run_end(state);
	struct str text = {0};
	bool good;

	if (!state->data.leader || state_running(state) || end.kind == RUN_RECORDED)
		return true;
	run_end_write(&end, &text);
	good = session_file_set_value(file, SESSION_END, str_text(&text), e);
	str_free(&text);
	return good;
}

bool
autosave_tables_write(struct stored_tables *tables, struct session_file *file, const struct state *state, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < state->data.n_runs && good; i++) {
		struct run *run = state->data.run[i];
		size_t n;
		const struct obs_table *const *t = run_tables(run, &n);

		for (size_t j = 0; j < n && good; j++)
			good = autosave_tables_follow(tables, file, state, t[j], e);
	}
	return good && write_end(file, state, e);
}

bool
autosave_tables_grow(const struct state *s)
{
	for (size_t i = 0; i < s->data.n_runs; i++)
		if (s->data.run[i]->ops->shown && run_table(s->data.run[i])->n)
			return true;
	return false;
}
