/* A folder like sysfs, with the PMUs of a family of processors, for a perf that is asked about another machine. */
#ifndef COLLECT_EVENTS_MADE_SYSFS_H
#define COLLECT_EVENTS_MADE_SYSFS_H

struct err;

/* Returns the folder's path for a processor ("GenuineIntel-6-8F-4"), to be handed to made_sysfs_remove(); NULL and *e if
 * it cannot be made. */
char *made_sysfs_new(const char *cpu, struct err *e);
void made_sysfs_remove(char *path); /* removes the folder and frees the path; NULL: nothing */

#endif
