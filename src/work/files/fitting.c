#include "work/files/fitting.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/openable.h"

#define MODELS_MOST 64 /* that are read */

struct fitting {
	const struct openable *item;
	char *text;
	size_t found, all;
};

/* Counts the counters of a model that the table has. False: there are none, or the model does not load. */
static bool
count(struct fitting *f, const char *path, const struct obs_table *table)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct diags d = {0};
	struct udd_model *model = model_read(path, &loader, &d);
	struct columns_match *match = model ? match_new(model, table) : NULL;

	for (size_t i = 0; match && i < match->n_counters; i++)
		f->found += match->first[i + 1] > match->first[i] || match->derived[i];
	f->all = match ? match->n_counters : 0;
	if (f->found)
		f->text = mem_str(model->text);
	columns_match_free(match);
	udd_free(model);
	diags_free(&d);
	bundle_free(&b);
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
			n += path && count(&list[n], path, table);
			free(path);
		}
		free(name);
	}
	if (n)
		qsort(list, n, sizeof *list, compare_fitting);
	for (size_t i = 0; i < n; i++) {
		struct openable *item = openable_add(out, OPENABLE_MODEL, list[i].item->name);

		item->text = str_format("%zu of %zu counters%s%s", list[i].found, list[i].all,
			*list[i].text ? "  " : "", list[i].text);
		free(list[i].text);
	}
	free(list);
}
