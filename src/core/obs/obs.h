/* The observation table: what counters showed, as exact integers, and how far each value can be trusted. Cells may be
 * "far": still in a long session file, or packed as the explorer's recorded tables are. Code that may get such a table
 * reads cells with obs_rows() or obs_near() (core/obs/rows.h). All other code reads the arrays in struct obs directly.
 */
#ifndef CORE_OBS_OBS_H
#define CORE_OBS_OBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

enum obs_health {
	OBS_LIVE,         /* counted; a 0 may mean that nothing happened, or that nobody counted */
	OBS_HONEST,       /* counted by a source that vouches for it: a 0 is a measured 0 */
	OBS_ZERO_SUSPECT, /* counted, but always 0 where that is suspicious */
	OBS_DEAD,         /* counted, but never rises: takes part in no verdict */
	OBS_UNSUPPORTED,  /* could not be opened */
	OBS_ABSENT,       /* no cell counted in this observation */
};

/* What a cell holds. */
enum obs_cell {
	OBS_EMPTY,   /* nothing: it was not counted */
	OBS_COUNTED, /* a count */
	/* an estimate for display: the sum over rows in which some cells are empty, scaled up to the time of all rows
	 * (obs_fold()). It covers other moments than the cells next to it, so no verdict uses it. */
	OBS_PART,
};

/* How an observation came about; each NULL: not known. */
struct obs_origin {
	char *cpu;     /* the processor that was counted: "GenuineIntel family 6 model 60" */
	char *machine; /* a JSON object: kernel, processor, microcode, codes of the events (docs/session-file.md) */
	char *command; /* JSON array of texts: the command that ran, if a session file says so */
	char *started; /* UTC, "2026-01-31T12:00:00Z", likewise */
};

/* How multiplexed counters took turns. */
struct obs_rotation {
	double period;  /* average seconds of a whole rotation; 0: none, or unknown */
	/* seconds: the period of a program that keeps step with the rotation, so that all rows are off in the same way;
	 * 0: no program keeps step, or that is unknown */
	double locked;
	/* turns in random order and of random length, with which no program keeps step; 0: the kernel's fixed turns */
	uint64_t seed;
	/* constraints of the model between counters that take turns, and how many of them have all counters in one set;
	 * not kept in files */
	size_t constraints, whole;
};

/* One observation: M rows (samples) of C columns. A cell is a count in units of 10^-decimals: with decimals 3, 2500 is
 * 2.5. */
struct obs {
	char *name;              /* unique in its table; the second of two equal names gets "#2", the third "#3" */
	size_t renamed;          /* how often it got another name (obs_table_rename()) */
	char *source;            /* where it came from: a file, a command line */
	struct obs_origin origin;
	bool exact;              /* the rows are exact totals, without a noise model */
	/* tested repeatedly while it grows: its verdicts must hold at every test */
	bool peeked;
	/* times are measured from the beginning of the first row's interval, so the first row's time is its length */
	bool since_start;
	/* its source does not list counters that are 0: a counter that the source knows and does not list is 0 */
	bool silent_zeros;
	size_t n_rows, n_columns;
	int64_t *count;          /* n_rows × n_columns */
	unsigned char *counted;  /* n_rows × n_columns of enum obs_cell */
	/* n_rows: end of each row's interval, in seconds; of a single exact row, its duration; NULL: unknown */
	double *time;
	/* n_rows × n_columns: share of the interval that the counter ran, 0 … 1; the count is scaled up; NULL: all 1 */
	double *running;
	/* n_rows × n_columns: standard error that the source states, in counts (not in units of 10^-decimals); NULL:
	 * none */
	double *error;
	/* number of tasks (or CPUs) that run while rows are read, each of which may tear a row by 1 (make its counters
	 * differ by 1); 0: rows are not torn. Above 0 for an exact total of unknown duration: its counters started and
	 * stopped one after the other */
	double tasks;
	struct obs_rotation rotation; /* turns of the multiplexed counters */
	/* for a total, a single row: the seconds that passed while it was counted; its time may be that of several CPUs
	 * together, or of a task. 0: not known */
	double elapsed;
	double elapsed_error;    /* standard error of a mean of several runs; 0: it is none. Not kept in files */
	double runs;             /* for a single row with stated errors, the number of runs it averages; 0: unknown */
	enum obs_health *health; /* n_columns */
	int decimals;
	/* rows that were added to others by obs_fold(): n_rows + folded rows were added in all */
	size_t folded;
	size_t sums;             /* number of rows, the first ones, that are sums of several */
	/* For a long observation whose samples were gathered evenly (core/obs/gather.h); otherwise 0 and NULL: */
	size_t per_row;          /* samples in a row, a power of two; the last row may hold fewer */
	/* n_rows × n_columns: number of samples that counted the cell; NULL: all samples of the row, if the cell is
	 * counted */
	uint32_t *of;
	struct obs_total *total; /* n_columns: totals over all samples */
	/* whole, n_rows × n_columns: sums over only those samples that have every column of the observation; whole_of,
	 * n_rows: the number of these samples. NULL: every sample has every column */
	int64_t *whole;
	uint32_t *whole_of;
	struct obs_repeat *repeat; /* private to core/obs/repeat.c; NULL */
	/* Private to core/obs/rows.h: where the cells are if they are not in memory. Then count, counted, running and
	 * error are NULL, and obs_rows() reads the rows that are needed. */
	struct obs_shelf *shelf;
	size_t on_shelf;
	size_t *changes; /* private: its table's count of changes; NULL: it is in no table */
};

struct obs_table {
	char **column; /* names of counters or events as the source gave them */
	size_t n_columns;
	struct obs **obs;
	size_t n, cap;
	char **note; /* what a reader of the data must know: sentences with the file and, where it helps, the line */
	size_t n_notes;
	/* kinds of the first n_about notes (enum obs_note); the kinds of later notes are unknown */
	unsigned char *about;
	size_t n_about;
	size_t changes; /* rises whenever observations or rows are added or removed */
	/* Private: the names of observations in use, and for each name the last number that was appended to it. */
	struct names names;
	unsigned *last;
	size_t last_cap;
	struct obs_shelf *shelf; /* for observations whose cells are far (core/obs/rows.h); NULL: all are in memory */
};

struct obs_table *obs_table_new(const char *const *column, size_t n_columns);
void obs_table_free(struct obs_table *);

/* Appends a column whose cells are empty in all observations. */
void obs_table_add_column(struct obs_table *, const char *name);

/* Appends an empty observation (n_rows 0) and returns it; the table owns it. The name is made unique. */
struct obs *obs_table_add(struct obs_table *, const char *name, const char *source);
/* Gives an observation of the table another name, which is made unique. The old one stays taken. */
void obs_table_rename(struct obs_table *, struct obs *, const char *name);

/* Appends the rows of an observation with the same columns, with their quality, health and tasks. Returns false when
 * the columns differ. */
bool obs_add_rows(struct obs *, const struct obs *rows);
void obs_copy_origin(struct obs *, const struct obs_origin *);
void obs_free(struct obs *); /* for an observation that is in no table */
void obs_fit(struct obs *);  /* gives arrays that were filled by other means the capacity that obs_add_row() expects */

/* Removes and frees an observation; those after it move up. */
void obs_table_drop(struct obs_table *, size_t at);
void obs_table_drop_marked(struct obs_table *, const bool *marked); /* the same for all that are marked */

/* Appends one row; count and counted (of enum obs_cell) have n_columns entries. counted NULL: all cells are counted;
 * time NAN: unknown. */
void obs_add_row(struct obs *, const int64_t *count, const unsigned char *counted, double time);

/* Adds up rows: those that end at or before end[0] become one row, then those that end at or before end[1], and so on;
 * later rows stay. Times and ends ascend. A cell becomes the sum of its counts. If the cell is empty in some of the
 * rows, it becomes OBS_PART, and its share of time says how much was counted. So the sum over an incomplete row never
 * looks complete. */
void obs_fold(struct obs *, const double *end, size_t n);

/* Copies row `from` to the place of row `to`: cells, their quality, and time. */
void obs_move_row(struct obs *, size_t to, size_t from);

/* Keeps an observation below `most` rows, a power of two. When it reaches `most` rows, the older half is folded in
 * pairs. So newer rows are shorter than older ones. */
void obs_keep(struct obs *, size_t most);

/* Removes all rows, because they have been written elsewhere. Later rows are appended after them; `folded` counts those
 * removed. */
void obs_drop_rows(struct obs *);

/* Changes the observation as if the column had never been counted in it; its health becomes `why`. */
void obs_forget_column(struct obs *, size_t column, enum obs_health why);

enum obs_note {
#define NOTE(kind, code, help) OBS_NOTE_##kind,
#include "core/obs/notes.def"
#undef NOTE
};

/* Appends a sentence to the table's notes. The table takes over the text, which malloc() gave. */
void obs_table_note(struct obs_table *, enum obs_note, char *text);
/* Returns the code of the i-th note (notes.def). */
const char *obs_table_note_code(const struct obs_table *, size_t i);

/* Sets how far one cell of the last row can be trusted: its share of time on a counter (1: all) and its stated standard
 * error (0: none). */
void obs_set_quality(struct obs *, size_t column, double running, double error);

/* Adds the array of shares of time (each 1 so far), or the array of stated errors (each 0 so far). */
void obs_set_running(struct obs *);
void obs_set_error(struct obs *);

/* Appends rows first … first + n − 1 of an observation as a new one. The observation may belong to this table, or to
 * another one with the same number of columns. */
struct obs *obs_table_add_part(struct obs_table *, const struct obs *, const char *name, size_t first, size_t n);

/* Returns the word for a health that documents use. For OBS_HONEST, too, it is "live". */
const char *obs_health_name(enum obs_health);

/* The number of samples of an observation: its rows, or the samples that its rows were gathered from. */
size_t obs_samples(const struct obs *);
/* The first sample of a row. */
size_t obs_first_sample(const struct obs *, size_t row);
/* Samples in a row, whether they counted anything or not. */
size_t obs_samples_in_row(const struct obs *, size_t row);
/* Samples that counted a cell. */
size_t obs_samples_in_cell(const struct obs *, size_t row, size_t column);

#endif
