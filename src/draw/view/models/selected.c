/* Panes of view 1 on large screens: a µpath with the counter under the tree's cursor, and numbers of the selected
 * observation. */
#include "draw/view/models/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_history.h"
#include "draw/view/view_trust.h"

void
title_witness(const struct state *s, struct str *title, struct str *info)
{
	size_t c = state_witness_counter(s);

	str_add(title, "Signature witness");
	if (c < s->question.model->n_counters)
		str_add(info, s->question.model->counter[c].name);
}

void
draw_witness(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	size_t c = state_witness_counter(state);
	bool there = state->answers.witness.text && state->answers.witness.of == c;

	(void)focus;
	if (there && *state->answers.witness.text) {
		drawn->layout.rows[PANE_WITNESS] = draw_text(
			grid, r, state->answers.witness.text, state->view.cursor[PANE_WITNESS]);
		accent_counters(grid, r);
		if (!fset_equal(&state->answers.witness.on, &state->question.on))
			grid_dim(grid, r);
	} else {
		struct page p = {.s = state, .g = grid, .r = r};

		page_words(&p, ROLE_DIM,
			there ? "The engine gave no answer."
				: c < state->question.model->n_counters ? "Looking for a µpath…"
					: "No row from the tree's cursor on raises a counter.");
		page_blank(&p);
		page_words(&p, ROLE_TEXT,
			c < state->question.model->n_counters ? "" : "Move the cursor of the tree to a row with ■.");
	}
}

void
title_selected(const struct state *s, struct str *title, struct str *info)
{
	const struct finding *f = state_finding(s);

	str_add(title, "Selected observation");
	if (f)
		str_add(info, f->name);
}

static void
selected_add_verdict(struct page *page, const struct finding *finding)
{
	struct line l = page_line(page);
	char number[NUMBER_TEXT];

	line_add(&l, page_role(page, finding_role(finding)), CELL_BOLD, "%s %s", finding_mark(finding),
		verdict_name(finding->verdict));
	line_gap(&l, 2);
	if (isfinite(finding->measure.distance2))
		line_distance(&l, finding);
	if (finding->data.exact) {
		page_words(page, ROLE_DIM, "exact totals of one run");
		return;
	}
	if (finding->reason)
		page_words(page, ROLE_DIM, finding->reason);
	l = page_line(page);
	line_add(&l, ROLE_TEXT, 0, "%zu sample%s", finding->data.samples, plural_s(finding->data.samples));
	if (isfinite(finding->data.effective))
		line_add(&l, ROLE_TEXT, 0, ", %s effective", number_count(number, finding->data.effective, false));
	if (!isfinite(finding->measure.distance2))
		return;
	l = page_line(page);
	for (size_t k = 0; k < REGION_KINDS; k++) {
		line_add(&l, ROLE_DIM, 0, "%s ", region_name((enum region_kind)k));
		line_add(&l, page_role(page, verdict_role(finding->own.region[k])), 0, "%s  ",
			verdict_mark(finding->own.region[k]));
	}
	if (l.end - l.x < 8) /* "family ✓" */
		l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "family ");
	line_add(&l, page_role(page, verdict_role(finding->own.family_wise)), 0, "%s",
		verdict_mark(finding->own.family_wise));
}

/* Does the verdict depend on the counter? True for counters of the worst violated constraint. */
static bool
in_worst(const struct finding *f, size_t counter)
{
	return f->verdict == VERDICT_INFEASIBLE && f->proof.n_violated && f->proof.violated->coef[counter];
}

static void
selected_add_counter(struct page *page, const struct finding *finding, size_t i)
{
	const struct udd_counter *counter = &page->s->question.model->counter[i];
	struct line l = page_line(page);
	struct pen pen = l.pen;
	int end = page->r.x + page->r.w - 1, why = counters_letters_width(page->s), names = page->r.w - 26 - why;
	char number[NUMBER_TEXT], text[NUMBER_TEXT], letters[LETTERS_TEXT];
	bool there = isfinite(finding->counter.value[i]);

	pen.fg = there ? ROLE_TEXT : ROLE_DIM;
	names = names > 8 ? names : 8;
	pen_fit_head(&pen, l.x, l.y, names, counter->name);
	pen.fg = ROLE_BORDERLINE;
	pen_text(&pen, l.x + names + 1, l.y, counter_letters(page->s, i, letters));
	pen.fg = !there ? ROLE_DIM : in_worst(finding, i) ? page_role(page, ROLE_INFEASIBLE) : ROLE_TEXT;
	pen_right(&pen, end - (finding->data.exact ? 0 : 14), l.y,
		number_count(number, finding->counter.value[i], false));
	if (finding->data.exact || !there)
		return;
	pen.fg = ROLE_DIM;
	if (i < finding->counter.n_deviations && isfinite(finding->counter.deviation[i]) &&
		finding->counter.value[i] > 0) {
		pen_right(&pen, end - 6, l.y,
			number_spread(number, finding->counter.deviation[i] / finding->counter.value[i]));
	}
	if (i < finding->counter.n_running && isfinite(finding->counter.running[i])) {
		snprintf(text, sizeof text, "%.0f %%", 100 * finding->counter.running[i]);
		pen_right(&pen, end, l.y, text);
	}
}

void
draw_selected(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct finding *finding = state_finding(state);
	struct page p = {.s = state, .g = grid, .r = r, .skip = state->view.cursor[PANE_SELECTED]};

	(void)focus;
	if (!finding) {
		page_words(&p, ROLE_DIM, "No observation: what is selected in the list shows its numbers here.");
		return;
	}
	selected_add_verdict(&p, finding);
	page_blank(&p);
	if (finding->time.n_series > 1) {
		struct line l = page_line(&p);

		line_add(&l, ROLE_DIM, 0, "over time ");
		l.pen.fg = ROLE_ACCENT;
		draw_activity(&l.pen, l.x, l.y, l.end - l.x - 1, finding);
		page_blank(&p);
	}
	for (size_t i = 0; i < state->question.model->n_counters; i++)
		if (isfinite(finding->counter.value[i]))
			selected_add_counter(&p, finding, i);
	for (size_t i = 0, some = 0; i < state->question.model->n_counters; i++)
		if (!isfinite(finding->counter.value[i])) {
			if (!some++)
				page_blank(&p);
			selected_add_counter(&p, finding, i);
		}
	drawn->layout.rows[PANE_SELECTED] = page_rows(&p);
}
