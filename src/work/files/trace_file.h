/* A file with a trace, as --trace names it, and its name in the text of a simulation:
 *
 *     sim:core:trace,file=lackey%3A/tmp/ls.trace.gz:samples=8 */
#ifndef WORK_FILES_TRACE_FILE_H
#define WORK_FILES_TRACE_FILE_H

#include <stdbool.h>

struct err;

struct trace_file {
	int fd;
	int format; /* enum sim_trace_format; −1: recognised by content */
	char *name; /* FILE or FORMAT:FILE, with the whole path; NULL: standard input, which cannot be read again */
};

/* Opens FILE, FORMAT:FILE or -. Returns false and sets *e on failure. Call trace_file_close() in either case. */
bool trace_file_open(const char *text, struct trace_file *, struct err *e);
void trace_file_close(struct trace_file *);

/* Returns the workload "trace" or "trace:PARAMETERS" with the file as one more parameter; the caller frees it. */
char *trace_file_workload(const struct trace_file *, const char *workload);

/* Takes a trace out of the text of a simulation. *without becomes the rest, and *name the argument of
 * trace_file_open(), or NULL if the text names no file. The caller frees both. False: the text has no trace, and both
 * are NULL. */
bool trace_file_split(const char *simulation, char **without, char **name);

#endif
