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
#include "cli/print/print_stack.h"
#include "cli/print/print_stalls.h"
#include "cli/reading.h"
#include "cli/signals.h"
#include "cli/spec_args.h"
#include "cli/stack_instructions.h"
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
take_stack(struct job_of_stacks *j, const struct options *o, struct text *text)
{
	struct stack_report *r = &j->report;
	struct diags d = {0};
	struct stack *s = text_stack(text, &d);

	print_diagnostics(o, &d);
	diags_free(&d);
	if (!s) {
		text_free(text);
		return false;
	}
	mem_grow(&r->stack, &j->cap_stacks, r->n_stacks + 1, sizeof *r->stack);
	r->file = mem_resize(r->file, r->n_stacks + 1, sizeof *r->file);
	r->file[r->n_stacks] = text->path;
	r->stack[r->n_stacks++] = s;
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
load_stored(struct job_of_stacks *j, const struct options *o, const char *path)
{
	struct text *text;
	struct err e = {0};
	bool good = true;
	size_t n;

	if (!recording_load_texts(path, TEXT_STACK, &text, &n, &e))
		return print_failed(&e);
	if (n == 0)
		good = cmd_stack_load_stack(j, o, path); /* sets *e to what the file has instead */
	for (size_t i = 0; i < n; i++)
		if (good)
			good = take_stack(j, o, &text[i]);
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
load_stacks(struct job_of_stacks *j, const struct options *o)
{
	struct err e = {0};

	if (j->counting.spec)
		return load_specified(j, o);
	if (o->n_args == 0) {
		err_set(&e, "stack needs a stack");
		err_hint(&e, "for instance: hecate stack topdown-l1-hsw data.csv");
		return print_failed(&e);
	}
	if (access(o->arg[0], F_OK) == 0) {
		if (recording_is(o->arg[0]))
			return load_stored(j, o, o->arg[0]);
		if (file_is_path(o->arg[0]))
			return cmd_stack_load_stack(j, o, o->arg[0]);
		char *beside = str_format("./%s", o->arg[0]);

		err_set(&e, "%s is data, but no stack is given", o->arg[0]);
		shell_hint(&e, "the stack comes first: hecate stack STACK %s; a stack of this name is %s", o->arg[0],
			beside);
		free(beside);
		return print_failed(&e);
	}
	return load_list(j, o, o->arg[0]);
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
account_for(
	struct job_of_stacks *j, const struct obs_table *t, size_t observation, struct stack_columns *const *columns)
{
	struct stack_report *r = &j->report;
	struct stack_observation x = {
		.obs = t->obs[observation], .name = unique_name(&j->names, t->obs[observation]->name)};

	x.bar = mem_new_array(r->n_stacks, sizeof *x.bar);
	for (size_t k = 0; k < r->n_stacks; k++) {
		struct stack_bar *b = &x.bar[k];

		b->stack = r->stack[k];
		b->match = columns[k]->match;
		b->counts = stack_counts_new(b->stack, columns[k], t, observation);
		b->account = stack_account_new(b->stack, b->counts->value);
	}
	mem_grow(&r->observation, &j->cap_observations, r->n_observations + 1, sizeof *r->observation);
	r->observation[r->n_observations++] = x;
}

/* Takes over the table. False after a message: some of its rows cannot be read. */
static bool
take_table(struct job_of_stacks *j, const struct options *o, struct obs_table *t)
{
	struct stack_report *r = &j->report;
	size_t first = j->n_columns;
	bool held = true;

	mem_grow(&j->columns, &j->cap_columns, first + r->n_stacks, sizeof *j->columns);
	for (size_t k = 0; k < r->n_stacks; k++)
		j->columns[j->n_columns++] = stack_columns_new(r->stack[k], t);
	if (o->split_phases) {
		struct obs_table *whole = t;

		t = stack_split_phases(j->columns + first, r->n_stacks, whole);
		held = reading_is_whole(whole);
		obs_table_free(whole);
	}
	mem_grow(&j->table, &j->cap_tables, j->n_tables + 1, sizeof *j->table);
	j->table[j->n_tables++] = t;
	for (size_t i = 0; i < t->n_notes; i++) {
		mem_grow(&r->note, &j->cap_notes, r->n_notes + 1, sizeof *r->note);
		r->note[r->n_notes++] = t->note[i];
	}
	for (size_t i = 0; i < t->n; i++)
		if (data_wanted(o->observations, t->obs[i]->name, o->split_phases))
			account_for(j, t, i, j->columns + first);
	return reading_is_whole(t) && held;
}

/* Reads all data, and loads the tree of the family that fits them; or all trees for --check. */
static bool
load_family(struct job_of_stacks *j, const struct options *o, char *const *trees)
{
	size_t n = o->n_args - 1;
	struct obs_table **table;
	bool good = true;
	char *name;

	for (size_t i = 0; o->check && trees[i] && good; i++)
		good = cmd_stack_load_stack(j, o, trees[i]);
	if (o->check)
		return good;
	table = mem_new_array(n, sizeof(struct obs_table *));
	name = tree_args_choose(o, 1, table);
	good = name && cmd_stack_load_stack(j, o, name);
	for (size_t i = 0; i < n; i++)
		if (good)
			good = take_table(j, o, table[i]);
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
count_here(struct job_of_stacks *j, const struct options *o)
{
	struct subject_runs_options *how = &j->counting.how;

	how->tasks.wanted = tasktime_run_serves(j->report.stack, j->report.n_stacks);
	how->ctx = &j->report;
	if (!how->tasks.wanted)
		how->counters = cmd_stack_make_counters;
	if ((!how->tasks.wanted && !counting_events_fit(o)) || !counting_run(&j->counting, NULL, NULL) ||
		!take_table(j, o, data_copy(counting_table(&j->counting))))
		return false;
	if (how->tasks.wanted)
		j->stalls_table = j->table[j->n_tables - 1];
	return true;
}

static void
job_of_stacks_free(struct job_of_stacks *j)
{
	struct stack_report *r = &j->report;

	for (size_t i = 0; i < r->n_observations; i++) {
		for (size_t k = 0; k < r->n_stacks; k++) {
			stack_counts_free(r->observation[i].bar[k].counts);
			stack_account_free(r->observation[i].bar[k].account);
		}
		free(r->observation[i].bar);
	}
	free(r->observation);
	for (size_t i = 0; i < j->n_columns; i++)
		stack_columns_free(j->columns[i]);
	free(j->columns);
	for (size_t i = 0; i < j->n_tables; i++)
		obs_table_free(j->table[i]);
	free(j->table);
	for (size_t i = 0; i < r->n_stacks; i++) {
		stack_free(r->stack[i]);
		free(r->file[i]);
	}
	free(r->stack);
	free(r->file);
	free(r->note);
	names_free(&j->names);
	counting_end(&j->counting);
}

/* True when there is any bar. A whole of 0 is one where it was measured, but not where the source lists no zeros: there
 * nothing tells it from another simulation's. *zero: there is such a whole. */
static bool
has_a_bar(const struct stack_report *r, bool *zero)
{
	*zero = false;
	for (size_t i = 0; i < r->n_observations; i++)
		for (size_t k = 0; k < r->n_stacks; k++) {
			double whole = r->observation[i].bar[k].account->whole;

			if (!isnan(whole) && (fpclassify(whole) != FP_ZERO || !r->observation[i].obs->silent_zeros))
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

static int
cmd_stack_report(const struct options *o, const struct job_of_stacks *j)
{
	const struct stack_report *r = &j->report;
	struct writing out;
	struct str lacking = {0};
	struct err e = {0};
	bool good, zero;

	if (!o->check && !r->n_observations && j->stalls_table && !o->observations) {
		err_set(&e, "no task was seen: the record of its beginning was lost, or nothing ran");
		err_hint(&e, "larger rings (--ring KB) lose less; --detail counters needs no records");
		return print_failure(&e);
	}
	if (!o->check && !r->n_observations) {
		err_set(&e, "no observation to account for");
		err_hint(&e, "does --observations match a name in the data?");
		return print_failure(&e);
	}
	for (size_t i = 0; i < r->n_notes && !o->quiet && !o->json && !j->stalls_table; i++)
		log_line(NULL, "%s", r->note[i]);
	writing_begin(&out, o);
	if (!o->json && !o->check)
		counting_report(&j->counting, &out.text);
	if (o->json)
		print_stack_json(r, &j->counting, &out.json);
	else if (o->check)
		print_stack_check(o, r, &out.text);
	else if (shows_tasks(o, j))
		print_stalls_text(o, r, j->stalls_table, run_as_tasktime(j->counting.run.tasks), &out.text);
	else
		print_stack_text(o, r, &out.text);
	good = writing_end(&out, true);
	if (o->check || has_a_bar(r, &zero) || !good)
		return good ? 0 : 2;
	if (!zero && r->n_stacks == 1)
		tree_lacks(r->stack[0], r->observation[0].bar[0].counts, r->stack[0]->n_parts, &lacking);
	err_set(&e, "nothing could be accounted for: %s%s%s",
		zero ? "the whole is 0 in each observation that has it" : "no observation has the counters of a whole",
		lacking.n ? ": " : "", str_text(&lacking));
	str_free(&lacking);
	shell_hint(&e, "hecate stack %s --check lists the events", r->file[0]);
	return print_failure(&e);
}

/* False, and a message, when there is data with --check, or none without it. */
static bool
cmd_stack_fits(const struct options *o, bool something)
{
	struct err e = {0};

	if (o->check != something)
		return true;
	err_set(&e,
		o->check ? "--check describes stacks alone"
			 : "stack needs data, a command after --, or what to watch: -p, -t, -a, -C");
	shell_hint(&e,
		o->check ? "leave out the data, and what is to be counted"
			 : "hecate stack %s DATA..., or -- CMD, or --check for the stack alone",
		o->n_args ? o->arg[0] : "STACK");
	return print_failed(&e);
}

int
cmd_stack(const struct options *o)
{
	const struct stack_options *own = o->own;
	static const bool reported[SPEC_STATISTICS] = {[SPEC_ACCOUNTS] = true};
	struct job_of_stacks j = {0};
	char **trees;
	int status = 2;
	bool good;

	if (own->by || o->trace)
		return stack_instructions(o);
	good = counting_begin(&j.counting, o);
	trees = o->n_args && !j.counting.spec ? tree_args_family(o->arg[0]) : NULL;
	j.counting.reported = reported;
	if (!good || !(trees ? load_family(&j, o, trees) : load_stacks(&j, o)) ||
		!cmd_stack_fits(o, o->n_args > (o->check ? 1 : reading_first(o)) || j.counting.wanted))
		goto out;
	good = true;
	for (size_t i = reading_first(o); i < o->n_args && good && !trees; i++)
		good = cmd_stack_read_data(&j, o, o->arg[i]);
	good = good &&
		spec_args_fit(j.counting.spec, tasktime_run_serves(j.report.stack, j.report.n_stacks),
			j.counting.watch.has_target);
	if (good && j.counting.wanted)
		good = count_here(&j, o);
	if (good)
		status = cmd_stack_report(o, &j);
out:
	str_split_free(trees);
	job_of_stacks_free(&j);
	signals_obey();
	return status;
}
