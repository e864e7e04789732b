/* Converts what columns count to the base units of a network or a stack. */
#ifndef WORK_TIMELINE_COLUMN_FACTOR_H
#define WORK_TIMELINE_COLUMN_FACTOR_H

#include <math.h>
#include <stddef.h>

#include "base/str.h"
#include "core/counters/counters.h"
#include "core/obs/columns.h"

/* Returns the factor of a counter: that of its own unit for plain counts, and that of the columns' unit for amounts of
 * the same kind (MiB for a counter in bytes, msec for one in ns). NAN: other amounts, which say nothing about it. */
static inline double
column_factor(const struct columns_match *m, size_t counter, const struct counter_item *c)
{
	const char *family = m->family[counter];

	if (!family)
		return c->factor;
	if ((str_eq(family, "bytes") && unit_equal(c->unit, unit_of(UNIT_BYTES))) ||
		(str_eq(family, "time") && unit_equal(c->unit, unit_of(UNIT_NS))))
		return m->base[counter];
	return NAN;
}

#endif
