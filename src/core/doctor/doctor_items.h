/* The doctor's findings (collect/host/doctor.h): which events a machine can count. */
#ifndef CORE_DOCTOR_DOCTOR_ITEMS_H
#define CORE_DOCTOR_DOCTOR_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

enum doctor_level { DOCTOR_GOOD, DOCTOR_PARTLY, DOCTOR_BAD };

struct doctor_item {
	enum doctor_level level;
	const char *what;   /* "software events", "tracepoints", "core PMU" … */
	char amount[32];    /* "12 of 12", "1 899", "" */
	char why[160];      /* short: "hidden by the hypervisor" */
	char remedy[200];   /* one command to copy, or "" */
};

#define DOCTOR_ITEMS 9
#define DOCTOR_EXAMPLE "page-fault example" /* the item of the README's first example */
#define DOCTOR_MOUNT_COMMAND "mount -t tracefs tracefs /sys/kernel/tracing"

struct doctor {
	char machine[160];  /* "KVM guest · 2 vCPUs · 23 GB · kernel 6.18 · uid 0" */
	struct doctor_item item[DOCTOR_ITEMS];
	size_t n;
	bool has_pmu, kernel_side, tracefs_mounted, may_mount_tracefs, tracepoints;
	bool example;       /* the README's first example can test its constraint on this machine */
	int paranoid;       /* perf_event_paranoid, or INT_MIN */
};

/* False also before the doctor has looked. */
static inline bool
doctor_lacks_pmu(const struct doctor *d)
{
	return d->n && !d->has_pmu;
}

#endif
