/* Finds features that would relax a broken constraint.
 *
 * 1. Each feature that is off is tried together with what it requires: the smallest legal choices that add it.
 * 2. Choices whose µpaths break the constraint relax it. They are ranked by the observations that they free.
 * 3. Features that do nothing alone are tried in pairs and, while nothing has helped, in threes.
 * 4. The first choices of the ranking are united as far as that is legal, to show what they free together. */
#include "work/analysis/relax.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/int128.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "shape/shape.h"
#include "text/diag.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/relax_judge.h"
#include "work/analysis/witness.h"

#define CLOSURE_MAX 3   /* most features that one may require besides itself */
#define CLOSURES 4      /* most ways in which a requirement may be met */
#define CLOSURE_OFF 64  /* most features that are off; with more, there are too many ways to try */
#define PAIR_FEATURES 16 /* most features without effect of their own that are tried in pairs */
#define TRIPLE_FEATURES 9

/* A question and its answer. */
struct hunt {
	struct relax *x;
	const int64_t *coef;
	bool equality;
	int side;
	const bool *breaking;
	struct relaxers *out;
	size_t cap;
	bool stopped;
};

static i128
excess(const struct hunt *h, const int64_t *signature)
{
	i128 sum = 0;

	for (size_t i = 0; i < h->x->a->model->n_counters; i++)
		sum += (i128)h->coef[i] * signature[i];
	return sum;
}

/* Counts the signatures of a choice that break the constraint, and finds the one with the fewest counts. */
static void
count_breaking(const struct hunt *h, const struct signatures *sig, struct relaxer *r, size_t *smallest)
{
	i128 least = 0;

	for (size_t k = 0; k < sig->n; k++) {
		const int64_t *row = sig->coef + k * sig->n_counters;
		i128 d = excess(h, row), total = 0;

		if (!((d < 0 && (!h->equality || h->side <= 0)) || (d > 0 && h->equality && h->side >= 0)))
			continue;
		for (size_t i = 0; i < sig->n_counters; i++)
			total += row[i];
		r->below |= d < 0;
		r->above |= d > 0;
		if (r->signatures++ == 0 || total < least) {
			least = total;
			*smallest = k;
		}
	}
}

/* Writes the µpath in one line and step by step. If its diagram cannot be expanded again, both stay empty. */
static void
show_path(const struct hunt *h, const struct fset *on, const struct signatures *sig, size_t k, struct relaxer *r)
{
	const struct udd_model *m = h->x->a->model;
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d);
	struct str steps = {0};

	if (g) {
		r->words = witness_words(m, h->coef, sig, g, k);
		witness_signature(m, sig, g, k, &steps);
	}
	r->steps = mem_str(str_text(&steps));
	str_free(&steps);
	udd_diagram_free(g);
	diags_free(&d);
}

static struct relaxer
relax_evaluate(struct hunt *h, const struct fset *added, bool legal, char *why)
{
	struct relaxer r = {.added = *added, .legal = legal, .words = why, .tie = RELAX_NONE};
	struct fset on = fset_or(h->x->on, *added);
	const struct signatures *sig;
	size_t k = 0;
	char *error = NULL;

	if (legal) {
		cones_begin(h->x->a->cones);
		sig = cones_signatures(h->x->a->cones, &on, &error);
		free(error);
		r.legal = sig != NULL;
		if (sig)
			count_breaking(h, sig, &r, &k);
		if (r.signatures)
			show_path(h, &on, sig, k, &r);
		else if (!sig)
			r.words = mem_str("this choice makes an error");
	}
	if (!r.words)
		r.words = mem_str("");
	if (!r.steps)
		r.steps = mem_str("");
	return r;
}

static void
relax_keep(struct hunt *h, struct relaxer r)
{
	mem_grow(&h->out->one, &h->cap, h->out->n + 1, sizeof *h->out->one);
	h->out->one[h->out->n++] = r;
}

static const struct shape_row RELAXER_ROWS[] = {
	{SHAPE_RAW(struct relaxer, added)}, {SHAPE_FIELD(struct relaxer, legal)},
	{SHAPE_FIELD(struct relaxer, signatures)}, {SHAPE_FIELD(struct relaxer, below)},
	{SHAPE_FIELD(struct relaxer, above)}, {SHAPE_FIELD(struct relaxer, alone)},
	{SHAPE_FIELD(struct relaxer, together)}, {SHAPE_RAW(struct relaxer, all)},
	{SHAPE_FIELD(struct relaxer, tie)}, {SHAPE_FIELD(struct relaxer, same_cone)},
	{SHAPE_FIELD(struct relaxer, words)}, {SHAPE_FIELD(struct relaxer, steps)},
};
static const struct shape RELAXER = SHAPE(struct relaxer, RELAXER_ROWS);

static const struct shape_row RELAXERS_ROWS[] = {
	{SHAPE_FIELD(struct relaxers, asked)}, {SHAPE_FIELD(struct relaxers, whole)},
	{SHAPE_ARRAY(struct relaxers, one, n), .of = &RELAXER},
};
const struct shape relaxers_shape = SHAPE(struct relaxers, RELAXERS_ROWS);

/* Appends to `out` the legal sets that extend `added` by exactly `more` features; CLOSURES at most. */
static void
extend_by(const struct hunt *h, struct fset added, size_t from, size_t more, struct fset *out, size_t *n)
{
	const struct udd_model *m = h->x->a->model;
	struct fset on = fset_or(h->x->on, added);
	struct err e;

	if (more == 0) {
		if (*n < CLOSURES && udd_legal(m, &on, &e))
			out[(*n)++] = added;
		return;
	}
	for (size_t i = from; i < m->n_features && *n < CLOSURES; i++) {
		struct fset next = added;

		if (fset_has(&on, i))
			continue;
		fset_put(&next, i, true);
		extend_by(h, next, i + 1, more - 1, out, n);
	}
}

static size_t
find_extensions(const struct hunt *h, const struct fset *added, struct fset *out)
{
	size_t n = 0, off = h->x->a->model->n_features - fset_count(&h->x->on),
		most = off > CLOSURE_OFF ? 1 : CLOSURE_MAX;

	for (size_t more = 0; more <= most && n == 0; more++)
		extend_by(h, *added, 0, more, out, &n);
	return n;
}

static bool
relax_is_there(const struct hunt *h, const struct fset *added)
{
	for (size_t i = 0; i < h->out->n; i++)
		if (fset_equal(&h->out->one[i].added, added))
			return true;
	return false;
}

static void
try_one(struct hunt *h, size_t feature)
{
	struct fset added = {0}, closed[CLOSURES], on;
	struct err e;
	size_t n;

	fset_put(&added, feature, true);
	n = find_extensions(h, &added, closed);
	if (n == 0) {
		on = fset_or(h->x->on, added);
		udd_legal(h->x->a->model, &on, &e);
		relax_keep(h, relax_evaluate(h, &added, false, mem_str(e.hint[0] ? e.hint : e.what)));
	}
	for (size_t i = 0; i < n; i++)
		if (!relax_is_there(h, &closed[i]))
			relax_keep(h, relax_evaluate(h, &closed[i], true, NULL));
}

/* Drops sets that do no more than one of their parts. */
static void
drop_supersets(struct hunt *h)
{
	struct relaxers *o = h->out;

	for (size_t i = 0; i < o->n; i++)
		for (size_t k = 0; k < o->n && o->one[i].signatures; k++)
			if (k != i && o->one[k].signatures >= o->one[i].signatures &&
				fset_within(&o->one[k].added, &o->one[i].added) &&
				!fset_equal(&o->one[k].added, &o->one[i].added)) {
				o->one[i].signatures = 0;
				o->one[i].below = o->one[i].above = false;
				*o->one[i].words = *o->one[i].steps = '\0';
			}
}

/* Tries the union of some sets that do nothing alone. */
static void
try_several(struct hunt *h, const size_t *which, size_t n)
{
	struct fset added = {0}, on;
	struct relaxer r;
	struct err e;

	for (size_t i = 0; i < n; i++)
		added = fset_or(added, h->out->one[which[i]].added);
	on = fset_or(h->x->on, added);
	if (relax_is_there(h, &added) || !udd_legal(h->x->a->model, &on, &e))
		return;
	for (size_t i = 0; i < h->out->n; i++)
		/* a part of it already relaxes the constraint */
		if (h->out->one[i].signatures && fset_within(&h->out->one[i].added, &added))
			return;
	r = relax_evaluate(h, &added, true, NULL);
	if (r.legal && r.signatures)
		relax_keep(h, r);
	else
		shape_clear(&RELAXER, &r);
}

static void
try_pairs_and_triples(struct hunt *h)
{
	size_t n = 0, some = 0, alone = h->out->n, *idle = mem_new_array(alone, sizeof *idle);

	for (size_t i = 0; i < alone; i++) {
		some += h->out->one[i].signatures > 0;
		if (h->out->one[i].legal && !h->out->one[i].signatures)
			idle[n++] = i;
	}
	h->out->whole = n < 2 || n <= PAIR_FEATURES;
	for (size_t i = 0; i < n && h->out->whole && !h->stopped; i++) {
		h->stopped = !relax_go_on(h->x, "pairs", i, n);
		for (size_t k = i + 1; k < n && !h->stopped; k++)
			try_several(h, (const size_t[]){idle[i], idle[k]}, 2);
	}
	if (some || h->out->n > alone || n < 3) {
		free(idle);
		return;
	}
	h->out->whole &= n <= TRIPLE_FEATURES;
	for (size_t i = 0; i < n && h->out->whole && !h->stopped; i++) {
		h->stopped = !relax_go_on(h->x, "threes", i, n);
		for (size_t k = i + 1; k < n && !h->stopped; k++)
			for (size_t l = k + 1; l < n; l++)
				try_several(h, (const size_t[]){idle[i], idle[k], idle[l]}, 3);
	}
	free(idle);
}

static size_t
count_freed(const struct hunt *h, const struct relax_trial *t)
{
	size_t n = 0;

	for (size_t i = 0; i < h->x->n; i++)
		n += h->breaking[i] && !t->refuted[i];
	return n;
}

static void
judge_alone(struct hunt *h)
{
	for (size_t i = 0; i < h->out->n && !h->stopped; i++) {
		struct relaxer *r = &h->out->one[i];
		struct fset on = fset_or(h->x->on, r->added);
		const struct relax_trial *t = r->signatures ? relax_try(h->x, &on) : NULL;

		h->stopped |= r->signatures && !t;
		r->alone = t ? count_freed(h, t) : 0;
	}
}

static size_t
first_feature(const struct relaxer *r)
{
	size_t f = 0;

	while (f < FSET_MAX && !fset_has(&r->added, f))
		f++;
	return f;
}

static int
relax_compare(const void *va, const void *vb)
{
	const struct relaxer *a = va, *b = vb;
	size_t na = fset_count(&a->added), nb = fset_count(&b->added);

	if (!a->signatures != !b->signatures)
		return a->signatures ? -1 : 1;
	if (a->legal != b->legal)
		return a->legal ? -1 : 1;
	if (a->alone != b->alone)
		return a->alone > b->alone ? -1 : 1;
	if (na != nb)
		return na < nb ? -1 : 1;
	for (size_t f = first_feature(a) < first_feature(b) ? first_feature(a) : first_feature(b); f < FSET_MAX; f++)
		if (fset_has(&a->added, f) != fset_has(&b->added, f))
			return fset_has(&a->added, f) ? -1 : 1;
	return 0;
}

/* Unites the ranked choices in order, as long as the union is legal and makes no error. */
static void
judge_together(struct hunt *h, struct relaxer *r)
{
	const struct relax_trial *t;
	struct fset on;
	struct err e;
	char *error;

	r->all = r->added;
	for (size_t i = 0; i < h->out->n && h->out->one[i].signatures; i++) {
		struct fset more = fset_or(r->all, h->out->one[i].added);

		on = fset_or(h->x->on, more);
		error = NULL;
		cones_begin(h->x->a->cones);
		if (!fset_equal(&more, &r->all) && udd_legal(h->x->a->model, &on, &e) &&
			cones_signatures(h->x->a->cones, &on, &error))
			r->all = more;
		free(error);
	}
	on = fset_or(h->x->on, r->all);
	t = relax_try(h->x, &on);
	h->stopped |= !t;
	r->together = t ? count_freed(h, t) : 0;
}

static void
find_tie(struct hunt *h, size_t at)
{
	struct relaxer *r = &h->out->one[at];
	struct fset on = fset_or(h->x->on, r->added);
	const struct relax_trial *t = relax_try(h->x, &on), *other;

	for (size_t i = 0; i < at && t && r->tie == RELAX_NONE; i++) {
		bool same = h->out->one[i].alone == r->alone;

		on = fset_or(h->x->on, h->out->one[i].added);
		other = same ? relax_try(h->x, &on) : NULL;
		for (size_t k = 0; k < h->x->n && other && same; k++)
			same = !h->breaking[k] || t->refuted[k] == other->refuted[k];
		if (other && same) {
			r->tie = i;
			r->same_cone = t->cone == other->cone;
		}
	}
}

struct relaxers *
relax_find(struct relax *x, const int64_t *coef, bool equality, int side, const bool *breaking)
{
	struct hunt h = {.x = x, .coef = coef, .equality = equality, .side = side, .breaking = breaking,
		.out = mem_new(sizeof *h.out)};
	size_t n = x->a->model->n_features;

	for (size_t i = 0; i < x->n; i++)
		h.out->asked += breaking[i];
	for (size_t i = 0; i < n && !h.stopped; i++) {
		if (fset_has(&x->on, i))
			continue;
		h.stopped = !relax_go_on(x, "features", i, n);
		if (!h.stopped)
			try_one(&h, i);
	}
	drop_supersets(&h);
	if (!h.stopped)
		try_pairs_and_triples(&h);
	judge_alone(&h);
	if (h.out->n)
		qsort(h.out->one, h.out->n, sizeof *h.out->one, relax_compare);
	for (size_t i = 0; i < h.out->n && h.out->one[i].signatures && !h.stopped; i++) {
		judge_together(&h, &h.out->one[i]);
		if (!h.stopped)
			find_tie(&h, i);
	}
	if (!h.stopped)
		return h.out;
	shape_free(&relaxers_shape, h.out);
	return NULL;
}
