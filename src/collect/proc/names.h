/* Names of counters that the kernel keeps in files: `disk:vda/reads`, `vmstat:pgpgin`, `psi:io/some_ns`,
 * `stat:steal_ns`, `task:run_ns`, `io:read_bytes` (docs/kernel-files.md). */
#ifndef COLLECT_PROC_NAMES_H
#define COLLECT_PROC_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_status;

enum proc_family {
	PROC_DISK,   /* /sys/block/DEV/stat */
	PROC_VMSTAT, /* /proc/vmstat */
	PROC_PSI,    /* /proc/pressure/… */
	PROC_STAT,   /* /proc/stat */
	PROC_TASK,   /* /proc/PID/task/TID/schedstat */
	PROC_IO,     /* /proc/PID/io */
};

struct proc_name {
	enum proc_family family;
	char part[64];     /* device, pattern, or resource of PSI; "": none */
	char field[64];    /* name of the field as the user wrote it */
	/* key of the line in the file: "some", "cpu", "rchar"; NULL: the field itself */
	const char *key;
	unsigned at;       /* index of the number after the key, or in the line, from 0 */
	uint64_t factor;   /* the counter's units per unit of the file: 1000000 for ms as ns */
	unsigned bits;     /* the number in the file wraps around at 2^bits */
};

/* Returns true for a name of this kind; all other names belong to perf, including the tracepoints of a system called
 * `task`. */
bool proc_name_is(const char *name);

/* Parses a name. Returns false and sets *why when no such counter exists. */
bool proc_name_parse(const char *name, struct proc_name *, struct source_status *why);

/* Returns the disks that `disk:PATTERN/…` matches on this machine, as proc_disks() does. Returns NULL when the name has
 * no pattern or nothing matches. */
char **proc_name_disks(const char *name, size_t *n);
bool proc_name_same_disks(const char *a, const char *b);           /* true when both have the same pattern */
/* returns the name for one disk of a pattern; the caller frees it */
char *proc_name_of_disk(const char *name, const char *device);

#endif
