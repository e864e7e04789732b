/* A command run under the eyes of a model: its counters choose what is opened; at exit its totals become one exact
 * observation. The same for the subcommands, which wait, and for the explorer, which polls. */
#ifndef APP_LIVE_H
#define APP_LIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/source.h"

struct err;
struct obs_table;
struct str;
struct udd_model;

struct live_options {
	const struct source_ops *ops; /* &source_perf */
	const bool *counter;          /* per counter of the model: open it; NULL: all */
	char *const *argv;            /* NULL-terminated; copied */
	int out_fd, err_fd;           /* as in struct source_spec */
	bool no_input, own_group;
	struct source_keep *keep;     /* what runs share; NULL: nothing */
};

struct live;

/* The model must outlive it. */
struct live *live_new(const struct udd_model *, const struct live_options *);
void live_free(struct live *); /* ends a command that still runs */

/* From the next start on, this command; the observations so far stay. */
void live_set_command(struct live *, const struct live_options *);
void live_stop(struct live *); /* ends the command that runs; its totals are dropped */

/* Opens the counters and starts the command. False and *e when nothing can be counted or the command cannot start. */
bool live_start(struct live *, struct err *e);
bool live_running(const struct live *);
int live_wait_fd(const struct live *); /* readable when the command ends; -1 */

/* Look without blocking. True once when the command has ended: its totals have been added to live_table() as an
 * observation, unless *e says why not (e->what is empty when all is well). */
bool live_poll(struct live *, struct err *e);

/* The observations so far, one per run; owned by the live. Columns are the model's counters. */
const struct obs_table *live_table(const struct live *);
const struct source_end *live_end(const struct live *);       /* of the last run */
const struct source_status *live_status(const struct live *); /* per counter of the model, of the last start; NULL before */
double live_seconds(const struct live *);                     /* since the start of the present run */

/* Totals so far of the running command (not exact yet), per counter; false when there are none. */
bool live_peek(struct live *, long long *count, bool *counted);

/* What could not be counted, why and the remedy, grouped by reason: one line each, "" when all is well. */
void live_explain(const struct live *, struct str *out);

#endif
