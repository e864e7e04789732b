/* hecate net: a network's path map, queues and stalls, from recorded data or counted now. With --check, a description
 * of the network itself. */
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/net_compare.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "cli/print/print_net.h"
#include "cli/print/print_net_estimates.h"
#include "cli/print/print_net_flows.h"
#include "cli/print/print_net_page.h"
#include "cli/reading.h"
#include "cli/signals.h"
#include "cli/spec_args.h"
#include "cli/writing.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "event/modifiers.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/run/counter_list.h"
#include "work/run/flow_run.h"
#include "work/run/run.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/estimates.h"
#include "work/timeline/network_data.h"
#include "work/timeline/snapshot_records.h"

#define REMARKS_SHOWN 8 /* of one file, without --json */

static struct network *
cmd_net_load(const struct options *o, const struct profile_spec *spec, char **path)
{
	const char *name = spec ? spec_args_choose(o->n_args ? o->arg[0] : NULL, spec->network, "network")
		: o->n_args     ? o->arg[0]
				: NULL;
	struct diags d = {0};
	struct err e = {0};
	struct network *network;

	*path = NULL;
	if (!name && spec)
		return NULL;
	if (!name) {
		err_set(&e, "net needs a network");
		err_hint(&e, "for instance: hecate net spr-cxl --check");
		print_failure(&e);
		return NULL;
	}
	/* A file that is no network is data, whatever it holds. */
	if (o->n_args && !file_is_path(o->arg[0]) && access(o->arg[0], F_OK) == 0 && !recording_is(o->arg[0])) {
		char *beside = str_format("./%s", o->arg[0]);

		err_set(&e, "%s is data, but no network is given", o->arg[0]);
		shell_hint(&e, "the network comes first: hecate net NETWORK %s; a network of this name is %s",
			o->arg[0], beside);
		free(beside);
		print_failure(&e);
		return NULL;
	}
	network = network_load(name, path, &d, &e);
	print_diagnostics(o, &d);
	if (*e.what)
		print_failure(&e);
	diags_free(&d);
	return network;
}

/* The stage that --beyond names; n_stages without the option. False when there is no stage of that name. */
static bool
find_stage(const struct options *options, const struct network *network, size_t *stage)
{
	const struct net_options *own = options->own;
	struct err e = {0};
	const char **name, *near;

	*stage = network->n_stages;
	if (!own->beyond)
		return true;
	name = mem_new_array(network->n_stages, sizeof *name);
	for (size_t i = network->n_stages; i-- > 0;) {
		name[i] = network->stage[i].name;
		if (str_eq(name[i], own->beyond))
			*stage = i;
	}
	if (*stage == network->n_stages) {
		struct str list = {0};

		near = near_name(own->beyond, name, network->n_stages);
		for (size_t i = 0; i < network->n_stages; i++)
			str_addf(&list, "%s%s", i ? ", " : "", name[i]);
		err_set(&e, "--beyond: the network has no stage '%s'", own->beyond);
		err_hint(&e, near ? "nearest: %s" : "there are: %s", near ? near : str_text(&list));
		print_failure(&e);
		str_free(&list);
	}
	free(name);
	return *stage < network->n_stages;
}

/* Keeps a remark for the document. */
static void
keep_remark(void *ctx, const char *sentence)
{
	struct names *remarks = ctx;

	names_add(remarks, sentence, strlen(sentence));
}

/* Reports columns that the network does not use, and columns that count less than the network asks for. */
static void
say_columns(const struct network_data *data, const char *path)
{
	struct str extra = {0}, user = {0};
	struct names remarks = {0};

	for (size_t i = 0; i < data->n_extra; i++)
		str_addf(&extra, "%s%s", i ? ", " : "", data->extra[i]);
	for (size_t i = 0; i < data->net->n_counters; i++)
		if (data->match->mode[i]) {
			str_addf(&user, "%s%s (", user.n ? ", " : "", data->net->counter[i].name);
			event_mode_words(data->match->mode[i], &user);
			str_addc(&user, ')');
		}
	if (extra.n)
		log_line(NULL, "%s: the network does not know %s", path, str_text(&extra));
	if (user.n)
		log_line(NULL, "%s: counted in one mode only: %s", path, str_text(&user));
	for (size_t i = 0; i < data->match->n_remarks; i++)
		log_line(NULL, "%s: %s", path, data->match->remark[i]);
	network_data_each_remark(data, keep_remark, &remarks);
	for (size_t i = 0; i < remarks.n && i < REMARKS_SHOWN; i++)
		log_line(NULL, "%s: %s", path, remarks.name[i]);
	if (remarks.n > REMARKS_SHOWN)
		log_line(NULL, "%s: %zu more such remarks (all with --json)", path, remarks.n - REMARKS_SHOWN);
	names_free(&remarks);
	if (data->match->apart)
		log_line(NULL, "%s: not counted alike: %s", path, data->match->apart);
	str_free(&extra);
	str_free(&user);
}

/* False after a message where --by asks for rows that the network cannot have. */
static bool
check_by(const struct net_report *report)
{
	struct err e = {0};
	enum net_by by;

	if (!print_net_wants_by(report, &by) || net_breakdown_has(report->net, by))
		return true;
	err_set(&e, "--by %s: the network has no %s", ((const struct net_options *)report->options->own)->by,
		by == NET_BY_CORE ? "module of a core" : "module where requests end");
	err_hint(&e, "--by kind is possible for every network");
	return print_failed(&e);
}

static void
report_snapshot(
	struct net_report *r, struct network_data *data, size_t snapshot, struct net_state *state, struct str *out)
{
	network_data_take(data, snapshot, state);
	if (r->options->json)
		print_net_json(r, data, snapshot, state);
	else
		print_net_text(r, data, snapshot, state, out);
}

/* Reports the observations of a file, or of what was counted here (path NULL). `last`: nothing can fail after them, so
 * each snapshot is written at once and only one is kept. Returns the number of snapshots, or -1 when there are none, or
 * they cannot be written. */
static long
report_table(struct net_report *report, const struct obs_table *table, const char *path, bool last, struct str *out)
{
	const struct net_options *own = report->options->own;
	struct network_data *data = network_data_new(report->net, table, report->options->observations, own->each_row);
	struct net_state *state = net_state_new(report->net, &data->owners->shape);
	bool good = true, held = true;
	struct err e = {0};
	long n;

	for (size_t i = 0; i < data->n && good; i++) {
		report_snapshot(report, data, i, state, out);
		held = reading_is_whole(table);
		good = held && (!last || !data->n_matched || writing_sink_drain(report->sink, out, &e));
	}
	if (held && !good)
		print_failure(&e);
	if (path && data->n && !report->options->quiet && !report->options->json)
		say_columns(data, path);
	if (data->n)
		network_data_each_remark(data, keep_remark, &report->remarks);
	if (data->n && !data->n_matched) {
		err_set(&e, "%s has no column for any counter of the network", path ? path : "what was counted");
		err_hint(&e, "hecate net NETWORK --check lists the counters and their events");
		print_failure(&e);
	}
	n = !good ? -1 : data->n_matched ? (long)data->n : data->n ? -1 : 0;
	net_state_free(state);
	network_data_free(data);
	return n;
}

/* Fills the record tables of a session file. */
static bool
make_tables(const struct net_report *report, const char *path)
{
	struct err e = {0};
	size_t n;

	if (!recording_is(path)) {
		err_set(&e, "--tables: %s is not a session file", path);
		shell_hint(&e, "hecate import -o FILE.hecate %s makes one", path);
		return print_failed(&e);
	}
	if (!snapshot_records_make(path, report->net, &n, &e))
		return print_failed(&e);
	if (!report->options->quiet)
		log_line(NULL, "%s: records of %zu snapshots", path, n);
	return true;
}

/* Reports the observations of one file likewise; also -1 when it cannot be read. */
static long
report_file(struct net_report *report, const char *path, bool last, struct str *out)
{
	struct obs_table *table = reading_open(report->options, path);
	struct err e = {0};
	long n;

	if (!table)
		return -1;
	for (size_t i = 0; i < table->n_notes && !report->options->quiet; i++)
		log_line(NULL, "%s", table->note[i]);
	n = report_table(report, table, path, last, out);
	if (n > 0 && report->options->flows && !report->flows_here &&
		!(report->recorded_flows = print_net_recorded_flows(report, table, path, &e)))
		print_failure(&e), n = -1;
	obs_table_free(table);
	if (n > 0 && report->options->tables && !make_tables(report, path))
		n = -1;
	return n;
}

/* Snapshots that are reported as they come in. */
struct reporting {
	struct net_report *report;
	struct network_data *data; /* NULL before the first snapshot */
	struct net_state *state;
	struct str *out;
	size_t n_reported;
};

static bool
report_news(void *ctx, const struct subject_runs *run, struct err *e)
{
	struct reporting *reporting = ctx;
	const struct options *options = reporting->report->options;

	if (!reporting->data) {
		reporting->data = network_data_new(
			reporting->report->net, run_table(run->counts), options->observations, true);
		reporting->state = net_state_new(reporting->report->net, &reporting->data->owners->shape);
	}
	network_data_follow(reporting->data);
	for (; reporting->n_reported < reporting->data->n; reporting->n_reported++) {
		report_snapshot(
			reporting->report, reporting->data, reporting->n_reported, reporting->state, reporting->out);
		if (!writing_flush(reporting->out, e))
			return false;
	}
	return true;
}

static struct counter_list *
cmd_net_make_counters(void *ctx, struct err *e)
{
	const struct net_report *r = ctx;

	(void)e;
	return counter_list_of_network(r->net, r->file);
}

/* The flows that were recorded here; NULL: none. */
static struct flow_recorder *
recorded_flows(const struct counting *c)
{
	struct flow_run *f = run_as_flow(c->run.flows);

	return f && flow_run_begun(f) ? flow_run_recorder(f) : NULL;
}

/* Returns what report_file() returns. */
static long
count_and_report(struct net_report *r, struct counting *c, struct str *out)
{
	struct reporting t = {.report = r, .out = out};
	bool good = counting_run(c, report_news, &t);
	long n = (long)t.n_reported;

	net_state_free(t.state);
	network_data_free(t.data);
	r->flows = recorded_flows(c);
	return good ? n : -1;
}

/* What the tasks' time answers, if it was recorded next to the counts. */
static struct run_answer *
tasks_answer(const struct counting *counting)
{
	const struct run_end end = counting_end_of(counting);
	const struct obs_table *table = counting->run.tasks ? run_table(counting->run.tasks) : NULL;

	return table ? run_answer_new(table, -INFINITY, INFINITY, &end, "") : counting_answer(counting);
}

/* Reports data first, then what is counted here. Snapshots of the latter are reported as they come in, unless a script
 * reads them. */
static long
report_all(struct net_report *report, struct counting *counting, struct str *out)
{
	const struct options *options = report->options;
	const struct net_options *own = options->own;
	bool at_once = counting->wanted && own->each_row && !options->json && !options->output && !counting->spec;
	struct run_answer *answer;
	long snapshots = 0, n = 0;

	if (counting->wanted && !at_once && !counting_run(counting, NULL, NULL))
		return -1;
	report->flows = recorded_flows(counting);
	report->reported[SPEC_FLOWS] = report->flows && counting->spec;
	if (options->json) {
		print_net_json_begin(report, counting);
		json_open(report->json, "snapshots", '[');
	} else {
		counting_report(counting, out);
		counting_metrics(counting, counting->run.counts ? run_table(counting->run.counts) : NULL, true, out,
			NULL);
	}
	if (!options->json && counting->wanted && !at_once)
		print_answer(counting_answer(counting), options, out);
	for (size_t i = reading_first(options); i < options->n_args && n >= 0; i++) {
		n = report_file(report, options->arg[i], !counting->wanted && i + 1 == options->n_args, out);
		snapshots += n;
	}
	report->answer = answer = n >= 0 && counting->wanted && !at_once ? tasks_answer(counting) : NULL;
	if (n >= 0 && counting->wanted) {
		n = at_once ? count_and_report(report, counting, out)
			    : report_table(report, counting_table(counting), NULL, true, out);
		snapshots += n;
	}
	report->answer = NULL;
	run_answer_free(answer);
	if (n >= 0 && at_once)
		print_answer(counting_answer(counting), options, out);
	if (n >= 0 && report->estimates && !options->json)
		print_net_estimate_errors(report->estimates, out);
	if (n >= 0 && !options->json)
		print_net_flow_run(report, counting, out);
	if (options->json) {
		json_close(report->json, ']');
		print_net_json_end(report, counting);
	}
	return n < 0 ? n : snapshots;
}

/* Decides what is counted here: the network's counters, and flows next to them. False after a message, where flows
 * cannot be recorded. A specification may ask for flows without --flows; as its file is for other machines too, the
 * profile then goes on without them. */
static bool
choose_counts(struct net_report *report, struct counting *c)
{
	const struct options *options = report->options;
	bool of_programs = c->spec && counting_wants_flows(options, c->spec);
	struct err e = {0};

	if (!of_programs && !counting_flows_fit(options, c->wanted, c->spec != NULL))
		return false;
	if (options->flows && !c->wanted && options->n_args > reading_first(options) + 1) {
		err_set(&e, "--flows takes one file, but there are %zu", options->n_args - reading_first(options));
		err_hint(&e, "give one of them");
		return print_failed(&e);
	}
	report->flows_here = c->wanted && (of_programs || options->flows);
	c->how = (struct subject_runs_options){.counters = cmd_net_make_counters,
		.ctx = report,
		.tasks.counted = report->net,
		.flows.sums = true,
		.flows.network = report->flows_here ? report->net : NULL,
		.flows.file = report->file,
		.optional = of_programs && !options->flows};
	if (c->how.optional)
		c->without = c->spec->at_switches ? "not closed at switches" : "flows are not reported";
	return true;
}

static int
report_data(struct net_report *report, struct counting *counting, struct str *out)
{
	const struct options *options = report->options;
	struct writing_sink sink;
	struct err e = {0};
	long snapshots;

	if (!choose_counts(report, counting))
		return 2;
	if (options->tables && counting->wanted) {
		err_set(&e, "--tables: what is counted here is in no session file");
		shell_hint(&e, "hecate record --tables -o FILE.hecate -m %s -- COMMAND makes one", report->net->name);
		return print_failure(&e);
	}
	if (options->n_args <= reading_first(options) && !counting->wanted) {
		err_set(&e, "net needs data, a command after --, or what to watch: -p, -t, -a, -C");
		shell_hint(&e, "hecate net %s DATA..., or -- CMD, or --check for the network alone", options->arg[0]);
		return print_failure(&e);
	}
	writing_sink_begin(&sink, options);
	report->sink = &sink;
	snapshots = report_all(report, counting, out);
	if (!writing_sink_end(&sink, out, snapshots > 0, &e))
		return print_failure(&e);
	if (snapshots)
		return snapshots > 0 ? 0 : 2;
	err_set(&e, "no observation to report");
	err_hint(&e, "does --observations match a name in the data?");
	return print_failure(&e);
}

/* Two recordings, instead of the report of each. */
static int
report_comparison(struct net_report *report, struct counting *counting, struct str *out)
{
	const struct options *options = report->options;
	struct err e = {0};

	if (counting->wanted || options->flows || report->spec) {
		err_set(&e, "--compare takes recordings, but there is something to count");
		shell_hint(&e, "hecate record -m %s -o FILE -- CMD makes one", options->arg[0]);
		return print_failure(&e);
	}
	if (options->json)
		print_net_json_begin(report, counting);
	if (!net_compare(report, out))
		return 2;
	if (options->json)
		print_net_json_end(report, counting);
	return writing_text(options, out) ? 0 : 2;
}

/* The network without data. */
static int
check_network(const struct net_report *report, struct str *out)
{
	const struct options *options = report->options;
	struct err e = {0};

	if (options->n_args < 2 && !options->argv && !options->pids && !options->tids && !options->all_cpus &&
		!options->cpus && !options->spec) {
		print_net_check(report, out);
		return writing_text(options, out) ? 0 : 2;
	}
	if (options->n_args > 1)
		err_set(&e, "--check describes the network alone, but there is data: %s", options->arg[1]);
	else
		err_set(&e, "--check describes the network alone, but there is something to count");
	err_hint(&e, "leave one of them out");
	return print_failure(&e);
}

int
cmd_net(const struct options *options)
{
	struct str out = {0};
	struct json_writer json = {.out = &out};
	struct net_report r = {.options = options, .json = &json};
	const struct net_options *own = options->own;
	bool reported[SPEC_STATISTICS] = {
		[SPEC_PATHS] = true, [SPEC_SHARES] = true, [SPEC_QUEUES] = true, [SPEC_STALLS] = true,
		[SPEC_LOAD] = true, [SPEC_FIGURES] = true, [SPEC_LAWS] = true,
	};
	struct estimate_errors errors = {0};
	struct counting c;
	char *path = NULL;
	struct network *network = counting_begin(&c, options) ? cmd_net_load(options, c.spec, &path) : NULL;
	int status = 2;

	c.reported = reported;
	r.net = network;
	r.file = path;
	r.spec = c.spec;
	r.reported = reported;
	r.estimates = own->estimators ? &errors : NULL;
	r.tiering = own->tiering;
	r.weight = own->weight && str_eq(own->weight, "requests") ? NET_BY_REQUESTS : NET_BY_DELAY;
	if (network && options->check)
		status = check_network(&r, &out);
	else if (network && find_stage(options, network, &r.beyond) && check_by(&r))
		status = own->compare ? report_comparison(&r, &c, &out) : report_data(&r, &c, &out);
	counting_end(&c);
	names_free(&r.remarks);
	estimate_errors_free(&errors);
	print_net_flow_page_free(r.recorded_flows);
	network_free(network);
	free(path);
	str_free(&out);
	signals_obey();
	return status;
}
