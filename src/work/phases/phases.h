/* Phases of recorded or growing data: windows of steady behaviour, and for each series its trend, season, forecast and
 * outliers; two windows compared; what moves with what. Source: Li et al., SIGCOMM 2025, section 4.6. */
#ifndef WORK_PHASES_PHASES_H
#define WORK_PHASES_PHASES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/series/correlation.h"
#include "core/series/forecast.h"
#include "core/series/mean.h"
#include "core/series/outliers.h"
#include "core/series/season.h"
#include "core/series/windows.h"
#include "work/phases/series_set.h"

struct phase_series {
	double least, most, mean, deviation; /* NAN: no row is known */
	size_t known;                        /* rows */
	struct series_trend trend;
	struct season season;
	struct forecast forecast;
	struct outliers outliers;
	bool detailed;                       /* forecast and outliers were looked for */
};

struct phase_pair {
	size_t a, b; /* series, a < b */
	struct correlation correlation;
};

struct phases {
	struct series_set *set;
	struct panel panel;           /* of the set, less the seasons */
	double *without_season;
	struct phase_series *series;  /* set->n */
	struct windows *windows;
	struct correlator *correlator;
	struct phase_pair *pair;      /* shown pairs, the strongest first */
	size_t n_pairs, tried;        /* tried: all pairs of series that vary */
};

struct phases_how {
	double confidence; /* of the correlations; 0: CORRELATION_CONFIDENCE */
	bool pairs;
	bool brief; /* no forecasts and no outliers: phases_detail() makes those of one series */
};

/* Takes ownership of the set. Never NULL; free it with phases_free(). */
struct phases *phases_new(struct series_set *, const struct phases_how *);
void phases_free(struct phases *);

/* Makes forecast and outliers of a series, if they are not made yet. */
void phases_detail(struct phases *, size_t series);

/* One series in two windows. */
struct phase_change {
	size_t series;
	double before, after;     /* levels */
	double ratio, low, high;  /* after / before, and its interval at 99 %; NAN: before is 0, or one is unknown */
	bool changed;             /* the interval excludes 1, in a family of all series */
	double weight;            /* difference of the levels over its standard error */
};
/* Compares two windows, and writes one entry for each series: those with the most certain change first. The ratio's
 * interval is that of the difference of the logarithms of the levels. */
void phases_compare(const struct phases *, size_t before, size_t after, struct phase_change *out);

/* The border where the jump is largest: its second window; 0 with a single window. */
size_t phases_largest_change(const struct phases *);

/* The series that moves most closely with this one among those of other flows, or, with a single flow, among all
 * others. Returns false if none is shown. */
bool phases_moves_with(const struct phases *, size_t series, struct phase_pair *out);

/* The time at which a row begins, in seconds; its number if times are unknown. */
double phases_begin(const struct phases *, size_t row);

#endif
