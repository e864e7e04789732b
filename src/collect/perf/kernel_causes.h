/* Why a task sleeps, by the kernel's functions that it sleeps in. */
#ifndef COLLECT_PERF_KERNEL_CAUSES_H
#define COLLECT_PERF_KERNEL_CAUSES_H

#include <stdint.h>

#include "core/tasktime/partition.h"

struct kernel_causes;

/* Looks the functions up in a list of symbols ("ffffffff821fb6d0 T io_schedule"), "/proc/kallsyms"; NULL when it cannot
 * be read, hides the addresses (from those without CAP_SYSLOG), or has none of the functions. */
struct kernel_causes *kernel_causes_new(const char *path);
void kernel_causes_free(struct kernel_causes *);

/* Of one address; TASKTIME_CAUSE_OTHER when it is in none of them. */
enum tasktime_cause kernel_cause_of(const struct kernel_causes *, uint64_t address);

#endif
