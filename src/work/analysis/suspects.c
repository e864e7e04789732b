/* If counter i counts by a factor f, the counts lie in D C instead of the cone C, where D multiplies the i-th count by
 * f.
 *
 * For each observation, each constraint b·v ≥ 0 that contains i bounds 1/f: the bound is where the region just touches
 * the constraint. The intersection of all bounds is an interval of 1/f. If it is empty, the counter is cleared:
 *
 *     observation 1   ├───────────────┤
 *     observation 2            ├──────────────┤
 *     observation 3                 ├────┤            intersection: factors that free all three
 *
 * These bounds are cheap and clear most counters. For the others, some factors of the interval are tested with complete
 * verdicts. */
#include "work/analysis/suspects.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "work/analysis/analysis.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/leaks.h"
#include "work/analysis/suspicion.h"

#define UNIT ((int64_t)1 << 30)      /* units per 1: 1/f is rounded to a multiple of 1/UNIT */
#define ROW_MAX ((int64_t)1 << 28)   /* largest coefficient that may be multiplied by it */
#define STEPS 40                     /* halvings of an interval */
#define POINTS 9                     /* number of factors of the interval that are judged */
#define FINE_STEPS 10                /* halvings towards the ends of the factors that are good */
#define LIMIT 0.999                  /* share of the largest factor below which a factor counts as none */

enum verdict_kind
suspicion_verdict(const struct suspicion *w, size_t i)
{
	return judge_decides(w->a, w->v[i]);
}

size_t
suspicion_place(const struct prepared *p, size_t counter)
{
	size_t at = 0;

	for (size_t i = 0; i < counter; i++)
		at += p->keep[i];
	return at;
}

/* Returns how far the region reaches beyond a row, on the good side, if the counter counts by 1/t: 0 or more means that
 * the region meets it. *at is the value at the mean. */
static double
reaches(const struct suspicion *suspicion, size_t i, const int64_t *row, size_t place, bool equality, double t,
	double *at)
{
	const struct region *region = suspicion->a->judged[i]->region;
	int64_t part = (int64_t)llround(t * (double)UNIT);
	struct across x;

	for (size_t k = 0; k < region->n; k++)
		suspicion->row[k] = row[k] * (k == place ? part : UNIT);
	x = verdict_across(
		region, suspicion->row, (enum region_kind)suspicion->a->opt.decides, suspicion->v[i]->reach2);
	/* A count that is multiplied by a factor is rounded to an integer, in each row. */
	x.reach += fabs((double)suspicion->row[place]) * (double)suspicion->a->judged[i]->added + 1e-12 * x.size;
	*at = x.at;
	return x.reach + (equality ? -fabs(x.at) : x.at);
}

/* Bisects between a good t and a bad one; returns the last good one. */
static double
edge(const struct suspicion *suspicion, size_t i, const int64_t *row, size_t place, bool equality, double good,
	double bad)
{
	double at;

	for (int k = 0; k < STEPS; k++) {
		double middle = (good + bad) / 2;

		if (reaches(suspicion, i, row, place, equality, middle, &at) >= 0)
			good = middle;
		else
			bad = middle;
	}
	return good;
}

/* Narrows t to the values with which the observation keeps the row. False: there are none. */
static bool
narrow_by_row(const struct suspicion *suspicion, size_t i, const int64_t *row, size_t place, bool equality, double t[2])
{
	double at[2], inside = NAN;
	bool good[2];

	for (int k = 0; k < 2; k++)
		good[k] = reaches(suspicion, i, row, place, equality, t[k], &at[k]) >= 0;
	if (good[0] && good[1])
		return true;
	if (good[0] || good[1]) {
		inside = t[good[0] ? 0 : 1];
	} else if (equality && (at[0] < 0) != (at[1] < 0)) {
		double zero;

		inside = t[0] + (t[1] - t[0]) * at[0] / (at[0] - at[1]);
		if (!(reaches(suspicion, i, row, place, equality, inside, &zero) >= 0))
			return false;
	} else {
		return false;
	}
	for (int k = 0; k < 2; k++)
		if (!good[k])
			t[k] = edge(suspicion, i, row, place, equality, inside, t[k]);
	return t[0] <= t[1];
}

static bool
is_small(const int64_t *row, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (row[k] > ROW_MAX || row[k] < -ROW_MAX)
			return false;
	return true;
}

bool
suspicion_clears(const struct suspicion *w, size_t i)
{
	const struct prepared *prepared = w->a->judged[i];
	const struct verdict *verdict = w->v[i];
	size_t place = suspicion_place(prepared, w->counter);

	if (suspicion_verdict(w, i) != VERDICT_INFEASIBLE)
		return false;
	if (!prepared->keep[w->counter])
		return true;
	for (size_t k = 0; k < verdict->n_violated; k++) {
		const struct violation *violation = &verdict->violated[k];

		if (!cone_row(w->cone[i], violation->row + (violation->equality ? 0 : w->cone[i]->n_equalities))[place])
			return true;
	}
	return false;
}

static bool
narrow_by(const struct suspicion *w, size_t i, double t[2])
{
	const struct prepared *prepared = w->a->judged[i];
	const struct cone *cone = w->cone[i];
	size_t place = suspicion_place(prepared, w->counter);

	for (size_t k = 0; prepared->keep[w->counter] && k < cone->n_equalities + cone->n_inequalities; k++) {
		const int64_t *row = cone_row(cone, k);

		if (row[place] && is_small(row, cone->n_counters) && !narrow_by_row(w, i, row, place,
			k < cone->n_equalities, t))
			return false;
	}
	return true;
}

/* Finds the interval of 1/f that no constraint of any observation excludes; false if it is empty. Refuted observations,
 * which exclude most, come first. */
static bool
suspects_narrow(const struct suspicion *suspicion, double t[2])
{
	static const enum verdict_kind order[] = {VERDICT_INFEASIBLE, VERDICT_FEASIBLE};

	t[0] = 1 / SUSPECTS_FACTOR;
	t[1] = SUSPECTS_FACTOR;
	for (size_t i = 0; i < suspicion->n; i++)
		if (suspicion_clears(suspicion, i))
			return false;
	for (size_t o = 0; o < sizeof order / sizeof *order; o++)
		for (size_t i = 0; i < suspicion->n; i++)
			if (suspicion_verdict(suspicion, i) == order[o] && !narrow_by(suspicion, i, t))
				return false;
	return t[1] < 1 || t[0] > 1;
}

/* Tests an exact total against a cone with all its facets, with the counter rounded. */
static bool
point_fits(const struct suspicion *suspicion, size_t i, size_t place, double t)
{
	const struct cone *cone = suspicion->cone[i];
	double at;

	for (size_t k = 0; k < cone->n_equalities + cone->n_inequalities; k++) {
		const int64_t *row = cone_row(cone, k);

		if (!is_small(row, cone->n_counters) ||
			reaches(suspicion, i, row, place, k < cone->n_equalities, t, &at) < 0)
			return false;
	}
	return true;
}

static bool
suspects_fits(const struct suspicion *w, size_t i, double t)
{
	const struct prepared *prepared = w->a->judged[i];
	struct verdict_options how = {.confidence = w->a->opt.confidence,
		.decides = (enum region_kind)w->a->opt.decides, .alone = true, .bare = true};
	size_t place = suspicion_place(prepared, w->counter);
	struct cone *cone;
	struct verdict *verdict;
	bool good;

	if (!prepared->keep[w->counter])
		return true;
	if (prepared->region->point && w->cone[i]->complete)
		return point_fits(w, i, place, t);
	cone = cone_scale(w->cone[i], place, UNIT, (int64_t)llround(t * (double)UNIT));
	if (!cone)
		return false;
	verdict = verdict_new(cone, prepared->region, &how);
	good = verdict->verdict != VERDICT_INFEASIBLE;
	verdict_free(verdict);
	cone_free(cone);
	return good;
}

static bool
suspects_all_fit(const struct suspicion *w, double t)
{
	for (size_t i = 0; i < w->n; i++) {
		enum verdict_kind v = suspicion_verdict(w, i);

		if ((v == VERDICT_INFEASIBLE || v == VERDICT_FEASIBLE) && !suspects_fits(w, i, t))
			return false;
	}
	return true;
}

/* Bisects between a t that frees all observations and one that does not; returns the last that does. */
static double
last_fit(const struct suspicion *w, double good, double bad)
{
	for (int k = 0; k < FINE_STEPS; k++) {
		double middle = (good + bad) / 2;

		if (suspects_all_fit(w, middle))
			good = middle;
		else
			bad = middle;
	}
	return good;
}

/* Narrows the interval, from both ends, to the factors that free all observations. */
static bool
judge_interval(const struct suspicion *suspicion, const double t[2], struct suspect *suspect)
{
	double at[POINTS];
	int first = POINTS, last = -1;

	for (int k = 0; k < POINTS; k++) {
		at[k] = t[0] + (t[1] - t[0]) * k / (POINTS - 1);
		if ((k && t[1] == t[0]) || !suspects_all_fit(suspicion, at[k]))
			continue;
		first = first < k ? first : k;
		last = k;
	}
	if (last < 0)
		return false;
	*suspect = (struct suspect){.counter = suspicion->counter, .refuted = suspicion->n_refuted};
	suspect->least = 1 /
		(last + 1 < POINTS && t[1] > t[0] ? last_fit(suspicion, at[last], at[last + 1]) : at[last]);
	suspect->most = 1 / (first > 0 ? last_fit(suspicion, at[first], at[first - 1]) : at[first]);
	return true;
}

/* Returns the distance of the factor from 1, in either direction. */
static double
suspects_distance(const struct suspect *s)
{
	return s->least > 1 ? log(s->least) : -log(s->most);
}

/* A cause raises an event a whole number of times: such a leak is more likely than a factor, another less. */
static int
rank(const struct suspect *s)
{
	bool whole = s->leak && !str_eq(s->leak, LEAK_SECONDS) && floor(s->rate[1]) >= fmax(1, s->rate[0]);

	return whole ? 0 : s->leak ? 2 : 1;
}

static int
suspects_compare(const void *va, const void *vb)
{
	const struct suspect *a = va, *b = vb;
	double x = suspects_distance(a), y = suspects_distance(b);

	if (rank(a) != rank(b))
		return rank(a) - rank(b);
	return x < y ? -1 : x > y ? 1 : a->counter < b->counter ? -1 : a->counter > b->counter;
}

static void
suspects_add(struct suspects *out, size_t *cap, struct suspect one)
{
	mem_grow(&out->one, cap, out->n + 1, sizeof *out->one);
	out->one[out->n++] = one;
}

static void
suspects_try_counters(struct suspicion *suspicion, const struct analysis_watch *watch, struct suspects *out)
{
	size_t n = suspicion->a->model->n_counters, cap = 0, n_leaks;
	const char **leak = leaks_names(suspicion->a, &n_leaks);

	for (suspicion->counter = 0; suspicion->counter < n; suspicion->counter++) {
		struct suspect one;
		double t[2];

		if (watch && !watch->go_on(watch->ctx, "counters", suspicion->counter, n))
			break;
		if (suspects_narrow(suspicion, t) && judge_interval(suspicion, t, &one))
			suspects_add(out, &cap, one);
		for (size_t k = 0; k < n_leaks; k++)
			if (!str_eq(leak[k], suspicion->a->model->counter[suspicion->counter].name) &&
				suspicion_leak(suspicion, leak[k], &one))
				suspects_add(out, &cap, one);
	}
	free(leak);
	if (out->n)
		qsort(out->one, out->n, sizeof *out->one, suspects_compare);
}

struct suspects
suspects_find(struct analysis *analysis, const struct fset *on, const struct analysis_watch *watch)
{
	struct suspicion w = {.a = analysis, .n = analysis_n_observations(analysis)};
	struct suspects out = {0};
	char *error = NULL;

	w.v = mem_new_array(w.n, sizeof(struct verdict *));
	w.cone = mem_new_array(w.n, sizeof(const struct cone *));
	w.row = mem_new_array(analysis->model->n_counters, sizeof *w.row);
	cones_begin(analysis->cones);
	if (cones_signatures(analysis->cones, on, &error) && judge_all(analysis, on, true, w.v, w.cone, watch)) {
		judge_family(analysis, w.v, w.cone, w.n);
		for (size_t i = 0; i < w.n; i++)
			w.n_refuted += suspicion_verdict(&w, i) == VERDICT_INFEASIBLE;
		if (w.n_refuted >= SUSPECTS_FEWEST)
			suspects_try_counters(&w, watch, &out);
	}
	free(error);
	judge_free_verdicts(w.v, w.n);
	free(w.cone);
	free(w.row);
	return out;
}

void
suspects_clear(struct suspects *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->one[i].leak);
	free(s->one);
	*s = (struct suspects){0};
}

/* As many digits as tell the factors from 1, 3 at least. */
static int
digits_of(const struct suspect *s)
{
	double apart = fabs(1 - (s->least > 1 ? s->least : s->most));

	return apart > 0 ? (int)fmin(9, fmax(3, 2 - floor(log10(apart)))) : 9;
}

/* Appends "1 too many per page-faults, the same in all observations (1.2 to 1.3 times what it should)". */
static void
add_leak(const struct suspect *suspect, struct str *out)
{
	double least = suspect->rate[0], most = suspect->rate[1], whole = ceil(least);
	int digits = digits_of(suspect);
	const char *per = str_eq(suspect->leak, LEAK_SECONDS) ? "second" : suspect->leak;

	if (whole >= 1 && whole <= most)
		least = most = whole;
	str_addf(out, "%.3g", least);
	if (most > least * 1.005)
		str_addf(out, " to %.3g", most);
	str_addf(out, " too many per %s, the same in all observations (", per);
	str_addf(out, "%.*g to %.*g times what it should)", digits, suspect->least, digits, suspect->most);
}

/* Appends "1.21 to 1.25 times what it should, the same in all observations". */
static void
add_factor(const struct suspect *s, struct str *out)
{
	int digits = digits_of(s);
	char *least = str_format("%.*g", digits, s->least), *most = str_format("%.*g", digits, s->most);

	if (s->most >= LIMIT * SUSPECTS_FACTOR)
		str_addf(out, "at least %s", least);
	else if (s->least * LIMIT <= 1 / SUSPECTS_FACTOR)
		str_addf(out, "at most %s", most);
	else if (str_eq(least, most))
		str_add(out, least);
	else
		str_addf(out, "%s to %s", least, most);
	str_add(out, " times what it should, the same in all observations");
	free(least);
	free(most);
}

/* Appends "load.walk_done counts 1.21 to 1.25 times what it should, the same in all observations". */
static void
suspect_words(const struct udd_model *m, const struct suspect *s, struct str *out)
{
	str_addf(out, "%s counts ", m->counter[s->counter].name);
	if (s->leak)
		add_leak(s, out);
	else
		add_factor(s, out);
}

char *
suspects_sentence(const struct udd_model *model, const struct suspects *suspects)
{
	struct str out = {0};

	if (!suspects->n)
		return NULL;
	for (size_t i = 0; i < suspects->n && i < SUSPECTS_SAID; i++) {
		str_add(&out, i ? "; or " : "perhaps ");
		suspect_words(model, &suspects->one[i], &out);
	}
	if (suspects->n > SUSPECTS_SAID)
		str_addf(&out, "; or one of %zu other such errors", suspects->n - SUSPECTS_SAID);
	str_addf(&out, ": that alone would explain all %zu that refute ", suspects->one[0].refuted);
	return str_take(&out);
}

void
suspects_caution(const struct udd_model *m, const struct suspects *x, struct str *out)
{
	if (!x->n)
		return;
	str_addf(out, "  a signature explains no more than one wrong counter does: before you believe it, count %s by "
		"another event, or correct it by --trust\n", m->counter[x->one[0].counter].name);
}
