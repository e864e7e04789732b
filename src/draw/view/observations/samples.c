/* The samples of an observation as a table, and two observations side by side. */
#include "draw/view/observations/observations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_trust.h"

enum { ROW_END = 7, TIME_END = 17, CELL = 11 };

static void
sample_heads(struct page *p, const struct obs_table *t, const struct obs *o, size_t first, int x0)
{
	struct line l = page_line(p);
	struct pen pen = l.pen;

	pen.fg = ROLE_DIM;
	pen_right(&pen, p->r.x + ROW_END, l.y, "row");
	if (o->time)
		pen_right(&pen, p->r.x + TIME_END, l.y, "time");
	for (size_t c = first; c < t->n_columns; c++) {
		int x = x0 + (int)(c - first) * CELL, w = pen_columns(&pen, t->column[c]);

		if (x + CELL > p->r.x + p->r.w)
			break;
		pen_fit_head(&pen, x + (w < CELL - 1 ? CELL - w : 1), l.y, CELL - 1, t->column[c]);
	}
}

static void
sample_row(struct page *p, const struct obs_table *t, const struct obs *o, size_t row, int y, size_t first, int x0)
{
	struct line l = line_on(p->g, p->r, y);
	double unit = pow(10, -o->decimals);
	char number[NUMBER_TEXT];
	struct pen pen = l.pen;

	pen.fg = ROLE_DIM;
	snprintf(number, sizeof number, "%zu", row + 1);
	pen_right(&pen, p->r.x + ROW_END, l.y, number);
	if (o->time && isfinite(o->time[row])) {
		snprintf(number, sizeof number, "%.3f", o->time[row]);
		pen_right(&pen, p->r.x + TIME_END, l.y, number);
	}
	for (size_t c = first; c < t->n_columns; c++) {
		int x = x0 + (int)(c - first) * CELL;
		size_t cell = row * o->n_columns + c;

		if (x + CELL > p->r.x + p->r.w)
			break;
		/* dim: scaled up, because the counter was multiplexed */
		pen.fg = !o->counted[cell] || (o->running && o->running[cell] < 1) ? ROLE_DIM : ROLE_TEXT;
		pen_right(&pen, x + CELL, l.y,
			o->counted[cell] ? number_count(number, (double)o->count[cell] * unit, false) : "·");
	}
}

void
page_samples(struct page *p)
{
	const struct obs_table *t = NULL;
	const struct finding *f = state_finding(p->s);
	const struct obs *o = f ? state_samples(p->s, f, &t) : NULL;
	size_t first = p->s->view.sample_column > 0 ? (size_t)p->s->view.sample_column : 0, from, to;
	int x0 = p->r.x + (o && o->time ? TIME_END : ROW_END) + 1;

	if (!o) {
		page_words(p, ROLE_DIM, "The samples are gone: the data have changed.");
		return;
	}
	if (first + 1 > t->n_columns)
		first = t->n_columns ? t->n_columns - 1 : 0;
	sample_heads(p, t, o, first, x0);
	/* There may be millions of rows: reads only the visible ones. */
	from = p->skip > p->row ? (size_t)(p->skip - p->row) : 0;
	to = from + (size_t)(p->r.h > 0 ? p->r.h : 0);
	for (size_t row = from; row < to && row < f->data.rows; row++)
		sample_row(p, t, o, row + f->data.row, p->row - p->skip + (int)row, first, x0);
	p->row += f->data.rows < INT32_MAX / 2 ? (int)f->data.rows : INT32_MAX / 2;
}

void
draw_samples(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct page p = {.s = s, .g = g, .r = r, .skip = s->view.cursor[PANE_SAMPLES]};

	(void)focus;
	if (!state_finding(s)) {
		page_words(&p, ROLE_DIM, "No observation yet.");
		return;
	}
	page_samples(&p);
	d->layout.rows[PANE_SAMPLES] = page_rows(&p);
}

/* Two marked observations, or a marked one and the selected one. */
static bool
choose_two(const struct state *s, size_t two[2])
{
	size_t n = 0;

	for (size_t i = 0; s->answers.result && i < s->answers.result->n_findings && i < s->view.marks.n && n < 2; i++)
		if (s->view.marks.on[i])
			two[n++] = i;
	if (n == 1 && two[0] != s->view.selected && state_finding(s))
		two[n++] = s->view.selected;
	return n == 2;
}

static void
compare_counter(struct page *p, const struct finding *a, const struct finding *b, size_t i, int names,
	int why)
{
	struct line l = page_line(p);
	struct pen pen = l.pen;
	char number[NUMBER_TEXT], times[NUMBER_TEXT], letters[LETTERS_TEXT];
	double x = a->counter.value[i], y = b->counter.value[i];

	line_add(&l, ROLE_TEXT, 0, "%s", p->s->question.model->counter[i].name);
	line_to(&l, names + 1);
	line_add(&l, ROLE_BORDERLINE, 0, "%s", counter_letters(p->s, i, letters));
	names += why;
	pen_right(&pen, p->r.x + names + 14, l.y, number_count(number, x, false));
	pen_right(&pen, p->r.x + names + 28, l.y, number_count(number, y, false));
	if (x > 0 && isfinite(y)) {
		snprintf(number, sizeof number, "%.20s×", number_count(times, y / x, false));
		pen.fg = y / x > 1.5 || y / x < 0.667 ? ROLE_ACCENT : ROLE_DIM;
		pen_right(&pen, p->r.x + names + 38, l.y, number);
		draw_bar(&pen, p->r.x + names + 40, l.y, p->r.w - names - 41, fmin(1, y / x / 4));
	}
}

int
draw_compare_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	struct rect in = draw_popup(g, screen, 96, screen.h - 6, "Compare", "means · bar: right over left, full at 4×");
	struct page p = {.s = s, .g = g, .r = in, .skip = first};
	size_t two[2];
	int names = 8;

	if (!choose_two(s, two)) {
		page_words(&p, ROLE_DIM, "Two observations are needed: m marks one.");
		return page_rows(&p);
	}
	for (size_t i = 0; i < s->question.model->n_counters; i++) {
		int w = pen_columns(&(struct pen){.grid = g}, s->question.model->counter[i].name) + 1;

		names = w > names ? w : names;
	}
	for (int k = 0; k < 2; k++) {
		const struct finding *f = &s->answers.result->finding[two[k]];
		struct line l = page_line(&p);

		line_add(&l, ROLE_DIM, 0, "%s  ", k == 0 ? "left" : "right");
		line_to(&l, 8);
		line_add(&l, page_role(&p, finding_role(f)), CELL_BOLD, "%s %s", finding_mark(f),
			f->name);
		line_gap(&l, 2);
		line_add(&l, ROLE_DIM, 0, "%s, %zu sample%s", verdict_name(f->verdict), f->data.samples,
			f->data.samples == 1 ? "" : "s");
		if (f->proof.n_violated) {
			char *text = relation_pretty(f->proof.violated->text);

			line_gap(&l, 2);
			line_relation(&l, ROLE_DIM, 0, 0, text);
			free(text);
		}
	}
	page_blank(&p);
	for (size_t i = 0; i < s->question.model->n_counters; i++)
		if (isfinite(s->answers.result->finding[two[0]].counter.value[i]) ||
			isfinite(s->answers.result->finding[two[1]].counter.value[i]))
			compare_counter(&p, &s->answers.result->finding[two[0]], &s->answers.result->finding[two[1]], i,
				names, counters_letters_width(s));
	return page_rows(&p);
}
