#include "draw/amount.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

static void
name_unit(struct amount *a, const char *name)
{
	snprintf(a->unit, sizeof a->unit, "%s", name);
}

struct amount
amount_for(struct unit unit, double top)
{
	struct amount a = {.factor = 1, .scaled = true};
	struct str name = {0};

	if (unit_equal(unit, unit_of(UNIT_NS))) {
		a.factor = top >= 1e10 ? 1e9 : top >= 1e6 ? 1e6 : 1e3;
		a.scaled = false;
		name_unit(&a, top >= 1e10 ? "s" : top >= 1e6 ? "ms" : "µs");
		return a;
	}
	unit_text(unit, &name);
	name_unit(&a, str_text(&name));
	str_free(&name);
	return a;
}

struct amount
amount_of_figure(const char *name)
{
	struct amount a = {.factor = 1};

	name_unit(&a, name);
	return a;
}

char *
amount_text(char out[NUMBER_TEXT], const struct amount *amount, double v)
{
	double shown = v / amount->factor;

	if (isnan(v))
		snprintf(out, NUMBER_TEXT, "?");
	else if (amount->scaled || fabs(shown) >= 1000)
		number_count(out, shown, false);
	else if (v > 0 || v < 0)
		snprintf(out, NUMBER_TEXT, fabs(shown) < 9.995 ? "%s%.2f" : fabs(shown) < 99.95 ? "%s%.1f" : "%s%.0f",
			v < 0 ? "−" : "", fabs(shown));
	else
		snprintf(out, NUMBER_TEXT, "0");
	return out;
}

double
amount_step(double range, double steps)
{
	double least = range / steps, ten = pow(10, floor(log10(least)));

	return least <= ten ? ten : least <= 2 * ten ? 2 * ten : least <= 5 * ten ? 5 * ten : 10 * ten;
}
