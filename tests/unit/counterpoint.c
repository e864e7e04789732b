/* --counterpoint against a solver of its own. This computes mean, covariance, its axes by Jacobi's rotations, and
 * solves the linear program of CounterPoint's appendix A over the flows of the µpaths by a dense simplex. It shares
 * no code with what it tests. It asks for the factor by which the box must be scaled until it meets the cone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/verdict/verdict.h"
#include "models.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/analysis.h"

enum { N_MAX = 5, PATHS_MAX = 7, ROWS_MAX = 60, TABLE = 2 * N_MAX, VARIABLES = PATHS_MAX + 1 };

/* χ² at 0.99 with 1 to 5 degrees of freedom, from printed tables. */
static const double QUANTILE[N_MAX + 1] = {0, 6.634897, 9.210340, 11.344867, 13.276704, 15.086272};

struct problem {
	size_t n, paths, rows;
	int signature[PATHS_MAX][N_MAX];
	int64_t count[ROWS_MAX][N_MAX];
};

/* Puts eigenvalues into `value` and unit eigenvectors into the columns of `vector`; destroys a. */
static void
jacobi(size_t n, double a[N_MAX][N_MAX], double *value, double vector[N_MAX][N_MAX])
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			vector[i][j] = i == j;
	for (int sweep = 0; sweep < 60; sweep++)
		for (size_t p = 0; p < n; p++)
			for (size_t q = p + 1; q < n; q++) {
				double angle = 0.5 * atan2(2 * a[p][q], a[q][q] - a[p][p]), c = cos(angle),
				       s = sin(angle);

				for (size_t k = 0; k < n; k++) {
					double x = a[k][p], y = a[k][q];

					a[k][p] = c * x - s * y;
					a[k][q] = s * x + c * y;
				}
				for (size_t k = 0; k < n; k++) {
					double x = a[p][k], y = a[q][k], u = vector[k][p], v = vector[k][q];

					a[p][k] = c * x - s * y;
					a[q][k] = s * x + c * y;
					vector[k][p] = c * u - s * v;
					vector[k][q] = s * u + c * v;
				}
			}
	for (size_t i = 0; i < n; i++)
		value[i] = a[i][i];
}

/* A tableau: rows of constraints over the variables that are 0, right-hand sides last, and below them the objective. */
struct simplex {
	size_t m, n;
	double t[TABLE + 1][VARIABLES + 1];
	size_t basic[TABLE], zero[VARIABLES];
};

static void
pivot(struct simplex *x, size_t row, size_t col)
{
	double by = x->t[row][col];
	size_t name = x->basic[row];

	for (size_t j = 0; j <= x->n; j++)
		x->t[row][j] = (j == col ? 1 : x->t[row][j]) / by;
	for (size_t i = 0; i <= x->m; i++) {
		double f = x->t[i][col];

		if (i == row)
			continue;
		for (size_t j = 0; j <= x->n; j++)
			x->t[i][j] = j == col ? -f / by : x->t[i][j] - f * x->t[row][j];
	}
	x->basic[row] = x->zero[col];
	x->zero[col] = name;
}

/* Minimises from a feasible tableau, by Bland's rule. */
static void
minimise(struct simplex *x)
{
	for (;;) {
		size_t col = x->n, row = x->m;

		for (size_t j = 0; j < x->n; j++)
			if (x->t[x->m][j] < -1e-11 && (col == x->n || x->zero[j] < x->zero[col]))
				col = j;
		if (col == x->n)
			return;
		for (size_t i = 0; i < x->m; i++) {
			double ratio = x->t[i][x->n] / x->t[i][col];

			if (x->t[i][col] > 1e-11
			    && (row == x->m || ratio < x->t[row][x->n] / x->t[row][col] - 1e-14))
				row = i;
		}
		if (!CHECK(row < x->m))
			return;
		pivot(x, row, col);
	}
}

/* The smallest τ for which flows f ≥ 0 exist with |e_k·(Σ s f − Y)| ≤ τ h_k for all k. */
static double
least_scale(const struct problem *p, const double *mean, double vector[N_MAX][N_MAX], const double *half)
{
	struct simplex x = {.m = 2 * p->n, .n = p->paths + 1};
	size_t worst = 0;

	for (size_t k = 0; k < p->n; k++)
		for (size_t side = 0; side < 2; side++) {
			double sign = side ? -1 : 1, *row = x.t[2 * k + side];

			for (size_t i = 0; i < p->n; i++) {
				for (size_t f = 0; f < p->paths; f++)
					row[f] += sign * vector[i][k] * p->signature[f][i] / half[k];
				row[x.n] += sign * vector[i][k] * mean[i] / half[k];
			}
			row[p->paths] = -1;
			x.basic[2 * k + side] = x.n + 2 * k + side;
		}
	for (size_t j = 0; j < x.n; j++)
		x.zero[j] = j;
	x.t[x.m][p->paths] = 1;
	for (size_t i = 1; i < x.m; i++)
		worst = x.t[i][x.n] < x.t[worst][x.n] ? i : worst;
	if (x.t[worst][x.n] >= 0)
		return 0;
	pivot(&x, worst, p->paths);
	minimise(&x);
	return -x.t[x.m][x.n];
}

static double
reference(const struct problem *p)
{
	double mean[N_MAX] = {0}, cov[N_MAX][N_MAX] = {{0}}, value[N_MAX], vector[N_MAX][N_MAX], half[N_MAX], most = 0;
	double m = (double)p->rows;

	for (size_t r = 0; r < p->rows; r++)
		for (size_t i = 0; i < p->n; i++)
			mean[i] += (double)p->count[r][i] / m;
	for (size_t r = 0; r < p->rows; r++)
		for (size_t i = 0; i < p->n; i++)
			for (size_t j = 0; j < p->n; j++)
				cov[i][j] += ((double)p->count[r][i] - mean[i]) * ((double)p->count[r][j] - mean[j]) /
					(m - 1) / m;
	for (size_t i = 0; i < p->n; i++)
		most = fmax(most, mean[i]);
	jacobi(p->n, cov, value, vector);
	for (size_t k = 0; k < p->n; k++)
		half[k] = sqrt(fmax(0, value[k]) * QUANTILE[p->n]) + 2e-6 * most;
	return least_scale(p, mean, vector, half);
}

/* --- hecate's verdict -------------------------------------------------------------------------------------------- */

static const char *const NAME[N_MAX] = {"a", "b", "c", "d", "e"};

static struct udd_model *
model_of(const struct problem *p, struct diags *d)
{
	struct str text = {0};
	struct udd_model *m;

	str_add(&text, "model made;\n");
	for (size_t i = 0; i < p->n; i++)
		str_addf(&text, "counter %s;\n", NAME[i]);
	str_add(&text, "path p { choose {\n");
	for (size_t f = 0; f < p->paths; f++) {
		str_addf(&text, "case P%zu: event x;", f);
		for (size_t i = 0; i < p->n; i++)
			if (p->signature[f][i])
				str_addf(&text, " count %s * %d;", NAME[i], p->signature[f][i]);
		str_addc(&text, '\n');
	}
	str_add(&text, "} }\n");
	m = model_from_text(str_text(&text), text.n, d);
	str_free(&text);
	return m;
}

static struct result *
judge_table(const struct udd_model *m, struct obs_table *t)
{
	struct analysis_options how = analysis_options_default();
	struct analysis *a;
	struct fset none = {0};
	struct result *r;

	counterpoint_options(&how);
	a = analysis_new(m, &how);
	analysis_set_table(a, 0, t);
	r = analysis_run(a, &none, NULL);
	analysis_free(a);
	return r;
}

static struct result *
judge(const struct problem *p, const unsigned char *counted)
{
	struct diags d = {0};
	struct udd_model *m = model_of(p, &d);
	struct obs_table *t = obs_table_new(NAME, p->n);
	struct obs *o = obs_table_add(t, "made", "here");
	struct result *r;

	for (size_t row = 0; row < p->rows; row++)
		obs_add_row(o, p->count[row], counted ? counted + row * p->n : NULL, NAN);
	r = CHECK(m) ? judge_table(m, t) : NULL;
	udd_free(m);
	diags_free(&d);
	return r;
}

/* --- generated problems ------------------------------------------------------------------------------------------ */

static double
random_part(uint64_t *seed)
{
	return (double)(test_random(seed) % 1000003) / 1000003;
}

/* A point near the boundary of a random cone, and rows about it, whose counters share part of their noise. */
static void
make(struct problem *p, uint64_t *seed)
{
	double at[N_MAX] = {0}, noise[N_MAX][N_MAX], size = pow(10, 3 + 4 * random_part(seed));
	double spread = pow(10, -1 - 2 * random_part(seed)), off = pow(10, -1 - 3 * random_part(seed));

	*p = (struct problem){.n = 1 + test_random(seed) % N_MAX, .paths = 1 + test_random(seed) % PATHS_MAX,
		.rows = 30 + test_random(seed) % (ROWS_MAX - 29)};
	for (size_t f = 0; f < p->paths; f++) {
		double flow = test_random(seed) % 2 ? random_part(seed) : 0;

		for (size_t i = 0; i < p->n; i++) {
			p->signature[f][i] = test_random(seed) % 2 ? (int)(test_random(seed) % 3) : 0;
			at[i] += flow * p->signature[f][i] * size;
		}
	}
	for (size_t i = 0; i < p->n; i++) {
		at[i] += size * (1 + off * (random_part(seed) - 0.5));
		for (size_t k = 0; k < p->n; k++)
			noise[i][k] = size * spread * (random_part(seed) - 0.5);
	}
	for (size_t r = 0; r < p->rows; r++) {
		double z[N_MAX];

		for (size_t k = 0; k < p->n; k++)
			z[k] = random_part(seed) + random_part(seed) + random_part(seed) - 1.5;
		for (size_t i = 0; i < p->n; i++) {
			double v = at[i];

			for (size_t k = 0; k < p->n; k++)
				v += noise[i][k] * z[k];
			p->count[r][i] = v > 0 ? llround(v) : 0;
		}
	}
}

/* Draws the rows towards their mean, or away from it, until the box just about reaches the cone. */
static void
sharpen(struct problem *p, uint64_t *seed)
{
	double by = reference(p) * (1 + 0.02 * (random_part(seed) - 0.5));

	if (by < 0.05 || by > 20)
		return;
	for (size_t i = 0; i < p->n; i++) {
		double mean = 0;

		for (size_t r = 0; r < p->rows; r++)
			mean += (double)p->count[r][i] / (double)p->rows;
		for (size_t r = 0; r < p->rows; r++)
			p->count[r][i] = llround(fmax(0, mean + by * ((double)p->count[r][i] - mean)));
	}
}

static void
verdicts_are_those_of_the_linear_program(void)
{
	unsigned long rounds = test_rounds(3000, 20000), seen[2] = {0}, near = 0;
	uint64_t seed = 20;

	for (unsigned long k = 0; k < rounds; k++) {
		struct problem p;
		struct result *r;
		double scale;

		make(&p, &seed);
		sharpen(&p, &seed);
		test_label("round %lu", k);
		scale = reference(&p);
		r = judge(&p, NULL);
		if (!r)
			return;
		if (fabs(scale - 1) < 1e-5) {
			near++;
		} else if (CHECK(!r->error) && CHECK_INT(r->n_findings, 1)) {
			enum verdict_kind want = scale < 1 ? VERDICT_FEASIBLE : VERDICT_INFEASIBLE;

			test_check(r->finding[0].verdict == want, __FILE__, __LINE__,
				"%s, and the box meets the cone at %.9g times its size",
				verdict_name(r->finding[0].verdict), scale);
			CHECK(want == VERDICT_FEASIBLE || r->finding[0].own.verified);
			CHECK(isnan(r->finding[0].own.distance2) && isnan(r->finding[0].own.p));
			seen[want == VERDICT_INFEASIBLE]++;
		}
		result_free(r);
	}
	CHECK(seen[0] > rounds / 8);
	CHECK(seen[1] > rounds / 8);
	CHECK(near < rounds / 100);
}

/* A model in which b ≤ a. */
static struct problem
simple(size_t rows, int64_t a, int64_t b)
{
	struct problem p = {.n = 2, .paths = 2, .rows = rows, .signature = {{1, 0}, {1, 1}}};

	for (size_t r = 0; r < rows; r++) {
		p.count[r][0] = a;
		p.count[r][1] = b;
	}
	return p;
}

static void
thirty_complete_samples_are_needed(void)
{
	struct problem p = simple(31, 100, 200);
	unsigned char counted[ROWS_MAX * 2];
	struct result *r;

	for (size_t missing = 0; missing < 3; missing++) {
		memset(counted, 1, sizeof counted);
		for (size_t i = 0; i < missing; i++)
			counted[6 * i + i] = 0;
		test_label("%zu rows with an empty cell", missing);
		r = judge(&p, counted);
		CHECK_INT(r->finding[0].verdict, missing < 2 ? VERDICT_INFEASIBLE : VERDICT_UNDECIDED);
		CHECK(missing < 2 || (r->finding[0].reason && strstr(r->finding[0].reason, "fewer than 30")));
		result_free(r);
	}
}

/* Without noise only the tolerance t is left, for each counter: b may exceed a by 2 t. */
static void
the_tolerance_is_two_millionths_of_the_largest(void)
{
	static const struct { int64_t over; enum verdict_kind want; } row[] = {
		{0, VERDICT_FEASIBLE}, {399, VERDICT_FEASIBLE}, {402, VERDICT_INFEASIBLE}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct problem p = simple(30, 100000000, 100000000 + row[i].over);
		struct result *r = judge(&p, NULL);

		test_label("over by %d", (int)row[i].over);
		CHECK_INT(r->finding[0].verdict, row[i].want);
		result_free(r);
	}
}

/* Counters that never count lie in every cone. Exact totals are samples like any others. */
static void
zeros_are_feasible_and_totals_are_samples(void)
{
	struct problem p = simple(30, 0, 0);
	struct result *r = judge(&p, NULL);
	struct diags d = {0};
	struct udd_model *m = model_of(&p, &d);
	struct obs_table *t = obs_table_new(NAME, 2);
	struct obs *o = obs_table_add(t, "one", "here");
	int64_t total[2] = {100, 200};

	CHECK_INT(r->finding[0].verdict, VERDICT_FEASIBLE);
	result_free(r);
	obs_add_row(o, total, NULL, NAN);
	o->exact = true;
	r = judge_table(m, t);
	CHECK(!r->finding[0].data.exact);
	CHECK_INT(r->finding[0].verdict, VERDICT_UNDECIDED);
	result_free(r);
	udd_free(m);
	diags_free(&d);
}

TEST_MAIN(CASE(verdicts_are_those_of_the_linear_program), CASE(thirty_complete_samples_are_needed),
	CASE(the_tolerance_is_two_millionths_of_the_largest), CASE(zeros_are_feasible_and_totals_are_samples))
