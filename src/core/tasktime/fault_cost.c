#include "core/tasktime/fault_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define MOST_NS 1e8 /* a fault that takes longer was not measured, but read from a damaged file */
#define MISSING "what a page fault costs on this machine is not known: "
#define WORDS "a page fault takes " /* after these a cost is read; older recordings begin otherwise */
#define MOST_CHANGE 0.1 /* part of its cost by which a touch may differ from one time to another */

bool
fault_cost_is_sound(const struct fault_cost *c)
{
	const double ns[] = {c->touch_ns, c->spread_ns, c->service_ns, c->unrecorded_ns, c->exception_ns};

	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
		if (!(ns[i] >= 0 && ns[i] <= MOST_NS))
			return false;
	return c->touch_ns > 0 && c->service_ns > 0;
}

bool
fault_cost_holds(const struct fault_cost *cost, double touch_ns)
{
	return fabs(touch_ns - cost->touch_ns) <= MOST_CHANGE * cost->touch_ns;
}

void
fault_cost_write(const struct fault_cost *c, struct str *out)
{
	str_addf(out,
		"measured on this machine: " WORDS "%.0f ns, give or take %.0f; its handler %.0f; not "
		"recorded %.0f; the exception, if counted, %.0f",
		c->touch_ns, c->spread_ns, c->service_ns, c->unrecorded_ns, c->exception_ns);
}

void
fault_cost_write_missing(bool tried, struct str *out)
{
	str_addf(out, MISSING "%s",
		tried ? "this kernel does not let it be measured (Linux 5.14 does)" : "--no-calibrate");
}

bool
fault_cost_read(const char *text, struct fault_cost *c)
{
	const char *at = strstr(text, WORDS);

	*c = (struct fault_cost){.pages = 1};
	return at &&
		sscanf(at,
			WORDS "%lf ns, give or take %lf; its handler %lf; "
			"not recorded %lf; the exception, if counted, %lf",
			&c->touch_ns, &c->spread_ns, &c->service_ns, &c->unrecorded_ns, &c->exception_ns) == 5 &&
		fault_cost_is_sound(c);
}

bool
fault_cost_read_given(const char *text, struct fault_cost *c)
{
	int end = 0;

	*c = (struct fault_cost){.pages = 1};
	return sscanf(text, "%lf %lf %lf %lf %lf%n", &c->touch_ns, &c->spread_ns, &c->service_ns, &c->unrecorded_ns,
		       &c->exception_ns, &end) == 5 &&
		text[end] == '\0' && fault_cost_is_sound(c);
}
