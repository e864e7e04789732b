/* Tables of the report on a session of a network or a stack, as Markdown; and the report's part on the network. Private
 * to explorer/report/. */
#ifndef EXPLORER_REPORT_REPORT_TABLE_H
#define EXPLORER_REPORT_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct network;
struct stack;
struct state;
struct str;
struct timeline_report;

#define REPORT_ROWS_MOST 20 /* rows shown of a long table; the rest is only counted */

/* Writes a table's head: the first column, then n columns of numbers. */
void report_head(struct str *out, const char *first, const char *const *column, size_t n);
void report_cell(struct str *out, const char *text);
void report_number_cell(struct str *out, double v); /* writes "?" for NAN, which is unknown */
/* Ends a table of n rows: "and 3 more queues." where n exceeds REPORT_ROWS_MOST. */
void report_others(struct str *out, size_t n, const char *what);

/* Returns the network of the session; NULL: none. */
const struct network *report_network_of(const struct timeline_report *);

/* Write the question as a table; the bars of one method of accounting, whose name is in the title if there are others;
 * the command lines that show it again. */
void report_watched(const struct timeline_report *, struct str *out);
void report_bars(const struct state *, const struct stack *by, size_t stack, bool named, struct str *out);
void report_see_again(const struct timeline_report *, struct str *out);

/* Write the sections of the report on a network. report_stalls() writes nothing where nothing stalled, report_laws()
 * nothing where the network has no laws. */
void report_path_map(const struct timeline_report *, struct str *out);
void report_queues(const struct timeline_report *, struct str *out);
void report_stalls(const struct timeline_report *, struct str *out);
void report_advice(const struct timeline_report *, struct str *out); /* nothing without advice */
void report_laws(const struct timeline_report *, struct str *out);
void report_unknown(const struct timeline_report *, struct str *out); /* writes the counters without a value, and why */

#endif
