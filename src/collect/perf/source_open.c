#include "collect/perf/source_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number_list.h"
#include "collect/perf/open.h"
#include "collect/perf/pmu_family.h"
#include "collect/perf/keeper.h"

static void
close_slot(struct source *s, struct event_slot *x)
{
	if (x->fd < 0)
		return;
	close(x->fd);
	x->fd = -1;
	s->places.at[x->place].n_grouped -= x->grouped;
}

static void
close_event(struct source *s, struct counter_event *ce)
{
	for (size_t i = 0; i < ce->n; i++)
		close_slot(s, &ce->slot[i]);
	free(ce->slot);
}

void
perf_close_events(struct source *s)
{
	while (s->n_events > 0)
		close_event(s, &s->event[--s->n_events]);
	places_free(&s->places);
	free(s->reading);
	free(s->first);
	s->reading = NULL;
	s->first = NULL;
	s->n_readings = 0;
}

/* Removes the place of a thread that ended while its events were opened. */
static void
leave_place(struct source *s, size_t k)
{
	for (size_t i = 0; i < s->n_events; i++)
		for (size_t j = 0; j < s->event[i].n; j++)
			if (s->event[i].slot[j].place == k)
				close_slot(s, &s->event[i].slot[j]);
	place_leave(&s->places.at[k]);
}

/* Can the event join a group? Software events and tracepoints are never multiplexed; a group's size is limited. */
static bool
joins_group(const struct source *s, const struct counter_event *ce, const struct place *p)
{
	return s->groups && (ce->code.kind == EVENT_SOFTWARE || ce->code.kind == EVENT_TRACEPOINT) &&
		!ce->code.pinned && p->n_grouped < PERF_GROUP_MOST;
}

/* Opens an event at place k. False: refused. A place that has ended is skipped. */
static bool
open_at(struct source *source, struct counter_event *ce, size_t k, const char *filter, struct source_status *status)
{
	struct place *place = &source->places.at[k];
	struct source_status here = *status;
	struct event_slot x = {.place = k, .grouped = joins_group(source, ce, place)};

	x.fd = perf_open_in(&ce->code, filter, place->id, x.grouped ? place->leader : -1, source->places.mode,
		&source->world, &here);
	if (x.fd < 0 && here.error == ESRCH) {
		leave_place(source, k);
		return true;
	}
	*status = here;
	if (x.fd < 0)
		return false;
	place->n_grouped += x.grouped;
	mem_grow(&ce->slot, &ce->cap, ce->n + 1, sizeof *ce->slot);
	ce->slot[ce->n++] = x;
	return true;
}

static bool
open_everywhere(struct source *source, struct counter_event *ce, const struct source_counter *counter,
	const char *filter, struct source_status *status)
{
	size_t n_cpus = 0;
	int *cpu = NULL;
	bool good = true;

	/* A socket's PMU counts the same on each of the socket's CPUs; its cpumask names one. */
	if (ce->code.per_cpu && !pmu_cpus(&ce->code, &source->world, &cpu, &n_cpus))
		return source_status_refuse(
			status, EINVAL, NULL, "%s: the cpumask of PMU %s cannot be read", ce->code.name, ce->code.pmu);
	for (size_t k = 0; k < source->places.n && good; k++)
		if (!source->places.at[k].gone && number_list_has(cpu, n_cpus, source->places.at[k].id) &&
			(source->places.mode != OPEN_CPU ||
				number_list_has(counter->cpu, counter->n_cpus, source->places.at[k].id)))
			good = open_at(source, ce, k, filter, status);
	if (good && ce->n == 0 && ce->code.per_cpu)
		good = source_status_refuse(status, EINVAL, "watch all CPUs (-a)",
			"%s: PMU %s counts on CPU %d, which is not watched", ce->code.name, ce->code.pmu, cpu[0]);
	else if (good && ce->n == 0 && counter->n_cpus && source->places.mode == OPEN_CPU)
		good = source_status_refuse(status, ENODEV, NULL, "%s: CPU %d is not watched, or went offline",
			ce->code.name, counter->cpu[0]);
	else if (good && ce->n == 0)
		good = source_status_refuse(status, ESRCH, NULL, "what was to be watched has ended");
	free(cpu);
	return good;
}

/* The kernel changes its code on all CPUs when the first software event of a kind is opened, and when the last one is
 * closed (perf_swevent_init() in kernel/events/core.c). Between runs that share a keep, one stays open. */
static void
hold_software(const struct source *source, const struct event_code *code)
{
	struct event_code held = {.kind = code->kind, .type = code->type, .config = code->config, .no_kernel = true,
		.no_hv = true};

	if (code->kind == EVENT_SOFTWARE && !source->own_keep && code->config < SOURCE_SOFTWARE &&
		source->keep->software[code->config] < 0)
		source->keep->software[code->config] = perf_open_raw(&held, 0, -1, OPEN_SELF);
}

/* Looks a name up. NULL and *status if it is unknown. */
static const struct event_code *
know_event(struct source *source, const char *name, struct source_status *status)
{
	size_t n = source->names.n, at = names_add(&source->names, name, strlen(name));
	struct known_event *known;

	if (at == n) {
		struct source_status none = {0};

		mem_grow(&source->known, &source->known_cap, n + 1, sizeof *source->known);
		known = &source->known[at];
		*known = (struct known_event){.status = none};
		known->good = event_by_name(name, &source->world, &known->code, &known->status);
		if (known->good && known->code.kind == EVENT_TRACEPOINT)
			keeper_hold(source->keep->keeper, known->code.config);
		if (known->good)
			hold_software(source, &known->code);
	}
	known = &source->known[at];
	if (known->good)
		return &known->code;
	status->health = known->status.health;
	status->error = known->status.error;
	memcpy(status->why, known->status.why, sizeof status->why);
	memcpy(status->remedy, known->status.remedy, sizeof status->remedy);
	return NULL;
}

static bool
open_one(struct source *source, size_t i, const struct source_counter *counter, const struct event_item *event,
	struct source_status *status)
{
	struct counter_event ce = {.counter = i};
	const struct event_code *code = know_event(source, event->name, status);
	enum source_zero zero;
	char filter[1024] = "";
	bool good;

	if (!code)
		return false;
	ce.code = *code;
	if (event->filter && *event->filter &&
		!filter_expand(event->filter, &source->keep->constants, &source->world, filter, sizeof filter, status))
		return false;
	zero = perf_zero(&ce.code);
	if (zero > status->zero)
		status->zero = zero;
	good = open_everywhere(source, &ce, counter, filter, status);
	mem_grow(&source->event, &source->cap, source->n_events + 1, sizeof *source->event);
	source->event[source->n_events++] = ce;
	return good;
}

/* Opens an event; that of a PMU with several boxes, on each of them, because their counts add up (perf-list(1)). */
static bool
open_all_boxes(struct source *source, size_t i, const struct source_counter *counter, const struct event_item *event,
	struct source_status *status)
{
	struct pmu_family family = {0};
	bool good = true;

	if (!source->world.machine || !pmu_family_of(event->name, &source->world, &family) || family.named ||
		family.n < 2) {
		pmu_family_free(&family);
		return open_one(source, i, counter, event, status);
	}
	for (size_t k = 0; k < family.n && good; k++) {
		struct event_item box = *event;

		box.name = family.member[k].event;
		good = open_one(source, i, counter, &box, status);
	}
	pmu_family_free(&family);
	return good;
}

/* Opens a counter's events. False: no descriptor is left, so it makes no sense to go on. */
static bool
source_open_open_counter(struct source *source, size_t i, const struct source_counter *counter)
{
	struct source_status *status = &source->status[i];

	*status = (struct source_status){.health = OBS_LIVE, .by_cpu = true, .running = 1};
	if (counter->n_events == 0)
		source_status_refuse(status, EINVAL, NULL, "counter %s names no event", counter->name);
	for (size_t j = 0; j < counter->n_events; j++)
		if (!open_all_boxes(source, i, counter, &counter->event[j], status)) {
			/* the events add up, so without one of them the counter means nothing */
			while (source->n_events > 0 && source->event[source->n_events - 1].counter == i)
				close_event(source, &source->event[--source->n_events]);
			break;
		}
	return status->error != EMFILE && status->error != ENFILE;
}

static void
refuse_for_descriptors(
	const struct source *source, const struct source_spec *spec, const struct source_status *status, struct err *e)
{
	struct rlimit limit = {0};
	size_t need = 64 + source->places.n;

	for (size_t j = 0; j < spec->n_counters; j++)
		need += spec->counter[j].n_events * source->places.n;
	getrlimit(RLIMIT_NOFILE, &limit);
	if (status->error == EMFILE) {
		err_set(e,
			"out of file descriptors after %zu events: a process may have %llu open, and each event takes "
			"one for each of %zu %s",
			source->n_events, (unsigned long long)limit.rlim_cur, source->places.n,
			source->places.mode == OPEN_CPU ? "CPUs" : "tasks");
		err_hint(e, "ulimit -n %zu", need + (size_t)limit.rlim_cur);
	} else {
		err_set(e, "out of file descriptors after %zu events: %s", source->n_events, status->why);
		err_hint(e, "%s", status->remedy);
	}
}

/* Sets the error when nothing can be counted: the first refusal. */
static void
refuse_all(const struct source *s, const struct source_spec *spec, struct err *e)
{
	if (s->status[0].error == ESRCH) { /* a zombie, or it has just ended */
		err_set(e, "%s", s->status[0].why);
		return;
	}
	err_set(e, "none of the %zu counters can be counted here; %s: %s", spec->n_counters, spec->counter[0].name,
		s->status[0].why);
	err_hint(e, "%s%shecate doctor lists what can be counted", s->status[0].remedy,
		*s->status[0].remedy ? "; " : "");
}

/* Opens the group leaders. They come first, so that they are disabled when others join. */
static bool
open_places(struct source *source, const struct source_spec *spec, struct err *e)
{
	struct source_status status = {0};

	/* A command's totals are exact, so the order of reading does not matter. */
	source->groups = source->interval_ms || source->places.mode == OPEN_CPU;
	if (!source->groups || places_open(&source->places, &source->world, &status))
		return true;
	if (status.error == EMFILE || status.error == ENFILE) {
		refuse_for_descriptors(source, spec, &status, e);
	} else if (spec->may_count_nothing) {
		for (size_t i = 0; i < spec->n_counters; i++)
			source->status[i] = status;
		source->refused = true;
		return true;
	} else {
		err_set(e, "%s", status.why);
		err_hint(e, "%s", status.remedy);
	}
	return false;
}

/* Numbers the readings, place by place. */
static void
number_readings(struct source *source)
{
	size_t *next;

	source->first = mem_new_array(source->places.n + 1, sizeof *source->first);
	for (size_t i = 0; i < source->n_events; i++)
		for (size_t j = 0; j < source->event[i].n; j++)
			if (source->event[i].slot[j].fd >= 0)
				source->first[source->event[i].slot[j].place + 1]++;
	for (size_t k = 0; k < source->places.n; k++)
		source->first[k + 1] += source->first[k];
	source->n_readings = source->first[source->places.n];
	source->reading = mem_new_array(source->n_readings, sizeof *source->reading);
	next = mem_copy(source->first, (source->places.n + 1) * sizeof *next);
	for (size_t i = 0; i < source->n_events; i++)
		for (size_t j = 0; j < source->event[i].n; j++) {
			struct event_slot *slot = &source->event[i].slot[j];

			if (slot->fd < 0)
				continue;
			slot->at = next[slot->place]++;
			source->reading[slot->at].event = i;
			source->reading[slot->at].slot = j;
		}
	free(next);
}

bool
perf_open_all(struct source *source, const struct source_spec *spec, struct err *e)
{
	size_t open = 0;

	if (!open_places(source, spec, e))
		return false;
	for (size_t i = 0; i < spec->n_counters && !source->refused; i++) {
		if (!source_open_open_counter(source, i, &spec->counter[i])) {
			refuse_for_descriptors(source, spec, &source->status[i], e);
			return false;
		}
		open += source->status[i].health == OBS_LIVE;
	}
	if (spec->n_counters > 0 && open == 0 && !spec->may_count_nothing) {
		refuse_all(source, spec, e);
		return false;
	}
	number_readings(source);
	return true;
}

/* Opens the target. A watched process may start threads while events are opened on its other threads. It is unknown
 * whether such a thread inherited the events or was missed. So everything is opened again until no new thread appears.
 * With a process that keeps starting threads, this gives up after some attempts and may miss some. */
bool
perf_open_target(struct source *s, const struct source_spec *spec, struct err *e)
{
	for (int attempt = 0; attempt < 5; attempt++) {
		perf_close_events(s);
		if (!places_find(&s->target, &s->world, &s->places, e) || !perf_open_all(s, spec, e))
			return false;
		if (places_are_whole(&s->target, &s->places, &s->strangers))
			break;
	}
	return true;
}
