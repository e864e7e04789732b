/* How far exact totals may be off (docs/numerics.md, "Exact totals have a tolerance"). */
#include <math.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "event/name.h"
#include "work/analysis/describe.h"

#define INTERRUPTS 1000.0 /* per second, at most: Linux's timer (CONFIG_HZ) has no higher rate */
#define LONGEST 1e5      /* seconds; a later time is a date */
/* largest tolerance, as a share of the largest count; a larger one would come from a wrong time */
#define OF_LARGEST 1e-3
/* of a counter's own total, where nobody says how long it took: counters start, stop and are read one after the other,
 * up to 100 microseconds in a second apart */
#define OF_OWN 1e-4

/* Returns how long exact totals took, in seconds; NAN: unknown. */
static double
duration(const struct obs *o)
{
	double first = o->time ? o->time[0] : NAN, last = o->time && o->n_rows ? o->time[o->n_rows - 1] : NAN, all;

	/* A row's time is that of its last sample. */
	all = o->n_rows == 1 ? last
		: (last - first) * (double)obs_samples(o) / (double)(obs_samples(o) - obs_samples_in_row(o, 0));
	return all > 0 && all < LONGEST ? all : NAN;
}

/* Returns the tolerance of a counter, in counts. Hardware counts a few events of each interrupt for the program that it
 * hit: the return from the interrupt is an instruction, and its walks, loads and misses count too. Counters also start
 * and stop a few events apart. Both add up over the counter's events. Source: Weaver, Terpstra and Moore, ISPASS 2013.
 */
static double
hardware_tolerance(const struct udd_counter *c, double seconds, double largest, double own)
{
	double events = 0;

	for (size_t k = 0; k < c->n_events; k++)
		events += event_is_hardware(c->event[k].name) || event_is_hardware(c->name);
	return events * (isnan(seconds) ? 1 + OF_OWN * own : fmin(1 + INTERRUPTS * seconds, 1 + OF_LARGEST * largest));
}

/* Returns the tolerance of an amount with a unit, which was printed with few decimals: half a step of the last one for
 * each column. Interrupts add nothing to it, but it starts and stops with the others. */
static double
amount_tolerance(const struct prepared *p, size_t counter, double own)
{
	double steps = 0;

	for (size_t k = p->match->first[counter]; k < p->match->first[counter + 1] && p->obs->decimals; k++)
		steps += fabs((double)p->match->times[k]);
	return steps / 2 * pow(10, -p->obs->decimals) + OF_OWN * own;
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
		return p->obs->tasks > 0 || p->obs->time ? 1 + OF_OWN * own : 0;
	if (isnan(seconds) && !(p->obs->tasks > 0))
		return 0;
	return hardware_tolerance(&a->model->counter[counter], seconds, largest, own);
}

double *
prepare_tolerances(const struct analysis *analysis, const struct prepared *prepared)
{
	double *out = mem_new_array(prepared->n_kept, sizeof *out), seconds = duration(prepared->obs), largest = 0,
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
