#include "collect/host/machine.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/json.h"
#include "base/str.h"
#include "collect/host/cpu.h"
#include "collect/perf/timers.h"
#include "collect/proc/files.h"
#include "config.h"
#include "core/obs/obs.h"
#include "core/trust/cpuinfo.h"

/* Writes what /proc/cpuinfo says of the first processor; null where it says nothing. */
static void
write_processor(struct json_writer *writer)
{
	static const struct {
		const char *name, *key;
	} part[] = {{"processor", "model name"}, {"stepping", "stepping"}, {"microcode", "microcode"}};
	char value[128];
	struct proc_roots roots;
	struct str text = {0};
	char *path;

	proc_roots_find(&roots);
	path = str_format("%s/cpuinfo", roots.proc);
	if (!proc_file_read(path, &text))
		str_clear(&text);
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		json_str(writer, part[i].name,
			trust_cpuid_value(str_text(&text), part[i].key, value, sizeof value) ? value : NULL);
	free(path);
	str_free(&text);
}

void
host_machine(struct obs_origin *origin, void (*events)(const void *ctx, struct json_writer *), const void *ctx)
{
	struct str text = {0};
	struct json_writer writer = {.out = &text};
	struct utsname system;
	char host[64];

	json_open(&writer, NULL, '{');
	json_str(&writer, "hecate", PACKAGE_VERSION);
	json_str(&writer, "hypervisor", timers_hypervisor_name(host, sizeof host) ? host : NULL);
	if (uname(&system) == 0) {
		json_str(&writer, "kernel", system.release);
		json_str(&writer, "build", system.version);
		json_str(&writer, "architecture", system.machine);
	}
	write_processor(&writer);
	json_int(&writer, "processors", sysconf(_SC_NPROCESSORS_ONLN));
	json_open(&writer, "events", '[');
	if (events)
		events(ctx, &writer);
	json_close(&writer, ']');
	json_close(&writer, '}');
	origin->cpu = host_cpu_text();
	origin->machine = str_take(&text);
}
