#include "collect/proc/cache_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

char *
cache_file_path(const char *name, bool make)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *above, *folder, *path;

	if (cache && *cache)
		above = str_format("%s", cache);
	else if (home && *home)
		above = str_format("%s/.cache", home);
	else
		return NULL;
	folder = str_format("%s/hecate", above);
	if (make) {
		mkdir(above, 0700);
		mkdir(folder, 0700);
	}
	path = str_format("%s/%s", folder, name);
	free(folder);
	free(above);
	return path;
}

static bool
write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t written = write(fd, bytes, n);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		n -= (size_t)written;
	}
	return true;
}

bool
cache_file_write(const char *name, const void *bytes, size_t n)
{
	char *path = cache_file_path(name, true), *part = path ? str_format("%s.%ld.part", path, (long)getpid()) : NULL;
	int fd = part ? open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	bool good = fd >= 0 && write_all(fd, bytes, n);

	if (fd >= 0)
		good = close(fd) == 0 && good;
	good = good && rename(part, path) == 0;
	if (fd >= 0 && !good)
		unlink(part);
	free(part);
	free(path);
	return good;
}
