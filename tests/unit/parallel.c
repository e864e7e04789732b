/* Work on several threads: each item is done once, a stop ends it, and an analysis gives the same results on any number
 * of threads. */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "shape/wire.h"
#include "haswell.h"
#include "signature_file.h"
#include "synthetic.h"
#include "test.h"
#include "work/analysis/analysis.h"
#include "work/files/files.h"

#define ITEMS 1000

struct tally {
	atomic_int calls[ITEMS], left, asked;
	size_t stop_at;
	pthread_t owner;
	bool other_asked, other_took_signals;
};

static void
count_item(void *ctx, size_t i)
{
	struct tally *t = ctx;
	sigset_t now;

	atomic_fetch_add(&t->calls[i], 1);
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	if (!pthread_equal(t->owner, pthread_self()) && !sigismember(&now, SIGINT))
		t->other_took_signals = true;
	while (!pthread_equal(t->owner, pthread_self()) && !atomic_load(&t->asked))
		sched_yield(); /* else the workers might finish before the first question */
}

static bool
go_on(void *ctx, size_t done)
{
	struct tally *t = ctx;

	atomic_fetch_add(&t->asked, 1);
	t->other_asked |= !pthread_equal(t->owner, pthread_self());
	return done < t->stop_at;
}

static void
leave(void *ctx)
{
	atomic_fetch_add(&((struct tally *)ctx)->left, 1);
}

static void
each_item_is_done_once(void)
{
	for (int threads = 1; threads <= 8; threads++) {
		struct tally *t = mem_new(sizeof *t);
		struct parallel how = {.each = count_item, .go_on = go_on, .leave = leave, .ctx = t};
		char wish[16];

		test_label("%d threads", threads);
		snprintf(wish, sizeof wish, "%d", threads);
		setenv("HECATE_THREADS", wish, 1);
		t->stop_at = SIZE_MAX;
		t->owner = pthread_self();
		CHECK(parallel_each(&how, ITEMS));
		for (size_t i = 0; i < ITEMS; i++)
			CHECK_INT(t->calls[i], 1);
		CHECK_INT(t->left, threads - 1);
		CHECK(!t->other_asked && !t->other_took_signals);
		free(t);
	}
	unsetenv("HECATE_THREADS");
}

static void
a_stop_ends_the_work(void)
{
	struct tally *t = mem_new(sizeof *t);
	struct parallel how = {.each = count_item, .go_on = go_on, .ctx = t};
	size_t done = 0;

	setenv("HECATE_THREADS", "1", 1);
	t->owner = pthread_self();
	t->stop_at = 7;
	CHECK(!parallel_each(&how, ITEMS));
	for (size_t i = 0; i < ITEMS; i++)
		done += (size_t)t->calls[i];
	CHECK_INT(done, 7);
	memset(t, 0, sizeof *t);
	setenv("HECATE_THREADS", "4", 1);
	t->owner = pthread_self();
	/* stopped at the first question: only items that other threads had begun are done */
	CHECK(!parallel_each(&how, ITEMS));
	CHECK_INT(t->asked, 1);
	CHECK(parallel_each(&how, 0));
	free(t);
	unsetenv("HECATE_THREADS");
}

static struct obs_table *
observations(const struct signature_file *f)
{
	struct synthetic k = {.n_counters = f->n_counters,
		.n_rays = f->n,
		.ray = f->signature,
		.spread = 40,
		.scale = 1e5,
		.rows = 30};
	struct obs_table *t = obs_table_new((const char *const *)f->name, f->n_counters);
	uint64_t seed = 5;
	int64_t *outside;

	k.n_outside = synthetic_haswell_outside(f->n_counters, f->name, &outside);
	k.outside = outside;
	for (size_t i = 0; i < 80; i++) {
		char name[32];
		struct obs *o;
		int64_t *count;

		snprintf(name, sizeof name, "run-%zu", i);
		o = obs_table_add(t, name, "synthetic");
		k.share = (double)(i % 4) / 10;
		count = synthetic_samples(&k, &seed);
		for (size_t row = 0; row < k.rows; row++)
			obs_add_row(o, count + row * k.n_counters, NULL, (double)row);
		free(count);
	}
	free(outside);
	return t;
}

/* Encoded as the engine sends it. */
static struct wire
answer(const struct udd_model *m, const struct signature_file *f, double cone_seconds)
{
	struct analysis_options how = {.confidence = 0.99,
		.independent_rows = true,
		.decides = REGION_CONE,
		.flow = true,
		.cone_seconds = cone_seconds};
	struct analysis *a = analysis_new(m, &how);
	struct fset none = {0};
	struct wire w = {0};
	struct result *r;

	analysis_set_table(a, 0, observations(f));
	r = analysis_run(a, &none, NULL);
	r->seconds = 0;
	CHECK(r->count[VERDICT_INFEASIBLE] > 0 && r->count[VERDICT_FEASIBLE] > 0);
	result_wire(&w, r);
	result_free(r);
	analysis_free(a);
	return w;
}

static void
analyses_do_not_depend_on_threads(void)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct udd_model *m = haswell_model("haswell-mmu");

	if (!CHECK(f->n))
		return;
	for (int limit = 0; limit < 2; limit++) {
		double seconds = limit ? -1 : 0; /* with facets and without */
		struct wire one, many;

		setenv("HECATE_THREADS", "1", 1);
		one = answer(m, f, seconds);
		setenv("HECATE_THREADS", "5", 1);
		many = answer(m, f, seconds);
		CHECK_INT(one.n, many.n);
		CHECK(one.n == many.n && memcmp(one.data, many.data, one.n) == 0);
		wire_free(&one);
		wire_free(&many);
	}
	unsetenv("HECATE_THREADS");
	udd_free(m);
	signature_file_free(f);
}

TEST_MAIN(
	CASE(each_item_is_done_once), CASE(a_stop_ends_the_work), CASE(analyses_do_not_depend_on_threads))
