#include "collect/perf/source_state.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "collect/perf/open.h"
#include "collect/perf/sampler.h"
#include "collect/perf/turns.h"

static bool
add_reading(const struct source *source, const struct counter_event *ce, const struct perf_reading *reading,
	int64_t *sum, unsigned char *counted, struct err *e)
{
	struct source_status *status = &source->status[ce->counter];
	double running = reading->enabled_ns ? (double)reading->running_ns / (double)reading->enabled_ns : 1;

	if (reading->value > INT64_MAX || __builtin_add_overflow(*sum, (int64_t)reading->value, sum)) {
		err_set(e, "%s has counted beyond 2^63", ce->code.name);
		return false;
	}
	if (running < status->running)
		status->running = running;
	if (reading->running_ns < reading->enabled_ns) {
		/* Scaling is an estimate (it was measured wrong by −22 % and +10 % even without a PMU), so it is no
		 * count. */
		*counted = 0;
		source_status_note(status, "count fewer events in one run (--counters)", "%s was on a counter for %.1f "
			"%% of the time only: too many hardware events at once", ce->code.name, running * 100);
	}
	if (source->ended && source->child)
		status->health = perf_health(&ce->code, reading, status->health);
	return true;
}

/* Returns true when the kernel stopped counting early. At execve(2) of a set-user-ID, set-group-ID or unreadable
 * program, or of one with file capabilities, the kernel silently removes all events from the task, even root's. The
 * counters keep their values, and their enabled time falls short of the command's processor time (measured: 0.04 ms
 * enabled of 117 ms run). A small gap is normal: it is the time of a task between the end of its events and its own
 * end. That is 50 µs per process here, a quarter of a program that only forks. The time that execve(2) takes to give
 * back hecate's memory is in the gap, too: 16 ms of a sanitizer's memory. So only a gross gap is reported. */
static bool
was_cut_short(const struct source *s, uint64_t enabled_ns)
{
	const uint64_t slack_ns = 10000000 + 4 * s->end.fork_ns;

	return s->child && s->places.mode != OPEN_CPU && s->ended && s->end.known && s->n_events > 0 &&
		s->end.cpu_ns > slack_ns && enabled_ns < (s->end.cpu_ns - slack_ns) / 4;
}

static bool
refuse_cut_short(const struct source *s, uint64_t enabled_ns, struct err *e)
{
	err_set(e, "the kernel stopped counting after %.1f ms of %.1f ms processor time: a set-user-ID program ran, or "
		"one with capabilities", (double)enabled_ns * 1e-6, (double)s->end.cpu_ns * 1e-6);
	return err_hint(
		e, "run hecate as the user that this program turns into, or count a program that keeps its user");
}

/* Reads all members at one time. False with ECHILD while a task exits, or while one lives that was forked during the
 * opening. */
static bool
source_read_read_group(const struct place *p, uint64_t *value, struct perf_reading *times)
{
	for (int attempt = 0; attempt < 20; attempt++) {
		if (perf_read_group(p->leader, p->n_grouped, value, times))
			return true;
		if (errno != ECHILD)
			break;
		sched_yield();
	}
	return false;
}

static bool
refuse_reading(const struct counter_event *ce, int error, struct err *e)
{
	if (error == ENODEV)
		return err_set(e, "%s cannot be read any more: its CPU went offline", ce->code.name);
	return err_set(e, "%s cannot be read: %s", ce->code.name,
		error == EIO ? "it found no counter to run on" : strerror(error));
}

/* Reads everything at one place: the group, then the other events one by one. If the group cannot be read at one time,
 * its members are read one by one: each count is right, but they differ by more than the row's `tasks`. */
static bool
read_place(struct source *source, size_t k, struct perf_reading *now, struct err *e)
{
	uint64_t value[PERF_GROUP_MOST];
	struct place *place = &source->places.at[k];
	struct perf_reading times;
	bool whole = place->n_grouped > 0 && source_read_read_group(place, value, &times), timed;
	uint64_t enabled_ns;

	timed = turns_clock(source->turns, k, &enabled_ns);
	for (size_t i = source->first[k], member = 0; i < source->first[k + 1]; i++) {
		const struct counter_event *ce = &source->event[source->reading[i].event];
		const struct event_slot *slot = &ce->slot[source->reading[i].slot];

		if (whole && slot->grouped) {
			now[i] = (struct perf_reading){value[member++], times.enabled_ns, times.running_ns};
		} else if (!perf_read(slot->fd, &now[i])) {
			if (errno != ENODEV || !source->lose_cpus)
				return refuse_reading(ce, errno, e);
			place->lost = true;
			return true;
		}
		if (timed && turns_take(source->turns, source->reading[i].event))
			now[i].enabled_ns = enabled_ns;
	}
	return true;
}

/* Is there anything to read at this place? */
static bool
source_read_is_there(const struct source *s, const struct event_slot *x)
{
	return x->fd >= 0 && !s->places.at[x->place].gone && !s->places.at[x->place].lost;
}

/* Reads every event at every place, into the array by number. */
static bool
source_read_read_all(struct source *s, struct perf_reading *now, struct err *e)
{
	bool good = true;

	turns_hold(s->turns);
	for (size_t k = 0; k < s->places.n && good; k++)
		if (!s->places.at[k].gone && !s->places.at[k].lost)
			good = read_place(s, k, now, e);
	turns_release(s->turns);
	return good;
}

/* Marks the counters that still count at some place. One that could not be opened does not. */
static void
mark_counted(const struct source *s, unsigned char *counted)
{
	memset(counted, 0, s->n_counters);
	for (size_t i = 0; i < s->n_events; i++)
		for (size_t j = 0; j < s->event[i].n && s->lose_cpus; j++)
			counted[s->event[i].counter] |= source_read_is_there(s, &s->event[i].slot[j]);
	for (size_t i = 0; i < s->n_counters; i++)
		counted[i] = s->status[i].health != OBS_UNSUPPORTED && (counted[i] || !s->lose_cpus);
}

static bool
source_read_add_totals(const struct source *source, const struct perf_reading *now, int64_t *count,
	unsigned char *counted, struct err *e)
{
	uint64_t enabled_ns = 0;

	memset(count, 0, source->n_counters * sizeof *count);
	mark_counted(source, counted);
	for (size_t i = 0; i < source->n_events; i++)
		for (size_t j = 0; j < source->event[i].n; j++) {
			const struct counter_event *ce = &source->event[i];
			const struct perf_reading *reading = &now[ce->slot[j].at];

			if (!source_read_is_there(source, &ce->slot[j]))
				continue;
			if (!add_reading(source, ce, reading, &count[ce->counter], &counted[ce->counter], e))
				return false;
			if (reading->enabled_ns > enabled_ns)
				enabled_ns = reading->enabled_ns;
		}
	if (was_cut_short(source, enabled_ns))
		return refuse_cut_short(source, enabled_ns, e);
	for (size_t i = 0; i < source->n_counters; i++)
		if (!counted[i])
			count[i] = 0;
	return true;
}

bool
perf_read_totals(struct source *s, int64_t *count, unsigned char *counted, struct err *e)
{
	struct perf_reading *now = mem_new_array(s->n_readings, sizeof *now);
	bool good = source_read_read_all(s, now, e) && source_read_add_totals(s, now, count, counted, e);

	free(now);
	return good;
}

/* Counts the tasks that may run during a read. Scanning all processes is slow, so it takes at most 1 % of the time. */
static void
count_tasks(struct source *source)
{
	uint64_t from = clock_ns(), to;

	if (from < source->count_tasks_at_ns)
		return;
	if (source->child && source->places.mode != OPEN_CPU)
		source->tasks = places_tasks(NULL, child_minder(source->child), &source->places);
	else
		source->tasks = places_tasks(&source->target, 0, &source->places);
	to = clock_ns();
	source->count_tasks_at_ns = to + 99 * (to - from);
}

static bool
fill_row(struct source *source, const struct perf_reading *now, struct source_row *row, struct err *e)
{
	memset(row->count, 0, source->n_counters * sizeof *row->count);
	mark_counted(source, row->counted);
	for (size_t i = 0; i < source->n_counters; i++)
		row->running[i] = 1;
	for (size_t i = 0; i < source->n_events; i++) {
		struct counter_event *ce = &source->event[i];
		struct increment inc = INCREMENT_NONE;
		size_t c = ce->counter;

		for (size_t j = 0; j < ce->n; j++)
			if (source_read_is_there(source, &ce->slot[j]))
				increment_add(&inc, &now[ce->slot[j].at], &ce->slot[j].last);
		if (inc.overflow || __builtin_add_overflow(row->count[c], inc.count, &row->count[c]))
			return err_set(e, "%s has counted beyond 2^63", ce->code.name);
		row->counted[c] &= !inc.blind;
		row->running[c] = inc.share < row->running[c] ? inc.share : row->running[c];
	}
	for (size_t i = 0; i < source->n_counters; i++)
		if (!row->counted[i])
			row->count[i] = 0;
	return true;
}

/* Finds CPUs that went offline. The kernel silently removes an event from such a CPU: the event keeps its count, and
 * its time stops. The row before has everything that was counted until then. */
static bool
find_lost_cpus(struct source *source, const struct perf_reading *now, struct err *e)
{
	for (size_t k = 0; source->places.mode == OPEN_CPU && k < source->places.n; k++) {
		struct place *place = &source->places.at[k];

		for (size_t i = source->first[k]; i < source->first[k + 1] && !place->lost; i++)
			if (now[i].enabled_ns ==
				source->event[source->reading[i].event].slot[source->reading[i].slot].last.enabled_ns) {
				if (!source->lose_cpus)
					return err_set(e, "CPU %d stopped counting: it went offline", place->id);
				place->lost = true;
			}
	}
	return true;
}

enum source_news
perf_take_row(struct source *source, struct source_row *row, struct err *e)
{
	struct perf_reading *now = mem_new_array(source->n_readings, sizeof *now);
	bool good = source_read_read_all(source, now, e) && find_lost_cpus(source, now, e);

	source->row_ns = source->ended && source->child ? source->end.at_ns : clock_ns();
	row->seconds = (double)(source->row_ns - source->started_ns) / 1e9;
	if (good)
		count_tasks(source);
	row->tasks = source->tasks;
	turns_hold(source->turns);
	row->rotation = turns_so_far(source->turns);
	turns_release(source->turns);
	good = good && fill_row(source, now, row, e);
	free(now);
	return good ? SOURCE_ROW : SOURCE_ROW_FAILED;
}
