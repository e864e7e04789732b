#include "collect/events/perf_codes.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"

/* Formats of core PMUs: Documentation/ABI/testing/sysfs-bus-event_source-devices-format; arch/x86/events. */
#define INTEL_CORE "event=config:0-7 umask=config:8-15 edge=config:18 pc=config:19 any=config:21 inv=config:23 " \
	"cmask=config:24-31 in_tx=config:32 in_tx_cp=config:33 ldlat=config1:0-15 offcore_rsp=config1:0-63 " \
	"frontend=config1:0-23"
#define AMD_CORE "event=config:0-7,32-35 umask=config:8-15 edge=config:18 inv=config:23 cmask=config:24-31"
#define ARM_CORE "event=config:0-15"

struct made_pmu {
	const char *cpus;   /* beginnings of processors that have it */
	const char *name;   /* several, separated by blanks */
	const char *format;
};

/* The names are those of the drivers in arch/x86/events and drivers/perf, and of the units in the public lists. */
static const struct made_pmu made[] = {
	{"GenuineIntel", "uncore_arb uncore_cbox uncore_cha uncore_cxlcm uncore_cxldp uncore_b2cmi uncore_b2cxl "
		"uncore_b2hot uncore_b2upi uncore_clock uncore_ha uncore_iio uncore_iio_free_running uncore_imc "
		"uncore_imc_free_running uncore_irp uncore_m2hbm uncore_m2m uncore_m2pcie uncore_m3upi uncore_mchbm "
		"uncore_mdf uncore_mdf_sbo uncore_pcu uncore_qpi uncore_r2pcie uncore_r3qpi uncore_sbox uncore_ubox "
		"uncore_upi uncore_edc_eclk uncore_edc_uclk uncore_imc_dclk uncore_imc_uclk uncore_cbox_0 "
		"uncore_hac_arb uncore_hac_cbox uncore_imc_0 power", ""},
	{"AuthenticAMD HygonGenuine", "cpu", AMD_CORE},
	{"AuthenticAMD HygonGenuine", "amd_df amd_l3 amd_umc_0", ""},
	{"0x", "armv8_pmuv3_0", ARM_CORE},
};
/* Intel's processors with two kinds of cores (arch/x86/include/asm/intel-family.h): Alder, Raptor, Meteor, Arrow,
 * Lunar and Panther Lake. */
static const char *const hybrid[] = {"97", "9A", "B7", "BA", "BF", "AA", "AC", "B5", "C5", "C6", "BD", "CC"};

static bool
make_file(const char *folder, const char *name, const char *text)
{
	char *path = str_format("%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	size_t n = strlen(text);
	bool good = fd >= 0 && write(fd, text, n) == (ssize_t)n;

	if (fd >= 0)
		close(fd);
	free(path);
	return good;
}

static bool
make_folder(const char *above, const char *name)
{
	char *path = str_format("%s/%s", above, name);
	bool good = mkdir(path, 0700) == 0;

	free(path);
	return good;
}

static bool
make_pmu(const char *devices, const char *name, const char *format, int type)
{
	char *folder = str_format("%s/%s", devices, name), *terms = str_format("%s/format", folder), number[16];
	char **term = str_split(format, ' ', NULL);
	bool good;

	/* perf takes a PMU without events/ for one that names none, and needs no format/ to list events */
	snprintf(number, sizeof number, "%d\n", type);
	good = make_folder(devices, name) && (!*format || make_folder(folder, "format")) &&
		make_file(folder, "type", number) &&
		make_file(folder, str_starts(name, "cpu_") || str_starts(name, "armv") ? "cpus" : "cpumask", "0\n");
	for (size_t i = 0; good && term[i] && *term[i]; i++) {
		char *equals = strchr(term[i], '=');

		*equals = '\0';
		good = make_file(terms, term[i], equals + 1);
	}
	str_split_free(term);
	free(terms);
	free(folder);
	return good;
}

static bool
is_hybrid(const char *cpu)
{
	for (size_t i = 0; i < sizeof hybrid / sizeof *hybrid; i++) {
		char *begin = str_format("GenuineIntel-6-%s-", hybrid[i]);
		bool is = str_starts(cpu, begin) || (str_starts(begin, cpu) && strlen(cpu) + 1 == strlen(begin));

		free(begin);
		if (is)
			return true;
	}
	return false;
}

static bool
is_of(const char *cpu, const char *beginnings)
{
	char **word = str_split(beginnings, ' ', NULL);
	bool is = false;

	for (size_t i = 0; word[i] && !is; i++)
		is = str_starts(cpu, word[i]);
	str_split_free(word);
	return is;
}

static bool
make_pmus(const char *devices, const char *cpu)
{
	bool good = true;
	int type = 100;

	if (str_starts(cpu, "GenuineIntel") && is_hybrid(cpu))
		good = make_pmu(devices, "cpu_core", INTEL_CORE, 4) && make_pmu(devices, "cpu_atom", INTEL_CORE, 10);
	else if (str_starts(cpu, "GenuineIntel"))
		good = make_pmu(devices, "cpu", INTEL_CORE, 4);
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		char **name = str_split(made[i].name, ' ', NULL);

		for (size_t k = 0; good && is_of(cpu, made[i].cpus) && name[k]; k++)
			good = make_pmu(devices, name[k], made[i].format, str_eq(name[k], "cpu") ? 4 : type++);
		str_split_free(name);
	}
	return good;
}

char *
made_sysfs_new(const char *cpu, struct err *e)
{
	const char *tmp = getenv("TMPDIR");
	char *path = str_format("%s/hecate-sysfs-XXXXXX", tmp && *tmp ? tmp : "/tmp"), *devices;
	bool good = mkdtemp(path) != NULL;

	if (!good) {
		err_set(e, "cannot make a folder in %s: %s", tmp && *tmp ? tmp : "/tmp", strerror(errno));
		free(path);
		return NULL;
	}
	devices = str_format("%s/bus/event_source/devices", path);
	if (make_folder(path, "bus") && make_folder(path, "bus/event_source") &&
		make_folder(path, "bus/event_source/devices") && make_pmus(devices, cpu)) {
		free(devices);
		return path;
	}
	err_set(e, "cannot write into %s: %s", path, strerror(errno));
	free(devices);
	made_sysfs_remove(path);
	return NULL;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

void
made_sysfs_remove(char *path)
{
	if (path)
		nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(path);
}
