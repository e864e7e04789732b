#include "core/laws/ask.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/obs/tolerance.h"
#include "core/stats/region.h"
#include "event/name.h"

#define SLACK_SHARE 0.1 /* share of the error probability with which laws are found to be slack */
#define ROUNDED 5e-5 /* perf prints shares of time and relative errors in steps of 0.01 % */
#define STEP 1000.0 /* sums are kept as integers, in thousandths of a count */

/* One event in one row: the sum of its columns. */
struct part {
	double count, counted; /* scaled up; what the PMU really counted at least */
	double variance;       /* of the extrapolation */
	double rounding;       /* of numbers with decimals */
	double error;          /* stated; those of several counts add up, as if they varied together */
	bool scaled;           /* of a part of the time only */
};

/* Returns half of the step in which a number with decimals was printed, as its last digits show it; at most 0.5. */
static double
rounding_of(int64_t count, int decimals)
{
	int64_t step = 1, rest = count;

	for (; decimals > 0 && rest % 10 == 0; decimals--, rest /= 10)
		step *= 10;
	return 0.5 * (double)step;
}

static bool
laws_take_part(const struct law_asked *asked, size_t event, size_t row, struct part *out)
{
	const struct columns_match *match = asked->match;
	const struct obs *obs = asked->obs;
	double unit = pow(10, -obs->decimals);

	*out = (struct part){0};
	for (size_t k = match->first[event]; k < match->first[event + 1]; k++) {
		size_t cell = row * obs->n_columns + match->column[k];
		double share = obs->running ? obs->running[cell] : 1, e = obs->error ? obs->error[cell] : 0,
		       times = (double)match->times[k], count = (double)obs->count[cell] * unit * times;

		if (obs->counted[cell] != OBS_COUNTED || obs_samples_in_cell(obs, row, match->column[k])
				!= obs_samples_in_row(obs, row))
			return false;
		share = share > 0 && share < 1 ? share : 1;
		out->count += count;
		out->counted += count * (share < 1 ? fmax(0, share - ROUNDED) : 1);
		if (obs->decimals > 0)
			out->rounding += rounding_of(obs->count[cell], obs->decimals) * unit * fabs(times);
		out->variance += fabs(count) * (1 - share) / share;
		out->error += e > 0 ? e * fabs(times) : asked->averaged ? ROUNDED * fabs(count) : 0;
		out->scaled |= share < 1;
	}
	return true;
}

/* One row of a form: the sums of its positive and of its negative terms, without the constant. */
struct row_sum {
	double left, right, at;
	double least, most;    /* what a scaled count may be: at least what was counted */
	double variance, error;
	bool scaled;
};

static bool
laws_add_row(const struct law_asked *asked, const struct law_form *form, size_t row, struct row_sum *out)
{
	*out = (struct row_sum){0};
	for (size_t i = 0; i < form->n; i++) {
		double by = form->term[i].times;
		struct part part;

		if (!laws_take_part(asked, form->term[i].event, row, &part))
			return false;
		*(by > 0 ? &out->left : &out->right) += fabs(by) * part.count;
		out->least += (by > 0 ? by * part.counted : part.scaled ? -INFINITY : by * part.count) -
			fabs(by) * part.rounding;
		out->most += (by < 0 ? by * part.counted : part.scaled ? INFINITY : by * part.count) +
			fabs(by) * part.rounding;
		out->variance += by * by * part.variance;
		out->error += fabs(by) * part.error;
		out->scaled |= part.scaled;
	}
	out->at = out->left - out->right;
	return true;
}

static double
event_total(const struct law_asked *asked, size_t event)
{
	double all = 0;
	struct part part;

	for (size_t row = 0; row < asked->obs->n_rows; row++)
		if (laws_take_part(asked, event, row, &part))
			all += part.count;
	return all;
}

/* Do the rows add up to totals? A simulator reads all counters at one instant and without noise, so its laws need no
 * mean of rows, however the program varies. The same holds of consecutive intervals of one run whose counters ran all
 * of the time, except at the first and the last border. */
static bool
rows_are_whole(const struct obs *obs)
{
	if (!(str_starts(obs->source, "sim:") && !(obs->tasks > 0)) && !obs->since_start)
		return false;
	for (size_t i = 0; obs->error && i < obs->n_rows * obs->n_columns; i++)
		if (obs->error[i] > 0)
			return false;
	for (size_t i = 0; obs->running && i < obs->n_rows * obs->n_columns; i++)
		if (obs->counted[i] == OBS_COUNTED && obs->running[i] < 1)
			return false;
	return true;
}

void
law_ask_begin(struct law_asked *asked)
{
	asked->exact = asked->obs->exact || asked->options->exact || rows_are_whole(asked->obs) ||
		(asked->obs->n_rows == 1 && asked->obs->per_row < 2);
	asked->averaged = false;
	for (size_t i = 0; asked->obs->error && asked->obs->n_rows == 1 && i < asked->obs->n_columns; i++)
		asked->averaged |= asked->obs->counted[i] == OBS_COUNTED && asked->obs->error[i] > 0;
	asked->seconds = obs_seconds(asked->obs);
	asked->largest = 0;
	for (size_t i = 0; i < asked->laws->n_events && asked->exact; i++)
		asked->largest = fmax(asked->largest, event_total(asked, i));
}

bool
law_can_ask(const struct law_asked *asked, const struct law_form *form)
{
	const struct columns_match *match = asked->match;
	struct row_sum sum;

	for (size_t i = 0; i < form->n; i++) {
		size_t event = form->term[i].event;

		if (match->first[event] == match->first[event + 1] ||
			match->group[event] != match->group[form->term[0].event])
			return false;
	}
	for (size_t row = 0; row < asked->obs->n_rows; row++)
		if (laws_add_row(asked, form, row, &sum))
			return true;
	return false;
}

bool
law_lacks(const struct law_asked *asked, size_t event)
{
	const struct law_form alone = {.term = &(struct law_term){event, 1}, .n = 1};

	return event == LAW_ALWAYS || !law_can_ask(asked, &alone);
}

static size_t
law_event_columns(const struct law_asked *asked, size_t event)
{
	return asked->match->first[event + 1] - asked->match->first[event];
}

/* Returns the number of columns that a form adds up, each as often as it counts. */
static double
form_columns(const struct law_asked *asked, const struct law_form *form)
{
	double all = 0;

	for (size_t i = 0; i < form->n; i++)
		all += fabs(form->term[i].times) * (double)law_event_columns(asked, form->term[i].event);
	return all;
}

static double
form_tolerance(const struct law_asked *asked, const struct law_form *form)
{
	double all = 0;

	if (isnan(asked->seconds) && !(asked->obs->tasks > 0) && (asked->obs->exact || asked->options->exact))
		return 0;
	for (size_t i = 0; i < form->n; i++) {
		size_t event = form->term[i].event;

		if (asked->laws->hardware || event_is_hardware(asked->laws->event[event].name))
			all += fabs(form->term[i].times) * obs_tolerance((unsigned)law_event_columns(asked, event),
				asked->seconds, asked->largest, event_total(asked, event));
	}
	return all;
}

/* Does the value break the relation? */
static bool
breaks(const struct law_form *form, double at)
{
	return form->equality ? fabs(at) > 0 : at > 0;
}

static void
conclude(const struct law_form *form, struct law_sum *sum)
{
	bool apart = sum->least > 0 || (form->equality && sum->most < 0);

	sum->state = apart ? LAW_BROKEN : breaks(form, sum->at) && sum->why ? LAW_STRAINED : LAW_HOLDS;
	if (sum->state != LAW_STRAINED)
		sum->why = NULL;
}

/* Totals: exact, or scaled up from part of the time. */
static void
ask_totals(const struct law_asked *asked, const struct law_form *form, struct law_sum *sum)
{
	double tolerance = form_tolerance(asked, form);
	struct row_sum row;
	bool scaled = false, before = asked->obs->n_rows == 1;

	sum->least = sum->most = form->constant;
	for (size_t i = 0; i < asked->obs->n_rows; i++) {
		bool here = laws_add_row(asked, form, i, &row);

		if (here) {
			sum->least += row.least;
			sum->most += row.most;
			scaled |= row.scaled;
			/* inner borders of intervals cancel */
			tolerance += before ? 0 : asked->obs->tasks * form_columns(asked, form);
		}
		before = here;
	}
	sum->least -= tolerance;
	sum->most += tolerance;
	sum->why = scaled ? "counts were scaled up from a part of the time"
			  : "the difference is within the tolerance of totals";
	conclude(form, sum);
	/* A difference that the tolerance explains strains nothing. */
	if (!scaled && sum->state == LAW_STRAINED)
		sum->state = LAW_HOLDS, sum->why = NULL;
}

/* The rows of a form as one counter. */
struct form_rows {
	int64_t *count;
	double *error, *load;  /* of each row; load: the sum of both sides, in steps */
	size_t n;
	bool scaled;
};

/* Removes from the rows what varies with the load: x_t becomes x_t − R (a_t − mean a), with R = mean x / mean a. The
 * mean stays, and its variance becomes that of the ratio of the sums (Cochran, Sampling Techniques, 1977, section 6.4).
 * If the law holds, R is about 0, and nothing changes. Rows of very different loads stay, because few of them would
 * determine R: (Σa)² / Σa² is the number of rows that count. Rounded counts keep their step, which shows how they were
 * rounded. */
#define LOADS_LEAST 0.8 /* least share of rows that count */

static void
remove_load(struct form_rows *rows)
{
	double x = 0, load = 0, squares = 0, n = (double)rows->n;
	uint64_t step = 0;

	for (size_t i = 0; i < rows->n; i++) {
		x += (double)rows->count[i];
		load += rows->load[i];
		squares += rows->load[i] * rows->load[i];
		step = u64_gcd(step, (uint64_t)llabs(rows->count[i]));
	}
	if (!(load * load >= LOADS_LEAST * n * squares) || !(load > 0) || !step)
		return;
	for (size_t i = 0; i < rows->n; i++)
		rows->count[i] -= llround(x / load * (rows->load[i] - load / n) / (double)step) * (int64_t)step;
}

static bool
take_rows(const struct law_asked *asked, const struct law_form *form, struct form_rows *rows)
{
	struct row_sum row;

	*rows = (struct form_rows){0};
	rows->count = mem_new_array(asked->obs->n_rows, sizeof *rows->count);
	rows->error = mem_new_array(asked->obs->n_rows, sizeof *rows->error);
	rows->load = mem_new_array(asked->obs->n_rows, sizeof *rows->load);
	for (size_t i = 0; i < asked->obs->n_rows; i++) {
		double at;

		if (!laws_add_row(asked, form, i, &row) ||
			(asked->obs->per_row > 1 && obs_samples_in_row(asked->obs, i) != asked->obs->per_row))
			continue;
		at = (row.at + form->constant * (double)obs_samples_in_row(asked->obs, i)) * STEP;
		if (!(fabs(at) < 9e18))
			return false;
		rows->count[rows->n] = llround(at);
		rows->load[rows->n] = (row.left + row.right) * STEP;
		rows->error[rows->n++] = sqrt(row.variance + row.error * row.error);
		rows->scaled |= row.scaled;
	}
	return rows->n > 0;
}

/* Noise is what is forgotten within this many records. What stays longer is an error: from one record it cannot be told
 * from a wrong count. */
#define FORGOTTEN 2.0

/* Judges the mean of rows by the region of the one counter that the form is. */
static void
ask_region(const struct law_asked *asked, const struct law_form *form, const struct region *region,
	struct law_sum *sum)
{
	double reach, slow = 0, mean = region->mean[0], level = fmin(asked->level, 0.25);

	if (!region_has_noise_model(region)) {
		sum->why = "one row shows no noise";
		return;
	}
	if (region->few || region->locked) {
		sum->why = region->few ? "too few rows to know their noise"
				       : "counters took turns in step with the program";
		return;
	}
	/* Only one side of the mean breaks an inequality. Noise is as often on the other side. */
	if (!form->equality && !region->peeked)
		level *= 2;
	reach = sqrt(region->spread.variance[0] * region_threshold2(region, 1 - level));
	if (region->noise)
		slow = sqrt(noise_reach2(region->noise, FORGOTTEN, region->extra[0], level));
	sum->why = region->stated     ? "the stated errors explain it"
		: fabs(mean) > reach ? "slow noise of the rows may explain it"
				     : "the rows' noise explains it";
	reach = (region->noise && !region->peeked ? slow : fmax(reach, slow)) + (region->slack ? region->slack[0] : 0);
	sum->least = mean - reach;
	sum->most = mean + reach;
}

static void
ask_rows(const struct law_asked *asked, const struct law_form *form, struct law_sum *sum)
{
	const struct obs *obs = asked->obs;
	struct form_rows rows;
	double parts = 0;
	size_t n_parts;

	sum->why = "the sum is too large";
	sum->least = -INFINITY;
	sum->most = INFINITY;
	for (size_t i = 0; i < form->n; i++)
		parts += fabs(form->term[i].times);
	n_parts = (size_t)ceil(parts);
	if (take_rows(asked, form, &rows) && (rows.n > 1 || asked->averaged)) {
		if (!(fabs(form->constant) > 0))
			remove_load(&rows);
		struct region *region = region_new(&(const struct samples){.n_counters = 1,
			.n_rows = rows.n, .count = rows.count, .decimals = 3, .per_row = obs->per_row,
			.error = obs->running || obs->error ? rows.error : NULL, .tasks = obs->tasks,
			.parts = &n_parts, .peeked = obs->peeked,
			.runs = asked->options->runs > 0 ? asked->options->runs : obs->runs,
			.independent = asked->options->independent_rows,
			.locked = rows.scaled && obs->rotation.locked > 0,
			.random_turns = rows.scaled && obs->rotation.seed != 0}, false);

		ask_region(asked, form, region, sum);
		region_free(region);
	} else if (rows.n == 1) {
		sum->why = "one row shows no noise";
	}
	free(rows.count);
	free(rows.error);
	free(rows.load);
	conclude(form, sum);
}

/* Widens the interval of a mean of several runs. Its errors show neither the tolerance of totals, nor, if the runs were
 * scaled up, what all of them missed alike: then what was counted must break the law, too, by more than the errors. */
static void
ask_averaged(const struct law_asked *asked, const struct law_form *form, struct law_sum *sum)
{
	double error = (sum->most - sum->least) / 2, tolerance = form_tolerance(asked, form);
	struct row_sum row;

	if (!laws_add_row(asked, form, 0, &row))
		return;
	sum->least = fmin(sum->least, row.least + form->constant - error) - tolerance;
	sum->most = fmax(sum->most, row.most + form->constant + error) + tolerance;
	sum->why = row.scaled ? "counts were scaled up from a part of the time" : "the stated errors explain it";
	conclude(form, sum);
}

struct law_sum
law_ask(const struct law_asked *asked, const struct law_form *form)
{
	struct law_sum sum = {0};
	double samples = 0;
	struct row_sum row;

	for (size_t i = 0; i < asked->obs->n_rows; i++)
		if (laws_add_row(asked, form, i, &row)) {
			sum.left += row.left;
			sum.right += row.right;
			samples += (double)obs_samples_in_row(asked->obs, i);
		}
	if (!asked->exact && samples > 0) {
		sum.left /= samples;
		sum.right /= samples;
	}
	*(form->constant > 0 ? &sum.left : &sum.right) += fabs(form->constant);
	sum.at = sum.left - sum.right;
	if (asked->exact && !asked->averaged)
		ask_totals(asked, form, &sum);
	else if (!breaks(form, sum.at))
		sum.least = sum.most = sum.at; /* the middle obeys it, which is all that is asked */
	else
		ask_rows(asked, form, &sum);
	if (asked->averaged && sum.state == LAW_BROKEN)
		ask_averaged(asked, form, &sum);
	return sum;
}

/* Returns whether the other side of an inequality is larger beyond doubt. */
static bool
is_slack(const struct law_asked *asked, const struct law_form *form)
{
	struct law_form other = *form;
	bool slack;

	if (form->equality)
		return false;
	other.term = mem_copy(form->term, form->n * sizeof *form->term);
	other.constant = -form->constant;
	for (size_t i = 0; i < form->n; i++)
		other.term[i].times *= -1;
	slack = law_ask(asked, &other).state == LAW_BROKEN;
	free(other.term);
	return slack;
}

void
law_ask_level(struct law_asked *asked, const struct law_form *form, size_t n)
{
	double all = 1 - asked->options->confidence;
	size_t open = n;

	asked->level = all * SLACK_SHARE / (double)(n ? n : 1);
	for (size_t i = 0; i < n; i++)
		open -= is_slack(asked, &form[i]);
	asked->level = all * (1 - SLACK_SHARE) / (double)(open ? open : 1);
}
