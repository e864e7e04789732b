/* What a command leaves behind in its folder: the next run may find it there, and fail or take another time. */
#include "work/diff/bench.h"

#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/shell.h"
#include "base/str.h"

#define NAMES_MOST 10000
#define NAMES_SHOWN 3

static int
by_file_name(const void *a, const void *b)
{
	return strcmp((*(struct dirent *const *)a)->d_name, (*(struct dirent *const *)b)->d_name);
}

struct dirent **
bench_files(const struct bench *b, enum diff_side side, size_t *n)
{
	const char *folder = b->options->folder[side];
	struct dirent **list = NULL;
	int found = scandir(folder ? folder : ".", &list, NULL, NULL);

	*n = found < 0 ? SIZE_MAX : (size_t)found;
	if (found > NAMES_MOST) {
		bench_files_free(list, *n);
		*n = SIZE_MAX;
		return NULL;
	}
	if (found > 0)
		qsort(list, *n, sizeof(struct dirent *), by_file_name);
	return list;
}

void
bench_files_free(struct dirent **list, size_t n)
{
	for (size_t i = 0; i < n && n != SIZE_MAX; i++)
		free(list[i]);
	free(list);
}

void
bench_note_files(struct bench *b, enum diff_side side, struct dirent **before, size_t n)
{
	size_t after, new = 0;
	struct dirent **list = bench_files(b, side, &after);
	struct str remove = {0}, word = {0};

	for (size_t i = 0; n != SIZE_MAX && after != SIZE_MAX && i < after && new <= NAMES_SHOWN; i++) {
		if (n && bsearch(&list[i], before, n, sizeof(struct dirent *), by_file_name))
			continue;
		str_add(&remove, remove.n ? " " : "rm -f ");
		if (new ++ < NAMES_SHOWN)
			shell_add_file(&remove, list[i]->d_name);
		else
			str_add(&remove, "…");
	}
	bench_files_free(list, after);
	shell_add_word(&word, str_text(&remove));
	if (new && !b->out->left_behind[side])
		b->out->left_behind[side] = str_take(&word);
	str_free(&word);
	str_free(&remove);
}

bool
bench_hint_failure(const struct bench *b, struct err *e)
{
	for (int side = 0; side < 2; side++)
		if (b->out->left_behind[side] && !b->options->prepare)
			return err_hint(e, "%s left files behind; --prepare %s removes them before each run",
				side ? "B" : "A", b->out->left_behind[side]);
	return err_hint(e,
		"--any-status compares runs whatever their status; input and output are /dev/null: script -qec "
		"'COMMAND' /dev/null gives a terminal");
}
