/* A simulated machine whose knobs are turned, with its features that are on. */
#ifndef WORK_CALIBRATE_KNOB_MACHINE_H
#define WORK_CALIBRATE_KNOB_MACHINE_H

#include "sim/machine.h"

struct knob_machine {
	struct sim_machine m; /* its texts are those of the machine it was copied from */
	sim_plants plants;
};

#endif
