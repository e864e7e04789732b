/* Marks of an expansion: where the text leads elsewhere without the features in question. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/udd/expander.h"

void
mark_flow(struct expander *x)
{
	struct udd_diagram *g = x->g;

	if (x->flow.entry)
		g->root_mark[g->n_roots - 1] = true;
	for (uint32_t e = x->flow.first; e != UDD_NONE; e = e == x->flow.last ? UDD_NONE : g->edge[e].to) {
		g->edge[e].mark = true;
		x->steps++;
	}
}

void
mark_values(struct expander *x, const uint32_t *value, size_t n, uint32_t edge)
{
	struct udd_diagram *g = x->g;

	for (size_t i = 0; i < n; i++) {
		mem_grow(&g->mark, &x->cap_mark, g->n_marks + 1, sizeof *g->mark);
		g->mark[g->n_marks++] = (struct udd_mark){edge, value[i]};
	}
}

bool
mark_no_part(const struct udd_stmt *s)
{
	for (; s; s = s->next) {
		if (s->kind == STMT_WHEN) {
			for (const struct udd_arm *a = s->arms; a; a = a->next)
				if (!mark_no_part(a->body))
					return false;
		} else if (s->kind != STMT_BEFORE) {
			return false;
		}
	}
	return true;
}

static int
compare_marks(const void *a, const void *b)
{
	const struct udd_mark *x = a, *y = b;

	return x->edge < y->edge ? -1 : x->edge > y->edge;
}

void
marks_sort(struct udd_diagram *g)
{
	if (g->n_marks)
		qsort(g->mark, g->n_marks, sizeof *g->mark, compare_marks);
}
