/* A feature B that changes no cone where the set T is on: seen from each survivor. T is made small by taking its
 * features out one at a time as long as B still changes nothing. What was seen from one set is tried with others on
 * (contexts.h): B and T may be equal in each, or B changes nothing in each where T is on, or in some.
 *
 * The questions from each model are asked side by side, each with cones of its own; their numbers, and which choice
 * has which, are common to all. */
#include "app/search/search_alike.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/judge/cones.h"
#include "app/judge/describe.h"
#include "app/judge/search_cones.h"
#include "app/search/contexts.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/parallel.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/rows.h"
#include "core/cone/signatures.h"
#include "core/udd/model.h"

#define BASES_MAX 16 /* models from which the question is asked */
#define AT_ONCE 8    /* pairs that are explained one after the other, with the same cones */
#define OWN_CHOICES 64 /* that are kept in cones of one's own, … */
#define OWN_BYTES ((size_t)8 << 20) /* … and their memory */

#define NO_CONE ((size_t)-1) /* of a choice that is not legal, or makes an error */

/* What was seen of two sets, and then tried. */
struct pair {
	struct search_alike is;
	size_t feature;     /* the only one of `one`; NO_CONE: they are survivors */
	struct fset base;   /* the set that it was seen from */
	struct fset but;    /* held < tested: where it does not hold */
};

struct question {
	struct fset base;
	struct pair *pair;
	size_t n, cap;
};

struct work {
	struct search *s;
	struct analysis *a;
	const bool *used;
	struct fset all;
	struct contexts *contexts;
	const struct watch *watch;
	pthread_mutex_t lock;        /* of the next three */
	struct search_cones *cones;
	struct names choices;        /* as text; their cones: */
	size_t *cone, cone_cap;
	struct question *question;
	size_t n_questions;
	struct pair *pair;           /* distinct ones */
	size_t n_pairs, pairs_cap;
	size_t *idle;                /* features that were tried for being useless, and what came of it: */
	struct tried *tried;
	size_t n_idle;
};

/* For contexts_try(): the search, and cones of one's own. */
struct asker {
	struct work *w;
	struct cones *own;
};

/* A choice as text. */
#define CHOICE_TEXT (FSET_MAX / 4)

static void
write_choice(const struct fset *on, char out[CHOICE_TEXT + 1])
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		snprintf(out + 16 * i, 17, "%016llx", (unsigned long long)on->w[i]);
}

static void
remember(struct work *w, const struct fset *on, size_t cone)
{
	char text[CHOICE_TEXT + 1];
	size_t at;

	write_choice(on, text);
	at = names_add(&w->choices, text, CHOICE_TEXT);
	mem_grow(&w->cone, &w->cone_cap, at + 1, sizeof *w->cone);
	w->cone[at] = cone;
}

static bool
is_known(struct work *w, const struct fset *on, size_t *cone)
{
	char text[CHOICE_TEXT + 1];
	size_t at;

	write_choice(on, text);
	at = names_find(&w->choices, text, CHOICE_TEXT);
	if (at != NAMES_NONE)
		*cone = w->cone[at];
	return at != NAMES_NONE;
}

/* The number of a choice's cone; NO_CONE. */
static size_t
cone_of(struct work *w, struct cones *own, const struct fset *on)
{
	const struct cone *c;
	char *error = NULL;
	size_t id = NO_CONE;
	bool known;

	pthread_mutex_lock(&w->lock);
	known = is_known(w, on, &id);
	pthread_mutex_unlock(&w->lock);
	if (known)
		return id;
	cones_begin(own);
	c = udd_may_be_legal(w->a->model, on, &w->all) ? cones_span(own, on, w->used, &error) : NULL;
	free(error);
	pthread_mutex_lock(&w->lock);
	if (c)
		id = search_cones_id(w->cones, on, c);
	remember(w, on, id);
	pthread_mutex_unlock(&w->lock);
	return id;
}

static bool
adds_nothing(struct work *w, struct cones *own, const struct fset *to, size_t feature)
{
	struct fset more = *to;
	size_t without = cone_of(w, own, to);

	fset_put(&more, feature, true);
	return without != NO_CONE && cone_of(w, own, &more) == without;
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

/* The signatures of a cone, to be looked up. */
struct rows {
	const struct cone *cone;
	struct row_set set;
};

static struct rows
rows_of(const struct cone *c)
{
	struct rows r = {c, row_set_new(c->n_counters, c->n_signatures)};

	for (size_t k = 0; k < c->n_signatures; k++)
		*row_set_slot(&r.set, c->signature, c->signature + k * c->n_counters) = k + 1;
	return r;
}

static bool
has_row(const struct rows *r, const int64_t *row)
{
	return *row_set_slot(&r->set, r->cone->signature, row) != 0;
}

/* A signature that only the larger cone has, as the sum of two of the smaller. */
static bool
add_sum(const struct work *w, const struct rows *rows, const int64_t *row, struct str *out)
{
	const struct cone *small = rows->cone;
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
		found = fits && has_row(rows, rest);
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
explain(struct work *w, struct cones *own, size_t feature, const struct fset *to)
{
	struct str out = {0};
	struct fset more = *to, one = {0};
	const struct cone *small, *large;
	struct rows rows;
	char *error = NULL;
	size_t n_new = 0;

	fset_put(&more, feature, true);
	fset_put(&one, feature, true);
	add_names(w, &one, "", &out);
	str_add(&out, " adds nothing to the cone of ");
	add_names(w, to, "the model without features", &out);
	cones_begin(own);
	if (!cones_signatures(own, to, &error) || !cones_signatures(own, &more, &error)) {
		/* Enough of them to make the cones were not too many. */
		str_add(&out, ": it has too many signatures to name one");
		free(error);
		return str_take(&out);
	}
	small = cones_get(own, to, w->used);
	large = cones_get(own, &more, w->used);
	rows = rows_of(small);
	for (size_t k = 0; k < large->n_signatures; k++)
		n_new += !has_row(&rows, large->signature + k * large->n_counters);
	if (!n_new)
		str_add(&out, ": it has no signature of its own over these counters");
	for (size_t k = 0; k < large->n_signatures && n_new; k++) {
		const int64_t *row = large->signature + k * large->n_counters;
		struct str sum = {0};

		if (!has_row(&rows, row) && add_sum(w, &rows, row, &sum)) {
			str_add(&out, ": ");
			add_signature(w, row, &out);
			str_addf(&out, " = %s", str_text(&sum));
			n_new = 0;
		}
		str_free(&sum);
	}
	if (n_new)
		str_addf(&out, ": its %zu signatures are sums of those that are there", n_new);
	free(rows.set.slot);
	return str_take(&out);
}

static void
look_at_feature(struct work *w, struct cones *own, struct question *q, const struct fset *base, size_t feature)
{
	struct fset to = *base, one = {0};

	if (fset_has(base, feature) || !adds_nothing(w, own, &to, feature))
		return;
	for (size_t f = 0; f < w->a->model->n_features; f++) {
		struct fset less = to;

		fset_put(&less, f, false);
		if (fset_has(&to, f) && adds_nothing(w, own, &less, feature))
			to = less;
	}
	fset_put(&one, feature, true);
	if (!fset_count(&to))
		return;
	mem_grow(&q->pair, &q->cap, q->n + 1, sizeof *q->pair);
	q->pair[q->n++] = (struct pair){.is = {.kind = ALIKE_NOTHING, .one = one, .other = to}, .feature = feature,
		.base = *base};
}

static struct cones *
own_cones(const struct work *w)
{
	struct cones *c = cones_new(w->a->model, w->a->opt.cone_seconds);

	cones_set_bounds(c, OWN_CHOICES, OWN_BYTES);
	return c;
}

/* All features, from one model. */
static void
ask(void *ctx, size_t i)
{
	struct work *w = ctx;
	struct question *q = &w->question[i];
	struct cones *own = own_cones(w);

	for (size_t f = 0; f < w->a->model->n_features; f++) {
		struct fset without = q->base;

		fset_put(&without, f, false);
		look_at_feature(w, own, q, &without, f);
	}
	cones_free(own);
}

static size_t
asked_cone(void *ctx, const struct fset *on)
{
	struct asker *a = ctx;

	return cone_of(a->w, a->own, on);
}

static struct tried
try(struct work *w, struct cones *own, enum claim claim, const struct pair *p, bool wholly)
{
	return contexts_try(w->contexts, claim, &p->is.one, &p->is.other, &p->base, wholly, asked_cone,
		&(struct asker){w, own});
}

/* "where X + Y are on besides" */
static void
add_context(const struct work *w, const struct fset *rest, struct str *out)
{
	if (!fset_count(rest)) {
		str_add(out, "where no other is on");
		return;
	}
	str_add(out, "where ");
	add_names(w, rest, "", out);
	str_add(out, fset_count(rest) == 1 ? " is on besides" : " are on besides");
}

/* "in all 8 sets of the other features" */
static void
add_extent(const struct search_alike *x, struct str *out)
{
	if (x->held < x->tested)
		str_addf(out, " in %zu of the %zu sets", x->held, x->tested);
	else if (x->whole && x->tested == 1)
		str_add(out, " in the only set");
	else if (x->whole && x->tested == 2)
		str_add(out, " in both sets");
	else if (x->whole)
		str_addf(out, " in all %zu sets", x->tested);
	else
		str_addf(out, " in each of the %zu sets", x->tested);
	str_addf(out, " of %s", x->whole ? "the other features" : "other features that were tried, which are not all");
}

static char *
statement(const struct work *w, const struct pair *p)
{
	const struct search_alike *x = &p->is;
	struct str out = {0};

	add_names(w, &x->one, "no feature", &out);
	switch (x->kind) {
	case ALIKE_EQUAL:
		str_add(&out, " and ");
		add_names(w, &x->other, "no feature", &out);
		str_add(&out, " cannot be told apart");
		add_extent(x, &out);
		break;
	case ALIKE_NOTHING:
		str_add(&out, " changes nothing where ");
		add_names(w, &x->other, "no feature", &out);
		str_add(&out, fset_count(&x->other) == 1 ? " is on," : " are on,");
		add_extent(x, &out);
		if (x->held < x->tested) {
			str_add(&out, "; it does ");
			add_context(w, &p->but, &out);
		}
		break;
	case ALIKE_SURVIVORS:
		str_add(&out, " and ");
		add_names(w, &x->other, "no feature", &out);
		str_add(&out, " make one cone with what the two survivors have in common");
		if (x->held < x->tested) {
			str_add(&out, "; they do not ");
			add_context(w, &p->but, &out);
		}
		break;
	}
	return str_take(&out);
}

/* What holds of the pair, said as strongly as what was tried allows. */
static void
try_pair(struct work *w, struct cones *own, struct pair *p)
{
	struct search_alike *x = &p->is;
	struct tried equal = try(w, own, CLAIM_EQUAL, p, x->kind == ALIKE_NOTHING), t = equal;

	if (equal.tested && equal.held == equal.tested)
		x->kind = ALIKE_EQUAL;
	else if (x->kind == ALIKE_NOTHING)
		t = try(w, own, CLAIM_NOTHING, p, false);
	x->tested = t.tested;
	x->held = t.held;
	x->whole = w->contexts->whole;
	p->but = t.but;
	x->says = statement(w, p);
	x->why = p->feature == NO_CONE ? NULL : explain(w, own, p->feature, &x->other);
}

static void
try_some(void *ctx, size_t i)
{
	struct work *w = ctx;
	struct cones *own = own_cones(w);

	for (size_t k = i * AT_ONCE; k < w->n_pairs && k < (i + 1) * AT_ONCE; k++)
		try_pair(w, own, &w->pair[k]);
	cones_free(own);
}

/* Is the feature useless, wherever it is looked at? Also where a feature is missing of those with which it was seen to
 * change nothing: that is where it would show. */
static void
try_idle(void *ctx, size_t i)
{
	struct work *w = ctx;
	struct cones *own = own_cones(w);
	struct pair p = {.feature = w->idle[i]};
	struct tried *t = &w->tried[i];

	fset_put(&p.is.one, p.feature, true);
	*t = try(w, own, CLAIM_NOTHING, &p, true);
	for (size_t k = 0; k < w->n_pairs && t->held == t->tested; k++)
		for (size_t f = 0; f < w->a->model->n_features && t->held == t->tested; f++) {
			if (w->pair[k].feature != p.feature || !fset_has(&w->pair[k].is.other, f))
				continue;
			p.base = w->pair[k].is.other;
			fset_put(&p.base, f, false);
			*t = try(w, own, CLAIM_NOTHING, &p, true);
		}
	cones_free(own);
}

static bool
go_on(void *ctx, size_t done)
{
	const struct work *w = ctx;

	return !w->watch || w->watch->go_on(w->watch->ctx, "alike", done, w->n_questions);
}

/* Unless it is there. */
static void
add_pair(struct work *w, const struct pair *p)
{
	for (size_t i = 0; i < w->n_pairs; i++)
		if (w->pair[i].is.kind == p->is.kind && fset_equal(&w->pair[i].is.one, &p->is.one)
			&& fset_equal(&w->pair[i].is.other, &p->is.other))
			return;
	mem_grow(&w->pair, &w->pairs_cap, w->n_pairs + 1, sizeof *w->pair);
	w->pair[w->n_pairs++] = *p;
}

/* Survivors that exclude or replace each other, and have one cone. */
static void
look_at_survivors(struct work *w)
{
	const struct lattice *l = w->s->lattice;

	for (size_t i = 0; i < l->n_minimal; i++)
		for (size_t k = i + 1; k < l->n_minimal; k++) {
			const struct lattice_model *x = &l->model[l->minimal[i]], *y = &l->model[l->minimal[k]];
			struct pair p = {.is.kind = ALIKE_SURVIVORS, .feature = NO_CONE};

			if (x->cone != y->cone)
				continue;
			for (size_t f = 0; f < FSET_MAX / 64; f++) {
				p.is.one.w[f] = x->on.w[f] & ~y->on.w[f];
				p.is.other.w[f] = y->on.w[f] & ~x->on.w[f];
				p.base.w[f] = x->on.w[f] & y->on.w[f];
			}
			add_pair(w, &p);
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

static void
ask_from(struct work *w, const struct fset *base)
{
	w->question = mem_resize(w->question, w->n_questions + 1, sizeof *w->question);
	w->question[w->n_questions++] = (struct question){.base = *base};
}

static void
choose_bases(struct work *w)
{
	const struct lattice *l = w->s->lattice;

	for (size_t i = 0; i < l->n_minimal && w->n_questions < BASES_MAX; i++)
		ask_from(w, &l->model[l->minimal[i]].on);
	for (size_t i = 0; i < l->n_models && !l->n_minimal && w->n_questions < BASES_MAX; i++)
		if (is_top(l, i))
			ask_from(w, &l->model[i].on);
	/* What was tested is known. */
	for (size_t i = 0; i < l->n_models; i++)
		if (l->model[i].usable)
			remember(w, &l->model[i].on, l->model[i].cone);
}

static void
choose_idle(struct work *w)
{
	size_t n = w->a->model->n_features;

	w->idle = mem_new_array(n, sizeof *w->idle);
	w->tried = mem_new_array(n, sizeof *w->tried);
	for (size_t f = 0; f < n; f++)
		if (!fset_has(&w->s->lattice->fixed, f))
			w->idle[w->n_idle++] = f;
}

static void
take_useless(struct work *w)
{
	struct search *s = w->s;

	s->useless_whole = w->contexts->whole;
	for (size_t i = 0; i < w->n_idle; i++) {
		const struct tried *t = &w->tried[i];

		if (!t->tested || t->held < t->tested)
			continue;
		if (!fset_count(&s->useless) || t->tested < s->useless_tested)
			s->useless_tested = t->tested;
		fset_put(&s->useless, w->idle[i], true);
	}
}

static bool
answer(struct work *w)
{
	const struct parallel questions = {.each = ask, .go_on = go_on, .ctx = w};
	const struct parallel pairs = {.each = try_some, .go_on = go_on, .ctx = w},
		idle = {.each = try_idle, .go_on = go_on, .ctx = w};

	if (!parallel_each(&questions, w->n_questions))
		return false;
	for (size_t i = 0; i < w->n_questions; i++)
		for (size_t k = 0; k < w->question[i].n; k++)
			add_pair(w, &w->question[i].pair[k]);
	choose_idle(w);
	if (!parallel_each(&idle, w->n_idle))
		return false;
	take_useless(w);
	look_at_survivors(w);
	return parallel_each(&pairs, (w->n_pairs + AT_ONCE - 1) / AT_ONCE);
}

static bool
same_sets(const struct search_alike *a, const struct search_alike *b)
{
	return (fset_equal(&a->one, &b->one) && fset_equal(&a->other, &b->other)) || (fset_equal(&a->one, &b->other)
		&& fset_equal(&a->other, &b->one));
}

/* Of what is of no set that the search is over nothing is said, nor of two sets twice that they are equal, nor what
 * else is weaker. */
static bool
is_worth_saying(const struct work *w, size_t at)
{
	const struct search_alike *x = &w->pair[at].is;

	if (x->kind != ALIKE_SURVIVORS && !x->held)
		return false;
	if (x->kind != ALIKE_SURVIVORS && w->pair[at].feature != NO_CONE && fset_has(&w->s->useless, w->pair[at].feature))
		return false;
	for (size_t i = 0; i < w->n_pairs; i++) {
		const struct search_alike *y = &w->pair[i].is;

		if (i == at || !same_sets(x, y))
			continue;
		if (y->kind == ALIKE_EQUAL && (x->kind != ALIKE_EQUAL || i < at))
			return false;
		if (y->kind == ALIKE_SURVIVORS && x->kind == ALIKE_NOTHING && x->held < x->tested)
			return false;
	}
	return true;
}

static void
hand_over(struct work *w, bool good)
{
	struct search *s = w->s;

	s->alike = mem_new_array(w->n_pairs, sizeof *s->alike);
	for (size_t i = 0; i < w->n_pairs; i++)
		if (good && is_worth_saying(w, i)) {
			s->alike[s->n_alike++] = w->pair[i].is;
		} else {
			free(w->pair[i].is.says);
			free(w->pair[i].is.why);
		}
	for (size_t i = 0; i < w->n_questions; i++)
		free(w->question[i].pair);
	free(w->question);
	free(w->pair);
	free(w->cone);
	free(w->idle);
	free(w->tried);
	names_free(&w->choices);
	contexts_free(w->contexts);
}

bool
search_find_alike(struct search *s, struct analysis *a, struct search_cones *cones, const bool *used, const struct watch *watch)
{
	struct work w = {.s = s, .a = a, .cones = cones, .used = used, .watch = watch,
		.lock = PTHREAD_MUTEX_INITIALIZER};
	bool good;

	for (size_t i = 0; i < a->model->n_features; i++)
		fset_put(&w.all, i, true);
	w.contexts = contexts_new(a->model, &s->request.on, s->lattice);
	choose_bases(&w);
	good = answer(&w);
	hand_over(&w, good);
	return good;
}
