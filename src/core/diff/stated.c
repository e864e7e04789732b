/* Means over several runs with their spread, as perf stat -r and published tables state them, instead of the runs.
 *
 * The means are taken for normal, which few runs of a skewed time are not, and their spreads for estimates with as many
 * degrees of freedom as there are runs, less 1 (Welch, Biometrika 34, 1947). The ratio of two such means lies between
 * the roots of (b - x a)^2 = t^2 (vb + x^2 va) (Fieller, JRSS B 16, 1954), where va and vb are the variances of the
 * means, each with the variance of its rounding. Without the number of runs t is not known, and nothing is decided;
 * but a number from which on it would be can be named, because the interval only shrinks with it. */
#include "core/diff/diff.h"

#include <math.h>

#include "core/stats/tails.h"

static double
variance_of(const struct diff_stated *s, size_t runs)
{
	/* as if the deviation of the runs were divided by their number; if it was by one less, the error is smaller */
	double error = s->of_runs ? s->spread / sqrt((double)(runs - 1)) : s->spread;

	return error * error + s->grain * s->grain / 3; /* a rounding error is uniform */
}

/* Sets the interval for means of so many runs. */
static void
found_for(const struct diff_stated *s, const size_t runs[2], double alpha, struct diff_found *found)
{
	double a = s[0].mean, b = s[1].mean, va = variance_of(&s[0], runs[0]), vb = variance_of(&s[1], runs[1]);
	double freedom = (va + vb) * (va + vb) / (va * va / (double)(runs[0] - 1) + vb * vb / (double)(runs[1] - 1));
	double t2 = va + vb > 0 ? fisher_beyond(alpha, 1, freedom) : 0, square, root;

	if (!(a > 0 && b >= 0)) {
		double half = sqrt(t2 * (va + vb)), by = a == 0 ? 1 : fabs(a);

		diff_found_set(found, b - a, b - a - half, b - a + half, false, by);
		return;
	}
	square = a * a - t2 * va;
	root = sqrt(fmax(0, a * a * b * b - square * (b * b - t2 * vb)));
	found->estimate = b / a - 1;
	/* if A may be 0, any ratio is possible */
	found->low = square > 0 ? (a * b - root) / square - 1 : -INFINITY;
	found->high = square > 0 ? (a * b + root) / square - 1 : INFINITY;
}

/* The answer if each mean is of so many runs. */
static enum diff_answer
answer_for(const struct diff_stated *s, size_t n, double alpha, const struct diff_rule *rule, bool absolute)
{
	struct diff_found found = {.absolute = absolute, .counted = true};
	size_t runs[2] = {s[0].runs ? s[0].runs : n, s[1].runs ? s[1].runs : n};

	found_for(s, runs, alpha, &found);
	diff_found_answer(&found, rule);
	return found.answer;
}

void
diff_judge_stated(const struct diff_table *table, size_t i, const struct diff_rule *rule, struct diff_found *found)
{
	const struct diff_stated *s = table->quantity[i].stated;
	double alpha = diff_alpha(rule, i, table->n);
	size_t runs[2] = {s[0].runs, s[1].runs}, least = 2, most = DIFF_STATED_MOST;
	bool known = isfinite(s[0].spread) && isfinite(s[1].spread);

	*found = (struct diff_found){.low = -INFINITY, .high = INFINITY, .a = s[0].mean, .b = s[1].mean};
	found->counted = isfinite(found->a) && isfinite(found->b);
	found->absolute = found->a == 0;
	found->blocks = (runs[0] + runs[1] + SHIFT_BLOCK - 1) / SHIFT_BLOCK;
	if (!found->counted)
		return;
	found->estimate = found->absolute ? found->b : (found->b - found->a) / fabs(found->a);
	if (known && runs[0] > 1 && runs[1] > 1) {
		found_for(s, runs, alpha, found);
		diff_found_answer(found, rule);
		return;
	}
	if (!known || runs[0] == 1 || runs[1] == 1 ||
		answer_for(s, most, alpha, rule, found->absolute) == DIFF_UNDECIDED)
		return;
	while (least < most) {
		size_t middle = (least + most) / 2;

		if (answer_for(s, middle, alpha, rule, found->absolute) == DIFF_UNDECIDED)
			least = middle + 1;
		else
			most = middle;
	}
	found->fewest_runs = most;
	found->if_known = answer_for(s, most, alpha, rule, found->absolute);
}
