/* How events take turns when there are more events than counters. */
#ifndef CORE_OBS_ROTATION_H
#define CORE_OBS_ROTATION_H

enum rotation_how {
	ROTATION_RANDOM, /* sets in random order, turns of random length */
	ROTATION_KERNEL, /* groups one after the other, at a fixed tick */
};

#endif
