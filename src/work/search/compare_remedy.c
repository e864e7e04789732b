/* Finds what else would tell two choices apart, where the counters in use make their cones equal.
 *
 * More columns never make different cones equal. So the search goes from cheap to expensive: each unused counter of the
 * model alone, then pairs, then all of them, from which unneeded ones are removed one at a time. Where no counter of
 * the model suffices, a new counter may: on an event, or on a case of a decision. */
#include "work/search/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"

#define PAIR_COUNTERS 24 /* most unused counters of which pairs are tried; with more, there are too many pairs */
#define PLACES_MAX 400   /* most events and cases that are tried */
#define SECONDS 15.0     /* seconds for the whole search, where single cones take long */

struct remedy_search {
	struct analysis *a;
	struct comparison *c;
	struct udd_diagram *g[2];
	size_t cap;
	double until;
};

static bool
has_time(struct remedy_search *w)
{
	w->c->hurried |= clock_seconds() > w->until;
	return !w->c->hurried;
}

static struct compare_remedy *
add_remedy(struct remedy_search *w, enum compare_place kind, char *what, const struct relation *r)
{
	struct compare_remedy *x;

	mem_grow(&w->c->remedy, &w->cap, w->c->n_remedies + 1, sizeof *w->c->remedy);
	x = &w->c->remedy[w->c->n_remedies++];
	*x = (struct compare_remedy){.kind = kind, .what = what, .relation = r->kind};
	return x;
}

/* Finds the simplest row that one side keeps and the other breaks. `name` are the names of its columns. */
static void
describe_simplest(struct compare_remedy *remedy, const struct relation *relation, const char *const *name, size_t n)
{
	size_t used[2] = {SIZE_MAX, SIZE_MAX};
	struct str text = {0};

	for (int k = 0; k < 2; k++)
		if (relation->n[k]) {
			used[k] = 0;
			for (size_t i = 0; i < n; i++)
				used[k] += relation->row[k][0].coef[i] != 0;
		}
	if (!relation->n[0] && !relation->n[1])
		return;
	remedy->keeper = used[1] < used[0];
	cone_row_text(relation->row[remedy->keeper][0].coef, name, n, relation->row[remedy->keeper][0].equality, false,
		&text);
	remedy->text = str_take(&text);
}

static bool
compare_remedy_differs(const struct relation *r)
{
	return r->kind == RELATION_INSIDE || r->kind == RELATION_CONTAINS || r->kind == RELATION_NEITHER;
}

/* Computes the relation over these counters of the model. */
static void
relate(struct remedy_search *search, const bool *keep, struct relation *relation)
{
	struct relation_side side[2];
	int64_t *row[2];
	size_t *number[2];
	char *error = NULL;

	cones_begin(search->a->cones);
	for (int k = 0; k < 2; k++) {
		side[k].cone = cones_get(search->a->cones, &search->c->on[k], keep);
		row[k] = compare_rows(cones_signatures(search->a->cones, &search->c->on[k], &error), keep,
			side[k].cone->n_counters, &side[k].n, &number[k]);
		side[k].signature = row[k];
	}
	relation_find(side, relation);
	for (int k = 0; k < 2; k++) {
		free(row[k]);
		free(number[k]);
	}
}

/* Adds a remedy if the sides differ over these counters; `more` are the added ones. */
static bool
compare_remedy_try_counters(struct remedy_search *search, const bool *keep, bool note)
{
	const struct udd_model *model = search->a->model;
	const char **name = mem_new_array(model->n_counters, sizeof *name);
	struct relation r;
	struct str what = {0};
	bool found;
	size_t n = 0;

	relate(search, keep, &r);
	found = compare_remedy_differs(&r);
	if (found && note) {
		struct compare_remedy *remedy = add_remedy(search, COMPARE_COUNTERS, NULL, &r);

		remedy->counter = mem_new_array(model->n_counters, sizeof *remedy->counter);
		for (size_t i = 0; i < model->n_counters; i++) {
			if (keep[i])
				name[n++] = model->counter[i].name;
			if (keep[i] && !search->c->used[i]) {
				str_addf(&what, "%s%s", remedy->n ? ", " : "", model->counter[i].name);
				remedy->counter[remedy->n++] = i;
			}
		}
		remedy->what = str_take(&what);
		describe_simplest(remedy, &r, name, n);
	}
	relation_free(&r);
	free(name);
	return found;
}

/* Removes counters that are not needed, one at a time. */
static void
compare_remedy_reduce(struct remedy_search *w, bool *keep)
{
	for (size_t i = 0; i < w->a->model->n_counters && has_time(w); i++) {
		if (!keep[i] || w->c->used[i])
			continue;
		keep[i] = false;
		if (!compare_remedy_try_counters(w, keep, false))
			keep[i] = true;
	}
	compare_remedy_try_counters(w, keep, true);
}

static void
try_pairs(struct remedy_search *w, bool *keep, const size_t *idle, size_t n)
{
	for (size_t x = 0; x < n; x++)
		for (size_t y = x + 1; y < n && has_time(w); y++) {
			keep[idle[x]] = keep[idle[y]] = true;
			compare_remedy_try_counters(w, keep, true);
			keep[idle[x]] = keep[idle[y]] = false;
		}
}

static void
find_counters(struct remedy_search *search)
{
	size_t all = search->a->model->n_counters, n = 0;
	size_t *idle = mem_new_array(all, sizeof *idle);
	bool *keep = mem_copy(search->c->used, all * sizeof *keep);

	for (size_t i = 0; i < all; i++)
		if (!search->c->used[i])
			idle[n++] = i;
	for (size_t i = 0; i < n && has_time(search); i++) {
		keep[idle[i]] = true;
		compare_remedy_try_counters(search, keep, true);
		keep[idle[i]] = false;
	}
	if (n > 1 && !search->c->n_remedies) {
		if (n <= PAIR_COUNTERS)
			try_pairs(search, keep, idle, n);
		for (size_t i = 0; i < n; i++)
			keep[idle[i]] = true;
		if (!search->c->n_remedies && has_time(search) && compare_remedy_try_counters(search, keep, false))
			compare_remedy_reduce(search, keep);
	}
	free(keep);
	free(idle);
}

/* Returns the name of a place, by which both sides can have it: an event, or a case of a decision. NULL for anything
 * else. */
static char *
place_name(const struct udd_diagram *g, uint32_t node, uint32_t edge, enum compare_place kind)
{
	const struct udd_node *v = &g->node[node];

	if (kind == COMPARE_EVENT)
		return v->kind == UDD_EVENT ? mem_str(g->event[v->name]) : NULL;
	if (v->kind != UDD_DECISION || v->property == UDD_NO_PROPERTY || g->edge[edge].fallback)
		return NULL;
	return str_format("%s %s", g->property[v->property], g->value[g->edge[edge].value]);
}

/* Calls `visit` with the name of each node, and of each edge out of a decision. */
static void
visit_places(const struct udd_diagram *diagram, enum compare_place kind,
	void (*visit)(void *ctx, uint32_t at, const char *name), void *ctx)
{
	for (uint32_t n = 0; n < diagram->n_nodes; n++) {
		uint32_t first = diagram->node[n].first_edge,
			 ways = kind == COMPARE_EVENT ? 1 : diagram->node[n].n_edges;

		for (uint32_t i = 0; i < ways; i++) {
			char *name = place_name(diagram, n, first + i, kind);

			if (name)
				visit(ctx, kind == COMPARE_EVENT ? n : first + i, name);
			free(name);
		}
	}
}

static void
collect_name(void *ctx, uint32_t at, const char *name)
{
	struct names *all = ctx;

	(void)at;
	if (all->n < PLACES_MAX)
		names_add(all, name, strlen(name));
}

struct marking {
	const char *name;
	uint32_t *of;
};

static void
mark_place(void *ctx, uint32_t at, const char *name)
{
	struct marking *k = ctx;

	if (str_eq(k->name, name))
		k->of[at] = 0;
}

/* Returns one side's signatures over the counters in use and one on the place. */
static struct signatures *
walk_with(const struct udd_diagram *diagram, enum compare_place kind, const char *name)
{
	size_t n = kind == COMPARE_EVENT ? diagram->n_nodes : diagram->n_edges;
	struct marking k = {.name = name, .of = mem_new_array(n, sizeof *k.of)};
	struct signature_places places = {.n = 1};
	struct diags d = {0};
	struct signatures *sig;

	memset(k.of, 0xff, n * sizeof *k.of); /* every byte 0xff: SIGNATURE_NO_PLACE */
	visit_places(diagram, kind, mark_place, &k);
	*(kind == COMPARE_EVENT ? &places.of_node : &places.of_edge) = k.of;
	sig = signatures_at(diagram, &places, &d);
	diags_free(&d);
	free(k.of);
	return sig;
}

static void
try_place(struct remedy_search *search, enum compare_place kind, const char *place)
{
	size_t all = search->a->model->n_counters, n = 0;
	bool *keep = mem_new_array(all + 1, sizeof *keep);
	const char **name = mem_new_array(all + 1, sizeof *name);
	struct signatures *sig[2] = {walk_with(search->g[0], kind, place), walk_with(search->g[1], kind, place)};
	struct relation r;

	memcpy(keep, search->c->used, all * sizeof *keep);
	keep[all] = true;
	for (size_t i = 0; i < all; i++)
		if (keep[i])
			name[n++] = search->a->model->counter[i].name;
	name[n++] = place;
	if (sig[0] && sig[1]) { /* otherwise there are too many signatures with it */
		struct cone_limits limits = {.seconds = search->a->opt.cone_seconds};
		struct relation_side side[2];
		struct cone *cone[2];
		int64_t *row[2];
		size_t *number[2];

		for (int k = 0; k < 2; k++) {
			row[k] = compare_rows(sig[k], keep, n, &side[k].n, &number[k]);
			cone[k] = cone_new(n, side[k].n, row[k], &limits);
			side[k].cone = cone[k];
			side[k].signature = row[k];
		}
		relation_find(side, &r);
		if (compare_remedy_differs(&r))
			describe_simplest(add_remedy(search, kind, mem_str(place), &r), &r, name, n);
		relation_free(&r);
		for (int k = 0; k < 2; k++) {
			cone_free(cone[k]);
			free(row[k]);
			free(number[k]);
		}
	}
	signatures_free(sig[0]);
	signatures_free(sig[1]);
	free(name);
	free(keep);
}

static void
find_places(struct remedy_search *w, enum compare_place kind)
{
	struct names all = {0};

	for (int k = 0; k < 2; k++)
		visit_places(w->g[k], kind, collect_name, &all);
	for (size_t i = 0; i < all.n && has_time(w); i++)
		try_place(w, kind, all.name[i]);
	names_free(&all);
}

void
compare_find_remedies(struct analysis *analysis, struct comparison *comparison)
{
	struct remedy_search w = {.a = analysis, .c = comparison, .until = clock_seconds() + SECONDS};
	struct diags d = {0};

	find_counters(&w);
	if (!comparison->n_remedies) {
		for (int k = 0; k < 2; k++)
			w.g[k] = udd_expand(analysis->model, &comparison->on[k], &d);
		find_places(&w, COMPARE_EVENT);
		if (!comparison->n_remedies)
			find_places(&w, COMPARE_CASE);
		udd_diagram_free(w.g[0]);
		udd_diagram_free(w.g[1]);
		diags_free(&d);
	}
	comparison->looked = true;
}
