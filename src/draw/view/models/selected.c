/* Panes of view 1 on large screens: a µpath with the counter under the tree's cursor, and numbers of the selected
 * observation. */
#include "draw/view/models/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
draw_witness(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	size_t c = state_witness_counter(s);
	bool there = s->answers.witness.text && s->answers.witness.of == c;

	(void)focus;
	if (there && *s->answers.witness.text) {
		d->layout.rows[PANE_WITNESS] = draw_text(g, r, s->answers.witness.text, s->view.cursor[PANE_WITNESS]);
		accent_counters(g, r);
		if (!fset_equal(&s->answers.witness.on, &s->question.on))
			grid_dim(g, r);
	} else {
		struct page p = {.s = s, .g = g, .r = r};

		page_words(&p, ROLE_DIM,
			there ? "The engine gave no answer."
				: c < s->question.model->n_counters ? "Looking for a µpath…"
					: "No row from the tree's cursor on raises a counter.");
		page_blank(&p);
		page_words(&p, ROLE_TEXT,
			c < s->question.model->n_counters ? "" : "Move the cursor of the tree to a row with ■.");
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
selected_add_verdict(struct page *p, const struct finding *f)
{
	struct line l = page_line(p);
	char number[NUMBER_TEXT];

	line_add(&l, page_role(p, finding_role(f)), CELL_BOLD, "%s %s", finding_mark(f),
		verdict_name(f->verdict));
	line_gap(&l, 2);
	if (isfinite(f->measure.distance2))
		line_distance(&l, f);
	if (f->data.exact) {
		page_words(p, ROLE_DIM, "exact totals of one run");
		return;
	}
	if (f->reason)
		page_words(p, ROLE_DIM, f->reason);
	l = page_line(p);
	line_add(&l, ROLE_TEXT, 0, "%zu samples", f->data.samples);
	if (isfinite(f->data.effective))
		line_add(&l, ROLE_TEXT, 0, ", %s effective", number_count(number, f->data.effective, false));
	if (!isfinite(f->measure.distance2))
		return;
	l = page_line(p);
	for (size_t k = 0; k < REGION_KINDS; k++) {
		line_add(&l, ROLE_DIM, 0, "%s ", region_name((enum region_kind)k));
		line_add(&l, page_role(p, verdict_role(f->own.region[k])), 0, "%s  ", verdict_mark(f->own.region[k]));
	}
	if (l.end - l.x < 8) /* "family ✓" */
		l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "family ");
	line_add(&l, page_role(p, verdict_role(f->own.family_wise)), 0, "%s", verdict_mark(f->own.family_wise));
}

/* Does the verdict depend on the counter? True for counters of the worst violated constraint. */
static bool
in_worst(const struct finding *f, size_t counter)
{
	return f->verdict == VERDICT_INFEASIBLE && f->proof.n_violated && f->proof.violated->coef[counter];
}

static void
selected_add_counter(struct page *p, const struct finding *f, size_t i)
{
	const struct udd_counter *c = &p->s->question.model->counter[i];
	struct line l = page_line(p);
	struct pen pen = l.pen;
	int end = p->r.x + p->r.w - 1, why = counters_letters_width(p->s), names = p->r.w - 26 - why;
	char number[NUMBER_TEXT], text[NUMBER_TEXT], letters[LETTERS_TEXT];
	bool there = isfinite(f->counter.value[i]);

	pen.fg = there ? ROLE_TEXT : ROLE_DIM;
	names = names > 8 ? names : 8;
	pen_fit_head(&pen, l.x, l.y, names, c->name);
	pen.fg = ROLE_BORDERLINE;
	pen_text(&pen, l.x + names + 1, l.y, counter_letters(p->s, i, letters));
	pen.fg = !there ? ROLE_DIM : in_worst(f, i) ? page_role(p, ROLE_INFEASIBLE) : ROLE_TEXT;
	pen_right(&pen, end - (f->data.exact ? 0 : 14), l.y, number_count(number, f->counter.value[i], false));
	if (f->data.exact || !there)
		return;
	pen.fg = ROLE_DIM;
	if (i < f->counter.n_deviations && isfinite(f->counter.deviation[i]) && f->counter.value[i] > 0) {
		pen_right(&pen, end - 6, l.y, number_spread(number, f->counter.deviation[i] / f->counter.value[i]));
	}
	if (i < f->counter.n_running && isfinite(f->counter.running[i])) {
		snprintf(text, sizeof text, "%.0f %%", 100 * f->counter.running[i]);
		pen_right(&pen, end, l.y, text);
	}
}

void
draw_selected(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct finding *f = state_finding(s);
	struct page p = {.s = s, .g = g, .r = r, .skip = s->view.cursor[PANE_SELECTED]};

	(void)focus;
	if (!f) {
		page_words(&p, ROLE_DIM, "No observation: what is selected in the list shows its numbers here.");
		return;
	}
	selected_add_verdict(&p, f);
	page_blank(&p);
	if (f->time.n_series > 1) {
		struct line l = page_line(&p);

		line_add(&l, ROLE_DIM, 0, "over time ");
		l.pen.fg = ROLE_ACCENT;
		draw_activity(&l.pen, l.x, l.y, l.end - l.x - 1, f);
		page_blank(&p);
	}
	for (size_t i = 0; i < s->question.model->n_counters; i++)
		if (isfinite(f->counter.value[i]))
			selected_add_counter(&p, f, i);
	for (size_t i = 0, some = 0; i < s->question.model->n_counters; i++)
		if (!isfinite(f->counter.value[i])) {
			if (!some++)
				page_blank(&p);
			selected_add_counter(&p, f, i);
		}
	d->layout.rows[PANE_SELECTED] = page_rows(&p);
}
