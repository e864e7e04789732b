/* --flows: what the subcommands that count here and now share. */
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

/* Are flows of a specification's programs asked for: --flows, `report … flows;`, or switches at which snapshots are
 * closed, and the report may have flows? */
bool flowing_wanted_for(const struct options *, const struct profile_spec *);

/* Do --flows and --ring fit to what is counted? False (said already) when they do not. */
bool flowing_fits(const struct options *, bool counts, bool spec);

/* Nothing without --flows. The watch joins the run that counts. */
void flowing_begin(struct flowing *, const struct options *, const struct work_live *, const struct network *,
	const char *file, struct recording *into);
bool flowing_write(struct flowing *, struct err *e); /* what is new, into the file */
void flowing_say(const struct flowing *, const struct options *); /* what was lost, on standard error */
void flowing_end(struct flowing *);

#endif
