/* PMUs outside the cores come in families: uncore_imc_0, uncore_imc_1 …, a box for each memory channel of each socket.
 */
#ifndef COLLECT_PERF_PMU_FAMILY_H
#define COLLECT_PERF_PMU_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

struct perf_world;

struct pmu_member {
	int number;   /* behind the last '_' of its name; 0 where there is none */
	char *event;  /* the event as this one counts it: "uncore_imc_1/cas_count_read/" */
	int *cpu;     /* its cpumask: one of each socket */
	size_t n_cpus;
};

struct pmu_family {
	struct pmu_member *member; /* by number */
	size_t n;
	bool named;   /* the event names a PMU that is there, the only member */
};

/* Of an event as pmu/terms/, with the PMU's number or without, or of a name in the events/ of all members. False: it is
 * no such event. Free with pmu_family_free(). */
bool pmu_family_of(const char *event, const struct perf_world *, struct pmu_family *);
void pmu_family_free(struct pmu_family *);

#endif
