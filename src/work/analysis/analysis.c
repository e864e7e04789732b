#include "work/analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/parallel.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/stats/counterpoint.h"
#include "core/stats/region.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "core/verdict/verdict.h"
#include "shape/wire.h"
#include "text/diag.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/trusted.h"
#include "work/analysis/witness.h"
#include "work/analysis/zeros.h"

#define DESCRIBED_PER_THREAD 32

struct analysis_options
analysis_options_default(void)
{
	return (struct analysis_options){
		.confidence = CONFIDENCE_DEFAULT, .decides = REGION_CONE, .tolerance = TOLERANCE_BY_EVENT};
}

void
counterpoint_options(struct analysis_options *o)
{
	o->counterpoint = true;
	o->confidence = COUNTERPOINT_CONFIDENCE;
	o->decides = REGION_BOX;
	o->one_by_one = true;
}

void
counterpoint_words(struct str *out)
{
	str_addf(out, "%zu complete samples or more, the %g %% box along the principal axes of their covariance, "
		"and %g millionths of the largest count on top", COUNTERPOINT_SAMPLES, COUNTERPOINT_CONFIDENCE * 100,
		COUNTERPOINT_TOLERANCE * 1e6);
}

static void
wire_rules(struct wire *w, struct trust_rules *r)
{
	wire_array(w, &r->rule, &r->n, sizeof *r->rule, 16);
	for (size_t i = 0; i < r->n; i++) {
		struct trust_rule *x = &r->rule[i];

		wire_str(w, &x->event);
		wire_str(w, &x->source);
		wire_size(w, &x->n_terms);
		w->bad |= x->n_terms > TRUST_TERMS_MAX;
		x->n_terms = w->bad ? 0 : x->n_terms;
		for (size_t k = 0; k < x->n_terms; k++) {
			int cause = (int)x->term[k].cause;

			wire_int(w, &cause);
			w->bad |= cause < 0 || cause >= TRUST_N_CAUSES;
			x->term[k].cause = w->bad ? TRUST_PER_RUN : (enum trust_cause)cause;
			wire_double(w, &x->term[k].low);
			wire_double(w, &x->term[k].high);
		}
	}
}

static void
wire_books(struct wire *w, struct trust_books *b)
{
	wire_array(w, &b->item, &b->n, sizeof *b->item, 8);
	for (size_t i = 0; i < b->n; i++) {
		wire_str(w, &b->item[i].cpu);
		wire_rules(w, &b->item[i].rules);
	}
}

void
analysis_options_wire(struct wire *w, struct analysis_options *o)
{
	wire_double(w, &o->confidence);
	wire_int(w, &o->decides);
	wire_bool(w, &o->one_by_one);
	wire_bool(w, &o->flow);
	wire_bool(w, &o->exact);
	wire_bool(w, &o->increments);
	wire_bool(w, &o->split_phases);
	wire_bool(w, &o->peeking);
	wire_bool(w, &o->trust_zeros);
	wire_bool(w, &o->independent_rows);
	wire_double(w, &o->tolerance);
	wire_bool(w, &o->counterpoint);
	wire_double(w, &o->runs);
	wire_double(w, &o->cone_seconds);
	wire_rules(w, &o->trust);
	wire_books(w, &o->books);
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
	trust_rules_clear(&o->trust);
	trust_books_clear(&o->books);
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
	a->opt.trust = trust_rules_copy(&o->trust);
	a->opt.books = trust_books_copy(&o->books);
	a->cones = cones_new(m, o->cone_seconds);
	return a;
}

static void
forget_ready(struct analysis_table *t)
{
	for (size_t i = 0; i < t->n_ready; i++)
		prepared_clear(&t->ready[i]);
	free(t->ready);
	obs_table_free(t->phases);
	t->ready = NULL;
	t->phases = NULL;
	t->n_ready = 0;
}

static void
free_table(const struct analysis *a, struct analysis_table *t)
{
	forget_ready(t);
	columns_match_free(t->match);
	trusted_plans_free(a, t->plans);
	free(t->zero);
	free(t->doubted);
	obs_table_free(t->data);
}

static void
set_origin(struct prepared *p, size_t table, struct prepared_origin from)
{
	from.table = table;
	p->from = from;
	if (p->less)
		p->less->from = from;
}

static void
make_ready(struct analysis *a, struct analysis_table *t)
{
	const struct obs_table *judged = t->data;
	struct prepared_origin *from = NULL;

	zeros_find(a, t);
	if (a->opt.split_phases)
		judged = t->phases = prepare_split(a, t, &from);
	t->ready = mem_new_array(judged->n, sizeof *t->ready);
	for (size_t i = 0; i < judged->n; i++)
		if (prepare_wanted(a, judged->obs[i])) {
			struct prepared *p = &t->ready[t->n_ready++];

			prepare_observation(a, t, p, judged->obs[i]);
			set_origin(p, (size_t)(t - a->table), from ? from[i] : (struct prepared_origin){.place = i});
		}
	free(from);
}

void
analysis_free(struct analysis *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->n_tables; i++)
		free_table(a, &a->table[i]);
	free(a->table);
	free(a->judged);
	cones_free(a->cones);
	analysis_options_free(&a->opt);
	free(a);
}

void
analysis_set_table(struct analysis *a, size_t at, struct obs_table *data)
{
	struct analysis_table *t;

	mem_grow(&a->table, &a->cap, at + 1, sizeof *a->table);
	if (at < a->n_tables)
		free_table(a, &a->table[at]);
	else
		a->n_tables = at + 1;
	t = &a->table[at];
	*t = (struct analysis_table){.data = data, .match = match_new(a->model, data)};
	t->plans = trusted_plans(a, data, t->match);
	make_ready(a, t);
}

bool
analysis_add_rows(struct analysis *a, size_t at, size_t index, const struct obs *rows)
{
	struct analysis_table *t = at < a->n_tables ? &a->table[at] : NULL;
	struct obs *o;
	bool all;

	if (!t || !t->data || index > t->data->n || rows->n_columns != t->data->n_columns)
		return false;
	if (index == t->data->n) {
		o = obs_table_add(t->data, rows->name ? rows->name : "", rows->source ? rows->source : "");
		o->exact = rows->exact;
		o->peeked = rows->peeked;
		o->since_start = rows->since_start;
		o->decimals = rows->decimals;
		obs_set_cpu(o, rows->cpu);
		if (!a->opt.split_phases && prepare_wanted(a, o)) {
			t->ready = mem_resize(t->ready, t->n_ready + 1, sizeof *t->ready);
			t->ready[t->n_ready++] = (struct prepared){.obs = o, .given = o};
		}
	}
	o = t->data->obs[index];
	obs_add_rows(o, rows);
	if (a->opt.split_phases) { /* the options may change where an observation is split */
		forget_ready(t);
		make_ready(a, t);
		return true;
	}
	all = zeros_find(a, t);
	for (size_t i = 0; i < t->n_ready; i++)
		if (all || t->ready[i].given == o) {
			const struct obs *given = t->ready[i].given;
			size_t place = given == o ? index : t->ready[i].from.place;

			prepared_clear(&t->ready[i]);
			prepare_observation(a, t, &t->ready[i], given);
			set_origin(&t->ready[i], at, (struct prepared_origin){.place = place});
		}
	return true;
}

void
analysis_keep_past(struct analysis *a, struct past *p)
{
	a->past = p;
}

struct past *
analysis_past(const struct analysis *a)
{
	bool grows = !a->opt.one_by_one && analysis_n_observations(a) > 1;

	return grows || a->opt.split_phases ? NULL : a->past;
}

/* Notes what the missing counters would have tested. */
static void
describe_missing(const struct analysis *a, const struct fset *on, struct result *r)
{
	bool *asked = mem_new_array(r->missing.n, sizeof *asked), some = false;

	for (size_t i = 0; i < r->missing.n; i++) {
		asked[i] = r->used[i] || r->missing.counter[i] || r->missing.apart[i];
		some |= r->missing.counter[i] || r->missing.apart[i];
	}
	if (some && analysis_n_observations(a))
		describe_loss(a, r, cones_get(a->cones, on, asked));
	free(asked);
}

/* Observations of equal name get "#2", "#3", in all tables together. */
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

/* Shared by the threads that put findings into words. */
struct describing {
	const struct analysis *a;
	struct result *r;
	const struct signatures *sig;
	const struct cone **cone;
	struct verdict **v;
};

static void
describe_one(void *ctx, size_t i)
{
	const struct describing *t = ctx;
	const struct prepared *p = t->a->judged[i];
	struct finding *f = &t->r->finding[i];

	describe_observation(t->a, p, f);
	describe_verdict(t->a, p, t->cone[i], t->v[i], f);
	trusted_describe(t->a, p, t->cone[i], f);
	describe_slack(t->a, t->r, p, f);
	describe_shares(t->r, f);
	if (t->v[i]->flow)
		describe_flow(p, t->cone[i], t->sig, t->v[i]->flow, f);
}

static void
describe_findings(struct describing *t)
{
	struct result *r = t->r;

	parallel_each(&(struct parallel){.each = describe_one, .ctx = t, .least = DESCRIBED_PER_THREAD}, r->n_findings);
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct finding *f = &r->finding[i];

		r->count[f->verdict]++;
		r->refuted.one_by_one += f->own.verdict == VERDICT_INFEASIBLE;
		r->refuted.family_wise += f->own.family_wise == VERDICT_INFEASIBLE;
		r->refuted.in_doubt += f->verdict == VERDICT_INFEASIBLE && f->in_doubt;
	}
	name_apart(r);
}

struct result *
analysis_run(struct analysis *a, const struct fset *on, const struct analysis_watch *watch)
{
	struct result *r = mem_new(sizeof *r);
	size_t n = analysis_n_observations(a);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	const struct signatures *sig;
	bool whole = false;

	r->on = *on;
	r->n_counters = a->model->n_counters;
	r->used = analysis_used_counters(a);
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
	describe_noise(a, r);
	describe_missing(a, on, r);
	if (!judge_all(a, on, false, v, cone, watch))
		goto out;
	judge_family(a, v, cone, n);
	r->finding = mem_new_array(n, sizeof *r->finding);
	r->n_findings = n;
	describe_findings(&(struct describing){.a = a, .r = r, .sig = sig, .cone = cone, .v = v});
	zeros_describe(a, sig, r);
	whole = true;
out:
	judge_free_verdicts(v, n);
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

bool
constraint_relaxed(const struct constraint *c, const struct signatures *sig)
{
	for (size_t k = 0; k < sig->n; k++) {
		i128 d = i128_dot(c->coef, sig->coef + k * sig->n_counters, sig->n_counters);

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
judge_neighbour(struct analysis *a, const struct result *now, const struct fset *on, struct neighbour *k,
	const struct analysis_watch *watch)
{
	size_t n = analysis_n_observations(a);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	const struct signatures *sig;
	bool whole;

	cones_begin(a->cones);
	sig = cones_signatures(a->cones, on, &k->why);
	k->legal = sig != NULL;
	whole = !sig || judge_all(a, on, true, v, cone, watch);
	if (sig && whole) {
		judge_family(a, v, cone, n);
		k->paths = mem_str(sig->total);
		k->more = paths_added(now->paths, sig->total);
		k->relaxes = mem_new_array(n, sizeof *k->relaxes);
		k->n_relaxes = n;
		for (size_t i = 0; i < n && i < now->n_findings; i++) {
			const struct finding *f = &now->finding[i];
			const struct constraint *c = f->proof.n_violated ? f->proof.violated : f->proof.certificate;

			bool refuted = judge_decides(a, v[i]) == VERDICT_INFEASIBLE;

			k->infeasible += refuted;
			k->frees += f->verdict == VERDICT_INFEASIBLE && !refuted;
			k->relaxes[i] = f->verdict == VERDICT_INFEASIBLE && constraint_relaxed(c, sig);
		}
	}
	judge_free_verdicts(v, n);
	free(cone);
	return whole;
}

struct neighbours *
analysis_neighbours(struct analysis *a, const struct result *now, const struct analysis_watch *watch)
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
