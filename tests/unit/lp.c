/* Linear programs (core/verdict/lp_glpk.c, the one file that sees GLPK): each answer comes with a proof that is
 * checked here. GLPK prints nothing and does not abort the program. */
#include "core/verdict/lp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "test.h"

/* Checks that the multipliers prove that the program is infeasible. */
static void
check_proof(const struct lp *lp, const double *y)
{
	double least = 0, most = 0;

	for (size_t i = 0; i < lp->n_rows; i++)
		if (y[i] != 0)
			least += y[i] * (y[i] > 0 ? lp->row_lo[i] : lp->row_hi[i]);
	for (size_t j = 0; j < lp->n_cols; j++) {
		double s = 0;

		for (size_t i = 0; i < lp->n_rows; i++)
			s += y[i] * lp->a[i * lp->n_cols + j];
		if (fabs(s) > 1e-7)
			most += s * (s > 0 ? lp->col_hi : lp->col_lo);
	}
	CHECK(isfinite(least) && isfinite(most) && least > most);
}

/* Random programs. Those with a planted point are feasible. Either answer must prove itself. */
static void
answers_prove_themselves(void)
{
	uint64_t seed = 1;
	int seen[3] = {0};

	for (int round = 0; round < 400; round++) {
		size_t rows = 1 + test_random(&seed) % 8, cols = 1 + test_random(&seed) % 8;
		double a[64], lo[8], hi[8], x[8], y[8], inside[8];
		bool planted = round % 2, boxed = round % 3;
		struct lp lp = {.n_rows = rows,
			.n_cols = cols,
			.a = a,
			.row_lo = lo,
			.row_hi = hi,
			.col_lo = boxed ? -1 : 0,
			.col_hi = boxed ? 1 : INFINITY};
		enum lp_answer answer;

		for (size_t j = 0; j < cols; j++)
			inside[j] = test_uniform(&seed);
		for (size_t i = 0; i < rows; i++) {
			double s = 0;

			for (size_t j = 0; j < cols; j++) {
				a[i * cols + j] = test_random(&seed) % 3 ? 2 * test_uniform(&seed) - 1 : 0;
				s += a[i * cols + j] * inside[j];
			}
			s = planted ? s : 3 * test_normal(&seed);
			lo[i] = test_random(&seed) % 4 ? s - 0.1 * (double)(test_random(&seed) % 2) : -INFINITY;
			hi[i] = test_random(&seed) % 4 ? s : INFINITY;
		}
		test_label("round %d", round);
		answer = lp_solve(&lp, x, y);
		seen[answer]++;
		CHECK(answer != LP_FAILED);
		CHECK(!planted || answer == LP_FEASIBLE);
		if (answer == LP_INFEASIBLE)
			check_proof(&lp, y);
		for (size_t i = 0; i < rows && answer == LP_FEASIBLE; i++) {
			double s = 0;

			for (size_t j = 0; j < cols; j++)
				s += a[i * cols + j] * x[j];
			CHECK(s > lo[i] - 1e-7 && s < hi[i] + 1e-7);
		}
	}
	CHECK(seen[LP_FEASIBLE] > 200 && seen[LP_INFEASIBLE] > 50);
}

static void
empty_programs_are_programs(void)
{
	static const double zero[2] = {0, 0}, one[2] = {1, 1}, minus[2] = {-1, -1};
	double x[2] = {5, 5}, y[2] = {0};
	struct lp no_rows = {.n_cols = 2, .col_lo = -1, .col_hi = 1},
		  no_cols = {.n_rows = 2, .row_lo = minus, .row_hi = one};

	CHECK_INT(lp_solve(&no_rows, x, y), LP_FEASIBLE);
	CHECK(fabs(x[0]) <= 1);
	CHECK_INT(lp_solve(&no_cols, x, y), LP_FEASIBLE);
	no_cols.row_lo = no_cols.row_hi = one;
	CHECK_INT(lp_solve(&no_cols, x, y), LP_INFEASIBLE);
	CHECK(y[0] > 0);
	y[0] = 0;
	no_cols.row_lo = no_cols.row_hi = minus;
	CHECK_INT(lp_solve(&no_cols, x, y), LP_INFEASIBLE);
	CHECK(y[0] < 0);
	no_cols.row_lo = no_cols.row_hi = zero;
	CHECK_INT(lp_solve(&no_cols, x, y), LP_FEASIBLE);
}

/* Numbers that no program should contain give no answer, and nothing is printed. */
static void
bad_numbers_fail_quietly(void)
{
	static const double lo[2] = {0, 1}, hi[2] = {1, 0}, wide[2] = {1, 2};
	double a[4] = {1, NAN, 1, 1}, x[2], y[2];
	struct lp crossed = {.n_rows = 2,
			  .n_cols = 2,
			  .a = (const double[]){1, 0, 0, 1},
			  .row_lo = lo,
			  .row_hi = hi,
			  .col_lo = 0,
			  .col_hi = 1},
		  nan = {.n_rows = 2, .n_cols = 2, .a = a, .row_lo = lo, .row_hi = wide, .col_lo = 0, .col_hi = 1},
		  good;
	int file[2], saved;
	char text[256];
	long printed;

	if (!CHECK(pipe(file) == 0))
		return;
	fflush(stdout);
	saved = dup(1);
	dup2(file[1], 1);
	CHECK_INT(lp_solve(&crossed, x, y), LP_FAILED);
	CHECK_INT(lp_solve(&nan, x, y), LP_FAILED);
	a[1] = INFINITY;
	CHECK_INT(lp_solve(&nan, x, y), LP_FAILED);
	good = nan;
	a[1] = 0;
	CHECK_INT(lp_solve(&good, x, y), LP_FEASIBLE);
	fflush(stdout);
	dup2(saved, 1);
	close(saved);
	close(file[1]);
	printed = read(file[0], text, sizeof text);
	close(file[0]);
	CHECK_INT(printed, 0);
}

TEST_MAIN(CASE(answers_prove_themselves), CASE(empty_programs_are_programs), CASE(bad_numbers_fail_quietly))
