/* One line of perf stat's output, whichever way it was written, taken apart.
 *
 * Each way of writing (-x, -j, text) is a dialect that reads single lines and knows nothing of the others around them;
 * perf_stat.c makes observations of the records. Shapes: perf-stat(1), "CSV FORMAT" and "JSON FORMAT",
 * tools/perf/util/stat-display.c of Linux 6.1, and what older and newer versions print (docs/data.md). */
#ifndef COLLECT_IMPORT_PERF_RECORD_H
#define COLLECT_IMPORT_PERF_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct err;

enum perf_line {
	PERF_LINE_RECORD,  /* a count, or why there is none */
	PERF_LINE_METRIC,  /* a figure derived from counts */
	PERF_LINE_SUMMARY, /* a total of the samples above it */
	PERF_LINE_BEGIN,   /* another run of perf begins */
	PERF_LINE_BLOCK,   /* a table begins: another run, or the summary of the samples above it */
	PERF_LINE_OWN,     /* perf's own besides: blank lines, headings, the time elapsed */
	PERF_LINE_FOREIGN, /* nothing that perf prints */
	PERF_LINE_CUT,     /* the file ends in the middle of it */
	PERF_LINE_BAD,     /* perf's, but cannot be understood: *e says why */
};

enum perf_state { PERF_COUNTED, PERF_NOT_COUNTED, PERF_NOT_SUPPORTED };

#define PERF_VALUE_MAX 64

struct perf_record {
	double time;                /* seconds; NAN without -I */
	struct str group;           /* "CPU0", "S0-D0-C0", "bash-3901", a cgroup, "CPU0:CGROUP"; empty: all together */
	struct str event;
	enum perf_state state;
	char value[PERF_VALUE_MAX]; /* counted: a decimal with '.', already scaled up by perf */
	double running;             /* share of the time on a counter, 0 … 1 */
	double variance;            /* standard error of a mean over runs, as a share of the value; NAN: not a mean */
	double runs;                /* … and of how many; 0: not said */
	size_t parts;               /* CPUs or tasks that were added up; 0: not said */
};

void perf_record_free(struct perf_record *);

#define PERF_SEPARATOR_MAX 8

/* Pieces of a line: [p, p + n). */
struct perf_span {
	const char *p;
	size_t n;
};

/* Where the numbers of a record stand in its line, for perf_repeat.h; empty where there is none. */
struct perf_places {
	struct perf_span time, value, run, percent;
};

struct perf_dialect {
	/* The end of the record at p: usually its line's. *open: the text ends there, and with more of it the record
	 * may be longer. */
	const char *(*end)(const char *p, const char *end, bool *open);
	/* Takes n bytes apart, without their newline. `whole`: a newline followed. A record is good for a line that is
	 * RECORD. */
	enum perf_line (*read)(
		struct perf_dialect *, const char *line, size_t n, bool whole, struct perf_record *, struct err *);
	char separator[PERF_SEPARATOR_MAX]; /* -x */
	struct perf_places places;          /* -x: of the last record */
	bool inside;                        /* text: between the heading of a table and the time elapsed */
	/* text: the heading says that the table has means of so many runs; 0: it does not */
	double runs;
};

/* Is this text, or what the beginning of it shows, of this kind? Then the dialect is filled in. */
bool perf_csv_find(const char *text, size_t n, struct perf_dialect *);
bool perf_json_find(const char *text, size_t n, struct perf_dialect *);
bool perf_text_find(const char *text, size_t n, struct perf_dialect *);

struct perf_span perf_span_trim(struct perf_span);
bool perf_span_is(struct perf_span, const char *word);
bool perf_span_is_integer(struct perf_span);
size_t perf_span_integer(struct perf_span);      /* saturates; for small numbers */
bool perf_span_is_event(struct perf_span);       /* may be the name of an event */
bool perf_span_has_letter(struct perf_span);
const char *perf_line_end(const char *p, const char *end);
const char *perf_line_end_or_open(const char *p, const char *end, bool *open); /* struct perf_dialect */

/* Decimal numbers as a locale writes them. `grouped`: digits may stand in groups of three. False when it is none, or
 * too long. */
bool perf_span_plain(struct perf_span, bool grouped, char out[PERF_VALUE_MAX]);
bool perf_span_number(struct perf_span, double *out);

/* Text from outside as a name: valid UTF-8 without control characters. */
void perf_set_name(struct str *, const char *p, size_t n);

/* <not counted>, <not supported> and other words in angle brackets. */
bool perf_span_is_excuse(struct perf_span, enum perf_state *);

#endif
