/* Output of a subcommand, text or JSON, which is written while it is made: a long one is never in memory as a whole. */
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

/* To be called between lines of a long text: may write it. */
void work_out_drain(struct work_out *);

/* False, and a message, when it cannot be written. `good`: it is complete; otherwise an existing file is kept. */
bool work_out_end(struct work_out *, bool good);

#endif
