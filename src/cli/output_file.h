/* The file that -o names, written as ordinary tools do:
 *
 *     no such file     a new file
 *     a file           replaced when all is written, or not at all; keeps its permission bits, and must be writable
 *     a link           the file that it points to, which need not exist; the link stays
 *     a device, FIFO   written directly, like open files in /proc, to which /dev/stdout leads */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct output_file {
	int fd;             /* -1: not open */
	char *file;         /* the file to be replaced; NULL: written directly */
	char *part;         /* the temporary file: a reader never sees half a file */
};

/* True when the file is written directly. */
bool output_file_is_straight(const char *path);

/* Opens the file. Returns false and sets errno as open(2) does on failure. Call output_file_close() in either case. */
bool output_file_open(struct output_file *, const char *path);
bool output_file_write(const struct output_file *, const char *text, size_t n);
/* `whole`: replaces the file; returns false and sets errno on failure. Otherwise nothing remains, except what was
 * written directly, and the result is true. */
bool output_file_close(struct output_file *, bool whole);

#endif
