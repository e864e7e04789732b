/* Data as subcommands read them: several files at once, with a line on the terminal about how far they are, and Ctrl-C
 * for what comes through a pipe. */
#ifndef CLI_READING_H
#define CLI_READING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/files/data.h"
#include "cli/run_live.h"

struct obs_table;
struct options;

/* How far it is, on a terminal's standard error; nothing where that is none, or under --quiet. What is waited for is
 * said everywhere but under --quiet. */
struct reading {
	bool shows, quiet, holds;
	struct run_signals signals;
	pthread_mutex_t lock;  /* of what follows: several threads may read */
	uint64_t done, of;     /* bytes of files that have been read, or are being */
	double begin, shown_at;
	size_t width;          /* of the line that stands there */
	bool said_waiting;
};

/* `holds`: Ctrl-C and the like end reading, and what came is kept. */
void reading_begin(struct reading *, const struct options *, bool holds);
void reading_end(struct reading *);
/* For data_watch and ingest_how: false when a signal has come. */
bool reading_go_on(void *reading, const struct data_progress *);

/* All of these, side by side. False (said already), and all of `table` is NULL, when one cannot be read. */
bool reading_tables(const struct options *, char *const *path, size_t n, struct obs_table **table);

#endif
