/* gem5's stats.txt (docs/data.md): each dump of the simulator's statistics becomes a row. */
#ifndef COLLECT_IMPORT_GEM5_STATS_H
#define COLLECT_IMPORT_GEM5_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct obs_table;

/* Returns true when this line begins a dump. */
bool gem5_stats_begins(const char *line);

/* Arguments and failure are as for csv_read(). A single dump holds exact totals; several dumps are samples, unless
 * `exact`. */
struct obs_table *gem5_stats_read(const char *name, const char *text, size_t n, bool exact, struct err *e);

/* One line of a gem5 dump:
 *
 *	system.cpu.fetch.status::running  812  4.02%  4.02%  # what it is (Count)
 *	|-- name ----------------------|  value
 *
 * Only counts become columns of the table. For every other statistic gem5_fault holds the reason. */

/* Why a statistic does not become a column. */
enum gem5_fault {
	GEM5_FAULT_NONE,
	GEM5_FAULT_NO_COUNT, /* a fraction, nan, a negative number, a ratio, or the description of a distribution */
	GEM5_FAULT_HUGE,     /* more than 63 bits */
	GEM5_FAULT_TWICE,    /* the name occurs twice in one dump */
	GEM5_FAULT_FALLS,    /* below the value in the previous dump, which this one continues */
	GEM5_FAULTS
};

enum gem5_line_kind {
	GEM5_LINE_STATISTIC, /* *out is filled in */
	GEM5_LINE_VECTOR,    /* a whole vector on one line, which is not read */
	GEM5_LINE_BAD,       /* no name followed by a number */
};

struct gem5_line {
	size_t name;           /* bytes of the name, from the beginning of the line */
	bool whole;            /* `value` is valid: a non-negative integer below 2^63 */
	int64_t value;
	enum gem5_fault fault; /* GEM5_FAULT_NONE: the statistic is a count */
};

/* Parses one line of n bytes inside a dump. */
enum gem5_line_kind gem5_line_read(const char *line, size_t n, struct gem5_line *out);

bool gem5_line_begins(const char *line, size_t n, const char *prefix);
bool gem5_line_is_blank(const char *line, size_t n);

#endif
