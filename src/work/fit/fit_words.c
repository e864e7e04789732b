/* What is said of events that fit, or do not. */
#include "base/number.h"
#include "base/str.h"
#include "work/fit/fit.h"

static size_t
count_elsewhere(const struct fit *fit, bool cpus)
{
	size_t n = 0;

	for (size_t i = 0; i < fit->n && !cpus; i++)
		n += fit->event[i].kind == FIT_ELSEWHERE;
	return n;
}

static size_t
count_in_first(const struct fit *fit)
{
	size_t n = 0;

	for (size_t i = 0; fit->n_sets && i < fit->n; i++)
		n += fit_in_set(fit, 0, i);
	return n;
}

static size_t
count_idle(const struct fit *fit)
{
	size_t n = 0;

	for (size_t i = 0; i < fit->n; i++)
		n += fit->event[i].idle;
	return n;
}

static size_t
count_refused(const struct fit *fit)
{
	size_t n = 0;

	for (size_t i = 0; i < fit->n; i++)
		n += fit->event[i].kind == FIT_REFUSED;
	return n;
}

bool
fit_is_tight(const struct fit *fit, bool cpus)
{
	return fit->n_sets > 1 || fit->held || fit->twice || fit->squeezed || count_idle(fit) ||
		count_elsewhere(fit, cpus);
}

void
fit_write_sets(const struct fit *fit, struct str *out)
{
	size_t n = count_in_first(fit);

	if (!fit->n_sets)
		str_add(out, fit->n && !count_refused(fit) && !count_elsewhere(fit, false)
			? "no counter is needed: the kernel counts them all"
			: "none of these events is on a counter here");
	else if (fit->n_sets == 1)
		str_addf(out, "%zu event%s fit%s at once: %zu of %zu counters", n, plural_s(n), n == 1 ? "s" : "", n,
			fit->room);
	else
		str_addf(out, "%zu events take turns in %zu sets: the PMU holds %zu of them at once", fit->counted,
			fit->n_sets, n);
}

void
fit_write_holders(const struct fit *fit, struct str *out)
{
	if (fit->watchdog)
		str_add(out, "the NMI watchdog holds a counter: sysctl kernel.nmi_watchdog=0 frees it\n");
	if (fit->held)
		str_addf(out, "other users of the PMU hold %zu of the %zu counters now; events take turns with them\n",
			fit->held, fit->room);
	if (fit->twice)
		str_addf(out, "%zu event%s given again, and %s\n", fit->twice, fit->twice == 1 ? " is" : "s are",
			fit->once ? "counted once" : "a run needs another counter for it");
	if (fit->smt)
		str_add(out, "SMT is on: where a core's threads share its counters, each has half of them\n");
}

static const char *
fit_next_part(const struct str *out)
{
	return out->n ? "; " : "";
}

void
fit_write_brief(const struct fit *fit, bool cpus, struct str *out)
{
	const char *why = NULL;
	size_t refused = 0, alike = 0, elsewhere = count_elsewhere(fit, cpus), idle = count_idle(fit);

	for (size_t i = 0; i < fit->n; i++)
		if (fit->event[i].kind == FIT_REFUSED) {
			why = refused++ ? why : fit->event[i].why;
			alike += str_eq(fit->event[i].why, why);
		}
	if (fit->n_sets == 1)
		str_addf(out, "%zu of %zu counters", count_in_first(fit), fit->room);
	else if (fit->n_sets)
		str_addf(out, "%zu events in %zu sets that take turns, %zu at once", fit->counted, fit->n_sets,
			count_in_first(fit));
	else if (!refused && !elsewhere)
		str_add(out, fit->n ? "no counter is needed: the kernel counts them all" : "no event is counted");
	if (fit->watchdog && fit->n_sets)
		str_addf(out, "%sthe NMI watchdog holds one more", fit_next_part(out));
	if (fit->held)
		str_addf(out, "%sother users hold %zu now", fit_next_part(out), fit->held);
	if (fit->twice)
		str_addf(out, "%s%zu event%s twice in it", fit_next_part(out), fit->twice,
			fit->twice == 1 ? " is" : "s are");
	if (idle)
		str_addf(out, "%s%zu get%s no counter", fit_next_part(out), idle, idle == 1 ? "s" : "");
	if (elsewhere)
		str_addf(out, "%s%zu outside the cores, never counted for a command", fit_next_part(out), elsewhere);
	if (refused)
		str_addf(out, "%s%zu not counted%s: %s", fit_next_part(out), refused,
			alike == refused ? "" : ", the first", why);
}
