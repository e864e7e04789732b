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
#include "cli/counting.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/profile_args.h"
#include "cli/reading.h"
#include "cli/spec_args.h"
#include "cli/trust_args.h"
#include "cli/watch_args.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "explorer/autosave/autosave.h"
#include "explorer/state/explore_start.h"
#include "work/files/files.h"
#include "work/files/recording.h"
#include "work/files/simulation_text.h"
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
watch_simulated(const struct options *o, size_t first, struct explore_start *x, size_t *at)
{
	struct err e = {0};

	*at = SIZE_MAX;
	for (size_t i = first; i < o->n_args && *at == SIZE_MAX && !x->subject.argv && !x->subject.target; i++)
		if (simulation_is(o->arg[i]))
			*at = i;
	if (*at == SIZE_MAX)
		return true;
	x->subject.argv = mem_new_array(2, sizeof *x->subject.argv);
	x->subject.argv[0] = simulation_watched(o->arg[*at], &e);
	x->given |= AUTOSAVE_COMMAND;
	return x->subject.argv[0] || print_failed(&e);
}

static bool
read_tables(const struct options *o, size_t first, struct obs_table *(*read)(const struct options *, const char *path),
	struct explore_start *x)
{
	size_t n = o->n_args - first, watched;

	x->table = mem_new_array(n, sizeof *x->table);
	if (!watch_simulated(o, first, x, &watched))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (first + i == watched)
			continue;
		x->table[x->n_tables] = read(o, o->arg[first + i]);
		if (!x->table[x->n_tables])
			return false;
		x->n_tables++;
	}
	if (x->n_tables) {
		const char *slash = strrchr(o->arg[first], '/');

		x->data_name = n == 1 && watched == SIZE_MAX ? mem_str(slash ? slash + 1 : o->arg[first])
							     : str_format("%zu files", x->n_tables);
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
choose_file(const struct options *o, struct explore_start *x)
{
	struct err e = {0};

	for (size_t i = 0; i < o->n_args && !x->kept; i++)
		if (recording_is(o->arg[i]))
			x->kept = o->arg[i];
	if (!o->output)
		return true;
	x->kept = o->output;
	x->make = true;
	if (access(o->output, F_OK) != 0)
		return true;
	err_set(&e, "%s exists already, but -o makes a new session file", o->output);
	if (recording_is(o->output))
		shell_hint(&e, "hecate %s continues that session; hecate import -o %s DATA adds data to it", o->output,
			o->output);
	else
		err_hint(&e, "give another name; hecate overwrites no file");
	return print_failed(&e);
}

/* Loads the programs of a specification. If the arguments name nothing that can be opened, *named is what the file
 * names (the caller frees the array), otherwise NULL. */
static bool
take_spec(const struct options *o, struct explore_start *x, char ***named, size_t *n)
{
	bool good;

	*named = NULL;
	x->subject.spec = spec_args_load(o, &good);
	if (!x->subject.spec)
		return good;
	if (!counting_flows_fit(o, true, true))
		return false;
	x->subject.spec_file = mem_str(o->spec);
	x->sampling.interval_ms = (unsigned)fmin(fmax(x->subject.spec->granularity * 1e3, 1), 1e9);
	/* data follow a model */
	for (size_t i = 0; i < o->n_args && (i == 0 || !x->subject.spec->model); i++)
		if (!spec_args_allow(x->subject.spec, o->arg[i]))
			return false;
	if (o->n_args)
		return true;
	*named = spec_args_open(x->subject.spec, n);
	return *named != NULL;
}

static bool
prepare_profile(const struct options *o, struct explore_start *x)
{
	struct profile_args p;
	struct err e = {0};
	bool good = profile_args_load(o, &p);

	x->network = p.network;
	x->stack = p.stack;
	x->n_stacks = p.n_stacks;
	x->network_text = p.network_text;
	x->stack_text = p.stack_text;
	if (!good || !trust_args_page(o, &x->trust))
		return false;
	x->subject.follows_flows = o->flows;
	if (o->flows && !x->network) {
		err_set(&e, "--flows needs a network, which says where requests go");
		err_hint(&e, "for instance: hecate linux-vm --flows");
		return print_failed(&e);
	}
	if (o->argv)
		x->subject.argv = copy_command(o->argv);
	x->given = o->argv || x->subject.target || x->subject.spec ? AUTOSAVE_COMMAND : 0;
	if (!o->interval && !x->subject.spec)
		x->sampling.interval_ms = PROFILE_MS;
	return read_tables(o, p.first_data, reading_open, x);
}

/* Without a file or name to open, reports what to do, unless the start screen asks. */
static bool
prepare_start(const struct options *o, const struct explore_start *x)
{
	struct err e = {0};

	if (o->argv || x->subject.target) {
		err_set(&e, "which model is to be used for %s?", o->argv ? "the command" : "it");
		if (o->argv)
			shell_hint(&e, "for instance: hecate linux-page-faults -- %s", o->argv[0]);
		else
			err_hint(&e, "the model comes first: hecate linux-page-faults -a");
		return print_failed(&e);
	}
	if (o->output) {
		err_set(&e, "-o FILE keeps a session, so it needs a model, a network or a stack");
		err_hint(&e, "for instance: hecate -o FILE linux-page-faults DATA");
		return print_failed(&e);
	}
	return true;
}

/* Reads tables of repeated runs: view 0 shows them. */
static bool
prepare_repeated(const struct options *o, struct explore_start *x)
{
	struct err e = {0};

	if (o->argv || x->subject.target) {
		err_set(&e, "%s has recorded runs, which no command joins", o->arg[0]);
		err_hint(&e, "leave the command out: hecate %s", o->arg[0]);
		return print_failed(&e);
	}
	if (o->output) {
		err_set(&e, "-o FILE keeps a session; recorded runs stay in their own file");
		err_hint(&e, "leave -o out; hecate determinism %s -o FILE writes the judgement", o->arg[0]);
		return print_failed(&e);
	}
	if (!trust_args_page(o, &x->trust))
		return false;
	x->repeated = trust_table_read(o->arg, o->n_args, o->expected, &e);
	return x->repeated || print_failed(&e);
}

/* A machine to probe: view 9 shows it. */
static bool
prepare_probes(const struct options *o, struct explore_start *x)
{
	struct err e = {0};
	struct probe_machine *m;

	if (o->argv || x->subject.target) {
		err_set(&e, "probes of %s run no command", o->arg[0]);
		err_hint(&e, "leave the command out: hecate %s", o->arg[0]);
		return print_failed(&e);
	}
	m = probe_machine_new(o->arg[0], NULL, &e);
	probe_machine_free(m);
	if (!m || !choose_file(o, x))
		return !m ? print_failed(&e) : false;
	x->subject.probed = mem_str(o->arg[0]);
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

static bool
prepare(const struct options *o, struct explore_start *x)
{
	struct err e = {0};

	if (o->n_args == 1 && simulation_is(o->arg[0]))
		return prepare_probes(o, x);
	if (o->n_args == 1 && !o->argv && has_only_curves(o->arg[0]))
		return choose_file(o, x);
	if (o->n_args == 0 && !o->expected)
		return prepare_start(o, x);
	if (o->n_args && file_is_path(o->arg[0]) && trust_table_kind_of(o->arg[0]) != TRUST_TABLE_NONE)
		return prepare_repeated(o, x);
	if (o->expected) {
		err_set(&e, "--expected belongs to a table of repeated runs");
		err_hint(&e, "name it first: hecate RUNS.csv --expected %s", o->expected);
		return print_failed(&e);
	}
	if (!choose_file(o, x))
		return false;
	if (profile_args_are(o))
		return prepare_profile(o, x);
	x->given = autosave_given_by(o->variant || o->features || o->without, o->confidence != CONFIDENCE_DEFAULT,
			   o->region, o->counters, o->observations, o->family_wise || o->one_by_one, o->split_phases) |
		(o->argv || x->subject.target || x->subject.spec ? AUTOSAVE_COMMAND : 0);
	if (o->flows) {
		err_set(&e, "--flows needs a network, which says where requests go; %s is a model", o->arg[0]);
		err_hint(&e, "for instance: hecate linux-vm --flows");
		return print_failed(&e);
	}
	x->model = model_args_load(o, &x->bundle);
	if (!x->model || !model_args_choose(o, x->model, &x->on) || !model_args_analysis(o, x->model, &x->how) ||
		!trust_args_page(o, &x->trust))
		return false;
	if (o->argv)
		x->subject.argv = copy_command(o->argv);
	return read_tables(o, reading_first(o), reading_table, x);
}

bool
cmd_explore_prepare(const struct options *o, struct explore_start *x)
{
	const struct explore_options *own = o->own;
	struct options named_args = *o;
	struct watch_args w;
	struct err e = {0};
	char **named;
	bool good;

	*x = (struct explore_start){.runs = o->runs,
		.theme = own->theme,
		.no_motion = own->no_motion,
		.ascii = o->ascii,
		.no_mouse = own->no_mouse};
	if (o->color)
		x->color = str_eq(o->color, "always") ? COLOR_ALWAYS
			: str_eq(o->color, "never")   ? COLOR_NEVER
						      : COLOR_AUTO;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(&e, "the explorer needs a terminal");
		err_hint(&e, "without one, use a subcommand: hecate check MODEL -- CMD, or hecate --help");
		return print_failed(&e);
	}
	if (!watch_args_take(o, &w))
		return false;
	take_watched(&w, x);
	good = take_spec(o, x, &named, &named_args.n_args);
	if (named)
		named_args.arg = named;
	good = good && prepare(&named_args, x) &&
		spec_args_fit(x->subject.spec, !x->network && tasktime_run_serves(x->stack, x->n_stacks),
			x->subject.target != NULL);
	str_split_free(named);
	return good;
}
