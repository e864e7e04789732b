#include "core/trust/attribute.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* Student's t, two-sided at 6.334e-5, by degrees of freedom from 1; that is four standard errors if they are known
 * exactly. A table, because this file is also built for machines without GSL; tests/unit/attribute.c computes it. */
static const double sure[] = {
	10050.8331, 125.6436, 32.6168, 17.4484, 12.2815, 9.8442, 8.4670, 7.5951, 6.9987, 6.5672, 6.2417, 5.9878,
	5.7847, 5.6186, 5.4804, 5.3637, 5.2638, 5.1774, 5.1020, 5.0356, 4.9766, 4.9240, 4.8767, 4.8340,
	4.7953, 4.7599, 4.7276, 4.6979, 4.6705, 4.6451};
#define SURE_MOST (sizeof sure / sizeof *sure)

struct search {
	const struct attribute_problem *problem;
	attribute_measure *measure;
	void *ctx;
	struct attribute_result *result;
	bool *on; /* n: the set that is measured */
};

struct attribute_level
attribute_level_of(const double *error, size_t n)
{
	double mean = 0.0, square = 0.0;

	for (size_t k = 0; k < n; k++)
		mean += error[k] / (double)n;
	for (size_t k = 0; k < n; k++)
		square += (error[k] - mean) * (error[k] - mean);
	if (n < 2)
		return (struct attribute_level){mean, (double)INFINITY};
	/* more degrees of freedom than the table has: a little too wide */
	return (struct attribute_level){mean,
		sure[n - 2 < SURE_MOST ? n - 2 : SURE_MOST - 1] * sqrt(square / (double)(n - 1) / (double)n)};
}

/* Measures the parts of a list. False: stop. */
static bool
measure_list(struct search *s, const size_t *part, size_t n, uint32_t divisor, struct attribute_level *level)
{
	for (size_t k = 0; k < s->problem->n; k++)
		s->on[k] = false;
	for (size_t k = 0; k < n; k++)
		s->on[part[k]] = true;
	if (!s->measure(s->ctx, s->on, divisor, level))
		return false;
	s->result->n_measured++;
	return true;
}

/* Half a count is less than any event can be wrong. */
static bool
attribute_differs(const struct attribute_level *level, const struct attribute_level *none)
{
	return fabs(level->error - none->error) > level->width + none->width + 0.5;
}

static void
add_together(struct search *s, const size_t *part, size_t n, const struct attribute_level *level)
{
	struct attribute_result *r = s->result;
	mem_grow(&r->together, &r->together_cap, r->n_together + 1, sizeof *r->together);
	r->together[r->n_together++] =
		(struct attribute_together){.part = mem_copy(part, n * sizeof *part), .n = n, .level = *level};
}

/* The error of a single part, from all its iterations and from half of them. */
static bool
add_found(struct search *search, size_t part, const struct attribute_level *full)
{
	struct attribute_result *result = search->result;
	double loops = search->problem->loops[part], fewer = search->problem->loops[part] / 2;
	double error = full->error - result->none.error, width = full->width + result->none.width;
	struct attribute_level half = {0.0, (double)INFINITY};
	bool goes_on = measure_list(search, &part, 1, 2, &half);
	struct attribute_found f = {.part = part, .slope = error / loops};
	double constant = 0.0, constant_width = (double)INFINITY;
	if (goes_on && loops > fewer) {
		double slope = (full->error - half.error) / (loops - fewer);
		constant = error - slope * loops;
		constant_width = width + (full->width + half.width) / (loops - fewer) * loops + 0.5;
	}
	if (fabs(constant) > constant_width) {
		double slope_width = (full->width + half.width) / (loops - fewer);
		f.slope = (full->error - half.error) / (loops - fewer);
		f.low = f.slope - slope_width;
		f.high = f.slope + slope_width;
		f.constant = constant;
		f.constant_low = constant - constant_width;
		f.constant_high = constant + constant_width;
		if (f.low <= 0 && f.high >= 0)
			f.slope = f.low = f.high = 0.0; /* all of the error is that of the run */
	} else {
		/* nothing speaks for a constant: all of the error grows with the iterations */
		f.low = f.slope - width / loops;
		f.high = f.slope + width / loops;
	}
	mem_grow(&result->found, &result->found_cap, result->n_found + 1, sizeof *result->found);
	result->found[result->n_found++] = f;
	return goes_on;
}

/* Halves a list that has an error until single parts are left. False: stop. */
static bool
halve(struct search *search, const size_t *part, size_t n, const struct attribute_level *level)
{
	if (n == 1)
		return add_found(search, part[0], level);
	struct attribute_level first, second;
	size_t middle = n / 2;
	if (!measure_list(search, part, middle, 1, &first))
		return false;
	if (!measure_list(search, part + middle, n - middle, 1, &second))
		return false;
	bool in_first = attribute_differs(&first, &search->result->none),
	     in_second = attribute_differs(&second, &search->result->none);
	if (!in_first && !in_second)
		add_together(search, part, n, level);
	if (in_first && !halve(search, part, middle, &first))
		return false;
	return !in_second || halve(search, part + middle, n - middle, &second);
}

/* The parts of group g that can run; all groups for g = n. */
static size_t
list_group(const struct attribute_problem *p, unsigned g, size_t *part)
{
	size_t n = 0;
	for (size_t k = 0; k < p->n; k++)
		if (p->loops[k] > 0 && (p->group[k] == g || g == p->n))
			part[n++] = k;
	return n;
}

static bool
search_groups(struct search *search, size_t *part)
{
	const struct attribute_problem *problem = search->problem;
	struct attribute_result *result = search->result;
	size_t n = list_group(problem, (unsigned)problem->n, part);
	if (!measure_list(search, part, 0, 1, &result->none) || !measure_list(search, part, n, 1, &result->all))
		return false;
	result->rest = result->all.error - result->none.error;
	result->rest_width = result->all.width + result->none.width;
	for (unsigned g = 0; g < problem->n; g++) {
		struct attribute_level level;
		n = list_group(problem, g, part);
		if (n == 0)
			continue;
		if (!measure_list(search, part, n, 1, &level))
			return false;
		result->rest -= level.error - result->none.error;
		result->rest_width += level.width + result->none.width;
		if (attribute_differs(&level, &result->none) && !halve(search, part, n, &level))
			return false;
	}
	return true;
}

void
attribute_search(
	const struct attribute_problem *problem, attribute_measure *measure, void *ctx, struct attribute_result *result)
{
	struct search s = {.problem = problem, .measure = measure, .ctx = ctx, .result = result};
	size_t *part = mem_new_array(problem->n, sizeof *part);
	*result = (struct attribute_result){
		.none = {(double)NAN, (double)NAN}, .all = {(double)NAN, (double)NAN}, .rest = (double)NAN};
	s.on = mem_new_array(problem->n, sizeof *s.on);
	result->whole = search_groups(&s, part);
	if (!result->whole)
		result->rest = (double)NAN;
	free(s.on);
	free(part);
}

void
attribute_free(struct attribute_result *r)
{
	for (size_t k = 0; k < r->n_together; k++)
		free(r->together[k].part);
	free(r->together);
	free(r->found);
	*r = (struct attribute_result){.whole = false};
}
