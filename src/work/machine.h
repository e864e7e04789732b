/* Reports what this machine can count, for layers that may not include collect/host/doctor.h. */
#ifndef WORK_MACHINE_H
#define WORK_MACHINE_H

#include <stdbool.h>

#include "core/doctor/doctor_items.h"

struct err;
struct event_table;

void machine_probe(struct doctor *);
bool machine_mount_tracefs(struct err *e); /* runs what DOCTOR_MOUNT_COMMAND shows. False and *e on failure */

/* The events and metrics that the sources of this machine know (events_load() in collect/perf/known_events.h). */
bool machine_events(const char *cpu, struct event_table *, struct err *e);

/* Returns false if this machine has no hardware PMU; *why is the reason, and its hint the remedy. */
bool machine_has_pmu(struct err *why);

/* Returns a constant of perf's metrics, "num_cores", as this machine has it; NAN: it does not say. */
double machine_constant(const char *name);

#endif
