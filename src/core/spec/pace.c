#include "core/spec/pace.h"

#include <math.h>

/* weight of the newest cost when it is below the mean of those before: a lull is no reason to hurry */
#define SMOOTH 0.25
#define COME_BACK 0.9

struct pace
pace_begin(double least, double most, double part)
{
	return (struct pace){.least = least, .most = most, .part = part, .interval = least, .kept = true};
}

double
pace_next(struct pace *p, double cost)
{
	double wanted;

	if (!(cost >= 0))
		return p->interval; /* a clock that goes back says nothing */
	p->cost = cost > p->cost ? cost : p->cost + SMOOTH * (cost - p->cost);
	if (!(p->part > 0))
		return p->interval;
	wanted = fmax(p->least, p->cost / p->part);
	p->kept = wanted <= p->most;
	wanted = fmin(wanted, p->most);
	p->interval = wanted >= p->interval ? wanted : fmax(wanted, p->interval * COME_BACK);
	return p->interval;
}
