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
columns_new(const struct signatures *sig, const struct prepared *p)
{
	struct columns c = {.n_counters = p->n_kept};
	int64_t *all = mem_new_array(sig->n, c.n_counters * sizeof *all);
	struct projected *order = mem_new_array(sig->n, sizeof *order);
	size_t k = 0;

	c.counter = mem_new_array(p->n_kept, sizeof *c.counter);
	c.of = mem_new_array(sig->n, sizeof *c.of);
	c.column = mem_new_array(sig->n, c.n_counters * sizeof *c.column);
	for (size_t i = 0; i < sig->n_counters; i++)
		if (p->keep[i])
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
parts_of(const struct columns *c, const struct uses *u, struct feature_flow *f)
{
	unsigned char *part = mem_new_array(c->n, sizeof *part);
	bool *first = mem_new_array(c->n, sizeof *first);

	f->unseen = u->unseen;
	memset(first, true, c->n * sizeof *first);
	for (size_t j = 0; j < u->n; j++) {
		static const unsigned char part_of[] = {
			[USE_NEVER] = UOP_NONE, [USE_SOMETIMES] = UOP_SOME, [USE_ALWAYS] = UOP_ALL
		};
		size_t k = c->of[j];

		if (k == SIZE_MAX) {
			f->unseen |= u->of[j] != USE_NEVER;
			continue;
		}
		part[k] = first[k] || part[k] == part_of[u->of[j]] ? part_of[u->of[j]] : UOP_SOME;
		first[k] = false;
	}
	for (size_t k = 0; k < c->n; k++)
		f->seen |= part[k] != UOP_NONE;
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
find_shares(struct uop_program *p, const struct columns *c, const unsigned char *part, const struct region *r,
	struct feature_flow *f)
{
	const double *mean = r->mean;
	bool exact = r->point;

	f->uops.counter = UOP_UOPS;
	f->uops.always = true;
	for (size_t k = 0; k < c->n; k++)
		f->uops.always &= part[k] == UOP_ALL;
	uop_range_share(p, part, UOP_UOPS, &f->uops.range);
	f->share = mem_new_array(c->n_counters, sizeof *f->share);
	for (size_t i = 0; i < c->n_counters; i++) {
		struct flow_share *s = &f->share[f->n_shares];
		bool some = false, all = true;

		for (size_t k = 0; k < c->n; k++)
			if (c->column[k * c->n_counters + i]) {
				some |= part[k] != UOP_NONE;
				all &= part[k] == UOP_ALL;
			}
		if (!some || (exact && !(mean[i] > 0))) /* a share of 0 is undefined */
			continue;
		*s = (struct flow_share){.counter = c->counter[i], .always = all};
		uop_range_share(p, part, i, &s->range);
		f->n_shares++;
	}
	if (f->n_shares)
		qsort(f->share, f->n_shares, sizeof *f->share, compare_shares);
}

static void
describe_feature(struct asked *q, size_t at, struct uop_program *p, const struct columns *c, const struct region *r,
	struct feature_flow *f)
{
	const struct uses *u = q->uses[at];
	unsigned char *part;

	f->feature = q->feature[at];
	if (!u) {
		f->error = mem_str(q->error[at]);
		return;
	}
	for (size_t i = 0; i < q->a->model->n_features; i++)
		fset_put(&f->with, i, i != f->feature && fset_has(q->on, i) && !fset_has(&u->off, i));
	part = parts_of(c, u, f);
	if (f->seen) {
		uop_range_total(p, part, &f->total);
		find_shares(p, c, part, r, f);
	} else {
		f->total = (struct uop_range){0, f->unseen ? INFINITY : 0, 0, f->unseen ? INFINITY : 0};
	}
	free(part);
}

/* NULL when the watch stopped it. */
static struct uop_ranges *
ranges_of(struct asked *q, const struct prepared *p, const struct analysis_watch *watch)
{
	struct uop_ranges *r = mem_new(sizeof *r);
	struct columns c = columns_new(q->sig, p);
	struct uop_program *program =
		uop_program_new(c.n_counters, c.n, c.column, p->region, (enum region_kind)q->a->opt.decides,
			p->region->point ? 0 : chi2_quantile(q->a->opt.confidence, c.n_counters));

	r->on = *q->on;
	r->exact = p->region->point;
	r->feature = mem_new_array(q->n, sizeof *r->feature);
	r->n = q->n;
	for (size_t k = 0; k < q->n; k++) {
		if (watch && !watch->go_on(watch->ctx, "flow", k, q->n)) {
			uop_ranges_free(r);
			r = NULL;
			break;
		}
		if (program) {
			describe_feature(q, k, program, &c, p->region, &r->feature[k]);
			continue;
		}
		r->feature[k].feature = q->feature[k];
		r->feature[k].error = mem_str("ranges of flow take at most 1024 counters, 2^20 signatures times "
			"counters, and 2^53 in one µpath; --counters leaves some out");
	}
	uop_program_free(program);
	columns_free(&c);
	return r;
}

static void
find_uses(struct asked *q, size_t feature)
{
	const struct udd_model *m = q->a->model;

	q->feature = mem_new_array(m->n_features, sizeof *q->feature);
	q->uses = mem_new_array(m->n_features, sizeof(struct uses *));
	q->error = mem_new_array(m->n_features, sizeof *q->error);
	for (size_t i = 0; i < m->n_features; i++) {
		struct diags d = {0};

		if (!fset_has(q->on, i) || (feature != FLOW_ALL_FEATURES && feature != i))
			continue;
		q->feature[q->n] = i;
		q->uses[q->n] = uses_new(m, q->sig, q->on, i, &d);
		if (!q->uses[q->n])
			q->error[q->n] = mem_str(d.n ? d.item[0].text : "its diagram could not be walked");
		q->n++;
		diags_free(&d);
	}
}

bool
analysis_flow_ranges(struct analysis *a, const struct fset *on, const bool *ask, size_t n, size_t feature,
	struct uop_ranges **out, const struct analysis_watch *watch)
{
	struct asked q = {.a = a, .on = on};
	size_t total = analysis_n_observations(a);
	char *error = NULL;
	bool good;

	memset(out, 0, n * sizeof *out);
	cones_begin(a->cones);
	q.sig = cones_signatures(a->cones, on, &error);
	free(error);
	good = q.sig != NULL;
	if (good)
		find_uses(&q, feature);
	for (size_t i = 0; i < n && i < total && good; i++) {
		const struct prepared *p = judge_chosen(a, on, analysis_observation(a, i));

		if (!ask[i] || !p->region || !(p->region->point || p->region->cov))
			continue;
		out[i] = ranges_of(&q, p, watch);
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
add_percent(const struct uop_range *x, struct str *out)
{
	int digits = x->greatest >= 0.1 ? 1 : x->greatest >= 0.01 ? 2 : 3;
	double unit = 100 * pow(10, digits), lo = floor(x->least * unit + 1e-6),
		hi = fmin(unit, ceil(x->greatest * unit - 1e-6));

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
add_total(const struct feature_flow *f, bool exact, struct str *out)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	double lo = fmax(0, floor(f->total.least + 1e-6)), hi = ceil(f->total.greatest - 1e-6);

	if (!f->seen && f->unseen) {
		str_add(out, "no limit: none of its µpaths raises a counter that was counted");
		return;
	}
	if (hi <= 0) {
		str_add(out, f->seen ? "no µop: the counts leave none for it" : "no µop: no µpath passes through it");
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
	if (decides_nothing(&f->uops.range)) {
		str_add(out, ", anything from none to all of those seen: the data do not decide");
	} else {
		str_add(out, ", ");
		add_percent(&f->uops.range, out);
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
uop_ranges_lines(const struct udd_model *m, const struct feature_flow *f, bool exact, size_t most, const char *indent,
	struct str *out)
{
	size_t shown = 0, silent = 0, left = 0;

	str_addf(out, "%sthrough %s", indent, m->feature[f->feature].name);
	add_with(m, f, out);
	str_add(out, "  ");
	if (f->error)
		str_addf(out, "unknown: %s", f->error);
	else
		add_total(f, exact, out);
	str_addc(out, '\n');
	for (size_t k = 0; k < f->n_shares && ceil(f->total.greatest - 1e-6) > 0; k++) {
		const struct flow_share *s = &f->share[k];

		if (decides_nothing(&s->range)) {
			silent++;
		} else if (shown == most) {
			left++;
		} else {
			shown++;
			str_addf(out, "%s    ", indent);
			add_percent(&s->range, out);
			str_addf(out, " of %s%s\n", m->counter[s->counter].name,
				s->always ? ", which only it raises" : "");
		}
	}
	if (silent)
		str_addf(out, "%s    0 .. 100 %% of %zu %scounter%s: the data do not decide %s\n", indent, silent,
			shown ? "other " : "", silent == 1 ? "" : "s", silent == 1 ? "it" : "them");
	if (left)
		str_addf(out, "%s    and shares of %zu more counter%s\n", indent, left, left == 1 ? "" : "s");
	if (f->seen && f->unseen)
		str_addf(out, "%s    and any number of µops that raise no counter here\n", indent);
}

void
uop_ranges_explain(struct analysis *a, const struct fset *on, size_t finding, size_t feature,
	const struct analysis_watch *watch, struct str *out)
{
	size_t n = analysis_n_observations(a);
	bool *ask = mem_new_array(n, sizeof *ask);
	struct uop_ranges **r = mem_new_array(n, sizeof(struct uop_ranges *));

	if (finding < n) {
		ask[finding] = true;
		str_addf(out, "%s, over all flows that it allows\n\n", analysis_observation(a, finding)->obs->name);
	}
	if (feature < a->model->n_features && analysis_flow_ranges(a, on, ask, n, feature, r, watch) && finding < n &&
		r[finding]) {
		for (size_t k = 0; k < r[finding]->n; k++)
			uop_ranges_lines(a->model, &r[finding]->feature[k], r[finding]->exact, SIZE_MAX, "", out);
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
