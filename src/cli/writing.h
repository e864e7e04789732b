/* Output of a subcommand, text or JSON, which is written while it is made: a long one is never in memory as a whole. */
#ifndef CLI_WRITING_H
#define CLI_WRITING_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/output_file.h"

struct options;

/* Target of a long text: standard output, or a file, which is replaced when the text is complete, or not at all. */
struct writing_sink {
	const char *path; /* NULL: standard output */
	struct output_file target; /* open from the first byte on */
};

struct writing {
	struct str text;
	struct json_writer json;
	/* Private. */
	struct json_drain drain;
	struct writing_sink sink;
	struct err e;
	bool failed;
};

/* To --output (whole or not at all) or standard output. */
void writing_begin(struct writing *, const struct options *);

/* To be called between lines of a long text: may write it. */
void writing_drain(struct writing *);

/* False, and a message, when it cannot be written. `good`: it is complete; otherwise an existing file is kept. */
bool writing_end(struct writing *, bool good);

void writing_sink_begin(struct writing_sink *, const struct options *);

/* Empties the text. False and *e when it cannot be written. */
bool writing_sink_drain(struct writing_sink *, struct str *text, struct err *e);

/* Writes the rest. `good`: it is complete; otherwise nothing more is written, and no new file remains. False and *e as
 * above; always true without `good`. */
bool writing_sink_end(struct writing_sink *, const struct str *, bool good, struct err *e);

/* False and *e: no file can be made there, so what is computed for it would be lost. Makes none. */
bool writing_can(const char *path, struct err *e);
/* Writes a whole file, in the place of one that exists, or nothing and *e. */
bool writing_file(const char *path, const struct str *, struct err *e);
/* Writes to --output (whole or not at all) or standard output. False after a message. */
bool writing_text(const struct options *, const struct str *);
/* Writes the text to standard output at once, and empties it. False and *e on failure. */
bool writing_flush(struct str *, struct err *e);
/* True when no other file can be written next to it: standard output, a device, a FIFO. */
bool writing_is_stream(const struct options *);

#endif
