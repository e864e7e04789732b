#include "app/files/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"
#include "base/utf8.h"

#define SOURCE_FILE ".hecate-source"
#define SOURCE_LEVELS 3 /* build/hecate, build/tests/unit/files */

#define ENDINGS MODEL_ENDINGS ":.net:.stack:.machine:.suite:.theme"

bool
file_is_path(const char *arg)
{
	return strchr(arg, '/') || file_has_ending(arg, ENDINGS);
}

/* The length of the ending that a path has, of several joined by ':'; 0: none. */
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

/* Reads to the end; stops one byte behind the limit, so that a pipe cannot fill the memory. */
static char *
read_descriptor(int fd, const char *path, size_t limit, size_t *n, struct err *e)
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
			err_hint(e, "a file of this kind never is; is it the right one?");
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
		err_hint(e, "raise the limit of open files (ulimit -n)");
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
		err_hint(e, "a file of this kind never is so large; is it the right one?");
		return NULL;
	}
	return read_descriptor(fd, path, limit, n, e);
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
	close(fd);
	return -1;
}

void
file_close(int fd)
{
	if (fd != STDIN_FILENO)
		close(fd);
}

char *
file_read(const char *path, size_t limit, size_t *n, struct err *e)
{
	struct stat st;
	char *text;
	int fd;

	if (str_eq(path, "-"))
		return read_descriptor(STDIN_FILENO, "standard input", limit, n, e);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		explain_open(path, errno, e);
		return NULL;
	}
	text = read_opened(fd, path, limit, n, &st, e);
	close(fd);
	return text;
}

/* The checkout that a program in its build folder comes from: the first line of .hecate-source there. The caller frees;
 * NULL: it is installed. */
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

/* The folders that may hold installed things, in order of precedence; the caller frees with str_split_free(). */
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

/* Adds the names (without the ending) of what lies in a folder. */
static void
list_names(const char *dir, const char *ending, char ***name, size_t *n, size_t *cap)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		size_t length = ending_length(entry->d_name, ending);

		if (!length)
			continue;
		mem_grow(name, cap, *n + 1, sizeof **name);
		(*name)[(*n)++] = mem_strn(entry->d_name, strlen(entry->d_name) - length);
	}
	if (d)
		closedir(d);
}

static int
compare_names(const void *a, const void *b)
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
		qsort(known, n, sizeof *known, compare_names);
	for (size_t i = 0; i < n; i++)
		if (kept && str_eq(known[kept - 1], known[i]))
			free(known[i]);
		else
			known[kept++] = known[i];
	mem_grow(&known, &cap, kept + 1, sizeof *known);
	known[kept] = NULL;
	return known;
}

static void
explain_unknown(const char *name, const char *kind, const char *ending, struct err *e)
{
	char **known = file_names(kind, ending);
	const char *near;
	struct str list = {0};
	size_t n = 0;

	for (; known[n]; n++)
		str_addf(&list, "%s%s", n ? ", " : "", known[n]);
	near = near_name(name, (const char *const *)known, n);
	err_set(e, "no file %s here, and nothing of that name in the installed %.*s", name, (int)strcspn(kind, ":"),
		kind);
	if (near)
		err_hint(e, "nearest: %s", near);
	else
		err_hint(e, "known: %s", n ? str_text(&list) : "none");
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
bundle_free(struct bundle *b)
{
	for (size_t i = 0; i < b->n; i++) {
		free(b->file[i].name);
		free(b->file[i].text);
	}
	for (size_t i = 0; i < b->n_include_dirs; i++)
		free(b->include_dir[i]);
	for (size_t i = 0; i < b->define.n; i++)
		free(b->define.text[i]);
	free(b->define.text);
	free(b->include_dir);
	free(b->file);
	free(b->path);
	*b = (struct bundle){0};
}

static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? mem_strn(path, slash == path ? 1 : (size_t)(slash - path)) : mem_str(".");
}

/* Is this file of the model the one at `path`? Never of a model that came out of a session file, whose files have
 * numbers of their own. */
static bool
is_at(const struct udd_file *f, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && f->dev == (uint64_t)st.st_dev && f->ino == (uint64_t)st.st_ino;
}

bool
bundle_is_beside(const struct bundle *b, const char *path)
{
	char *own = folder_of(b->path), *other = folder_of(path);
	struct stat x, y;
	bool same = stat(own, &x) == 0 && stat(other, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;

	for (size_t i = 0; i < b->n && same; i++)
		same = is_at(&b->file[i], b->file[i].name);
	free(own);
	free(other);
	return same;
}

bool
bundle_includes(const struct bundle *b, const char *path)
{
	for (size_t i = 1; i < b->n; i++)
		if (is_at(&b->file[i], path))
			return true;
	return false;
}

static bool
lies_below(const char *path, const char *folder)
{
	char *real = realpath(path, NULL), *top = realpath(folder, NULL);
	size_t n = top ? strlen(top) : 0;
	bool below = real && top && strncmp(real, top, n) == 0 && (real[n] == '/' || n == 1);

	free(real);
	free(top);
	return below;
}

/* An include is looked for beside the including file, then in each --include-dir; it must stay below the folder it was
 * found from. */
static char *
find_include(const struct bundle *b, const char *from, const char *path, struct err *e)
{
	char *folder = folder_of(from), *full;
	bool outside = false;

	for (size_t i = 0; i <= b->n_include_dirs; i++) {
		const char *dir = i == 0 ? folder : b->include_dir[i - 1];

		if (*path == '/')
			full = mem_str(path);
		else if (str_eq(dir, "."))
			full = mem_str(path);
		else
			full = str_format("%s/%s", dir, path);
		if (access(full, F_OK) == 0) {
			bool allowed = lies_below(full, folder);

			for (size_t k = 0; k < b->n_include_dirs; k++)
				allowed |= lies_below(full, b->include_dir[k]);
			if (allowed) {
				free(folder);
				return full;
			}
			outside = true;
		}
		free(full);
	}
	if (outside) {
		err_set(e, "%s lies outside the folder of the including file", path);
		err_hint(e, "allow its folder with --include-dir DIR");
	} else {
		err_set(e, "no file %s in %s%s", path, folder, b->n_include_dirs ? " or any --include-dir" : "");
		err_hint(e, "paths are relative to the including file");
	}
	free(folder);
	return NULL;
}

/* What a model is read with and does not name: it may stand beside it, and is installed. */
static char *
find_installed(const char *path)
{
	const char *dot = strrchr(path, '.');
	char *stem = mem_strn(path, dot ? (size_t)(dot - path) : strlen(path));
	char *found = file_find(stem, "models", ".counters", NULL);

	free(stem);
	return found;
}

static bool
load_folder(const char *path, struct udd_file *out, struct err *e)
{
	struct stat st;

	out->text = folder_text(path, &out->n, e);
	if (!out->text)
		return false;
	if (stat(path, &st) == 0) {
		out->dev = (uint64_t)st.st_dev;
		out->ino = (uint64_t)st.st_ino;
	}
	return true;
}

static bool
load_file(const char *path, struct udd_file *out, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0) {
		explain_open(path, errno, e);
		return false;
	}
	out->text = read_opened(fd, path, UDD_FILE_MAX, &out->n, &st, e);
	close(fd);
	out->dev = (uint64_t)st.st_dev;
	out->ino = (uint64_t)st.st_ino;
	return out->text != NULL;
}

static bool
load_from_disk(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	struct bundle *b = ctx;
	char *full = from ? find_include(b, from, path, e) : mem_str(path);
	struct udd_file *kept;

	*out = (struct udd_file){0};
	if (!full && str_ends(path, ".counters"))
		full = find_installed(path);
	if (!full)
		return false;
	if (str_eq(full, "-")) {
		free(full);
		return err_set(e, "a model cannot be read from standard input"), err_hint(e, "give its file");
	}
	if (!(str_ends(full, "/") ? load_folder(full, out, e) : load_file(full, out, e))) {
		free(full);
		return false;
	}
	out->name = full;
	mem_grow(&b->file, &b->cap, b->n + 1, sizeof *b->file);
	kept = &b->file[b->n++];
	*kept = *out;
	kept->name = mem_str(out->name);
	kept->text = mem_strn(out->text, out->n);
	if (!from && !b->path)
		b->path = mem_str(full);
	return true;
}

/* An installed file that a model is read with has its name, wherever it was installed. */
static bool
is_installed_as(const struct udd_file *f, const char *path)
{
	const char *slash = strrchr(f->name, '/');

	return str_ends(path, ".counters") && str_eq(slash ? slash + 1 : f->name, path);
}

static bool
load_from_memory(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	struct bundle *b = ctx;
	char *folder = from ? folder_of(from) : mem_str(".");
	char *beside = str_eq(folder, ".") ? mem_str(path) : str_format("%s/%s", folder, path);
	const struct udd_file *found = NULL;

	/* The disk loader named a file by the path at which it was found: beside the including file, or in an include
	 * folder. */
	for (size_t i = 0; i < b->n && !found; i++)
		if (str_eq(b->file[i].name, from ? beside : path))
			found = &b->file[i];
	for (size_t d = 0; d < b->n_include_dirs && !found; d++) {
		char *full = str_format("%s/%s", b->include_dir[d], path);

		for (size_t i = 0; i < b->n && !found; i++)
			if (str_eq(b->file[i].name, full))
				found = &b->file[i];
		free(full);
	}
	for (size_t i = 0; i < b->n && !found; i++)
		if (str_eq(b->file[i].name, path) || (from && is_installed_as(&b->file[i], path)))
			found = &b->file[i];
	free(folder);
	free(beside);
	if (!found)
		return err_set(e, "the file %s is not part of the model as it was loaded", path);
	*out = *found;
	out->name = mem_str(found->name);
	out->text = mem_strn(found->text, found->n);
	return true;
}

struct udd_loader
bundle_disk_loader(struct bundle *b)
{
	return (struct udd_loader){.load = load_from_disk, .ctx = b, .define = &b->define};
}

struct udd_loader
bundle_loader(struct bundle *b)
{
	return (struct udd_loader){.load = load_from_memory, .ctx = b, .define = &b->define};
}
