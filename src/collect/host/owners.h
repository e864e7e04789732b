/* Who has counts of his own on this machine. Hardware threads, cores and sockets are those of the CPUs that are watched
 * (sysfs, devices/system/cpu/cpuN/topology); slices of a cache, memory channels and devices are instances of a PMU
 * outside the cores: uncore_cha_12, of each socket, which its cpumask names one CPU of
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-*). Of what is counted in files of every disk, each is an
 * owner, whatever is watched.
 *
 * An event may name such a PMU without its number, uncore_imc/cas_count_read/, or be in the events/ of all its
 * instances: it then counts on all of them. */
#ifndef COLLECT_HOST_OWNERS_H
#define COLLECT_HOST_OWNERS_H

#include <stddef.h>

#include "core/lang/scope.h"

struct source_counter;
struct source_event;
struct source_target;

struct owner {
	/* from coarse to fine: "S0", "S0-C3", "S0-C3-T7", "S0-slice12", "S1-channel2", "S0-device0", "vda"; "": of all
	 * together */
	char name[48];
	const struct source_event *event; /* what counts for it, by names of this machine */
	size_t n_events;
	const int *cpu; /* where, as in struct source_counter; NULL: wherever it is counted */
	size_t n_cpus;
};

struct owners;

/* Of the machine as it is now. NULL, or a target that does not watch CPUs: only disks have counts of their own. */
struct owners *owners_new(const struct source_target *);
void owners_free(struct owners *);

/* The owners, in the order of socket and number, of a count at a scope whose events add up. None: all count together,
 * by the events as they are. The events must outlive the owners, who own the lists. */
size_t owners_of(struct owners *, enum scope, const struct source_event *, size_t n_events, const struct owner **);

#endif
