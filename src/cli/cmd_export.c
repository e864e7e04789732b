/* hecate export: the samples of a session file, as CSV or JSON, or as figures for time-series databases. */
#include "cli/commands.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/export_follow.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "work/files/metric_text.h"
#include "work/files/recording.h"
#include "work/timeline/exported_metrics.h"

/* Warns of what the CSV cannot hold and its reader must state. */
static void
say_exact(const struct options *o, const struct obs_table *t)
{
	size_t exact = 0;

	for (size_t i = 0; i < t->n; i++)
		exact += t->obs[i]->exact;
	if (exact && !o->quiet)
		log_line(NULL, "%zu of %zu observations are exact totals: use --exact when the CSV is read", exact,
			t->n);
}

static bool
cmd_export_drain(void *ctx, struct str *text, struct err *e)
{
	return writing_sink_drain(ctx, text, e);
}

static bool
write_recorded(const struct options *options, const struct recorded *recorded, struct err *e)
{
	const struct obs_table *table = recorded_table(recorded);
	struct writing_sink sink;
	const struct recording_drain d = {cmd_export_drain, &sink};
	struct str out = {0};
	bool good;

	writing_sink_begin(&sink, options);
	good = options->json ? recorded_json(recorded, options->arg[0], &d, &out, e)
			     : recording_csv(table, &d, &out, e);
	if (good && !options->json)
		say_exact(options, table);
	good = writing_sink_end(&sink, &out, good, e) && good;
	if (!good)
		print_failure(e);
	str_free(&out);
	return good;
}

/* The formats for time-series databases. */
struct metrics_out {
	struct writing_sink *sink;
	struct str *out;
	struct metric_families *families; /* NULL: line protocol */
};

static bool
take_point(void *ctx, const struct metric_point *point, struct err *e)
{
	struct metrics_out *to = ctx;

	if (to->families) {
		metric_families_add(to->families, point);
		return true;
	}
	metric_line_protocol(point, to->out);
	return to->out->n < RECORDING_DRAIN || writing_sink_drain(to->sink, to->out, e);
}

static bool
write_metrics(const struct options *options, const struct recorded *recorded, struct err *e)
{
	const struct export_options *own = options->own;
	struct metric_families families = {0};
	struct writing_sink sink;
	struct str out = {0};
	struct metrics_out to = {&sink, &out, own->prometheus ? &families : NULL};
	const struct exported_metrics_to how = {.take = take_point, .ctx = &to, .each_row = own->line_protocol};
	size_t undated;
	bool good;

	writing_sink_begin(&sink, options);
	good = exported_metrics(options->arg[0], recorded_table(recorded), &how, &undated, e);
	metric_families_write(&families, &out);
	if (good && undated && own->line_protocol && !options->quiet)
		log_line(NULL, "no time of day is known for %zu of %zu observations: their times count from 1970",
			undated, recorded_table(recorded)->n);
	good = writing_sink_end(&sink, &out, good, e) && good;
	if (!good)
		print_failure(e);
	str_free(&out);
	return good;
}

int
cmd_export(const struct options *options)
{
	const struct export_options *own = options->own;
	struct recorded *recorded;
	struct err e = {0};
	bool good;

	if (options->n_args == 0) {
		err_set(&e, "export needs a session file");
		err_hint(&e, "hecate record -o FILE and hecate import -o FILE make one");
		return print_failure(&e);
	}
	if (options->csv + options->json + own->line_protocol + own->prometheus > 1) {
		err_set(&e, "--csv, --json, --line-protocol and --prometheus exclude each other");
		err_hint(&e, "choose one of them");
		return print_failure(&e);
	}
	if (own->follow)
		return export_follow(options);
	recorded = recorded_open(options->arg[0], &e);
	if (!recorded)
		return print_failure(&e);
	good = own->line_protocol || own->prometheus ? write_metrics(options, recorded, &e)
						     : write_recorded(options, recorded, &e);
	recorded_free(recorded);
	return good ? 0 : 2;
}
