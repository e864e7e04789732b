/* How far exact totals may be off (docs/numerics.md, "Exact totals have a tolerance"). */
#include <math.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/obs/tolerance.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "event/name.h"
#include "work/analysis/describe.h"

/* Returns the tolerance of a counter, in counts: that of its hardware events. */
static double
hardware_tolerance(const struct udd_counter *c, double seconds, double largest, double own)
{
	unsigned events = 0;

	for (size_t k = 0; k < c->n_events; k++)
		events += event_is_hardware(c->event[k].name) || event_is_hardware(c->name);
	return obs_tolerance(events, seconds, largest, own);
}

/* Returns the tolerance of an amount with a unit, which was printed with few decimals: half a step of the last one for
 * each column. Interrupts add nothing to it, but it starts and stops with the others. */
static double
amount_tolerance(const struct prepared *p, size_t counter, double own)
{
	double steps = 0;

	for (size_t k = p->match->first[counter]; k < p->match->first[counter + 1] && p->obs->decimals; k++)
		steps += fabs((double)p->match->times[k]);
	return steps / 2 * pow(10, -p->obs->decimals) + OBS_TOLERANCE_OWN * own;
}

static double
own_tolerance(const struct analysis *a, const struct prepared *p, size_t counter, double seconds, double largest)
{
	double own = fabs(p->value[counter]) * (double)obs_samples(p->obs);

	if (a->opt.tolerance >= 0)
		return a->opt.tolerance;
	if (p->match->family[counter])
		return amount_tolerance(p, counter, own);
	if (p->kernel_total) /* a file does not say whether it is of a command or of a whole machine */
		return p->obs->tasks > 0 || p->obs->time ? 1 + OBS_TOLERANCE_OWN * own : 0;
	if (isnan(seconds) && !(p->obs->tasks > 0))
		return 0;
	return hardware_tolerance(&a->model->counter[counter], seconds, largest, own);
}

double *
prepare_tolerances(const struct analysis *analysis, const struct prepared *prepared)
{
	double *out = mem_new_array(prepared->n_kept, sizeof *out), seconds = obs_seconds(prepared->obs), largest = 0,
		samples = (double)obs_samples(prepared->obs);
	size_t k = 0;

	for (size_t i = 0; i < analysis->model->n_counters; i++)
		if (prepared->keep[i])
			largest = fmax(largest, prepared->value[i] * samples);
	for (size_t i = 0; i < analysis->model->n_counters; i++)
		if (prepared->keep[i])
			out[k++] = own_tolerance(analysis, prepared, i, seconds, largest);
	return out;
}
