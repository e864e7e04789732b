/* Packed tables: cells come back bit for bit, and an analysis of them answers to the byte what it answers of a table in
 * memory. */
#include "core/obs/packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/trust/correct.h"
#include "core/udd/model.h"
#include "explorer/engine/message.h"
#include "models.h"
#include "shape/wire.h"
#include "test.h"
#include "work/analysis/analysis.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/touch.h"

/* Values that stand for themselves in a packed row, and those that do not. */
static int64_t
random_count(uint64_t *seed)
{
	static const int64_t edge[] = {0, 1, -1, 63, 64, -64, -65, INT64_MAX, INT64_MIN};

	return test_random(seed) % 4 ? (int64_t)(test_random(seed) >> (test_random(seed) % 64))
				     : edge[test_random(seed) % 9];
}

static double
random_share(uint64_t *seed, const double *common)
{
	size_t k = test_random(seed) % 8;

	return k < 4 ? common[k] : k < 7 ? 1 : test_uniform(seed);
}

static void
random_rows(struct obs *o, size_t rows, bool running, bool error, uint64_t *seed)
{
	double common[4];

	if (running)
		obs_set_running(o);
	if (error)
		obs_set_error(o);
	for (size_t row = 0; row < rows; row++) {
		int64_t *count = mem_new_array(o->n_columns, sizeof *count);
		unsigned char *counted = mem_new_array(o->n_columns, 1);

		for (size_t k = 0; k < 4; k++)
			common[k] = test_uniform(seed);
		for (size_t i = 0; i < o->n_columns; i++) {
			count[i] = random_count(seed);
			counted[i] = (unsigned char)(test_random(seed) % 8 ? 1 : test_random(seed) % 3);
		}
		obs_add_row(o, count, counted, (double)row);
		for (size_t i = 0; i < o->n_columns; i++)
			obs_set_quality(o, i, running ? random_share(seed, common) : 1,
				error && test_random(seed) % 3 == 0 ? test_uniform(seed) : 0);
		free(count);
		free(counted);
	}
}

static struct obs_table *
random_table(uint64_t seed)
{
	size_t n = test_random(&seed) % 5 ? test_random(&seed) % 8 : 60; /* 60 counters have more than 31 shares */
	const char **column = mem_new_array(n, sizeof *column);
	struct obs_table *t;

	for (size_t i = 0; i < n; i++)
		column[i] = str_format("c%zu", i);
	t = obs_table_new(column, n);
	for (size_t k = test_random(&seed) % 4; k > 0; k--)
		random_rows(obs_table_add(t, "o", "test"),
			test_random(&seed) % 3 ? test_random(&seed) % 30
					       : OBS_BLOCK_ROWS * (test_random(&seed) % 3) + test_random(&seed) % 3,
			test_random(&seed) % 2, test_random(&seed) % 3 == 0, &seed);
	for (size_t i = 0; i < n; i++)
		free((void *)(uintptr_t)column[i]);
	free(column);
	return t;
}

static bool
same_array(const void *a, const void *b, size_t bytes)
{
	return !a == !b && (!a || memcmp(a, b, bytes) == 0);
}

static void
check_same(const struct obs *o, const struct obs *packed, uint64_t *seed)
{
	struct obs near = obs_near(packed);
	size_t n = o->n_columns, cells = o->n_rows * n;

	CHECK(!near.shelf && near.n_rows == o->n_rows && near.time == packed->time);
	CHECK(same_array(near.count, o->count, cells * sizeof *o->count));
	CHECK(same_array(near.counted, o->counted, cells));
	CHECK(same_array(near.running, o->running, cells * sizeof *o->running));
	CHECK(same_array(near.error, o->error, cells * sizeof *o->error));
	for (int k = 0; k < 5 && o->n_rows; k++) {
		size_t row = test_random(seed) % o->n_rows, end = row + 1 + test_random(seed) % (o->n_rows - row);
		struct obs_rows r = obs_rows(packed, row, end);

		CHECK(r.first == row && r.n >= 1 && row + r.n <= end);
		CHECK(same_array(r.count, o->count + row * n, r.n * n * sizeof *o->count));
		CHECK(same_array(r.counted, o->counted + row * n, r.n * n));
		CHECK(!r.running || same_array(r.running, o->running + row * n, r.n * n * sizeof *o->running));
	}
	obs_near_free(&near, packed);
}

/* The message by which a running engine gets a table. */
static void
check_message(struct obs_table *a, struct obs_table *packed)
{
	struct wire w = {0}, v = {0};

	obs_table_wire(&w, &a);
	obs_table_wire(&v, &packed);
	CHECK(w.n == v.n && memcmp(w.data, v.data, w.n) == 0);
	wire_free(&w);
	wire_free(&v);
}

static void
cells_come_back(void)
{
	size_t packed = 0, left = 0;
	uint64_t seed = 3;

	for (unsigned round = 0; round < test_rounds(150, 3000); round++) {
		struct obs_table *a = random_table(round), *b = random_table(round);

		test_label("seed %u", round);
		obs_table_pack(b);
		obs_table_pack(b); /* does nothing */
		for (size_t i = 0; i < a->n; i++) {
			check_same(a->obs[i], b->obs[i], &seed);
			packed += b->obs[i]->shelf && !b->obs[i]->count;
			left += !b->obs[i]->shelf;
		}
		check_message(a, b);
		/* Observations that come later are in memory, and dropping one leaves the others as they are. */
		random_rows(obs_table_add(b, "later", "test"), 3, true, false, &seed);
		CHECK(b->obs[b->n - 1]->count && obs_rows(b->obs[b->n - 1], 1, 3).n == 2);
		obs_table_drop(b, 0);
		if (a->n > 1)
			check_same(a->obs[1], b->obs[0], &seed);
		obs_table_free(a);
		obs_table_free(b);
	}
	printf("# %zu observations packed, %zu left in memory\n", packed, left);
	CHECK(packed > 50 && left > 5);
}

/* --- an analysis -------------------------------------------------------------------------------------------------- */

static struct obs_table *
table_for(const struct udd_model *m, uint64_t seed)
{
	const char **name = mem_new_array(m->n_counters, sizeof *name);
	int64_t *count = mem_new_array(m->n_counters, sizeof *count);
	struct obs_table *t;

	for (size_t i = 0; i < m->n_counters; i++)
		name[i] = m->counter[i].name;
	t = obs_table_new(name, m->n_counters);
	for (size_t k = 0; k < 4; k++) {
		struct obs *o = obs_table_add(t, "o", "test");
		bool zero = test_random(&seed) % 3 == 0, turns = test_random(&seed) % 2;

		for (size_t row = 0; row < 40; row++) {
			for (size_t i = 0; i < m->n_counters; i++)
				count[i] = zero && i == 1 ? 0 : (int64_t)(1000 * (i + 1) + test_random(&seed) % 400);
			obs_add_row(o, count, NULL, (double)row + 1);
			for (size_t i = 0; i < m->n_counters && turns; i++)
				obs_set_quality(o, i, 0.25 + 0.5 * test_uniform(&seed), 0);
		}
	}
	free(name);
	free(count);
	return t;
}

/* The result, the geometry of each observation and the details of each constraint and counter, as the engine sends
 * them. */
static struct wire
answer_of(const struct udd_model *m, struct obs_table *t, bool corrected)
{
	struct analysis_options how = analysis_options_default();
	struct fset none = {0};
	struct wire w = {0};
	struct analysis *a;
	struct result *r;
	bool refuted[4];

	if (corrected)
		trust_rules_add(&how.trust, m->counter[0].name,
			(struct trust_term){.cause = TRUST_PER_COUNT, .low = 0, .high = 0.01}, "test");
	a = analysis_new(m, &how);
	analysis_options_free(&how);
	analysis_set_table(a, 0, t);
	r = analysis_run(a, &none, NULL);
	r->seconds = 0;
	result_wire(&w, r);
	for (size_t i = 0; i < r->n_findings; i++) {
		struct geometry *g = analysis_geometry(a, &none, i, NULL);

		refuted[i] = r->finding[i].verdict == VERDICT_INFEASIBLE;
		if (g)
			geometry_wire(&w, g);
		geometry_free(g);
	}
	for (size_t i = 0; i < r->n_constraints; i++) {
		struct constraint_detail *detail = analysis_touch(
			a, &none, i, r->constraint[i].coef, r->constraint[i].equality, NULL);

		if (detail)
			touch_wire(&w, detail);
		touch_free(detail);
	}
	for (size_t i = 0; i < m->n_counters; i++) {
		struct counter_loss *l = analysis_loss(a, &none, i, refuted, r->n_findings, NULL);

		if (l)
			loss_wire(&w, l);
		loss_free(l);
	}
	result_free(r);
	analysis_free(a);
	return w;
}

static void
answers_are_the_same(void)
{
	uint64_t seed = 8;

	for (unsigned round = 0; round < test_rounds(20, 300); round++) {
		struct udd_model *m = model_random(&seed);
		struct obs_table *packed = table_for(m, round);
		struct wire a = answer_of(m, table_for(m, round), round % 2), b;

		test_label("round %u", round);
		obs_table_pack(packed);
		CHECK(packed->obs[0]->shelf);
		b = answer_of(m, packed, round % 2);
		CHECK_INT(b.n, a.n);
		CHECK(a.n > 500 && a.n == b.n && memcmp(a.data, b.data, a.n) == 0);
		wire_free(&a);
		wire_free(&b);
		udd_free(m);
	}
}

TEST_MAIN(CASE(cells_come_back), CASE(answers_are_the_same))
