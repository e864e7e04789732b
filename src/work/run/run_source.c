/* The source of a run's counters: this machine, or a simulated one for a command "sim:…". */
#include "work/run/run.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/source_sim.h"
#include "work/files/simulation.h"

/* The source that callers have; it passes each call on to `in`. */
struct source {
	const struct source_ops *ops;
	struct source *in;
	struct simulation sim; /* what `in` simulates */
};

static void
either_close(struct source *s)
{
	if (s && s->in)
		s->ops->close(s->in);
	if (s)
		simulation_free(&s->sim);
	free(s);
}

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
either_open(const struct source_spec *spec, struct err *e)
{
	struct source *s = mem_new(sizeof *s);
	bool simulated = spec->argv && spec->argv[0] && simulation_is(spec->argv[0]);

	s->ops = simulated ? &source_sim : &source_all;
	s->in = simulated ? open_simulated(spec, &s->sim, e) : source_all.open(spec, e);
	if (s->in)
		return s;
	either_close(s);
	return NULL;
}

static const struct source_status *
either_status(const struct source *s)
{
	return s->ops->status(s->in);
}

static bool
either_start(struct source *s, struct err *e)
{
	return s->ops->start(s->in, e);
}

static int
either_pid(const struct source *s)
{
	return s->ops->pid ? s->ops->pid(s->in) : 0;
}

static const char *
either_cpu(const struct source *s)
{
	return s->ops->cpu ? s->ops->cpu(s->in) : NULL;
}

static int
either_wait_fd(const struct source *s)
{
	return s->ops->wait_fd(s->in);
}

static bool
either_poll(struct source *s, struct source_end *end)
{
	return s->ops->poll(s->in, end);
}

static bool
either_read(struct source *s, int64_t *count, unsigned char *counted, struct err *e)
{
	return s->ops->read(s->in, count, counted, e);
}

static enum source_news
either_row(struct source *s, struct source_row *row, struct err *e)
{
	return s->ops->row(s->in, row, e);
}

static void
either_tick(struct source *s)
{
	if (s->ops->tick)
		s->ops->tick(s->in);
}

static void
either_stop(struct source *s)
{
	s->ops->stop(s->in);
}

static const struct source_ops source_either = {
	.name = "this machine, or a simulated one",
	.open = either_open,
	.status = either_status,
	.pid = either_pid,
	.cpu = either_cpu,
	.start = either_start,
	.wait_fd = either_wait_fd,
	.poll = either_poll,
	.read = either_read,
	.row = either_row,
	.tick = either_tick,
	.stop = either_stop,
	.close = either_close,
};

const struct source_ops *
run_source(void)
{
	return &source_either;
}
