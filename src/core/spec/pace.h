/* How often a profile looks, so that it costs no more than it may: where looking takes too much of the processor, it is
 * slowed down. */
#ifndef CORE_SPEC_PACE_H
#define CORE_SPEC_PACE_H

#include <stdbool.h>

struct pace {
	double least;    /* seconds between two looks, as asked for */
	double most;     /* … and at most; limits that cannot be kept with it are not kept, and that is told */
	double part;     /* of one CPU's time that looking may take; 0: no limit */
	double interval; /* now */
	double cost;     /* seconds of the processor that a look takes, smoothed; 0: none was taken */
	bool kept;       /* the last interval's cost was within the limit, or is made so */
};

/* part 0 to 1; least above 0, not above most. */
struct pace pace_begin(double least, double most, double part);

/* A look took so many seconds of the processor: how long to wait until the next. It grows at once to what the limit
 * asks for, and comes back by a tenth at a time. */
double pace_next(struct pace *, double cost);

#endif
