#include "work/files/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/held_file.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "core/doctor/doctor_items.h"
#include "work/metrics/metric_data.h"

#define NAMES_MOST 10000 /* files of a folder that are read for their names */
#define SOURCE_FILE ".hecate-source"
#define STEM_MOST 40   /* letters of a command in the name of a new file */
#define SOURCE_LEVELS 3 /* build/hecate, build/tests/unit/all */

#define ENDINGS MODEL_ENDINGS ":.net:.stack:.machine:.server:.suite:.theme:.trust:.lesson:.laws"

bool
file_is_path(const char *arg)
{
	return (strchr(arg, '/') && !metric_tree_levels(arg)) || file_has_ending(arg, ENDINGS);
}

/* Returns the length of the path's ending, if it is one of those joined by ':'; 0 otherwise. */
static size_t
ending_length(const char *path, const char *endings)
{
	size_t n = strlen(path), length;

	for (;; endings += length + 1) {
		length = strcspn(endings, ":");
		if (length <= n && length && memcmp(path + n - length, endings, length) == 0)
			return length;
		if (!endings[length])
			return 0;
	}
}

bool
file_has_ending(const char *path, const char *endings)
{
	return ending_length(path, endings) > 0;
}

char *
file_new_name(const char *of, const char *ending)
{
	static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
	const char *slash = of ? strrchr(of, '/') : NULL;
	time_t now = time(NULL);
	struct tm tm;
	char when[32], *name, *stem = mem_str(slash ? slash + 1 : of ? of : "");

	for (char *c = stem; *c; c++)
		if (!strchr(LETTERS, *c))
			*c = '-';
	if (!*stem || *stem == '.' || *stem == '-') {
		free(stem);
		stem = mem_str("hecate");
	}
	strftime(when, sizeof when, "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	name = str_format("%.*s-%s.%s", STEM_MOST, stem, when, ending);
	for (int i = 2; access(name, F_OK) == 0; i++) {
		free(name);
		name = str_format("%.*s-%s-%d.%s", STEM_MOST, stem, when, i, ending);
	}
	free(stem);
	return name;
}

/* Reads to the end, at most one byte more than the limit, so that a pipe cannot fill the memory. */
static char *
files_read_descriptor(int fd, const char *path, size_t limit, size_t *n, struct err *e)
{
	char *text = NULL;
	size_t cap = 0, used = 0;

	for (;;) {
		ssize_t got;

		mem_grow(&text, &cap, used + 65536, 1);
		got = read(fd, text + used, cap - used - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			err_set(e, "cannot read %s: %s", path, strerror(errno));
			goto bad;
		}
		if (got == 0)
			break;
		used += (size_t)got;
		if (used > limit) {
			err_set(e, "%s is larger than %zu MB", path, limit >> 20);
			err_hint(e, "no file of this kind is so large; is it the right one?");
			goto bad;
		}
	}
	text[used] = '\0';
	*n = used;
	return text;
bad:
	free(text);
	return NULL;
}

static void
explain_open(const char *path, int error, struct err *e)
{
	err_set(e, "cannot open %s: %s", path, strerror(error));
	if (error == ENOENT)
		err_hint(e, "check the path");
	else if (error == EACCES)
		err_hint(e, "you need the right to read it");
	else if (error == EMFILE || error == ENFILE)
		err_hint(e, "raise the limit on open files (ulimit -n)");
}

static char *
read_opened(int fd, const char *path, size_t limit, size_t *n, struct stat *st, struct err *e)
{
	if (fstat(fd, st) != 0) {
		err_set(e, "cannot examine %s: %s", path, strerror(errno));
		return NULL;
	}
	if (S_ISDIR(st->st_mode)) {
		err_set(e, "%s is a directory; a file is needed", path);
		return NULL;
	}
	if (S_ISREG(st->st_mode) && (unsigned long long)st->st_size > limit) {
		err_set(e, "%s has %lld MB; the limit is %zu MB", path, (long long)st->st_size >> 20, limit >> 20);
		err_hint(e, "no file of this kind is so large; is it the right one?");
		return NULL;
	}
	return files_read_descriptor(fd, path, limit, n, e);
}

int
file_open(const char *path, struct err *e)
{
	struct stat st;
	int fd;

	if (str_eq(path, "-"))
		return STDIN_FILENO;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		explain_open(path, errno, e);
		return -1;
	}
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		return fd;
	err_set(e, "%s is a directory; a file is needed", path);
	held_file_close(fd);
	return -1;
}

void
file_close(int fd)
{
	if (fd != STDIN_FILENO)
		held_file_close(fd);
}

char *
file_read_stat(const char *path, size_t limit, size_t *n, struct stat *st, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	char *text;

	if (fd < 0) {
		explain_open(path, errno, e);
		return NULL;
	}
	text = read_opened(fd, path, limit, n, st, e);
	held_file_close(fd);
	return text;
}

char *
file_read(const char *path, size_t limit, size_t *n, struct err *e)
{
	struct stat st;

	if (str_eq(path, "-"))
		return files_read_descriptor(STDIN_FILENO, "standard input", limit, n, e);
	return file_read_stat(path, limit, n, &st, e);
}

/* Returns the source folder of a program that runs in its build folder: the first line of .hecate-source there. The
 * caller frees it; NULL: the program is installed. */
static char *
checkout(void)
{
	char path[PATH_MAX], line[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof SOURCE_FILE);

	for (int up = 0; up < SOURCE_LEVELS && n > 0; up++) {
		FILE *f;
		bool read;

		while (n > 0 && path[n - 1] != '/')
			n--;
		snprintf(path + n, sizeof path - (size_t)n, "%s", SOURCE_FILE);
		f = fopen(path, "r");
		read = f && fgets(line, sizeof line, f);
		if (f)
			fclose(f);
		if (read) {
			line[strcspn(line, "\n")] = '\0';
			return mem_str(line);
		}
		n--;
	}
	return NULL;
}

bool
file_is_installed(const char *path)
{
	char *real = realpath(path, NULL), *source = checkout(), *top = source ? realpath(source, NULL) : NULL;
	char *models = top ? str_format("%s/models/", top) : NULL;
	bool installed = real && (access(real, W_OK) != 0 || str_starts(real, HECATE_DATADIR "/") ||
		(models && str_starts(real, models)));

	free(models);
	free(top);
	free(source);
	free(real);
	return installed;
}

/* Returns the folders that may hold installed files, in order of precedence; the caller frees them with
 * str_split_free(). */
static char **
search_folders(void)
{
	const char *models = getenv("HECATE_MODELS"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	struct str list = {0};
	char **folder, *source = checkout();

	if (models && *models)
		str_addf(&list, "%s:", models);
	if (data && *data)
		str_addf(&list, "%s/hecate:", data);
	else if (home && *home)
		str_addf(&list, "%s/.local/share/hecate:", home);
	str_add(&list, HECATE_DATADIR);
	if (source)
		str_addf(&list, ":%s:%s/models", source, source);
	free(source);
	folder = str_split(str_text(&list), ':', NULL);
	str_free(&list);
	return folder;
}

/* Adds the names of a folder's files with the ending, without it; "": of all. */
static void
list_names(const char *dir, const char *ending, char ***name, size_t *n, size_t *cap)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && *n < NAMES_MOST && (entry = readdir(d))) {
		size_t length = ending_length(entry->d_name, ending);

		if (*ending && !length)
			continue;
		mem_grow(name, cap, *n + 1, sizeof **name);
		(*name)[(*n)++] = mem_strn(entry->d_name, strlen(entry->d_name) - length);
	}
	if (d)
		closedir(d);
}

static int
files_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
file_names(const char *kind, const char *ending)
{
	char **folder = search_folders(), **in = str_split(kind, ':', NULL), **known = NULL;
	size_t n = 0, cap = 0, kept = 0;

	for (size_t i = 0; folder[i]; i++)
		for (size_t k = 0; in[k]; k++) {
			char *dir = str_format("%s/%s", folder[i], in[k]);

			list_names(dir, ending, &known, &n, &cap);
			free(dir);
		}
	str_split_free(folder);
	str_split_free(in);
	if (n)
		qsort(known, n, sizeof *known, files_compare_names);
	for (size_t i = 0; i < n; i++)
		if (kept && str_eq(known[kept - 1], known[i]))
			free(known[i]);
		else
			known[kept++] = known[i];
	mem_grow(&known, &cap, kept + 1, sizeof *known);
	known[kept] = NULL;
	return known;
}

char *
file_near(const char *name)
{
	const char *slash = strrchr(name, '/'), *near;
	int in_folder = slash ? (int)(slash - name) + 1 : 0;
	char *folder = slash ? mem_strn(name, (size_t)in_folder) : mem_str("."), **known = NULL, *found = NULL;
	size_t n = 0, cap = 0;

	list_names(folder, "", &known, &n, &cap);
	near = near_name(name + in_folder, (const char *const *)known, n);
	if (near)
		found = str_format("%.*s%s", in_folder, name, near);
	for (size_t i = 0; i < n; i++)
		free(known[i]);
	free(known);
	free(folder);
	return found;
}

static void
explain_unknown(const char *name, const char *kind, const char *ending, struct err *e)
{
	char **known = file_names(kind, ending);
	char *beside = NULL;
	const char *near;
	struct str list = {0};
	size_t n = 0;

	for (; known[n]; n++)
		str_addf(&list, "%s%s", n ? ", " : "", known[n]);
	near = near_name(name, (const char *const *)known, n);
	err_set(e, "cannot open %s: no such file, and none of the installed %.*s has that name", name,
		(int)strcspn(kind, ":"), kind);
	if (!near)
		near = beside = file_near(name);
	if (near)
		err_hint(e, "nearest: %s", near);
	else
		err_hint(e, "known: %s", n ? str_text(&list) : "none");
	free(beside);
	str_free(&list);
	str_split_free(known);
}

static char *
find_in(const char *place, const char *folder, const char *name, char **ending)
{
	for (; *ending; ending++) {
		char *path = str_format("%s/%s/%s%s", place, folder, name, *ending);

		if (access(path, F_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

char *
file_find(const char *name, const char *folder, const char *ending, struct err *e)
{
	char **place, **in, **end, *found = NULL;

	if (file_is_path(name))
		return mem_str(name);
	place = search_folders();
	in = str_split(folder, ':', NULL);
	end = str_split(ending, ':', NULL);
	for (size_t i = 0; place[i] && !found; i++)
		for (size_t k = 0; in[k] && !found && *place[i]; k++)
			found = find_in(place[i], in[k], name, end);
	if (!found)
		explain_unknown(name, folder, ending, e);
	str_split_free(place);
	str_split_free(in);
	str_split_free(end);
	return found;
}

void
file_offer_demo(struct doctor *d)
{
	struct err e = {0};
	char *found = file_find(DEMO_TOTALS, RUNS_FOLDERS, ".csv", &e), *path = found ? realpath(found, NULL) : NULL;

	for (size_t i = 0; i < d->n && path && !d->example; i++)
		if (str_eq(d->item[i].what, DOCTOR_EXAMPLE))
			snprintf(d->item[i].remedy, sizeof d->item[i].remedy,
				"hecate check linux-page-faults --exact %s", path);
	free(path);
	free(found);
}
