#include "app/state/state_rows.h"

#include <stdlib.h>
#include <string.h>

#include "app/state/state_search.h"
#include "app/state/state_sim.h"
#include "app/state/state_timeline.h"
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

static size_t
count_names(char *const *name)
{
	size_t n = 0;

	while (name && name[n])
		n++;
	return n;
}

static int
text_rows(const struct state *s, enum pane_id pane)
{
	return s->layout->rows[pane] > 0 ? s->layout->rows[pane] : 1;
}

int
state_list_length(const struct state *s)
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
	if (s->view.popup.kind != POPUP_NONE)
		return s->layout->popup_rows > 0 ? s->layout->popup_rows : 1;
	if (s->view.current == VIEW_START)
		return state_start_pane(s) == START_MENU       ? START_ITEMS
			: state_start_pane(s) == START_MEASURE ? (int)s->data.machine.n
							  : (int)count_names(s->data.installed.name);
	if (s->view.current == VIEW_PATHS || s->view.current == VIEW_STALLS || s->view.current == VIEW_QUEUES)
		return state_timeline_rows(s);
	if (!s->question.model)
		return 0;
	switch (state_pane(s)) {
	case PANE_FEATURES:
		return (int)s->question.model->n_features;
	case PANE_TREE:
		free(state_tree_rows(s, &n));
		return (int)n;
	case PANE_WHY:
		return text_rows(s, PANE_WHY);
	case PANE_SEARCH:
		free(state_search_rows(s, &n));
		return (int)n;
	case PANE_OBSERVATIONS:
		return s->answers.result ? (int)s->answers.result->n_findings : 0;
	case PANE_CONSTRAINTS:
	case PANE_MATRIX:
		free(state_constraints(s, &n));
		return (int)n;
	case PANE_BROKEN:
		return state_constraint(s) ? (int)state_constraint(s)->n_breaches : 0;
	case PANE_LIST:
		free(state_observations(s, &n));
		return (int)n;
	case PANE_WITNESS:
	case PANE_SELECTED:
	case PANE_TOUCHED:
	case PANE_OBSERVED:
	case PANE_SAMPLES:
		return text_rows(s, state_pane(s));
	case PANE_PLOT:
	case PANE_LEGEND:
	case PANE_WHOLE:
	case PANE_NETWORK:
	case PANE_PATH_MAP:
	case PANE_NODE:
	case PANE_SNAPSHOTS:
	case PANE_FLOWS:
	case PANE_BARS:
	case PANE_COMPONENTS:
	case PANE_METHODS:
	case PANE_QUEUES:
	case PANE_LENGTHS:
	case PANE_QUEUE:
	case PANE_COUNT:
		break;
	}
	return 0;
}

/* The finding in the i-th row of a list of observations. */
static const char *
finding_name(const struct state *s, size_t i)
{
	const struct constraint_row *row = state_constraint(s);
	size_t n, *order = state_observations(s, &n),
		  at = state_pane(s) == PANE_LIST ? order[i] : row->breach[i].finding;

	free(order);
	return s->answers.result->finding[at].name;
}

static const char *
constraint_text(const struct state *s, size_t i)
{
	size_t n, *order = state_constraints(s, &n), at = order[i];

	free(order);
	return s->answers.constraints->row[at].c->text;
}

/* A model by its variant, or by its features. */
static bool
search_row_has(const struct state *s, size_t i, const char *words)
{
	size_t n;
	struct search_row *row = state_search_rows(s, &n);
	struct str text = {0};
	bool has;

	if (i < n && row[i].kind == SEARCH_ROW_MODEL) {
		search_name(s->question.model, &s->answers.search.graph->model[row[i].model].on, &text);
		str_add(&text, " ");
		search_features(s->question.model, &s->answers.search.graph->model[row[i].model].on, &text);
	}
	has = strcasestr(str_text(&text), words);
	free(row);
	str_free(&text);
	return has;
}

/* Does the row's text hold the words that are looked for? */
static bool
row_has(const struct state *s, size_t i, const char *words)
{
	const struct outline_row *r;

	switch (state_pane(s)) {
	case PANE_FEATURES:
		return strcasestr(s->question.model->feature[i].name, words) ||
			strcasestr(s->question.model->feature[i].text, words);
	case PANE_SEARCH:
		return search_row_has(s, i, words);
	case PANE_OBSERVATIONS:
		return strcasestr(s->answers.result->finding[i].name, words);
	case PANE_TREE:
		r = &s->question.outline->row[i];
		for (size_t k = 0; k < r->n_items; k++)
			if (strcasestr(r->item[k].text, words))
				return true;
		return r->text && strcasestr(r->text, words);
	case PANE_CONSTRAINTS:
	case PANE_MATRIX:
		return strcasestr(constraint_text(s, i), words);
	case PANE_BROKEN:
	case PANE_LIST:
		return strcasestr(finding_name(s, i), words);
	case PANE_WHY:
	case PANE_WITNESS:
	case PANE_SELECTED:
	case PANE_TOUCHED:
	case PANE_OBSERVED:
	case PANE_SAMPLES:
	case PANE_PLOT:
	case PANE_LEGEND:
	case PANE_WHOLE:
	case PANE_NETWORK:
	case PANE_PATH_MAP:
	case PANE_NODE:
	case PANE_SNAPSHOTS:
	case PANE_FLOWS:
	case PANE_BARS:
	case PANE_COMPONENTS:
	case PANE_METHODS:
	case PANE_QUEUES:
	case PANE_LENGTHS:
	case PANE_QUEUE:
	case PANE_COUNT:
		break;
	}
	return false;
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

void
state_find_next(struct state *s)
{
	bool text = state_pane(s) == PANE_WHY || state_pane(s) == PANE_WITNESS || state_pane(s) == PANE_SELECTED ||
		state_pane(s) == PANE_TOUCHED || state_pane(s) == PANE_OBSERVED || state_pane(s) == PANE_SAMPLES;
	size_t n = state_pane(s) == PANE_TREE ? s->question.outline->n
		: text                   ? 0
					 : (size_t)state_list_length(s),
	       from = (size_t)s->view.cursor[state_pane(s)];

	if (!s->view.find || !*s->view.find)
		return;
	if (state_pane(s) == PANE_TREE) {
		size_t shown, *row = state_tree_rows(s, &shown);

		from = from < shown ? row[from] : 0;
		free(row);
	}
	for (size_t k = 1; k <= n; k++) {
		size_t i = (from + k) % n;

		if (!row_has(s, i, s->view.find))
			continue;
		if (state_pane(s) == PANE_TREE) {
			reveal(s, i);
		} else {
			state_choose(s, state_pane(s), (int)i);
		}
		return;
	}
	state_say(s, true, "nothing here holds \"%s\"", s->view.find);
}
