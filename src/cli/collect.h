/* The data of check and search: recorded data, and data that are counted now. */
#ifndef CLI_COLLECT_H
#define CLI_COLLECT_H

#include <stdbool.h>

#include "cli/counting.h"
#include "cli/model_args.h"

struct analysis;
struct options;

struct collection {
	struct model_args args;
	struct counting counting;  /* what the options ask to count now */
	struct analysis *analysis;
	size_t at;                 /* number of the counted table in the analysis */
};

/* Loads the model and all data into the analysis: the files of the arguments, then the counts of the command or target.
 * With `seen`, growing observations are judged as such. On failure prints why and returns false. Call collect_end() in
 * either case. `example`: options and command for the hint. */
bool collect_begin(struct collection *, const struct options *, const char *example, counting_seen *seen, void *ctx);
void collect_end(struct collection *);

#endif
