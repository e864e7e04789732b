#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "event/table.h"
#include "work/metrics/metric_data.h"

/* Keeps a text as long as the metrics. */
static const char *
keep_text(struct table_metrics *metrics, size_t *n, char *text)
{
	metrics->text[(*n)++] = text;
	return text;
}

static bool
same_name(const struct event_metric *a, const struct event_metric *b)
{
	return strcasecmp(a->name, b->name) == 0;
}

/* Takes the metrics of a table, that of the first source for each name and PMU. */
static void
table_metrics_take(struct table_metrics *metrics, const struct event_table *table)
{
	for (size_t i = 0; i < table->n_metrics; i++) {
		const struct event_metric *last = metrics->n ? metrics->row[metrics->n - 1] : NULL;

		if (!last || !same_name(&table->metric[i], last) || !str_eq(table->metric[i].pmu, last->pmu))
			metrics->row[metrics->n++] = &table->metric[i];
	}
}

struct table_metrics *
table_metrics_new(const struct event_table *table)
{
	struct table_metrics *metrics = mem_new(sizeof *metrics);
	struct metric_text *text = mem_new_array(2 * table->n_metrics + 1, sizeof *text);
	size_t n, n_text = 0;

	metrics->row = mem_new_array(table->n_metrics + 1, sizeof *metrics->row);
	metrics->threshold = mem_new_array(table->n_metrics + 1, sizeof *metrics->threshold);
	metrics->text = mem_new_array(2 * table->n_metrics + 1, sizeof *metrics->text);
	table_metrics_take(metrics, table);
	for (n = 0; n < metrics->n; n++) {
		const struct event_metric *row = metrics->row[n];
		bool several = (n && same_name(row, metrics->row[n - 1])) ||
			(n + 1 < metrics->n && same_name(row, metrics->row[n + 1]));

		text[n] = (struct metric_text){row->name, row->expr, *row->pmu ? row->pmu : NULL};
		if (several && *row->pmu)
			text[n].name = keep_text(metrics, &n_text, str_format("%s/%s/", row->pmu, row->name));
	}
	for (size_t i = 0; i < metrics->n; i++) {
		metrics->threshold[i] = METRIC_NONE;
		if (!*metrics->row[i]->threshold)
			continue;
		/* no name of a metric has a '>' */
		metrics->threshold[i] = n;
		text[n++] = (struct metric_text){keep_text(metrics, &n_text, str_format("%s>", text[i].name)),
			metrics->row[i]->threshold, text[i].scope};
	}
	metrics->set = metric_set_new(text, n);
	free(text);
	return metrics;
}

void
table_metrics_free(struct table_metrics *metrics)
{
	if (!metrics)
		return;
	metric_set_free(metrics->set);
	for (size_t i = 0; metrics->text[i]; i++)
		free(metrics->text[i]);
	free(metrics->text);
	free(metrics->row);
	free(metrics->threshold);
	free(metrics);
}

bool
metric_in_group(const char *groups, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = groups; *p; p += strcspn(p, ";"), p += *p == ';')
		if (strcspn(p, ";") == n && strncasecmp(p, name, n) == 0)
			return true;
	return false;
}

/* Refuses a name that metrics of several PMUs have. */
static bool
refuse_several(const struct table_metrics *metrics, const char *name, struct err *e)
{
	struct str pmus = {0}, hint = {0};

	for (size_t i = 0; i < metrics->n; i++)
		if (strcasecmp(metrics->row[i]->name, name) == 0) {
			str_addf(&pmus, "%sof PMU %s", pmus.n ? " and " : "", metrics->row[i]->pmu);
			str_addf(&hint, "%s%s", hint.n ? " or " : "write ", metrics->set->metric[i].name);
		}
	err_set(e, "%s is a metric %s", name, str_text(&pmus));
	err_hint(e, "%s", str_text(&hint));
	str_free(&pmus);
	str_free(&hint);
	return false;
}

bool
table_metrics_pick(const struct table_metrics *metrics, const char *name, bool *picked, struct err *e)
{
	size_t at = metric_set_find(metrics->set, name);
	bool found = at < metrics->n;
	const char **names;
	char *hint;

	for (size_t i = 0; i < metrics->n && !found; i++)
		if (strcasecmp(metrics->row[i]->name, name) == 0) /* its own name has the PMU */
			return refuse_several(metrics, name, e);
	if (found)
		picked[at] = true;
	for (size_t i = 0; i < metrics->n && at >= metrics->n; i++)
		if (metric_in_group(metrics->row[i]->groups, name)) {
			picked[i] = true;
			found = true;
		}
	if (found)
		return true;
	names = mem_new_array(metrics->n + 1, sizeof *names);
	for (size_t i = 0; i < metrics->n; i++)
		names[i] = metrics->set->metric[i].name;
	hint = near_hint(name, names, metrics->n);
	err_set(e, "no metric and no group of metrics is called %s", name);
	err_hint(e, "%s", hint ? hint : "hecate metrics lists them");
	free(hint);
	free(names);
	return false;
}

bool
table_metrics_events(const struct table_metrics *metrics, const bool *picked, struct names *events, struct err *e)
{
	for (size_t i = 0; i < metrics->n; i++) {
		const struct metric *metric = &metrics->set->metric[i];

		if (picked[i] && metric->why) {
			err_set(e, "%s is not understood: %s", metric->name, metric->why);
			return err_hint(e, "hecate metrics %s shows its formula", metric->name);
		}
		for (size_t k = 0; picked[i] && k < metric->n_uses; k++) {
			const struct metric_leaf *leaf = &metrics->set->leaf[metric->use[k].leaf];

			if (leaf->kind == METRIC_EVENT)
				names_add(events, leaf->name, strlen(leaf->name));
		}
	}
	return true;
}

/* strcasestr() is no part of POSIX. */
static bool
contains(const char *text, const char *word, size_t n)
{
	for (; *text; text++)
		if (strncasecmp(text, word, n) == 0)
			return true;
	return n == 0;
}

bool
table_metrics_fits(const struct event_metric *metric, const char *pattern)
{
	for (const char *p = pattern + strspn(pattern, " "); *p;) {
		size_t n = strcspn(p, " ");

		if (!contains(metric->name, p, n) && !contains(metric->groups, p, n) && !contains(metric->text, p, n))
			return false;
		p += n;
		p += strspn(p, " ");
	}
	return true;
}
