/* The insides of csv.c: one row of a wide CSV, and the observations that rows go to. */
#ifndef COLLECT_IMPORT_CSV_READER_H
#define COLLECT_IMPORT_CSV_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "collect/import/csv_cells.h"
#include "collect/import/csv_plain.h"
#include "collect/import/import.h"
#include "core/obs/gather.h"

struct err;
struct feed;
struct obs;
struct obs_table;

/* An observation while rows come. Those after a second header are others, whatever their names. */
struct csv_sheet {
	size_t n_rows;
	double last;   /* time of the row before */
	bool untimed;  /* a row has no time: none counts then */
	bool timed;    /* a row has one */
	bool back;     /* a time goes back */
	struct obs *obs; /* NULL: no row was whole */
	size_t *counted; /* exact totals, per counter: rows that counted it */
};

struct csv_tally {
	size_t n;
	int line; /* of the first */
};

struct csv_reader {
	struct feed *feed;
	const struct import_how *how;
	struct err *e;
	struct names header;       /* every column's name; the index is the column */
	char *header_text;         /* its line, to know it again */
	size_t header_size;
	struct csv_plain_shape shape;
	bool plain;                /* rows may be read fast */
	char *own_name;            /* of the observation of a file without such a column */
	/* "PART/NAME": the part of the file, counted by headers, and the observation's name */
	struct names groups;
	struct csv_sheet *sheet;   /* one for each of them */
	size_t sheets_cap;
	size_t part, n_rows;
	struct obs_table *table;
	struct obs_room room;
	struct csv_tally again, back, cut, open_end, unordered, blank;
	/* Where the reader is. */
	int line;                  /* of feed->p */
	const char *checked;       /* up to here the text was found to be text */
	/* The row at hand. */
	struct csv_cells cells;
	struct csv_cell cell;
	const char *row_start;
	size_t at;                 /* its sheet */
	double when;               /* NAN when there is none */
	int decimals;              /* the most of its cells */
	int64_t *count, *scaled;   /* n_counters: digits, and how many of them stand behind the point; where */
	unsigned char *counted, *places;
	int *cell_line, *cell_col;
};

/* --- csv_row.c: one row, whatever is in it ----------------------------------------------------------------------- */

bool csv_read_header(struct csv_reader *);

enum csv_row {
	CSV_ROW_GOOD, /* count, counted, places, when, at */
	CSV_ROW_CUT,  /* what there is of the text ends within it */
	CSV_ROW_BAD,  /* *e says what is wrong */
};

/* Reads the row at cells.p. */
enum csv_row csv_read_row(struct csv_reader *);

/* --- csv_sheet.c: rows into observations ------------------------------------------------------------------------- */

/* The sheet of an observation's name in this part of the file. */
size_t csv_find_sheet(struct csv_reader *, const char *name, size_t n);

/* One row: `places` as in struct csv_plain_rows. `line` 0: not known, then *e has no place. False and *e. */
bool csv_store_row(struct csv_reader *, size_t sheet, const int64_t *digits, const unsigned char *places, unsigned most,
	bool holes, double when, int line);

/* Is no cell of the row counted? */
bool csv_is_blank(const unsigned char *places, size_t n);

/* When all rows are there: their order, and what the reader of the data must know. False and *e. */
bool csv_finish(struct csv_reader *);

void csv_count_line(struct csv_tally *, int line);

/* --- csv.c: one line at a time ----------------------------------------------------------------------------------- */

enum csv_step {
	CSV_STEP_ON,
	CSV_STEP_MORE, /* the row does not end in this window: more text is needed */
	CSV_STEP_BAD,  /* *e says what is wrong */
};

/* Reads the line at feed->p and stores it, whatever is in it. */
enum csv_step csv_read_one(struct csv_reader *);

/* After the last newline of the window; at the end of a text that was not stopped, after all of it. */
const char *csv_end_of_lines(const struct feed *);

/* Stores what has been read, and slides the window on. False and *e. */
bool csv_more(struct csv_reader *);

/* --- csv_window.c: all rows after a header ----------------------------------------------------------------------- */

bool csv_read_rows(struct csv_reader *);

#endif
