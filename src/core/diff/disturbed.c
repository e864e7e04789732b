#include "core/diff/diff.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

#define LOOKED_AT ((size_t)400) /* runs of a side */
#define NORMAL 1.4826           /* a standard deviation over the median distance from the median */
#define LEAST_SHARE 1e-3        /* of the median: smaller spreads are not told from it */
#define LEAST_COUNT 0.2         /* where the median is 0 */

static void
usual_of_side(const struct diff_table *t, const struct diff_quantity *q, unsigned char side, struct diff_usual *out)
{
	double *value = mem_new_array(2 * LOOKED_AT + 2, sizeof *value);
	size_t all = 0, n = 0, step;

	for (size_t i = 0; i < t->n_runs; i++)
		all += t->is_b[i] == side;
	step = all / LOOKED_AT + 1;
	for (size_t i = 0, k = 0; i < t->n_runs; i++)
		if (t->is_b[i] == side && k++ % step == 0 && !isnan(q->value[i]))
			value[n++] = q->value[i];
	out->middle[side] = diff_median(value, n);
	for (size_t i = 0; i < n; i++)
		value[i] = fabs(value[i] - out->middle[side]);
	out->spread[side] = NORMAL * diff_median(value, n);
	free(value);
}

void
diff_usual(const struct diff_table *t, size_t quantity, struct diff_usual *out)
{
	for (unsigned char side = 0; side < 2; side++)
		usual_of_side(t, &t->quantity[quantity], side, out);
}

double
diff_distance(const struct diff_table *t, size_t quantity, const struct diff_usual *u, size_t run)
{
	unsigned char side = t->is_b[run];
	double middle = u->middle[side], least = middle != 0 ? LEAST_SHARE * fabs(middle) : LEAST_COUNT;

	return (t->quantity[quantity].value[run] - middle) / fmax(u->spread[side], least);
}

size_t
diff_disturbed_by(const struct diff_table *t, const struct diff_usual *usual, size_t run)
{
	size_t by = SIZE_MAX;
	double most = DIFF_DISTURBED;

	for (size_t i = 0; i < t->n; i++) {
		double d = str_eq(t->quantity[i].unit, "s") ? NAN : diff_distance(t, i, &usual[i], run);

		if (d > most) {
			most = d;
			by = i;
		}
	}
	return by;
}
