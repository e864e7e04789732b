#include "work/analysis/describe.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
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
spread(const struct analysis *a, const bool *keep, const int64_t *coef, bool equality)
{
	size_t n = a->model->n_counters;
	struct constraint c = {.equality = equality, .coef = mem_new_array(n, sizeof *c.coef), .n = n};
	const char **name = mem_new_array(n, sizeof *name);
	struct str text = {0};

	for (size_t i = 0, k = 0; i < n; i++) {
		name[i] = a->model->counter[i].name;
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
describe_data(const struct analysis *a, struct result *r)
{
	const struct udd_model *m = a->model;
	struct str names = {0};

	for (size_t t = 0; t < a->n_tables; t++)
		for (size_t k = 0; k < a->table[t].data->n_notes; k++)
			result_add_note(r, "import", mem_str(a->table[t].data->note[k]));
	trusted_note(a, r);
	r->missing.n = m->n_counters;
	r->missing.counter = mem_new_array(m->n_counters, sizeof *r->missing.counter);
	r->missing.n_apart = m->n_counters;
	r->missing.apart = mem_new_array(m->n_counters, sizeof *r->missing.apart);
	for (size_t i = 0; i < m->n_counters; i++) {
		bool asked = !a->opt.counter || a->opt.counter[i], has = r->used[i];

		for (size_t t = 0; t < a->n_tables && !has; t++)
			has = a->table[t].match->n_groups > 1 && a->table[t].match->group[i];
		r->missing.counter[i] = asked && !has;
		r->missing.apart[i] = asked && has && !r->used[i];
	}
	str_clear(&names);
	for (size_t i = 0; i < m->n_counters; i++) {
		bool dead = false, derived = false, silent = false;
		unsigned mode = 0;

		for (size_t t = 0; t < a->n_tables; t++) {
			for (size_t k = 0; k < a->table[t].n_ready; k++)
				dead |= a->table[t].ready[k].dead[i];
			mode = mode ? mode : a->table[t].match->mode[i];
			derived |= a->table[t].match->derived[i];
			silent |= a->table[t].match->silent[i];
		}
		if (derived)
			result_add_note(r, "derived", str_format("%s was not counted; it is computed from the sum that "
					"the model declares", m->counter[i].name));
		if (silent)
			result_add_note(r, "silent-zero", str_format("%s is taken as 0: %s is not in the data, and "
					"their source leaves out what is 0", m->counter[i].name,
					m->counter[i].event[0].name));
		if (dead)
			describe_add_name(&names, m->counter[i].name);
		if (mode)
			note_mode(r, m->counter[i].name, mode);
	}
	for (size_t t = 0; t < a->n_tables; t++) {
		const struct columns_match *match = a->table[t].match;

		for (size_t k = 0; k < match->n_remarks; k++)
			result_add_note(r, "columns", mem_str(match->remark[k]));
		if (match->apart)
			result_add_note(r, "apart", str_format("not counted alike, so that no constraint relates them: "
					"%s", match->apart));
	}
	note_names(r, "dead", "always 0, so not used in any verdict: ", &names, "");
	for (size_t t = 0; t < a->n_tables; t++)
		for (size_t k = 0; k < a->table[t].match->n_extra; k++) {
			size_t cap = r->n_extra;
			const char *name = a->table[t].data->column[a->table[t].match->extra[k]];

			mem_grow(&r->extra, &cap, r->n_extra + 1, sizeof *r->extra);
			r->extra[r->n_extra++] = mem_str(name);
			if (r->n_extra <= EXTRA_SHOWN)
				describe_add_name(&names, name);
		}
	if (r->n_extra > EXTRA_SHOWN)
		str_addf(&names, " and %zu more", r->n_extra - EXTRA_SHOWN);
	note_names(r, "extra", "columns that the model does not know: ", &names, "");
	str_free(&names);
}

/* Keeps the constraints of the whole cone that mention a counter which no observation has. */
static void
keep_untested(const struct analysis *a, struct result *r, const struct cone *whole)
{
	bool *keep = mem_new_array(r->missing.n, sizeof *keep);
	size_t cap = 0;

	for (size_t i = 0; i < r->missing.n; i++)
		keep[i] = r->used[i] || r->missing.counter[i] || r->missing.apart[i];
	for (size_t k = 0; k < whole->n_equalities + whole->n_inequalities; k++) {
		bool equality = k < whole->n_equalities, lacking = false;
		const int64_t *coef = equality ? whole->equality + k * whole->n_counters
					       : whole->inequality + (k - whole->n_equalities) * whole->n_counters;
		struct constraint c = spread(a, keep, coef, equality);

		for (size_t i = 0; i < r->missing.n; i++)
			lacking |= (r->missing.counter[i] || r->missing.apart[i]) && c.coef[i];
		if (!lacking) {
			free(c.coef);
			free(c.text);
			continue;
		}
		mem_grow(&r->missing.untested, &cap, r->missing.n_untested + 1, sizeof *r->missing.untested);
		r->missing.untested[r->missing.n_untested++] = c;
	}
	free(keep);
}

void
describe_loss(const struct analysis *a, struct result *r, const struct cone *whole)
{
	struct str names = {0};

	keep_untested(a, r, whole);
	for (size_t i = 0; i < r->missing.n; i++)
		if (r->missing.counter[i])
			describe_add_name(&names, a->model->counter[i].name);
	if (names.n && whole->complete && r->complete)
		result_add_note(r, "missing", str_format("not in the data, so projected away: %s; of %zu equalities "
				"and %zu inequalities, %zu and %zu can still be tested", str_text(&names),
				whole->n_equalities, whole->n_inequalities, r->n_equalities,
				r->n_constraints - r->n_equalities));
	else if (names.n)
		result_add_note(r, "missing", str_format("not in the data, so projected away, which loosens "
				"the cone: %s", str_text(&names)));
	str_free(&names);
}

void
describe_cone(const struct analysis *a, struct result *r, const struct cone *c)
{
	r->rays = c->n_rays;
	r->cone = search_cone_fingerprint(c, r->used, r->n_counters);
	r->n_equalities = c->n_equalities;
	r->n_constraints = c->n_equalities + c->n_inequalities;
	r->constraint = mem_new_array(r->n_constraints, sizeof *r->constraint);
	for (size_t i = 0; i < c->n_equalities; i++)
		r->constraint[i] = spread(a, r->used, c->equality + i * c->n_counters, true);
	for (size_t i = 0; i < c->n_inequalities; i++)
		r->constraint[c->n_equalities + i] = spread(a, r->used, c->inequality + i * c->n_counters, false);
	r->seconds = c->seconds;
	r->complete = c->complete;
	r->reason = c->reason ? mem_str(c->reason) : NULL;
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
times_ray(const struct prepared *p, size_t n, const int64_t *whole, const int64_t *ray)
{
	int64_t times = 0;

	for (size_t i = 0, at = 0; i < n; i++) {
		if (!p->keep[i])
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
describe_flow(const struct prepared *p, const struct cone *c, const struct signatures *sig,
	const struct witness *flow, struct finding *f)
{
	f->witness.uops = mem_new_array(flow->n, sizeof *f->witness.uops);
	for (size_t k = 0; k < flow->n; k++) {
		const int64_t *ray = c->ray + flow->term[k].ray * c->n_counters, *whole = sig->coef;
		struct witness_uops *out = &f->witness.uops[f->witness.n];
		int64_t times = 0;

		for (size_t j = 0; j < sig->n && !times; j++) {
			whole = sig->coef + j * sig->n_counters;
			times = times_ray(p, sig->n_counters, whole, ray);
		}
		if (!times)
			panic("a ray of the cone belongs to no signature");
		out->n = sig->n_counters;
		out->coef = mem_copy(whole, out->n * sizeof *out->coef);
		for (size_t i = 0; i < out->n; i++)
			out->coef[i] *= p->keep[i];
		out->uops = flow->term[k].uops / (double)times;
		f->witness.n++;
	}
	qsort(f->witness.uops, f->witness.n, sizeof *f->witness.uops, larger_flow);
}

/* Finds the constraints whose sum a certificate is, when it is not a constraint of the cone itself. */
static void
describe_parts(const struct analysis *a, const struct prepared *p, const struct cone *c, const int64_t *coef,
	struct finding *f)
{
	size_t m = c->n_equalities + c->n_inequalities;
	int64_t *weight = mem_new_array(m, sizeof *weight);

	f->proof.part = mem_new_array(m, sizeof *f->proof.part);
	f->proof.weight = mem_new_array(m, sizeof *f->proof.weight);
	if (combine_rows(c, coef, weight, &f->proof.times))
		for (size_t k = 0; k < m; k++)
			if (weight[k]) {
				bool equality = k < c->n_equalities;

				f->proof.part[f->proof.n_parts++] = spread(a, p->keep, cone_row(c, k), equality);
				f->proof.weight[f->proof.n_weights++] = weight[k];
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

/* Takes the exact totals of the counters, where they are whole numbers of 64 bits. */
static void
take_totals(const struct analysis *a, const struct prepared *p, struct finding_counters *f)
{
	const struct region *r = p->region;
	size_t n = a->model->n_counters;

	if (!r || !r->point || r->decimals)
		return;
	f->total = mem_new_array(n, sizeof *f->total);
	f->n_totals = n;
	for (size_t i = 0, k = 0; i < n && f->n_totals; i++) {
		if (!p->keep[i])
			continue;
		if (r->weight[k] != 1 || r->sum[k] > INT64_MAX || r->sum[k] < -INT64_MAX)
			f->n_totals = 0;
		f->total[i] = (int64_t)r->sum[k++];
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
describe_verdict(const struct analysis *a, const struct prepared *p, const struct cone *c, const struct verdict *v,
	struct finding *f)
{
	f->own = verdict_numbers(v);
	f->verdict = judge_decides(a, v);
	f->reason = v->reason ? mem_str(v->reason) : NULL;
	f->measure = a->opt.decides == REGION_CONE && v->test.dimensions
		? (struct measure){v->test.distance2, v->test.threshold2, v->test.p, v->test.dimensions}
		: (struct measure){v->distance2, v->threshold2, v->p, p->n_kept};
	f->in_doubt = v->verdict == VERDICT_INFEASIBLE ? describe_broken_premise(a, p) : NULL;
	f->proof.violated = mem_new_array(v->n_violated, sizeof *f->proof.violated);
	for (size_t i = 0; i < v->n_violated; i++)
		f->proof.violated[i] = violated_row(a, p, c, &v->violated[i]);
	f->proof.n_violated = v->n_violated;
	f->proof.n_suspected = v->suspected ? 1 : 0;
	f->proof.suspected = mem_new_array(f->proof.n_suspected, sizeof *f->proof.suspected);
	if (v->suspected)
		f->proof.suspected[0] = violated_row(a, p, c, v->suspected);
	f->proof.certificate = mem_new_array(v->certificate ? 1 : 0, sizeof *f->proof.certificate);
	if (v->certificate) {
		f->proof.certificate[0] = spread(a, p->keep, v->certificate, false);
		f->proof.n_certificates = 1;
		describe_parts(a, p, c, v->certificate, f);
	}
}

void
describe_observation(const struct analysis *a, const struct prepared *p, struct finding *f)
{
	size_t n = a->model->n_counters;

	f->name = mem_str(p->obs->name);
	f->source = mem_str(p->obs->source);
	f->data.table = p->from.table;
	f->data.place = p->from.place;
	f->data.row = p->from.row;
	f->data.rows = p->obs->n_rows;
	f->data.samples = obs_samples(p->obs);
	f->data.effective = p->region ? p->region->effective : (double)f->data.samples;
	f->data.exact = p->exact;
	if (p->region) {
		f->data.peeked = p->region->peeked;
		f->data.random_turns = p->region->random_turns;
		f->time.lag = p->region->lag;
	}
	f->time.n_phases = p->changes ? p->changes->n : 0;
	f->time.phase = mem_new_array(f->time.n_phases, sizeof *f->time.phase);
	for (size_t i = 0; i < f->time.n_phases; i++)
		f->time.phase[i] = obs_first_sample(p->obs, p->changes->change[i].row);
	f->counter.value = mem_copy(p->value, n * sizeof *f->counter.value);
	f->counter.deviation = mem_copy(p->quality.deviation, n * sizeof *f->counter.deviation);
	f->counter.running = mem_copy(p->quality.running, n * sizeof *f->counter.running);
	take_totals(a, p, &f->counter);
	f->counter.n_values = f->counter.n_deviations = f->counter.n_running = n;
	f->correlation.most = p->quality.correlation;
	f->correlation.mean = p->quality.correlation_mean;
	memcpy(f->correlation.of, p->quality.correlated, sizeof f->correlation.of);
	f->time.series = mem_copy(p->quality.series, p->quality.n_series * sizeof *f->time.series);
	f->time.n_series = p->quality.n_series;
	f->counter.dead = mem_copy(p->dead, n * sizeof *f->counter.dead);
	f->counter.n_dead = n;
	describe_doubts(a, p, f);
}
