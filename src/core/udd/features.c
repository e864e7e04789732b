/* Which features are on: legality by requires and excludes, variants, the user's choice, and repairs of illegal
 * choices. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/udd/alternatives.h"
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
udd_laws(const struct udd_model *model, struct arena *arena, size_t *n)
{
	size_t most = 0, k = 0;
	const struct bexpr **law;

	for (size_t i = 0; i < model->n_features; i++)
		most += 1 + model->feature[i].n_excludes;
	law = arena_alloc(arena, (most + 1) * sizeof *law);
	for (size_t i = 0; i < model->n_features; i++) {
		const struct udd_feature *feature = &model->feature[i];
		struct bexpr *off = bexpr_not(leaf(arena, feature->name, i), arena);

		if (feature->requires)
			law[k++] = either(arena, off, bexpr_bound(feature->requires, arena, NULL));
		for (size_t j = 0; j < feature->n_excludes; j++)
			law[k++] = either(arena, off,
				bexpr_not(leaf(arena, model->feature[feature->excludes[j]].name, feature->excludes[j]),
					arena));
	}
	*n = k;
	return law;
}

struct repair {
	const struct bexpr *const *law;
	size_t n, cost; /* number of laws; names in all laws, the cost of one evaluation */
	size_t left;    /* names that may still be evaluated */
};

/* Returns true if the set satisfies every law. Returns false if the work limit is reached. */
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
features_reduce(const struct udd_model *model, struct repair *repair, const struct fset *fset, struct fset *found)
{
	for (size_t i = 0; i < model->n_features; i++) {
		struct fset one = *fset;

		fset_put(&one, i, true);
		if (!fset_has(fset, i) && keeps(repair, &one)) {
			*found = one;
			return;
		}
	}
	for (size_t i = 0; i < model->n_features; i++) {
		if (!fset_has(found, i) || fset_has(fset, i))
			continue;
		fset_put(found, i, false);
		if (!keeps(repair, found))
			fset_put(found, i, true);
	}
}

/* Find few features that make the set legal when added. Returns false if there are none. */
static bool
find_additions(const struct udd_model *model, const struct fset *fset, struct fset *added)
{
	struct arena *arena = arena_new();
	struct repair r = {.left = REPAIR_NODES};
	const struct bexpr **all;
	struct fset found = {0};
	size_t k, budget = REPAIR_NODES;
	bool can;

	r.law = udd_laws(model, arena, &r.n);
	k = r.n;
	all = arena_alloc(arena, (k + model->n_features + 1) * sizeof *all);
	for (size_t i = 0; i < k; i++) {
		all[i] = r.law[i];
		r.cost += r.law[i]->size;
	}
	for (size_t i = 0; i < model->n_features; i++)
		if (fset_has(fset, i))
			all[k++] = leaf(arena, model->feature[i].name, i);
	can = bexpr_satisfiable(all, k, FSET_MAX, &budget, found.w) == BEXPR_YES;
	if (can)
		features_reduce(model, &r, fset, &found);
	*added = found;
	for (size_t i = 0; i < model->n_features; i++)
		if (fset_has(fset, i))
			fset_put(added, i, false);
	arena_free(arena);
	return can;
}

static void
broken_requires(
	const struct udd_model *model, const struct fset *fset, const struct udd_feature *feature, struct err *e)
{
	struct str law = {0}, repair = {0};
	struct fset added;

	bexpr_print(feature->requires, &law);
	err_set(e, "feature %.80s requires %.300s%s", feature->name, str_text(&law), law.n > 300 ? "…" : "");
	if (find_additions(model, fset, &added)) {
		str_add(&repair, "add ");
		for (size_t i = 0, n = 0; i < model->n_features; i++)
			if (fset_has(&added, i))
				str_addf(&repair, "%s%s", n++ ? ", " : "", model->feature[i].name);
		str_add(&repair, ", or ");
	}
	err_hint(e, "%sleave out %.80s", str_text(&repair), feature->name);
	str_free(&law);
	str_free(&repair);
}

bool
udd_legal(const struct udd_model *model, const struct fset *fset, struct err *e)
{
	for (size_t i = 0; i < model->n_features; i++) {
		const struct udd_feature *feature = &model->feature[i];

		if (!fset_has(fset, i))
			continue;
		if (feature->requires && bexpr_eval(feature->requires, NULL, fset->w, NULL) != BEXPR_YES) {
			broken_requires(model, fset, feature, e);
			return false;
		}
		for (size_t k = 0; k < feature->n_excludes; k++)
			if (fset_has(fset, feature->excludes[k])) {
				const char *other = model->feature[feature->excludes[k]].name;

				err_set(e, "feature %s excludes %s, and both are on", feature->name, other);
				return err_hint(e, "leave out %s or %s", other, feature->name);
			}
	}
	return true;
}

/* Turn each feature of a comma-separated list on or off. */
static bool
apply(const struct udd_model *model, const char *list, bool on, struct fset *fset, struct err *e)
{
	char **name = list && *list ? str_split(list, ',', NULL) : NULL;
	bool good = true;

	for (size_t i = 0; good && name && name[i]; i++) {
		size_t k = names_find(&model->ast->feature_names, name[i], strlen(name[i]));
		char *hint;

		if (k != NAMES_NONE) {
			fset_put(fset, k, on);
			continue;
		}
		good = err_set(e, "model %s has no feature '%s'", model->name, name[i]);
		hint = near_hint(name[i], (const char *const *)model->ast->feature_names.name, model->n_features);
		if (hint || model->n_features == 0)
			err_hint(e, "%s", hint ? hint : "it has no features at all");
		free(hint);
	}
	str_split_free(name);
	return good;
}

bool
udd_choose(const struct udd_model *model, const char *variant, const char *plus, const char *minus, struct fset *out,
	struct err *e)
{
	const struct names *names = &model->ast->variant_names;
	const char *wanted = variant ? variant : "default";
	char *hint;
	size_t k = names_find(names, wanted, strlen(wanted));

	*out = (struct fset){0};
	if (k != NAMES_NONE) {
		*out = model->variant[k].on;
	} else if (variant) {
		err_set(e, "model %s has no variant '%s'", model->name, variant);
		hint = near_hint(variant, (const char *const *)names->name, names->n);
		if (hint || names->n == 0)
			err_hint(e, "%s", hint ? hint : "it has no variants at all");
		free(hint);
		return false;
	}
	return apply(model, plus, true, out, e) && apply(model, minus, false, out, e) && udd_legal(model, out, e);
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
features_put(struct builder *builder, const struct udd_item *item, const struct udd_word *w, bool on, struct fset *fset)
{
	size_t i = names_find(&builder->ast->feature_names, w->text, strlen(w->text));
	char *hint;

	if (i != NAMES_NONE) {
		if (i < FSET_MAX)
			fset_put(fset, i, on);
		return;
	}
	hint = udd_nearest(builder->diags, &builder->ast->feature_names, w->text);
	udd_complain(builder->ast, builder->diags, &(struct udd_frame){.body = item}, w->at, w->len, hint,
		"no feature %.80s", w->text);
	free(hint);
}

/* Number of the variant that this one is made from. NAMES_NONE if it has no base, or, with a diagnostic, if it does
 * not exist. */
static size_t
find_base(struct builder *builder, const struct udd_item *item)
{
	const struct udd_word *w = item->base;
	size_t i = names_find(&builder->ast->variant_names, w->text, strlen(w->text));
	char *hint;

	if (i == NAMES_NONE) {
		hint = udd_nearest(builder->diags, &builder->ast->variant_names, w->text);
		udd_complain(builder->ast, builder->diags, &(struct udd_frame){.body = item}, w->at, w->len, hint,
			"no variant %.80s", w->text);
		free(hint);
	}
	return i;
}

/* Returns true if the work limit allows one more check. Reports an error the first time that it does not. */
static bool
afford(struct builder *builder, const struct udd_item *item, const struct fset *fset)
{
	size_t before = builder->work;

	if (before > VARIANTS_NODES || diags_full(builder->diags, DIAG_ERROR))
		return false;
	for (size_t i = 0; i < builder->model->n_features; i++)
		if (fset_has(fset, i))
			builder->work += 1 + builder->model->feature[i].n_excludes +
				(builder->model->feature[i].requires ? builder->model->feature[i].requires->size : 0);
	if (builder->work <= VARIANTS_NODES)
		return true;
	udd_complain(builder->ast, builder->diags, &(struct udd_frame){.body = item}, item->name.at, item->name.len,
		NULL, "too many variants for such long requires and excludes");
	return false;
}

/* Build a variant whose base is built, or that has none (NAMES_NONE). */
static void
build(struct builder *builder, size_t i, size_t base)
{
	const struct udd_item *item = builder->ast->variant[i];
	struct fset s = base == NAMES_NONE ? (struct fset){0} : builder->model->variant[base].on;
	struct err e = {0};
	size_t errors = builder->diags->errors;

	for (size_t k = 0; k < item->n_words; k++)
		features_put(builder, item, &item->word[k], !item->minus || !item->minus[k], &s);
	builder->built[i] = true;
	builder->model->variant[i] = (struct udd_variant){item->name.text, item->text, s};
	if (builder->diags->errors != errors || (item->base && (base == NAMES_NONE || !item->n_words)) ||
		!afford(builder, item, &s))
		return;
	if (!udd_legal(builder->model, &s, &e))
		udd_complain(builder->ast, builder->diags, &(struct udd_frame){.body = item}, item->name.at,
			item->name.len, e.hint, "variant %.80s: %s", item->name.text, e.what);
}

/* Build a variant and the chain of its bases, without recursion, because the chain may be long. */
static void
build_chain(struct builder *builder, size_t i)
{
	size_t *chain = NULL, cap = 0, n = 0, base = NAMES_NONE;

	for (;; i = base) {
		struct udd_item *item = builder->ast->variant[i];

		mem_grow(&chain, &cap, n + 1, sizeof *chain);
		chain[n++] = i;
		item->busy = true;
		base = item->base ? find_base(builder, item) : NAMES_NONE;
		if (base == NAMES_NONE || builder->built[base])
			break;
		if (builder->ast->variant[base]->busy) {
			udd_complain(builder->ast, builder->diags, &(struct udd_frame){.body = item}, item->base->at,
				item->base->len, NULL, "variant %.80s is made from itself", item->base->text);
			base = NAMES_NONE;
			break;
		}
	}
	for (; n > 0; base = chain[n]) {
		build(builder, chain[--n], base);
		builder->ast->variant[chain[n]]->busy = false;
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
udd_without(const struct udd_model *model, const struct fset *on, size_t feature)
{
	struct fset left = *on;
	bool again = true;

	fset_put(&left, feature, false);
	while (again) { /* removing features never breaks an excludes */
		again = false;
		for (size_t i = 0; i < model->n_features; i++) {
			const struct bexpr *bexpr = model->feature[i].requires;

			if (fset_has(&left, i) && bexpr && bexpr_eval(bexpr, NULL, left.w, NULL) != BEXPR_YES) {
				fset_put(&left, i, false);
				again = true;
			}
		}
	}
	return left;
}

bool
udd_has_alternatives(const struct udd_model *m)
{
	return m->form == UDD_FORM_FDL_FOLDER;
}

void
udd_flip(const struct udd_model *model, struct fset *on, size_t feature)
{
	if (udd_has_alternatives(model)) {
		*on = (struct fset){0};
		fset_put(on, feature, true);
	} else {
		fset_put(on, feature, !fset_has(on, feature));
	}
}
