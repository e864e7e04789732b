/* The rows of a session file as lines of line protocol, each of them once, also while the file grows, and after an end
 * of this process. The session file itself is the spool: what was taken is kept in FILE.sent, one line for each
 * destination, and what was not is read again. */
#ifndef WORK_TIMELINE_METRICS_FEED_H
#define WORK_TIMELINE_METRICS_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct str;

struct metrics_feed;

/* `to`: the destination, by its name; NULL: one of which nothing is kept, and which gets all rows. Returns NULL and
 * sets *e if FILE.sent cannot be read. Free with metrics_feed_free(). */
struct metrics_feed *metrics_feed_new(const char *path, const char *to, struct err *e);
void metrics_feed_free(struct metrics_feed *);

/* Bytes that the destination had when the last lines were taken. */
uint64_t metrics_feed_bytes(const struct metrics_feed *);

/* Appends the lines that come next, of at most 1000 rows of each observation; nothing if all were taken. *ended: the
 * run has ended, and these are its last lines. Returns false and sets *e on failure. */
bool metrics_feed_read(struct metrics_feed *, struct str *out, bool *ended, struct err *e);

/* The lines of the last metrics_feed_read() were taken by the destination, which now has so many bytes. Returns false
 * and sets *e if that cannot be kept. */
bool metrics_feed_taken(struct metrics_feed *, uint64_t bytes, struct err *e);

/* Rows that were read and not taken. */
size_t metrics_feed_waiting(const struct metrics_feed *);

#endif
