/* The data of check and search: recorded, and counted here and now. */
#ifndef CLI_COLLECT_H
#define CLI_COLLECT_H

#include <stdbool.h>

#include "cli/run_live.h"
#include "cli/work.h"

struct analysis;
struct counters_run;
struct options;
struct source_keep;

struct collection {
	struct job job;
	struct work_live watch;   /* what the options ask to be counted here and now */
	struct source_keep *keep;
	struct analysis *analysis;
	struct counters_run *live;        /* NULL: nothing was counted here */
	size_t at;                /* its table's number in the analysis */
};

/* Loads the model and all data into the analysis: the files of the arguments, then the counts of the command or target.
 * False when it failed and reported why; collect_end() in either case. `example`: options and command for the hint. */
bool collect_begin(struct collection *, const struct options *, const char *example);
/* The same, with a callback that reads the rows while they come: growing observations are then judged as such. Only the
 * table of the counts differs from collect_begin(). */
bool collect_watched(struct collection *, const struct options *, const char *example, run_seen *, void *ctx);
void collect_end(struct collection *);

#endif
