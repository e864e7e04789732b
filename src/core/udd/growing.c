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
visit_cases(struct growth *l, const struct udd_stmt *s)
{
	bool has_default = false;

	for (const struct udd_case *c = s->cases; c; c = c->next)
		has_default |= c->n_values == 0 && s->kind == STMT_SWITCH;
	for (const struct udd_case *c = s->cases; c; c = c->next) {
		if (c->when && has_default)
			doubt(l, c->when);
		else if (c->when)
			guard(l, c->when);
	}
}

static void
visit(void *ctx, const struct udd_stmt *s)
{
	struct growth *l = ctx;

	for (; s; s = s->next) {
		if (s->kind == STMT_SWITCH || s->kind == STMT_CHOOSE)
			visit_cases(l, s);
		for (const struct udd_arm *a = s->kind == STMT_WHEN ? s->arms : NULL; a; a = a->next)
			if (a->when)
				doubt(l, a->when);
		udd_each_block(s, visit, l);
	}
}

struct fset
udd_growing(const struct udd_model *m)
{
	struct growth l = {.n_features = m->n_features};

	for (size_t i = 0; i < m->n_features; i++)
		fset_put(&l.only_adds, i, true);
	for (const struct udd_item *i = m->ast->first; i; i = i->next) {
		if (i->kind == ITEM_PATH && i->when)
			guard(&l, i->when);
		if (i->kind == ITEM_PATH || i->kind == ITEM_DEF)
			visit(&l, i->body);
	}
	return l.only_adds;
}

bool
udd_may_be_legal(const struct udd_model *m, const struct fset *on, const struct fset *known)
{
	for (size_t i = 0; i < m->n_features; i++) {
		const struct udd_feature *f = &m->feature[i];

		if (!fset_has(known, i) || !fset_has(on, i))
			continue;
		if (f->requires && bexpr_eval(f->requires, known->w, on->w, NULL) == BEXPR_NO)
			return false;
		for (size_t k = 0; k < f->n_excludes; k++)
			if (fset_has(known, f->excludes[k]) && fset_has(on, f->excludes[k]))
				return false;
	}
	return true;
}
