/* Where a difference comes from, and what disturbed the runs, in sentences. */
#include "work/diff/diff_words.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "work/diff/measure.h"

/* "1.2 to 1.4 ms": where both have one sign, without it. */
static void
add_range(struct str *out, const struct diff_quantity *q, double low, double high, bool ascii)
{
	double from = fmin(fabs(low), fabs(high)), to = fmax(fabs(low), fabs(high));
	char *a = diff_value_text(q, from, ascii), *b = diff_value_text(q, to, ascii);

	str_addf(out, str_eq(a, b) ? "%s" : "%s to %s", a, b);
	free(a);
	free(b);
}

/* Where the difference of the wall time of measured runs went: user, system, and neither of these. */
static void
add_parts(const struct measured_diff *m, struct str *out, bool ascii)
{
	const struct diff_found *f = m->report.found;
	double wall = f[MEASURE_WALL].b - f[MEASURE_WALL].a, user = f[MEASURE_USER].b - f[MEASURE_USER].a,
	       system = f[MEASURE_SYSTEM].b - f[MEASURE_SYSTEM].a, rest = wall - (f[MEASURE_CPU].b - f[MEASURE_CPU].a);
	const struct {
		const char *name;
		double by;
	} part[] = {{"in the program itself (user)", user}, {"in the kernel (system)", system}, {"waiting", rest}};
	char number[NUMBER_TEXT];
	bool first = true;

	/* with several processors at work, times of tasks exceed the wall time and do not add up to it */
	if (f[MEASURE_WALL].a < f[MEASURE_CPU].a * 0.95)
		return;
	number_seconds(number, fabs(wall), ascii);
	str_addf(out, "Of the %s that B takes %s, ", number, wall > 0 ? "longer" : "less");
	for (size_t i = 0; i < 3; i++) {
		if (fabs(part[i].by) < 0.1 * fabs(wall))
			continue;
		number_seconds(number, fabs(part[i].by), ascii);
		str_addf(out, "%s%s%s %s", first ? "" : ", ",
			(part[i].by > 0) == (wall > 0) ? ""
				: ascii                ? "-"
						       : "−",
			number, part[i].name);
		first = false;
	}
	str_add(out, ".\n");
}

static bool
differs(const struct diff_found *f)
{
	return f->answer == DIFF_MORE || f->answer == DIFF_LESS;
}

/* What the recorded runs say. */
static void
add_recorded(const struct measured_why *why, struct str *out, bool ascii)
{
	size_t n = 0;

	if (why->failure)
		str_addf(out, "Where tasks' time went could not be recorded: %s.\n", why->failure);
	if (!why->table.n_runs)
		return;
	str_addf(out, "In %zu more runs with their tasks recorded, B was", why->table.n_runs);
	for (size_t i = 0; i < why->table.n; i++) {
		const struct diff_found *f = &why->report.found[i];
		double by = f->absolute ? 1 : f->a;

		if (!differs(f))
			continue;
		str_add(out, n++ ? ", " : " ");
		add_range(out, &why->table.quantity[i], f->low * by, f->high * by, ascii);
		str_addf(out, " %s %s", f->answer == DIFF_MORE ? "longer" : "less", why->table.quantity[i].name);
	}
	str_add(out, n ? ".\n" : " neither longer nor less in any kind of waiting or running: too few to tell.\n");
}

/* What moves with the time. */
static void
add_moved(const struct measured_diff *m, struct str *out, bool ascii)
{
	struct str still = {0};
	double by = m->report.found[0].b - m->report.found[0].a;

	for (size_t i = 0; i < m->table.n; i++) {
		const struct diff_moved *v = &m->moved[i];
		const char *name = m->table.quantity[i].name;
		char a[NUMBER_TEXT], b[NUMBER_TEXT];

		if (v->still)
			str_addf(&still, "%s%s", still.n ? ", " : "", name);
		if (!v->known || v->part * by <= 0)
			continue;
		str_addf(out,
			"%s moves with it: at the rate seen between runs of one command, it goes with %s to %s %% of "
			"the difference.\n",
			name, number_round(a, fmax(0, fmin(v->part_low / by, v->part_high / by)) * 100),
			number_round(b, fmax(v->part_low / by, v->part_high / by) * 100));
	}
	(void)ascii;
	if (still.n)
		str_addf(out,
			"Differs between A and B only, so that the runs cannot say how much of the time goes with it: "
			"%s.\n",
			str_text(&still));
	str_free(&still);
}

/* The wall time is undecided, but the processor time, which other programs disturb less, is not. */
static void
add_processor_time(const struct measured_diff *m, struct str *out, bool ascii)
{
	const struct diff_quantity *q = &m->table.quantity[MEASURE_CPU];
	const struct diff_found *f = &m->report.found[MEASURE_CPU];
	char *change, *low, *high;

	if (m->report.found[0].answer != DIFF_UNDECIDED || !differs(f))
		return;
	change = diff_change_text(q, f, f->estimate, ascii);
	low = diff_change_text(q, f, f->low, ascii);
	high = diff_change_text(q, f, f->high, ascii);
	str_addf(out, "Decided is the %s: %s, surely between %s and %s.\n", q->name, change, low, high);
	free(change);
	free(low);
	free(high);
}

void
diff_add_why(struct str *out, const struct measured_diff *m, bool recorded, bool ascii)
{
	if (recorded || !m->moved)
		return;
	add_processor_time(m, out, ascii);
	if (!differs(&m->report.found[0]))
		return;
	if (str_eq(m->table.quantity[0].name, "wall time"))
		add_parts(m, out, ascii);
	add_recorded(&m->why, out, ascii);
	add_moved(m, out, ascii);
}

/* --- disturbances ------------------------------------------------------------------------------------------------- */

/* The median of one side's runs; NAN: not known. */
static double
side_median(const struct measured_diff *m, const float *value, bool b)
{
	double *own = mem_new_array(m->table.n_runs + 1, sizeof *own), median;
	size_t n = 0;

	for (size_t i = 0; i < m->table.n_runs; i++)
		if (m->table.is_b[i] == b && isfinite(value[i]))
			own[n++] = (double)value[i];
	median = diff_median(own, n);
	free(own);
	return median;
}

static void
add_clock(const struct measured_diff *m, struct str *out)
{
	const float *clock = m->around[MEASURE_FREQUENCY], *heat = m->around[MEASURE_THROTTLED];
	double least = NAN, most = NAN, by[2] = {0};

	for (size_t i = 0; i < m->table.n_runs; i++) {
		least = fmin(least, (double)clock[i]);
		most = fmax(most, (double)clock[i]);
		by[m->table.is_b[i]] += heat[i] > 0;
	}
	if (most > 1.03 * least)
		str_addf(out, "The processors' clock varied from %.2f to %.2f GHz (median of A %.2f, of B %.2f).\n",
			least / 1e9, most / 1e9, side_median(m, clock, false) / 1e9, side_median(m, clock, true) / 1e9);
	if (by[0] + by[1] > 0)
		str_addf(out, "Processors were slowed down because of heat in %g runs of A and %g of B.\n", by[0],
			by[1]);
}

void
diff_add_disturbances(struct str *out, const struct measured_diff *m, bool recorded)
{
	char a[NUMBER_TEXT], of_a[NUMBER_TEXT], of_b[NUMBER_TEXT];

	if (recorded || !m->around[MEASURE_STEAL])
		return;
	if (m->steal > 0.01)
		str_addf(out, "The host took %s %% of the processors' time.\n", number_round(a, m->steal * 100));
	if (m->others > 0.05)
		str_addf(out, "Other programs used %s %% of the processors' time (median of A %s, of B %s).\n",
			number_round(a, m->others * 100),
			number_round(of_a, side_median(m, m->around[MEASURE_OTHERS], false) * 100),
			number_round(of_b, side_median(m, m->around[MEASURE_OTHERS], true) * 100));
	add_clock(m, out);
}
