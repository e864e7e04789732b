/* What the watched command prints: kept off the screen in a file that has no name, its end readable at any time. */
#ifndef APP_RUN_OUTPUT_H
#define APP_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct output;
struct str;

struct output *output_new(struct err *e); /* NULL and *e when no temporary file can be made */
void output_free(struct output *);
int output_fd(const struct output *); /* for the command; appends */

/* The last lines (at most 256 KB) into *text when something new came; *total gets the bytes printed in all. */
void output_read(struct output *, struct str *text, size_t *total);

/* A new file with this text. */
bool output_save(const char *path, const struct str *text, struct err *e);

#endif
