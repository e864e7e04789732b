/* Files of other tools: each fixture of tests/data/tools cell by cell against tests/data/tools/expect/FILE (as in
 * perf_stat.c), and a line for each kind of file that holds no counts. */
#include "collect/import/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "collect/import/tool_text.h"
#include "core/obs/obs.h"
#include "models.h"
#include "table.h"
#include "test.h"

static void
each_file_gives_its_table(void)
{
	static const char *const ending[] = {".csv", ".txt", ".json", ".out"};
	size_t all = 0;

	for (size_t k = 0; k < sizeof ending / sizeof *ending; k++) {
		size_t n;
		char **name = names_list("data/tools", ending[k], &n);

		for (size_t i = 0; i < n; i++)
			table_check_file("tools", "tools", name[i], false);
		all += n;
		names_list_free(name);
	}
	CHECK(all >= 20);
}

/* What was counted for part of the time is no exact total; a simulator's counts always are. */
static void
exact_totals(void)
{
	table_check_file("tools", "tools", "toplev_valcsv.csv", true);
	table_check_file("tools", "tools", "simpleperf.csv", true);
	table_check_file("tools", "tools", "likwid_O.csv", true);
}

/* What the first lines of a file are taken for: the beginning of the sentence, "read", or "other" for what no row of
 * the table knows. */
static const struct { const char *text, *want; } shown[] = {
	/* perf */
	{"PERFILE2h\n", "this is a perf.data file"},
	{"my-prog  3901 [000]  1234.567890:     250000 cycles:u:  55d0c0de1129 main+0x10 (/tmp/a.out)\n",
		"this is the output of perf script"},
	{"swapper     0 [003] 12.000001: cycles:ppp:  ffffffff8104 native_write_msr ([kernel.kallsyms])\n",
		"this is the output of perf script"},
	{"Web Content  3901/3905 [000]  1234.567890:     250000 cycles:u:\n\t55d0 main\n",
		"this is the output of perf script"},
	{"a.out  3901  1234.567890:     250000 instructions:u:\n\t55d0 main\n", "this is the output of perf script"},
	{"# ========\n# captured on    : Sat Nov 28 04:00:00 2026\n",
		"this is the output of perf script or perf report"},
	{"# To display the perf.data header info, please use --header/--header-only options.\n#\n# Samples: 1K\n",
		"this is the output of perf report"},
	{"\n# Samples: 147K of event 'cycles:u'\n# Event count (approx.): 114907202161\n#\n# Overhead  Command\n",
		"this is the output of perf report"},
	{"# Event 'cycles'\n#\n# Baseline  Delta Abs  Shared Object\n", "this is the output of perf diff"},
	{"  Overhead  Command  Shared Object  Symbol\n    12.18%  a  a.out  [.] main\n",
		"this is the output of perf report"},
	{"PERFFILE\x68", "this is a perf.data file of an old perf"},
	{"{\"linux-perf-json-version\": 1,\"samples\":[]}", "this is what perf data convert --to-json writes"},
	{" Percent |\tSource code & Disassembly of a.out for cycles (12 samples)\n",
		"this is the output of perf annotate"},
	{"List of pre-defined events (to be used in -e or -M):\n\n  branch-misses  [Hardware event]\n",
		"this is a list of events"},
	{"[\n{\n\t\"Unit\": \"cpu\",\n\t\"EventName\": \"cycles\",\n", "this is a list of events"},
	{" Performance counter stats for 'system wide':\n\n   port      Inbound Read(MB)  Inbound Write(MB)\n"
	 "0000:00       1    0\n", "this is the output of perf iostat"},
	{" Performance counter stats for 'system wide':\n\n  retiring  bad speculation  frontend bound  backend bound\n"
	 "S0-D0-C0  2   38.1%   1.2%   10.0%   50.7%\n", "this is the output of perf stat --topdown"},
	{"retiring,bad speculation,frontend bound,backend bound,\n38.1%,1.2%,10.0%,50.7%,\n",
		"this is the output of perf stat --topdown"},
	{"S0-D0-C0,2,38.1%,1.2%,10.0%,50.7%,\n", "this is the output of perf stat --topdown"},
	{"%  tma_bad_speculation,%  tma_backend_bound,\n10.9,48.4,\n", "this is the output of perf stat --topdown"},
	/* pmu-tools */
	{"CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\nC0,Frontend_Bound,53.9,% Slots,,\n",
		"this is the output of toplev"},
	{"CPUs;Area;Value;Unit;Description;Sample\n", "this is the output of toplev"},
	{"0.503247704,C0,Frontend_Bound,1,% Slots <,,,0.0,3.99,,Y\n", "this is the output of toplev"},
	{"# 4.1-full-perf on Intel(R) Xeon(R) Gold 6140 CPU @ 2.30GHz [skx]\nFE  Frontend_Bound  % Slots  32.9 <\n",
		"this is the output of toplev"},
	{"BE             Backend_Bound    % Slots                   53.8   <==\n"
	 "FE             Frontend_Bound   % Slots                   32.9 <\n", "this is the output of toplev"},
	{"Timestamp,CPUs,Frontend_Bound,Bad_Speculation,Backend_Bound,Retiring,MUX\n1.001,C0,32.9,5.3,53.8,8.0,33.3\n",
		"this is the output of toplev --pivot"},
	{"Timestamp;CPUs;Area;Value;Unit\n1,001;C0;Frontend_Bound;53,9;% Slots\n",
		"this is the output of toplev"},
	{"{ \"traceEvents\": [\n", "this is a trace for a browser"},
	/* PAPI */
	{"\nPAPI-HL Output:\n{\n", "this is what PAPI prints"},
	{"PAPI_TOT_CYC : 1234\nPAPI_TOT_INS : 4321\n", "these are counts that a program printed"},
	/* pcm */
	{"System;;;;;;System Core C-States;;Socket0;;;;\nDate;Time;EXEC;IPC;FREQ\n", "this is the output of pcm:"},
	{"System,System,System,Socket 0\nDate,Time,EXEC,IPC,EXEC,L3MISS\n", "this is the output of pcm:"},
	{"Date,Time,EXEC,IPC\n", "this is the output of pcm:"},
	{"System,,,\nDate,Time,EXEC,IPC\n", "this is the output of pcm:"},
	{"Date;Time;SKT0 Core0 EXEC;IPC\n", "this is the output of pcm:"},
	{",,SKT0,SKT0,SKT0,System,System\nDate,Time,Ch0Read,Ch0Write,Mem Read (MB/s),Read,Write\n",
		"this is the output of pcm-memory"},
	{"Date,Time,Socket,Name,Part,IB write,IB read,OB read\n", "this is the output of pcm-iio"},
	{" EXEC  : instructions per nominal CPU cycle\n IPC   : instructions per CPU cycle\n",
		"this is what pcm shows on a terminal"},
	{",,A\nDate,Time,SKT0CORE0\n", "read"},
	/* others */
	{"Cmdline: /system/bin/simpleperf record\nArch: arm64\nEvent: cpu-cycles\n",
		"this is the output of simpleperf report"},
	{"Core\tCPU\tAvg_MHz\tBusy%\tBzy_MHz\tTSC_MHz\n-\t-\t12\t0.40\t3012\t2112\n",
		"this is the output of turbostat"},
	{"usec\tTime_Of_Day_Seconds\tCore\tCPU\tAPIC\tX2APIC\tAvg_MHz\tBusy%\tBzy_MHz\n",
		"this is the output of turbostat"},
	{"turbostat version 2023.03.17 - Len Brown\nKernel command line: quiet\n", "this is the output of turbostat"},
	{"\n*** ChampSim Multicore Out-of-Order Simulator ***\n\nWarmup Instructions: 1000\n",
		"these are statistics of ChampSim"},
	{"[{\"name\": \"x\",\n \"roi\": {\"DRAM\": [\n", "these are statistics of ChampSim"},
	{"level,stage,group,metric,value,units\n1,1,Topdown,Frontend Bound,12.3,%\n",
		"this is the output of Arm's topdown-tool"},
	{"Stage 1 (Topdown metrics)\n=========================\n[Topdown Level 1]\n",
		"this is the output of Arm's topdown-tool"},
	{"Hierarchy Level\tMetric Name\tMetric Value\n0\tElapsed Time\t5.1\n", "this is a report of VTune: metrics"},
	{"Function,Hardware Event Count:INST_RETIRED.ANY,Module\nmain,12000000,a.out\n",
		"this is a report of VTune: counts that"},
	{"Elapsed Time: 5.181s\n    Clockticks: 1,000\n    CPI Rate: 0.7\n", "this is a report of VTune: metrics"},
	{"Version Info: V11.38\nEMON Database\n", "this is the output of EMON"},
	{"timestamp,metric_CPU operating frequency (in GHz),metric_CPI\n",
		"these are metrics, which PerfSpect or EDP derived"},
	{"metrics,avg,p95,min,max\nmetric_CPI,1.2,1.3,1,2\n",
		"these are metrics, which PerfSpect or EDP derived"},
	{"Timestamp,Socket,CPU,Cgroup,CPI,TMA_Frontend_Bound(%)\n",
		"these are metrics, which PerfSpect or EDP derived"},
	{"desc: I1 cache: 32768 B, 64 B, 8-way\ncmd: ls\nevents: Ir I1mr ILmr\n",
		"this is a profile of Valgrind's cachegrind"},
	{"CPU name:\tx\nCPU type:\tIntel\nHardware Thread Topology\n", "this is what likwid-topology prints"},
	{"\x1f\x8b\x08", "this is compressed (gzip)"},
	{"\xfd""7zXZ", "this is compressed (xz)"},
	{"PK\x03\x04", "this is a zip file"},
	{"<!DOCTYPE html>\n<html>\n", "this is a web page"},
	{"10 HOTTEST FUNCTIONS (Sort Event - CYCLES)\nFUNCTION,CYCLES,MODULE\n", "this is a report of AMDuProfCLI"},
	{"{\n  \"computation\": {\n    \"Region count\": 1,\n    \"Real time in s\": 0.98,\n",
		"this is a summary that PAPI"},
	{"Linux 6.1.0-18-amd64 (host) \t11/28/2026 \t_x86_64_\t(2 CPU)\n", "this is the output of sar"},
	{"# Running 'sched/messaging' benchmark:\n# 20 sender and receiver processes per group\n",
		"this is the output of perf bench"},
	{" contended   total wait     max wait     avg wait         type   caller\n",
		"this is the output of perf lock"},
	{"\x89HDF\r\n", "this is an HDF5 file"},
	{"---------\nCPU name:\tx\nCPU type:\ty\nCPU clock:\t3.4 GHz\n", "read"},
	{"Date,Time,SKT0CORE0_INST_RETIRED_ANY\n", "read"},
	{"+------+\n| Event | core 0 | core 1 |\n", "read"},
	/* what is no such thing */
	{"observation,time,load.ret,load.causes_walk\nlinear-4k,0.1,1200432,9120\n", "other"},
	{"time,Frontend_Bound.slots,EXEC\n1,2,3\n", "other"},
	{"event,value,group\na,1,2\n", "other"},
	{"Date,Time,cycles,instructions\n2026-01-01,10:00:00,1000,2000\n", "other"},
	{"model m;\n", "other"},
	{" Performance counter stats for 'sleep 1':\n\n   1,234      cycles    #  23.1 %  tma_backend_bound\n",
		"other"},
	{"{\"interval\" : 1.0, \"counter-value\" : \"5\", \"event\" : \"cycles\"}\n", "other"},
	{"     1.000123,CPU0,12345,,cycles,1000,100.00,,\n", "other"},
	{"# started on Sat Nov 28 2026\n\n50,,page-faults,1000,100.00,,\n", "other"},
	{"", "other"},
	{"\n\n   \n", "other"},
};

static void
each_kind_of_file_is_known(void)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		const struct tool *t = tools_find(shown[i].text);
		const char *what = !t ? "other" : t->read ? "read" : t->what;

		test_label("row %zu: %.40s", i, shown[i].text);
		test_check(str_starts(what, shown[i].want), __FILE__, __LINE__, "%s: %s", shown[i].text, what);
	}
}

/* Each refusal says what the file is, and what to do; none is "not a number". */
static void
refusals_have_a_remedy(void)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		const struct tool *tool = tools_find(shown[i].text);
		struct err e = {.what = ""};
		struct obs_table *t;

		if (!tool || tool->read)
			continue;
		t = import_read("f", shown[i].text, strlen(shown[i].text), false, &e);
		CHECK(!t && *e.hint && str_starts(e.what, shown[i].want));
		CHECK(!strstr(e.hint, "perf script"));
		obs_table_free(t);
	}
}

/* A date that no clock shows is refused, not computed beyond 64 bits. */
static void
dates(void)
{
	static const struct { const char *day; bool good; } row[] = {
		{"2026-11-28", true}, {"1970-01-01", true}, {"0002-01-01", false}, {"99999-01-01", false},
		{"2026-99999-01", false}, {"2026-01-99999", false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct tool_cell day = {.s = row[i].day, .n = strlen(row[i].day)}, clock = {.s = "10:00:00", .n = 8};
		int64_t ns;

		test_label("%s", row[i].day);
		CHECK(tool_cell_clock(day, clock, &ns) == row[i].good);
	}
}

TEST_MAIN(CASE(dates), CASE(each_kind_of_file_is_known), CASE(refusals_have_a_remedy),
	CASE(each_file_gives_its_table), CASE(exact_totals))
