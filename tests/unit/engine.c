/* The engine as a process: its answers, newer requests that replace older ones, and what happens when it dies or
 * hangs. Waiting is polling with a deadline. */
#include "explorer/engine/engine.h"

#include <poll.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/trust/book.h"
#include "core/trust/correct.h"
#include "core/udd/model.h"
#include "explorer/engine/engine_state.h"
#include "test.h"
#include "text/diag.h"
#include "work/analysis/geometry.h"
#include "work/analysis/loss.h"
#include "work/analysis/relax.h"
#include "work/analysis/touch.h"

#define DEADLINE_SECONDS 60

static struct bundle
load_bundle(const char *name, struct udd_model **m)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct diags d = {0};
	struct err e = {0};
	char *path = file_find(name, "models", ".udd", &e);

	*m = udd_parse(path, &loader, &d);
	CHECK(*m);
	diags_free(&d);
	free(path);
	return b;
}

/* Counts of gcc, recorded once: two page faults that no exception explains. */
static struct obs_table *
some_data(void)
{
	static const char *const column[] = {"Xur", "Xuw", "Xkr", "Xkw", "Fu", "Fk", "MIN", "MAJ", "PGF", "FF", "FM"};
	static const int64_t gcc[] = {6842, 3207, 214, 388, 10049, 602, 10648, 3, 10653, 918, 1226};
	struct obs_table *t = obs_table_new(column, 11);
	struct obs *o = obs_table_add(t, "gcc", "gcc -c x.c");

	o->exact = true;
	obs_add_row(o, gcc, NULL, 0);
	return t;
}

static void
send_some_data(void *engine)
{
	static struct obs_table *kept; /* each process that is started inherits it */

	kept = kept ? kept : some_data();
	engine_table(engine, 0, kept);
}

static struct engine *
ready_engine(struct udd_model **m)
{
	struct err e = {0};
	struct engine *g = engine_start(&e);
	struct bundle b = load_bundle("linux-page-faults", m);
	struct analysis_options how = {.confidence = 0.99};

	CHECK(g);
	engine_inherits(g, send_some_data, g);
	engine_load(g, &b, &how);
	bundle_free(&b);
	return g;
}

/* Takes the next reply other than progress; false at the deadline. */
static bool
next_reply(struct engine *g, struct engine_reply *r)
{
	double until = clock_seconds() + DEADLINE_SECONDS;

	while (clock_seconds() < until) {
		struct pollfd p = {
			.fd = engine_fd(g), .events = (short)(POLLIN | (engine_wants_write(g) ? POLLOUT : 0))};

		while (engine_next(g, r)) {
			if (r->kind != ENGINE_PROGRESS)
				return true;
			engine_reply_clear(r);
		}
		poll(&p, 1, 20);
	}
	return test_check(false, __FILE__, __LINE__, "the engine did not answer in %d s", DEADLINE_SECONDS);
}

static void
expect_answer(struct engine *g, uint64_t request, size_t infeasible)
{
	struct engine_reply r;

	if (!next_reply(g, &r))
		return;
	CHECK_INT(r.kind, ENGINE_RESULT);
	CHECK_INT(r.request, request);
	if (r.kind == ENGINE_RESULT) {
		CHECK_INT(r.result->n_findings, 1);
		CHECK_INT(r.result->count[VERDICT_INFEASIBLE], infeasible);
	}
	engine_reply_clear(&r);
	if (!next_reply(g, &r))
		return;
	CHECK_INT(r.kind, ENGINE_NEIGHBOURS);
	if (r.kind == ENGINE_NEIGHBOURS)
		CHECK_INT(r.neighbours->n, 6);
	engine_reply_clear(&r);
	CHECK(!engine_busy(g));
}

static void
toggles_are_answered(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct fset on = {0};

	expect_answer(g, engine_run(g, &on), 1);
	fset_put(&on, 3, true); /* feature D */
	expect_answer(g, engine_run(g, &on), 0);
	engine_close(g);
	udd_free(m);
}

/* What is known of a processor reaches the engine with the options, and which processor was counted with the data. */
static void
books_of_processors_are_used(void)
{
	static const char *const cpu[] = {NULL, "GenuineIntel family 6 model 254", "power6"};
	char name[] = "PGF", *event = name, source[] = "planted";
	struct trust_entry entry = {.event = &event, .n_events = 1, .source = source, .n_terms = 1,
		.term = {{.cause = TRUST_PER_RUN, .low = 2, .high = 2}}};
	const struct trust_page page = {.entry = &entry, .n = 1};

	for (size_t i = 0; i < sizeof cpu / sizeof cpu[0]; i++) {
		struct udd_model *m;
		struct err e = {0};
		struct engine *g = engine_start(&e);
		struct bundle b = load_bundle("linux-page-faults", &m);
		struct analysis_options how = {.confidence = 0.99};
		struct obs_table *t = some_data();
		struct fset on = {0};

		test_label("%s", cpu[i] ? cpu[i] : "no processor");
		trust_books_add(&how.books, "power6", NULL); /* nothing is known of it */
		trust_books_add(&how.books, cpu[1], &page);
		t->obs[0]->origin.cpu = cpu[i] ? mem_str(cpu[i]) : NULL;
		engine_load(g, &b, &how);
		engine_table(g, 0, t);
		expect_answer(g, engine_run(g, &on), i == 1 ? 0 : 1);
		engine_close(g);
		obs_table_free(t);
		trust_books_clear(&how.books);
		bundle_free(&b);
		udd_free(m);
	}
}

static void
only_the_newest_request_is_answered(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct fset on = {0};
	uint64_t last = 0;

	for (size_t i = 0; i < 64; i++) {
		for (size_t k = 0; k < 6; k++)
			fset_put(&on, k, i >> k & 1);
		last = engine_run(g, &on);
	}
	expect_answer(g, last, 0);
	engine_run(g, &on);
	engine_stop(g);
	CHECK(!engine_busy(g));
	engine_close(g);
	udd_free(m);
}

static void
a_dead_engine_is_replaced_with_all_it_knew(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct engine_reply r;
	struct fset on = {0};
	int first = engine_pid(g);

	expect_answer(g, engine_run(g, &on), 1);
	kill(first, SIGKILL);
	if (next_reply(g, &r)) {
		CHECK_INT(r.kind, ENGINE_RESTARTED);
		CHECK(r.text && strstr(r.text, "signal 9"));
		engine_reply_clear(&r);
	}
	CHECK(engine_pid(g) != first);
	expect_answer(g, engine_run(g, &on), 1);
	engine_close(g);
	udd_free(m);
}

struct growing {
	struct engine *g;
	const struct obs_table *t;
};

static void
send_growing(void *growing)
{
	const struct growing *w = growing;

	engine_table(w->g, 0, w->t);
}

/* Rows in several messages give the same answer as the whole table in one. Killing the engine in between loses none
 * of them. A second observation may begin. */
static void
rows_may_follow_their_table(void)
{
	static const char *const column[] = {"Fu", "MIN", "MAJ"};
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct obs_table *t = obs_table_new(column, 3), *empty;
	struct fset on = {0};
	struct engine_reply r;
	struct obs *o = NULL, *two;
	double distance2 = 0, mean = 0;
	uint64_t seed = 5;

	engine_inherits(g, send_growing, &(struct growing){g, t});
	engine_table(g, 0, t);
	o = obs_table_add(t, "grows", "-p 1");
	o->tasks = 3;
	o->peeked = true;
	for (size_t row = 0; row < 40; row++) {
		int64_t n = 1000 + (int64_t)(test_random(&seed) % 100), count[3] = {n + 5, n - 7, 7};
		unsigned char counted[3] = {1, 1, row != 17};

		obs_add_row(o, count, counted, (double)row * 0.1);
		if (row % 3 == 0)
			obs_set_quality(o, 1, 0.5, 0);
		if (row != 4 && row != 20 && row != 39)
			continue;
		engine_rows(g, 0, t, 0, row == 4 ? 0 : row == 20 ? 5 : 21);
		if (row == 20)
			test_kill(engine_pid(g), SIGKILL);
		engine_run(g, &on);
		if (row == 20 && next_reply(g, &r)) {
			CHECK_INT(r.kind, ENGINE_RESTARTED);
			engine_reply_clear(&r);
		}
		while (engine_busy(g) && next_reply(g, &r)) {
			if (r.kind == ENGINE_RESULT && CHECK_INT(r.result->n_findings, 1)) {
				CHECK_STR(r.result->finding[0].name, "grows");
				CHECK_INT(r.result->finding[0].data.samples, row + 1);
			}
			engine_reply_clear(&r);
		}
	}
	two = obs_table_add(t, "grows total", "-p 1");
	two->exact = true;
	obs_add_row(two, (const int64_t[]){105, 93, 7}, NULL, 0);
	engine_rows(g, 0, t, 1, 0);
	for (int whole = 0; whole < 2; whole++) {
		if (whole)
			engine_table(g, 0, t);
		engine_run(g, &on);
		while (engine_busy(g) && next_reply(g, &r)) {
			if (r.kind == ENGINE_RESULT && CHECK_INT(r.result->n_findings, 2)) {
				const struct finding *f = r.result->finding;

				CHECK(whole == 0 ||
					(f->own.distance2 == distance2 && f->counter.value[6] == mean));
				CHECK(!f[0].data.exact && f[1].data.exact);
				CHECK(f[0].data.peeked && !f[1].data.peeked);
				CHECK_INT(f[1].verdict, VERDICT_INFEASIBLE);
				distance2 = f->own.distance2;
				mean = f->counter.value[6];
			}
			engine_reply_clear(&r);
		}
	}
	/* Rows without the beginning of their observation are dropped, and the engine stays alive. */
	empty = obs_table_new(column, 3);
	engine_table(g, 1, empty);
	engine_rows(g, 1, t, 1, 0);
	engine_run(g, &on);
	while (engine_busy(g) && next_reply(g, &r)) {
		CHECK(r.kind == ENGINE_RESULT || r.kind == ENGINE_NEIGHBOURS);
		if (r.kind == ENGINE_RESULT)
			CHECK_INT(r.result->n_findings, 2);
		engine_reply_clear(&r);
	}
	obs_table_free(empty);
	obs_table_free(t);
	engine_close(g);
	udd_free(m);
}

static void
a_request_that_kills_is_given_up(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct engine_reply r;
	struct fset on = {0};
	enum engine_reply_kind kind = ENGINE_RESTARTED;

	expect_answer(g, engine_run(g, &on), 1);
	test_kill(engine_pid(g), SIGSTOP); /* it never reads the request */
	engine_run(g, &on);
	for (int deaths = 0; deaths < 3 && kind == ENGINE_RESTARTED; deaths++) {
		test_kill(engine_pid(g), SIGKILL);
		if (!next_reply(g, &r))
			break;
		kind = r.kind;
		CHECK_INT(kind, deaths < 2 ? ENGINE_RESTARTED : ENGINE_FAILED);
		engine_reply_clear(&r);
		if (kind == ENGINE_RESTARTED)
			test_kill(engine_pid(g), SIGSTOP);
	}
	CHECK(!engine_busy(g));
	/* No engine is started before the next request: one that cannot start would otherwise be started endlessly. */
	CHECK_INT(engine_pid(g), -1);
	CHECK(!engine_next(g, &r));
	expect_answer(g, engine_run(g, &on), 1);
	engine_close(g);
	udd_free(m);
}

static void
a_hanging_engine_is_replaced(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct engine_reply r;
	struct fset on = {0};
	int first;

	expect_answer(g, engine_run(g, &on), 1);
	first = engine_pid(g);
	engine_set_patience(g, 0.1);
	kill(first, SIGSTOP);
	fset_put(&on, 3, true);
	engine_run(g, &on);
	if (next_reply(g, &r)) {
		CHECK_INT(r.kind, ENGINE_RESTARTED);
		engine_reply_clear(&r);
	}
	CHECK(engine_pid(g) != first);
	engine_set_patience(g, DEADLINE_SECONDS);
	expect_answer(g, engine_run(g, &on), 0);
	engine_close(g);
	udd_free(m);
}

static void
a_witness_is_written_out(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct engine_reply r;
	struct fset on = {0};

	expect_answer(g, engine_run(g, &on), 1);
	engine_witness(g, 8); /* counter PGF */
	if (next_reply(g, &r)) {
		CHECK_INT(r.kind, ENGINE_WITNESS);
		CHECK(r.text && strstr(r.text, "■ PGF"));
		CHECK(r.text && strstr(r.text, "it raises"));
		engine_reply_clear(&r);
	}
	engine_close(g);
	udd_free(m);
}

static void
what_went_through_a_feature_is_reported(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct engine_reply r;
	struct fset on = {0};

	for (size_t i = 0; i < m->n_features; i++)
		fset_put(&on, i, true);
	expect_answer(g, engine_run(g, &on), 0);
	engine_flow(g, &on, 0, 2);
	if (next_reply(g, &r)) {
		CHECK_INT(r.kind, ENGINE_FLOW);
		CHECK(r.text && strstr(r.text, "through C"));
		engine_reply_clear(&r);
	}
	engine_flow(g, &on, 1000000, 2);
	if (next_reply(g, &r)) {
		CHECK_INT(r.kind, ENGINE_FLOW);
		CHECK(r.text && strstr(r.text, "There are no ranges"));
		engine_reply_clear(&r);
	}
	engine_close(g);
	udd_free(m);
}

/* Details that views ask for: one constraint, and the cone without a counter. A newer request cancels both. */
static void
questions_are_answered(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct engine_reply r;
	struct fset on = {0};
	struct result *now = NULL;
	size_t at = 0;

	engine_run(g, &on);
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_RESULT)) {
		now = r.result;
		r.result = NULL;
	}
	engine_reply_clear(&r);
	if (next_reply(g, &r))
		CHECK_INT(r.kind, ENGINE_NEIGHBOURS);
	engine_reply_clear(&r);
	if (!now)
		return;
	while (at + 1 < now->n_constraints && !str_eq(now->constraint[at].text, "PGF = Fu + Fk"))
		at++;
	CHECK_STR(now->constraint[at].text, "PGF = Fu + Fk");
	engine_touch(g, &now->on, at, &now->constraint[at]);
	engine_loss(g, now, 8); /* counter PGF */
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_TOUCH)) {
		CHECK_INT(r.touch->constraint, at);
		CHECK_INT(r.touch->raising, now->signatures);
		if (CHECK(r.touch->relax->n >= 6)) {
			/* feature D: a fault on behalf of another task */
			CHECK(fset_has(&r.touch->relax->one[0].added, 3));
			CHECK(r.touch->relax->one[0].signatures > 0);
			CHECK_INT(r.touch->relax->one[0].alone, r.touch->relax->asked);
			CHECK(strstr(r.touch->relax->one[0].steps, "path remote"));
			CHECK_INT(r.touch->relax->one[r.touch->relax->n - 1].signatures, 0);
		}
	}
	engine_reply_clear(&r);
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_LOSS)) {
		CHECK_INT(r.loss->counter, 8);
		CHECK_INT(r.loss->asked, 1);
		CHECK_INT(r.loss->n_lost, 1); /* no other counter shows the two faults */
		CHECK(r.loss->n_gone >= 3);
		CHECK(r.loss->n_gone - r.loss->n_come ==
			now->n_constraints - r.loss->equalities - r.loss->inequalities);
	}
	engine_reply_clear(&r);
	engine_geometry(g, &now->on, 0);
	engine_geometry(g, &now->on, 99); /* there is no finding 99, which is an answer, too */
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_GEOMETRY)) {
		CHECK_INT(r.geometry->finding, 0);
		CHECK(!r.geometry->failed && r.geometry->point && !r.geometry->spread);
		CHECK_INT(r.geometry->all_pairs, r.geometry->n * (r.geometry->n - 1) / 2);
		CHECK_INT(r.geometry->n_pairs, r.geometry->all_pairs);
		CHECK(r.geometry->n_rays > 0);
		for (size_t i = 0; i < r.geometry->n; i++)
			CHECK(fabs(r.geometry->mean[i] - now->finding[0].counter.value[r.geometry->counter[i]]) < 1e-9);
	}
	engine_reply_clear(&r);
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_GEOMETRY)) {
		CHECK_INT(r.geometry->finding, 99);
		CHECK(r.geometry->failed);
	}
	engine_reply_clear(&r);
	engine_touch(g, &now->on, at, &now->constraint[at]);
	fset_put(&on, 3, true);
	expect_answer(g, engine_run(g, &on), 0); /* the question before this one is dropped */
	CHECK(!engine_busy(g));
	result_free(now);
	engine_close(g);
	udd_free(m);
}

/* A table of 4 MB, and a result of 500 observations: no queue keeps room for them. */
static void
large_messages_leave_no_room_behind(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct obs_table *t = some_data();
	struct fset on = {0};
	struct engine_reply r;
	int64_t row[11];

	memcpy(row, t->obs[0]->count, sizeof row);
	t->obs[0]->exact = false;
	for (size_t i = 1; i < 40000; i++) {
		row[7] = (int64_t)(i % 7);
		obs_add_row(t->obs[0], row, NULL, (double)i);
	}
	engine_table(g, 0, t);
	CHECK(g->out.n > 3000000);
	expect_answer(g, engine_run(g, &on), 1);
	CHECK_INT(g->out.n, 0);
	CHECK(g->out.cap < 1000000);
	obs_table_free(t);
	t = some_data();
	for (size_t i = 1; i < 500; i++) {
		struct obs *o = obs_table_add(t, "gcc", "gcc -c x.c");

		o->exact = true;
		obs_add_row(o, row, NULL, 0);
	}
	engine_table(g, 0, t);
	engine_run(g, &on);
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_RESULT))
		CHECK_INT(r.result->n_findings, 500);
	engine_reply_clear(&r);
	if (next_reply(g, &r))
		CHECK_INT(r.kind, ENGINE_NEIGHBOURS);
	engine_reply_clear(&r);
	CHECK_INT(g->n_in, 0);
	CHECK(g->in_cap < 300000);
	obs_table_free(t);
	engine_close(g);
	udd_free(m);
}

TEST_MAIN(CASE(toggles_are_answered), CASE(books_of_processors_are_used), CASE(only_the_newest_request_is_answered),
	CASE(a_dead_engine_is_replaced_with_all_it_knew), CASE(rows_may_follow_their_table),
	CASE(a_request_that_kills_is_given_up), CASE(a_hanging_engine_is_replaced), CASE(a_witness_is_written_out),
	CASE(what_went_through_a_feature_is_reported), CASE(questions_are_answered),
	CASE(large_messages_leave_no_room_behind))
