/* Output of a subcommand, as text or JSON. It is written while it is made, so that a long output is never in memory as
 * a whole. */
#ifndef CLI_WRITING_H
#define CLI_WRITING_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/output_file.h"

struct options;

/* Target of a long text: standard output, or a file that is replaced only when the text is complete. */
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

/* Begins to write to --output (whole or not at all) or to standard output. */
void writing_begin(struct writing *, const struct options *);

/* Writes what has gathered, if it is long. Call it between the lines of a long text. */
void writing_drain(struct writing *);

/* Writes the rest. If that fails, prints a message and returns false. `good`: the output is complete; otherwise an
 * existing file is kept. */
bool writing_end(struct writing *, bool good);

void writing_sink_begin(struct writing_sink *, const struct options *);

/* Writes the text and empties it. Returns false and sets *e on failure. */
bool writing_sink_drain(struct writing_sink *, struct str *text, struct err *e);

/* Writes the rest. `good`: the output is complete; otherwise nothing more is written, no new file remains, and the
 * result is true. Returns false and sets *e on failure. */
bool writing_sink_end(struct writing_sink *, const struct str *, bool good, struct err *e);

/* Checks, without making a file, that one can be made at `path`, so that no result is computed in vain. Returns false
 * and sets *e if not. */
bool writing_can(const char *path, struct err *e);
/* Writes a whole file, which replaces an existing one. On failure writes nothing, returns false and sets *e. */
bool writing_file(const char *path, const struct str *, struct err *e);
/* Writes the text to --output (whole or not at all) or standard output. On failure prints a message, returns false. */
bool writing_text(const struct options *, const struct str *);
/* Writes the text to standard output at once, and empties it. Returns false and sets *e on failure. */
bool writing_flush(struct str *, struct err *e);
/* True when the output is standard output, a device or a FIFO, so that no other file can be written next to it. */
bool writing_is_stream(const struct options *);

#endif
