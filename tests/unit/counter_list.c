/* The list of counters that networks and stacks ask for (work/run): what is opened, which columns it fills, and what
 * is reported of the rest. A scripted source stands in for perf. */
#include "work/run/counter_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "fake_source.h"
#include "lone_run.h"
#include "parsed.h"
#include "test.h"
#include "work/run/counters_run.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"
#include "work/timeline/stack_count.h"

static char thing[] = "thing";
static char *const command[] = {thing, NULL};

static struct network *
small_network(void)
{
	static const char text[] = "network n; kind r; counter one = \"ev.one\" per task unit requests; counter two = "
				   "\"ev.two1\" + \"ev.two2\" per core unit requests;\n"
				   "counter imc = \"uncore_imc/event=4/\" per channel unit requests; counter gone = "
				   "unresolved per core unit requests \"no code\";\n"
				   "counter all = \"ev.all\" per system unit requests;\n"
				   "stage a { module m { r { hit = one + two; miss = imc; } } }\nstage b { module d { "
				   "r { hit = all; miss = 0 requests; stall = 0 cycles; } clock = 1 cycles; } }\n"
				   "link m -> d { r = imc; }";

	return parsed_network("n.net", text);
}

#define STACK_TEXT(events) \
	"stack s per task; counter c = " events " per task unit cycles; counter x = \"ev.x\" per task unit cycles;\n" \
	"counter run = source \"stall:run\" per task unit cycles; counter gone = unresolved per task unit cycles " \
	"\"no code\";\n" \
	"whole w = c; part p = x; part q = run; part g = gone;"

static struct counters_run *
begin(struct counter_list *c, const struct fake_script *s, struct counters_run_options o)
{
	struct err e = {0};
	struct counters_run *l;

	o.ops = &source_fake;
	if (!o.target)
		o.argv = command;
	fake_play(s);
	l = counters_run_new(c, &o);
	test_check(lone_run_start(counters_as_run(l), &e), __FILE__, __LINE__, "refused: %s", e.what);
	return l;
}

static bool
play(struct counters_run *l, struct err *e)
{
	for (long i = 0; i < 100000000; i++)
		if (lone_run_poll(counters_as_run(l), e))
			return true;
	return test_check(false, __FILE__, __LINE__, "the run never ended");
}

static void
check_columns(struct counters_run *l, const char *want)
{
	const struct obs_table *t = run_table(counters_as_run(l));
	struct str got = {0};

	for (size_t i = 0; i < t->n_columns; i++)
		str_addf(&got, "%s%s", i ? " " : "", t->column[i]);
	CHECK_STR(str_text(&got), want);
	str_free(&got);
}

static void
check_reported(struct counters_run *l, const char *want)
{
	struct str text = {0};

	counters_run_ops.explain(counters_as_run(l), &text);
	test_check(strstr(str_text(&text), want) != NULL, __FILE__, __LINE__, "\"%s\" is not in: %s", want,
		str_text(&text));
	str_free(&text);
}

/* A command has no owners. Exact totals carry their duration, from which a network computes rates. */
static void
a_network_counts_a_command(void)
{
	static const struct fake_row row = {.count = {5, 3, 2, 7}};
	struct fake_script s = {
		.row = &row, .n_rows = 0, .end = {.exited = true, .seconds = 0.25}, .lacking = {"uncore_imc/event=4/"}};
	struct network *n = small_network();
	struct counters_run *l =
		begin(counter_list_of_network(n, "n.net"), &s, (struct counters_run_options){.interval_ms = 0});
	struct err e = {0};
	struct network_data *r;

	CHECK_INT(fake_seen()->n_counters, 4);
	CHECK(fake_seen()->lose_cpus);
	CHECK_STR(fake_seen()->counter[1], "two=ev.two1+ev.two2");
	check_columns(l, "one two imc all");
	if (play(l, &e)) {
		const struct obs *o = run_table(counters_as_run(l))->obs[0];

		CHECK(o->exact && o->since_start);
		CHECK_NEAR(o->time[0], 0.25, 0);
		CHECK_INT(o->health[2], OBS_UNSUPPORTED);
	}
	check_reported(l, "not counted: imc: no such event");
	check_reported(l, "not open to counting: gone: no event is known");
	CHECK_STR(counters_run_explain_code("not open to counting: gone"), "not-open");
	r = network_data_new(n, run_table(counters_as_run(l)), NULL, false);
	if (CHECK_INT(r->n, 1))
		CHECK_NEAR(r->snapshot[0].seconds, 0.25, 0);
	CHECK_INT(r->n_matched, 4);
	network_data_free(r);
	run_free(counters_as_run(l));
	network_free(n);
}

static void
chosen_counters_alone_are_opened(void)
{
	struct fake_script s = {.n_rows = 0};
	struct network *n = small_network();
	struct counter_list *c = counter_list_of_network(n, "n.net");
	struct err e = {0};
	bool *some = counter_list_pick(c, "all,gone", &e), none[5] = {false, false, false, true};
	struct counters_run *l;

	CHECK(!counter_list_pick(c, "one,alll", &e) && strstr(e.what, "has no counter 'alll'") &&
		strstr(e.hint, "nearest: all"));
	CHECK_STR(e.source, "one,alll");
	CHECK_INT(e.caret, 4);
	CHECK(!counter_list_pick(c, "one,", &e) && strstr(e.what, "has no counter ''") && e.caret == 4);
	l = begin(c, &s, (struct counters_run_options){.counter = some});
	free(some); /* the counter was copied */
	CHECK_INT(fake_seen()->n_counters, 1);
	CHECK_STR(fake_seen()->counter[0], "all=ev.all");
	check_columns(l, "one two imc all");
	run_free(counters_as_run(l));
	l = counters_run_new(counter_list_of_network(n, "n.net"),
		&(struct counters_run_options){.ops = &source_fake, .argv = command, .counter = none});
	CHECK(!lone_run_start(counters_as_run(l), &e));
	CHECK_STR(e.what, "nothing of the network n can be opened: none of its counters has an event");
	CHECK(strstr(e.hint, "hecate doctor") && strstr(e.hint, "hecate net n.net --check"));
	run_free(counters_as_run(l));
	network_free(n);
}

static struct source_target
made_machine(const int *cpu, size_t n)
{
	const char *tests = getenv("HECATE_TESTS");
	char *path = str_format("%s/data/sysfs-server", tests ? tests : "tests");

	setenv("HECATE_SYSFS", path, 1);
	free(path);
	return (struct source_target){SOURCE_CPUS, cpu, n};
}

/* Each owner has a column. A CPU that goes offline takes its own columns with it. The columns of a counter add up to
 * it. */
static void
owners_have_columns(void)
{
	static const struct fake_row row[] = {
		{.count = {1, 10, 20, 30, 40, 3, 4, 5, 6, 9}}, {.count = {1, 10, 20, 30, 40, 3, 4, 5, 6, 9},
			.blind = {[3] = true, [4] = true}},
	};
	struct fake_script s = {.row = row, .n_rows = 2, .end = {.seconds = 0.2, .lost_cpus = "2, 3"}};
	struct source_target t = made_machine(NULL, 0);
	struct network *n = small_network();
	struct counters_run *l = begin(counter_list_of_network(n, "n.net"), &s,
		(struct counters_run_options){.interval_ms = 100, .target = &t, .samples = 2});
	struct err e = {0};
	struct network_data *r;

	check_columns(l,
		"one two@S0-C0 two@S0-C4 two@S1-C0 two@S1-C4 imc@S0-channel0 imc@S0-channel1 imc@S1-channel0 "
		"imc@S1-channel1 all");
	CHECK_STR(fake_seen()->counter[0], "one=ev.one");
	CHECK_STR(fake_seen()->counter[1], "two=ev.two1+ev.two2@0,4");
	CHECK_STR(fake_seen()->counter[7], "imc=uncore_imc_0/event=4/@2");
	CHECK_STR(fake_seen()->counter[9], "all=ev.all");
	CHECK(play(l, &e));
	check_reported(l, "went offline: CPU 2, 3: ");
	CHECK_STR(counters_run_explain_code("went offline: CPU"), "offline");
	r = network_data_new(n, run_table(counters_as_run(l)), NULL, true);
	if (CHECK_INT(r->n, 2)) {
		struct net_state *state = net_state_new(n, &r->owners->shape);

		CHECK_NEAR(r->snapshot[0].seconds, 0.1, 1e-9); /* its length is its time */
		CHECK_NEAR(r->snapshot[1].seconds, 0.1, 1e-9);
		network_data_take(r, 0, state);
		CHECK_NEAR(r->counter[1].value, 100, 0);
		CHECK_NEAR(r->counter[2].value, 18, 0);
		network_data_take(r, 1, state);
		CHECK_INT(r->counter[1].unknown, 2); /* columns of the owners that went offline */
		CHECK_NEAR(r->counter[2].value, 18, 0);
		net_state_free(state);
	}
	CHECK_INT(r->n_extra, 0);
	network_data_free(r);
	run_free(counters_as_run(l));
	network_free(n);
	unsetenv("HECATE_SYSFS");
}

/* A refusal names a counter once, and how many of its columns it is about. */
static void
refusals_of_owners_are_reported_together(void)
{
	struct fake_script s = {.n_rows = 0, .lacking = {"uncore_imc_1/event=4/", "ev.two2"}};
	struct source_target t = made_machine(NULL, 0);
	struct network *n = small_network();
	struct counters_run *l = begin(counter_list_of_network(n, "n.net"), &s,
		(struct counters_run_options){.interval_ms = 100, .target = &t, .samples = 2});

	/* a counter that cannot be opened has one column */
	check_columns(l, "one two imc@S0-channel0 imc@S0-channel1 imc@S1-channel0 imc@S1-channel1 all");
	check_reported(l, "not counted: two imc (2 of 4): no such event\n");
	run_free(counters_as_run(l));
	network_free(n);
	unsetenv("HECATE_SYSFS");
}

/* The whole machine is counted while a command runs. The observation has the command's name, and owners. Its totals
 * are torn and therefore not exact, but their duration is known. */
static void
the_machine_while_a_command_runs(void)
{
	struct fake_script s = {.n_rows = 0, .end = {.exited = true, .seconds = 0.5, .tasks = 3}};
	struct source_target t = made_machine(NULL, 0);
	struct network *n = small_network();
	struct counters_run *l = counters_run_new(counter_list_of_network(n, "n.net"),
		&(struct counters_run_options){.ops = &source_fake, .argv = command, .target = &t});
	struct err e = {0};
	struct network_data *r;

	fake_play(&s);
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	check_columns(l,
		"one two@S0-C0 two@S0-C4 two@S1-C0 two@S1-C4 imc@S0-channel0 imc@S0-channel1 imc@S1-channel0 "
		"imc@S1-channel1 all");
	r = network_data_new(n, run_table(counters_as_run(l)), NULL, false);
	if (CHECK_INT(r->n, 1)) {
		const struct obs *o = run_table(counters_as_run(l))->obs[0];

		CHECK_STR(o->name, "thing");
		CHECK_STR(o->source, "thing with -a");
		CHECK(!o->exact);
		CHECK_NEAR(o->tasks, 3, 0);
		CHECK_NEAR(r->snapshot[0].seconds, 0.5, 0);
	}
	network_data_free(r);
	run_free(counters_as_run(l));
	network_free(n);
	unsetenv("HECATE_SYSFS");
}

/* A source that cannot count by CPU would give each owner the count of all CPUs. */
static void
an_event_of_all_cpus_has_one_column(void)
{
	struct fake_script s = {.n_rows = 0, .whole = "ev.two1"};
	struct source_target t = made_machine(NULL, 0);
	struct network *n = small_network();
	struct counters_run *l = begin(counter_list_of_network(n, "n.net"), &s,
		(struct counters_run_options){.interval_ms = 100, .target = &t, .samples = 2});

	check_columns(l, "one two imc@S0-channel0 imc@S0-channel1 imc@S1-channel0 imc@S1-channel1 all");
	CHECK_STR(fake_seen()->counter[1], "two=ev.two1+ev.two2");
	run_free(counters_as_run(l));
	network_free(n);
	unsetenv("HECATE_SYSFS");
}

/* Another target has other owners: the table gets their columns, and keeps what it has. */
static void
another_target_widens_the_table(void)
{
	static const struct fake_row row = {.count = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
	static const int two[] = {0, 4};
	struct fake_script s = {.row = &row, .n_rows = 1, .repeat = 3};
	struct network *n = small_network();
	struct counters_run *l =
		begin(counter_list_of_network(n, "n.net"), &s, (struct counters_run_options){.interval_ms = 100});
	struct source_target t = made_machine(two, 2);
	struct counters_run_options next = {.ops = &source_fake, .interval_ms = 100, .target = &t};
	struct err e = {0};

	CHECK(play(l, &e));
	check_columns(l, "one two imc all");
	counters_run_set_command(l, &next);
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	check_columns(l, "one two imc all two@S0-C0 imc@S0-channel0 imc@S0-channel1 imc@S1-channel0 imc@S1-channel1");
	if (CHECK_INT(run_table(counters_as_run(l))->n, 2)) {
		const struct obs *a = run_table(counters_as_run(l))->obs[0], *b = run_table(counters_as_run(l))->obs[1];

		CHECK_STR(a->name, "thing");
		CHECK_INT(a->n_columns, 9);
		CHECK_INT(a->count[3], 4);
		CHECK(a->since_start && a->counted[1] && !a->counted[4]);
		CHECK_INT(a->health[4], OBS_ABSENT);
		CHECK_STR(b->name, "cpu0,4");
		CHECK(!b->counted[1] && b->counted[4]);
		CHECK_INT(b->count[4], 2); /* the second counter that is opened */
		CHECK_INT(b->count[3], 7);
		CHECK_INT(b->n_rows, a->n_rows);
	}
	fake_play(&s);
	counters_run_set_command(
		l, &(struct counters_run_options){.ops = &source_fake, .argv = command, .interval_ms = 100});
	CHECK(lone_run_start(counters_as_run(l), &e) && play(l, &e));
	CHECK_INT(run_table(counters_as_run(l))->n_columns, 9);
	CHECK_INT(run_table(counters_as_run(l))->n, 3);
	run_free(counters_as_run(l));
	network_free(n);
	unsetenv("HECATE_SYSFS");
}

static void
the_first_choice_that_opens_is_counted(void)
{
	static const struct { const char *lacking[4], *want; unsigned opened; } row[] = {
		{{"nothing"}, "c=ev.a+ev.b", 2}, {{"ev.b"}, "c=ev.c", 2}, {{"ev.a", "ev.c"}, "c=ev.d", 2},
		{{"ev.a", "ev.c", "ev.d"}, "c=ev.a+ev.b", 2}, /* none can be opened: the first refusal is reported */
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct fake_script s = {.n_rows = 0};
		struct stack *k = parsed_stack("s.stack", STACK_TEXT("\"ev.a\" + \"ev.b\" or \"ev.c\" or \"ev.d\""));
		char *file[] = {thing};
		struct counters_run *l;
		struct err e = {0};

		test_label("without %s", row[i].lacking[0]);
		memcpy(s.lacking, row[i].lacking, sizeof s.lacking);
		l = begin(counter_list_of_stacks(&k, file, 1, &e), &s, (struct counters_run_options){.interval_ms = 0});
		CHECK_INT(fake_seen()->opened, row[i].opened);
		CHECK_INT(fake_seen()->closed, i < 3); /* the attempts */
		CHECK_INT(fake_seen()->started, 1);
		CHECK_STR(fake_seen()->counter[0], row[i].want);
		CHECK_STR(fake_seen()->counter[1], "x=ev.x");
		check_columns(l, "c x");
		check_reported(l, "not open to counting: run: it is made of records");
		check_reported(l, "not open to counting: gone: no event is known");
		CHECK(play(l, &e) && lone_run_start(counters_as_run(l), &e));
		CHECK_INT(fake_seen()->opened, row[i].opened + 1); /* the choice is known now */
		run_free(counters_as_run(l));
		stack_free(k);
	}
}

/* The same for a network: the machine decides. */
static void
a_network_counts_the_first_choice_that_opens(void)
{
	static const char text[] = "network n; kind r; counter c = \"ev.acc\" or \"ev.local\" per task unit requests; "
				   "stage a { module m { r { hit = c; } } } stage b { module d { r { hit = c; } } } "
				   "link m -> d { r = c; }";
	static const struct { const char *lacking, *want; } row[] = {{"nothing", "c=ev.acc"}, {"ev.acc", "c=ev.local"}};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct fake_script s = {.n_rows = 0, .lacking = {row[i].lacking}};
		struct network *n = parsed_network("n.net", text);
		struct counters_run *l =
			begin(counter_list_of_network(n, "n.net"), &s, (struct counters_run_options){.interval_ms = 0});

		test_label("without %s", row[i].lacking);
		CHECK_STR(fake_seen()->counter[0], row[i].want);
		check_columns(l, "c");
		run_free(counters_as_run(l));
		network_free(n);
	}
}

static void
stacks_share_their_counters(void)
{
	static const char other[] = "stack t per task; counter c = \"ev.a\" per task unit cycles; counter y = \"ev.y\" "
				    "per task unit cycles; whole w = c; part p = y;";
	struct stack *s[] = {
		parsed_stack("s.stack", STACK_TEXT("\"ev.a\"")),
		parsed_stack("s.stack", other), parsed_stack("s.stack", STACK_TEXT("\"ev.b\""))
	};
	char *file[] = {thing, thing, thing};
	struct fake_script script = {.n_rows = 0};
	struct err e = {0};
	struct counters_run *l =
		begin(counter_list_of_stacks(s, file, 2, &e), &script, (struct counters_run_options){.interval_ms = 0});

	check_columns(l, "c x y");
	CHECK(!counter_list_of_stacks(s, file, 3, &e));
	CHECK_STR(e.what, "the stack s counts other events by the name c than one before it does");
	run_free(counters_as_run(l));
	for (size_t i = 0; i < 3; i++)
		stack_free(s[i]);
}

/* Columns of owners add up to a bar of all cores. */
static void
a_bar_of_all_owners(void)
{
	static const char *const column[] = {"c@S0-C0", "c@S0-C1", "cc", "x"};
	static const int64_t count[] = {5, 7, 100, 3};
	struct stack *s = parsed_stack("s.stack",
		"stack s per core; counter c = \"ev.a\" per core unit cycles; counter x = \"ev.x\" per core unit "
		"cycles; whole w = c; part p = x;");
	struct obs_table *t = obs_table_new(column, 4);
	struct stack_columns *m;
	struct stack_counts *c;

	obs_add_row(obs_table_add(t, "o", ""), count, NULL, NAN);
	m = stack_columns_new(s, t);
	c = stack_counts_new(s, m, t, 0);
	CHECK_NEAR(c->value[0], 12, 0);
	CHECK_NEAR(c->value[1], 3, 0);
	CHECK(columns_is_owners("c@S0", "c") && !columns_is_owners("c@", "c") && !columns_is_owners("c", "c") &&
		!columns_is_owners("cc@S0", "c"));
	stack_counts_free(c);
	stack_columns_free(m);
	obs_table_free(t);
	stack_free(s);
}

/* Snapshots follow a table that grows: one for each row. */
static void
snapshots_follow_a_table(void)
{
	static const char *const column[] = {"one", "two", "imc", "all"};
	static const int64_t count[] = {1, 2, 3, 4};
	struct network *n = small_network();
	struct obs_table *t = obs_table_new(column, 4);
	struct network_data *r = network_data_new(n, t, NULL, true);
	double time = 0;

	for (size_t run = 0; run < 3; run++) {
		struct obs *o = obs_table_add(t, "run", "");

		o->since_start = run != 1;
		network_data_follow(r);
		for (size_t i = 1; i <= 4; i++) {
			time = 0.5 * (double)i;
			obs_add_row(o, count, NULL, time);
			if (i == 2)
				continue;
			network_data_follow(r);
			network_data_follow(r);
			CHECK_INT(r->n, run * 4 + i);
		}
	}
	for (size_t i = 0; i < r->n; i++) {
		CHECK_INT(r->snapshot[i].obs, i / 4);
		CHECK_INT(r->snapshot[i].first_row, i % 4);
		if (i == 4)
			CHECK(isnan(r->snapshot[i].seconds)); /* its length is unknown */
		else
			CHECK_NEAR(r->snapshot[i].seconds, 0.5, 0);
	}
	network_data_free(r);
	obs_table_free(t);
	network_free(n);
}

/* Events that the user adds come last; a name that is taken, or was added before, stays as it is. */
static void
events_are_added(void)
{
	struct counter_list *l = mem_new(sizeof *l);
	char name[] = "walks", event[] = "cpu/event=1/";

	counter_list_add(l, name, event);
	counter_list_add(l, "walks", "cpu/event=2/");
	counter_list_add(l, "loads", "cpu/event=3/");
	name[0] = event[0] = 'x'; /* the texts were copied */
	if (CHECK_INT(l->n, 2)) {
		CHECK_STR(l->counter[0].name, "walks");
		CHECK_STR(l->counter[0].choice[0].event[0].name, "cpu/event=1/");
		CHECK_STR(l->counter[1].choice[0].event[0].name, "cpu/event=3/");
	}
	counter_list_free(l);
}

TEST_MAIN(CASE(events_are_added), CASE(a_network_counts_a_command), CASE(chosen_counters_alone_are_opened),
	CASE(owners_have_columns),
	CASE(refusals_of_owners_are_reported_together), CASE(an_event_of_all_cpus_has_one_column),
	CASE(the_machine_while_a_command_runs),

	CASE(another_target_widens_the_table), CASE(the_first_choice_that_opens_is_counted),
	CASE(a_network_counts_the_first_choice_that_opens),
	CASE(stacks_share_their_counters), CASE(a_bar_of_all_owners), CASE(snapshots_follow_a_table))
