#include "work/files/calibration.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/trust/book.h"
#include "core/trust/calibrate.h"
#include "work/files/simulation.h"

#define TIMER_HZ 100000u
#define WARM_UP 20000u

/* Programs that differ in their shares of loads, misses, faults and time. */
static const char *const program[] = {
	"linear:footprint=1G,stride=64", "linear:footprint=1G,stride=64,loads=0", "lines:footprint=1G",
	"linear:footprint=1G,stride=4096,touched=0", "random:footprint=256M", "random:footprint=1G,touched=0",
	"random:footprint=1G,loads=0.7,touched=0", "stream:footprint=1G,touched=0",
};
static const uint64_t accesses[] = {50000, 100000, 200000};

#define PROGRAMS (sizeof program / sizeof program[0])
#define LENGTHS (sizeof accesses / sizeof accesses[0])
#define RUNS (PROGRAMS * LENGTHS)

/* Counts of all runs: those with the machine's errors, and the right ones. */
struct tables {
	struct simulated wrong[LENGTHS], right[LENGTHS];
};

/* All events that the machine counts: "a,b,c". */
static char *
event_list(void)
{
	struct str all = {0};

	for (int i = 0; i < (int)SIM_N_EVENTS; i++)
		if (!sim_event_is_of_pipe((enum sim_event)i))
			str_addf(&all, "%s%s", all.n ? "," : "", sim_event_name((enum sim_event)i));
	return str_take(&all);
}

static bool
run_programs(const struct simulation *s, const struct sim_counters *c, struct tables *t, struct err *e)
{
	struct simulation how = *s;
	struct sim_machine machine = *s->machine;
	struct simulate all = {.how = &how, .counter = c->counter, .n_counters = c->n, .workload = program,
		.n = PROGRAMS};

	machine.timer_hz = TIMER_HZ;
	how.machine = &machine;
	how.exact = true;
	how.samples = 1;
	how.warm_up = WARM_UP;
	for (size_t k = 0; k < LENGTHS; k++) {
		how.accesses = accesses[k];
		how.n_lies = s->n_lies;
		if (!simulate_all(&all, &t->wrong[k], e))
			return false;
		how.n_lies = 0;
		if (!simulate_all(&all, &t->right[k], e))
			return false;
	}
	return true;
}

static double
cell(const struct simulated *s, size_t workload, size_t column)
{
	return (double)s->table->obs[workload]->count[column];
}

/* Adds what is found about an event, unless it never rises. */
static void
calibration_add_event(struct trust_page *p, const struct tables *t, const struct sim_counters *c, size_t column,
	size_t faults, const char *source)
{
	struct trust_entry x = {.n_events = 1};
	struct calibrate_run run[RUNS];
	size_t n = 0;

	for (size_t k = 0; k < LENGTHS; k++)
		for (size_t w = 0; w < PROGRAMS; w++)
			run[n++] = (struct calibrate_run){.count = cell(&t->wrong[k], w, column),
				.right = cell(&t->right[k], w, column), .faults = cell(&t->right[k], w, faults),
				.interrupts = floor(t->right[k].table->obs[w]->time[0] * TIMER_HZ)};
	calibrate_event(run, n, &x);
	if (x.verdict == TRUST_UNKNOWN) {
		free(x.note);
		return;
	}
	x.event = mem_new(sizeof *x.event);
	x.event[0] = mem_str(c->word[column]);
	x.source = mem_str(source);
	p->entry = mem_resize(p->entry, p->n + 1, sizeof *p->entry);
	p->entry[p->n++] = x;
}

static struct trust_book *
make_book(const struct simulation *s, const struct sim_counters *c, const struct tables *t)
{
	struct trust_book *b = mem_new(sizeof *b);
	char *source = str_format("calibrated by hecate sim: %zu runs of known counts, seed %llu", RUNS,
		(unsigned long long)s->seed);
	size_t faults = 0;

	while (!str_eq(c->word[faults], sim_event_name(SIM_PAGE_FAULTS)))
		faults++;
	b->n = 1;
	b->page = mem_new(sizeof *b->page);
	b->page->cpu = (struct trust_cpu){.name = str_format("sim-%s", s->machine->name), .family = -1};
	for (size_t i = 0; i < c->n; i++)
		calibration_add_event(b->page, t, c, i, faults, source);
	free(source);
	return b;
}

struct trust_book *
calibrate_simulation(const struct simulation *s, struct err *e)
{
	struct tables t = {0};
	struct sim_counters c = {0};
	struct trust_book *b = NULL;
	char *events;

	if (s->machine->pipe.there) {
		err_set(e, "%s has a pipeline, whose counters are not calibrated", s->machine->name);
		err_hint(e, "calibrate a machine without one, for instance --machine haswell");
		return NULL;
	}
	events = event_list();
	if (sim_counters_parse(s->machine, events, &c, e) && run_programs(s, &c, &t, e))
		b = make_book(s, &c, &t);
	for (size_t k = 0; k < LENGTHS; k++) {
		simulated_free(&t.wrong[k]);
		simulated_free(&t.right[k]);
	}
	sim_counters_free(&c);
	free(events);
	return b;
}
