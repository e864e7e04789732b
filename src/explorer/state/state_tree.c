#include "explorer/state/state_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/pane.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"

#define OUTLINE_ROWS 5000
#define UNFOLDED_ROWS 60 /* rows of the tree that are open at first */

static void *
make_tree(const struct state *s, size_t *n)
{
	size_t *row = mem_new_array(s->question.outline ? s->question.outline->n : 0, sizeof *row);

	*n = 0;
	for (size_t i = 0; s->question.outline && i < s->question.outline->n; i++) {
		row[(*n)++] = i;
		if (s->view.tree.folded[i])
			i += s->question.outline->row[i].below;
	}
	return row;
}

const struct shown_ops shown_tree = {.kind = SHOWN_TREE, .make = make_tree, .size = sizeof(size_t)};

const size_t *
state_tree_rows(const struct state *s, size_t *n)
{
	return state_shown(s, &shown_tree, n);
}

/* Folds the deepest rows until few enough are open. */
static void
fold_at_first(struct state *state)
{
	const struct udd_outline *outline = state->question.outline;
	size_t open = outline->n;

	for (uint32_t depth = 12; depth > 1 && open > UNFOLDED_ROWS; depth--) {
		for (size_t i = 0; i < outline->n; i++)
			if (outline->row[i].depth >= depth && outline->row[i].below)
				state->view.tree.folded[i] = true;
		state_shown_changed(state);
		open = state_count_shown(state, &shown_tree);
	}
}

void
state_make_outline(struct state *s)
{
	udd_outline_free(s->question.outline);
	s->question.outline = udd_outline_new(s->question.model, &s->question.on, OUTLINE_ROWS);
	state_shown_changed(s);
	if (s->view.tree.n == s->question.outline->n)
		return;
	free(s->view.tree.folded);
	s->view.tree.n = s->question.outline->n;
	s->view.tree.folded = mem_new_array(s->view.tree.n, sizeof *s->view.tree.folded);
	fold_at_first(s);
}

void
state_fold(struct state *state, int how)
{
	size_t n, at = (size_t)state->view.cursor[PANE_TREE];
	const size_t *row = state_tree_rows(state, &n);

	if (at < n) {
		size_t i = row[at];

		if (how < 0 && (state->view.tree.folded[i] || !state->question.outline->row[i].below)) {
			while (at > 0 &&
				state->question.outline->row[row[at]].depth >= state->question.outline->row[i].depth)
				at--;
			state->view.cursor[PANE_TREE] = (int)at;
		} else if (state->question.outline->row[i].below) {
			state->view.tree.folded[i] = how ? how < 0 : !state->view.tree.folded[i];
			state_shown_changed(state);
		} else if (!how) {
			state_say(state, false, "nothing lies below this row that could be folded");
		}
	}
}

void
state_fold_all(struct state *s)
{
	bool any = false;

	for (size_t i = 0; i < s->view.tree.n; i++)
		any |= s->view.tree.folded[i];
	for (size_t i = 0; i < s->view.tree.n; i++)
		s->view.tree.folded[i] =
			!any && s->question.outline->row[i].below && s->question.outline->row[i].depth > 0;
	s->view.cursor[PANE_TREE] = 0;
	state_shown_changed(s);
}

char *
state_features_json(const struct state *s, const struct fset *on)
{
	struct str text = {0};

	features_json(s->question.model, on, &text);
	return str_take(&text);
}

static bool
note_on_features(const struct state *s, enum pane_id pane, enum remark_on *on, char **what)
{
	(void)pane;
	*on = REMARK_FEATURES;
	*what = state_features_json(s, &s->question.on);
	return true;
}

static int
features_length(const struct state *s)
{
	return s->question.model ? (int)s->question.model->n_features : 0;
}

static bool
feature_has(const struct state *s, size_t i, const char *words)
{
	return strcasestr(s->question.model->feature[i].name, words) ||
		strcasestr(s->question.model->feature[i].text, words);
}

const struct pane_ops state_pane_features = {
	.length = features_length, .has = feature_has, .note = note_on_features};
const struct pane_ops state_pane_about_features = {.note = note_on_features};

static int
tree_length(const struct state *s)
{
	return (int)state_count_shown(s, &shown_tree);
}

static bool
outline_has(const struct outline_row *r, const char *words)
{
	for (size_t k = 0; k < r->n_items; k++)
		if (strcasestr(r->item[k].text, words))
			return true;
	return r->text && strcasestr(r->text, words);
}

/* Unfolds the tree down to the i-th outline row and puts the cursor on it. */
static void
reveal(struct state *state, size_t i)
{
	const size_t *row;
	size_t n;

	for (size_t k = 0; k < i; k++)
		if (k + state->question.outline->row[k].below >= i)
			state->view.tree.folded[k] = false;
	state_shown_changed(state);
	row = state_tree_rows(state, &n);
	for (size_t k = 0; k < n; k++)
		if (row[k] == i)
			state->view.cursor[PANE_TREE] = (int)k;
}

/* Finds a row, also among folded ones. */
static bool
find_in_tree(struct state *state, const char *words)
{
	size_t shown, n = state->question.outline ? state->question.outline->n : 0,
		      at = (size_t)state->view.cursor[PANE_TREE];
	const size_t *row = state_tree_rows(state, &shown);
	size_t from = at < shown ? row[at] : 0;

	for (size_t k = 1; k <= n; k++)
		if (outline_has(&state->question.outline->row[(from + k) % n], words)) {
			reveal(state, (from + k) % n);
			return true;
		}
	return false;
}

static struct rows_found
found_in_tree(const struct state *state, const char *words)
{
	size_t shown, at = (size_t)state->view.cursor[PANE_TREE];
	const size_t *row = state_tree_rows(state, &shown);
	struct rows_found out = {0};

	for (size_t i = 0; state->question.outline && i < state->question.outline->n; i++)
		if (outline_has(&state->question.outline->row[i], words)) {
			out.n++;
			out.at = at < shown && row[at] == i ? out.n : out.at;
		}
	return out;
}

/* Features come and go, and with them rows; those of one text are alike. */
static uint64_t
row_thing(const struct state *s, enum pane_id pane, size_t row)
{
	size_t n;
	const size_t *shown = state_tree_rows(s, &n);
	const struct outline_row *r = row < n ? &s->question.outline->row[shown[row]] : NULL;
	uint64_t thing = r ? thing_text(thing_number(0, r->depth), r->text ? r->text : "") : 0;

	(void)pane;
	for (size_t i = 0; r && i < r->n_items; i++)
		thing = thing_text(thing, r->item[i].text);
	return thing;
}

const struct pane_ops state_pane_tree = {.length = tree_length,
	.find = find_in_tree,
	.found = found_in_tree,
	.thing = row_thing,
	.note = note_on_features};
