#include "work/run/flow_run.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/run/flow_recorder.h"
#include "work/run/flow_rows.h"

/* flows of ended tasks that stay separate: their rows are in the tables, or the file, already */
#define ENDED_MOST 64

struct flow_run {
	struct run base;
	const struct network *net;
	struct flow_recorder *run;
	bool sums;                 /* no rows are made */
	struct flow_rows *rows;    /* NULL: not begun, or `sums` */
	size_t n_taken, n_polled;  /* intervals that became rows; of them, those that poll() reported */
	void (*leaves)(void *ctx, const struct obs_table *);
	void *ctx;
	bool begun;
};

struct flow_run *
flow_run_new(const struct network *net, const char *file, const struct flow_recorder_options *opt,
	void (*leaves)(void *ctx, const struct obs_table *), void *ctx)
{
	struct flow_run *run = mem_new(sizeof *run);
	struct flow_recorder_options how = *opt;

	how.interval_ms = 0;
	how.ended_most = ENDED_MOST;
	run->base.ops = &flow_run_ops;
	run->net = net;
	run->run = flow_recorder_new(net, file, &how);
	run->leaves = leaves;
	run->ctx = ctx;
	return run;
}

struct flow_run *
flow_run_new_sums(const struct network *net, const char *file, const struct flow_recorder_options *opt)
{
	struct flow_run *w = mem_new(sizeof *w);

	w->base.ops = &flow_run_ops;
	w->net = net;
	w->run = flow_recorder_new(net, file, opt);
	w->sums = true;
	return w;
}

struct run *
flow_as_run(struct flow_run *w)
{
	return w ? &w->base : NULL;
}

struct flow_run *
run_as_flow(struct run *r)
{
	return r && r->ops == &flow_run_ops ? (struct flow_run *)r : NULL;
}

bool
flow_run_begun(const struct flow_run *w)
{
	return w->begun;
}

struct flow_recorder *
flow_run_recorder(const struct flow_run *w)
{
	return w->run;
}

/* --- as a kind of run -------------------------------------------------------------------------------------------- */

static bool
flow_run_join(struct run *r, const struct run_held *held, struct err *e)
{
	struct flow_run *w = (struct flow_run *)r;

	w->begun = flow_recorder_begin(w->run, held->pid, held->n, e);
	if (w->begun && !w->sums)
		w->rows = flow_rows_of_run(w->run, w->net, w->leaves, w->ctx);
	return w->begun;
}

static void
flow_run_take_rows(struct flow_run *w, const struct obs *o, bool exact)
{
	flow_rows_take(w->rows, o->name, o->time ? o->time[o->n_rows - 1] : NAN, exact);
	w->n_taken++;
}

static void
flow_run_end(struct flow_run *w, const struct obs *last)
{
	flow_recorder_end(w->run);
	w->base.running = false;
	if (!w->rows)
		return;
	if (last && last->n_rows)
		flow_run_take_rows(w, last, last->exact);
	run_note_remarks(&w->base, "", flow_rows_newest(w->rows));
}

static void
flow_run_sign(struct run *run, const struct run_sign *sign)
{
	struct flow_run *flow_run = (struct flow_run *)run;

	if (!run->running)
		return;
	switch (sign->kind) {
	case RUN_ROW:
		if (!flow_run->rows)
			break;
		flow_recorder_close(flow_run->run);
		flow_run_take_rows(flow_run, sign->row, false);
		break;
	case RUN_INTERVAL:
		flow_recorder_close(flow_run->run);
		break;
	case RUN_OVER:
		flow_run_end(flow_run, sign->row);
		break;
	case RUN_STARTS:
		break;
	}
}

static int
flow_run_fd(const struct run *r)
{
	return flow_recorder_wait_fd(((const struct flow_run *)r)->run);
}

static enum run_step
flow_run_poll(struct run *r, struct err *e)
{
	struct flow_run *w = (struct flow_run *)r;
	size_t before = w->n_polled;

	(void)e;
	flow_recorder_pump(w->run);
	w->n_polled = w->n_taken;
	return w->n_taken != before ? RUN_NEWS : RUN_GOES_ON;
}

static void
flow_run_explain(struct run *r, struct str *out)
{
	flow_recorder_explain(((struct flow_run *)r)->run, out);
}

static const struct obs_table *const *
flow_run_tables(struct run *r, size_t *n)
{
	struct flow_run *w = (struct flow_run *)r;

	*n = 0;
	return w->rows ? flow_rows_tables(w->rows, n) : NULL;
}

static void
flow_run_free(struct run *r)
{
	struct flow_run *w = (struct flow_run *)r;

	flow_rows_free(w->rows);
	flow_recorder_free(w->run);
	free(w);
}

const struct run_ops flow_run_ops = {
	.name = "flows",
	.join = flow_run_join,
	.sign = flow_run_sign,
	.fd = flow_run_fd,
	.poll = flow_run_poll,
	.explain = flow_run_explain,
	.tables = flow_run_tables,
	.free = flow_run_free,
};
