#include "work/trust/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/run_table.h"
#include "core/trust/judge.h"
#include "work/files/files.h"
#include "work/trust/facts.h"
#include "work/trust/recorded.h"
#include "work/trust/shelf.h"

#define TABLE_MAX ((size_t)1 << 28) /* bytes, as in recorded.c */

enum trust_table_kind
trust_table_kind_of(const char *path)
{
	struct err e = {0};
	size_t n = 0;
	char *text = str_eq(path, "-") || file_is_folder(path) ? NULL : file_read(path, TABLE_MAX, &n, &e);
	enum run_table_kind kind = text ? run_table_kind_of(text, n) : RUN_TABLE_NONE;

	free(text);
	return kind == RUN_TABLE_RUNS ? TRUST_TABLE_RUNS
		: kind == RUN_TABLE_NONE ? TRUST_TABLE_NONE : TRUST_TABLE_EXPECTED;
}

static char *
table_name_of(char *const *path, size_t n)
{
	size_t tables = 0, first = 0;
	const char *slash;

	for (size_t i = n; i-- > 0;)
		if (trust_table_kind_of(path[i]) != TRUST_TABLE_EXPECTED) {
			tables++;
			first = i;
		}
	if (tables > 1)
		return str_format("%zu files", tables);
	slash = strrchr(path[first], '/');
	return mem_str(slash ? slash + 1 : path[first]);
}

static char *
absolute(const char *path)
{
	char *full = realpath(path, NULL);

	return full ? full : mem_str(path);
}

struct trust_table *
trust_table_read(char *const *path, size_t n, const char *expected, struct err *e)
{
	struct trust_table *table = mem_new(sizeof *table);
	struct str remarks = {0};

	if (!recorded_read(path, n, expected, &table->runs, e)) {
		trust_table_free(table);
		return NULL;
	}
	table->shelf = trust_shelf_new(trust_facts_load(&remarks));
	table->judgement = trust_judge(&table->runs, trust_shelf_entry, table->shelf);
	str_free(&remarks); /* hecate doctor shows them */
	table->name = table_name_of(path, n);
	table->path = mem_new_array(n, sizeof *table->path);
	for (size_t i = 0; i < n; i++)
		table->path[table->n_paths++] = absolute(path[i]);
	table->expected = expected ? absolute(expected) : NULL;
	return table;
}

void
trust_table_free(struct trust_table *table)
{
	if (!table)
		return;
	trust_judgement_free(table->judgement);
	trust_runs_free(&table->runs);
	trust_shelf_free(table->shelf);
	for (size_t i = 0; i < table->n_paths; i++)
		free(table->path[i]);
	free(table->path);
	free(table->expected);
	free(table->name);
	free(table);
}
