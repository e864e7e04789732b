/* Which signatures need a feature: the marked walk compared with lists of all µpaths, with the feature and without
 * it. */
#include "core/cone/uses.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "models.h"
#include "test.h"

enum { FEATURES = 4, COUNTERS = 3, PROPERTIES = 2, VALUES = 3 };

/* Random models in which every place has an event of its own, so that different texts have different µpaths. */
struct text {
	struct str t;
	uint64_t seed;
	unsigned events, size;
};

static unsigned
pick(struct text *x, unsigned n)
{
	return (unsigned)(test_random(&x->seed) % n);
}

static void
add_guard(struct text *x, unsigned depth)
{
	switch (depth < 2 ? pick(x, 5) : 0) {
	case 0:
	case 1:
		str_addf(&x->t, "f%u", pick(x, FEATURES));
		return;
	case 2:
		str_add(&x->t, "!");
		str_add(&x->t, "(");
		add_guard(x, depth + 1);
		str_add(&x->t, ")");
		return;
	default:
		str_add(&x->t, "(");
		add_guard(x, depth + 1);
		str_add(&x->t, pick(x, 2) ? " && " : " || ");
		add_guard(x, depth + 1);
		str_add(&x->t, ")");
	}
}

static void
add_event(struct text *x)
{
	str_addf(&x->t, " event e%u;", x->events++);
	if (pick(x, 2))
		str_addf(&x->t, " count c%u;", pick(x, COUNTERS));
}

static void add_block(struct text *x, unsigned depth);

static void
add_decision(struct text *x, unsigned depth, bool property)
{
	unsigned n = 1 + pick(x, VALUES);

	if (property)
		str_addf(&x->t, " switch (P%u) {", pick(x, PROPERTIES));
	else
		str_add(&x->t, " choose {");
	for (unsigned i = 0; i < n; i++) {
		str_addf(&x->t, " case V%u", i);
		if (pick(x, 2)) {
			str_add(&x->t, " when ");
			add_guard(x, 0);
		}
		str_add(&x->t, ":");
		add_event(x);
		add_block(x, depth + 1);
	}
	if (property) { /* every value has a case */
		str_add(&x->t, " default:");
		add_event(x);
		add_block(x, depth + 1);
	} else {
		str_add(&x->t, " case Else:");
		add_event(x);
	}
	str_add(&x->t, " }");
}

static void
add_when(struct text *x, unsigned depth)
{
	str_add(&x->t, " when (");
	add_guard(x, 0);
	str_add(&x->t, ") {");
	if (pick(x, 4)) {
		add_event(x);
		add_block(x, depth + 1);
	}
	if (pick(x, 8) == 0)
		str_addf(&x->t, " event e%u; done;", x->events++);
	str_add(&x->t, " }");
	if (pick(x, 2)) {
		str_add(&x->t, " else {");
		add_event(x);
		add_block(x, depth + 1);
		str_add(&x->t, " }");
	}
}

static void
add_block(struct text *x, unsigned depth)
{
	unsigned n = depth > 3 || x->size > 12 ? 0 : pick(x, 3) + (depth == 0);

	for (unsigned i = 0; i < n; i++) {
		x->size++;
		switch (pick(x, 8)) {
		case 0:
			add_event(x);
			break;
		case 1:
			str_add(&x->t, " both {");
			add_block(x, depth + 1);
			str_add(&x->t, " } and {");
			add_block(x, depth + 1);
			str_add(&x->t, " }");
			break;
		case 2:
			str_addf(&x->t, " part(f%u);", pick(x, FEATURES));
			break;
		case 3:
			str_add(&x->t, " repeat (0..1) {");
			add_event(x);
			add_block(x, depth + 1);
			str_add(&x->t, " }");
			break;
		case 4:
			add_decision(x, depth, false);
			break;
		case 5:
			add_decision(x, depth, true);
			break;
		default:
			add_when(x, depth);
		}
	}
}

static struct udd_model *
random_model(uint64_t seed, char **text)
{
	struct text x = {.seed = seed};
	struct diags d = {0};
	struct udd_model *m;

	str_add(&x.t, "model m;\n");
	for (int i = 0; i < COUNTERS; i++)
		str_addf(&x.t, "counter c%d;\n", i);
	for (unsigned i = 0; i < FEATURES; i++) {
		str_addf(&x.t, "feature f%u", i);
		if (i && pick(&x, 3) == 0)
			str_addf(&x.t, " requires f%u", pick(&x, i));
		str_add(&x.t, ";\n");
	}
	str_add(&x.t,
		"def part(F) { when (<F>) { event p1; count c0; } else { event p2; } event p3; when (!<F>) { return; } "
		"event p4; }\n");
	str_add(&x.t, "path p {");
	add_block(&x, 0);
	str_add(&x.t, " event last; }\npath q when ");
	add_guard(&x, 0);
	str_add(&x.t, " {");
	add_block(&x, 2);
	str_add(&x.t, " event final; count c1; }\n");
	m = model_from_text(str_text(&x.t), x.t.n, &d);
	if (!m)
		CHECK_STR(d.n ? d.item[0].text : "an error without a message", "");
	diags_free(&d);
	*text = str_take(&x.t);
	return m;
}

/* µpaths as texts: path, values taken, events, and at the end the signature. */
struct list {
	const struct udd_diagram *g, *other; /* values that `other` does not have count as one */
	struct names paths;
	struct str so_far;
	int64_t sum[COUNTERS];
	uint32_t *value;
};

static bool
knows(const struct udd_diagram *g, const char *root, const char *property, const char *value)
{
	/* A property's number is that of its root; here names separate properties, because p and q may share one. */
	for (size_t r = 0; r < g->n_roots; r++) {
		uint32_t to = r + 1 < g->n_roots ? g->root_node[r + 1] : (uint32_t)g->n_nodes;

		if (!str_eq(g->model->root[g->root[r]].name, root))
			continue;
		for (uint32_t v = g->root_node[r]; v < to; v++) {
			const struct udd_domain *d;

			if (g->node[v].kind != UDD_DECISION || g->node[v].property == UDD_NO_PROPERTY ||
				!str_eq(g->property[g->node[v].property], property))
				continue;
			d = &g->property_domain[g->node[v].property];
			for (uint32_t k = d->first; k < d->first + d->n; k++)
				if (str_eq(g->value[g->domain[k]], value))
					return true;
		}
	}
	return false;
}

static void walk(struct list *, const char *root, uint32_t node);

static void
take(struct list *l, const char *root, uint32_t to, const char *what, const char *value)
{
	size_t n = l->so_far.n;

	str_addf(&l->so_far, " %s=%s", what, value);
	walk(l, root, to);
	l->so_far.n = n;
	l->so_far.s[n] = '\0';
}

static void
walk_switch(struct list *l, const char *root, const struct udd_node *v)
{
	const struct udd_domain *d = &l->g->property_domain[v->property];
	uint32_t *value = &l->value[v->property], was = *value;
	const char *name = l->g->property[v->property];

	for (uint32_t k = d->first; k < d->first + d->n; k++) {
		const struct udd_edge *edge = NULL;
		const char *text = l->g->value[l->g->domain[k]];

		if (was && was != l->g->domain[k] + 1)
			continue;
		for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges; e++)
			if (!l->g->edge[e].fallback && l->g->edge[e].value == l->g->domain[k])
				edge = &l->g->edge[e];
		for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges && !edge; e++)
			if (l->g->edge[e].fallback)
				edge = &l->g->edge[e];
		if (!edge)
			continue;
		*value = l->g->domain[k] + 1;
		take(l, root, edge->to, name, knows(l->other, root, name, text) ? text : "(other)");
		*value = was;
	}
}

static void
walk(struct list *l, const char *root, uint32_t node)
{
	const struct udd_node *v = &l->g->node[node];
	size_t n = l->so_far.n;

	if (v->kind == UDD_IMPOSSIBLE)
		return;
	if (v->kind == UDD_COUNT)
		l->sum[v->name] += v->amount;
	if (v->kind == UDD_EVENT)
		str_addf(&l->so_far, " %s", l->g->event[v->name]);
	if (v->n_edges == 0) {
		str_add(&l->so_far, " |");
		for (int c = 0; c < COUNTERS; c++)
			str_addf(&l->so_far, " %lld", (long long)l->sum[c]);
		names_add(&l->paths, str_text(&l->so_far), l->so_far.n);
	} else if (v->kind == UDD_DECISION && v->property != UDD_NO_PROPERTY) {
		walk_switch(l, root, v);
	} else {
		for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges; e++)
			take(l, root, l->g->edge[e].to, "",
				v->kind == UDD_DECISION ? l->g->label[l->g->edge[e].label] : "");
	}
	if (v->kind == UDD_COUNT)
		l->sum[v->name] -= v->amount;
	l->so_far.n = n;
	if (l->so_far.s)
		l->so_far.s[n] = '\0';
}

static struct names
list_paths(const struct udd_diagram *g, const struct udd_diagram *other)
{
	struct list l = {.g = g, .other = other};

	l.value = mem_new_array(g->n_properties, sizeof *l.value);
	for (size_t r = 0; r < g->n_roots; r++) {
		const char *name = g->model->root[g->root[r]].name;

		str_add(&l.so_far, name);
		walk(&l, name, g->root_node[r]);
		l.so_far.n = 0;
	}
	free(l.value);
	str_free(&l.so_far);
	return l.paths;
}

static bool
has_signature(const struct names *paths, const char *end)
{
	for (size_t i = 0; i < paths->n; i++)
		if (str_ends(paths->name[i], end))
			return true;
	return false;
}

/* USE_ALWAYS if no µpath without the feature has this signature, USE_SOMETIMES if some µpath with the feature is not
 * among those without, else USE_NEVER. */
static enum uses_kind
use_of(const struct names *on, const struct names *off, const int64_t *coef)
{
	struct str end = {0};
	bool with = false, without;

	str_add(&end, " |");
	for (int c = 0; c < COUNTERS; c++)
		str_addf(&end, " %lld", (long long)coef[c]);
	for (size_t i = 0; i < on->n; i++)
		if (str_ends(on->name[i], str_text(&end)))
			with |= names_find(off, on->name[i], strlen(on->name[i])) == NAMES_NONE;
	without = has_signature(off, str_text(&end));
	str_free(&end);
	return with && without ? USE_SOMETIMES : with ? USE_ALWAYS : USE_NEVER;
}

static size_t
compare(const struct udd_model *m, const struct fset *on, size_t feature, size_t seen[3])
{
	static const int64_t zero[COUNTERS];
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(m, on, &d), *without = NULL;
	struct signatures *sig = g ? signatures_new(g, &d) : NULL;
	struct uses *u = sig ? uses_new(m, sig, on, feature, &d) : NULL;
	size_t n = 0;

	if (u)
		without = udd_expand(m, &u->off, &d);
	if (without && strlen(sig->total) < 5) {
		struct names with = list_paths(g, without), off = list_paths(without, without);

		for (; n < sig->n; n++) {
			enum uses_kind want = use_of(&with, &off, sig->coef + n * sig->n_counters);

			CHECK_INT(u->of[n], want);
			seen[want]++;
		}
		CHECK_INT(u->unseen, use_of(&with, &off, zero) != USE_NEVER);
		names_free(&with);
		names_free(&off);
	}
	if (sig && !u)
		CHECK_STR(d.n ? d.item[0].text : "an error without a message", "");
	uses_free(u);
	signatures_free(sig);
	udd_diagram_free(g);
	udd_diagram_free(without);
	diags_free(&d);
	return n;
}

static void
random_models_agree_with_lists_of_upaths(void)
{
	size_t seen[3] = {0};

	for (uint64_t seed = 1; seed <= test_rounds(1500, 20000); seed++) {
		char *text;
		struct udd_model *m = random_model(seed, &text);
		struct err e;

		for (unsigned set = 1; m && set < 1u << FEATURES; set += 1 + (unsigned)seed % 3) {
			struct fset on = {{set}};

			for (size_t f = 0; f < FEATURES && udd_legal(m, &on, &e); f++)
				if (fset_has(&on, f)) {
					test_label("seed %llu, features %u without f%zu of %.120s",
						(unsigned long long)seed, set, f, strstr(text, "path p"));
					compare(m, &on, f, seen);
				}
		}
		udd_free(m);
		free(text);
	}
	test_label("all");
	for (int k = 0; k < 3; k++)
		CHECK(seen[k] > 1000);
}

/* Compares how often each signature needs the feature, as "1 0 2". */
static void
check_text(const char *text, size_t feature, const char *want)
{
	struct diags d = {0};
	struct udd_model *m = model_from_text(text, strlen(text), &d);
	struct fset on = {0};
	struct udd_diagram *g;
	struct signatures *sig;
	struct uses *u;
	struct str got = {0};

	test_label("%.150s", text);
	if (!CHECK(m != NULL))
		return;
	for (size_t i = 0; i < m->n_features; i++)
		fset_put(&on, i, true);
	g = udd_expand(m, &on, &d);
	sig = signatures_new(g, &d);
	u = uses_new(m, sig, &on, feature, &d);
	for (size_t k = 0; u && k < u->n; k++)
		str_addf(&got, "%s%d", k ? " " : "", u->of[k]);
	if (u && u->unseen)
		str_add(&got, " unseen");
	CHECK_STR(str_text(&got), want);
	str_free(&got);
	uses_free(u);
	signatures_free(sig);
	udd_diagram_free(g);
	udd_free(m);
	diags_free(&d);
}

static void
what_needs_a_feature(void)
{
	/* a case, a branch, its else, a path */
	check_text("model m; feature F; path p { choose { case A: count a; case B when F: count b; } }", 0, "0 2");
	check_text("model m; feature F; path p { when (F) { count a; } else { count b; } }", 0, "2");
	check_text("model m; feature F; path p { count b; } path q when F { count a; }", 0, "0 2");
	/* what the feature takes away: every µpath there exists only because of it */
	check_text("model m; feature F; path p { count a; when (!F) { count b; } }", 0, "2");
	check_text(
		"model m; feature F; path p { choose { case A: when (!F) { impossible; } count a; case B: count b; } }",
		0, "2 0");
	/* what another feature gives as well does not count */
	check_text("model m; feature F; feature G; path p { when (F || G) { count a; } choose { case X when F && G: "
		   "count b; case Y: } }",
		0, "0 2");
	/* the same signature with and without; no counter raised */
	check_text("model m; feature F; path p { choose { case A when F: count a; case B: count a; } }", 0, "1");
	check_text("model m; feature F; path p { choose { case A when F: case B: count a; } }", 0, "0 unseen");
	/* features that require it are switched off with it */
	check_text("model m; feature F; feature G requires F; path p { choose { case A when G: count a; case B: count "
		   "b; } }",
		0, "2 0");
	check_text("model m; feature F; feature G requires F; path p { choose { case A when F: count a; case B: count "
		   "b; } }",
		1, "0 0");
	/* a default for a value that has its own case without the feature */
	check_text("model m; feature F; path p { switch (P) { case X: count x; case Y: count y; } "
		"switch (P) { case X when !F: count a; default: count b; } }", 0, "2 0");
	/* a decision without an effect does not count; its effects do */
	check_text("model m; feature F; path p { when (F) { switch (M) { case New: case Merged: count m; done; } } "
		   "count w; }",
		0, "2 0");
	check_text("model m; feature F; def d() { when (F) { switch (M) { case New: case Merged: return; } } count w; "
		   "} path p { count a; d(); }",
		0, "2 0");
	/* another order: the model without the feature makes the same signature, so it may come from there */
	check_text("model m; feature F; path p { when (!F) { count a; } count b; when (F) { count a; } }", 0, "1");
	/* without it the model is in error */
	check_text("model m; feature F; path p when F { count a; }", 0, "2");
	/* order alone does not count */
	check_text("model m; feature F; path p { A: count a; B: count b; when (F) { before A, B; } }", 0, "0");
}

TEST_MAIN(CASE(what_needs_a_feature), CASE(random_models_agree_with_lists_of_upaths))
