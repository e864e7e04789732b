/* hecate record: writes what is counted here and now into a session file, as it comes. */
#include "cli/commands.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "cli/spec_args.h"
#include "cli/text_args.h"
#include "core/obs/obs.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/run/run.h"
#include "work/run/tasktime_run.h"
#include "work/timeline/snapshot_records.h"

/* Loads what -m names, what the session file that is continued has, the metrics of -M as a stack, or what the explorer
 * opens for a command. */
static bool
cmd_record_load(const struct options *o, const struct counting *counting, struct text_args *args)
{
	const struct profile_spec *spec = counting->spec;
	const struct text *metrics = &counting->metrics.text;
	const char *named = spec ? spec_args_subject(spec, o->model_name) : NULL;
	struct err e = {0};

	if (spec)
		return named && text_args_load(o, named, args);
	if (o->model_name || recording_is(o->output))
		return text_args_load(o, o->model_name ? o->model_name : o->output, args);
	if (counting->metrics.stack)
		return text_args_take_stack(o,
			(struct text){mem_str(metrics->path), mem_strn(metrics->text, metrics->n), metrics->n}, args);
	if (access(o->output, F_OK) != 0 && errno == ENOENT)
		return text_args_load(o, TEXT_ANYWHERE, args);
	err_set(&e, "%s is there, and cannot be read as a session file", o->output);
	err_hint(&e, "name a new file; or -m names what to record");
	return print_failed(&e);
}

struct recorder {
	struct recording *into;
	bool counts; /* false: only the time of tasks is recorded */
	const struct network *network; /* whose record tables are filled; NULL: none */
	struct snapshot_records *records;
};

static bool
keep_records(struct recorder *to, const struct subject_runs *run, bool ended, struct err *e)
{
	const struct snapshot_run of = {.network = to->network, .table = run->counts ? run_table(run->counts) : NULL,
		.flows = run->flows ? run_table(run->flows) : NULL, .ended = ended};

	return !to->network || snapshot_records_keep(&to->records, recording_file(to->into),
				       recording_tables(to->into), &of, e);
}

/* Writes new rows: of the counters first, because flows belong to these rows. */
static bool
cmd_record_write_rows(void *ctx, const struct subject_runs *run, struct err *e)
{
	struct recorder *to = ctx;
	struct run *r[] = {to->counts ? run->counts : NULL, run->tasks, run->flows};
	bool good = true;

	for (size_t i = 0; i < 3; i++) {
		size_t n = 0;
		const struct obs_table *const *t = r[i] ? run_tables(r[i], &n) : NULL;

		for (size_t k = 0; k < n && good; k++)
			good = recording_follow(to->into, t[k], e);
	}
	return good && keep_records(to, run, false, e);
}

static void
cmd_record_leave(void *recorder, const struct obs_table *t)
{
	recording_leave(((struct recorder *)recorder)->into, t);
}

static bool
cmd_record_is_complete(const struct counting *counting)
{
	struct err e = {0};

	if (counting->wanted)
		return true;
	err_set(&e, "record needs a command after --, or what to watch: -p, -t, -a, -C");
	err_hint(&e, "for instance: hecate record -o s.hct -m linux-page-faults -- gcc -c x.c");
	print_failure(&e);
	return false;
}

static struct counter_list *
cmd_record_make_counters(void *subject, struct err *e)
{
	(void)e;
	return text_args_counters(subject);
}

/* False, and a message, when the options do not fit to the subject. */
static bool
cmd_record_fits(const struct counting *counting, const struct text_args *args, bool tasks)
{
	const struct options *options = counting->options;
	struct err e = {0};

	if (options->flows && !args->network) {
		err_set(&e, "--flows: only a network shows where requests go");
		err_hint(&e, "for instance: -m linux-vm");
	} else if (options->tables && !args->network) {
		err_set(&e, "--tables: only a network says what becomes of requests");
		err_hint(&e, "for instance: -m linux-vm");
	} else if (tasks && options->counters) {
		err_set(&e, "--counters: the time of tasks is recorded as a whole");
	} else if (args->kind == TEXT_MODEL && options->argv && counting->watch.has_target) {
		/* a model is refuted by one command, or by samples of a target */
		err_set(&e, "%s watches what runs already, and %s is a command to run", options->cpus ? "-C" : "-a",
			options->argv[0]);
		err_hint(&e, "for a model give one of the two; networks and stacks take both");
	} else {
		return (!options->flows || counting_flows_fit(options, true, counting->spec != NULL)) &&
			spec_args_fit(counting->spec, tasks, counting->watch.has_target) &&
			(tasks || counting_events_fit(options));
	}
	return print_failed(&e);
}

/* Stores how the run ended, and prints what it answers on standard error. */
static bool
write_end(const struct counting *counting, struct recording *into)
{
	const struct run_end end = counting_end_of(counting);
	struct run_answer *answer = counting->options->quiet ? NULL : counting_answer(counting);
	struct str text = {0};
	struct err e = {0};
	bool good;

	run_end_write(&end, &text);
	good = counting->spec || recording_set_end(into, str_text(&text), &e);
	str_clear(&text);
	if (answer)
		run_answer_sentence(answer, print_ascii(counting->options), &text);
	if (text.n)
		log_line(NULL, "%s", str_text(&text));
	str_free(&text);
	run_answer_free(answer);
	return good || print_failed(&e);
}

/* Reports on standard error how a profile went, and what was recorded. */
static void
cmd_record_say(const struct counting *counting, const struct recording *recording, bool good)
{
	const struct obs_table *table = counting_table(counting);
	struct str text = {0};

	if (good && counting->options->verbose)
		counting_report(counting, &text);
	if (good)
		counting_metrics(counting, table, true, &text, NULL);
	if (text.n)
		fputs(str_text(&text), stderr);
	str_free(&text);
	if (!counting->options->quiet && table && (good || table->n))
		log_line(NULL, "%s: observations: %zu, rows: %zu", counting->options->output,
			recording_observations(recording), recording_rows(recording));
}

/* Nothing was named: a single run also has the time of its tasks, as in the explorer. */
static bool
wants_all(const struct counting *counting, const struct text_args *args)
{
	const struct options *options = counting->options;

	return !options->model_name && !counting->spec && args->network && !recording_is(options->output) &&
		options->runs <= 1 && !options->flows;
}

/* Records the counters of the subject, or where the time of tasks goes if it is a stack of that. */
static bool
cmd_record_record(struct counting *counting, struct text_args *args)
{
	const struct options *options = counting->options;
	const char *const spec_argv[] = {"hecate", "record", "--spec", options->spec, NULL}; /* for the session file */
	bool tasks = args->stack && tasktime_run_serves(&args->stack, 1), good;
	struct recorder to = {.counts = !tasks, .network = options->tables ? args->network : NULL};
	struct err e = {0};

	if (!cmd_record_fits(counting, args, tasks))
		return false;
	counting->how = (struct subject_runs_options){.counters = tasks ? NULL : cmd_record_make_counters,
		.ctx = args,
		.picked = options->counters,
		.tasks.counted = args->network,
		.tasks.wanted = tasks || wants_all(counting, args),
		.flows.network = options->flows ? args->network : NULL,
		.flows.file = args->text.path,
		.flows.leaves = cmd_record_leave,
		.flows.ctx = &to};
	counting->model = args->kind == TEXT_MODEL ? args->model : NULL;
	if (!counting_make(counting))
		return false;
	to.into = text_args_record(
		args, options->output, counting->spec ? spec_argv : (const char *const *)options->argv, &e);
	if (!to.into)
		return print_failed(&e);
	good = counting_run(counting, cmd_record_write_rows, &to);
	if (good && !keep_records(&to, &counting->run, true, &e))
		good = print_failed(&e);
	snapshot_records_free(to.records);
	good = good && write_end(counting, to.into);
	cmd_record_say(counting, to.into, good);
	recording_close(to.into);
	return good;
}

int
cmd_record(const struct options *given)
{
	struct options options = *given;
	char *name = options.output ? NULL : file_new_name(options.argv ? options.argv[0] : NULL, "hct");
	struct text_args s = {0};
	struct counting c;
	bool good;

	if (name)
		options.output = name;
	good = counting_begin(&c, &options) && cmd_record_is_complete(&c) && cmd_record_load(&options, &c, &s) &&
		cmd_record_record(&c, &s);
	counting_end(&c);
	text_args_free(&s);
	free(name);
	signals_obey();
	return good ? 0 : 2;
}
