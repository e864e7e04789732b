#include "app/probe/probes.h"

#include <stdlib.h>
#include <string.h>

#include "app/files/files.h"
#include "app/files/simulation.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/sim/probe_run.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"

#define PROBE_MAX ((size_t)1 << 20) /* bytes of a file */

struct probe *
probe_load(const char *name, struct diags *diags, struct err *e)
{
	char *path = file_find(name, PROBE_FOLDERS, ".probe", e), *text;
	size_t n = 0;

	if (!path)
		return NULL;
	text = file_read(path, PROBE_MAX, &n, e);
	if (text)
		return probe_parse(path, text, n, diags);
	free(path);
	return NULL;
}

char **
probe_names(void)
{
	return file_names(PROBE_FOLDERS, ".probe");
}

bool
probe_simulated(const char *machine, const char *changes, const struct probe *p, bool (*stop)(void), struct curve *c,
	struct err *e)
{
	const char *colon = strchr(machine, ':');
	char *name = colon ? mem_strn(machine, (size_t)(colon - machine)) : mem_str(machine);
	struct simulation s = {0};
	bool good = simulation_load(name, changes, &s, e);

	if (good && colon)
		good = sim_plants_parse(s.machine, colon + 1, &s.plants, e);
	if (good && !s.machine->pipe.there) {
		err_set(e, "the machine %s has no pipeline, so no probe can run on it", name);
		good = err_hint(e, "use one that has, such as core");
	}
	if (good) {
		c->name = mem_str(p->name);
		sim_probe_run(s.machine, s.plants, p, stop, c);
	}
	simulation_free(&s);
	free(name);
	return good;
}
