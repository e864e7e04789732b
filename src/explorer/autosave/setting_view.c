/* Settings of every session: what is open, which view is shown, what was run. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave.h"
#include "explorer/autosave/setting.h"
#include "explorer/state/state.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "work/probe/probe_book.h"
#include "work/timeline/timeline.h"
#include "work/trust/table.h"

static char *
write_network(const struct state *s)
{
	return timeline_network(s->data.timeline) ? mem_str(timeline_network(s->data.timeline)->name) : NULL;
}

static void
read_network(struct state *s, const char *text, const struct setting_file *in)
{
	const struct network *n = timeline_network(s->data.timeline);

	if (!n || !str_eq(n->name, text))
		setting_lost(in->lost, "what belongs to network", text);
}

static char *
write_stack(const struct state *s)
{
	return timeline_stack(s->data.timeline) ? mem_str(timeline_stack(s->data.timeline)->name) : NULL;
}

/* Brings the stack that was in the foreground there again, if it is open. */
static void
read_stack(struct state *state, const char *text, const struct setting_file *in)
{
	const struct stack *chosen;
	size_t n;
	struct stack *const *stack = timeline_stacks(state->data.timeline, &n);

	for (size_t i = 0; i < n; i++)
		if (str_eq(stack[i]->name, text))
			state_timeline_choose_method(state, i);
	chosen = timeline_stack(state->data.timeline);
	if (!chosen || !str_eq(chosen->name, text))
		setting_lost(in->lost, "what belongs to stack", text);
}

static char *
write_model(const struct state *s)
{
	return s->question.model ? mem_str(s->question.model->name) : NULL;
}

static void
read_model(struct state *s, const char *text, const struct setting_file *in)
{
	if (!s->question.model || !str_eq(s->question.model->name, text))
		setting_lost(in->lost, "what belongs to model", text);
}

static char *
write_view(const struct state *s)
{
	return mem_str(view_row(s->view.current)->name);
}

static void
read_view(struct state *s, const char *text, const struct setting_file *in)
{
	enum view v = VIEW_START;

	(void)in;
	while (v < VIEW_COUNT && !str_eq(view_row(v)->name, text))
		v++;
	if (v == VIEW_START || v >= VIEW_COUNT || (!s->question.model && view_row(v)->about == VIEW_ABOUT_MODEL) ||
		(s->question.model && !s->data.timeline && view_row(v)->about == VIEW_ABOUT_SNAPSHOTS))
		return;
	state_show_view(s, v);
}

static char *
write_pane(const struct state *s)
{
	return s->view.current == VIEW_START ? NULL : mem_str(pane_name(s->view.focus));
}

/* Panes of other views are ignored: read_view() may have kept the view as it was. */
static void
read_pane(struct state *s, const char *text, const struct setting_file *in)
{
	const struct view_row *v = view_row(s->view.current);

	(void)in;
	for (enum pane_id p = v->first; p < v->end; p++)
		if (str_eq(pane_name(p), text))
			s->view.focus = p;
}

static char *
setting_view_write_command(const struct state *s)
{
	return s->question.subject.argv ? setting_list((const char *const *)s->question.subject.argv) : NULL;
}

static void
read_command(struct state *s, const char *text, const struct setting_file *in)
{
	(void)in;
	if (s->question.subject.argv)
		return;
	s->question.subject.argv = setting_items(text);
	if (s->question.subject.argv && !s->question.subject.argv[0]) {
		str_split_free(s->question.subject.argv);
		s->question.subject.argv = NULL;
	}
}

/* Paths of the tables of runs, and last that of the expected counts, or "". The runs stay in their files. */
static char *
write_repeated(const struct state *state)
{
	const struct trust_table *table = state->data.repeated;
	const char **item;
	char *text;

	if (!table)
		return NULL;
	item = mem_new_array(table->n_paths + 2, sizeof *item);
	for (size_t i = 0; i < table->n_paths; i++)
		item[i] = table->path[i];
	item[table->n_paths] = table->expected ? table->expected : "";
	text = setting_list(item);
	free(item);
	return text;
}

static void
read_repeated(struct state *state, const char *text, const struct setting_file *in)
{
	char **item = setting_items(text);
	size_t n = 0;
	struct err e = {0};
	struct trust_table *table;

	while (item && item[n])
		n++;
	if (n >= 2 && !state->data.repeated) {
		table = trust_table_read(item, n - 1, *item[n - 1] ? item[n - 1] : NULL, &e);
		if (table)
			state_set_repeated(state, table);
		else
			setting_lost(in->lost, "the runs of", item[0]);
	}
	str_split_free(item);
}

static char *
write_probe(const struct state *s)
{
	return state_has_curves(s) && state_probe(s) ? mem_str(state_probe(s)->name) : NULL;
}

static void
read_probe(struct state *s, const char *text, const struct setting_file *in)
{
	size_t at = s->data.probes ? probe_book_find(s->data.probes, text) : 0;

	(void)in;
	if (s->data.probes && at < s->data.probes->n)
		state_choose(s, PANE_PROBES, (int)at);
}

/* A text for each list that the user arranged (state_columns_text()). */
static char *
write_columns(const struct state *s)
{
	char *item[PANE_COUNT + 1] = {NULL}, *text;
	size_t n = 0;

	for (int pane = 0; pane < PANE_COUNT; pane++) {
		item[n] = state_columns_text(s, (enum pane_id)pane);
		n += item[n] != NULL;
	}
	text = n ? setting_list((const char *const *)item) : NULL;
	for (size_t i = 0; i < n; i++)
		free(item[i]);
	return text;
}

static void
lose_column(void *lost, const char *name)
{
	setting_lost(lost, "column", name);
}

static void
read_columns(struct state *s, const char *text, const struct setting_file *in)
{
	char **item = text ? setting_items(text) : NULL;

	state_forget_columns(s);
	for (size_t i = 0; item && item[i] && s->column; i++)
		state_columns_read(s, item[i], lose_column, in->lost);
	str_split_free(item);
}

/* The views whose list is in reverse order. */
static char *
write_reversed(const struct state *s)
{
	const char *name[VIEW_COUNT + 1] = {NULL};
	size_t n = 0;

	for (enum view v = 0; v < VIEW_COUNT; v++)
		if (s->view.columns.reversed >> v & 1)
			name[n++] = view_row(v)->name;
	return n ? setting_list(name) : NULL;
}

static void
read_reversed(struct state *s, const char *text, const struct setting_file *in)
{
	char **name = text ? setting_items(text) : NULL;

	s->view.columns.reversed = 0;
	for (size_t i = 0; name && name[i]; i++) {
		enum view v = 0;

		while (v < VIEW_COUNT && !str_eq(view_row(v)->name, name[i]))
			v++;
		if (v < VIEW_COUNT)
			s->view.columns.reversed |= 1u << v;
		else
			setting_lost(in->lost, "view", name[i]);
	}
	str_split_free(name);
}

/* "pane WIDTH BAND HEIGHT" for each pane that the user gave a size, in thousandths. */
static char *
write_sizes(const struct state *s)
{
	char *item[PANE_COUNT + 1] = {NULL}, *text;
	size_t n = 0;

	for (enum pane_id pane = 0; pane < PANE_COUNT; pane++) {
		const struct pane_share *share = &s->view.panes.share[pane];

		if (share->width || share->band || share->height)
			item[n++] = str_format(
				"%s %d %d %d", pane_name(pane), share->width, share->band, share->height);
	}
	text = n ? setting_list((const char *const *)item) : NULL;
	for (size_t i = 0; i < n; i++)
		free(item[i]);
	return text;
}

static short
read_size(const char *text)
{
	long n = text ? strtol(text, NULL, 10) : 0;

	return (short)(n < 0 ? 0 : n > 1000 ? 1000 : n);
}

static void
read_sizes(struct state *s, const char *text, const struct setting_file *in)
{
	char **item = text ? setting_items(text) : NULL;

	memset(s->view.panes.share, 0, sizeof s->view.panes.share);
	for (size_t i = 0; item && item[i]; i++) {
		size_t n;
		char **word = str_split(item[i], ' ', &n);
		enum pane_id pane = 0;

		while (n && pane < PANE_COUNT && !str_eq(pane_name(pane), word[0]))
			pane++;
		if (n == 4 && pane < PANE_COUNT)
			s->view.panes.share[pane] = (struct pane_share){
				read_size(word[1]), read_size(word[2]), read_size(word[3])};
		else
			setting_lost(in->lost, "pane", item[i]);
		str_split_free(word);
	}
	str_split_free(item);
}

/* Names of the events that Space added in view 0, each followed by how it is opened. */
static char *
write_added(const struct state *s)
{
	const struct events_view *v = &s->view.events;
	const char *item[2 * EVENTS_ADDED_MOST + 1] = {NULL};

	for (size_t i = 0; i < v->n_added; i++) {
		item[2 * i] = v->added[i].name;
		item[2 * i + 1] = v->added[i].event;
	}
	return v->n_added ? setting_list(item) : NULL;
}

static void
read_added(struct state *s, const char *text, const struct setting_file *in)
{
	char **item = text ? setting_items(text) : NULL;
	struct str list = {0};

	(void)in;
	for (size_t i = 0; item && item[i] && item[i + 1]; i += 2) {
		str_addn(&list, item[i], strlen(item[i]) + 1);
		str_addn(&list, item[i + 1], strlen(item[i + 1]) + 1);
	}
	state_added_put(s, &list);
	str_split_free(item);
	str_free(&list);
}

static const char *
event_sort_word(int i)
{
	return event_sort_name((enum event_sort)i);
}

static const char *
quantity_sort_word(int i)
{
	return diff_sort_name((enum diff_sort)i);
}

static_assert(sizeof(enum event_sort) == sizeof(int), "see SETTING_WORD");
static_assert(sizeof(enum diff_sort) == sizeof(int), "see SETTING_WORD");

static char *
write_theme(const struct state *s)
{
	return *s->view.popup.theme ? mem_str(s->view.popup.theme) : NULL;
}

/* A theme of the command line, or one chosen since, stays. */
static void
read_theme(struct state *s, const char *text, const struct setting_file *in)
{
	(void)in;
	if (!*s->view.popup.theme)
		state_set_theme(s, text);
}

const struct setting settings_of_file[] = {
	{"network", WHEN_SNAPSHOTS, .write = write_network, .read = read_network},
	{"stack", WHEN_SNAPSHOTS, .write = write_stack, .read = read_stack},
	{"model", 0, .write = write_model, .read = read_model},
	{0},
};

const struct setting settings_of_view[] = {
	{"repeated_runs", 0, .write = write_repeated, .read = read_repeated},
	{"sort_events", 0, .kind = SETTING_WORD, .at = SETTING_AT(view.events.sort), .words = event_sort_word,
		.n_words = EVENT_SORTS},
	{"filter_events", 0, .kind = SETTING_TEXT, .at = SETTING_AT(view.filter[VIEW_EVENTS])},
	{"added_events", 0, .resets = true, .write = write_added, .read = read_added},
	{"sort_quantities", 0, .kind = SETTING_WORD, .at = SETTING_AT(view.sort.quantities),
		.words = quantity_sort_word, .n_words = DIFF_SORTS},
	{"filter_quantities", 0, .kind = SETTING_TEXT, .at = SETTING_AT(view.filter[VIEW_DIFF])},
	{"columns", 0, .resets = true, .write = write_columns, .read = read_columns},
	{"reversed", 0, .resets = true, .write = write_reversed, .read = read_reversed},
	{"sizes", 0, .resets = true, .place = true, .write = write_sizes, .read = read_sizes},
	{"probe", 0, .place = true, .write = write_probe, .read = read_probe},
	{"probe_log_x", 0, .place = true, .kind = SETTING_FLAG, .at = SETTING_AT(view.probes.log_x)},
	{"theme", 0, .place = true, .write = write_theme, .read = read_theme},
	{"view", 0, .place = true, .write = write_view, .read = read_view},
	{"pane", 0, .place = true, .write = write_pane, .read = read_pane},
	{"command", 0, .given = AUTOSAVE_COMMAND, .write = setting_view_write_command, .read = read_command},
	{0},
};
