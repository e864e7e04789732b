/* Text that comes in pieces, from a file, a pipe or memory: a window of it is in memory at a time.
 *
 *     … taken already …[ p ............ end )… still to come …        `over`: nothing comes after end
 *
 * Whoever reads moves p on and asks for more; what lies between p and end stays. Behind end are FEED_SLACK bytes that
 * may be read, and are 0. */
#ifndef COLLECT_IMPORT_FEED_H
#define COLLECT_IMPORT_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checksum.h"

struct err;
struct feed;
struct import_how;
struct obs_table;

#define FEED_SLACK 64
#define FEED_MARKS 3
#define FEED_WINDOW ((size_t)8 << 20) /* bytes that are wanted at once */
#define FEED_LONGEST ((size_t)1 << 30)   /* … and that may be wanted: a line that is longer is refused */

/* Asked when more has come, and now and then while nothing comes. */
struct feed_watch {
	bool (*go_on)(void *ctx, const struct feed *); /* false: as if the text ended here, and `stopped` is set */
	void *ctx;
};

struct feed {
	const char *name;      /* as it is shown */
	const char *p, *end;
	bool over;
	bool stopped;          /* … because somebody did not want to go on */
	const char *cut;       /* … in the middle of a row, which begins here and is left out; NULL: it is not */
	uint64_t before;       /* bytes of the text before p's window */
	uint64_t size;         /* bytes of all of it; 0: not known */
	double waiting;        /* seconds for which nothing has come */
	size_t window;         /* bytes that are wanted at once; 0: FEED_WINDOW */
	struct feed_watch watch;
	/* checksums of what has been taken are wanted: set with the marks before the first byte is asked for */
	bool summing;
	uint64_t mark[FEED_MARKS]; /* numbers of bytes whose checksums will be asked for */
	/* Private. */
	uint64_t mark_sum[FEED_MARKS];
	struct checksum sum;   /* of the bytes before buf */
	int fd;                /* -1: memory */
	uint64_t next;         /* of a file: where to read on */
	const char *text;      /* memory: what is still to come */
	size_t left, piece;    /* … its bytes, and how many come at once */
	char *buf;
	size_t cap;
};

/* From a descriptor, which stays the caller's. */
void feed_open(struct feed *, const char *name, int fd);
/* From memory, `piece` bytes at a time (0: all at once). */
void feed_text(struct feed *, const char *name, const char *text, size_t n, size_t piece);
void feed_close(struct feed *);

/* Makes the window larger by what comes next: about a window full, or, where more has to be waited for, what is there.
 * False and *e when it cannot be read, or when a window of FEED_LONGEST holds no end of a line. Not to be called when
 * it is over. */
bool feed_more(struct feed *, struct err *e);

/* Bytes of the text before p, and their checksum. */
uint64_t feed_at(const struct feed *, const char *p);
uint64_t feed_sum(const struct feed *, const char *p);
/* The checksum of the first mark[i] bytes, which lie before `end` at least. */
uint64_t feed_mark_sum(const struct feed *, size_t i);

/* Would feed_more() have to wait? */
bool feed_would_wait(const struct feed *);

/* What a reader of feeds makes of a text in memory that comes `piece` bytes at a time (0: all at once). */
typedef struct obs_table *feed_reader(struct feed *, const struct import_how *, struct err *);
struct obs_table *feed_read_text(feed_reader *, const char *name, const char *text, size_t n, size_t piece,
	const struct import_how *, struct err *);

#endif
