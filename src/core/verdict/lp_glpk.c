/* Linear programs with GLPK, in two uses. The library stays in this file.
 *
 * lp_solve() has a zero objective: every basis is dual feasible, so the dual simplex method leads directly to a
 * feasible point. It starts cold and without presolve. With presolve, or a warm basis, GLPK gave wrong answers on
 * these problems, whose whole matrix changes from one observation to the next (docs/numerics.md). Both answers are
 * checked here before they count.
 *
 * lp_polytope_maximise() keeps the matrix and changes only the objective, so the last basis is feasible for the next
 * objective. It uses the primal simplex method without presolve. Its answers need not be right: uop_bound.c makes
 * certain bounds from any multipliers.
 *
 * GLPK prints although output is off, and aborts on what it takes for misuse. Its output is swallowed, and its abort
 * becomes a jump back to the caller. After that a polytope gives no more answers. GLPK keeps its state per thread if
 * it was built so (glp_config("TLS")); otherwise only one thread at a time may use it. */
#include "core/verdict/lp.h"

#include <glpk.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

#define TOLERANCE 1e-9
#define CHECK_TOLERANCE 1e-8
#define STEPS_MAX 20000

/* --- the library ------------------------------------------------------------------------------------------------- */

static int
swallow(void *info, const char *text)
{
	(void)info;
	(void)text;
	return 1;
}

/* Abort handler; `info` is a jmp_buf. */
static void
jump_back(void *info)
{
	longjmp(*(jmp_buf *)info, 1);
}

static void
silence(void)
{
	glp_term_hook(swallow, NULL);
	glp_term_out(GLP_OFF);
}

static glp_smcp
parameters(int method)
{
	glp_smcp parm;

	glp_init_smcp(&parm);
	parm.msg_lev = GLP_MSG_OFF;
	parm.meth = method;
	parm.presolve = GLP_OFF;
	parm.tol_bnd = TOLERANCE;
	parm.tol_dj = TOLERANCE;
	parm.it_lim = STEPS_MAX;
	return parm;
}

static int
bound_type(double lo, double hi)
{
	if (isinf(lo))
		return isinf(hi) ? GLP_FR : GLP_UP;
	if (isinf(hi))
		return GLP_LO;
	return lo < hi ? GLP_DB : GLP_FX;
}

/* index and value have room for n_cols + 1 entries. */
static glp_prob *
lp_glpk_load(const struct lp *lp, int *index, double *value)
{
	glp_prob *p = glp_create_prob();

	glp_add_rows(p, (int)lp->n_rows);
	glp_add_cols(p, (int)lp->n_cols);
	for (size_t j = 0; j < lp->n_cols; j++)
		glp_set_col_bnds(p, (int)j + 1, bound_type(lp->col_lo, lp->col_hi), lp->col_lo, lp->col_hi);
	for (size_t i = 0; i < lp->n_rows; i++) {
		int k = 0;

		glp_set_row_bnds(p, (int)i + 1, bound_type(lp->row_lo[i], lp->row_hi[i]), lp->row_lo[i], lp->row_hi[i]);
		for (size_t j = 0; j < lp->n_cols; j++)
			if (lp->a[i * lp->n_cols + j] != 0) {
				index[++k] = (int)j + 1;
				value[k] = lp->a[i * lp->n_cols + j];
			}
		glp_set_mat_row(p, (int)i + 1, k, index, value);
	}
	return p;
}

/* --- is there a point? ------------------------------------------------------------------------------------------- */

/* Returns true if x keeps the rows' bounds. */
static bool
check_point(const struct lp *lp, const double *x)
{
	bool good = true;

	for (size_t i = 0; i < lp->n_rows && good; i++) {
		double s = 0, size = 1;

		for (size_t j = 0; j < lp->n_cols; j++) {
			double t = lp->a[i * lp->n_cols + j] * x[j];

			s += t;
			size = fmax(size, fabs(t));
		}
		good = s >= lp->row_lo[i] - CHECK_TOLERANCE * size && s <= lp->row_hi[i] + CHECK_TOLERANCE * size;
	}
	return good;
}

/* The gap by which y separates what the rows require from what the columns can give; ≤ 0 if it does not. Sets
 * multipliers to 0 that would need a missing bound. */
static double
gap(const struct lp *lp, double *y)
{
	double least = 0, most = 0, size = 0;

	for (size_t i = 0; i < lp->n_rows; i++) {
		double bound = y[i] > 0 ? lp->row_lo[i] : lp->row_hi[i];

		if (isinf(bound))
			y[i] = 0;
		else
			least += y[i] * bound;
		size = fmax(size, fabs(y[i]));
	}
	for (size_t j = 0; j < lp->n_cols; j++) {
		double s = 0, bound;

		for (size_t i = 0; i < lp->n_rows; i++)
			s += y[i] * lp->a[i * lp->n_cols + j];
		bound = s > 0 ? lp->col_hi : lp->col_lo;
		if (!isinf(bound))
			most += s * bound;
		else if (fabs(s) > CHECK_TOLERANCE * size)
			return -1;
	}
	return size > 0 ? (least - most) / size : -1;
}

/* Find the multipliers of an infeasible program: a row of the inverse basis, of a basic variable that cannot be
 * brought within its bounds. */
static bool
find_multipliers(glp_prob *p, const struct lp *lp, double *rho, double *y)
{
	double best = 0, *t = rho + lp->n_rows + 1;

	if (!glp_bf_exists(p) && glp_factorize(p) != 0)
		return false;
	for (size_t k = 1; k <= lp->n_rows; k++) {
		for (size_t i = 1; i <= lp->n_rows; i++)
			rho[i] = i == k;
		glp_btran(p, rho);
		for (int sign = 1; sign >= -1; sign -= 2) {
			double g;

			for (size_t i = 0; i < lp->n_rows; i++)
				t[i] = sign * rho[i + 1];
			g = gap(lp, t);
			if (g > best) {
				best = g;
				for (size_t i = 0; i < lp->n_rows; i++)
					y[i] = t[i];
			}
		}
	}
	return best > 0;
}

/* Solve a program without columns or rows, which GLPK takes for misuse. */
static enum lp_answer
solve_empty(const struct lp *lp, double *x, double *y)
{
	for (size_t j = 0; j < lp->n_cols; j++)
		x[j] = isinf(lp->col_lo) ? 0 : lp->col_lo;
	for (size_t i = 0; i < lp->n_rows; i++)
		if (lp->row_lo[i] > 0 || lp->row_hi[i] < 0) {
			y[i] = lp->row_lo[i] > 0 ? 1 : -1;
			return LP_INFEASIBLE;
		}
	return LP_FEASIBLE;
}

static enum lp_answer
lp_glpk_solve(glp_prob *p, const struct lp *lp, int method, double *rho, double *x, double *y)
{
	glp_smcp parm = parameters(method);
	int status;

	glp_std_basis(p);
	if (glp_simplex(p, &parm) != 0)
		return LP_FAILED;
	status = glp_get_status(p);
	if (status == GLP_OPT || status == GLP_FEAS) {
		for (size_t j = 0; j < lp->n_cols; j++)
			x[j] = glp_get_col_prim(p, (int)j + 1);
		return check_point(lp, x) ? LP_FEASIBLE : LP_FAILED;
	}
	if (status == GLP_NOFEAS)
		return find_multipliers(p, lp, rho, y) ? LP_INFEASIBLE : LP_FAILED;
	return LP_FAILED;
}

static enum lp_answer
solve_alone(const struct lp *lp, double *x, double *y)
{
	size_t wide = lp->n_cols > lp->n_rows ? lp->n_cols : lp->n_rows;
	int *index = mem_new_array(wide + 1, sizeof *index);
	double *value = mem_new_array(3 * (wide + 1), sizeof *value);
	volatile enum lp_answer answer = LP_FAILED;
	jmp_buf back;

	if (lp->n_rows == 0 || lp->n_cols == 0) {
		free(index);
		free(value);
		return solve_empty(lp, x, y);
	}
	silence();
	if (setjmp(back) == 0) {
		glp_prob *p;

		glp_error_hook(jump_back, &back);
		p = lp_glpk_load(lp, index, value);
		answer = lp_glpk_solve(p, lp, GLP_DUALP, value, x, y);
		if (answer == LP_FAILED)
			answer = lp_glpk_solve(p, lp, GLP_PRIMAL, value, x, y);
		glp_delete_prob(p);
		glp_error_hook(NULL, NULL);
	} else {
		answer = LP_FAILED;
		glp_free_env(); /* the problem goes with it */
	}
	free(index);
	free(value);
	return answer;
}

enum lp_answer
lp_solve(const struct lp *lp, double *x, double *y)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	bool each_its_own = glp_config("TLS") != NULL;
	enum lp_answer answer;

	if (!each_its_own)
		pthread_mutex_lock(&one);
	answer = solve_alone(lp, x, y);
	if (!each_its_own)
		pthread_mutex_unlock(&one);
	return answer;
}

void
lp_leave_thread(void)
{
	if (glp_config("TLS"))
		glp_free_env();
}

/* --- one polytope, many objectives ------------------------------------------------------------------------------- */

struct lp_polytope {
	glp_prob *p; /* NULL after the library aborted */
	size_t n_rows, n_cols;
	bool warm;
};

struct lp_polytope *
lp_polytope_new(size_t n_rows, size_t n_cols, const double *a, const double *lo, const double *hi)
{
	struct lp rows = {.n_rows = n_rows, .n_cols = n_cols, .a = a, .row_lo = lo, .row_hi = hi, .col_lo = 0,
		.col_hi = INFINITY};
	struct lp_polytope *lp = mem_new(sizeof *lp);
	int *index = mem_new_array(n_cols + 1, sizeof *index);
	double *value = mem_new_array(n_cols + 1, sizeof *value);
	jmp_buf back;

	lp->n_rows = n_rows;
	lp->n_cols = n_cols;
	silence();
	if (setjmp(back) == 0) {
		glp_error_hook(jump_back, &back);
		lp->p = lp_glpk_load(&rows, index, value);
		glp_set_obj_dir(lp->p, GLP_MAX);
		glp_error_hook(NULL, NULL);
	} else {
		lp->p = NULL;
		glp_free_env(); /* the problem goes with it */
	}
	free(index);
	free(value);
	return lp;
}

void
lp_polytope_free(struct lp_polytope *lp)
{
	if (lp && lp->p)
		glp_delete_prob(lp->p);
	free(lp);
}

static bool
maximise(struct lp_polytope *lp, const double *cost, bool cold, double *x, double *y)
{
	glp_smcp parm = parameters(GLP_PRIMAL);

	for (size_t j = 0; j < lp->n_cols; j++)
		glp_set_obj_coef(lp->p, (int)j + 1, cost[j]);
	if (cold || !lp->warm)
		glp_std_basis(lp->p);
	lp->warm = glp_simplex(lp->p, &parm) == 0 && glp_get_status(lp->p) == GLP_OPT;
	for (size_t j = 0; j < lp->n_cols && lp->warm; j++)
		x[j] = fmax(0, glp_get_col_prim(lp->p, (int)j + 1));
	for (size_t i = 0; i < lp->n_rows && lp->warm; i++)
		y[i] = glp_get_row_dual(lp->p, (int)i + 1);
	return lp->warm;
}

bool
lp_polytope_maximise(struct lp_polytope *lp, const double *cost, bool cold, double *x, double *y)
{
	volatile bool good = false;
	jmp_buf back;

	if (!lp->p)
		return false;
	silence();
	if (setjmp(back) == 0) {
		glp_error_hook(jump_back, &back);
		good = maximise(lp, cost, cold, x, y);
		glp_error_hook(NULL, NULL);
	} else {
		lp->p = NULL;
		good = false;
		glp_free_env(); /* the problem goes with it */
	}
	return good;
}
