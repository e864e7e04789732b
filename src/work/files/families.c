/* A folder of FDL files as a family of models. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "work/files/files.h"

#define NAMES_MAX 4096 /* files of a folder that are listed; the model limits how many a family may have */

bool
file_is_folder(const char *arg)
{
	struct stat st;

	return stat(arg, &st) == 0 && S_ISDIR(st.st_mode);
}

static char *
with_slash(const char *path)
{
	return str_ends(path, "/") ? mem_str(path) : str_format("%s/", path);
}

char *
file_find_model(const char *arg, struct err *e)
{
	char *path;

	if (file_is_path(arg))
		return file_is_folder(arg) ? with_slash(arg) : mem_str(arg);
	path = file_find(arg, "models", MODEL_ENDINGS, e);
	if (path || !file_is_folder(arg))
		return path;
	return with_slash(arg);
}

static bool
families_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads the number at *s and moves *s past it. A number that is too large becomes the largest. */
static unsigned long
families_take_number(const char **s)
{
	unsigned long n = 0;

	for (; families_is_digit(**s); ++*s)
		if (__builtin_mul_overflow(n, 10UL, &n) || __builtin_add_overflow(n, (unsigned long)(**s - '0'), &n))
			n = ULONG_MAX;
	return n;
}

/* Compares names; numbers inside them compare by value. */
static int
families_compare_names(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;

	while (*x && *y) {
		if (families_is_digit(*x) && families_is_digit(*y)) {
			unsigned long m = families_take_number(&x), n = families_take_number(&y);

			if (m != n)
				return m < n ? -1 : 1;
		} else if (*x != *y) {
			return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
		} else {
			x++;
			y++;
		}
	}
	return *x || *y ? (*x ? 1 : -1) : strcmp(*(char *const *)a, *(char *const *)b);
}

char *
file_folder_text(const char *path, size_t *n, struct err *e)
{
	DIR *d = opendir(path);
	struct dirent *entry;
	char **name = NULL;
	size_t found = 0, cap = 0;
	struct str text = {0};

	if (!d) {
		err_set(e, "cannot open the folder %s: %s", path, strerror(errno));
		return NULL;
	}
	while (found < NAMES_MAX && (entry = readdir(d)))
		if (fdl_is_file(entry->d_name) && !strchr(entry->d_name, '\n')) {
			mem_grow(&name, &cap, found + 1, sizeof *name);
			name[found++] = mem_str(entry->d_name);
		}
	closedir(d);
	if (found)
		qsort(name, found, sizeof *name, families_compare_names);
	for (size_t i = 0; i < found; i++) {
		str_addf(&text, "%s\n", name[i]);
		free(name[i]);
	}
	free(name);
	*n = text.n;
	return str_take(&text);
}
