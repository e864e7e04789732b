#include "core/obs/tolerance.h"

#include <math.h>

#include "core/obs/obs.h"

#define INTERRUPTS 1000.0 /* per second, at most: Linux's timer (CONFIG_HZ) has no higher rate */
#define LONGEST 1e5      /* seconds; a later time is a date */
/* largest tolerance, as a share of the largest count; a larger one would come from a wrong time */
#define OF_LARGEST 1e-3

double
obs_seconds(const struct obs *o)
{
	double first = o->time ? o->time[0] : NAN, last = o->time && o->n_rows ? o->time[o->n_rows - 1] : NAN, all;

	/* A row's time is that of its last sample. */
	all = o->n_rows == 1 ? last
		: (last - first) * (double)obs_samples(o) / (double)(obs_samples(o) - obs_samples_in_row(o, 0));
	return all > 0 && all < LONGEST ? all : NAN;
}

double
obs_tolerance(unsigned events, double seconds, double largest, double own)
{
	return events
		* (isnan(seconds) ? 1 + OBS_TOLERANCE_OWN * own
				  : fmin(1 + INTERRUPTS * seconds, 1 + OF_LARGEST * largest));
}
