#include "work/run/run_source.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/server/sampler.h"
#include "sim/source_sim.h"
#include "work/files/server.h"
#include "work/files/simulation.h"

/* False and *e for options of a command that a simulated machine does not have. */
static bool
run_source_is_alone(const struct source_spec *spec, struct err *e)
{
	if (!spec->argv[1] && !spec->target && !spec->setup && !spec->held)
		return true;
	if (spec->argv[1])
		err_set(e, "a simulated machine takes no argument: %s", spec->argv[1]);
	else
		err_set(e, "%s runs on no CPU of this machine", spec->argv[0]);
	return err_hint(e,
		spec->argv[1] ? "all stands in one word: sim:MACHINE:FEATURES:WORKLOAD:HOW"
			      : "leave out -a, -C, --pin, --memory and --spec");
}

static struct source *
open_simulated(const struct source_spec *spec, struct simulation *s, struct err *e)
{
	struct sim_run_spec how;

	if (!run_source_is_alone(spec, e) || !simulation_parse(spec->argv[0], s, e))
		return NULL;
	how = simulation_spec(s);
	how.seed += spec->run;
	if (spec->rotation_given)
		how.rotation = spec->rotation;
	return source_sim_open(spec, &how, s->samples, e);
}

static struct source *
open_server(const struct source_spec *spec, struct server_simulation *s, struct err *e)
{
	struct server_run_spec how;
	struct sim_row_maker maker;

	if (!run_source_is_alone(spec, e) || !server_simulation_parse(spec->argv[0], s, e))
		return NULL;
	how = server_simulation_spec(s);
	how.seed += spec->run;
	maker = server_sampler_new(&how, spec->counter, spec->n_counters, e);
	return maker.of ? source_sim_open_maker(spec, maker, s->samples, e) : NULL;
}

bool
run_source_open(struct run_source *source, const struct source_ops *ops, const struct source_spec *spec, struct err *e)
{
	bool simulated = !ops && spec->argv && spec->argv[0] && simulation_is(spec->argv[0]),
	     server = simulated && server_simulation_is(spec->argv[0]);

	*source = (struct run_source){.ops = ops ? ops : simulated ? &source_sim : &source_all};
	if (server) {
		source->server = mem_new(sizeof *source->server);
		source->source = open_server(spec, source->server, e);
	} else if (simulated) {
		source->simulated = mem_new(sizeof *source->simulated);
		source->source = open_simulated(spec, source->simulated, e);
	} else {
		source->source = source->ops->open(spec, e);
	}
	if (source->source)
		return true;
	run_source_close(source);
	return false;
}

void
run_source_close(struct run_source *s)
{
	if (s->source)
		s->ops->close(s->source);
	if (s->simulated)
		simulation_free(s->simulated);
	if (s->server)
		server_simulation_free(s->server);
	free(s->simulated);
	free(s->server);
	*s = (struct run_source){0};
}
