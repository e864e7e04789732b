#include "cli/watch_args.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/number_list.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "work/files/simulation_text.h"
#include "work/run/spec_run.h"

#define USUAL_INTERVAL 100 /* milliseconds */
#define USUAL_SAMPLES 60

static bool
watch_args_take_numbers(
	const char *option, const char *text, bool ranges, int least, int most, struct watch_args *w, struct err *e)
{
	struct err why;

	if (number_list_parse(text, ranges, least, most, &w->id, &w->target.n, &why)) {
		w->target.id = w->id;
		return true;
	}
	err_set(e, "%s: %s", option, why.what);
	return err_hint(e, "for instance: %s %s", option, ranges ? "0,2-3" : "1234 or 1234,1235");
}

static bool
take_target(const struct options *o, struct watch_args *w, struct err *e)
{
	int kinds = (o->pids != NULL) + (o->tids != NULL) + (o->all_cpus || o->cpus);

	if (kinds == 0)
		return true;
	if (kinds > 1) {
		err_set(e, "-p watches processes, -t threads, -a and -C the machine");
		return err_hint(e, "choose one of them");
	}
	w->has_target = true;
	if (o->argv && !((o->all_cpus || o->cpus) && (o->command->bit & (C_NET | C_STACK | C_RECORD)))) {
		err_set(e, "%s watches what runs already, and %s is a command to run",
			o->pids           ? "-p"
				: o->tids ? "-t"
				: o->cpus ? "-C"
					  : "-a",
			o->argv[0]);
		return err_hint(e, "give one of the two; --duration S says how long to watch");
	}
	if (o->runs > 1 && !o->argv && !o->spec) {
		err_set(e, "-r repeats a command, and there is none");
		return err_hint(e, "--samples N says how many samples to take");
	}
	if (o->pids) {
		w->target.kind = SOURCE_PROCESSES;
		return watch_args_take_numbers("-p", o->pids, false, 1, INT_MAX, w, e);
	}
	if (o->tids) {
		w->target.kind = SOURCE_THREADS;
		return watch_args_take_numbers("-t", o->tids, false, 1, INT_MAX, w, e);
	}
	w->target.kind = SOURCE_CPUS;
	return !o->cpus || watch_args_take_numbers("-C", o->cpus, true, 0, NUMBER_LIST_MOST, w, e);
}

/* The explorer watches a simulated machine among the data. */
static bool
watches_simulated(const struct options *o)
{
	bool some = false;

	for (size_t i = 0; i < o->n_args; i++)
		some |= simulation_is(o->arg[i]);
	return some && !*o->command->name;
}

static bool
take_limits(const struct options *o, struct watch_args *w, struct err *e)
{
	bool explorer = !*o->command->name, runs = o->argv || watches_simulated(o);
	const char *idle = o->interval ? "-I" : o->samples ? "--samples" : o->duration > 0 ? "--duration"
		: o->rotation ? "--rotation" : o->watch ? "--watch" : NULL;

	w->sampling.interval_ms = o->interval                                ? (unsigned)o->interval
		: (w->has_target && !o->argv) || (explorer && runs) ? USUAL_INTERVAL
								    : 0;
	w->sampling.samples = o->samples;
	w->sampling.duration = o->duration;
	w->sampling.rotation_given = o->rotation != NULL;
	if (o->rotation)
		simulation_rotation(o->rotation, &w->sampling.rotation); /* one of the option's words */
	/* The explorer and a search with --watch sample until they are stopped. */
	if (w->has_target && !o->argv && !explorer && !o->watch && !w->sampling.samples && !(w->sampling.duration > 0))
		w->sampling.samples = USUAL_SAMPLES;
	if (idle && !w->has_target && !runs && !o->spec) {
		err_set(e, "%s is about counting here and now, and nothing to count is given", idle);
		return err_hint(e, "add -p PID, -a, or a command after --");
	}
	if (w->sampling.samples && !w->sampling.interval_ms && !o->spec) {
		err_set(e, "--samples needs an interval: without one a command gives exact totals and no samples");
		return err_hint(e, "for instance: -I 100 --samples %zu", w->sampling.samples);
	}
	return true;
}

/* "bind:2" */
static bool
take_memory(const struct options *o, struct spec_program *p, struct err *e)
{
	const char *colon = strchr(o->memory, ':');
	size_t n = colon ? (size_t)(colon - o->memory) : 0;
	struct err why = {0};

	for (int i = SPEC_MEMORY_BIND; i <= SPEC_MEMORY_INTERLEAVE && n; i++)
		if (strlen(spec_memory_name((enum spec_memory)i)) == n &&
			strncmp(spec_memory_name((enum spec_memory)i), o->memory, n) == 0)
			p->memory = (enum spec_memory)i;
	if (p->memory == SPEC_MEMORY_ANY) {
		err_set(e, "--memory takes bind:, prefer: or interleave: and numbers of nodes, not %s", o->memory);
		return err_hint(e, "for instance: --memory bind:2");
	}
	if (!number_list_parse(colon + 1, true, 0, SPEC_NUMBER_MAX, &p->nodes.at, &p->nodes.n, &why))
		return err_set(e, "--memory: %s", why.what),
		       err_hint(e, "for instance: --memory %.*s:1", (int)n, o->memory);
	if (p->memory == SPEC_MEMORY_PREFER && p->nodes.n != 1)
		return err_set(e, "--memory prefer: takes one node, not %zu", p->nodes.n);
	return true;
}

/* Reads the cores and memory of the command. False and *e when the machine does not have them. */
static bool
take_place(const struct options *o, struct watch_args *w, struct err *e)
{
	const char *option = o->pin ? "--pin" : "--memory";
	struct profile_spec alone = {.program = &w->place, .n_programs = 1};
	struct err why = {0};

	w->placed = o->pin || o->memory;
	if (!w->placed)
		return true;
	if (o->spec) {
		err_set(e, "%s is for a command after --; %s says where its programs run", option, o->spec);
		return err_hint(e, "cores and memory of a program stand in the file");
	}
	if (!o->argv) {
		err_set(e, "%s says where a command runs, and there is none", option);
		return err_hint(e,
			o->pin ? "-C watches CPUs, whatever runs there; a command stands after --"
			       : "a command stands after --");
	}
	w->place.name = o->argv[0];
	w->place.times = 1;
	if (o->pin && !number_list_parse(o->pin, true, 0, SPEC_NUMBER_MAX, &w->place.cores.at, &w->place.cores.n, &why))
		return err_set(e, "--pin: %s", why.what), err_hint(e, "for instance: --pin 0,2-3");
	return (!o->memory || take_memory(o, &w->place, e)) && programs_fit(&alone, e);
}

bool
watch_args_take(const struct options *o, struct watch_args *w)
{
	struct err e = {0};

	*w = (struct watch_args){0};
	if (take_target(o, w, &e) && take_limits(o, w, &e) && take_place(o, w, &e))
		return true;
	print_failure(&e);
	return false;
}

void
watch_args_free(struct watch_args *w)
{
	free(w->id);
	free(w->place.cores.at);
	free(w->place.nodes.at);
	*w = (struct watch_args){0};
}
