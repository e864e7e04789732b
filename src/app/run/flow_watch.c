#include "app/run/flow_watch.h"

#include <math.h>
#include <stdlib.h>

#include "app/run/flow_rows.h"
#include "app/run/flow_run.h"
#include "app/run/live.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"

struct flow_watch {
	const struct network *net;
	struct flow_run *run;
	struct flow_rows *rows;    /* NULL: not begun */
	void (*leaves)(void *ctx, const struct obs_table *);
	void *ctx;
	const struct obs *growing; /* of the live run … */
	size_t told;               /* … and how many rows it had had when flows were told last */
	bool ended;
};

struct flow_watch *
flow_watch_new(const struct network *net, const char *file, const struct flow_run_options *opt,
	void (*leaves)(void *ctx, const struct obs_table *), void *ctx)
{
	struct flow_watch *w = mem_new(sizeof *w);
	struct flow_run_options how = *opt;

	how.interval_ms = 0;
	w->net = net;
	w->run = flow_run_new(net, file, &how);
	w->leaves = leaves;
	w->ctx = ctx;
	return w;
}

void
flow_watch_free(struct flow_watch *w)
{
	if (!w)
		return;
	flow_rows_free(w->rows);
	flow_run_free(w->run);
	free(w);
}

bool
flow_watch_begin(struct flow_watch *w, int command, struct err *e)
{
	if (!flow_run_begin(w->run, command, e))
		return false;
	w->rows = flow_rows_of_run(w->run, w->net, w->leaves, w->ctx);
	return true;
}

int
flow_watch_wait_fd(const struct flow_watch *w)
{
	return flow_run_wait_fd(w->run);
}

bool
flow_watch_pump(struct flow_watch *w, const struct live *l)
{
	const struct obs *o = live_growing(l);

	if (!w->rows || w->ended)
		return false;
	if (!o || (o == w->growing && o->n_rows + o->folded == w->told)) {
		flow_run_pump(w->run);
		return false;
	}
	flow_run_close(w->run);
	w->growing = o;
	w->told = o->n_rows + o->folded;
	flow_rows_take(w->rows, o->name, o->time[o->n_rows - 1], false);
	return true;
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

void
flow_watch_end(struct flow_watch *w, const struct live *l)
{
	const struct obs_table *t = live_table(l);
	const struct obs *o = t->n ? t->obs[t->n - 1] : NULL;

	if (!w->rows || w->ended)
		return;
	flow_run_end(w->run);
	w->ended = true;
	if (o && o->n_rows)
		flow_rows_take(w->rows, o->name, o->time ? o->time[o->n_rows - 1] : NAN, o->exact);
	note_losses(w);
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
