/* Amounts of one unit in columns: all on one scale, so that they can be compared digit by digit. */
#ifndef DRAW_AMOUNT_H
#define DRAW_AMOUNT_H

#include "base/number.h"
#include "core/lang/aexpr.h"

#define AMOUNT_UNIT 24

struct amount {
	double factor; /* of one of what is shown, in the base unit: 1e6 for ms */
	bool scaled;   /* counts get k M G; times have their scale already */
	char unit[AMOUNT_UNIT];
};

/* For amounts up to `top`: times become µs, ms or s. */
struct amount amount_for(struct unit, double top);
/* A figure as CPI: factor 1, two digits behind the point at least. */
struct amount amount_of_figure(const char *name);
char *amount_text(char out[NUMBER_TEXT], const struct amount *, double v); /* "?" for NAN */

/* 1, 2 or 5 times a power of ten: `range` has about `steps` of them. */
double amount_step(double range, double steps);

#endif
