/* --flows: what the subcommands that count here and now share. */
#ifndef CLI_FLOWING_H
#define CLI_FLOWING_H

#include <stdbool.h>

#include "app/run/spec_run.h"
#include "base/err.h"
#include "cli/run_live.h"

struct flow_run;
struct flow_watch;
struct live;
struct network;
struct options;
struct profile_spec;
struct recording;
struct work_live;

/* Flows on their way into a session file. */
struct flowing {
	struct flow_watch *watch; /* NULL: none are asked for */
	struct recording *into;
	const struct live *live;  /* to be set before the run */
	struct run_beside beside;
};

/* Flows of a specification's programs, beside what is counted of them. */
struct flowing_spec {
	const struct profile_spec *spec;
	struct flow_run *run;
	bool needed;       /* --flows: nothing without them */
	bool begun;
	bool *told;        /* … set then; to be filled in before. NULL: nobody asks */
	struct err why;    /* … or why not */
	struct spec_run_beside beside;
};

/* Are they asked for: --flows, `report … flows;`, or switches at which snapshots are closed, and the report may have
 * flows? */
bool flowing_spec_wanted(const struct options *, const struct profile_spec *);
/* It must stay where it is. The run is the caller's. */
void flowing_spec_begin(struct flowing_spec *, const struct options *, const struct profile_spec *, struct flow_run *);

/* Do --flows and --ring fit to what is counted? False (said already) when they do not. */
bool flowing_fits(const struct options *, bool counts, bool spec);

/* Nothing without --flows. It must stay where it is. */
void flowing_begin(struct flowing *, const struct options *, const struct work_live *, const struct network *,
	const char *file, struct recording *into);
bool flowing_write(struct flowing *, struct err *e); /* what is new, into the file */
void flowing_say(const struct flowing *, const struct options *); /* what was lost, on standard error */
void flowing_end(struct flowing *);

#endif
