/* Decisions that a careful reader would ask about.
 *
 * The diagram is walked with all states that µpaths come in: the values of the properties that are still asked for further down. So what is said of a place is
 * true of the µpaths that get there, and of no others. Flows that are written by hand have some hundred states; where there are very many the walk is
 * given up and nothing is said. */
#include "core/fdl/decide.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/udd/ast.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

#define CELLS_MAX ((size_t)1 << 24) /* states times properties, and nodes times properties */
#define PLACES_MAX 3                /* a property that is asked for in more is a trait of the µop, which is decided wherever it is needed first */
#define OPEN 0                      /* no value yet; value v is v + 1 */


/* The states in which one node is entered, each once. */
struct states {
	struct names keys;
	uint32_t *value; /* n × properties */
	size_t cap;
};

struct look {
	const struct udd_diagram *g;
	const struct udd_item *flow;
	struct diags *diags;
	size_t n;            /* properties */
	bool *live;          /* node × property: it is asked for there or further down */
	size_t *asked;       /* per property: switches on it */
	struct states *at;   /* per node */
	size_t cells;
};

static void
find_live(struct look *k)
{
	const struct udd_diagram *g = k->g;

	for (uint32_t v = (uint32_t)g->n_nodes; v-- > 0;) {
		bool *live = &k->live[v * k->n];

		for (uint32_t e = g->node[v].first_edge; e < g->node[v].first_edge + g->node[v].n_edges; e++)
			for (size_t p = 0; p < k->n; p++)
				live[p] |= k->live[g->edge[e].to * k->n + p];
		if (g->node[v].kind != UDD_DECISION)
			continue;
		live[g->node[v].property] = true;
		k->asked[g->node[v].property]++;
	}
}

/* A state comes to a node; false when there are too many. */
static bool
arrive(struct look *k, uint32_t node, const uint32_t *value)
{
	struct states *s = &k->at[node];
	struct str key = {0};
	size_t known = s->keys.n, i;

	for (size_t p = 0; p < k->n; p++)
		if (k->live[node * k->n + p])
			str_addf(&key, "%x ", value[p]);
	i = names_add(&s->keys, str_text(&key), key.n);
	str_free(&key);
	if (i < known)
		return true;
	mem_grow(&s->value, &s->cap, (i + 1) * k->n, sizeof *s->value);
	for (size_t p = 0; p < k->n; p++)
		s->value[i * k->n + p] = k->live[node * k->n + p] ? value[p] : OPEN;
	k->cells += k->n + 8;
	return k->cells < CELLS_MAX;
}

static const struct udd_stmt *
find_statement(const struct udd_stmt *s, uint32_t at)
{
	for (; s; s = s->next) {
		const struct udd_stmt *found = NULL;

		if (s->at == at && s->kind == STMT_SWITCH)
			return s;
		for (const struct udd_case *c = s->kind == STMT_SWITCH ? s->cases : NULL; c && !found; c = c->next)
			found = find_statement(c->body, at);
		if (found)
			return found;
	}
	return NULL;
}

/* What µpaths bring to a switch. */
struct brought {
	bool open;     /* some bring no value */
	bool *by_edge; /* … and some the value of this edge */
	size_t n;      /* of those edges */
	char *values;  /* "No or Yes" */
};

static struct brought
look_at_states(const struct look *k, uint32_t node)
{
	const struct udd_node *v = &k->g->node[node];
	const struct states *s = &k->at[node];
	struct brought b = {.by_edge = mem_new_array(v->n_edges, sizeof *b.by_edge)};
	struct str t = {0};

	for (size_t i = 0; i < s->keys.n; i++) {
		uint32_t value = s->value[i * k->n + v->property];

		b.open |= value == OPEN;
		for (uint32_t e = 0; e < v->n_edges; e++)
			b.by_edge[e] |= value != OPEN && k->g->edge[v->first_edge + e].value == value - 1;
	}
	for (uint32_t e = 0; e < v->n_edges; e++)
		if (b.by_edge[e])
			str_addf(&t, "%s%s", b.n++ ? " or " : "", k->g->value[k->g->edge[v->first_edge + e].value]);
	b.values = str_take(&t);
	return b;
}

static void
warn_case(const struct look *k, const struct udd_stmt *s, const char *value, const char *values)
{
	const struct udd_case *c = s->cases;
	struct place at;
	char *hint;

	while (c && !str_eq(c->value->text, value))
		c = c->next;
	if (!c)
		return;
	at = udd_place(k->g->model->ast, k->flow->file, c->at, c->len);
	hint = str_format("%.80s is decided as %.200s on every way here", s->word[0].text, values);
	diag_add(k->diags, DIAG_WARNING, &at, hint, "no µpath takes this case");
	free(hint);
}

static void
warn_mixed(const struct look *k, const struct udd_stmt *s, const char *values)
{
	struct place at = udd_place(k->g->model->ast, k->flow->file, s->word[0].at, s->word[0].len);
	char *hint = str_format("the others bring %.200s", values);

	diag_add(k->diags, DIAG_WARNING, &at, hint, "%.80s is decided here by some µpaths, and was decided before by others", s->word[0].text);
	free(hint);
}

static void
judge(const struct look *k, uint32_t node)
{
	const struct udd_node *v = &k->g->node[node];
	const struct udd_stmt *s = find_statement(k->flow->body, udd_node_offset(k->g, node));
	struct brought b = look_at_states(k, node);

	if (s && b.open && b.n && k->asked[v->property] <= PLACES_MAX)
		warn_mixed(k, s, b.values);
	for (uint32_t e = 0; e < v->n_edges && s && !b.open && b.n; e++)
		if (!b.by_edge[e])
			warn_case(k, s, k->g->value[k->g->edge[v->first_edge + e].value], b.values);
	free(b.by_edge);
	free(b.values);
}

/* Send the states of a node on. A value without a case is an error elsewhere; here its µpath ends. */
static bool
send(struct look *k, uint32_t node)
{
	const struct udd_node *v = &k->g->node[node];
	const struct states *s = &k->at[node];
	uint32_t *value = mem_new_array(k->n, sizeof *value);
	bool good = true;

	for (size_t i = 0; i < s->keys.n; i++)
		for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges && good; e++) {
			const struct udd_edge *edge = &k->g->edge[e];

			if (k->n)
				memcpy(value, &s->value[i * k->n], k->n * sizeof *value);
			if (v->kind == UDD_DECISION && value[v->property] == OPEN)
				value[v->property] = edge->value + 1;
			if (v->kind != UDD_DECISION || value[v->property] == edge->value + 1)
				good = arrive(k, edge->to, value);
		}
	free(value);
	return good;
}

static bool
walk(struct look *k)
{
	uint32_t *value = mem_new_array(k->n, sizeof *value);
	bool good = arrive(k, 0, value);

	for (uint32_t v = 0; v < k->g->n_nodes && good; v++)
		good = send(k, v);
	free(value);
	return good;
}

void
fdl_lint_decisions(const struct udd_diagram *g, struct diags *d)
{
	struct look k = {.g = g, .flow = g->model->ast->root[g->root[0]], .diags = d, .n = g->n_properties};

	if (k.n && g->n_nodes > CELLS_MAX / k.n)
		return;
	k.live = mem_new_array(g->n_nodes, k.n * sizeof *k.live);
	k.at = mem_new_array(g->n_nodes, sizeof *k.at);
	k.asked = mem_new_array(k.n, sizeof *k.asked);
	find_live(&k);
	if (walk(&k))
		for (uint32_t v = 0; v < g->n_nodes; v++)
			if (g->node[v].kind == UDD_DECISION)
				judge(&k, v);
	for (size_t v = 0; v < g->n_nodes; v++) {
		names_free(&k.at[v].keys);
		free(k.at[v].value);
	}
	free(k.at);
	free(k.asked);
	free(k.live);
}
