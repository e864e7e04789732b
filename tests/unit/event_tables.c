/* Tables of events: what perf prints in each of its formats, damaged text, finding by name. */
#include "event/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/events/perf_list.h"
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
static const char json[] = "[\n{\n\t\"Unit\": \"cpu\",\n\t\"Topic\": \"memory\",\n\t\"EventName\": \"ocr.read\",\n"
	"\t\"ScaleUnit\": \"64Bytes\",\n\t\"Deprecated\": \"1\",\n\t\"BriefDescription\": \"Reads\",\n"
	"\t\"PublicDescription\": \"(null)\",\n"
	"\t\"Encoding\": \"cpu/event=0x2a,period=0x186a3,umask=0x1,offcore_rsp=0x3f803c0001/\",\n},\n"
	"{\n\t\"EventName\": \"cycles\",\n\t\"EventType\": \"Hardware event\"\n},\n"
	"{\n\t\"MetricName\": \"tma_x\",\n\t\"MetricGroup\": \"A;B\",\n\t\"MetricExpr\": \"a / b\",\n"
	"\t\"MetricThreshold\": \"tma_x > 0.1\",\n\t\"ScaleUnit\": \"100%\",\n\t\"BriefDescription\": \"line\ntwo\"\n},\n]\n";

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

TEST_MAIN(CASE(details_are_read), CASE(json_is_read), CASE(damage_is_survived))
