/* Labels of an expansion, and the happens-before edges between them.
 *
 * A label names one node of one expansion; each pass through a repeat is an expansion of its own. A `before` waits
 * until its scope closes, because a label may come later in the text. If a label has no node then (its `when` is
 * off, or nothing reaches it), there is no edge. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/expander.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/diag.h"

void
expand_label(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt, uint32_t node)
{
	struct label_scope *scope = in->labels;
	struct udd_word w;
	size_t i;

	if (!stmt->label || node == UDD_NONE ||
		!word_resolve(expander->ast, in->frame, stmt->label, WORD_NAME, &expander->g->origins->words,
			expander->diags, &w))
		return;
	i = names_add(&scope->names, w.text, strlen(w.text));
	mem_grow(&scope->node, &scope->cap, scope->names.n, sizeof *scope->node);
	scope->node[i] = node;
}

void
expand_before(struct expander *expander, struct place_in *in, const struct udd_stmt *stmt)
{
	struct label_scope *scope = in->labels;
	struct pending p = {{UDD_NONE, UDD_NONE}, {NULL, NULL}, {0}};
	struct udd_word w;

	for (int i = 0; i < 2; i++) {
		if (!word_resolve(expander->ast, in->frame, &stmt->word[i], WORD_NAME, &expander->g->origins->words,
			    expander->diags, &w))
			return;
		p.label[i] = w.text;
	}
	p.origin = expand_origin(expander, in, stmt->at, stmt->word[1].at + stmt->word[1].len - stmt->at);
	mem_grow(&scope->pending, &scope->cap_pending, scope->n_pending + 1, sizeof *scope->pending);
	scope->pending[scope->n_pending++] = p;
}

static void
add_before(struct expander *x, const struct pending *p)
{
	struct udd_diagram *g = x->g;

	mem_grow(&g->before, &x->cap_before, g->n_before + 1, sizeof *g->before);
	mem_grow(&g->origins->before, &g->origins->cap_before, g->n_before + 1, sizeof *g->origins->before);
	g->origins->before[g->n_before] = p->origin;
	g->before[g->n_before++] = (struct udd_before){p->node[0], p->node[1]};
}

void
expand_close_labels(struct expander *expander, struct label_scope *scope)
{
	struct label_scope *outer = scope->outer;

	for (size_t i = 0; i < scope->n_pending; i++) {
		struct pending p = scope->pending[i];

		for (int k = 0; k < 2; k++) {
			size_t found = NAMES_NONE;

			if (p.node[k] == UDD_NONE)
				found = names_find(&scope->names, p.label[k], strlen(p.label[k]));
			if (found != NAMES_NONE)
				p.node[k] = scope->node[found];
		}
		if (p.node[0] != UDD_NONE && p.node[1] != UDD_NONE) {
			add_before(expander, &p);
		} else if (outer) {
			mem_grow(&outer->pending, &outer->cap_pending, outer->n_pending + 1, sizeof *outer->pending);
			outer->pending[outer->n_pending++] = p;
		}
	}
	names_free(&scope->names);
	free(scope->node);
	free(scope->pending);
}
