#include "collect/proc/names.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "collect/proc/files.h"
#include "collect/source.h"

#define LONG_BITS (CHAR_BIT * (unsigned)sizeof(long))
#define MS 1000000u
#define FIELDS_MOST 16
#define SECTOR 512u /* bytes, for every device: Documentation/block/stat.rst */

struct field {
	const char *name, *key;
	unsigned at;
	uint64_t factor; /* the counter's units per unit of the file; 0: a clock tick */
	unsigned bits;
};

/* Documentation/block/stat.rst. Times are in ms and printed as unsigned int (block/genhd.c, part_stat_show()). So they
 * wrap around after 49.7 days of such time. */
static const struct field disk_field[] = {
	{"reads", NULL, 0, 1, LONG_BITS}, {"read_merges", NULL, 1, 1, LONG_BITS}, {"read_bytes", NULL, 2, SECTOR,
		64},
	{"read_ns", NULL, 3, MS, 32}, {"writes", NULL, 4, 1, LONG_BITS}, {"write_merges", NULL, 5, 1, LONG_BITS},
	{"write_bytes", NULL, 6, SECTOR, 64}, {"write_ns", NULL, 7, MS, 32}, {"busy_ns", NULL, 9, MS, 32},
	{"queue_ns", NULL, 10, MS, 32}, {"discards", NULL, 11, 1, LONG_BITS}, {"discard_merges", NULL, 12, 1,
		LONG_BITS},
	{"discard_bytes", NULL, 13, SECTOR, 64}, {"discard_ns", NULL, 14, MS, 32}, {"flushes", NULL, 15, 1,
		LONG_BITS},
	{"flush_ns", NULL, 16, MS, 32},
};

/* Documentation/accounting/psi.rst: totals in µs. */
static const struct field psi_field[] = {{"some_ns", "some", 0, 1000, 64}, {"full_ns", "full", 0, 1000, 64}};

/* proc(5), /proc/stat: the line of all CPUs in ticks, and events since boot. */
static const struct field stat_field[] = {
	{"user_ns", "cpu", 0, 0, 64}, {"nice_ns", "cpu", 1, 0, 64}, {"system_ns", "cpu", 2, 0, 64}, {"idle_ns",
		"cpu", 3, 0, 64},
	{"iowait_ns", "cpu", 4, 0, 64}, {"irq_ns", "cpu", 5, 0, 64}, {"softirq_ns", "cpu", 6, 0, 64},
		{"steal_ns", "cpu", 7, 0, 64},
	{"guest_ns", "cpu", 8, 0, 64}, {"interrupts", "intr", 0, 1, 64}, {"switches", "ctxt", 0, 1, 64},
		{"forks", "processes", 0, 1, LONG_BITS},
};

/* Documentation/scheduler/sched-stats.rst. */
static const struct field task_field[] = {
	{"run_ns", NULL, 0, 1, 64}, {"wait_ns", NULL, 1, 1, 64}, {"slices", NULL, 2, 1, LONG_BITS}
};

/* proc(5), /proc/PID/io. */
static const struct field io_field[] = {
	{"rchar", "rchar", 0, 1, 64}, {"wchar", "wchar", 1, 1, 64}, {"syscr", "syscr", 2, 1, 64}, {"syscw",
		"syscw", 3, 1, 64},
	{"read_bytes", "read_bytes", 4, 1, 64}, {"write_bytes", "write_bytes", 5, 1, 64},
	{"cancelled_write_bytes", "cancelled_write_bytes", 6, 1, 64},
};

static const struct family {
	const char *word;
	enum proc_family family;
	bool parted; /* names of the form PART/FIELD */
	const struct field *field;
	size_t n;
} families[] = {
	{"disk", PROC_DISK, true, disk_field, sizeof disk_field / sizeof *disk_field},
	{"vmstat", PROC_VMSTAT, false, NULL, 0},
	{"psi", PROC_PSI, true, psi_field, sizeof psi_field / sizeof *psi_field},
	{"stat", PROC_STAT, false, stat_field, sizeof stat_field / sizeof *stat_field},
	{"task", PROC_TASK, false, task_field, sizeof task_field / sizeof *task_field},
	{"io", PROC_IO, false, io_field, sizeof io_field / sizeof *io_field},
};

static const struct family *
family_of(const char *name)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t n = strlen(families[i].word);

		if (strncmp(name, families[i].word, n) == 0 && name[n] == ':' && !str_starts(name, "task:task_"))
			return &families[i];
	}
	return NULL;
}

bool
proc_name_is(const char *name)
{
	return family_of(name) != NULL;
}

static bool
refuse_field(const struct family *f, const char *name, const char *field, struct source_status *why)
{
	const char *known[FIELDS_MOST];
	struct str all = {0};
	char *near;

	for (size_t i = 0; i < f->n; i++) {
		known[i] = f->field[i].name;
		str_addf(&all, "%s%s", i ? ", " : "known are ", known[i]);
	}
	near = near_text(field, known, f->n);
	source_status_refuse(why, EINVAL, NULL, "%.60s: there is no '%.40s'", name, field);
	source_status_hint(why, near ? near : mem_str(str_text(&all)));
	str_free(&all);
	return false;
}

static uint64_t
tick_ns(void)
{
	long hz = sysconf(_SC_CLK_TCK);

	return 1000000000u / (uint64_t)(hz > 0 ? hz : 100);
}

/* True for fields of /proc/vmstat that are levels. Their names begin with nr_, with these exceptions
 * (include/linux/mmzone.h, vm_event_item.h). */
static bool
is_level(const char *field)
{
	static const char *const counts[] = {
		"nr_dirtied", "nr_written", "nr_throttled_written", "nr_vmscan_write", "nr_vmscan_immediate_reclaim"
	};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (str_eq(field, counts[i]))
			return false;
	return (str_starts(field, "nr_") && !str_starts(field, "nr_tlb_") && !str_starts(field, "nr_foll_pin_")) ||
		str_eq(field, "workingset_nodes");
}

static bool
take_vmstat(const char *name, struct proc_name *p, struct source_status *why)
{
	if (!*p->field || p->field[strspn(p->field, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
		return source_status_refuse(
			why, EINVAL, "cat /proc/vmstat lists them", "%.60s names no field of /proc/vmstat", name);
	if (is_level(p->field))
		return source_status_refuse(
			why, EINVAL, NULL, "%.60s is a level, which rises and falls, and not a counter", name);
	p->factor = 1;
	p->bits = LONG_BITS;
	return true;
}

static bool
names_take_part(const char *name, const char **rest, struct proc_name *proc_name, struct source_status *why)
{
	const char *slash = strrchr(*rest, '/');
	size_t n = slash ? (size_t)(slash - *rest) : 0;

	if (n == 0 || n >= sizeof proc_name->part || memchr(*rest, '/', n) || **rest == '.')
		return source_status_refuse(why, EINVAL, NULL, "%.60s: %s", name,
			proc_name->family == PROC_DISK ? "write a device and a field: disk:vda/reads, disk:*/reads"
				: "write a resource and a field: psi:io/some_ns");
	memcpy(proc_name->part, *rest, n);
	proc_name->part[n] = '\0';
	*rest = slash + 1;
	if (proc_name->family == PROC_PSI && !str_eq(proc_name->part, "cpu") && !str_eq(proc_name->part, "memory") &&
		!str_eq(proc_name->part, "io") && !str_eq(proc_name->part, "irq"))
		return source_status_refuse(why, EINVAL, NULL,
			"%.60s: the kernel measures the pressure of cpu, memory, io and irq only", name);
	return true;
}

bool
proc_name_parse(const char *name, struct proc_name *proc_name, struct source_status *why)
{
	const struct family *family = family_of(name);
	const char *rest;

	*proc_name = (struct proc_name){0};
	if (!family)
		return source_status_refuse(why, EINVAL, NULL, "%.60s is not a counter in a file of the kernel", name);
	proc_name->family = family->family;
	rest = strchr(name, ':') + 1;
	if (family->parted && !names_take_part(name, &rest, proc_name, why))
		return false;
	if (strlen(rest) >= sizeof proc_name->field)
		return source_status_refuse(why, EINVAL, NULL, "%.60s: the name of the field is too long", name);
	snprintf(proc_name->field, sizeof proc_name->field, "%s", rest);
	if (family->family == PROC_VMSTAT)
		return take_vmstat(name, proc_name, why);
	for (size_t i = 0; i < family->n; i++)
		if (str_eq(family->field[i].name, rest)) {
			proc_name->key = family->field[i].key;
			proc_name->at = family->field[i].at;
			proc_name->factor = family->field[i].factor ? family->field[i].factor : tick_ns();
			proc_name->bits = family->field[i].bits;
			return true;
		}
	return refuse_field(family, name, rest, why);
}

/* Returns the length of the pattern in `disk:PATTERN/…`; 0 for other names. */
static size_t
pattern_end(const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t n = slash ? (size_t)(slash - name) : 0;

	return str_starts(name, "disk:") && n > 5 && n < 5 + sizeof((struct proc_name){0}).part &&
		strcspn(name, "*?[") < n ? n : 0;
}

char **
proc_name_disks(const char *name, size_t *n)
{
	size_t end = pattern_end(name);
	char *pattern = end ? mem_strn(name + 5, end - 5) : NULL, **device = NULL;

	*n = 0;
	if (pattern)
		device = proc_disks(pattern, n);
	if (*n == 0) {
		str_split_free(device);
		device = NULL;
	}
	free(pattern);
	return device;
}

bool
proc_name_same_disks(const char *a, const char *b)
{
	size_t n = pattern_end(a);

	return n && n == pattern_end(b) && strncmp(a, b, n) == 0;
}

char *
proc_name_of_disk(const char *name, const char *device)
{
	return str_format("disk:%s%s", device, name + pattern_end(name));
}
