/* The columns of tables of runs and of expected counts, and their rows. */
#ifndef COLLECT_IMPORT_RUN_COLUMNS_H
#define COLLECT_IMPORT_RUN_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/budget.h"
#include "collect/import/csv_cells.h"

struct err;

enum run_column {
	RUN_COLUMN_MACHINE,
	RUN_COLUMN_EVENT,
	RUN_COLUMN_TEST,
	RUN_COLUMN_NAMES,
	RUN_COLUMN_RUN,
	RUN_COLUMN_COUNTER,
	RUN_COLUMN_COUNT,
	RUN_COLUMN_SECOND,
	RUN_COLUMN_SECOND_COUNT,
	RUN_COLUMN_INTERRUPTS,
	RUN_COLUMN_FAULTS,
	RUN_COLUMN_SWITCHES,
	RUN_COLUMN_TIMER,
	RUN_COLUMN_ALL_INTERRUPTS,
	RUN_COLUMN_SECONDS,
	RUN_COLUMN_REFERENCE,
	RUN_COLUMN_STEAL,
	RUN_COLUMN_RUNNING,
	RUN_COLUMN_EXPECTED,
	RUN_N_COLUMNS
};

struct run_row {
	const char *name;                   /* the file */
	int line;
	struct csv_cell cell[RUN_N_COLUMNS];
	bool has[RUN_N_COLUMNS];            /* the table has the column */
};

/* A column with another name. */
struct run_other {
	char *name;
	bool is_event;                      /* instructions, branches, loads, stores */
	struct csv_cell cell;
};

struct run_reader {
	struct csv_cells cells;
	struct run_row row;
	struct run_other *other;            /* n_others */
	size_t n_others, cap;
	int *column;                        /* n_columns: enum run_column, or ~index of the other */
	size_t n_columns, columns_cap;
	struct csv_cell spare;
	struct budget budget;
};

/* Reads the header. Returns false and sets *e if it is no header, or has a column twice. Call run_reader_end() in
 * either case. */
bool run_reader_begin(struct run_reader *, const char *name, const char *text, size_t n, struct err *e);
void run_reader_end(struct run_reader *);
/* Returns false and sets *e when the table lacks a column. */
bool run_reader_needs(const struct run_reader *, enum run_column, struct err *e);
/* Returns whether a row follows; lines that begin with # are comments. */
bool run_reader_more(struct run_reader *);
/* Reads one row. Returns false and sets *e if it has too few or too many cells. */
bool run_reader_next(struct run_reader *, struct err *e);

/* Read a cell as a number between 0 and `most`; NAN if the table lacks the column, or if the cell is empty or says that
 * nothing was counted. Blanks, underscores and (in quotes) commas may group digits in threes. For anything else they
 * return false and set *e. */
bool run_row_number(const struct run_row *, enum run_column, double most, double *out, struct err *e);
bool run_other_number(const struct run_reader *, size_t other, double *out, struct err *e);

#endif
