/* If counter i counts s more for each occurrence of a cause, its true count is v_i − s c, where c is how often the
 * cause occurs. Each constraint b·v ≥ 0 that contains i then reads b·v − b_i s c ≥ 0: a bound on s for each
 * observation, in closed form. As for factors, the intersection of all bounds clears most counters, and some s of the
 * interval are tested with complete verdicts on counts from which s c was subtracted row by row. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "work/analysis/leaks.h"
#include "work/analysis/suspicion.h"

#define LEAK_MOST 1000.0  /* largest leak per event that is searched for */
#define RATE_MOST 1e5     /* largest leak per second */
#define POINTS 9          /* number of slopes of the interval that are judged */
#define FINE_STEPS 10     /* halvings towards the ends of the slopes that are good */

static const struct analysis_table *
table_of(const struct suspicion *w, size_t i)
{
	return &w->a->table[w->a->judged[i]->from.table];
}

static bool
is_judged(const struct suspicion *w, size_t i)
{
	enum verdict_kind v = suspicion_verdict(w, i);

	return v == VERDICT_INFEASIBLE || v == VERDICT_FEASIBLE;
}

/* Narrows the slopes to those with which an observation keeps a row: b·v − b_i s c within reach of 0 or above. */
static bool
narrow_by_row(const struct suspicion *suspicion, size_t i, const int64_t *row, size_t place, bool equality, double c,
	double s[2])
{
	struct across x = verdict_across(suspicion->a->judged[i]->region, row,
		(enum region_kind)suspicion->a->opt.decides, suspicion->v[i]->reach2);
	double rows = (double)suspicion->a->judged[i]->added, each = (double)row[place] * c * rows;
	double reach = x.reach + 1e-12 * x.size + fabs((double)row[place]) * rows;
	double low = (x.at - reach) / each, high = (x.at + reach) / each;

	if (each > 0) {
		s[1] = fmin(s[1], high);
		s[0] = equality ? fmax(s[0], low) : s[0];
	} else {
		s[0] = fmax(s[0], high);
		s[1] = equality ? fmin(s[1], low) : s[1];
	}
	return s[0] <= s[1];
}

static bool
narrow_by(const struct suspicion *w, size_t i, const char *cause, double s[2])
{
	const struct prepared *prepared = w->a->judged[i];
	const struct cone *cone = w->cone[i];
	size_t place = suspicion_place(prepared, w->counter);
	double c;

	if (!prepared->keep[w->counter])
		return true;
	c = leaks_mean(table_of(w, i), prepared->obs, cause);
	if (isnan(c) || !(c > 0))
		return suspicion_verdict(w, i) != VERDICT_INFEASIBLE;
	for (size_t k = 0; k < cone->n_equalities + cone->n_inequalities; k++) {
		const int64_t *row = cone_row(cone, k);

		if (row[place] && !narrow_by_row(w, i, row, place, k < cone->n_equalities, c, s))
			return false;
	}
	return true;
}

/* Finds the slopes that no constraint of any observation excludes; false if 0 is among them, or there are none. */
static bool
suspects_leak_narrow(const struct suspicion *suspicion, const char *cause, double s[2])
{
	static const enum verdict_kind order[] = {VERDICT_INFEASIBLE, VERDICT_FEASIBLE};

	s[0] = 0;
	s[1] = str_eq(cause, LEAK_SECONDS) ? RATE_MOST : LEAK_MOST;
	for (size_t i = 0; i < suspicion->n; i++)
		if (suspicion_clears(suspicion, i))
			return false;
	for (size_t o = 0; o < sizeof order / sizeof *order; o++)
		for (size_t i = 0; i < suspicion->n; i++)
			if (suspicion_verdict(suspicion, i) == order[o] && !narrow_by(suspicion, i, cause, s))
				return false;
	return s[0] > 0;
}

/* Judges an observation from whose column the leak was subtracted in each row. */
static bool
suspects_leak_fits(const struct suspicion *suspicion, size_t i, const char *cause, double s)
{
	const struct prepared *p = suspicion->a->judged[i];
	const struct analysis_table *table = table_of(suspicion, i);
	const struct verdict_options how = {.confidence = suspicion->a->opt.confidence,
		.decides = (enum region_kind)suspicion->a->opt.decides, .alone = true, .bare = true};
	struct obs near = obs_near(p->obs), view = near;
	struct prepared q = {.obs = &view, .given = p->given, .match = p->match, .keep = p->keep, .n_kept = p->n_kept,
		.value = mem_copy(p->value, suspicion->a->model->n_counters * sizeof *q.value)};
	size_t column;
	struct verdict *verdict;
	bool good = true;

	if (p->match->first[suspicion->counter] < p->match->first[suspicion->counter + 1] &&
		p->keep[suspicion->counter]) {
		column = p->match->column[p->match->first[suspicion->counter]];
		view.count = mem_copy(view.count, view.n_rows * view.n_columns * sizeof *view.count);
		view.whole = NULL;
		view.whole_of = NULL;
		for (size_t r = 0; r < view.n_rows; r++) {
			int64_t *cell = &view.count[r * view.n_columns + column];
			double leak = s * leaks_in_row(table, &near, cause, r) * pow(10, view.decimals);

			if (view.counted[r * view.n_columns + column] && isfinite(leak))
				*cell -= llround(view.exact ? fmin(leak, (double)*cell) : leak);
		}
		prepare_region(suspicion->a, table, &q);
		if (q.region) {
			verdict = verdict_new(suspicion->cone[i], q.region, &how);
			good = verdict->verdict != VERDICT_INFEASIBLE;
			verdict_free(verdict);
		}
		free(view.count);
	}
	q.keep = NULL;
	prepared_clear(&q);
	obs_near_free(&near, p->obs);
	return good;
}

static bool
suspects_leak_all_fit(const struct suspicion *w, const char *cause, double s)
{
	for (size_t o = 0; o < 2; o++) /* refuted observations first: they exclude most */
		for (size_t i = 0; i < w->n; i++)
			if (is_judged(w, i) && (suspicion_verdict(w, i) == VERDICT_INFEASIBLE) == !o
				&& !suspects_leak_fits(w, i, cause, s))
				return false;
	return true;
}

/* Bisects between a slope that frees all observations and one that does not; returns the last that does. */
static double
last_fit(const struct suspicion *w, const char *cause, double good, double bad)
{
	for (int k = 0; k < FINE_STEPS; k++) {
		double middle = (good + bad) / 2;

		if (suspects_leak_all_fit(w, cause, middle))
			good = middle;
		else
			bad = middle;
	}
	return good;
}

/* Sets the factors from the true counts to those reported, over the refuted observations. */
static void
find_factors(const struct suspicion *suspicion, const char *cause, struct suspect *suspect)
{
	suspect->least = INFINITY;
	suspect->most = 0;
	for (size_t i = 0; i < suspicion->n; i++) {
		const struct prepared *prepared = suspicion->a->judged[i];
		double leak, count = prepared->value[suspicion->counter];

		if (suspicion_verdict(suspicion, i) != VERDICT_INFEASIBLE)
			continue;
		leak = leaks_mean(table_of(suspicion, i), prepared->obs, cause) *
			(suspect->rate[0] + suspect->rate[1]) / 2;
		suspect->least = fmin(suspect->least, count / fmax(0, count - leak));
		suspect->most = fmax(suspect->most, count / fmax(0, count - leak));
	}
}

bool
suspicion_leak(const struct suspicion *suspicion, const char *cause, struct suspect *suspect)
{
	double s[2], at[POINTS];
	int first = POINTS, last = -1;

	if (!suspects_leak_narrow(suspicion, cause, s))
		return false;
	for (int k = 0; k < POINTS; k++) {
		at[k] = s[0] + (s[1] - s[0]) * k / (POINTS - 1);
		if (!suspects_leak_all_fit(suspicion, cause, at[k]))
			continue;
		first = first < k ? first : k;
		last = k;
	}
	if (last < 0)
		return false;
	*suspect = (struct suspect){
		.counter = suspicion->counter, .refuted = suspicion->n_refuted, .leak = mem_str(cause)};
	suspect->rate[0] = first > 0 ? last_fit(suspicion, cause, at[first], at[first - 1]) : at[first];
	suspect->rate[1] = last + 1 < POINTS ? last_fit(suspicion, cause, at[last], at[last + 1]) : at[last];
	find_factors(suspicion, cause, suspect);
	return true;
}
