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
run_programs(
	const struct simulation *simulation, const struct sim_counters *counters, struct tables *tables, struct err *e)
{
	struct simulation how = *simulation;
	struct sim_machine machine = *simulation->machine;
	struct simulate all = {.how = &how,
		.counter = counters->counter,
		.n_counters = counters->n,
		.workload = program,
		.n = PROGRAMS};

	machine.timer_hz = TIMER_HZ;
	how.machine = &machine;
	how.exact = true;
	how.samples = 1;
	how.warm_up = WARM_UP;
	for (size_t k = 0; k < LENGTHS; k++) {
		how.accesses = accesses[k];
		how.n_lies = simulation->n_lies;
		if (!simulate_all(&all, &tables->wrong[k], e))
			return false;
		how.n_lies = 0;
		if (!simulate_all(&all, &tables->right[k], e))
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
calibration_add_event(struct trust_page *page, const struct tables *tables, const struct sim_counters *counters,
	size_t column, size_t faults, const char *source)
{
	struct trust_entry x = {.n_events = 1};
	struct calibrate_run run[RUNS];
	size_t n = 0;

	for (size_t k = 0; k < LENGTHS; k++)
		for (size_t w = 0; w < PROGRAMS; w++)
			run[n++] = (struct calibrate_run){.count = cell(&tables->wrong[k], w, column),
				.right = cell(&tables->right[k], w, column),
				.faults = cell(&tables->right[k], w, faults),
				.interrupts = floor(tables->right[k].table->obs[w]->time[0] * TIMER_HZ)};
	calibrate_event(run, n, &x);
	if (x.verdict == TRUST_UNKNOWN) {
		free(x.note);
		return;
	}
	x.event = mem_new(sizeof *x.event);
	x.event[0] = mem_str(counters->word[column]);
	x.source = mem_str(source);
	page->entry = mem_resize(page->entry, page->n + 1, sizeof *page->entry);
	page->entry[page->n++] = x;
}

static struct trust_book *
make_book(const struct simulation *simulation, const struct sim_counters *counters, const struct tables *tables)
{
	struct trust_book *book = mem_new(sizeof *book);
	char *source = str_format("calibrated by hecate sim: %zu runs of known counts, seed %llu", RUNS,
		(unsigned long long)simulation->seed);
	size_t faults = 0;

	while (!str_eq(counters->word[faults], sim_event_name(SIM_PAGE_FAULTS)))
		faults++;
	book->n = 1;
	book->page = mem_new(sizeof *book->page);
	book->page->cpu = (struct trust_cpu){.name = str_format("sim-%s", simulation->machine->name), .family = -1};
	for (size_t i = 0; i < counters->n; i++)
		calibration_add_event(book->page, tables, counters, i, faults, source);
	free(source);
	return book;
}

struct trust_book *
calibrate_simulation(const struct simulation *simulation, struct err *e)
{
	struct tables t = {0};
	struct sim_counters c = {0};
	struct trust_book *book = NULL;
	char *events;

	if (simulation->machine->pipe.there) {
		err_set(e, "%s has a pipeline, whose counters are not calibrated", simulation->machine->name);
		err_hint(e, "calibrate a machine without one, for instance --machine haswell");
		return NULL;
	}
	events = event_list();
	if (sim_counters_parse(simulation->machine, events, &c, e) && run_programs(simulation, &c, &t, e))
		book = make_book(simulation, &c, &t);
	for (size_t k = 0; k < LENGTHS; k++) {
		simulated_free(&t.wrong[k]);
		simulated_free(&t.right[k]);
	}
	sim_counters_free(&c);
	free(events);
	return book;
}
