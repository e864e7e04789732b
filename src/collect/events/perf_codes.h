/* What asking perf needs besides starting it: codes that its list cuts, and a sysfs to show it. */
#ifndef COLLECT_EVENTS_PERF_CODES_H
#define COLLECT_EVENTS_PERF_CODES_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct event_table;
struct str;

/* Runs `perf stat -vv` on the events of a list ("a,b") and appends what it prints. False: it could not be run. */
typedef bool perf_codes_ask(void *ctx, const char *events, struct str *out);

/* Versions of perf before 6.6 print each value of a code as a number of 32 bits (util/pmu.c, "%s=%#x"):
 * 0x3f803c0001 becomes 0x803c0001. A list without any value beyond 32 bits is taken for such a one. Then the events
 * with a term that has more bits, by the formats of sysfs, are asked about one by one or together: perf prints the
 * perf_event_attr of each before it opens it. Completes their codes in the table; a code that stays unknown becomes "".
 * */
void perf_codes_complete(struct event_table *, const char *sysfs, perf_codes_ask *, void *ctx);

/* A folder like sysfs, with the PMUs of a family of processors, for a perf that is asked about another machine. In
 * made_sysfs.c. */
/* Returns the folder's path for a processor ("GenuineIntel-6-8F-4"), to be handed to made_sysfs_remove(); NULL and *e
 * if it cannot be made. */
char *made_sysfs_new(const char *cpu, struct err *e);
void made_sysfs_remove(char *path); /* removes the folder and frees the path; NULL: nothing */

#endif
