/* Which features are on: legality by requires and excludes, variants, the user's choice, and repairs of illegal
 * choices. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/udd/ast.h"
#include "core/udd/check.h"
#include "core/udd/model.h"
#include "text/diag.h"

#define REPAIR_NODES 2000000     /* steps of the search for one repair; if it is cut short, the repair may be larger */
#define VARIANTS_NODES 200000000 /* steps for all variants of a model */

static struct bexpr *
leaf(struct arena *a, const char *name, size_t index)
{
	struct bexpr *e = arena_alloc(a, sizeof *e);

	*e = (struct bexpr){.op = BEXPR_NAME, .name = name, .index = (uint32_t)index, .size = 1};
	return e;
}

static struct bexpr *
either(struct arena *a, struct bexpr *x, struct bexpr *y)
{
	struct bexpr *e = arena_alloc(a, sizeof *e), *pair[2] = {x, y};

	*e = (struct bexpr){.op = BEXPR_OR, .n = 2, .index = BEXPR_UNBOUND, .size = x->size + y->size};
	e->arg = arena_copy(a, pair, sizeof pair);
	return e;
}

const struct bexpr *const *
udd_laws(const struct udd_model *m, struct arena *a, size_t *n)
{
	size_t most = 0, k = 0;
	const struct bexpr **law;

	for (size_t i = 0; i < m->n_features; i++)
		most += 1 + m->feature[i].n_excludes;
	law = arena_alloc(a, (most + 1) * sizeof *law);
	for (size_t i = 0; i < m->n_features; i++) {
		const struct udd_feature *f = &m->feature[i];
		struct bexpr *off = bexpr_not(leaf(a, f->name, i), a);

		if (f->requires)
			law[k++] = either(a, off, bexpr_bound(f->requires, a, NULL));
		for (size_t j = 0; j < f->n_excludes; j++)
			law[k++] =
				either(a, off, bexpr_not(leaf(a, m->feature[f->excludes[j]].name, f->excludes[j]), a));
	}
	*n = k;
	return law;
}

struct repair {
	const struct bexpr *const *law;
	size_t n, cost; /* number of laws; names in all laws, the cost of one evaluation */
	size_t left;    /* names that may still be evaluated */
};

/* True if the set satisfies every law. False if the work limit is reached. */
static bool
keeps(struct repair *r, const struct fset *s)
{
	if (r->left < r->cost)
		return false;
	r->left -= r->cost;
	for (size_t i = 0; i < r->n; i++)
		if (bexpr_eval(r->law[i], NULL, s->w, NULL) != BEXPR_YES)
			return false;
	return true;
}

/* Turns added features off again where the set stays legal without them. `s` is the set before the additions. A feature
 * that suffices alone is tried first. */
static void
features_reduce(const struct udd_model *m, struct repair *r, const struct fset *s, struct fset *found)
{
	for (size_t i = 0; i < m->n_features; i++) {
		struct fset one = *s;

		fset_put(&one, i, true);
		if (!fset_has(s, i) && keeps(r, &one)) {
			*found = one;
			return;
		}
	}
	for (size_t i = 0; i < m->n_features; i++) {
		if (!fset_has(found, i) || fset_has(s, i))
			continue;
		fset_put(found, i, false);
		if (!keeps(r, found))
			fset_put(found, i, true);
	}
}

/* Find few features that make the set legal when added. False if there are none. */
static bool
find_additions(const struct udd_model *m, const struct fset *s, struct fset *added)
{
	struct arena *a = arena_new();
	struct repair r = {.left = REPAIR_NODES};
	const struct bexpr **all;
	struct fset found = {0};
	size_t k, budget = REPAIR_NODES;
	bool can;

	r.law = udd_laws(m, a, &r.n);
	k = r.n;
	all = arena_alloc(a, (k + m->n_features + 1) * sizeof *all);
	for (size_t i = 0; i < k; i++) {
		all[i] = r.law[i];
		r.cost += r.law[i]->size;
	}
	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(s, i))
			all[k++] = leaf(a, m->feature[i].name, i);
	can = bexpr_satisfiable(all, k, FSET_MAX, &budget, found.w) == BEXPR_YES;
	if (can)
		features_reduce(m, &r, s, &found);
	*added = found;
	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(s, i))
			fset_put(added, i, false);
	arena_free(a);
	return can;
}

static void
broken_requires(const struct udd_model *m, const struct fset *s, const struct udd_feature *f, struct err *e)
{
	struct str law = {0}, repair = {0};
	struct fset added;

	bexpr_print(f->requires, &law);
	err_set(e, "feature %.80s requires %.300s%s", f->name, str_text(&law), law.n > 300 ? "…" : "");
	if (find_additions(m, s, &added)) {
		str_add(&repair, "add ");
		for (size_t i = 0, n = 0; i < m->n_features; i++)
			if (fset_has(&added, i))
				str_addf(&repair, "%s%s", n++ ? ", " : "", m->feature[i].name);
		str_add(&repair, ", or ");
	}
	err_hint(e, "%sleave out %.80s", str_text(&repair), f->name);
	str_free(&law);
	str_free(&repair);
}

bool
udd_legal(const struct udd_model *m, const struct fset *s, struct err *e)
{
	for (size_t i = 0; i < m->n_features; i++) {
		const struct udd_feature *f = &m->feature[i];

		if (!fset_has(s, i))
			continue;
		if (f->requires && bexpr_eval(f->requires, NULL, s->w, NULL) != BEXPR_YES) {
			broken_requires(m, s, f, e);
			return false;
		}
		for (size_t k = 0; k < f->n_excludes; k++)
			if (fset_has(s, f->excludes[k])) {
				const char *other = m->feature[f->excludes[k]].name;

				err_set(e, "feature %s excludes %s, and both are on", f->name, other);
				return err_hint(e, "leave out %s or %s", other, f->name);
			}
	}
	return true;
}

/* Turn each feature of a comma-separated list on or off. */
static bool
apply(const struct udd_model *m, const char *list, bool on, struct fset *s, struct err *e)
{
	char **name = list && *list ? str_split(list, ',', NULL) : NULL;
	bool good = true;

	for (size_t i = 0; good && name && name[i]; i++) {
		size_t k = names_find(&m->ast->feature_names, name[i], strlen(name[i]));
		char *hint;

		if (k != NAMES_NONE) {
			fset_put(s, k, on);
			continue;
		}
		good = err_set(e, "model %s has no feature '%s'", m->name, name[i]);
		hint = near_hint(name[i], (const char *const *)m->ast->feature_names.name, m->n_features);
		if (hint || m->n_features == 0)
			err_hint(e, "%s", hint ? hint : "it has no features at all");
		free(hint);
	}
	str_split_free(name);
	return good;
}

bool
udd_choose(const struct udd_model *m, const char *variant, const char *plus, const char *minus, struct fset *out,
	struct err *e)
{
	const struct names *names = &m->ast->variant_names;
	const char *wanted = variant ? variant : "default";
	char *hint;
	size_t k = names_find(names, wanted, strlen(wanted));

	*out = (struct fset){0};
	if (k != NAMES_NONE) {
		*out = m->variant[k].on;
	} else if (variant) {
		err_set(e, "model %s has no variant '%s'", m->name, variant);
		hint = near_hint(variant, (const char *const *)names->name, names->n);
		if (hint || names->n == 0)
			err_hint(e, "%s", hint ? hint : "it has no variants at all");
		free(hint);
		return false;
	}
	return apply(m, plus, true, out, e) && apply(m, minus, false, out, e) && udd_legal(m, out, e);
}

/* Builds the variants, which may be made from each other in any order. */
struct builder {
	struct udd_ast *ast;
	struct udd_model *model;
	struct diags *diags;
	bool *built;
	size_t work; /* names evaluated so far */
};

static void
features_put(struct builder *b, const struct udd_item *v, const struct udd_word *w, bool on, struct fset *s)
{
	size_t i = names_find(&b->ast->feature_names, w->text, strlen(w->text));
	char *hint;

	if (i != NAMES_NONE) {
		if (i < FSET_MAX)
			fset_put(s, i, on);
		return;
	}
	hint = udd_nearest(b->diags, &b->ast->feature_names, w->text);
	udd_complain(
		b->ast, b->diags, &(struct udd_frame){.body = v}, w->at, w->len, hint, "no feature %.80s", w->text);
	free(hint);
}

/* Number of the variant that this one is made from. NAMES_NONE if it has no base, or, with a diagnostic, if it does
 * not exist. */
static size_t
find_base(struct builder *b, const struct udd_item *v)
{
	const struct udd_word *w = v->base;
	size_t i = names_find(&b->ast->variant_names, w->text, strlen(w->text));
	char *hint;

	if (i == NAMES_NONE) {
		hint = udd_nearest(b->diags, &b->ast->variant_names, w->text);
		udd_complain(b->ast, b->diags, &(struct udd_frame){.body = v}, w->at, w->len, hint, "no variant %.80s",
			w->text);
		free(hint);
	}
	return i;
}

/* True if the work limit allows one more check. Reports an error the first time that it does not. */
static bool
afford(struct builder *b, const struct udd_item *v, const struct fset *s)
{
	size_t before = b->work;

	if (before > VARIANTS_NODES || diags_full(b->diags, DIAG_ERROR))
		return false;
	for (size_t i = 0; i < b->model->n_features; i++)
		if (fset_has(s, i))
			b->work += 1 + b->model->feature[i].n_excludes +
				(b->model->feature[i].requires ? b->model->feature[i].requires->size : 0);
	if (b->work <= VARIANTS_NODES)
		return true;
	udd_complain(b->ast, b->diags, &(struct udd_frame){.body = v}, v->name.at, v->name.len, NULL,
		"too many variants for such long requires and excludes");
	return false;
}

/* Build a variant whose base is built, or that has none (NAMES_NONE). */
static void
build(struct builder *b, size_t i, size_t base)
{
	const struct udd_item *v = b->ast->variant[i];
	struct fset s = base == NAMES_NONE ? (struct fset){0} : b->model->variant[base].on;
	struct err e = {0};
	size_t errors = b->diags->errors;

	for (size_t k = 0; k < v->n_words; k++)
		features_put(b, v, &v->word[k], !v->minus || !v->minus[k], &s);
	b->built[i] = true;
	b->model->variant[i] = (struct udd_variant){v->name.text, v->text, s};
	if (b->diags->errors != errors || (v->base && (base == NAMES_NONE || !v->n_words)) || !afford(b, v, &s))
		return;
	if (!udd_legal(b->model, &s, &e))
		udd_complain(b->ast, b->diags, &(struct udd_frame){.body = v}, v->name.at, v->name.len, e.hint,
			"variant %.80s: %s", v->name.text, e.what);
}

/* Build a variant and the chain of its bases, without recursion, because the chain may be long. */
static void
build_chain(struct builder *b, size_t i)
{
	size_t *chain = NULL, cap = 0, n = 0, base = NAMES_NONE;

	for (;; i = base) {
		struct udd_item *v = b->ast->variant[i];

		mem_grow(&chain, &cap, n + 1, sizeof *chain);
		chain[n++] = i;
		v->busy = true;
		base = v->base ? find_base(b, v) : NAMES_NONE;
		if (base == NAMES_NONE || b->built[base])
			break;
		if (b->ast->variant[base]->busy) {
			udd_complain(b->ast, b->diags, &(struct udd_frame){.body = v}, v->base->at, v->base->len, NULL,
				"variant %.80s is made from itself", v->base->text);
			base = NAMES_NONE;
			break;
		}
	}
	for (; n > 0; base = chain[n]) {
		build(b, chain[--n], base);
		b->ast->variant[chain[n]]->busy = false;
	}
	free(chain);
}

void
udd_check_variants(struct udd_ast *ast, struct udd_model *m, struct diags *d)
{
	struct builder b = {.ast = ast, .model = m, .diags = d};

	m->n_variants = ast->variant_names.n;
	m->variant = arena_alloc(m->arena, (m->n_variants + 1) * sizeof *m->variant);
	b.built = mem_new_array(m->n_variants, sizeof *b.built);
	for (size_t i = 0; i < m->n_variants; i++)
		if (!b.built[i])
			build_chain(&b, i);
	free(b.built);
}

struct fset
udd_without(const struct udd_model *m, const struct fset *on, size_t feature)
{
	struct fset left = *on;
	bool again = true;

	fset_put(&left, feature, false);
	while (again) { /* removing features never breaks an excludes */
		again = false;
		for (size_t i = 0; i < m->n_features; i++) {
			const struct bexpr *e = m->feature[i].requires;

			if (fset_has(&left, i) && e && bexpr_eval(e, NULL, left.w, NULL) != BEXPR_YES) {
				fset_put(&left, i, false);
				again = true;
			}
		}
	}
	return left;
}
