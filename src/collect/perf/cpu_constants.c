#include "collect/perf/world.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/places.h"
#include "collect/proc/files.h"

/* Reads the number in a file of sysfs; NAN: there is none. */
static double
number_in(const struct perf_world *world, const char *file)
{
	char path[640], text[64], *end;
	double number;

	snprintf(path, sizeof path, "%s/%s", world->sysfs, file);
	if (!proc_text_read(path, text, sizeof text))
		return NAN;
	number = (double)strtoll(text, &end, 0); /* caps/slots is hexadecimal */
	return end == text ? NAN : number;
}

static double
topology_of(const struct perf_world *world, int cpu, const char *leaf)
{
	char file[128];

	snprintf(file, sizeof file, "devices/system/cpu/cpu%d/topology/%s", cpu, leaf);
	return number_in(world, file);
}

static int
compare_core_places(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Counts the different packages, dies or cores of the online CPUs. */
static double
count_topology(const struct perf_world *world, bool dies, bool cores)
{
	int *cpu;
	size_t n = places_online(world, &cpu), different = 0;
	uint64_t *place = mem_new_array(n + 1, sizeof *place);

	for (size_t i = 0; i < n; i++) {
		double package = topology_of(world, cpu[i], "physical_package_id"),
		       die = topology_of(world, cpu[i], "die_id"), core = topology_of(world, cpu[i], "core_id");

		if (isnan(package) || (cores && isnan(core))) {
			n = 0;
			break;
		}
		place[i] = (uint64_t)fmax(0, package) << 48 |
			(dies || cores ? (uint64_t)(die > 0 ? die : 0) << 32 : 0) |
			(cores ? (uint64_t)fmax(0, core) : 0);
	}
	qsort(place, n, sizeof *place, compare_core_places);
	for (size_t i = 0; i < n; i++)
		different += i == 0 || place[i] != place[i - 1];
	free(place);
	free(cpu);
	return different ? (double)different : NAN;
}

/* Intel SDM volume 3, 20.7.3: CPUID leaf 15h has the crystal's frequency and the ratio of the TSC to it. */
static double
tsc_frequency(const struct perf_world *world)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned below, above, crystal, d;

	if (str_eq(world->sysfs, "/sys") && __get_cpuid(0x15, &below, &above, &crystal, &d) && below && above &&
		crystal)
		return (double)crystal * above / below;
#endif
	(void)world;
	return NAN;
}

double
cpu_constant(const struct perf_world *world, const char *name)
{
	char file[128];
	int *cpu;
	double n;

	if (str_eq(name, "smt_on"))
		return number_in(world, "devices/system/cpu/smt/active");
	if (str_eq(name, "core_wide"))
		return 0; /* perf's mode of counting both threads of each core; hecate has none */
	if (str_eq(name, "num_cpus") || str_eq(name, "num_cpus_online")) {
		n = (double)places_online(world, &cpu);
		free(cpu);
		return n > 0 ? n : NAN;
	}
	if (str_eq(name, "num_cores"))
		return count_topology(world, true, true);
	if (str_eq(name, "num_dies"))
		return count_topology(world, true, false);
	if (str_eq(name, "num_packages"))
		return count_topology(world, false, false);
	if (str_eq(name, "system_tsc_freq"))
		return tsc_frequency(world);
	if (str_eq(name, "slots") && *world->core_pmu) {
		snprintf(file, sizeof file, "bus/event_source/devices/%s/caps/slots", world->core_pmu);
		return number_in(world, file);
	}
	return NAN;
}
