/* Tables of vendors in a folder that the user names: a copy of intel/perfmon or of ARM-software/data. */
#ifndef COLLECT_EVENTS_FOLDER_H
#define COLLECT_EVENTS_FOLDER_H

#include <stdbool.h>

struct err;
struct event_table;

/* Adds the events and metrics of a processor, as perf identifies it, from the JSON files of a folder. With a
 * mapfile.csv (perfmon) its rows choose the files; otherwise files are recognised by their content: a "cpuid" (Arm)
 * must be the processor's, or that of one of the cores of `sysfs`, whose PMU the events then are of (NULL: no sysfs
 * of the processor); an array of "Events" or "Metrics" (perfmon) is taken. Links are not followed, a file has at most
 * 16 MB, all together 64 MB. Returns false and sets *e if nothing was found. */
bool folder_read(const char *folder, const char *cpu, const char *sysfs, struct event_table *, struct err *e);

/* Adds a list of perfmon's metrics of a kind of cores ("cpu_core"; "": there is one). In folder_metrics.c. */
struct json;
void folder_add_metrics(const struct json *list, const char *pmu, struct event_table *);

#endif
