/* hecate metrics: what the metrics of a processor are made of, and their values, with bounds, in data or of a command.
 * */
#include "cli/commands.h"

#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/metric_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_metrics.h"
#include "cli/reading.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "work/files/simulation_text.h"
#include "work/metrics/metric_data.h"
#include "work/run/counter_list.h"

static bool
cmd_metrics_is_data(const char *arg)
{
	return simulation_is(arg) || str_eq(arg, "-") || access(arg, F_OK) == 0;
}

/* Chooses what the patterns name, next to -M; all metrics if there is neither. */
static bool
choose(struct metric_args *args)
{
	const struct options *options = args->options;
	bool patterns = false, any = false;
	struct err e = {0};

	for (size_t k = 0; k < options->n_args; k++)
		if (!cmd_metrics_is_data(options->arg[k])) {
			patterns = true;
			for (size_t i = 0; i < args->metrics->n; i++)
				args->chosen[i] |= table_metrics_fits(args->metrics->row[i], options->arg[k]);
		}
	for (size_t i = 0; i < args->metrics->n; i++)
		any |= args->chosen[i] = args->chosen[i] || (!patterns && !options->metrics);
	if (any)
		return true;
	err_set(&e, patterns ? "no metric fits the pattern" : "no source has metrics of this processor");
	err_hint(&e,
		patterns ? "hecate metrics lists all"
			 : "--cpu names another processor, for instance GenuineIntel-6-8F-4");
	return print_failed(&e);
}

static struct counter_list *
cmd_metrics_make_counters(void *ctx, struct err *e)
{
	(void)e;
	return metric_args_counters(ctx, NULL);
}

/* Counts the command. False after a message. */
static bool
count_command(struct metric_args *args, struct counting *counting)
{
	struct err e = {0};

	if (!args->options->metrics) {
		err_set(&e, "metrics of a command need -M NAME");
		err_hint(&e, "hecate metrics lists the names");
		return print_failed(&e);
	}
	counting->how = (struct subject_runs_options){.counters = cmd_metrics_make_counters, .ctx = args};
	return metric_args_make_stack(args) && counting_run(counting, NULL, NULL);
}

static bool
cmd_metrics_report(struct metric_args *args, struct counting *counting)
{
	const struct options *options = args->options;
	const struct metric_report report = {options, &args->table, args->metrics, args->chosen, args->laws};
	struct obs_table *table;
	struct writing out;
	bool good = true, data = counting->wanted;

	if (counting->wanted && !count_command(args, counting))
		return false;
	writing_begin(&out, options);
	if (options->json)
		print_metrics_json_begin(&report, &out.json);
	for (size_t i = 0; i < options->n_args && good; i++) {
		if (!cmd_metrics_is_data(options->arg[i]))
			continue;
		data = true;
		table = reading_table(options, options->arg[i]);
		good = table != NULL;
		if (good)
			metric_args_print(args, table, false, &out.text, options->json ? &out.json : NULL);
		obs_table_free(table);
		writing_drain(&out);
	}
	if (counting->wanted && good)
		metric_args_print(args, counting_table(counting), true, &out.text, options->json ? &out.json : NULL);
	if (options->json)
		print_metrics_json_end(&out.json);
	else if (!data)
		print_metrics_list(&report, &out.text);
	return writing_end(&out, good) && good;
}

int
cmd_metrics(const struct options *options)
{
	const struct metric_constants stated = {
		.stated = (const char *const *)options->defines.item, .n_stated = options->defines.n};
	struct metric_args args = {0};
	struct counting counting;
	struct err e = {0};
	bool good = counting_begin(&counting, options) && metric_args_load(options, options->processor, &args) &&
		choose(&args);

	if (good && !metric_constants_fit(args.metrics->set, &stated, &e))
		good = print_failed(&e);
	good = good && cmd_metrics_report(&args, &counting);
	counting_end(&counting);
	metric_args_free(&args);
	signals_obey();
	return good ? 0 : 2;
}
