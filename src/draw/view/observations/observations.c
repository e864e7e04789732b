/* View 3, Observations: the list with verdict, distance, history and worst violation; next to it or below, the selected
 * observation. */
#include "draw/view/observations/observations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/panes.h"
#include "draw/view/view_history.h"
#include "draw/view/view_list.h"
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

/* What the cells need besides the state. */
struct observed_list {
	size_t common; /* bytes that all names begin with; the title has them */
	bool exact; /* all totals are */
	double top; /* the largest violation */
	bool brief; /* names leave out the keys of their settings */
	const char *worst; /* the worst constraint of most refuted ones, which stands above the list; NULL: none */
};

#define NAME_SIGNS 2   /* columns of a doubt or a note after a name */
#define COMMON_ROWS 6  /* rows of a list that has one for the common worst constraint */
#define COMMON_LEAST 4 /* bytes; less is not worth a look at the title */

/* Returns how many bytes all names begin with, up to a sign that separates words; 0: too few to be worth it. */
static size_t
common_start(const struct result *result)
{
	size_t n = SIZE_MAX;

	for (size_t i = 0; i < result->n_findings; i++) {
		const char *name = result->finding[i].name, *first = result->finding[0].name;
		size_t same = 0;

		while (same < n && name[same] && name[same] == first[same])
			same++;
		n = same;
	}
	while (result->n_findings && n && !strchr(":=,/-_. ", result->finding[0].name[n - 1]))
		n--;
	for (size_t i = 0; i < result->n_findings; i++)
		n = result->finding[i].name[n] ? n : 0;
	return result->n_findings < 3 || n < COMMON_LEAST ? 0 : n;
}

static const struct constraint *
worst_constraint(const struct finding *f)
{
	return f->proof.n_violated ? f->proof.violated : f->proof.n_certificates ? f->proof.certificate : NULL;
}

/* The text of the constraint that is the worst of more than half of the refuted observations; NULL: there is none, or
 * few are refuted. *same: how many; *refuted: of how many. */
static const char *
common_worst(const struct result *result, size_t *same, size_t *refuted)
{
	enum { LEAST = 3 };
	const char *candidate = NULL;
	size_t votes = 0;

	*same = *refuted = 0;
	for (int round = 0; round < 2; round++) /* the majority, if there is one; then its number */
		for (size_t i = 0; i < result->n_findings; i++) {
			const struct finding *f = &result->finding[i];
			const struct constraint *c = f->verdict == VERDICT_INFEASIBLE ? worst_constraint(f) : NULL;

			if (round && f->verdict == VERDICT_INFEASIBLE)
				++*refuted;
			if (!c)
				continue;
			if (round) {
				*same += candidate && str_eq(c->text, candidate);
			} else if (!votes) {
				candidate = c->text;
				votes = 1;
			} else if (str_eq(c->text, candidate)) {
				votes++;
			} else {
				votes--;
			}
		}
	return *same >= LEAST && 2 * *same > *refuted ? candidate : NULL;
}

/* The first number of an observation: how far off it is if all totals are exact, else its distance². */
static const char *
first_number(char out[NUMBER_TEXT], const struct finding *f, bool exact)
{
	const struct constraint *worst = worst_constraint(f);

	if (!exact)
		return number_distance(out, f->measure.distance2);
	return f->verdict == VERDICT_INFEASIBLE && worst ? number_off(out, worst->off, false)
		: f->verdict == VERDICT_FEASIBLE ? "0" : "·";
}

enum { MARK, NAME, DISTANCE, EXCESS, P, SAMPLES, OVER_TIME, CORRELATION, WORST, RELAXED, COLUMNS };

/* `room`: what is left beside the mark, the name, and 20 columns of the worst constraint. */
static const struct column observation_columns[COLUMNS] = {
	[MARK] = {.gap = 1, .width = 2},
	[NAME] = {.head = "name", .name = "name", .stays = true, .order = 1 + OBSERVATIONS_BY_NAME},
	[DISTANCE] = {.head = "d²", .gap = 2, .right = true, .name = "distance", .order = 1 + OBSERVATIONS_BY_DISTANCE},
	[EXCESS] = {.gap = 2, .width = 12, .room = 25, .name = "excess"},
	[P] = {.head = "p", .gap = 1, .width = 6, .room = 14, .right = true, .name = "p"},
	[SAMPLES] = {.head = "n", .gap = 1, .width = 5, .room = 20, .right = true, .name = "samples",
		.order = 1 + OBSERVATIONS_BY_SAMPLES},
	[OVER_TIME] = {.head = "over time", .gap = 2, .width = 9, .room = 31, .name = "over-time",
		.order = 1 + OBSERVATIONS_AS_GIVEN},
	[CORRELATION] = {.head = "corr", .gap = 1, .width = 5, .room = 37, .right = true, .name = "correlation",
		.order = 1 + OBSERVATIONS_BY_CORRELATION},
	[WORST] = {.head = "worst constraint", .gap = 2, .rest = true, .name = "worst"},
	[RELAXED] = {.head = "relaxed", .gap = 1, .width = 9, .room = 31, .name = "relaxed"},
};

/* Fits the columns to the observations and to `w` columns. */
static void
observations_fit_columns(struct list *list, struct observed_list *of, struct grid *grid, int w)
{
	const struct result *result = list->state->answers.result;
	struct pen pen = {.grid = grid};
	struct column *column = list->column;
	char number[NUMBER_TEXT];
	int wide = 6, name[2] = {0}, most = w >= 90 ? w / 3 : w >= 70 ? 22 : w >= 60 ? 17 : w >= 46 ? 12 : 9;

	for (size_t i = 0; i < result->n_findings; i++) {
		int columns = pen_columns(&pen, first_number(number, &result->finding[i], of->exact));

		wide = columns > wide ? columns : wide;
		for (int brief = 0; brief < 2; brief++) {
			struct str text = {0};

			observation_add_name(result->finding[i].name + of->common, brief, &text);
			columns = pen_columns(&pen, str_text(&text)) + NAME_SIGNS;
			name[brief] = columns > name[brief] ? columns : name[brief];
			str_free(&text);
		}
	}
	of->brief = name[0] > most;
	column[NAME].width = w >= 60 ? 17 : most;
	if (name[of->brief] > column[NAME].width)
		column[NAME].width = name[of->brief] < most ? name[of->brief] : most;
	list->room = w - 24 - column[NAME].width;
	column[DISTANCE].width = wide;
	if (of->exact) {
		column[DISTANCE].head = "excess";
		column[P].width = column[SAMPLES].width = column[OVER_TIME].width = column[CORRELATION].width = 0;
		column[WORST].gap = list->room >= column[EXCESS].room ? 2 : 3;
	} else {
		column[DISTANCE].room = wide + 1;
		column[EXCESS].width = column[RELAXED].width = 0;
		column[OVER_TIME].width = list->room >= 60 ? 20 : 9;
		column[WORST].gap = list->room >= column[CORRELATION].room ? 3 : 2;
	}
}

static void
draw_name(struct list_row *row, const struct finding *finding)
{
	const struct state *state = row->list->state;
	bool old = row->list->stale, marked = row->item < state->view.marks.n && state->view.marks.on[row->item];
	const struct observed_list *of = row->list->of;
	struct line l = list_line(row, MARK);
	struct str name = {0};
	int end;

	line_add(&l, old ? ROLE_DIM : finding_role(finding), 0, "%s", finding_mark(finding));
	line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", marked ? "*" : " ");
	observation_add_name(finding->name + of->common, of->brief, &name);
	l = list_line(row, NAME);
	end = l.end;
	l.end -= finding_doubts(finding) ? 2 : 0;
	line_add(&l, old || finding->verdict == VERDICT_UNDECIDED ? ROLE_DIM : ROLE_TEXT,
		row->item == state->view.selected ? CELL_BOLD : 0, "%s", str_text(&name));
	str_free(&name);
	l.end = end;
	if (finding_doubts(finding))
		line_add(&l, old ? ROLE_DIM : ROLE_BORDERLINE, 0, " " DOUBT_MARK);
	if (state_note_on(state, REMARK_OBSERVATION, finding->name))
		line_add(&l, ROLE_ACCENT, 0, " \"");
}

static void
draw_over_time(struct list_row *row, const struct finding *finding)
{
	struct rect at;

	if (!list_cell(row, OVER_TIME, ROLE_DIM, &at)) /* the mark has the verdict's colour */
		return;
	if (has_history(row->list->state, finding))
		draw_history(row->list->state, &row->pen, at.x, at.y, at.w, false);
	else if (finding->time.n_series > 1)
		draw_activity(&row->pen, at.x, at.y, at.w, finding);
	else
		list_text(row, OVER_TIME, ROLE_DIM, "·");
}

/* A relation; without one, why there is no verdict. */
static void
draw_worst(struct list_row *row, const struct finding *finding)
{
	const struct observed_list *of = row->list->of;
	const struct constraint *worst = finding->verdict == VERDICT_INFEASIBLE ? worst_constraint(finding) : NULL;
	struct line l = list_line(row, WORST);
	struct rect at;
	char *text;

	if (!list_cell(row, WORST, worst ? ROLE_TEXT : ROLE_DIM, &at))
		return;
	if (!worst && !finding->proof.n_suspected) {
		l.end = list_is_arranged(row->list) ? l.end : row->pen.clip.x + row->pen.clip.w;
		line_add(&l, ROLE_DIM, 0, "%s", finding->reason ? finding->reason : "·");
		return;
	}
	if (worst && of->worst && str_eq(worst->text, of->worst)) {
		line_add(&l, ROLE_DIM, 0, "the same");
		return;
	}
	text = relation_pretty(worst ? worst->text : finding->proof.suspected->text);
	pen_relation(&row->pen, at.x, at.y, at.w, text);
	free(text);
}

/* Names of the features that relax it. */
static void
draw_relaxed(const struct list_row *row)
{
	const struct state *s = row->list->state;
	const struct neighbours *t = s->answers.neighbours;
	struct line l = list_line(row, RELAXED);

	l.end += row->list->column[RELAXED].x ? 1 : 0;
	for (size_t k = 0; t && !row->list->stale && k < t->n; k++)
		if (!fset_has(&s->question.on, k) && t->feature[k].legal && row->item < t->feature[k].n_relaxes &&
			t->feature[k].relaxes[row->item])
			line_add(&l, ROLE_ACCENT, 0, "%s ", s->question.model->feature[k].name);
}

static void
observations_draw_row(struct list_row *row)
{
	const struct observed_list *of = row->list->of;
	const struct finding *finding = &row->list->state->answers.result->finding[row->item];
	const struct constraint *worst = worst_constraint(finding);
	bool broken = finding->verdict == VERDICT_INFEASIBLE;
	enum role role = !broken ? ROLE_DIM : of->exact ? ROLE_INFEASIBLE : ROLE_TEXT;
	char number[NUMBER_TEXT];
	struct rect at;

	draw_name(row, finding);
	list_text(row, DISTANCE, role, first_number(number, finding, of->exact));
	if (list_cell(row, EXCESS, role, &at) && broken && worst && of->top > 0)
		draw_bar(&row->pen, at.x, at.y, at.w, log1p(fabs(worst->off)) / log1p(of->top));
	list_text(row, P, role, number_p(number, finding->measure.p));
	list_text(row, SAMPLES, ROLE_DIM, number_count(number, (double)finding->data.samples, false));
	snprintf(number, sizeof number, "%.2f", finding->correlation.mean);
	list_text(row, CORRELATION, ROLE_DIM, isfinite(finding->correlation.mean) ? number : "·");
	draw_over_time(row, finding);
	draw_worst(row, finding);
	draw_relaxed(row);
}

/* "worst of 31 of 35: PGF = Fu + Fk" */
static void
draw_common_worst(const struct list *list, struct grid *grid, struct rect r, size_t same, size_t refuted)
{
	const struct observed_list *of = list->of;
	struct line l = line_on(grid, r, 0);
	char *text = relation_pretty(of->worst);

	if (same < refuted)
		line_add(&l, ROLE_DIM, 0, "worst of %zu of the %zu refuted: ", same, refuted);
	else
		line_add(&l, ROLE_DIM, 0, "worst of all %zu refuted: ", refuted);
	line_relation(&l, list->stale ? ROLE_DIM : ROLE_TEXT, 0, 0, text);
	free(text);
}

static bool
observations_draw_nothing(const struct state *state, struct grid *grid, struct rect r, size_t n)
{
	struct page p = {.s = state, .g = grid, .r = r};

	if (state->answers.result && state->answers.result->error) {
		page_words(&p, ROLE_INFEASIBLE,
			"This choice of features makes an error, so nothing is judged. 1 shows the error.");
	} else if (!state->answers.result || state->answers.result->n_findings == 0) {
		bool runs = run_peeks(state->data.leader);

		page_words(&p, ROLE_TEXT,
			runs ? "The command runs; its first verdict comes with the first samples, or at its end."
				: state->answers.progress.busy ? "The first verdicts are being computed."
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
observations_draw_list(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct column column[COLUMNS];
	struct observed_list of = {.exact = true};
	size_t n = 0, same, refuted;
	const size_t *order = state_observations(state, &n);
	struct list l = {.state = state,
		.of = &of,
		.column = column,
		.n_columns = COLUMNS,
		.order = order,
		.n = n,
		.stale = state_stale(state),
		.draw = observations_draw_row,
		.pane = PANE_LIST,
		.action = ACTION_samples};

	if (observations_draw_nothing(state, grid, r, n))
		return;
	for (size_t i = 0; i < state->answers.result->n_findings; i++)
		of.exact &= state->answers.result->finding[i].data.exact;
	for (size_t i = 0; i < n; i++) {
		const struct finding *finding = &state->answers.result->finding[order[i]];

		if (order[i] == state->view.selected)
			l.cursor = i;
		if (finding->proof.n_violated)
			of.top = fmax(of.top, fabs(finding->proof.violated->off));
	}
	of.common = common_start(state->answers.result);
	memcpy(column, observation_columns, sizeof column);
	observations_fit_columns(&l, &of, grid, r.w);
	list_place(&l, r.w);
	of.worst = r.h >= COMMON_ROWS && column[WORST].x ? common_worst(state->answers.result, &same, &refuted) : NULL;
	if (of.worst && same < refuted && (int)strlen(of.worst) <= column[WORST].width)
		of.worst = NULL; /* it fits into each row */
	if (of.worst) {
		draw_common_worst(&l, grid, r, same, refuted);
		r.y++;
		r.h--;
	}
	list_draw(&l, grid, r, focus, drawn);
}

static void
observations_title_list(const struct state *s, struct str *title, struct str *info)
{
	const struct result *r = s->answers.result;

	str_add(title, "Observations");
	if (!r || !r->n_findings)
		return;
	if (common_start(r))
		str_addf(title, " · %.*s…", (int)common_start(r), r->finding[0].name);
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
		str_addf(info, "%zu sample%s", f->data.samples, plural_s(f->data.samples));
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
	size_t same, refuted;

	if (s->answers.result && s->answers.result->n_findings && body.w < SIDE_BY_SIDE)
		wish->max_h = (int)s->answers.result->n_findings + 2 +
			(common_worst(s->answers.result, &same, &refuted) && same == refuted);
	return true;
}

const struct pane_draw pane_draw_list = {.title = observations_title_list,
	.draw = observations_draw_list,
	PANE_WISHES(list_wish),
	.fit = observations_fit_list,
	PANE_COLUMNS(observation_columns)};
const struct pane_draw pane_draw_observed = {.title = title_observed, .draw = draw_observed,
	PANE_WISHES(observed_wish)};
const struct pane_draw pane_draw_samples = {.title = title_samples, .draw = draw_samples, PANE_WISHES(samples_wish)};
const struct view_draw view_draw_observations = {0};
