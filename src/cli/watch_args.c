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
take_target(const struct options *options, struct watch_args *args, struct err *e)
{
	int kinds = (options->pids != NULL) + (options->tids != NULL) + (options->all_cpus || options->cpus);

	if (kinds == 0)
		return true;
	if (kinds > 1) {
		err_set(e, "-p watches processes, -t threads, -a and -C the machine");
		return err_hint(e, "choose one of them");
	}
	args->has_target = true;
	if (options->argv &&
		!((options->all_cpus || options->cpus) && (options->command->bit & (C_NET | C_STACK | C_RECORD)))) {
		err_set(e, "%s watches what runs already, and %s is a command to run",
			options->pids           ? "-p"
				: options->tids ? "-t"
				: options->cpus ? "-C"
					  : "-a",
			options->argv[0]);
		return err_hint(e, "give one of the two; --duration S says how long to watch");
	}
	if (options->runs > 1 && !options->argv && !options->spec) {
		err_set(e, "-r repeats a command, and there is none");
		return err_hint(e, "--samples N says how many samples to take");
	}
	if (options->pids) {
		args->target.kind = SOURCE_PROCESSES;
		return watch_args_take_numbers("-p", options->pids, false, 1, INT_MAX, args, e);
	}
	if (options->tids) {
		args->target.kind = SOURCE_THREADS;
		return watch_args_take_numbers("-t", options->tids, false, 1, INT_MAX, args, e);
	}
	args->target.kind = SOURCE_CPUS;
	return !options->cpus || watch_args_take_numbers("-C", options->cpus, true, 0, NUMBER_LIST_MOST, args, e);
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
take_limits(const struct options *options, struct watch_args *args, struct err *e)
{
	bool explorer = !*options->command->name, runs = options->argv || watches_simulated(options);
	const char *idle = options->interval ? "-I"
		: options->samples           ? "--samples"
		: options->duration > 0      ? "--duration"
		: options->rotation          ? "--rotation"
		: options->watch             ? "--watch"
					     : NULL;

	args->sampling.interval_ms = options->interval                                ? (unsigned)options->interval
		: (args->has_target && !options->argv) || (explorer && runs) ? USUAL_INTERVAL
								    : 0;
	args->sampling.samples = options->samples;
	args->sampling.duration = options->duration;
	args->sampling.rotation_given = options->rotation != NULL;
	if (options->rotation)
		simulation_rotation(options->rotation, &args->sampling.rotation); /* one of the option's words */
	/* The explorer and a search with --watch sample until they are stopped. */
	if (args->has_target && !options->argv && !explorer && !options->watch && !args->sampling.samples &&
		!(args->sampling.duration > 0))
		args->sampling.samples = USUAL_SAMPLES;
	if (idle && !args->has_target && !runs && !options->spec) {
		err_set(e, "%s is about counting here and now, and nothing to count is given", idle);
		return err_hint(e, "add -p PID, -a, or a command after --");
	}
	if (args->sampling.samples && !args->sampling.interval_ms && !options->spec) {
		err_set(e, "--samples needs an interval: without one a command gives exact totals and no samples");
		return err_hint(e, "for instance: -I 100 --samples %zu", args->sampling.samples);
	}
	return true;
}

/* "bind:2" */
static bool
take_memory(const struct options *options, struct spec_program *program, struct err *e)
{
	const char *colon = strchr(options->memory, ':');
	size_t n = colon ? (size_t)(colon - options->memory) : 0;
	struct err why = {0};

	for (int i = SPEC_MEMORY_BIND; i <= SPEC_MEMORY_INTERLEAVE && n; i++)
		if (strlen(spec_memory_name((enum spec_memory)i)) == n &&
			strncmp(spec_memory_name((enum spec_memory)i), options->memory, n) == 0)
			program->memory = (enum spec_memory)i;
	if (program->memory == SPEC_MEMORY_ANY) {
		err_set(e, "--memory takes bind:, prefer: or interleave: and numbers of nodes, not %s",
			options->memory);
		return err_hint(e, "for instance: --memory bind:2");
	}
	if (!number_list_parse(colon + 1, true, 0, SPEC_NUMBER_MAX, &program->nodes.at, &program->nodes.n, &why))
		return err_set(e, "--memory: %s", why.what),
		       err_hint(e, "for instance: --memory %.*s:1", (int)n, options->memory);
	if (program->memory == SPEC_MEMORY_PREFER && program->nodes.n != 1)
		return err_set(e, "--memory prefer: takes one node, not %zu", program->nodes.n);
	return true;
}

bool
pin_take(const struct options *options, struct spec_numbers *cpus, struct err *e)
{
	struct err why = {0};

	if (number_list_parse(options->pin, true, 0, SPEC_NUMBER_MAX, &cpus->at, &cpus->n, &why))
		return true;
	err_set(e, "--pin: %s", why.what);
	return err_hint(e, "for instance: --pin 0,2-3");
}

/* Reads the cores and memory of the command. False and *e when the machine does not have them. */
static bool
take_place(const struct options *options, struct watch_args *args, struct err *e)
{
	const char *option = options->pin ? "--pin" : "--memory";
	struct profile_spec alone = {.program = &args->place, .n_programs = 1};

	args->placed = options->pin || options->memory;
	if (!args->placed)
		return true;
	if (options->spec) {
		err_set(e, "%s is for a command after --; %s says where its programs run", option, options->spec);
		return err_hint(e, "cores and memory of a program stand in the file");
	}
	if (!options->argv) {
		err_set(e, "%s says where a command runs, and there is none", option);
		return err_hint(e,
			options->pin ? "-C watches CPUs, whatever runs there; a command stands after --"
			       : "a command stands after --");
	}
	args->place.name = options->argv[0];
	args->place.times = 1;
	return (!options->pin || pin_take(options, &args->place.cores, e)) &&
		(!options->memory || take_memory(options, &args->place, e)) && programs_fit(&alone, e);
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
