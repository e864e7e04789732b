/* perf as oracle for names of events: on six machines made of files, every event of hecate's table gets the attribute
 * that the installed perf gives it, and so do terms, kernel names, modifiers and groups. Nothing of perf is stored:
 * with SYSFS_PATH and PERF_CPUID it prints perf_event_attr before it opens an event, whether or not that succeeds.
 *
 * What is known to differ, and is not compared:
 * - the default period, which perf takes from its tables and puts nowhere when it counts;
 * - fixed counters: the vendor's files have made-up codes (event=0x00,umask=0x01 for instructions), which perf replaces
 *   when it is built (event=0xc0). hecate takes perf's. This shows only with HECATE_EVENTS (tests/unit/event_tables.c);
 * - a term that is given twice, as in cpu/mem-loads,ldlat=30/: perf combines both values bit by bit, 3 | 30 = 31,
 * hecate takes the last. */
#include <ftw.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/pmu_family.h"
#include "collect/perf/world.h"
#include "collect/process/capture.h"
#include "collect/source.h"
#include "event/list.h"
#include "test.h"

/* From Documentation/ABI/testing/sysfs-bus-event_source-devices-*, arch/x86/events/intel/core.c, uncore_snbep.c,
 * uncore_discovery.c, arch/x86/events/amd/{core,uncore}.c and drivers/perf/arm_pmuv3.c of Linux. A line is
 * "PMUS | type of the first | cpus or cpumask | formats | events". */
#define INTEL "event=config:0-7 umask=config:8-15 edge=config:18 pc=config:19 any=config:21 inv=config:23 " \
	"cmask=config:24-31 in_tx=config:32 in_tx_cp=config:33 ldlat=config1:0-15 offcore_rsp=config1:0-63"
#define INTEL_EVENTS "cpu-cycles=event=0x3c instructions=event=0xc0 mem-loads=event=0xcd,umask=0x1,ldlat=3"
#define BOX "event=config:0-7 umask=config:8-15 edge=config:18 inv=config:23 thresh=config:24-31"
#define CHA "event=config:0-7 umask=config:8-15,32-55 edge=config:18 tid_en=config:16 inv=config:23 thresh=config:24-31"

static const struct machine {
	const char *name, *cpu, *tree, *names;
} machines[] = {
	{"Haswell-EP", "GenuineIntel-6-3F-2",
		"cpu|4||" INTEL "|" INTEL_EVENTS "\n"
		"uncore_cbox_0 uncore_cbox_1|20|0|event=config:0-7 umask=config:8-15 edge=config:18 tid_en=config:19 "
		"inv=config:23 thresh=config:24-31 filter_tid=config1:0-5 filter_link=config1:6-7 "
		"filter_state=config1:17-23 "
		"filter_nid=config2:0-15 filter_opc=config2:20-28 filter_nc=config2:30 filter_isoc=config2:31|\n"
		"uncore_ha_0 uncore_ha_1|30|0|" BOX "|\n"
		"uncore_imc_0 uncore_imc_1|40|0|" BOX "|clockticks=event=0xff cas_count_read=event=0x04,umask=0x03\n"
		"uncore_pcu|50|0|event=config:0-7 edge=config:18 occ_sel=config:14-15 inv=config:23 "
		"thresh=config:24-28 "
		"filter_band0=config1:0-7|\n"
		"uncore_qpi_0|60|0|event=config:0-7,21 umask=config:8-15 thresh=config:24-31|\n",
		"cpu/event=0xb7,umask=0x1,offcore_rsp=0x3fffc00091/ r1c2 cpu/r1c2,inv,cmask=3/ "
		"uncore_imc_0/clockticks/ "
		"uncore_imc_1/cas_count_read/ uncore_qpi_0/event=0x102,umask=0x8/ "
		"uncore_cbox_0/event=0x35,umask=0x3,filter_opc=0x182,filter_nid=0x1/"},
	{"Sapphire Rapids", "GenuineIntel-6-8F-4",
		"cpu|4||" INTEL " frontend=config1:0-23|" INTEL_EVENTS
		" slots=event=0x00,umask=0x4 topdown-retiring=event=0x00,umask=0x80\n"
		"uncore_cha_0 uncore_cha_1 uncore_cha_2|60|0|" CHA "|\n"
		"uncore_imc_0|80|0|" BOX "|clockticks=event=0x01,umask=0x00\n"
		"uncore_m2pcie_0|90|0|" BOX "|\n",
		"cpu/event=0xc6,umask=0x3,frontend=0x11/ slots cpu/topdown-retiring/ "
		"uncore_cha_1/event=0x35,umask=0xc817fe01,thresh=1/ uncore_cha_2/event=0x36,umask=0xc827ff01,edge,inv/ "
		"uncore_imc_0/clockticks/ uncore_m2pcie_0/event=0x23,umask=0x4/ cpu/config=0x1cd,config1=0x80/"},
	{"Emerald Rapids with CXL", "GenuineIntel-6-CF-2",
		"cpu|4||" INTEL "|" INTEL_EVENTS "\n"
		"uncore_cha_0 uncore_cha_1|60|0|" CHA "|\n"
		"uncore_cxlcm_0 uncore_cxlcm_1|70|0|" BOX "|\n"
		"uncore_cxldp_0|75|0|" BOX "|\n"
		"uncore_type_12_0 uncore_type_12_1|80|0|" CHA "|\n"
		"uncore_type_13_0|85|0|" CHA "|\n",
		"uncore_cxlcm_0/event=0x41,umask=0x10/ uncore_cxlcm_1/event=0x02,umask=0x8,thresh=2/ "
		"uncore_cxldp_0/event=0x2,umask=0x20/ uncore_type_12_0/event=0x41,umask=0x10/ "
		"uncore_type_12_1/event=0x2,umask=0x800001f/ uncore_type_13_0/event=0x2,umask=0x20,edge/ mem-loads"},
	{"hybrid laptop", "GenuineIntel-6-97-2",
		"cpu_core|4|0-15|" INTEL " frontend=config1:0-23|" INTEL_EVENTS " slots=event=0x00,umask=0x4\n"
		"cpu_atom|10|16-23|" INTEL "|cpu-cycles=event=0x3c instructions=event=0xc0\n"
		"uncore_imc_free_running_0|30|0|event=config:0-7 umask=config:8-15|data_read=event=0xff,umask=0x20\n",
		"cpu_core/event=0x2a,umask=0x1,offcore_rsp=0x3fbfc00001/ "
		"cpu_atom/event=0xb7,umask=0x1,offcore_rsp=0x1/ "
		"cpu_core/slots/ cpu_atom/instructions/ uncore_imc_free_running_0/data_read/"},
	{"Zen 4", "AuthenticAMD-25-11-1",
		"cpu|4||event=config:0-7,32-35 umask=config:8-15 edge=config:18 inv=config:23 cmask=config:24-31|"
		"cpu-cycles=event=0x76 instructions=event=0xc0\n"
		"amd_l3|14|0|event=config:0-7 umask=config:8-15 coreid=config:42-44 enallslices=config:46 "
		"enallcores=config:47 "
		"sliceid=config:48-50 threadmask=config:56-57|\n"
		"amd_df|15|0|event=config:0-7,32-37 umask=config:8-15,24-27|\n"
		"power|16|0|event=config:0-7|energy-pkg=event=0x02\n",
		"cpu/event=0x1ff,umask=0x3/ cpu/event=0xfff,inv,cmask=2/ amd_df/event=0x3fff,umask=0xfff/ "
		"amd_l3/event=0x4,umask=0xff,enallslices,enallcores,threadmask=3,sliceid=5/ power/energy-pkg/"},
	{"Arm server, Neoverse V2", "0x00000000410fd4f0",
		"armv8_pmuv3_0|8|0-71|event=config:0-15 long=config1:0 rdpmc=config1:1 threshold=config1:5-16|"
		"cpu_cycles=event=0x0011 inst_retired=event=0x0008 l1d_tlb_refill=event=0x0005 "
		"stall_slot=event=0x003f\n"
		"arm_cmn_0|20|0|type=config:0-15 eventid=config:16-26 occupid=config:27-30 bynodeid=config:31 "
		"nodeid=config:32-47 wp_val=config1:0-63 wp_mask=config2:0-63|"
		"hnf_mc_reqs=type=0x5,eventid=0xd hnf_cache_miss=type=0x5,eventid=0x1\n"
		"nvidia_scf_pmu_0|30|0|event=config:0-63|cycles=event=0x100000000 gmem_rd_access=event=0x1d3\n",
		"armv8_pmuv3_0/cpu_cycles/ armv8_pmuv3_0/event=0x8,long/ armv8_pmuv3_0/event=0x11,threshold=0xabc/ "
		"arm_cmn_0/hnf_mc_reqs/ arm_cmn_0/type=0x5,eventid=0x1,bynodeid,nodeid=0x38/ "
		"arm_cmn_0/type=0x770,eventid=0x2,wp_val=0xffffffffffffffff,wp_mask=0x8000000000000000/ "
		"nvidia_scf_pmu_0/cycles/ nvidia_scf_pmu_0/gmem_rd_access/"},
};
#define N_MACHINES (sizeof machines / sizeof *machines)

/* On every machine: perf's own words, and each modifier. */
static const char words[] = "page-faults cs task-clock:u minor-faults:k";
static const char *const modifiers[] = {"u", "k", "h", "G", "H", "p", "pp", "I", "uk", "kh", "uG", "kH", "uGH", "ukhG",
	"D", "e", "S", "W", "pu", "kp", "uI", "ppk", "GI"};

/* --- trees ------------------------------------------------------------------------------------------------------- */

static void
write_file(const char *folder, const char *name, const char *text)
{
	char *path = str_format("%s/%s", folder, name);
	FILE *f = fopen(path, "w");

	if (CHECK(f)) {
		fprintf(f, "%s\n", text);
		fclose(f);
	}
	free(path);
}

/* Makes files out of "name=text name=text …" in a new folder. */
static void
write_folder(const char *above, const char *name, const char *items)
{
	char *folder = str_format("%s/%s", above, name), **item = str_split(items, ' ', NULL);

	CHECK(mkdir(folder, 0700) == 0);
	for (size_t i = 0; item[i]; i++) {
		char *equals = strchr(item[i], '=');

		if (!equals)
			continue;
		*equals = '\0';
		write_file(folder, item[i], equals + 1);
	}
	str_split_free(item);
	free(folder);
}

static void
make_tree(const char *root, const char *tree)
{
	char *devices = str_format("%s/bus/event_source/devices", root), **line = str_split(tree, '\n', NULL);

	for (char *slash = devices + strlen(root); slash; slash = strchr(slash + 1, '/')) {
		char *folder = mem_strn(devices, (size_t)(slash - devices));

		mkdir(folder, 0700);
		free(folder);
	}
	mkdir(devices, 0700);
	for (size_t i = 0; line[i] && *line[i]; i++) {
		char **part = str_split(line[i], '|', NULL), **pmu = str_split(part[0], ' ', NULL);

		for (size_t k = 0; pmu[k]; k++) {
			char *folder = str_format("%s/%s", devices, pmu[k]), type[16];

			/* a kind of PMU that the kernel does not have, so that perf tries each event once */
			snprintf(type, sizeof type, "%d", atoi(part[1]) == 4 ? 4 : 1000 + atoi(part[1]) + (int)k);
			CHECK(mkdir(folder, 0700) == 0);
			write_file(folder, "type", type);
			if (*part[2])
				write_file(folder, strchr(part[2], '-') ? "cpus" : "cpumask", part[2]);
			write_folder(folder, "format", part[3]);
			write_folder(folder, "events", part[4]);
			free(folder);
		}
		str_split_free(pmu);
		str_split_free(part);
	}
	str_split_free(line);
	free(devices);
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

/* --- perf -------------------------------------------------------------------------------------------------------- */

struct oracle {
	const struct machine *machine;
	const char *root;
	struct perf_world world;
	char **name;   /* events to compare */
	char **pmu;    /* of those that are from a table */
	size_t n, cap;
	size_t compared, differ;
};

static void
add_name(struct oracle *o, char *name)
{
	mem_grow(&o->name, &o->cap, o->n + 1, sizeof *o->name);
	o->name[o->n++] = name;
}

static uint64_t
attr_number(const char *block, const char *end, const char *key)
{
	char *line = str_format("\n  %s ", key);
	const char *at = memmem(block, (size_t)(end - block), line, strlen(line));
	uint64_t v = at ? strtoull(at + strlen(line), NULL, 0) : 0;

	free(line);
	return v;
}

/* Reads the next attribute that perf printed; NULL: there is none. */
static const char *
next_attr(const char *text, struct perf_event_attr *attr)
{
	const char *block = strstr(text, "perf_event_attr:"), *end = block ? strstr(block, "\n----") : NULL;

	if (!end)
		return NULL;
	*attr = (struct perf_event_attr){0};
	attr->type = (uint32_t)attr_number(block, end, "type");
	attr->config = attr_number(block, end, "config");
	attr->config1 = attr_number(block, end, "{ bp_addr, config1 }");
	attr->config2 = attr_number(block, end, "{ bp_len, config2 }");
	attr->exclude_user = attr_number(block, end, "exclude_user") & 1;
	attr->exclude_kernel = attr_number(block, end, "exclude_kernel") & 1;
	attr->exclude_hv = attr_number(block, end, "exclude_hv") & 1;
	attr->exclude_host = attr_number(block, end, "exclude_host") & 1;
	attr->exclude_guest = attr_number(block, end, "exclude_guest") & 1;
	attr->exclude_idle = attr_number(block, end, "exclude_idle") & 1;
	attr->precise_ip = attr_number(block, end, "precise_ip") & 3;
	attr->pinned = attr_number(block, end, "pinned") & 1;
	attr->exclusive = attr_number(block, end, "exclusive") & 1;
	return end;
}

static char *
run_perf(const struct oracle *o, const char *events)
{
	char *sysfs = str_format("SYSFS_PATH=%s", o->root), *cpu = str_format("PERF_CPUID=%s", o->machine->cpu);
	const char *const env[] = {sysfs, cpu, "LC_ALL=C", NULL};
	const char *const argv[] = {"perf", "stat", "-vv", "-e", events, "true", NULL};
	struct capture capture = {.argv = argv, .env = env, .errors = true, .limit_ms = 60000, .most = (size_t)1 << 26};
	struct str out = {0};
	struct err e = {0};
	bool missing;
	int status;

	test_check(capture_run(&capture, &out, &status, &missing, &e), __FILE__, __LINE__, "%s", e.what);
	free(sysfs);
	free(cpu);
	return str_take(&out);
}

static void
print_attr(const struct perf_event_attr *a, struct str *out)
{
	str_addf(out, "type %u config 0x%llx config1 0x%llx config2 0x%llx, without user %u kernel %u hv %u host %u "
		"guest %u idle %u, precise %u pinned %u exclusive %u", a->type, a->config, a->config1, a->config2,
		a->exclude_user, a->exclude_kernel, a->exclude_hv, a->exclude_host, a->exclude_guest, a->exclude_idle,
		a->precise_ip, a->pinned, a->exclusive);
}

/* --- comparing --------------------------------------------------------------------------------------------------- */

/* The attributes that hecate gives an event: one, or one for each box of its PMU. */
static size_t
ours(const struct oracle *o, const char *name, struct perf_event_attr *attr, size_t most, struct source_status *why)
{
	struct pmu_family family;
	struct event_code code;
	size_t n = 0;

	if (!pmu_family_of(name, &o->world, &family) || family.named || !family.n) {
		pmu_family_free(&family);
		if (!event_by_name(name, &o->world, &code, why))
			return 0;
		perf_fill_attr(&code, attr);
		return 1;
	}
	for (size_t i = 0; i < family.n && i < most; i++)
		if (event_by_name(family.member[i].event, &o->world, &code, why))
			perf_fill_attr(&code, &attr[n++]);
	pmu_family_free(&family);
	return n;
}

static int
compare_types(const void *a, const void *b)
{
	const struct perf_event_attr *x = a, *y = b;

	return (x->type > y->type) - (x->type < y->type);
}

/* The boxes of a PMU stand in no order: attributes of one code are compared by type. */
static void
compare_attrs(struct oracle *o, size_t first, struct perf_event_attr *mine, const char *at, size_t n)
{
	struct perf_event_attr *theirs = mem_new_array(n, sizeof *theirs);

	for (size_t i = 0; i < n; i++)
		at = next_attr(at, &theirs[i]);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && mine[end].config == mine[i].config && mine[end].type > mine[end - 1].type;
			end++)
			;
		qsort(theirs + i, end - i, sizeof *theirs, compare_types);
	}
	for (size_t i = 0; i < n; i++) {
		struct str a = {0}, b = {0};

		print_attr(&mine[i], &a);
		print_attr(&theirs[i], &b);
		o->compared++;
		if (!test_check(str_eq(str_text(&a), str_text(&b)), __FILE__, __LINE__,
			    "%s: event %zu from %.80s on\n#  hecate %s\n#  perf   %s", o->machine->name, i,
			    o->name[first], str_text(&a), str_text(&b)))
			o->differ++;
		str_free(&a);
		str_free(&b);
	}
	free(theirs);
}

/* Compares events first … end - 1. perf opens those of a PMU in the order in which they are given; if it prints another
 * number of attributes than expected, halves are compared. */
static void
compare_events(struct oracle *o, size_t first, size_t end)
{
	struct perf_event_attr *mine = NULL, theirs;
	size_t n = 0, cap = 0, printed = 0;
	struct str list = {0};
	const char *at;
	char *text;

	for (size_t i = first; i < end; i++) {
		struct source_status why = {0};
		size_t k;

		mem_grow(&mine, &cap, n + 8, sizeof *mine);
		k = ours(o, o->name[i], &mine[n], 8, &why);
		if (!k) {
			test_check(false, __FILE__, __LINE__, "%s: %s: hecate refuses it: %s", o->machine->name,
				o->name[i], why.why);
			o->differ++;
			end = i;
		}
		n += k;
		if (k)
			str_addf(&list, "%s%s", list.n ? "," : "", o->name[i]);
	}
	text = first < end ? run_perf(o, str_text(&list)) : mem_str("");
	for (at = text; (at = next_attr(at, &theirs)); printed++)
		;
	if (printed != n && end - first > 1) {
		compare_events(o, first, first + (end - first) / 2);
		compare_events(o, first + (end - first) / 2, end);
	} else if (printed != n && (n != 1 || !printed)) { /* the kernel may have the PMU and refuse a modifier */
		o->differ++;
		test_check(false, __FILE__, __LINE__, "%s: perf opens %s %zu times, hecate %zu: %.300s",
			o->machine->name, o->name[first], printed, n, text);
	} else {
		compare_attrs(o, first, mine, text, n);
	}
	str_free(&list);
	free(mine);
	free(text);
}

static void
add_words(struct oracle *o, const char *list)
{
	char **word = str_split(list, ' ', NULL);

	for (size_t i = 0; word[i]; i++)
		if (*word[i])
			add_name(o, mem_str(word[i]));
	str_split_free(word);
}

static int
compare_by_pmu(const void *a, const void *b)
{
	const struct event_row *const *x = a, *const *y = b;
	int order = strcmp((*x)->pmu, (*y)->pmu);

	return order ? order : strcmp((*x)->name, (*y)->name);
}

/* Every event of the table, those of a PMU together, with a modifier for one in seven of a core's. */
static void
add_table(struct oracle *o, const struct event_table *table)
{
	const struct event_row **row = mem_new_array(table->n + 1, sizeof *row);
	size_t n = 0;

	for (size_t i = 0; i < table->n; i++)
		if (table->row[i].source == EVENT_FROM_PERF && *table->row[i].code)
			row[n++] = &table->row[i];
	qsort(row, n, sizeof *row, compare_by_pmu);
	o->pmu = mem_new_array(n + 1, sizeof *o->pmu);
	for (size_t i = 0; i < n; i++) {
		bool core = str_starts(row[i]->pmu, "cpu");
		const char *mod = modifiers[i % (sizeof modifiers / sizeof *modifiers)];

		if (str_eq(row[i]->pmu, "cpu") && i % 7 == 0)
			add_name(o, str_format("%s:%s", row[i]->name, mod));
		else if (core && !str_eq(row[i]->pmu, "cpu"))
			add_name(o, str_format("%s/%s/%s", row[i]->pmu, row[i]->name, i % 7 ? "" : mod));
		else
			add_name(o, mem_str(row[i]->name));
		o->pmu[i] = mem_str(row[i]->pmu);
	}
	free(row);
}

static void
compare_machine(const struct machine *machine, const char *root, size_t *compared, size_t *differ)
{
	struct oracle o = {.machine = machine, .root = root};
	struct known_events known = {0};
	const char *core;
	char **group, *names;
	size_t n;

	make_tree(root, machine->tree);
	setenv("HECATE_SYSFS", root, 1);
	setenv("HECATE_CPUID", machine->cpu, 1);
	perf_world_probe(&o.world);
	o.world.machine = true;
	o.world.known = &known;
	known_events_find(&known, &o.world, "");
	core = o.world.core_pmu;
	add_table(&o, &known.table);
	n = o.n;
	add_words(&o, words);
	add_words(&o, machine->names);
	for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
		add_name(&o, str_format("%s/event=0x3c/%s", core, modifiers[i]));
	names = str_format("{%s/event=0xc0/,page-faults}:u,{%s/event=0x3c/,%s/event=0xc0/k}", core, core, core);
	group = event_list_split(names, NULL);
	free(names);
	for (size_t i = 0; group[i]; i++)
		add_name(&o, mem_str(group[i]));
	str_split_free(group);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && end - i < 150 && str_eq(o.pmu[end], o.pmu[i]); end++)
			;
		compare_events(&o, i, end);
	}
	for (size_t i = n; i < o.n; i++)
		compare_events(&o, i, i + 1);
	printf("# %s: %zu events of perf's list, %zu attributes, %zu differ\n", machine->name, n, o.compared, o.differ);
	*compared += o.compared;
	*differ += o.differ;
	for (size_t i = 0; i < o.n; i++)
		free(o.name[i]);
	free(o.name);
	str_split_free(o.pmu);
	known_events_free(&known);
	unsetenv("HECATE_SYSFS");
	unsetenv("HECATE_CPUID");
}

static bool
has_perf(void)
{
	const char *const argv[] = {"perf", "--version", NULL};
	struct capture capture = {.argv = argv, .limit_ms = 10000, .most = 4096};
	struct str out = {0};
	bool missing, good;
	int status;

	good = capture_run(&capture, &out, &status, &missing, NULL) && status == 0;
	str_free(&out);
	return good;
}

static void
every_attribute_is_perfs(void)
{
	char folder[] = "/tmp/hecate-perf-XXXXXX", *cache;
	size_t compared = 0, differ = 0;

	if (!has_perf()) {
		test_skip("perf is not installed");
		return;
	}
	if (!CHECK(mkdtemp(folder)))
		return;
	cache = str_format("%s/cache", folder);
	setenv("XDG_CACHE_HOME", cache, 1);
	for (size_t i = 0; i < N_MACHINES; i++) {
		char *root = str_format("%s/%zu", folder, i);

		compare_machine(&machines[i], root, &compared, &differ);
		free(root);
	}
	printf("# %zu attributes on %zu machines, %zu differ\n", compared, N_MACHINES, differ);
	CHECK_INT(differ, 0);
	CHECK(compared > 200);
	unsetenv("XDG_CACHE_HOME");
	free(cache);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

TEST_MAIN(CASE(every_attribute_is_perfs))
