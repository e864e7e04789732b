/* From an event's name, as users of perf, libpfm4 and perfmon write it, to what the kernel wants.
 *
 * The order: perf's own words (software, generic hardware and cache events), `pmu/terms/` and rNNN, tracepoints
 * `system:event`, names in a PMU's sysfs events/, libpfm4. */
#ifndef COLLECT_PERF_NAMES_H
#define COLLECT_PERF_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_world;
struct source_status;

enum event_kind {
	EVENT_SOFTWARE,
	EVENT_TRACEPOINT,
	EVENT_HARDWARE, /* generic, cache, raw, or by name on a core PMU */
	EVENT_OTHER,    /* any other PMU of sysfs: msr, uncore, power … */
};

/* How a software event behaves; for the others only SW_PLAIN and SW_CERTAIN matter. */
enum event_nature {
	EVENT_PLAIN,
	EVENT_SIDE_BLIND, /* the same with and without the kernel side: the two clocks */
	EVENT_KERNEL,     /* raised by the kernel for itself: with the kernel side excluded it opens and counts 0 */
	EVENT_NEVER,      /* counts nothing by nature (dummy), or nothing on this architecture */
};

struct event_code {
	enum event_kind kind;
	enum event_nature nature;
	bool certain;    /* cannot be 0 for a program that ran: 0 means that the counter is dead */
	uint32_t type;   /* perf_event_attr's fields */
	uint64_t config, config1, config2, config3;
	bool no_user, no_kernel, no_hv, no_host, no_guest, no_idle, pinned, exclusive;
	unsigned precise;
	bool side_given; /* the name says which side to count (:u, :k, :h) */
	bool per_cpu;    /* a PMU outside the cores: counts for a CPU or a socket, never for a command */
	char pmu[64];    /* name in sysfs, "" where none is needed */
	char name[192];  /* canonical form */
};

/* False and *why (error, why, remedy) when the name means nothing here. */
bool event_by_name(const char *name, const struct perf_world *, struct event_code *, struct source_status *why);

/* Parts of it, each in its own file. They return 1: found; 0: not a name of mine; -1: mine, but refused, and *why says
 * why. */
/* perf_words.c */
int event_by_perf_word(const char *name, struct event_code *);
/* pmu_terms.c */
int event_by_pmu_terms(const char *name, const struct perf_world *, struct event_code *, struct source_status *why);
/* pmu_terms.c */
int event_by_sysfs_alias(const char *name, const struct perf_world *, struct event_code *, struct source_status *why);
/* pfm_names.c */
int event_by_libpfm(const char *name, struct event_code *, struct source_status *why);

/* The CPUs on which a PMU with a cpumask counts; the caller frees. */
/* pmu_terms.c */
bool pmu_cpus(const struct event_code *, const struct perf_world *, int **cpu, size_t *n);

/* Every software event that perf_event_open(2) has, by its first name; NULL behind the last. */
const char *event_software_name(unsigned i);

/* Kind, nature and name of the software event with this number. */
bool event_software_by_config(uint64_t config, struct event_code *);

#endif
