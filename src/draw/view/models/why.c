/* Why the selected observation refutes the model or not: the constraint with its numbers, and the features that would
 * relax it. */
#include "draw/view/models/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/obs/obs.h"
#include "core/obs/source_data.h"
#include "core/udd/alternatives.h"
#include "core/udd/model.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_history.h"
#include "draw/view/view_relation.h"
#include "explorer/state/state_relax.h"
#include "work/analysis/relax.h"
#include "work/analysis/sentence.h"
#include "work/analysis/untested.h"
#include "work/analysis/words.h"
#include "work/run/run.h"

#define HIGH 14       /* rows of a pane that has room for texts below their lines */
#define TEXT_LEAST 12 /* columns: less of a feature's text says nothing */
#define ALSO_ROWS 3 /* columns for the names of other infeasible observations */

/* Since when the verdict has been the same. */
static double
stands_since(const struct state *s)
{
	const struct verdict_history *h = &s->data.history;
	size_t i = h->n - 1;

	while (i > 0 && h->point[i - 1].verdict == h->point[i].verdict)
		i--;
	return h->point[i].seconds;
}

/* The verdicts while the samples came in. */
static void
add_history(struct page *page, const struct finding *finding)
{
	const struct state *state = page->s;
	const struct verdict_point *last = state->data.history.n ? &state->data.history.point[state->data.history.n - 1]
								 : NULL;
	char number[NUMBER_TEXT];
	struct line l;

	if (!has_history(state, finding))
		return;
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "over %s ", number_seconds(number, last->seconds, false));
	line_gap(&l, draw_history(state, &l.pen, l.x, l.y, l.end - l.x - 32 < 40 ? l.end - l.x - 32 : 40, false) + 1);
	line_add(&l, verdict_role(last->verdict), 0, "%s", verdict_mark(last->verdict));
	line_add(&l, ROLE_DIM, 0, " since %s; ▄ is the limit", number_seconds(number, stands_since(state), false));
}

static void
why_add_head(struct page *page, const struct finding *finding)
{
	struct line l = page_line(page);
	size_t live = 0;

	for (size_t i = 0; i < finding->counter.n_values; i++)
		live += isfinite(finding->counter.value[i]) != 0;
	line_add(&l, page_role(page, finding_role(finding)), CELL_BOLD, "%s %s", finding_mark(finding), finding->name);
	line_gap(&l, 2);
	line_add(&l, page_role(page, finding_role(finding)), 0, "%s", verdict_name(finding->verdict));
	line_gap(&l, 2);
	if (finding->data.exact) {
		line_add(&l, ROLE_DIM, 0, "exact totals");
		if (line_add_whole(&l, ROLE_DIM, ", %zu of %zu", live, finding->counter.n_values))
			line_add_whole(&l, ROLE_DIM, " counters");
		return;
	}
	line_add(&l, ROLE_DIM, 0, "%zu sample%s, %zu counter%s", finding->data.samples,
		plural_s(finding->data.samples), live, plural_s(live));
	if (!isfinite(finding->measure.distance2))
		return;
	l = page_line(page);
	line_distance(&l, finding);
	for (size_t k = 0; k < REGION_KINDS; k++) {
		l.end -= 1; /* for the mark */
		if (!line_add_whole(&l, ROLE_DIM, "  %s ", region_name((enum region_kind)k)))
			break;
		l.end += 1;
		line_add(&l, verdict_role(finding->own.region[k]), 0, "%s", verdict_mark(finding->own.region[k]));
	}
	add_history(page, finding);
}

/* A term of the constraint, with its counter's count in this observation. */
static struct relation_term
term_of(const struct udd_model *m, const struct finding *f, const struct constraint *c, size_t counter, bool whole)
{
	long long k = llabs((long long)c->coef[counter]);
	char number[NUMBER_TEXT], times[NUMBER_TEXT];
	const char *value = whole ? number_full(number, f->counter.value[counter], false)
		: number_count(number, f->counter.value[counter], false);

	if (k == 1)
		return (struct relation_term){.word = mem_str(m->counter[counter].name), .value = mem_str(value)};
	return (struct relation_term){.word = str_format("%lld %s", k, m->counter[counter].name),
		.value = str_format("%s × %s", number_exact(times, k, false, false), value)};
}

/* The constraint, and below each counter its count in this observation. Numbers are in full if equality is claimed, or
 * if any difference refutes. */
static void
add_constraint(struct page *page, const struct finding *finding, const struct constraint *c)
{
	int left = cone_row_left(c->coef, c->n, c->equality);
	char *size = violation_size(finding, c);
	struct relation_term *term = mem_new_array(c->n + 2, sizeof *term);
	size_t n = 0;

	for (int side = 0; side < 2; side++) {
		size_t from = n;

		for (size_t i = 0; i < c->n; i++) {
			bool lead = c->coef[i] > 0 ? left > 0 : left < 0;

			if (!c->coef[i] || lead != (side == 0))
				continue;
			term[n] = term_of(page->s->question.model, finding, c, i, finding->data.exact || c->equality);
			if (n > from)
				term[n].sign = term[n].value_sign = "+";
			n++;
		}
		if (n == from)
			term[n++] = (struct relation_term){.word = mem_str("0"), .value = mem_str("0")};
		term[from].sign = side ? c->equality ? "=" : "≤" : "";
		term[from].value_sign = side ? c->equality ? "≠" : ">" : "";
	}
	page_terms(page, term, n, ROLE_TEXT, page_role(page, ROLE_INFEASIBLE), 2, size);
	for (size_t i = 0; i < n; i++) {
		free(term[i].word);
		free(term[i].value);
	}
	free(term);
	free(size);
}

/* Features in as few rows as possible, several short ones per row. */
static void
add_others(struct page *page, const struct finding *finding)
{
	enum { INDENT = 12, MOST = 8 };
	struct line l;

	if (finding->proof.n_violated <= 1)
		return;
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "also broken ");
	for (size_t i = 1; i < finding->proof.n_violated; i++) {
		char *text = relation_pretty(finding->proof.violated[i].text);
		int gap = l.x > page->r.x + 1 + INDENT ? 3 : 0;

		if (gap && l.x + gap + pen_columns(&l.pen, text) > l.end) {
			if (i > MOST) {
				line_add(&l, ROLE_DIM, 0, " … %zu more", finding->proof.n_violated - i);
				free(text);
				break;
			}
			l = page_line(page);
			line_to(&l, 1 + INDENT);
			gap = 0;
		}
		if (l.x + gap + pen_columns(&l.pen, text) <= l.end) {
			line_gap(&l, gap);
			line_add(&l, ROLE_TEXT, 0, "%s", text);
		} else {
			page->row--; /* on the current row */
			page_relation(page, ROLE_TEXT, 0, INDENT, text);
			l.x = l.end;
		}
		free(text);
	}
}

/* Adds a feature's text; a low pane has no room for it below the line. */
static void
add_meaning(struct page *page, struct line *line, const char *text)
{
	if (page->r.h >= HIGH) {
		page_rest(page, line, 12, ROLE_DIM, text);
		return;
	}
	line_gap(line, 2);
	if (line->end - line->x >= TEXT_LEAST)
		line_add(line, ROLE_DIM, 0, "%s", text);
}

/* Features ranked by the observations that they make feasible; Enter shows their µpaths. */
static void
add_ranking(struct page *page, const struct relaxers *relaxers, const struct constraint *constraint)
{
	const struct state *state = page->s;
	struct line l;
	size_t some = 0;

	for (size_t i = 0; i < relaxers->n && !page_full(page); i++) {
		const struct relaxer *relaxer = &relaxers->one[i];
		struct str name = {0};

		if (!state_relaxes(constraint, relaxer))
			continue;
		words_features(state->question.model, &relaxer->added, &name);
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, some++ ? "           " : "relaxed by ");
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s ", str_text(&name));
		line_add(&l, relaxer->alone ? ROLE_FEASIBLE : ROLE_DIM, 0, "makes %zu", relaxer->alone);
		line_add(&l, ROLE_DIM, 0, " of %zu feasible", relaxers->asked);
		if (!fset_equal(&relaxer->all, &relaxer->added))
			line_add(&l, ROLE_DIM, 0, ", %zu with more", relaxer->together);
		for (size_t f = 0; fset_count(&relaxer->added) == 1 && f < state->question.model->n_features; f++)
			if (fset_has(&relaxer->added, f))
				add_meaning(page, &l, state->question.model->feature[f].text);
		str_free(&name);
	}
	if (!some && !page_full(page)) {
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0,
			state->question.model->n_features ? "no feature that is off relaxes it, nor do few together"
				: "the model has no features that could relax it");
	}
}

/* Before the ranking is known: the verdicts with each feature switched. */
static void
add_relaxing(struct page *page, const struct constraint *constraint)
{
	const struct state *state = page->s;
	const struct neighbours *neighbours = state->answers.neighbours;
	char number[NUMBER_TEXT];
	bool one = udd_has_alternatives(state->question.model);
	const struct relaxers *ranking =
		one || state_stale(state) ? NULL : state_relaxers(state, state_why_row(state));
	struct line l;
	size_t some = 0;

	if (ranking) {
		add_ranking(page, ranking, constraint);
		return;
	}
	if (!neighbours || state_stale(state)) {
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, "%s by … (looking)", one ? "allowed" : "relaxed");
		return;
	}
	for (size_t i = 0; i < neighbours->n && !page_full(page); i++) {
		const struct neighbour *neighbour = &neighbours->feature[i];

		if (fset_has(&state->question.on, i) || !neighbour->legal ||
			state->view.selected >= neighbour->n_relaxes || !neighbour->relaxes[state->view.selected])
			continue;
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, some++ ? "           " : one ? "allowed by " : "relaxed by ");
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s ", state->question.model->feature[i].name);
		if (neighbour->frees)
			line_add(&l, ROLE_FEASIBLE, 0, "makes %zu feasible ", neighbour->frees);
		line_add(&l, ROLE_DIM, 0, "%s µpaths  %s", number_exact(number, neighbour->more, true, false),
			state->question.model->feature[i].text);
	}
	if (!some) {
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0,
			one ? "no other model of this folder allows it"
				: state->question.model->n_features
				? "no single feature relaxes it" : "the model has no features that could relax it");
	}
}

static void
add_also_infeasible(struct page *page)
{
	const struct result *result = page->s->answers.result;
	struct line l = {0};
	size_t some = 0, rows = 0, all = 0;

	for (size_t i = 0; i < result->n_findings; i++)
		all += i != page->s->view.selected && result->finding[i].verdict == VERDICT_INFEASIBLE;
	for (size_t i = 0; i < result->n_findings && !page_full(page); i++) {
		const struct finding *finding = &result->finding[i];

		if (i == page->s->view.selected || finding->verdict != VERDICT_INFEASIBLE)
			continue;
		if (!some || l.x + pen_columns(&l.pen, finding->name) + 12 > l.end) {
			if (rows++ == ALSO_ROWS) {
				line_add(&l, ROLE_DIM, 0, "… %zu more", all - some);
				return;
			}
			l = page_line(page);
			line_add(&l, ROLE_DIM, 0, some ? "" : "also infeasible ");
			line_to(&l, 17);
		}
		line_add(&l, page_role(page, ROLE_INFEASIBLE), 0, "%s", finding->name);
		line_gap(&l, 2);
		some++;
	}
}

static void
why_add_certificate(struct page *page, const struct finding *finding)
{
	static const char *const checked[] = {
		"every signature keeps it, checked exactly", "all signatures keep it", "exact"
	};
	struct line l;
	char *text;

	if (!finding->proof.n_certificates)
		return;
	text = relation_pretty(finding->proof.certificate->text);
	l = page_line(page);
	line_add(&l, ROLE_DIM, 0, "certificate ");
	if (l.x + pen_columns(&l.pen, text) <= l.end) {
		line_add(&l, ROLE_TEXT, 0, "%s", text);
	} else {
		page->row--;
		page_relation(page, ROLE_TEXT, 0, 12, text);
		l.x = l.end;
	}
	for (size_t i = 0; finding->own.verified && i < sizeof checked / sizeof *checked; i++)
		if (l.x + 2 + pen_columns(&l.pen, checked[i]) <= l.end) {
			line_add(&l, ROLE_DIM, 0, "  %s", checked[i]);
			l.x = l.end;
		}
	free(text);
}

static void
why_infeasible(struct page *page, const struct finding *finding)
{
	struct str sentence = {0};

	sentence_lead(page->s->question.model, finding, page->s->question.how.confidence, &sentence);
	if (sentence.n)
		page_words(page, page_role(page, ROLE_TEXT), str_text(&sentence));
	str_free(&sentence);
	page_blank(page);
	if (finding->proof.n_violated) {
		add_constraint(page, finding, finding->proof.violated);
	} else {
		page_words(page, ROLE_TEXT,
			"The region crosses every facet and still misses the cone; the certificate says how.");
		add_constraint(page, finding, finding->proof.certificate);
	}
	add_relaxing(page, finding->proof.n_violated ? finding->proof.violated : finding->proof.certificate);
	page_blank(page);
	add_others(page, finding);
	page_blank(page);
	why_add_certificate(page, finding);
	add_also_infeasible(page);
}

/* What independent rows would refute, how clearly, and what would decide. */
static void
add_suspected(struct page *page, const struct finding *finding)
{
	char alone[NUMBER_TEXT], slow[NUMBER_TEXT], more[NUMBER_TEXT];
	char *text;
	struct line l;

	if (!finding->proof.n_suspected)
		return;
	text = relation_pretty(finding->proof.suspected->text);
	page_blank(page);
	page_relation(page, ROLE_BORDERLINE, CELL_BOLD, 0, text);
	free(text);
	l = page_line(page);
	line_add(&l, ROLE_TEXT, 0, "p %s if rows are independent, %s with that noise",
		number_p(alone, finding->own.p_independent), number_p(slow, finding->own.doubt));
	page_blank(page);
	page_words(page, ROLE_DIM, "If the order of measuring was randomised, --independent-rows decides.");
	if (finding->own.samples_needed > (double)finding->data.samples) {
		text = str_format("Otherwise measure about %s more samples of the same kind.",
			number_round(more, finding->own.samples_needed - (double)finding->data.samples));
		page_words(page, ROLE_DIM, text);
		free(text);
	}
}

/* The constraints that the verdict does without, and why: feasible means less without them. */
static void
add_untested(struct page *page, const struct finding *f)
{
	const struct state *s = page->s;
	bool counted_now = s->data.leader && f->data.table == state_table_number(s, s->data.leader);
	char *names = untested_names(s->answers.result, f);
	char *reason = untested_reason(s->question.model, s->answers.result, f,
		counted_now ? run_facts(s->data.leader).status : NULL);

	if (names) {
		char *pretty = relation_pretty(names), *text = str_format("not tested: %s, %s", pretty, reason);

		page_words(page, ROLE_BORDERLINE, text);
		page_blank(page);
		free(text);
		free(pretty);
	}
	free(names);
	free(reason);
}

static void
why_not(struct page *page, const struct finding *finding)
{
	page_blank(page);
	add_untested(page, finding);
	switch (finding->verdict) {
	case VERDICT_FEASIBLE:
		page_words(page, ROLE_TEXT,
			"Some mix of the model's µpaths gives these counts. That does not prove the model: it only "
			"survives.");
		page_blank(page);
		page_words(page, ROLE_DIM,
			fset_is_empty(page->s->answers.result->on)
				? "To test it harder, run another program (r)."
				: "To test it harder, switch a feature off and see whether it is needed, or run "
				  "another program (r).");
		break;
	case VERDICT_BORDERLINE:
	case VERDICT_UNDECIDED:
		page_words(page, ROLE_TEXT, finding->reason ? finding->reason : "");
		add_suspected(page, finding);
		break;
	case VERDICT_INFEASIBLE:
		break;
	}
	page_blank(page);
	if (page->s->answers.result->count[VERDICT_INFEASIBLE])
		add_also_infeasible(page);
}

/* Lists what limits the verdict: counters that could not be counted and why, and weaknesses of the data. */
static void
why_add_notes(struct page *p)
{
	char **note = str_split(str_text(&p->s->data.run_notes), '\n', NULL);

	for (size_t i = 0; note[i]; i++)
		if (*note[i])
			page_words(p, ROLE_BORDERLINE, note[i]);
	str_split_free(note);
	for (size_t i = 0; p->s->answers.result && i < p->s->answers.result->n_notes; i++)
		page_words(p, ROLE_BORDERLINE, p->s->answers.result->note[i].text);
}

/* Lists what the counters of some constraints are, those on the left first, because they lead sentences. */
static void
add_counters_of(struct page *page, const struct result *result, size_t constraints)
{
	size_t n = page->s->question.model->n_counters;
	bool *has = mem_new_array(n, sizeof *has), *had = mem_new_array(n, sizeof *had);

	for (size_t k = 0; k < 2 * constraints; k++) {
		const struct constraint *c = &result->constraint[k / 2];
		int side = cone_row_left(c->coef, c->n, c->equality) * (k % 2 ? -1 : 1);

		for (size_t i = 0; i < n; i++) {
			has[i] = c->coef[i] * side > 0 && !had[i];
			had[i] |= has[i];
		}
		page_counter_texts(page, has);
	}
	free(had);
	free(has);
}

/* Lists what the model demands of any data, and what its counters are. Without room for all, there is some of both. */
static void
add_cone(struct page *p)
{
	const struct result *r = p->s->answers.result;
	int n = (int)p->s->question.model->n_counters, room = p->r.h - p->row;
	struct page above = *p;
	size_t shown = 0;

	above.r.h -= room > n + 4 ? n + 1 : room / 2;
	for (; r && shown < r->n_constraints && !page_full(&above); shown++) {
		char *text = relation_pretty(r->constraint[shown].text);

		page_relation(&above, r->constraint[shown].equality ? ROLE_ACCENT : ROLE_TEXT, 0, 0, text);
		free(text);
	}
	p->row = above.row;
	page_blank(p);
	add_counters_of(p, r, shown);
}

/* Without an observation: what is opened, what has been counted so far, what is missing and why. */
static void
why_nothing(struct page *page)
{
	const struct state *state = page->s;
	const struct source_status *status = run_facts(state->data.leader).status;

	if (!state_has_subject(state)) {
		page_words(page, ROLE_TEXT,
			"No data yet, so nothing is refuted. Data must keep these constraints; r types a command to "
			"run.");
		page_blank(page);
		add_cone(page);
	} else if (run_peeks(state->data.leader)) {
		struct line l = page_line(page);
		char number[NUMBER_TEXT];

		line_add(&l, ROLE_TEXT, 0, "%s %s, %s", state_subject(state),
			state->question.subject.argv ? "runs" : "is watched",
			number_seconds(number, state_run_seconds(state), false));
		page_blank(page);
		for (size_t i = 0; status && i < state->question.model->n_counters && !page_full(page); i++) {
			l = page_line(page);
			line_add(&l, status[i].health == OBS_UNSUPPORTED ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0, "%s ",
				status[i].health == OBS_UNSUPPORTED ? "✗" : "✓");
			line_add(&l, ROLE_TEXT, 0, "%s", state->question.model->counter[i].name);
			l.pen.fg = ROLE_TEXT;
			if (state->data.so_far.total && state->data.so_far.counted[i])
				pen_right(&l.pen, page->r.x + 30, l.y,
					number_count(number, (double)state->data.so_far.total[i], false));
			line_to(&l, 32);
			line_add(&l, ROLE_DIM, 0, "%s",
				status[i].health == OBS_UNSUPPORTED
					? status[i].why : state->question.model->counter[i].text);
		}
	} else {
		page_words(page, ROLE_TEXT,
			!state->question.subject.argv ? "Nothing was sampled."
				: state->data.had_run ? "The command has given no observation."
					     : "The command was not started.");
	}
	page_blank(page);
	why_add_notes(page);
}

static void
why_add_contents(struct page *page)
{
	const struct state *state = page->s;
	const struct finding *finding = state_finding(state);

	if (state->answers.result && state->answers.result->error) {
		char **line = str_split(state->answers.result->error, '\n', NULL);

		page_words(page, ROLE_INFEASIBLE, "This choice of features makes an error:");
		for (size_t i = 0; line[i]; i++)
			page_words(page, ROLE_TEXT, line[i]);
		str_split_free(line);
		return;
	}
	if (!finding) {
		why_nothing(page);
		return;
	}
	why_add_head(page, finding);
	if (finding->verdict == VERDICT_INFEASIBLE)
		why_infeasible(page, finding);
	else
		why_not(page, finding);
	page_blank(page);
	why_add_notes(page);
}

void
draw_why(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	struct page p = {.s = s, .g = g, .r = r, .skip = s->view.cursor[PANE_WHY]};

	(void)focus;
	why_add_contents(&p);
	/* lists stop at the bottom and may have more rows */
	d->layout.rows[PANE_WHY] = page_full(&p) ? p.skip + r.h : p.skip + 1;
}
