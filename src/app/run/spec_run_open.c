/* The counters of a profile: which part of them each program has, and what is counted of the machine. */
#include "app/run/spec_run_state.h"

#include <math.h>
#include <stdlib.h>

#include "app/run/counter_list.h"
#include "base/mem.h"
#include "base/str.h"

/* True when a process can have this count; otherwise the machine has it, and it is counted once. */
static bool
is_of_process(enum scope s)
{
	switch (s) {
	case SCOPE_TASK:
	case SCOPE_THREAD:
	case SCOPE_CORE:
		return true;
	case SCOPE_SLICE:
	case SCOPE_CHANNEL:
	case SCOPE_SOCKET:
	case SCOPE_DEVICE:
	case SCOPE_SYSTEM:
	case SCOPES:
		break;
	}
	return false;
}

enum share { ALL, OF_PROCESSES, OF_MACHINE };

/* Which counters a part opens: a model's are all of the process. NULL and *e: a name that was picked is unknown; *some:
 * there are any. */
static bool *
choose(const struct spec_run *r, const struct counter_list *c, enum share which, bool *some, struct err *e)
{
	bool *chosen = r->picked ? counter_list_pick(c, r->picked, e) : mem_new_array(c->n, sizeof *chosen);

	*some = false;
	for (size_t i = 0; chosen && i < c->n; i++) {
		bool wanted = r->picked ? chosen[i] : true;

		chosen[i] = wanted &&
			(which == ALL || c->kind == TEXT_MODEL ||
				is_of_process(c->counter[i].scope) == (which == OF_PROCESSES));
		*some |= chosen[i] && !c->counter[i].why;
	}
	return chosen;
}

/* The interval of rows, ms. In aggregated mode processes have exact totals, and CPUs one row at the end. */
static unsigned
interval_of(const struct spec_run *r, bool machine)
{
	double ms = fmin(fmax(r->opt.spec->granularity * 1e3, 1), 1e9);

	return r->opt.spec->mode == SPEC_AGGREGATED && !machine ? 0 : (unsigned)ms;
}

static void
add_part(struct spec_run *r, struct counters_run *l, size_t program)
{
	r->part = mem_resize(r->part, r->n + 1, sizeof *r->part);
	r->part[r->n++] = (struct spec_part){.live = l, .program = program};
}

/* Adds a part that is not open yet. True, with *made false, when it would count nothing. */
static bool
make_live(struct spec_run *r, size_t program, enum share which, bool *made, struct err *e)
{
	static const struct source_target machine = {.kind = SOURCE_CPUS};
	bool of_machine = program == SPEC_RUN_NONE, some = false;
	struct counters_run_options how = {.ops = r->opt.ops,
		.keep = r->keep,
		.by_hand = true,
		.out_fd = -1,
		.err_fd = -1,
		.interval_ms = interval_of(r, of_machine),
		.folds = r->opt.folds,
		.peeked = r->opt.peeked};
	struct counter_list *c = r->opt.counters(r->opt.ctx, e);
	bool *chosen = c ? choose(r, c, which, &some, e) : NULL;
	struct str name = {0}, plain = {0};

	*made = false;
	if (!chosen || (!some && which != ALL)) {
		counter_list_free(c);
		free(chosen);
		return chosen != NULL;
	}
	how.counter = chosen;
	if (of_machine) {
		how.target = r->opt.target ? r->opt.target : &machine;
		spec_run_name_again(r, r->opt.spec->name, &name);
	} else {
		how.argv = (char *const *)(uintptr_t)programs_at(r->programs, program)->of->argv;
		how.held = programs_child(r->programs, program);
		spec_run_name(r, program, &plain);
		spec_run_name_again(r, str_text(&plain), &name);
	}
	how.name = str_text(&name);
	add_part(r, counters_run_new_of(c, &how), program);
	r->part[r->n - 1].counts_rows = how.interval_ms != 0;
	str_free(&plain);
	str_free(&name);
	free(chosen);
	return *made = true;
}

/* Opens the counters of the machine. If that is not permitted, the programs are counted without them. */
static bool
open_machine(struct spec_run *r, struct err *e)
{
	struct err why = {0};
	bool made;

	if (!make_live(r, SPEC_RUN_NONE, r->opt.target ? ALL : OF_MACHINE, &made, e))
		return false;
	if (!made || counters_run_open(r->part[r->n - 1].live, &why))
		return true;
	if (r->opt.target) {
		if (e)
			*e = why;
		return false;
	}
	r->machine_why = why;
	counters_run_free(r->part[--r->n].live);
	return true;
}

static bool
open_programs(struct spec_run *r, enum share which, struct err *e)
{
	bool made;

	for (size_t i = 0; i < programs_n(r->programs); i++)
		if (!make_live(r, i, which, &made, e) || (made && !counters_run_open(r->part[r->n - 1].live, e)))
			return false;
	return true;
}

bool
spec_run_open(struct spec_run *r, struct err *e)
{
	bool several = programs_n(r->programs) > 1;
	struct counter_list *c;

	if (!r->opt.counters)
		return true;
	if (r->opt.target)
		return open_machine(r, e);
	if (!open_programs(r, several ? OF_PROCESSES : ALL, e))
		return false;
	if (!several)
		return true;
	c = r->opt.counters(r->opt.ctx, e);
	r->state.whole = c && c->kind != TEXT_MODEL;
	r->common = r->state.whole && r->opt.spec->mode == SPEC_CONTINUOUS;
	counter_list_free(c);
	return !r->state.whole || open_machine(r, e);
}
