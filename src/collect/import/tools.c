#include "collect/import/tools.h"

#include <ctype.h>
#include <string.h>

#define LINES 24    /* lines that are compared */
#define LONGEST 1024 /* bytes of a line that are compared */

#define COUNT_IT "count the events themselves: perf stat -x, -I 100 -e EVENT,… -- CMD, and import its output"
#define SAMPLES "samples are no counts: count with perf stat -x, -I 100 -e EVENT,… -- CMD, and import its output"
#define TOPLEV "they are made of counts, which toplev writes with --valcsv FILE: import that file"
#define PCM "pcm-raw prints counts: pcm-raw -csv=counts.csv -e EVENT …, and import that file"
#define CHAMPSIM "write the counts that you need as a wide CSV; hecate sim --trace champsim:FILE simulates its traces"
#define WIDE "write them as a wide CSV: a line of names, and below it a line of counts"
#define UNPACK "unpack it, and import what is inside"

/* The sentence and the remedy of several rows. */
#define TOPLEV_SHARES "this is the output of toplev: percentages, not counts", TOPLEV
#define TOPLEV_PIVOT "this is the output of toplev --pivot: percentages, not counts", TOPLEV
#define PCM_MEMORY "this is the output of pcm-memory: rates in MB/s, not counts", PCM
#define PCM_METRICS "this is the output of pcm: metrics, not counts", PCM
#define PCM_SCREEN "this is what pcm shows on a terminal: metrics, not counts", PCM
#define PERF_SCRIPT "this is the output of perf script: samples", SAMPLES
#define PERF_REPORT "this is the output of perf report: shares of samples", SAMPLES
#define PERF_LIST "this is a list of events, as perf list prints it: it holds no counts", COUNT_IT
#define TOPDOWN "this is the output of perf stat --topdown or --metric-only: percentages, not counts", \
	"run perf stat without them, with -x, -e " \
	"'{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}'"
#define EVENT_LIST "this is a list of events (perf list --json, or of a vendor): it holds no counts", COUNT_IT
#define TURBOSTAT "this is the output of turbostat: frequencies and shares of time, not counts", COUNT_IT
#define CHAMPSIM_STATS "these are statistics of ChampSim, which are not read", CHAMPSIM
#define ARM_TOPDOWN "this is the output of Arm's topdown-tool: metrics, not counts", COUNT_IT
#define VTUNE_METRICS "this is a report of VTune: metrics, not counts", COUNT_IT
#define VTUNE_SAMPLES "this is a report of VTune: counts that are estimated from samples", COUNT_IT
#define EMON "this is the output of EMON, which is not read", COUNT_IT
#define EDP "these are metrics, which PerfSpect or EDP derived, and not counts", COUNT_IT
#define WEB_PAGE "this is a web page", "save the table as CSV, or import the text that the tool printed"

/* The first row that fits decides. */
static const struct tool tools[] = {
	/* likwid (src/applications/likwid.lua) */
	{"STRUCT,Info,*", {NULL}, likwid_read, NULL, NULL},
	{"TABLE,Group @*", {NULL}, likwid_read, NULL, NULL},
	{"TABLE,Region *", {NULL}, likwid_read, NULL, NULL},
	{NULL, {"| Event | Counter |*"}, likwid_read, NULL, NULL},
	{NULL, {"| Event | core @*"}, likwid_read, NULL, NULL},
	{NULL, {"+---*", "| Region Info |*"}, likwid_read, NULL, NULL},
	{"# GID?*", {NULL}, likwid_read, NULL, NULL},
	{"# HWThreads?*", {NULL}, likwid_read, NULL, NULL},
	{"# Cores?@*", {"# GID?*"}, likwid_read, NULL, NULL},
	{NULL, {"CPU type: *", "Hardware Thread Topology"}, NULL,
		"this is what likwid-topology prints: a machine, and no counts",
		"count with likwid-perfctr -O -g EVENT:COUNTER,… CMD, and import its output"},
	{"---*", {"CPU type: *", "CPU clock: *"}, likwid_read, NULL, NULL},
	{NULL, {"+---*", "| Metric |*"}, NULL,
		"these are metrics of likwid-perfctr, without the counts they are made of",
		"import all that likwid-perfctr printed: counts are in the tables that begin with Event and Counter"},

	{"Timestamp?Socket?CPU?Cgroup?*", {NULL}, NULL, EDP},

	/* pmu-tools (tl_output.py and toplev.py) */
	{NULL, {"*Event?Value?Perf-event?*"}, toplev_read, NULL, NULL},
	{NULL, {"*Area?Value?Unit*"}, NULL, TOPLEV_SHARES},
	{NULL, {"*?% Slots*,*"}, NULL, TOPLEV_SHARES},
	{NULL, {"*Frontend_Bound*% Slots *"}, NULL, TOPLEV_SHARES},
	{NULL, {"*CPUs?*Frontend_Bound*"}, NULL, TOPLEV_PIVOT},
	{NULL, {"Timestamp?*Frontend_Bound?*"}, NULL, TOPLEV_PIVOT},
	{NULL, {"*\"traceEvents\"*"}, NULL,
		"this is a trace for a browser, as toplev --json writes it: it holds no counts", TOPLEV},
	{"# @*-full* on *", {NULL}, NULL, TOPLEV_SHARES},

	/* pcm (pcm.cpp, pcm-raw.cpp, pcm-memory.cpp, pcm-iio.cpp and their siblings) */
	{"@-@-@,@:@:@*,*,@*,@*", {NULL}, pcm_raw_read, NULL, NULL},
	{"@-@-@;@:@:@*;*;@*;@*", {NULL}, pcm_raw_read, NULL, NULL},
	{",,SKT@*", {"Date?Time?*"}, NULL, PCM_MEMORY},
	{";;SKT@*", {"Date?Time?*"}, NULL, PCM_MEMORY},
	{NULL, {"Date?Time?*Socket?Name?Part*"}, NULL, "this is the output of pcm-iio: rates, not counts", PCM},
	{",,*", {"Date,Time,*SKT@*"}, pcm_raw_read, NULL, NULL},
	{";;*", {"Date;Time;*SKT@*"}, pcm_raw_read, NULL, NULL},
	{"Date?Time?*SKT@*EXEC?*IPC*", {NULL}, NULL, PCM_METRICS},
	{"Date?Time?*SKT@*", {NULL}, pcm_raw_read, NULL, NULL},
	{"System?System*", {NULL}, NULL, PCM_METRICS},
	{"System;*", {NULL}, NULL, PCM_METRICS},
	{"System,*", {"Date,Time,*"}, NULL, PCM_METRICS},
	{"Date?Time?*IPC*", {NULL}, NULL, PCM_METRICS},
	{"Date?Time?*MB/s*", {NULL}, NULL, PCM_METRICS},
	{"Date?Time?*Joules*", {NULL}, NULL, PCM_METRICS},
	{NULL, {"EXEC : instructions per *"}, NULL, PCM_SCREEN},
	{NULL, {"*Core (SKT) | EXEC*"}, NULL, PCM_SCREEN},
	{NULL, {"*|-- Mem Ch @: Reads (MB/s)*"}, NULL,
		"this is what pcm-memory shows on a terminal: rates, not counts", PCM},
	{NULL, {"*Skt?*PCIRdCur?*"}, NULL, "this is the output of pcm-pcie: estimates, not counts", PCM},
	{NULL, {"*Core?IPC?Instructions?Cycles?*DRAM*"}, NULL,
		"this is the output of pcm-numa, which is not read", PCM},
	{NULL, {"*\"interval us\"*"}, NULL, "this is an answer of pcm-sensor-server, which is not read", PCM},
	{NULL, {"# HELP *", "# TYPE *"}, NULL,
		"these are metrics for Prometheus, as pcm-sensor-server writes them", PCM},

	/* perf, except perf stat */
	{"PERFILE2*", {NULL}, NULL,
		"this is a perf.data file: a recording in binary form",
		"of perf stat record, import what perf stat report prints: perf stat report -i FILE 2>counts.txt. "
		"A recording of perf record has samples, and no counts"},
	{"2ELIFREP*", {NULL}, NULL,
		"this is a perf.data file: a recording in binary form, of a machine with another byte order",
		"of perf stat record, import what perf stat report prints: perf stat report -i FILE 2>counts.txt"},
	{"PERFFILE*", {NULL}, NULL,
		"this is a perf.data file of an old perf: a recording in binary form", SAMPLES},
	{NULL, {"*\"linux-perf-json-version\"*"}, NULL,
		"this is what perf data convert --to-json writes: samples", SAMPLES},
	{"* @ [@] @.@: *", {NULL}, NULL, PERF_SCRIPT},
	{"* @/@ [@] @.@: *", {NULL}, NULL, PERF_SCRIPT},
	{"* @ @.@: @ *:*", {NULL}, NULL, PERF_SCRIPT},
	{"* @/@ @.@: *", {NULL}, NULL, PERF_SCRIPT},
	{"# ========", {"# captured on *"}, NULL,
		"this is the output of perf script or perf report: samples", SAMPLES},
	{"# To display the perf.data header info*", {NULL}, NULL, PERF_REPORT},
	{NULL, {"# Samples: * of event*", "#*Overhead*"}, NULL, PERF_REPORT},
	{"# Overhead *", {NULL}, NULL, PERF_REPORT},
	{"Overhead *Command *", {NULL}, NULL, PERF_REPORT},
	{NULL, {"# Event 'cycle*", "# Baseline *"}, NULL,
		"this is the output of perf diff: shares of samples", SAMPLES},
	{NULL, {"*Percent*|*Source code*Disassembly*"}, NULL,
		"this is the output of perf annotate: shares of samples", SAMPLES},
	{"List of pre-defined events*", {NULL}, NULL, PERF_LIST},
	{NULL, {"*\"EventName\"?:*"}, NULL, EVENT_LIST},
	{NULL, {"*\"EventName\":*"}, NULL, EVENT_LIST},
	{NULL, {"* [Hardware event]*"}, NULL, PERF_LIST},
	{NULL, {"*Trace Event Information*"}, NULL, "this is the output of perf c2c: samples", SAMPLES},
	{NULL, {"contended total wait *"}, NULL, "this is the output of perf lock: times, not counts", COUNT_IT},
	{NULL, {"Task | Runtime ms *"}, NULL, "this is the output of perf sched: times, not counts", COUNT_IT},
	{"# Running '*' benchmark:*", {NULL}, NULL, "this is the output of perf bench: times, not counts", COUNT_IT},
	{NULL, {"*port*Inbound Read(MB)*"}, NULL,
		"this is the output of perf iostat: megabytes, not counts",
		"count the events of the PMU themselves: perf stat -x, -a -e uncore_iio_0/EVENT/,…"},
	{NULL, {"*% tma_*% tma_*"}, NULL, TOPDOWN},
	{"*S@-*,@,*@%,*@%,*@%*", {NULL}, NULL, TOPDOWN},
	{NULL, {"*retiring*bad speculation*frontend bound*backend bound*"}, NULL, TOPDOWN},

	/* others */
	{"Performance counter statistics,*", {NULL}, simpleperf_read, NULL, NULL},
	{"Performance counter statistics:*", {NULL}, simpleperf_read, NULL, NULL},
	{NULL, {"Performance counter statistics:"}, simpleperf_read, NULL, NULL},
	{NULL, {"Cmdline:*simpleperf*"}, NULL,
		"this is the output of simpleperf report: shares of samples",
		"samples are no counts: count with simpleperf stat --csv, and import its output"},
	{NULL, {"*HOTTEST FUNCTIONS*"}, NULL,
		"this is a report of AMDuProfCLI: counts that are estimated from samples", COUNT_IT},
	{"*AMDuProf*", {NULL}, uprof_read, NULL, NULL},
	{NULL, {"*CORE METRICS*", "Timestamp?*"}, uprof_read, NULL, NULL},
	{"*AMD uProf*", {NULL}, uprof_read, NULL, NULL},
	{NULL, {"*AMDuProf*Report*"}, uprof_read, NULL, NULL},
	{NULL, {"*\"papi_version\"*"}, papi_json_read, NULL, NULL},
	{"{*", {"*\"threads\"*", "*\"regions\"*"}, papi_json_read, NULL, NULL},
	{NULL, {"*\"cpu in mhz\"*"}, papi_json_read, NULL, NULL},
	{"{*", {"*\"ranks\"*", "*\"regions\"*"}, papi_json_read, NULL, NULL},
	{"PAPI-HL Output:*", {NULL}, NULL, "this is what PAPI prints at the end of a program",
		"import the file that the program wrote: papi_hl_output/rank_000000.json"},
	{"PAPI_*: @", {"PAPI_*: @"}, NULL, "these are counts that a program printed by PAPI's names, one a line", WIDE},
	{NULL, {"*\"Real time in s\"*"}, NULL, "this is a summary that PAPI's script made: metrics, not counts",
		"import what the program itself wrote: papi_hl_output/rank_000000.json and its siblings"},
	{NULL, {"*\"simulated_begin_time\"*"}, gem5_json_read, NULL, NULL},
	{NULL, {"*\"type\"*\"SimStat\"*"}, gem5_json_read, NULL, NULL},
	{"| Core @*", {NULL}, sniper_out_read, NULL, NULL},
	{NULL, {"*Avg_MHz*Busy%*Bzy_MHz*"}, NULL, TURBOSTAT},
	{"turbostat version *", {NULL}, NULL, TURBOSTAT},
	{NULL, {"??? ChampSim *"}, NULL, CHAMPSIM_STATS},
	{NULL, {"CPU @ cumulative IPC: *"}, NULL, CHAMPSIM_STATS},
	{NULL, {"Warmup Instructions: *", "Simulation Instructions: *"}, NULL, CHAMPSIM_STATS},
	{"[*", {"*\"roi\"*", "*\"DRAM\"*"}, NULL, CHAMPSIM_STATS},
	{NULL, {"*stage?group?metric?value*"}, NULL, ARM_TOPDOWN},
	{NULL, {"*group?metric?value?unit*"}, NULL, ARM_TOPDOWN},
	{NULL, {"Stage @ (Topdown *"}, NULL, ARM_TOPDOWN},
	{NULL, {"[Topdown Level @]*"}, NULL, ARM_TOPDOWN},
	{NULL, {"*Hierarchy Level?Metric Name?Metric Value*"}, NULL, VTUNE_METRICS},
	{NULL, {"*Hardware Event Count:*"}, NULL, VTUNE_SAMPLES},
	{NULL, {"*Hardware Event Type?Hardware Event Count*"}, NULL, VTUNE_SAMPLES},
	{"Linux *CPU)", {NULL}, NULL,
		"this is the output of sar, mpstat or iostat: rates and shares of time, not counts", COUNT_IT},
	{"vtune: *", {NULL}, NULL, "this is what VTune says while it runs: it holds no counts", COUNT_IT},
	{NULL, {"Elapsed Time: *", "*CPI Rate: *"}, NULL, VTUNE_METRICS},
	{NULL, {"*Function*CPU Time*Module*Function (Full)*"}, NULL,
		"this is a report of VTune: times, not counts", COUNT_IT},
	{NULL, {"Version Info: *", "*EMON*"}, NULL, EMON},
	{"EMON *", {NULL}, NULL, EMON},
	{NULL, {"*metric_CPU operating frequency*"}, NULL, EDP},
	{NULL, {"*metric_CPI*"}, NULL, EDP},
	{"desc: *", {"events: *"}, NULL,
		"this is a profile of Valgrind's cachegrind or callgrind, which is not read", COUNT_IT},
	{"# callgrind format*", {NULL}, NULL,
		"this is a profile of Valgrind's callgrind, which is not read", COUNT_IT},
	{"\x1f\x8b*", {NULL}, NULL, "this is compressed (gzip)", UNPACK},
	{"\xfd""7zXZ*", {NULL}, NULL, "this is compressed (xz)", UNPACK},
	{"\x28\xb5\x2f\xfd*", {NULL}, NULL, "this is compressed (zstd)", UNPACK},
	{"BZh@*", {NULL}, NULL, "this is compressed (bzip2)", UNPACK},
	{"PK\x03\x04*", {NULL}, NULL,
		"this is a zip file, perhaps a spreadsheet", "save the table as CSV, or " UNPACK},
	{"\x89HDF*", {NULL}, NULL, "this is an HDF5 file", "of gem5, import its stats.txt"},
	{"%PDF-*", {NULL}, NULL, "this is a PDF document", "import the text or CSV that it was made of"},
	{"<!DOCTYPE html*", {NULL}, NULL, WEB_PAGE},
	{"<html*", {NULL}, NULL, WEB_PAGE},
};
#define TOOLS (sizeof tools / sizeof *tools)

static bool
equal(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Moves *s past what one character of a pattern stands for. Returns false if the text does not go on like that. */
static bool
tools_step(char pattern, const char **s)
{
	size_t n = pattern == '@' ? strspn(*s, "0123456789") : pattern == ' ' ? strspn(*s, " \t") : 0;

	if (pattern == '@' || pattern == ' ') {
		*s += n;
		return n > 0;
	}
	if (!**s || (pattern != '?' && !equal(pattern, **s)))
		return false;
	++*s;
	return true;
}

/* '*' takes as little as it can; only the last one is ever tried again, so the time is at most that of a product. */
static bool
tools_fits(const char *pattern, const char *s)
{
	const char *star = NULL, *from = NULL;

	for (;;) {
		if (*pattern == '*') {
			star = ++pattern;
			from = s;
			if (!*pattern)
				return true;
		} else if (!*pattern && !*s) {
			return true;
		} else if (*pattern && tools_step(*pattern, &s)) {
			pattern++;
		} else {
			if (!star || !*from)
				return false;
			s = ++from;
			pattern = star;
		}
	}
}

struct head {
	char line[LINES][LONGEST];
	size_t n;
};

static void
cut_head(struct head *head, const char *s)
{
	for (head->n = 0; *s && head->n < LINES;) {
		size_t n = strcspn(s, "\n"), from = strspn(s, " \t\r"), k;

		from = from < n ? from : n;
		k = n - from < LONGEST - 1 ? n - from : LONGEST - 1;
		while (k && isspace((unsigned char)s[from + k - 1]))
			k--;
		memcpy(head->line[head->n], s + from, k);
		head->line[head->n][k] = '\0';
		head->n += k > 0;
		s += n + (s[n] == '\n');
	}
}

static bool
has_line(const struct head *h, const char *pattern)
{
	for (size_t i = 0; i < h->n; i++)
		if (tools_fits(pattern, h->line[i]))
			return true;
	return false;
}

const struct tool *
tools_find(const char *text)
{
	struct head h;

	cut_head(&h, text);
	for (size_t i = 0; i < TOOLS && h.n; i++) {
		const struct tool *tool = &tools[i];
		bool good = !tool->first || tools_fits(tool->first, h.line[0]);

		for (size_t k = 0; k < 2 && good && tool->also[k]; k++)
			good = has_line(&h, tool->also[k]);
		if (good)
			return tool;
	}
	return NULL;
}
