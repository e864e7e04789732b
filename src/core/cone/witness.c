#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/cone/walk.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

#define ASSIGNMENTS_SHOWN 20

struct trace {
	const struct udd_diagram *g;
	struct signature_witness *w;
	size_t cap;
};

static void
add_step(struct trace *t, struct signature_step s)
{
	mem_grow(&t->w->step, &t->cap, t->w->n + 1, sizeof *t->w->step);
	t->w->step[t->w->n++] = s;
}

static void
witness_add_node(struct trace *trace, uint32_t n, const struct walk_state *next)
{
	const struct udd_diagram *diagram = trace->g;
	const struct udd_node *node = &diagram->node[n];
	struct signature_step s = {.name = "", .value = "", .node = n};

	switch (node->kind) {
	case UDD_EVENT:
		s.kind = STEP_EVENT;
		s.name = diagram->event[node->name];
		break;
	case UDD_COUNT:
		s.kind = STEP_COUNT;
		s.name = diagram->model->counter[node->name].name;
		s.amount = node->amount;
		break;
	case UDD_DECISION:
		if (!next) /* the µpath is shown up to this state */
			return;
		s.kind = STEP_CHOICE;
		s.name = node->property == UDD_NO_PROPERTY ? "" : diagram->property[node->property];
		s.value = node->property == UDD_NO_PROPERTY ? diagram->label[diagram->edge[next->edge].label]
							    : diagram->value[next->value];
		break;
	case UDD_FORK:
		s.kind = STEP_FORK;
		break;
	case UDD_MID:
		s.kind = STEP_AND;
		break;
	case UDD_JOIN:
		s.kind = STEP_JOIN;
		break;
	case UDD_DONE:
		s.kind = STEP_DONE;
		break;
	case UDD_IMPOSSIBLE:
		return;
	}
	add_step(trace, s);
}

/* The states from the root to `last`, in order. The caller frees. */
static const struct walk_state **
state_chain(const struct walk *k, uint32_t last, size_t *n)
{
	const struct walk_state **list;

	*n = 0;
	for (uint32_t s = last; s != STATE_NONE; s = k->state[s].prev)
		++*n;
	list = mem_new_array(*n, sizeof *list);
	for (size_t i = *n; i-- > 0; last = k->state[last].prev)
		list[i] = &k->state[last];
	return list;
}

/* Adds the happens-before edges that have both ends among the steps. */
static void
add_before(struct trace *trace)
{
	const struct udd_diagram *diagram = trace->g;
	uint32_t *step_of;
	size_t cap = 0;

	if (!diagram->n_before)
		return;
	step_of = mem_new_array(diagram->n_nodes, sizeof *step_of);
	for (size_t i = 1; i < trace->w->n; i++)
		step_of[trace->w->step[i].node] = (uint32_t)i; /* step 0 is the root's, which is no node */
	for (size_t i = 0; i < diagram->n_before; i++) {
		size_t from = step_of[diagram->before[i].from], to = step_of[diagram->before[i].to];

		if (!from || !to)
			continue;
		mem_grow(&trace->w->before, &cap, trace->w->n_before + 1, sizeof *trace->w->before);
		trace->w->before[trace->w->n_before].from = from;
		trace->w->before[trace->w->n_before++].to = to;
	}
	free(step_of);
}

/* The µpath from its root through state `last` to the end of that block. */
static struct signature_witness *
trace_path(const struct walk *walk, const struct udd_diagram *diagram, uint32_t last)
{
	struct trace t = {.g = diagram, .w = mem_new(sizeof *t.w)};
	size_t n, i = 1;
	const struct walk_state **state = state_chain(walk, last, &n);
	uint32_t node = diagram->root_node[state[0]->edge];

	add_step(&t,
		(struct signature_step){.kind = STEP_ROOT,
			.name = diagram->model->root[diagram->root[state[0]->edge]].name,
			.value = "",
			.node = node});
	for (;;) {
		const struct udd_node *udd_node = &diagram->node[node];
		const struct walk_state *next = i < n ? state[i] : NULL;

		witness_add_node(&t, node, next);
		if (udd_node->n_edges == 0 || (udd_node->kind == UDD_DECISION && !next))
			break;
		if (next && (udd_node->kind == UDD_DECISION || next->edge == udd_node->first_edge)) {
			i++;
			node = diagram->edge[next->edge].to;
		} else {
			node = diagram->edge[udd_node->first_edge].to;
		}
	}
	free(state);
	add_before(&t);
	return t.w;
}

void
walk_assignments(const struct walk *walk, const struct udd_diagram *diagram, uint32_t last, struct str *out)
{
	struct signature_witness *witness = trace_path(walk, diagram, last);
	size_t shown = 0;

	for (size_t i = 0; i < witness->n && shown <= ASSIGNMENTS_SHOWN; i++) {
		bool again = false;

		if (witness->step[i].kind != STEP_CHOICE || !*witness->step[i].name)
			continue;
		for (size_t j = 0; j < i && !again; j++)
			again = witness->step[j].kind == STEP_CHOICE &&
				str_eq(witness->step[j].name, witness->step[i].name);
		if (again)
			continue;
		if (shown++ == ASSIGNMENTS_SHOWN)
			str_add(out, ", …");
		else
			str_addf(
				out, "%s%s = %s", shown > 1 ? ", " : "", witness->step[i].name, witness->step[i].value);
	}
	signature_witness_free(witness);
}

struct signature_witness *
signatures_witness(const struct signatures *s, const struct udd_diagram *g, size_t k)
{
	return trace_path(s->walk, g, s->walk->last[k]);
}

void
signature_witness_free(struct signature_witness *w)
{
	if (!w)
		return;
	free(w->step);
	free(w->before);
	free(w);
}

void
walk_forget(struct walk *walk, size_t n_last)
{
	uint32_t *number = mem_new_array(walk->n, sizeof *number);
	size_t n = 0;

	for (size_t i = 0; i < n_last; i++)
		for (uint32_t s = walk->last[i]; s != STATE_NONE && !number[s]; s = walk->state[s].prev)
			number[s] = 1;
	for (size_t s = 0; s < walk->n; s++) { /* a state always comes after its previous one */
		if (!number[s])
			continue;
		number[s] = (uint32_t)n;
		walk->state[n] = walk->state[s];
		if (walk->state[n].prev != STATE_NONE)
			walk->state[n].prev = number[walk->state[n].prev];
		n++;
	}
	for (size_t i = 0; i < n_last; i++)
		walk->last[i] = number[walk->last[i]];
	walk->state = mem_resize(walk->state, n, sizeof *walk->state);
	walk->n = walk->cap = n;
	free(number);
}

void
walk_free(struct walk *k)
{
	if (!k)
		return;
	free(k->state);
	free(k->last);
	free(k);
}
