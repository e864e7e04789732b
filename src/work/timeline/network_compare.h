/* Two recordings on one network: the ratio of each counter, component and figure, with its bounds. */
#ifndef WORK_TIMELINE_NETWORK_COMPARE_H
#define WORK_TIMELINE_NETWORK_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/series/mean.h"
#include "text/aexpr.h"

struct network;
struct network_data;
struct str;

enum compared_what {
	COMPARED_COUNTER, COMPARED_REQUESTS, COMPARED_QUEUE, COMPARED_DELAY, COMPARED_STALL, COMPARED_FIGURE
};

/* One quantity. Sides are the two recordings: 0 and 1. */
struct compared {
	enum compared_what what;
	size_t module, kind;       /* of a component */
	size_t number;             /* of a counter or a figure; for stalls, the module of the destination */
	struct unit unit;
	bool adds;                 /* it grows with the length of a row, so that rates are compared */
	struct series_mean row[2]; /* mean over the rows */
	double total[2];           /* sum over the rows, for what adds; else the mean. NAN: never known */
	double plain;              /* total[1] over total[0]; NAN: unknown */
	/* of rates per second where both lengths are known, for what adds; else of the means over the rows */
	struct series_ratio ratio;
};

struct network_compare {
	struct compared *list;     /* counters, then components in the network's order, then figures: known on a side */
	size_t n;
	size_t n_bounded;          /* quantities with bounds, all of which hold together at COMPARED_CONFIDENCE */
	size_t n_common;           /* counters that both sides counted */
	size_t rows[2];            /* intervals of each side */
	double seconds[2];         /* their length together; NAN: unknown */
};

#define COMPARED_CONFIDENCE 0.99

/* Compares two observations: snapshots first[side] … first[side] + n[side] - 1 of data[side], made with each_row.
 * Bounds need SERIES_FEWEST_FOR_BOUNDS rows on both sides. Free with network_compare_free(). */
struct network_compare *network_compare_new(
	const struct network *, struct network_data *const data[2], const size_t first[2], const size_t n[2]);
void network_compare_free(struct network_compare *);

const char *compared_word(enum compared_what);
/* Appends "queue of DRd at CXL memory". */
void compared_name(const struct network *, const struct compared *, struct str *out);
/* Does the interval leave out 1? */
bool compared_differs(const struct compared *);
/* Returns the counters, or the other quantities, by how far their ratios are from 1, whichever side they are on;
 * unknown ones come last. The caller frees the array. */
const struct compared **network_compare_sorted(const struct network_compare *, bool counters, size_t *n);

#endif
