/* One observation in detail: verdicts by region, the constraints that it breaks, how reliable its numbers are, its
 * counters, and features that would relax it. */
#include "draw/view/observations/observations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_history.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"
#include "work/analysis/sentence.h"
#include "work/analysis/words.h"

static void
observation_add_verdict(struct page *page, const struct finding *finding)
{
	struct line l = page_line(page);

	line_add(&l, page_role(page, finding_role(finding)), CELL_BOLD, "%s %s", finding_mark(finding),
		verdict_name(finding->verdict));
	line_gap(&l, 2);
	if (isfinite(finding->measure.distance2)) {
		line_distance(&l, finding);
	} else if (finding->data.exact) {
		line_add(&l, ROLE_DIM, 0, "exact totals: any difference refutes");
	}
	if (!isfinite(finding->measure.distance2)) {
		if (finding->reason)
			page_words(page, ROLE_DIM, finding->reason);
		return;
	}
	if (l.end - l.x < 46)
		l = page_line(page);
	else
		line_gap(&l, 2);
	for (size_t k = 0; k < REGION_KINDS; k++) {
		line_add(&l, ROLE_DIM, 0, "%s ", region_name((enum region_kind)k));
		line_add(&l, verdict_role(finding->own.region[k]), 0, "%s  ", verdict_mark(finding->own.region[k]));
	}
	if (l.end - l.x < 8) /* "family ✓" */
		l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "family ");
	line_add(&l, verdict_role(finding->own.family_wise), 0, "%s", verdict_mark(finding->own.family_wise));
	if (finding->reason)
		page_words(page, ROLE_DIM, finding->reason);
}

static void
observation_add_broken(struct page *page, const struct finding *finding)
{
	const struct constraint *constraint = finding->proof.n_violated ? finding->proof.violated
		: finding->proof.n_certificates ? finding->proof.certificate : NULL;
	struct str text = {0};
	struct line l;
	char *relation, *size;

	if (finding->verdict != VERDICT_INFEASIBLE || !constraint)
		return;
	l = page_line(page);
	relation = relation_pretty(constraint->text);
	size = violation_size(finding, constraint);
	l.pen.fg = page_role(page, ROLE_INFEASIBLE);
	l.x += pen_relation(&l.pen, l.x, l.y, l.end - l.x - pen_columns(&l.pen, size) - 3, relation);
	line_gap(&l, 2);
	line_add(&l, page_role(page, ROLE_INFEASIBLE), CELL_BOLD, "%s", finding->proof.n_violated ? size : "");
	sentence_refutation(page->s->question.model, constraint, finding, page->s->question.how.confidence, &text);
	page_words(page, ROLE_TEXT, str_text(&text));
	if (finding->proof.n_violated > 1) {
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, "and %zu more; y shows all in words", finding->proof.n_violated - 1);
	}
	str_free(&text);
	free(relation);
	free(size);
}

/* Samples, their dependence, and phases: what the region was computed from. */
static void
add_region(struct page *page, const struct finding *finding)
{
	const struct udd_model *model = page->s->question.model;
	struct str words = {0};
	char number[NUMBER_TEXT];
	struct line l;

	if (finding->data.exact)
		return;
	str_addf(&words, "%zu sample%s", finding->data.samples, plural_s(finding->data.samples));
	if (fabs(finding->data.effective - (double)finding->data.samples) > 0.05)
		str_addf(&words, ", worth %s independent ones", number_count(number, finding->data.effective, false));
	if (finding->time.lag > 0)
		str_addf(&words, ": neighbours resemble each other (r₁ %.2f)", finding->time.lag);
	page_words(page, ROLE_TEXT, str_text(&words));
	str_free(&words);
	if (isfinite(finding->correlation.most) && finding->correlation.of[0] < model->n_counters &&
		finding->correlation.of[1] < model->n_counters) {
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, "closest, r ");
		line_add(&l, ROLE_TEXT, 0, "%s%.2f  %s, %s", finding->correlation.most < 0 ? "−" : "",
			fabs(finding->correlation.most), model->counter[finding->correlation.of[0]].name,
			model->counter[finding->correlation.of[1]].name);
	}
	if (finding->time.n_phases) {
		str_addf(&words, "%zu phases: something changes at row%s ", finding->time.n_phases + 1,
			finding->time.n_phases > 1 ? "s" : "");
		for (size_t i = 0; i < finding->time.n_phases; i++)
			str_addf(&words, "%s%zu", i ? ", " : "", finding->time.phase[i] + 1);
		str_add(&words, page->s->question.how.split_phases ? "" : "; u judges each by itself");
		page_words(page, ROLE_BORDERLINE, str_text(&words));
		str_free(&words);
	}
}

static void
add_running(struct page *page, const struct finding *finding)
{
	double least = 1, sum = 0, n = 0;
	char *text;

	for (size_t i = 0; i < finding->counter.n_running; i++)
		if (isfinite(finding->counter.running[i])) {
			least = fmin(least, finding->counter.running[i]);
			sum += finding->counter.running[i];
			n++;
		}
	if (n == 0 || sum / n > 0.9995)
		return;
	text = str_format("multiplexed: counters ran %.0f %% of the time, the least %.0f %%; counts are scaled up",
		100 * sum / n, 100 * least);
	page_words(page, ROLE_TEXT, text);
	free(text);
}

static void
add_live(struct page *page)
{
	const struct state *state = page->s;
	struct line l;
	char number[NUMBER_TEXT];

	if (!has_history(state, &state->answers.result->finding[state->view.selected]))
		return;
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "verdict so far  ");
	l.x += draw_history(state, &l.pen, l.x, l.y, l.end - l.x - 16, true);
	line_add(&l, ROLE_DIM, 0, "  %zu samples", state->data.history.point[state->data.history.n - 1].samples);
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "d² of threshold ");
	l.x += draw_history(state, &l.pen, l.x, l.y, l.end - l.x - 16, false);
	line_add(&l, ROLE_DIM, 0, "  %s",
		number_seconds(number, state->data.history.point[state->data.history.n - 1].seconds, false));
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
add_relaxing(struct page *page, const struct finding *finding)
{
	const struct neighbours *neighbours = page->s->answers.neighbours;
	size_t at = page->s->view.selected, some = 0;
	struct line l;

	if (finding->verdict != VERDICT_INFEASIBLE || !neighbours || state_stale(page->s))
		return;
	for (size_t i = 0; i < neighbours->n; i++) {
		const struct neighbour *neighbour = &neighbours->feature[i];

		if (fset_has(&page->s->question.on, i) || !neighbour->legal || at >= neighbour->n_relaxes ||
			!neighbour->relaxes[at])
			continue;
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, some++ ? "           " : "relaxed by ");
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", page->s->question.model->feature[i].name);
		page_rest(page, &l, 12, ROLE_DIM, page->s->question.model->feature[i].text);
	}
}

/* By what is known of its events, and whether that changed the verdict. */
static void
observation_add_trust(struct page *page, const struct finding *finding)
{
	char *text;

	if (!finding->n_trust)
		return;
	text = finding->counter.without_trust == finding->own.verdict
		? str_format("%zu counter%s corrected by what is known; i says how", finding->n_trust,
			  plural_s(finding->n_trust))
		: str_format("%zu counter%s corrected by what is known; without that it is %s", finding->n_trust,
			  plural_s(finding->n_trust), verdict_name(finding->counter.without_trust));
	page_words(page, finding->counter.without_trust == finding->own.verdict ? ROLE_DIM : ROLE_BORDERLINE, text);
	free(text);
}

static bool
in_worst(const struct finding *f, size_t counter)
{
	return f->verdict == VERDICT_INFEASIBLE && f->proof.n_violated && f->proof.violated->coef[counter];
}

static void
observation_add_counters(struct page *page, const struct finding *finding)
{
	const struct udd_model *m = page->s->question.model;
	int names = 7, x = page->r.x, at, width, why = counters_letters_width(page->s);
	struct line l = page_line(page);
	struct pen pen = l.pen;
	bool deviation = !finding->data.exact, health = page->r.w >= 56, running, other = false;

	for (size_t i = 0; i < m->n_counters; i++) {
		int w = pen_columns(&pen, m->counter[i].name);

		names = w > names ? w : names;
	}
	for (size_t i = 0; i < finding->counter.n_running; i++)
		other |= finding->counter.running[i] < 0.9995;
	/* without room, a column that is 100 % throughout is left out first */
	running = other || health || names + why + 32 <= page->r.w;
	width = (!deviation ? 12 : 22) + why;
	names = names > page->r.w - width - (running ? 10 : 0) ? page->r.w - width - (running ? 10 : 0) : names;
	at = x + names + width + 8;
	why += x + names;
	line_add(&l, ROLE_DIM, 0, "counter");
	pen.fg = ROLE_DIM;
	pen_right(&pen, why + 11, l.y, finding->data.exact ? "total" : "mean");
	if (deviation)
		pen_right(&pen, why + 21, l.y, "std err");
	if (running)
		pen_right(&pen, at, l.y, "running");
	if (health)
		pen_text(&pen, at + 2, l.y, "health");
	for (size_t i = 0; i < m->n_counters; i++) {
		char number[NUMBER_TEXT], text[NUMBER_TEXT + 4], letters[LETTERS_TEXT];
		bool there = isfinite(finding->counter.value[i]);

		l = page_line(page);
		pen.clip = l.pen.clip;
		pen.fg = there ? ROLE_TEXT : ROLE_DIM;
		pen_fit_head(&pen, x + 1, l.y, names, m->counter[i].name); /* the same heads for all */
		pen.fg = ROLE_BORDERLINE;
		pen_text(&pen, x + names + 2, l.y, counter_letters(page->s, i, letters));
		pen.fg = !there ? ROLE_DIM : in_worst(finding, i) ? page_role(page, ROLE_INFEASIBLE) : ROLE_TEXT;
		pen_right(&pen, why + 11, l.y, number_count(number, finding->counter.value[i], false));
		pen.fg = ROLE_DIM;
		if (deviation && i < finding->counter.n_deviations) {
			/* relative deviation: the precision of the number */
			number_spread(number,
				finding->counter.value[i] > 0
					? finding->counter.deviation[i] / finding->counter.value[i]
					: NAN);
			pen_right(&pen, why + 21, l.y, number);
		}
		snprintf(text, sizeof text, "%.0f %%",
			i < finding->counter.n_running ? 100 * finding->counter.running[i] : NAN);
		if (running)
			pen_right(&pen, at, l.y,
				i < finding->counter.n_running && isfinite(finding->counter.running[i]) ? text : "·");
		if (!health)
			continue;
		pen.fg = finding->counter.dead[i] ? ROLE_BORDERLINE : there ? ROLE_FEASIBLE : ROLE_DIM;
		pen_text(&pen, at + 2, l.y,
			finding->counter.dead[i] ? "dead: in no verdict" : there ? "live" : "not counted");
	}
}

/* The number of refuted observations that each feature relaxes. */
static void
add_by_feature(struct page *page)
{
	const struct neighbours *neighbours = page->s->answers.neighbours;
	size_t refuted = page->s->answers.result->count[VERDICT_INFEASIBLE];
	struct str never = {0};

	if (!neighbours || state_stale(page->s) || refuted == 0 || page->s->question.model->n_features == 0)
		return;
	page_blank(page);
	page_head(page, "Refuted observations that a feature relaxes", "");
	for (size_t i = 0; i < neighbours->n; i++) {
		size_t n = 0;
		struct line l;

		for (size_t k = 0; k < neighbours->feature[i].n_relaxes; k++)
			n += neighbours->feature[i].relaxes[k];
		if (fset_has(&page->s->question.on, i))
			continue;
		if (n == 0) {
			str_addf(&never, "%s%s", never.n ? " " : "", page->s->question.model->feature[i].name);
			continue;
		}
		l = page_line(page);
		line_add(&l, ROLE_TEXT, 0, "%s", page->s->question.model->feature[i].name);
		line_to(&l, 12);
		l.pen.fg = page_role(page, ROLE_INFEASIBLE);
		draw_bar(&l.pen, l.x, l.y, 14, (double)n / (double)refuted);
		line_gap(&l, 16);
		line_add(&l, ROLE_DIM, 0, "%zu", n);
	}
	if (never.n) {
		struct line l = page_line(page);

		line_add(&l, ROLE_DIM, 0, "relax none: %s", str_text(&never));
	}
	str_free(&never);
}

static void
observation_add_contents(struct page *page, const struct finding *finding)
{
	observation_add_verdict(page, finding);
	add_live(page);
	observation_add_broken(page, finding);
	page_doubt(page, finding);
	observation_add_trust(page, finding);
	add_region(page, finding);
	add_running(page, finding);
	add_activity(page, finding);
	add_relaxing(page, finding);
	page_blank(page);
	observation_add_counters(page, finding);
}

void
draw_observed(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct page p = {.s = state, .g = grid, .r = r, .skip = state->view.cursor[PANE_OBSERVED]};
	const struct finding *finding = state_finding(state);

	(void)focus;
	if (!finding) {
		page_words(&p, ROLE_DIM, "Counts will appear here.");
		return;
	}
	if (r.h > 9)
		page_words(&p, ROLE_DIM, finding->source);
	observation_add_contents(&p, finding);
	add_by_feature(&p);
	drawn->layout.rows[PANE_OBSERVED] = page_rows(&p);
}

static int
draw_observation_popup(const struct state *s, struct grid *grid, struct rect screen, int first)
{
	const struct finding *finding = state_finding(s);
	char *info = !finding ? NULL : str_format("%zu of %zu · [ ] others · ←→ columns", s->view.selected + 1,
		s->answers.result->n_findings);
	struct rect in = draw_popup(grid, screen, 130, screen.h - 4, finding ? finding->name : "", info);
	struct page p = {.s = s, .g = grid, .r = in, .skip = first};
	const struct constraint *constraint = finding && finding->proof.n_violated ? finding->proof.violated
		: finding && finding->proof.n_certificates ? finding->proof.certificate : NULL;

	free(info);
	if (!finding)
		return 1;
	page_words(&p, ROLE_DIM, finding->source);
	observation_add_contents(&p, finding);
	if (constraint && finding->verdict == VERDICT_INFEASIBLE) {
		struct str text = {0};

		page_blank(&p);
		page_head(&p, "Certificate, in words", "");
		words_refutation(s->question.model, constraint, finding, s->question.how.confidence, &text);
		page_words(&p, ROLE_TEXT, str_text(&text));
		str_free(&text);
	}
	page_blank(&p);
	page_head(&p, "Samples", finding->data.exact ? "exact totals" : "as they were read; dim: scaled up");
	page_samples(&p);
	return page_rows(&p);
}

const struct popup_draw popup_draw_observation = {.text = draw_observation_popup};
