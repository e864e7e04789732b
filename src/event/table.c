#include "event/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"

void
event_table_free(struct event_table *table)
{
	free(table->row);
	free(table->metric);
	if (table->arena)
		arena_free(table->arena);
	free(table->block);
	*table = (struct event_table){0};
}

static const char *
table_text(struct event_table *table, const char *text)
{
	if (!text || !*text)
		return "";
	if (!table->arena)
		table->arena = arena_new();
	return arena_str(table->arena, text);
}

void
event_table_add(struct event_table *table, const struct event_row *from)
{
	struct event_row row = *from;

	row.name = table_text(table, from->name);
	row.pmu = table_text(table, from->pmu);
	row.topic = table_text(table, from->topic);
	row.text = table_text(table, from->text);
	row.code = table_text(table, from->code);
	row.unit = table_text(table, from->unit);
	row.counters = table_text(table, from->counters);
	row.errata = table_text(table, from->errata);
	row.scale = from->scale != 0 ? from->scale : 1;
	mem_grow(&table->row, &table->cap, table->n + 1, sizeof row);
	table->row[table->n++] = row;
}

void
event_table_add_metric(struct event_table *table, const struct event_metric *from)
{
	struct event_metric metric = *from;

	metric.name = table_text(table, from->name);
	metric.groups = table_text(table, from->groups);
	metric.expr = table_text(table, from->expr);
	metric.threshold = table_text(table, from->threshold);
	metric.unit = table_text(table, from->unit);
	metric.text = table_text(table, from->text);
	metric.scale = from->scale != 0 ? from->scale : 1;
	mem_grow(&table->metric, &table->cap_metrics, table->n_metrics + 1, sizeof metric);
	table->metric[table->n_metrics++] = metric;
}

static int
compare_rows(const void *left, const void *right)
{
	const struct event_row *a = left, *b = right;
	int order = strcasecmp(a->name, b->name);

	if (!order)
		order = (a->source > b->source) - (a->source < b->source);
	if (!order)
		order = strcmp(a->pmu, b->pmu);
	return order ? order : strcmp(a->code, b->code);
}

static int
compare_metrics(const void *left, const void *right)
{
	const struct event_metric *a = left, *b = right;
	int order = strcasecmp(a->name, b->name);

	if (!order)
		order = (a->source > b->source) - (a->source < b->source);
	return order ? order : strcmp(a->expr, b->expr);
}

static void
join_groups(struct event_table *table, struct event_metric *into, const struct event_metric *from)
{
	char *all;

	if (str_eq(into->groups, from->groups) || !*from->groups)
		return;
	all = str_format("%s%s%s", into->groups, *into->groups ? ";" : "", from->groups);
	into->groups = table_text(table, all);
	free(all);
}

void
event_table_sort(struct event_table *table)
{
	size_t kept = 0;

	if (table->n)
		qsort(table->row, table->n, sizeof *table->row, compare_rows);
	for (size_t i = 0; i < table->n; i++)
		if (!i || compare_rows(&table->row[kept - 1], &table->row[i]) != 0)
			table->row[kept++] = table->row[i];
	table->n = kept;
	kept = 0;
	if (table->n_metrics)
		qsort(table->metric, table->n_metrics, sizeof *table->metric, compare_metrics);
	for (size_t i = 0; i < table->n_metrics; i++)
		if (!i || compare_metrics(&table->metric[kept - 1], &table->metric[i]) != 0)
			table->metric[kept++] = table->metric[i];
		else
			join_groups(table, &table->metric[kept - 1], &table->metric[i]);
	table->n_metrics = kept;
}

/* The first of n elements, each of `size` bytes and beginning with its name, that is not before `name`. */
static size_t
first_not_before(const void *base, size_t n, size_t size, const char *name)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *const *at = (const void *)((const char *)base + middle * size);

		if (strcasecmp(*at, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct event_row *
event_table_find(const struct event_table *table, const char *name, const char *pmu)
{
	size_t i = first_not_before(table->row, table->n, sizeof *table->row, name);

	for (; i < table->n && strcasecmp(table->row[i].name, name) == 0; i++) {
		const char *of = table->row[i].pmu;

		if (!pmu || !*pmu || str_eq(of, pmu) || event_pmu_is_box(pmu, of))
			return &table->row[i];
	}
	return NULL;
}

const struct event_metric *
event_table_find_metric(const struct event_table *table, const char *name)
{
	size_t i = first_not_before(table->metric, table->n_metrics, sizeof *table->metric, name);

	return i < table->n_metrics && strcasecmp(table->metric[i].name, name) == 0 ? &table->metric[i] : NULL;
}

const char *
event_source_name(enum event_source source)
{
	static const char *const name[EVENT_SOURCES] = {"sysfs", "perf", "libpfm4", "HECATE_EVENTS"};

	return name[source];
}
