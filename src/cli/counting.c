#include "cli/counting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/signals.h"
#include "cli/spec_args.h"
#include "core/obs/source_data.h"
#include "core/udd/ast.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "text/source.h"
#include "work/files/simulation_text.h"
#include "work/fit/fit.h"
#include "work/machine.h"
#include "work/run/run.h"
#include "work/run/tasktime_run.h"
#include "work/timeline/run_answer.h"

#define LONGEST_WAIT 0.2 /* seconds: a signal may arrive between the check and the wait */
#define RING_KB_MOST ((size_t)1 << 20) /* 1 GiB of each CPU */

/* --- options ----------------------------------------------------------------------------------------------------- */

bool
counting_wants_flows(const struct options *o, const struct profile_spec *s)
{
	return o->flows || (s->report_given ? s->report[SPEC_FLOWS] : s->at_switches);
}

bool
counting_flows_fit(const struct options *options, bool counts, bool spec)
{
	struct err e = {0};

	if (!options->flows && options->ring_kb) {
		err_set(&e, "--ring is about flows, which are not asked for");
		err_hint(&e, "--flows reports them");
	} else if (!options->flows || (!counts && !options->ring_kb)) {
		return true;
	} else if (!counts) {
		err_set(&e, "--ring is about flows that are recorded here and now, and nothing to count is given");
		err_hint(&e, "add -p PID, -a, or a command after --");
	} else if (spec) {
		err_set(&e,
			"--flows with --spec: only hecate net reports flows of the programs of a specification");
		err_hint(&e, "hecate net --spec FILE --flows; or run one of them after --");
	} else if (options->runs > 1) {
		err_set(&e, "flows are recorded in one run only");
		err_hint(&e, "without -r");
	} else {
		return true;
	}
	return print_failed(&e);
}

bool
counting_events_fit(const struct options *o)
{
	struct err e = {0};

	if (!o->detail && (!o->ring_kb || o->flows))
		return true;
	err_set(&e, "%s is about the time of tasks, and events are counted here", o->detail ? "--detail" : "--ring");
	err_hint(&e, "stall-sources is the stack of that");
	return print_failed(&e);
}

/* False and *e when the time of tasks alone is wanted in a way that it cannot be recorded. */
static bool
tasks_fit(const struct counting *counting, struct err *e)
{
	const struct options *options = counting->options;

	if (counting->spec || counting->how.counters)
		return true;
	if (options->metrics) {
		err_set(e, "-M: the time of tasks is recorded here, and no events are counted");
		return err_hint(e, "hecate metrics -M NAME -- CMD counts them");
	}
	if (options->runs > 1)
		return err_set(e, "-r: the time of tasks is divided for one run at a time");
	if (!options->argv || !counting->watch.has_target)
		return true;
	err_set(e, "%s watches what runs already, and %s is a command to run", options->cpus ? "-C" : "-a",
		options->argv[0]);
	return err_hint(e, "for the time of tasks give one of the two");
}

bool
counting_begin(struct counting *c, const struct options *o)
{
	struct err e = {0};
	bool good;

	*c = (struct counting){.options = o};
	if (!watch_args_take(o, &c->watch))
		return false;
	c->spec = spec_args_load(o, &good);
	c->wanted = o->argv || c->watch.has_target || c->spec;
	if (good && o->metrics && o->command->bit == C_NET && !c->wanted) {
		err_set(&e, "-M: net has values of metrics for what it counts, not for recorded data");
		err_hint(&e, "hecate metrics -M NAME DATA prints them");
		return print_failed(&e);
	}
	if (good && o->metrics && o->command->bit != C_METRICS)
		good = metric_args_load(o, NULL, &c->metrics) &&
			(!c->wanted || metric_args_make_stack(&c->metrics));
	return good;
}

/* The size that --ring gives, as the kernel takes it: a power of two, in KiB. 0: not given. */
static size_t
ring_kb(const struct options *o)
{
	size_t kb = 4;

	while (kb < o->ring_kb && kb < RING_KB_MOST)
		kb *= 2;
	return o->ring_kb ? kb : 0;
}

/* The caller's counters, and the events of the metrics. */
static struct counter_list *
counters_with_metrics(void *ctx, struct err *e)
{
	struct counting *counting = ctx;
	struct counter_list *list = counting->counters(counting->ctx, e);

	return list ? metric_args_counters(&counting->metrics, list) : NULL;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

bool
counting_make(struct counting *counting)
{
	const struct options *options = counting->options;
	struct subject_runs_options *how = &counting->how;
	struct err e = {0};

	if (counting->metrics.stack && how->counters) {
		counting->counters = how->counters;
		counting->ctx = how->ctx;
		how->counters = counters_with_metrics;
		how->ctx = counting;
	}
	counting->runs = runs_new();
	counting->keep = source_keep_new(); /* starts nothing before it is needed */
	how->spec = counting->spec;
	how->argv = options->argv;
	how->target = counting->watch.has_target ? &counting->watch.target : NULL;
	how->setup = counting->watch.placed ? &counting->watch.place : NULL;
	how->sampling = counting->watch.sampling;
	if (options->runs > 1)
		how->tasks.counted = NULL; /* tasks are recorded once */
	how->tasks.no_calibrate = options->no_calibrate;
	how->tasks.variant_given = options->detail != NULL;
	how->tasks.variant = !options->detail || str_eq(options->detail, "records") ? TASKTIME_SOURCE_RECORDS
		: str_eq(options->detail, "switches")                   ? TASKTIME_SOURCE_SWITCHES
								  : TASKTIME_SOURCE_COUNTERS;
	how->ring_kb = ring_kb(options);
	how->out_fd = options->json ? STDERR_FILENO : -1;
	how->err_fd = -1;
	how->keep = counting->keep;
	if (!tasks_fit(counting, &e) || !subject_runs_make(counting->runs, how, &counting->run, &e))
		return print_failed(&e);
	return true;
}

/* Says on standard error, before anything is counted, if events have to take turns, or share counters with others. */
static void
say_fit(const struct counting *counting)
{
	const struct subject_runs_options *how = &counting->how;
	bool cpus = how->target && how->target->kind == SOURCE_CPUS;
	struct err e = {0};
	struct counter_list *list;
	struct fit *fit = NULL;
	struct str brief = {0};
	bool *picked;

	if (!how->counters || counting->options->quiet || !machine_has_pmu(&e) ||
		(how->argv && simulation_is(how->argv[0])) || !(list = how->counters(how->ctx, &e)))
		return;
	picked = how->picked ? counter_list_pick(list, how->picked, &e)
			     : counter_list_chosen(list, how->chosen.counter, how->chosen.n);
	if (picked)
		fit = fit_of_counters(list, picked, &e);
	if (fit && fit_is_tight(fit, cpus)) {
		fit_write_brief(fit, cpus, &brief);
		log_line(NULL, "%s%s; hecate fit shows the sets", str_text(&brief),
			fit->n_sets > 1 && !how->sampling.interval_ms && !counting->spec
				? "; without samples (-I) these are no counts"
				: "");
	}
	str_free(&brief);
	fit_free(fit);
	free(picked);
	counter_list_free(list);
}

/* True when Ctrl-C ends the runs and keeps their rows; otherwise the command gets it. */
static bool
keeps_rows(const struct counting *c)
{
	return c->spec || !c->how.counters || c->watch.sampling.interval_ms;
}

/* True when Ctrl-C ends the run. A command that shares our terminal gets it too, and may end by itself: then the second
 * Ctrl-C ends the run. */
static bool
is_end(const struct counting *c)
{
	return keeps_rows(c) && signals_caught() == SIGINT &&
		(!c->options->argv || !isatty(STDIN_FILENO) || signals_interrupts() > 1);
}

static bool
fail_by_signal(const struct options *o, bool repetition, struct err *e)
{
	return err_set(e, "ended by signal %d (%s) while %s ran%s", signals_caught(), strsignal(signals_caught()),
		o->spec            ? "the programs"
			: !o->argv ? "the sampling"
			: repetition ? "a repetition of the command"
				     : "the command",
		o->spec            ? "; the programs were ended too"
			: !o->argv ? ""
				   : "; the command was ended too");
}

static void
counting_hear(void *failure, struct run *r, enum run_step step, const struct err *e)
{
	(void)r;
	if (step == RUN_ENDED && *e->what)
		*(struct err *)failure = *e;
}

/* If the command shares our terminal, Ctrl-C reaches it, and only ends the repetitions. */
static bool
wait_for_end(const struct counting *counting, counting_seen *seen, void *ctx, bool repetition, const sigset_t *during,
	struct err *e)
{
	bool stays = keeps_rows(counting) || isatty(STDIN_FILENO);
	struct err failure = {0};

	for (;;) {
		runs_poll(counting->runs, counting_hear, &failure);
		if (seen && !seen(ctx, &counting->run, e))
			return false;
		if (!runs_running(counting->runs))
			break;
		if (is_end(counting))
			runs_finish(counting->runs);
		else if (signals_caught() && (signals_caught() != SIGINT || !stays))
			return fail_by_signal(counting->options, repetition, e);
		runs_wait(counting->runs, LONGEST_WAIT, during);
	}
	if (*failure.what)
		*e = failure;
	return !*failure.what;
}

static bool
run_all(struct counting *c, counting_seen *seen, void *ctx, struct err *e)
{
	size_t times = c->spec || !c->how.counters ? 1 : c->options->runs;
	struct signals signals;
	bool good = true;

	signals_block(&signals);
	for (size_t i = 0; i < times && good && !signals_caught(); i++)
		good = runs_begin(c->runs, e) && wait_for_end(c, seen, ctx, i > 0, &signals.during, e);
	signals_release(&signals);
	return good;
}

/* --- how it went ------------------------------------------------------------------------------------------------- */

static bool
is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Reports why the leader ended, unless it ended as requested. */
static void
say_ending(const struct counting *counting)
{
	const struct options *options = counting->options;
	const struct run_facts f = run_facts(runs_leader(counting->runs));
	const struct source_end *end = &f.end;
	const char *rows = counting->how.counters ? "samples" : "windows";

	if (end->vanished)
		log_line(NULL, "%s ended after %.3g s: %zu %s", f.label ? f.label : "all that was watched",
			end->seconds, f.rows, rows);
	else if (f.ending == RUN_END_ASKED && !options->argv)
		log_line(NULL, "ended after %.3g s: %zu %s", end->seconds, f.rows, rows);
	else if (f.ending != RUN_END_ITSELF && options->argv)
		log_line(NULL, "%s was ended after %.3g s", f.label ? f.label : options->argv[0], end->seconds);
	else if (end->signalled)
		log_line(NULL, "%s was ended by signal %d (%s)", options->argv[0], end->code, strsignal(end->code));
	else if (end->code)
		log_line(NULL, "%s ended with status %d", options->argv[0], end->code);
	if (end->left_behind)
		log_line(NULL, "%zu processes that %s started still ran when it ended: its totals are not exact%s",
			end->left_behind, options->argv[0],
			is_pipe(STDOUT_FILENO) || is_pipe(STDERR_FILENO)
				? ". They may hold this output open: a program that reads it may wait for their end"
				: "");
}

void
counting_explain(const struct counting *c, struct str *out)
{
	const struct err *why = c->run.flows ? runs_refusal(c->runs, c->run.flows) : NULL;
	struct run *leader = runs_leader(c->runs);

	if (why)
		str_addf(out, "%s: %s%s%s\n", c->without, why->what, *why->hint ? "; " : "", why->hint);
	leader->ops->explain(leader, out);
}

#define PLACES_MOST 8

/* Shows where the model names events that are refused although similar ones exist: the first of them. */
static void
show_places(const struct udd_model *model, const char *remarks)
{
	static const char begin[] = "not counted: ";
	size_t n = 0;

	for (const char *line = strstr(remarks, begin); line && n < PLACES_MOST; line = strstr(line + 1, begin)) {
		const char *name = line + sizeof begin - 1, *end = strchr(line, '\n');
		const char *near = strstr(line, "; nearest: ");
		char *counter = mem_strn(name, strcspn(name, " :"));
		size_t i = udd_counter_named(model, counter);
		struct place at;
		struct str shown = {0};
		struct err e = {0};

		if (near && end && near < end && i < model->n_counters && udd_counter_place(model, i, &at)) {
			n++;
			err_set(&e, "the event of %s", counter);
			err_at(&e, &at);
			err_print(&e, "hecate: ", &shown);
			fputs(str_text(&shown), stderr);
		}
		str_free(&shown);
		free(counter);
	}
}

static void
say_how_it_went(const struct counting *counting)
{
	struct run *joined[] = {counting->run.tasks, counting->how.flows.sums ? NULL : counting->run.flows};
	struct str text = {0};
	char *said;

	counting_explain(counting, &text);
	said = mem_str(str_text(&text));
	print_remarks(counting->options, &text);
	if (counting->model && !counting->options->quiet)
		show_places(counting->model, said);
	free(said);
	say_ending(counting);
	for (size_t i = 0; i < 2; i++)
		if (joined[i] && joined[i] != runs_leader(counting->runs)) {
			joined[i]->ops->explain(joined[i], &text);
			print_remarks(counting->options, &text);
		}
}

/* On a terminal, separates what the command wrote from hecate's own text. Files and pipes get no such line. */
static void
rule_off(const struct options *o)
{
	struct str shown = {0};

	if (!o->argv || simulation_is(o->argv[0]) || o->quiet || o->json || !isatty(STDOUT_FILENO))
		return;
	utf8_add_visible(&shown, o->argv[0], strlen(o->argv[0]));
	printf("\n--- hecate: %s", str_text(&shown));
	if (o->runs > 1)
		printf(", %zu runs", (size_t)o->runs);
	puts(" ---");
	fflush(stdout);
	str_free(&shown);
}

bool
counting_run(struct counting *c, counting_seen *seen, void *ctx)
{
	struct err e = {0};

	if (!c->runs && !counting_make(c))
		return false;
	say_fit(c);
	if (!run_all(c, seen, ctx, &e))
		return print_failed(&e);
	rule_off(c->options);
	if (!c->options->quiet)
		say_how_it_went(c);
	return true;
}

void
counting_end(struct counting *c)
{
	runs_free(c->runs);
	subject_runs_free(&c->run, NULL);
	spec_free(c->spec);
	source_keep_free(c->keep);
	watch_args_free(&c->watch);
	metric_args_free(&c->metrics);
}

struct run_end
counting_end_of(const struct counting *counting)
{
	const struct run_facts facts = run_facts(runs_leader(counting->runs));

	return run_end_of(&facts.end, counting->options->argv != NULL, facts.ending == RUN_END_ITSELF);
}

const struct obs_table *
counting_table(const struct counting *c)
{
	return run_table(c->how.counters ? c->run.counts : c->run.tasks);
}

struct run_answer *
counting_answer(const struct counting *counting)
{
	struct run *leader = runs_leader(counting->runs);
	const struct run_facts facts = run_facts(leader);
	const struct run_end end = counting_end_of(counting);
	struct tasktime_run_state state = {.believed = true};
	const struct obs_table *table = counting_table(counting);

	if (counting->run.tasks)
		tasktime_run_state(run_as_tasktime(counting->run.tasks), &state);
	if (!tasktime_run_shows(&state) || counting->spec || counting->options->runs > 1 || !table)
		return NULL;
	return run_answer_new(table, -INFINITY, INFINITY, &end,
		counting->options->argv    ? counting->options->argv[0]
			: facts.label      ? facts.label
					   : "the machine");
}

void
counting_report(const struct counting *c, struct str *out)
{
	if (c->spec && c->run.counts)
		spec_args_report(c->spec, c->run.counts, c->reported, out);
}

void
counting_metrics(const struct counting *counting, const struct obs_table *table, bool here, struct str *out,
	struct json_writer *json)
{
	if (counting->metrics.metrics && table)
		metric_args_print(&counting->metrics, table, here, out, json);
}

void
counting_metrics_json(const struct counting *counting, struct json_writer *json)
{
	if (!counting->metrics.metrics)
		return;
	json_open(json, "metrics", '[');
	counting_metrics(counting, counting->run.counts ? run_table(counting->run.counts) : NULL, true, NULL, json);
	json_close(json, ']');
}
