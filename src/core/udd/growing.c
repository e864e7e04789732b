/* Finds features that only add µpaths.
 *
 * A case or a path that depends on a feature adds its µpaths to those of the others. Everything else may remove
 * µpaths: a block under `when` changes the µpaths that run through it, a default covers fewer values if there are
 * more cases, and a negation removes. */
#include <stdlib.h>

#include "core/udd/ast.h"
#include "core/udd/model.h"
#include "text/bexpr.h"

struct growth {
	struct fset only_adds;
	size_t n_features;
};

static void
doubt(struct growth *l, const struct bexpr *e)
{
	if (e->op == BEXPR_NAME && (e->pieces || e->index >= l->n_features))
		l->only_adds = (struct fset){0}; /* the parameter may stand for any feature */
	else if (e->op == BEXPR_NAME)
		fset_put(&l->only_adds, e->index, false);
	for (size_t i = 0; i < e->n; i++)
		doubt(l, e->arg[i]);
}

/* A guard only adds, except for names under a negation. */
static void
guard(struct growth *l, const struct bexpr *e)
{
	if (e->op == BEXPR_NOT || (e->op == BEXPR_NAME && (e->pieces || e->index >= l->n_features))) {
		doubt(l, e);
		return;
	}
	for (size_t i = 0; i < e->n; i++)
		guard(l, e->arg[i]);
}

static void
visit_cases(struct growth *growth, const struct udd_stmt *stmt)
{
	bool has_default = false;

	for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next)
		has_default |= udd_case->n_values == 0 && stmt->kind == STMT_SWITCH;
	for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next) {
		if (udd_case->when && has_default)
			doubt(growth, udd_case->when);
		else if (udd_case->when)
			guard(growth, udd_case->when);
	}
}

static void
visit(void *ctx, const struct udd_stmt *stmt)
{
	struct growth *growth = ctx;

	for (; stmt; stmt = stmt->next) {
		if (stmt->kind == STMT_SWITCH || stmt->kind == STMT_CHOOSE)
			visit_cases(growth, stmt);
		for (const struct udd_arm *arm = stmt->kind == STMT_WHEN ? stmt->arms : NULL; arm; arm = arm->next)
			if (arm->when)
				doubt(growth, arm->when);
		udd_each_block(stmt, visit, growth);
	}
}

struct fset
udd_growing(const struct udd_model *model)
{
	struct growth l = {.n_features = model->n_features};

	for (size_t i = 0; i < model->n_features; i++)
		fset_put(&l.only_adds, i, true);
	for (const struct udd_item *i = model->ast->first; i; i = i->next) {
		if (i->kind == ITEM_PATH && i->when)
			guard(&l, i->when);
		if (i->kind == ITEM_PATH || i->kind == ITEM_DEF)
			visit(&l, i->body);
	}
	return l.only_adds;
}

bool
udd_may_be_legal(const struct udd_model *model, const struct fset *on, const struct fset *known)
{
	for (size_t i = 0; i < model->n_features; i++) {
		const struct udd_feature *feature = &model->feature[i];

		if (!fset_has(known, i) || !fset_has(on, i))
			continue;
		if (feature->requires && bexpr_eval(feature->requires, known->w, on->w, NULL) == BEXPR_NO)
			return false;
		for (size_t k = 0; k < feature->n_excludes; k++)
			if (fset_has(known, feature->excludes[k]) && fset_has(on, feature->excludes[k]))
				return false;
	}
	return true;
}
