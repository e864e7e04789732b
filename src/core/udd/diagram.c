#include "core/udd/diagram.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/udd/expander.h"

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
