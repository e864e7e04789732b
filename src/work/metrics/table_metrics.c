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

struct table_metrics *
table_metrics_new(const struct event_table *table)
{
	struct table_metrics *metrics = mem_new(sizeof *metrics);
	struct metric_text *text = mem_new_array(2 * table->n_metrics + 1, sizeof *text);
	size_t n = 0, n_text = 0;

	metrics->row = mem_new_array(table->n_metrics + 1, sizeof *metrics->row);
	metrics->threshold = mem_new_array(table->n_metrics + 1, sizeof *metrics->threshold);
	metrics->text = mem_new_array(table->n_metrics + 1, sizeof *metrics->text);
	for (size_t i = 0; i < table->n_metrics; i++)
		if (n == 0 || strcasecmp(table->metric[i].name, metrics->row[n - 1]->name) != 0) {
			metrics->row[n] = &table->metric[i];
			text[n++] = (struct metric_text){table->metric[i].name, table->metric[i].expr};
		}
	metrics->n = n;
	for (size_t i = 0; i < metrics->n; i++) {
		metrics->threshold[i] = METRIC_NONE;
		if (!*metrics->row[i]->threshold)
			continue;
		/* no name of a metric has a '>' */
		metrics->text[n_text] = str_format("%s>", metrics->row[i]->name);
		metrics->threshold[i] = n;
		text[n++] = (struct metric_text){metrics->text[n_text++], metrics->row[i]->threshold};
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

/* Whether a list "A;B" has this word. */
static bool
has_group(const char *groups, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = groups; *p; p += strcspn(p, ";"), p += *p == ';')
		if (strcspn(p, ";") == n && strncasecmp(p, name, n) == 0)
			return true;
	return false;
}

bool
table_metrics_pick(const struct table_metrics *metrics, const char *name, bool *picked, struct err *e)
{
	size_t at = metric_set_find(metrics->set, name);
	bool found = at < metrics->n;
	const char **names;
	char *hint;

	if (found)
		picked[at] = true;
	for (size_t i = 0; i < metrics->n && at >= metrics->n; i++)
		if (has_group(metrics->row[i]->groups, name)) {
			picked[i] = true;
			found = true;
		}
	if (found)
		return true;
	names = mem_new_array(metrics->n + 1, sizeof *names);
	for (size_t i = 0; i < metrics->n; i++)
		names[i] = metrics->row[i]->name;
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
