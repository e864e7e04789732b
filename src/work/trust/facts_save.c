/* Stores what was measured: reads the file that exists, merges, writes a new file next to it, and renames that. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "work/trust/facts.h"

static bool
facts_save_fail(struct err *e, const char *what, const char *path)
{
	err_set(e, "cannot %s %s: %s", what, path, strerror(errno));
	return err_hint(e, "what was measured is not stored; XDG_DATA_HOME names another folder");
}

/* Makes the folders that a path goes through. */
static bool
make_folders(const char *path, struct err *e)
{
	char *part = mem_str(path);
	bool good = true;

	for (char *slash = strchr(part + 1, '/'); slash && good; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		good = mkdir(part, 0777) == 0 || errno == EEXIST || facts_save_fail(e, "make the folder", part);
		*slash = '/';
	}
	free(part);
	return good;
}

/* Opens the folder of a path and locks it: of two programs that store at once, one waits. */
static int
lock_folder(const char *path, struct err *e)
{
	char *folder = mem_strn(path, (size_t)(strrchr(path, '/') - path));
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		facts_save_fail(e, "open", folder);
	else
		while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
			;
	free(folder);
	return fd;
}

static bool
facts_save_write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t some = write(fd, text, n);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return false;
		text += some;
		n -= (size_t)some;
	}
	return fsync(fd) == 0;
}

static bool
replace_file(const char *path, const struct str *text, struct err *e)
{
	char *part = str_format("%s.XXXXXX", path);
	int fd = mkstemp(part);
	bool good = fd >= 0;

	if (!good)
		facts_save_fail(e, "write next to", path);
	if (good &&
		!(facts_save_write_all(fd, str_text(text), text->n) && fchmod(fd, 0644) == 0 &&
			rename(part, path) == 0)) {
		good = facts_save_fail(e, "write", path);
		unlink(part);
	}
	if (fd >= 0)
		close(fd);
	free(part);
	return good;
}

/* Returns the stored book, or an empty one if there is no file. NULL and *e if it cannot be read. */
static struct trust_book *
read_stored(const char *path, struct err *e)
{
	struct diags d = {0};
	struct trust_book *book;

	if (access(path, F_OK) != 0 && errno == ENOENT)
		return mem_new(sizeof *book);
	book = trust_facts_read(path, &d, e);
	if (!book && d.n) {
		err_set(e, "the file of what was measured before is damaged: %s", d.item[0].text);
		err_place(e, path, d.item[0].line, d.item[0].col);
		err_hint(e, "repair it, or move it away: nothing new is stored before");
	}
	diags_free(&d);
	return book;
}

/* An empty page for this processor, in a book of its own. */
static struct trust_book *
book_for(const struct trust_cpuid *id)
{
	struct trust_book *book = mem_new(sizeof *book);
	struct trust_page p = {.cpu.family = id->family};
	struct str name = {0};

	trust_cpuid_file(id, &name);
	p.cpu.name = *id->name ? mem_str(id->name) : mem_str(str_text(&name));
	p.cpu.vendor = *id->vendor ? mem_str(id->vendor) : NULL;
	if (id->model >= 0) {
		p.cpu.model = mem_copy(&id->model, sizeof id->model);
		p.cpu.n_models = 1;
	}
	str_free(&name);
	book->page = mem_copy(&p, sizeof p);
	book->n = 1;
	return book;
}

bool
trust_facts_save(const struct trust_cpuid *id, const struct trust_page *measured, struct err *e)
{
	char *path = trust_facts_file(id, e);
	struct trust_book *book = NULL;
	struct str text = {0};
	int lock = path && make_folders(path, e) ? lock_folder(path, e) : -1;
	bool good;

	if (lock >= 0)
		book = read_stored(path, e);
	if (book && !book->n) {
		trust_book_free(book);
		book = book_for(id);
	}
	good = book != NULL;
	if (good) {
		trust_page_merge(&book->page[0], measured);
		str_add(&text, "// Measured on this machine by hecate determinism. The format is described in "
			"hecate-trust(5).\n");
		trust_book_print(book, &text);
		good = replace_file(path, &text, e);
	}
	if (lock >= 0)
		close(lock);
	trust_book_free(book);
	str_free(&text);
	free(path);
	return good;
}
