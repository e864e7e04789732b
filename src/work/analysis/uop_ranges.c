/* A flow says how many µops took the µpaths of each signature. Many flows give the same counts, so an observation
 * bounds the µops through a feature, but rarely determines them:
 *
 *     signatures over the observation's counters        struct columns: one column per distinct signature
 *     + which part of each column has the feature       UOP_NONE, UOP_SOME, UOP_ALL (core/cone/uses.h)
 *     + the region of the counts                        ──▶ least and greatest flow through the feature, and
 *                                                           its least and greatest share of each counter
 *
 * The bounds are the solutions of linear programs over all flows with counts in the region. For the least flow, a
 * column with UOP_SOME does not count; for the greatest one, it counts in full. */
#include "work/analysis/uop_ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/cone/uses.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"

/* A question about all observations: the features, and what requires them. */
struct asked {
	struct analysis *a;
	const struct fset *on;
	const struct signatures *sig;
	size_t n;
	size_t *feature;
	struct uses **uses; /* NULL: a limit was reached */
	char **error;
};

/* The distinct signatures over an observation's counters. */
struct columns {
	size_t n_counters, n;
	int64_t *column;
	size_t *of;    /* per signature: its column, or SIZE_MAX where it raises no counter of the observation */
	size_t *counter; /* the model's numbers of the observation's counters */
};

struct projected {
	const int64_t *coef;
	size_t n_counters, signature;
};

static int
compare_projected(const void *va, const void *vb)
{
	const struct projected *a = va, *b = vb;
	int order = memcmp(a->coef, b->coef, a->n_counters * sizeof *a->coef);

	return order ? order : a->signature < b->signature ? -1 : a->signature > b->signature;
}

static struct columns
columns_new(const struct signatures *sig, const struct prepared *prepared)
{
	struct columns c = {.n_counters = prepared->n_kept};
	int64_t *all = mem_new_array(sig->n, c.n_counters * sizeof *all);
	struct projected *order = mem_new_array(sig->n, sizeof *order);
	size_t k = 0;

	c.counter = mem_new_array(prepared->n_kept, sizeof *c.counter);
	c.of = mem_new_array(sig->n, sizeof *c.of);
	c.column = mem_new_array(sig->n, c.n_counters * sizeof *c.column);
	for (size_t i = 0; i < sig->n_counters; i++)
		if (prepared->keep[i])
			c.counter[k++] = i;
	for (size_t j = 0; j < sig->n; j++) {
		for (size_t i = 0; i < k; i++)
			all[j * k + i] = sig->coef[j * sig->n_counters + c.counter[i]];
		order[j] = (struct projected){all + j * k, k, j};
	}
	if (sig->n)
		qsort(order, sig->n, sizeof *order, compare_projected);
	for (size_t j = 0; j < sig->n; j++) {
		const int64_t *coef = order[j].coef;
		bool zero = true, again = j && memcmp(coef, order[j - 1].coef, k * sizeof *coef) == 0;

		for (size_t i = 0; i < k; i++)
			zero &= coef[i] == 0;
		if (!zero && !again)
			memcpy(c.column + c.n++ * k, coef, k * sizeof *coef);
		c.of[order[j].signature] = zero ? SIZE_MAX : c.n - 1;
	}
	free(all);
	free(order);
	return c;
}

static void
columns_free(struct columns *c)
{
	free(c->column);
	free(c->of);
	free(c->counter);
}

/* Returns the part of each column that has the feature. Several signatures may share a column. */
static unsigned char *
parts_of(const struct columns *columns, const struct uses *uses, struct feature_flow *flow)
{
	unsigned char *part = mem_new_array(columns->n, sizeof *part);
	bool *first = mem_new_array(columns->n, sizeof *first);

	flow->unseen = uses->unseen;
	memset(first, true, columns->n * sizeof *first);
	for (size_t j = 0; j < uses->n; j++) {
		static const unsigned char part_of[] = {
			[USE_NEVER] = UOP_NONE, [USE_SOMETIMES] = UOP_SOME, [USE_ALWAYS] = UOP_ALL
		};
		size_t k = columns->of[j];

		if (k == SIZE_MAX) {
			flow->unseen |= uses->of[j] != USE_NEVER;
			continue;
		}
		part[k] = first[k] || part[k] == part_of[uses->of[j]] ? part_of[uses->of[j]] : UOP_SOME;
		first[k] = false;
	}
	for (size_t k = 0; k < columns->n; k++)
		flow->seen |= part[k] != UOP_NONE;
	free(first);
	return part;
}

static int
compare_shares(const void *va, const void *vb)
{
	const struct flow_share *a = va, *b = vb;
	double x = a->range.greatest - a->range.least, y = b->range.greatest - b->range.least;

	if (a->always != b->always)
		return a->always - b->always;
	if ((a->range.greatest > 0) != (b->range.greatest > 0))
		return a->range.greatest > 0 ? -1 : 1;
	if (x < y || x > y)
		return x < y ? -1 : 1;
	return a->counter < b->counter ? -1 : a->counter > b->counter;
}

static void
find_shares(struct uop_program *program, const struct columns *columns, const unsigned char *part,
	const struct region *region, struct feature_flow *flow)
{
	const double *mean = region->mean;
	bool exact = region->point;

	flow->uops.counter = UOP_UOPS;
	flow->uops.always = true;
	for (size_t k = 0; k < columns->n; k++)
		flow->uops.always &= part[k] == UOP_ALL;
	uop_range_share(program, part, UOP_UOPS, &flow->uops.range);
	flow->share = mem_new_array(columns->n_counters, sizeof *flow->share);
	for (size_t i = 0; i < columns->n_counters; i++) {
		struct flow_share *share = &flow->share[flow->n_shares];
		bool some = false, all = true;

		for (size_t k = 0; k < columns->n; k++)
			if (columns->column[k * columns->n_counters + i]) {
				some |= part[k] != UOP_NONE;
				all &= part[k] == UOP_ALL;
			}
		if (!some || (exact && !(mean[i] > 0))) /* a share of 0 is undefined */
			continue;
		*share = (struct flow_share){.counter = columns->counter[i], .always = all};
		uop_range_share(program, part, i, &share->range);
		flow->n_shares++;
	}
	if (flow->n_shares)
		qsort(flow->share, flow->n_shares, sizeof *flow->share, compare_shares);
}

static void
describe_feature(struct asked *asked, size_t at, struct uop_program *program, const struct columns *columns,
	const struct region *region, struct feature_flow *flow)
{
	const struct uses *uses = asked->uses[at];
	unsigned char *part;

	flow->feature = asked->feature[at];
	if (!uses) {
		flow->error = mem_str(asked->error[at]);
		return;
	}
	for (size_t i = 0; i < asked->a->model->n_features; i++)
		fset_put(&flow->with, i, i != flow->feature && fset_has(asked->on, i) && !fset_has(&uses->off, i));
	part = parts_of(columns, uses, flow);
	if (flow->seen) {
		uop_range_total(program, part, &flow->total);
		find_shares(program, columns, part, region, flow);
	} else {
		flow->total = (struct uop_range){0, flow->unseen ? INFINITY : 0, 0, flow->unseen ? INFINITY : 0};
	}
	free(part);
}

/* NULL when the watch stopped it. */
static struct uop_ranges *
ranges_of(struct asked *asked, const struct prepared *prepared, const struct analysis_watch *watch)
{
	struct uop_ranges *ranges = mem_new(sizeof *ranges);
	struct columns c = columns_new(asked->sig, prepared);
	struct uop_program *program =
		uop_program_new(c.n_counters, c.n, c.column, prepared->region, (enum region_kind)asked->a->opt.decides,
			prepared->region->point ? 0 : chi2_quantile(asked->a->opt.confidence, c.n_counters));

	ranges->on = *asked->on;
	ranges->exact = prepared->region->point;
	ranges->feature = mem_new_array(asked->n, sizeof *ranges->feature);
	ranges->n = asked->n;
	for (size_t k = 0; k < asked->n; k++) {
		if (watch && !watch->go_on(watch->ctx, "flow", k, asked->n)) {
			uop_ranges_free(ranges);
			ranges = NULL;
			break;
		}
		if (program) {
			describe_feature(asked, k, program, &c, prepared->region, &ranges->feature[k]);
			continue;
		}
		ranges->feature[k].feature = asked->feature[k];
		ranges->feature[k].error = mem_str("ranges of flow take at most 1024 counters, 2^20 signatures times "
			"counters, and 2^53 in one µpath; --counters leaves some out");
	}
	uop_program_free(program);
	columns_free(&c);
	return ranges;
}

static void
find_uses(struct asked *asked, size_t feature)
{
	const struct udd_model *model = asked->a->model;

	asked->feature = mem_new_array(model->n_features, sizeof *asked->feature);
	asked->uses = mem_new_array(model->n_features, sizeof(struct uses *));
	asked->error = mem_new_array(model->n_features, sizeof *asked->error);
	for (size_t i = 0; i < model->n_features; i++) {
		struct diags d = {0};

		if (!fset_has(asked->on, i) || (feature != FLOW_ALL_FEATURES && feature != i))
			continue;
		asked->feature[asked->n] = i;
		asked->uses[asked->n] = uses_new(model, asked->sig, asked->on, i, &d);
		if (!asked->uses[asked->n])
			asked->error[asked->n] = mem_str(d.n ? d.item[0].text : "its diagram could not be walked");
		asked->n++;
		diags_free(&d);
	}
}

bool
analysis_flow_ranges(struct analysis *analysis, const struct fset *on, const bool *ask, size_t n, size_t feature,
	struct uop_ranges **out, const struct analysis_watch *watch)
{
	struct asked q = {.a = analysis, .on = on};
	size_t total = analysis_n_observations(analysis);
	char *error = NULL;
	bool good;

	memset(out, 0, n * sizeof *out);
	cones_begin(analysis->cones);
	q.sig = cones_signatures(analysis->cones, on, &error);
	free(error);
	good = q.sig != NULL;
	if (good)
		find_uses(&q, feature);
	for (size_t i = 0; i < n && i < total && good; i++) {
		const struct prepared *prepared = judge_chosen(analysis, on, analysis_observation(analysis, i));

		if (!ask[i] || !prepared->region ||
			!(prepared->region->point || region_has_noise_model(prepared->region)))
			continue;
		out[i] = ranges_of(&q, prepared, watch);
		good = out[i] != NULL;
	}
	for (size_t i = 0; i < n && !good; i++) {
		uop_ranges_free(out[i]);
		out[i] = NULL;
	}
	for (size_t k = 0; k < q.n; k++) {
		uses_free(q.uses[k]);
		free(q.error[k]);
	}
	free(q.feature);
	free(q.uses);
	free(q.error);
	return good;
}

void
uop_ranges_free(struct uop_ranges *r)
{
	if (!r)
		return;
	for (size_t k = 0; k < r->n; k++) {
		free(r->feature[k].error);
		free(r->feature[k].share);
	}
	free(r->feature);
	free(r);
}

/* Rounds outward to three digits of the greatest, so that the printed range is valid too. */
static void
add_percent(const struct uop_range *range, struct str *out)
{
	int digits = range->greatest >= 0.1 ? 1 : range->greatest >= 0.01 ? 2 : 3;
	double unit = 100 * pow(10, digits), lo = floor(range->least * unit + 1e-6),
		hi = fmin(unit, ceil(range->greatest * unit - 1e-6));

	lo /= unit / 100;
	hi /= unit / 100;
	if (lo < hi)
		str_addf(out, "%g .. %g %%", lo, hi);
	else
		str_addf(out, "%g %%", lo);
}

static bool
decides_nothing(const struct uop_range *x)
{
	return x->least < 0.0005 && x->greatest > 0.9995;
}

static void
add_total(const struct feature_flow *flow, bool exact, struct str *out)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	double lo = fmax(0, floor(flow->total.least + 1e-6)), hi = ceil(flow->total.greatest - 1e-6);

	if (!flow->seen && flow->unseen) {
		str_add(out, "no limit: none of its µpaths raises a counter that was counted");
		return;
	}
	if (hi <= 0) {
		str_add(out,
			flow->seen ? "no µop: the counts leave none for it" : "no µop: no µpath passes through it");
		return;
	}
	if (lo < hi)
		str_addf(out, "%s .. %s", number_exact(a, llround(lo), false, true),
			number_exact(b, llround(hi), false, true));
	else
		str_add(out, number_exact(a, llround(lo), false, true));
	str_add(out, hi > 1 ? " µops" : " µop");
	if (!exact)
		str_add(out, " per sample");
	if (decides_nothing(&flow->uops.range)) {
		str_add(out, ", anything from none to all of those seen: the data do not decide");
	} else {
		str_add(out, ", ");
		add_percent(&flow->uops.range, out);
		str_add(out, " of those seen");
	}
}

static void
add_with(const struct udd_model *m, const struct feature_flow *f, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(&f->with, i))
			str_addf(out, "%s%s", n++ ? ", " : " (with ", m->feature[i].name);
	if (n)
		str_addf(out, ", which require%s it)", n == 1 ? "s" : "");
}

void
uop_ranges_lines(const struct udd_model *model, const struct feature_flow *flow, bool exact, size_t most,
	const char *indent, struct str *out)
{
	size_t shown = 0, silent = 0, left = 0;

	str_addf(out, "%sthrough %s", indent, model->feature[flow->feature].name);
	add_with(model, flow, out);
	str_add(out, "  ");
	if (flow->error)
		str_addf(out, "unknown: %s", flow->error);
	else
		add_total(flow, exact, out);
	str_addc(out, '\n');
	for (size_t k = 0; k < flow->n_shares && ceil(flow->total.greatest - 1e-6) > 0; k++) {
		const struct flow_share *share = &flow->share[k];

		if (decides_nothing(&share->range)) {
			silent++;
		} else if (shown == most) {
			left++;
		} else {
			shown++;
			str_addf(out, "%s    ", indent);
			add_percent(&share->range, out);
			str_addf(out, " of %s%s\n", model->counter[share->counter].name,
				share->always ? ", which only it raises" : "");
		}
	}
	if (silent)
		str_addf(out, "%s    0 .. 100 %% of %zu %scounter%s: the data do not decide %s\n", indent, silent,
			shown ? "other " : "", plural_s(silent), silent == 1 ? "it" : "them");
	if (left)
		str_addf(out, "%s    and shares of %zu more counter%s\n", indent, left, plural_s(left));
	if (flow->seen && flow->unseen)
		str_addf(out, "%s    and any number of µops that raise no counter here\n", indent);
}

void
uop_ranges_explain(struct analysis *analysis, const struct fset *on, size_t finding, size_t feature,
	const struct analysis_watch *watch, struct str *out)
{
	size_t n = analysis_n_observations(analysis);
	bool *ask = mem_new_array(n, sizeof *ask);
	struct uop_ranges **r = mem_new_array(n, sizeof(struct uop_ranges *));

	if (finding < n) {
		ask[finding] = true;
		str_addf(out, "%s, over all flows that it allows\n\n",
			analysis_observation(analysis, finding)->obs->name);
	}
	if (feature < analysis->model->n_features && analysis_flow_ranges(analysis, on, ask, n, feature, r, watch) &&
		finding < n && r[finding]) {
		for (size_t k = 0; k < r[finding]->n; k++)
			uop_ranges_lines(
				analysis->model, &r[finding]->feature[k], r[finding]->exact, SIZE_MAX, "", out);
		str_add(out, "\nLeast: µops that have no path without the feature. Greatest: all µops that may have "
			"taken a path of it, where the text would lead elsewhere with the feature off. Rounded "
			"outward: no flow whose counts lie in the region is outside.\n");
	} else {
		str_add(out, "There are no ranges: the feature is off, or nothing could be decided.\n");
	}
	for (size_t i = 0; i < n; i++)
		uop_ranges_free(r[i]);
	free(r);
	free(ask);
}
