#include "signature_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "test.h"

struct signature_file *
signature_file_read(const char *path)
{
	struct signature_file *f = mem_new(sizeof *f);
	char *text = test_read(path, NULL), **line;
	size_t lines, cap = 0;

	if (!text)
		return f;
	line = str_split(text, '\n', &lines);
	f->name = str_split(line[0], ' ', &f->n_counters);
	for (size_t i = 1; i < lines && *line[i]; i++) {
		size_t n;
		char **cell = str_split(line[i], ' ', &n);

		CHECK_INT(n, f->n_counters);
		mem_grow(&f->signature, &cap, (f->n + 1) * f->n_counters, sizeof *f->signature);
		for (size_t j = 0; j < n && j < f->n_counters; j++)
			CHECK(str_to_i64(cell[j], &f->signature[f->n * f->n_counters + j]));
		f->n++;
		str_split_free(cell);
	}
	str_split_free(line);
	free(text);
	return f;
}

void
signature_file_free(struct signature_file *f)
{
	if (f->name)
		str_split_free(f->name);
	free(f->signature);
	free(f);
}
