/* Expressions over counters, as a series (text/aexpr.h), and the scenarios that are made of them. */
#ifndef WORK_PHASES_SERIES_TEXT_H
#define WORK_PHASES_SERIES_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct obs_table;

struct series_text;

/* Reads an expression over the columns of the table, which must live as long. Names with other characters than letters,
 * digits, '_' and '.' stand in quotes. Returns NULL and sets *e if it is none, or if the table lacks a column. */
struct series_text *series_text_new(const char *expression, const struct obs_table *, struct err *e);
void series_text_free(struct series_text *);
/* The value with these values of all columns. */
double series_text_value(const struct series_text *, const double *column);

struct scenario {
	const char *name, *asks;
	const char *const *series; /* name, expressions, NULL, name, …, NULL, NULL */
};
extern const struct scenario scenarios[]; /* a NULL name ends it */
const struct scenario *scenario_find(const char *name);

/* Finds the expressions of a scenario that the table has the counters for. The arrays have room for n entries; returns
 * how many there are. */
size_t scenario_fit(const struct scenario *, const struct obs_table *, const char **called, const char **expression,
	size_t n);

#endif
