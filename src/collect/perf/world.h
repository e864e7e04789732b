/* What this process may count on this machine: privileges, places of sysfs and tracefs, PMUs. hecate reads it again for
 * each run, unless it did so within a second, because tracefs may have been mounted in between. */
#ifndef COLLECT_PERF_WORLD_H
#define COLLECT_PERF_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct known_events;

enum tracefs_state {
	TRACEFS_READABLE,
	TRACEFS_NOT_MOUNTED, /* and hecate may not mount it for itself either */
	TRACEFS_FORBIDDEN, /* mounted, but hecate may not read its folders (mode 0700, the kernel's default) */
	TRACEFS_MISSING,   /* this kernel has no tracefs */
};

struct perf_world {
	char sysfs[512];   /* "/sys", or $HECATE_SYSFS: a tree made for tests */
	char tracefs[600]; /* mount point of tracefs; "": not mounted */
	enum tracefs_state tracefs_state;
	/* tracefs is mounted nowhere, but hecate can mount it for itself, detached, while it reads it */
	bool detached;
	int paranoid;      /* kernel.perf_event_paranoid; INT_MIN: no such file */
	uid_t uid;         /* effective user ID */
	bool cap_perfmon;  /* CAP_PERFMON or CAP_SYS_ADMIN, effective and in the first user namespace */
	bool cap_admin;    /* CAP_SYS_ADMIN, effective and in the first user namespace: may mount file systems */
	bool in_userns;    /* hecate runs in a user namespace, whose capabilities do not count for perf_event_open(2) */
	bool seccomp;      /* a seccomp filter is installed, as in containers */
	/* set by the source: it watches whole CPUs, so PMUs outside the cores can count */
	bool machine;
	bool hypervisor;   /* the CPU reports a hypervisor */
	/* sysfs name of the first core PMU: "cpu", "cpu_core", "armv8_pmuv3_0"; "" when there is none */
	char core_pmu[64];
	/* set by a source that opens many events; NULL: tables of events are loaded for each name that needs them */
	struct known_events *known;
};

void perf_world_probe(struct perf_world *);

/* Return "no hardware PMU here: …", and the remedy. */
const char *perf_world_no_pmu(const struct perf_world *);
const char *perf_world_no_pmu_remedy(const struct perf_world *);

/* Opens a file or a folder of tracefs for reading, by its path in tracefs ("events/sched"). This is the one place where
 * hecate uses CAP_DAC_READ_SEARCH, if its program file has it (base/caps.h). If tracefs is mounted nowhere, the file
 * belongs to a detached mount, which disappears when the file is closed. Returns the descriptor, which the caller
 * closes; -1 and errno if the file cannot be opened or is no file of tracefs. */
int perf_tracefs_open(const struct perf_world *, const char *path);

/* Reads a file of tracefs as text, up to size - 1 bytes. Returns false and sets errno on the same failures. */
bool perf_tracefs_read(const struct perf_world *, const char *path, char *text, size_t size);

/* Returns the id of tracepoint `system`:`event`, or -1 with errno (ENOENT: no such event, EACCES: tracefs may not be
 * read). */
int perf_tracepoint_id(const struct perf_world *, const char *system, const char *event);
bool perf_tracepoint_system(const struct perf_world *, const char *system);

/* Returns a constant of perf's metrics (tools/perf/util/expr.c) on this machine by its name without '#', in lower case:
 * "num_cores", "smt_on". Returns NAN if this machine does not say. */
double cpu_constant(const struct perf_world *, const char *name);

#endif
