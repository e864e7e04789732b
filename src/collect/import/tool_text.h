/* What the readers of other tools' tables share: lines cut into cells with their places, and counts that become an
 * observation table.
 *
 * A reader cuts a line with tool_text_next(), decides what the line is, and hands over each count with
 * tool_text_count(). The sheet of perf_sheet.h makes columns, observations and rows of the counts. It puts a second
 * count of an event in one interval into a row of its own. Under --exact it leaves out counts that are no exact totals.
 */
#ifndef COLLECT_IMPORT_TOOL_TEXT_H
#define COLLECT_IMPORT_TOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/import/decimal.h"
#include "collect/import/perf_sheet.h"

struct err;
struct obs_table;

/* A piece of the text, without quotes and without blanks around it. */
struct tool_cell {
	const char *s;
	size_t n;
};

/* Columns or rows that are left out, with the reason. */
struct tool_left {
	const char *why;     /* "metrics are not counts" */
	bool kept;           /* the columns or rows are not left out, only mentioned in a note */
	struct names names;
	int line;            /* line of the first one */
};
#define TOOL_REASONS 6

struct tool_text {
	const char *name; /* name as shown to the user */
	const char *p, *end, *line_start;
	int line;
	bool open;        /* the line has no newline: the text ends here */
	char separator;   /* separator of the cells */
	struct tool_cell *cell; /* n_cells: the cells of the current line */
	size_t n_cells, cap_cells;
	struct perf_sheet sheet;
	struct tool_left left[TOOL_REASONS];
	size_t counts;    /* number of cells that hold a count */
	size_t run;       /* number of runs so far, not counting the first */
	double time;      /* time of the last interval; 0: none yet */
	struct err *e;
};

enum tool_value {
	TOOL_COUNTED,
	TOOL_NOT_COUNTED, /* empty, "-", nan, <not counted> */
	TOOL_NO_COUNT,    /* a text, a negative number, 2^63 or more */
};

/* One count; all fields but running are as in struct perf_count. */
struct tool_count {
	const char *owner;   /* appended to the observation's name; "": none */
	size_t run;          /* distinguishes observations with equal owners */
	const char *event;
	size_t event_n;      /* bytes of the event's name */
	double time;         /* seconds at the end of the interval; NAN: one row */
	double running;      /* share of the time, 0 to 1; 0: all of it */
	double variance;     /* standard error as a share of the count; 0: none */
};

/* Begins to read a text. Returns false and sets *e when it is no UTF-8 text. Call tool_text_free() in either case. */
bool tool_text_begin(struct tool_text *, const char *name, const char *text, size_t n, bool exact, struct err *e);
void tool_text_free(struct tool_text *);

/* Goes back to the beginning of the text. */
void tool_text_again(struct tool_text *, const char *text, size_t n);

/* Cuts the next line that is not blank into cells. Returns false at the end of the text, and when
 * the budget of reading is met: then tool_text_finish() fails. */
bool tool_text_next(struct tool_text *);
/* Cuts the current line again, at another separator. */
void tool_text_cut(struct tool_text *, char separator);
void tool_text_cut_words(struct tool_text *); /* the same, at blanks; no cell is empty */

/* Returns whether the text ends inside the line: without a newline, and not with a separator. */
bool tool_text_is_cut(const struct tool_text *);

/* Compare a cell without regard to case. They return false if i is beyond the last cell. */
bool tool_cell_is(const struct tool_text *, size_t i, const char *word);
bool tool_cell_starts(const struct tool_text *, size_t i, const char *prefix);
/* Returns the cell, or an empty one if i is beyond the last cell. */
struct tool_cell tool_cell_at(const struct tool_text *, size_t i);
/* Returns the number of the cell that equals `word`; n_cells if there is none. */
size_t tool_cell_find(const struct tool_text *, const char *word);

enum tool_value tool_cell_value(struct tool_cell, struct decimal *);
double tool_cell_number(struct tool_cell); /* NAN if it is no number */
/* Reads "2021-09-27" and "00:07:40.507" (also "00:07:40:507") as nanoseconds since 1970. The day may be empty: then it
 * is 1970-01-01. Returns false if the texts are no date and time. */
bool tool_cell_clock(struct tool_cell day, struct tool_cell clock, int64_t *ns);

/* Fills in *e with the current line and the column of cell i (0 beyond the last cell). Always returns false. */
bool tool_text_fail(struct tool_text *, size_t i, const char *what, const char *hint);

/* Adds the count of cell i. A cell that was not counted makes an empty cell. Returns false and sets *e if it holds no
 * count. */
bool tool_text_count(struct tool_text *, const struct tool_count *, size_t i);
/* The same for a value that the reader has parsed already; NULL: not counted. */
bool tool_text_add(struct tool_text *, const struct tool_count *, const struct decimal *);
/* Begins another run if the time goes back, because files were joined. Returns the number of the interval's run, for
 * struct tool_count. */
size_t tool_text_run(struct tool_text *, double time);
/* Remembers for a note that something is left out. `why` is a constant. */
void tool_text_leave(struct tool_text *, const char *why, const char *name, size_t n);
void tool_text_remark(struct tool_text *, const char *what, const char *name, size_t n); /* kept, but noted */
void tool_text_leave_cut(struct tool_text *); /* the last line */

enum tool_source {
	TOOL_COUNTERS,  /* counters of hardware; a 0 is a count */
	TOOL_ZEROS,     /* the same, but the tool also prints 0 for counters that it could not use */
	TOOL_SIMULATOR, /* a simulator: nothing happens between its counts, so they have no tolerance */
};

/* Makes the table, with its notes. `nothing` and `hint` are the error if the text has no count at all. On failure
 * returns NULL and sets *e. */
struct obs_table *tool_text_finish(struct tool_text *, enum tool_source, const char *nothing, const char *hint);

#endif
