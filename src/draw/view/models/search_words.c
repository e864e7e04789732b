/* The results of a search in words, below the list of models or next to the drawn graph. */
#include "draw/view/models/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_relation.h"

#define NONE SIZE_MAX
#define ALIKE_MOST 3 /* most statements about pairs of sets */
#define MINIMAL_MOST 6
#define REPAIRS_MOST 6
#define HEAD_COLUMNS 13
#define USELESS_COLUMNS 14 /* columns of "no effect none" */

struct search_list
search_list_of(const struct state *state)
{
	struct search_list l = {.s = state, .g = state->answers.search.graph};
	size_t most = 0;

	l.row = state_search_rows(state, &l.n);
	if (!l.g)
		return l;
	l.best = search_best(l.g);
	l.here = search_graph_find(l.g, &state->question.on);
	for (size_t i = 0; i < l.n; i++) {
		if (l.row[i].kind == SEARCH_ROW_MODEL && l.g->model[l.row[i].model].infeasible > most)
			most = l.g->model[l.row[i].model].infeasible;
		l.others |= search_same_cone(&l, &l.row[i]);
	}
	for (l.digits = 1; most >= 10; most /= 10)
		l.digits++;
	return l;
}

enum role
search_role(const struct search_list *l, enum role role)
{
	return state_search_old(l->s) ? ROLE_DIM : role;
}

const char *
search_mark(const struct search_list *l, const struct search_graph_model *m, enum role *role)
{
	bool nothing = m->survives && search_graph_undecided(l->g);

	*role = search_role(l, nothing ? ROLE_UNDECIDED : m->survives ? ROLE_FEASIBLE : ROLE_INFEASIBLE);
	return nothing ? "?" : m->survives ? "✓" : "✗";
}

bool
search_same_cone(const struct search_list *l, const struct search_row *r)
{
	const struct search_graph_edge *e = r->edge == NONE ? NULL : &l->g->edge[r->edge];

	return r->kind == SEARCH_ROW_MODEL && e && l->g->model[r->model].cone &&
		l->g->model[r->model].cone == l->g->model[e->from].cone;
}

/* Next to the graph labels are heads; in the list they are dim. */
static void
search_words_add_head(struct line *l, bool wide, const char *label)
{
	line_add(l, wide ? ROLE_TEXT : ROLE_DIM, wide ? CELL_BOLD : 0, "%s", label);
}

static void
search_words_add_set(struct line *line, const struct search_list *list, bool wide, const char *label,
	const struct fset *set, const char *none)
{
	struct str names = {0};

	search_words_add_head(line, wide, label);
	line_gap(line, 1);
	if (fset_count(set))
		search_features(list->s->question.model, set, &names);
	line_add(line, fset_count(set) ? search_role(list, ROLE_TEXT) : ROLE_DIM, 0, "%s",
		fset_count(set) ? str_text(&names) : none);
	line_gap(line, 3);
	str_free(&names);
}

/* "{A C D E} {B C}" */
static void
search_words_add_minimal(struct line *line, const struct search_list *list, bool wide, const char *label)
{
	const struct search_graph *graph = list->g;

	search_words_add_head(line, wide, label);
	for (size_t i = 0; i < graph->needs.n_minimal && i < MINIMAL_MOST; i++) {
		struct str name = {0};

		search_name(list->s->question.model, &graph->model[graph->needs.minimal[i]].on, &name);
		line_gap(line, 1);
		line_add(line, search_role(list, ROLE_FEASIBLE), 0, "{%s}", str_text(&name));
		str_free(&name);
	}
	if (graph->needs.n_minimal > MINIMAL_MOST)
		line_add(line, ROLE_DIM, 0, " and %zu more", graph->needs.n_minimal - MINIMAL_MOST);
	line_gap(line, 3);
}

/* The features of a set as a sum: "A + D". */
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

/* "B adds nothing to A + D", "one = two" */
static void
alike_short(const struct udd_model *m, const struct search_graph_alike *x, struct str *out)
{
	bool equal = x->kind == GRAPH_EQUAL || x->kind == GRAPH_SURVIVORS;

	sum_text(m, &x->one, out);
	str_add(out, equal ? " = " : " adds nothing to ");
	sum_text(m, &x->other, out);
	if (x->kind == GRAPH_PARTLY || x->kind == GRAPH_SURVIVORS)
		str_add(out, " in some sets");
}

/* A head, then words that continue below each other. */
static void
page_item(struct page *p, const char *head, enum role role, const char *text)
{
	struct page after = *p;
	struct line l = line_on(p->g, p->r, p->row - p->skip);

	search_words_add_head(&l, true, head);
	after.r.x += HEAD_COLUMNS;
	after.r.w -= HEAD_COLUMNS;
	page_words(&after, role, text);
	p->row = after.row;
}

static void
add_alike(struct page *page, const struct search_list *list, bool wide)
{
	const struct search_graph *graph = list->g;

	for (size_t i = 0; i < graph->n_alike && i < ALIKE_MOST; i++) {
		struct str text = {0};

		if (wide && graph->alike[i].why)
			str_add(&text, graph->alike[i].why);
		else
			alike_short(list->s->question.model, &graph->alike[i], &text);
		if (wide)
			page_item(page, i ? "" : "Overlap", search_role(list, ROLE_TEXT), str_text(&text));
		else
			page_words(page, search_role(list, ROLE_TEXT), str_text(&text));
		str_free(&text);
	}
	if (graph->n_alike > ALIKE_MOST) {
		struct line l = page_line(page);

		line_add(&l, ROLE_DIM, 0, "and %zu more of this kind", graph->n_alike - ALIKE_MOST);
	}
}

/* The refuted model that comes closest to surviving, and what refutes it. */
static size_t
last_refuted(const struct search_list *list)
{
	const struct search_graph *g = list->g;
	size_t last = g->n_models;

	for (size_t i = 0; i < g->n_models; i++)
		if (g->model[i].usable && !g->model[i].survives && g->model[i].worst &&
			(last == g->n_models || g->model[i].infeasible < g->model[last].infeasible))
			last = i;
	return last;
}

static void
add_refuted(struct page *page, const struct search_list *list)
{
	size_t at = last_refuted(list);
	const struct search_graph_model *model = at < list->g->n_models ? &list->g->model[at] : NULL;
	struct str name = {0}, after = {0};
	struct line l;
	char *relation;
	int room;

	if (!model)
		return;
	l = page_line(page);
	search_name(list->s->question.model, &model->on, &name);
	search_words_add_head(&l, true, "Last refuted ");
	line_add(&l, search_role(list, ROLE_TEXT), 0, "%s: ", str_text(&name));
	str_addf(&after, "  %zu of %zu", model->infeasible, list->g->n_observations);
	if (model->worst_by)
		str_addf(&after, ", worst %s", model->worst_by);
	relation = relation_pretty(model->worst);
	room = l.end - l.x - pen_columns(&l.pen, str_text(&after)) - 1;
	l.pen.fg = search_role(list, ROLE_TEXT);
	l.x += pen_relation(&l.pen, l.x, l.y, room > 20 ? room : l.end - l.x, relation);
	line_add(&l, search_role(list, ROLE_INFEASIBLE), 0, "%s", str_text(&after));
	free(relation);
	str_free(&name);
	str_free(&after);
}

/* Explains how edges are drawn, for those that occur. */
static void
add_edges(struct page *page, const struct search_list *list)
{
	enum { SAME = GRAPH_CHOSEN + 1, STAR };
	static const struct {
		int step;
		enum role role;
		const char *sign, *words;
	} kind[] = {
		{GRAPH_DISCOVERY, ROLE_PATH1, "──", "discovery: features added"},
		{GRAPH_ELIMINATION, ROLE_PATH2, "╌╌", "elimination: taken away"},
		{SAME, ROLE_DIM, "─╌", "same verdict"},
		{GRAPH_CHOSEN, ROLE_TEXT, "──", "your own"},
		{STAR, ROLE_FEASIBLE, "★", "smallest survivor"},
	};
	bool step[GRAPH_CHOSEN + 1] = {0}, same = false;
	struct line l = page_line(page);

	for (size_t i = 0; i < list->g->n_edges; i++) {
		const struct search_graph_edge *edge = &list->g->edge[i];

		step[edge->step >= 0 && edge->step <= GRAPH_CHOSEN ? edge->step : 0] = true;
		same |= edge->step != GRAPH_CHOSEN &&
			list->g->model[edge->from].infeasible == list->g->model[edge->to].infeasible;
	}
	for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
		bool there = kind[k].step == SAME ? same : kind[k].step == STAR || step[kind[k].step];

		if (!there)
			continue;
		if (l.end - l.x < pen_columns(&l.pen, kind[k].sign) + pen_columns(&l.pen, kind[k].words) + 1)
			l = page_line(page);
		line_add(&l, search_role(list, kind[k].role), kind[k].step == STAR ? CELL_BOLD : 0, "%s ",
			kind[k].sign);
		line_add(&l, ROLE_DIM, 0, "%s", kind[k].words);
		line_gap(&l, 3);
	}
}

/* Has the search a result: survivors, or that there are none? */
static bool
search_words_has_words(const struct search_graph *g)
{
	return !search_graph_undecided(g) && (g->needs.n_minimal || (g->complete && g->tested));
}

static void
add_roles(struct page *page, const struct search_list *list, bool wide)
{
	const struct search_graph *graph = list->g;
	struct line l = page_line(page);

	if (!graph->needs.n_minimal) {
		line_add(&l, search_role(list, ROLE_INFEASIBLE), 0, "no set of features survives");
		return;
	}
	if (!graph->complete && (double)graph->tested < graph->sets) {
		line_add(&l, ROLE_DIM, 0, "of %zu tested, not all:", graph->tested);
		l = page_line(page);
	}
	if (wide)
		search_words_add_minimal(&l, list, true, "Survivors");
	search_words_add_set(&l, list, wide, wide ? "required" : "required ", &graph->needs.required, "none");
	if (!wide)
		l = page_line(page);
	search_words_add_set(&l, list, wide, wide ? "optional" : "optional ", &graph->needs.optional, "none");
	if (!wide && l.x + USELESS_COLUMNS > l.end)
		l = page_line(page);
	search_words_add_set(&l, list, wide, "no effect", &graph->needs.useless, "none");
	if (!wide) {
		l = page_line(page);
		search_words_add_minimal(&l, list, false, "minimal  ");
	}
}

/* Writes what `d` proposes, and the effect of each of its features alone. */
static void
add_proposal(struct page *page, const struct search_list *list, bool wide)
{
	const struct search_graph *graph = list->g;
	struct str alone = {0};
	char *text = state_proposal_text(list->s), *relaxed;

	if (!text)
		return;
	if (!wide) { /* the graph shows it in its first row */
		page_words(page, ROLE_ACCENT, text);
		relaxed = state_proposal_relaxes(list->s) ? relation_pretty(state_proposal_relaxes(list->s)) : NULL;
		if (relaxed) {
			struct line l = page_line(page);

			line_add(&l, ROLE_DIM, 0, "it relaxes ");
			line_relation(&l, ROLE_ACCENT, 0, 0, relaxed);
		}
		free(relaxed);
	}
	for (size_t i = 0; i < graph->n_repairs && i < REPAIRS_MOST; i++)
		if (graph->repair[i].feature < list->s->question.model->n_features)
			str_addf(&alone, "%s%s %zu", alone.n ? " · " : "alone free ",
				list->s->question.model->feature[graph->repair[i].feature].name,
				graph->repair[i].frees);
	if (graph->n_repairs > 1)
		page_words(page, ROLE_DIM, str_text(&alone));
	str_free(&alone);
	free(text);
}

/* Counters and observations that judged no model. */
static void
add_undecided(struct page *p, const struct search_graph *g)
{
	struct str text = {0};

	search_graph_undecided_text(g->undecided, g->n_observations, &text);
	if (text.n)
		page_words(p, ROLE_UNDECIDED, str_text(&text));
	str_free(&text);
}

void
search_words(struct page *page, const struct search_list *list, bool wide)
{
	const struct search_graph *graph = list->g;
	struct line l;

	if (state_search_old(list->s)) {
		page_words(page, ROLE_DIM, "old: the data have changed since; a searches again.");
		return;
	}
	if (wide && graph->n_edges) {
		add_edges(page, list);
		page->row++;
	} else if (!wide && list->others && page->r.h > 9) {
		l = page_line(page);
		line_add(&l, ROLE_DIM, 0, "= same cone   ★ smallest survivor");
	}
	if (graph->suspects)
		page_words(page, ROLE_BORDERLINE, graph->suspects);
	add_proposal(page, list, wide);
	if (!wide || search_graph_undecided(graph)) /* in a wide pane the title says how many */
		add_undecided(page, graph);
	if (search_words_has_words(graph)) {
		add_roles(page, list, wide);
		add_alike(page, list, wide);
	} else if (graph->n_models <= 1 && !graph->running && !search_graph_undecided(graph)) {
		page_blank(page);
		page_words(page, ROLE_DIM,
			!list->g->model || list->g->model[0].survives
				? "e takes features away as long as this model survives."
				: page->s->question.model->n_features
				? "d proposes what relaxes this model; a searches to the end."
				: "The model has no features, so there is nothing to search.");
	}
	if (wide || page->r.w >= 60) {
		page->row += wide && search_words_has_words(graph);
		add_refuted(page, list);
	}
}
