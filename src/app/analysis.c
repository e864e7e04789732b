#include "app/analysis.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/cones.h"
#include "app/describe.h"
#include "app/wire.h"
#include "app/witness.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/lang/diag.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"

void
analysis_options_wire(struct wire *w, struct analysis_options *o)
{
	wire_double(w, &o->confidence);
	wire_int(w, &o->decides);
	wire_bool(w, &o->family_wise);
	wire_bool(w, &o->flow);
	wire_bool(w, &o->exact);
	wire_double(w, &o->cone_seconds);
	wire_str(w, &o->observations);
	wire_array(w, &o->counter, &o->n_counters, sizeof *o->counter, 1);
	for (size_t i = 0; i < o->n_counters; i++)
		wire_bool(w, &o->counter[i]);
	if (w->reading && o->n_counters == 0) {
		free(o->counter);
		o->counter = NULL;
	}
}

void
analysis_options_free(struct analysis_options *o)
{
	free(o->observations);
	free(o->counter);
	o->observations = NULL;
	o->counter = NULL;
}

struct analysis *
analysis_new(const struct udd_model *m, const struct analysis_options *o)
{
	struct analysis *a = mem_new(sizeof *a);

	a->model = m;
	a->opt = *o;
	a->opt.observations = o->observations ? mem_str(o->observations) : NULL;
	a->opt.counter = o->counter ? mem_copy(o->counter, o->n_counters * sizeof *o->counter) : NULL;
	a->cones = cones_new(m, o->cone_seconds);
	return a;
}

static void
free_table(struct table *t)
{
	for (size_t i = 0; i < t->n_ready; i++) {
		free(t->ready[i].keep);
		free(t->ready[i].dead);
		free(t->ready[i].value);
		region_free(t->ready[i].region);
	}
	free(t->ready);
	match_free(t->match);
	obs_table_free(t->data);
}

void
analysis_free(struct analysis *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->n_tables; i++)
		free_table(&a->table[i]);
	free(a->table);
	cones_free(a->cones);
	analysis_options_free(&a->opt);
	free(a);
}

/* Counter i of one row: the sum of its columns; false where one of them was not counted. */
static bool
add_columns(const struct obs *o, const struct match *m, size_t i, size_t row, int64_t *sum)
{
	*sum = 0;
	for (size_t k = m->first[i]; k < m->first[i + 1]; k++) {
		size_t cell = row * o->n_columns + m->column[k];

		if (!o->counted[cell] || __builtin_add_overflow(*sum, o->count[cell], sum))
			return false;
	}
	return true;
}

/* A counter takes part when the data has all its columns, someone counted them, and none is known to be dead. */
static void
choose_counters(const struct analysis *a, const struct table *t, struct prepared *p)
{
	const struct obs *o = p->obs;
	size_t n = a->model->n_counters;

	p->keep = mem_new_array(n, sizeof *p->keep);
	p->dead = mem_new_array(n, sizeof *p->dead);
	for (size_t i = 0; i < n; i++) {
		bool some = false, dead = false;
		int64_t v;

		if (t->match->first[i] == t->match->first[i + 1] || (a->opt.counter && !a->opt.counter[i]))
			continue;
		for (size_t k = t->match->first[i]; k < t->match->first[i + 1]; k++)
			dead |= o->health[t->match->column[k]] == OBS_DEAD;
		for (size_t row = 0; row < o->n_rows && !some; row++)
			some = add_columns(o, t->match, i, row, &v);
		p->dead[i] = some && dead;
		p->keep[i] = some && !dead;
		p->n_kept += p->keep[i];
	}
}

void
prepare_region(const struct analysis *a, const struct table *t, struct prepared *p)
{
	const struct obs *o = p->obs;
	size_t n = a->model->n_counters;
	int64_t *count = mem_new_array(o->n_rows * p->n_kept, sizeof *count);
	unsigned char *counted = mem_new_array(o->n_rows * p->n_kept, 1);
	bool exact = o->exact || a->opt.exact, zero = true;
	double unit = pow(10, -o->decimals);

	for (size_t i = 0, k = 0; i < n; i++) {
		double sum = 0, rows = 0;

		if (!p->keep[i])
			continue;
		for (size_t row = 0; row < o->n_rows; row++) {
			size_t cell = row * p->n_kept + k;

			counted[cell] = add_columns(o, t->match, i, row, &count[cell]);
			if (!counted[cell])
				count[cell] = 0;
			zero &= count[cell] == 0;
			sum += (double)count[cell];
			rows += counted[cell];
		}
		p->value[i] = sum / rows * unit;
		k++;
	}
	if (zero)
		p->reason = "every counter reads 0: nothing happened that the model speaks of";
	else if (o->n_rows == 1 && !exact)
		p->reason = "one noisy sample says nothing about noise; give more rows, or --exact if it is an exact total";
	else
		p->region = region_new(&(struct samples){.n_counters = p->n_kept, .n_rows = o->n_rows, .count = count, .counted = counted,
							 .decimals = o->decimals}, exact);
	free(count);
	free(counted);
}

static void
prepare(const struct analysis *a, const struct table *t, struct prepared *p, const struct obs *o)
{
	size_t n = a->model->n_counters;
	bool any_dead = false;

	p->obs = o;
	p->match = t->match;
	choose_counters(a, t, p);
	p->value = mem_new_array(n, sizeof *p->value);
	for (size_t i = 0; i < n; i++) {
		p->value[i] = NAN;
		any_dead |= p->dead[i];
	}
	if (o->n_rows == 0)
		p->reason = "it has no sample";
	else if (p->n_kept == 0)
		p->reason = any_dead ? "every counter it shares with the model is dead" : "it shares no counter with the model";
	else
		prepare_region(a, t, p);
}

void
analysis_set_table(struct analysis *a, size_t at, struct obs_table *data)
{
	struct table *t;

	mem_grow(&a->table, &a->cap, at + 1, sizeof *a->table);
	if (at < a->n_tables)
		free_table(&a->table[at]);
	else
		a->n_tables = at + 1;
	t = &a->table[at];
	*t = (struct table){.data = data, .match = match_new(a->model, data)};
	t->ready = mem_new_array(data->n, sizeof *t->ready);
	for (size_t i = 0; i < data->n; i++)
		if (!a->opt.observations || fnmatch(a->opt.observations, data->obs[i]->name, 0) == 0)
			prepare(a, t, &t->ready[t->n_ready++], data->obs[i]);
}

size_t
total_observations(const struct analysis *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_tables; i++)
		n += a->table[i].n_ready;
	return n;
}

bool *
used_counters(const struct analysis *a)
{
	size_t n = a->model->n_counters;
	bool *used = mem_new_array(n, sizeof *used);
	bool some = total_observations(a) > 0;

	for (size_t i = 0; i < n; i++) {
		used[i] = !some && (!a->opt.counter || a->opt.counter[i]);
		for (size_t t = 0; t < a->n_tables; t++)
			for (size_t k = 0; k < a->table[t].n_ready; k++)
				used[i] |= a->table[t].ready[k].keep[i];
	}
	return used;
}

static const struct prepared *
nth_observation(const struct analysis *a, size_t i)
{
	size_t t = 0;

	while (i >= a->table[t].n_ready)
		i -= a->table[t++].n_ready;
	return &a->table[t].ready[i];
}

/* All verdicts for one choice; v and cone have an entry per observation. False when stopped. */
static bool
judge_all(struct analysis *a, const struct fset *on, struct verdict **v, const struct cone **cone, const struct watch *watch)
{
	struct verdict_options how = {.confidence = a->opt.confidence, .decides = (enum region_kind)a->opt.decides, .flow = a->opt.flow};
	size_t n = total_observations(a);

	for (size_t i = 0; i < n; i++) {
		const struct prepared *p = nth_observation(a, i);

		if (watch && !watch->go_on(watch->ctx, "check", i, n))
			return false;
		if (!p->region) {
			v[i] = verdict_undecided(p->reason);
			continue;
		}
		cone[i] = cones_get(a->cones, on, p->keep);
		v[i] = verdict_new(cone[i], p->region, &how);
	}
	return true;
}

static void
judge_family(const struct analysis *a, struct verdict **v, const struct cone **cone, size_t n)
{
	struct verdict_options how = {.confidence = a->opt.confidence, .decides = (enum region_kind)a->opt.decides};
	const struct region **region = mem_new_array(n, sizeof *region);

	for (size_t i = 0; i < n; i++)
		region[i] = nth_observation(a, i)->region;
	verdicts_holm(v, cone, region, n, &how);
	free(region);
}

static void
free_verdicts(struct verdict **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		verdict_free(v[i]);
	free(v);
}

/* Say what the counters that the data lack would have tested. */
static void
describe_missing(const struct analysis *a, const struct fset *on, struct result *r)
{
	bool *asked = mem_new_array(r->n_missing, sizeof *asked), some = false;

	for (size_t i = 0; i < r->n_missing; i++) {
		asked[i] = r->used[i] || r->missing[i];
		some |= r->missing[i];
	}
	if (some && total_observations(a))
		describe_loss(a, r, cones_get(a->cones, on, asked));
	free(asked);
}

/* Observations of equal name get "#2", "#3", across tables too. */
static void
name_apart(struct result *r)
{
	struct names seen = {0};

	for (size_t i = 0; i < r->n_findings; i++) {
		char *name = mem_str(r->finding[i].name);

		for (unsigned k = 2; names_find(&seen, name, strlen(name)) != NAMES_NONE; k++) {
			free(name);
			name = str_format("%s#%u", r->finding[i].name, k);
		}
		names_add(&seen, name, strlen(name));
		free(r->finding[i].name);
		r->finding[i].name = name;
	}
	names_free(&seen);
}

struct result *
analysis_run(struct analysis *a, const struct fset *on, const struct watch *watch)
{
	struct result *r = mem_new(sizeof *r);
	size_t n = total_observations(a);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	const struct signatures *sig;
	bool whole = false;

	r->on = *on;
	r->n_counters = a->model->n_counters;
	r->used = used_counters(a);
	if (watch && !watch->go_on(watch->ctx, "cone", 0, 0))
		goto out;
	cones_begin(a->cones);
	sig = cones_signatures(a->cones, on, &r->error);
	if (!sig) {
		whole = true;
		goto out;
	}
	r->paths = mem_str(sig->total);
	r->signatures = sig->n;
	describe_cone(a, r, cones_get(a->cones, on, r->used));
	r->seconds += cones_walk_seconds(a->cones, on);
	describe_data(a, r);
	describe_missing(a, on, r);
	if (!judge_all(a, on, v, cone, watch))
		goto out;
	judge_family(a, v, cone, n);
	r->finding = mem_new_array(n, sizeof *r->finding);
	r->n_findings = n;
	for (size_t i = 0; i < n; i++) {
		describe_observation(a, nth_observation(a, i), &r->finding[i]);
		describe_verdict(a, nth_observation(a, i), cone[i], v[i], &r->finding[i]);
		describe_quality(a, nth_observation(a, i), &r->finding[i]);
		describe_slack(a, r, nth_observation(a, i), &r->finding[i]);
		if (v[i]->flow)
			describe_flow(nth_observation(a, i), cone[i], sig, v[i]->flow, &r->finding[i]);
		r->count[a->opt.family_wise ? v[i]->family_wise : v[i]->verdict]++;
	}
	name_apart(r);
	whole = true;
out:
	free_verdicts(v, n);
	free(cone);
	if (whole)
		return r;
	result_free(r);
	return NULL;
}

void
analysis_witness(struct analysis *a, const struct fset *on, size_t counter, struct str *out)
{
	if (counter < a->model->n_counters)
		witness_lines(a->model, on, counter, out);
}

static i128
dot(const int64_t *a, const int64_t *b, size_t n)
{
	i128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (i128)a[i] * b[i];
	return sum;
}

/* Does some signature break the constraint on the side on which the data break it? */
static bool
breaks(const struct constraint *c, const struct signatures *sig)
{
	for (size_t k = 0; k < sig->n; k++) {
		i128 d = dot(c->coef, sig->coef + k * sig->n_counters, sig->n_counters);

		if (d < 0 ? !(c->equality && c->excess > 0) : d > 0 && c->equality && c->excess > 0)
			return true;
	}
	return false;
}

static int64_t
paths_added(const char *from, const char *to)
{
	int64_t a, b;

	if (!str_to_i64(from, &a))
		a = INT64_MAX;
	if (!str_to_i64(to, &b))
		b = INT64_MAX;
	return b - a;
}

static bool
judge_neighbour(struct analysis *a, const struct result *now, const struct fset *on, struct neighbour *k, const struct watch *watch)
{
	size_t n = total_observations(a);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	const struct signatures *sig;
	bool whole;

	cones_begin(a->cones);
	sig = cones_signatures(a->cones, on, &k->why);
	k->legal = sig != NULL;
	whole = !sig || judge_all(a, on, v, cone, watch);
	if (sig && whole) {
		k->paths = mem_str(sig->total);
		k->more = paths_added(now->paths, sig->total);
		k->relaxes = mem_new_array(n, sizeof *k->relaxes);
		k->n_relaxes = n;
		for (size_t i = 0; i < n && i < now->n_findings; i++) {
			const struct finding *f = &now->finding[i];
			const struct constraint *c = f->n_violated ? f->violated : f->certificate;

			k->infeasible += v[i]->verdict == VERDICT_INFEASIBLE;
			k->frees += f->verdict == VERDICT_INFEASIBLE && v[i]->verdict != VERDICT_INFEASIBLE;
			k->relaxes[i] = f->verdict == VERDICT_INFEASIBLE && breaks(c, sig);
		}
	}
	free_verdicts(v, n);
	free(cone);
	return whole;
}

struct neighbours *
analysis_neighbours(struct analysis *a, const struct result *now, const struct watch *watch)
{
	struct neighbours *t = mem_new(sizeof *t);

	t->n = a->model->n_features;
	t->feature = mem_new_array(t->n, sizeof *t->feature);
	for (size_t i = 0; i < t->n && !now->error; i++) {
		struct fset on = now->on;
		struct err e;

		if (watch && !watch->go_on(watch->ctx, "features", i, t->n))
			goto stopped;
		fset_put(&on, i, !fset_has(&on, i));
		if (!udd_legal(a->model, &on, &e)) {
			struct str why = {0};

			err_text(&e, &why);
			t->feature[i].why = str_take(&why);
		} else if (!judge_neighbour(a, now, &on, &t->feature[i], watch)) {
			goto stopped;
		}
	}
	return t;
stopped:
	neighbours_free(t);
	return NULL;
}
