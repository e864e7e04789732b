/* View 3, Observations: the list with verdict, distance, history and worst violation; next to it or below, the selected
 * observation. */
#include "draw/view/observations/observations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "draw/panes.h"
#include "draw/view/view_history.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "work/run/run.h"

enum { SIDE_BY_SIDE = 110, WIDE = 160, HUGE_WIDE = 200, HUGE_TALL = 50 };

static const struct pane_spec list_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 3, .weight_h = 3},
};
static const struct pane_spec observed_wish[] = {
	{.priority = 1, .band = 1, .min_w = 40, .min_h = 6, .weight_w = 1, .weight_h = 2, .from_h = 14,
		.below_w = SIDE_BY_SIDE},
	{.priority = 1, .band = 0, .column = 1, .min_w = 40, .max_w = 46, .min_h = 8, .weight_w = 1, .weight_h = 3,
		.from_w = SIDE_BY_SIDE, .below_w = WIDE},
	{.priority = 1, .band = 0, .column = 1, .min_w = 60, .max_w = 72, .min_h = 8, .weight_w = 1, .weight_h = 3,
		.from_w = WIDE},
};
static const struct pane_spec samples_wish[] = {
	{.priority = 2, .band = 2, .min_w = 120, .min_h = 12, .weight_w = 1, .weight_h = 2, .from_w = HUGE_WIDE,
		.from_h = HUGE_TALL},
};

/* First columns; 0: not shown. For numbers, the column after the last digit. */
struct columns {
	bool exact;
	int name, n, distance, p, corr, spark, spark_w, bar, worst, relaxed;
};

/* The first number of an observation: how far off it is if all totals are exact, else its distance². */
static const char *
first_number(char out[NUMBER_TEXT], const struct finding *f, bool exact)
{
	const struct constraint *worst = f->proof.n_violated ? f->proof.violated
		: f->proof.n_certificates ? f->proof.certificate : NULL;

	if (!exact)
		return number_distance(out, f->measure.distance2);
	return f->verdict == VERDICT_INFEASIBLE && worst ? number_off(out, worst->off, false)
		: f->verdict == VERDICT_FEASIBLE ? "0" : "·";
}

/* Columns are added as there is room, in this order: distance, p, samples, sparkline, correlation. */
static struct columns
observations_columns_of(const struct state *s, struct grid *g, int w)
{
	struct columns c = {.exact = true, .name = w >= 60 ? 17 : w >= 46 ? 12 : 9};
	struct pen pen = {.grid = g};
	int x = 4 + c.name, room, wide = 6;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < s->answers.result->n_findings; i++)
		c.exact &= s->answers.result->finding[i].data.exact;
	for (size_t i = 0; i < s->answers.result->n_findings; i++) {
		int columns = pen_columns(&pen, first_number(number, &s->answers.result->finding[i], c.exact));

		wide = columns > wide ? columns : wide;
	}
	wide++;            /* a blank after the name */
	room = w - x - 20; /* columns that the worst constraint keeps */
	if (c.exact) {
		c.distance = x + wide;
		x = c.distance + 2;
		if (room > 24) {
			c.bar = x;
			x += 13;
		}
		if (room > 30)
			c.relaxed = w - 10;
	} else {
		if (room >= wide) {
			c.distance = x + wide;
			x = c.distance + 1;
		}
		if (room >= 14) {
			c.p = x + 6;
			x = c.p + 1;
		}
		if (room >= 20) {
			c.n = x + 5;
			x = c.n + 1;
		}
		if (room >= 31) {
			c.spark = x + 1;
			c.spark_w = room >= 60 ? 20 : 9;
			x = c.spark + c.spark_w + 1;
		}
		if (room >= 37) {
			c.corr = x + 5;
			x = c.corr + 2;
		}
	}
	c.worst = x + 1;
	return c;
}

static void
observations_draw_heads(struct grid *g, struct rect r, const struct columns *c)
{
	struct pen p = pen_on(g, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);

	pen_text(&p, r.x + 3, r.y, "name");
	if (c->distance)
		pen_right(&p, r.x + c->distance, r.y, c->exact ? "excess" : "d²");
	if (c->p)
		pen_right(&p, r.x + c->p, r.y, "p");
	if (c->n)
		pen_right(&p, r.x + c->n, r.y, "n");
	if (c->corr)
		pen_right(&p, r.x + c->corr, r.y, "corr");
	if (c->spark)
		pen_text(&p, r.x + c->spark, r.y, "over time");
	if (c->relaxed)
		pen_text(&p, r.x + c->relaxed, r.y, "relaxed");
	pen_text(&p, r.x + c->worst, r.y, "worst constraint");
}

/* Names of the features that relax it. */
static void
draw_relaxed(const struct state *s, struct line *l, size_t i)
{
	const struct neighbours *t = s->answers.neighbours;

	for (size_t k = 0; t && !state_stale(s) && k < t->n; k++)
		if (!fset_has(&s->question.on, k) && t->feature[k].legal && i < t->feature[k].n_relaxes &&
			t->feature[k].relaxes[i])
			line_add(l, ROLE_ACCENT, 0, "%s ", s->question.model->feature[k].name);
}

static void
observations_draw_numbers(
	const struct state *s, struct grid *g, struct rect r, int y, size_t i, const struct columns *c, double top)
{
	const struct finding *f = &s->answers.result->finding[i];
	const struct constraint *worst = f->proof.n_violated ? f->proof.violated
		: f->proof.n_certificates ? f->proof.certificate : NULL;
	struct pen p = pen_on(g, (struct rect){r.x, y, r.w, 1}, ROLE_TEXT);
	bool old = state_stale(s), broken = f->verdict == VERDICT_INFEASIBLE;
	char number[NUMBER_TEXT];

	p.fg = old || !broken ? ROLE_DIM : c->exact ? ROLE_INFEASIBLE : ROLE_TEXT;
	if (c->distance)
		pen_right(&p, r.x + c->distance, y, first_number(number, f, c->exact));
	if (c->exact) {
		if (c->bar && broken && worst && top > 0)
			draw_bar(&p, r.x + c->bar, y, 12, log1p(fabs(worst->off)) / log1p(top));
		return;
	}
	if (c->p)
		pen_right(&p, r.x + c->p, y, number_p(number, f->measure.p));
	p.fg = ROLE_DIM;
	if (c->n)
		pen_right(&p, r.x + c->n, y, number_count(number, (double)f->data.samples, false));
	if (c->corr) {
		snprintf(number, sizeof number, "%.2f", f->correlation.mean);
		pen_right(&p, r.x + c->corr, y, isfinite(f->correlation.mean) ? number : "·");
	}
	if (!c->spark)
		return;
	p.fg = old ? ROLE_DIM : finding_role(f);
	if (has_history(s, f)) {
		draw_history(s, &p, r.x + c->spark, y, c->spark_w, false);
	} else if (f->time.n_series > 1) {
		draw_activity(&p, r.x + c->spark, y, c->spark_w, f);
	} else {
		p.fg = ROLE_DIM;
		pen_text(&p, r.x + c->spark, y, "·");
	}
}

static void
observations_draw_row(
	const struct state *s, struct grid *g, struct rect r, int at, size_t i, const struct columns *c, double top)
{
	const struct finding *f = &s->answers.result->finding[i];
	struct line l = line_on(g, r, at);
	bool old = state_stale(s);
	struct pen p = l.pen;

	line_add(&l, old ? ROLE_DIM : finding_role(f), 0, "%s", finding_mark(f));
	line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", i < s->view.marks.n && s->view.marks.on[i] ? "*" : " ");
	l.end = r.x + 3 + c->name - (finding_doubts(f) ? 2 : 0);
	line_add(&l, old || f->verdict == VERDICT_UNDECIDED ? ROLE_DIM : ROLE_TEXT,
		i == s->view.selected ? CELL_BOLD : 0, "%s", f->name);
	l.end = r.x + 3 + c->name;
	if (finding_doubts(f))
		line_add(&l, old ? ROLE_DIM : ROLE_BORDERLINE, 0, " " DOUBT_MARK);
	if (state_note_on(s, REMARK_OBSERVATION, f->name))
		line_add(&l, ROLE_ACCENT, 0, " \"");
	l.end = r.x + r.w;
	observations_draw_numbers(s, g, r, l.y, i, c, top);
	line_to(&l, c->worst);
	if (f->verdict == VERDICT_INFEASIBLE && (f->proof.n_violated || f->proof.n_certificates)) {
		char *text =
			relation_pretty(f->proof.n_violated ? f->proof.violated->text : f->proof.certificate->text);

		p.fg = old ? ROLE_DIM : ROLE_TEXT;
		pen_relation(&p, l.x, l.y, (c->relaxed ? r.x + c->relaxed : r.x + r.w) - l.x - 1, text);
		free(text);
	} else if (f->proof.n_suspected) {
		char *text = relation_pretty(f->proof.suspected->text);

		p.fg = ROLE_DIM;
		pen_relation(&p, l.x, l.y, (c->relaxed ? r.x + c->relaxed : r.x + r.w) - l.x - 1, text);
		free(text);
	} else {
		line_add(&l, ROLE_DIM, 0, "%s", f->reason ? f->reason : "·");
	}
	if (c->relaxed) {
		l.x = r.x + c->relaxed;
		draw_relaxed(s, &l, i);
	}
}

static bool
observations_draw_nothing(const struct state *s, struct grid *g, struct rect r, size_t n)
{
	struct page p = {.s = s, .g = g, .r = r};

	if (s->answers.result && s->answers.result->error) {
		page_words(&p, ROLE_INFEASIBLE,
			"This choice of features makes an error, so nothing is judged. 1 shows the error.");
	} else if (!s->answers.result || s->answers.result->n_findings == 0) {
		bool runs = run_peeks(s->data.leader);

		page_words(&p, ROLE_TEXT,
			runs ? "The command runs; its first verdict comes with the first samples, or at its end."
				: s->answers.progress.busy ? "The first verdicts are being computed."
					  : "No data yet, so nothing is judged.");
		page_words(&p, ROLE_DIM,
			runs ? "Esc ends it."
			     : "r  type a command to run under this model\nor start hecate with recorded data: "
			       "hecate MODEL FILE.csv");
	} else if (n == 0) {
		page_words(&p, ROLE_DIM,
			"No observation contains these words. \\ then Enter without a text shows all.");
	} else {
		return false;
	}
	return true;
}

static void
observations_draw_list(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	size_t n;
	const size_t *order = state_observations(s, &n);
	struct columns c;
	double top = 0;
	int first, cursor = 0;

	if (observations_draw_nothing(s, g, r, n))
		return;
	c = observations_columns_of(s, g, r.w);
	observations_draw_heads(g, r, &c);
	r.y++;
	r.h--;
	for (size_t i = 0; i < n; i++) {
		const struct finding *f = &s->answers.result->finding[order[i]];

		if (order[i] == s->view.selected)
			cursor = (int)i;
		if (f->proof.n_violated && fabs(f->proof.violated->off) > top)
			top = fabs(f->proof.violated->off);
	}
	first = draw_list_rows(r, cursor, (int)n, PANE_LIST, ACTION_samples, d);
	for (int k = 0; k < r.h && first + k < (int)n; k++) {
		observations_draw_row(s, g, r, k, order[first + k], &c, top);
		if (first + k == cursor)
			draw_cursor(g, (struct rect){r.x, r.y + k, r.w, 1}, focus);
	}
}

static void
observations_title_list(const struct state *s, struct str *title, struct str *info)
{
	const struct result *r = s->answers.result;

	str_add(title, "Observations");
	if (!r || !r->n_findings)
		return;
	finding_counts(r, info);
	add_list_state(s, observation_sort_name(s->view.sort.observations), info);
}

static void
title_observed(const struct state *s, struct str *title, struct str *info)
{
	const struct finding *f = state_finding(s);

	str_add(title, f ? f->name : "Observation");
	if (f && f->data.exact)
		str_add(info, "exact totals");
	else if (f)
		str_addf(info, "%zu sample%s", f->data.samples, f->data.samples == 1 ? "" : "s");
}

static void
title_samples(const struct state *s, struct str *title, struct str *info)
{
	const struct finding *f = state_finding(s);

	str_add(title, "Samples");
	if (f)
		str_addf(info, "%s · ←→ columns", f->name);
}

/* A short list leaves room to the pane below. */
static bool
observations_fit_list(const struct state *s, struct rect body, struct pane_spec *wish)
{
	if (s->answers.result && s->answers.result->n_findings && body.w < SIDE_BY_SIDE)
		wish->max_h = (int)s->answers.result->n_findings + 2;
	return true;
}

const struct pane_draw pane_draw_list = {.title = observations_title_list,
	.draw = observations_draw_list,
	PANE_WISHES(list_wish),
	.fit = observations_fit_list};
const struct pane_draw pane_draw_observed = {.title = title_observed, .draw = draw_observed,
	PANE_WISHES(observed_wish)};
const struct pane_draw pane_draw_samples = {.title = title_samples, .draw = draw_samples, PANE_WISHES(samples_wish)};
const struct view_draw view_draw_observations = {0};
