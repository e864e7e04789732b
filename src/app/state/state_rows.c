#include "app/state/state_rows.h"

#include <stdlib.h>
#include <string.h>

#include "app/state/pane.h"
#include "app/state/state_notes.h"
#include "app/state/state_sim.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"

#define UNFOLDED_ROWS 60 /* at first so much of the tree is open */

size_t *
state_tree_rows(const struct state *s, size_t *n)
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

/* Fold what lies deepest until few enough rows are open. */
void
state_fold_at_first(struct state *s)
{
	const struct udd_outline *t = s->question.outline;
	size_t open = t->n;

	for (uint32_t depth = 12; depth > 1 && open > UNFOLDED_ROWS; depth--) {
		size_t n;

		for (size_t i = 0; i < t->n; i++)
			if (t->row[i].depth >= depth && t->row[i].below)
				s->view.tree.folded[i] = true;
		free(state_tree_rows(s, &n));
		open = n;
	}
}

void
state_fold(struct state *s, int how)
{
	size_t n, *row = state_tree_rows(s, &n), at = (size_t)s->view.cursor[PANE_TREE];

	if (at < n) {
		size_t i = row[at];

		if (how < 0 && (s->view.tree.folded[i] || !s->question.outline->row[i].below)) {
			while (at > 0 && s->question.outline->row[row[at]].depth >= s->question.outline->row[i].depth)
				at--;
			s->view.cursor[PANE_TREE] = (int)at;
		} else if (s->question.outline->row[i].below) {
			s->view.tree.folded[i] = how ? how < 0 : !s->view.tree.folded[i];
		}
	}
	free(row);
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
	.length = features_length, .has = feature_has, .note = state_note_on_features};
const struct pane_ops state_pane_about_features = {.note = state_note_on_features};

static int
tree_length(const struct state *s)
{
	size_t n;

	free(state_tree_rows(s, &n));
	return (int)n;
}

static bool
outline_has(const struct outline_row *r, const char *words)
{
	for (size_t k = 0; k < r->n_items; k++)
		if (strcasestr(r->item[k].text, words))
			return true;
	return r->text && strcasestr(r->text, words);
}

/* Make the i-th outline row visible and put the cursor on it. */
static void
reveal(struct state *s, size_t i)
{
	size_t n, *row;

	for (size_t k = 0; k < i; k++)
		if (k + s->question.outline->row[k].below >= i)
			s->view.tree.folded[k] = false;
	row = state_tree_rows(s, &n);
	for (size_t k = 0; k < n; k++)
		if (row[k] == i)
			s->view.cursor[PANE_TREE] = (int)k;
	free(row);
}

/* Also in rows that are folded. */
static bool
find_in_tree(struct state *s, const char *words)
{
	size_t shown, *row = state_tree_rows(s, &shown), n = s->question.outline ? s->question.outline->n : 0,
		      at = (size_t)s->view.cursor[PANE_TREE], from = at < shown ? row[at] : 0;

	free(row);
	for (size_t k = 1; k <= n; k++)
		if (outline_has(&s->question.outline->row[(from + k) % n], words)) {
			reveal(s, (from + k) % n);
			return true;
		}
	return false;
}

const struct pane_ops state_pane_tree = {
	.length = tree_length, .find = find_in_tree, .note = state_note_on_features};

static bool
find_row(struct state *s, const struct pane_ops *ops, const char *words)
{
	enum pane_id pane = state_pane(s);
	int n = ops->length && ops->has ? ops->length(s) : 0;

	for (int k = 1; k <= n; k++) {
		int i = (s->view.cursor[pane] + k) % n;

		if (ops->has(s, (size_t)i, words)) {
			state_choose(s, pane, i);
			return true;
		}
	}
	return false;
}

void
state_find_next(struct state *s)
{
	const struct pane_ops *ops = pane_ops(state_pane(s));

	if (!s->view.find || !*s->view.find)
		return;
	if (!(ops->find ? ops->find(s, s->view.find) : find_row(s, ops, s->view.find)))
		state_say(s, true, "nothing here holds \"%s\"", s->view.find);
}

static size_t
count_names(char *const *name)
{
	size_t n = 0;

	while (name && name[n])
		n++;
	return n;
}

static int
popup_length(const struct state *s)
{
	size_t n = 0;

	if (s->view.popup.kind == POPUP_VARIANT)
		return (int)s->question.model->n_variants;
	if (s->view.popup.kind == POPUP_SIMULATED)
		return (int)state_sim_rows(s);
	if (s->view.popup.kind == POPUP_NOTES)
		return (int)s->question.remarks.n;
	if (s->view.popup.kind == POPUP_WRITE)
		return WRITE_ITEMS;
	if (s->view.popup.kind == POPUP_LOSS) {
		free(state_counters(s, &n));
		return (int)n;
	}
	return s->layout->popup_rows > 0 ? s->layout->popup_rows : 1;
}

static int
start_length(const struct state *s)
{
	enum start_pane at = state_start_pane(s);

	return at == START_MENU ? START_ITEMS
		: at == START_MEASURE ? (int)s->data.machine.n
				      : (int)count_names(s->data.installed.name);
}

int
state_list_length(const struct state *s)
{
	enum pane_id pane = state_pane(s);

	if (s->view.popup.kind != POPUP_NONE)
		return popup_length(s);
	if (s->view.current == VIEW_START)
		return start_length(s);
	if (pane_ops(pane)->length)
		return pane_ops(pane)->length(s);
	return s->layout->rows[pane] > 0 ? s->layout->rows[pane] : 1;
}
