#include "work/timeline/fitting.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/network/network.h"
#include "core/obs/columns.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/openable.h"
#include "work/files/texts.h"
#include "work/timeline/network_data.h"
#include "work/timeline/stack_count.h"

#define MODELS_MOST 64 /* that are read */

struct fitting {
	const struct openable *item;
	char *text;
	size_t found, all;
};

static void
take_match(struct fitting *f, const struct columns_match *match, const char *text)
{
	for (size_t i = 0; i < match->n_counters; i++)
		f->found += match->first[i + 1] > match->first[i] || match->derived[i];
	f->all = match->n_counters;
	f->text = f->found ? mem_str(text ? text : "") : NULL;
}

/* Counts the counters of a model that the table has. False: there are none, or the model does not load. */
static bool
count_in_model(struct fitting *f, const char *path, const struct obs_table *table)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct diags d = {0};
	struct udd_model *model = model_read(path, &loader, &d);
	struct columns_match *match = model ? match_new(model, table) : NULL;

	if (model)
		take_match(f, match, model->text);
	columns_match_free(match);
	udd_free(model);
	diags_free(&d);
	bundle_free(&b);
	return f->found > 0;
}

/* The same for a network or a stack, by name or file. */
static bool
count_in_text(struct fitting *f, const char *name, enum text_kind kind, const struct obs_table *table)
{
	struct text text = {0};
	struct diags d = {0};
	struct err e = {0};
	bool there = text_load(name, kind, &text, &e);
	struct network *net = there && kind == TEXT_NETWORK ? text_network(&text, &d) : NULL;
	struct stack *stack = there && kind == TEXT_STACK ? text_stack(&text, &d) : NULL;
	struct network_data *data = net ? network_data_new(net, table, NULL, false) : NULL;
	struct stack_columns *columns = stack ? stack_columns_new(stack, table) : NULL;

	if (net)
		take_match(f, data->match, net->text);
	else if (stack)
		take_match(f, columns->match, stack->text);
	network_data_free(data);
	stack_columns_free(columns);
	network_free(net);
	stack_free(stack);
	text_free(&text);
	diags_free(&d);
	return f->found > 0;
}

/* Compares by the share that was found, then by how many these are. Files come before installed models. */
static int
compare_fitting(const void *a, const void *b)
{
	const struct fitting *x = a, *y = b;

	if (x->found * y->all != y->found * x->all)
		return x->found * y->all > y->found * x->all ? -1 : 1;
	if (x->found != y->found)
		return x->found > y->found ? -1 : 1;
	if ((x->item->time > 0) != (y->item->time > 0))
		return x->item->time > 0 ? -1 : 1;
	return strcmp(x->item->name, y->item->name);
}

void
fitting_models(const struct openables *from, const struct obs_table *table, struct openables *out)
{
	struct fitting *list = mem_new_array(from->n, sizeof *list);
	size_t n = 0, read = 0;

	for (size_t i = 0; i < from->n && read < MODELS_MOST; i++) {
		char *name = openable_expand(from->item[i].name), *path;
		struct err e = {0};

		if (from->item[i].kind == OPENABLE_MODEL || from->item[i].kind == OPENABLE_FOLDER) {
			list[n] = (struct fitting){.item = &from->item[i]};
			path = file_find_model(name, &e);
			read += path != NULL;
			n += path && count_in_model(&list[n], path, table);
			free(path);
		} else if (from->item[i].kind == OPENABLE_NETWORK || from->item[i].kind == OPENABLE_STACK) {
			list[n] = (struct fitting){.item = &from->item[i]};
			n += count_in_text(&list[n], name,
				from->item[i].kind == OPENABLE_STACK ? TEXT_STACK : TEXT_NETWORK, table);
			read++;
		}
		free(name);
	}
	if (n)
		qsort(list, n, sizeof *list, compare_fitting);
	for (size_t i = 0; i < n; i++) {
		struct openable *item = openable_add(out, list[i].item->kind, list[i].item->name);

		item->text = str_format("%zu of %zu counters%s%s", list[i].found, list[i].all,
			*list[i].text ? "  " : "", list[i].text);
		free(list[i].text);
	}
	free(list);
}
