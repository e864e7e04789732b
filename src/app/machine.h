/* What this machine can count, for the rooms that do not see where that is found out. */
#ifndef APP_MACHINE_H
#define APP_MACHINE_H

#include <stdbool.h>

#include "core/machine/doctor.h"

struct err;

void machine_look(struct doctor *);
bool machine_mount_tracefs(struct err *e); /* does what DOCTOR_MOUNT_COMMAND says. False and *e on failure */

#endif
