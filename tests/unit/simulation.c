/* Simulated machines by their text (sim:…), suites of them, and live runs. The machine is
 * models/machines/small.machine. */
#include "work/files/simulation.h"

#include <dirent.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "lone_run.h"
#include "parsed.h"
#include "sim/source_sim.h"
#include "test.h"
#include "work/files/data.h"
#include "work/run/counter_list.h"
#include "work/run/counters_run.h"

#define BIT(p) ((sim_plants)1 << SIM_PLANT_##p)

static void
texts(void)
{
	static const struct {
		const char *text, *workload, *again;
		sim_plants plants;
		size_t samples;
		uint64_t seed;
	} row[] = {
		{"sim:small", "linear", "sim:small:none:linear", 0, SIM_SAMPLES, 1},
		{"sim:small:", "linear", "sim:small:none:linear", 0, SIM_SAMPLES, 1},
		{"sim:small:merging,early_psc", "linear", "sim:small:early_psc,merging:linear",
			BIT(MERGING) | BIT(EARLY_PSC), SIM_SAMPLES, 1},
		{"sim:small:+merging:chase", "chase", "sim:small:merging:chase", BIT(MERGING), SIM_SAMPLES, 1},
		{"sim:small::linear,footprint=1M,stride=8", "linear:footprint=1M,stride=8",
			"sim:small:none:linear,footprint=1M,stride=8", 0, SIM_SAMPLES, 1},
		{"sim:small:none:linear:footprint=1M,stride=8", "linear:footprint=1M,stride=8",
			"sim:small:none:linear,footprint=1M,stride=8", 0, SIM_SAMPLES, 1},
		{"sim:small:chase:samples=5,seed=9", "chase", "sim:small:none:chase:samples=5,seed=9", 0, 5, 9},
		{"sim:small:exact", "linear", "sim:small:none:linear:exact", 0, SIM_SAMPLES, 1},
		{"sim:small:endless", "linear", "sim:small:none:linear:endless", 0, 0, 1},
		{"sim:small:linear,turn=1K+random,turn=10", "linear:turn=1K+random:turn=10",
			"sim:small:none:linear,turn=1K+random,turn=10", 0, SIM_SAMPLES, 1},
		{"sim:small:linear:turn=1K+random:turn=10:seed=3", "linear:turn=1K+random:turn=10",
			"sim:small:none:linear,turn=1K+random,turn=10:seed=3", 0, SIM_SAMPLES, 3},
		{"sim:small:linear:accesses=70,warm-up=0", "linear",
			"sim:small:none:linear:accesses=70,warm-up=0", 0, SIM_SAMPLES, 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct simulation s = {0};
		struct err e = {0};
		char *again;

		test_label("%s", row[i].text);
		CHECK(simulation_is(row[i].text));
		if (!CHECK(simulation_parse(row[i].text, &s, &e))) {
			test_check(false, __FILE__, __LINE__, "%s", e.what);
			simulation_free(&s);
			continue;
		}
		again = simulation_text(&s, s.workload, s.seed, false);
		CHECK_STR(s.workload, row[i].workload);
		CHECK_STR(again, row[i].again);
		CHECK_INT(s.plants, row[i].plants);
		CHECK_INT(s.samples, row[i].samples);
		CHECK_INT(s.seed, row[i].seed);
		simulation_free(&s);
		CHECK(simulation_parse(again, &s, &e));
		CHECK_STR(s.workload, row[i].workload);
		CHECK_INT(s.plants, row[i].plants);
		free(again);
		simulation_free(&s);
	}
	CHECK(!simulation_is("simple.csv"));
}

static void
bad_texts(void)
{
	static const struct {
		const char *text, *says, *blamed; /* what the caret is under; "": the end of the text */
	} row[] = {
		{"sim:nothing", "none of the installed machines has that name", "nothing"},
		{"sim:small:mergin", "mergin", "mergin"},
		{"sim:small:merging,:chase", "one name is empty", ":chase"},
		{"sim:small:merging:merging", "is given twice", "merging"},
		{"sim:small:chase:random", "is given twice", "random"},
		{"sim:small:linaer,footprint=1G", "linaer", "linaer"},
		{"sim:small:linear,footprint=1G,speed=3", "no parameter 'speed'", "speed"},
		{"sim:small:linear:footprint=1G:speed=3", "no parameter 'speed'", "speed"},
		{"sim:small:linear,footprint=1G,footprint=1G:seed=2", "footprint is given twice", "footprint="},
		{"sim:small:linear,footprint=1048576G", "footprint cannot be", "1048576G"},
		{"sim:small:linear+chase,node=7", "node cannot be", "7"},
		{"sim:small:linear+chas,node=8:seed=2", "no workload 'chas'", "chas,"},
		{"sim:small:linear,stride=", "stride cannot be ''", ""},
		{"sim:small:linear,stride=8,", "a parameter is empty", ""},
		{"sim:small:samples=0", "samples takes a whole number from 1", "0"},
		{"sim:small:samples=x", "samples takes a whole number from 1", "x"},
		{"sim:small:samples=99999999999999999999", "samples takes a whole number from 1",
			"99999999999999999999"},
		{"sim:small:exact,seed", "seed has no value", "seed"},
		{"sim:small:exact,", "unknown word in how to measure", ""},
		{"sim:small:seed=1,colour=3", "colour=3", "colour"},
		{"sim:small:seed=1,sample=3", "sample=3", "sample="},
		{"sim:small:accesses=0", "accesses takes a whole number from 1", "0"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct simulation s = {0};
		struct err e = {0};

		test_label("%s", row[i].text);
		CHECK(!simulation_parse(row[i].text, &s, &e));
		CHECK(strstr(e.what, row[i].says) != NULL);
		CHECK(*e.hint);
		CHECK_STR(e.source, row[i].text);
		CHECK(str_starts(row[i].text + e.caret, row[i].blamed));
		CHECK(*row[i].blamed || (size_t)e.caret == strlen(row[i].text));
		simulation_free(&s);
	}
}

static void
watched_texts(void)
{
	char *text = simulation_watched("sim:small:chase", NULL);

	CHECK_STR(text, "sim:small:chase:endless");
	free(text);
	text = simulation_watched("sim:small:chase:samples=60", NULL);
	CHECK_STR(text, "sim:small:chase");
	free(text);
	text = simulation_watched("sim:haswell:none:chase", NULL);
	CHECK_STR(text, "sim:haswell:none:chase:endless"); /* haswell has some features planted by default */
	free(text);
	text = simulation_watched("sim:haswell:bypass,merging,early_psc,tlb_pf,pml4e", NULL);
	CHECK_STR(text, "sim:haswell:linear:endless");
	free(text);
	CHECK(!simulation_watched("sim:small:nothing", NULL));
}

/* Every byte of a table, as text. The caller frees. */
static char *
transcript(const struct obs_table *t)
{
	struct str out = {0};

	for (size_t i = 0; i < t->n; i++) {
		const struct obs *o = t->obs[i];

		str_addf(&out, "%s %s %d\n", o->name, o->source, o->exact);
		for (size_t k = 0; k < o->n_rows * o->n_columns; k++)
			str_addf(&out, "%lld %d %a ", (long long)o->count[k], o->counted[k],
				o->running ? o->running[k] : 1);
		for (size_t k = 0; k < o->n_rows; k++)
			str_addf(&out, "%a ", o->time[k]);
		for (size_t k = 0; k < o->n_columns; k++)
			str_addf(&out, "%d", (int)o->health[k]);
		str_addc(&out, '\n');
	}
	return str_take(&out);
}

static char *
simulate_suite(const char *threads, bool exact, const struct simulate *how, struct simulated *got)
{
	struct simulation s = {0};
	struct sim_suite suite = {0};
	struct sim_counters c = {0};
	struct err e = {0};
	char *text = NULL;

	setenv("HECATE_THREADS", threads, 1);
	if (CHECK(simulation_parse("sim:small:merging:linear:samples=12,accesses=3000,warm-up=1000", &s, &e)) &&
		CHECK(simulation_add_workloads(&suite, s.machine, "linear:stride={64,4096},loads={1,0.5}", &e)) &&
		CHECK(simulation_add_workloads(&suite, s.machine, "random:page={4k,2m}", &e))) {
		const struct simulate all = {
			.how = &s, .workload = (const char *const *)suite.workload, .n = suite.n,
			.progress = how ? how->progress : NULL, .stop = how ? how->stop : NULL,
			.ctx = how ? how->ctx : NULL};
		struct simulate them = all;

		s.exact = exact;
		CHECK(sim_counters_parse(s.machine,
			"mem_uops_retired.all_loads,mem_uops_retired.all_stores,dtlb_load_misses.walk_completed,dtlb_"
			"load_misses.walk_completed_4k,"
			"dtlb_load_misses.walk_completed_2m_4m,dtlb_load_misses.walk_completed_1g,cycles",
			&c, &e));
		them.counter = c.counter;
		them.n_counters = c.n;
		if (!CHECK(simulate_all(&them, got, &e)))
			test_check(false, __FILE__, __LINE__, "%s", e.what);
		text = transcript(got->table);
	}
	unsetenv("HECATE_THREADS");
	sim_counters_free(&c);
	sim_suite_free(&suite);
	simulation_free(&s);
	return text;
}

/* Neither the number of threads nor a second run changes a byte. */
static void
the_same_bytes(void)
{
	struct simulated one = {0}, two = {0};
	char *a = simulate_suite("1", false, NULL, &one), *b = simulate_suite("4", false, NULL, &two);

	CHECK(a && strlen(a) > 1000);
	CHECK_STR(b, a);
	CHECK(memcmp(one.truth, two.truth, one.n * SIM_N_COUNTS * sizeof *one.truth) == 0);
	free(a);
	free(b);
	simulated_free(&one);
	simulated_free(&two);
}

/* Without turns, readings equal the truth; and the truth obeys laws that hold on any machine. */
static void
exact_counts_are_the_truth(void)
{
	struct simulated got = {0};

	free(simulate_suite("2", true, NULL, &got));
	for (size_t i = 0; i < got.n; i++) {
		const struct obs *o = got.table->obs[i];
		const uint64_t *truth = &got.truth[i * SIM_N_COUNTS];
		int64_t loads = 0;

		test_label("%s", o->name);
		CHECK(o->exact);
		CHECK_INT(o->n_rows, 12);
		for (size_t row = 0; row < o->n_rows; row++) {
			const int64_t *v = o->count + row * o->n_columns;

			CHECK_INT(v[0] + v[1], 3000);
			CHECK_INT(v[2], v[3] + v[4] + v[5]);
			loads += v[0];
		}
		CHECK_INT(truth[SIM_LOAD_RET], loads);
	}
	simulated_free(&got);
}

/* Stops the first of the workloads before its first sample, and the third one within its samples. */
struct stopper {
	size_t done;
	unsigned asked; /* since `done` changed: first between two workloads, then for each batch of accesses */
};

static void
note_progress(void *ctx, size_t done)
{
	*(struct stopper *)ctx = (struct stopper){.done = done};
}

static bool
stop_some(void *ctx)
{
	struct stopper *s = ctx;

	s->asked++;
	return (s->done == 0 && s->asked == 2) || (s->done == 2 && s->asked == 6);
}

/* What is left of a simulation that was stopped: complete samples, each observation with its own truth. */
static void
stopped(void)
{
	static const char *const name[] = {"linear:stride=64,loads=0.5", "linear:stride=4096,loads=1",
		"linear:stride=4096,loads=0.5", "random:page=4k", "random:page=2m"};
	struct stopper at = {0};
	const struct simulate how = {.progress = note_progress, .stop = stop_some, .ctx = &at};
	struct simulated got = {0};

	free(simulate_suite("1", true, &how, &got));
	CHECK(got.cut);
	CHECK_INT(got.n, 5);
	CHECK_INT(got.table->n, 5);
	for (size_t i = 0; i < got.table->n; i++) {
		const struct obs *o = got.table->obs[i];
		int64_t loads = 0;

		test_label("%s", o->name);
		CHECK_STR(o->name, name[i]);
		CHECK(i == 1 ? o->n_rows > 0 && o->n_rows < 12 : o->n_rows == 12);
		for (size_t row = 0; row < o->n_rows; row++)
			loads += o->count[row * o->n_columns];
		CHECK_INT(got.truth[i * SIM_N_COUNTS + SIM_LOAD_RET], loads);
	}
	simulated_free(&got);
}

/* "sim:…" is data: the same as the observation that it names. */
static void
as_data(void)
{
	struct err e = {0};
	struct obs_table *t = data_read(
				 "sim:small:merging:random,footprint=64M:samples=7,accesses=5000,warm-up=0", false, &e),
			 *again;
	char *one, *two;

	if (!CHECK(t)) {
		test_check(false, __FILE__, __LINE__, "%s", e.what);
		return;
	}
	CHECK_INT(t->n, 1);
	CHECK_INT(t->obs[0]->n_rows, 7);
	CHECK_STR(t->obs[0]->source, "sim:small:merging:random,footprint=64M:samples=7,accesses=5000,warm-up=0");
	again = data_read(t->obs[0]->source, false, &e);
	one = transcript(t);
	two = transcript(again);
	CHECK_STR(two, one);
	free(one);
	free(two);
	obs_table_free(t);
	obs_table_free(again);
	CHECK(!data_read("sim:small:endless", false, &e));
	CHECK(strstr(e.what, "never ends"));
}

static void
lists_of_events(void)
{
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"cycles,nothing", "no event 'nothing'"}, {"cycles,cycles", "is listed twice"}, {"{cycles",
			"a { has no }"}, {"cycles}", "without a group"},
		{"{cycles,{instructions}", "a group inside a group"}, {"cycle", "no event 'cycle'"},
	};
	struct simulation s = {0};
	struct sim_counters c;

	CHECK(simulation_load("small", NULL, &s, NULL));
	if (CHECK(sim_counters_parse(s.machine, "cycles,{instructions,page-faults},machine_clears.count", &c, NULL))) {
		CHECK_INT(c.n, 4);
		CHECK(c.group[0] != c.group[1] && c.group[1] == c.group[2] && c.group[2] != c.group[3]);
		CHECK_STR(c.counter[2].name, "page-faults");
	}
	sim_counters_free(&c);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err e = {0};

		test_label("%s", bad[i].text);
		CHECK(!sim_counters_parse(s.machine, bad[i].text, &c, &e));
		CHECK(strstr(e.what, bad[i].says) != NULL);
		sim_counters_free(&c);
	}
	simulation_free(&s);
}

/* --- live -------------------------------------------------------------------------------------------------------- */

static struct udd_model *
small_model(void)
{
	static const char text[] = "model m; counter loads = \"mem_uops_retired.all_loads\"; counter walks = "
				   "\"dtlb_load_misses.walk_completed\"; counter more = \"uops_issued.any\";"
				   "path p { count loads; choose { case X: count walks; case Y: count more; } }";

	return parsed_model(text);
}

/* Polls until the run ends; after `enough` rows it asks it to end. False (and a failed check) if it never ends. */
static bool
follow(struct counters_run *l, size_t enough, struct err *e)
{
	for (long i = 0; i < 1000000; i++) {
		struct pollfd p = {.fd = run_fd(counters_as_run(l)), .events = POLLIN};

		if (lone_run_poll(counters_as_run(l), e))
			return true;
		if (enough && run_facts(counters_as_run(l)).rows >= enough)
			run_finish(counters_as_run(l));
		poll(&p, 1, 1000);
	}
	return test_check(false, __FILE__, __LINE__, "the run never ended");
}

static char word[200];

static struct counters_run *
begin(struct udd_model *m, const char *text, unsigned interval_ms, struct err *e)
{
	char *argv[] = {word, NULL};
	struct counters_run *l;

	strncpy(word, text, sizeof word - 1);
	l = counters_run_new(counter_list_of_model(m, NULL),
		&(struct counters_run_options){
			.argv = argv, .interval_ms = interval_ms, .out_fd = -1, .err_fd = -1});
	if (lone_run_start(counters_as_run(l), e))
		return l;
	run_free(counters_as_run(l));
	return NULL;
}

static void
rows_come_while_it_runs(void)
{
	struct udd_model *m = small_model();
	struct err e = {0};
	struct counters_run *l = begin(m, "sim:small:merging:linear:samples=9,accesses=1000,warm-up=0", 1, &e);

	if (CHECK(l) && follow(l, 0, &e)) {
		const struct obs *o = run_table(counters_as_run(l))->obs[0];

		CHECK_STR(e.what, "");
		CHECK_INT(o->n_rows, 9);
		for (size_t row = 0; row < o->n_rows; row++)
			CHECK_INT(o->count[row * o->n_columns], 1000);
		CHECK_INT(run_facts(counters_as_run(l)).status[2].health, OBS_UNSUPPORTED);
		CHECK(strstr(run_facts(counters_as_run(l)).status[2].why, "uops_issued.any"));
		CHECK(run_facts(counters_as_run(l)).end.exited && run_facts(counters_as_run(l)).end.code == 0);
	}
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
endless_until_it_is_ended(void)
{
	struct udd_model *m = small_model();
	struct err e = {0};
	struct counters_run *l = begin(m, "sim:small:endless,accesses=100,warm-up=0", 1, &e);

	if (CHECK(l) && follow(l, 25, &e)) {
		CHECK(run_table(counters_as_run(l))->obs[0]->n_rows >= 25);
		CHECK_INT(run_facts(counters_as_run(l)).ending, RUN_END_ASKED);
	}
	run_free(counters_as_run(l));
	l = begin(m, "sim:small:endless,accesses=100,warm-up=0", 1, &e);
	CHECK(l);
	run_free(counters_as_run(l)); /* while it runs */
	l = begin(m, "sim:small:accesses=1000000000000", 1, &e);
	CHECK(l);
	run_finish(counters_as_run(l)); /* in a sample that would take hours */
	CHECK(follow(l, 0, &e));
	run_free(counters_as_run(l));
	udd_free(m);
}

/* Without an interval a command's totals are exact; so are the simulation's. */
static void
totals(void)
{
	struct udd_model *m = small_model();
	struct err e = {0};
	struct counters_run *l = begin(m, "sim:small:linear:samples=3,accesses=2000,warm-up=0", 0, &e);

	if (CHECK(l) && follow(l, 0, &e)) {
		const struct obs *o = run_table(counters_as_run(l))->obs[0];

		CHECK(o->exact);
		CHECK_INT(o->count[0], 6000);
		CHECK_INT(o->counted[2], 0);
	}
	run_free(counters_as_run(l));
	udd_free(m);
}

static void
what_cannot_run(void)
{
	struct udd_model *m = small_model();
	struct err e = {0};

	CHECK(!begin(m, "sim:small:nothing=1", 1, &e));
	CHECK(*e.what);
	CHECK(!source_sim.open(&(struct source_spec){0}, &e));
	CHECK(strstr(e.what, "no machine to simulate"));
	udd_free(m);
}

/* How many threads of this process give others precedence? */
static int
threads_standing_back(void)
{
	DIR *task = opendir("/proc/self/task");
	int n = 0;

	for (struct dirent *d; task && (d = readdir(task));)
		n += d->d_name[0] != '.' && sched_getscheduler(atoi(d->d_name)) == SCHED_BATCH &&
			getpriority(PRIO_PROCESS, (id_t)atoi(d->d_name)) >= PARALLEL_NICE;
	if (task)
		closedir(task);
	return n;
}

/* One row for each request. */
static void
rows_by_hand(void)
{
	int own = getpriority(PRIO_PROCESS, 0);
	static const struct event_item loads = {.name = "mem_uops_retired.all_loads"};
	static const struct source_counter counter = {.name = "loads", .event = &loads, .n_events = 1};
	const struct source_spec spec = {.counter = &counter, .n_counters = 1, .interval_ms = 1000000, .by_hand = true};
	struct simulation s = {0};
	struct sim_run_spec how;
	struct source *src;
	int64_t count;
	unsigned char counted;
	double running;
	struct source_row row = {.count = &count, .counted = &counted, .running = &running};
	struct source_end end;

	CHECK(simulation_parse("sim:small:linear:accesses=500,warm-up=0,endless", &s, NULL));
	how = simulation_spec(&s);
	src = source_sim_open(&spec, &how, 0, NULL);
	CHECK(src && source_sim.start(src, NULL));
	CHECK_INT(source_sim.row(src, &row, NULL), SOURCE_NO_ROW);
	for (int i = 0; i < 3; i++) {
		enum source_news news = SOURCE_NO_ROW;

		source_sim.tick(src);
		for (int k = 0; k < 100 && news == SOURCE_NO_ROW; k++) {
			struct pollfd p = {.fd = source_sim.wait_fd(src), .events = POLLIN};

			poll(&p, 1, 1000);
			news = source_sim.row(src, &row, NULL);
		}
		CHECK_INT(news, SOURCE_ROW);
		CHECK_INT(count, 500);
	}
	CHECK_INT(threads_standing_back(), 1);
	CHECK_INT(getpriority(PRIO_PROCESS, 0), own);
	CHECK(!source_sim.poll(src, &end));
	source_sim.close(src);
	simulation_free(&s);
}

TEST_MAIN(CASE(texts), CASE(bad_texts), CASE(watched_texts), CASE(the_same_bytes), CASE(exact_counts_are_the_truth),
	CASE(stopped), CASE(as_data), CASE(lists_of_events), CASE(rows_come_while_it_runs),
	CASE(endless_until_it_is_ended), CASE(totals), CASE(what_cannot_run), CASE(rows_by_hand))
