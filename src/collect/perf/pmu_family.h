/* Families of PMUs outside the cores: uncore_imc_0, uncore_imc_1 …, one box per memory channel and socket. */
#ifndef COLLECT_PERF_PMU_FAMILY_H
#define COLLECT_PERF_PMU_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

struct perf_world;

struct pmu_member {
	int number;   /* number after the last '_' of its name; 0: none */
	char *event;  /* the event with this PMU's name: "uncore_imc_1/cas_count_read/" */
	int *cpu;     /* CPUs of its cpumask, one per socket */
	size_t n_cpus;
};

struct pmu_family {
	struct pmu_member *member; /* sorted by number */
	size_t n;
	bool named;   /* the event names one existing PMU, which is the only member */
};

/* Finds the family of an event: pmu/terms/ with or without the PMU's number, or a name in the events/ of all members.
 * False for any other event. Free with pmu_family_free(). */
bool pmu_family_of(const char *event, const struct perf_world *, struct pmu_family *);
void pmu_family_free(struct pmu_family *);

#endif
