/* Names of a specification, whether a machine has what it requests, and the pace of its samples. */
#include "core/spec/spec.h"

#include <math.h>

#include "base/err.h"
#include "base/str.h"

const char *
spec_memory_name(enum spec_memory m)
{
	switch (m) {
	case SPEC_MEMORY_ANY:
		return "any";
	case SPEC_MEMORY_BIND:
		return "bind";
	case SPEC_MEMORY_PREFER:
		return "prefer";
	case SPEC_MEMORY_INTERLEAVE:
		return "interleave";
	}
	return "";
}

const char *
spec_statistic_name(enum spec_statistic s)
{
	switch (s) {
	case SPEC_PATHS:
		return "paths";
	case SPEC_SHARES:
		return "shares";
	case SPEC_QUEUES:
		return "queues";
	case SPEC_STALLS:
		return "stalls";
	case SPEC_LOAD:
		return "load";
	case SPEC_FLOWS:
		return "flows";
	case SPEC_FIGURES:
		return "figures";
	case SPEC_LAWS:
		return "laws";
	case SPEC_ACCOUNTS:
		return "accounts";
	case SPEC_VERDICT:
		return "verdict";
	case SPEC_STATISTICS:
		break;
	}
	return "";
}

static void
spec_add_numbers(const struct spec_numbers *numbers, struct str *out)
{
	for (size_t i = 0; i < numbers->n; i++) {
		size_t end = i;

		while (end + 1 < numbers->n && numbers->at[end + 1] == numbers->at[end] + 1)
			end++;
		str_addf(out, "%s%d", i ? "," : "", numbers->at[i]);
		if (end > i)
			str_addf(out, "-%d", numbers->at[end]);
		i = end;
	}
}

static bool
are_there(const struct spec_program *program, const char *what, const struct spec_numbers *wanted,
	const struct spec_numbers *there, struct err *e)
{
	size_t k = 0;

	for (size_t i = 0; i < wanted->n; i++) {
		struct str list = {0};

		while (k < there->n && there->at[k] < wanted->at[i])
			k++;
		if (k < there->n && there->at[k] == wanted->at[i])
			continue;
		spec_add_numbers(there, &list);
		err_set(e, "program %.60s asks for %s %d, and this machine has none of that number%s", program->name,
			what, wanted->at[i], str_eq(what, "core") ? ", or it is offline" : "");
		err_hint(e, there->n ? "there are %s" : "%sit reports none", str_text(&list));
		str_free(&list);
		return false;
	}
	return true;
}

bool
spec_fits(
	const struct profile_spec *s, const struct spec_numbers *cores, const struct spec_numbers *nodes, struct err *e)
{
	for (size_t i = 0; i < s->n_programs; i++)
		if (!are_there(&s->program[i], "core", &s->program[i].cores, cores, e) ||
			!are_there(&s->program[i], "memory node", &s->program[i].nodes, nodes, e))
			return false;
	return true;
}

/* --- pace -------------------------------------------------------------------------------------------------------- */

/* weight of a new cost below the mean: one cheap sample is no reason to hurry */
#define SMOOTH 0.25
#define COME_BACK 0.9

struct spec_pace
spec_pace_begin(double least, double most, double part)
{
	return (struct spec_pace){.least = least, .most = most, .part = part, .interval = least, .kept = true};
}

double
spec_pace_next(struct spec_pace *pace, double cost)
{
	double wanted;

	if (!(cost >= 0))
		return pace->interval; /* the clock went back: no information */
	pace->cost = cost > pace->cost ? cost : pace->cost + SMOOTH * (cost - pace->cost);
	if (!(pace->part > 0))
		return pace->interval;
	wanted = fmax(pace->least, pace->cost / pace->part);
	pace->kept = wanted <= pace->most;
	wanted = fmin(wanted, pace->most);
	pace->interval = wanted >= pace->interval ? wanted : fmax(wanted, pace->interval * COME_BACK);
	return pace->interval;
}

unsigned
spec_interval_ms(const struct profile_spec *s)
{
	return (unsigned)fmin(fmax(s->granularity * 1e3, 1), 1e9);
}
