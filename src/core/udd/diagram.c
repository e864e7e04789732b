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
udd_diagram_free(struct udd_diagram *diagram)
{
	if (!diagram)
		return;
	free_list(diagram->event, diagram->n_events);
	free_list(diagram->property, diagram->n_properties);
	free_list(diagram->value, diagram->n_values);
	free_list(diagram->label, diagram->n_labels);
	free_list(diagram->file, diagram->n_files);
	names_free(&diagram->origins->words);
	arena_free(diagram->origins->arena);
	free(diagram->origins->frame);
	free(diagram->origins->node);
	free(diagram->origins->before);
	free(diagram->origins);
	free(diagram->node);
	free(diagram->edge);
	free(diagram->before);
	free(diagram->root_node);
	free(diagram->root);
	free(diagram->property_domain);
	free(diagram->domain);
	free(diagram->root_mark);
	free(diagram->mark);
	free(diagram);
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
udd_node_insert(const struct udd_diagram *diagram, uint32_t node, const char *text, struct str *out)
{
	const struct origin *o = &diagram->origins->node[node];
	const struct source *source = &diagram->model->ast->file[diagram->origins->frame[o->frame]->body->file];
	size_t from = source->line[source_line(source, o->at) - 1], to = o->at;

	while (from < o->at && (source->text[from] == ' ' || source->text[from] == '\t'))
		from++;
	while (to < source->n && source->text[to] != '\n' && source->text[to] != '\r')
		to++;
	str_addn(out, source->text + from, o->at - from);
	str_add(out, text);
	str_addn(out, source->text + o->at, to - o->at);
}
