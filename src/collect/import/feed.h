/* Text that arrives in pieces from a file, a pipe or memory. One window of it is in memory at a time:
 *
 *     … read already …[ p ............ end )… not here yet …        `over`: nothing comes after end
 *
 * The reader moves p on and calls feed_more(); the text between p and end stays. The FEED_SLACK bytes after `end` are
 * readable and 0. */
#ifndef COLLECT_IMPORT_FEED_H
#define COLLECT_IMPORT_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/checksum.h"

struct err;
struct feed;
struct import_how;
struct obs_table;

#define FEED_SLACK 64
#define FEED_MARKS 3
/* Bytes of a normal window for each thread, small enough that its text and rows stay in the cache. */
#define FEED_WINDOW ((size_t)1 << 20)
#define FEED_LONGEST ((size_t)1 << 30)   /* bytes of the largest window: a longer line is refused */

/* Called when more text has arrived, and regularly while none arrives. */
struct feed_watch {
	bool (*go_on)(void *ctx, const struct feed *); /* false: the text ends here, and `stopped` is set */
	void *ctx;
};

struct feed {
	const char *name;      /* name as shown to the user */
	const char *p, *end;
	bool over;
	bool stopped;          /* go_on() returned false; `over` is set, too */
	bool hasty;            /* the guess of import_how.expect was wrong, so the table or the error is void */
	/* beginning of the row in the middle of which the text was stopped; the row is left out. NULL: none */
	const char *cut;
	uint64_t before;       /* bytes of the text before the window */
	uint64_t size;         /* bytes of the whole text; 0: unknown */
	double waiting;        /* seconds since anything arrived */
	size_t window;         /* bytes of a normal window; 0: FEED_WINDOW per thread */
	struct feed_watch watch;
	/* keep checksums of the text that is read. Set this, and `mark`, before the first call of feed_more() */
	bool summing;
	uint64_t mark[FEED_MARKS]; /* byte offsets up to which feed_mark_sum() will return checksums */
	/* Private. */
	struct budget budget; /* begins anew when a pipe makes the reader wait */
	uint64_t mark_sum[FEED_MARKS];
	struct checksum sum;   /* checksum of the bytes before buf */
	int fd;                /* -1: the text is in memory */
	uint64_t next;         /* offset of the next read from a regular file */
	const char *text;      /* text in memory that is still to come */
	size_t left, piece;    /* bytes left of `text`, and how many of them to deliver at once */
	char *buf;
	size_t cap;
};

/* Reads from a descriptor, which the caller keeps and closes. */
void feed_open(struct feed *, const char *name, int fd);
void feed_close(struct feed *);

/* Extends the window by about a full window's text or, if that would mean waiting, by what has arrived. Returns false
 * and sets *e when reading fails, or when FEED_LONGEST bytes hold no newline. Must not be called once `over` is set. */
bool feed_more(struct feed *, struct err *e);

/* For readers: hands rows to the drain, then calls feed_more(). On failure returns false and sets *e. */
bool feed_more_rows(struct feed *, const struct import_how *, struct obs_table *, struct err *e);

/* Returns the name of an observation that the data do not name: the file without folders and ending. "runs/a.b.csv"
 * gives "a.b", standard input gives "stdin". The caller frees it. */
char *feed_own_name(const char *file);

/* Return the number of bytes of the text before p, and their checksum. */
uint64_t feed_at(const struct feed *, const char *p);
uint64_t feed_sum(const struct feed *, const char *p);
/* Returns the checksum of the first mark[i] bytes; the window's `end` must lie at or after them. */
uint64_t feed_mark_sum(const struct feed *, size_t i);

/* Returns true when feed_more() would have to wait. */
bool feed_would_wait(const struct feed *);

/* Calls a reader of feeds on a text in memory that arrives `piece` bytes at a time (0: all at once). */
typedef struct obs_table *feed_reader(struct feed *, const struct import_how *, struct err *);
struct obs_table *feed_read_text(feed_reader *, const char *name, const char *text, size_t n, size_t piece,
	const struct import_how *, struct err *);

#endif
