#include "cli/metric_args.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_metrics.h"
#include "core/metric/metric.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "text/diag.h"
#include "work/files/laws_files.h"
#include "work/files/texts.h"
#include "work/machine.h"
#include "work/metrics/metric_data.h"
#include "work/metrics/metric_laws.h"
#include "work/run/counter_list.h"

/* Pieces of a box where a metric is not monotone; a few are fast enough for thousands of metrics. */
#define PIECES 32

bool
metric_args_load(const struct options *options, const char *cpu, struct metric_args *args)
{
	char **name = str_split(options->metrics ? options->metrics : "", ',', NULL);
	struct err e = {0}, lacks = {0};
	struct diags diags = {0};
	bool good;

	*args = (struct metric_args){.options = options};
	good = machine_events(cpu, &args->table, &e);
	if (good && *e.what && !options->quiet)
		log_line(NULL, "%s", e.what);
	args->metrics = table_metrics_new(&args->table);
	args->files = laws_files_load(NULL, &args->n_files, &diags, &lacks);
	diags_free(&diags);
	args->laws = metric_laws_new(args->metrics, args->files, args->n_files);
	args->chosen = mem_new_array(args->metrics->n + 1, sizeof *args->chosen);
	for (size_t i = 0; name[i] && good; i++)
		if (*name[i])
			good = table_metrics_pick(args->metrics, name[i], args->chosen, &e);
	str_split_free(name);
	return good || print_failed(&e);
}

void
metric_args_free(struct metric_args *args)
{
	free(args->chosen);
	metric_laws_free(args->laws);
	laws_files_free(args->files, args->n_files);
	table_metrics_free(args->metrics);
	event_table_free(&args->table);
	stack_free(args->stack);
	text_free(&args->text);
	*args = (struct metric_args){0};
}

bool
metric_args_make_stack(struct metric_args *args)
{
	struct str text = {0};
	struct diags d = {0};
	struct err e = {0};

	if (!metric_stack_text(args->metrics, args->chosen, true, &text, &e))
		return print_failed(&e);
	args->text = (struct text){mem_str("metrics"), NULL, text.n};
	args->text.text = str_take(&text);
	args->stack = text_stack(&args->text, &d);
	print_diagnostics(args->options, &d);
	diags_free(&d);
	return args->stack != NULL;
}

struct counter_list *
metric_args_counters(const struct metric_args *args, struct counter_list *list)
{
	struct stack *stack = args->stack;
	char *path = args->text.path;

	if (!list)
		list = counter_list_of_stacks(NULL, NULL, 0, NULL);
	counter_list_join(
		list, counter_list_of_stacks(&stack, &path, 1, NULL)); /* a single stack is always consistent */
	return list;
}

static void
print_observation(const struct metric_report *report, const struct obs_table *table, size_t observation,
	const struct columns_match *match, const struct metric_constants *constants, struct str *text,
	struct json_writer *json)
{
	const struct metric_set *set = report->metrics->set;
	struct metric_value *leaf = metric_values(
		set, match, table, observation, constants, report->options->confidence);
	struct metric_result *result = mem_new_array(set->n + 1, sizeof *result);
	bool *wanted = mem_new_array(set->n + 1, sizeof *wanted);
	struct metric_judgement *judgement;
	const struct metric_observation x = {table->obs[observation]->name, leaf, result};

	for (size_t i = 0; i < report->metrics->n; i++) {
		wanted[i] = report->chosen[i];
		if (report->chosen[i] && report->metrics->threshold[i] != METRIC_NONE)
			wanted[report->metrics->threshold[i]] = true;
	}
	metric_compute_all(set, wanted, leaf, PIECES, result);
	judgement = metric_laws_judge(report->laws, report->chosen, table, observation, constants,
		report->options->confidence);
	if (json)
		print_metrics_json_values(report, &x, judgement, json);
	else
		print_metrics_values(report, &x, judgement, text);
	metric_judgement_free(judgement);
	free(leaf);
	free(result);
	free(wanted);
}

void
metric_args_print(const struct metric_args *args, const struct obs_table *table, bool here, struct str *text,
	struct json_writer *json)
{
	const struct options *options = args->options;
	const struct metric_report report = {options, &args->table, args->metrics, args->chosen, args->laws};
	const struct metric_constants constants = {.stated = (const char *const *)options->defines.item,
		.n_stated = options->defines.n,
		.here = here,
		.cpu = args->table.cpu,
		.events = &args->table};
	struct columns_match *match = metric_columns(args->metrics->set, table);

	for (size_t i = 0; i < match->n_remarks && options->verbose; i++)
		log_line(NULL, "%s", match->remark[i]);
	for (size_t i = 0; i < table->n; i++)
		if (!options->observations || fnmatch(options->observations, table->obs[i]->name, 0) == 0)
			print_observation(&report, table, i, match, &constants, text, json);
	columns_match_free(match);
}
