/* What the session is about and what was counted for it, on the way into its file: texts of the model, network or stack, and tables that grow. */
#include "app/keep.h"

#include <stdlib.h>
#include <string.h>

#include "app/flow_watch.h"
#include "app/live.h"
#include "app/profile.h"
#include "app/recording.h"
#include "app/session.h"
#include "app/spec_run.h"
#include "app/stall_run.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/session/session_file.h"
#include "collect/session/session_sheet.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"

struct session_model
keep_model_of(const struct session *s)
{
	return (struct session_model){
		.name = (char *)(uintptr_t)s->model->name, .path = s->bundle.path, .file = s->bundle.file, .n = s->bundle.n,
		.include_dir = s->bundle.include_dir, .n_include_dirs = s->bundle.n_include_dirs,
	};
}

/* Is the last text of its kind this one? */
static bool
is_last_of_kind(struct session_file *f, const struct session_model *m, bool *same, struct err *e)
{
	struct session_model last;

	if (!session_file_text(f, m->kind, &last, e))
		return false;
	*same = last.path && str_eq(last.name, m->name) && last.n == 1 && last.file[0].n == m->file[0].n &&
	        memcmp(last.file[0].text, m->file[0].text, m->file[0].n) == 0;
	session_model_free(&last);
	return true;
}

static struct session_model
text_of(enum session_text kind, const char *name, const struct text *t, struct udd_file *file)
{
	*file = (struct udd_file){.name = t->path, .text = t->text, .n = t->n};
	return (struct session_model){.kind = kind, .name = (char *)(uintptr_t)name, .path = t->path, .file = file, .n = 1};
}

/* Those that are in the file as the last of their kind are not stored again. */
static bool
store_stacks(struct session_file *f, const struct session *s, bool alone, struct err *e)
{
	size_t n;
	struct stack *const *stack = profile_stacks(s->run.data, &n);
	struct udd_file file;
	bool same = false, good = true;

	for (size_t i = n; i-- > 0 && good;) {
		struct session_model m = text_of(SESSION_STACK, stack[i]->name, &s->run.stack_text[i], &file);

		if (n == 1 && !alone)
			good = is_last_of_kind(f, &m, &same, e);
		if (good && !same)
			good = session_file_add_model(f, &m, e);
	}
	return good;
}

/* Stacks first, and of them the first one last: the text that came last is what the file brings. */
static bool
store_profile(struct session_file *f, const struct session *s, struct err *e)
{
	const struct network *net = profile_network(s->run.data);
	struct udd_file file;
	struct session_model m;

	if (!store_stacks(f, s, !net, e))
		return false;
	if (!net)
		return true;
	m = text_of(SESSION_NETWORK, net->name, &s->run.network_text, &file);
	return session_file_add_model(f, &m, e);
}

bool
keep_texts_write(struct session_file *f, const struct session *s, int64_t *model, struct err *e)
{
	struct session_model m;

	*model = 0;
	if (!s->model)
		return store_profile(f, s, e);
	m = keep_model_of(s);
	if (!session_file_same_model(f, &m, model, e))
		return false;
	return *model || (session_file_add_model(f, &m, e) && session_file_model_number(f, model, e));
}

/* ---- tables ---- */

bool
keep_recorded_write(struct session_file *f, const struct session *s, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < s->n_tables && good; i++) {
		struct session_writer *w = session_writer_new(f, NULL);

		good = session_writer_write(w, s->table[i], e);
		session_writer_free(w);
	}
	return good;
}

static bool
follow(struct kept_tables *k, struct session_file *f, const struct session *s, const struct obs_table *t, struct err *e)
{
	size_t i = 0;

	while (i < k->n && k->table[i].table != t)
		i++;
	if (i == k->n && !t->n)
		return true;
	if (i == k->n) {
		mem_grow(&k->table, &k->cap, k->n + 1, sizeof *k->table);
		k->table[k->n++] = (struct kept_table){t, session_writer_new(f, NULL)};
	}
	if (s->argv || s->spec) {
		const char *const specified[] = {"hecate", "--spec", s->spec_file, NULL};
		char *command = recording_command(s->argv ? s->argv : (char *const *)(uintptr_t)specified);

		session_writer_set_command(k->table[i].writer, command);
		free(command);
	}
	return session_writer_write(k->table[i].writer, t, e);
}

bool
keep_tables_write(struct kept_tables *k, struct session_file *f, const struct session *s, struct err *e)
{
	bool good = !s->live || follow(k, f, s, live_table(s->live), e);

	for (size_t i = 0; i < s->n_flows && good; i++) {
		size_t n;
		const struct obs_table *const *t = flow_watch_tables(s->flows[i], &n);

		for (size_t j = 0; j < n && good; j++)
			good = follow(k, f, s, t[j], e);
	}
	for (size_t i = 0; i < s->n_stalls && good; i++)
		good = follow(k, f, s, stall_run_table(s->stalls[i]), e);
	for (size_t i = 0; i < s->n_specified && good; i++)
		good = follow(k, f, s, spec_run_table(s->specified[i]), e);
	return good;
}

bool
keep_tables_grow(const struct session *s)
{
	bool some = s->live && live_table(s->live)->n;

	for (size_t i = 0; i < s->n_stalls; i++)
		some |= stall_run_table(s->stalls[i])->n > 0;
	for (size_t i = 0; i < s->n_specified; i++)
		some |= spec_run_table(s->specified[i])->n > 0;
	return some;
}

void
keep_tables_leave(struct kept_tables *k, const struct obs_table *t)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->table[i].table == t) {
			session_writer_free(k->table[i].writer);
			memmove(&k->table[i], &k->table[i + 1], (--k->n - i) * sizeof *k->table);
			return;
		}
}

size_t
keep_tables_rows(const struct kept_tables *k)
{
	size_t rows = 0;

	for (size_t i = 0; i < k->n; i++)
		rows += session_writer_rows(k->table[i].writer);
	return rows;
}

void
keep_tables_free(struct kept_tables *k)
{
	for (size_t i = 0; i < k->n; i++)
		session_writer_free(k->table[i].writer);
	free(k->table);
	*k = (struct kept_tables){0};
}
