/* The processor as perf identifies it, to choose a table. */
#ifndef COLLECT_EVENTS_CPU_ID_H
#define COLLECT_EVENTS_CPU_ID_H

#include <stdbool.h>

#define CPU_ID_SIZE 64

/* Writes $HECATE_CPUID, or else the identity of this machine's processor as perf has it: "GenuineIntel-6-8F-4" (family,
 * model and stepping), "0x00000000410fd4f0" (MIDR_EL1), "0x489-0x8000000000000007-0x0". Writes "" if it is not known.
 * With another root of sysfs than /sys it is only known from $HECATE_CPUID. Returns true if it is from there. */
bool cpu_id_find(const char *sysfs, char id[CPU_ID_SIZE]);

/* Returns whether an identity is of the kind that perf's tables and perfmon's mapfile.csv match: no blank, no sign that
 * a path or a terminal gives a meaning. */
bool cpu_id_is_plain(const char *id);

#endif
