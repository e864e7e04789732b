#include "collect/proc/disks.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/proc/files.h"

static bool
number_in(const char *folder, const char *device, const char *file, uint64_t *v)
{
	char *path = str_format("%s/%s/%s", folder, device, file);
	struct str text = {0};
	bool good = proc_file_read(path, &text) && proc_number_at(str_text(&text), 0, v);

	str_free(&text);
	free(path);
	return good;
}

/* Is it made of other devices? */
static bool
has_slaves(const char *folder, const char *device)
{
	char *path = str_format("%s/%s/slaves", folder, device);
	DIR *dir = opendir(path);
	struct dirent *d;
	bool some = false;

	while (dir && (d = readdir(dir)) != NULL)
		some |= d->d_name[0] != '.';
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
	if (number_in(folder, device, "hidden", &hidden) && hidden)
		return false;
	return number_in(folder, device, "size", &size) && size > 0 && !has_slaves(folder, device);
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
	struct dirent *d;
	size_t cap = 0;
	DIR *dir;

	*n = 0;
	proc_roots_look(&roots);
	snprintf(folder, sizeof folder, "%s/block", roots.sysfs);
	dir = opendir(folder);
	if (!dir)
		return NULL;
	while ((d = readdir(dir)) != NULL) {
		if (d->d_name[0] == '.' ||
			!(str_eq(pattern, "*") ? is_whole_disk(folder, d->d_name)
					       : fnmatch(pattern, d->d_name, 0) == 0))
			continue;
		mem_grow(&list, &cap, *n + 2, sizeof *list);
		list[(*n)++] = mem_str(d->d_name);
	}
	closedir(dir);
	if (!list)
		list = mem_new(sizeof *list);
	qsort(list, *n, sizeof *list, by_name);
	list[*n] = NULL;
	return list;
}
