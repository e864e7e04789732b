#include "cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

#define LINKS_MAX 40 /* as the kernel: path_resolution(7) */

/* The path that a link points to, from here; NULL: no link. */
static char *
output_file_follow(const char *link)
{
	char to[PATH_MAX];
	ssize_t n = readlink(link, to, sizeof to - 1);
	const char *slash = strrchr(link, '/');

	if (n < 0)
		return NULL;
	to[n] = '\0';
	return to[0] == '/' || !slash ? mem_str(to) : str_format("%.*s%s", (int)(slash - link + 1), link, to);
}

/* The file at the end of all links, which need not exist. *open_already: one of the links is in /proc, a file that some
 * process has open. */
static char *
behind_links(const char *path, bool *open_already)
{
	struct stat proc, st;
	bool has_proc = stat("/proc/self", &proc) == 0;
	char *file = mem_str(path);

	*open_already = false;
	for (int i = 0; i < LINKS_MAX; i++) {
		char *next = output_file_follow(file);

		if (!next)
			break;
		*open_already |= has_proc && lstat(file, &st) == 0 && st.st_dev == proc.st_dev;
		free(file);
		file = next;
	}
	return file;
}

/* Standard output by another name is written at its present position, not from the beginning. */
static bool
is_standard_output(const struct stat *st)
{
	struct stat out;

	return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st->st_dev && out.st_ino == st->st_ino;
}

static int
open_straight(const char *path, const struct stat *st)
{
	if (is_standard_output(st) && fflush(stdout) == 0)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	return open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
}

/* `old`: the file to be replaced; NULL: none. */
static bool
open_beside(struct output_file *t, const struct stat *old)
{
	t->part = str_format("%s.%ld.part", t->file, (long)getpid());
	if (old && access(t->file, W_OK) != 0)
		return false;
	t->fd = open(t->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return t->fd >= 0 && (!old || fchmod(t->fd, old->st_mode & 0777) == 0);
}

/* Sets *file to the end of all links, *st to its kind, *there to whether it exists. True: it is written directly. */
static bool
output_file_look(const char *path, char **file, struct stat *st, bool *there)
{
	bool open_already;

	*file = behind_links(path, &open_already);
	*there = stat(path, st) == 0;
	return *there && (open_already || !S_ISREG(st->st_mode));
}

bool
output_file_is_straight(const char *path)
{
	struct stat st;
	bool there;
	char *file;
	bool straight = output_file_look(path, &file, &st, &there) && !S_ISDIR(st.st_mode);

	free(file);
	return straight;
}

bool
output_file_open(struct output_file *file, const char *path)
{
	struct stat st;
	bool there;

	*file = (struct output_file){.fd = -1};
	if (!output_file_look(path, &file->file, &st, &there))
		return (there || errno == ENOENT) && open_beside(file, there ? &st : NULL);
	free(file->file);
	file->file = NULL;
	file->fd = open_straight(path, &st);
	return file->fd >= 0;
}

bool
output_file_write(const struct output_file *file, const char *text, size_t n)
{
	while (n) {
		ssize_t some = write(file->fd, text, n);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0)
			return false;
		text += some;
		n -= (size_t)some;
	}
	return true;
}

bool
output_file_close(struct output_file *file, bool whole)
{
	bool good = file->fd < 0 || close(file->fd) == 0 || !whole;
	int error;

	if (file->fd >= 0 && file->file && good && whole)
		good = rename(file->part, file->file) == 0;
	error = errno;
	if (file->fd >= 0 && file->file && !(good && whole))
		unlink(file->part);
	free(file->file);
	free(file->part);
	*file = (struct output_file){.fd = -1};
	errno = error;
	return good;
}
