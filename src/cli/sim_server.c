/* hecate sim on a simulated server: what it counts, and the truth, into a session file or as CSV. */
#include "cli/sim_parts.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "cli/text_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "work/files/recording.h"
#include "work/files/server.h"

bool
sim_is_server(const struct options *options)
{
	const struct sim_options *own = options->own;
	char *text = str_format("sim:%s", own->machine ? own->machine : "");
	bool is = server_simulation_is(text);

	free(text);
	return is;
}

static bool
sim_server_refuse(const struct options *options, struct err *e)
{
	const struct sim_options *own = options->own;

	if (options->accesses || own->warm_up || own->lies.n || own->slice || own->secret || own->calibrate ||
		own->intervals || own->perfect || own->truth || options->rotation || options->exact || options->trace ||
		options->suites.n || options->programs.n || options->events || options->changes.n || options->json) {
		err_set(e, "%s is a server, which takes --plant, --workload, --samples, --seed, -m, -o and --csv alone",
			own->machine);
		return err_hint(e, "the workload says the rest: --workload gups,cores=4:sample=50us,owners");
	}
	if (!options->output && !options->csv) {
		err_set(e, "sim needs -o FILE, the session file, or --csv");
		return err_hint(e, "hecate net spr-cxl sim:%s reports on the server at once", own->machine);
	}
	if (options->csv && own->workloads.n > 1)
		return err_set(e, "--csv takes one workload of a server"),
		       err_hint(e, "a session file takes several: -o FILE");
	return true;
}

/* "sim:SERVER:FEATURES:WORKLOAD:HOW" */
static char *
text_of(const struct options *options, const char *workload)
{
	const struct sim_options *own = options->own;
	struct str text = {0};

	str_addf(&text, "sim:%s:%s:%s", own->machine, own->plants ? own->plants : "", workload);
	if (options->samples)
		str_addf(&text, ":samples=%zu", options->samples);
	if (options->seed)
		str_addf(&text, ":seed=%s", options->seed);
	return str_take(&text);
}

static bool
drain(void *ctx, struct str *text, struct err *e)
{
	return writing_sink_drain(ctx, text, e);
}

static bool
write_csv(const struct options *options, const struct obs_table *table, struct err *e)
{
	struct writing_sink sink;
	const struct recording_drain to = {drain, &sink};
	struct str csv = {0};
	bool good;

	writing_sink_begin(&sink, options);
	good = recording_csv(table, &to, &csv, e);
	good = writing_sink_end(&sink, &csv, good, e) && good;
	str_free(&csv);
	return good;
}

static bool
simulate(const struct options *options, const struct text_args *subject, struct err *e)
{
	const struct sim_options *own = options->own;
	struct recording *recording = NULL;
	size_t n = own->workloads.n ? own->workloads.n : 1, i = 0;
	bool good = true;

	for (; i < n && good && !signals_interrupted(); i++) {
		char *text = text_of(options, own->workloads.n ? own->workloads.item[i] : "");
		const char *const argv[] = {"hecate", "sim", text, NULL};
		struct obs_table *table = server_simulation_read(text, e);

		good = table != NULL;
		if (good && options->csv)
			good = write_csv(options, table, e);
		else if (good && !recording)
			good = (recording = subject ? text_args_record(subject, options->output, argv, e)
						    : recording_open(options->output, NULL, NULL, argv, e)) != NULL;
		if (good && recording) {
			good = recording_follow(recording, table, e);
			recording_leave(recording, table);
		}
		obs_table_free(table);
		free(text);
	}
	if (good && recording && !options->quiet)
		log_line(NULL, "%s: %zu of %zu observations added, %zu rows", options->output, i, n,
			recording_rows(recording));
	recording_close(recording);
	return good;
}

int
sim_server(const struct options *options)
{
	const struct sim_options *own = options->own;
	struct text_args subject = {0};
	struct signals signals;
	struct err e = {0};
	bool good = sim_server_refuse(options, &e);

	if (good && own->plants && !server_simulation_has_features(own->machine, own->plants, &e))
		good = false;
	if (good && options->model_name && !text_args_load(options, options->model_name, &subject))
		good = false;
	signals_hold(&signals);
	good = good && simulate(options, options->model_name ? &subject : NULL, &e);
	signals_let_go(&signals);
	if (!good && *e.what)
		print_failure(&e);
	text_args_free(&subject);
	signals_obey();
	return good ? 0 : 2;
}
