/* The file that -o names, as ordinary tools take it:
 *
 *     nothing there          a new file
 *     a file                 its place is taken when all is written, or not at all; it keeps its permission bits, and
 * must be writable a link                 the file it points to, be it there or not; the link stays device, FIFO, …
 * written straight into; so are files that are open already and named by way of /proc, as /dev/stdout is */
#ifndef CLI_WORK_TARGET_H
#define CLI_WORK_TARGET_H

#include <stdbool.h>
#include <stddef.h>

struct work_target {
	int fd;             /* -1: not open */
	char *file;         /* NULL: written straight into; else the file whose place is to be taken */
	char *part;       /* … and that it is written to first: a reader never sees half a file */
};

/* Is it one that is written straight into? */
bool work_target_is_straight(const char *path);

/* What open() would set errno to when it fails. work_target_close() in either case. */
bool work_target_open(struct work_target *, const char *path);
bool work_target_write(const struct work_target *, const char *text, size_t n);
/* `whole`: it takes its place. Otherwise nothing is left of it, but what was written straight. False and errno; true
 * where it is not whole. */
bool work_target_close(struct work_target *, bool whole);

#endif
