/* hecate export: the samples of a session file, as CSV or JSON. */
#include "cli/commands.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "work/files/recording.h"

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

int
cmd_export(const struct options *options)
{
	struct recorded *recorded;
	struct err e = {0};
	bool good;

	if (options->n_args == 0) {
		err_set(&e, "export needs a session file");
		err_hint(&e, "hecate record -o FILE and hecate import -o FILE make one");
		return print_failure(&e);
	}
	if (options->csv && options->json) {
		err_set(&e, "--csv and --json exclude each other");
		err_hint(&e, "choose one of them");
		return print_failure(&e);
	}
	recorded = recorded_open(options->arg[0], &e);
	if (!recorded)
		return print_failure(&e);
	good = write_recorded(options, recorded, &e);
	recorded_free(recorded);
	return good ? 0 : 2;
}
