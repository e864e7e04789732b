#include "collect/events/perf_json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/events/perf_list.h"
#include "event/table.h"

struct json *
perf_json_parse(const char *text, size_t n, struct err *e)
{
	struct str clean = {0};
	bool inside = false;
	struct json *json;

	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		size_t next = i + 1;

		if (inside && c == '\\' && next < n) {
			str_addn(&clean, text + i++, 2);
			continue;
		}
		if (c == '"')
			inside = !inside;
		while (!inside && c == ',' && next < n && isspace((unsigned char)text[next]))
			next++;
		if (!inside && c == ',' && next < n && (text[next] == '}' || text[next] == ']'))
			continue;
		if (inside && (unsigned char)c < 0x20)
			str_addf(&clean, "\\u%04x", (unsigned char)c);
		else
			str_addc(&clean, c);
	}
	json = json_parse(str_text(&clean), clean.n, e);
	str_free(&clean);
	return json;
}

const char *
perf_json_text(const struct json *object, const char *key)
{
	const struct json *member = json_get(object, key);
	bool good = member && (member->kind == JSON_STRING || member->kind == JSON_NUMBER) && member->text;

	return good && !str_eq(member->text, "(null)") ? member->text : "";
}

/* Splits perf's ScaleUnit, "6.103515625e-5MiB" or "100%", into a factor and a unit. */
static const char *
perf_json_scale(const char *text, double *scale)
{
	size_t n = strspn(text, "0123456789.+-eE");
	char *number;

	*scale = 1;
	if (n && strchr("eE", text[n - 1])) /* "1Events" */
		n--;
	number = mem_strn(text, n);
	if (!n || !str_to_double(number, scale) || *scale == 0) {
		*scale = 1;
		n = 0;
	}
	free(number);
	return text + n;
}

static bool
is_yes(const char *text)
{
	return *text && !str_eq(text, "0") && !str_eq(text, "false");
}

static void
add_event(const struct json *object, struct event_table *table)
{
	const char *unit = perf_json_text(object, "Unit"), *text = perf_json_text(object, "PublicDescription");
	char *pmu = NULL, *code = NULL;
	struct event_row row = {.name = perf_json_text(object, "EventName"), .source = EVENT_FROM_PERF};

	/* What perf took from sysfs, and its own words, stand in no table of a vendor. */
	if (!*row.name || !perf_list_code(perf_json_text(object, "Encoding"), unit, &pmu, &code))
		return;
	if (!strstr(perf_json_text(object, "EventType"), "Kernel PMU event") || *perf_json_text(object, "Topic")) {
		row.text = *text ? text : perf_json_text(object, "BriefDescription");
		row.pmu = pmu;
		row.code = code;
		row.topic = perf_json_text(object, "Topic");
		row.unit = perf_json_scale(perf_json_text(object, "ScaleUnit"), &row.scale);
		row.deprecated = is_yes(perf_json_text(object, "Deprecated"));
		event_table_add(table, &row);
	}
	free(pmu);
	free(code);
}

void
perf_json_add_metric(const struct json *object, enum event_source source, struct event_table *table)
{
	const char *text = perf_json_text(object, "PublicDescription");
	struct event_metric metric = {.name = perf_json_text(object, "MetricName"), .source = source};

	metric.groups = perf_json_text(object, "MetricGroup");
	metric.expr = perf_json_text(object, "MetricExpr");
	metric.threshold = perf_json_text(object, "MetricThreshold");
	metric.text = *text ? text : perf_json_text(object, "BriefDescription");
	metric.pmu = perf_json_text(object, "Unit");
	metric.unit = perf_json_scale(perf_json_text(object, "ScaleUnit"), &metric.scale);
	event_table_add_metric(table, &metric);
}

bool
perf_json_read(const char *text, size_t n, struct event_table *table, struct err *e)
{
	struct json *json = perf_json_parse(text, n, e);
	bool good = json && json->kind == JSON_ARRAY;

	if (json && !good)
		err_set(e, "perf's list of events is no JSON array");
	for (const struct json *object = good ? json->first : NULL; object; object = object->next) {
		if (*perf_json_text(object, "MetricName"))
			perf_json_add_metric(object, EVENT_FROM_PERF, table);
		else
			add_event(object, table);
	}
	json_free(json);
	event_table_sort(table);
	return good;
}
