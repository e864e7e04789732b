#include "explorer/state/state_palette.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fuzzy.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_settings.h"
#include "work/files/files.h"

/* --- items ------------------------------------------------------------------------------------------------------- */

static struct palette_item *
add_item(struct palette *p, enum palette_kind kind, int number, char *name, const char *text)
{
	mem_grow(&p->item, &p->cap, p->n + 1, sizeof *p->item);
	p->item[p->n] = (struct palette_item){.kind = kind, .number = number, .name = name, .text = mem_str(text)};
	return &p->item[p->n++];
}

/* Moves of the cursor, second rows of one action, and what only a popup has, are no items. */
static bool
is_item(enum action a)
{
	static const enum action not[] = {ACTION_up, ACTION_down, ACTION_left, ACTION_right, ACTION_page_up,
		ACTION_page_down, ACTION_first, ACTION_last, ACTION_pane_next, ACTION_pane_back,
		ACTION_whence_too, ACTION_open, ACTION_back, ACTION_palette};
	bool is = (action_row(a)->scopes & (IN_VIEWS | IN_START)) != 0;

	for (size_t i = 0; i < sizeof not / sizeof *not; i++)
		is &= a != not[i];
	return is;
}

/* "sort", "fold all", "view 3, observations". */
static char *
action_words(enum action a)
{
	const struct action_row *row = action_row(a);
	char *name;

	if (row->keys[0] >= '0' && row->keys[0] <= '9')
		return str_format("view %c, %s", row->keys[0], row->id);
	name = mem_str(*row->name ? row->name : row->id);
	for (char *c = name; *c; c++)
		if (*c == '_')
			*c = ' ';
	return name;
}

static void
add_actions(const struct state *s, struct palette *p)
{
	for (int a = 1; a < ACTION_COUNT; a++) {
		const struct action_row *row = action_row((enum action)a);
		struct palette_item *item;
		struct str why = {0};
		const char *lacks;

		if (!is_item((enum action)a))
			continue;
		item = add_item(p, PALETTE_ACTION, a, action_words((enum action)a), row->help);
		/* the lines of the start screen can be carried out everywhere, but have keys there alone */
		if (row->scopes != IN_START || s->view.current == VIEW_START)
			action_key((enum action)a, item->key);
		if (row->scopes != IN_START && !action_is_elsewhere(s, (enum action)a, &why) &&
			(lacks = action_reason(s, (enum action)a)) != NULL)
			str_add(&why, lacks);
		item->why = why.n ? str_take(&why) : NULL;
		str_free(&why);
	}
}

static void
add_model(const struct state *s, struct palette *p)
{
	const struct udd_model *model = s->question.model;

	for (size_t i = 0; model && i < model->n_variants; i++)
		add_item(p, PALETTE_VARIANT, (int)i, str_format("variant %s", model->variant[i].name),
			"switch to this variant of the model");
	for (size_t i = 0; model && i < model->n_features; i++)
		add_item(p, PALETTE_FEATURE, (int)i, str_format("feature %s", model->feature[i].name),
			model->feature[i].text);
}

static void
add_names(const struct state *s, struct palette *p)
{
	const struct openables *of = &s->data.home.of;
	char **theme = file_names("themes", ".theme");

	for (size_t i = 0; i < of->n; i++)
		add_item(p, PALETTE_OPEN, (int)i, str_format("open %s", of->item[i].name),
			of->item[i].text ? of->item[i].text : openable_word(of->item[i].kind));
	for (int i = 0; theme[i]; i++)
		add_item(p, PALETTE_THEME, i, str_format("theme %s", theme[i]), "the colours of the screen");
	str_split_free(theme);
	for (int i = 0; setting_name(i); i++) {
		char *text = str_format("%s%s", setting_is_set(s, i) ? "as it is now: " : "", setting_text(i));
		const char *lacks = setting_reason(s, i);

		add_item(p, PALETTE_SETTING, i, mem_str(setting_name(i)), text)->why = lacks ? mem_str(lacks) : NULL;
		free(text);
	}
}

static void
forget_items(struct palette *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->item[i].name);
		free(p->item[i].text);
		free(p->item[i].why);
	}
	p->n = 0;
}

void
palette_free(struct palette *p)
{
	if (!p)
		return;
	forget_items(p);
	free(p->item);
	for (size_t i = 0; p->recent[i]; i++)
		free(p->recent[i]);
	free(p);
}

void
state_open_palette(struct state *s)
{
	struct palette *p = s->view.popup.palette;

	if (!p)
		p = s->view.popup.palette = mem_new(sizeof *p);
	forget_items(p);
	p->opened++;
	add_item(p, PALETTE_COMMAND, 0, mem_str("run"), "run this command");
	add_actions(s, p);
	add_model(s, p);
	add_names(s, p);
	str_clear(&s->view.prompt.input);
	state_open_popup(s, POPUP_PALETTE);
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

struct scored {
	size_t item;
	int score;
	bool lacks;
};

static int
by_score(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;

	return x->score != y->score ? (x->score < y->score ? 1 : -1)
		: x->lacks != y->lacks ? (x->lacks ? 1 : -1)
		: x->item < y->item ? -1 : x->item > y->item;
}

/* Is this how other programs call the action? */
static bool
is_called(const struct palette_item *item, const char *text)
{
	static const struct { const char *word; enum action means; } called[] = {
		{"exit", ACTION_quit}, {"close", ACTION_quit}, {"export", ACTION_write}, {"print", ACTION_write},
		{"screenshot", ACTION_write}, {"pdf", ACTION_write}, {"color", ACTION_theme}, {"colour", ACTION_theme},
		{"search", ACTION_find}, {"repeat", ACTION_run}, {"kill", ACTION_stop}, {"cancel", ACTION_stop},
		{"refresh", ACTION_redraw}, {"clear", ACTION_redraw}, {"comment", ACTION_find_next},
		{"keys", ACTION_help}, {"manual", ACTION_help},
	};
	bool is = false;

	for (size_t i = 0; i < sizeof called / sizeof *called && item->kind == PALETTE_ACTION; i++)
		is |= item->number == (int)called[i].means && strncasecmp(called[i].word, text, strlen(text)) == 0;
	return is;
}

/* How well the item fits: by its key, by its name, else by what others call it, or a word of its text. On an empty
 * line, what was used last comes first. */
static int
item_score(const struct palette *p, const struct palette_item *item, const char *text)
{
	int score = 2 * fuzzy_score(text, item->name);

	if (*text)
		return str_eq(text, item->key) ? 10000 : score ? score
			: is_called(item, text) ? 2 : strcasestr(item->text, text) != NULL;
	for (size_t i = 0; p->recent[i]; i++)
		if (str_eq(p->recent[i], item->name))
			score = 100 - (int)i;
	return score;
}

static void *
make_palette(const struct state *s, size_t *n)
{
	const struct palette *p = s->view.popup.palette;
	const char *text = str_text(&s->view.prompt.input);
	struct scored *scored = mem_new_array(p ? p->n : 0, sizeof *scored);
	size_t *row = mem_new_array(p ? p->n : 0, sizeof *row);

	*n = 0;
	while (*text == ' ')
		text++;
	if (state_palette_runs(s) && p && p->n)
		scored[(*n)++].item = 0;
	if (!state_palette_runs(s))
		for (size_t i = 1; p && i < p->n; i++) {
			int score = item_score(p, &p->item[i], text);

			if (score > 0)
				scored[(*n)++] = (struct scored){i, score, p->item[i].why != NULL};
		}
	if (*n)
		qsort(scored, *n, sizeof *scored, by_score);
	for (size_t i = 0; i < *n; i++)
		row[i] = scored[i].item;
	free(scored);
	return row;
}

static void
stamp_palette(const struct state *s, uint64_t *stamp)
{
	const char *text = str_text(&s->view.prompt.input);

	shown_add(stamp, s->view.popup.palette ? s->view.popup.palette->opened : 0);
	for (size_t i = 0; text[i]; i++)
		shown_add(stamp, (unsigned char)text[i]);
}

static const struct shown_ops shown_palette = {
	.kind = SHOWN_PALETTE, .stamp = stamp_palette, .make = make_palette, .size = sizeof(size_t)};

const size_t *
state_palette_rows(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_palette, n);
}

bool
state_palette_runs(const struct state *s)
{
	return str_text(&s->view.prompt.input)[0] == PALETTE_RUNS;
}
