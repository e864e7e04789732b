#include "app/probe/probe_machine.h"

#include <stdlib.h>
#include <string.h>

#include "app/files/simulation.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/sim/probe_run.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"

static const char simulated[] = "sim:";

struct probe_machine {
	char *name;
	struct simulation sim;
};

static bool
open_simulated(struct probe_machine *m, const char *machine, const char *changes, struct err *e)
{
	const char *colon = strchr(machine, ':');
	char *name = colon ? mem_strn(machine, (size_t)(colon - machine)) : mem_str(machine);
	bool good = simulation_load(name, changes, &m->sim, e);

	if (good && colon)
		good = sim_plants_parse(m->sim.machine, colon + 1, &m->sim.plants, e);
	if (good && !m->sim.machine->pipe.there) {
		err_set(e, "the machine %s has no pipeline, so no probe can run on it", name);
		good = err_hint(e, "use one that has, such as core");
	}
	free(name);
	return good;
}

struct probe_machine *
probe_machine_new(const char *on, const char *changes, struct err *e)
{
	struct probe_machine *m = mem_new(sizeof *m);
	bool good = false;

	m->name = mem_str(on);
	if (strncmp(on, simulated, sizeof simulated - 1) == 0) {
		good = open_simulated(m, on + sizeof simulated - 1, changes, e);
	} else {
		err_set(e, "probes do not run on '%s'", on);
		err_hint(e, "sim:MACHINE is a simulated machine, such as sim:core");
	}
	if (good)
		return m;
	probe_machine_free(m);
	return NULL;
}

void
probe_machine_free(struct probe_machine *m)
{
	if (!m)
		return;
	simulation_free(&m->sim);
	free(m->name);
	free(m);
}

const char *
probe_machine_name(const struct probe_machine *m)
{
	return m->name;
}

bool
probe_machine_run(struct probe_machine *m, const struct probe *p, probe_hear *hear, void *ctx, struct curve *c,
	struct err *e)
{
	(void)e;
	c->name = mem_str(p->name);
	sim_probe_run(m->sim.machine, m->sim.plants, p, hear, ctx, c);
	return true;
}
