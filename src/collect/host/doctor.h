/* What can be counted here, as whom, why not, and the remedy. */
#ifndef COLLECT_HOST_DOCTOR_H
#define COLLECT_HOST_DOCTOR_H

#include <stdbool.h>

#include "core/machine/doctor.h"

void doctor_look(struct doctor *);

/* Does what DOCTOR_MOUNT_COMMAND says. False and *e on failure. */
struct err;
bool doctor_mount_tracefs(struct err *e);

#endif
