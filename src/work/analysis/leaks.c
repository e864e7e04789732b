#include "work/analysis/leaks.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/analysis/describe.h"

/* Parts of names of events that leak into counters on any PMU: perf's software events (perf-list(1)), tracepoints, and
 * PMU events that count interrupts. */
static const char *const leak_word[] = {"fault", "interrupt", "context-switches", "migrations", "irq"};

bool
leaks_may(const char *event)
{
	for (size_t i = 0; i < sizeof leak_word / sizeof *leak_word; i++)
		if (strstr(event, leak_word[i]))
			return true;
	return false;
}

const char **
leaks_names(const struct analysis *analysis, size_t *n)
{
	const char **name = mem_new_array(1, sizeof *name);

	*n = 0;
	for (size_t t = 0; t < analysis->n_tables; t++)
		for (size_t c = 0; c < analysis->table[t].data->n_columns; c++) {
			const char *column = analysis->table[t].data->column[c];
			size_t k = 0;

			while (k < *n && !str_eq(name[k], column))
				k++;
			if (k < *n || !leaks_may(column))
				continue;
			name = mem_resize(name, *n + 2, sizeof *name);
			name[(*n)++] = column;
		}
	name[(*n)++] = LEAK_SECONDS;
	return name;
}

static double
mean_of_column(const struct obs *o, size_t column)
{
	struct obs near = obs_near(o);
	double sum = 0, rows = 0;

	for (size_t r = 0; r < o->n_rows; r++)
		if (near.counted[r * o->n_columns + column]) {
			sum += (double)near.count[r * o->n_columns + column];
			rows += (double)obs_samples_in_cell(&near, r, column);
		}
	obs_near_free(&near, o);
	return rows > 0 ? sum / rows / pow(10, o->decimals) : NAN;
}

static double
mean_seconds(const struct obs *o)
{
	size_t n = o->n_rows, samples = obs_samples(o);

	if (!o->time || !n)
		return NAN;
	if (o->since_start || (o->exact && n == 1))
		return o->time[n - 1] / (double)samples;
	return n > 1 ? (o->time[n - 1] - o->time[0]) / (double)(samples - obs_samples_in_row(o, 0)) : NAN;
}

static size_t
find_column(const struct analysis_table *t, const char *name)
{
	size_t c = 0;

	while (c < t->data->n_columns && !str_eq(t->data->column[c], name))
		c++;
	return c;
}

double
leaks_mean(const struct analysis_table *t, const struct obs *o, const char *cause)
{
	size_t c;

	if (str_eq(cause, LEAK_SECONDS))
		return mean_seconds(o);
	c = find_column(t, cause);
	return c < o->n_columns ? mean_of_column(o, c) : NAN;
}

double
leaks_in_row(const struct analysis_table *t, const struct obs *o, const char *cause, size_t row)
{
	size_t c = str_eq(cause, LEAK_SECONDS) ? o->n_columns : find_column(t, cause), cell = row * o->n_columns + c;

	if (c < o->n_columns && o->counted[cell])
		return (double)o->count[cell] / pow(10, o->decimals);
	return leaks_mean(t, o, cause) * (double)obs_samples_in_row(o, row);
}
