#include "work/files/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "work/files/files.h"

#define COPY_MOST ((size_t)1 << 20)

char *
keep_folder(const char *below, bool make)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME"), *slash = *below ? "/" : "";
	char *folder;

	if (state && *state)
		folder = str_format("%s/hecate%s%s", state, slash, below);
	else if (home && *home)
		folder = str_format("%s/.local/state/hecate%s%s", home, slash, below);
	else
		return NULL;
	for (char *end = folder + 1; make && (end = strchr(end, '/')); end++) {
		*end = '\0';
		mkdir(folder, 0700);
		*end = '/';
	}
	if (make)
		mkdir(folder, 0700);
	return folder;
}

bool
keep_write(const char *path, const struct str *text, struct err *e)
{
	char *part = str_format("%s.%ld.part", path, (long)getpid());
	int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = fd >= 0 && write(fd, text->s, text->n) == (ssize_t)text->n;

	if (fd >= 0)
		good = close(fd) == 0 && good;
	good = good && rename(part, path) == 0;
	if (!good) {
		err_set(e, "cannot write %s: %s", path, strerror(errno));
		if (fd >= 0)
			unlink(part);
	}
	free(part);
	return good;
}

bool
keep_copy(const char *from, const char *to, struct err *e)
{
	struct str text = {0};
	size_t n = 0;
	char *old = file_read(from, COPY_MOST, &n, e);
	bool good = old != NULL;

	if (good)
		str_addn(&text, old, n);
	good = good && keep_write(to, &text, e);
	str_free(&text);
	free(old);
	return good;
}
