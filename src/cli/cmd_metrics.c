/* hecate metrics: what the metrics of a machine are made of, and their values, with bounds, in data. */
#include "cli/commands.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_metrics.h"
#include "cli/reading.h"
#include "cli/writing.h"
#include "core/metric/metric.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "event/table.h"
#include "work/files/simulation_text.h"
#include "work/machine.h"
#include "work/metrics/metric_data.h"

/* Pieces of a box where a metric is not monotone; a few are fast enough for thousands of metrics. */
#define PIECES 32

struct job_of_metrics {
	const struct options *options;
	struct event_table table;
	struct table_metrics *metrics;
	bool *chosen;
};

static bool
cmd_metrics_is_data(const char *arg)
{
	return simulation_is(arg) || str_eq(arg, "-") || access(arg, F_OK) == 0;
}

/* Chooses what -M and the patterns name; all if there are none. */
static bool
choose(struct job_of_metrics *job, struct err *e)
{
	const struct options *options = job->options;
	char **name = str_split(options->metrics ? options->metrics : "", ',', NULL);
	bool good = true, patterns = false, any = false;

	for (size_t i = 0; name[i] && good; i++)
		if (*name[i])
			good = table_metrics_pick(job->metrics, name[i], job->chosen, e);
	str_split_free(name);
	for (size_t k = 0; k < options->n_args && good; k++)
		if (!cmd_metrics_is_data(options->arg[k])) {
			patterns = true;
			for (size_t i = 0; i < job->metrics->n; i++)
				job->chosen[i] |= table_metrics_fits(job->metrics->row[i], options->arg[k]);
		}
	for (size_t i = 0; i < job->metrics->n; i++)
		any |= job->chosen[i] = job->chosen[i] || (!patterns && !options->metrics);
	if (good && !any) {
		err_set(e, "no metric fits %s", patterns ? "the pattern" : "this machine: its sources have none");
		err_hint(e,
			patterns ? "hecate metrics lists all"
				 : "--cpu names another processor, for instance GenuineIntel-6-8F-4");
		return false;
	}
	return good;
}

static void
report_observation(const struct metric_report *report, const struct obs_table *table, size_t observation,
	const struct columns_match *match, const struct metric_constants *constants, struct writing *out)
{
	const struct metric_set *set = report->metrics->set;
	struct metric_value *leaf = metric_values(
		set, match, table, observation, constants, report->options->confidence);
	struct metric_result *result = mem_new_array(set->n + 1, sizeof *result);
	const struct metric_observation x = {table->obs[observation]->name, leaf, result};

	metric_compute_all(set, leaf, PIECES, result);
	if (report->options->json)
		print_metrics_json_values(report, &x, &out->json);
	else
		print_metrics_values(report, &x, &out->text);
	writing_drain(out);
	free(leaf);
	free(result);
}

static bool
report_data(const struct metric_report *report, const char *path, const struct metric_constants *constants,
	struct writing *out)
{
	struct obs_table *table = reading_table(report->options, path);
	struct columns_match *match;

	if (!table)
		return false;
	match = metric_columns(report->metrics->set, table);
	for (size_t i = 0; i < match->n_remarks && report->options->verbose; i++)
		log_line(NULL, "%s", match->remark[i]);
	for (size_t i = 0; i < table->n; i++)
		if (!report->options->observations ||
			fnmatch(report->options->observations, table->obs[i]->name, 0) == 0)
			report_observation(report, table, i, match, constants, out);
	columns_match_free(match);
	obs_table_free(table);
	return true;
}

static bool
report_all(struct job_of_metrics *job)
{
	const struct options *options = job->options;
	const struct metric_report report = {options, &job->table, job->metrics, job->chosen};
	const struct metric_constants constants = {.stated = (const char *const *)options->defines.item,
		.n_stated = options->defines.n,
		.cpu = job->table.cpu,
		.events = &job->table};
	struct writing out;
	struct err e = {0};
	bool good = true, data = false;

	if (!metric_constants_fit(job->metrics->set, &constants, &e))
		return print_failed(&e);
	writing_begin(&out, options);
	if (options->json)
		print_metrics_json_begin(&report, &out.json);
	for (size_t i = 0; i < options->n_args && good; i++)
		if (cmd_metrics_is_data(options->arg[i])) {
			data = true;
			good = report_data(&report, options->arg[i], &constants, &out);
		}
	if (options->json)
		print_metrics_json_end(&out.json);
	else if (!data)
		print_metrics_list(&report, &out.text);
	return writing_end(&out, good) && good;
}

int
cmd_metrics(const struct options *options)
{
	const struct metrics_options *own = options->own;
	struct job_of_metrics job = {.options = options};
	struct err e = {0};
	bool good = machine_events(own->cpu, &job.table, &e);

	if (good) {
		if (*e.what && !options->quiet)
			log_line(NULL, "%s", e.what);
		e = (struct err){0};
		job.metrics = table_metrics_new(&job.table);
		job.chosen = mem_new_array(job.metrics->n + 1, sizeof *job.chosen);
		good = choose(&job, &e);
	}
	if (good)
		good = report_all(&job);
	else
		print_failure(&e);
	free(job.chosen);
	table_metrics_free(job.metrics);
	event_table_free(&job.table);
	return good ? 0 : 2;
}
