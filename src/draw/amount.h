/* Amounts of one unit in columns. All have one scale, so they can be compared digit by digit. */
#ifndef DRAW_AMOUNT_H
#define DRAW_AMOUNT_H

#include "base/number.h"
#include "text/aexpr.h"

#define AMOUNT_UNIT 24

struct amount {
	double factor; /* base units per unit shown: 1e6 for ms */
	bool scaled;   /* counts get k M G; times are scaled by their unit already */
	char unit[AMOUNT_UNIT];
};

/* Returns the unit for amounts up to `top`. Times become µs, ms or s. */
struct amount amount_for(struct unit, double top);
/* Returns the unit of a figure such as CPI: factor 1, at least two digits after the point. */
struct amount amount_of_figure(const char *name);
char *amount_text(char out[NUMBER_TEXT], const struct amount *, double v); /* "?" for NAN */

/* Returns 1, 2 or 5 times a power of ten, so that `range` has about `steps` of them. */
double amount_step(double range, double steps);

#endif
