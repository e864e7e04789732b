/* Finds features that no counter in use can tell apart.
 *
 * 1. From each survivor, find features B that change no cone while a set T is on. T is reduced by removing its features
 *    one at a time as long as B still changes nothing.
 * 2. Try each pair in other contexts (contexts.h): do B and T have the same cone in each, or does B change nothing
 *    wherever T is on, or only in some contexts?
 * 3. Say the strongest statement that holds, with an example.
 *
 * The models are examined in parallel, each with its own cache of cones. The numbers of cones, and the number for each
 * choice, are shared. */
#include "work/search/search_alike.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/names.h"
#include "base/parallel.h"
#include "core/udd/model.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/search_cones.h"
#include "work/search/contexts.h"

#define BASES_MAX 16 /* most models from which features are examined */
#define AT_ONCE 8    /* pairs that one thread tries in sequence with the same cache */
#define OWN_CHOICES 64 /* choices kept in a thread's own cache */
#define OWN_BYTES ((size_t)8 << 20) /* and its memory in bytes */
#define ALIKE_NO_CONE ((size_t)-1) /* the choice is not legal, or makes an error */

/* --- numbers of cones -------------------------------------------------------------------------------------------- */

/* Numbers the cones of sets of features and remembers them by set; several threads may ask at once. */
struct alike_cones {
	const struct udd_model *model;
	const bool *used;           /* per counter of the model: the cones are over it */
	struct fset all;            /* the set of every feature */
	pthread_mutex_t lock;       /* protects the members below */
	struct search_cones *cones; /* borrowed: gives equal cones one number */
	struct names choices;       /* sets as text; cone[i] is the number of choice i's cone */
	size_t *cone, cap;
};

static void
alike_cones_init(struct alike_cones *c, const struct udd_model *m, const bool *used, struct search_cones *cones)
{
	*c = (struct alike_cones){.model = m, .used = used, .cones = cones};
	pthread_mutex_init(&c->lock, NULL);
	for (size_t i = 0; i < m->n_features; i++)
		fset_put(&c->all, i, true);
}

static void
alike_cones_free(struct alike_cones *c)
{
	names_free(&c->choices);
	free(c->cone);
	pthread_mutex_destroy(&c->lock);
}

/* The choice as text, for a table of names. */
#define CHOICE_TEXT (FSET_MAX / 4)

static void
write_choice(const struct fset *on, char out[CHOICE_TEXT + 1])
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		snprintf(out + 16 * i, 17, "%016llx", (unsigned long long)on->w[i]);
}

/* Records the number of a set's cone. Call it before other threads ask, or with the lock held. */
static void
alike_cones_remember(struct alike_cones *c, const struct fset *on, size_t cone)
{
	char text[CHOICE_TEXT + 1];
	size_t at;

	write_choice(on, text);
	at = names_add(&c->choices, text, CHOICE_TEXT);
	mem_grow(&c->cone, &c->cap, at + 1, sizeof *c->cone);
	c->cone[at] = cone;
}

static bool
search_alike_is_known(const struct alike_cones *c, const struct fset *on, size_t *cone)
{
	char text[CHOICE_TEXT + 1];
	size_t at;

	write_choice(on, text);
	at = names_find(&c->choices, text, CHOICE_TEXT);
	if (at != NAMES_NONE)
		*cone = c->cone[at];
	return at != NAMES_NONE;
}

/* Returns the number of a set's cone, ALIKE_NO_CONE where it has none. A set that is not recorded is made in `own`,
 * which belongs to the calling thread. */
static size_t
alike_cones_number(struct alike_cones *cones, struct cones *own, const struct fset *on)
{
	const struct cone *cone;
	char *error = NULL;
	size_t id = ALIKE_NO_CONE;
	bool known;

	pthread_mutex_lock(&cones->lock);
	known = search_alike_is_known(cones, on, &id);
	pthread_mutex_unlock(&cones->lock);
	if (known)
		return id;
	cones_begin(own);
	cone = udd_may_be_legal(cones->model, on, &cones->all) ? cones_span(own, on, cones->used, &error) : NULL;
	free(error);
	pthread_mutex_lock(&cones->lock);
	if (cone)
		id = search_cones_id(cones->cones, on, cone);
	alike_cones_remember(cones, on, id);
	pthread_mutex_unlock(&cones->lock);
	return id;
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

/* A pair of sets found in one model, and its trial in other contexts. */
struct alike_pair {
	struct search_graph_alike is;
	size_t feature;     /* the only feature of `one`; ALIKE_NO_CONE: the sets are of survivors */
	struct fset base;   /* the model in which it was found */
	struct fset but;    /* a context in which it does not hold, when held < tested */
};

struct alike_question {
	struct fset base;
	struct alike_pair *pair;
	size_t n, cap;
};

struct alike_work {
	struct search *s;
	struct analysis *a;
	const bool *used;
	struct alike_cones cones;
	struct contexts *contexts;
	const struct analysis_watch *watch;
	struct alike_question *question;
	size_t n_questions;
	struct alike_pair *pair;     /* distinct pairs */
	size_t n_pairs, pairs_cap;
	size_t *idle;                /* features that may be useless, and the result of their trial */
	struct contexts_count *tried;
	size_t n_idle;
};

/* Argument of contexts_try(): the search, and the thread's own cache. */
struct asker {
	struct alike_work *w;
	struct cones *own;
};

static bool
adds_nothing(struct alike_work *w, struct cones *own, const struct fset *to, size_t feature)
{
	struct fset more = *to;
	size_t without = alike_cones_number(&w->cones, own, to);

	fset_put(&more, feature, true);
	return without != ALIKE_NO_CONE && alike_cones_number(&w->cones, own, &more) == without;
}

static void
examine_feature(struct alike_work *work, struct cones *own, struct alike_question *question, const struct fset *base,
	size_t feature)
{
	struct fset to = *base, one = {0};

	if (fset_has(base, feature) || !adds_nothing(work, own, &to, feature))
		return;
	for (size_t f = 0; f < work->a->model->n_features; f++) {
		struct fset less = to;

		fset_put(&less, f, false);
		if (fset_has(&to, f) && adds_nothing(work, own, &less, feature))
			to = less;
	}
	fset_put(&one, feature, true);
	if (!fset_count(&to))
		return;
	mem_grow(&question->pair, &question->cap, question->n + 1, sizeof *question->pair);
	question->pair[question->n++] = (struct alike_pair){
		.is = {.kind = GRAPH_NOTHING, .one = one, .other = to}, .feature = feature, .base = *base};
}

static struct cones *
own_cones(const struct alike_work *w)
{
	struct cones *c = cones_new(w->a->model, w->a->opt.cone_seconds);

	cones_set_bounds(c, OWN_CHOICES, OWN_BYTES);
	return c;
}

/* Examines all features, from one model. */
static void
search_alike_ask(void *ctx, size_t i)
{
	struct alike_work *work = ctx;
	struct alike_question *question = &work->question[i];
	struct cones *own = own_cones(work);

	for (size_t f = 0; f < work->a->model->n_features; f++) {
		struct fset without = question->base;

		fset_put(&without, f, false);
		examine_feature(work, own, question, &without, f);
	}
	cones_free(own);
}

static size_t
asked_cone(void *ctx, const struct fset *on)
{
	struct asker *a = ctx;

	return alike_cones_number(&a->w->cones, a->own, on);
}

static struct contexts_count
try(struct alike_work *w, struct cones *own, enum contexts_claim claim, const struct alike_pair *p, bool wholly)
{
	return contexts_try(w->contexts, claim, &p->is.one, &p->is.other, &p->base, wholly, asked_cone,
		&(struct asker){w, own});
}

/* Finds the strongest statement that the trials of a pair allow. */
static void
try_pair(struct alike_work *work, struct cones *own, struct alike_pair *pair)
{
	struct search_graph_alike *alike = &pair->is;
	struct contexts_count equal = try(work, own, CONTEXTS_EQUAL, pair, alike->kind == GRAPH_NOTHING), t = equal;

	if (equal.tested && equal.held == equal.tested)
		alike->kind = GRAPH_EQUAL;
	else if (alike->kind == GRAPH_NOTHING)
		t = try(work, own, CONTEXTS_NOTHING, pair, false);
	alike->tested = t.tested;
	alike->held = t.held;
	alike->whole = work->contexts->whole;
	if (alike->kind == GRAPH_NOTHING && alike->held < alike->tested)
		alike->kind = GRAPH_PARTLY;
	pair->but = t.but;
	alike->says = search_alike_statement(work->a->model, alike, &pair->but);
	alike->example = pair->feature == ALIKE_NO_CONE ? NULL
		: search_alike_explain(work->a->model, work->used, own, pair->feature, &alike->other);
	alike->why = alike->example ? str_format("%s: %s", alike->says, alike->example) : mem_str(alike->says);
}

static void
try_some(void *ctx, size_t i)
{
	struct alike_work *w = ctx;
	struct cones *own = own_cones(w);

	for (size_t k = i * AT_ONCE; k < w->n_pairs && k < (i + 1) * AT_ONCE; k++)
		try_pair(w, own, &w->pair[k]);
	cones_free(own);
}

/* Tries whether a feature is useless in every context. It also tries the sets T without one of their features, because
 * there an effect would show. */
static void
try_idle(void *ctx, size_t i)
{
	struct alike_work *work = ctx;
	struct cones *own = own_cones(work);
	struct alike_pair p = {.feature = work->idle[i]};
	struct contexts_count *count = &work->tried[i];

	fset_put(&p.is.one, p.feature, true);
	*count = try(work, own, CONTEXTS_NOTHING, &p, true);
	for (size_t k = 0; k < work->n_pairs && count->held == count->tested; k++)
		for (size_t f = 0; f < work->a->model->n_features && count->held == count->tested; f++) {
			if (work->pair[k].feature != p.feature || !fset_has(&work->pair[k].is.other, f))
				continue;
			p.base = work->pair[k].is.other;
			fset_put(&p.base, f, false);
			*count = try(work, own, CONTEXTS_NOTHING, &p, true);
		}
	cones_free(own);
}

static bool
search_alike_go_on(void *ctx, size_t done)
{
	const struct alike_work *w = ctx;

	return !w->watch || w->watch->go_on(w->watch->ctx, "alike", done, w->n_questions);
}

/* Adds the pair unless it exists. */
static void
add_pair(struct alike_work *w, const struct alike_pair *p)
{
	for (size_t i = 0; i < w->n_pairs; i++)
		if (w->pair[i].is.kind == p->is.kind && fset_equal(&w->pair[i].is.one, &p->is.one)
			&& fset_equal(&w->pair[i].is.other, &p->is.other))
			return;
	mem_grow(&w->pair, &w->pairs_cap, w->n_pairs + 1, sizeof *w->pair);
	w->pair[w->n_pairs++] = *p;
}

/* Pairs of survivors that have the same cone. */
static void
pair_survivors(struct alike_work *work)
{
	const struct search_graph *graph = work->s->graph;

	for (size_t i = 0; i < graph->needs.n_minimal; i++)
		for (size_t k = i + 1; k < graph->needs.n_minimal; k++) {
			const struct search_graph_model *x = &graph->model[graph->needs.minimal[i]],
						   *y = &graph->model[graph->needs.minimal[k]];
			struct alike_pair p = {.is.kind = GRAPH_SURVIVORS, .feature = ALIKE_NO_CONE};

			if (x->cone_number != y->cone_number)
				continue;
			p.is.one = fset_minus(x->on, y->on);
			p.is.other = fset_minus(y->on, x->on);
			p.base = fset_and(x->on, y->on);
			add_pair(work, &p);
		}
}

/* Is it a tested model with no other tested model above it? Where nothing survives, features are examined from
 * these. */
static bool
is_top(const struct search_graph *l, size_t at)
{
	for (size_t i = 0; i < l->n_models; i++)
		if (i != at && l->model[i].usable && fset_within(&l->model[at].on, &l->model[i].on))
			return false;
	return l->model[at].usable;
}

static void
ask_from(struct alike_work *w, const struct fset *base)
{
	w->question = mem_resize(w->question, w->n_questions + 1, sizeof *w->question);
	w->question[w->n_questions++] = (struct alike_question){.base = *base};
}

static void
choose_bases(struct alike_work *work)
{
	const struct search_graph *graph = work->s->graph;

	for (size_t i = 0; i < graph->needs.n_minimal && work->n_questions < BASES_MAX; i++)
		ask_from(work, &graph->model[graph->needs.minimal[i]].on);
	for (size_t i = 0; i < graph->n_models && !graph->needs.n_minimal && work->n_questions < BASES_MAX; i++)
		if (is_top(graph, i))
			ask_from(work, &graph->model[i].on);
	/* Remembers the cones of all tested models. */
	for (size_t i = 0; i < graph->n_models; i++)
		if (graph->model[i].usable)
			alike_cones_remember(&work->cones, &graph->model[i].on, graph->model[i].cone_number);
}

static void
choose_idle(struct alike_work *w)
{
	size_t n = w->a->model->n_features;

	w->idle = mem_new_array(n, sizeof *w->idle);
	w->tried = mem_new_array(n, sizeof *w->tried);
	for (size_t f = 0; f < n; f++)
		if (!fset_has(&w->s->graph->fixed, f))
			w->idle[w->n_idle++] = f;
}

static void
take_useless(struct alike_work *work)
{
	struct search *search = work->s;
	struct search_graph_needs *needs = &search->graph->needs;

	search->useless_whole = work->contexts->whole;
	for (size_t i = 0; i < work->n_idle; i++) {
		const struct contexts_count *count = &work->tried[i];

		if (!count->tested || count->held < count->tested)
			continue;
		if (!fset_count(&needs->useless) || count->tested < search->useless_tested)
			search->useless_tested = count->tested;
		fset_put(&needs->useless, work->idle[i], true);
	}
	needs->optional = fset_minus(needs->optional, needs->useless);
	if (fset_count(&needs->useless) && !search->useless_whole)
		needs->useless_in = str_format(
			"in each of the %zu sets of other features that were tried (not all)", search->useless_tested);
}

static bool
search_alike_answer(struct alike_work *work)
{
	const struct parallel questions = {.each = search_alike_ask, .go_on = search_alike_go_on, .ctx = work};
	const struct parallel pairs = {.each = try_some, .go_on = search_alike_go_on, .ctx = work},
		idle = {.each = try_idle, .go_on = search_alike_go_on, .ctx = work};

	if (!parallel_each(&questions, work->n_questions))
		return false;
	for (size_t i = 0; i < work->n_questions; i++)
		for (size_t k = 0; k < work->question[i].n; k++)
			add_pair(work, &work->question[i].pair[k]);
	choose_idle(work);
	if (!parallel_each(&idle, work->n_idle))
		return false;
	take_useless(work);
	pair_survivors(work);
	return parallel_each(&pairs, (work->n_pairs + AT_ONCE - 1) / AT_ONCE);
}

static bool
same_sets(const struct search_graph_alike *a, const struct search_graph_alike *b)
{
	return (fset_equal(&a->one, &b->one) && fset_equal(&a->other, &b->other)) || (fset_equal(&a->one, &b->other)
		&& fset_equal(&a->other, &b->one));
}

/* Leaves out statements that held in no context, that concern useless features, that repeat an equality, or that a
 * stronger one implies. */
static bool
is_worth_saying(const struct alike_work *work, size_t at)
{
	const struct search_graph_alike *x = &work->pair[at].is;

	if (x->kind != GRAPH_SURVIVORS && !x->held)
		return false;
	if (x->kind != GRAPH_SURVIVORS && work->pair[at].feature != ALIKE_NO_CONE &&
		fset_has(&work->s->graph->needs.useless, work->pair[at].feature))
		return false;
	for (size_t i = 0; i < work->n_pairs; i++) {
		const struct search_graph_alike *y = &work->pair[i].is;

		if (i == at || !same_sets(x, y))
			continue;
		if (y->kind == GRAPH_EQUAL && (x->kind != GRAPH_EQUAL || i < at))
			return false;
		if (y->kind == GRAPH_SURVIVORS && x->kind == GRAPH_PARTLY)
			return false;
	}
	return true;
}

static void
search_alike_finish(struct alike_work *work, bool good)
{
	struct search_graph *search = work->s->graph;

	search->alike = mem_new_array(work->n_pairs, sizeof *search->alike);
	for (size_t i = 0; i < work->n_pairs; i++)
		if (good && is_worth_saying(work, i)) {
			search->alike[search->n_alike++] = work->pair[i].is;
		} else {
			free(work->pair[i].is.says);
			free(work->pair[i].is.example);
			free(work->pair[i].is.why);
		}
	for (size_t i = 0; i < work->n_questions; i++)
		free(work->question[i].pair);
	free(work->question);
	free(work->pair);
	free(work->idle);
	free(work->tried);
	alike_cones_free(&work->cones);
	contexts_free(work->contexts);
}

bool
search_find_alike(struct search *search, struct analysis *analysis, struct search_cones *cones, const bool *used,
	const struct analysis_watch *watch)
{
	struct alike_work w = {.s = search, .a = analysis, .used = used, .watch = watch};
	bool good;

	alike_cones_init(&w.cones, analysis->model, used, cones);
	w.contexts = contexts_new(analysis->model, &search->request.on, search->graph);
	choose_bases(&w);
	good = search_alike_answer(&w);
	search_alike_finish(&w, good);
	return good;
}
