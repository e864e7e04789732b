/* The files of one model. The disk loader finds files and keeps their texts in a bundle; the memory loader finds them
 * in the bundle again, in the explorer or in the engine. */
#include "work/files/files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

void
bundle_free(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->n; i++) {
		free(bundle->file[i].name);
		free(bundle->file[i].text);
	}
	for (size_t i = 0; i < bundle->n_include_dirs; i++)
		free(bundle->include_dir[i]);
	for (size_t i = 0; i < bundle->define.n; i++)
		free(bundle->define.text[i]);
	free(bundle->define.text);
	free(bundle->include_dir);
	free(bundle->file);
	free(bundle->path);
	*bundle = (struct bundle){0};
}

struct bundle
bundle_like(const struct bundle *b)
{
	struct bundle out = {.include_dir = mem_new_array(b->n_include_dirs + 1, sizeof *out.include_dir),
		.n_include_dirs = b->n_include_dirs,
		.define = {.text = mem_new_array(b->define.n + 1, sizeof *out.define.text), .n = b->define.n}};

	for (size_t i = 0; i < b->n_include_dirs; i++)
		out.include_dir[i] = mem_str(b->include_dir[i]);
	for (size_t i = 0; i < b->define.n; i++)
		out.define.text[i] = mem_str(b->define.text[i]);
	return out;
}

bool
bundle_equal(const struct bundle *a, const struct bundle *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; i < a->n && same; i++)
		same = str_eq(a->file[i].name, b->file[i].name) && a->file[i].n == b->file[i].n &&
			memcmp(a->file[i].text, b->file[i].text, a->file[i].n) == 0;
	return same;
}

static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? mem_strn(path, slash == path ? 1 : (size_t)(slash - path)) : mem_str(".");
}

/* True when this file of the model is the one at `path`. Always false for a model from a session file, whose files have
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

/* Finds an include: next to the including file, then in each --include-dir. It must be below one of these folders. */
static char *
find_include(const struct bundle *bundle, const char *from, const char *path, struct err *e)
{
	char *folder = folder_of(from), *full;
	bool outside = false;

	for (size_t i = 0; i <= bundle->n_include_dirs; i++) {
		const char *dir = i == 0 ? folder : bundle->include_dir[i - 1];

		if (*path == '/')
			full = mem_str(path);
		else if (str_eq(dir, "."))
			full = mem_str(path);
		else
			full = str_format("%s/%s", dir, path);
		if (access(full, F_OK) == 0) {
			bool allowed = lies_below(full, folder);

			for (size_t k = 0; k < bundle->n_include_dirs; k++)
				allowed |= lies_below(full, bundle->include_dir[k]);
			if (allowed) {
				free(folder);
				return full;
			}
			outside = true;
		}
		free(full);
	}
	if (outside) {
		err_set(e, "%s is outside the folder of the including file", path);
		err_hint(e, "allow its folder with --include-dir DIR");
	} else {
		err_set(e, "cannot find the file %s in %s%s", path, folder,
			bundle->n_include_dirs ? " or any --include-dir" : "");
		err_hint(e, "paths are relative to the including file");
	}
	free(folder);
	return NULL;
}

/* Finds a file that the model needs without naming it (its .counters): next to the model, or installed. */
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

	out->text = file_folder_text(path, &out->n, e);
	if (!out->text)
		return false;
	if (stat(path, &st) == 0) {
		out->dev = (uint64_t)st.st_dev;
		out->ino = (uint64_t)st.st_ino;
	}
	return true;
}

static bool
load_file(const char *path, bool included, struct udd_file *out, struct err *e)
{
	struct stat st;

	/* Nobody has seen its name before: no waiting for a pipe. */
	if (included && stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return err_set(e, "%s is no regular file", path), err_hint(e, "include a file with a model's text");
	out->text = file_read_stat(path, UDD_FILE_MAX, &out->n, &st, e);
	if (!out->text)
		return false;
	out->dev = (uint64_t)st.st_dev;
	out->ino = (uint64_t)st.st_ino;
	return true;
}

static bool
load_from_disk(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	struct bundle *bundle = ctx;
	char *full = from ? find_include(bundle, from, path, e) : mem_str(path);
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
	if (!(str_ends(full, "/") ? load_folder(full, out, e) : load_file(full, from, out, e))) {
		free(full);
		return false;
	}
	out->name = full;
	mem_grow(&bundle->file, &bundle->cap, bundle->n + 1, sizeof *bundle->file);
	kept = &bundle->file[bundle->n++];
	*kept = *out;
	kept->name = mem_str(out->name);
	kept->text = mem_strn(out->text, out->n);
	if (!from && !bundle->path)
		bundle->path = mem_str(full);
	return true;
}

/* True for an installed file with this name, wherever it is installed. */
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
	char *next_to = str_eq(folder, ".") ? mem_str(path) : str_format("%s/%s", folder, path);
	const struct udd_file *found = NULL;

	/* The disk loader names a file by the path where it was found: next to the including file, or in an include
	 * folder. */
	for (size_t i = 0; i < b->n && !found; i++)
		if (str_eq(b->file[i].name, from ? next_to : path))
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
	free(next_to);
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
