/* The walk visits the blocks of a root (blocks.h) in topological order. Each block has a table of the states in which
 * the walk enters it:
 *
 *   state = (context: values of the live properties, partial signature), both as numbers of interned vectors
 *
 *      block A ──edge──┐                  equal states from A and B become one row,
 *        {s1, s2}      ├──▶ block C       and their numbers of µpaths are added
 *      block B ──edge──┘     {s1', s3'}
 *
 * A block adds what it counts to the signature of each state. Its decision then sends the state along each edge that
 * the property's value allows, or along every edge if the property has no value yet. So the work grows with the number
 * of distinct states, not with the number of µpaths, and each limit below is a limit on states. */
#include "core/cone/signatures.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/blocks.h"
#include "core/cone/paths_gmp.h"
#include "core/cone/state_table.h"
#include "core/cone/sums.h"
#include "core/cone/vectors.h"
#include "core/cone/walk.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

#define STATES_MAX ((size_t)8 << 20)      /* of one walk; 12 bytes each */
#define ROWS_MAX ((size_t)3 << 20)        /* in tables at one time; about 80 bytes each */
/* states sent along edges, plus one per 16 entries of vectors made on the way */
#define STEPS_MAX ((size_t)48 << 20)
#define ENTRIES_MAX ((size_t)16 << 20)    /* of distinct vectors; 12 bytes each */
#define COEFS_MAX ((size_t)32 << 20)      /* of the result, which is dense; 8 bytes each */

struct walker {
	const struct udd_diagram *g;
	struct diags *diags;
	const struct signature_places *places; /* NULL: none */
	struct blocks blocks;                  /* of the current root */
	struct state_table *table;             /* per block of the current root */
	/* the finished signatures; the context is VECTOR_ZERO, or only says that a mark was passed */
	struct state_table found;
	struct vectors contexts, signatures;
	struct vector_delta delta;  /* what the current block counts */
	uint32_t *edge_of;          /* per value number, the edge of the current switch; UINT32_MAX: none */
	struct paths total;
	struct walk *walk;
	/* key of a context's entry that says a mark was passed; the first number after the properties */
	uint32_t mark;
	bool spanning;              /* as in signatures_spanning() */
	size_t steps, rows;
	size_t at;                  /* the block that is being left */
};

static bool
too_large(struct walker *w, const struct state_table *t, uint32_t node, const char *what)
{
	size_t most;
	uint32_t p = state_table_widest(t, &w->contexts, w->mark, &most);
	char *hint = NULL;

	if (p != VECTOR_NO_KEY)
		hint = str_format("the property with the most live values is %s, with %zu", w->g->property[p], most);
	udd_node_error(w->g, node, w->diags,
		hint ? hint : "no property is live here, so the counters make them: count fewer, or choose less often",
		what);
	free(hint);
	return false;
}

static bool
above_limit(struct walker *w, uint32_t node, uint32_t counter)
{
	const char *name = counter < w->g->model->n_counters ? w->g->model->counter[counter].name : "at a place";
	char *text = str_format("counter %.80s rises more than 2^62 times on one µpath", name);

	udd_node_error(w->g, node, w->diags, NULL, text);
	free(text);
	return false;
}

struct entered {
	const struct blocks *blocks;
	size_t block;
	uint32_t mark;
};

static bool
keep_live(void *ctx, uint32_t property)
{
	const struct entered *at = ctx;

	return property == at->mark || blocks_live(at->blocks, at->block, property);
}

static bool
keep_mark(void *ctx, uint32_t property)
{
	return property == *(const uint32_t *)ctx;
}

/* The context of a state that has passed a mark. */
static uint32_t
with_mark(struct walker *w, uint32_t context)
{
	int64_t amount[1] = {1};
	struct vector_delta d = {&w->mark, amount, 1, 1, 1};

	if (!vectors_get(&w->contexts, context, w->mark))
		vectors_add(&w->contexts, context, &d, INT64_MAX, &context);
	return context;
}

static int
compare_mark(const void *key, const void *element)
{
	const struct udd_mark *a = key, *b = element;

	return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/* Whether an edge, taken with this value, passes a mark. */
static bool
passes_mark(const struct walker *w, uint32_t edge, uint32_t value)
{
	const struct udd_diagram *g = w->g;
	struct udd_mark key = {.edge = edge};
	const struct udd_mark *m;

	if (g->edge[edge].mark || !g->n_marks || !g->edge[edge].fallback)
		return g->edge[edge].mark;
	m = bsearch(&key, g->mark, g->n_marks, sizeof *g->mark, compare_mark);
	while (m && m > g->mark && m[-1].edge == edge)
		m--;
	for (; m && m < g->mark + g->n_marks && m->edge == edge; m++)
		if (m->value == value)
			return true;
	return false;
}

/* Adds µpaths to a state in a table. If the state is new, `from` says how it was reached. */
static bool
signatures_arrive(
	struct walker *w, struct state_table *t, uint32_t node, const struct state_row *what, struct walk_state from)
{
	struct state_row *r;

	if (++w->steps > STEPS_MAX)
		return too_large(w, t, node, "too many partial signatures and property values to go through");
	r = state_table_find(t, what->context, what->signature);
	if (t->source != w->at + 1) {
		t->source = w->at + 1;
		t->sources++;
	}
	if (r->state == STATE_NONE) {
		if (t->n > SIGNATURES_MAX)
			return too_large(w, t, node,
				"more than 200000 pairs of partial signature and property values reach this place");
		if (w->walk->n == STATES_MAX || ++w->rows > ROWS_MAX || w->signatures.n_entries > ENTRIES_MAX ||
			w->contexts.n_entries > ENTRIES_MAX)
			return too_large(w, t, node, "too many partial signatures and property values to keep");
		r->state = 0;
		if (w->spanning)
			return true;
		mem_grow(&w->walk->state, &w->walk->cap, w->walk->n + 1, sizeof *w->walk->state);
		r->state = (uint32_t)w->walk->n;
		w->walk->state[w->walk->n++] = from;
		paths_copy(&r->paths, &what->paths);
	} else if (!w->spanning) {
		paths_add(&r->paths, &what->paths);
	}
	return true;
}

/* If the edge is a place, counts that the µpath passes it. False when the count would exceed its limit. */
static bool
pass_edge(struct walker *w, uint32_t edge, uint32_t *signature)
{
	uint32_t place = w->places && w->places->of_edge ? w->places->of_edge[edge] : SIGNATURE_NO_PLACE, key[1];
	int64_t amount[1] = {1};
	struct vector_delta d = {key, amount, 1, 1, 1};

	if (place == SIGNATURE_NO_PLACE)
		return true;
	key[0] = (uint32_t)w->g->model->n_counters + place;
	return vectors_add(&w->signatures, *signature, &d, SIGNATURE_ENTRY_MAX, signature);
}

/* Sends a state along an edge. Properties that are not live in the next block are forgotten. */
static bool
go(struct walker *w, const struct state_row *r, uint32_t edge, uint32_t value)
{
	struct entered at = {&w->blocks, w->blocks.of[w->g->edge[edge].to - w->blocks.from], w->mark};
	struct state_row next = *r;

	if (!pass_edge(w, edge, &next.signature))
		return above_limit(w, w->g->edge[edge].to, (uint32_t)w->g->model->n_counters);
	w->steps += w->contexts.item[next.context].n / 16;
	if (w->contexts.item[next.context].n)
		next.context = vectors_keep(&w->contexts, next.context, keep_live, &at);
	if (w->g->marked && passes_mark(w, edge, value))
		next.context = with_mark(w, next.context);
	return signatures_arrive(
		w, &w->table[at.block], w->g->edge[edge].to, &next, (struct walk_state){r->state, edge, value});
}

/* Does the same as go(), once the property has this value. */
static bool
assign(struct walker *w, const struct state_row *r, uint32_t property, uint32_t edge, uint32_t value)
{
	uint32_t key[1] = {property};
	int64_t amount[1] = {(int64_t)value + 1};
	struct vector_delta d = {key, amount, 1, 1, 1};
	struct state_row next = *r;

	if (blocks_live(&w->blocks, w->blocks.of[w->g->edge[edge].to - w->blocks.from], property))
		vectors_add(&w->contexts, r->context, &d, INT64_MAX, &next.context);
	return go(w, &next, edge, value);
}

static bool
no_case(struct walker *w, const struct state_row *r, uint32_t node, uint32_t value)
{
	struct str assignments = {0};
	const char *property = w->g->property[w->g->node[node].property];
	char *text = str_format("no case for %.80s = %.80s%s", property, w->g->value[value],
		w->g->model->form == UDD_FORM_UDD ? ", and no default" : ""), *hint;

	walk_assignments(w->walk, w->g, r->state, &assignments);
	hint = str_format("on a µpath with %s", str_text(&assignments));
	udd_node_error(w->g, node, w->diags, hint, text);
	str_free(&assignments);
	free(text);
	free(hint);
	return false;
}

/* Sends a state on from a switch: along the case of the property's value, or along every case if it has no value
 * yet. */
static bool
switch_state(struct walker *w, const struct state_row *r, uint32_t node, uint32_t fallback)
{
	const struct udd_node *v = &w->g->node[node];
	const struct udd_domain *domain = &w->g->property_domain[v->property];
	int64_t given = vectors_get(&w->contexts, r->context, v->property);
	bool good = true;

	if (given) {
		uint32_t value = (uint32_t)(given - 1),
			 edge = w->edge_of[value] != UINT32_MAX ? w->edge_of[value] : fallback;

		return edge == UINT32_MAX ? no_case(w, r, node, value) : go(w, r, edge, value);
	}
	for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges && good; e++) {
		if (!w->g->edge[e].fallback) {
			good = assign(w, r, v->property, e, w->g->edge[e].value);
			continue;
		}
		for (uint32_t i = domain->first; i < domain->first + domain->n && good; i++)
			if (w->edge_of[w->g->domain[i]] == UINT32_MAX)
				good = assign(w, r, v->property, e, w->g->domain[i]);
	}
	return good;
}

static bool
decide(struct walker *w, const struct state_table *t, uint32_t node)
{
	const struct udd_node *v = &w->g->node[node];
	uint32_t fallback = UINT32_MAX, end = v->first_edge + v->n_edges;
	bool good = true;

	if (v->property == UDD_NO_PROPERTY) {
		for (size_t i = 0; i < t->n; i++)
			for (uint32_t e = v->first_edge; e < end && good; e++)
				good = go(w, &t->row[i], e, 0);
		return good;
	}
	for (uint32_t e = v->first_edge; e < end; e++)
		*(w->g->edge[e].fallback ? &fallback : &w->edge_of[w->g->edge[e].value]) = e;
	for (size_t i = 0; i < t->n && good; i++)
		good = switch_state(w, &t->row[i], node, fallback);
	for (uint32_t e = v->first_edge; e < end; e++)
		if (!w->g->edge[e].fallback)
			w->edge_of[w->g->edge[e].value] = UINT32_MAX;
	return good;
}

/* Adds up what a block counts from its first node to its last, and whether a mark lies between them. */
static bool
sum_block(struct walker *w, const struct block *b, bool *mark)
{
	w->delta.n = 0;
	*mark = false;
	for (uint32_t n = b->first;; n = w->g->edge[w->g->node[n].first_edge].to) {
		uint32_t place = w->places && w->places->of_node ? w->places->of_node[n] : SIGNATURE_NO_PLACE;

		if (w->g->node[n].kind == UDD_COUNT &&
			!vector_delta_add(&w->delta, w->g->node[n].name, w->g->node[n].amount, SIGNATURE_ENTRY_MAX))
			return above_limit(w, n, w->g->node[n].name);
		if (place != SIGNATURE_NO_PLACE &&
			!vector_delta_add(&w->delta, (uint32_t)w->g->model->n_counters + place, 1, SIGNATURE_ENTRY_MAX))
			return above_limit(w, n, (uint32_t)w->g->model->n_counters);
		if (n == b->last)
			return true;
		*mark |= w->g->edge[w->g->node[n].first_edge].mark;
	}
}

static bool
leave_block(struct walker *w, struct state_table *t, const struct block *b)
{
	const struct udd_node *last = &w->g->node[b->last];
	static const struct paths one = {1, NULL};
	bool good = true;

	if (last->kind == UDD_IMPOSSIBLE)
		return true;
	if (last->kind == UDD_DECISION)
		return decide(w, t, b->last);
	for (size_t i = 0; i < t->n && good; i++) {
		struct state_row *r = &t->row[i];

		if (last->n_edges) {
			good = go(w, r, last->first_edge, 0);
			continue;
		}
		paths_add(&w->total, w->spanning ? &one : &r->paths);
		r->context = w->g->marked ? vectors_keep(&w->contexts, r->context, keep_mark, &w->mark) : VECTOR_ZERO;
		good = signatures_arrive(w, &w->found, b->last, r,
			w->spanning ? (struct walk_state){STATE_NONE, 0, 0} : w->walk->state[r->state]);
	}
	return good;
}

#define DROP_ROWS_MIN 12 /* rows that a table must have before state_table_drop_between() is worth its time */

static bool
walk_block(struct walker *w, size_t k)
{
	struct state_table *t = &w->table[k];
	const struct block *b = &w->blocks.block[k];
	uint32_t sum;
	bool mark, good = sum_block(w, b, &mark);

	w->at = k;
	if (w->spanning && t->n >= DROP_ROWS_MIN && t->sources > 1)
		state_table_drop_between(t, &w->signatures);
	for (size_t i = 0; i < t->n && good; i++) {
		w->steps += w->delta.n ? w->signatures.item[t->row[i].signature].n / 16 : 0;
		good = vectors_add(&w->signatures, t->row[i].signature, &w->delta, SIGNATURE_ENTRY_MAX, &sum) ||
			above_limit(w, b->last, sum);
		t->row[i].signature = sum;
		if (mark)
			t->row[i].context = with_mark(w, t->row[i].context);
	}
	good = good && leave_block(w, t, b);
	w->rows -= t->n < w->rows ? t->n : w->rows;
	state_table_free(t);
	return good;
}

static bool
walk_root(struct walker *w, size_t root)
{
	struct state_row start = {VECTOR_ZERO, VECTOR_ZERO, STATE_NONE, {1, NULL}};
	bool good;

	if (w->g->root_mark && w->g->root_mark[root])
		start.context = with_mark(w, VECTOR_ZERO);
	blocks_init(&w->blocks, w->g, root);
	w->table = mem_new_array(w->blocks.n, sizeof *w->table);
	good = signatures_arrive(
		w, &w->table[0], w->g->root_node[root], &start, (struct walk_state){STATE_NONE, (uint32_t)root, 0});
	for (size_t k = 0; k < w->blocks.n && good; k++)
		good = walk_block(w, k);
	for (size_t k = 0; k < w->blocks.n; k++)
		state_table_free(&w->table[k]);
	free(w->table);
	blocks_free(&w->blocks);
	return good;
}

static void
signatures_fill(struct walker *w, struct signatures *s)
{
	s->coef = mem_new_array(w->found.n, s->n_counters * sizeof *s->coef);
	if (!w->spanning) {
		s->paths = mem_new_array(w->found.n, sizeof *s->paths);
		s->walk->last = mem_new_array(w->found.n, sizeof *s->walk->last);
	}
	s->marked = w->g->marked ? mem_new_array(w->found.n, sizeof *s->marked) : NULL;
	for (size_t i = 0; i < w->found.n; i++) {
		const struct state_row *r = &w->found.row[i];
		const struct vector_item *v = &w->signatures.item[r->signature];

		if (r->signature == VECTOR_ZERO) {
			s->zero_marked |= r->context != VECTOR_ZERO;
			continue;
		}
		if (s->marked)
			s->marked[s->n] = r->context != VECTOR_ZERO;
		for (size_t k = v->first; k < v->first + v->n; k++)
			s->coef[s->n * s->n_counters + w->signatures.key[k]] = w->signatures.amount[k];
		if (!w->spanning) {
			s->paths[s->n] = paths_text(&r->paths);
			s->walk->last[s->n] = r->state;
		}
		s->n++;
	}
	if (w->spanning)
		return;
	s->total = paths_text(&w->total);
	walk_forget(s->walk, s->n);
}

static bool
check_result(struct walker *w, size_t n_counters)
{
	if (paths_is_zero(&w->total)) {
		udd_node_error(w->g, w->g->root_node[0], w->diags,
			"every way through the paths that are on ends in impossible",
			"this choice of features leaves no µpath");
		return false;
	}
	if (w->found.n * n_counters > COEFS_MAX) {
		char *text = str_format("%zu signatures of %zu counters are too many to keep", w->found.n, n_counters);

		udd_node_error(w->g, w->g->root_node[0], w->diags, NULL, text);
		free(text);
		return false;
	}
	return true;
}

static struct signatures *
walk_all(const struct udd_diagram *g, const struct signature_places *places, bool spanning, struct diags *d)
{
	struct signatures *s = mem_new(sizeof *s);
	struct walker w = {
		.g = g, .diags = d, .mark = (uint32_t)g->n_properties, .places = places, .spanning = spanning};
	bool good = true;

	s->n_counters = g->model->n_counters + (places ? places->n : 0);
	s->walk = w.walk = mem_new(sizeof *s->walk);
	vectors_init(&w.contexts);
	vectors_init(&w.signatures);
	w.edge_of = mem_new_array(g->n_values, sizeof *w.edge_of);
	memset(w.edge_of, 0xff, g->n_values * sizeof *w.edge_of);
	for (size_t i = 0; i < g->n_roots && good; i++)
		good = walk_root(&w, i);
	good = good && check_result(&w, s->n_counters);
	if (good) {
		signatures_fill(&w, s);
		good = sums_check(s, g, d);
	}
	state_table_free(&w.found);
	vectors_free(&w.contexts);
	vectors_free(&w.signatures);
	vector_delta_free(&w.delta);
	free(w.edge_of);
	paths_free(&w.total);
	if (spanning) {
		walk_free(s->walk);
		s->walk = NULL;
	}
	if (good)
		return s;
	signatures_free(s);
	return NULL;
}

struct signatures *
signatures_new(const struct udd_diagram *g, struct diags *d)
{
	return walk_all(g, NULL, false, d);
}

struct signatures *
signatures_at(const struct udd_diagram *g, const struct signature_places *places, struct diags *d)
{
	return walk_all(g, places, false, d);
}

struct signatures *
signatures_spanning(const struct udd_diagram *g, struct diags *d)
{
	return walk_all(g, NULL, true, d);
}

void
signatures_free(struct signatures *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->paths && i < s->n; i++)
		free(s->paths[i]);
	free(s->paths);
	free(s->marked);
	free(s->coef);
	free(s->total);
	walk_free(s->walk);
	free(s);
}

size_t
signatures_bytes(const struct signatures *s)
{
	size_t text = 0;

	for (size_t i = 0; i < s->n; i++)
		text += strlen(s->paths[i]) + 1 + sizeof *s->paths;
	return sizeof *s + s->n * (s->n_counters * sizeof *s->coef + sizeof *s->walk->last) + text + sizeof *s->walk +
		s->walk->n * sizeof *s->walk->state;
}
