/* The explorer's command line: model, data and command; the screen itself is ui's. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/keep.h"
#include "app/recording.h"
#include "app/stall_run.h"
#include "app/start.h"
#include "app/texts.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"
#include "core/lang/diag.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"

#define PROFILE_MS 250 /* numbers in tables change four times a second at most (docs/screens.md) */

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

static bool
read_tables(const struct options *o, size_t first, struct explore_start *x)
{
	size_t n = o->n_args - first;

	x->table = mem_new_array(n, sizeof *x->table);
	for (size_t i = 0; i < n; i++) {
		x->table[i] = work_read_data(o, o->arg[first + i]);
		if (!x->table[i])
			return false;
		x->n_tables++;
	}
	if (n) {
		const char *slash = strrchr(o->arg[first], '/');

		x->data_name = n == 1 ? mem_str(slash ? slash + 1 : o->arg[first]) : str_format("%zu files", n);
	}
	return true;
}

/* What is to be watched moves over. */
static void
take_live(struct work_live *w, struct explore_start *x)
{
	x->interval_ms = w->interval_ms;
	x->samples = w->samples;
	x->duration = w->duration;
	if (w->has_target)
		x->target = mem_copy(&w->target, sizeof w->target);
	else
		work_live_free(w);
}

/* The session goes on in the first session file among the arguments, or begins in the new one of -o. */
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
	err_set(&e, "%s is there already: -o makes a new session file", o->output);
	if (recording_is(o->output))
		err_hint(&e, "hecate %s goes on with it; hecate import -o %s DATA adds data to it", o->output, o->output);
	else
		err_hint(&e, "give another name; no file is overwritten");
	return work_fail(&e) == 0;
}

/* Takes both. */
static bool
add_stack(struct stack *stack, struct text *text, struct explore_start *x)
{
	struct err e = {0};

	for (size_t i = 0; i < x->n_stacks; i++)
		if (str_eq(x->stack[i]->name, stack->name)) {
			err_set(&e, "the stack %s is given twice", stack->name);
			err_hint(&e, "methods that stand beside each other need names of their own");
			stack_free(stack);
			text_free(text);
			return work_fail(&e) == 0;
		}
	x->stack = mem_resize(x->stack, x->n_stacks + 1, sizeof(struct stack *));
	x->stack_text = mem_resize(x->stack_text, x->n_stacks + 1, sizeof *x->stack_text);
	x->stack_text[x->n_stacks] = *text;
	x->stack[x->n_stacks++] = stack;
	return true;
}

/* A network or a stack, from a file, by name, or out of a session file. False when it was said what is wrong. */
static bool
load_text(const struct options *o, const char *arg, enum session_text kind, struct explore_start *x)
{
	struct text text = {0};
	struct stack *stack = NULL;
	struct diags d = {0};
	struct err e = {0};

	if (!text_load(arg, kind, &text, &e)) {
		text_free(&text);
		return work_fail(&e) == 0;
	}
	if (kind == SESSION_NETWORK)
		x->network = text_network(&text, &d);
	else
		stack = text_stack(&text, &d);
	work_say_diagnostics(o, &d);
	diags_free(&d);
	if (x->network && kind == SESSION_NETWORK) {
		x->network_text = text;
		return true;
	}
	if (stack)
		return add_stack(stack, &text, x);
	text_free(&text);
	return false;
}

/* "STACK,STACK": of which one at least is known as a stack, so that a word that is none is told as such. A file whose name has a comma is one file. */
static bool
is_list(const char *arg)
{
	bool some = false;
	char **name;

	if (!strchr(arg, ',') || access(arg, F_OK) == 0)
		return false;
	name = str_split(arg, ',', NULL);
	for (size_t i = 0; name[i] && !some; i++) {
		enum session_text kind;
		struct err e = {0};

		some = *name[i] && text_kind_of(name[i], &kind, &e) && kind == SESSION_STACK;
	}
	str_split_free(name);
	return some;
}

static bool
load_list(const struct options *o, const char *arg, struct explore_start *x)
{
	char **name = str_split(arg, ',', NULL);
	bool good = true;

	for (size_t i = 0; name[i] && good; i++)
		good = load_text(o, name[i], SESSION_STACK, x);
	str_split_free(name);
	return good;
}

/* Is the argument a network, where there is none yet, or stacks? A session file brings one of a kind that is not there; else it is data. */
static bool
is_profile(const char *arg, const struct explore_start *x, enum session_text *kind)
{
	struct err e = {0};

	if (is_list(arg)) {
		*kind = SESSION_STACK;
		return true;
	}
	return text_kind_of(arg, kind, &e) && ((*kind == SESSION_NETWORK && !x->network) || (*kind == SESSION_STACK && (!x->n_stacks || !recording_is(arg))));
}

/* Tasks have their time told by records, and everything else by counters: no bar has both. */
static bool
stand_together(const struct explore_start *x)
{
	struct err e = {0};
	size_t alone = 0;

	while (alone < x->n_stacks && !stall_run_serves(&x->stack[alone], 1))
		alone++;
	if (alone == x->n_stacks || stall_run_serves(x->stack, x->n_stacks))
		return true;
	err_set(&e, "the stack %s is of the time of tasks, which no counter tells: it stands alone", x->stack[alone]->name);
	err_hint(&e, "open it by itself, and the others without it");
	return work_fail(&e) == 0;
}

/* A network, stacks, or one behind the other; a session file is data too. */
static bool
prepare_profile(const struct options *o, struct explore_start *x)
{
	enum session_text kind;
	size_t n = 0;

	for (; n < o->n_args && is_profile(o->arg[n], x, &kind); n++) {
		if (!(is_list(o->arg[n]) ? load_list(o, o->arg[n], x) : load_text(o, o->arg[n], kind, x)))
			return false;
		if (recording_is(o->arg[n]))
			break;
	}
	if (x->network && !x->n_stacks && x->network->stack && !load_text(o, x->network->stack, SESSION_STACK, x))
		return false;
	if (!stand_together(x))
		return false;
	if (o->argv)
		x->argv = copy_command(o->argv);
	if (!o->interval)
		x->interval_ms = PROFILE_MS;
	return read_tables(o, n, x);
}

bool
cmd_explore_prepare(const struct options *o, struct explore_start *x)
{
	struct work_live w;
	enum session_text kind;
	struct err e = {0};

	*x = (struct explore_start){.runs = o->runs, .theme = o->theme, .no_motion = o->no_motion, .ascii = o->ascii, .no_mouse = o->no_mouse};
	if (o->color)
		x->color = str_eq(o->color, "always") ? COLOR_ALWAYS : str_eq(o->color, "never") ? COLOR_NEVER : COLOR_AUTO;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(&e, "the explorer needs a terminal");
		err_hint(&e, "without one, use a subcommand: hecate check MODEL -- CMD, or hecate --help");
		return work_fail(&e) == 0;
	}
	if (!work_live(o, &w))
		return false;
	take_live(&w, x);
	if (o->n_args == 0 && (o->argv || x->target)) {
		err_set(&e, "which model is %s to be watched under?", o->argv ? "the command" : "it");
		if (o->argv)
			err_hint(&e, "for instance: hecate linux-page-faults -- %s", o->argv[0]);
		else
			err_hint(&e, "the model comes first: hecate linux-page-faults -a");
		return work_fail(&e) == 0;
	}
	if (o->n_args == 0 && o->output) {
		err_set(&e, "-o FILE keeps a session, which needs a model");
		err_hint(&e, "for instance: hecate -o FILE linux-page-faults DATA");
		return work_fail(&e) == 0;
	}
	if (o->n_args == 0)
		return true;
	if (!choose_file(o, x))
		return false;
	if (is_profile(o->arg[0], x, &kind))
		return prepare_profile(o, x);
	x->given = keep_given_by(o->variant || o->features || o->without, o->confidence != CONFIDENCE_DEFAULT, o->region, o->counters, o->observations,
				 o->family_wise, o->split_phases) |
		   (o->argv || x->target ? KEEP_COMMAND : 0);
	x->model = work_load(o, &x->bundle);
	if (!x->model || !work_choose(o, x->model, &x->on) || !work_analysis_options(o, x->model, &x->how))
		return false;
	if (o->argv)
		x->argv = copy_command(o->argv);
	return read_tables(o, work_first_data(o), x);
}
