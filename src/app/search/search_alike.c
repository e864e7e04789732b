/* A feature B that changes no cone where the set T is on cannot be told from T: whatever B explains T explains too. T is made small by
 * taking its features out one at a time as long as B still changes nothing. Where T ends up empty B is useless. */
#include "app/search/search_alike.h"

#include <stdlib.h>
#include <string.h>

#include "app/judge/cones.h"
#include "app/judge/describe.h"
#include "app/judge/search_cones.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/model.h"

#define BASES_MAX 16 /* models from which the question is asked */

struct work {
	struct search *s;
	struct analysis *a;
	struct search_cones *cones;
	const bool *used;
	struct fset all;
	size_t cap;
};

/* False when the choice is not legal or makes an error. */
static bool
cone_of(struct work *w, const struct fset *on, size_t *id)
{
	char *error = NULL;
	bool good;

	if (!udd_may_be_legal(w->a->model, on, &w->all))
		return false;
	cones_begin(w->a->cones);
	good = cones_signatures(w->a->cones, on, &error) != NULL;
	free(error);
	if (good)
		*id = search_cones_id(w->cones, on, cones_get(w->a->cones, on, w->used));
	return good;
}

static bool
adds_nothing(struct work *w, const struct fset *to, size_t feature)
{
	struct fset more = *to;
	size_t without, with;

	fset_put(&more, feature, true);
	return cone_of(w, to, &without) && cone_of(w, &more, &with) && without == with;
}

/* "Xur + Fu + 2 PGF" */
static void
add_signature(const struct work *w, const int64_t *row, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < w->a->model->n_counters; i++) {
		int64_t c = w->used[i] ? row[k++] : 0;

		if (c)
			str_add(out, n++ ? " + " : "");
		if (c > 1)
			str_addf(out, "%lld ", (long long)c);
		if (c)
			str_add(out, w->a->model->counter[i].name);
	}
}

static bool
has_row(const struct cone *c, const int64_t *row)
{
	for (size_t k = 0; k < c->n_signatures; k++)
		if (memcmp(c->signature + k * c->n_counters, row, c->n_counters * sizeof *row) == 0)
			return true;
	return false;
}

/* A signature that only the larger cone has, as the sum of two of the smaller. */
static bool
add_sum(const struct work *w, const struct cone *small, const int64_t *row, struct str *out)
{
	size_t n = small->n_counters;
	int64_t *rest = mem_new_array(n, sizeof *rest);
	bool found = false;

	for (size_t k = 0; k < small->n_signatures && !found; k++) {
		const int64_t *part = small->signature + k * n;
		bool fits = true;

		for (size_t i = 0; i < n; i++) {
			rest[i] = row[i] - part[i];
			fits &= rest[i] >= 0;
		}
		found = fits && has_row(small, rest);
		if (found) {
			str_add(out, "(");
			add_signature(w, part, out);
			str_add(out, ") + (");
			add_signature(w, rest, out);
			str_add(out, ")");
		}
	}
	free(rest);
	return found;
}

static void
add_names(const struct work *w, const struct fset *on, const char *none, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < w->a->model->n_features; i++)
		if (fset_has(on, i))
			str_addf(out, "%s%s", n++ ? " + " : "", w->a->model->feature[i].name);
	if (!n)
		str_add(out, none);
}

/* Why: an example of what the feature adds, and what it is made of. */
static char *
explain(struct work *w, size_t feature, const struct fset *to)
{
	struct str out = {0};
	struct fset more = *to, one = {0};
	const struct cone *small, *large;
	char *error = NULL;
	size_t n_new = 0;

	fset_put(&more, feature, true);
	fset_put(&one, feature, true);
	cones_begin(w->a->cones);
	cones_signatures(w->a->cones, to, &error);
	cones_signatures(w->a->cones, &more, &error);
	small = cones_get(w->a->cones, to, w->used);
	large = cones_get(w->a->cones, &more, w->used);
	for (size_t k = 0; k < large->n_signatures; k++)
		n_new += !has_row(small, large->signature + k * large->n_counters);
	add_names(w, &one, "", &out);
	str_add(&out, " adds nothing to the cone of ");
	add_names(w, to, "the model without features", &out);
	if (!n_new)
		str_add(&out, ": it has no signature of its own over these counters");
	for (size_t k = 0; k < large->n_signatures && n_new; k++) {
		const int64_t *row = large->signature + k * large->n_counters;
		struct str sum = {0};

		if (!has_row(small, row) && add_sum(w, small, row, &sum)) {
			str_add(&out, ": ");
			add_signature(w, row, &out);
			str_addf(&out, " = %s", str_text(&sum));
			n_new = 0;
		}
		str_free(&sum);
	}
	if (n_new)
		str_addf(&out, ": its %zu signatures are sums of those that are there", n_new);
	return str_take(&out);
}

/* Takes the text. */
static void
add_alike(struct work *w, struct fset one, struct fset other, char *why)
{
	struct search *s = w->s;

	for (size_t i = 0; i < s->n_alike; i++)
		if ((fset_equal(&s->alike[i].one, &one) && fset_equal(&s->alike[i].other, &other))
		    || (fset_equal(&s->alike[i].one, &other) && fset_equal(&s->alike[i].other, &one))) {
			free(why);
			return;
		}
	mem_grow(&s->alike, &w->cap, s->n_alike + 1, sizeof *s->alike);
	s->alike[s->n_alike++] = (struct search_alike){.one = one, .other = other, .why = why};
}

static void
look_at_feature(struct work *w, const struct fset *base, size_t feature)
{
	struct fset to = *base, one = {0};

	if (fset_has(base, feature) || !adds_nothing(w, &to, feature))
		return;
	for (size_t f = 0; f < w->a->model->n_features; f++) {
		struct fset less = to;

		fset_put(&less, f, false);
		if (fset_has(&to, f) && adds_nothing(w, &less, feature))
			to = less;
	}
	fset_put(&one, feature, true);
	if (fset_count(&to))
		add_alike(w, one, to, explain(w, feature, &to));
}

/* Survivors that exclude or replace each other, and have one cone. */
static void
look_at_survivors(struct work *w)
{
	const struct lattice *l = w->s->lattice;

	for (size_t i = 0; i < l->n_minimal; i++)
		for (size_t k = i + 1; k < l->n_minimal; k++) {
			const struct lattice_model *x = &l->model[l->minimal[i]], *y = &l->model[l->minimal[k]];
			struct fset a = x->on, b = y->on;

			if (x->cone != y->cone)
				continue;
			for (size_t f = 0; f < FSET_MAX / 64; f++) {
				a.w[f] = x->on.w[f] & ~y->on.w[f];
				b.w[f] = y->on.w[f] & ~x->on.w[f];
			}
			add_alike(w, a, b, mem_str("with what else these survivors have in common, both make the same cone"));
		}
}

/* Tested models with no other above them: where nothing survives the question is asked from there. */
static bool
is_top(const struct lattice *l, size_t at)
{
	for (size_t i = 0; i < l->n_models; i++) {
		bool above = i != at && l->model[i].usable;

		for (size_t k = 0; k < FSET_MAX / 64 && above; k++)
			above = !(l->model[at].on.w[k] & ~l->model[i].on.w[k]);
		if (above)
			return false;
	}
	return l->model[at].usable;
}

static bool
look_from(struct work *w, const struct fset *base, const struct watch *watch)
{
	for (size_t f = 0; f < w->a->model->n_features; f++) {
		struct fset without = *base;

		if (watch && !watch->go_on(watch->ctx, "alike", f, w->a->model->n_features))
			return false;
		fset_put(&without, f, false);
		look_at_feature(w, &without, f);
	}
	return true;
}

bool
search_find_alike(struct search *s, struct analysis *a, struct search_cones *cones, const bool *used, const struct watch *watch)
{
	struct work w = {.s = s, .a = a, .cones = cones, .used = used};
	struct lattice *l = s->lattice;
	size_t bases = 0;

	for (size_t i = 0; i < a->model->n_features; i++)
		fset_put(&w.all, i, true);
	for (size_t i = 0; i < l->n_minimal && bases < BASES_MAX; i++, bases++)
		if (!look_from(&w, &l->model[l->minimal[i]].on, watch))
			return false;
	for (size_t i = 0; i < l->n_models && !l->n_minimal && bases < BASES_MAX; i++)
		if (is_top(l, i) && (bases++, !look_from(&w, &l->model[i].on, watch)))
			return false;
	look_at_survivors(&w);
	s->useless = l->idle;
	for (size_t i = 0; i < s->n_alike; i++)
		for (size_t k = 0; k < FSET_MAX / 64; k++)
			s->useless.w[k] &= ~s->alike[i].one.w[k];
	return true;
}
