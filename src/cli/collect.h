/* What check and search judge: recorded data, and what is counted here and now. */
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
	struct work_live watch;   /* what the options say of counting here and now */
	struct source_keep *keep;
	struct analysis *analysis;
	struct counters_run *live;        /* NULL: nothing was counted here */
	size_t at;                /* the place in the analysis of what is counted here */
};

/* The model, and all data in the analysis: that of the arguments, then what the command or the watching gives. False
 * when it has been said what is wrong; collect_end() in either case. `example`: options and command that the hint
 * proposes. */
bool collect_begin(struct collection *, const struct options *, const char *example);
/* The same, with somebody who looks at the rows while they come: observations that grow are then judged as such. The
 * collection is as collect_begin() makes it, but for the table of what is counted. */
bool collect_watched(struct collection *, const struct options *, const char *example, run_seen *, void *ctx);
void collect_end(struct collection *);

#endif
