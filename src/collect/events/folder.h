/* Tables of vendors in a folder that the user names: a copy of intel/perfmon or of ARM-software/data. */
#ifndef COLLECT_EVENTS_FOLDER_H
#define COLLECT_EVENTS_FOLDER_H

#include <stdbool.h>

struct err;
struct event_table;

/* Adds the events of a processor, as perf identifies it, from the JSON files of a folder. With a mapfile.csv (perfmon)
 * its rows choose the files; otherwise files are recognised by their content: a "cpuid" (Arm) must be the processor's,
 * an array of "Events" (perfmon) is taken. Links are not followed, a file has at most 16 MB, all together 64 MB.
 * Returns false and sets *e if nothing was found. */
bool folder_read(const char *folder, const char *cpu, struct event_table *, struct err *e);

#endif
