#include "collect/host/fault_keep.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "collect/perf/fault_measure.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"

/* The name of this start of the machine; false: the kernel does not give it. */
static bool
find_boot(char boot[64])
{
	struct proc_roots roots;
	char *path;
	bool good;

	proc_roots_find(&roots);
	path = str_format("%s/sys/kernel/random/boot_id", roots.proc);
	good = proc_text_read(path, boot, 64) && *boot;
	free(path);
	return good;
}

/* The path of the file; NULL: there is no place for it. `make`: with its folder. The caller frees. */
static char *
keep_path(bool make)
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
	/* what may be counted and recorded, and so what it costs, differs by user */
	path = str_format("%s/fault-cost-%u", folder, (unsigned)geteuid());
	free(folder);
	free(above);
	return path;
}

static bool
load_kept(struct fault_cost *cost, const char *boot)
{
	char *path = keep_path(false), *begin = str_format("boot %s: ", boot), text[512];
	bool good = path && proc_text_read(path, text, sizeof text) && str_starts(text, begin) &&
		fault_cost_read(text, cost);

	free(begin);
	free(path);
	return good;
}

/* Written under another name first, so that no reader sees half a file. */
static void
store_kept(const struct fault_cost *cost, const char *boot)
{
	char *path = keep_path(true), *part = path ? str_format("%s.%ld.part", path, (long)getpid()) : NULL;
	int fd = part ? open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	struct str text = {0};
	bool good;

	str_addf(&text, "boot %s: ", boot);
	fault_cost_write(cost, &text);
	str_add(&text, "\n");
	good = fd >= 0 && write(fd, str_text(&text), text.n) == (ssize_t)text.n;
	if (fd >= 0)
		good = close(fd) == 0 && good;
	if (fd >= 0 && (!good || rename(part, path) != 0))
		unlink(part);
	str_free(&text);
	free(part);
	free(path);
}

bool
fault_keep_find(struct fault_cost *cost)
{
	const char *given = getenv("HECATE_FAULT_COST");
	struct perf_world world;
	char boot[64];
	bool known = find_boot(boot);

	*cost = (struct fault_cost){0};
	if (given)
		return fault_cost_read_given(given, cost);
	if (known && load_kept(cost, boot) && fault_cost_holds(cost, fault_cost_measure_briefly()))
		return true;
	perf_world_probe(&world);
	if (!fault_cost_measure(&world, cost) || !fault_cost_is_sound(cost))
		return false;
	if (known)
		store_kept(cost, boot);
	return true;
}
