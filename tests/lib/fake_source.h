/* A source that follows a script, so that everything above the kernel can be tested without one. */
#ifndef TESTS_FAKE_SOURCE_H
#define TESTS_FAKE_SOURCE_H

#include "collect/source.h"

#define FAKE_COUNTERS 16

struct fake_row {
	int64_t count[FAKE_COUNTERS];
	bool blind[FAKE_COUNTERS];     /* the counter did not run in this interval */
	double running[FAKE_COUNTERS]; /* share of the interval; 0: all of it */
	size_t missed;
	double tasks;
};

struct fake_script {
	struct source_status status[FAKE_COUNTERS]; /* status of the counters when the source is opened */
	/* events that this machine lacks: their counters are refused; if none is left, opening fails */
	const char *lacking[4];
	const char *whole;          /* an event that counts on all CPUs, whichever are asked for; NULL: none */
	const struct fake_row *row;
	size_t n_rows;
	size_t repeat;              /* number of times that the rows are repeated; 0: 1 */
	bool goes_on;               /* the command does not end after the rows */
	/* counts after the last row; NULL: a row of zeros */
	const struct fake_row *last;
	struct source_end end;
	unsigned ignored_stops;     /* number of calls of stop() that are ignored */
	const char *open_error, *read_error;
	size_t row_error;           /* number of the row that cannot be read; 0: none */
};

/* The calls since fake_play(). */
struct fake_seen {
	unsigned opened, started, stopped, closed;
	size_t n_counters;
	unsigned interval_ms;
	bool lose_cpus;
	/* the counters of the last opening, each as "name=event+event@cpu,cpu" */
	char counter[FAKE_COUNTERS][128];
};

/* Sets the script of the next source_fake.open(). It must stay valid as long as the opened source. */
void fake_play(const struct fake_script *);
const struct fake_seen *fake_seen(void);

/* Gives one row for each round of row() calls: the next call reports that none is due. */
extern const struct source_ops source_fake;

#endif
