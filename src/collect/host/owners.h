/* The owners of counts on this machine: the parts of the machine for which separate counts can be kept.
 *
 *     hardware threads, cores, sockets    of the watched CPUs (sysfs, devices/system/cpu/cpuN/topology)
 *     cache slices, memory channels,      instances of a PMU outside the cores, uncore_cha_12. Its cpumask names one
 *     devices                             CPU per socket (Documentation/ABI/testing/sysfs-bus-event_source-devices-*)
 *     disks                               from the kernel's files, whatever is watched
 *
 * An event that names such a PMU without its number, uncore_imc/cas_count_read/, or that is in the events/ of all its
 * instances, counts on all of them. */
#ifndef COLLECT_HOST_OWNERS_H
#define COLLECT_HOST_OWNERS_H

#include <stddef.h>

#include "core/counters/scope.h"

struct source_counter;
struct event_item;
struct source_target;

struct owner {
	/* from coarse to fine: "S0", "S0-C3", "S0-C3-T7", "S0-slice12", "S1-channel2", "S0-device0", "vda"; "": all
	 * together */
	char name[48];
	const struct event_item *event; /* names of this machine's events that count for the owner */
	size_t n_events;
	const int *cpu; /* CPUs to count on, as in struct source_counter; NULL: all watched */
	size_t n_cpus;
};

struct owners;

/* Returns the owners of the machine as it is now. If the target is NULL or does not watch CPUs, only disks are owners.
 */
struct owners *owners_new(const struct source_target *);
void owners_free(struct owners *);

/* Finds the owners, at a scope, of a count whose events add up, sorted by socket and number. Returns their number; 0
 * means that there is one count for all, by the events as given. The events must outlive the struct owners, which owns
 * the lists returned. */
size_t owners_of(struct owners *, enum scope, const struct event_item *, size_t n_events, const struct owner **);

#endif
