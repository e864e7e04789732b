/* What the readers of Sniper's texts share: lines cut into words with their places, and a sheet of values that becomes
 * an observation table. */
#ifndef COLLECT_IMPORT_SNIPER_TEXT_H
#define COLLECT_IMPORT_SNIPER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "collect/import/decimal.h"

struct err;
struct obs_table;

#define SNIPER_WORDS 4096 /* words of a line that are kept */

struct sniper_word {
	const char *s;
	size_t n;
};

/* Why a value does not become a cell. */
enum sniper_fault {
	SNIPER_FAULT_NONE,
	SNIPER_FAULT_NEGATIVE,
	SNIPER_FAULT_NO_COUNT,  /* a fraction where a count is expected, nan, a text */
	SNIPER_FAULT_NOT_CORES, /* one value for the whole system, or more values than cores */
	SNIPER_FAULTS
};

struct sniper_column {
	enum sniper_fault fault; /* fault of the column's first faulty value */
	int line;                /* line of that value */
	bool dropped;            /* no cell of it is kept */
};

struct sniper_cell {
	size_t column, core; /* numbers in `columns` and `cores` */
	bool unknown;        /* its value has a fault */
	struct decimal value;
};

struct sniper_text {
	const char *name; /* name as shown to the user */
	const char *p, *end, *line_start;
	int line;
	struct sniper_word word[SNIPER_WORDS]; /* words of the current line */
	size_t n_words;
	bool cut; /* the line has more words */
	/* The sheet: an observation for each name in `cores`. The part of a name before '/' only distinguishes the
	 * cores of several stacks in a file; the rest is "core0" or empty. */
	struct names columns, cores;
	struct sniper_column *column;
	size_t cap_columns;
	struct sniper_cell *cell;
	size_t n_cells, cap_cells;
	/* True: a cell that a core lacks but another core has is 0. False: only if the core has another cell of the
	 * same object (the text before the first '.'). */
	bool all_zeros;
	struct err *e;
};

/* Returns a reader of a text, to be freed. Returns NULL and sets *e when it is no UTF-8 text. */
struct sniper_text *sniper_text_new(const char *name, const char *text, size_t n, struct err *e);
void sniper_text_free(struct sniper_text *);

/* Cuts the next line that is not blank into words. Returns false at the end of the text. */
bool sniper_text_next(struct sniper_text *);

/* Returns true if the line has a word i and it equals the text. */
bool sniper_word_is(const struct sniper_text *, size_t i, const char *);
/* Reads a number without sign from all of a word. */
bool sniper_word_number(const struct sniper_word *, int64_t *);

/* Fills in *e with the current line and the column of word i (0 beyond the last word). Always returns false. */
bool sniper_text_fail(struct sniper_text *, size_t i, const char *what, const char *hint);

/* Returns the number of a column that begins with `prefix`, new or old. */
size_t sniper_column(struct sniper_text *, const char *prefix, const char *s, size_t n);
void sniper_column_blame(struct sniper_text *, size_t column, enum sniper_fault);
void sniper_cell_add(struct sniper_text *, size_t column, size_t core, struct decimal);
void sniper_cell_add_unknown(struct sniper_text *, size_t column, size_t core);

/* Reads a number as Python prints it. A fault is also recorded for the column. */
enum sniper_fault sniper_value(struct sniper_text *, const char *s, size_t n, size_t column, struct decimal *);

/* Makes the table from columns and observations that have cells, with one row per observation. Notes report what was
 * left out. Returns NULL and sets *e if there are no cells, or a value does not fit. */
struct obs_table *sniper_table_new(struct sniper_text *, bool exact);

#endif
