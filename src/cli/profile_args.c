#include "cli/profile_args.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/tree_args.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "text/diag.h"
#include "work/files/recording.h"
#include "work/run/tasktime_run.h"

/* Takes over both. */
static bool
add_stack(struct stack *stack, struct text *text, struct profile_args *args)
{
	struct err e = {0};

	for (size_t i = 0; i < args->n_stacks; i++)
		if (str_eq(args->stack[i]->name, stack->name)) {
			err_set(&e, "the stack %s is given twice", stack->name);
			err_hint(&e, "methods that are compared need different names");
			stack_free(stack);
			text_free(text);
			return print_failed(&e);
		}
	args->stack = mem_resize(args->stack, args->n_stacks + 1, sizeof(struct stack *));
	args->stack_text = mem_resize(args->stack_text, args->n_stacks + 1, sizeof *args->stack_text);
	args->stack_text[args->n_stacks] = *text;
	args->stack[args->n_stacks++] = stack;
	return true;
}

/* Takes over the text. False after a message. */
static bool
profile_args_take_text(const struct options *options, struct text *text, enum text_kind kind, struct profile_args *args)
{
	struct stack *stack = NULL;
	struct diags d = {0};

	if (kind == TEXT_NETWORK)
		args->network = text_network(text, &d);
	else
		stack = text_stack(text, &d);
	print_diagnostics(options, &d);
	diags_free(&d);
	if (kind == TEXT_NETWORK) {
		args->network_text = *text;
		return args->network != NULL;
	}
	if (stack)
		return add_stack(stack, text, args);
	text_free(text);
	return false;
}

/* From a file, or by name. */
static bool
load_text(const struct options *o, const char *arg, enum text_kind kind, struct profile_args *p)
{
	struct text text = {0};
	struct err e = {0};

	if (text_load(arg, kind, &text, &e))
		return profile_args_take_text(o, &text, kind, p);
	text_free(&text);
	return print_failed(&e);
}

/* The tree of a family that fits the data after the argument. */
static bool
load_tree(const struct options *o, size_t argument, struct profile_args *p)
{
	struct obs_table **table = mem_new_array(o->n_args - argument - 1, sizeof(struct obs_table *));
	char *name = tree_args_choose(o, argument + 1, table);
	bool good = name && load_text(o, name, TEXT_STACK, p);

	for (size_t i = 0; i < o->n_args - argument - 1; i++)
		obs_table_free(table[i]);
	free(table);
	free(name);
	return good;
}

static bool
is_family(const char *arg)
{
	char **trees = tree_args_family(arg);

	str_split_free(trees);
	return trees != NULL;
}

/* The time of tasks comes from records, everything else from counters. A bar cannot combine them. */
static bool
goes_with(struct stack *a, struct stack *b)
{
	return tasktime_run_serves(&a, 1) == tasktime_run_serves(&b, 1);
}

/* Leaves out a stack of a session file that does not go with the last one, and names it. */
static void
keep_together(const struct options *options, const char *arg, struct profile_args *args, size_t first)
{
	size_t last = args->n_stacks - 1;

	if (args->n_stacks <= first + 1 || goes_with(args->stack[first], args->stack[last]))
		return;
	if (!options->quiet) {
		struct str words = {0};

		shell_add_file(&words, args->stack_text[last].path);
		str_addc(&words, ' ');
		shell_add_file(&words, arg);
		log_line(NULL, "%s: left out the stack %s, which cannot be shown next to %s: hecate %s opens it", arg,
			args->stack[last]->name, args->stack[first]->name, str_text(&words));
		str_free(&words);
	}
	stack_free(args->stack[last]);
	text_free(&args->stack_text[last]);
	args->n_stacks--;
}

/* All stacks of a session file, in the order in which it keeps them. */
static bool
load_stored_stacks(const struct options *options, const char *arg, struct profile_args *args)
{
	size_t first = args->n_stacks, n;
	struct text *text;
	struct err e = {0};
	bool good = recording_load_texts(arg, TEXT_STACK, &text, &n, &e) || print_failed(&e);

	if (!good)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!good)
			text_free(&text[i]);
		else if ((good = profile_args_take_text(options, &text[i], TEXT_STACK, args)))
			keep_together(options, arg, args, first);
	free(text);
	return good;
}

/* Loads a network unless there is one, and stacks unless there are some. */
static bool
load_stored(const struct options *o, const char *arg, struct profile_args *p)
{
	bool good = p->network || !recording_holds(arg, TEXT_NETWORK) || load_text(o, arg, TEXT_NETWORK, p);

	return good && (p->n_stacks || load_stored_stacks(o, arg, p));
}

/* "STACK,STACK". At least one name must be known as a stack, so that the message about the other one is about stacks.
 * If a file with this name exists, the comma is part of its name. */
static bool
profile_args_is_list(const char *arg)
{
	bool some = false;
	char **name;

	if (!strchr(arg, ',') || access(arg, F_OK) == 0)
		return false;
	name = str_split(arg, ',', NULL);
	for (size_t i = 0; name[i] && !some; i++) {
		enum text_kind kind;
		struct err e = {0};

		some = *name[i] && text_kind_of(name[i], &kind, &e) && kind == TEXT_STACK;
	}
	str_split_free(name);
	return some;
}

static bool
load_list(const struct options *o, const char *arg, struct profile_args *p)
{
	char **name = str_split(arg, ',', NULL);
	bool good = true;

	for (size_t i = 0; name[i] && good; i++)
		good = load_text(o, name[i], TEXT_STACK, p);
	str_split_free(name);
	return good;
}

/* True when the argument is a network or stacks, of a kind that is not loaded yet. A session file brings the kinds that
 * it has; it is data otherwise. */
static bool
is_profile(const char *arg, const struct profile_args *args, enum text_kind *kind)
{
	struct err e = {0};

	if (profile_args_is_list(arg)) {
		*kind = TEXT_STACK;
		return true;
	}
	if (!text_kind_of(arg, kind, &e)) {
		*kind = TEXT_STACK;
		return !args->n_stacks && is_family(arg);
	}
	return (*kind == TEXT_NETWORK && !args->network) ||
		(*kind == TEXT_STACK && (!args->n_stacks || !recording_is(arg)));
}

static bool
stand_together(const struct profile_args *args)
{
	struct err e = {0};
	size_t alone = 0;

	while (alone < args->n_stacks && !tasktime_run_serves(&args->stack[alone], 1))
		alone++;
	if (alone == args->n_stacks || tasktime_run_serves(args->stack, args->n_stacks))
		return true;
	err_set(&e, "the stack %s is about the time of tasks, which no counter counts, so it cannot be combined",
		args->stack[alone]->name);
	err_hint(&e, "open it alone, and the others without it");
	return print_failed(&e);
}

bool
profile_args_are(const struct options *o)
{
	enum text_kind kind;

	return o->n_args && is_profile(o->arg[0], &(struct profile_args){0}, &kind);
}

bool
profile_args_load(const struct options *options, struct profile_args *args)
{
	enum text_kind kind;

	*args = (struct profile_args){0};
	for (; args->first_data < options->n_args && is_profile(options->arg[args->first_data], args, &kind);
		args->first_data++) {
		const char *arg = options->arg[args->first_data];
		bool file = recording_is(arg);

		if (!(file ? load_stored(options, arg, args) : profile_args_is_list(arg) ? load_list(options, arg, args)
				: kind == TEXT_STACK && is_family(arg) ? load_tree(options, args->first_data, args)
				: load_text(options, arg, kind, args)))
			return false;
		if (file)
			break;
	}
	if (args->network && !args->n_stacks && args->network->stack &&
		!load_text(options, args->network->stack, TEXT_STACK, args))
		return false;
	return stand_together(args);
}

void
profile_args_free(struct profile_args *p)
{
	network_free(p->network);
	for (size_t i = 0; i < p->n_stacks; i++) {
		stack_free(p->stack[i]);
		text_free(&p->stack_text[i]);
	}
	free(p->stack);
	free(p->stack_text);
	text_free(&p->network_text);
}
