#include "collect/perf/source_state.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number_list.h"
#include "collect/perf/health.h"
#include "collect/perf/keeper.h"

static void
close_event(struct source *s, struct counter_event *ce)
{
	for (size_t i = 0; i < s->places.n; i++)
		if (ce->fd[i] >= 0)
			close(ce->fd[i]);
	s->n_grouped -= ce->grouped;
	free(ce->fd);
	free(ce->last);
}

void
perf_close_events(struct source *s)
{
	while (s->n_events > 0)
		close_event(s, &s->event[--s->n_events]);
	places_free(&s->places);
}

/* Close what counter `i` has opened: its events add up, so one missing event takes the counter with it. */
static void
drop_events(struct source *s, size_t i)
{
	while (s->n_events > 0 && s->event[s->n_events - 1].counter == i)
		close_event(s, &s->event[--s->n_events]);
}

/* A thread that ended while its events were opened: it is no place any more. */
static void
leave_place(struct source *s, size_t k)
{
	for (size_t i = 0; i < s->n_events; i++)
		if (s->event[i].fd[k] >= 0) {
			close(s->event[i].fd[k]);
			s->event[i].fd[k] = -1;
		}
	place_leave(&s->places.at[k]);
}

/* False only for a refusal; a place that has gone is left. */
static bool
open_everywhere(struct source *s, struct counter_event *ce, const char *filter, struct source_status *status)
{
	size_t open = 0, n_cpus = 0;
	int *cpu = NULL;
	bool good = true;

	/* A PMU of a socket counts the same on each of its CPUs: its cpumask names one of them. */
	if (ce->code.per_cpu && !pmu_cpus(&ce->code, &s->world, &cpu, &n_cpus))
		return status_refuse(status, EINVAL, NULL, "%s: the cpumask of PMU %s cannot be read", ce->code.name, ce->code.pmu);
	for (size_t k = 0; k < s->places.n && good; k++) {
		struct place *p = &s->places.at[k];
		struct source_status here = *status;

		if (p->gone || !number_list_has(cpu, n_cpus, p->id))
			continue;
		ce->fd[k] = perf_open_in(&ce->code, filter, p->id, ce->grouped ? p->leader : -1, s->places.mode, &s->world, &here);
		if (ce->fd[k] < 0 && here.error == ESRCH) {
			leave_place(s, k);
			continue;
		}
		*status = here;
		good = ce->fd[k] >= 0;
		open += good;
	}
	if (good && open == 0 && ce->code.per_cpu)
		good = status_refuse(status, EINVAL, "watch all CPUs (-a)", "%s: PMU %s counts on CPU %d, which is not watched", ce->code.name, ce->code.pmu, cpu[0]);
	else if (good && open == 0)
		good = status_refuse(status, ESRCH, NULL, "what was to be watched has ended");
	free(cpu);
	return good;
}

static bool
open_one(struct source *s, size_t i, const struct source_event *event, struct source_status *status)
{
	struct counter_event ce = {.counter = i};
	enum source_zero zero;
	char filter[1024] = "";
	bool good;

	if (!event_by_name(event->name, &s->world, &ce.code, status))
		return false;
	if (ce.code.kind == EVENT_TRACEPOINT)
		keeper_hold(s->keep->keeper, ce.code.config);
	if (event->filter && *event->filter &&
	    !filter_expand(event->filter, &s->keep->constants, &s->world, filter, sizeof filter, status))
		return false;
	zero = perf_zero(&ce.code);
	if (zero > status->zero)
		status->zero = zero;
	ce.grouped = s->interval_ms && (ce.code.kind == EVENT_SOFTWARE || ce.code.kind == EVENT_TRACEPOINT) && !ce.code.pinned &&
		     s->n_grouped < PERF_GROUP_MOST;
	ce.fd = mem_new_array(s->places.n, sizeof *ce.fd);
	ce.last = mem_new_array(s->places.n, sizeof *ce.last);
	for (size_t k = 0; k < s->places.n; k++)
		ce.fd[k] = -1;
	good = open_everywhere(s, &ce, filter, status);
	s->n_grouped += ce.grouped;
	mem_grow(&s->event, &s->cap, s->n_events + 1, sizeof *s->event);
	s->event[s->n_events++] = ce;
	return good;
}

/* False only where going on makes no sense: no descriptors. */
static bool
open_counter(struct source *s, size_t i, const struct source_counter *counter)
{
	struct source_status *status = &s->status[i];

	*status = (struct source_status){.health = OBS_LIVE, .running = 1};
	if (counter->n_events == 0)
		status_refuse(status, EINVAL, NULL, "counter %s names no event", counter->name);
	for (size_t j = 0; j < counter->n_events; j++)
		if (!open_one(s, i, &counter->event[j], status)) {
			drop_events(s, i);
			break;
		}
	return status->error != EMFILE && status->error != ENFILE;
}

static void
refuse_for_descriptors(const struct source *s, const struct source_spec *spec, const struct source_status *status, struct err *e)
{
	struct rlimit limit = {0};
	size_t need = 64 + s->places.n;

	for (size_t j = 0; j < spec->n_counters; j++)
		need += spec->counter[j].n_events * s->places.n;
	getrlimit(RLIMIT_NOFILE, &limit);
	if (status->error == EMFILE) {
		err_set(e, "out of file descriptors after %zu events: a process may have %llu open, and each event takes one for each of %zu %s", s->n_events,
			(unsigned long long)limit.rlim_cur, s->places.n, s->places.mode == OPEN_CPU ? "CPUs" : "tasks");
		err_hint(e, "ulimit -n %zu", need + (size_t)limit.rlim_cur);
	} else {
		err_set(e, "out of file descriptors after %zu events: %s", s->n_events, status->why);
		err_hint(e, "%s", status->remedy);
	}
}

/* Nothing can be counted at all: the first refusal stands for all. */
static void
refuse_all(const struct source *s, const struct source_spec *spec, struct err *e)
{
	if (s->status[0].error == ESRCH) { /* a zombie, or it has just ended */
		err_set(e, "%s", s->status[0].why);
		return;
	}
	err_set(e, "none of the %zu counters can be counted here; %s: %s", spec->n_counters, spec->counter[0].name, s->status[0].why);
	err_hint(e, "%s%shecate doctor tells what can be counted", s->status[0].remedy, *s->status[0].remedy ? "; " : "");
}

/* The leaders of groups come first, so that they are there, and disabled, when others join. */
static bool
open_places(struct source *s, const struct source_spec *spec, struct err *e)
{
	struct source_status status = {0};

	if (!s->interval_ms || places_open(&s->places, &s->world, &status))
		return true;
	if (status.error == EMFILE || status.error == ENFILE) {
		refuse_for_descriptors(s, spec, &status, e);
	} else {
		err_set(e, "%s", status.why);
		err_hint(e, "%s", status.remedy);
	}
	return false;
}

bool
perf_open_all(struct source *s, const struct source_spec *spec, struct err *e)
{
	size_t open = 0;

	if (!open_places(s, spec, e))
		return false;
	for (size_t i = 0; i < spec->n_counters; i++) {
		if (!open_counter(s, i, &spec->counter[i])) {
			refuse_for_descriptors(s, spec, &s->status[i], e);
			return false;
		}
		open += s->status[i].health == OBS_LIVE;
	}
	if (spec->n_counters > 0 && open == 0) {
		refuse_all(s, spec, e);
		return false;
	}
	return true;
}

/* A watched process may start threads while the events of its others are opened: whether such a one was inherited or missed cannot be told. So all
 * is opened again until nobody new is there; after some attempts on a process that starts threads all the time, what is missed is missed. */
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
