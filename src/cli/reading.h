/* Reads data for subcommands: several files in parallel, with a line of progress on the terminal, and Ctrl-C to end
 * what comes through a pipe. */
#ifndef CLI_READING_H
#define CLI_READING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/signals.h"
#include "work/files/data.h"

struct obs_table;
struct options;

/* Progress, if standard error is a terminal; nothing otherwise, or under --quiet. Waiting is reported everywhere except
 * under --quiet. */
struct reading {
	bool shows, quiet, holds;
	struct signals signals;
	pthread_mutex_t lock;  /* protects the members below: several threads may read */
	uint64_t done, of;     /* bytes of files that are read completely, or being read */
	double begin, shown_at;
	size_t width;          /* length of the line on the terminal */
	bool said_waiting;
};

/* `holds`: Ctrl-C and other signals end reading, and the rows so far are kept. */
void reading_begin(struct reading *, const struct options *, bool holds);
void reading_end(struct reading *);
/* Prints a line over the one before, if it is time for one: of progress that is not about a file. */
void reading_line(struct reading *, const char *text);
/* Callback of data_watch and ingest_how: false after a signal. */
bool reading_go_on(void *reading, const struct data_progress *);

/* Reads all files in parallel. If one cannot be read, prints a message and returns false, and all of `table` is
 * NULL. */
bool reading_tables(const struct options *, const char *const *path, size_t n, struct obs_table **table);

/* Index of the first DATA argument: after the model, or 0 if the first argument is a session file with its model. */
size_t reading_first(const struct options *);
/* Reads one DATA argument. If it cannot be read, prints a message and returns NULL. */
struct obs_table *reading_table(const struct options *, const char *path);
/* The same for callers that read cells by core/obs/rows.h: the cells of a long session file stay in it. */
struct obs_table *reading_open(const struct options *, const char *path);
/* Prints a message and returns false if wanted rows could not be read. */
bool reading_is_whole(const struct obs_table *);

#endif
