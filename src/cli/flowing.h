/* --flows in the subcommands that count here and now. */
#ifndef CLI_FLOWING_H
#define CLI_FLOWING_H

#include <stdbool.h>

struct err;
struct flow_run;
struct network;
struct options;
struct profile_spec;
struct recording;
struct work_live;

/* Flows on their way into a session file. */
struct flowing {
	struct flow_run *watch; /* NULL: --flows is not given */
	struct recording *into;
};

/* True when flows of a specification's programs are wanted: by --flows, by `report … flows;`, or because snapshots
 * end at switches and there is no `report`. */
bool flowing_wanted_for(const struct options *, const struct profile_spec *);

/* False, and a message, when --flows or --ring does not fit to what is counted. */
bool flowing_fits(const struct options *, bool counts, bool spec);

/* Makes the flow run, which joins the counters run. Does nothing without --flows. */
void flowing_begin(struct flowing *, const struct options *, const struct work_live *, const struct network *,
	const char *file, struct recording *into);
bool flowing_write(struct flowing *, struct err *e); /* writes new rows into the file */
void flowing_say(const struct flowing *, const struct options *); /* reports losses on standard error */
void flowing_end(struct flowing *);

#endif
