#include "work/machine.h"

#include "base/err.h"
#include "collect/host/doctor.h"
#include "collect/perf/known_events.h"
#include "collect/perf/world.h"

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
