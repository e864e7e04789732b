/* Correlation of two series, with an interval that allows for correlation in time and for the number of pairs tried. */
#ifndef CORE_SERIES_CORRELATION_H
#define CORE_SERIES_CORRELATION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/series/panel.h"

struct correlation {
	double r;         /* Pearson's; NAN: a series is constant, or too few rows are known */
	double low, high; /* its interval by Fisher's z; -1 and 1: nothing is known */
	double effective; /* number of independent rows that the rows are worth */
	bool differences; /* of the changes from row to row: the series wander, and their levels show nothing */
	bool shown;       /* the interval excludes 0 */
};

/* Prepares the series of a panel, which must live as long. */
struct correlator;
struct correlator *correlator_new(const struct panel *);
void correlator_free(struct correlator *);

/* Correlates series a and b at this confidence, in a family of `tried` pairs (Bonferroni: with all of them unrelated,
 * none is shown with this probability).
 *
 * The number of independent rows is n / (1 + 2 Σ ρ_a(k) ρ_b(k)) (Quenouille, Associated Measurements, 1952, ch. 11;
 * Bartlett, JRSS 98, 1935). If that leaves fewer than CORRELATION_LEVELS rows, or if neighbours are close to each
 * other in both series, both are replaced by their differences. Then independent random walks are as rarely correlated
 * as white noise. */
#define CORRELATION_LEVELS 50.0
#define CORRELATION_CONFIDENCE 0.999 /* the default: of a thousand unrelated pairs, one is shown */
struct correlation correlate(const struct correlator *, size_t a, size_t b, double confidence, size_t tried);

#endif
