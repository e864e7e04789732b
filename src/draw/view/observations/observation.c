/* One observation in detail: verdicts by region, the constraints that it breaks, how reliable its numbers are, its
 * counters, and features that would relax it. */
#include "draw/view/observations/observations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_history.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_trust.h"
#include "work/analysis/words.h"

static void
observation_add_verdict(struct page *p, const struct finding *f)
{
	struct line l = page_line(p);

	line_add(&l, page_role(p, finding_role(f)), CELL_BOLD, "%s %s", finding_mark(f),
		verdict_name(f->verdict));
	line_gap(&l, 2);
	if (isfinite(f->measure.distance2)) {
		line_distance(&l, f);
	} else if (f->data.exact) {
		line_add(&l, ROLE_DIM, 0, "exact totals: any difference refutes");
	}
	if (!isfinite(f->measure.distance2)) {
		if (f->reason)
			page_words(p, ROLE_DIM, f->reason);
		return;
	}
	if (l.end - l.x < 46)
		l = page_line(p);
	else
		line_gap(&l, 2);
	for (size_t k = 0; k < REGION_KINDS; k++) {
		line_add(&l, ROLE_DIM, 0, "%s ", region_name((enum region_kind)k));
		line_add(&l, verdict_role(f->own.region[k]), 0, "%s  ", verdict_mark(f->own.region[k]));
	}
	if (l.end - l.x < 8) /* "family ✓" */
		l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "family ");
	line_add(&l, verdict_role(f->own.family_wise), 0, "%s", verdict_mark(f->own.family_wise));
	if (f->reason)
		page_words(p, ROLE_DIM, f->reason);
}

static void
observation_add_broken(struct page *p, const struct finding *f)
{
	const struct constraint *c = f->proof.n_violated ? f->proof.violated
		: f->proof.n_certificates ? f->proof.certificate : NULL;
	struct str text = {0};
	struct line l;
	char *relation, *size;

	if (f->verdict != VERDICT_INFEASIBLE || !c)
		return;
	l = page_line(p);
	relation = relation_pretty(c->text);
	size = violation_size(f, c);
	l.pen.fg = page_role(p, ROLE_INFEASIBLE);
	l.x += pen_relation(&l.pen, l.x, l.y, l.end - l.x - pen_columns(&l.pen, size) - 3, relation);
	line_gap(&l, 2);
	line_add(&l, page_role(p, ROLE_INFEASIBLE), CELL_BOLD, "%s", f->proof.n_violated ? size : "");
	words_data(p->s->question.model, c, f, &text);
	page_words(p, ROLE_TEXT, str_text(&text));
	if (f->proof.n_violated > 1) {
		l = page_line(p);
		line_add(&l, ROLE_DIM, 0, "and %zu more; y shows all in words", f->proof.n_violated - 1);
	}
	str_free(&text);
	free(relation);
	free(size);
}

/* Samples, their dependence, and phases: what the region was computed from. */
static void
add_region(struct page *p, const struct finding *f)
{
	const struct udd_model *m = p->s->question.model;
	struct str words = {0};
	char number[NUMBER_TEXT];
	struct line l;

	if (f->data.exact)
		return;
	str_addf(&words, "%zu sample%s", f->data.samples, f->data.samples == 1 ? "" : "s");
	if (fabs(f->data.effective - (double)f->data.samples) > 0.05)
		str_addf(&words, ", worth %s independent ones", number_count(number, f->data.effective, false));
	if (f->time.lag > 0)
		str_addf(&words, ": neighbours resemble each other (r₁ %.2f)", f->time.lag);
	page_words(p, ROLE_TEXT, str_text(&words));
	str_free(&words);
	if (isfinite(f->correlation.most) && f->correlation.of[0] < m->n_counters &&
		f->correlation.of[1] < m->n_counters) {
		l = page_line(p);
		line_add(&l, ROLE_DIM, 0, "closest, r ");
		line_add(&l, ROLE_TEXT, 0, "%s%.2f  %s, %s", f->correlation.most < 0 ? "−" : "",
			fabs(f->correlation.most), m->counter[f->correlation.of[0]].name,
			m->counter[f->correlation.of[1]].name);
	}
	if (f->time.n_phases) {
		str_addf(&words, "%zu phases: something changes at row%s ", f->time.n_phases + 1,
			f->time.n_phases > 1 ? "s" : "");
		for (size_t i = 0; i < f->time.n_phases; i++)
			str_addf(&words, "%s%zu", i ? ", " : "", f->time.phase[i] + 1);
		str_add(&words, p->s->question.how.split_phases ? "" : "; u judges each by itself");
		page_words(p, ROLE_BORDERLINE, str_text(&words));
		str_free(&words);
	}
}

static void
add_running(struct page *p, const struct finding *f)
{
	double least = 1, sum = 0, n = 0;
	char *text;

	for (size_t i = 0; i < f->counter.n_running; i++)
		if (isfinite(f->counter.running[i])) {
			least = fmin(least, f->counter.running[i]);
			sum += f->counter.running[i];
			n++;
		}
	if (n == 0 || sum / n > 0.9995)
		return;
	text = str_format("multiplexed: counters ran %.0f %% of the time, the least %.0f %%; counts are scaled up",
		100 * sum / n, 100 * least);
	page_words(p, ROLE_TEXT, text);
	free(text);
}

static void
add_live(struct page *p)
{
	const struct state *s = p->s;
	struct line l;
	char number[NUMBER_TEXT];

	if (!has_history(s, &s->answers.result->finding[s->view.selected]))
		return;
	l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "verdict so far  ");
	l.x += draw_history(s, &l.pen, l.x, l.y, l.end - l.x - 16, true);
	line_add(&l, ROLE_DIM, 0, "  %zu samples", s->data.history.point[s->data.history.n - 1].samples);
	l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "d² of threshold ");
	l.x += draw_history(s, &l.pen, l.x, l.y, l.end - l.x - 16, false);
	line_add(&l, ROLE_DIM, 0, "  %s",
		number_seconds(number, s->data.history.point[s->data.history.n - 1].seconds, false));
}

static void
add_activity(struct page *p, const struct finding *f)
{
	struct line l;

	if (f->time.n_series < 2)
		return;
	l = page_line(p);
	line_add(&l, ROLE_DIM, 0, "over time ");
	l.pen.fg = ROLE_ACCENT;
	draw_activity(&l.pen, l.x, l.y, l.end - l.x - 1, f);
}

/* Features that relax the worst constraint of this observation. */
static void
add_relaxing(struct page *p, const struct finding *f)
{
	const struct neighbours *t = p->s->answers.neighbours;
	size_t at = p->s->view.selected, some = 0;
	struct line l;

	if (f->verdict != VERDICT_INFEASIBLE || !t || state_stale(p->s))
		return;
	for (size_t i = 0; i < t->n; i++) {
		const struct neighbour *k = &t->feature[i];

		if (fset_has(&p->s->question.on, i) || !k->legal || at >= k->n_relaxes || !k->relaxes[at])
			continue;
		l = page_line(p);
		line_add(&l, ROLE_DIM, 0, some++ ? "           " : "relaxed by ");
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s ", p->s->question.model->feature[i].name);
		line_add(&l, ROLE_DIM, 0, "%s", p->s->question.model->feature[i].text);
	}
}

/* By what is known of its events, and whether that changed the verdict. */
static void
observation_add_trust(struct page *p, const struct finding *f)
{
	char *text;

	if (!f->n_trust)
		return;
	text = f->counter.without_trust == f->own.verdict
		? str_format("%zu counter%s corrected by what is known; i says how", f->n_trust,
			  f->n_trust == 1 ? "" : "s")
		: str_format("%zu counter%s corrected by what is known; without that it is %s", f->n_trust,
			  f->n_trust == 1 ? "" : "s", verdict_name(f->counter.without_trust));
	page_words(p, f->counter.without_trust == f->own.verdict ? ROLE_DIM : ROLE_BORDERLINE, text);
	free(text);
}

static bool
in_worst(const struct finding *f, size_t counter)
{
	return f->verdict == VERDICT_INFEASIBLE && f->proof.n_violated && f->proof.violated->coef[counter];
}

static void
observation_add_counters(struct page *p, const struct finding *f)
{
	const struct udd_model *m = p->s->question.model;
	int names = 7, x = p->r.x, at, width, why = counters_letters_width(p->s);
	struct line l = page_line(p);
	struct pen pen = l.pen;
	bool deviation = !f->data.exact, health = p->r.w >= 56, running, other = false;

	for (size_t i = 0; i < m->n_counters; i++) {
		int w = pen_columns(&pen, m->counter[i].name);

		names = w > names ? w : names;
	}
	for (size_t i = 0; i < f->counter.n_running; i++)
		other |= f->counter.running[i] < 0.9995;
	/* without room, a column that is 100 % throughout is left out first */
	running = other || health || names + why + 32 <= p->r.w;
	width = (!deviation ? 12 : 22) + why;
	names = names > p->r.w - width - (running ? 10 : 0) ? p->r.w - width - (running ? 10 : 0) : names;
	at = x + names + width + 8;
	why += x + names;
	line_add(&l, ROLE_DIM, 0, "counter");
	pen.fg = ROLE_DIM;
	pen_right(&pen, why + 11, l.y, f->data.exact ? "total" : "mean");
	if (deviation)
		pen_right(&pen, why + 21, l.y, "std err");
	if (running)
		pen_right(&pen, at, l.y, "running");
	if (health)
		pen_text(&pen, at + 2, l.y, "health");
	for (size_t i = 0; i < m->n_counters; i++) {
		char number[NUMBER_TEXT], text[NUMBER_TEXT + 4], letters[LETTERS_TEXT];
		bool there = isfinite(f->counter.value[i]);

		l = page_line(p);
		pen.clip = l.pen.clip;
		pen.fg = there ? ROLE_TEXT : ROLE_DIM;
		pen_fit_head(&pen, x + 1, l.y, names, m->counter[i].name); /* the same heads for all */
		pen.fg = ROLE_BORDERLINE;
		pen_text(&pen, x + names + 2, l.y, counter_letters(p->s, i, letters));
		pen.fg = !there ? ROLE_DIM : in_worst(f, i) ? page_role(p, ROLE_INFEASIBLE) : ROLE_TEXT;
		pen_right(&pen, why + 11, l.y, number_count(number, f->counter.value[i], false));
		pen.fg = ROLE_DIM;
		if (deviation && i < f->counter.n_deviations) {
			/* relative deviation: the precision of the number */
			number_spread(number,
				f->counter.value[i] > 0 ? f->counter.deviation[i] / f->counter.value[i] : NAN);
			pen_right(&pen, why + 21, l.y, number);
		}
		snprintf(text, sizeof text, "%.0f %%", i < f->counter.n_running ? 100 * f->counter.running[i] : NAN);
		if (running)
			pen_right(&pen, at, l.y,
				i < f->counter.n_running && isfinite(f->counter.running[i]) ? text : "·");
		if (!health)
			continue;
		pen.fg = f->counter.dead[i] ? ROLE_BORDERLINE : there ? ROLE_FEASIBLE : ROLE_DIM;
		pen_text(&pen, at + 2, l.y,
			f->counter.dead[i] ? "dead: in no verdict" : there ? "live" : "not counted");
	}
}

/* The number of refuted observations that each feature relaxes. */
static void
add_by_feature(struct page *p)
{
	const struct neighbours *t = p->s->answers.neighbours;
	size_t refuted = p->s->answers.result->count[VERDICT_INFEASIBLE];
	struct str never = {0};

	if (!t || state_stale(p->s) || refuted == 0 || p->s->question.model->n_features == 0)
		return;
	page_blank(p);
	page_head(p, "Refuted observations that a feature relaxes", "");
	for (size_t i = 0; i < t->n; i++) {
		size_t n = 0;
		struct line l;

		for (size_t k = 0; k < t->feature[i].n_relaxes; k++)
			n += t->feature[i].relaxes[k];
		if (fset_has(&p->s->question.on, i))
			continue;
		if (n == 0) {
			str_addf(&never, "%s%s", never.n ? " " : "", p->s->question.model->feature[i].name);
			continue;
		}
		l = page_line(p);
		line_add(&l, ROLE_TEXT, 0, "%s", p->s->question.model->feature[i].name);
		line_to(&l, 12);
		l.pen.fg = page_role(p, ROLE_INFEASIBLE);
		draw_bar(&l.pen, l.x, l.y, 14, (double)n / (double)refuted);
		line_gap(&l, 16);
		line_add(&l, ROLE_DIM, 0, "%zu", n);
	}
	if (never.n) {
		struct line l = page_line(p);

		line_add(&l, ROLE_DIM, 0, "none: %s", str_text(&never));
	}
	str_free(&never);
}

static void
observation_add_contents(struct page *p, const struct finding *f)
{
	observation_add_verdict(p, f);
	add_live(p);
	observation_add_broken(p, f);
	page_doubt(p, f);
	observation_add_trust(p, f);
	add_region(p, f);
	add_running(p, f);
	add_activity(p, f);
	add_relaxing(p, f);
	page_blank(p);
	observation_add_counters(p, f);
}

void
draw_observed(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct page p = {.s = s, .g = g, .r = r, .skip = s->view.cursor[PANE_OBSERVED]};
	const struct finding *f = state_finding(s);

	(void)focus;
	if (!f) {
		page_words(&p, ROLE_DIM, "Counts will appear here.");
		return;
	}
	if (r.h > 9)
		page_words(&p, ROLE_DIM, f->source);
	observation_add_contents(&p, f);
	add_by_feature(&p);
	d->layout.rows[PANE_OBSERVED] = page_rows(&p);
}

int
draw_observation_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	const struct finding *f = state_finding(s);
	char *info = !f ? NULL : str_format("%zu of %zu · [ ] others · ←→ columns", s->view.selected + 1,
		s->answers.result->n_findings);
	struct rect in = draw_popup(g, screen, 130, screen.h - 4, f ? f->name : "", info);
	struct page p = {.s = s, .g = g, .r = in, .skip = first};
	const struct constraint *c = f && f->proof.n_violated ? f->proof.violated
		: f && f->proof.n_certificates ? f->proof.certificate : NULL;

	free(info);
	if (!f)
		return 1;
	page_words(&p, ROLE_DIM, f->source);
	observation_add_contents(&p, f);
	if (c && f->verdict == VERDICT_INFEASIBLE) {
		struct str text = {0};

		page_blank(&p);
		page_head(&p, "Certificate, in words", "");
		words_refutation(s->question.model, c, f, s->question.how.confidence, &text);
		page_words(&p, ROLE_TEXT, str_text(&text));
		str_free(&text);
	}
	page_blank(&p);
	page_head(&p, "Samples", f->data.exact ? "exact totals" : "as they were read; dim: scaled up");
	page_samples(&p);
	return page_rows(&p);
}
