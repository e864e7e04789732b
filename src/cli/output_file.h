/* The file that -o names, written as ordinary tools do:
 *
 *     no such file     a new file
 *     a file           replaced when all is written, or not at all; keeps its permission bits, and must be writable
 *     a link           the file that it points to, which need not exist; the link stays
 *     a device, FIFO   written directly, like files of /proc that are open already, as /dev/stdout is */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct output_file {
	int fd;             /* -1: not open */
	char *file;         /* the file to be replaced; NULL: written directly */
	char *part;         /* the temporary file: a reader never sees half a file */
};

/* True when it is written directly. */
bool output_file_is_straight(const char *path);

/* What open() would set errno to when it fails. output_file_close() in either case. */
bool output_file_open(struct output_file *, const char *path);
bool output_file_write(const struct output_file *, const char *text, size_t n);
/* `whole`: the file is replaced. Otherwise nothing remains, except what was written directly. False and errno on
 * failure; always true without `whole`. */
bool output_file_close(struct output_file *, bool whole);

#endif
