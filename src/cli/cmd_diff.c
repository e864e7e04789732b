/* hecate diff: is the difference between two commands real, and how large is it? */
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
#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_diff.h"
#include "cli/signals.h"
#include "cli/watch_args.h"
#include "cli/writing.h"
#include "core/stack/stack.h"
#include "event/list.h"
#include "explorer/state/explore_start.h"
#include "text/diag.h"
#include "work/diff/contest.h"
#include "work/diff/measure.h"
#include "work/files/files.h"
#include "work/files/texts.h"

#define BUDGET 60.0 /* seconds, unless --budget, --for or -r says something else */

/* "30", "30s", "5m", "1h" into seconds. */
static bool
read_duration(const char *option, const char *text, double *out, struct err *e)
{
	char number[32];
	size_t n = strspn(text, "0123456789.");
	double unit = str_eq(text + n, "") || str_eq(text + n, "s") ? 1
		: str_eq(text + n, "m")                             ? 60
		: str_eq(text + n, "h")                             ? 3600
								    : 0;

	snprintf(number, sizeof number, "%.*s", (int)n, text);
	if (unit > 0 && n < sizeof number && str_to_double(number, out) && *out > 0 && *out * unit <= 86400 * 7) {
		*out *= unit;
		return true;
	}
	err_set(e, "--%s takes a time, at most a week, not '%s'", option, text);
	return err_hint(e, "for instance: --%s 30s, 5m, 1h", option);
}

/* "1%", "0.5%" or "0.005" as a share. */
static bool
read_percent(const char *option, const char *text, double *out, struct err *e)
{
	char number[32];
	size_t n = strspn(text, "0123456789.");
	bool percent = str_eq(text + n, "%") || str_eq(text + n, " %");

	snprintf(number, sizeof number, "%.*s", (int)n, text);
	if ((percent || !text[n]) && n < sizeof number && str_to_double(number, out)) {
		*out /= percent ? 100 : 1;
		if (*out > 0 && *out < 1)
			return true;
	}
	err_set(e, "--%s takes a share above 0, below 100 %%, not '%s'", option, text);
	return err_hint(e, "for instance: --%s 1%%, or 0.01", option);
}

/* A line for /bin/sh, as words. */
static char **
shell_words(const char *line)
{
	char **words = mem_new_array(4, sizeof *words);

	words[0] = mem_str("/bin/sh");
	words[1] = mem_str("-c");
	words[2] = mem_str(line);
	return words;
}

/* A command as words; if it uses the shell's signs, it is given to /bin/sh. NULL and *e: none. Free with
 * str_split_free(). */
static char **
command_words(const char *text, struct err *e)
{
	if (!strpbrk(text, "|&;<>()`*?[#~$\n") && strcspn(text, "= ") >= strcspn(text, " "))
		return shell_split(text, e);
	return shell_words(text);
}

static void
say_progress(void *ctx, const struct diff_table *table, const struct diff_report *report)
{
	const struct diff_found *f = &report->found[0];
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	(void)ctx;
	if (isfinite(f->low) && isfinite(f->high))
		fprintf(stderr, "\r\033[Khecate: %zu runs of each: %s%s %% to %s%s %%", table->n_runs / 2,
			f->low < 0 ? "-" : "+", number_round(a, fabs(f->low) * 100), f->high < 0 ? "-" : "+",
			number_round(b, fabs(f->high) * 100));
	else
		fprintf(stderr, "\r\033[Khecate: %zu runs of each", table->n_runs / 2);
	fflush(stderr);
}

struct diff_args {
	char **words[2], **prepare, **counter, **also;
	struct stack *stack;
	size_t n_counters;
	struct measure_options how;
};

static void
diff_args_clear(struct diff_args *args)
{
	for (int side = 0; side < 2; side++)
		if (args->words[side])
			str_split_free(args->words[side]);
	if (args->prepare)
		str_split_free(args->prepare);
	if (args->counter)
		str_split_free(args->counter);
	if (args->also)
		str_split_free(args->also);
	stack_free(args->stack);
	free(args->how.cpus.at);
}

static bool
take_limits(const struct options *options, struct measure_options *how, struct err *e)
{
	const struct diff_options *own = options->own;

	how->judge = (struct diff_rule){
		.confidence = options->confidence > 0 ? options->confidence : 0.99, .threshold = 0.01};
	how->seconds = options->runs ? 0 : BUDGET;
	/* -r counts runs of each command; a block has two */
	how->blocks = (options->runs + 1) / 2;
	if (own->threshold && !read_percent("threshold", own->threshold, &how->judge.threshold, e))
		return false;
	if (own->until && !read_percent("until", own->until, &how->until, e))
		return false;
	if (own->budget && !read_duration("budget", own->budget, &how->seconds, e))
		return false;
	if (own->for_time && !read_duration("for", own->for_time, &how->seconds, e))
		return false;
	if (own->for_time && (own->budget || options->runs))
		return err_set(e, "--for cannot be combined with --budget or -r");
	if (own->for_time)
		how->blocks = (size_t)1 << 40;
	return true;
}

/* NULL: none is named, or *e. */
static struct stack *
load_stack(const char *name, struct err *e)
{
	struct diags d = {0};
	struct stack *stack = NULL;
	struct text text = {0};

	if (name && text_load(name, TEXT_STACK, &text, e)) {
		stack = text_stack(&text, &d);
		if (!stack && !err_set(e, "the stack %s has errors", name))
			shell_hint(e, "hecate stack --check %s lists them", name);
	}
	text_free(&text);
	diags_free(&d);
	return stack;
}

/* Reads the command line. *e on failure. */
static bool
diff_args_take(const struct options *options, struct diff_args *args, struct err *e)
{
	const struct diff_options *own = options->own;

	if (own->git != (options->argv != NULL)) {
		err_set(e,
			own->git ? "--git takes the command after --"
				 : "diff takes each command as one word, not after --");
		return err_hint(e,
			own->git ? "for instance: hecate diff --git v1.0 main --build make -- ./prog 1000"
				 : "for instance: hecate diff './old 1000' './new 1000'");
	}
	if (own->build && !own->git)
		return err_set(e, "--build needs --git");
	if (options->n_args != 2) {
		err_set(e, "diff takes two commands, each as one word, or recorded runs");
		return err_hint(e, "for instance: hecate diff './old 1000' './new 1000'");
	}
	for (int side = 0; side < 2; side++) {
		if (!own->git && !(args->words[side] = command_words(options->arg[side], e)))
			return false;
		args->how.argv[side] = own->git ? options->argv : args->words[side];
	}
	args->how.folder[DIFF_A] = own->cwd_a;
	args->how.folder[DIFF_B] = own->cwd_b;
	args->how.warm_up = own->warmup;
	args->how.any_status = own->any_status;
	args->how.same_environment = own->same_environment;
	if (options->pin && !pin_take(options, &args->how.cpus, e))
		return false;
	args->prepare = own->prepare ? shell_words(own->prepare) : NULL;
	args->how.prepare = args->prepare;
	if (args->stack) {
		args->also = diff_stack_events(args->stack, &args->how.n_also);
		args->how.also = (const char *const *)args->also;
	}
	if (options->counters) {
		args->counter = event_list_split(options->counters, &args->n_counters);
		args->how.counter = (const char *const *)args->counter;
		args->how.n_counters = args->n_counters;
	}
	return true;
}

static bool
is_recorded(const struct options *options)
{
	return !options->argv && options->n_args && recorded_diff_is(options->arg[0]) &&
		(options->n_args == 1 || recorded_diff_is(options->arg[1]));
}

static bool
narrow_recorded(const struct options *options, struct recorded_diff *recorded, struct err *e)
{
	size_t n = 0;
	char **counter = options->counters ? event_list_split(options->counters, &n) : NULL;
	bool good = recorded_diff_narrow(
		recorded, options->runs, (const char *const *)counter, counter ? n : 0, e);

	if (counter)
		str_split_free(counter);
	if (!good)
		recorded_diff_clear(recorded);
	return good;
}

static bool
read_recorded(const struct options *options, struct recorded_diff *recorded, struct err *e)
{
	const struct diff_options *own = options->own;
	size_t n = 0;
	char **column = own->columns ? str_split(own->columns, ',', &n) : NULL;
	bool good;

	if (column && (n != 2 || options->n_args != 1))
		good = err_set(
			e, "--columns takes the names of two columns of one file, not '%s'", own->columns);
	else
		good = recorded_diff_read(options->arg, options->n_args, column, recorded, e) &&
			narrow_recorded(options, recorded, e);
	if (column)
		str_split_free(column);
	for (size_t i = 0; good && i < recorded->n_notes && !options->quiet; i++)
		log_line(NULL, "%s", recorded->note[i]);
	return good;
}

/* --- in the explorer ---------------------------------------------------------------------------------------------- */

bool
cmd_diff_is_shown(const struct options *options)
{
	return options->command->bit == C_DIFF && ((const struct diff_options *)options->own)->interactive;
}

static struct diff_page
contest_page(const struct contest *contest)
{
	return (struct diff_page){.measured = &contest->of.measured,
		.judge = &contest->rule,
		.command = {contest->of.side[0], contest->of.side[1]},
		.stack = contest->stack_failure ? NULL : contest->stack,
		.recorded = contest->recorded};
}

/* What `hecate diff --json` writes. */
static void
write_contest(const struct contest *contest, struct str *out)
{
	struct json_writer json = {.out = out};
	const struct diff_page page = contest_page(contest);

	print_diff_json(&page, &json);
	str_add(out, "\n");
}

static void
report_contest(const struct contest *contest, struct str *out)
{
	const struct diff_page page = contest_page(contest);

	print_diff_markdown(&page, out);
}

static bool
open_recorded(const struct options *options, const struct diff_rule *rule, struct explore_start *start, struct err *e)
{
	struct recorded_diff recorded;

	if (!read_recorded(options, &recorded, e))
		return false;
	start->contest = contest_of_recorded(&recorded, rule);
	start->contest->report = report_contest;
	return true;
}

static bool
open_commands(const struct options *options, struct diff_args *args, struct explore_start *start, struct err *e)
{
	const struct diff_options *own = options->own;
	struct contest_task *task;
	struct signals signals;
	bool good = true;

	if (!diff_args_take(options, args, e))
		return false;
	task = mem_new(sizeof *task);
	*task = (struct contest_task){.how = args->how,
		.words = {args->words[DIFF_A], args->words[DIFF_B]},
		.prepare = args->prepare,
		.counter = args->counter,
		.also = args->also};
	*args = (struct diff_args){.stack = args->stack};
	if (own->git) {
		task->revisions = mem_new(sizeof *task->revisions);
		signals_block(&signals);
		good = revisions_make(
			options->arg, own->build, &signals.during, signals_interrupted, task->revisions, e);
		signals_release(&signals);
		task->how.folder[DIFF_A] = task->revisions->folder[DIFF_A];
		task->how.folder[DIFF_B] = task->revisions->folder[DIFF_B];
	}
	if (!good) {
		contest_task_free(task);
		return false;
	}
	start->contest = contest_new(task, options->arg[0], options->arg[1]);
	start->contest->write = write_contest;
	start->contest->report = report_contest;
	return true;
}

bool
cmd_diff_prepare(const struct options *options, struct explore_start *start)
{
	struct diff_args args = {0};
	struct err e = {0};
	bool good = take_limits(options, &args.how, &e);

	args.stack = good ? load_stack(((const struct diff_options *)options->own)->stack, &e) : NULL;
	good = good && !*e.what;
	if (good && is_recorded(options))
		good = open_recorded(options, &args.how.judge, start, &e);
	else
		good = good && open_commands(options, &args, start, &e);
	if (good && args.stack)
		contest_set_stack(start->contest, args.stack);
	if (good)
		args.stack = NULL;
	diff_args_clear(&args);
	return good || print_failed(&e);
}

/* --- in text ------------------------------------------------------------------------------------------------------ */

/* 0: surely no regression above the threshold; 1: surely one; 2: undecided. */
static int
diff_status(const struct measured_diff *measured, const struct diff_rule *judge)
{
	const struct diff_found *f = &measured->report.found[0];

	if (f->low > judge->threshold)
		return 1;
	return f->high <= judge->threshold ? 0 : 2;
}

static int
write_page(const struct diff_page *page)
{
	const struct diff_options *own = page->options->own;
	struct writing out;

	writing_begin(&out, page->options);
	if (page->options->json)
		print_diff_json(page, &out.json);
	else if (own->markdown)
		print_diff_markdown(page, &out.text);
	else
		print_diff_text(page, &out.text);
	return writing_end(&out, true) ? diff_status(page->measured, page->judge) : 2;
}

/* Compares recorded runs. */
static int
diff_recorded(const struct options *options, const struct diff_rule *rule, const struct stack *stack)
{
	struct recorded_diff recorded;
	struct err e = {0};
	int status;

	if (!read_recorded(options, &recorded, &e))
		return print_failure(&e);
	recorded_diff_judge(&recorded, rule);
	if (stack && !diff_stack_judge(&recorded.measured, stack, rule, !recorded.drawn, &e)) {
		recorded_diff_clear(&recorded);
		return print_failure(&e);
	}
	status = write_page(&(struct diff_page){.options = options,
		.measured = &recorded.measured,
		.judge = rule,
		.stack = stack,
		.command = {recorded.side[0], recorded.side[1]},
		.recorded = !recorded.drawn});
	recorded_diff_clear(&recorded);
	return status;
}

static bool
measure(const struct options *options, struct measure_options *how, struct measured_diff *measured, struct err *e)
{
	const struct diff_options *own = options->own;
	struct revisions revisions = {0};
	bool good;

	if (!own->git)
		return measure_diff(how, measured, e);
	/* the time limit is for the runs */
	if (!revisions_make(options->arg, own->build, how->during, how->interrupted, &revisions, e))
		return false;
	how->folder[DIFF_A] = revisions.folder[DIFF_A];
	how->folder[DIFF_B] = revisions.folder[DIFF_B];
	good = measure_diff(how, measured, e);
	revisions_remove(&revisions, how->during, NULL);
	return good;
}

int
cmd_diff(const struct options *options)
{
	struct diff_args args = {0};
	struct measured_diff measured;
	struct signals signals;
	struct err e = {0};
	bool good;
	int status = 2;

	if (!take_limits(options, &args.how, &e))
		return print_failure(&e);
	args.stack = load_stack(((const struct diff_options *)options->own)->stack, &e);
	if (*e.what)
		return print_failure(&e);
	if (is_recorded(options)) {
		status = diff_recorded(options, &args.how.judge, args.stack);
		diff_args_clear(&args);
		return status;
	}
	if (!diff_args_take(options, &args, &e)) {
		diff_args_clear(&args);
		return print_failure(&e);
	}
	signals_block(&signals);
	args.how.during = &signals.during;
	args.how.interrupted = signals_interrupted;
	if (!options->quiet && isatty(2))
		args.how.progress = say_progress;
	good = measure(options, &args.how, &measured, &e);
	if (args.how.progress)
		fputs("\r\033[K", stderr);
	signals_release(&signals);
	if (good) {
		const struct diff_page page = {.options = options,
			.measured = &measured,
			.judge = &args.how.judge,
			.stack = args.stack,
			.command = {options->arg[0], options->arg[1]}};

		if (!args.stack || diff_stack_judge(&measured, args.stack, &args.how.judge, false, &e))
			status = write_page(&page);
		else
			print_failure(&e);
		measured_diff_clear(&measured);
	} else {
		print_failure(&e);
	}
	diff_args_clear(&args);
	signals_obey();
	return status;
}
