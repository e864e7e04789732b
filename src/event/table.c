#include "event/table.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
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

const char *
event_table_text(struct event_table *table, const char *text)
{
	if (!text || !*text)
		return "";
	if (!table->arena)
		table->arena = arena_new();
	return arena_str(table->arena, text);
}

/* Where the texts of a row are. */
#define ROW(field) offsetof(struct event_row, field)
#define METRIC(field) offsetof(struct event_metric, field)
static const size_t row_text[] = {
	ROW(name), ROW(pmu), ROW(topic), ROW(text), ROW(code), ROW(unit), ROW(counters), ROW(errata)};
static const size_t metric_text[] = {
	METRIC(name), METRIC(groups), METRIC(expr), METRIC(threshold), METRIC(unit), METRIC(text), METRIC(pmu)};
#define N_ROW_TEXTS (sizeof row_text / sizeof *row_text)
#define N_METRIC_TEXTS (sizeof metric_text / sizeof *metric_text)

static const char **
text_at(void *row, size_t offset)
{
	return (void *)((char *)row + offset);
}

static struct event_row *
next_row(struct event_table *table)
{
	mem_grow(&table->row, &table->cap, table->n + 1, sizeof *table->row);
	return &table->row[table->n++];
}

static struct event_metric *
next_metric(struct event_table *table)
{
	mem_grow(&table->metric, &table->cap_metrics, table->n_metrics + 1, sizeof *table->metric);
	return &table->metric[table->n_metrics++];
}

void
event_table_add(struct event_table *table, const struct event_row *from)
{
	struct event_row *row = next_row(table);

	*row = *from;
	for (size_t i = 0; i < N_ROW_TEXTS; i++)
		*text_at(row, row_text[i]) = event_table_text(table, *text_at(row, row_text[i]));
	row->form = "";
	row->sources = 1U << row->source;
	row->scale = from->scale != 0 ? from->scale : 1;
}

/* Returns the kind of cores that alone stands in an expression; "": none, or several. */
static const char *
kind_of_cores(const char *expr)
{
	static const char *const kind[] = {"cpu_core", "cpu_atom", "cpu_lowpower"};
	const char *found = "";

	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
		const char *at = strstr(expr, kind[i]);
		char after = at ? at[strlen(kind[i])] : '\0';

		if (after != '@' && after != '/')
			continue;
		if (*found)
			return "";
		found = kind[i];
	}
	return found;
}

void
event_table_add_metric(struct event_table *table, const struct event_metric *from)
{
	struct event_metric *metric = next_metric(table);

	*metric = *from;
	for (size_t i = 0; i < N_METRIC_TEXTS; i++)
		*text_at(metric, metric_text[i]) = event_table_text(table, *text_at(metric, metric_text[i]));
	metric->scale = from->scale != 0 ? from->scale : 1;
	if (!*metric->pmu)
		metric->pmu = kind_of_cores(metric->expr);
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
		order = strcmp(a->pmu, b->pmu);
	if (!order)
		order = (a->source > b->source) - (a->source < b->source);
	return order ? order : strcmp(a->expr, b->expr);
}

static void
join_metric_groups(struct event_table *table, struct event_metric *into, const struct event_metric *from)
{
	char *all;

	if (str_eq(into->groups, from->groups) || !*from->groups)
		return;
	all = str_format("%s%s%s", into->groups, *into->groups ? ";" : "", from->groups);
	into->groups = event_table_text(table, all);
	free(all);
}

static void
set_forms(struct event_table *table)
{
	struct str form = {0};

	for (size_t i = 0; i < table->n; i++) {
		if (*table->row[i].form || !*table->row[i].code)
			continue;
		str_clear(&form);
		event_code_form(table->row[i].code, &form);
		table->row[i].form = event_table_text(table, str_text(&form));
	}
	str_free(&form);
}

/* Do two rows of a name say the same of the same event? Forms are those of cores. */
static bool
rows_agree(const struct event_row *a, const struct event_row *b)
{
	return str_eq(a->pmu, b->pmu) && *a->code && *b->code &&
		(str_eq(a->code, b->code) || (event_pmu_is_core(a->pmu) && event_forms_agree(a->form, b->form)));
}

/* Adds what a row knows to one of those before it with the same event and code. False: there is none. */
static bool
join_row(struct event_table *table, const struct event_row *row)
{
	struct event_row *into = table->row + table->n, from = *row;

	while (into > table->row && strcasecmp(into[-1].name, row->name) == 0) {
		into--;
		if (!rows_agree(into, row))
			continue;
		for (size_t i = 0; i < N_ROW_TEXTS; i++)
			if (!**text_at(into, row_text[i]))
				*text_at(into, row_text[i]) = *text_at(&from, row_text[i]);
		into->taken_alone |= row->taken_alone;
		into->deprecated |= row->deprecated;
		into->sources |= row->sources;
		return true;
	}
	return false;
}

/* What is in order, as an answer of perf that is kept, stays as it is. */
static void
table_order(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	size_t i = 1;

	while (i < n && compare((char *)base + (i - 1) * size, (char *)base + i * size) <= 0)
		i++;
	if (i < n)
		qsort(base, n, size, compare);
}

void
event_table_sort(struct event_table *table)
{
	size_t kept = 0;

	table_order(table->row, table->n, sizeof *table->row, compare_rows);
	for (size_t i = 0; i < table->n; i++)
		if (!i || compare_rows(&table->row[kept - 1], &table->row[i]) != 0)
			table->row[kept++] = table->row[i];
	table->n = kept;
	set_forms(table);
	table->n = 0;
	for (size_t i = 0; i < kept; i++)
		if (!join_row(table, &table->row[i]))
			table->row[table->n++] = table->row[i];
	kept = 0;
	table_order(table->metric, table->n_metrics, sizeof *table->metric, compare_metrics);
	for (size_t i = 0; i < table->n_metrics; i++)
		if (!i || compare_metrics(&table->metric[kept - 1], &table->metric[i]) != 0)
			table->metric[kept++] = table->metric[i];
		else
			join_metric_groups(table, &table->metric[kept - 1], &table->metric[i]);
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

/* --- as bytes ---------------------------------------------------------------------------------------------------- */

/* Packed are the numbers of rows, then the texts of each row, each ended by 0, and its numbers as they are in memory.
 * So rows that are read point into the bytes, and no text is copied. */
struct packed_numbers {
	double scale;
	unsigned char alone, deprecated, source, unused[5];
};

static void
pack_text(struct str *out, const char *text)
{
	str_addn(out, text, strlen(text) + 1);
}

static void
pack_numbers(struct str *out, double scale, bool alone, bool deprecated, enum event_source source)
{
	const struct packed_numbers numbers = {
		.scale = scale, .alone = alone, .deprecated = deprecated, .source = (unsigned char)source};

	str_addn(out, (const char *)&numbers, sizeof numbers);
}

void
event_table_pack(const struct event_table *table, struct str *out)
{
	str_addf(out, "%zu %zu", table->n, table->n_metrics);
	str_addc(out, 0);
	for (size_t i = 0; i < table->n; i++) {
		struct event_row row = table->row[i];

		for (size_t k = 0; k < N_ROW_TEXTS; k++)
			pack_text(out, *text_at(&row, row_text[k]));
		pack_numbers(out, row.scale, row.taken_alone, row.deprecated, row.source);
	}
	for (size_t i = 0; i < table->n_metrics; i++) {
		struct event_metric metric = table->metric[i];

		for (size_t k = 0; k < N_METRIC_TEXTS; k++)
			pack_text(out, *text_at(&metric, metric_text[k]));
		pack_numbers(out, metric.scale, false, false, metric.source);
	}
}

struct unpacking {
	const char *at, *end;
	bool good;
};

static const char *
unpack_text(struct unpacking *from)
{
	const char *text = from->at, *zero = from->good ? memchr(text, 0, (size_t)(from->end - text)) : NULL;

	from->good = zero != NULL;
	from->at = zero ? zero + 1 : from->end;
	return zero ? text : "";
}

static void
unpack_numbers(struct unpacking *from, double *scale, bool *alone, bool *deprecated, enum event_source *source)
{
	struct packed_numbers numbers = {0};

	from->good = from->good && (size_t)(from->end - from->at) >= sizeof numbers;
	if (from->good) {
		memcpy(&numbers, from->at, sizeof numbers);
		from->at += sizeof numbers;
	}
	from->good = from->good && numbers.source < EVENT_SOURCES;
	*scale = numbers.scale;
	*alone = numbers.alone != 0;
	*deprecated = numbers.deprecated != 0;
	*source = from->good ? (enum event_source)numbers.source : EVENT_FROM_SYSFS;
}

bool
event_table_unpack(char *bytes, size_t n, struct event_table *table)
{
	struct unpacking from = {.at = bytes, .end = bytes + n, .good = n > 0};
	size_t n_rows = 0, n_metrics = 0, before = table->n, before_metrics = table->n_metrics;
	bool ignored;

	from.good = !table->block && sscanf(unpack_text(&from), "%zu %zu", &n_rows, &n_metrics) == 2 && from.good;
	for (size_t i = 0; i < n_rows && from.good; i++) {
		struct event_row *row = next_row(table);

		for (size_t k = 0; k < N_ROW_TEXTS; k++)
			*text_at(row, row_text[k]) = unpack_text(&from);
		row->form = "";
		unpack_numbers(&from, &row->scale, &row->taken_alone, &row->deprecated, &row->source);
		row->sources = 1U << row->source;
	}
	for (size_t i = 0; i < n_metrics && from.good; i++) {
		struct event_metric *metric = next_metric(table);

		for (size_t k = 0; k < N_METRIC_TEXTS; k++)
			*text_at(metric, metric_text[k]) = unpack_text(&from);
		unpack_numbers(&from, &metric->scale, &ignored, &ignored, &metric->source);
	}
	if (from.good && from.at == from.end) {
		table->block = bytes;
		return true;
	}
	table->n = before;
	table->n_metrics = before_metrics;
	return false;
}

const char *
event_source_name(enum event_source source)
{
	static const char *const name[EVENT_SOURCES] = {"sysfs", "perf", "HECATE_EVENTS", "libpfm4"};

	return name[source];
}

void
event_sources_list(const struct event_row *row, struct str *out)
{
	const char *between = "";

	for (int i = 0; i < EVENT_SOURCES; i++)
		if (row->sources & 1U << i) {
			str_addf(out, "%s%s", between, event_source_name((enum event_source)i));
			between = ", ";
		}
}
