/* Profiles of several programs on the real machine, with counters that any user may read: the whole is the sum of its
 * parts at each sample; limits; ends. */
#include "work/run/spec_run.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "lone_run.h"
#include "stub_run.h"
#include "test.h"
#include "text/diag.h"
#include "work/run/counter_list.h"

#define PATIENCE_SECONDS 60

static const char net_text[] = "network n; kind k; counter faults = \"page-faults:u\" per task unit requests; counter "
			       "ran = \"task:run_ns\" per task unit ns;\n"
			       "counter all = \"vmstat:pgfault\" per system unit requests; counter no = "
			       "\"no-such-event\" per task unit requests;\n"
			       "stage a { module m { k { hit = faults; miss = all; } } } stage b { module d { k { hit "
			       "= faults; } } } link m -> d { k = faults; }\n";

struct scene {
	struct profile_spec *spec;
	struct network *net;
	struct spec_run *run;
	struct runs *runs;
};

static struct counter_list *
make_counters(void *ctx, struct err *e)
{
	const struct scene *s = ctx;

	(void)e;
	return counter_list_of_network(s->net, "n.net");
}

/* `joins`: NULL, or a run that observes the programs; without `counts` no counter is read. */
static bool
open_scene_with(struct scene *s, const char *text, struct stub_run *joins, bool counts, struct err *e)
{
	char *all = str_format("profile whole; network n; %s", text);
	struct diags d = {0};
	struct spec_run_options how = {
		.counters = make_counters, .ctx = s, .out_fd = -1, .err_fd = -1};

	*s = (struct scene){0};
	s->spec = spec_parse(mem_str("t"), mem_str(all), strlen(all), &d);
	s->net = network_parse(mem_str("n.net"), mem_str(net_text), strlen(net_text), &d);
	if (!s->spec || !s->net)
		test_check(false, __FILE__, __LINE__, "%s\n%s", d.n ? d.item[0].text : "?", all);
	diags_free(&d);
	free(all);
	how.spec = s->spec;
	how.closes_at_switches = joins != NULL;
	if (!counts)
		how.counters = NULL;
	s->run = s->spec && s->net ? spec_run_new(&how, e) : NULL;
	s->runs = runs_new();
	if (s->run)
		runs_add(s->runs, spec_as_run(s->run), false);
	if (s->run && joins) {
		stub_run_begin(joins);
		runs_add(s->runs, &joins->run, false);
	}
	return s->run != NULL;
}

static bool
open_scene(struct scene *s, const char *text, struct err *e)
{
	return open_scene_with(s, text, NULL, true, e);
}

static void
close_scene(struct scene *s)
{
	run_free(spec_as_run(s->run));
	runs_free(s->runs);
	spec_free(s->spec);
	network_free(s->net);
}

/* Runs to the end, or until there are so many samples; 0: to the end. */
static bool
run_on(struct scene *s, size_t looks, struct err *e)
{
	double until = clock_seconds() + PATIENCE_SECONDS;
	struct spec_run_state t;

	while (!lone_run_poll(spec_as_run(s->run), e)) {
		spec_run_state(s->run, &t);
		if (looks && t.looks >= looks)
			return true;
		if (clock_seconds() > until)
			return test_check(false, __FILE__, __LINE__, "it does not end"), false;
		lone_run_wait(spec_as_run(s->run), 0.05);
	}
	return true;
}

static const struct obs *
find(const struct obs_table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->obs[i]->name, name))
			return t->obs[i];
	return NULL;
}

static size_t
column(const struct obs_table *t, const char *name)
{
	for (size_t c = 0; c < t->n_columns; c++)
		if (str_eq(t->column[c], name))
			return c;
	return t->n_columns;
}

static int64_t
sum(const struct obs *o, size_t c)
{
	int64_t all = 0;

	for (size_t row = 0; o && row < o->n_rows; row++)
		all += o->counted[row * o->n_columns + c] ? o->count[row * o->n_columns + c] : 0;
	return all;
}

static const char *const part[] = {"a", "a-2", "b"};

/* At one sample: the whole is the sum of all that were sampled. It is unknown if one of them is unknown, or if none was
 * sampled. */
static void
check_sum(const struct obs_table *t, const struct obs *whole, size_t at, size_t c)
{
	bool known = true, some = false;
	int64_t all = 0;

	for (size_t i = 0; i < 3; i++) {
		const struct obs *o = find(t, part[i]);

		for (size_t row = 0; o && row < o->n_rows; row++)
			if (o->time[row] == whole->time[at]) {
				some = true;
				known &= o->counted[row * o->n_columns + c] != 0;
				all += o->count[row * o->n_columns + c];
			}
	}
	CHECK_INT(whole->counted[at * whole->n_columns + c], some && known);
	if (some && known)
		CHECK_INT(whole->count[at * whole->n_columns + c], all);
}

static void
the_whole_is_the_sum(void)
{
	struct scene s;
	struct err e = {0};
	struct spec_run_state t;
	const struct obs_table *table;
	const struct obs *whole;

	if (!open_scene(&s,
		    "program a { run \"sleep\" \"0.03\"; times 2; } program b { run \"sh\" \"-c\" \"sleep 0.01; sleep "
		    "0.01\"; begin after 5 ms; } granularity 3 ms;",
		    &e) ||
		!lone_run_start(spec_as_run(s.run), &e)) {
		test_check(false, __FILE__, __LINE__, "%s", e.what);
		close_scene(&s);
		return;
	}
	CHECK(run_on(&s, 0, &e));
	CHECK_STR(e.what, "");
	table = run_table(spec_as_run(s.run));
	whole = find(table, "whole");
	CHECK_INT(table->n, 4);
	if (CHECK(whole)) {
		const char *const name[] = {"faults", "ran"};

		for (size_t k = 0; k < 2; k++) {
			size_t c = column(table, name[k]);

			for (size_t row = 0; row < whole->n_rows; row++)
				check_sum(table, whole, row, c);
			CHECK(sum(whole, c) > 0);
		}
		CHECK(whole->counted[column(table, "all")]);
		CHECK(!whole->counted[column(table, "no")]);
		CHECK_INT(whole->health[column(table, "no")], OBS_UNSUPPORTED);
		for (size_t i = 0; i < table->n; i++) /* the kernel's own count */
			CHECK_INT(table->obs[i]->health[column(table, "faults")], OBS_HONEST);
		for (size_t row = 1; row < whole->n_rows; row++)
			CHECK(whole->time[row] > whole->time[row - 1]);
	}
	for (size_t i = 0; i < 3; i++) {
		const struct obs *o = find(table, part[i]);

		if (CHECK(o) && o)
			CHECK(!o->counted[column(table, "all")]); /* the machine's counts belong to no program */
	}
	spec_run_state(s.run, &t);
	CHECK_INT(t.ending, RUN_END_ITSELF);
	if (whole)
		CHECK(whole->n_rows <= t.looks + 1);
	CHECK(t.looks == 0 || (t.longest >= t.interval && t.interval > 0));
	close_scene(&s);
}

/* Each sample takes far more than this small limit: the next one comes late. */
static void
expensive_samples_become_rare(void)
{
	struct scene s;
	struct err e = {0};
	struct spec_run_state t;
	double began = clock_seconds();

	if (!open_scene(&s,
		    "program a { run \"sleep\" \"1000\"; } duration 100 ms; granularity 1 ms; limit processor 0.01 %;",
		    &e) ||
		!lone_run_start(spec_as_run(s.run), &e)) {
		test_check(false, __FILE__, __LINE__, "%s", e.what);
		close_scene(&s);
		return;
	}
	CHECK(run_on(&s, 0, &e));
	spec_run_state(s.run, &t);
	CHECK_INT(t.ending, RUN_END_DURATION);
	CHECK(clock_seconds() - began >= 0.1);
	CHECK(t.looks <= 2); /* 10 us of work are 100 ms at this limit */
	CHECK(programs_at(spec_run_programs(s.run), 0)->state == PROGRAM_ENDED);
	close_scene(&s);
}

static void
it_is_ended(void)
{
	struct scene s;
	struct err e = {0};
	struct spec_run_state t;
	const struct program *p;

	if (!open_scene(&s,
		    "program a { run \"sh\" \"-c\" \"trap '' TERM; while :; do sleep 0.01; done\"; } program b { run "
		    "\"true\"; begin after 900 s; } granularity 1 ms;",
		    &e) ||
		!lone_run_start(spec_as_run(s.run), &e)) {
		test_check(false, __FILE__, __LINE__, "%s", e.what);
		close_scene(&s);
		return;
	}
	CHECK(run_on(&s, 3, &e));
	run_finish(spec_as_run(s.run));
	CHECK(run_on(&s, 0, &e)); /* it ignores SIGTERM, so SIGKILL ends it */
	CHECK_STR(e.what, "");
	spec_run_state(s.run, &t);
	CHECK_INT(t.ending, RUN_END_ASKED);
	p = programs_at(spec_run_programs(s.run), 0);
	CHECK(p->state == PROGRAM_ENDED && WIFSIGNALED(p->end.status));
	CHECK_INT(programs_at(spec_run_programs(s.run), 1)->state, PROGRAM_READY);
	CHECK(find(run_table(spec_as_run(s.run)), "a"));
	CHECK(!find(run_table(spec_as_run(s.run)), "b"));
	close_scene(&s);
}

static void
what_cannot_begin(void)
{
	static const char *const text[] = {
		"program a { run \"sleep\" \"1000\"; } program b { run \"/nowhere/hecate\"; }",
		"program a { run \"sleep\" \"1000\"; } program b { run \"true\"; folder \"/nowhere\"; }",
	};
	struct scene s;

	for (size_t i = 0; i < 2; i++) {
		struct err e = {0};

		if (CHECK(open_scene(&s, text[i], &e))) {
			pid_t pid = programs_at(spec_run_programs(s.run), 0)->pid;

			CHECK(!lone_run_start(spec_as_run(s.run), &e));
			CHECK(strstr(e.what, "nowhere"));
			CHECK(kill(pid, 0) != 0); /* its minder has waited for it */
		}
		close_scene(&s);
	}
	{
		struct err e = {0};

		CHECK(!open_scene(&s, "program a { run \"true\"; cores 60000; }", &e));
		CHECK(strstr(e.what, "60000"));
		close_scene(&s);
	}
}

/* A program that cannot begin later: what was counted stays. */
static void
trouble_on_the_way(void)
{
	struct scene s;
	struct err e = {0};

	if (CHECK(open_scene(&s,
		    "program a { run \"sleep\" \"1000\"; } program b { run \"/nowhere/hecate\"; begin after 200 ms; }",
		    &e)) &&
		CHECK(lone_run_start(spec_as_run(s.run), &e))) {
		CHECK(run_on(&s, 0, &e));
		CHECK(strstr(e.what, "/nowhere/hecate"));
		CHECK(programs_at(spec_run_programs(s.run), 0)->state == PROGRAM_ENDED);
		CHECK(find(run_table(spec_as_run(s.run)), "a"));
	}
	close_scene(&s);
}

/* The other run joins before any program starts. The profile announces each start, all intervals, and the end once. No
 * counter is needed. */
static void
another_run_joins(void)
{
	for (int counts = 0; counts < 2; counts++) {
		struct stub_run w = {0};
		struct scene s;
		struct err e = {0};
		struct spec_run_state t;
		struct str text = {0};

		if (CHECK(open_scene_with(&s,
			    "program a { run \"sleep\" \"0.03\"; times 2; } program b { run \"true\"; begin after 5 "
			    "ms; } granularity 3 ms and switches;",
			    &w, counts, &e)) &&
			CHECK(runs_begin(s.runs, &e))) {
			CHECK(run_on(&s, 0, &e));
			CHECK_STR(e.what, "");
			spec_run_state(s.run, &t);
			CHECK_INT(w.held, 3);
			CHECK(w.one_by_one);
			CHECK_INT(w.starts, 3);
			CHECK_INT(w.intervals, t.looks);
			CHECK_INT(w.ends, 1);
			CHECK(w.in_order);
			CHECK_INT(run_table(spec_as_run(s.run))->n, counts ? 4 : 0);
			CHECK((run_facts(spec_as_run(s.run)).whole != NULL) == counts);
			spec_run_ops.explain(spec_as_run(s.run), &text);
			CHECK(!strstr(str_text(&text), "not closed at switches"));
			str_free(&text);
		}
		close_scene(&s);
		CHECK_INT(w.ends, 1);
	}
}

/* If it refuses, no program starts; if a program cannot start, the other run ends too. */
static void
another_run_has_trouble(void)
{
	struct stub_run w = {.refuses = true};
	struct scene s;
	struct err e = {0};
	pid_t pid = 0;

	if (CHECK(open_scene_with(&s, "program a { run \"sleep\" \"1000\"; }", &w, true, &e))) {
		pid = programs_at(spec_run_programs(s.run), 0)->pid;
		CHECK(!runs_begin(s.runs, &e));
		CHECK_STR(e.what, "it is refused");
	}
	close_scene(&s);
	CHECK(kill(pid, 0) != 0);
	CHECK_INT(w.starts + w.ends, 0);
	w = (struct stub_run){0};
	if (CHECK(open_scene_with(&s, "program a { run \"/nowhere/hecate\"; }", &w, false, &e))) {
		CHECK(!runs_begin(s.runs, &e));
		CHECK(strstr(e.what, "/nowhere/hecate"));
	}
	close_scene(&s);
	CHECK_INT(w.ends, 1);
	w = (struct stub_run){0};
	if (CHECK(open_scene_with(&s, "program a { run \"sleep\" \"1000\"; } granularity 1 ms;", &w, false, &e)) &&
		CHECK(runs_begin(s.runs, &e)))
		CHECK(run_on(&s, 2, &e)); /* freed while it runs */
	pid = w.pid[0];
	close_scene(&s);
	CHECK_INT(w.ends, 1);
	CHECK(kill(pid, 0) != 0);
}

/* Without another run, a specification that wants snapshots closed at switches reports that they are not. */
static void
snapshots_are_not_closed_at_switches(void)
{
	struct scene s;
	struct err e = {0};
	struct str text = {0};

	if (CHECK(open_scene(&s, "program a { run \"true\"; } granularity 3 ms and switches;", &e)) &&
		CHECK(lone_run_start(spec_as_run(s.run), &e)) && CHECK(run_on(&s, 0, &e))) {
		spec_run_ops.explain(spec_as_run(s.run), &text);
		CHECK(strstr(str_text(&text), "not closed at switches"));
		str_clear(&text);
		spec_run_report_programs(s.run, &text);
		CHECK(strstr(str_text(&text), "profile whole\n") &&
			strstr(str_text(&text), "  a: started at 0 s, ran "));
	}
	str_free(&text);
	close_scene(&s);
}

TEST_MAIN(CASE(another_run_joins), CASE(another_run_has_trouble), CASE(snapshots_are_not_closed_at_switches),
	CASE(the_whole_is_the_sum), CASE(expensive_samples_become_rare), CASE(it_is_ended), CASE(what_cannot_begin),
	CASE(trouble_on_the_way))
