/* Knees: where a curve leaves one trend for another. A resource that is full shows as a jump in the time of the code
 * that needs it; a limit of bandwidth shows as a bend, from a slope to a plateau.
 *
 * The curve is cut into segments, each a straight line, so that squares of residuals and a price for each segment are
 * least together (optimal partitioning; Jackson et al., IEEE Signal Processing Letters 12, 2005). A border between
 * segments is a knee if it stands against the noise, and matters: a jump of a tenth of the level, or a bend that
 * changes the curve by a quarter of its range and is sharper than a parabola. Smaller ones are counted as minor. */
#ifndef CORE_CURVE_KNEE_H
#define CORE_CURVE_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct curve;

#define KNEE_FEWEST 8        /* points, with fewer no knee can be told from noise */
#define KNEE_MOST 4000       /* points, more are averaged in pairs until there are fewer */

enum knee_kind { KNEE_JUMP, KNEE_BEND };

struct knee {
	enum knee_kind kind;
	double x;             /* jump: the last x that fits, or about the middle of a ramp; bend: where trends meet */
	double low, high;     /* interval of x at 99 %; with a gradual change, where it begins and ends */
	double before, after; /* the trends at x, in units of the curve */
};

/* A straight piece: mean = a + slope · x, from the first to the last x that it fits. */
struct knee_trend {
	double first, last, a, slope;
	double slope_off; /* half of the slope's interval at 99 % */
};

struct knees {
	struct knee *knee;        /* n, ascending by x */
	size_t n;
	struct knee_trend *trend; /* n + 1; none for a curve of too few points */
	size_t n_trends;
	/* points after the last trend, too few for one of their own: the first x, and the mean; NAN: there are none */
	double rest_x, rest_mean;
	size_t minor;             /* borders that stand against the noise, but are too small to matter */
	double noise;             /* standard deviation of a point around its trend */
	bool few;                 /* there are too few points to tell */
};

/* Finds the knees of a curve that is sorted. Frees the result with knees_free(). Never NULL. */
struct knees *knees_find(const struct curve *);
void knees_free(struct knees *);
/* "jump" or "bend". */
const char *knee_kind_name(enum knee_kind);

#endif
