#include "collect/proc/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

static void
root_of(char *out, size_t size, const char *variable, const char *usual)
{
	const char *root = secure_getenv(variable);

	snprintf(out, size, "%s", root && *root ? root : usual);
}

void
proc_roots_find(struct proc_roots *r)
{
	root_of(r->proc, sizeof r->proc, "HECATE_PROC", "/proc");
	root_of(r->sysfs, sizeof r->sysfs, "HECATE_SYSFS", "/sys");
}

bool
proc_file_read(const char *path, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	char piece[8192];
	ssize_t got;

	str_clear(out);
	if (fd < 0)
		return false;
	while ((got = read(fd, piece, sizeof piece)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			error = errno;
			break;
		}
		str_addn(out, piece, (size_t)got);
	}
	close(fd);
	errno = error;
	return error == 0;
}

/* Reads a number at *at that is a whole word. */
static bool
files_take_number(const char **at, uint64_t *v)
{
	char *end;

	while (**at == ' ' || **at == '\t' || **at == ':')
		(*at)++;
	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*v = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0 && (*end == '\0' || isspace((unsigned char)*end));
}

bool
proc_number_at(const char *text, unsigned n, uint64_t *v)
{
	do
		if (!files_take_number(&text, v))
			return false;
	while (n-- > 0);
	return true;
}

/* Returns the text after `key` in its line; NULL without such a line. */
static const char *
files_line_of(const char *text, const char *key)
{
	size_t n = strlen(key);

	while (*text) {
		const char *end = strchr(text, '\n');

		if (strncmp(text, key, n) == 0 && (text[n] == ' ' || text[n] == '\t' || text[n] == ':'))
			return text + n;
		if (!end)
			break;
		text = end + 1;
	}
	return NULL;
}

bool
proc_number_of(const char *text, const char *key, unsigned n, uint64_t *v)
{
	const char *line = files_line_of(text, key);

	return line && proc_number_at(line, n, v);
}

bool
proc_pressure_of(const char *text, const char *key, uint64_t *v)
{
	const char *line = files_line_of(text, key), *total = line ? strstr(line, "total=") : NULL,
		   *end = line ? strchr(line, '\n') : NULL;

	if (!total || (end && total > end))
		return false;
	total += strlen("total=");
	return files_take_number(&total, v);
}

void
proc_text_take(int fd, char *text, size_t size)
{
	size_t n = 0;
	ssize_t got;

	while (n < size - 1 && (got = read(fd, text + n, size - 1 - n)) > 0)
		n += (size_t)got;
	close(fd);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
}

bool
proc_text_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		proc_text_take(fd, text, size);
	return fd >= 0;
}

static bool
files_number_in(const char *folder, const char *device, const char *file, uint64_t *v)
{
	char *path = str_format("%s/%s/%s", folder, device, file);
	struct str text = {0};
	bool good = proc_file_read(path, &text) && proc_number_at(str_text(&text), 0, v);

	str_free(&text);
	free(path);
	return good;
}

/* Returns true when the device is made of other devices. */
static bool
has_slaves(const char *folder, const char *device)
{
	char *path = str_format("%s/%s/slaves", folder, device);
	DIR *dir = opendir(path);
	struct dirent *dirent;
	bool some = false;

	while (dir && (dirent = readdir(dir)) != NULL)
		some |= dirent->d_name[0] != '.';
	if (dir)
		closedir(dir);
	free(path);
	return some;
}

static bool
is_whole_disk(const char *folder, const char *device)
{
	uint64_t size = 0, hidden = 0;

	if (str_starts(device, "loop") || str_starts(device, "ram") || str_starts(device, "zram"))
		return false;
	if (files_number_in(folder, device, "hidden", &hidden) && hidden)
		return false;
	return files_number_in(folder, device, "size", &size) && size > 0 && !has_slaves(folder, device);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
proc_disks(const char *pattern, size_t *n)
{
	struct proc_roots roots;
	char folder[600], **list = NULL;
	struct dirent *dirent;
	size_t cap = 0;
	DIR *dir;

	*n = 0;
	proc_roots_find(&roots);
	snprintf(folder, sizeof folder, "%s/block", roots.sysfs);
	dir = opendir(folder);
	if (!dir)
		return NULL;
	while ((dirent = readdir(dir)) != NULL) {
		if (dirent->d_name[0] == '.' ||
			!(str_eq(pattern, "*") ? is_whole_disk(folder, dirent->d_name)
				: fnmatch(pattern, dirent->d_name, 0) == 0))
			continue;
		mem_grow(&list, &cap, *n + 2, sizeof *list);
		list[(*n)++] = mem_str(dirent->d_name);
	}
	closedir(dir);
	if (!list)
		list = mem_new(sizeof *list);
	qsort(list, *n, sizeof *list, by_name);
	list[*n] = NULL;
	return list;
}
