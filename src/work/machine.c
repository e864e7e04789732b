#include "work/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/events/cpu_id.h"
#include "collect/host/doctor.h"
#include "collect/perf/known_events.h"
#include "collect/perf/world.h"
#include "collect/proc/cache_file.h"
#include "collect/proc/files.h"

void
machine_probe(struct doctor *d)
{
	doctor_probe(d);
}

bool
machine_mount_tracefs(struct err *e)
{
	return doctor_mount_tracefs(e);
}

bool
machine_has_pmu(struct err *why)
{
	struct perf_world world;

	perf_world_probe(&world);
	if (*world.core_pmu)
		return true;
	err_set(why, "%s", perf_world_no_pmu(&world));
	return err_hint(why, "%s", perf_world_no_pmu_remedy(&world));
}

bool
machine_events(const char *cpu, struct event_table *table, struct err *e)
{
	struct perf_world world;

	perf_world_probe(&world);
	return events_load(&world, cpu, table, e);
}

double
machine_constant(const char *name)
{
	struct perf_world world;

	perf_world_probe(&world);
	return cpu_constant(&world, name);
}

void
machine_cpu(char id[64])
{
	struct perf_world world;
	struct utsname names;

	perf_world_probe(&world);
	cpu_id_find(world.sysfs, id);
	if (!*id && uname(&names) == 0)
		snprintf(id, 64, "%.63s", names.machine);
}

#define HEALTH_BYTES ((size_t)1 << 20)

static void
health_name(char name[32])
{
	snprintf(name, 32, "health-%u", (unsigned)geteuid());
}

void
machine_health(struct health_book *book)
{
	char name[32], *path, *text = mem_new_array(HEALTH_BYTES, 1);

	health_name(name);
	*book = (struct health_book){0};
	path = cache_file_path(name, false);
	if (path && proc_text_read(path, text, HEALTH_BYTES))
		health_read(text, book);
	free(path);
	free(text);
}

void
machine_note_health(const struct machine_seen *seen, size_t n)
{
	struct health_book book;
	struct utsname names;
	struct str text = {0};
	char cpu[64], name[32];

	if (!n || uname(&names) != 0)
		return;
	machine_health(&book);
	machine_cpu(cpu);
	for (size_t i = 0; i < n; i++)
		health_note(&book, cpu, seen[i].event, names.release, seen[i].health, seen[i].share, time(NULL));
	health_write(&book, &text);
	health_name(name);
	cache_file_write(name, text.s, text.n);
	str_free(&text);
	health_free(&book);
}
