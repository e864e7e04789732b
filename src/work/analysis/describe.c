#include "work/analysis/describe.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/panic.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/series/changes.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"
#include "core/verdict/witness.h"
#include "event/modifiers.h"
#include "work/analysis/search_cones.h"
#include "work/analysis/trusted.h"

#define EXTRA_SHOWN 20 /* most names listed; a simulator has thousands of columns */

/* Renumbers a row over the kept counters to the model's counters, and adds its text. */
static struct constraint
spread(const struct analysis *analysis, const bool *keep, const int64_t *coef, bool equality)
{
	size_t n = analysis->model->n_counters;
	struct constraint c = {.equality = equality, .coef = mem_new_array(n, sizeof *c.coef), .n = n};
	const char **name = mem_new_array(n, sizeof *name);
	struct str text = {0};

	for (size_t i = 0, k = 0; i < n; i++) {
		name[i] = analysis->model->counter[i].name;
		if (keep[i])
			c.coef[i] = coef[k++];
	}
	cone_row_text(c.coef, name, n, equality, false, &text);
	c.text = str_take(&text);
	free(name);
	return c;
}

struct constraint
describe_row(const struct analysis *a, const bool *keep, const int64_t *coef, bool equality)
{
	return spread(a, keep, coef, equality);
}

static void
note_names(struct result *r, const char *code, const char *before, struct str *names, const char *after)
{
	if (names->n)
		result_add_note(r, code, str_format("%s%s%s", before, str_text(names), after));
	str_clear(names);
}

static void
describe_add_name(struct str *names, const char *name)
{
	str_addf(names, "%s%s", names->n ? ", " : "", name);
}

/* Notes a counter whose column counts one mode, though the model asks for all of them. */
static void
note_mode(struct result *r, const char *name, unsigned mode)
{
	struct event_modifiers letters = {.set = mode};
	struct str text = {0};

	str_addf(&text, "%s was counted in ", name);
	event_mode_words(mode, &text);
	str_add(&text, " only (:");
	event_modifiers_print(&letters, &text);
	str_addc(&text, ')');
	result_add_note(r, mode == EVENT_MOD_USER ? "user-only" : "one-mode", str_take(&text));
}

/* Notes about the data that the user must know before believing a verdict. */
void
describe_data(const struct analysis *analysis, struct result *result)
{
	const struct udd_model *model = analysis->model;
	struct str names = {0};
	struct names known = {0};

	for (size_t t = 0; t < analysis->n_tables; t++)
		for (size_t k = 0; k < analysis->table[t].data->n_notes; k++)
			result_add_note(result, "import", mem_str(analysis->table[t].data->note[k]));
	trusted_note(analysis, result);
	result->missing.n = model->n_counters;
	result->missing.counter = mem_new_array(model->n_counters, sizeof *result->missing.counter);
	result->missing.n_apart = model->n_counters;
	result->missing.apart = mem_new_array(model->n_counters, sizeof *result->missing.apart);
	for (size_t i = 0; i < model->n_counters; i++) {
		bool asked = !analysis->opt.counter || analysis->opt.counter[i], has = result->used[i];

		for (size_t t = 0; t < analysis->n_tables && !has; t++)
			has = analysis->table[t].match->n_groups > 1 && analysis->table[t].match->group[i];
		result->missing.counter[i] = asked && !has;
		result->missing.apart[i] = asked && has && !result->used[i];
	}
	str_clear(&names);
	for (size_t i = 0; i < model->n_counters; i++) {
		bool dead = false, derived = false, silent = false;
		unsigned mode = 0;

		for (size_t t = 0; t < analysis->n_tables; t++) {
			for (size_t k = 0; k < analysis->table[t].n_ready; k++)
				dead |= analysis->table[t].ready[k].dead[i];
			mode = mode ? mode : analysis->table[t].match->mode[i];
			derived |= analysis->table[t].match->derived[i];
			silent |= analysis->table[t].match->silent[i];
		}
		if (derived)
			result_add_note(result, "derived",
				str_format("%s was not counted; it is computed from the sum that "
					   "the model declares",
					model->counter[i].name));
		if (silent)
			result_add_note(result, "silent-zero",
				str_format("%s is taken as 0: %s is not in the data, and "
					   "their source leaves out what is 0",
					model->counter[i].name, model->counter[i].event[0].name));
		if (dead)
			describe_add_name(&names, model->counter[i].name);
		if (mode)
			note_mode(result, model->counter[i].name, mode);
	}
	for (size_t t = 0; t < analysis->n_tables; t++) {
		const struct columns_match *match = analysis->table[t].match;

		for (size_t k = 0; k < match->n_remarks; k++)
			result_add_note(result, "columns", mem_str(match->remark[k]));
		if (match->apart)
			result_add_note(result, "apart",
				str_format("not counted alike, so that no constraint relates them: "
					   "%s",
					match->apart));
	}
	note_names(result, "dead", "always 0, so not used in any verdict: ", &names, "");
	for (size_t t = 0; t < analysis->n_tables; t++)
		for (size_t k = 0; k < analysis->table[t].match->n_extra; k++) {
			size_t cap = result->n_extra;
			const char *name = analysis->table[t].data->column[analysis->table[t].match->extra[k]];

			if (names_add(&known, name, strlen(name)) < result->n_extra)
				continue; /* several tables have it */
			mem_grow(&result->extra, &cap, result->n_extra + 1, sizeof *result->extra);
			result->extra[result->n_extra++] = mem_str(name);
			if (result->n_extra <= EXTRA_SHOWN)
				describe_add_name(&names, name);
		}
	if (result->n_extra > EXTRA_SHOWN)
		str_addf(&names, " and %zu more", result->n_extra - EXTRA_SHOWN);
	note_names(result, "extra", "columns that the model does not know: ", &names, "");
	names_free(&known);
	str_free(&names);
}

/* Keeps the constraints of the whole cone that mention a counter which no observation has. */
static void
keep_untested(const struct analysis *analysis, struct result *result, const struct cone *whole)
{
	bool *keep = mem_new_array(result->missing.n, sizeof *keep);
	size_t cap = 0;

	for (size_t i = 0; i < result->missing.n; i++)
		keep[i] = result->used[i] || result->missing.counter[i] || result->missing.apart[i];
	for (size_t k = 0; k < whole->n_equalities + whole->n_inequalities; k++) {
		bool equality = k < whole->n_equalities, lacking = false;
		const int64_t *coef = equality ? whole->equality + k * whole->n_counters
					       : whole->inequality + (k - whole->n_equalities) * whole->n_counters;
		struct constraint c = spread(analysis, keep, coef, equality);

		for (size_t i = 0; i < result->missing.n; i++)
			lacking |= (result->missing.counter[i] || result->missing.apart[i]) && c.coef[i];
		if (!lacking) {
			free(c.coef);
			free(c.text);
			continue;
		}
		mem_grow(&result->missing.untested, &cap, result->missing.n_untested + 1,
			sizeof *result->missing.untested);
		result->missing.untested[result->missing.n_untested++] = c;
	}
	free(keep);
}

void
describe_loss(const struct analysis *analysis, struct result *result, const struct cone *whole)
{
	struct str names = {0};

	keep_untested(analysis, result, whole);
	for (size_t i = 0; i < result->missing.n; i++)
		if (result->missing.counter[i])
			describe_add_name(&names, analysis->model->counter[i].name);
	if (names.n && whole->complete && result->complete)
		result_add_note(result, "missing",
			str_format("not in the data, so projected away: %s; of %zu equalities "
				   "and %zu inequalities, %zu and %zu can still be tested",
				str_text(&names), whole->n_equalities, whole->n_inequalities, result->n_equalities,
				result->n_constraints - result->n_equalities));
	else if (names.n)
		result_add_note(result, "missing", str_format("not in the data, so projected away, which loosens "
				"the cone: %s", str_text(&names)));
	str_free(&names);
}

void
describe_cone(const struct analysis *analysis, struct result *result, const struct cone *cone)
{
	result->rays = cone->n_rays;
	result->cone = search_cone_fingerprint(cone, result->used, result->n_counters);
	result->n_equalities = cone->n_equalities;
	result->n_constraints = cone->n_equalities + cone->n_inequalities;
	result->constraint = mem_new_array(result->n_constraints, sizeof *result->constraint);
	for (size_t i = 0; i < cone->n_equalities; i++)
		result->constraint[i] = spread(analysis, result->used, cone->equality + i * cone->n_counters, true);
	for (size_t i = 0; i < cone->n_inequalities; i++)
		result->constraint[cone->n_equalities + i] = spread(
			analysis, result->used, cone->inequality + i * cone->n_counters, false);
	result->seconds = cone->seconds;
	result->complete = cone->complete;
	result->reason = cone->reason ? mem_str(cone->reason) : NULL;
}

static int
larger_flow(const void *a, const void *b)
{
	const struct witness_uops *x = a, *y = b;

	return (x->uops < y->uops) - (x->uops > y->uops);
}

/* Returns the factor by which the signature is a multiple of the cone's ray over the observation's counters; 0 if it is
 * none. */
static int64_t
times_ray(const struct prepared *prepared, size_t n, const int64_t *whole, const int64_t *ray)
{
	int64_t times = 0;

	for (size_t i = 0, at = 0; i < n; i++) {
		if (!prepared->keep[i])
			continue;
		if ((whole[i] == 0) != (ray[at] == 0))
			return 0;
		if (ray[at] && !times)
			times = whole[i] / ray[at];
		if (whole[i] != ray[at] * times)
			return 0;
		at++;
	}
	return times;
}

/* Finds a signature for each ray with a flow. Rays are divided by their greatest common divisor, but a flow is reported
 * in µops of a real signature. */
void
describe_flow(const struct prepared *prepared, const struct cone *cone, const struct signatures *sig,
	const struct witness *flow, struct finding *finding)
{
	finding->witness.uops = mem_new_array(flow->n, sizeof *finding->witness.uops);
	for (size_t k = 0; k < flow->n; k++) {
		const int64_t *ray = cone->ray + flow->term[k].ray * cone->n_counters, *whole = sig->coef;
		struct witness_uops *out = &finding->witness.uops[finding->witness.n];
		int64_t times = 0;

		for (size_t j = 0; j < sig->n && !times; j++) {
			whole = sig->coef + j * sig->n_counters;
			times = times_ray(prepared, sig->n_counters, whole, ray);
		}
		if (!times)
			panic("a ray of the cone belongs to no signature");
		out->n = sig->n_counters;
		out->coef = mem_copy(whole, out->n * sizeof *out->coef);
		for (size_t i = 0; i < out->n; i++)
			out->coef[i] *= prepared->keep[i];
		out->uops = flow->term[k].uops / (double)times;
		finding->witness.n++;
	}
	qsort(finding->witness.uops, finding->witness.n, sizeof *finding->witness.uops, larger_flow);
}

/* Finds the constraints whose sum a certificate is, when it is not a constraint of the cone itself. */
static void
describe_parts(const struct analysis *analysis, const struct prepared *prepared, const struct cone *cone,
	const int64_t *coef, struct finding *finding)
{
	size_t m = cone->n_equalities + cone->n_inequalities;
	int64_t *weight = mem_new_array(m, sizeof *weight);

	finding->proof.part = mem_new_array(m, sizeof *finding->proof.part);
	finding->proof.weight = mem_new_array(m, sizeof *finding->proof.weight);
	if (combine_rows(cone, coef, weight, &finding->proof.times))
		for (size_t k = 0; k < m; k++)
			if (weight[k]) {
				bool equality = k < cone->n_equalities;

				finding->proof.part[finding->proof.n_parts++] = spread(
					analysis, prepared->keep, cone_row(cone, k), equality);
				finding->proof.weight[finding->proof.n_weights++] = weight[k];
			}
	free(weight);
}

static i128
dot_sum(const struct region *r, const int64_t *row)
{
	i128 sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += row[i] * r->sum[i];
	return sum;
}

/* Returns coef·mean of an exact total without the rounding of doubles, which shows beyond 2^53; `rounded` of others. */
static double
excess_of(const struct region *r, const int64_t *row, double rounded)
{
	for (size_t i = 0; i < r->n; i++)
		if (!r->point || (row[i] && r->weight[i] != 1))
			return rounded;
	return (double)dot_sum(r, row) / pow(10, r->decimals);
}

/* Copies the counts: means, or the totals of a point. */
static void
take_values(const struct prepared *prepared, size_t n, struct finding_counters *counters)
{
	const struct region *region = prepared->region;

	counters->value = mem_copy(prepared->value, n * sizeof *counters->value);
	for (size_t i = 0, k = 0; i < n && region && region->point; i++)
		if (prepared->keep[i])
			counters->value[i] = region->mean[k++];
}

/* Takes the exact totals of the counters, where they are whole numbers of 64 bits. */
static void
take_totals(const struct analysis *analysis, const struct prepared *prepared, struct finding_counters *counters)
{
	const struct region *region = prepared->region;
	size_t n = analysis->model->n_counters;

	if (!region || !region->point || region->decimals)
		return;
	counters->total = mem_new_array(n, sizeof *counters->total);
	counters->n_totals = n;
	for (size_t i = 0, k = 0; i < n && counters->n_totals; i++) {
		if (!prepared->keep[i])
			continue;
		if (region->weight[k] != 1 || region->sum[k] > INT64_MAX || region->sum[k] < -INT64_MAX)
			counters->n_totals = 0;
		counters->total[i] = (int64_t)region->sum[k++];
	}
}

static struct constraint
violated_row(const struct analysis *a, const struct prepared *p, const struct cone *c, const struct violation *v)
{
	const int64_t *row = (v->equality ? c->equality : c->inequality) + v->row * c->n_counters;
	struct constraint out = spread(a, p->keep, row, v->equality);

	out.margin = v->margin;
	out.excess = excess_of(p->region, row, v->excess);
	out.off = out.excess * cone_row_left(row, c->n_counters, v->equality);
	return out;
}

void
describe_verdict(const struct analysis *analysis, const struct prepared *prepared, const struct cone *cone,
	const struct verdict *verdict, struct finding *finding)
{
	finding->own = verdict_numbers(verdict);
	finding->verdict = judge_decides(analysis, verdict);
	finding->reason = verdict->reason ? mem_str(verdict->reason) : NULL;
	finding->measure = analysis->opt.decides == REGION_CONE && verdict->test.dimensions
		? (struct measure){verdict->test.distance2, verdict->test.threshold2, verdict->test.p,
			  verdict->test.dimensions}
		: (struct measure){verdict->distance2, verdict->threshold2, verdict->p, prepared->n_kept};
	finding->in_doubt = verdict->verdict == VERDICT_INFEASIBLE ? describe_broken_premise(analysis, prepared) : NULL;
	finding->proof.violated = mem_new_array(verdict->n_violated, sizeof *finding->proof.violated);
	for (size_t i = 0; i < verdict->n_violated; i++)
		finding->proof.violated[i] = violated_row(analysis, prepared, cone, &verdict->violated[i]);
	finding->proof.n_violated = verdict->n_violated;
	finding->proof.n_suspected = verdict->suspected ? 1 : 0;
	finding->proof.suspected = mem_new_array(finding->proof.n_suspected, sizeof *finding->proof.suspected);
	if (verdict->suspected)
		finding->proof.suspected[0] = violated_row(analysis, prepared, cone, verdict->suspected);
	finding->proof.certificate = mem_new_array(verdict->certificate ? 1 : 0, sizeof *finding->proof.certificate);
	if (verdict->certificate) {
		finding->proof.certificate[0] = spread(analysis, prepared->keep, verdict->certificate, false);
		finding->proof.n_certificates = 1;
		describe_parts(analysis, prepared, cone, verdict->certificate, finding);
	}
}

void
describe_observation(const struct analysis *analysis, const struct prepared *prepared, struct finding *finding)
{
	size_t n = analysis->model->n_counters;

	finding->name = mem_str(prepared->obs->name);
	finding->source = mem_str(prepared->obs->source);
	finding->data.table = prepared->from.table;
	finding->data.place = prepared->from.place;
	finding->data.row = prepared->from.row;
	finding->data.rows = prepared->obs->n_rows;
	finding->data.samples = obs_samples(prepared->obs);
	finding->data.effective = prepared->region ? prepared->region->effective : (double)finding->data.samples;
	finding->data.exact = prepared->exact;
	if (prepared->region) {
		finding->data.peeked = prepared->region->peeked;
		finding->data.random_turns = prepared->region->random_turns;
		finding->time.lag = prepared->region->lag;
	}
	finding->time.n_phases = prepared->changes ? prepared->changes->n : 0;
	finding->time.phase = mem_new_array(finding->time.n_phases, sizeof *finding->time.phase);
	for (size_t i = 0; i < finding->time.n_phases; i++)
		finding->time.phase[i] = obs_first_sample(prepared->obs, prepared->changes->change[i].row);
	take_values(prepared, n, &finding->counter);
	finding->counter.deviation = mem_copy(prepared->quality.deviation, n * sizeof *finding->counter.deviation);
	finding->counter.running = mem_copy(prepared->quality.running, n * sizeof *finding->counter.running);
	take_totals(analysis, prepared, &finding->counter);
	finding->counter.n_values = finding->counter.n_deviations = finding->counter.n_running = n;
	finding->correlation.most = prepared->quality.correlation;
	finding->correlation.mean = prepared->quality.correlation_mean;
	memcpy(finding->correlation.of, prepared->quality.correlated, sizeof finding->correlation.of);
	finding->time.series = mem_copy(
		prepared->quality.series, prepared->quality.n_series * sizeof *finding->time.series);
	finding->time.n_series = prepared->quality.n_series;
	finding->counter.dead = mem_copy(prepared->dead, n * sizeof *finding->counter.dead);
	finding->counter.n_dead = n;
	describe_doubts(analysis, prepared, finding);
}
