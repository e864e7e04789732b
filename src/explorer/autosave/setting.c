#include "explorer/autosave/setting.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_table.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/state/state.h"
#include "explorer/state/state_lists.h"
#include "work/timeline/timeline.h"

static const struct setting *const tables[] = {
	settings_of_file, settings_of_model, settings_of_timeline, settings_of_view};

const char *
setting_value(const struct session_table *in, const char *key)
{
	for (size_t i = 0; i < in->n_rows; i++)
		if (str_eq(session_table_cell(in, i, 0), key))
			return session_table_cell(in, i, 1);
	return NULL;
}

static void
setting_put(struct session_table *out, const char *key, const char *text)
{
	const char *cell[2] = {key, text};

	if (text)
		session_table_add(out, cell);
}

char *
setting_list(const char *const *item)
{
	struct str text = {0};
	struct json_writer w = {.out = &text};

	json_open(&w, NULL, '[');
	for (; item && *item; item++)
		json_str(&w, NULL, *item);
	json_close(&w, ']');
	json_on_one_line(&text, 0);
	return str_take(&text);
}

char **
setting_items(const char *text)
{
	struct json *list = text ? json_parse(text, strlen(text), NULL) : NULL;
	char **out = NULL;
	size_t n = 0;

	if (list && list->kind == JSON_ARRAY) {
		out = mem_new_array(list->n + 1, sizeof *out);
		for (const struct json *json = list->first; json; json = json->next)
			if (json->kind == JSON_STRING)
				out[n++] = mem_str(json->text);
	}
	json_free(list);
	return out;
}

void
setting_lost(struct str *lost, const char *kind, const char *name)
{
	str_addf(lost, "%s%s%s%s", lost->n ? ", " : "", kind, *name ? " " : "", name);
}

void
resume_free(struct resume *r)
{
	if (r->late)
		session_table_clear(r->late);
	free(r->late);
	*r = (struct resume){0};
}

/* --- when -------------------------------------------------------------------------------------------------------- */

static const char *
network_name(const struct state *s)
{
	const struct network *n = s->data.timeline ? timeline_network(s->data.timeline) : NULL;

	return n ? n->name : NULL;
}

static const char *
stack_name(const struct state *s)
{
	const struct stack *k = s->data.timeline ? timeline_stack(s->data.timeline) : NULL;

	return k ? k->name : NULL;
}

/* Does a setting of the text `was` apply to `is`? NULL: there was none, or is none. */
static bool
setting_is_same(const char *was, const char *is)
{
	return was ? is && str_eq(was, is) : !is;
}

/* Returns the conditions that hold (enum setting_when). in: the file to read from; NULL when writing. */
static unsigned
conditions(const struct state *state, const struct session_table *in)
{
	const char *model = in ? setting_value(in, "model") : NULL;
	unsigned when;

	if (state->question.model)
		return WHEN_MODEL |
			(!in || (model && str_eq(model, state->question.model->name)) ? WHEN_SAME_MODEL : 0);
	if (!state->data.timeline) /* only curves of probes */
		return 0;
	when = WHEN_SNAPSHOTS | (network_name(state) ? WHEN_NETWORK : 0);
	if (!in || setting_is_same(setting_value(in, "network"), network_name(state)))
		when |= WHEN_SAME_NETWORK;
	if (!in || setting_is_same(setting_value(in, "stack"), stack_name(state)))
		when |= WHEN_SAME_STACK;
	return when;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static char *
setting_text_of(const struct setting *row, const struct state *state)
{
	const char *field = (const char *)state + row->at, *text;
	bool flag;
	int word;

	switch (row->kind) {
	case SETTING_OWN:
		return row->write(state);
	case SETTING_FLAG:
		memcpy(&flag, field, sizeof flag);
		return mem_str(flag ? "1" : "0");
	case SETTING_WORD:
		memcpy(&word, field, sizeof word);
		return mem_str(row->words(word));
	case SETTING_TEXT:
		memcpy(&text, field, sizeof text);
		return text ? mem_str(text) : NULL;
	}
	return NULL;
}

static void
write_row(const struct setting *row, const struct state *s, const struct resume *r, struct session_table *out)
{
	char *text;

	if (row->stage == SETTING_LATE && (r->waits || !s->answers.result)) {
		setting_put(out, row->key, r->late ? setting_value(r->late, row->key) : NULL);
		return;
	}
	text = setting_text_of(row, s);
	setting_put(out, row->key, text);
	free(text);
}

void
settings_write(const struct state *s, const struct resume *r, bool places, struct session_table *out)
{
	unsigned when = conditions(s, NULL);

	*out = (struct session_table){.n_columns = session_table_columns(SESSION_TABLE_SETTING)};
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const struct setting *row = tables[t]; row->key; row++)
			if ((row->when & ~when) == 0 && (places || !row->place))
				write_row(row, s, r, out);
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

static void
setting_read_word(const struct setting *row, char *field, const char *text, struct str *lost)
{
	int word = 0;

	while (word < row->n_words && !str_eq(row->words(word), text))
		word++;
	if (word < row->n_words)
		memcpy(field, &word, sizeof word);
	else if (row->lost_as)
		setting_lost(lost, row->lost_as, text);
}

static void
setting_read_text(char *field, const char *text)
{
	char *kept;

	memcpy(&kept, field, sizeof kept);
	free(kept);
	kept = text && *text ? mem_str(text) : NULL;
	memcpy(field, &kept, sizeof kept);
}

static void
setting_read_row(const struct setting *row, struct state *state, const char *text, const struct setting_file *in)
{
	char *field = (char *)state + row->at;
	bool flag = text && str_eq(text, "1");

	switch (row->kind) {
	case SETTING_OWN:
		row->read(state, text, in);
		break;
	case SETTING_FLAG:
		memcpy(field, &flag, sizeof flag);
		break;
	case SETTING_WORD:
		setting_read_word(row, field, text, in->lost);
		break;
	case SETTING_TEXT:
		setting_read_text(field, text);
		break;
	}
}

static void
keep_for_later(struct resume *r, const char *key, const char *text)
{
	if (!r->late) {
		r->late = mem_new(sizeof *r->late);
		r->late->n_columns = session_table_columns(SESSION_TABLE_SETTING);
	}
	setting_put(r->late, key, text);
}

void
settings_read(
	struct state *state, const struct session_table *table, unsigned given, struct resume *resume, struct str *lost)
{
	const struct setting_file in = {table, lost};

	if (table->n_rows == 0)
		return;
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const struct setting *row = tables[t]; row->key; row++) {
			const char *text = setting_value(table, row->key);

			/* the previous row may have changed the conditions */
			if ((row->when & ~conditions(state, table)) || (row->given & given) || (!text && !row->resets))
				continue;
			if (row->stage == SETTING_LATE)
				keep_for_later(resume, row->key, text);
			else
				setting_read_row(row, state, text, &in);
		}
	if (state->question.model) {
		resume->waits = true;
		state_request(state, REQUEST_LOAD);
		state_request(state, REQUEST_RESULT);
	}
}

void
settings_read_late(struct state *state, struct resume *resume, struct str *lost)
{
	const struct setting_file in = {resume->late, lost};

	resume->waits = false;
	for (size_t t = 0; t < sizeof tables / sizeof *tables && resume->late; t++)
		for (const struct setting *row = tables[t]; row->key; row++) {
			const char *text = row->stage == SETTING_LATE ? setting_value(resume->late, row->key) : NULL;

			if (text)
				setting_read_row(row, state, text, &in);
		}
	state_sync_cursors(state);
}
