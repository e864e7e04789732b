/* Where the border between two trends is, with an interval. */
#ifndef CORE_CURVE_KNEE_PLACE_H
#define CORE_CURVE_KNEE_PLACE_H

#include "core/curve/knee.h"
#include "core/curve/trend.h"

#define KNEE_CONFIDENCE 0.99
#define KNEE_WINDOW_SHARE 10 /* trends beside a border are those of a tenth of the points */

/* What the border after a piece means. */
struct knee_border {
	enum knee_kind kind;
	double weight;            /* 1 or more: it matters */
	double noise;             /* around the lines of its window */
	struct trend_line before, after;
};

/* Returns the knee at the border between pieces p and q. */
struct knee knee_place(const struct trend_points *, const struct knee_border *, struct trend_piece p,
	struct trend_piece q);

#endif
