/* The output of the command, in a file without a name instead of on the screen; its end can be read at any time. */
#ifndef WORK_RUN_OUTPUT_H
#define WORK_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct output;
struct str;

struct output *output_new(struct err *e); /* NULL and *e when no temporary file can be made */
void output_free(struct output *);
int output_fd(const struct output *); /* for the command to write to; appends */

/* Puts the last lines (at most 256 KB) into *text if there are new ones; *total gets the number of bytes printed. */
void output_read(struct output *, struct str *text, size_t *total);

/* Writes the text into a new file. */
bool output_save(const char *path, const struct str *text, struct err *e);

#endif
