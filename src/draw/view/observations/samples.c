/* The samples of an observation as a table, and two observations side by side. */
#include "draw/view/observations/observations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/udd/model.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"

enum { ROW_END = 7, TIME_END = 17, CELL = 11 };

static void
sample_heads(struct page *page, const struct obs_table *t, const struct obs *obs, size_t first, int x0)
{
	struct line l = page_line(page);
	struct pen pen = l.pen;

	pen.fg = ROLE_DIM;
	pen_right(&pen, page->r.x + ROW_END, l.y, "row");
	if (obs->time)
		pen_right(&pen, page->r.x + TIME_END, l.y, "time");
	for (size_t c = first; c < t->n_columns; c++) {
		int x = x0 + (int)(c - first) * CELL, w = pen_columns(&pen, t->column[c]);

		if (x + CELL > page->r.x + page->r.w)
			break;
		pen_fit_head(&pen, x + (w < CELL - 1 ? CELL - w : 1), l.y, CELL - 1, t->column[c]);
	}
}

static void
sample_row(struct page *page, const struct obs_table *table, const struct obs *obs, size_t row, int y, size_t first,
	int x0)
{
	const struct obs_rows cells = obs_rows(obs, row, row + 1);
	struct line l = line_on(page->g, page->r, y);
	double unit = pow(10, -obs->decimals);
	char number[NUMBER_TEXT];
	struct pen pen = l.pen;

	pen.fg = ROLE_DIM;
	snprintf(number, sizeof number, "%zu", row + 1);
	pen_right(&pen, page->r.x + ROW_END, l.y, number);
	if (obs->time && isfinite(obs->time[row])) {
		snprintf(number, sizeof number, "%.3f", obs->time[row]);
		pen_right(&pen, page->r.x + TIME_END, l.y, number);
	}
	for (size_t c = first; c < table->n_columns; c++) {
		int x = x0 + (int)(c - first) * CELL;

		if (x + CELL > page->r.x + page->r.w)
			break;
		/* dim: scaled up, because the counter was multiplexed */
		pen.fg = !cells.counted[c] || (cells.running && cells.running[c] < 1) ? ROLE_DIM : ROLE_TEXT;
		pen_right(&pen, x + CELL, l.y,
			cells.counted[c] ? number_count(number, (double)cells.count[c] * unit, false) : "·");
	}
}

void
page_samples(struct page *page)
{
	const struct obs_table *table = NULL;
	const struct finding *finding = state_finding(page->s);
	const struct obs *obs = finding ? state_samples(page->s, finding, &table) : NULL;
	size_t first = page->s->view.columns.sample > 0 ? (size_t)page->s->view.columns.sample : 0, from, to;
	int x0 = page->r.x + (obs && obs->time ? TIME_END : ROW_END) + 1;

	if (!obs) {
		page_words(page, ROLE_DIM, "The samples are gone: the data have changed.");
		return;
	}
	if (first + 1 > table->n_columns)
		first = table->n_columns ? table->n_columns - 1 : 0;
	sample_heads(page, table, obs, first, x0);
	/* There may be millions of rows: reads only the visible ones. */
	from = page->skip > page->row ? (size_t)(page->skip - page->row) : 0;
	to = from + (size_t)(page->r.h > 0 ? page->r.h : 0);
	for (size_t row = from; row < to && row < finding->data.rows; row++)
		sample_row(page, table, obs, row + finding->data.row, page->row - page->skip + (int)row, first, x0);
	page->row += finding->data.rows < INT32_MAX / 2 ? (int)finding->data.rows : INT32_MAX / 2;
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
compare_counter(struct page *page, const struct finding *a, const struct finding *b, size_t i, int names,
	int why)
{
	struct line l = page_line(page);
	struct pen pen = l.pen;
	char number[NUMBER_TEXT], times[NUMBER_TEXT], letters[LETTERS_TEXT];
	double x = a->counter.value[i], y = b->counter.value[i];

	line_add(&l, ROLE_TEXT, 0, "%s", page->s->question.model->counter[i].name);
	line_to(&l, names + 1);
	line_add(&l, ROLE_BORDERLINE, 0, "%s", counter_letters(page->s, i, letters));
	names += why;
	pen_right(&pen, page->r.x + names + 14, l.y, number_count(number, x, false));
	pen_right(&pen, page->r.x + names + 28, l.y, number_count(number, y, false));
	if (x > 0 && isfinite(y)) {
		snprintf(number, sizeof number, "%.20s×", number_count(times, y / x, false));
		pen.fg = y / x > 1.5 || y / x < 0.667 ? ROLE_ACCENT : ROLE_DIM;
		pen_right(&pen, page->r.x + names + 38, l.y, number);
		draw_bar(&pen, page->r.x + names + 40, l.y, page->r.w - names - 41, fmin(1, y / x / 4));
	}
}

static int
draw_compare_popup(const struct state *s, struct grid *grid, struct rect screen, int first)
{
	struct rect in = draw_popup(
		grid, screen, 96, screen.h - 6, "Compare", "means · bar: right over left, full at 4×");
	struct page p = {.s = s, .g = grid, .r = in, .skip = first};
	size_t two[2];
	int names = 8;

	if (!choose_two(s, two)) {
		page_words(&p, ROLE_DIM, "Two observations are needed: m marks one.");
		return page_rows(&p);
	}
	for (size_t i = 0; i < s->question.model->n_counters; i++) {
		int w = pen_columns(&(struct pen){.grid = grid}, s->question.model->counter[i].name) + 1;

		names = w > names ? w : names;
	}
	for (int k = 0; k < 2; k++) {
		const struct finding *finding = &s->answers.result->finding[two[k]];
		struct line l = page_line(&p);

		line_add(&l, ROLE_DIM, 0, "%s  ", k == 0 ? "left" : "right");
		line_to(&l, 8);
		line_add(&l, page_role(&p, finding_role(finding)), CELL_BOLD, "%s %s", finding_mark(finding),
			finding->name);
		line_gap(&l, 2);
		line_add(&l, ROLE_DIM, 0, "%s, %zu sample%s", verdict_name(finding->verdict), finding->data.samples,
			plural_s(finding->data.samples));
		if (finding->proof.n_violated) {
			char *text = relation_pretty(finding->proof.violated->text);

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

const struct popup_draw popup_draw_compare = {.text = draw_compare_popup};
