/* Warns about decisions that look like mistakes. A warning about a place must be true of the µpaths that reach it, so
 * the diagram is walked with all states in which they arrive. If there are too many states, there are no warnings. */
#include "convert/fdl/fdl_flow.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/graph.h"
#include "core/udd/ast.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

/* The most switches on one property for which a late decision draws a warning. A property with more switches is a trait
 * of the µop: each µpath decides it where it first needs it. */
#define PLACES_MAX 3
#define NODES_MAX 10000 /* of a larger diagram nothing is warned: each switch is searched for in the text */

struct checker {
	const struct udd_diagram *d;
	const struct udd_item *flow;
	const struct fdl_graph *g;
	const struct fdl_states *states;
	struct diags *diags;
	size_t *asked; /* per property, the number of switches on it */
};

static const struct udd_stmt *
find_statement(const struct udd_stmt *stmt, uint32_t at)
{
	for (; stmt; stmt = stmt->next) {
		const struct udd_stmt *found = NULL;

		if (stmt->at == at && stmt->kind == STMT_SWITCH)
			return stmt;
		for (const struct udd_case *udd_case = stmt->kind == STMT_SWITCH ? stmt->cases : NULL;
			udd_case && !found; udd_case = udd_case->next)
			found = find_statement(udd_case->body, at);
		if (found)
			return found;
	}
	return NULL;
}

/* The states in which µpaths arrive at a switch. */
struct arrivals {
	bool open;     /* some µpaths arrive without a value of the property */
	bool *by_edge; /* per edge: some µpaths arrive with its value */
	size_t n;      /* number of such edges */
	char *values;  /* their values: "No or Yes" */
};

static struct arrivals
states_at(const struct checker *checker, uint32_t node)
{
	const struct fdl_node *fdl_node = &checker->g->node[node];
	struct arrivals b = {.by_edge = mem_new_array(fdl_node->n_edges, sizeof *b.by_edge)};
	struct str t = {0};

	for (size_t i = 0; i < fdl_states_count(checker->states, node); i++) {
		uint32_t value = fdl_states_value(checker->states, node, i)[fdl_node->property];

		b.open |= value == 0;
		for (uint32_t e = 0; e < fdl_node->n_edges; e++)
			b.by_edge[e] |= checker->g->edge[fdl_node->first_edge + e].value == value;
	}
	for (uint32_t e = 0; e < fdl_node->n_edges; e++)
		if (b.by_edge[e])
			str_addf(&t, "%s%s", b.n++ ? " or " : "", checker->g->edge[fdl_node->first_edge + e].text);
	b.values = str_take(&t);
	return b;
}

static void
warn_case(const struct checker *checker, const struct udd_stmt *stmt, const char *value, const char *values)
{
	const struct udd_case *udd_case = stmt->cases;
	struct place at;
	char *hint;

	while (udd_case && !str_eq(udd_case->value->text, value))
		udd_case = udd_case->next;
	if (!udd_case)
		return;
	at = udd_place(checker->d->model->ast, checker->flow->file, udd_case->at, udd_case->len);
	hint = str_format("every µpath that gets here has %.80s decided as %.200s", stmt->word[0].text, values);
	diag_add(checker->diags, DIAG_WARNING, &at, hint, "no µpath takes this case");
	free(hint);
}

static void
warn_mixed(const struct checker *k, const struct udd_stmt *s, const char *values)
{
	struct place at = udd_place(k->d->model->ast, k->flow->file, s->word[0].at, s->word[0].len);
	char *hint = str_format("the others come with %.200s", values);

	diag_add(k->diags, DIAG_WARNING, &at, hint,
		"%.80s is decided here by some µpaths, and was decided before by others", s->word[0].text);
	free(hint);
}

static void
check_switch(const struct checker *checker, uint32_t node)
{
	const struct fdl_node *fdl_node = &checker->g->node[node];
	const struct udd_stmt *stmt = find_statement(
		checker->flow->body, udd_node_offset(checker->d, fdl_node->origin));
	struct arrivals b = states_at(checker, node);

	if (stmt && b.open && b.n && checker->asked[fdl_node->property] <= PLACES_MAX)
		warn_mixed(checker, stmt, b.values);
	for (uint32_t e = 0; e < fdl_node->n_edges && stmt && !b.open && b.n; e++)
		if (!b.by_edge[e])
			warn_case(checker, stmt, checker->g->edge[fdl_node->first_edge + e].text, b.values);
	free(b.by_edge);
	free(b.values);
}

void
fdl_lint_decisions(const struct udd_diagram *diagram, struct diags *diags)
{
	struct fdl_graph *graph = fdl_graph_new(diagram);
	struct fdl_states *states = fdl_states_new(graph);
	struct checker k = {.d = diagram,
		.flow = diagram->model->ast->root[diagram->root[0]],
		.g = graph,
		.states = states,
		.diags = diags};

	k.asked = mem_new_array(graph->n_properties, sizeof *k.asked);
	for (uint32_t n = 0; n < graph->n_nodes; n++)
		if (graph->node[n].kind == FDL_SWITCH)
			k.asked[graph->node[n].property]++;
	for (uint32_t n = 0; n < graph->n_nodes && states && graph->n_nodes <= NODES_MAX; n++)
		if (graph->node[n].kind == FDL_SWITCH)
			check_switch(&k, n);
	free(k.asked);
	fdl_states_free(states);
	fdl_graph_free(graph);
}
