/* The observation table: what counters said, as exact integers, with how far each can be trusted. Whoever may be given
 * the table of a long session file gets at cells by obs_rows() of core/obs/rows.h; all others find them here. */
#ifndef CORE_OBS_OBS_H
#define CORE_OBS_OBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

enum obs_health {
	OBS_LIVE,         /* counted, and seen to rise or known to be honest */
	OBS_ZERO_SUSPECT, /* counted 0 always where 0 is suspicious */
	OBS_DEAD,         /* counts, but never anything: not in any verdict */
	OBS_UNSUPPORTED,  /* could not be opened */
	OBS_ABSENT,       /* no cell counted in this observation */
};

/* Turns that multiplexed counters took. */
struct obs_rotation {
	double period;  /* seconds of a whole rotation, on average; 0: none, or not known */
	/* seconds: the program's period, which keeps step with that rotation, so that counts are off alike in all
	 * rows; 0: it does not, or that is not known */
	double locked;
	/* of turns in random order and of random length, with which nothing keeps step; 0: the kernel's fixed ones */
	uint64_t seed;
};

/* One observation: M rows (samples) of C columns. A cell is a count in units of 10^-decimals: 2500 with decimals 3
 * is 2.5. */
struct obs {
	char *name;              /* unique in its table; "#2", "#3" are added to equal ones */
	char *source;            /* where it came from: a file, a command line */
	bool exact;              /* the rows are exact totals: no noise model */
	/* it is judged again and again while it grows, so that what is said of it must hold at every look */
	bool peeked;
	/* times are since the beginning of the first row's interval, so that one is as long as its time says */
	bool since_start;
	/* its source does not list what is 0 throughout: a counter that it could have listed and did not is 0 */
	bool silent_zeros;
	size_t n_rows, n_columns;
	int64_t *count;          /* n_rows × n_columns */
	unsigned char *counted;  /* n_rows × n_columns: 1 where the cell was counted, 0 where it is empty */
	/* n_rows seconds, at the end of each interval, or NULL; of a lone exact row: how long it took */
	double *time;
	/* n_rows × n_columns: share of the interval on a counter, 0 … 1, the count being scaled up; NULL: all 1 */
	double *running;
	/* n_rows × n_columns: standard error that the source itself states, in counts (not in units of 10^-decimals);
	 * NULL: none */
	double *error;
	/* rows are read while this many tasks (or CPUs) run, each of which may tear a row by 1; 0: no tearing */
	double tasks;
	struct obs_rotation rotation; /* of its multiplexed counters */
	double runs;             /* of a lone row with stated errors: it is the mean of so many runs; 0: not known */
	enum obs_health *health; /* n_columns */
	int decimals;
	size_t folded;           /* rows that went into others (obs_fold()): n_rows + folded were added in all */
	size_t sums;             /* … and so many rows, the first ones, are sums of several */
	/* Of a long observation whose samples were added up evenly (core/obs/gather.h); otherwise 0 and NULL. */
	size_t per_row;          /* samples in a row, a power of two; the last row may hold fewer */
	/* n_rows × n_columns: samples that counted the cell; NULL: all of its row where it is counted */
	uint32_t *of;
	struct obs_total *total; /* n_columns: over all samples */
	/* Private to core/obs/rows.h: where the cells lie if they are not in memory. Then count, counted, running and
	 * error are NULL, and obs_rows() brings what is asked for. */
	struct obs_shelf *shelf;
	size_t on_shelf;
	size_t *changes; /* private: its table's; NULL: it is in none */
};

struct obs_table {
	char **column; /* counter or event names as the source gave them */
	size_t n_columns;
	struct obs **obs;
	size_t n, cap;
	char **note; /* what a reader of the data must know: sentences, with the file and where it helps the line */
	size_t n_notes;
	size_t changes; /* rises whenever observations or rows come or go */
	/* Private: the names in use, and for each the last number that was given out behind it. */
	struct names names;
	unsigned *last;
	size_t last_cap;
	struct obs_shelf *shelf; /* of observations whose cells are far (core/obs/rows.h); NULL: all are in memory */
};

struct obs_table *obs_table_new(const char *const *column, size_t n_columns);
void obs_table_free(struct obs_table *);

/* One more column, behind the others: no row of any observation has counted it. */
void obs_table_add_column(struct obs_table *, const char *name);

/* Append an empty observation (n_rows 0) and return it; the table owns it. The name is made unique. */
struct obs *obs_table_add(struct obs_table *, const char *name, const char *source);

/* Append rows of a like observation, with their quality, health and tasks. False when the columns differ. */
bool obs_add_rows(struct obs *, const struct obs *rows);
void obs_free(struct obs *); /* one that is in no table */
void obs_fit(struct obs *);  /* arrays that were filled by other means get room for obs_add_row() */

/* Take one out again; those behind it move up. */
void obs_table_drop(struct obs_table *, size_t at);

/* Append one row; counts and counted have n_columns entries, counted NULL means all; time NAN when unknown. */
void obs_add_row(struct obs *, const int64_t *count, const unsigned char *counted, double time);

/* Takes rows together: those that end up to end[0] become one, then those up to end[1], … ; later rows stay as they
 * are. Times and ends ascend. A count is the sum of its counts; where some rows lack it, it is scaled up to the whole
 * time, and its share of time says so, as of a multiplexed counter. */
void obs_fold(struct obs *, const double *end, size_t n);

/* Row `from` to the place of row `to`: cells, how far they can be trusted, and time. */
void obs_move_row(struct obs *, size_t to, size_t from);

/* So that it never has more than `most` rows, a power of two: when it has so many, the older half of them is folded in
 * pairs. Rows are then the shorter the newer they are. */
void obs_keep(struct obs *, size_t most);

/* Its rows have been written elsewhere, and go; those that come are added behind them (`folded` counts them). */
void obs_drop_rows(struct obs *);

/* As if the column had never been counted in this observation; its health becomes `why`. */
void obs_forget_column(struct obs *, size_t column, enum obs_health why);

/* Append a sentence to the table's notes; the table takes the text, which malloc() gave. */
void obs_table_note(struct obs_table *, char *text);

/* How far one cell of the last row can be trusted: its share of time on a counter (1: all), its stated standard error
 * (0: none). */
void obs_set_quality(struct obs *, size_t column, double running, double error);

/* Shares of time, or stated errors, stand beside the cells from now on: 1 each, or 0, so far. */
void obs_tell_running(struct obs *);
void obs_tell_error(struct obs *);

/* Append rows first … first + n − 1 of an observation, of this table or of one with as many columns, as a new one. */
struct obs *obs_table_add_part(struct obs_table *, const struct obs *, const char *name, size_t first, size_t n);

const char *obs_health_name(enum obs_health);

#endif
