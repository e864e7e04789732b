/* Flows of single snapshots, and the network with the requests of one flow: what is the flow's own, what only bounds
 * it, and what is unknown. */
#include "work/timeline/timeline_flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/network/flow.h"
#include "core/network/network.h"
#include "core/network/path_map.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "parsed.h"
#include "test.h"
#include "work/timeline/flow_sum.h"
#include "work/timeline/timeline.h"

/* The disk serves reads by tasks, and other requests: writes beyond those of tasks. Swap-ins are at most those of the
 * machine. */
static const char text[] =
	"network near \"near and far\"; kind rd \"reads\"; kind back \"writeback\" background;"
	"counter minor = \"minor-faults\" per core unit requests; counter major = \"major-faults\" per core unit "
	"requests; counter clock = \"task-clock\" per core unit ns;"
	"counter writes = \"disk:*/writes\" per system unit requests; counter busy = \"disk:*/busy_ns\" per system "
	"unit requests*ns; counter pages = \"vmstat:pswpin\" per system unit requests;"
	"const one = 1 requests;"
	"stage a { module core \"core\" per core { rd { miss = minor + major; } } }"
	"stage b { module memory \"memory\" { rd { hit = minor; } } module swap \"swap\" { rd { hit \"swapped\" = "
	"min(major, pages); } }"
	" module disk \"a disk\" { rd { hit = major; } back { hit = max(writes - major, 0 requests); delay = busy / "
	"max(writes, one); } } }"
	"link core -> memory { rd = minor; } link core -> swap; link core -> disk { rd = major; }";

enum { MINOR, MAJOR, CLOCK, WRITES, BUSY, PAGES, OWN };

/* A table of a run of three seconds with its flows; without `flows`, of the run alone. With cores, CPU 4 is thread 4 of
 * core 1. */
struct made {
	struct obs_table *t;
	bool cores;
	size_t n_own;
};

static const char *const flow_columns[] = {
	FLOW_COLUMN_SNAPSHOTS, FLOW_COLUMN_RAN, FLOW_COLUMN_COUNT "minor", FLOW_COLUMN_COUNT "major",
	FLOW_COLUMN_LOST "minor", FLOW_COLUMN_LOST "major"
};
enum { FLOW_COLUMNS = 6 };

static void
begin_table(struct made *m, bool cores)
{
	static const char *const whole[] = {"minor", "major", "clock", "writes", "busy", "pages"};
	static const char *const apart[] = {
		"minor@S0-C0-T0", "minor@S0-C1-T4", "major@S0-C0-T0", "major@S0-C1-T4", "clock@S0-C0-T0",
		"clock@S0-C1-T4", "writes", "busy", "pages"
	};
	const char *name[16];

	m->cores = cores;
	m->n_own = cores ? 9 : 6;
	memcpy(name, cores ? apart : whole, m->n_own * sizeof *name);
	memcpy(name + m->n_own, flow_columns, sizeof flow_columns);
	m->t = obs_table_new(name, m->n_own + FLOW_COLUMNS);
}

static struct obs *
add_run(struct made *m, const char *name, unsigned rows)
{
	struct obs *o = obs_table_add(m->t, name, "sh");
	int64_t whole[16] = {1000, 20, 900, 50, 5000, 7}, apart[16] = {600, 400, 15, 5, 500, 400, 50, 5000, 7};
	unsigned char counted[16] = {0};

	memset(counted, 1, m->n_own);
	o->since_start = true;
	for (unsigned i = 1; i <= rows; i++)
		obs_add_row(o, m->cores ? apart : whole, counted, i);
	return o;
}

static void
add_flow(struct made *m, const char *name, const char *run, double time, int64_t ran, int64_t minor, int64_t major,
	int64_t lost)
{
	int64_t row[16] = {0};
	unsigned char counted[16] = {0};
	struct obs *o = NULL;

	for (size_t i = 0; i < m->t->n; i++)
		if (str_eq(m->t->obs[i]->name, name))
			o = m->t->obs[i];
	memset(counted + m->n_own, 1, FLOW_COLUMNS);
	memcpy(row + m->n_own, (int64_t[]){1, ran, minor, major, 0, lost}, FLOW_COLUMNS * sizeof *row);
	obs_add_row(o ? o : obs_table_add(m->t, name, run), row, counted, time);
}

static struct timeline *
profile_of(const struct obs_table *t)
{
	struct timeline *p = timeline_new(parsed_network("near.net", text), NULL);

	timeline_take(p, &t, 1);
	return p;
}

/* Two tasks on CPU 4, one on CPU 0. */
static void
add_usual(struct made *m)
{
	add_flow(m, "gcc-7 CPU 4", "run", 1, 300, 0, 0, 0);
	add_flow(m, "gcc-7 CPU 4 → memory", "run", 1, 0, 30, 0, 0);
	add_flow(m, "gcc-7 CPU 4 → disk", "run", 1, 0, 0, 10, 0);
	add_flow(m, "sh-3 CPU 0", "run", 1, 500, 0, 0, 0);
	add_flow(m, "sh-3 CPU 0 → memory", "run", 1, 0, 8, 0, 1);
	add_flow(m, "gcc-7 CPU 4", "run", 2, 10, 0, 0, 0);
	add_flow(m, "(nobody)", "run", 2, 5, 0, 0, 0);
	add_flow(m, "cc1-7 CPU 4 → disk", "run", 3, 0, 0, 2, 0); /* after execve(2) the name is not gcc any more */
}

static size_t
line_of(const struct timeline_flows *f, const char *name)
{
	struct flow_name n;
	size_t line;

	if (!CHECK(flow_name_parse(name, &n)))
		return SIZE_MAX;
	line = timeline_flows_find(f, &n);
	flow_name_free(&n);
	return line;
}

static void
lists(void)
{
	struct made m;
	struct timeline *p;
	struct timeline_flows *f;

	begin_table(&m, false);
	add_run(&m, "run", 3);
	add_usual(&m);
	add_run(&m, "bare", 1);
	p = profile_of(m.t);
	CHECK_INT(timeline_snapshots(p), 4);
	f = timeline_flows_new(p, 0, NULL, NULL, 0);
	CHECK_INT(f->n, 5); /* the longest running task first, the destination with most requests first */
	CHECK_INT(line_of(f, "sh-3 CPU 0"), 0);
	CHECK_INT(line_of(f, "sh-3 CPU 0 → memory"), 1);
	CHECK_INT(line_of(f, "gcc-7 CPU 4"), 2);
	CHECK_INT(line_of(f, "gcc-7 CPU 4 → memory"), 3);
	CHECK_INT(line_of(f, "gcc-7 CPU 4 → disk"), 4);
	CHECK(line_of(f, "gcc-7 CPU 3") == SIZE_MAX && line_of(f, "gcc-7/2 CPU 4") == SIZE_MAX &&
		line_of(f, "gcc-8 CPU 4") == SIZE_MAX);
	CHECK_STR(f->line[4].destination, "a disk");
	CHECK_STR(f->line[4].name.task, "gcc-7");
	CHECK_NEAR(f->line[4].share, 0.25, 1e-12);
	CHECK(f->line[4].known && f->line[4].requests == 10 && !f->line[1].known && isnan(f->line[1].share) &&
		isnan(f->line[0].share));
	CHECK(f->line[2].ran_ns == 300 && f->line[4].ran_ns == 300);
	timeline_flows_free(f);
	f = timeline_flows_new(p, 1, NULL, NULL, 0);
	CHECK_INT(f->n, 1);
	CHECK_INT(flows_at(timeline_flows_all(f), FLOW_UNFOLLOWED)->snapshots, 1);
	timeline_flows_free(f);
	f = timeline_flows_new(p, 2, NULL, NULL, 0);
	CHECK_INT(f->n, 1);
	CHECK_INT(line_of(f, "gcc-7 CPU 4 → disk"), 0); /* the same task under another name */
	timeline_flows_free(f);
	CHECK(timeline_flows_new(p, 3, NULL, NULL, 0) == NULL);
	CHECK(timeline_flows_new(p, 4, NULL, NULL, 0) == NULL);
	timeline_free(p);
	obs_table_free(m.t);
}

/* During a run flows are in tables of their own; later there are several. */
static void
lists_during_a_run(void)
{
	struct made run, one, two;
	struct timeline *p;
	struct timeline_flows *f;
	const struct obs_table *flows_of_run[2];

	begin_table(&run, false);
	begin_table(&one, false);
	begin_table(&two, false);
	add_run(&run, "run", 1);
	add_run(&run, "run#2", 1);
	add_flow(&one, "gcc-7 CPU 4 → memory", "run", 1, 0, 30, 0, 0);
	add_flow(&one, "gcc-9 CPU 4 → memory", "run#2", 1, 0, 3, 0, 0);
	add_flow(&two, "gcc-7 CPU 4 → memory", "run", 1, 0, 12, 0, 0);
	flows_of_run[0] = one.t;
	flows_of_run[1] = two.t;
	p = profile_of(run.t);
	f = timeline_flows_new(p, 0, run.t, flows_of_run, 2);
	CHECK(f && f->n == 1 && f->line[0].requests == 42);
	timeline_flows_free(f);
	f = timeline_flows_new(p, 1, run.t, flows_of_run, 2);
	CHECK(f && f->n == 1 && f->line[0].requests == 3);
	timeline_flows_free(f);
	CHECK(timeline_flows_new(p, 0, one.t, flows_of_run, 2) == NULL); /* the tables belong to another run */
	timeline_free(p);
	obs_table_free(run.t);
	obs_table_free(one.t);
	obs_table_free(two.t);
}

static size_t
module_of(const struct network *n, const char *name)
{
	size_t i = 0;

	while (i < n->n_modules && !str_eq(n->module[i].name, name))
		i++;
	CHECK(i < n->n_modules);
	return i;
}

static double
hits(const struct timeline *p, const struct timeline_analysis *l, const char *module, size_t owner, size_t kind)
{
	return net_state_cell(l->state, module_of(timeline_network(p), module), owner, kind).hits;
}

static void
alone(void)
{
	struct made m;
	struct timeline *p;
	struct timeline_flows *f;
	struct timeline_analysis *l;
	const struct network *n;

	begin_table(&m, false);
	add_run(&m, "run", 3);
	add_usual(&m);
	p = profile_of(m.t);
	n = timeline_network(p);
	f = timeline_flows_new(p, 0, NULL, NULL, 0);
	l = timeline_flow_analysis(p, f, line_of(f, "gcc-7 CPU 4"), 0, NULL); /* all of its requests */
	CHECK_NEAR(hits(p, l, "memory", 0, 0), 30, 0);
	CHECK_NEAR(hits(p, l, "disk", 0, 0), 10, 0);
	CHECK_NEAR(hits(p, l, "swap", 0, 0), 7, 0);                      /* bounded by the machine's swap-ins */
	CHECK(isnan(hits(p, l, "disk", 0, 1)));                          /* writes are not the flow's */
	CHECK_NEAR(net_state_cell(l->state, module_of(n, "disk"), 0, 1).field[NET_DELAY], 100, 0); /* of all requests */
	CHECK_NEAR(net_state_cell(l->state, module_of(n, "core"), 0, 0).misses, 40, 0);
	CHECK_NEAR(net_state_load(l->state, 0, 0, 0), 30, 0);
	CHECK_NEAR(l->counter[MINOR].value, 30, 0);
	CHECK(!l->counter[MINOR].why && l->counter[CLOCK].why && l->counter[WRITES].why);
	CHECK_NEAR(l->count[l->first[WRITES]], 50, 0);
	CHECK(isnan(l->count[l->first[CLOCK]])); /* no flow counts it */
	CHECK_NEAR(net_path_map_sum(l->map, 0, l->map->n_rows, 0).hits, 47, 0);
	l = timeline_flow_analysis(p, f, line_of(f, "gcc-7 CPU 4 → memory"), 0, l);
	CHECK_NEAR(hits(p, l, "memory", 0, 0), 30, 0);
	CHECK_NEAR(hits(p, l, "disk", 0, 0), 0, 0);
	l = timeline_flow_analysis(p, f, line_of(f, "sh-3 CPU 0"), 0, l);
	CHECK_NEAR(hits(p, l, "memory", 0, 0), 8, 0);
	CHECK(isnan(hits(p, l, "disk", 0, 0)) && l->counter[MAJOR].why); /* some records were lost */
	l = timeline_flow_analysis(p, f, SIZE_MAX, 0, l);
	CHECK_NEAR(hits(p, l, "memory", 0, 0), 0, 0);
	CHECK_NEAR(hits(p, l, "swap", 0, 0), 0, 0);
	CHECK(isnan(hits(p, l, "disk", 0, 1)));
	timeline_flows_free(f);
	/* no such snapshot; it frees the old analysis */
	CHECK(timeline_flow_analysis(p, NULL, SIZE_MAX, 9, l) == NULL);
	timeline_free(p);
	obs_table_free(m.t);
}

/* If columns separate cores, only the flow's own core has its requests. */
static void
alone_on_its_core(void)
{
	struct made m;
	struct timeline *p;
	struct timeline_flows *f;
	struct timeline_analysis *l;

	begin_table(&m, true);
	add_run(&m, "run", 1);
	add_flow(&m, "gcc-7 CPU 4 → disk", "run", 1, 0, 0, 10, 0);
	add_flow(&m, "gcc-7 CPU 2 → disk", "run", 1, 0, 0, 6, 0);
	p = profile_of(m.t);
	f = timeline_flows_new(p, 0, NULL, NULL, 0);
	l = timeline_flow_analysis(p, f, line_of(f, "gcc-7 CPU 4 → disk"), 0, NULL);
	CHECK_INT(net_state_shape(l->state)->n[SCOPE_CORE], 2);
	CHECK_NEAR(net_state_load(l->state, 2, 0, 0), 0, 0);
	CHECK_NEAR(net_state_load(l->state, 2, 1, 0), 10, 0);
	CHECK_NEAR(l->count[l->first[MAJOR]], 0, 0);
	CHECK_NEAR(l->count[l->first[MAJOR] + 1], 10, 0);
	CHECK_NEAR(hits(p, l, "disk", 0, 0), 10, 0);
	l = timeline_flow_analysis(p, f, line_of(f, "gcc-7 CPU 2 → disk"), 0, l); /* a CPU without a column */
	CHECK(isnan(hits(p, l, "disk", 0, 0)));
	CHECK_STR(l->counter[MAJOR].why, "no column counts its CPU");
	timeline_analysis_free(l);
	timeline_flows_free(f);
	timeline_free(p);
	obs_table_free(m.t);
}

/* All flows together have the requests of the tasks: analyses of those without destination add up. */
static void
analyses_add_up(void)
{
	struct made m;
	struct timeline *p;
	struct timeline_flows *f;
	uint64_t random = 5;
	int64_t minor = 0, major = 0;
	double at_memory = 0, at_disk = 0;
	struct timeline_analysis *l = NULL;

	begin_table(&m, false);
	add_run(&m, "run", 1);
	for (int i = 1; i <= 40; i++) {
		char *who = str_format("t-%d CPU %d", i, i % 3), *near = str_format("%s → memory", who),
		     *far = str_format("%s → disk", who);
		int64_t a = (int64_t)(test_random(&random) % 100), b = (int64_t)(test_random(&random) % 9);

		add_flow(&m, who, "run", 1, 1, 0, 0, 0);
		add_flow(&m, near, "run", 1, 0, a, 0, 0);
		add_flow(&m, far, "run", 1, 0, 0, b, 0);
		minor += a;
		major += b;
		free(who);
		free(near);
		free(far);
	}
	p = profile_of(m.t);
	f = timeline_flows_new(p, 0, NULL, NULL, 0);
	CHECK_INT(f->n, 120);
	for (size_t i = 0; i < f->n; i++) {
		if (f->line[i].destination)
			continue;
		l = timeline_flow_analysis(p, f, i, 0, l);
		at_memory += hits(p, l, "memory", 0, 0);
		at_disk += hits(p, l, "disk", 0, 0);
	}
	CHECK_NEAR(at_memory, (double)minor, 0);
	CHECK_NEAR(at_disk, (double)major, 0);
	timeline_analysis_free(l);
	timeline_flows_free(f);
	timeline_free(p);
	obs_table_free(m.t);
}

TEST_MAIN(CASE(lists), CASE(lists_during_a_run), CASE(alone), CASE(alone_on_its_core), CASE(analyses_add_up))
