/* Knees: where a curve leaves one trend for another. A resource that is full shows as a jump in the time of the code
 * that needs it; a limit of bandwidth shows as a bend, from a slope to a plateau.
 *
 * The curve is cut into segments, each a straight line, so that the sum of the squared residuals and a price for each
 * segment is least (optimal partitioning; Jackson et al., IEEE Signal Processing Letters 12, 2005). A border between
 * segments is a knee if it is significant against the noise, and large enough: a jump of a tenth of the level, or a
 * bend that changes the curve by a quarter of its range and is sharper than a parabola. Smaller ones are counted as
 * minor. */
#ifndef CORE_CURVE_KNEE_H
#define CORE_CURVE_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct curve;

#define KNEE_FEWEST 8        /* points; with fewer, no knee can be told from noise */
#define KNEE_MOST 4000       /* points; if there are more, they are averaged in pairs */

enum knee_kind { KNEE_JUMP, KNEE_BEND };

struct knee {
	enum knee_kind kind;
	double x;             /* jump: the last x that fits, or about the middle of a ramp; bend: where trends meet */
	double low, high;     /* interval of x at 99 %; for a gradual change, where the change begins and ends */
	double before, after; /* values of the two trends at x, in units of the curve */
};

/* A straight piece: mean = a + slope · x, from the first to the last x where it fits. */
struct knee_trend {
	double first, last, a, slope;
	double slope_off; /* half of the slope's interval at 99 % */
};

struct knees {
	struct knee *knee;        /* n, ascending by x */
	size_t n;
	struct knee_trend *trend; /* n + 1 trends; none for a curve of too few points */
	size_t n_trends;
	/* points after the last trend, too few for another trend: the first x, and the mean; NAN: no such points */
	double rest_x, rest_mean;
	size_t minor;             /* number of borders that are significant against the noise, but too small */
	double noise;             /* standard deviation of a point around its trend */
	bool few;                 /* there are too few points to find knees */
};

/* Finds the knees of a sorted curve. Frees the result with knees_free(). Never NULL. */
struct knees *knees_find(const struct curve *);
void knees_free(struct knees *);
/* "jump" or "bend". */
const char *knee_kind_name(enum knee_kind);

#endif
