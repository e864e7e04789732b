/* Target of a long text while it is made: standard output, or the file of --output (cli/work_target.h), which
 * replaces an existing file when it is complete, or not at all. */
#ifndef CLI_WORK_SINK_H
#define CLI_WORK_SINK_H

#include <stdbool.h>

#include "cli/work_target.h"

struct err;
struct options;
struct str;

struct work_sink {
	const char *path; /* NULL: standard output */
	struct work_target target; /* open from the first byte on */
};

void work_sink_begin(struct work_sink *, const struct options *);
void work_sink_begin_file(struct work_sink *, const char *path); /* which must outlive it */

/* Empties the text. False and *e when it cannot be written. */
bool work_sink_drain(struct work_sink *, struct str *text, struct err *e);

/* Writes the rest. `good`: it is complete; otherwise nothing more is written, and no new file remains. False and *e as
 * above; always true without `good`. */
bool work_sink_end(struct work_sink *, const struct str *, bool good, struct err *e);

#endif
