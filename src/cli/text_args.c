#include "cli/text_args.h"

#include "base/err.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "work/files/recording.h"
#include "work/run/counter_list.h"

static bool
text_args_parse(const struct options *options, struct text_args *args)
{
	struct diags d = {0};

	if (args->kind == TEXT_NETWORK)
		args->network = text_network(&args->text, &d);
	else
		args->stack = text_stack(&args->text, &d);
	print_diagnostics(options, &d);
	diags_free(&d);
	return args->network || args->stack;
}

bool
text_args_take_stack(const struct options *options, struct text text, struct text_args *args)
{
	*args = (struct text_args){.kind = TEXT_STACK, .text = text};
	return text_args_parse(options, args);
}

bool
text_args_load(const struct options *o, const char *name, struct text_args *s)
{
	struct err e = {0};

	*s = (struct text_args){0};
	if (!text_kind_of(name, &s->kind, &e))
		return print_failed(&e);
	if (s->kind != TEXT_MODEL && (o->variant || o->features || o->without)) {
		err_set(&e, "%s is no model, and only models have variants and features", name);
		err_hint(&e, "leave out --variant, --features and --without");
		return print_failed(&e);
	}
	if (s->kind != TEXT_MODEL)
		return text_load(name, s->kind, &s->text, &e) ? text_args_parse(o, s) : print_failed(&e);
	s->model = model_args_load_named(o, name, &s->bundle);
	return s->model && model_args_choose(o, s->model, &s->on);
}

void
text_args_free(struct text_args *s)
{
	udd_free(s->model);
	bundle_free(&s->bundle);
	network_free(s->network);
	stack_free(s->stack);
	text_free(&s->text);
}

struct counter_list *
text_args_counters(const struct text_args *args)
{
	switch (args->kind) {
	case TEXT_MODEL:
		return counter_list_of_model(args->model, &args->on);
	case TEXT_NETWORK:
		return counter_list_of_network(args->network, args->text.path);
	case TEXT_STACK:
		/* a single stack is always consistent */
		return counter_list_of_stacks((struct stack *[]){args->stack}, (char *[]){args->text.path}, 1, NULL);
	}
	return NULL;
}

struct recording *
text_args_record(const struct text_args *s, const char *path, const char *const *argv, struct err *e)
{
	if (s->kind == TEXT_MODEL)
		return recording_open(path, s->model, &s->bundle, argv, e);
	return recording_open_text(path, s->kind, s->network ? s->network->name : s->stack->name, &s->text, argv, e);
}
