/* Flows as observations. What is read from a session file equals the flows to the last count, and names are the
 * same. Memory has a bound, and bad files are refused or read in part. */
#include "work/run/flow_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/print/print_net_flows.h"
#include "collect/store/session_file.h"
#include "core/network/flow.h"
#include "core/network/flow_layout.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "parsed.h"
#include "test.h"
#include "work/timeline/flow_name.h"
#include "work/timeline/flow_sum.h"

static const char text[] = "network near \"near and far\"; kind rd \"reads\";"
			   "counter minor = \"minor-faults\" per task unit requests; counter major = \"major-faults\" "
			   "per task unit requests; counter clock = \"task-clock\" per task unit ns;"
			   "stage a { module core \"core\" { rd { miss = minor + major; } } }"
			   "stage b { module memory \"memory\" { rd { hit = minor; } } module \"far → 3\" \"far away\" "
			   "{ rd { hit = major; } } }"
			   "link core -> memory { rd = minor; } link core -> \"far → 3\" { rd = major; }";

enum { CORES = 3, COUNTERS = 3, TASKS = 6 };
static const int cpus[CORES] = {0, 2, 11};
static const char *const cores[CORES] = {"CPU 0", "CPU 2", "CPU 11"};

/* A stream of events: tasks start and end, change their names, and reuse ids of ended tasks. */
struct stream {
	struct network *net;
	struct flow_layout *layout;
	struct flows *flows;
	struct flow_rows *rows;
	uint64_t random, ns[CORES], total[CORES][COUNTERS];
	unsigned renamed;
	char room[32], *name; /* a task's name, in the room */
	const char *destination[4];
	size_t left;
};

static const char *
task_name(const void *ctx, int32_t task)
{
	const struct stream *s = ctx;

	snprintf(s->name, sizeof s->room, "%s-%d", s->renamed & (1u << task) ? "gcc" : "sh", (int)task);
	return s->name;
}

static void
note_leaving(void *ctx, const struct obs_table *t)
{
	struct stream *s = ctx;

	CHECK(t->n > 0);
	s->left++;
}

static void
begin(struct stream *s, size_t most, size_t cells_max, size_t at_once)
{
	*s = (struct stream){.net = parsed_network("near.net", text), .random = 7};
	s->name = s->room;
	s->layout = flow_layout_new(s->net, 64);
	CHECK_INT(s->layout->n_counters, COUNTERS);
	CHECK_INT(s->layout->n_destinations, 2);
	for (size_t d = 0; d < s->layout->n_destinations; d++)
		s->destination[d] = s->net->module[s->layout->destination[d]].text;
	s->flows = flows_new(&(struct flow_spec){
		.n_cores = CORES, .n_destinations = s->layout->n_destinations, .counter = s->layout->counter,
		.n_counters = s->layout->n_counters, .most = most});
	s->rows = flow_rows_new(&(struct flow_rows_spec){.net = s->net,
		.layout = s->layout,
		.flows = s->flows,
		.cpu = cpus,
		.task = task_name,
		.ctx = s,
		.leaves = note_leaving,
		.leaves_ctx = s,
		.cells_max = cells_max,
		.flows_new = at_once});
}

static void
end(struct stream *s)
{
	flow_rows_free(s->rows);
	flows_free(s->flows);
	flow_layout_free(s->layout);
	network_free(s->net);
}

/* Whether the task is alive and has a flow of its own, for only then its name is known. */
static bool
is_kept(const struct flows *f, int32_t task)
{
	for (size_t i = 0; i < flows_n(f); i++)
		if (flows_at(f, i)->number >= FLOW_SPECIALS && flows_at(f, i)->task == task && !flows_at(f, i)->ended)
			return true;
	return false;
}

static void
happen(struct stream *s)
{
	size_t core = test_random(&s->random) % CORES;
	unsigned char counted[COUNTERS] = {1, 1, 1};
	struct flow_event e = {.core = core,
		.task = (int32_t)(test_random(&s->random) % TASKS),
		.count = s->total[core],
		.counted = counted};
	uint64_t what = test_random(&s->random) % 20;

	s->ns[core] += test_random(&s->random) % 1000;
	e.ns = s->ns[core];
	s->total[core][0] += test_random(&s->random) % 3 * 5;
	s->total[core][1] += test_random(&s->random) % 4 ? 0 : 1;
	s->total[core][2] += 100;
	if (what == 0)
		s->total[core][0] = s->total[core][0] / 3; /* the counter goes backwards */
	counted[1] = test_random(&s->random) % 10 != 0;
	e.kind = what < 9    ? FLOW_IN
		: what < 12  ? FLOW_READ
		: what < 14  ? FLOW_MIGRATE
		: what < 16  ? FLOW_EXIT
		: what == 16 ? FLOW_GAP
		: what == 17 ? FLOW_OFFLINE
			     : FLOW_IN;
	if ((e.kind == FLOW_MIGRATE || e.kind == FLOW_EXIT) && !e.task)
		e.task = 1;
	if (what == 18)
		e.count = NULL;
	CHECK(flows_take(s->flows, &e, NULL));
	if (what == 19 && is_kept(s->flows, e.task))
		s->renamed ^= 1u << e.task;
}

static char *
reported(const struct flows *f, const char *(*task)(const void *, int32_t), const void *ctx, const char *const *core,
	const char *const *destination)
{
	const struct flow_names names = {.task = task, .ctx = ctx, .core = core, .destination = destination};
	struct str out = {0};
	struct json_writer w = {.out = &out};

	json_open(&w, NULL, '{');
	print_net_flows_json(f, &names, &w);
	json_close(&w, '}');
	print_net_flows(f, &names, SIZE_MAX, true, &out);
	return str_take(&out);
}

static char *
reported_again(const struct network *n, const struct obs_table *t, double from, double to)
{
	struct flow_sum *sum = flow_sum_new(n, &(struct flow_part){t, 0, t->n}, 1, from, to);
	char *out;

	if (!sum)
		return mem_str("");
	CHECK_INT(flow_sum_foreign(sum), 0);
	out = reported(flow_sum_flows(sum), flow_sum_task, sum, flow_sum_cores(sum), flow_sum_destination_names(sum));
	flow_sum_free(sum);
	return out;
}

struct path {
	char folder[32], file[64];
};

static void
make_path(struct path *p)
{
	snprintf(p->folder, sizeof p->folder, "/tmp/hecate-XXXXXX");
	CHECK(mkdtemp(p->folder) != NULL);
	snprintf(p->file, sizeof p->file, "%s/a.hec", p->folder);
}

static void
remove_path(const struct path *p)
{
	unlink(p->file);
	rmdir(p->folder);
}

/* As a recording writes them: each table has its writer, which is freed with the table. */
struct kept {
	const struct obs_table *table[FLOW_ROWS_TABLES + 1];
	struct session_writer *writer[FLOW_ROWS_TABLES + 1];
	size_t n;
};

static void
write_tables(struct kept *k, struct session_file *f, const struct flow_rows *rows)
{
	size_t n;
	const struct obs_table *const *t = flow_rows_tables(rows, &n);
	struct err e = {0};

	/* Tables that were given up are the first ones. */
	while (k->n && k->table[0] != t[0]) {
		session_writer_free(k->writer[0]);
		for (size_t i = 1; i < k->n; i++) {
			k->table[i - 1] = k->table[i];
			k->writer[i - 1] = k->writer[i];
		}
		k->n--;
	}
	for (; k->n < n; k->n++) {
		k->table[k->n] = t[k->n];
		k->writer[k->n] = session_writer_new(f, NULL);
	}
	for (size_t i = 0; i < n; i++)
		if (!session_writer_write(k->writer[i], t[i], &e))
			test_check(false, __FILE__, __LINE__, "%s", e.what);
}

static void
free_kept(struct kept *k)
{
	while (k->n)
		session_writer_free(k->writer[--k->n]);
}

static struct obs_table *
read_back(const char *path)
{
	struct err e = {0};
	struct session_file *f = session_file_open_to_read(path, &e);
	struct obs_table *t = f ? session_file_read(f, &e) : NULL;

	if (!t)
		test_check(false, __FILE__, __LINE__, "%s", e.what);
	session_file_close(f);
	return t;
}

/* True when no increment is negative, which a reader of the exported table would refuse. */
static bool
all_rise(const struct obs *o)
{
	for (size_t row = 0; row < o->n_rows;) {
		struct obs_rows r = obs_rows(o, row, o->n_rows);

		row += r.n;
		for (size_t i = 0; i < r.n * o->n_columns; i++)
			if (r.counted[i] && r.count[i] < 0)
				return false;
	}
	return true;
}

/* Writes a run of many intervals into a file; then reads the file and compares it with the flows. */
static void
replay(size_t most, size_t cells_max, size_t at_once, unsigned intervals)
{
	struct stream s;
	struct path p;
	struct err e = {0};
	struct kept kept = {0};
	struct session_file *f;
	struct obs_table *t;
	char *live, *again;

	make_path(&p);
	begin(&s, most, cells_max, at_once);
	f = session_file_open(p.file, &e);
	for (unsigned i = 1; i <= intervals; i++) {
		for (uint64_t n = test_random(&s.random) % 30; n > 0; n--)
			happen(&s);
		flow_rows_take(s.rows, "run", i * 0.5, false);
		write_tables(&kept, f, s.rows);
	}
	free_kept(&kept);
	session_file_close(f);
	t = read_back(p.file);
	live = reported(s.flows, task_name, &s, cores, s.destination);
	again = reported_again(s.net, t, -INFINITY, INFINITY);
	CHECK_STR(again, live);
	for (size_t i = 0; t && i < t->n; i++) {
		CHECK(str_eq(t->obs[i]->source, "run") && flow_sum_is(t, i));
		CHECK(all_rise(t->obs[i]));
	}
	free(live);
	free(again);
	obs_table_free(t);
	if (at_once)
		CHECK(s.left > 0);
	end(&s);
	remove_path(&p);
}

static void
replay_is_live(void)
{
	replay(256, 0, 0, test_rounds(60, 600));
}

/* Few flows are kept apart: others are folded all the time, and created again. */
static void
replay_of_folded_flows(void)
{
	replay(FLOW_SPECIALS + 9, 0, 0, test_rounds(60, 600));
}

/* In memory old intervals are folded and old tables freed; in the file nothing is lost. */
static void
replay_of_a_long_run(void)
{
	replay(FLOW_SPECIALS + 9, 4000, 4, test_rounds(300, 3000));
}

/* Without a file: however long the run is, no more is kept than the bound. */
static void
memory_is_bounded(void)
{
	enum { MOST = 24, CELLS = 6000, NEW = 16 };
	struct stream s;
	size_t n, rows = 0, columns = 0, observations = 0;
	const struct obs_table *const *t;

	begin(&s, MOST, CELLS, NEW);
	for (unsigned i = 1; i <= 2000; i++) {
		for (int k = 0; k < 12; k++)
			happen(&s);
		flow_rows_take(s.rows, "run", i, false);
	}
	t = flow_rows_tables(s.rows, &n);
	CHECK(n <= FLOW_ROWS_TABLES);
	for (size_t i = 0; i < n; i++) {
		columns = t[i]->n_columns;
		observations += t[i]->n;
		for (size_t k = 0; k < t[i]->n; k++)
			rows += t[i]->obs[k]->n_rows;
	}
	CHECK(rows * columns <= 2 * CELLS);
	CHECK(observations <= 4 * (2 * MOST + NEW + MOST));
	CHECK(s.left > 10);
	end(&s);
}

/* A run without intervals has one row for each flow. */
static void
exact_totals(void)
{
	struct stream s;
	size_t n;
	const struct obs_table *const *t;
	char *live, *again;

	begin(&s, 256, 0, 0);
	for (int i = 0; i < 200; i++)
		happen(&s);
	flow_rows_take(s.rows, "run", NAN, true);
	t = flow_rows_tables(s.rows, &n);
	CHECK_INT(n, 1);
	for (size_t i = 0; i < t[0]->n; i++)
		CHECK(t[0]->obs[i]->n_rows == 1 && t[0]->obs[i]->exact && !t[0]->obs[i]->time);
	live = reported(s.flows, task_name, &s, cores, s.destination);
	again = reported_again(s.net, t[0], -INFINITY, INFINITY);
	CHECK_STR(again, live);
	free(live);
	free(again);
	end(&s);
}

/* The sum of a counter over all flows. */
static uint64_t
sum_of(const struct flows *f, size_t counter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < flows_n(f); i++)
		sum += flows_at(f, i)->count[counter];
	return sum;
}

static void
parts_of_time_add_up(void)
{
	struct stream s;
	size_t n;
	const struct obs_table *const *t;
	uint64_t whole, parts = 0;

	begin(&s, 256, 0, 0);
	for (unsigned i = 1; i <= 20; i++) {
		for (int k = 0; k < 15; k++)
			happen(&s);
		flow_rows_take(s.rows, "run", i, false);
	}
	t = flow_rows_tables(s.rows, &n);
	whole = sum_of(s.flows, 0);
	for (unsigned i = 0; i < 20; i += 5) {
		struct flow_sum *part = flow_sum_new(s.net, &(struct flow_part){t[0], 0, t[0]->n}, 1, i, i + 5);

		parts += sum_of(flow_sum_flows(part), 0);
		flow_sum_free(part);
	}
	CHECK_INT(parts, whole);
	end(&s);
}

static void
names(void)
{
	static const struct { struct flow_name name; const char *text; } good[] = {
		{{FLOW_SPECIALS, (char *)(uintptr_t)"gcc-4711", 4711, 0, 3, NULL}, "gcc-4711 CPU 3"},
		{{FLOW_SPECIALS, (char *)(uintptr_t)"gcc-4711", 4711, 0, 3, (char *)(uintptr_t)"cxl0"},
			"gcc-4711 CPU 3 → cxl0"},
		{{FLOW_SPECIALS, (char *)(uintptr_t)"gcc-4711", 4711, 57, 0, (char *)(uintptr_t)"a.b$_-"},
			"gcc-4711/57 CPU 0 → a.b$_-"},
		{{FLOW_SPECIALS, (char *)(uintptr_t)"x CPU 1 → y-2", 2, 0, 128, NULL}, "x CPU 1 → y-2 CPU 128"},
		{{FLOW_SPECIALS, (char *)(uintptr_t)"kworker/1:0-7", 7, 0, 1, (char *)(uintptr_t)"3 CPU 5"},
			"kworker/1:0-7 CPU 1 → %33%20CPU%205"},
		{{FLOW_SPECIALS, (char *)(uintptr_t)"a-1/2-3", 3, 4, 1, (char *)(uintptr_t)"#1 µ%"},
			"a-1/2-3/4 CPU 1 → %231%20%C2%B5%25"},
		{{FLOW_SPECIALS, (char *)(uintptr_t)"-2147483647", 2147483647, 0, 0, NULL}, "-2147483647 CPU 0"},
		{{FLOW_UNFOLLOWED, NULL, 0, 0, 0, NULL}, "(nobody)"},
		{{FLOW_MIXED, NULL, 0, 0, 0, NULL}, "(several)"},
		{{FLOW_OTHERS, NULL, 0, 0, 0, NULL}, "(others)"},
	};
	static const char *const bad[] = {
		"",
		"gcc",
		"gcc-1",
		"CPU 3",
		" CPU 3",
		"gcc CPU 3",
		"gcc-0 CPU 3",
		"gcc-1 CPU",
		"gcc-1 CPU x",
		"gcc-1 CPU 03",
		"gcc-1/0 CPU 3",
		"gcc-1/ CPU 3",
		"gcc-4294967296 CPU 3",
		"gcc-1 CPU 3 → ",
		"gcc-1 CPU 3 → a b",
		"gcc-1 CPU 3 → %4",
		"gcc-1 CPU 3 → %41",
		"gcc-1 CPU 3 → %00",
		"gcc-1 → m",
		"(none)",
		"(others) ",
		"gcc-1 CPU 99999999999",
		"#2",
	};
	struct flow_name n;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		char *made = flow_name_text(&good[i].name), *copy = str_format("%s#2#17", made);

		test_label("%s", good[i].text);
		CHECK_STR(made, good[i].text);
		for (int k = 0; k < 2; k++) {
			if (!CHECK(flow_name_parse(k ? copy : made, &n)))
				continue;
			CHECK_INT(n.special, good[i].name.special);
			CHECK(str_eq(n.task ? n.task : "", good[i].name.task ? good[i].name.task : ""));
			CHECK(str_eq(n.module ? n.module : "", good[i].name.module ? good[i].name.module : ""));
			CHECK(n.tid == good[i].name.tid && n.life == good[i].name.life && n.cpu == good[i].name.cpu);
			flow_name_free(&n);
		}
		free(made);
		free(copy);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		test_label("'%s'", bad[i]);
		CHECK(!flow_name_parse(bad[i], &n));
	}
}

/* Any text that could be a flow's name in a file is read as one or passed over. */
static void
names_of_all_kinds(void)
{
	static const char piece[][8] = {
		"gcc", "-", "12", "/", " CPU ", "3", " → ", "m", "%", "2", "#", "(", "others", ")", "\xff", " "
	};
	uint64_t random = 3;

	for (unsigned i = 0; i < test_rounds(20000, 2000000); i++) {
		struct str made = {0};
		struct flow_name n;

		for (uint64_t k = test_random(&random) % 9; k > 0; k--)
			str_add(&made, piece[test_random(&random) % (sizeof piece / sizeof *piece)]);
		if (flow_name_parse(str_text(&made), &n)) {
			char *again = flow_name_text(&n);

			/* A text that is read as a name begins with that name. */
			test_label("'%s'", str_text(&made));
			CHECK(str_starts(str_text(&made), again));
			free(again);
			flow_name_free(&n);
		}
		str_free(&made);
	}
}

/* A file whose end is missing, of another network, with things that are never written of flows. */
static void
bad_observations(void)
{
	static const char *const column[] = {
		FLOW_COLUMN_SNAPSHOTS, FLOW_COLUMN_COUNT "minor", "minor", "stall:running"
	};
	struct network *n = parsed_network("near.net", text);
	struct obs_table *t = obs_table_new(column, 4);
	struct flow_sum *sum;
	int64_t row[] = {1, 50, 0, 0}, back[] = {-1, INT64_MIN, 0, 0};
	unsigned char counted[] = {1, 1, 0, 0}, not_flows[] = {0, 0, 1, 0}, task[] = {0, 0, 0, 1};

	CHECK(flow_sum_new(n, &(struct flow_part){t, 0, 0}, 1, -INFINITY, INFINITY) == NULL);
	obs_add_row(obs_table_add(t, "run", ""), row, not_flows, 1);
	CHECK(!flow_sum_is(t, 0) && flow_sum_part(t, 0).first == flow_sum_part(t, 0).end);
	obs_add_row(obs_table_add(t, "gcc-1 CPU 0 → memory", "run"), row, counted, 1);
	obs_add_row(t->obs[1], back, counted, 2);
	obs_add_row(obs_table_add(t, "gcc-1 CPU 0 → nowhere", "run"), row, counted, 1);
	obs_add_row(obs_table_add(t, "no flow", "run"), row, counted, 1);
	obs_add_row(obs_table_add(t, "gcc-1", "run"), row, task, 1); /* its time, in a column of another counter */
	obs_add_row(obs_table_add(t, "(nobody)", "run"), row, counted, 1);
	obs_add_row(obs_table_add(t, "gcc-2", "run"), row, task, 1);
	obs_add_row(obs_table_add(t, "run#2", ""), row, not_flows, 1);
	obs_add_row(obs_table_add(t, "gcc-9 CPU 0 → memory", "run#2"), row, counted, 1);
	CHECK_INT(flow_sum_part(t, 0).end, 6);
	CHECK_INT(flow_sum_part(t, 7).end, 9);
	sum = flow_sum_new(n, &(struct flow_part){t, 0, 6}, 1, -INFINITY, INFINITY);
	CHECK_INT(flow_sum_foreign(sum), 2);
	CHECK_INT(flows_n(flow_sum_flows(sum)), FLOW_SPECIALS + 1);
	CHECK_INT(sum_of(flow_sum_flows(sum), 0), 100);
	CHECK_INT(flow_sum_cpu(sum, 0), 0);
	CHECK_INT(flow_sum_counters(sum)[0], 0);
	flow_sum_free(sum);
	sum = flow_sum_new(n, &(struct flow_part){t, 0, t->n}, 1, 5, 6);
	CHECK_INT(flows_n(flow_sum_flows(sum)), FLOW_SPECIALS);
	flow_sum_free(sum);
	obs_table_free(t);
	network_free(n);
}

/* A session file with flows, cut off or with changed bytes, is refused or read. */
static void
torn_files(void)
{
	struct stream s;
	struct path p, q;
	struct err e = {0};
	struct kept kept = {0};
	struct session_file *f;
	char *bytes;
	size_t size;
	uint64_t random = 11;
	FILE *in;

	make_path(&p);
	make_path(&q);
	begin(&s, 64, 0, 0);
	f = session_file_open(p.file, &e);
	for (unsigned i = 1; i <= 10; i++) {
		for (int k = 0; k < 10; k++)
			happen(&s);
		flow_rows_take(s.rows, "run", i, false);
		write_tables(&kept, f, s.rows);
	}
	free_kept(&kept);
	session_file_close(f);
	in = fopen(p.file, "rb");
	fseek(in, 0, SEEK_END);
	size = (size_t)ftell(in);
	rewind(in);
	bytes = mem_new(size);
	CHECK(fread(bytes, 1, size, in) == size);
	fclose(in);
	for (unsigned i = 0; i < test_rounds(60, 2000); i++) {
		size_t n = i % 2 ? size : test_random(&random) % size, at = 4096 + test_random(&random) % (size - 4096);
		char was = bytes[at];
		FILE *out = fopen(q.file, "wb");
		struct obs_table *t;

		if (i % 2)
			bytes[at] = (char)test_random(&random);
		CHECK(fwrite(bytes, 1, n, out) == n);
		fclose(out);
		bytes[at] = was;
		f = session_file_open_to_read(q.file, &e);
		t = f ? session_file_read(f, &e) : NULL;
		if (t) {
			struct flow_sum *sum =
				flow_sum_new(s.net, &(struct flow_part){t, 0, t->n}, 1, -INFINITY, INFINITY);

			CHECK(!sum || flows_n(flow_sum_flows(sum)) >= FLOW_SPECIALS);
			flow_sum_free(sum);
		}
		obs_table_free(t);
		session_file_close(f);
	}
	free(bytes);
	end(&s);
	remove_path(&p);
	remove_path(&q);
}

TEST_MAIN(CASE(replay_is_live), CASE(replay_of_folded_flows), CASE(replay_of_a_long_run), CASE(memory_is_bounded),
	CASE(exact_totals), CASE(parts_of_time_add_up), CASE(names), CASE(names_of_all_kinds), CASE(bad_observations),
	CASE(torn_files))
