/* What this machine can count, for the rooms that may not see where it is found out. */
#ifndef APP_MACHINE_H
#define APP_MACHINE_H

#include "collect/doctor.h"

#endif
