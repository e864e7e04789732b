/* Probes this machine: what can be counted and with which rights; and, for what cannot be counted, the reason and the
 * remedy. */
#ifndef COLLECT_HOST_DOCTOR_H
#define COLLECT_HOST_DOCTOR_H

#include <stdbool.h>

#include "core/doctor/doctor_items.h"

void doctor_probe(struct doctor *);

/* Runs DOCTOR_MOUNT_COMMAND. On failure returns false and sets *e. */
struct err;
bool doctor_mount_tracefs(struct err *e);

#endif
