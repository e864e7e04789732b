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
count_breaking(const struct hunt *hunt, const struct signatures *sig, struct relaxer *relaxer, size_t *smallest)
{
	i128 least = 0;

	for (size_t k = 0; k < sig->n; k++) {
		const int64_t *row = sig->coef + k * sig->n_counters;
		i128 d = excess(hunt, row), total = 0;

		if (!((d < 0 && (!hunt->equality || hunt->side <= 0)) || (d > 0 && hunt->equality && hunt->side >= 0)))
			continue;
		for (size_t i = 0; i < sig->n_counters; i++)
			total += row[i];
		relaxer->below |= d < 0;
		relaxer->above |= d > 0;
		if (relaxer->signatures++ == 0 || total < least) {
			least = total;
			*smallest = k;
		}
	}
}

/* Writes the µpath in one line and step by step. If its diagram cannot be expanded again, both stay empty. */
static void
show_path(
	const struct hunt *hunt, const struct fset *on, const struct signatures *sig, size_t k, struct relaxer *relaxer)
{
	const struct udd_model *model = hunt->x->a->model;
	struct diags d = {0};
	struct udd_diagram *diagram = udd_expand(model, on, &d);
	struct str steps = {0};

	if (diagram) {
		relaxer->words = witness_words(model, hunt->coef, sig, diagram, k);
		witness_signature(model, sig, diagram, k, &steps);
	}
	relaxer->steps = mem_str(str_text(&steps));
	str_free(&steps);
	udd_diagram_free(diagram);
	diags_free(&d);
}

static struct relaxer
relax_evaluate(struct hunt *hunt, const struct fset *added, bool legal, char *why)
{
	struct relaxer r = {.added = *added, .legal = legal, .words = why, .tie = RELAX_NONE};
	struct fset on = fset_or(hunt->x->on, *added);
	const struct signatures *sig;
	size_t k = 0;
	char *error = NULL;

	if (legal) {
		cones_begin(hunt->x->a->cones);
		sig = cones_signatures(hunt->x->a->cones, &on, &error);
		free(error);
		r.legal = sig != NULL;
		if (sig)
			count_breaking(hunt, sig, &r, &k);
		if (r.signatures)
			show_path(hunt, &on, sig, k, &r);
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
	{SHAPE_ARRAY(struct relaxer, frees, n_frees)},
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
extend_by(const struct hunt *hunt, struct fset added, size_t from, size_t more, struct fset *out, size_t *n)
{
	const struct udd_model *model = hunt->x->a->model;
	struct fset on = fset_or(hunt->x->on, added);
	struct err e;

	if (more == 0) {
		if (*n < CLOSURES && udd_legal(model, &on, &e))
			out[(*n)++] = added;
		return;
	}
	for (size_t i = from; i < model->n_features && *n < CLOSURES; i++) {
		struct fset next = added;

		if (fset_has(&on, i))
			continue;
		fset_put(&next, i, true);
		extend_by(hunt, next, i + 1, more - 1, out, n);
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
try_one(struct hunt *hunt, size_t feature)
{
	struct fset added = {0}, closed[CLOSURES], on;
	struct err e;
	size_t n;

	fset_put(&added, feature, true);
	n = find_extensions(hunt, &added, closed);
	if (n == 0) {
		on = fset_or(hunt->x->on, added);
		udd_legal(hunt->x->a->model, &on, &e);
		relax_keep(hunt, relax_evaluate(hunt, &added, false, mem_str(e.hint[0] ? e.hint : e.what)));
	}
	for (size_t i = 0; i < n; i++)
		if (!relax_is_there(hunt, &closed[i]))
			relax_keep(hunt, relax_evaluate(hunt, &closed[i], true, NULL));
}

/* Drops sets that do no more than one of their parts. */
static void
drop_supersets(struct hunt *hunt)
{
	struct relaxers *relaxers = hunt->out;

	for (size_t i = 0; i < relaxers->n; i++)
		for (size_t k = 0; k < relaxers->n && relaxers->one[i].signatures; k++)
			if (k != i && relaxers->one[k].signatures >= relaxers->one[i].signatures &&
				fset_within(&relaxers->one[k].added, &relaxers->one[i].added) &&
				!fset_equal(&relaxers->one[k].added, &relaxers->one[i].added)) {
				relaxers->one[i].signatures = 0;
				relaxers->one[i].below = relaxers->one[i].above = false;
				*relaxers->one[i].words = *relaxers->one[i].steps = '\0';
			}
}

/* Tries the union of some sets that do nothing alone. */
static void
try_several(struct hunt *hunt, const size_t *which, size_t n)
{
	struct fset added = {0}, on;
	struct relaxer r;
	struct err e;

	for (size_t i = 0; i < n; i++)
		added = fset_or(added, hunt->out->one[which[i]].added);
	on = fset_or(hunt->x->on, added);
	if (relax_is_there(hunt, &added) || !udd_legal(hunt->x->a->model, &on, &e))
		return;
	for (size_t i = 0; i < hunt->out->n; i++)
		/* a part of it already relaxes the constraint */
		if (hunt->out->one[i].signatures && fset_within(&hunt->out->one[i].added, &added))
			return;
	r = relax_evaluate(hunt, &added, true, NULL);
	if (r.legal && r.signatures)
		relax_keep(hunt, r);
	else
		shape_clear(&RELAXER, &r);
}

static void
try_pairs_and_triples(struct hunt *hunt)
{
	size_t n = 0, some = 0, alone = hunt->out->n, *idle = mem_new_array(alone, sizeof *idle);

	for (size_t i = 0; i < alone; i++) {
		some += hunt->out->one[i].signatures > 0;
		if (hunt->out->one[i].legal && !hunt->out->one[i].signatures)
			idle[n++] = i;
	}
	hunt->out->whole = n < 2 || n <= PAIR_FEATURES;
	for (size_t i = 0; i < n && hunt->out->whole && !hunt->stopped; i++) {
		hunt->stopped = !relax_go_on(hunt->x, "pairs", i, n);
		for (size_t k = i + 1; k < n && !hunt->stopped; k++)
			try_several(hunt, (const size_t[]){idle[i], idle[k]}, 2);
	}
	if (some || hunt->out->n > alone || n < 3) {
		free(idle);
		return;
	}
	hunt->out->whole &= n <= TRIPLE_FEATURES;
	for (size_t i = 0; i < n && hunt->out->whole && !hunt->stopped; i++) {
		hunt->stopped = !relax_go_on(hunt->x, "threes", i, n);
		for (size_t k = i + 1; k < n && !hunt->stopped; k++)
			for (size_t l = k + 1; l < n; l++)
				try_several(hunt, (const size_t[]){idle[i], idle[k], idle[l]}, 3);
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
		r->n_frees = r->alone ? h->x->n : 0;
		r->frees = r->alone ? mem_new_array(h->x->n, sizeof *r->frees) : NULL;
		for (size_t k = 0; k < r->n_frees; k++)
			r->frees[k] = h->breaking[k] && !t->refuted[k];
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
judge_together(struct hunt *hunt, struct relaxer *relaxer)
{
	const struct relax_trial *trial;
	struct fset on;
	struct err e;
	char *error;

	relaxer->all = relaxer->added;
	for (size_t i = 0; i < hunt->out->n && hunt->out->one[i].signatures; i++) {
		struct fset more = fset_or(relaxer->all, hunt->out->one[i].added);

		on = fset_or(hunt->x->on, more);
		error = NULL;
		cones_begin(hunt->x->a->cones);
		if (!fset_equal(&more, &relaxer->all) && udd_legal(hunt->x->a->model, &on, &e) &&
			cones_signatures(hunt->x->a->cones, &on, &error))
			relaxer->all = more;
		free(error);
	}
	on = fset_or(hunt->x->on, relaxer->all);
	trial = relax_try(hunt->x, &on);
	hunt->stopped |= !trial;
	relaxer->together = trial ? count_freed(hunt, trial) : 0;
}

static void
find_tie(struct hunt *hunt, size_t at)
{
	struct relaxer *relaxer = &hunt->out->one[at];
	struct fset on = fset_or(hunt->x->on, relaxer->added);
	const struct relax_trial *trial = relax_try(hunt->x, &on), *other;

	for (size_t i = 0; i < at && trial && relaxer->tie == RELAX_NONE; i++) {
		bool same = hunt->out->one[i].alone == relaxer->alone;

		on = fset_or(hunt->x->on, hunt->out->one[i].added);
		other = same ? relax_try(hunt->x, &on) : NULL;
		for (size_t k = 0; k < hunt->x->n && other && same; k++)
			same = !hunt->breaking[k] || trial->refuted[k] == other->refuted[k];
		if (other && same) {
			relaxer->tie = i;
			relaxer->same_cone = trial->cone == other->cone;
		}
	}
}

struct relaxers *
relax_find(struct relax *relax, const int64_t *coef, bool equality, int side, const bool *breaking)
{
	struct hunt h = {.x = relax, .coef = coef, .equality = equality, .side = side, .breaking = breaking,
		.out = mem_new(sizeof *h.out)};
	size_t n = relax->a->model->n_features;

	for (size_t i = 0; i < relax->n; i++)
		h.out->asked += breaking[i];
	for (size_t i = 0; i < n && !h.stopped; i++) {
		if (fset_has(&relax->on, i))
			continue;
		h.stopped = !relax_go_on(relax, "features", i, n);
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
