/* What `perf list` prints, as rows of a table (tools/perf/builtin-list.c and util/print-events.c of Linux). */
#ifndef COLLECT_EVENTS_PERF_LIST_H
#define COLLECT_EVENTS_PERF_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct event_table;

/* Adds the events of PMUs and the metrics. Text that begins with '[' is that of `perf list --json` (perf 6.2 and
 * later); other text that of `perf list --details`. Events that perf took from sysfs, its own words and tracepoints are
 * left out. Returns false and sets *e if the text is neither. */
bool perf_list_read(const char *text, size_t n, struct event_table *, struct err *e);

/* Adds a code as perf prints it, "cpu/event=0xc0,period=0x1e8483/", without its period, and sets the PMU, both to be
 * freed. `family`: what the PMU's boxes share ("uncore_cha" of uncore_cha_0), as perf's list has it; "": not said. */
bool perf_list_code(const char *encoding, const char *family, char **pmu, char **code);

#endif
