/* The truth about simulated machines, from one session file to another. */
#include <sqlite3.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_store.h"
#include "collect/store/session_table.h"

/* Reads the numbers of all observations, in the order of the table of session_file_read(). The caller frees them. */
static bool
read_numbers(struct session_file *file, int64_t **number, size_t *n, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(file, "SELECT id FROM observation ORDER BY id", e);
	size_t cap = 0;
	int got = SQLITE_ERROR;

	*number = NULL;
	*n = 0;
	while (s && (got = sqlite3_step(s)) == SQLITE_ROW) {
		mem_grow(number, &cap, *n + 1, sizeof **number);
		(*number)[(*n)++] = sqlite3_column_int64(s, 0);
	}
	if (s && got != SQLITE_DONE)
		session_store_fail(file, e);
	sqlite3_finalize(s);
	return got == SQLITE_DONE;
}

/* Replaces the observations' numbers in one file by those in the other. */
static void
renumber(const struct session_table *rows, const struct session_writer *writer, const int64_t *number, size_t n,
	struct session_table *out)
{
	*out = (struct session_table){.n_columns = session_table_columns(SESSION_TABLE_TRUTH)};
	for (size_t row = 0; row < rows->n_rows; row++) {
		uint64_t was = 0;
		size_t i = 0;
		char *text;

		str_to_u64(session_table_cell(rows, row, 0), &was);
		while (i < n && number[i] != (int64_t)was)
			i++;
		if (i == n)
			continue;
		text = str_format("%lld", (long long)session_writer_number(writer, i));
		session_table_add(out, (const char *[]){text, session_table_cell(rows, row, 1),
			session_table_cell(rows, row, 2)});
		free(text);
	}
}

bool
session_file_copy_truth(struct session_file *to, struct session_file *from, const struct session_writer *writer,
	size_t n, struct err *e)
{
	struct session_table rows = {0}, out = {0};
	int64_t *number = NULL;
	size_t all;
	bool good = read_numbers(from, &number, &all, e) && session_table_read(from, SESSION_TABLE_TRUTH, &rows, e);

	renumber(&rows, writer, number, all < n ? all : n, &out);
	good = good && session_table_write(to, SESSION_TABLE_TRUTH, &out, false, e);
	session_table_clear(&rows);
	session_table_clear(&out);
	free(number);
	return good;
}
