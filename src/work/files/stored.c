#include "work/files/stored.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/udd/model.h"
#include "work/files/files.h"
#include "work/files/texts.h"

struct session_model
stored_model(const struct udd_model *m, const struct bundle *b)
{
	return (struct session_model){
		.name = m->name, .path = b->path, .file = b->file, .n = b->n,
		.include_dir = b->include_dir, .n_include_dirs = b->n_include_dirs,
		.define = b->define.text, .n_defines = b->define.n,
	};
}

struct session_model
stored_text(enum text_kind kind, const char *name, const struct text *t, struct udd_file *file)
{
	*file = (struct udd_file){.name = t->path, .text = t->text, .n = t->n};
	return (struct session_model){
		.kind = kind, .name = name, .path = t->path, .file = file, .n = 1};
}

bool
stored_add(struct session_file *file, struct obs_table *const *t, size_t n, struct err *e)
{
	bool good = true;

	for (size_t i = 0; i < n && good; i++) {
		struct session_writer *writer = session_writer_new(file, NULL);

		obs_table_rest(t[i]); /* failures of earlier reads do not matter here */
		good = session_writer_write(writer, t[i], e);
		session_writer_free(writer);
		obs_table_rest(t[i]);
	}
	return good;
}

bool
stored_follow(struct stored_tables *tables, struct session_file *file, const struct obs_table *table,
	const char *command, struct err *e)
{
	size_t i = 0;

	while (i < tables->n && tables->table[i].table != table)
		i++;
	if (i == tables->n) {
		mem_grow(&tables->table, &tables->cap, tables->n + 1, sizeof *tables->table);
		tables->table[tables->n++] = (struct stored_table){table, session_writer_new(file, command)};
	} else if (command) {
		session_writer_set_command(tables->table[i].writer, command);
	}
	return session_writer_write(tables->table[i].writer, table, e);
}

const struct session_writer *
stored_writer(const struct stored_tables *tables, const struct obs_table *table)
{
	for (size_t i = 0; i < tables->n; i++)
		if (tables->table[i].table == table)
			return tables->table[i].writer;
	return NULL;
}

void
stored_leave(struct stored_tables *k, const struct obs_table *t)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->table[i].table == t) {
			k->left_rows += session_writer_rows(k->table[i].writer);
			k->left_observations += t->n;
			session_writer_free(k->table[i].writer);
			memmove(&k->table[i], &k->table[i + 1], (--k->n - i) * sizeof *k->table);
			return;
		}
}

size_t
stored_rows(const struct stored_tables *k)
{
	size_t rows = k->left_rows;

	for (size_t i = 0; i < k->n; i++)
		rows += session_writer_rows(k->table[i].writer);
	return rows;
}

size_t
stored_observations(const struct stored_tables *k)
{
	size_t n = k->left_observations;

	for (size_t i = 0; i < k->n; i++)
		n += k->table[i].table->n;
	return n;
}

void
stored_free(struct stored_tables *k)
{
	for (size_t i = 0; i < k->n; i++)
		session_writer_free(k->table[i].writer);
	free(k->table);
	*k = (struct stored_tables){0};
}
