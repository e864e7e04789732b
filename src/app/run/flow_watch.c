#include "app/run/flow_watch.h"

#include <math.h>
#include <stdlib.h>

#include "app/run/flow_rows.h"
#include "app/run/flow_run.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"

struct flow_watch {
	struct run base;
	const struct network *net;
	struct flow_run *run;
	bool sums;                 /* no rows are made */
	struct flow_rows *rows;    /* NULL: not begun, or `sums` */
	size_t n_taken, n_polled;  /* intervals that became rows; of them, those that poll() reported */
	void (*leaves)(void *ctx, const struct obs_table *);
	void *ctx;
	bool begun, ended;
};

struct flow_watch *
flow_watch_new(const struct network *net, const char *file, const struct flow_run_options *opt,
	void (*leaves)(void *ctx, const struct obs_table *), void *ctx)
{
	struct flow_watch *w = mem_new(sizeof *w);
	struct flow_run_options how = *opt;

	how.interval_ms = 0;
	w->base.ops = &flow_run_ops;
	w->net = net;
	w->run = flow_run_new(net, file, &how);
	w->leaves = leaves;
	w->ctx = ctx;
	return w;
}

struct flow_watch *
flow_watch_new_sums(const struct network *net, const char *file, const struct flow_run_options *opt)
{
	struct flow_watch *w = mem_new(sizeof *w);

	w->base.ops = &flow_run_ops;
	w->net = net;
	w->run = flow_run_new(net, file, opt);
	w->sums = true;
	return w;
}

void
flow_watch_free(struct flow_watch *w)
{
	if (!w)
		return;
	run_leave(&w->base);
	flow_rows_free(w->rows);
	flow_run_free(w->run);
	free(w);
}

static void
note_losses(struct flow_watch *w)
{
	struct str text = {0};
	char **line;

	flow_run_explain(w->run, &text);
	line = str_split(str_text(&text), '\n', NULL);
	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			flow_rows_note(w->rows, line[i]);
	str_split_free(line);
	str_free(&text);
}

const struct obs_table *const *
flow_watch_tables(const struct flow_watch *w, size_t *n)
{
	*n = 0;
	return w->rows ? flow_rows_tables(w->rows, n) : NULL;
}

void
flow_watch_explain(const struct flow_watch *w, struct str *out)
{
	flow_run_explain(w->run, out);
}

struct run *
flow_as_run(struct flow_watch *w)
{
	return w ? &w->base : NULL;
}

bool
flow_watch_begun(const struct flow_watch *w)
{
	return w->begun;
}

struct flow_run *
flow_watch_run(const struct flow_watch *w)
{
	return w->run;
}

/* --- as a kind of run -------------------------------------------------------------------------------------------- */

static bool
run_join(struct run *r, const struct run_held *held, struct err *e)
{
	struct flow_watch *w = (struct flow_watch *)r;

	w->begun = flow_run_begin_all(w->run, held->pid, held->n, e);
	if (w->begun && !w->sums)
		w->rows = flow_rows_of_run(w->run, w->net, w->leaves, w->ctx);
	return w->begun;
}

static void
take_rows(struct flow_watch *w, const struct obs *o, bool exact)
{
	flow_rows_take(w->rows, o->name, o->time ? o->time[o->n_rows - 1] : NAN, exact);
	w->n_taken++;
}

static void
end(struct flow_watch *w, const struct obs *last)
{
	flow_run_end(w->run);
	w->ended = true;
	if (!w->rows)
		return;
	if (last && last->n_rows)
		take_rows(w, last, last->exact);
	note_losses(w);
}

static void
run_sign(struct run *r, const struct run_sign *sign)
{
	struct flow_watch *w = (struct flow_watch *)r;

	if (w->ended)
		return;
	switch (sign->kind) {
	case RUN_ROW:
		if (!w->rows)
			break;
		flow_run_close(w->run);
		take_rows(w, sign->row, false);
		break;
	case RUN_INTERVAL:
		flow_run_close(w->run);
		break;
	case RUN_OVER:
		end(w, sign->row);
		break;
	case RUN_STARTS:
		break;
	}
}

static bool
run_is_running(const struct run *r)
{
	const struct flow_watch *w = (const struct flow_watch *)r;

	return w->begun && !w->ended;
}

static int
run_fd(const struct run *r)
{
	return flow_run_wait_fd(((const struct flow_watch *)r)->run);
}

static enum run_step
run_poll(struct run *r, struct err *e)
{
	struct flow_watch *w = (struct flow_watch *)r;
	size_t before = w->n_polled;

	(void)e;
	flow_run_pump(w->run);
	w->n_polled = w->n_taken;
	return w->n_taken != before ? RUN_NEWS : RUN_GOES_ON;
}

static void
run_explain(struct run *r, struct str *out)
{
	flow_watch_explain((struct flow_watch *)r, out);
}

static const struct obs_table *const *
run_tables(struct run *r, size_t *n)
{
	return flow_watch_tables((struct flow_watch *)r, n);
}

static void
free_run(struct run *r)
{
	flow_watch_free((struct flow_watch *)r);
}

const struct run_ops flow_run_ops = {
	.name = "flows",
	.join = run_join,
	.sign = run_sign,
	.running = run_is_running,
	.fd = run_fd,
	.poll = run_poll,
	.explain = run_explain,
	.tables = run_tables,
	.free = free_run,
};
