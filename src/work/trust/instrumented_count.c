#include "work/trust/instrumented_count.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/source.h"

#define NAMES_MAX 4

/* Names of each event, in the order in which they are tried. The first that this machine can count is taken. */
static const char *const names[INSTRUMENT_EVENTS][NAMES_MAX] = {
	[INSTRUMENT_INSTRUCTIONS] = {"instructions:u"},
	[INSTRUMENT_BRANCHES] = {"br_inst_retired.all_branches:u", "branches:u"},
	[INSTRUMENT_CONDITIONAL] = {"br_inst_retired.conditional:u", "br_inst_retired.cond:u", "ex_ret_cond:u"},
	[INSTRUMENT_LOADS] = {"mem_inst_retired.all_loads:u", "mem_uops_retired.all_loads:u", "inst_retired.loads:u",
		"ld_retired:u"},
	[INSTRUMENT_STORES] = {"mem_inst_retired.all_stores:u", "mem_uops_retired.all_stores:u",
		"inst_retired.stores:u", "st_retired:u"},
};

/* Page faults and interrupts next to them, likewise. Only those that interrupt the program itself matter. */
static const char *const besides[INSTRUMENTED_BESIDES][NAMES_MAX] = {
	[INSTRUMENTED_FAULTS] = {"page-faults:u"},
	[INSTRUMENTED_INTERRUPTS] = {"hw_interrupts.received:u", "hw_int_rcv:u", "ls_int_taken:u"},
};

#define COUNTERS_MAX (1 + INSTRUMENTED_BESIDES)

/* One opened set: an event, and what is counted next to it. */
struct set {
	struct event_item event[COUNTERS_MAX];
	struct source_counter counter[COUNTERS_MAX];
	size_t n;
};

static void
set_add(struct set *s, const char *name)
{
	s->event[s->n] = (struct event_item){.name = name};
	s->counter[s->n] = (struct source_counter){.name = name, .event = &s->event[s->n], .n_events = 1};
	s->n++;
}

static struct source *
open_set(const struct set *s, const struct instrumented_options *o, int null, struct err *e)
{
	const struct source_spec spec = {.counter = s->counter, .n_counters = s->n, .argv = o->argv, .out_fd = null,
		.err_fd = -1, .no_input = true, .own_group = true, .may_count_nothing = true};

	return o->source->open(&spec, e);
}

/* Returns the first of the names that can be counted. NULL if there is none, and why[] for the first one. NULL and *e:
 * the command cannot be prepared. */
static const char *
choose_name(const char *const *name, const struct instrumented_options *options, int null, char why[256], struct err *e)
{
	const char *found = NULL;

	for (size_t i = 0; i < NAMES_MAX && name[i] && !found; i++) {
		struct set s = {.n = 0};
		struct source *source;
		const struct source_status *status;

		set_add(&s, name[i]);
		source = open_set(&s, options, null, e);
		if (!source)
			return NULL;
		status = options->source->status(source);
		if (status->health != OBS_UNSUPPORTED)
			found = name[i];
		else if (i == 0)
			snprintf(why, 256, "%s: %.200s", name[i], status->why);
		options->source->close(source);
	}
	return found;
}

/* Waits for the end of the command. False: a signal came. */
static bool
wait_end(const struct instrumented_options *o, struct source *source, struct source_end *end)
{
	while (!o->source->poll(source, end)) {
		struct pollfd fd = {.fd = o->source->wait_fd(source), .events = POLLIN};

		if (o->interrupted())
			return false;
		ppoll(&fd, 1, &(struct timespec){.tv_nsec = 200000000}, o->during);
	}
	return true;
}

static void
add_run(struct instrumented_counter *counter, const struct set *set, const int64_t *count, const unsigned char *counted,
	const int *place)
{
	size_t n = counter->n + 1;

	counter->count = mem_resize(counter->count, n, sizeof *counter->count);
	counter->count[counter->n] = count[0];
	for (int b = 0; b < INSTRUMENTED_BESIDES; b++) {
		bool has = place[b] >= 0 && (size_t)place[b] < set->n && counted[place[b]];

		counter->beside[b] = mem_resize(counter->beside[b], n, sizeof *counter->beside[b]);
		counter->beside[b][counter->n] = has ? count[place[b]] : -1;
	}
	counter->n = n;
}

/* Runs the command once with the set. False: a signal came, or it cannot be run, *e. */
static bool
count_once(struct instrumented *all, struct instrumented_counter *counter, const struct set *set, const int *place,
	const struct instrumented_options *options, int null, struct err *e)
{
	struct source *source = open_set(set, options, null, e);
	int64_t count[COUNTERS_MAX] = {0};
	unsigned char counted[COUNTERS_MAX] = {0};
	struct source_end end = {0};
	double running;
	bool good;

	if (!source)
		return false;
	good = options->source->start(source, e);
	if (good && !wait_end(options, source, &end)) {
		all->cut = true;
		good = false;
	}
	if (good && options->source->read(source, count, counted, e) && counted[0]) {
		running = options->source->status(source)->running;
		if (running > 0 && running < counter->running)
			counter->running = running;
		add_run(counter, set, count, counted, place);
	}
	if (good && end.signalled) {
		all->died = true;
		all->signal = end.code;
	}
	options->source->close(source);
	return good;
}

static bool
count_event(struct instrumented *all, struct instrumented_counter *counter, const char *const *beside,
	const struct instrumented_options *options, int null, struct err *e)
{
	struct set s = {.n = 0};
	int place[INSTRUMENTED_BESIDES];

	set_add(&s, counter->event);
	for (int b = 0; b < INSTRUMENTED_BESIDES; b++) {
		place[b] = beside[b] ? (int)s.n : -1;
		if (beside[b])
			set_add(&s, beside[b]);
	}
	for (unsigned run = 0; run < options->runs; run++) {
		if (options->interrupted()) {
			all->cut = true;
			return false;
		}
		if (options->progress)
			options->progress(options->ctx, counter->event, run + 1, options->runs);
		if (!count_once(all, counter, &s, place, options, null, e))
			return false;
	}
	if (!counter->n)
		snprintf(counter->why, sizeof counter->why, "%s: it opens, and no run has a count", counter->event);
	return true;
}

bool
instrumented_count(struct instrumented *all, const struct instrumented_options *o, struct err *e)
{
	const char *beside[INSTRUMENTED_BESIDES] = {0};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	bool good = null >= 0;
	char unused[256];

	*e->what = '\0';
	if (!good)
		err_set(e, "cannot open /dev/null: %s", strerror(errno));
	for (int b = 0; b < INSTRUMENTED_BESIDES && good && !*e->what; b++)
		beside[b] = choose_name(besides[b], o, null, unused, e);
	for (int i = 0; i < INSTRUMENT_EVENTS && good && !*e->what && !all->cut; i++) {
		struct instrumented_counter *c = &all->counter[i];
		const char *name = choose_name(names[i], o, null, c->why, e);

		c->running = 1;
		if (!name)
			continue;
		c->event = mem_str(name);
		*c->why = '\0';
		count_event(all, c, beside, o, null, e);
	}
	good = good && !*e->what;
	if (null >= 0)
		close(null);
	return good;
}
