/* One line of perf stat's output, parsed.
 *
 * Each output format (-x, -j, text) is a dialect. It parses single lines and knows nothing of the lines around them;
 * perf_stat.c turns the records into observations. Formats: perf-stat(1), "CSV FORMAT" and "JSON FORMAT";
 * tools/perf/util/stat-display.c of Linux 6.1; and what older and newer versions print (docs/data.md). */
#ifndef COLLECT_IMPORT_PERF_RECORD_H
#define COLLECT_IMPORT_PERF_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct err;

enum perf_line {
	PERF_LINE_RECORD,  /* a count, or the reason for its absence */
	PERF_LINE_METRIC,  /* a figure derived from counts */
	PERF_LINE_SUMMARY, /* a total of the samples above it */
	PERF_LINE_BEGIN,   /* another run of perf begins */
	PERF_LINE_BLOCK,   /* a table begins: of another run, or the summary of the samples above it */
	PERF_LINE_OWN,     /* other output of perf: blank lines, headings, the time elapsed */
	PERF_LINE_FOREIGN, /* not printed by perf */
	PERF_LINE_LOST,    /* holds a number where perf prints counts, and cannot be read */
	PERF_LINE_CUT,     /* the file ends inside the line */
	PERF_LINE_BAD,     /* printed by perf, but malformed: *e holds the reason */
};

enum perf_state { PERF_COUNTED, PERF_NOT_COUNTED, PERF_NOT_SUPPORTED };

#define PERF_SPREAD_GRAIN 0.00005 /* half a last digit of the share in "( +-  0.43% )" */
#define PERF_VALUE_MAX 64

struct perf_record {
	double time;                /* seconds; NAN without -I */
	struct str group;           /* "CPU0", "S0-D0-C0", "bash-3901", a cgroup, "CPU0:CGROUP"; empty: all together */
	struct str event;           /* name with its unit, "task-clock (msec)" (event/name.h) */
	enum perf_state state;
	char value[PERF_VALUE_MAX]; /* if PERF_COUNTED: a decimal with '.', already scaled up by perf */
	double running;             /* share of the time on a counter, 0 to 1 */
	bool above;                 /* perf printed a share above 100 % */
	bool nan;                   /* perf printed nan in the place of the count */
	double variance;            /* standard error of a mean over runs, as a share of the value; NAN: no mean */
	double runs;                /* number of runs of the mean; 0: unknown */
	size_t parts;               /* CPUs or tasks that were added up; 0: unknown */
	double seconds;             /* time on a counter, of all parts together; 0: unknown */
};

void perf_record_free(struct perf_record *);

#define PERF_SEPARATOR_MAX 8

/* A piece of a line: [p, p + n). */
struct perf_span {
	const char *p;
	size_t n;
};

/* Where the numbers of a record stand in its line, for perf_repeat.h; empty if missing. */
struct perf_places {
	struct perf_span time, value, run, percent;
};

struct perf_dialect {
	/* Returns the end of the record at p, usually the end of the line. *open is set when the text ends there and
	 * the record may be longer. */
	const char *(*end)(const char *p, const char *end, bool *open);
	/* Parses n bytes, without the newline; `whole`: a newline followed. *record is valid with PERF_LINE_RECORD. */
	enum perf_line (*read)(
		struct perf_dialect *, const char *line, size_t n, bool whole, struct perf_record *, struct err *);
	char separator[PERF_SEPARATOR_MAX]; /* separator of -x */
	/* Returns whether the next line is a part of the record in `line`, because something wrapped it; NULL: never */
	bool (*goes_on)(const char *line, size_t n, const char *next, size_t n_next);
	struct perf_places places;          /* -x: places in the last record */
	bool inside;                        /* text: between a table's heading and the time elapsed */
	bool ended;                         /* text: the last table has its time elapsed */
	/* text: number of runs whose means the table shows, according to its heading; 0: no means */
	double runs;
	/* text: values from the lines below the table: time elapsed, and CPU time in user and kernel mode; 0: not
	 * printed */
	double elapsed, busy;
	double elapsed_error; /* standard error of a mean `elapsed`, with what its rounding hides; 0: no mean */
};

/* Recognises the format from the beginning of a text. If it is this one, fills in the dialect and returns true. */
bool perf_csv_find(const char *text, size_t n, struct perf_dialect *);
bool perf_json_find(const char *text, size_t n, struct perf_dialect *);
bool perf_text_find(const char *text, size_t n, struct perf_dialect *);

struct perf_span perf_span_trim(struct perf_span);
bool perf_span_is(struct perf_span, const char *word);
bool perf_span_is_integer(struct perf_span);
size_t perf_span_integer(struct perf_span);      /* saturates; meant for small numbers */
bool perf_span_is_event(struct perf_span);       /* could be the name of an event */
bool perf_span_has_letter(struct perf_span);
const char *perf_line_end(const char *p, const char *end);
const char *perf_line_end_or_open(const char *p, const char *end, bool *open); /* as perf_dialect.end */

/* Parses decimal numbers as a locale prints them; `grouped`: digits may come in groups of three. Returns false when the
 * text is no such number, or too long. */
bool perf_span_plain(struct perf_span, bool grouped, char out[PERF_VALUE_MAX]);
bool perf_span_number(struct perf_span, double *out);

/* Sets a name from untrusted text: valid UTF-8 without control characters. */
void perf_set_name(struct str *, const char *p, size_t n);

/* Appends the unit that perf prints next to a number to the event's name. */
void perf_add_unit(struct str *event, struct perf_span unit);

/* True for <not counted>, <not supported> and other words in angle brackets. */
bool perf_span_is_excuse(struct perf_span, enum perf_state *);

#endif
