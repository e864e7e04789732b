/* Curves of probes in a session file (docs/session-file.md, "Curves"). */
#ifndef WORK_PROBE_PROBE_STORE_H
#define WORK_PROBE_PROBE_STORE_H

#include <stdbool.h>
#include <stddef.h>

struct curve;
struct err;
struct probe_book;
struct session_file;

/* True when a curve, or a part of one, is in no file yet. */
bool probe_store_is_behind(const struct probe_book *);
/* Writes what is new. Call it between session_file_begin() and session_file_commit(), and after the commit
 * probe_store_written(). */
bool probe_store_write(struct session_file *, const struct probe_book *, struct err *e);
void probe_store_written(struct probe_book *);
/* Makes everything count as new again, for another file. */
void probe_store_forget(struct probe_book *);

/* Reads all curves of a file into the book, and sets *n to their number. False and *e: it cannot be read. */
bool probe_store_read(struct session_file *, struct probe_book *, size_t *n, struct err *e);
/* Adds a curve to a session file, which is made if there is none. A curve of the same probe and machine is replaced. */
bool probe_store_append(
	const char *path, const char *machine, const char *probe, const struct curve *, bool whole, struct err *e);
/* Is this a session file, by its content or, if it is new, by its name (.hec, .hecate)? NULL: no. */
bool probe_store_is_for(const char *path);
/* Can curves be added to this file? */
bool probe_store_try(const char *path, struct err *e);

/* Does the session file of this path hold curves? Also false when it cannot be read. */
bool probe_store_holds(const char *path);

#endif
