/* The explorer's command line: model, data and command. The screen itself is in ui. */
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/config.h"
#include "cli/counting.h"
#include "cli/lesson_args.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/profile_args.h"
#include "cli/reading.h"
#include "cli/spec_args.h"
#include "cli/text_args.h"
#include "cli/trust_args.h"
#include "cli/watch_args.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave.h"
#include "explorer/state/explore_start.h"
#include "work/files/files.h"
#include "work/files/recent.h"
#include "work/files/recording.h"
#include "work/files/simulation_text.h"
#include "work/files/texts.h"
#include "work/lesson/answers.h"
#include "work/lesson/judge.h"
#include "work/lesson/lesson_files.h"
#include "work/probe/probe_machine.h"
#include "work/probe/probe_store.h"
#include "work/run/run_subject.h"
#include "work/run/tasktime_run.h"
#include "work/trust/table.h"

#define PROFILE_MS 250 /* numbers in tables change at most four times a second (docs/screens.md) */

static char **
copy_command(char *const *argv)
{
	size_t n = 0;
	char **copy;

	while (argv[n])
		n++;
	copy = mem_new_array(n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = mem_str(argv[i]);
	return copy;
}

/* Finds the first simulated machine among the data; it is watched unless something else is. *at is its place, SIZE_MAX:
 * none. False after a message about a mistake. */
static bool
watch_simulated(const struct options *options, size_t first, struct explore_start *start, size_t *at)
{
	struct err e = {0};

	*at = SIZE_MAX;
	for (size_t i = first; i < options->n_args && *at == SIZE_MAX && !start->subject.argv && !start->subject.target;
		i++)
		if (simulation_is(options->arg[i]))
			*at = i;
	if (*at == SIZE_MAX)
		return true;
	start->subject.argv = mem_new_array(2, sizeof *start->subject.argv);
	start->subject.argv[0] = simulation_watched(options->arg[*at], &e);
	start->given |= AUTOSAVE_COMMAND;
	return start->subject.argv[0] || print_failed(&e);
}

static bool
read_tables(const struct options *options, size_t first,
	struct obs_table *(*read)(const struct options *, const char *path), struct explore_start *start)
{
	const struct explore_options *own = options->own;
	size_t n = options->n_args - first, watched;

	start->table = mem_new_array(n, sizeof *start->table);
	watched = SIZE_MAX; /* a lesson's data are whole from the beginning, so a simulated machine is not watched */
	if (!own->lesson && !watch_simulated(options, first, start, &watched))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (first + i == watched)
			continue;
		start->table[start->n_tables] = read(options, options->arg[first + i]);
		if (!start->table[start->n_tables])
			return false;
		start->n_tables++;
	}
	if (start->n_tables) {
		const char *slash = strrchr(options->arg[first], '/');

		start->data_name = n == 1 && watched == SIZE_MAX ? mem_str(slash ? slash + 1 : options->arg[first])
							     : str_format("%zu files", start->n_tables);
	}
	return true;
}

/* Copies the target of watching into the explorer's options. */
static void
take_watched(struct watch_args *w, struct explore_start *x)
{
	x->sampling = w->sampling;
	if (w->has_target)
		x->subject.target = target_copy(&w->target);
	watch_args_free(w);
}

/* Continues the session of the first session file among the arguments, or begins one in the new file of -o. */
static bool
choose_file(const struct options *options, struct explore_start *start)
{
	struct err e = {0};

	for (size_t i = 0; i < options->n_args && !start->kept; i++)
		if (recording_is(options->arg[i]))
			start->kept = options->arg[i];
	if (!options->output)
		return true;
	start->kept = options->output;
	start->make = true;
	if (access(options->output, F_OK) != 0)
		return true;
	err_set(&e, "%s exists already, but -o makes a new session file", options->output);
	if (recording_is(options->output))
		shell_hint(&e, "hecate %s continues that session; hecate import -o %s DATA adds data to it",
			options->output, options->output);
	else
		err_hint(&e, "give another name; hecate overwrites no file");
	return print_failed(&e);
}

/* Loads the programs of a specification. If the arguments name nothing that can be opened, *named is what the file
 * names (the caller frees the array), otherwise NULL. */
static bool
take_spec(const struct options *options, struct explore_start *start, char ***named, size_t *n)
{
	bool good;

	*named = NULL;
	start->subject.spec = spec_args_load(options, &good);
	if (!start->subject.spec)
		return good;
	if (!counting_flows_fit(options, true, true))
		return false;
	start->subject.spec_file = mem_str(options->spec);
	start->sampling.interval_ms = (unsigned)fmin(fmax(start->subject.spec->granularity * 1e3, 1), 1e9);
	/* data follow a model */
	for (size_t i = 0; i < options->n_args && (i == 0 || !start->subject.spec->model); i++)
		if (!spec_args_allow(start->subject.spec, options->arg[i]))
			return false;
	if (options->n_args)
		return true;
	*named = spec_args_open(start->subject.spec, n);
	return *named != NULL;
}

static bool
prepare_profile(const struct options *options, struct explore_start *start)
{
	struct profile_args p;
	struct err e = {0};
	bool good = profile_args_load(options, &p);

	start->network = p.network;
	start->stack = p.stack;
	start->n_stacks = p.n_stacks;
	start->network_text = p.network_text;
	start->stack_text = p.stack_text;
	if (!good || !trust_args_page(options, &start->trust))
		return false;
	start->subject.no_calibrate = options->no_calibrate;
	start->subject.follows_flows = options->flows;
	start->subject.keeps_tables = options->tables;
	if (options->tables && !start->network) {
		err_set(&e, "--tables needs a network, which says what becomes of requests");
		err_hint(&e, "for instance: hecate linux-vm --tables");
		return print_failed(&e);
	}
	if (options->flows && !start->network) {
		err_set(&e, "--flows needs a network, which says where requests go");
		err_hint(&e, "for instance: hecate linux-vm --flows");
		return print_failed(&e);
	}
	if (options->argv)
		start->subject.argv = copy_command(options->argv);
	start->given = options->argv || start->subject.target || start->subject.spec ? AUTOSAVE_COMMAND : 0;
	if (!options->interval && !start->subject.spec)
		start->sampling.interval_ms = PROFILE_MS;
	return read_tables(options, p.first_data, reading_open, start);
}

/* Without a file or name to open, reports what to do, unless the start screen asks. */
static bool
prepare_start(const struct options *options)
{
	struct err e = {0};

	if (options->output) {
		err_set(&e, "-o FILE keeps a session, so it needs a model, a network or a stack");
		err_hint(&e, "for instance: hecate -o FILE linux-page-faults DATA");
		return print_failed(&e);
	}
	return true;
}

/* Reads tables of repeated runs: view 0 shows them. */
static bool
prepare_repeated(const struct options *options, struct explore_start *start)
{
	struct err e = {0};

	if (options->argv || start->subject.target) {
		err_set(&e, "%s has recorded runs, which no command joins", options->arg[0]);
		err_hint(&e, "leave the command out: hecate %s", options->arg[0]);
		return print_failed(&e);
	}
	if (options->output) {
		err_set(&e, "-o FILE keeps a session; recorded runs stay in their own file");
		err_hint(&e, "leave -o out; hecate determinism %s -o FILE writes the judgement", options->arg[0]);
		return print_failed(&e);
	}
	if (!trust_args_page(options, &start->trust))
		return false;
	start->repeated = trust_table_read(options->arg, options->n_args, options->expected, &e);
	return start->repeated || print_failed(&e);
}

/* A machine to probe: view 9 shows it. */
static bool
prepare_probes(const struct options *options, struct explore_start *start)
{
	struct err e = {0};
	struct probe_machine *machine;

	if (options->argv || start->subject.target) {
		err_set(&e, "probes of %s run no command", options->arg[0]);
		err_hint(&e, "leave the command out: hecate %s", options->arg[0]);
		return print_failed(&e);
	}
	machine = probe_machine_new(options->arg[0], NULL, &e);
	probe_machine_free(machine);
	if (!machine || !choose_file(options, start))
		return !machine ? print_failed(&e) : false;
	start->subject.probed = mem_str(options->arg[0]);
	return true;
}

/* A session file that has curves of probes, and neither model nor network. */
static bool
has_only_curves(const char *path)
{
	enum text_kind kind;
	struct err e = {0};

	return recording_is(path) && !recording_brings(path, &kind, &e) && probe_store_holds(path);
}

/* Takes what the configuration file says, before the command line changes it. */
static bool
cmd_explore_configure(struct explore_start *start)
{
	struct config config;
	struct err e = {0};

	if (!config_read(&config, &e)) {
		free(config.theme);
		return print_failed(&e);
	}
	start->look.usual_theme = config.theme;
	start->look.no_motion = !config.motion;
	start->look.no_mouse = !config.mouse;
	start->look.ascii = config.ascii;
	start->look.color = (enum color_when)config.color;
	return true;
}

/* Data alone, without a choice that belongs to their model. */
static bool
is_only_data(const struct options *o, const struct explore_start *start)
{
	if (o->n_args != 1 || o->argv || start->subject.target || start->subject.spec || o->output || o->exact ||
		o->variant || o->features || o->without)
		return false;
	return !file_is_path(o->arg[0]) && access(o->arg[0], F_OK) == 0 && !recording_is(o->arg[0]) &&
		!file_is_folder(o->arg[0]) && trust_table_kind_of(o->arg[0]) == TRUST_TABLE_NONE;
}

static bool
prepare(const struct options *options, struct explore_start *start)
{
	enum text_kind kind;
	struct err e = {0};

	if (is_only_data(options, start)) {
		start->opens = options->arg[0];
		return true;
	}
	if (options->n_args == 1 && simulation_is(options->arg[0]))
		return prepare_probes(options, start);
	if (options->n_args == 1 && !options->argv && has_only_curves(options->arg[0]))
		return choose_file(options, start);
	if (options->n_args == 0 && !options->expected)
		return prepare_start(options);
	if (options->n_args && file_is_path(options->arg[0]) &&
		trust_table_kind_of(options->arg[0]) != TRUST_TABLE_NONE)
		return prepare_repeated(options, start);
	if (options->expected) {
		err_set(&e, "--expected belongs to a table of repeated runs");
		err_hint(&e, "name it first: hecate RUNS.csv --expected %s", options->expected);
		return print_failed(&e);
	}
	if (!choose_file(options, start))
		return false;
	if (profile_args_are(options))
		return prepare_profile(options, start);
	start->given = autosave_given_by(options->variant || options->features || options->without,
			       options->confidence != CONFIDENCE_DEFAULT, options->region, options->counters,
			       options->observations, options->family_wise || options->one_by_one,
			       options->split_phases) |
		(options->argv || start->subject.target || start->subject.spec ? AUTOSAVE_COMMAND : 0);
	if (options->flows || options->tables) {
		err_set(&e, "%s needs a network, which says where requests go; %s is a model",
			options->flows ? "--flows" : "--tables", options->arg[0]);
		shell_hint(&e, "for instance: hecate linux-vm %s", options->flows ? "--flows" : "--tables");
		return print_failed(&e);
	}
	if (!text_kind_of(options->arg[0], &kind, &e))
		return print_failed(&e);
	start->model = model_args_load(options, &start->bundle);
	if (!start->model || !model_args_choose(options, start->model, &start->on) ||
		!model_args_analysis(options, start->model, &start->how) || !trust_args_page(options, &start->trust))
		return false;
	if (options->argv)
		start->subject.argv = copy_command(options->argv);
	return read_tables(options, reading_first(options), reading_table, start);
}

static bool
prepare_named(const struct options *options, struct explore_start *start)
{
	static char anywhere[] = TEXT_ANYWHERE;
	struct options named_args = *options;
	char **named, *usual = anywhere;
	bool good = take_spec(options, start, &named, &named_args.n_args);

	if (named) {
		named_args.arg = named;
	} else if (!options->n_args && (options->argv || start->subject.target)) {
		named_args.arg = &usual;
		named_args.n_args = 1;
	}
	good = good && prepare(&named_args, start) &&
		spec_args_fit(start->subject.spec,
			!start->network && tasktime_run_serves(start->stack, start->n_stacks),
			start->subject.target != NULL);
	str_split_free(named);
	return good;
}

/* What a lesson opens, and where its student has been. Nothing of it is kept in a session file: a lesson begins as it
 * is written. */
static bool
prepare_lesson(const struct options *options, const char *name, struct explore_lesson *lesson,
	struct explore_start *start)
{
	struct lesson_line line = {0};
	struct err e = {0};
	char *path;
	bool good;

	lesson->lesson = lesson_args_load(options, name);
	if (!lesson->lesson)
		return false;
	path = lesson_answers_path(lesson->lesson->name, false);
	lesson->answers = lesson_answers_read(lesson->lesson, path, &e);
	free(path);
	if (!lesson->answers || !lesson_model_place(lesson->lesson, &e))
		return print_failed(&e);
	good = lesson_line_make(lesson->lesson, NULL, &line) && prepare_named(&line.options, start);
	lesson_line_free(&line);
	if (!good)
		return lesson_line_blame(lesson->lesson);
	if (start->model && lesson->lesson->begin.kind == LESSON_FEATURES)
		lesson_features(&lesson->lesson->begin, start->model, &start->on);
	start->kept = NULL;
	start->make = false;
	return true;
}

/* Says what to do without a terminal, or that the first argument names nothing. */
static bool
refuse_no_terminal(const struct options *options, bool lesson)
{
	const char *arg = options->n_args && !lesson ? options->arg[0] : NULL;
	bool diff = cmd_diff_is_shown(options);
	bool named = arg && !diff && !simulation_is(arg) && !file_has_ending(arg, ".lesson");
	enum text_kind kind;
	struct err e = {0};

	if (named && !text_kind_of(arg, &kind, &e)) {
		if (access(arg, F_OK) != 0)
			return print_failed(&e);
		named = false; /* data alone */
	}
	err_set(&e, "the explorer needs a terminal");
	if (named)
		shell_hint(&e, options->argv ? "without one: hecate %s %s -- CMD" : "without one: hecate %s %s DATA",
			text_command(kind), arg);
	else
		err_hint(&e, diff ? "without one, leave out -i"
				  : "without one, use a subcommand: hecate check MODEL -- CMD, or hecate --help");
	return print_failed(&e);
}

bool
cmd_explore_prepare(const struct options *options, struct explore_lesson *lesson, struct explore_start *start)
{
	const struct explore_options none = {0}, *own = cmd_diff_is_shown(options) ? &none : options->own;
	struct watch_args w;

	*start = (struct explore_start){.runs = options->runs ? options->runs : 1, .look.theme = own->theme};
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return refuse_no_terminal(options, own->lesson);
	if (!cmd_explore_configure(start) || (own != &none && !watch_args_take(options, &w)))
		return false;
	start->look.no_motion |= own->no_motion;
	start->look.ascii |= options->ascii;
	start->look.no_mouse |= own->no_mouse;
	if (options->color)
		start->look.color = str_eq(options->color, "always") ? COLOR_ALWAYS
			: str_eq(options->color, "never")   ? COLOR_NEVER
						      : COLOR_AUTO;
	if (own == &none)
		return cmd_diff_prepare(options, start);
	take_watched(&w, start);
	if (lesson->next)
		return prepare_lesson(options, lesson->next, lesson, start);
	if (own->lesson || (options->n_args == 1 && file_has_ending(options->arg[0], ".lesson")))
		return prepare_lesson(options, options->arg[0], lesson, start);
	if (!prepare_named(options, start))
		return false;
	for (size_t i = options->n_args; i-- > 0;) /* a session file when its first picture is there */
		if (access(options->arg[i], F_OK) == 0 && !recording_is(options->arg[i]))
			recent_add(options->arg[i]);
	return true;
}
