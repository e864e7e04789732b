#include "collect/host/cpu.h"

#include <stdlib.h>

#include "base/str.h"
#include "collect/proc/files.h"

bool
host_cpu(struct trust_cpuid *id)
{
	struct proc_roots roots;
	struct str text = {0};
	char *path;
	bool good;

	proc_roots_find(&roots);
	path = str_format("%s/cpuinfo", roots.proc);
	good = proc_file_read(path, &text) && trust_cpuid_read(str_text(&text), id);
	if (!good)
		*id = (struct trust_cpuid){.family = -1, .model = -1};
	free(path);
	str_free(&text);
	return good;
}

char *
host_cpu_text(void)
{
	struct trust_cpuid id;
	struct str text = {0};

	if (!host_cpu(&id))
		return NULL;
	trust_cpuid_text(&id, &text);
	return str_take(&text);
}
