/* Forecasts of a series by the additive method of Holt and Winters: a level, a trend and a season, each smoothed with a
 * weight of its own.
 *
 *     level  l ← α (v − s) + (1 − α) (l + b)
 *     trend  b ← β (l − l before) + (1 − β) b
 *     season s ← γ (v − l) + (1 − γ) s        one for each row of a period; none without a season
 *
 * Source: Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 3rd edition, sections 8.3 and 8.7. */
#ifndef CORE_SERIES_FORECAST_H
#define CORE_SERIES_FORECAST_H

#include <stdbool.h>
#include <stddef.h>

struct forecast {
	bool made;                  /* false: too few rows are known, or all are equal */
	double alpha, beta, gamma;  /* the weights with the least absolute error of one row ahead */
	double level, trend;        /* after the last row; the trend per row */
	double *season;             /* by place (season_place()); NULL without a season; owned */
	double period;              /* in rows; 0: none */
	size_t rows;                /* that were smoothed: the next row has this number */
	double error;               /* standard deviation of the error one row ahead */
	/* mean absolute error of one row ahead in the last fifth of the rows, with weights from the rows before it;
	 * and what the last value would have had there */
	double tested, last_value;
};

#define FORECAST_ROWS ((size_t)512) /* most rows that are used, the last ones, unless three periods are longer */
#define FORECAST_FEWEST ((size_t)10)

/* Fits n rows, with this season or none (period 0); NAN rows are unknown. Free with forecast_free(). */
struct forecast forecast_fit(const double *v, size_t n, double period);
void forecast_free(struct forecast *);

/* The forecast for `ahead` rows (≥ 1) after the last one, and the standard deviation of its error. */
double forecast_value(const struct forecast *, size_t ahead);
double forecast_error(const struct forecast *, size_t ahead);

#endif
