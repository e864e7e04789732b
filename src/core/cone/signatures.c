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
too_large(struct walker *walker, const struct state_table *table, uint32_t node, const char *what)
{
	size_t most;
	uint32_t p = state_table_widest(table, &walker->contexts, walker->mark, &most);
	char *hint = NULL;

	if (p != VECTOR_NO_KEY)
		hint = str_format(
			"the property with the most live values is %s, with %zu", walker->g->property[p], most);
	udd_node_error(walker->g, node, walker->diags,
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

/* Returns whether an edge, taken with this value, passes a mark. */
static bool
passes_mark(const struct walker *walker, uint32_t edge, uint32_t value)
{
	const struct udd_diagram *diagram = walker->g;
	struct udd_mark key = {.edge = edge};
	const struct udd_mark *mark;

	if (diagram->edge[edge].mark || !diagram->n_marks || !diagram->edge[edge].fallback)
		return diagram->edge[edge].mark;
	mark = bsearch(&key, diagram->mark, diagram->n_marks, sizeof *diagram->mark, compare_mark);
	while (mark && mark > diagram->mark && mark[-1].edge == edge)
		mark--;
	for (; mark && mark < diagram->mark + diagram->n_marks && mark->edge == edge; mark++)
		if (mark->value == value)
			return true;
	return false;
}

/* Adds µpaths to a state in a table. If the state is new, `from` says how it was reached. */
static bool
signatures_arrive(struct walker *walker, struct state_table *table, uint32_t node, const struct state_row *what,
	struct walk_state from)
{
	struct state_row *row;

	if (++walker->steps > STEPS_MAX)
		return too_large(walker, table, node, "too many partial signatures and property values to go through");
	row = state_table_find(table, what->context, what->signature);
	if (table->source != walker->at + 1) {
		table->source = walker->at + 1;
		table->sources++;
	}
	if (row->state == STATE_NONE) {
		if (table->n > SIGNATURES_MAX)
			return too_large(walker, table, node,
				"more than 200000 pairs of partial signature and property values reach this place");
		if (walker->walk->n == STATES_MAX || ++walker->rows > ROWS_MAX ||
			walker->signatures.n_entries > ENTRIES_MAX || walker->contexts.n_entries > ENTRIES_MAX)
			return too_large(
				walker, table, node, "too many partial signatures and property values to keep");
		row->state = 0;
		if (walker->spanning)
			return true;
		mem_grow(&walker->walk->state, &walker->walk->cap, walker->walk->n + 1, sizeof *walker->walk->state);
		row->state = (uint32_t)walker->walk->n;
		walker->walk->state[walker->walk->n++] = from;
		paths_copy(&row->paths, &what->paths);
	} else if (!walker->spanning) {
		paths_add(&row->paths, &what->paths);
	}
	return true;
}

/* If the edge is a place, counts that the µpath passes it. Returns false when the count would exceed its limit. */
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
go(struct walker *walker, const struct state_row *row, uint32_t edge, uint32_t value)
{
	struct entered at = {
		&walker->blocks, walker->blocks.of[walker->g->edge[edge].to - walker->blocks.from], walker->mark};
	struct state_row next = *row;

	if (!pass_edge(walker, edge, &next.signature))
		return above_limit(walker, walker->g->edge[edge].to, (uint32_t)walker->g->model->n_counters);
	walker->steps += walker->contexts.item[next.context].n / 16;
	if (walker->contexts.item[next.context].n)
		next.context = vectors_keep(&walker->contexts, next.context, keep_live, &at);
	if (walker->g->marked && passes_mark(walker, edge, value))
		next.context = with_mark(walker, next.context);
	return signatures_arrive(walker, &walker->table[at.block], walker->g->edge[edge].to, &next,
		(struct walk_state){row->state, edge, value});
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
no_case(struct walker *w, const struct state_row *row, uint32_t node, uint32_t value)
{
	struct str assignments = {0};
	const char *property = w->g->property[w->g->node[node].property];
	char *text = str_format("no case for %.80s = %.80s%s", property, w->g->value[value],
		w->g->model->form == UDD_FORM_UDD ? ", and no default" : ""), *hint;

	walk_assignments(w->walk, w->g, row->state, &assignments);
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
switch_state(struct walker *walker, const struct state_row *r, uint32_t node, uint32_t fallback)
{
	const struct udd_node *udd_node = &walker->g->node[node];
	const struct udd_domain *domain = &walker->g->property_domain[udd_node->property];
	int64_t given = vectors_get(&walker->contexts, r->context, udd_node->property);
	bool good = true;

	if (given) {
		uint32_t value = (uint32_t)(given - 1),
			 edge = walker->edge_of[value] != UINT32_MAX ? walker->edge_of[value] : fallback;

		return edge == UINT32_MAX ? no_case(walker, r, node, value) : go(walker, r, edge, value);
	}
	for (uint32_t e = udd_node->first_edge; e < udd_node->first_edge + udd_node->n_edges && good; e++) {
		if (!walker->g->edge[e].fallback) {
			good = assign(walker, r, udd_node->property, e, walker->g->edge[e].value);
			continue;
		}
		for (uint32_t i = domain->first; i < domain->first + domain->n && good; i++)
			if (walker->edge_of[walker->g->domain[i]] == UINT32_MAX)
				good = assign(walker, r, udd_node->property, e, walker->g->domain[i]);
	}
	return good;
}

static bool
decide(struct walker *walker, const struct state_table *table, uint32_t node)
{
	const struct udd_node *udd_node = &walker->g->node[node];
	uint32_t fallback = UINT32_MAX, end = udd_node->first_edge + udd_node->n_edges;
	bool good = true;

	if (udd_node->property == UDD_NO_PROPERTY) {
		for (size_t i = 0; i < table->n; i++)
			for (uint32_t e = udd_node->first_edge; e < end && good; e++)
				good = go(walker, &table->row[i], e, 0);
		return good;
	}
	for (uint32_t e = udd_node->first_edge; e < end; e++)
		*(walker->g->edge[e].fallback ? &fallback : &walker->edge_of[walker->g->edge[e].value]) = e;
	for (size_t i = 0; i < table->n && good; i++)
		good = switch_state(walker, &table->row[i], node, fallback);
	for (uint32_t e = udd_node->first_edge; e < end; e++)
		if (!walker->g->edge[e].fallback)
			walker->edge_of[walker->g->edge[e].value] = UINT32_MAX;
	return good;
}

/* Adds up what a block counts from its first node to its last, and whether a mark lies between them. */
static bool
sum_block(struct walker *walker, const struct block *block, bool *mark)
{
	walker->delta.n = 0;
	*mark = false;
	for (uint32_t n = block->first;; n = walker->g->edge[walker->g->node[n].first_edge].to) {
		uint32_t place = walker->places && walker->places->of_node ? walker->places->of_node[n]
									   : SIGNATURE_NO_PLACE;

		if (walker->g->node[n].kind == UDD_COUNT &&
			!vector_delta_add(&walker->delta, walker->g->node[n].name, walker->g->node[n].amount,
				SIGNATURE_ENTRY_MAX))
			return above_limit(walker, n, walker->g->node[n].name);
		if (place != SIGNATURE_NO_PLACE &&
			!vector_delta_add(
				&walker->delta, (uint32_t)walker->g->model->n_counters + place, 1, SIGNATURE_ENTRY_MAX))
			return above_limit(walker, n, (uint32_t)walker->g->model->n_counters);
		if (n == block->last)
			return true;
		*mark |= walker->g->edge[walker->g->node[n].first_edge].mark;
	}
}

static bool
leave_block(struct walker *walker, struct state_table *table, const struct block *block)
{
	const struct udd_node *last = &walker->g->node[block->last];
	static const struct paths one = {1, NULL};
	bool good = true;

	if (last->kind == UDD_IMPOSSIBLE)
		return true;
	if (last->kind == UDD_DECISION)
		return decide(walker, table, block->last);
	for (size_t i = 0; i < table->n && good; i++) {
		struct state_row *row = &table->row[i];

		if (last->n_edges) {
			good = go(walker, row, last->first_edge, 0);
			continue;
		}
		paths_add(&walker->total, walker->spanning ? &one : &row->paths);
		row->context = walker->g->marked
			? vectors_keep(&walker->contexts, row->context, keep_mark, &walker->mark)
			: VECTOR_ZERO;
		good = signatures_arrive(walker, &walker->found, block->last, row,
			walker->spanning ? (struct walk_state){STATE_NONE, 0, 0} : walker->walk->state[row->state]);
	}
	return good;
}

#define DROP_ROWS_MIN 12 /* rows that a table must have before state_table_drop_between() is worth its time */

static bool
walk_block(struct walker *walker, size_t k)
{
	struct state_table *table = &walker->table[k];
	const struct block *b = &walker->blocks.block[k];
	uint32_t sum;
	bool mark, good = sum_block(walker, b, &mark);

	walker->at = k;
	if (walker->spanning && table->n >= DROP_ROWS_MIN && table->sources > 1)
		state_table_drop_between(table, &walker->signatures);
	for (size_t i = 0; i < table->n && good; i++) {
		walker->steps += walker->delta.n ? walker->signatures.item[table->row[i].signature].n / 16 : 0;
		good = vectors_add(&walker->signatures, table->row[i].signature, &walker->delta, SIGNATURE_ENTRY_MAX,
			       &sum) ||
			above_limit(walker, b->last, sum);
		table->row[i].signature = sum;
		if (mark)
			table->row[i].context = with_mark(walker, table->row[i].context);
	}
	good = good && leave_block(walker, table, b);
	walker->rows -= table->n < walker->rows ? table->n : walker->rows;
	state_table_free(table);
	return good;
}

static bool
walk_root(struct walker *walker, size_t root)
{
	struct state_row start = {VECTOR_ZERO, VECTOR_ZERO, STATE_NONE, {1, NULL}};
	bool good;

	if (walker->g->root_mark && walker->g->root_mark[root])
		start.context = with_mark(walker, VECTOR_ZERO);
	blocks_init(&walker->blocks, walker->g, root);
	walker->table = mem_new_array(walker->blocks.n, sizeof *walker->table);
	good = signatures_arrive(walker, &walker->table[0], walker->g->root_node[root], &start,
		(struct walk_state){STATE_NONE, (uint32_t)root, 0});
	for (size_t k = 0; k < walker->blocks.n && good; k++)
		good = walk_block(walker, k);
	for (size_t k = 0; k < walker->blocks.n; k++)
		state_table_free(&walker->table[k]);
	free(walker->table);
	blocks_free(&walker->blocks);
	return good;
}

static void
signatures_fill(struct walker *walker, struct signatures *signatures)
{
	signatures->coef = mem_new_array(walker->found.n, signatures->n_counters * sizeof *signatures->coef);
	if (!walker->spanning) {
		signatures->paths = mem_new_array(walker->found.n, sizeof *signatures->paths);
		signatures->walk->last = mem_new_array(walker->found.n, sizeof *signatures->walk->last);
	}
	signatures->marked = walker->g->marked ? mem_new_array(walker->found.n, sizeof *signatures->marked) : NULL;
	for (size_t i = 0; i < walker->found.n; i++) {
		const struct state_row *row = &walker->found.row[i];
		const struct vector_item *item = &walker->signatures.item[row->signature];

		if (row->signature == VECTOR_ZERO) {
			signatures->zero_marked |= row->context != VECTOR_ZERO;
			continue;
		}
		if (signatures->marked)
			signatures->marked[signatures->n] = row->context != VECTOR_ZERO;
		for (size_t k = item->first; k < item->first + item->n; k++)
			signatures->coef[signatures->n * signatures->n_counters + walker->signatures.key[k]] =
				walker->signatures.amount[k];
		if (!walker->spanning) {
			signatures->paths[signatures->n] = paths_text(&row->paths);
			signatures->walk->last[signatures->n] = row->state;
		}
		signatures->n++;
	}
	if (walker->spanning)
		return;
	signatures->total = paths_text(&walker->total);
	walk_forget(signatures->walk, signatures->n);
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
walk_all(const struct udd_diagram *diagram, const struct signature_places *places, bool spanning, struct diags *diags)
{
	struct signatures *signatures = mem_new(sizeof *signatures);
	struct walker w = {.g = diagram,
		.diags = diags,
		.mark = (uint32_t)diagram->n_properties,
		.places = places,
		.spanning = spanning};
	bool good = true;

	signatures->n_counters = diagram->model->n_counters + (places ? places->n : 0);
	signatures->walk = w.walk = mem_new(sizeof *signatures->walk);
	vectors_init(&w.contexts);
	vectors_init(&w.signatures);
	w.edge_of = mem_new_array(diagram->n_values, sizeof *w.edge_of);
	memset(w.edge_of, 0xff, diagram->n_values * sizeof *w.edge_of);
	for (size_t i = 0; i < diagram->n_roots && good; i++)
		good = walk_root(&w, i);
	good = good && check_result(&w, signatures->n_counters);
	if (good) {
		signatures_fill(&w, signatures);
		good = sums_check(signatures, diagram, diags);
	}
	state_table_free(&w.found);
	vectors_free(&w.contexts);
	vectors_free(&w.signatures);
	vector_delta_free(&w.delta);
	free(w.edge_of);
	paths_free(&w.total);
	if (spanning) {
		walk_free(signatures->walk);
		signatures->walk = NULL;
	}
	if (good)
		return signatures;
	signatures_free(signatures);
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
signatures_free(struct signatures *signatures)
{
	if (!signatures)
		return;
	for (size_t i = 0; signatures->paths && i < signatures->n; i++)
		free(signatures->paths[i]);
	free(signatures->paths);
	free(signatures->marked);
	free(signatures->coef);
	free(signatures->total);
	walk_free(signatures->walk);
	free(signatures);
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
