/* Doubts about an observation that a reader must know before believing its verdict. Each observation gets a sentence
 * per doubt. A doubt that several observations share gets one sentence in the result, which names the worst. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/rotation.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/series/changes.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "work/analysis/describe.h"
#include "work/analysis/trusted.h"

#define TOLERANCE_LEAST 0.01 /* counts: less is rounding */

/* A kind of doubt: its strength in an observation (0: no doubt), its sentence, and whether it takes away what a
 * refutation rests on (NULL: never). */
struct doubt {
	const char *code;
	double (*strength)(const struct analysis *, const struct prepared *);
	void (*say)(const struct analysis *, const struct prepared *, struct str *);
	bool (*breaks)(const struct prepared *);
};

static const struct region *
noisy_region(const struct prepared *p)
{
	return p->region && region_has_noise_model(p->region) ? p->region : NULL;
}

/* Returns the name of the k-th counter among those that the observation has. */
static const char *
kept_name(const struct analysis *a, const struct prepared *p, size_t k)
{
	for (size_t i = 0; i < a->model->n_counters; i++)
		if (p->keep[i] && k-- == 0)
			return a->model->counter[i].name;
	return "a counter";
}

static double
lag_strength(const struct analysis *a, const struct prepared *p)
{
	const struct region *r = noisy_region(p);

	(void)a;
	return r ? r->lag : 0;
}

static void
say_lag(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	const struct region *region = prepared->region;
	const struct noise_form *form = &region->fit.of_rest;
	char number[NUMBER_TEXT];

	(void)analysis;
	str_addf(str, "neighbouring samples resemble each other (correlation %.2g), so that %zu are worth about %s",
		region->lag, region->rows, number_round(number, region->effective));
	if (form->memory > 0)
		str_addf(str, "; the noise seems to have long memory (Hurst exponent %.2g)", form->memory);
	else
		str_addf(str, "; %.0f %% of the noise is forgotten within %s rows", 100 * form->share,
			number_round(number, form->time * region_block(region)));
	str_add(str, ", and the region is wider by that. Use longer intervals or several runs");
}

/* Whether the rows are worth fewer than the fewest from which noise in time can be seen. */
static bool
lag_breaks(const struct prepared *p)
{
	return p->region->effective < (double)NOISE_FEWEST;
}

/* The user states that rows are independent, and they do not look so. */
static double
denied_strength(const struct analysis *a, const struct prepared *p)
{
	const struct region *r = noisy_region(p);

	(void)a;
	return r ? r->denied_lag : 0;
}

static void
say_denied(const struct analysis *a, const struct prepared *p, struct str *s)
{
	const struct region *r = p->region;
	char number[NUMBER_TEXT];

	(void)a;
	str_addf(s, "--independent-rows states that rows are independent, but neighbouring rows resemble each other "
		"(correlation %.2g). If they are not independent, %zu are worth about %s, and the level does not hold. "
		"Leave the option out, unless the order of the rows is random",
		r->denied_lag, r->rows, number_round(number, r->denied_effective));
}

static bool
denied_breaks(const struct prepared *p)
{
	(void)p;
	return true;
}

static double
phases_strength(const struct analysis *a, const struct prepared *p)
{
	(void)a;
	return noisy_region(p) && p->changes ? (double)p->changes->n : 0;
}

static void
say_phases(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	const struct changes *changes = prepared->changes;
	char before[NUMBER_TEXT], after[NUMBER_TEXT];

	str_addf(str, "%zu phases", changes->n + 1);
	for (size_t i = 0; i < changes->n && i < 3; i++) {
		const struct change *change = &changes->change[i];
		const double *time = prepared->obs->time;

		str_addf(str, "%s%s goes from %s to %s at sample %zu", i ? "; " : ": ",
			analysis->model->counter[change->counter].name, number_digits(before, change->before, 4, true),
			number_digits(after, change->after, 4, true), obs_first_sample(prepared->obs, change->row) + 1);
		if (time && isfinite(time[change->row]))
			str_addf(str, " (%s s)", number_digits(before, time[change->row], 6, true));
	}
	if (changes->n > 3)
		str_addf(str, "; and %zu more", changes->n - 3);
	str_add(str, ". A mean over phases can hide a violation in one of them: --split-phases judges each by itself");
}

/* Returns a strength that grows as the rows get fewer. */
static double
few_strength(const struct analysis *a, const struct prepared *p)
{
	const struct region *r = noisy_region(p);

	(void)a;
	return r && !r->stated && !r->box_only && (r->freedom < 2 * (double)r->n || r->rows < NOISE_FEWEST)
		? 1 / (double)r->rows : 0;
}

static void
say_few(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	const struct region *region = prepared->region;
	char number[NUMBER_TEXT];

	(void)analysis;
	str_addf(str, "%zu samples are few for %zu counters", region->rows, region->n);
	if (region->open)
		str_add(str, ": too few to bound an ellipsoid, so only the test of the cone can refute");
	else
		str_addf(str, ": the ellipsoid has %s times the variance",
			number_digits(number, region->inflation, 3, true));
	if (region->few)
		str_addf(str,
			". Fewer than %zu cannot show slow noise, so they refute nothing unless --independent-rows "
			"states that they are independent",
			NOISE_FEWEST);
	str_addf(str, ". Take %zu or more", 2 * region->n > 60 ? 2 * region->n : (size_t)60);
}

static double
multiplexed_strength(const struct analysis *a, const struct prepared *p)
{
	(void)a;
	return 1 - p->least_running;
}

static void
say_multiplexed(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	str_addf(str, "counts were extrapolated from as little as %.3g %% of the time: %s",
		100 * prepared->least_running,
		analysis->opt.counterpoint ? "CounterPoint estimates their error from the samples"
					   : "the region contains their error as far as samples and shares show it");
	if (prepared->was_exact)
		str_add(str, ", and they are not exact totals");
	if (!(prepared->obs->rotation.period > 0))
		str_add(str, ". The data do not say how counters took turns. With a fixed tick, as perf uses, a "
			"program with the period of the rotation is miscounted in the same way in all rows, and "
			"no row shows it");
	str_add(str, ". Counting fewer events at once avoids extrapolation");
}

/* Returns 2 if the program runs in step with counters that take turns, 1 if nearly, so that they beat, otherwise 0. */
static double
rotation_strength(const struct analysis *a, const struct prepared *p)
{
	(void)a;
	return p->region && p->region->locked ? 2 : p->beat.rows > 0 ? 1 : 0;
}

/* Appends a time: 12 ms, 48.3 µs. */
static void
add_time(struct str *s, double seconds)
{
	static const struct { double from, by; const char *unit; } scale[] = {
		{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "µs"}, {0, 1e9, "ns"},
	};
	size_t i = 0;

	while (seconds < scale[i].from)
		i++;
	str_addf(s, "%.4g %s", seconds * scale[i].by, scale[i].unit);
}

/* Returns the seconds from one row to the next; NAN: unknown. */
static double
row_seconds(const struct obs *o)
{
	return o->time && o->n_rows > 1 ? (o->time[o->n_rows - 1] - o->time[0]) / (double)(o->n_rows - 1) : NAN;
}

/* Appends the program's period, if a rotation takes as long as usual. The data do not say how long it takes. If each
 * group gets a turn of the kernel's usual tick, a rotation has 1/p turns, where p is the share of the time in which a
 * counter is counted. */
static void
say_beat(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	double row = row_seconds(prepared->obs),
	       rotation = 1e-9 * ROTATION_TURN_NS * round(1 / prepared->least_running),
	       beat = prepared->beat.rows * row;

	str_addf(str,
		"counters that took turns beat against each other every %.3g samples (%s and %s most), as when "
		"a program nearly runs in step with their rotation",
		prepared->beat.rows, analysis->model->counter[prepared->beat.counter[0]].name,
		analysis->model->counter[prepared->beat.counter[1]].name);
	if (beat > rotation) {
		str_add(str, ". If a rotation takes ");
		add_time(str, rotation);
		str_add(str, ", as shares and perf's usual tick suggest, the program's period is about ");
		add_time(str, 1 / (1 / rotation + 1 / beat));
		str_add(str, " or ");
		add_time(str, 1 / (1 / rotation - 1 / beat));
		str_add(str, ", or a fraction or a multiple of that");
	}
	str_add(str, ". Means over several beats are sound, those of a shorter run are not; hecate record takes turns "
		"that no program runs in step with");
}

static void
say_rotation(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	const struct obs_rotation *rotation = &prepared->obs->rotation;

	if (!prepared->region->locked) {
		say_beat(analysis, prepared, str);
		return;
	}
	str_add(str, "its counters took turns, with one rotation every ");
	add_time(str, rotation->period);
	str_add(str, ", and the program repeats itself every ");
	add_time(str, rotation->locked);
	str_add(str,
		", so each counter always saw the same part of the program. Counts are wrong in the same way in all "
		"samples, so they refute nothing. Use --rotation random, or count fewer events at once (--counters)");
}

static double
torn_strength(const struct analysis *a, const struct prepared *p)
{
	const struct region *r = noisy_region(p);
	double most = 0;

	(void)a;
	for (size_t i = 0; r && i < r->n && r->slack; i++)
		most = fmax(most, r->slack[i]);
	return most;
}

static void
say_torn(const struct analysis *a, const struct prepared *p, struct str *s)
{
	char tasks[NUMBER_TEXT], off[NUMBER_TEXT];

	str_addf(s, "its rows were read while up to %s task%s ran, each perhaps between two events that belong "
		"together: a mean may be off by up to %s in addition to its noise, and regions are wider by that",
		number_digits(tasks, p->obs->tasks, 4, true), p->obs->tasks > 1 ? "s" : "",
		number_digits(off, torn_strength(a, p), 3, true));
}

static double
tolerance_strength(const struct analysis *analysis, const struct prepared *prepared)
{
	const struct region *region = prepared->region;
	double most = 0, *bias;

	if (!region || !region->slack || !region->point)
		return 0;
	bias = trusted_bias(analysis,
		prepared); /* what is known of errors is no tolerance, and is reported where it is corrected */
	for (size_t i = 0; i < region->n; i++)
		most = fmax(most, (region->slack[i] - (bias ? bias[i] : 0)) * (double)region->weight[i]);
	free(bias);
	return most > TOLERANCE_LEAST ? most : 0;
}

static void
say_tolerance(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	char number[NUMBER_TEXT];

	str_addf(str, "its totals are taken to be exact up to %s counts",
		number_digits(number, tolerance_strength(analysis, prepared), 4, true));
	if (analysis->opt.tolerance >= 0)
		str_add(str, " (--tolerance)");
	else
		str_add(str,
			": hardware counters count some events of each interrupt, up to 1000 per second, and do not "
			"all start at once (without a duration, and where amounts have a unit: 1 in 10 000 of each "
			"total, and what the last digit hides); --tolerance sets another number");
}

static double
stated_strength(const struct analysis *a, const struct prepared *p)
{
	const struct region *r = noisy_region(p);

	(void)a;
	return r && r->stated ? 1 : 0;
}

static void
say_stated(const struct analysis *analysis, const struct prepared *prepared, struct str *str)
{
	char number[NUMBER_TEXT];

	(void)analysis;
	str_add(str, "a single row, with standard errors from its source. How counters vary together is unknown; they "
		"are taken as independent. ");
	if (prepared->obs->runs > 0)
		str_addf(str,
			"The errors are those of %s runs, which are taken as independent of each other: where one "
			"run changes the next, or the machine drifts, they are too small. ",
			number_digits(number, prepared->obs->runs, 4, true));
	else
		str_add(str,
			"The file does not say from how many runs, so two are assumed, which makes the region very "
			"wide: give --runs N. ");
	str_add(str, "Samples give a better region");
}

static double
gaps_strength(const struct analysis *a, const struct prepared *p)
{
	const struct region *r = noisy_region(p);

	(void)a;
	return r && r->left_out ? (double)r->left_out / (double)obs_samples(p->obs) : 0;
}

static void
say_gaps(const struct analysis *a, const struct prepared *p, struct str *s)
{
	(void)a;
	str_addf(s, "%zu of %zu rows have an empty cell and are left out: a model holds for the mean of any rows, but "
		"not for means of different ones", p->region->left_out, obs_samples(p->obs));
}

static double
uneven_strength(const struct analysis *a, const struct prepared *p)
{
	const struct region *r = noisy_region(p);

	(void)a;
	return r && r->uneven < r->n ? 1 : 0;
}

static void
say_uneven(const struct analysis *a, const struct prepared *p, struct str *s)
{
	const char *name = kept_name(a, p, p->region->uneven);

	str_addf(s, "%s was counted under another load than that of the rows that lack it, so its mean is not that of "
		"the other rows, and nothing is refuted by it. Count it in all rows, or leave it out in random rows",
		name);
}

static const struct doubt DOUBT[] = {
	{"autocorrelated", lag_strength, say_lag, lag_breaks},
	{"independent-rows", denied_strength, say_denied, denied_breaks},
	{"phased", phases_strength, say_phases, NULL},
	{"few-samples", few_strength, say_few, NULL},
	{"multiplexed", multiplexed_strength, say_multiplexed, NULL},
	{"rotation", rotation_strength, say_rotation, NULL},
	{"torn", torn_strength, say_torn, NULL},
	{"tolerance", tolerance_strength, say_tolerance, NULL},
	{"stated-errors", stated_strength, say_stated, NULL},
	{"incomplete-rows", gaps_strength, say_gaps, NULL},
	{"uneven-rows", uneven_strength, say_uneven, NULL},
};
#define DOUBTS (sizeof DOUBT / sizeof *DOUBT)

static void
describe_noise_warn(struct finding *f, const char *code, struct str *text)
{
	f->warning = mem_resize(f->warning, f->n_warnings + 1, sizeof *f->warning);
	f->warning[f->n_warnings++] = (struct result_note){.code = mem_str(code), .text = str_take(text)};
}

void
describe_doubts(const struct analysis *a, const struct prepared *p, struct finding *f)
{
	for (size_t k = 0; k < DOUBTS; k++) {
		struct str s = {0};

		if (!(DOUBT[k].strength(a, p) > 0))
			continue;
		DOUBT[k].say(a, p, &s);
		describe_noise_warn(f, DOUBT[k].code, &s);
	}
}

char *
describe_broken_premise(const struct analysis *a, const struct prepared *p)
{
	for (size_t k = 0; k < DOUBTS; k++)
		if (DOUBT[k].breaks && DOUBT[k].strength(a, p) > 0 && DOUBT[k].breaks(p))
			return mem_str(DOUBT[k].code);
	return NULL;
}

/* Appends "in NAME: " or "in 12 of 300 observations, most in NAME: ". */
static void
add_where(size_t n, size_t of, const struct prepared *worst, struct str *s)
{
	if (of == 1)
		str_addf(s, "%s: ", worst->obs->name);
	else if (n == 1)
		str_addf(s, "in %s: ", worst->obs->name);
	else
		str_addf(s, "in %zu of %zu observations, most in %s: ", n, of, worst->obs->name);
}

void
describe_noise(const struct analysis *analysis, struct result *result)
{
	size_t n = analysis_n_observations(analysis);

	for (size_t k = 0; k < DOUBTS; k++) {
		const struct prepared *worst = NULL;
		double most = 0;
		size_t times = 0;
		struct str s = {0};

		for (size_t i = 0; i < n; i++) {
			double strength = DOUBT[k].strength(analysis, analysis_observation(analysis, i));

			times += strength > 0;
			if (strength > most) {
				most = strength;
				worst = analysis_observation(analysis, i);
			}
		}
		if (!worst)
			continue;
		add_where(times, n, worst, &s);
		DOUBT[k].say(analysis, worst, &s);
		result_add_note(result, DOUBT[k].code, str_take(&s));
	}
}
