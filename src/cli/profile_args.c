#include "cli/profile_args.h"

#include "app/recording.h"
#include "base/err.h"
#include "cli/options.h"
#include "cli/work.h"
#include "core/lang/diag.h"
#include "core/network/network.h"
#include "core/stack/stack.h"

/* From a file, by name, or out of a session file. False when it was said what is wrong. */
static bool
load_text(const struct options *o, const char *arg, enum session_text kind, struct profile_args *p)
{
	struct text *text = kind == SESSION_NETWORK ? &p->network_text : &p->stack_text;
	struct diags d = {0};
	struct err e = {0};

	if (!text_load(arg, kind, text, &e))
		return work_fail(&e) == 0;
	if (kind == SESSION_NETWORK)
		p->network = text_network(text, &d);
	else
		p->stack = text_stack(text, &d);
	work_say_diagnostics(o, &d);
	diags_free(&d);
	return kind == SESSION_NETWORK ? p->network != NULL : p->stack != NULL;
}

/* Is the argument a network or a stack, and not one of a kind that is there already? */
static bool
is_profile(const char *arg, const struct profile_args *p, enum session_text *kind)
{
	struct err e = {0};

	return text_kind_of(arg, kind, &e) && ((*kind == SESSION_NETWORK && !p->network) || (*kind == SESSION_STACK && !p->stack));
}

bool
profile_args_are(const struct options *o)
{
	enum session_text kind;

	return o->n_args && is_profile(o->arg[0], &(struct profile_args){0}, &kind);
}

bool
profile_args_load(const struct options *o, struct profile_args *p)
{
	enum session_text kind;

	*p = (struct profile_args){0};
	for (; p->first_data < o->n_args && is_profile(o->arg[p->first_data], p, &kind); p->first_data++) {
		const char *arg = o->arg[p->first_data];
		bool file = recording_is(arg);

		if (!load_text(o, arg, kind, p))
			return false;
		if (file && kind == SESSION_NETWORK && !p->stack && recording_holds(arg, SESSION_STACK) && !load_text(o, arg, SESSION_STACK, p))
			return false;
		if (file)
			break;
	}
	return !p->network || p->stack || !p->network->stack || load_text(o, p->network->stack, SESSION_STACK, p);
}

void
profile_args_free(struct profile_args *p)
{
	network_free(p->network);
	stack_free(p->stack);
	text_free(&p->network_text);
	text_free(&p->stack_text);
}
