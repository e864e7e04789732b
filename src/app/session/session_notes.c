#include "app/session/session_notes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/profile/profile.h"
#include "app/profile/profile_names.h"
#include "app/session/session_queues.h"
#include "app/session/session_search.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"

static char *
features_of(const struct session *s, const struct fset *on)
{
	struct str text = {0};

	features_json(s->model, on, &text);
	return str_take(&text);
}

/* Of the model under the cursor of the search; NULL: there is none. */
static char *
features_searched(const struct session *s)
{
	size_t n, at = (size_t)s->cursor[PANE_SEARCH];
	struct search_row *row = session_search_rows(s, &n);
	char *text = at < n && row[at].kind == SEARCH_ROW_MODEL ? features_of(s, &s->graph->model[row[at].model].on) : NULL;

	free(row);
	return text;
}

/* The module of the node or queue under the cursor; NULL: there is none. */
static char *
module_of(const struct session *s)
{
	const struct network *n = profile_network(s->run.data);
	const struct net_queue *q = s->view == VIEW_QUEUES ? session_queue(s) : NULL;
	size_t module = q ? q->module : s->run.module;

	if (s->shown == PANE_PATH_MAP && s->run.look && (size_t)s->cursor[PANE_PATH_MAP] < s->run.look->map->n_rows)
		module = s->run.look->map->row[s->cursor[PANE_PATH_MAP]].module;
	return n && (q || s->view != VIEW_QUEUES) ? mem_str(n->module[module].name) : NULL;
}

/* The one in the list, or the one that is shown; NULL: there is none. */
static char *
snapshot_of(const struct session *s)
{
	size_t n = profile_moments(s->run.data), at = s->shown == PANE_SNAPSHOTS ? (size_t)s->cursor[PANE_SNAPSHOTS] : s->run.moment;
	struct str key = {0};

	if (at >= n)
		return NULL;
	profile_moment_key(s->run.data, at, &key);
	return str_take(&key);
}

bool
session_note_subject(const struct session *s, enum remark_on *on, char **what)
{
	const struct constraint_row *row = session_constraint(s);
	const struct finding *f = session_finding(s);

	*what = NULL;
	if (s->view == VIEW_START || (s->shown < PANE_NETWORK ? !s->model : !s->run.data)) /* panes of views 5 to 7 come last */
		return false;
	switch (s->shown) {
	case PANE_FEATURES:
	case PANE_TREE:
	case PANE_WHY:
	case PANE_WITNESS:
		*on = REMARK_FEATURES;
		*what = features_of(s, &s->on);
		break;
	case PANE_SEARCH:
		*on = REMARK_FEATURES;
		*what = features_searched(s);
		break;
	case PANE_CONSTRAINTS:
	case PANE_TOUCHED:
	case PANE_MATRIX:
		*on = REMARK_CONSTRAINT;
		*what = row ? mem_str(row->c->text) : NULL;
		break;
	case PANE_OBSERVATIONS:
	case PANE_SELECTED:
	case PANE_BROKEN:
	case PANE_LIST:
	case PANE_OBSERVED:
	case PANE_SAMPLES:
	case PANE_PLOT:
	case PANE_LEGEND:
	case PANE_WHOLE:
		*on = REMARK_OBSERVATION;
		*what = f ? mem_str(f->name) : NULL;
		break;
	case PANE_NETWORK:
	case PANE_PATH_MAP:
	case PANE_NODE:
	case PANE_FLOWS:
	case PANE_QUEUES:
	case PANE_QUEUE:
		*on = REMARK_MODULE;
		*what = module_of(s);
		break;
	case PANE_SNAPSHOTS:
	case PANE_LENGTHS:
		*on = REMARK_SNAPSHOT;
		*what = snapshot_of(s);
		break;
	case PANE_BARS:
	case PANE_COMPONENTS:
	case PANE_METHODS:
	case PANE_COUNT:
		break;
	}
	return *what != NULL;
}

const struct remark *
session_note_on(const struct session *s, enum remark_on on, const char *what)
{
	return remarks_on(&s->remarks, on, what);
}

/* Takes `what`. */
static void
ask(struct session *s, enum remark_on on, char *what)
{
	const struct remark *r = remarks_on(&s->remarks, on, what);

	free(s->noting_what);
	s->noting = on;
	s->noting_what = what;
	session_open_prompt(s, PROMPT_NOTE, r ? r->text : "");
}

void
session_note(struct session *s)
{
	enum remark_on on;
	char *what;

	if (session_note_subject(s, &on, &what))
		ask(s, on, what);
	else
		session_say(s, false, "there is nothing under the cursor to write a note on");
}

void
session_note_on_all(struct session *s)
{
	ask(s, REMARK_SESSION, mem_str(""));
}

void
session_note_finish(struct session *s)
{
	const char *text = str_text(&s->input);
	bool changed = s->noting_what && remarks_put(&s->remarks, s->noting, s->noting_what, text);

	if (!changed)
		return;
	if (!*text)
		session_say(s, false, "the note is deleted");
	else if (s->kept_in)
		session_say(s, false, "noted");
	else
		session_say(s, false, "noted; w keeps the note in a file");
}

void
session_list_notes(struct session *s)
{
	if (s->remarks.n)
		session_open_popup(s, POPUP_NOTES);
	else
		session_say(s, false, "there are no notes yet; n writes one on what the cursor is on, N one on the session");
}

static const struct remark *
chosen(const struct session *s)
{
	size_t at = s->popup_cursor > 0 ? (size_t)s->popup_cursor : 0;

	return s->popup == POPUP_NOTES && at < s->remarks.n ? &s->remarks.remark[at] : NULL;
}

void
session_edit_note(struct session *s)
{
	const struct remark *r = chosen(s);

	if (r)
		ask(s, r->on, mem_str(r->what));
}

void
session_delete_note(struct session *s)
{
	const struct remark *r = chosen(s);
	char *what;

	if (!r)
		return;
	what = mem_str(r->what);
	remarks_put(&s->remarks, r->on, what, "");
	free(what);
	session_say(s, false, "the note is deleted");
	if ((size_t)s->popup_cursor >= s->remarks.n && s->popup_cursor > 0)
		s->popup_cursor--;
	if (!s->remarks.n)
		s->popup = POPUP_NONE;
}

char *
session_file_name(const struct session *s)
{
	time_t now = time(NULL);
	struct tm tm;
	char date[32], *name;
	struct str model = {0};
	const struct network *net = s->run.data ? profile_network(s->run.data) : NULL;
	const char *of = s->model ? s->model->name : net ? net->name : profile_stack(s->run.data)->name;

	strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &tm));
	for (const char *p = of; *p; p++)
		str_addc(&model, strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *p) ? *p : '-');
	name = str_format("%s-%s.hct", str_text(&model), date);
	for (int i = 2; access(name, F_OK) == 0; i++) {
		free(name);
		name = str_format("%s-%s-%d.hct", str_text(&model), date, i);
	}
	str_free(&model);
	return name;
}

void
session_write_item(struct session *s, enum write_item item)
{
	char *name;

	if (s->popup != POPUP_WRITE)
		return;
	s->popup = POPUP_NONE;
	switch (item) {
	case WRITE_SCREEN:
		s->want.write = true;
		break;
	case WRITE_REPORT:
		if (s->model ? s->result && !s->result->error : s->run.data && (s->run.bars || s->run.look))
			s->want.report = true;
		else
			session_say(s, false, "there is nothing to report yet");
		break;
	case WRITE_SESSION:
		if (!s->model && !s->run.data) {
			session_say(s, false, "nothing is open yet, so there is nothing to keep");
			break;
		}
		name = session_file_name(s);
		session_open_prompt(s, PROMPT_KEEP, name);
		free(name);
		break;
	case WRITE_ITEMS:
		break;
	}
}
