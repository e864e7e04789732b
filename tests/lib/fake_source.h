/* A source that follows a script: everything above the kernel can be tested without one. */
#ifndef TESTS_FAKE_SOURCE_H
#define TESTS_FAKE_SOURCE_H

#include "collect/source.h"

#define FAKE_COUNTERS 16

struct fake_row {
	int64_t count[FAKE_COUNTERS];
	bool blind[FAKE_COUNTERS];     /* did not run in this interval */
	double running[FAKE_COUNTERS]; /* 0: all the time */
	size_t missed;
	double tasks;
};

struct fake_script {
	struct source_status status[FAKE_COUNTERS]; /* at the opening */
	/* events that this machine lacks: their counters are refused, and the opening if it lacks them all */
	const char *lacking[4];
	const char *whole;          /* an event that counts on all CPUs, whichever are asked for; NULL */
	const struct fake_row *row;
	size_t n_rows;
	size_t repeat;              /* the rows come so often; 0: once */
	bool goes_on;               /* the command does not end with its rows */
	/* counts after the last row; NULL: a row of zeros */
	const struct fake_row *last;
	struct source_end end;
	unsigned deaf;              /* calls of stop() that are ignored */
	const char *open_error, *read_error;
	size_t row_error;           /* this row cannot be read; 0: all can */
};

/* What has happened since fake_play(). */
struct fake_seen {
	unsigned opened, started, stopped, closed;
	size_t n_counters;
	unsigned interval_ms;
	bool lose_cpus;
	/* Of the last opening: "name=event+event@cpu,cpu" of each counter. */
	char counter[FAKE_COUNTERS][128];
};

/* The script of the next source_fake.open(); must stay while that lives. */
void fake_play(const struct fake_script *);
const struct fake_seen *fake_seen(void);

/* One row for each round of row() calls: the next call says that none is due. */
extern const struct source_ops source_fake;

#endif
