/* Control (explorer/control) in a folder of its own, without a screen. */
#ifndef TESTS_LIB_CONTROL_BED_H
#define TESTS_LIB_CONTROL_BED_H

#include <stdbool.h>

#include "explorer/control/control.h"
#include "explorer/state/state.h"

struct bed {
	struct state s;
	struct control c;
	char folder[48], came_from[4096];
};

extern const char bed_network[]; /* the text of a network of page faults */

void bed_enter(struct bed *); /* makes the folder, and goes there; state and control are the test's to open */
void bed_close(struct bed *); /* closes both, and removes the folder */
void bed_turn(struct bed *);  /* one round of the explorer's loop */
/* Turns until it is so; a failure after two minutes. */
bool bed_until(struct bed *, bool (*done)(const struct bed *));

#endif
