/* What check and search judge: recorded data, and what is counted here and now. */
#ifndef CLI_COLLECT_H
#define CLI_COLLECT_H

#include <stdbool.h>

struct analysis;
struct job;
struct live;
struct options;
struct source_keep;
struct work_live;

/* Put the data of the arguments into the analysis, and then what the command or the watching gives; *live is NULL without, and else the
 * caller's to free. False when it has been said what is wrong. */
bool collect_data(const struct options *, const struct work_live *, const struct job *, struct analysis *, struct source_keep *, struct live **live);

#endif
