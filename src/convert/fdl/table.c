#include "convert/fdl/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/udd/build.h"
#include "text/diag.h"

struct fdl_table {
	struct udd_model *m; /* the items of the table and nothing else */
};

static bool
check_items(const struct udd_ast *ast, struct diags *diags)
{
	for (const struct udd_item *item = ast->first; item; item = item->next) {
		struct place at = udd_place(ast, item->file, item->name.at, item->name.len);

		if (item->kind == ITEM_COUNTER && item->n_events)
			continue;
		diag_add(diags, DIAG_ERROR, &at, "counter NAME = \"event\", …;",
			"%s holds nothing but counters and their events", FDL_COUNTERS_FILE);
		return false;
	}
	return true;
}

struct fdl_table *
fdl_table_load(const char *from, const struct udd_loader *loader, struct diags *diags)
{
	struct udd_file f = {0};
	struct err e = {0};
	struct fdl_table *table;
	size_t errors = diags->errors;

	if (!loader->load(loader->ctx, from, FDL_COUNTERS_FILE, &f, &e))
		return NULL;
	table = mem_new(sizeof *table);
	table->m = udd_model_new();
	udd_read_items(table->m, f.name ? f.name : mem_str(FDL_COUNTERS_FILE), f.text, f.n, diags);
	if (diags->errors == errors && check_items(table->m->ast, diags))
		return table;
	fdl_table_free(table);
	return NULL;
}

void
fdl_table_free(struct fdl_table *t)
{
	if (!t)
		return;
	udd_free(t->m);
	free(t);
}

/* Other names of one event, as event_item.also. */
static const char *const *
other_names(const struct fdl_table *table, const char *event, struct arena *arena)
{
	const char **list = NULL;
	size_t n = 0, cap = 0;
	const char *const *kept = NULL;

	if (!table)
		return NULL;
	for (size_t i = 0; i < table->m->ast->counter_names.n; i++) {
		const struct udd_item *item = table->m->ast->counter[i];

		if (item->n_events != 1 || !str_eq(item->event[0].name.text, event))
			continue;
		mem_grow(&list, &cap, n + 2, sizeof *list);
		list[n++] = arena_str(arena, item->name.text);
		list[n] = NULL;
	}
	if (n)
		kept = arena_copy(arena, list, (n + 1) * sizeof *list);
	free(list);
	return kept;
}

struct udd_event_word *
fdl_table_events(const struct fdl_table *table, const struct udd_word *counter, struct arena *arena, size_t *n)
{
	size_t i = table ? names_find(&table->m->ast->counter_names, counter->text, strlen(counter->text)) : NAMES_NONE;
	const struct udd_item *item = i == NAMES_NONE ? NULL : table->m->ast->counter[i];
	struct udd_event_word *event;

	*n = item ? item->n_events : 1;
	event = arena_alloc(arena, *n * sizeof *event);
	event[0].name.text = counter->text;
	for (size_t k = 0; k < *n; k++) {
		if (item) {
			event[k] = item->event[k];
			event[k].name.text = arena_str(arena, item->event[k].name.text);
			event[k].filter.text =
				item->event[k].filtered ? arena_str(arena, item->event[k].filter.text) : NULL;
		}
		event[k].also = other_names(table, event[k].name.text, arena);
	}
	return event;
}

const char *
fdl_table_text(const struct fdl_table *table, const char *counter, struct arena *arena)
{
	for (size_t i = 0; table && i < table->m->ast->counter_names.n; i++) {
		const struct udd_item *item = table->m->ast->counter[i];

		if (str_eq(item->name.text, counter) ||
			(item->n_events == 1 && str_eq(item->event[0].name.text, counter)))
			return arena_str(arena, item->text);
	}
	return "";
}
