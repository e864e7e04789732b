/* All texts are made and all names are checked before the first file is written. So a failure leaves the folder as it
 * was, except that a full disk may leave some of the files. Each is written next to its name and then renamed. */
#include "work/probe/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/probe/asm.h"
#include "core/probe/probe.h"
#include "work/files/files.h"

#define RUNNER_FOLDERS "runner:models/runner"
#define BARE "bare"
#define RUNNER_MAX ((size_t)1 << 20) /* bytes of a file */
#define NAME_MOST 64
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* In the first lines of each file: an export may replace it. */
static const char mark[] = "Exported by hecate";

struct file {
	char *path;
	struct str text;
};

struct files {
	const char *folder;
	struct file *file;
	size_t n, cap;
};

static struct str *
export_add_file(struct files *f, const char *name, const char *ending, const char *open, const char *close)
{
	struct file *new;

	mem_grow(&f->file, &f->cap, f->n + 1, sizeof *f->file);
	new = &f->file[f->n++];
	*new = (struct file){.path = str_format("%s/%s%s", f->folder, name, ending)};
	str_addf(&new->text, "%s%s: an export replaces this file.%s\n", open, mark, close);
	return &new->text;
}

static void
free_files(struct files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->file[i].path);
		str_free(&f->file[i].text);
	}
	free(f->file);
}

/* The name of a probe becomes that of files and of programs, next to those of the runner. */
static bool
is_file_name(const char *name)
{
	return *name && strchr(LETTERS "0123456789_", *name) && strlen(name) <= NAME_MOST &&
		strspn(name, LETTERS "0123456789_-") == strlen(name) &&
		!str_eq(name, "runner") && !str_eq(name, BARE);
}

static bool
add_probe(struct files *f, const struct asm_isa *isa, const struct probe *probe, struct err *e)
{
	for (size_t i = 0; i < f->n; i++) {
		char *path = str_format("%s/%s.s", f->folder, probe->name);
		bool same = str_eq(f->file[i].path, path);

		free(path);
		if (same)
			return err_set(e, "another probe has the name %s", probe->name);
	}
	if (!is_file_name(probe->name)) {
		err_set(e, "the probe '%s' gives no names of files", probe->name);
		return err_hint(e, "names of letters, digits, '_' and '-' do, up to %d, but not runner and bare",
			NAME_MOST);
	}
	if (probe_asm_write(isa, probe, export_add_file(f, probe->name, ".s", "/* ", " */"), e))
		return true;
	f->n--;
	free(f->file[f->n].path);
	str_free(&f->file[f->n].text);
	return false;
}

/* A file of the runner as it is installed; those of a program without a system have a name for each instruction set. */
static bool
add_runner_file(struct files *files, const struct asm_isa *isa, const char *stem, const char *ending, const char *open,
	const char *close, struct err *e)
{
	char *installed = str_eq(stem, BARE) ? str_format(BARE "-%s", probe_asm_isa_name(isa)) : mem_str(stem);
	char *path = file_find(installed, RUNNER_FOLDERS, ending, e), *text;
	size_t n;

	text = path ? file_read(path, RUNNER_MAX, &n, e) : NULL;
	if (text)
		str_add(export_add_file(files, stem, ending, open, close), text);
	free(installed);
	free(path);
	free(text);
	return text != NULL;
}

static bool
add_runner(struct files *files, const struct asm_isa *isa, struct err *e)
{
	static const struct {
		const char *stem, *ending, *open, *close;
	} file[] = {
		{"runner", ".c", "/* ", " */"}, {"runner", ".h", "/* ", " */"}, {"machine", ".h", "/* ", " */"},
		{BARE, ".ld", "/* ", " */"}, {BARE, ".s", "/* ", " */"}, {"rules", ".mk", "# ", ""},
	};

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		if ((probe_asm_runs_bare(isa) || !str_eq(file[i].stem, BARE)) &&
			!add_runner_file(files, isa, file[i].stem, file[i].ending, file[i].open, file[i].close, e))
			return false;
	return true;
}

static void
add_makefile(struct files *f, const struct asm_isa *isa, const struct str *names)
{
	struct str *out = export_add_file(f, "Makefile", "", "# ", "");

	str_addf(out, "# Probes for %s. rules.mk says what make can do.\nISA = %s\nCROSS = %s\nPROBES =%s\ninclude "
		"rules.mk\n", probe_asm_isa_name(isa), probe_asm_isa_name(isa), probe_asm_cross(isa), str_text(names));
}

static bool
export_fail(struct err *e, const char *what, const char *path)
{
	int error = errno;

	err_set(e, "cannot %s %s: %s", what, path, strerror(error));
	return err_hint(e, error == ENOSPC || error == EDQUOT ? "make room, or choose another folder" :
		"--export takes a folder in which files can be written");
}

/* True when there is no such file, or one that an export wrote. */
static bool
may_write(const char *path, struct err *e)
{
	char begin[sizeof mark + 8] = "";
	struct stat st;
	FILE *f;

	if (lstat(path, &st) != 0)
		return errno == ENOENT || export_fail(e, "look at", path);
	f = S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
	if (f) {
		begin[fread(begin, 1, sizeof begin - 1, f)] = '\0';
		fclose(f);
	}
	if (strstr(begin, mark))
		return true;
	err_set(e, "%s exists, and no export wrote it", path);
	return err_hint(e, "choose another folder, or move the file away");
}

static bool
export_write_all(int fd, const struct str *text)
{
	const char *s = str_text(text);
	size_t n = text->n;

	while (n) {
		ssize_t some = write(fd, s, n);

		if (some < 0 && errno == EINTR)
			continue;
		if (some < 0)
			return false;
		s += some;
		n -= (size_t)some;
	}
	return true;
}

static bool
write_file(const struct file *f, struct err *e)
{
	char *part = str_format("%s.XXXXXX", f->path); /* a name that no file has */
	int fd = mkostemp(part, O_CLOEXEC);
	bool good = fd >= 0 && export_write_all(fd, &f->text) && fchmod(fd, 0644) == 0;

	if (fd >= 0)
		good = close(fd) == 0 && good;
	if (!good || rename(part, f->path) != 0) {
		good = export_fail(e, "write", f->path);
		if (fd >= 0)
			unlink(part);
	}
	free(part);
	return good;
}

static bool
write_files(const struct files *files, struct err *e)
{
	struct stat st;

	if (stat(files->folder, &st) == 0 && !S_ISDIR(st.st_mode)) {
		err_set(e, "%s is no folder", files->folder);
		return err_hint(e, "--export takes a folder, which is made if it does not exist");
	}
	for (size_t i = 0; i < files->n; i++)
		if (!may_write(files->file[i].path, e))
			return false;
	if (mkdir(files->folder, 0777) != 0 && errno != EEXIST)
		return export_fail(e, "make the folder", files->folder);
	for (size_t i = 0; i < files->n; i++)
		if (!write_file(&files->file[i], e))
			return false;
	return true;
}

bool
probe_export(const char *folder, const char *isa_name, struct probe *const *probe, size_t n, struct str *left_out,
	struct err *e)
{
	const struct asm_isa *isa = probe_asm_isa(isa_name, e);
	struct files f = {.folder = folder};
	struct str names = {0};
	bool good = isa != NULL;

	for (size_t i = 0; i < n && isa; i++) {
		struct err why = {0};

		if (add_probe(&f, isa, probe[i], &why)) {
			str_addf(&names, " %s", probe[i]->name);
			continue;
		}
		err_text(&why, left_out);
		str_addc(left_out, '\n');
	}
	if (good && f.n == 0) {
		good = err_set(e, "no probe can be exported for %s", isa_name);
	} else if (good) {
		add_makefile(&f, isa, &names);
		good = add_runner(&f, isa, e) && write_files(&f, e);
	}
	str_free(&names);
	free_files(&f);
	return good;
}
