/* The events that the kernel names: the files in the events/ folders of sysfs. */
#ifndef COLLECT_EVENTS_SYSFS_EVENTS_H
#define COLLECT_EVENTS_SYSFS_EVENTS_H

#include <stdint.h>

struct event_table;
struct str;

/* Adds the events of all PMUs below a root of sysfs. PMUs whose names differ only in the number after the last '_', as
 * uncore_imc_0 and uncore_imc_1, are boxes of one kind; an event of theirs that has the same code is one row. */
void sysfs_events_read(const char *sysfs, struct event_table *);

/* Returns what boxes share of the name of the PMU with this number in its file `type`; NULL: none. The caller frees. */
char *sysfs_pmu_of_type(const char *sysfs, uint32_t type);

/* Appends the names of all PMUs, each ended by a blank, in alphabetical order. */
void sysfs_pmus(const char *sysfs, struct str *out);

#endif
