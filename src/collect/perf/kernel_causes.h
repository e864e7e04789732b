/* The cause of a sleep, from the kernel functions that the task sleeps in. */
#ifndef COLLECT_PERF_KERNEL_CAUSES_H
#define COLLECT_PERF_KERNEL_CAUSES_H

#include <stdint.h>

#include "core/tasktime/partition.h"

struct kernel_causes;

/* Reads the functions' addresses from a list of symbols like "/proc/kallsyms" ("ffffffff821fb6d0 T io_schedule").
 * Returns NULL if it cannot be read, hides the addresses (without CAP_SYSLOG), or has none of the functions. */
struct kernel_causes *kernel_causes_new(const char *path);
/* The same again for another user, who frees it, too; reading it takes 0.1 s. */
struct kernel_causes *kernel_causes_share(struct kernel_causes *);
void kernel_causes_free(struct kernel_causes *); /* when its last user does */

/* Returns the cause for an address; TASKTIME_CAUSE_OTHER if it is in none of the functions. */
enum tasktime_cause kernel_cause_of(const struct kernel_causes *, uint64_t address);

#endif
