/* Pictures of µDDs (draw/dag_svg.h): layout invariants on diagrams that are built by hand, a node or an edge a call,
 * and on random ones. With HECATE_PICTURES=DIR each picture is also written to DIR/NAME.svg. */
#include "draw/dag_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "draw/theme.h"
#include "test.h"

#define MOST 6000

struct maker {
	struct udd_diagram d;
	struct udd_model model;
	struct udd_counter counter[64];
	struct udd_root root[8];
	struct udd_node node[MOST];
	struct udd_edge edge[3 * MOST];
	uint32_t edge_from[3 * MOST];
	struct udd_before before[64];
	uint32_t root_node[8], root_number[8];
	char *name[4][64]; /* events, properties, values, labels */
};

enum { EVENT, PROPERTY, VALUE, LABEL };

static struct maker *
maker_new(void)
{
	struct maker *m = mem_new(sizeof *m);

	m->model.counter = m->counter;
	m->model.root = m->root;
	m->d.model = &m->model;
	m->d.node = m->node;
	m->d.edge = m->edge;
	m->d.before = m->before;
	m->d.root_node = m->root_node;
	m->d.root = m->root_number;
	m->d.event = m->name[EVENT];
	m->d.property = m->name[PROPERTY];
	m->d.value = m->name[VALUE];
	m->d.label = m->name[LABEL];
	m->name[LABEL][m->d.n_labels++] = mem_str("");
	return m;
}

static void
maker_free(struct maker *m)
{
	for (size_t k = 0; k < 4; k++)
		for (size_t i = 0; i < 64; i++)
			free(m->name[k][i]);
	free(m);
}

static uint32_t
number(char **names, size_t *n, const char *s)
{
	for (size_t i = 0; i < *n; i++)
		if (str_eq(names[i], s))
			return (uint32_t)i;
	names[*n] = mem_str(s);
	return (uint32_t)(*n)++;
}

static uint32_t
node(struct maker *m, enum udd_node_kind kind, const char *name)
{
	struct udd_node *v = &m->node[m->d.n_nodes];

	v->kind = kind;
	v->property = UDD_NO_PROPERTY;
	v->amount = 1;
	if (kind == UDD_EVENT)
		v->name = number(m->name[EVENT], &m->d.n_events, name);
	if (kind == UDD_DECISION && *name)
		v->property = number(m->name[PROPERTY], &m->d.n_properties, name);
	if (kind == UDD_COUNT) {
		while (v->name < m->model.n_counters && !str_eq(m->counter[v->name].name, name))
			v->name++;
		m->counter[v->name].name = name;
		if (v->name == m->model.n_counters)
			m->model.n_counters++;
	}
	return (uint32_t)m->d.n_nodes++;
}

static void
edge(struct maker *m, uint32_t from, uint32_t to, const char *label)
{
	m->edge_from[m->d.n_edges] = from;
	m->edge[m->d.n_edges++] = (struct udd_edge){.to = to, .label = number(m->name[LABEL], &m->d.n_labels, label)};
}

static void
root(struct maker *m, const char *name, uint32_t first)
{
	m->root[m->model.n_roots].name = name;
	m->root_number[m->d.n_roots] = (uint32_t)m->model.n_roots++;
	m->root_node[m->d.n_roots++] = first;
}

static void
before(struct maker *m, uint32_t from, uint32_t to)
{
	m->before[m->d.n_before++] = (struct udd_before){from, to};
}

/* Sorts edges by where they start, in a stable way: those of a node must be neighbours. */
static void
finish(struct maker *m)
{
	struct udd_edge *sorted = mem_new_array(m->d.n_edges + 1, sizeof *sorted);
	size_t n = 0;

	for (uint32_t v = 0; v < m->d.n_nodes; v++) {
		m->node[v].first_edge = (uint32_t)n;
		for (size_t i = 0; i < m->d.n_edges; i++)
			if (m->edge_from[i] == v)
				sorted[n++] = m->edge[i];
		m->node[v].n_edges = (uint32_t)n - m->node[v].first_edge;
	}
	memcpy(m->edge, sorted, n * sizeof *sorted);
	free(sorted);
}

/* The kernel's page faults without features: what faults, then what serves it. */
static struct maker *
page_fault(void)
{
	static const struct { const char *who, *x, *f; } way[] = {
		{"user read", "Xur", "Fu"}, {"user write", "Xuw", "Fu"}, {"kernel read", "Xkr", "Fk"},
			{"kernel write", "Xkw", "Fk"},
	};
	static const struct { const char *how, *first, *second; } served[] = {
		{"anonymous, COW, shmem", NULL, "MIN"}, {"page cache", "FF", "MIN"}, {"I/O", "FF", "MAJ"},
			{"around reads only", "FM", "MIN"},
	};
	struct maker *m = maker_new();
	uint32_t who = node(m, UDD_DECISION, "who faults"), pgf, by;

	root(m, "fault", who);
	pgf = node(m, UDD_COUNT, "PGF");
	by = node(m, UDD_DECISION, "served by");
	edge(m, pgf, by, "");
	for (size_t i = 0; i < 4; i++) {
		uint32_t x = node(m, UDD_COUNT, way[i].x), f = node(m, UDD_COUNT, way[i].f);

		edge(m, who, x, way[i].who);
		edge(m, x, f, "");
		edge(m, f, pgf, "");
	}
	for (size_t i = 0; i < 4; i++) {
		uint32_t last = node(m, UDD_COUNT, served[i].second), done = node(m, UDD_DONE, "");

		if (served[i].first) {
			uint32_t first = node(m, UDD_COUNT, served[i].first);

			edge(m, by, first, served[i].how);
			edge(m, first, last, "");
		} else {
			edge(m, by, last, served[i].how);
		}
		edge(m, last, done, "");
	}
	finish(m);
	return m;
}

/* A load through two TLBs and the PDE cache, with merging, a choice of references, `both`, and happens-before edges. */
static struct maker *
load_path(void)
{
	struct maker *m = maker_new();
	uint32_t dtlb = node(m, UDD_DECISION, "DTLB"), done = node(m, UDD_DONE, ""),
		 hit = node(m, UDD_COUNT, "load.ret");
	uint32_t stlb = node(m, UDD_DECISION, "STLB"), stlb_hit = node(m, UDD_COUNT, "load.stlb_hit"),
		 ret2 = node(m, UDD_COUNT, "load.ret");
	uint32_t look = node(m, UDD_EVENT, "psc_lookup"), pde = node(m, UDD_DECISION, "PDE$"),
		 miss = node(m, UDD_COUNT, "load.pde$_miss");
	uint32_t mshr = node(m, UDD_DECISION, "MSHR"), merged = node(m, UDD_COUNT, "load.ret"),
		 merged2 = node(m, UDD_COUNT, "load.ret_stlb_miss");
	uint32_t causes = node(m, UDD_COUNT, "load.causes_walk"), fork = node(m, UDD_FORK, ""),
		 refs = node(m, UDD_DECISION, "");
	uint32_t ref[4], mid, walk, join, last, wrong;

	root(m, "load", dtlb);
	edge(m, dtlb, hit, "Hit");
	edge(m, hit, done, "");
	edge(m, dtlb, stlb, "Miss");
	edge(m, stlb, stlb_hit, "Hit");
	edge(m, stlb_hit, ret2, "");
	edge(m, ret2, done, "");
	edge(m, stlb, look, "Miss");
	edge(m, look, pde, "");
	edge(m, pde, mshr, "Hit");
	edge(m, pde, miss, "Miss");
	edge(m, miss, mshr, "");
	edge(m, mshr, merged, "Merge");
	edge(m, merged, merged2, "");
	edge(m, merged2, done, "");
	edge(m, mshr, causes, "Alloc");
	edge(m, causes, fork, "");
	edge(m, fork, refs, "");
	mid = node(m, UDD_MID, "");
	m->node[mid].name = fork;
	for (uint32_t i = 0; i < 4; i++) {
		static const char *const label[] = {"once", "2 times", "3 times", "4 times"};

		ref[i] = node(m, UDD_COUNT, "walk_ref.l2");
		m->node[ref[i]].amount = i + 1;
		edge(m, refs, ref[i], label[i]);
		edge(m, ref[i], mid, "");
	}
	walk = node(m, UDD_EVENT, "replay <at retire>");
	wrong = node(m, UDD_COUNT, "load.walk_done");
	edge(m, mid, walk, "");
	edge(m, walk, wrong, "");
	join = node(m, UDD_JOIN, "");
	m->node[join].name = fork;
	edge(m, wrong, join, "");
	last = node(m, UDD_DECISION, "a property with a long name");
	edge(m, join, last, "");
	edge(m, last, done, "fine");
	edge(m, last, node(m, UDD_IMPOSSIBLE, ""), "never & \"ever\"");
	before(m, miss, walk);
	before(m, causes, wrong);
	finish(m);
	return m;
}

/* A random DAG: decisions with one to three cases, and some before edges, of which some contradict causality. */
static struct maker *
random_path(uint64_t seed, uint32_t n)
{
	struct maker *m = maker_new();
	uint32_t done;

	for (uint32_t i = 0; i < n; i++) {
		double u = test_uniform(&seed);

		node(m,
			u < 0.4           ? UDD_DECISION
				: u < 0.8 ? UDD_COUNT
					  : UDD_EVENT,
			u < 0.2           ? "p"
				: u < 0.4 ? ""
				: u < 0.6 ? "some.counter"
					  : "c");
	}
	done = node(m, UDD_DONE, "");
	root(m, "a", 0);
	root(m, "b", 1);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t ways = m->node[i].kind == UDD_DECISION ? 1 + (uint32_t)(test_random(&seed) % 3) : 1;

		for (uint32_t k = 0; k < ways; k++) {
			uint32_t to = i + 1 + (uint32_t)(test_random(&seed) % 12);

			edge(m, i, to < n ? to : done, m->node[i].kind == UDD_DECISION ? k ? "other" : "one" : "");
		}
	}
	for (uint32_t i = 0; i < n / 20 && i < 60; i++)
		before(m, (uint32_t)(test_random(&seed) % n), (uint32_t)(test_random(&seed) % n));
	for (size_t i = 0; i < m->d.n_before; i++)
		if (m->before[i].from == m->before[i].to)
			m->before[i].to = (m->before[i].from + 1) % n;
	finish(m);
	return m;
}

static bool
overlap(const struct layered_node *a, const struct layered_node *b)
{
	return fabs(a->x - b->x) < (a->w + b->w) / 2 - 0.01 && fabs(a->y - b->y) < (a->h + b->h) / 2 - 0.01;
}

/* Whether the vertical line from (x, y0) to (x, y1) crosses the node. Curves lie between layers, where no node is. */
static bool
runs_into(double x, double y0, double y1, const struct layered_node *v)
{
	double top = fmin(y0, y1), low = fmax(y0, y1);

	return fabs(x - v->x) < v->w / 2 - 0.01 && top < v->y + v->h / 2 - 0.01 && low > v->y - v->h / 2 + 0.01;
}

static void
check_edges(const struct layered *g)
{
	for (size_t i = 0; i < g->n_edges; i++) {
		const struct layered_edge *e = &g->edge[i];
		const struct layered_point *p = e->point;
		size_t n = e->n_points, hits = 0;

		if (!CHECK(n >= 4 && n % 2 == 0))
			continue;
		CHECK(fabs(p[0].x - g->node[e->from].x) <= g->node[e->from].w / 2);
		CHECK_NEAR(fabs(p[0].y - g->node[e->from].y), g->node[e->from].h / 2, 0.01);
		CHECK(fabs(p[n - 1].x - g->node[e->to].x) <= g->node[e->to].w / 2);
		CHECK_NEAR(fabs(p[n - 1].y - g->node[e->to].y), g->node[e->to].h / 2, 0.01);
		CHECK(e->soft || g->node[e->from].layer < g->node[e->to].layer);
		for (size_t k = 0; k < n; k++)
			CHECK(p[k].x >= -0.01 && p[k].x <= g->w + 0.01 && p[k].y >= -0.01 && p[k].y <= g->h + 0.01);
		for (size_t k = 0; k + 1 < n; k += 2) {
			CHECK_NEAR(p[k].x, p[k + 1].x, 0.01);
			for (size_t v = 0; v < g->n_nodes; v++)
				hits += v != e->from && v != e->to &&
					runs_into(p[k].x, p[k].y, p[k + 1].y, &g->node[v]);
		}
		CHECK_INT(hits, 0);
	}
}

static void
check_layout(const struct layered *g)
{
	size_t overlaps = 0;

	for (size_t a = 0; a < g->n_nodes; a++) {
		const struct layered_node *v = &g->node[a];

		CHECK(v->x - v->w / 2 >= -0.01 && v->x + v->w / 2 <= g->w + 0.01 && v->y - v->h / 2 >= -0.01 &&
			v->y + v->h / 2 <= g->h + 0.01);
		for (size_t b = 0; b < a; b++)
			overlaps += overlap(v, &g->node[b]);
	}
	CHECK_INT(overlaps, 0);
	check_edges(g);
}

static size_t
occurrences(const char *s, const char *what)
{
	size_t n = 0;

	while ((s = strstr(s, what))) {
		n++;
		s += strlen(what);
	}
	return n;
}

static void
write_picture(const char *name, const struct str *svg)
{
	const char *dir = getenv("HECATE_PICTURES");
	char *path;
	FILE *f;

	if (!dir)
		return;
	path = str_format("%s/%s.svg", dir, name);
	f = fopen(path, "w");
	if (CHECK(f != NULL)) {
		fputs(str_text(svg), f);
		fclose(f);
	}
	free(path);
}

/* The number of happens-before edges whose ends are both reached from some root. */
static size_t
reached_before(const struct maker *m)
{
	bool *seen = mem_new_array(m->d.n_nodes + 1, sizeof *seen);
	size_t n = 0;

	for (size_t i = 0; i < m->d.n_roots; i++)
		seen[m->d.root_node[i]] = true;
	for (size_t round = 0; round < m->d.n_nodes; round++) /* these diagrams are in no order */
		for (size_t i = 0; i < m->d.n_nodes; i++)
			for (size_t k = 0; seen[i] && k < m->d.node[i].n_edges; k++)
				seen[m->d.edge[m->d.node[i].first_edge + k].to] = true;
	for (size_t i = 0; i < m->d.n_before; i++)
		n += seen[m->d.before[i].from] && seen[m->d.before[i].to];
	free(seen);
	return n;
}

/* Lays out, checks, draws twice, and checks that the drawing holds each edge and node. The caller frees. */
static struct dag *
check_diagram(const char *name, const struct maker *m)
{
	struct err e = {0};
	struct dag *g = dag_new(&m->d, &e);
	struct str svg = {0}, again = {0};
	struct theme theme;
	size_t tips = 0, dashed = reached_before(m);

	theme_default(&theme);
	if (!CHECK(g != NULL))
		return NULL;
	check_layout(&g->layered);
	CHECK(dag_svg(&m->d, &theme, &svg, &e));
	CHECK(dag_svg(&m->d, &theme, &again, &e));
	CHECK_STR(str_text(&svg), str_text(&again));
	for (size_t i = 0; i < g->layered.n_edges; i++)
		tips += g->node[g->layered.edge[i].to].kind != DAG_LABEL;
	CHECK_INT(occurrences(str_text(&svg), "h6.4z"), tips);
	CHECK_INT(occurrences(str_text(&svg), "stroke-dasharray"), dashed + (dashed > 0)); /* and one in the legend */
	write_picture(name, &svg);
	str_free(&svg);
	str_free(&again);
	return g;
}

static size_t
count_kind(const struct dag *g, enum dag_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < g->layered.n_nodes; i++)
		n += g->node[i].kind == kind;
	return n;
}

static void
page_fault_is_drawn_without_crossings(void)
{
	struct maker *m = page_fault();
	struct dag *g = check_diagram("page_fault", m);

	if (g) {
		CHECK_INT(g->layered.crossings, 0);
		CHECK_INT(count_kind(g, DAG_COUNT), 4 + 4 + 1 + 4 + 3);
		CHECK_INT(count_kind(g, DAG_LABEL), 8);
		CHECK_INT(count_kind(g, DAG_DONE), 4);
		CHECK_INT(count_kind(g, DAG_ROOT), 1);
	}
	dag_free(g);
	maker_free(m);
}

static void
every_kind_is_drawn(void)
{
	struct maker *m = load_path();
	struct dag *g = check_diagram("load", m);
	size_t soft = 0, fork = 0, join = 0;
	struct str svg = {0};
	struct theme theme;
	struct err e;

	if (!g) {
		maker_free(m);
		return;
	}
	CHECK_INT(count_kind(g, DAG_BAR), 2);
	CHECK_INT(count_kind(g, DAG_IMPOSSIBLE), 1);
	CHECK_INT(count_kind(g, DAG_DONE), 4);
	for (size_t i = 0; i < g->layered.n_edges; i++) {
		const struct layered_edge *x = &g->layered.edge[i];

		soft += x->soft;
		fork += g->node[x->from].kind == DAG_BAR && m->node[g->node[x->from].node].kind == UDD_FORK;
		join += g->node[x->to].kind == DAG_BAR && m->node[g->node[x->to].node].kind == UDD_JOIN;
		if (x->soft)
			CHECK(g->layered.node[x->from].layer < g->layered.node[x->to].layer);
	}
	CHECK_INT(soft, 2);
	CHECK_INT(fork, 2); /* into both branches … */
	CHECK_INT(join, 5); /* … and out of each: four cases, and the second branch */
	theme_default(&theme);
	CHECK(dag_svg(&m->d, &theme, &svg, &e));
	CHECK(strstr(str_text(&svg), "never &amp; &quot;ever&quot;") != NULL);
	CHECK(strstr(str_text(&svg), "walk_ref.l2 ×4") != NULL);
	CHECK(strstr(str_text(&svg), "replay &lt;at retire&gt;") != NULL);
	str_free(&svg);
	dag_free(g);
	maker_free(m);
}

static void
any_graph_keeps_the_invariants(void)
{
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct maker *m = random_path(seed, 10 + 12 * (uint32_t)seed);
		char name[32];

		test_label("seed %d", (int)seed);
		snprintf(name, sizeof name, "random%d", (int)seed);
		dag_free(check_diagram(name, m));
		maker_free(m);
	}
}

static void
too_large_is_refused(void)
{
	struct maker *m = maker_new();
	struct str out = {0};
	struct theme theme;
	struct err e = {0};

	theme_default(&theme);
	for (int i = 0; i <= DAG_NODES_MAX; i++)
		node(m, UDD_DONE, "");
	finish(m);
	CHECK(!dag_svg(&m->d, &theme, &out, &e));
	CHECK_INT(out.n, 0);
	CHECK(strstr(e.what, "4001 nodes") != NULL);
	CHECK(strstr(e.hint, "--dot") != NULL);
	maker_free(m);
}

static void
an_empty_diagram_is_a_picture(void)
{
	struct maker *m = maker_new();

	finish(m);
	dag_free(check_diagram("empty", m));
	maker_free(m);
}

TEST_MAIN(CASE(page_fault_is_drawn_without_crossings), CASE(every_kind_is_drawn), CASE(any_graph_keeps_the_invariants),
          CASE(too_large_is_refused), CASE(an_empty_diagram_is_a_picture))
