/* hecate stack: where the cycles, slots or the time of recorded data went, or of what is counted now, by one or several
 * methods of accounting. */
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "cli/print/print_stack.h"
#include "cli/print/print_stalls.h"
#include "cli/reading.h"
#include "cli/signals.h"
#include "cli/spec_args.h"
#include "cli/tree_args.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/files/texts.h"
#include "work/run/counter_list.h"
#include "work/run/tasktime_run.h"
#include "work/timeline/stack_phases.h"
#include "work/timeline/tree_notes.h"

struct job_of_stacks {
	struct stack_report report;
	size_t cap_stacks, cap_observations, cap_notes;
	struct obs_table **table; /* all data */
	size_t n_tables, cap_tables;
	struct stack_columns **columns; /* of each table and stack */
	size_t n_columns, cap_columns;
	struct names names; /* of observations, over all tables */
	struct counting counting;
	const struct obs_table *stalls_table; /* of the time of tasks that is recorded here: the last table; NULL */
};

/* Takes over the text. */
static bool
take_stack(struct job_of_stacks *stacks, const struct options *options, struct text *text)
{
	struct stack_report *report = &stacks->report;
	struct diags d = {0};
	struct stack *stack = text_stack(text, &d);

	print_diagnostics(options, &d);
	diags_free(&d);
	if (!stack) {
		text_free(text);
		return false;
	}
	mem_grow(&report->stack, &stacks->cap_stacks, report->n_stacks + 1, sizeof *report->stack);
	report->file = mem_resize(report->file, report->n_stacks + 1, sizeof *report->file);
	report->file[report->n_stacks] = text->path;
	report->stack[report->n_stacks++] = stack;
	free(text->text);
	return true;
}

static bool
cmd_stack_load_stack(struct job_of_stacks *j, const struct options *o, const char *name)
{
	struct text text;
	struct err e = {0};

	if (text_load(name, TEXT_STACK, &text, &e))
		return take_stack(j, o, &text);
	text_free(&text);
	return print_failed(&e);
}

/* Loads all stacks of a session file. */
static bool
load_stored(struct job_of_stacks *stacks, const struct options *options, const char *path)
{
	struct text *text;
	struct err e = {0};
	bool good = true;
	size_t n;

	if (!recording_load_texts(path, TEXT_STACK, &text, &n, &e))
		return print_failed(&e);
	if (n == 0)
		good = cmd_stack_load_stack(stacks, options, path); /* sets *e to what the file has instead */
	for (size_t i = 0; i < n; i++)
		if (good)
			good = take_stack(stacks, options, &text[i]);
		else
			text_free(&text[i]);
	free(text);
	return good;
}

static bool
load_list(struct job_of_stacks *j, const struct options *o, const char *list)
{
	char **name = str_split(list, ',', NULL);
	bool good = true;

	for (size_t i = 0; name[i] && good; i++)
		good = cmd_stack_load_stack(j, o, name[i]);
	str_split_free(name);
	return good;
}

/* Loads the stack of the specification, or of the argument where that names the same one. */
static bool
load_specified(struct job_of_stacks *j, const struct options *o)
{
	char *named = spec_args_stacks(j->counting.spec);
	const char *list = spec_args_choose(o->n_args ? o->arg[0] : NULL, named, "stack");
	bool good = list && load_list(j, o, list);

	free(named);
	return good;
}

/* "STACK,STACK": a bar for each. If a file with this name exists, the comma is part of its name. */
static bool
load_stacks(struct job_of_stacks *stacks, const struct options *o)
{
	struct err e = {0};

	if (stacks->counting.spec)
		return load_specified(stacks, o);
	if (o->n_args == 0) {
		err_set(&e, "stack needs a stack");
		err_hint(&e, "for instance: hecate stack topdown-l1-hsw data.csv");
		return print_failed(&e);
	}
	if (access(o->arg[0], F_OK) == 0) {
		if (recording_is(o->arg[0]))
			return load_stored(stacks, o, o->arg[0]);
		if (file_is_path(o->arg[0]))
			return cmd_stack_load_stack(stacks, o, o->arg[0]);
		char *beside = str_format("./%s", o->arg[0]);

		err_set(&e, "%s is data, but no stack is given", o->arg[0]);
		shell_hint(&e, "the stack comes first: hecate stack STACK %s; a stack of this name is %s", o->arg[0],
			beside);
		free(beside);
		return print_failed(&e);
	}
	return load_list(stacks, o, o->arg[0]);
}

/* The name, with "#2", "#3", … appended where an earlier table has it. */
static const char *
unique_name(struct names *names, const char *name)
{
	struct str text = {0};
	size_t at;

	str_add(&text, name);
	for (unsigned k = 2; names_find(names, str_text(&text), text.n) != NAMES_NONE; k++) {
		str_clear(&text);
		str_addf(&text, "%s#%u", name, k);
	}
	at = names_add(names, str_text(&text), text.n);
	str_free(&text);
	return names->name[at];
}

static void
account_for(struct job_of_stacks *stacks, const struct obs_table *table, size_t observation,
	struct stack_columns *const *columns)
{
	struct stack_report *report = &stacks->report;
	struct stack_observation x = {
		.obs = table->obs[observation], .name = unique_name(&stacks->names, table->obs[observation]->name)};

	x.bar = mem_new_array(report->n_stacks, sizeof *x.bar);
	for (size_t k = 0; k < report->n_stacks; k++) {
		struct stack_bar *bar = &x.bar[k];

		bar->stack = report->stack[k];
		bar->match = columns[k]->match;
		bar->counts = stack_counts_new(bar->stack, columns[k], table, observation);
		bar->account = stack_account_new(bar->stack, bar->counts->value);
	}
	mem_grow(&report->observation, &stacks->cap_observations, report->n_observations + 1,
		sizeof *report->observation);
	report->observation[report->n_observations++] = x;
}

/* Takes over the table. False after a message: some of its rows cannot be read. */
static bool
take_table(struct job_of_stacks *stacks, const struct options *options, struct obs_table *table)
{
	struct stack_report *report = &stacks->report;
	size_t first = stacks->n_columns;
	bool held = true;

	mem_grow(&stacks->columns, &stacks->cap_columns, first + report->n_stacks, sizeof *stacks->columns);
	for (size_t k = 0; k < report->n_stacks; k++)
		stacks->columns[stacks->n_columns++] = stack_columns_new(report->stack[k], table);
	if (options->split_phases) {
		struct obs_table *whole = table;

		table = stack_split_phases(stacks->columns + first, report->n_stacks, whole);
		held = reading_is_whole(whole);
		obs_table_free(whole);
	}
	mem_grow(&stacks->table, &stacks->cap_tables, stacks->n_tables + 1, sizeof *stacks->table);
	stacks->table[stacks->n_tables++] = table;
	for (size_t i = 0; i < table->n_notes; i++) {
		mem_grow(&report->note, &stacks->cap_notes, report->n_notes + 1, sizeof *report->note);
		report->note[report->n_notes++] = table->note[i];
	}
	for (size_t i = 0; i < table->n; i++)
		if (data_wanted(options->observations, table->obs[i]->name, options->split_phases))
			account_for(stacks, table, i, stacks->columns + first);
	return reading_is_whole(table) && held;
}

/* Reads all data, and loads the tree of the family that fits them; or all trees for --check. */
static bool
load_family(struct job_of_stacks *stacks, const struct options *options, char *const *trees)
{
	size_t n = options->n_args - 1;
	struct obs_table **table;
	bool good = true;
	char *name;

	for (size_t i = 0; options->check && trees[i] && good; i++)
		good = cmd_stack_load_stack(stacks, options, trees[i]);
	if (options->check)
		return good;
	table = mem_new_array(n, sizeof(struct obs_table *));
	name = tree_args_choose(options, 1, table);
	good = name && cmd_stack_load_stack(stacks, options, name);
	for (size_t i = 0; i < n; i++)
		if (good)
			good = take_table(stacks, options, table[i]);
		else
			obs_table_free(table[i]);
	free(name);
	free(table);
	return good;
}

static bool
cmd_stack_read_data(struct job_of_stacks *j, const struct options *o, const char *path)
{
	struct obs_table *t = reading_open(o, path);

	return t && take_table(j, o, t);
}

static struct counter_list *
cmd_stack_make_counters(void *ctx, struct err *e)
{
	const struct stack_report *r = ctx;

	return counter_list_of_stacks(r->stack, r->file, r->n_stacks, e);
}

/* Counts events, or records where the time of tasks goes, as the stacks need it. */
static bool
count_here(struct job_of_stacks *stacks, const struct options *options)
{
	struct subject_runs_options *how = &stacks->counting.how;

	how->tasks.wanted = tasktime_run_serves(stacks->report.stack, stacks->report.n_stacks);
	how->ctx = &stacks->report;
	if (!how->tasks.wanted)
		how->counters = cmd_stack_make_counters;
	if ((!how->tasks.wanted && !counting_events_fit(options)) || !counting_run(&stacks->counting, NULL, NULL) ||
		!take_table(stacks, options, data_copy(counting_table(&stacks->counting))))
		return false;
	if (how->tasks.wanted)
		stacks->stalls_table = stacks->table[stacks->n_tables - 1];
	return true;
}

static void
job_of_stacks_free(struct job_of_stacks *stacks)
{
	struct stack_report *report = &stacks->report;

	for (size_t i = 0; i < report->n_observations; i++) {
		for (size_t k = 0; k < report->n_stacks; k++) {
			stack_counts_free(report->observation[i].bar[k].counts);
			stack_account_free(report->observation[i].bar[k].account);
		}
		free(report->observation[i].bar);
	}
	free(report->observation);
	for (size_t i = 0; i < stacks->n_columns; i++)
		stack_columns_free(stacks->columns[i]);
	free(stacks->columns);
	for (size_t i = 0; i < stacks->n_tables; i++)
		obs_table_free(stacks->table[i]);
	free(stacks->table);
	for (size_t i = 0; i < report->n_stacks; i++) {
		stack_free(report->stack[i]);
		free(report->file[i]);
	}
	free(report->stack);
	free(report->file);
	free(report->note);
	names_free(&stacks->names);
	counting_end(&stacks->counting);
}

/* True when there is any bar. A whole of 0 is one where it was measured, but not where the source lists no zeros: there
 * nothing tells it from another simulation's. *zero: there is such a whole. */
static bool
has_a_bar(const struct stack_report *report, bool *zero)
{
	*zero = false;
	for (size_t i = 0; i < report->n_observations; i++)
		for (size_t k = 0; k < report->n_stacks; k++) {
			double whole = report->observation[i].bar[k].account->whole;

			if (!isnan(whole) &&
				(fpclassify(whole) != FP_ZERO || !report->observation[i].obs->silent_zeros))
				return true;
			*zero |= !isnan(whole);
		}
	return false;
}

/* Shows tasks next to each other: those of a run here, or several recorded ones, unless each is wanted in full. */
static bool
shows_tasks(const struct options *o, const struct job_of_stacks *j)
{
	const struct stack_report *r = &j->report;

	if (r->n_stacks != 1 || !r->n_observations || !tasktime_run_serves(r->stack, 1))
		return false;
	return j->stalls_table ? j->n_tables == 1 : r->n_observations > 1 && !o->verbose;
}

/* What the run that was recorded here, or in a session file, answers; NULL: nothing that one sentence could say. */
static struct run_answer *
answer_of(const struct options *options, const struct job_of_stacks *stacks)
{
	size_t first = reading_first(options);

	if (stacks->stalls_table && stacks->n_tables == 1)
		return counting_answer(&stacks->counting);
	return stacks->n_tables == 1 && first < options->n_args
		? run_answer_recorded(options->arg[first], stacks->table[0]) : NULL;
}

static int
cmd_stack_report(const struct options *options, struct job_of_stacks *stacks)
{
	struct stack_report *report = &stacks->report;
	struct writing out;
	struct str lacking = {0};
	struct err e = {0};
	bool good, zero;

	if (!options->check && !report->n_observations && stacks->stalls_table && !options->observations) {
		err_set(&e, "no task was seen: the record of its beginning was lost, or nothing ran");
		err_hint(&e, "larger rings (--ring KB) lose less; --detail counters needs no records");
		return print_failure(&e);
	}
	if (!options->check && !report->n_observations) {
		err_set(&e, "no observation to account for");
		err_hint(&e, "does --observations match a name in the data?");
		return print_failure(&e);
	}
	if (!options->check && !options->json && tasktime_run_serves(report->stack, report->n_stacks) &&
		!has_a_bar(report, &zero) && !zero) {
		err_set(&e, "no observation has the time of tasks");
		shell_hint(&e, "hecate record -o FILE -m %s -- CMD records it", options->arg[0]);
		return print_failure(&e);
	}
	for (size_t i = 0; i < report->n_notes && !options->quiet && !options->json && !stacks->stalls_table; i++)
		log_line(NULL, "%s", report->note[i]);
	writing_begin(&out, options);
	if (!options->json && !options->check) {
		counting_report(&stacks->counting, &out.text);
		for (size_t i = 0; i < stacks->n_tables; i++)
			counting_metrics(&stacks->counting, stacks->table[i],
				stacks->counting.wanted && i + 1 == stacks->n_tables, &out.text, NULL);
		print_answer(answer_of(options, stacks), options, &out.text);
	}
	report->table = stacks->table;
	report->n_tables = stacks->n_tables;
	if (options->json)
		print_stack_json(report, &stacks->counting, &out.json);
	else if (options->check)
		print_stack_check(options, report, &out.text);
	else if (shows_tasks(options, stacks))
		print_stalls_text(
			options, report, stacks->stalls_table, run_as_tasktime(stacks->counting.run.tasks), &out.text);
	else
		print_stack_text(options, report, &out.text);
	good = writing_end(&out, true);
	if (options->check || has_a_bar(report, &zero) || !good)
		return good ? 0 : 2;
	if (!zero && report->n_stacks == 1)
		tree_lacks(report->stack[0], report->observation[0].bar[0].counts, report->stack[0]->n_parts, &lacking);
	err_set(&e, "nothing could be accounted for: %s%s%s",
		zero ? "the whole is 0 in each observation that has it" : "no observation has the counters of a whole",
		lacking.n ? ": " : "", str_text(&lacking));
	str_free(&lacking);
	shell_hint(&e, "hecate stack %s --check lists the events", report->file[0]);
	return print_failure(&e);
}

/* False, and a message, when there is data with --check, or none without it. */
static bool
cmd_stack_fits(const struct options *options, bool something)
{
	struct err e = {0};

	if (options->check != something)
		return true;
	err_set(&e,
		options->check ? "--check describes stacks alone"
			 : "stack needs data, a command after --, or what to watch: -p, -t, -a, -C");
	shell_hint(&e,
		options->check ? "leave out the data, and what is to be counted"
			 : "hecate stack %s DATA..., or -- CMD, or --check for the stack alone",
		options->n_args ? options->arg[0] : "STACK");
	return print_failed(&e);
}

int
cmd_stack(const struct options *options)
{
	const struct stack_options *own = options->own;
	static const bool reported[SPEC_STATISTICS] = {[SPEC_ACCOUNTS] = true};
	struct job_of_stacks j = {0};
	char **trees;
	int status = 2;
	bool good;

	if (own->by || options->trace)
		return stack_instructions(options);
	good = counting_begin(&j.counting, options);
	trees = options->n_args && !j.counting.spec ? tree_args_family(options->arg[0]) : NULL;
	j.counting.reported = reported;
	if (!good || !(trees ? load_family(&j, options, trees) : load_stacks(&j, options)) ||
		!cmd_stack_fits(
			options, options->n_args > (options->check ? 1 : reading_first(options)) || j.counting.wanted))
		goto out;
	good = true;
	for (size_t i = reading_first(options); i < options->n_args && good && !trees; i++)
		good = cmd_stack_read_data(&j, options, options->arg[i]);
	good = good &&
		spec_args_fit(j.counting.spec, tasktime_run_serves(j.report.stack, j.report.n_stacks),
			j.counting.watch.has_target);
	if (good && j.counting.wanted)
		good = count_here(&j, options);
	if (good)
		status = cmd_stack_report(options, &j);
out:
	str_split_free(trees);
	job_of_stacks_free(&j);
	signals_obey();
	return status;
}
