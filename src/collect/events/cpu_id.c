#include "collect/events/cpu_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "collect/proc/files.h"
#include "core/trust/cpuinfo.h"

static bool
read_x86(const char *text, char id[CPU_ID_SIZE])
{
	char vendor[48], family[16], model[16], step[16];
	uint64_t f, m, s;

	if (!trust_cpuid_value(text, "vendor_id", vendor, sizeof vendor) ||
		!trust_cpuid_value(text, "cpu family", family, sizeof family) ||
		!trust_cpuid_value(text, "model", model, sizeof model) ||
		!trust_cpuid_value(text, "stepping", step, sizeof step) || !str_to_u64(family, &f) ||
		!str_to_u64(model, &m) || !str_to_u64(step, &s))
		return false;
	/* arch/x86/util/header.c of perf */
	return snprintf(id, CPU_ID_SIZE, "%s-%u-%X-%X", vendor, (unsigned)f, (unsigned)m, (unsigned)s) < CPU_ID_SIZE;
}

static bool
read_riscv(const char *text, char id[CPU_ID_SIZE])
{
	char vendor[32], arch[32], implementation[32];

	return trust_cpuid_value(text, "mvendorid", vendor, sizeof vendor) &&
		trust_cpuid_value(text, "marchid", arch, sizeof arch) &&
		trust_cpuid_value(text, "mimpid", implementation, sizeof implementation) &&
		snprintf(id, CPU_ID_SIZE, "%s-%s-%s", vendor, arch, implementation) < CPU_ID_SIZE;
}

bool
cpu_id_find(const char *sysfs, char id[CPU_ID_SIZE])
{
	const char *given = secure_getenv("HECATE_CPUID");
	struct proc_roots roots;
	struct str text = {0};
	char *path;

	*id = '\0';
	if (given && *given) {
		snprintf(id, CPU_ID_SIZE, "%s", given);
		return true;
	}
	if (!str_eq(sysfs, "/sys"))
		return false;
	proc_roots_find(&roots);
	path = str_format("%s/cpuinfo", roots.proc);
	proc_file_read(path, &text);
	free(path);
	path = str_format("%s/devices/system/cpu/cpu0/regs/identification/midr_el1", sysfs);
	if (!read_x86(str_text(&text), id) && !read_riscv(str_text(&text), id) &&
		!proc_text_read(path, id, CPU_ID_SIZE))
		*id = '\0';
	free(path);
	str_free(&text);
	return false;
}

bool
cpu_id_is_plain(const char *id)
{
	size_t n = strlen(id);

	return n && n < CPU_ID_SIZE && *id != '.' && *id != '-' &&
		strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,") == n;
}
