/* Causes that leak into counters on any PMU: faults, interrupts and switches whose events are in the data, and time,
 * which stands for the timer's interrupts. Source: Weaver, Terpstra and Moore, ISPASS 2013, sections III and IV. */
#ifndef WORK_ANALYSIS_LEAKS_H
#define WORK_ANALYSIS_LEAKS_H

#include <stdbool.h>
#include <stddef.h>

struct analysis;
struct analysis_table;
struct obs;

#define LEAK_SECONDS "s" /* the name of time as a cause */

/* True for an event that may leak into others: "page-faults", "irq:irq_handler_entry". */
bool leaks_may(const char *event);

/* Returns the names of the columns that may leak, and LEAK_SECONDS last; each once. The caller frees the array, the
 * names belong to the tables. */
const char **leaks_names(const struct analysis *, size_t *n);

/* Returns how often a cause occurs per sample of an observation; NAN where that is unknown. */
double leaks_mean(const struct analysis_table *, const struct obs *, const char *cause);
/* The same for one row, summed over all its samples. */
double leaks_in_row(const struct analysis_table *, const struct obs *, const char *cause, size_t row);

#endif
