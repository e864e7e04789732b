/* Where a long text goes while it is made: standard output, or the file of --output, which takes the place of one that is there when it is whole, or not at all. */
#ifndef CLI_WORK_SINK_H
#define CLI_WORK_SINK_H

#include <stdbool.h>

struct err;
struct options;
struct str;

struct work_sink {
	const char *path; /* NULL: standard output */
	char *beside;     /* … the file that it is written to first; NULL before the first byte */
	int fd;
};

void work_sink_begin(struct work_sink *, const struct options *);
void work_sink_begin_file(struct work_sink *, const char *path); /* which must outlive it */

/* Empties the text. False and *e when it cannot be written. */
bool work_sink_drain(struct work_sink *, struct str *, struct err *e);

/* The last of it; `good`: it is whole. Otherwise nothing more is written, and no file is there that was not before. False and *e as above; true where it is not good. */
bool work_sink_end(struct work_sink *, const struct str *, bool good, struct err *e);

#endif
