/* A feature B that changes no cone where the set T is on cannot be told from T: whatever B explains T explains too. T is made small by
 * taking its features out one at a time as long as B still changes nothing. Where T ends up empty B is useless.
 *
 * The questions from each model are asked side by side, each with cones of its own; their numbers, and which choice has which, are common to all. */
#include "app/search/search_alike.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/judge/cones.h"
#include "app/judge/describe.h"
#include "app/judge/search_cones.h"
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

/* Two sets that cannot be told apart, before it is said why. */
struct pair {
	struct fset one, other;
	size_t feature; /* the only one of `one`; NO_CONE: they are survivors */
	char *why;
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
	const struct watch *watch;
	pthread_mutex_t lock;        /* of the next three */
	struct search_cones *cones;
	struct names choices;        /* as text; their cones: */
	size_t *cone, cone_cap;
	struct question *question;
	size_t n_questions;
	struct pair *pair;           /* distinct ones */
	size_t n_pairs, pairs_cap;
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
	q->pair[q->n++] = (struct pair){.one = one, .other = to, .feature = feature};
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

static void
explain_some(void *ctx, size_t i)
{
	struct work *w = ctx;
	struct cones *own = own_cones(w);

	for (size_t k = i * AT_ONCE; k < w->n_pairs && k < (i + 1) * AT_ONCE; k++)
		if (!w->pair[k].why)
			w->pair[k].why = explain(w, own, w->pair[k].feature, &w->pair[k].other);
	cones_free(own);
}

static bool
go_on(void *ctx, size_t done)
{
	const struct work *w = ctx;

	return !w->watch || w->watch->go_on(w->watch->ctx, "alike", done, w->n_questions);
}

/* Unless it is there, either way round. */
static void
add_pair(struct work *w, const struct pair *p)
{
	for (size_t i = 0; i < w->n_pairs; i++)
		if ((fset_equal(&w->pair[i].one, &p->one) && fset_equal(&w->pair[i].other, &p->other))
		    || (fset_equal(&w->pair[i].one, &p->other) && fset_equal(&w->pair[i].other, &p->one))) {
			free(p->why);
			return;
		}
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
			struct pair p = {.one = x->on, .other = y->on, .feature = NO_CONE};

			if (x->cone != y->cone)
				continue;
			for (size_t f = 0; f < FSET_MAX / 64; f++) {
				p.one.w[f] = x->on.w[f] & ~y->on.w[f];
				p.other.w[f] = y->on.w[f] & ~x->on.w[f];
			}
			p.why = mem_str("with what else these survivors have in common, both make the same cone");
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

static bool
answer(struct work *w)
{
	const struct parallel questions = {.each = ask, .go_on = go_on, .ctx = w}, explanations = {.each = explain_some, .go_on = go_on, .ctx = w};

	if (!parallel_each(&questions, w->n_questions))
		return false;
	for (size_t i = 0; i < w->n_questions; i++)
		for (size_t k = 0; k < w->question[i].n; k++)
			add_pair(w, &w->question[i].pair[k]);
	look_at_survivors(w);
	return parallel_each(&explanations, (w->n_pairs + AT_ONCE - 1) / AT_ONCE);
}

static void
hand_over(struct work *w, bool good)
{
	struct search *s = w->s;

	s->alike = mem_new_array(w->n_pairs, sizeof *s->alike);
	for (size_t i = 0; i < w->n_pairs; i++)
		if (good)
			s->alike[s->n_alike++] = (struct search_alike){.one = w->pair[i].one, .other = w->pair[i].other, .why = w->pair[i].why};
		else
			free(w->pair[i].why);
	for (size_t i = 0; i < w->n_questions; i++)
		free(w->question[i].pair);
	free(w->question);
	free(w->pair);
	free(w->cone);
	names_free(&w->choices);
}

bool
search_find_alike(struct search *s, struct analysis *a, struct search_cones *cones, const bool *used, const struct watch *watch)
{
	struct work w = {.s = s, .a = a, .cones = cones, .used = used, .watch = watch, .lock = PTHREAD_MUTEX_INITIALIZER};
	bool good;

	for (size_t i = 0; i < a->model->n_features; i++)
		fset_put(&w.all, i, true);
	choose_bases(&w);
	good = answer(&w);
	hand_over(&w, good);
	if (!good)
		return false;
	s->useless = s->lattice->idle;
	for (size_t i = 0; i < s->n_alike; i++)
		for (size_t k = 0; k < FSET_MAX / 64; k++)
			s->useless.w[k] &= ~s->alike[i].one.w[k];
	return true;
}
