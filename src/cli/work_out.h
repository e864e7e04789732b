/* What a subcommand prints, as text or as a JSON document, on its way out while it is made: long ones never stand in
 * memory as a whole. */
#ifndef CLI_WORK_OUT_H
#define CLI_WORK_OUT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/work_sink.h"

struct options;

struct work_out {
	struct str text;
	struct json_writer json;
	/* Private. */
	struct json_drain drain;
	struct work_sink sink;
	struct err e;
	bool failed;
};

/* To --output (whole or not at all) or standard output. */
void work_out_begin(struct work_out *, const struct options *);

/* Between lines of a long text: it may go. */
void work_out_drain(struct work_out *);

/* False (said already) when it cannot be written. `good`: it is whole, else no file takes the place of one that is
 * there. */
bool work_out_end(struct work_out *, bool good);

#endif
