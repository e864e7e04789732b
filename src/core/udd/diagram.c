/* An expanded diagram: freeing it, and the origin of its nodes, that is the statement in the text and the call that
 * made this copy. */
#include "core/udd/diagram.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/expander.h"
#include "core/udd/model.h"
#include "text/diag.h"

static void
free_list(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void
udd_diagram_free(struct udd_diagram *g)
{
	if (!g)
		return;
	free_list(g->event, g->n_events);
	free_list(g->property, g->n_properties);
	free_list(g->value, g->n_values);
	free_list(g->label, g->n_labels);
	free_list(g->file, g->n_files);
	names_free(&g->origins->words);
	arena_free(g->origins->arena);
	free(g->origins->frame);
	free(g->origins->node);
	free(g->origins->before);
	free(g->origins);
	free(g->node);
	free(g->edge);
	free(g->before);
	free(g->root_node);
	free(g->root);
	free(g->property_domain);
	free(g->domain);
	free(g->root_mark);
	free(g->mark);
	free(g);
}

void
udd_sum_error(const struct udd_model *m, const struct udd_sum *s, struct diags *d, const char *hint, const char *text)
{
	struct place at = udd_place(m->ast, s->file, s->at, s->len);

	diag_add(d, DIAG_ERROR, &at, hint, "%s", text);
}

uint32_t
udd_node_offset(const struct udd_diagram *g, uint32_t node)
{
	return g->origins->node[node].at;
}

uint32_t
udd_node_copy(const struct udd_diagram *g, uint32_t node)
{
	return g->origins->node[node].frame;
}

void
udd_node_call(const struct udd_diagram *g, uint32_t node, struct str *out)
{
	const struct udd_frame *f = g->origins->frame[g->origins->node[node].frame];

	if (!f->arg)
		return;
	str_addf(out, "%s(", f->body->name.text);
	for (size_t i = 0; i < f->body->n_words; i++)
		str_addf(out, "%s%s", i ? ", " : "", f->arg[i].text);
	str_addc(out, ')');
}

void
udd_node_insert(const struct udd_diagram *g, uint32_t node, const char *text, struct str *out)
{
	const struct origin *o = &g->origins->node[node];
	const struct source *s = &g->model->ast->file[g->origins->frame[o->frame]->body->file];
	size_t from = s->line[source_line(s, o->at) - 1], to = o->at;

	while (from < o->at && (s->text[from] == ' ' || s->text[from] == '\t'))
		from++;
	while (to < s->n && s->text[to] != '\n' && s->text[to] != '\r')
		to++;
	str_addn(out, s->text + from, o->at - from);
	str_add(out, text);
	str_addn(out, s->text + o->at, to - o->at);
}
