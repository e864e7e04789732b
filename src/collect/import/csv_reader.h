/* The insides of csv.c: one row of a wide CSV, and the observations that rows are stored in. */
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

/* One observation while rows arrive. Rows after a second header go to other observations, even under the same name. */
struct csv_sheet {
	size_t n_rows;
	double last;   /* time of the last row */
	bool untimed;  /* some row has no time, so the times of all rows are ignored */
	bool timed;    /* some row has a time */
	bool back;     /* some time is earlier than that of the previous row */
	struct obs *obs; /* NULL until a complete row was read */
	size_t *counted; /* for exact totals, per counter: number of rows that counted it */
};

/* What the first rows show about a column. */
struct csv_look {
	size_t cells, numbers; /* cells that are not empty; of these, numbers */
	size_t fractions;      /* numbers below 1000 that are written with a point */
	size_t other;          /* neither number nor a word for a missing count */
	bool steps;            /* each number is one more than that of the previous row, from 0 or 1 on */
	bool laps;             /* the same, but the numbers may begin again with 0 or 1 */
	bool whole;            /* all numbers are written as integers */
	bool falls;            /* some number is smaller than that of the previous row */
	double last;
	bool dates;            /* every cell is a date and time */
};

struct csv_tally {
	size_t n;
	int line; /* line of the first one */
};

struct csv_reader {
	struct feed *feed;
	const struct import_how *how;
	struct err *e;
	struct names header;       /* names of all columns, indexed by column */
	char *header_text;         /* the header's line, to recognise a repetition */
	size_t header_size;
	struct csv_plain_shape shape;
	bool plain;                /* the fast reader of plain rows may be used */
	char separator;            /* separator of the cells: a comma, a semicolon or a tab */
	bool *left_out;            /* per column: not in the table */
	double time_unit;          /* units of the column of times in a second */
	/* per column: it is a label that says what each row is about; NULL if no column is */
	bool *label;
	struct str roles;          /* text of the note about columns that are no counters */
	bool drops;                /* columns that are no counts are left out */
	char *metrics;             /* names of columns that are no counts */
	struct csv_tally missing;  /* cells with a word for a missing count */
	char *own_name;            /* name of the observation when the file has no such column */
	/* "PART/NAME": the part of the file, counted by headers, and the observation's name */
	struct names groups;
	struct csv_sheet *sheet;   /* one for each name in `groups` */
	size_t sheets_cap;
	size_t part, n_rows;
	struct obs_table *table;
	struct obs_room room;
	struct csv_tally again, back, cut, open_end, unordered, blank;
	/* The reader's position. */
	int line;                  /* line number at feed->p */
	const char *checked;       /* text before this place is known to be valid */
	/* The current row. */
	struct csv_cells cells;
	struct csv_cell cell;
	const char *row_start;
	size_t at;                 /* index of the row's sheet */
	/* if there are labels: the observation's name, and ":cpu0" or the like, which is appended to it */
	struct str of, place;
	double when;               /* time in seconds; NAN: the row has no time */
	int decimals;              /* the most digits after the point in any of its cells */
	/* n_counters each: the digits of a cell as an integer; the same, scaled to the observation's decimals */
	int64_t *count, *scaled;
	unsigned char *counted, *places;
	int *cell_line, *cell_col;
	/* n_counters: unit of the column, "" for plain counts; NULL if no column has a unit */
	char **unit;
};

/* --- csv_row.c: one row, whatever is in it ----------------------------------------------------------------------- */

bool csv_read_header(struct csv_reader *);

enum csv_row {
	CSV_ROW_GOOD, /* count, counted, places, when and at are filled in */
	CSV_ROW_CUT,  /* the text ends inside the row */
	CSV_ROW_BAD,  /* *e holds the reason */
};

/* Reads the row at cells.p. */
enum csv_row csv_read_row(struct csv_reader *);

/* --- csv_columns.c: what the columns are -------------------------------------------------------------------------- */

/* Decides what each column is, by the header and the first rows, which begin at feed->p. Returns false and sets *e when
 * no column holds counts. */
bool csv_choose_columns(struct csv_reader *);
/* Returns false and sets *e when the header is that of a known table of derived metrics. */
bool csv_refuse_known(struct csv_reader *);
/* Adds the notes about columns and cells to the table. */
void csv_note_columns(const struct csv_reader *);

/* --- csv_roles.c: columns that say when, of what, and which number a row has ------------------------------------- */

/* Finds these columns by their names and the first rows. Returns false and sets *e when column 1 has no name and does
 * not count the rows. */
bool csv_find_roles(struct csv_reader *, const struct csv_look *, size_t rows);
/* Adds the cell of a label to the name of the row's observation. */
void csv_add_label(struct csv_reader *, size_t column, const char *text);
/* Takes a column out of the table. */
void csv_leave_out(struct csv_reader *, size_t column);
/* Returns true when the caller says that the column of this name holds counts. */
bool csv_is_claimed(const struct csv_reader *, const char *name);
/* True for the header that hecate export writes: such a table reads back as it was. */
bool csv_is_own(const struct csv_reader *);

/* --- csv_words.c: words in cells ---------------------------------------------------------------------------------- */

/* True for NA, NaN, null, "-", <not counted> and the like. */
bool csv_is_missing(const char *);
/* Reads a date and time of ISO 8601 as seconds since 1970. */
bool csv_is_date(const char *, double *seconds);
/* Copies "1,234,567" without its commas. Returns false for any other text. */
bool csv_ungroup(const char *, struct str *out);

/* --- csv_sheet.c: rows into observations ------------------------------------------------------------------------- */

/* Reads the units of the columns, once their names are known. */
void csv_read_units(struct csv_reader *, size_t n_counters);

/* Returns the index of the sheet with this name in the current part of the file; adds it if it is new. */
size_t csv_find_sheet(struct csv_reader *, const char *name, size_t n);

/* Stores one row; `places` as in struct csv_plain_rows. With `line` 0 (unknown), *e has no place. On failure returns
 * false and sets *e. */
bool csv_store_row(struct csv_reader *, size_t sheet, const int64_t *digits, const unsigned char *places, unsigned most,
	bool holes, double when, int line);

/* Tells the room how many cells the text will have, extrapolated from the text read so far, that is, before feed->p.
 * Returns false and sets *e if a sum exceeds 64 bits. */
bool csv_expect(struct csv_reader *);

/* Returns true when no cell of the row is counted. */
bool csv_is_blank(const unsigned char *places, size_t n);

/* Orders rows by time and adds the table's notes, after the last row. On failure returns false and sets *e. */
bool csv_finish(struct csv_reader *);

void csv_count_line(struct csv_tally *, int line);

/* --- csv.c: one line at a time ----------------------------------------------------------------------------------- */

enum csv_step {
	CSV_STEP_ON,
	CSV_STEP_MORE, /* the row does not end in this window: more text is needed */
	CSV_STEP_BAD,  /* *e holds the reason */
};

/* Reads and stores the line at feed->p, whatever is in it. */
enum csv_step csv_read_one(struct csv_reader *);

/* Returns the place after the last newline of the window or, if the text ends there, the end of the window. */
const char *csv_end_of_lines(const struct feed *);

/* Stores what has been read and moves the window on. On failure returns false and sets *e. */
bool csv_more(struct csv_reader *);

/* --- csv_window.c: all rows after a header ----------------------------------------------------------------------- */

bool csv_read_rows(struct csv_reader *);

#endif
