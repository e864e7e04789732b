/* Runs that observe one subject together: which joins when, what is announced, how they end. The stub kind
 * (tests/lib/stub_run.h) needs no machine. Every built-in kind fulfils the form of the contract. */
#include "work/run/run.h"

#include <math.h>

#include "base/err.h"
#include "base/str.h"
#include "stub_run.h"
#include "test.h"

static void
every_kind_is_whole(void)
{
	for (size_t i = 0; i <= run_n_kinds; i++) {
		const struct run_ops *k = i < run_n_kinds ? run_kinds[i] : &stub_run_ops;

		test_label("%s", k->name);
		CHECK(k->go || k->join);
		CHECK(!k->open || k->go);
		CHECK(!k->sign || k->join);
		CHECK(k->poll && k->explain && k->free);
		CHECK(!k->go || k->end);
		for (size_t n = 0; n < i && n < run_n_kinds; n++)
			CHECK(!str_eq(run_kinds[n]->name, k->name));
	}
}

struct heard {
	size_t news, ends;
};

static void
hear(void *ctx, struct run *r, enum run_step step, const struct err *e)
{
	struct heard *h = ctx;

	CHECK(r->ops == &stub_run_ops && !*e->what);
	h->news += step == RUN_NEWS;
	h->ends += step == RUN_ENDED;
}

static void
they_end_with_the_leader(void)
{
	struct stub_run leader = {.polls_most = 3}, other = {0};
	struct runs *runs = runs_new();
	struct heard heard = {0};
	struct err e = {0};
	size_t rounds = 1;

	stub_run_begin(&leader);
	stub_run_begin(&other);
	runs_add(runs, &leader.run, false);
	runs_add(runs, &other.run, false);
	CHECK(!runs_running(runs) && isinf(runs_patience(runs)));
	CHECK(runs_begin(runs, &e) && runs_running(runs));
	for (; runs_poll(runs, hear, &heard) && rounds < 10; rounds++)
		runs_wait(runs, 1, NULL);
	CHECK_INT(rounds, 3);
	CHECK_INT(leader.polls, 3);
	CHECK_INT(heard.ends, 1);
	CHECK_INT(other.ends, 1);
	CHECK(other.in_order);
	run_free(&leader.run);
	CHECK(runs_leader(runs) == &other.run);
	runs_free(runs);
	run_free(&other.run);
	CHECK_INT(leader.frees + other.frees, 2);
}

/* An optional run that cannot join is left out; any other one stops all. */
static void
refusals(void)
{
	for (int optional = 0; optional < 2; optional++) {
		struct stub_run leader = {.polls_most = 1}, first = {0}, second = {.refuses = true};
		struct runs *runs = runs_new();
		struct err e = {0};

		test_label("optional %d", optional);
		stub_run_begin(&leader);
		stub_run_begin(&first);
		stub_run_begin(&second);
		runs_add(runs, &leader.run, false);
		runs_add(runs, &first.run, false);
		runs_add(runs, &second.run, optional);
		CHECK_INT(runs_begin(runs, &e), optional);
		CHECK_INT(leader.run.running, optional);
		CHECK_STR(e.what, optional ? "" : "it is refused");
		CHECK((runs_refusal(runs, &second.run) != NULL) == optional);
		CHECK(!runs_refusal(runs, &first.run));
		runs_poll(runs, NULL, NULL);
		CHECK_INT(first.ends, 1);
		CHECK_INT(second.ends, 0);
		CHECK(!runs_running(runs));
		runs_free(runs);
	}
}

/* A leader that cannot start, or is freed while it runs, ends the others. */
static void
leaders_that_go(void)
{
	for (int starts = 0; starts < 2; starts++) {
		struct stub_run leader = {.refuses = !starts}, other = {0};
		struct runs *runs = runs_new();
		struct err e = {0};

		test_label("starts %d", starts);
		stub_run_begin(&leader);
		stub_run_begin(&other);
		runs_add(runs, &leader.run, false);
		runs_add(runs, &other.run, false);
		CHECK_INT(runs_begin(runs, &e), starts);
		run_free(&leader.run);
		CHECK_INT(other.ends, 1);
		CHECK(!runs_running(runs));
		runs_free(runs);
	}
}

static void
all_are_finished(void)
{
	struct stub_run leader = {0}, other = {0};
	struct runs *runs = runs_new();
	struct err e = {0};

	stub_run_begin(&leader);
	stub_run_begin(&other);
	runs_add(runs, &leader.run, false);
	runs_add(runs, &other.run, false);
	CHECK(runs_begin(runs, &e));
	runs_finish(runs);
	CHECK_INT(leader.finishes + other.finishes, 2);
	CHECK(!runs_poll(runs, NULL, NULL));
	runs_free(runs);
}

/* A subject that stays gets its grace once, then is killed, and again after each further grace. */
static void
who_stays_is_killed(void)
{
	struct stub_run r = {.stays = true};
	struct err e = {0};

	stub_run_begin(&r);
	CHECK_INT(run_poll(&r.run, &e), RUN_GOES_ON);
	CHECK_INT(r.polls, 0);
	CHECK_INT(run_fd(&r.run), -1);
	CHECK(isinf(run_patience(&r.run)));
	CHECK(run_open(&r.run, &e) && run_go(&r.run, &e) && run_running(&r.run));
	run_finish(&r.run);
	run_finish(&r.run);
	CHECK_INT(r.finishes, 1);
	for (int k = 1; k <= 2; k++) {
		CHECK_INT(run_poll(&r.run, &e), RUN_NEWS);
		CHECK_INT(r.kills, k - 1);
		r.run.limits.grace_ends_at = 0;
		CHECK_INT(run_poll(&r.run, &e), RUN_NEWS);
		CHECK_INT(r.kills, k);
		CHECK(r.run.limits.grace_ends_at > 0);
	}
	CHECK_INT(r.run.limits.ending, RUN_END_ASKED);
	r.polls_most = 1;
	CHECK_INT(run_poll(&r.run, &e), RUN_ENDED);
	CHECK_INT(run_poll(&r.run, &e), RUN_GOES_ON);
	CHECK(!run_running(&r.run));
}

/* Seconds and samples end a run as its limits say, once. */
static void
limits_are_kept(void)
{
	static const struct row {
		size_t samples;
		double duration;
		bool full;
		enum run_ending ending;
	} row[] = {
		{0, 0, false, RUN_END_ITSELF},
		{3, 0, false, RUN_END_SAMPLES},
		{4, 0, false, RUN_END_ITSELF},
		{0, 1e-9, false, RUN_END_DURATION},
		{0, 1000, false, RUN_END_ITSELF},
		{0, 0, true, RUN_END_FULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct stub_run r = {.stays = true};
		struct err e = {0};

		test_label("row %zu", i);
		stub_run_begin(&r);
		CHECK(run_go(&r.run, &e));
		r.run.limits = run_limits_begin(row[i].samples, row[i].duration);
		run_keep_limits(&r.run, 3, row[i].full);
		run_keep_limits(&r.run, 3, row[i].full);
		CHECK_INT(r.run.limits.ending, row[i].ending);
		CHECK_INT(r.finishes, row[i].ending != RUN_END_ITSELF);
	}
}

struct hearer {
	struct runs *runs;
	struct stub_run *frees; /* NULL: the runs are cleared instead */
};

/* Memory of a freed run can hold anything, such as the runs that it belonged to. */
static void
hear_and_free(void *ctx, struct run *r, enum run_step step, const struct err *e)
{
	struct hearer *h = ctx;
	struct stub_run *s = h->frees;

	CHECK(r && step == RUN_NEWS && !*e->what);
	h->frees = NULL;
	if (!s) {
		runs_clear(h->runs);
		return;
	}
	run_free(&s->run);
	s->run.runs = h->runs;
}

static void
hearers_that_free(void)
{
	static const struct row {
		const char *what;
		bool leader, other, goes_on; /* which run is freed; is one left that runs? */
		size_t polls;                /* of the other */
	} row[] = {
		{"all leave", false, false, false, 0},
		{"the other is freed", false, true, true, 0},
		{"the leader is freed: the other ends, and is polled", true, false, false, 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct stub_run leader = {0}, other = {0};
		struct runs *runs = runs_new();
		struct hearer h = {runs, row[i].leader ? &leader : row[i].other ? &other : NULL};
		struct err e = {0};

		test_label("%s", row[i].what);
		stub_run_begin(&leader);
		stub_run_begin(&other);
		runs_add(runs, &leader.run, false);
		runs_add(runs, &other.run, false);
		CHECK(runs_begin(runs, &e));
		CHECK_INT(runs_poll(runs, hear_and_free, &h), row[i].goes_on);
		CHECK_INT(leader.polls, 1);
		CHECK_INT(other.polls, row[i].polls);
		runs_free(runs);
	}
}

TEST_MAIN(CASE(every_kind_is_whole), CASE(they_end_with_the_leader), CASE(refusals), CASE(leaders_that_go),
	CASE(all_are_finished), CASE(who_stays_is_killed), CASE(limits_are_kept), CASE(hearers_that_free))
