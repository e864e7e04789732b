/* GLPK, primal simplex without presolve. The matrix stays as it is and only the objective changes, so the last basis is
 * feasible for the next question. (Warm starts were seen to give wrong answers where the matrix changes too:
 * docs/numerics.md.) The answers are not believed anyway: flow_bound.c makes bounds out of multipliers whatever they
 * are.
 *
 * GLPK prints although told not to, and aborts on what it takes for misuse: its output is swallowed, and its abort
 * becomes a jump back, behind which this program gives no answers any more. */
#include "core/verdict/flow_lp.h"

#include <glpk.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/verdict/lp_hooks.h"

#define TOLERANCE 1e-9
#define STEPS_MAX 20000

struct flow_lp {
	glp_prob *p; /* NULL: the library gave up on it */
	size_t n_rows, n_cols;
	bool warm;
};

static void
load(struct flow_lp *lp, const double *a, const double *lo, const double *hi, int *index, double *value)
{
	lp->p = glp_create_prob();
	glp_set_obj_dir(lp->p, GLP_MAX);
	glp_add_rows(lp->p, (int)lp->n_rows);
	glp_add_cols(lp->p, (int)lp->n_cols);
	for (size_t j = 0; j < lp->n_cols; j++)
		glp_set_col_bnds(lp->p, (int)j + 1, GLP_LO, 0, 0);
	for (size_t i = 0; i < lp->n_rows; i++) {
		int k = 0;

		glp_set_row_bnds(lp->p, (int)i + 1, lo[i] < hi[i] ? GLP_DB : GLP_FX, lo[i], hi[i]);
		for (size_t j = 0; j < lp->n_cols; j++)
			if (a[i * lp->n_cols + j] != 0) {
				index[++k] = (int)j + 1;
				value[k] = a[i * lp->n_cols + j];
			}
		glp_set_mat_row(lp->p, (int)i + 1, k, index, value);
	}
}

struct flow_lp *
flow_lp_new(size_t n_rows, size_t n_cols, const double *a, const double *lo, const double *hi)
{
	struct flow_lp *lp = mem_new(sizeof *lp);
	int *index = mem_new_array(n_cols + 1, sizeof *index);
	double *value = mem_new_array(n_cols + 1, sizeof *value);
	jmp_buf back;

	lp->n_rows = n_rows;
	lp->n_cols = n_cols;
	glp_term_hook(lp_swallow, NULL);
	glp_term_out(GLP_OFF);
	if (setjmp(back) == 0) {
		glp_error_hook(lp_jump, &back);
		load(lp, a, lo, hi, index, value);
		glp_error_hook(NULL, NULL);
	} else {
		lp->p = NULL;
		glp_free_env();
	}
	free(index);
	free(value);
	return lp;
}

void
flow_lp_free(struct flow_lp *lp)
{
	if (lp && lp->p)
		glp_delete_prob(lp->p);
	free(lp);
}

static bool
solve(struct flow_lp *lp, const double *cost, bool cold, double *x, double *y)
{
	glp_smcp parm;

	glp_init_smcp(&parm);
	parm.msg_lev = GLP_MSG_OFF;
	parm.meth = GLP_PRIMAL;
	parm.presolve = GLP_OFF;
	parm.tol_bnd = TOLERANCE;
	parm.tol_dj = TOLERANCE;
	parm.it_lim = STEPS_MAX;
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
flow_lp_most(struct flow_lp *lp, const double *cost, bool cold, double *x, double *y)
{
	volatile bool good = false;
	jmp_buf back;

	if (!lp->p)
		return false;
	glp_term_hook(lp_swallow, NULL);
	glp_term_out(GLP_OFF);
	if (setjmp(back) == 0) {
		glp_error_hook(lp_jump, &back);
		good = solve(lp, cost, cold, x, y);
		glp_error_hook(NULL, NULL);
	} else {
		lp->p = NULL;
		good = false;
		glp_free_env(); /* the problem goes with it */
	}
	return good;
}
