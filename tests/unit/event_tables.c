/* Tables of events: what perf prints in each of its formats, damaged text, finding by name. */
#include "event/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/events/format.h"
#include "collect/events/perf_list.h"
#include "collect/perf/names.h"
#include "collect/perf/world.h"
#include "collect/process/capture.h"
#include "collect/source.h"
#include "test.h"

/* In the form of perf 6.1 (util/print-events.c), with a description in two lines and one with brackets of its own. */
static const char details[] =
	"  cycles OR cpu-cycles                               [Hardware event]\n"
	"  slots OR cpu/slots/                                [Kernel PMU event]\n"
	"\n"
	"cache:\n"
	"  l1d.replacement                                   \n"
	"       [Counts the number of cache lines replaced in L1\n"
	"        data cache]\n"
	"        cpu/event=0x51,period=0x186a3,umask=0x1/ \n"
	"  l2_request.all                                    \n"
	"       [All accesses to L2 cache[This event is alias to L2_RQSTS.REFERENCES]]\n"
	"        cpu/event=0x24,period=0x30d43,umask=0xff/ \n"
	"  old.event                                         \n"
	"       [This event is deprecated. Refer to new event NEW]\n"
	"        cpu/event=0x48/ \n"
	"uncore other:\n"
	"  unc_cha_clockticks                                \n"
	"       [Clockticks. Unit: uncore_cha]\n"
	"        uncore_cha_0/event=0x1/ \n"
	"  sched:sched_switch                                 [Tracepoint event]\n"
	"\n"
	"Metric Groups:\n"
	"\n"
	"Backend:\n"
	"  ILP\n"
	"       [Instruction-Level-Parallelism]\n"
	"       [UOPS / CYCLES [GHz]]\n"
	"Cor:\n"
	"  ILP\n"
	"       [Instruction-Level-Parallelism]\n"
	"       [UOPS / CYCLES [GHz]]\n"
	"\n"
	"Metrics:\n"
	"\n"
	"  IPC\n"
	"       [Instructions per cycle]\n"
	"       [INST / CYCLES]\n";

static void
check_row(const struct event_table *table, const char *name, const char *pmu, const char *code, const char *text)
{
	const struct event_row *row = event_table_find(table, name, NULL);

	test_label("%s", name);
	if (!CHECK(row))
		return;
	CHECK_STR(row->pmu, pmu);
	CHECK_STR(row->code, code);
	CHECK_STR(row->text, text);
}

static void
details_are_read(void)
{
	struct event_table table = {0};
	const struct event_metric *metric;
	struct err e = {0};

	CHECK(perf_list_read(details, sizeof details - 1, &table, &e));
	CHECK_INT(table.n, 4);
	check_row(&table, "L1D.Replacement", "cpu", "event=0x51,umask=0x1",
		"Counts the number of cache lines replaced in L1 data cache");
	check_row(&table, "l2_request.all", "cpu", "event=0x24,umask=0xff",
		"All accesses to L2 cache[This event is alias to L2_RQSTS.REFERENCES]");
	check_row(&table, "unc_cha_clockticks", "uncore_cha", "event=0x1", "Clockticks.");
	CHECK(event_table_find(&table, "old.event", "cpu")->deprecated);
	CHECK(event_table_find(&table, "unc_cha_clockticks", "uncore_cha_17"));
	CHECK(!event_table_find(&table, "unc_cha_clockticks", "uncore_imc_0"));
	CHECK_INT(table.n_metrics, 2);
	metric = event_table_find_metric(&table, "ilp");
	if (CHECK(metric)) {
		CHECK_STR(metric->groups, "Backend;Cor");
		CHECK_STR(metric->expr, "UOPS / CYCLES [GHz]");
		CHECK_STR(metric->text, "Instruction-Level-Parallelism");
	}
	event_table_free(&table);
}

/* In the form of tools/perf/builtin-list.c of Linux 6.6, with the flaws that programs write. */
static const char json[] =
	"[\n{\n\t\"Unit\": \"cpu\",\n\t\"Topic\": \"memory\",\n\t\"EventName\": \"ocr.read\",\n"
	"\t\"ScaleUnit\": \"64Bytes\",\n\t\"Deprecated\": \"1\",\n\t\"BriefDescription\": \"Reads\",\n"
	"\t\"PublicDescription\": \"(null)\",\n"
	"\t\"Encoding\": \"cpu/event=0x2a,period=0x186a3,umask=0x1,offcore_rsp=0x3f803c0001/\",\n},\n"
	"{\n\t\"EventName\": \"cycles\",\n\t\"EventType\": \"Hardware event\"\n},\n"
	"{\n\t\"MetricName\": \"tma_x\",\n\t\"MetricGroup\": \"A;B\",\n\t\"MetricExpr\": \"a / b\",\n"
	"\t\"MetricThreshold\": \"tma_x > 0.1\",\n\t\"ScaleUnit\": \"100%\",\n\t\"BriefDescription\": "
	"\"line\ntwo\"\n},\n]\n";

static void
json_is_read(void)
{
	struct event_table table = {0};
	const struct event_metric *metric;
	const struct event_row *row;
	struct err e = {0};

	if (!CHECK(perf_list_read(json, sizeof json - 1, &table, &e)))
		fprintf(stderr, "%s\n", e.what);
	CHECK_INT(table.n, 1);
	check_row(&table, "OCR.READ", "cpu", "event=0x2a,umask=0x1,offcore_rsp=0x3f803c0001", "Reads");
	row = event_table_find(&table, "ocr.read", "");
	if (row) {
		CHECK(row->deprecated);
		CHECK_STR(row->unit, "Bytes");
		CHECK_NEAR(row->scale, 64, 0);
	}
	metric = event_table_find_metric(&table, "TMA_X");
	if (CHECK(metric)) {
		CHECK_STR(metric->threshold, "tma_x > 0.1");
		CHECK_STR(metric->unit, "%");
		CHECK_NEAR(metric->scale, 100, 0);
		CHECK_STR(metric->text, "line\ntwo");
	}
	event_table_free(&table);
}

/* Text cut anywhere and with a byte changed is read or refused with a sentence. */
static void
damage_is_survived(void)
{
	static const char *const text[] = {details, json};

	for (unsigned k = 0; k < 2; k++) {
		size_t n = strlen(text[k]);

		for (size_t i = 0; i < n; i += 3) {
			struct event_table table = {0};
			char *copy = strdup(text[k]);
			struct err e = {0};

			CHECK(perf_list_read(text[k], i, &table, &e) || *e.what);
			event_table_free(&table);
			copy[i] = (char)(i * 37);
			e = (struct err){0};
			CHECK(perf_list_read(copy, n, &table, &e) || *e.what);
			event_table_free(&table);
			free(copy);
		}
	}
}

/* A perf that the test makes and a vendor's file give an event two codes; another event has one. */
static void
two_codes_are_refused(void)
{
	static const char perf[] = "#!/bin/sh\n[ \"$2\" = --json ] && echo '[{\"Unit\":\"cpu\",\"EventName\":\"a.two\","
		"\"Encoding\":\"cpu/event=0xf9,umask=0x60/\"},{\"Unit\":\"cpu\",\"EventName\":\"a.fixed\","
		"\"Encoding\":\"cpu/event=0xc0/\"}]'\n";
	static const char vendor[] = "{\"Events\":[{\"EventCode\":\"0xF9\",\"UMask\":\"0x61\",\"EventName\":\"A.TWO\"},"
		"{\"EventCode\":\"0x00\",\"UMask\":\"0x01\",\"EventName\":\"A.FIXED\"},"
		"{\"EventCode\":\"0xF1\",\"UMask\":\"0x1\",\"EventName\":\"A.ONE\"}]}";
	static const struct { const char *path, *text; } file[] = {{"perf", perf}, {"vendor.json", vendor}};
	const char *tests = getenv("HECATE_TESTS"),
		   *name[] = {"PATH", "HECATE_EVENTS", "XDG_CACHE_HOME", "HECATE_SYSFS", "HECATE_CPUID"};
	char folder[] = "/tmp/hecate-tables-XXXXXX", *path = str_format("%s", getenv("PATH"));
	struct source_status why = {0};
	struct perf_world world;
	struct event_code code;

	CHECK(mkdtemp(folder));
	for (size_t i = 0; i < 2; i++) {
		char *made = str_format("%s/%s", folder, file[i].path);
		FILE *f = fopen(made, "w");

		if (CHECK(f)) {
			fputs(file[i].text, f);
			fclose(f);
		}
		CHECK(chmod(made, 0700) == 0);
		free(made);
	}
	for (size_t i = 0; i < 5; i++) {
		char *value = i == 0 ? str_format("%s:%s", folder, path) : i == 3 ? str_format("%s/data/sysfs", tests)
			: str_format("%s", i == 4 ? "GenuineIntel-6-8F-4" : folder);

		setenv(name[i], value, 1);
		free(value);
	}
	perf_world_probe(&world);
	CHECK(!event_by_name("a.two", &world, &code, &why));
	CHECK_STR(why.why,
		"a.two: perf encodes it as event=0xf9,umask=0x60, HECATE_EVENTS as event=0xf9,umask=0x61; hecate "
		"does not guess");
	CHECK(strstr(why.remedy, "cpu/event=0xf9,umask=0x61/"));
	CHECK(event_by_name("a.one:u", &world, &code, &why));
	CHECK_INT(code.config, 0x1f1);
	CHECK(event_by_name("A.fixed", &world, &code, &why)); /* the vendor's code is made up */
	CHECK_INT(code.config, 0xc0);
	for (size_t i = 1; i < 5; i++)
		unsetenv(name[i]);
	setenv("PATH", path, 1);
	free(path);
	for (size_t i = 0; i < 3; i++) {
		static const char *const made[] = {"perf", "vendor.json", "hecate/events-GenuineIntel-6-8F-4"};
		char *one = str_format("%s/%s", folder, made[i]);

		unlink(one);
		free(one);
	}
	path = str_format("%s/hecate", folder);
	rmdir(path);
	rmdir(folder);
	free(path);
}

/* What is packed is read again; cut or changed anywhere it is refused or read, never more. */
static void
tables_are_packed(void)
{
	struct event_table table = {0}, again = {0};
	struct str packed = {0};

	CHECK(perf_list_read(details, sizeof details - 1, &table, NULL));
	event_table_pack(&table, &packed);
	for (size_t i = 0; i <= packed.n; i++) {
		char *bytes = mem_new(packed.n + 1);

		memcpy(bytes, packed.s, i);
		again = (struct event_table){0};
		if (!CHECK(event_table_unpack(bytes, i, &again) == (i == packed.n)) || i < packed.n)
			free(bytes);
		if (i < packed.n)
			event_table_free(&again);
	}
	CHECK_INT(again.n, table.n);
	for (size_t i = 0; i < again.n; i++) {
		CHECK_STR(again.row[i].name, table.row[i].name);
		CHECK_STR(again.row[i].code, table.row[i].code);
		CHECK_NEAR(again.row[i].scale, table.row[i].scale, 0);
	}
	CHECK_STR(again.metric[0].expr, table.metric[0].expr);
	event_table_free(&again);
	event_table_free(&table);
	str_free(&packed);
}

/* Ranges of bits, split ones, all 64, and texts that are none. */
static void
formats_place_bits(void)
{
	static const struct { const char *text; uint64_t value, field[FORMAT_FIELDS]; bool read, fits;
	} row[] = {
		{"config:0-7", 0xc0, {0xc0}, true, true},
		{"config:0-7", 0x1c0, {0}, true, false},
		{"config:8-15,32-63", 0xc817fe01, {0x00c817fe00000100}, true, true},
		{"config1:0-63", UINT64_MAX, {0, UINT64_MAX}, true, true},
		{"config2:63", 1, {0, 0, UINT64_C(1) << 63}, true, true},
		{"config:0-3,0-3", 0x21, {0x2}, true, true}, /* overlapping: the later bits hold */
		{"config:0-64", 0, {0}, false, false},
		{"config:0-63,0", 0, {0}, false, false},
		{"config:7-0", 0, {0}, false, false},
		{"config:", 0, {0}, false, false},
		{"config", 0, {0}, false, false},
		{"config9:0", 0, {0}, false, false},
		{"config:1,", 0, {0}, false, false},
		{"config:-1", 0, {0}, false, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		uint64_t field[FORMAT_FIELDS] = {0};
		struct format format;

		test_label("%s", row[i].text);
		if (!CHECK(format_read(row[i].text, &format) == row[i].read) || !row[i].read)
			continue;
		CHECK(format_place(&format, row[i].value, field) == row[i].fits);
		for (size_t k = 0; k < FORMAT_FIELDS; k++)
			CHECK_INT(field[k], row[i].field[k]);
	}
}

/* Programs that hang, print without end, or are not there. */
static void
programs_are_bounded(void)
{
	static const struct { const char *argv[4]; bool missing; const char *what; } row[] = {
		{{"sleep", "100"}, false, "took longer than"},
		{{"yes"}, false, "printed more than"},
		{{"no-such-program-of-hecate"}, true, "no such program in PATH"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct capture capture = {.argv = row[i].argv, .limit_ms = 1000, .most = 1 << 20};
		struct str out = {0};
		struct err e = {0};
		bool missing;
		int status;

		test_label("%s", row[i].argv[0]);
		CHECK(!capture_run(&capture, &out, &status, &missing, &e));
		CHECK_INT(missing, row[i].missing);
		CHECK(strstr(e.what, row[i].what));
		str_free(&out);
	}
}

TEST_MAIN(CASE(two_codes_are_refused), CASE(tables_are_packed), CASE(formats_place_bits), CASE(programs_are_bounded),
	CASE(details_are_read), CASE(json_is_read), CASE(damage_is_survived))
