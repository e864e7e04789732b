/* Searches by the engine process: they report graphs while they run, report what was tested when they are stopped,
 * and are always answered in the end. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/engine/engine.h"
#include "test.h"

#define DEADLINE_SECONDS 60

/* The model arrives as text, as the explorer sends it. */
static struct engine *
engine_with(const char *text)
{
	struct err e = {0};
	struct engine *g = engine_start(&e);
	struct udd_file file = {.name = (char *)(uintptr_t)"m.udd", .text = (char *)(uintptr_t)text, .n = strlen(text)};
	struct bundle b = {.path = (char *)(uintptr_t)"m.udd", .file = &file, .n = 1};
	struct analysis_options how = {.confidence = 0.99};

	CHECK(g);
	engine_load(g, &b, &how);
	return g;
}

static struct obs_table *
table_of(const int64_t row[][2], size_t n)
{
	static const char *const column[] = {"a", "b"};
	struct obs_table *t = obs_table_new(column, 2);

	for (size_t i = 0; i < n; i++) {
		char name[] = {(char)('x' + i), 0};
		struct obs *o = obs_table_add(t, name, name);

		o->exact = true;
		obs_add_row(o, row[i], NULL, 0);
	}
	return t;
}

static void
send_rows(struct engine *g, const int64_t row[][2], size_t n)
{
	struct obs_table *t = table_of(row, n);

	engine_table(g, 0, t);
	obs_table_free(t);
}

static void
send_row(void *engine)
{
	static struct obs_table *kept; /* a process that is started again inherits it */

	kept = kept ? kept : table_of((const int64_t[][2]){{5, 3}}, 1);
	engine_table(engine, 0, kept);
}

/* Takes the next reply other than progress and graphs of a search that goes on; *reported counts these graphs. */
static bool
next_end(struct engine *g, struct engine_reply *r, size_t *reported)
{
	double until = clock_seconds() + DEADLINE_SECONDS;

	while (clock_seconds() < until) {
		struct pollfd p = {
			.fd = engine_fd(g), .events = (short)(POLLIN | (engine_wants_write(g) ? POLLOUT : 0))};

		while (engine_next(g, r)) {
			bool running = r->kind == ENGINE_SEARCH && r->graph->running;

			if (r->kind != ENGINE_PROGRESS && !running)
				return true;
			*reported += running;
			engine_reply_clear(r);
		}
		poll(&p, 1, 20);
	}
	return test_check(false, __FILE__, __LINE__, "the engine did not answer in %d s", DEADLINE_SECONDS);
}

static struct search_graph *
expect_graph(struct engine *g, enum search_task task)
{
	struct engine_reply r = {0};
	struct search_graph *graph = NULL;
	size_t reported = 0;

	if (next_end(g, &r, &reported) && CHECK_INT(r.kind, ENGINE_SEARCH) && CHECK_INT(r.graph->task, task)) {
		CHECK(!r.graph->running);
		graph = r.graph;
		r.graph = NULL;
	}
	engine_reply_clear(&r);
	return graph ? graph : search_graph_new();
}

static const char small[] = "model small; counter a; counter b; feature base; feature more requires base; feature idle;"
			    "path p { count a; } path q when more { count b; } path r when idle { event none; }";

static void
every_task_is_answered(void)
{
	static const int64_t row[][2] = {{5, 3}, {5, 0}};
	struct engine *g = engine_with(small);
	struct fset none = {0}, all = {.w = {7}}, fixed = {.w = {4}}, broken = {.w = {2}};
	struct search_graph *s;
	struct engine_reply r;
	uint64_t cone;
	size_t reported = 0;

	send_rows(g, row, 2);
	engine_search(g, &none, &none, SEARCH_DISCOVER);
	engine_search(g, &all, &none, SEARCH_ELIMINATE);
	engine_search(g, &all, &fixed, SEARCH_AUTO);
	engine_search(g, &broken, &none, SEARCH_AUTO);
	engine_search(g, &none, &none, SEARCH_NONE);
	s = expect_graph(g, SEARCH_DISCOVER);
	CHECK_STR(s->says,
		"more relaxes b = 0, which 1 observation breaks; with base, which is required; it frees 1, and nothing "
		"is refuted any more");
	CHECK_INT(s->proposed.w[0], 3);
	CHECK_INT(s->n_repairs, 1);
	CHECK_INT(s->n_models, 2);
	CHECK_INT(s->n_edges, 1);
	CHECK(!s->complete && s->reason);
	CHECK_STR(s->model[0].worst, "b = 0");
	CHECK_STR(s->model[0].worst_by, "x");
	CHECK(s->model[1].survives && !s->model[1].worst && s->model[1].cone != s->model[0].cone);
	cone = s->model[0].cone;
	search_graph_free(s);
	s = expect_graph(g, SEARCH_ELIMINATE);
	CHECK_INT(s->needs.n_minimal, 1);
	CHECK_INT(s->model[s->needs.minimal[0]].on.w[0], 3);
	CHECK_INT(s->n_observations, 2);
	search_graph_free(s);
	s = expect_graph(g, SEARCH_AUTO);
	CHECK(s->complete && !s->reason);
	CHECK_INT(s->fixed.w[0], 4);
	CHECK_INT(s->needs.required.w[0], 3);
	CHECK_INT(s->sets, 3);
	for (size_t i = 0; i < s->n_models; i++)
		CHECK_INT(s->model[i].on.w[0] & 4, 4);
	search_graph_free(s);
	s = expect_graph(g, SEARCH_AUTO);
	CHECK_STR(s->reason, "the search cannot begin: its first features violate a requires or excludes");
	CHECK_INT(s->n_models, 0);
	search_graph_free(s);
	s = expect_graph(g, SEARCH_NONE);
	CHECK_STR(s->reason, "the engine received no description of the search");
	search_graph_free(s);
	engine_run(g, &none);
	if (next_end(g, &r, &reported) && CHECK_INT(r.kind, ENGINE_RESULT))
		CHECK(r.result->cone == cone); /* search and result number their cones alike */
	engine_reply_clear(&r);
	engine_close(g);
}

static void
no_model_and_no_data(void)
{
	struct engine *g = engine_with("model broken");
	struct fset none = {0};
	struct search_graph *s;

	engine_search(g, &none, &none, SEARCH_AUTO);
	s = expect_graph(g, SEARCH_AUTO);
	CHECK_STR(s->reason, "the engine has no model");
	search_graph_free(s);
	engine_close(g);
	g = engine_with(small);
	engine_search(g, &none, &none, SEARCH_DISCOVER);
	s = expect_graph(g, SEARCH_DISCOVER);
	CHECK_STR(s->says, "there is no observation to judge");
	search_graph_free(s);
	engine_close(g);
}

/* 40 features in one model: as many tests as a search may make, which takes many seconds. */
static char *
wild_model(void)
{
	struct str text = {0};

	str_add(&text, "model wild; counter a; counter b;");
	for (int i = 0; i < 40; i++)
		str_addf(&text, "feature f%d;", i);
	str_add(&text, "path p { count a; choose { case N: event n;");
	for (int i = 0; i < 40; i++)
		str_addf(&text, "case C%d: when (f%d) { count b; }", i, i);
	str_add(&text, "} }");
	return str_take(&text);
}

static struct engine *
wild_engine(void)
{
	char *text = wild_model();
	struct engine *g = engine_with(text);

	free(text);
	return g;
}

/* A search sends graphs while it runs. A newer request ends it. What it found until then still arrives, before the
 * newer answer. */
static void
a_stopped_search_reports_what_it_has(void)
{
	static const int64_t row[][2] = {{5, 3}};
	struct engine *g = wild_engine();
	struct engine_reply r = {0};
	struct fset none = {0};
	double until = clock_seconds() + DEADLINE_SECONDS;
	size_t running = 0, reported = 0, tested = 0;
	uint64_t asked;

	send_rows(g, row, 1);
	engine_search(g, &none, &none, SEARCH_AUTO);
	while (running < 2 && clock_seconds() < until) {
		struct pollfd p = {
			.fd = engine_fd(g), .events = (short)(POLLIN | (engine_wants_write(g) ? POLLOUT : 0))};

		poll(&p, 1, 20);
		while (engine_next(g, &r)) {
			if (r.kind == ENGINE_SEARCH && CHECK(r.graph->running)) {
				running++;
				CHECK(r.graph->n_models >= tested);
				CHECK(!r.graph->complete);
				tested = r.graph->n_models;
			}
			engine_reply_clear(&r);
		}
	}
	CHECK(running >= 2);
	asked = engine_run(g, &none);
	if (next_end(g, &r, &reported) && CHECK_INT(r.kind, ENGINE_SEARCH)) {
		CHECK(r.request < asked);
		CHECK(r.graph->n_models >= tested);
		CHECK(!r.graph->complete);
		CHECK_STR(r.graph->reason, "it was stopped");
	}
	engine_reply_clear(&r);
	if (next_end(g, &r, &reported) && CHECK_INT(r.kind, ENGINE_RESULT))
		CHECK_INT(r.request, asked);
	engine_reply_clear(&r);
	engine_close(g);
}

/* A search is stopped and another one requested at once: both end, in order. After a new model or new data nothing
 * of the old search arrives. */
static void
each_search_ends_once(void)
{
	static const int64_t row[][2] = {{5, 3}};
	struct engine *g = wild_engine();
	struct fset none = {0};
	struct search_graph *s;
	struct udd_file file = {
		.name = (char *)(uintptr_t) "m.udd", .text = (char *)(uintptr_t)small, .n = strlen(small)};
	struct bundle b = {.path = (char *)(uintptr_t)"m.udd", .file = &file, .n = 1};
	struct analysis_options how = {.confidence = 0.99};

	send_rows(g, row, 1);
	engine_search(g, &none, &none, SEARCH_AUTO);
	engine_stop(g);
	engine_search(g, &none, &none, SEARCH_DISCOVER);
	s = expect_graph(g, SEARCH_AUTO);
	CHECK(s->reason && strstr(s->reason, "it was stopped") == s->reason);
	search_graph_free(s);
	s = expect_graph(g, SEARCH_DISCOVER);
	CHECK_INT(s->n_models, 2);
	CHECK_INT(s->n_repairs, 40);
	search_graph_free(s);
	engine_search(g, &none, &none, SEARCH_AUTO);
	engine_load(g, &b, &how);
	send_rows(g, row, 1);
	engine_search(g, &none, &none, SEARCH_DISCOVER);
	s = expect_graph(g, SEARCH_DISCOVER);
	CHECK_INT(s->n_repairs, 1);
	search_graph_free(s);
	engine_search(g, &none, &none, SEARCH_ELIMINATE);
	send_rows(g, row, 1);
	engine_stop(g);
	engine_search(g, &none, &none, SEARCH_DISCOVER);
	search_graph_free(expect_graph(g, SEARCH_DISCOVER));
	engine_close(g);
}

/* After a death the caller must ask again: a new engine does not continue the search. */
static void
a_dead_engine_owes_nothing(void)
{
	static const int64_t row[][2] = {{5, 3}};
	struct engine *g = wild_engine();
	struct engine_reply r = {0};
	struct fset none = {0};
	struct search_graph *s;
	size_t reported = 0;

	send_rows(g, row, 1);
	engine_inherits(g, send_row, g);
	engine_search(g, &none, &none, SEARCH_AUTO);
	test_kill(engine_pid(g), SIGKILL);
	if (next_end(g, &r, &reported))
		CHECK_INT(r.kind, ENGINE_RESTARTED);
	engine_reply_clear(&r);
	engine_search(g, &none, &none, SEARCH_DISCOVER);
	s = expect_graph(g, SEARCH_DISCOVER);
	CHECK_INT(s->n_models, 2);
	search_graph_free(s);
	engine_close(g);
}

TEST_MAIN(CASE(every_task_is_answered), CASE(no_model_and_no_data), CASE(a_stopped_search_reports_what_it_has),
	CASE(each_search_ends_once), CASE(a_dead_engine_owes_nothing))
