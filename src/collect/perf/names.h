/* Translates an event's name, as users of perf, libpfm4 and perfmon write it, for perf_event_open(2).
 *
 * It tries in this order: perf's own words (software, generic hardware and cache events), `pmu/terms/` and rNNN,
 * tracepoints `system:event`, names in a PMU's sysfs events/, the tables of perf and of $HECATE_EVENTS, libpfm4. An
 * event of a PMU with several boxes gets the code of the first one (pmu_family.h). */
#ifndef COLLECT_PERF_NAMES_H
#define COLLECT_PERF_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_world;
struct source_status;

#define EVENT_NAME_SIZE 192

enum event_kind {
	EVENT_SOFTWARE,
	EVENT_TRACEPOINT,
	EVENT_HARDWARE, /* generic, cache, raw, or by name on a core PMU */
	EVENT_OTHER,    /* any other PMU of sysfs: msr, uncore, power … */
};

/* How a software event behaves. All other events are EVENT_PLAIN. */
enum event_nature {
	EVENT_PLAIN,
	EVENT_SIDE_BLIND, /* the two clocks: they count the same with and without the kernel side */
	EVENT_KERNEL,     /* raised in the kernel: with the kernel side excluded, the event opens and counts 0 */
	EVENT_NEVER,      /* counts nothing: the dummy event, or an event that this architecture does not support */
};

struct event_code {
	enum event_kind kind;
	enum event_nature nature;
	bool certain;    /* a program that ran always raises it, so 0 means a dead counter */
	uint32_t type;   /* like the members below, a field of perf_event_attr */
	uint64_t config, config1, config2, config3;
	bool no_user, no_kernel, no_hv, no_host, no_guest, no_idle, pinned, exclusive;
	unsigned precise;
	bool most_precise; /* as precise as the PMU can; precise is 0 */
	bool guest_given;  /* a modifier (G, H, p) says whether guests are counted */
	bool side_given; /* the name selects a side (:u, :k, :h) */
	bool per_cpu;    /* of a PMU outside the cores: counts for a CPU or a socket, never for a command */
	char pmu[64];    /* name in sysfs; "": none needed */
	char name[EVENT_NAME_SIZE]; /* canonical name */
};

/* Fills in the event's code. Returns false and sets *why (error, why, remedy) if the name is unknown here. */
bool event_by_name(const char *name, const struct perf_world *, struct event_code *, struct source_status *why);

/* The steps of event_by_name(), in perf_words.c, pmu_terms.c (two) and pfm_names.c. They return 1 if the event was
 * found, 0 if the name is not of this kind, and -1 with *why if the name is of this kind but refused. */
int event_by_perf_word(const char *name, struct event_code *);
int event_by_pmu_terms(const char *name, const struct perf_world *, struct event_code *, struct source_status *why);
int event_by_sysfs_alias(const char *name, const struct perf_world *, struct event_code *, struct source_status *why);
int event_by_libpfm(const char *name, const struct perf_world *, struct event_code *, struct source_status *why);

/* As above, for names in tables, in table_names.c. `pmu`: the event must be one of this PMU; NULL: of any. */
int event_by_table(const char *name, const char *pmu, const struct perf_world *, struct event_code *,
	struct source_status *why);

/* Refuses a name of libpfm4, "event.umask", if another source gives it another code. Returns 1 or -1. */
int event_check_libpfm(const char *name, const struct perf_world *, struct source_status *why);

/* Refuses an event for which two sources give different codes; `use` is the second source's, as a name. Returns -1. */
int event_refuse_codes(const char *name, const char *source, const char *code, const char *other_source,
	const char *other_code, const char *use, struct source_status *why);

/* Returns "nearest: A, B, C", names of this machine's events that may have been meant; NULL: none. The caller frees. In
 * near_events.c. */
char *event_near(const char *name, const struct perf_world *);

/* Adds the events of libpfm4's tables, up to EVENT_NEAR_NAMES: of this machine's PMUs (`here`), or else of all. They
 * are spelled as `like` is: in lower case, with a dot. In pfm_names.c. */
#define EVENT_NEAR_NAMES 60000
struct names;
void event_libpfm_names(const char *like, bool here, struct names *);

/* Adds the events of libpfm4's tables for the PMUs that it finds here, or of the one in $LIBPFM_FORCE_PMU, as rows.
 * `core`: the PMU of events that have none of their own in sysfs. */
struct event_table;
void event_libpfm_rows(const struct perf_world *, const char *core, struct event_table *);

/* Finds the CPUs that a PMU with a cpumask counts on. The caller frees the list. In pmu_terms.c. */
bool pmu_cpus(const struct event_code *, const struct perf_world *, int **cpu, size_t *n);

/* Returns the first name of the i-th software event of perf_event_open(2); NULL after the last. */
const char *event_software_name(unsigned i);

/* Sets kind, behaviour and name of the software event with this number. */
bool event_software_by_config(uint64_t config, struct event_code *);

#endif
