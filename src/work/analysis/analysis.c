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
#include "core/udd/alternatives.h"
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
wire_rules(struct wire *wire, struct trust_rules *rules)
{
	wire_array(wire, &rules->rule, &rules->n, sizeof *rules->rule, 16);
	for (size_t i = 0; i < rules->n; i++) {
		struct trust_rule *rule = &rules->rule[i];

		wire_name(wire, &rule->event);
		wire_str(wire, &rule->source);
		wire_size(wire, &rule->n_terms);
		wire->bad |= rule->n_terms > TRUST_TERMS_MAX;
		rule->n_terms = wire->bad ? 0 : rule->n_terms;
		for (size_t k = 0; k < rule->n_terms; k++) {
			int cause = (int)rule->term[k].cause;

			wire_int(wire, &cause);
			wire->bad |= cause < 0 || cause >= TRUST_N_CAUSES;
			rule->term[k].cause = wire->bad ? TRUST_PER_RUN : (enum trust_cause)cause;
			wire_double(wire, &rule->term[k].low);
			wire_double(wire, &rule->term[k].high);
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
analysis_options_wire(struct wire *wire, struct analysis_options *options)
{
	wire_double(wire, &options->confidence);
	options->decides = wire_word(wire, options->decides, REGION_KINDS);
	wire_bool(wire, &options->one_by_one);
	wire_bool(wire, &options->flow);
	wire_bool(wire, &options->exact);
	wire_bool(wire, &options->increments);
	wire_bool(wire, &options->split_phases);
	wire_bool(wire, &options->peeking);
	wire_bool(wire, &options->trust_zeros);
	wire_bool(wire, &options->independent_rows);
	wire_double(wire, &options->tolerance);
	wire_bool(wire, &options->counterpoint);
	wire_double(wire, &options->runs);
	wire_double(wire, &options->cone_seconds);
	wire_rules(wire, &options->trust);
	wire_books(wire, &options->books);
	wire_str(wire, &options->observations);
	wire_array(wire, &options->counter, &options->n_counters, sizeof *options->counter, 1);
	for (size_t i = 0; i < options->n_counters; i++)
		wire_bool(wire, &options->counter[i]);
	if (wire->reading && options->n_counters == 0) {
		free(options->counter);
		options->counter = NULL;
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
analysis_new(const struct udd_model *model, const struct analysis_options *options)
{
	struct analysis *analysis = mem_new(sizeof *analysis);

	analysis->model = model;
	analysis->opt = *options;
	analysis->opt.observations = options->observations ? mem_str(options->observations) : NULL;
	analysis->opt.counter = options->counter
		? mem_copy(options->counter, options->n_counters * sizeof *options->counter)
		: NULL;
	analysis->opt.trust = trust_rules_copy(&options->trust);
	analysis->opt.books = trust_books_copy(&options->books);
	analysis->cones = cones_new(model, options->cone_seconds);
	analysis->forms = spectra_book_new();
	return analysis;
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
make_ready(struct analysis *analysis, struct analysis_table *table)
{
	const struct obs_table *judged = table->data;
	struct prepared_origin *from = NULL;

	zeros_find(analysis, table);
	if (analysis->opt.split_phases)
		judged = table->phases = prepare_split(analysis, table, &from);
	table->ready = mem_new_array(judged->n, sizeof *table->ready);
	for (size_t i = 0; i < judged->n; i++)
		if (prepare_wanted(analysis, judged->obs[i])) {
			struct prepared *prepared = &table->ready[table->n_ready++];

			prepare_observation(analysis, table, prepared, judged->obs[i]);
			set_origin(prepared, (size_t)(table - analysis->table),
				from ? from[i] : (struct prepared_origin){.place = i});
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
	spectra_book_free(a->forms);
	analysis_options_free(&a->opt);
	free(a);
}

struct obs_table **
analysis_tables(const struct analysis *analysis, size_t *n)
{
	struct obs_table **table = mem_new_array(analysis->n_tables, sizeof(struct obs_table *));

	for (*n = 0; *n < analysis->n_tables; ++*n)
		table[*n] = analysis->table[*n].data;
	return table;
}

void
analysis_set_table(struct analysis *analysis, size_t at, struct obs_table *data)
{
	struct analysis_table *table;

	if (at > analysis->n_tables) {
		obs_table_free(data);
		return;
	}
	mem_grow(&analysis->table, &analysis->cap, at + 1, sizeof *analysis->table);
	if (at < analysis->n_tables)
		free_table(analysis, &analysis->table[at]);
	else
		analysis->n_tables = at + 1;
	table = &analysis->table[at];
	*table = (struct analysis_table){.data = data, .match = match_new(analysis->model, data)};
	table->plans = trusted_plans(analysis, data, table->match);
	make_ready(analysis, table);
}

bool
analysis_add_rows(struct analysis *analysis, size_t at, size_t index, const struct obs *rows)
{
	struct analysis_table *table = at < analysis->n_tables ? &analysis->table[at] : NULL;
	struct obs *obs;
	bool all;

	if (!table || !table->data || index > table->data->n || rows->n_columns != table->data->n_columns)
		return false;
	if (index == table->data->n) {
		obs = obs_table_add(table->data, rows->name ? rows->name : "", rows->source ? rows->source : "");
		obs->exact = rows->exact;
		obs->peeked = rows->peeked;
		obs->since_start = rows->since_start;
		obs->decimals = rows->decimals;
		obs_copy_origin(obs, &rows->origin);
		if (!analysis->opt.split_phases && prepare_wanted(analysis, obs)) {
			table->ready = mem_resize(table->ready, table->n_ready + 1, sizeof *table->ready);
			table->ready[table->n_ready++] = (struct prepared){.obs = obs, .given = obs};
		}
	}
	obs = table->data->obs[index];
	obs_add_rows(obs, rows);
	if (analysis->opt.split_phases) { /* the options may change where an observation is split */
		forget_ready(table);
		make_ready(analysis, table);
		return true;
	}
	all = zeros_find(analysis, table);
	for (size_t i = 0; i < table->n_ready; i++)
		if (all || table->ready[i].given == obs) {
			const struct obs *given = table->ready[i].given;
			size_t place = given == obs ? index : table->ready[i].from.place;

			prepared_clear(&table->ready[i]);
			prepare_observation(analysis, table, &table->ready[i], given);
			set_origin(&table->ready[i], at, (struct prepared_origin){.place = place});
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
name_apart(struct result *result)
{
	struct names seen = {0};

	for (size_t i = 0; i < result->n_findings; i++) {
		char *name = mem_str(result->finding[i].name);

		for (unsigned k = 2; names_find(&seen, name, strlen(name)) != NAMES_NONE; k++) {
			free(name);
			name = str_format("%s#%u", result->finding[i].name, k);
		}
		names_add(&seen, name, strlen(name));
		free(result->finding[i].name);
		result->finding[i].name = name;
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
	const struct describing *describing = ctx;
	const struct prepared *prepared = describing->a->judged[i];
	struct finding *finding = &describing->r->finding[i];

	describe_observation(describing->a, prepared, finding);
	describe_verdict(describing->a, prepared, describing->cone[i], describing->v[i], finding);
	trusted_describe(describing->a, prepared, describing->cone[i], finding);
	describe_slack(describing->a, describing->r, prepared, finding);
	describe_shares(describing->r, finding);
	if (describing->v[i]->flow)
		describe_flow(prepared, describing->cone[i], describing->sig, describing->v[i]->flow, finding);
}

static void
describe_findings(struct describing *describing)
{
	struct result *result = describing->r;

	parallel_each(&(struct parallel){.each = describe_one, .ctx = describing, .least = DESCRIBED_PER_THREAD},
		result->n_findings);
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->finding[i];

		result->count[finding->verdict]++;
		result->refuted.one_by_one += finding->own.verdict == VERDICT_INFEASIBLE;
		result->refuted.family_wise += finding->own.family_wise == VERDICT_INFEASIBLE;
		result->refuted.in_doubt += finding->verdict == VERDICT_INFEASIBLE && finding->in_doubt;
	}
	name_apart(result);
}

struct result *
analysis_run(struct analysis *analysis, const struct fset *on, const struct analysis_watch *watch)
{
	struct result *result = mem_new(sizeof *result);
	size_t n = analysis_n_observations(analysis);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	const struct signatures *sig;
	bool whole = false;

	result->on = *on;
	result->n_counters = analysis->model->n_counters;
	result->used = analysis_used_counters(analysis);
	if (watch && !watch->go_on(watch->ctx, "cone", 0, 0))
		goto out;
	cones_begin(analysis->cones);
	sig = cones_signatures(analysis->cones, on, &result->error);
	if (!sig) {
		whole = true;
		goto out;
	}
	result->paths = mem_str(sig->total);
	result->signatures = sig->n;
	describe_cone(analysis, result, cones_get(analysis->cones, on, result->used));
	result->seconds += cones_walk_seconds(analysis->cones, on);
	describe_data(analysis, result);
	describe_noise(analysis, result);
	describe_missing(analysis, on, result);
	if (!judge_all(analysis, on, false, v, cone, watch))
		goto out;
	judge_family(analysis, v, cone, n);
	result->finding = mem_new_array(n, sizeof *result->finding);
	result->n_findings = n;
	describe_findings(&(struct describing){.a = analysis, .r = result, .sig = sig, .cone = cone, .v = v});
	zeros_describe(analysis, sig, result);
	whole = true;
out:
	judge_free_verdicts(v, n);
	free(cone);
	if (whole)
		return result;
	result_free(result);
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
judge_neighbour(struct analysis *analysis, const struct result *now, const struct fset *on, struct neighbour *neighbour,
	const struct analysis_watch *watch)
{
	size_t n = analysis_n_observations(analysis);
	struct verdict **v = mem_new_array(n, sizeof(struct verdict *));
	const struct cone **cone = mem_new_array(n, sizeof(const struct cone *));
	const struct signatures *sig;
	bool whole;

	cones_begin(analysis->cones);
	sig = cones_signatures(analysis->cones, on, &neighbour->why);
	neighbour->legal = sig != NULL;
	whole = !sig || judge_all(analysis, on, true, v, cone, watch);
	if (sig && whole) {
		judge_family(analysis, v, cone, n);
		neighbour->paths = mem_str(sig->total);
		neighbour->more = paths_added(now->paths, sig->total);
		neighbour->relaxes = mem_new_array(n, sizeof *neighbour->relaxes);
		neighbour->n_relaxes = n;
		for (size_t i = 0; i < n && i < now->n_findings; i++) {
			const struct finding *finding = &now->finding[i];
			const struct constraint *constraint = finding->proof.n_violated ? finding->proof.violated
											: finding->proof.certificate;

			enum verdict_kind verdict = judge_decides(analysis, v[i]);
			bool refuted = verdict == VERDICT_INFEASIBLE;

			neighbour->infeasible += refuted;
			neighbour->undecided += verdict == VERDICT_UNDECIDED;
			neighbour->frees += finding->verdict == VERDICT_INFEASIBLE && !refuted;
			neighbour->relaxes[i] = finding->verdict == VERDICT_INFEASIBLE &&
				constraint_relaxed(constraint, sig);
		}
	}
	judge_free_verdicts(v, n);
	free(cone);
	return whole;
}

struct neighbours *
analysis_neighbours(struct analysis *analysis, const struct result *now, const struct analysis_watch *watch)
{
	struct neighbours *neighbours = mem_new(sizeof *neighbours);

	neighbours->n = analysis->model->n_features;
	neighbours->feature = mem_new_array(neighbours->n, sizeof *neighbours->feature);
	for (size_t i = 0; i < neighbours->n && !now->error; i++) {
		struct fset on = now->on;
		struct err e;

		if (watch && !watch->go_on(watch->ctx, "features", i, neighbours->n))
			goto stopped;
		udd_flip(analysis->model, &on, i);
		if (!udd_legal(analysis->model, &on, &e)) {
			struct str why = {0};

			err_text(&e, &why);
			neighbours->feature[i].why = str_take(&why);
		} else if (!judge_neighbour(analysis, now, &on, &neighbours->feature[i], watch)) {
			goto stopped;
		}
	}
	return neighbours;
stopped:
	neighbours_free(neighbours);
	return NULL;
}
