#include "explorer/state/state_reload.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_answers.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_lists.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_tree.h"
#include "explorer/state/undo_steps.h"
#include "work/analysis/constraints.h"

#define NAMES_SAID 3 /* names in the sentence about what is gone; of more it gives the number */

/* --- names -------------------------------------------------------------------------------------------------------- */

static bool
same_meaning(const struct udd_model *a, const struct udd_model *b)
{
	struct str x = {0}, y = {0};
	bool same;

	udd_print(a, &x);
	udd_print(b, &y);
	same = a->form == b->form && str_eq(str_text(&x), str_text(&y));
	str_free(&x);
	str_free(&y);
	return same;
}

/* Adds "feature merging is gone", or "4 features are gone". */
static void
add_gone(struct str *gone, const char *what, const char *const *name, size_t n)
{
	if (!n)
		return;
	str_add(gone, gone->n ? ", " : "");
	if (n > NAMES_SAID)
		str_addf(gone, "%zu ", n);
	str_addf(gone, "%s%s", what, plural_s(n));
	for (size_t i = 0; i < n && n <= NAMES_SAID; i++)
		str_addf(gone, "%s%s", i ? ", " : " ", name[i]);
	str_add(gone, n == 1 ? " is gone" : " are gone");
}

/* --- what is kept by name ----------------------------------------------------------------------------------------- */

static struct fset
translate_set(const struct fset *set, const struct udd_model *from, const struct udd_model *to)
{
	struct fset out = {0};

	for (size_t i = 0; i < from->n_features; i++) {
		size_t k = fset_has(set, i) ? udd_feature_named(to, from->feature[i].name) : to->n_features;

		if (k < to->n_features)
			fset_put(&out, k, true);
	}
	return out;
}

static void
keep_features(struct state *state, const struct udd_model *from, const struct udd_model *to, struct str *gone)
{
	struct question *question = &state->question;
	const char **name = mem_new_array(from->n_features + 1, sizeof *name);
	size_t at = (size_t)state->view.cursor[PANE_FEATURES], n = 0;

	for (size_t i = 0; i < from->n_features; i++)
		if (udd_feature_named(to, from->feature[i].name) == to->n_features)
			name[n++] = from->feature[i].name;
	add_gone(gone, "feature", name, n);
	if (at < from->n_features) {
		size_t now = udd_feature_named(to, from->feature[at].name);

		state->view.cursor[PANE_FEATURES] = (int)(now < to->n_features ? now : at < to->n_features ? at : 0);
	}
	question->on = translate_set(&question->on, from, to);
	question->pinned = translate_set(&question->pinned, from, to);
	if (!udd_legal(to, &question->on, NULL)) {
		udd_choose(to, NULL, NULL, NULL, &question->on, NULL);
		str_addf(gone, "%sthe features that were on break its rules, so its own are on", gone->n ? ", " : "");
	}
	free(name);
}

/* The counters that are used, and those on the axes of view 4. */
static void
keep_counters(struct state *state, const struct udd_model *from, const struct udd_model *to, struct str *gone)
{
	struct analysis_options *how = &state->question.how;
	struct plot_view *plot = &state->view.plot;
	bool *used = how->counter ? mem_new_array(to->n_counters, sizeof *used) : NULL, some = false;
	const char **name = mem_new_array(from->n_counters + 1, sizeof *name);
	size_t n = 0;

	for (size_t i = 0; i < from->n_counters; i++) {
		size_t k = udd_counter_named(to, from->counter[i].name);

		if (k == to->n_counters)
			name[n++] = from->counter[i].name;
		else if (used)
			some |= used[k] = how->counter[i];
	}
	add_gone(gone, "counter", name, n);
	free(how->counter);
	how->counter = some ? used : NULL;
	how->n_counters = some ? to->n_counters : 0;
	if (!some)
		free(used);
	for (int i = 0; i < 2 && plot->chosen; i++) {
		if (plot->axis[i] < from->n_counters)
			plot->axis[i] = udd_counter_named(to, from->counter[plot->axis[i]].name);
		plot->chosen = plot->axis[i] < to->n_counters;
	}
	free(plot->row);
	plot->row = NULL;
	free(name);
}

/* Names of the outline's rows, each with those of the rows above it. The caller frees. */
static uint64_t *
name_rows(const struct udd_outline *outline)
{
	uint64_t *name = mem_new_array(outline->n, sizeof *name);

	for (size_t i = 0; i < outline->n; i++) {
		const struct outline_row *row = &outline->row[i];
		size_t above = i;

		while (above > 0 && outline->row[above].depth >= row->depth)
			above--;
		name[i] = thing_number(row->depth ? name[above] : 0, row->kind);
		name[i] = thing_text(name[i], row->text ? row->text : "");
		for (size_t k = 0; k < row->n_items; k++)
			name[i] = thing_text(name[i], row->item[k].text);
	}
	return name;
}

/* Makes the outline of the new model. Its rows are folded like the rows of the same names before. */
static void
remake_outline(struct state *state)
{
	struct tree_view *tree = &state->view.tree, old = *tree;
	uint64_t *was = name_rows(state->question.outline), *is;

	*tree = (struct tree_view){0};
	state_make_outline(state);
	is = name_rows(state->question.outline);
	for (size_t i = 0, from = 0; i < tree->n; i++)
		for (size_t k = 0; k < old.n; k++) {
			size_t at = (from + k) % old.n; /* most rows are where they were, or a few further on */

			if (was[at] == is[i]) {
				tree->folded[i] = old.folded[at] && state->question.outline->row[i].below;
				from = at + 1;
				break;
			}
		}
	state_shown_changed(state);
	free(old.folded);
	free(was);
	free(is);
}

/* --- what goes ---------------------------------------------------------------------------------------------------- */

static void
forget_numbers(struct state *s)
{
	state_forget_events(s);
	state_forget_history(s);
	free(s->data.so_far.total);
	free(s->data.so_far.counted);
	s->data.so_far.total = NULL;
	s->data.so_far.counted = NULL;
	free(s->answers.witness.text);
	s->answers.witness.text = NULL;
	requests_drop(&s->requests, REQUEST_FLOW);
	requests_drop(&s->requests, REQUEST_WITNESS);
	state_forget_search(s);
	state_undo_forget(s);
}

/* Popups that show an answer, or a list of what the model has. */
static void
close_answers(struct state *s)
{
	static const enum popup stay[] = {POPUP_HELP, POPUP_DOCTOR, POPUP_OUTPUT, POPUP_TEXT, POPUP_NOTES, POPUP_WRITE,
		POPUP_THEMES, POPUP_COLUMNS};
	bool stays = s->view.popup.kind == POPUP_NONE;

	for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
		stays |= s->view.popup.kind == stay[i];
	if (!stays)
		state_close_popup(s);
}

static void
forget_result(struct state *s, struct reload_cursors *kept)
{
	const struct constraint_row *row = state_constraint(s);

	if (!kept->wait && s->answers.result) {
		kept->observation = state_finding(s) ? mem_str(state_finding(s)->name) : NULL;
		kept->constraint = row && s->view.chose_constraint ? mem_str(row->c->text) : NULL;
	}
	kept->wait = true;
	state_forget_answers(s);
	s->view.selected = s->view.constraint = 0;
	s->view.chose_constraint = false;
}

/* --- from outside ------------------------------------------------------------------------------------------------- */

/* A run borrows names and events of its model, so that stays until the runs go. */
static void
retire_model(struct question *question)
{
	question->retired = mem_resize(question->retired, question->n_retired + 1, sizeof *question->retired);
	question->retired[question->n_retired++] = question->model;
}

void
state_reload_model(struct state *state, struct bundle *bundle, struct udd_model *model, struct reload_cursors *kept,
	struct str *gone)
{
	struct question *question = &state->question;
	const struct udd_model *old = question->model;
	bool alike = same_meaning(old, model);

	bundle_free(&question->bundle);
	question->bundle = *bundle;
	*bundle = (struct bundle){0};
	if (alike) { /* the engine need not know */
		udd_free(model);
		return;
	}
	if (state->answers.search.graph && state->answers.search.graph->task != SEARCH_NONE)
		str_add(gone, "the search was of the old text");
	keep_features(state, old, model, gone);
	keep_counters(state, old, model, gone);
	if (gone->n && question->remarks.n)
		str_addf(gone, ", %zu note%s kept", question->remarks.n, plural_s(question->remarks.n));
	close_answers(state);
	forget_result(state, kept);
	forget_numbers(state);
	retire_model(question);
	question->model = model;
	remake_outline(state);
	state_want_nothing(state);
	state_sync_cursors(state);
	state_request(state, REQUEST_LOAD);
	state_request(state, REQUEST_RESULT);
}

bool
state_reload_cursors(struct state *s, struct reload_cursors *kept)
{
	const struct result *result = s->answers.result;
	const struct constraint_table *table = s->answers.constraints;

	if (!kept->wait || !result || !table || state_stale(s))
		return false;
	for (size_t i = 0; kept->observation && i < result->n_findings; i++)
		if (str_eq(result->finding[i].name, kept->observation))
			s->view.selected = i;
	for (size_t i = 0; kept->constraint && i < table->n; i++)
		if (str_eq(table->row[i].c->text, kept->constraint)) {
			s->view.constraint = i;
			s->view.chose_constraint = true;
		}
	state_sync_cursors(s);
	reload_cursors_free(kept);
	return true;
}

void
reload_cursors_free(struct reload_cursors *kept)
{
	free(kept->observation);
	free(kept->constraint);
	*kept = (struct reload_cursors){0};
}
