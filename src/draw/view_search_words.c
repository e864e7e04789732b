/* What a search says of the features: under the list of models, or beside the drawn graph. */
#include "draw/view_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"

#define ALIKE_MOST 3 /* so many pairs that cannot be told apart are named */
#define MINIMAL_MOST 6

static void
add_set(struct line *l, const struct search_list *list, const char *label, const struct fset *set, const char *none)
{
	struct str names = {0};

	line_add(l, ROLE_DIM, 0, "%s", label);
	line_gap(l, 1);
	if (fset_count(set))
		search_features(list->s->model, set, &names);
	line_add(l, fset_count(set) ? search_role(list, ROLE_TEXT) : ROLE_DIM, 0, "%s", fset_count(set) ? str_text(&names) : none);
	line_gap(l, 3);
	str_free(&names);
}

/* "{A C D E} {B C}" */
static void
add_minimal(struct line *l, const struct search_list *list, const char *label)
{
	const struct search_graph *g = list->g;

	line_add(l, ROLE_DIM, 0, "%s", label);
	for (size_t i = 0; i < g->n_minimal && i < MINIMAL_MOST; i++) {
		struct str name = {0};

		search_name(list->s->model, &g->model[g->minimal[i]].on, &name);
		line_gap(l, 1);
		line_add(l, search_role(list, ROLE_FEASIBLE), 0, "{%s}", str_text(&name));
		str_free(&name);
	}
	if (g->n_minimal > MINIMAL_MOST)
		line_add(l, ROLE_DIM, 0, " and %zu more", g->n_minimal - MINIMAL_MOST);
	line_gap(l, 3);
}

/* Features of a set as a sum: "A + D". */
static void
sum_text(const struct udd_model *m, const struct fset *set, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(set, i))
			str_addf(out, "%s%s", some++ ? " + " : "", m->feature[i].name);
	if (!some)
		str_add(out, "∅");
}

static void
add_alike(struct page *p, const struct search_list *list, bool wide)
{
	const struct search_graph *g = list->g;

	for (size_t i = 0; i < g->n_alike && i < ALIKE_MOST; i++) {
		struct str text = {0};

		str_add(&text, "inseparable ");
		sum_text(list->s->model, &g->alike[i].one, &text);
		str_add(&text, " from ");
		sum_text(list->s->model, &g->alike[i].other, &text);
		if (wide && g->alike[i].why)
			str_addf(&text, ": %s", g->alike[i].why);
		page_words(p, search_role(list, ROLE_TEXT), str_text(&text));
		str_free(&text);
	}
	if (g->n_alike > ALIKE_MOST) {
		struct line l = page_line(p);

		line_add(&l, ROLE_DIM, 0, "and %zu more pairs that no counter here tells apart", g->n_alike - ALIKE_MOST);
	}
}

/* The refuted model that comes closest to surviving, and what refutes it. */
static size_t
last_refuted(const struct search_list *list)
{
	const struct search_graph *g = list->g;
	size_t last = g->n_models;

	for (size_t i = 0; i < g->n_models; i++)
		if (g->model[i].usable && !g->model[i].survives && g->model[i].worst && (last == g->n_models || g->model[i].infeasible < g->model[last].infeasible))
			last = i;
	return last;
}

static void
add_refuted(struct page *p, const struct search_list *list)
{
	size_t at = last_refuted(list);
	const struct graph_model *m = at < list->g->n_models ? &list->g->model[at] : NULL;
	struct str name = {0}, behind = {0};
	struct line l;
	char *relation;
	int room;

	if (!m)
		return;
	l = page_line(p);
	search_name(list->s->model, &m->on, &name);
	line_add(&l, ROLE_DIM, 0, "last refuted ");
	line_add(&l, search_role(list, ROLE_TEXT), 0, "%s: ", str_text(&name));
	str_addf(&behind, "  %zu of %zu", m->infeasible, list->g->n_observations);
	if (m->worst_by)
		str_addf(&behind, ", worst %s", m->worst_by);
	relation = relation_text(m->worst);
	room = l.end - l.x - pen_columns(&l.pen, str_text(&behind)) - 1;
	l.pen.fg = search_role(list, ROLE_TEXT);
	l.x += pen_relation(&l.pen, l.x, l.y, room > 20 ? room : l.end - l.x, relation);
	line_add(&l, search_role(list, ROLE_INFEASIBLE), 0, "%s", str_text(&behind));
	free(relation);
	str_free(&name);
	str_free(&behind);
}

/* How edges are drawn, as far as there are such. */
static void
add_edges(struct page *p, const struct search_list *list)
{
	bool step[GRAPH_CHOSEN + 1] = {0}, same = false;
	struct line l = page_line(p);

	for (size_t i = 0; i < list->g->n_edges; i++) {
		const struct graph_edge *e = &list->g->edge[i];

		step[e->step >= 0 && e->step <= GRAPH_CHOSEN ? e->step : 0] = true;
		same |= e->step == GRAPH_ELIMINATION && list->g->model[e->from].infeasible == list->g->model[e->to].infeasible;
	}
	if (step[GRAPH_DISCOVERY]) {
		line_add(&l, search_role(list, ROLE_PATH1), 0, "── ");
		line_add(&l, ROLE_DIM, 0, "discovery: features that relax what is violated most    ");
	}
	if (step[GRAPH_ELIMINATION]) {
		line_add(&l, search_role(list, ROLE_PATH2), 0, "╌╌ ");
		line_add(&l, ROLE_DIM, 0, "elimination: features taken away    ");
	}
	if (same) {
		line_add(&l, ROLE_DIM, 0, "╌╌ same verdict    ");
	}
	if (step[GRAPH_CHOSEN]) {
		line_add(&l, ROLE_TEXT, 0, "── ");
		line_add(&l, ROLE_DIM, 0, "your own    ");
	}
	line_add(&l, search_role(list, ROLE_FEASIBLE), CELL_BOLD, "★ ");
	line_add(&l, ROLE_DIM, 0, "smallest survivor");
}

/* A search tells something: there are survivors, or it is known that there are none. */
static bool
has_words(const struct search_graph *g)
{
	return g->n_minimal || (g->complete && g->tested);
}

static void
add_roles(struct page *p, const struct search_list *list, bool wide)
{
	const struct search_graph *g = list->g;
	struct line l = page_line(p);

	if (!g->n_minimal) {
		line_add(&l, search_role(list, ROLE_INFEASIBLE), 0, "no set of features survives");
		return;
	}
	if (wide)
		add_minimal(&l, list, "smallest survivors");
	add_set(&l, list, wide ? "required" : "required ", &g->required, "none");
	if (!wide)
		l = page_line(p);
	add_set(&l, list, wide ? "optional" : "optional ", &g->optional, "none");
	if (!wide && fset_count(&g->optional) + fset_count(&g->useless) > 4)
		l = page_line(p);
	add_set(&l, list, "useless", &g->useless, "none");
	if (!wide) {
		l = page_line(p);
		add_minimal(&l, list, "minimal  ");
	}
}

void
search_words(struct page *p, const struct search_list *list, bool wide)
{
	const struct search_graph *g = list->g;
	struct line l;

	if (wide && g->n_edges) {
		add_edges(p, list);
		page_blank(p);
	} else if (!wide && list->others && p->r.h > 9) {
		l = page_line(p);
		line_add(&l, ROLE_DIM, 0, "= same cone   ★ smallest survivor");
	}
	if (list->s->old_graph)
		page_words(p, ROLE_BORDERLINE, "The data have changed since: a asks again.");
	if (has_words(g)) {
		add_roles(p, list, wide);
		add_alike(p, list, wide);
		if (!g->complete && g->reason)
			page_words(p, ROLE_BORDERLINE, g->reason);
	} else if (g->n_models <= 1 && !g->running) {
		page_blank(p);
		page_words(p, ROLE_DIM, !list->g->model || list->g->model[0].survives ? "e takes features away as long as this model survives." :
			   "d proposes what relaxes this model; a searches to the end.");
	}
	if (wide || p->r.w >= 60) {
		page_blank(p);
		add_refuted(p, list);
	}
}
