/* The engine as a process: answers, superseding, death, deafness. Waiting is polling with a deadline. */
#include "app/engine.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "app/loss.h"
#include "app/touch.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "test.h"

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

/* gcc as it was once: two faults that no exception explains. */
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

static struct engine *
ready_engine(struct udd_model **m)
{
	struct err e = {0};
	struct engine *g = engine_start(&e);
	struct bundle b = load_bundle("linux-page-faults", m);
	struct analysis_options how = {.confidence = 0.99};
	struct obs_table *t = some_data();

	CHECK(g);
	engine_load(g, &b, &how);
	engine_table(g, 0, t);
	bundle_free(&b);
	obs_table_free(t);
	return g;
}

/* The next reply that is no progress; false at the deadline. */
static bool
next_reply(struct engine *g, struct engine_reply *r)
{
	double until = clock_seconds() + DEADLINE_SECONDS;

	while (clock_seconds() < until) {
		struct pollfd p = {.fd = engine_fd(g), .events = (short)(POLLIN | (engine_wants_write(g) ? POLLOUT : 0))};

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
	fset_put(&on, 3, true); /* D */
	expect_answer(g, engine_run(g, &on), 0);
	engine_close(g);
	udd_free(m);
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
a_dead_engine_is_replaced_and_told_everything(void)
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

static void
a_request_that_kills_is_given_up(void)
{
	struct udd_model *m;
	struct engine *g = ready_engine(&m);
	struct engine_reply r;
	struct fset on = {0};
	enum engine_reply_kind kind = ENGINE_RESTARTED;

	expect_answer(g, engine_run(g, &on), 1);
	kill(engine_pid(g), SIGSTOP); /* it will never read the request */
	engine_run(g, &on);
	for (int deaths = 0; deaths < 3 && kind == ENGINE_RESTARTED; deaths++) {
		kill(engine_pid(g), SIGKILL);
		if (!next_reply(g, &r))
			break;
		kind = r.kind;
		CHECK_INT(kind, deaths < 2 ? ENGINE_RESTARTED : ENGINE_FAILED);
		engine_reply_clear(&r);
		if (kind == ENGINE_RESTARTED)
			kill(engine_pid(g), SIGSTOP);
	}
	CHECK(!engine_busy(g));
	expect_answer(g, engine_run(g, &on), 1);
	engine_close(g);
	udd_free(m);
}

static void
a_deaf_engine_is_replaced(void)
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
	engine_witness(g, 8); /* PGF */
	if (next_reply(g, &r)) {
		CHECK_INT(r.kind, ENGINE_WITNESS);
		CHECK(r.text && strstr(r.text, "■ PGF"));
		CHECK(r.text && strstr(r.text, "it raises"));
		engine_reply_clear(&r);
	}
	engine_close(g);
	udd_free(m);
}

/* What views ask beside: one constraint closely, the cone without a counter; a newer request makes both void. */
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
	engine_loss(g, now, 8); /* PGF */
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_TOUCH)) {
		CHECK_INT(r.touch->constraint, at);
		CHECK_INT(r.touch->raising, now->signatures);
		CHECK_INT(r.touch->n_features >= 6, true);
		CHECK_INT(r.touch->feature[3].feature, 3); /* D: a fault on behalf of another task */
		CHECK(r.touch->feature[3].signatures > 0);
		CHECK_INT(r.touch->feature[5].signatures, 0);
	}
	engine_reply_clear(&r);
	if (next_reply(g, &r) && CHECK_INT(r.kind, ENGINE_LOSS)) {
		CHECK_INT(r.loss->counter, 8);
		CHECK_INT(r.loss->asked, 1);
		CHECK_INT(r.loss->n_lost, 1); /* nothing else shows the two faults */
		CHECK(r.loss->n_gone >= 3);
		CHECK(r.loss->n_gone - r.loss->n_come == now->n_constraints - r.loss->equalities - r.loss->inequalities);
	}
	engine_reply_clear(&r);
	engine_touch(g, &now->on, at, &now->constraint[at]);
	fset_put(&on, 3, true);
	expect_answer(g, engine_run(g, &on), 0); /* the question before it is dropped */
	CHECK(!engine_busy(g));
	result_free(now);
	engine_close(g);
	udd_free(m);
}

TEST_MAIN(CASE(toggles_are_answered), CASE(only_the_newest_request_is_answered), CASE(a_dead_engine_is_replaced_and_told_everything),
	  CASE(a_request_that_kills_is_given_up), CASE(a_deaf_engine_is_replaced), CASE(a_witness_is_written_out), CASE(questions_are_answered))
