/* Metrics of a copy of intel/perfmon. Its files have two forms:
 *
 *     [{"MetricName": …, "MetricExpr": …, "ScaleUnit": "100%"}]         perf's own, metrics/perf/
 *     {"Metrics": [{"MetricName": "CPI", "Formula": "a / b",             metrics/ (perfmon, README)
 *       "Events": [{"Name": "CPU_CLK_UNHALTED.THREAD", "Alias": "a"}, …],
 *       "Constants": [{"Name": "SYSTEM_TSC_FREQ", "Alias": "c"}],
 *       "Threshold": {"Formula": "a > 20", "ThresholdMetrics": [{"Alias": "a", "Value": "metric_CPI"}]}}]}
 *
 * The second is rewritten in perf's language: each alias becomes its event, constant or metric. What perf's language
 * has no word for stays as it is written, and so the metric is listed as not understood. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/events/folder.h"
#include "collect/events/perf_json.h"
#include "event/table.h"

/* Appends "NAME:c1:e1" of perfmon as "cpu@NAME\,cmask\=1\,edge\=1@"; a name without such as it is. */
static void
add_perfmon_event(const char *name, const char *pmu, struct str *out)
{
	static const struct { const char *letters, *term; } term[] = {
		{"c", "cmask"}, {"e", "edge"}, {"i", "inv"}, {"u", "umask"}, {"eq", "eq"}};
	static const struct { const char *word, *side; } sides[] = {
		{"SUP", "k"}, {"USER", "u"}, {"retire_latency", "R"},
		{"perf_metrics", ""}}; /* how the counter is read, not what it counts */
	char **part = str_split(name, ':', NULL);
	struct str terms = {0};
	const char *side = "";
	bool known = true;

	for (size_t i = 1; part[0] && part[i]; i++) {
		size_t n = strspn(part[i], "abcdefghijklmnopqrstuvwxyz"), k = 0;
		bool number = isdigit((unsigned char)part[i][n]) &&
			strspn(part[i] + n, "0123456789abcdefABCDEFx") == strlen(part[i] + n);

		while (k < sizeof term / sizeof *term &&
			(strlen(term[k].letters) != n || strncmp(term[k].letters, part[i], n) != 0))
			k++;
		if (number && k < sizeof term / sizeof *term)
			str_addf(&terms, "\\,%s\\=%s", term[k].term, part[i] + n);
		else {
			for (k = 0; k < sizeof sides / sizeof *sides && !str_eq(part[i], sides[k].word); k++)
				;
			known = known && k < sizeof sides / sizeof *sides;
			side = known && *sides[k].side ? sides[k].side : side;
		}
	}
	if (!known || !part[0])
		str_add(out, name);
	else if (terms.n)
		str_addf(out, "%s@%s%s@%s", pmu, part[0], str_text(&terms), side);
	else
		str_addf(out, *side ? "%s:%s" : "%s%s", part[0], side);
	str_free(&terms);
	str_split_free(part);
}

/* Appends a constant of perfmon in perf's words; else a number or whatever it is, as it is. */
static void
add_constant(const char *name, struct str *out)
{
	static const struct { const char *name, *expr; } known[] = {
		{"SYSTEM_TSC_FREQ", "#system_tsc_freq"},
		{"HYPERTHREADING_ON", "#smt_on"},
		{"THREADS_PER_CORE", "(#num_cpus / #num_cores)"},
		{"CORES_PER_SOCKET", "(#num_cores / #num_packages)"},
		{"SOCKET_COUNT", "#num_packages"},
		{"CHAS_PER_SOCKET", "source_count(UNC_CHA_CLOCKTICKS)"},
		{"DURATIONTIMEINMILLISECONDS", "(duration_time * 1000)"},
		{"DURATIONTIMEINSECONDS", "duration_time"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcasecmp(known[i].name, name) == 0) {
			str_add(out, known[i].expr);
			return;
		}
	str_add(out, name);
}

/* The member of a list whose "Alias" is a word; NULL: none. */
static const struct json *
find_alias(const struct json *list, const char *word)
{
	for (const struct json *member = list ? list->first : NULL; member; member = member->next)
		if (strcasecmp(perf_json_text(member, "Alias"), word) == 0)
			return member;
	return NULL;
}

/* What words of a formula stand for. */
struct aliases {
	const struct json *events, *constants, *metrics, *all; /* all: the file's metrics, by their "LegacyName" */
	const char *pmu;
};

static void
rewrite_word(const struct aliases *aliases, const char *word, struct str *out)
{
	const struct json *event = find_alias(aliases->events, word), *constant = find_alias(aliases->constants, word),
			  *metric = find_alias(aliases->metrics, word);

	if (event)
		add_perfmon_event(perf_json_text(event, "Name"), aliases->pmu, out);
	else if (constant)
		add_constant(perf_json_text(constant, "Name"), out);
	else if (metric) {
		const struct json *of = aliases->all ? aliases->all->first : NULL;

		while (of && !str_eq(perf_json_text(of, "LegacyName"), perf_json_text(metric, "Value")))
			of = of->next;
		str_add(out, of ? perf_json_text(of, "MetricName") : perf_json_text(metric, "Value"));
	} else
		add_constant(word, out);
}

static void
rewrite_formula(const struct aliases *aliases, const char *formula, struct str *out)
{
	static const char of_words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

	while (*formula) {
		size_t n = strspn(formula, of_words);
		char *word = mem_strn(formula, n ? n : 1);

		if (n && !isdigit((unsigned char)*word))
			rewrite_word(aliases, word, out);
		else
			str_add(out, word);
		formula += n ? n : 1;
		free(word);
	}
}

void
folder_add_metrics(const struct json *list, const char *pmu, struct event_table *table)
{
	for (const struct json *object = list->first; object; object = object->next) {
		const struct json *threshold = json_get(object, "Threshold");
		struct aliases aliases = {.events = json_get(object, "Events"),
			.constants = json_get(object, "Constants"), .all = list, .pmu = *pmu ? pmu : "cpu"};
		const char *unit = perf_json_text(object, "UnitOfMeasure"),
			   *groups = perf_json_text(object, "MetricGroup");
		struct str expr = {0}, limit = {0};

		rewrite_formula(&aliases, perf_json_text(object, "Formula"), &expr);
		/* the letters of a threshold are others */
		aliases.events = aliases.constants = NULL;
		aliases.metrics = threshold && threshold->kind == JSON_OBJECT ? json_get(threshold, "ThresholdMetrics")
									       : NULL;
		if (aliases.metrics)
			rewrite_formula(&aliases, perf_json_text(threshold, "Formula"), &limit);
		if (*perf_json_text(object, "MetricName"))
			event_table_add_metric(table, &(struct event_metric){
				.name = perf_json_text(object, "MetricName"),
				.groups = *groups ? groups : perf_json_text(object, "Category"),
				.expr = str_text(&expr), .threshold = str_text(&limit),
				.unit = str_eq(unit, "percent") ? "%" : unit,
				.text = perf_json_text(object, "BriefDescription"), .pmu = pmu,
				.source = EVENT_FROM_FOLDER});
		str_free(&expr);
		str_free(&limit);
	}
}
