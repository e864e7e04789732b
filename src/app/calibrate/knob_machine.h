/* A simulated machine with its features that are on: what knobs are turned on. */
#ifndef APP_CALIBRATE_KNOB_MACHINE_H
#define APP_CALIBRATE_KNOB_MACHINE_H

#include "collect/sim/machine.h"

struct knob_machine {
	struct sim_machine m; /* its texts are those of the machine it was copied from */
	sim_plants plants;
};

#endif
