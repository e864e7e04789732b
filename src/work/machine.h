/* Reports what this machine can count, for layers that may not include collect/host/doctor.h. */
#ifndef WORK_MACHINE_H
#define WORK_MACHINE_H

#include <stdbool.h>

#include "core/doctor/doctor_items.h"

struct err;

void machine_probe(struct doctor *);
bool machine_mount_tracefs(struct err *e); /* runs what DOCTOR_MOUNT_COMMAND shows. False and *e on failure */

#endif
