#include "work/probe/probe_machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/native/native.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"
#include "sim/probe_run.h"
#include "work/files/simulation.h"

#define CYCLES_MOST 100000000 /* of a probe: the installed ones take less than a tenth */

/* What kinds of machine do. `open` is given what follows the kind's name. */
struct probe_machine_ops {
	bool (*open)(struct probe_machine *, const char *machine, const char *changes, struct err *e);
	void (*close)(struct probe_machine *);
	bool (*run)(struct probe_machine *, const struct probe *, probe_hear *, void *ctx, struct curve *,
		struct err *);
	bool (*events)(struct probe_machine *, char *const *event, size_t n, struct err *);
	bool (*count)(struct probe_machine *, const struct probe *, const struct curve *at, bool (*go_on)(void *ctx),
		void *ctx, struct curve *, struct err *);
};

struct probe_machine {
	char *name;
	const struct probe_machine_ops *ops;
	struct simulation sim; /* of a simulated machine */
	enum sim_event *event; /* n_events that it counts */
	size_t n_events;
	uint64_t most;         /* cycles of a probe in which something happens */
	struct native *native; /* of the machine here */
};

/* --- A simulated machine ----------------------------------------------------------------------------------------- */

static bool
simulated_open(struct probe_machine *probe_machine, const char *machine, const char *changes, struct err *e)
{
	const char *colon = strchr(machine, ':');
	char *name = colon ? mem_strn(machine, (size_t)(colon - machine)) : mem_str(machine);
	bool good = simulation_load(name, changes, &probe_machine->sim, e);

	if (good && colon)
		good = sim_plants_parse(probe_machine->sim.machine, colon + 1, &probe_machine->sim.plants, e);
	if (good && !probe_machine->sim.machine->pipe.there) {
		err_set(e, "the machine %s has no pipeline, so no probe can run on it", name);
		good = err_hint(e, "use one that has, such as core");
	}
	free(name);
	return good;
}

static void
simulated_close(struct probe_machine *m)
{
	simulation_free(&m->sim);
	free(m->event);
}

/* Says that a probe took too long; `at`: its points so far. */
static bool
probe_machine_give_up(const struct probe_machine *m, const struct probe *p, const struct curve *at, struct err *e)
{
	uint64_t x = at->n ? probe_next_x(p, (uint64_t)at->point[at->n - 1].x) : p->first;

	err_set(e, "the probe %s comes to no end on %s: given up at x = %" PRIu64 ", after %" PRIu64 " cycles in which "
		"something happened", p->name, m->name, x, m->most);
	return err_hint(e, "leave the probe out, end its x earlier, or give the machine items that are less extreme");
}

static bool
simulated_run(struct probe_machine *m, const struct probe *p, probe_hear *hear, void *ctx, struct curve *c,
	struct err *e)
{
	return sim_probe_run(m->sim.machine, m->sim.plants, p, m->most, hear, ctx, c) ||
		probe_machine_give_up(m, p, c, e);
}

static bool
simulated_events(struct probe_machine *m, char *const *event, size_t n, struct err *e)
{
	m->event = mem_resize(m->event, n, sizeof *m->event);
	m->n_events = n;
	for (size_t i = 0; i < n; i++)
		if (!sim_event_find(event[i], &m->event[i]) || sim_event_is_reference(m->event[i])) {
			err_set(e, "a simulated machine does not count %s", event[i]);
			return err_hint(e, "hecate sim --machine core --list shows what it counts");
		}
	return true;
}

static bool
simulated_count(struct probe_machine *m, const struct probe *p, const struct curve *at, bool (*go_on)(void *ctx),
	void *ctx, struct curve *c, struct err *e)
{
	return sim_probe_count(m->sim.machine, m->sim.plants, p, m->most, at, m->event, m->n_events, go_on, ctx, c) ||
		probe_machine_give_up(m, p, c, e);
}

static const struct probe_machine_ops simulated = {
	.open = simulated_open,
	.close = simulated_close,
	.run = simulated_run,
	.events = simulated_events,
	.count = simulated_count,
};

/* --- The machine here -------------------------------------------------------------------------------------------- */

static bool
here_open(struct probe_machine *m, const char *machine, const char *changes, struct err *e)
{
	if (*machine || changes) {
		err_set(e, *machine ? "native is this machine alone: '%s' has no meaning" :
			"--set changes simulated machines: this one is as it is%s", machine);
		return err_hint(e, "leave it out");
	}
	m->native = native_new(e);
	return m->native != NULL;
}

static void
here_close(struct probe_machine *m)
{
	native_free(m->native);
}

static bool
here_run(struct probe_machine *m, const struct probe *p, probe_hear *hear, void *ctx, struct curve *c, struct err *e)
{
	return native_run(m->native, p, hear, ctx, c, e);
}

static bool
here_events(struct probe_machine *m, char *const *event, size_t n, struct err *e)
{
	return native_count_events(m->native, event, n, e);
}

static bool
here_count(struct probe_machine *m, const struct probe *p, const struct curve *at, bool (*go_on)(void *ctx), void *ctx,
	struct curve *c, struct err *e)
{
	return native_count(m->native, p, at, go_on, ctx, c, e);
}

static const struct probe_machine_ops here = {
	.open = here_open,
	.close = here_close,
	.run = here_run,
	.events = here_events,
	.count = here_count,
};

/* --- Any machine ------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	const struct probe_machine_ops *ops;
} kind[] = {
	{"sim:", &simulated},
	{"native", &here},
};

struct probe_machine *
probe_machine_new(const char *on, const char *changes, struct err *e)
{
	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
		struct probe_machine *machine;

		if (!str_starts(on, kind[i].name))
			continue;
		machine = mem_new(sizeof *machine);
		machine->name = mem_str(on);
		machine->ops = kind[i].ops;
		machine->most = CYCLES_MOST;
		if (machine->ops->open(machine, on + strlen(kind[i].name), changes, e))
			return machine;
		probe_machine_free(machine);
		return NULL;
	}
	err_set(e, "probes do not run on '%s'", on);
	err_hint(e, "native is this machine, and sim:MACHINE a simulated one, such as sim:core");
	return NULL;
}

void
probe_machine_free(struct probe_machine *m)
{
	if (!m)
		return;
	m->ops->close(m);
	free(m->name);
	free(m);
}

const char *
probe_machine_name(const struct probe_machine *m)
{
	return m->name;
}

bool
probe_machine_is_here(const struct probe_machine *m)
{
	return m->ops == &here;
}

void
probe_machine_bound(struct probe_machine *m, uint64_t cycles)
{
	m->most = cycles;
}

bool
probe_machine_takes(const struct probe_machine *m, const struct probe *p)
{
	return probe_machine_is_here(m) ? !p->needs_sim : !p->needs_native;
}

bool
probe_machine_run(struct probe_machine *m, const struct probe *p, probe_hear *hear, void *ctx, struct curve *c,
	struct err *e)
{
	c->name = mem_str(p->name);
	if (!probe_machine_takes(m, p)) {
		err_set(e, "the probe %s does not run on %s", p->name, m->name);
		return err_hint(e, p->needs_native ? "it needs the machine here: --on native" :
			"it needs a simulated machine: --on sim:core");
	}
	return m->ops->run(m, p, hear, ctx, c, e);
}

bool
probe_machine_events(struct probe_machine *m, char *const *event, size_t n, struct err *e)
{
	return m->ops->events(m, event, n, e);
}

bool
probe_machine_count(struct probe_machine *m, const struct probe *p, const struct curve *at, bool (*go_on)(void *ctx),
	void *ctx, struct curve *curve, struct err *e)
{
	return m->ops->count(m, p, at, go_on, ctx, curve, e);
}
