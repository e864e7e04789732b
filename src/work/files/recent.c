#include "work/files/recent.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/files/files.h"

#define RECENT_BYTES ((size_t)1 << 20)

/* Returns the folder of the list, and makes it if `make`; NULL: there is no place for it. The caller frees it. */
static char *
state_folder(bool make)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *folder;

	if (state && *state)
		folder = str_format("%s/hecate", state);
	else if (home && *home)
		folder = str_format("%s/.local/state/hecate", home);
	else
		return NULL;
	for (char *slash = folder + 1; make && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
	}
	if (make)
		mkdir(folder, 0700);
	return folder;
}

char **
recent_read(void)
{
	char *folder = state_folder(false), *path = folder ? str_format("%s/recent", folder) : NULL;
	struct err e = {0};
	size_t n = 0, lines = 0, kept = 0;
	char *text = path && access(path, R_OK) == 0 ? file_read(path, RECENT_BYTES, &n, &e) : NULL;
	char **line = str_split(text ? text : "", '\n', &lines);

	for (size_t i = 0; i < lines; i++)
		if (line[i][0] == '/' && kept < RECENT_MOST && access(line[i], F_OK) == 0) {
			char *same = line[kept];

			line[kept++] = line[i];
			line[i] = same;
		}
	for (size_t i = kept; i < lines; i++) {
		free(line[i]);
		line[i] = NULL;
	}
	free(text);
	free(path);
	free(folder);
	return line;
}

static void
replace(const char *folder, const struct str *text)
{
	char *path = str_format("%s/recent", folder), *part = str_format("%s/recent.%ld.part", folder, (long)getpid());
	int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = fd >= 0 && write(fd, text->s, text->n) == (ssize_t)text->n;

	if (fd >= 0)
		good = close(fd) == 0 && good;
	if (fd >= 0 && (!good || rename(part, path) != 0))
		unlink(part);
	free(part);
	free(path);
}

void
recent_add(const char *path)
{
	char *full = realpath(path, NULL), *folder = full ? state_folder(true) : NULL, **was;
	struct str text = {0};
	size_t n = 1;

	if (folder && !strchr(full, '\n')) {
		was = recent_read();
		str_addf(&text, "%s\n", full);
		for (size_t i = 0; was[i] && n < RECENT_MOST; i++)
			if (!str_eq(was[i], full)) {
				str_addf(&text, "%s\n", was[i]);
				n++;
			}
		str_split_free(was);
		replace(folder, &text);
		str_free(&text);
	}
	free(folder);
	free(full);
}
