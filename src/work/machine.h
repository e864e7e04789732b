/* Reports what this machine can count, for layers that may not include collect/host/doctor.h. */
#ifndef WORK_MACHINE_H
#define WORK_MACHINE_H

#include <stdbool.h>

#include "core/doctor/doctor_items.h"
#include "core/doctor/health.h"

struct err;
struct event_table;

void machine_probe(struct doctor *);
bool machine_mount_tracefs(struct err *e); /* runs what DOCTOR_MOUNT_COMMAND shows. False and *e on failure */

/* The events and metrics that the sources of this machine know (events_load() in collect/perf/known_events.h). */
bool machine_events(const char *cpu, struct event_table *, struct err *e);

/* Returns false if this machine has no hardware PMU; *why is the reason, and its hint the remedy. */
bool machine_has_pmu(struct err *why);

/* The processor as perf identifies it, or else the name of its architecture. */
void machine_cpu(char id[64]);

/* What became of events that were counted here, in $XDG_CACHE_HOME/hecate/health-UID. Session files have it, too, but
 * they move, and not every run writes one. A damaged file is none; a file that cannot be written is no failure. */
void machine_health(struct health_book *);
struct machine_seen {
	const char *event;
	enum health health;
	double share; /* as in struct health_entry */
};
void machine_note_health(const struct machine_seen *, size_t n);

/* Returns a constant of perf's metrics, "num_cores", as this machine has it; NAN: it does not say. */
double machine_constant(const char *name);

#endif
