/* What is measured of each run, and the table of all runs. */
#include "work/diff/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/source.h"
#include "work/trust/known.h"

/* Counted unless the user names counters. What cannot be counted here is left out without a word. */
static const char *const usual[] = {"page-faults", "minor-faults", "major-faults", "context-switches", "cpu-migrations",
	"task:wait_ns", "io:syscr", "io:syscw", "io:read_bytes", "io:write_bytes", "instructions:u", "cycles:u",
	"branch-misses:u", "cache-misses:u"};
#define USUAL (sizeof usual / sizeof *usual)

static const char *const machine_counter[BENCH_MACHINE] = {
	[BENCH_STEAL] = "stat:steal_ns", [BENCH_IDLE] = "stat:idle_ns", [BENCH_IO_IDLE] = "stat:iowait_ns"};

static const char *const time_name[MEASURE_TIMES] = {"wall time", "processor time", "user time", "system time"};

const struct measure_surrounding measure_surrounding[MEASURE_AROUND] = {[MEASURE_STEAL] = {"steal", "share"},
	[MEASURE_OTHERS] = {"others", "share"},
	[MEASURE_FREQUENCY] = {"frequency", "Hz"},
	[MEASURE_THROTTLED] = {"throttled", ""},
	[MEASURE_ENVIRONMENT] = {"environment", "B"},
	[MEASURE_FOLDER] = {"directory", "B"}};

void
bench_grow(struct bench *b)
{
	struct diff_table *t = &b->out->table;

	if (t->n_runs + SHIFT_BLOCK <= b->cap)
		return;
	b->cap = b->cap ? 2 * b->cap : 64;
	t->is_b = mem_resize(t->is_b, b->cap, 1);
	for (size_t i = 0; i < t->n; i++)
		t->quantity[i].value = mem_resize(t->quantity[i].value, b->cap, sizeof(double));
	for (size_t i = 0; i < MEASURE_AROUND; i++)
		b->out->around[i] = mem_resize(b->out->around[i], b->cap, sizeof(float));
}

void
bench_take(struct bench *b, size_t row, enum diff_side side, const struct bench_result *r)
{
	struct diff_table *t = &b->out->table;

	t->is_b[row] = side == DIFF_B;
	for (size_t i = 0; i < MEASURE_TIMES; i++)
		t->quantity[i].value[row] = r->time[i];
	for (size_t i = 0; i < b->n_counters; i++)
		if (b->quantity[i] != SIZE_MAX)
			t->quantity[b->quantity[i]].value[row] = r->counted[i] ? (double)r->count[i] : NAN;
	for (size_t i = 0; i < MEASURE_AROUND; i++)
		b->out->around[i][row] = (float)r->around[i];
	b->busy += r->time[MEASURE_CPU];
	b->wall += r->time[MEASURE_WALL];
}

static void
add_quantity(struct diff_table *t, const char *name, const char *unit, const char *exact_by)
{
	t->quantity[t->n++] = (struct diff_quantity){.name = name,
		.unit = unit,
		.is_time = *unit != '\0',
		.exact = exact_by != NULL,
		.exact_by = exact_by ? utf8_visible(exact_by) : NULL};
}

/* The source by which a book of trust says that equal runs have equal counts here; NULL: none does. */
static const char *
trusted_exact(const struct trust_known *known, const char *event)
{
	const struct trust_entry *entry = known->here ? trust_page_entry(known->here, event) : NULL;

	if (!entry ||
		(entry->verdict != TRUST_EXACT && entry->verdict != TRUST_CONSTANT &&
			entry->verdict != TRUST_REPEATABLE))
		return NULL;
	return entry->source ? entry->source : "a book of trust without a source";
}

/* Those that the user names or the usual ones, then those of `also` that are not among them. The names are not copied;
 * the caller frees the list. */
static const char **
wanted_counters(const struct measure_options *o, size_t *n)
{
	const char *const *first = o->counter ? o->counter : usual;
	size_t n_first = o->counter ? o->n_counters : USUAL;
	const char **want = mem_new_array(n_first + o->n_also + 1, sizeof *want);

	for (*n = 0; *n < n_first; ++*n)
		want[*n] = first[*n];
	for (size_t i = 0; i < o->n_also; i++) {
		size_t k = 0;

		while (k < *n && !str_eq(want[k], o->also[i]))
			k++;
		if (k == *n)
			want[(*n)++] = o->also[i];
	}
	return want;
}

bool
bench_choose(struct bench *b, struct err *e)
{
	const struct measure_options *o = b->options;
	size_t n;
	const char **want = wanted_counters(o, &n);
	struct source_spec spec = {.argv = o->argv[DIFF_A],
		.out_fd = b->null,
		.err_fd = b->null,
		.no_input = true,
		.own_group = true,
		.may_count_nothing = true,
		.keep = b->keep};
	const struct source_status *status;
	struct source *source;
	struct trust_known *known;

	b->event = mem_new_array(n + BENCH_MACHINE, sizeof *b->event);
	b->counter = mem_new_array(n + BENCH_MACHINE, sizeof *b->counter);
	b->quantity = mem_new_array(n + BENCH_MACHINE, sizeof *b->quantity);
	for (size_t i = 0; i < n + BENCH_MACHINE; i++) {
		b->event[i].name = i < n ? want[i] : machine_counter[i - n];
		b->counter[i] = (struct source_counter){.name = b->event[i].name, .event = &b->event[i], .n_events = 1};
		b->quantity[i] = SIZE_MAX;
	}
	spec.counter = b->counter;
	spec.n_counters = b->n_counters = n + BENCH_MACHINE;
	source = source_all.open(&spec, e);
	if (!source) {
		free(want);
		return false;
	}
	known = trust_known_load();
	status = source_all.status(source);
	b->out->table.quantity = mem_new_array(MEASURE_TIMES + n, sizeof *b->out->table.quantity);
	for (size_t i = 0; i < MEASURE_TIMES; i++)
		add_quantity(&b->out->table, time_name[i], "s", NULL);
	b->out->left_out = mem_new_array(n + 1, sizeof *b->out->left_out);
	b->n_counters = 0;
	for (size_t i = 0; i < n; i++) {
		if (status[i].health == OBS_UNSUPPORTED) {
			if (o->counter || i >= USUAL)
				b->out->left_out[b->out->n_left_out++] =
					str_format("%s: %s", b->event[i].name, status[i].why);
			continue;
		}
		b->counter[b->n_counters] = spec.counter[i];
		b->quantity[b->n_counters++] = b->out->table.n;
		add_quantity(&b->out->table, b->event[i].name,
			str_ends(b->event[i].name, "_ns") ? "ns" : "", trusted_exact(known, b->event[i].name));
	}
	for (size_t i = n; i < n + BENCH_MACHINE; i++) {
		b->counter[b->n_counters] = spec.counter[i];
		b->quantity[b->n_counters++] = SIZE_MAX;
	}
	trust_known_free(known);
	source_all.close(source);
	free(want);
	return true;
}
