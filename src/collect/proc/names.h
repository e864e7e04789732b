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
	char part[64];     /* the device or pattern, or PSI's resource; "" */
	char field[64];    /* as written */
	/* what to look for in the file: "some", "cpu", "rchar"; NULL: the field itself, as written */
	const char *key;
	unsigned at;       /* … and which number behind it, or of the line, from 0 */
	uint64_t factor;   /* one unit of the file, in what the name promises: 1000000 for ms as ns */
	unsigned bits;     /* the file's number begins again at 2^bits */
};

/* Is it a name of this kind at all? Else it is perf's. The tracepoints of a system called `task` stay perf's. */
bool proc_name_is(const char *name);

/* False and *why when there is no such thing. */
bool proc_name_parse(const char *name, struct proc_name *, struct source_status *why);

/* The disks that `disk:PATTERN/…` means here, as proc_disks() gives them; NULL where the name is no pattern of disks,
 * or there is none. */
char **proc_name_disks(const char *name, size_t *n);
bool proc_name_same_disks(const char *a, const char *b);           /* are both of the same pattern? */
/* of such a name that of one disk; the caller frees */
char *proc_name_of_disk(const char *name, const char *device);

#endif
