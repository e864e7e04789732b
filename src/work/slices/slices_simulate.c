/* Programs on a simulated core, cut into slices. */
#include "work/slices/slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "text/notation.h"
#include "work/files/simulation.h"

#define UOPS 100000u          /* of a slice: chosen, long enough for slices of a program to be alike */
#define EACH 8u               /* slices of a program: chosen, more than DBSCAN_MIN_POINTS */
#define SLICES_OF_ONE 1000000u
#define TYPICAL "-like"       /* programs with the character of real ones; the others are lessons, and a blank */

static bool
ends_in(const char *text, const char *ending)
{
	size_t n = strlen(text), k = strlen(ending);

	return n >= k && str_eq(text + n - k, ending);
}

/* True if a part of "sim:MACHINE:…" begins with the name of a program. */
static bool
names_program(const struct sim_machine *machine, const char *on)
{
	for (const char *at = strchr(on, ':'); at; at = strchr(at + 1, ':')) {
		size_t len = strcspn(at + 1, ",=+:");

		for (size_t i = 0; i < simulation_inputs(machine); i++) {
			const char *name = simulation_input_name(machine, i);

			if (strlen(name) == len && strncmp(name, at + 1, len) == 0)
				return true;
		}
	}
	return false;
}

static bool
take_programs(struct sim_suite *suite, const struct slices_simulation *how, const struct simulation *simulation,
	struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < how->n_programs && good; i++)
		good = simulation_add_workloads(suite, simulation->machine, how->program[i], e);
	if (how->n_programs || !good)
		return good;
	if (names_program(simulation->machine, how->on))
		return sim_suite_add(suite, simulation->workload, 0, e);
	for (size_t i = 0; i < simulation_inputs(simulation->machine) && good; i++)
		if (ends_in(simulation_input_name(simulation->machine, i), TYPICAL))
			good = sim_suite_add(suite, simulation_input_name(simulation->machine, i), 0, e);
	return good;
}

/* Loads the machine again with changes, which "sim:…" has no place for. */
static bool
change_machine(struct simulation *simulation, const char *changes, struct err *e)
{
	struct simulation changed;
	bool good = simulation_load(simulation->name, changes, &changed, e);

	if (good) {
		struct sim_machine *old = simulation->machine;

		simulation->machine = changed.machine;
		changed.machine = old;
	}
	simulation_free(&changed);
	return good;
}

static bool
slices_simulate_take_numbers(struct simulation *simulation, const struct slices_simulation *how, struct err *e)
{
	if (!simulation->machine->pipe.there) {
		err_set(e, "%s has no pipeline, so there are no slots to account for", simulation->machine->name);
		return err_hint(e, "sim:core has one; hecate sim --list shows others");
	}
	if (how->seed && !notation_take("--seed", NOTATION_SEED, 0, 0, how->seed, (int64_t *)&simulation->seed, e))
		return err_hint(e, "for instance: --seed 7");
	if (how->each > SLICES_OF_ONE) {
		err_set(e, "--samples is up to %u slices of a program", SLICES_OF_ONE);
		return err_hint(e, "for instance: --samples 8");
	}
	if (how->uops || !strstr(how->on, "accesses="))
		simulation->accesses = how->uops ? how->uops : UOPS;
	if (how->each || !simulation->said_samples || (how->ends && !simulation->samples))
		simulation->samples = how->each ? how->each : EACH;
	if (simulation->samples)
		return true;
	err_set(e, "a simulation without an end has no last slice");
	return err_hint(e, "give the number of slices: --samples 8");
}

struct obs_table *
slices_simulate(const struct slices_simulation *how, bool *cut, struct err *e)
{
	struct simulation s = {0};
	struct sim_suite suite = {0};
	struct sim_counters c = {0};
	struct simulated got = {0};
	struct obs_table *table = NULL;
	bool good = simulation_parse(how->on, &s, e) && (!how->changes || change_machine(&s, how->changes, e)) &&
		slices_simulate_take_numbers(&s, how, e) && take_programs(&suite, how, &s, e) &&
		sim_counters_parse(s.machine, NULL, &c, e);

	if (good) {
		sim_counters_drop_truth(&c);
		s.references = false;
		s.exact = true; /* a counter for each event */
		const struct simulate all = {.how = &s, .counter = c.counter, .n_counters = c.n,
			.workload = (const char *const *)suite.workload, .n = suite.n,
			.progress = how->progress, .stop = how->stop, .ctx = how->ctx};

		if (simulate_all(&all, &got, e)) {
			*cut = got.cut;
			table = got.table;
			got.table = NULL;
		}
	}
	simulated_free(&got);
	sim_counters_free(&c);
	sim_suite_free(&suite);
	simulation_free(&s);
	return table;
}
