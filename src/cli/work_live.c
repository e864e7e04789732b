/* What the command line says about counting here and now: a command, or what runs already, and for how long. */
#include "cli/work.h"

#include <limits.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "base/number_list.h"

#define USUAL_INTERVAL 100 /* milliseconds */
#define USUAL_SAMPLES 60

static bool
take_numbers(const char *option, const char *text, bool ranges, int least, int most, struct source_target *t, struct err *e)
{
	struct err why;
	int *list;

	if (number_list_parse(text, ranges, least, most, &list, &t->n, &why)) {
		t->id = list;
		return true;
	}
	err_set(e, "%s: %s", option, why.what);
	return err_hint(e, "for instance: %s %s", option, ranges ? "0,2-3" : "1234 or 1234,1235");
}

static bool
take_target(const struct options *o, struct work_live *w, struct err *e)
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
		err_set(e, "%s watches what runs already, and %s is a command to run", o->pids ? "-p" : o->tids ? "-t" : o->cpus ? "-C" : "-a", o->argv[0]);
		return err_hint(e, "give one of the two; --duration S tells how long to watch");
	}
	if (o->runs > 1 && !o->argv && !o->spec) {
		err_set(e, "-r repeats a command, and there is none");
		return err_hint(e, "--samples N tells how many samples to take");
	}
	if (o->pids) {
		w->target.kind = SOURCE_PROCESSES;
		return take_numbers("-p", o->pids, false, 1, INT_MAX, &w->target, e);
	}
	if (o->tids) {
		w->target.kind = SOURCE_THREADS;
		return take_numbers("-t", o->tids, false, 1, INT_MAX, &w->target, e);
	}
	w->target.kind = SOURCE_CPUS;
	return !o->cpus || take_numbers("-C", o->cpus, true, 0, NUMBER_LIST_MOST, &w->target, e);
}

static bool
take_limits(const struct options *o, struct work_live *w, struct err *e)
{
	bool explorer = !*o->command->name;
	const char *idle = o->interval ? "-I" : o->samples ? "--samples" : o->duration > 0 ? "--duration" : o->watch ? "--watch" : NULL;

	w->interval_ms = o->interval ? (unsigned)o->interval : (w->has_target && !o->argv) || (explorer && o->argv) ? USUAL_INTERVAL : 0;
	w->samples = o->samples;
	w->duration = o->duration;
	/* The explorer watches until it is told to stop, and so does a search that tells what it finds meanwhile. */
	if (w->has_target && !o->argv && !explorer && !o->watch && !w->samples && !(w->duration > 0))
		w->samples = USUAL_SAMPLES;
	if (idle && !w->has_target && !o->argv && !o->spec) {
		err_set(e, "%s is about counting here and now, and nothing to count is given", idle);
		return err_hint(e, "add -p PID, -a, or a command behind --");
	}
	if (w->samples && !w->interval_ms && !o->spec) {
		err_set(e, "--samples needs an interval: without one a command gives exact totals and no samples");
		return err_hint(e, "for instance: -I 100 --samples %zu", w->samples);
	}
	return true;
}

bool
work_live(const struct options *o, struct work_live *w)
{
	struct err e = {0};

	*w = (struct work_live){0};
	if (take_target(o, w, &e) && take_limits(o, w, &e))
		return true;
	work_fail(&e);
	return false;
}

void
work_live_free(struct work_live *w)
{
	free((void *)(uintptr_t)w->target.id);
	*w = (struct work_live){0};
}
