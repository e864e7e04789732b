#include "collect/host/fault_keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/str.h"
#include "collect/perf/fault_measure.h"
#include "collect/perf/world.h"
#include "collect/proc/cache_file.h"
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

/* The name of the file. What may be counted and recorded, and so what it costs, differs by user. */
static void
keep_name(char name[64])
{
	snprintf(name, 64, "fault-cost-%u", (unsigned)geteuid());
}

static bool
load_kept(struct fault_cost *cost, const char *boot)
{
	char name[64], *path, *begin = str_format("boot %s: ", boot), text[512];
	bool good;

	keep_name(name);
	path = cache_file_path(name, false);
	good = path && proc_text_read(path, text, sizeof text) && str_starts(text, begin) &&
		fault_cost_read(text, cost);

	free(begin);
	free(path);
	return good;
}

static void
store_kept(const struct fault_cost *cost, const char *boot)
{
	struct str text = {0};
	char name[64];

	str_addf(&text, "boot %s: ", boot);
	fault_cost_write(cost, &text);
	str_add(&text, "\n");
	keep_name(name);
	cache_file_write(name, text.s, text.n);
	str_free(&text);
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
