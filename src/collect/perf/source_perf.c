#include "collect/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/child.h"
#include "collect/perf/filter.h"
#include "collect/perf/health.h"
#include "collect/perf/keeper.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"

struct source_keep {
	struct keeper *keeper;
	struct filter_constants constants;
};

struct counter_event {
	size_t counter;
	int fd;
	struct event_code code;
};

struct source {
	struct perf_world world;
	struct source_keep *keep;
	bool own_keep;
	struct child *child;
	struct source_status *status;
	size_t n_counters;
	struct counter_event *event;
	size_t n_events, cap;
	uint64_t started_ns;
	bool started, ended;
	struct child_end end;
};

struct source_keep *
source_keep_new(void)
{
	struct source_keep *k = mem_new(sizeof *k);

	k->keeper = keeper_new();
	return k;
}

void
source_keep_free(struct source_keep *k)
{
	if (!k)
		return;
	keeper_free(k->keeper);
	free(k);
}

static void
perf_source_close(struct source *s)
{
	if (!s)
		return;
	child_free(s->child);
	for (size_t i = 0; i < s->n_events; i++)
		if (s->event[i].fd >= 0)
			close(s->event[i].fd);
	if (s->own_keep)
		source_keep_free(s->keep);
	free(s->event);
	free(s->status);
	free(s);
}

/* Close what counter `i` has opened: its events add up, so one missing event takes the counter with it. */
static void
drop_events(struct source *s, size_t i)
{
	while (s->n_events > 0 && s->event[s->n_events - 1].counter == i)
		close(s->event[--s->n_events].fd);
}

static bool
open_one(struct source *s, size_t i, const struct source_event *event, struct source_status *status)
{
	struct counter_event ce = {.counter = i};
	char filter[1024] = "";

	if (!event_by_name(event->name, &s->world, &ce.code, status))
		return false;
	if (ce.code.kind == EVENT_TRACEPOINT)
		keeper_hold(s->keep->keeper, ce.code.config);
	if (event->filter && *event->filter &&
	    !filter_expand(event->filter, &s->keep->constants, &s->world, filter, sizeof filter, status))
		return false;
	ce.fd = perf_open_event(&ce.code, filter, child_pid(s->child), OPEN_COMMAND, &s->world, status);
	if (ce.fd < 0)
		return false;
	mem_grow(&s->event, &s->cap, s->n_events + 1, sizeof *s->event);
	s->event[s->n_events++] = ce;
	return true;
}

/* False only where going on makes no sense: no descriptors. */
static bool
open_counter(struct source *s, size_t i, const struct source_counter *counter)
{
	struct source_status *status = &s->status[i];

	status->health = OBS_LIVE;
	status->running = 1;
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
refuse_for_descriptors(const struct source *s, const struct source_spec *spec, size_t i, struct err *e)
{
	struct rlimit limit = {0};
	size_t need = 64;

	for (size_t j = 0; j < spec->n_counters; j++)
		need += spec->counter[j].n_events;
	getrlimit(RLIMIT_NOFILE, &limit);
	if (s->status[i].error == EMFILE) {
		err_set(e, "out of file descriptors after %zu events: a process may have %llu open, and each event takes one", s->n_events,
			(unsigned long long)limit.rlim_cur);
		err_hint(e, "ulimit -n %zu", need + (size_t)limit.rlim_cur);
	} else {
		err_set(e, "out of file descriptors after %zu events: %s", s->n_events, s->status[i].why);
		err_hint(e, "%s", s->status[i].remedy);
	}
}

/* Nothing can be counted at all: the first refusal stands for all. */
static void
refuse_all(const struct source *s, const struct source_spec *spec, struct err *e)
{
	err_set(e, "none of the %zu counters can be counted here; %s: %s", spec->n_counters, spec->counter[0].name, s->status[0].why);
	err_hint(e, "%s", s->status[0].remedy);
}

static struct source *
perf_source_open(const struct source_spec *spec, struct err *e)
{
	struct source *s = mem_new(sizeof *s);
	size_t open = 0;

	s->keep = spec->keep ? spec->keep : source_keep_new();
	s->own_keep = !spec->keep;
	s->n_counters = spec->n_counters;
	s->status = mem_new_array(spec->n_counters, sizeof *s->status);
	perf_world_look(&s->world);
	s->child = child_new(spec, e);
	if (!s->child)
		goto out;
	for (size_t i = 0; i < spec->n_counters; i++) {
		if (!open_counter(s, i, &spec->counter[i])) {
			refuse_for_descriptors(s, spec, i, e);
			goto out;
		}
		open += s->status[i].health == OBS_LIVE;
	}
	if (spec->n_counters > 0 && open == 0) {
		refuse_all(s, spec, e);
		goto out;
	}
	return s;
out:
	perf_source_close(s);
	return NULL;
}

static const struct source_status *
perf_source_status(const struct source *s)
{
	return s->status;
}

static bool
perf_source_start(struct source *s, struct err *e)
{
	s->started = child_start(s->child, &s->started_ns, e);
	return s->started;
}

static int
perf_source_wait_fd(const struct source *s)
{
	return child_wait_fd(s->child);
}

static bool
perf_source_poll(struct source *s, struct source_end *end)
{
	memset(end, 0, sizeof *end);
	if (!s->started || !child_poll(s->child, &s->end))
		return false;
	s->ended = true;
	end->seconds = (double)(s->end.at_ns - s->started_ns) * 1e-9;
	end->left_behind = (size_t)s->end.left_behind;
	if (!s->end.known)
		return true;
	end->exited = WIFEXITED(s->end.status);
	end->signalled = WIFSIGNALED(s->end.status);
	end->code = end->exited ? WEXITSTATUS(s->end.status) : end->signalled ? WTERMSIG(s->end.status) : 0;
	return true;
}

static bool
add_reading(const struct source *s, const struct counter_event *ce, const struct perf_reading *r, int64_t *sum, unsigned char *counted, struct err *e)
{
	struct source_status *status = &s->status[ce->counter];
	double running = r->enabled_ns ? (double)r->running_ns / (double)r->enabled_ns : 1;

	if (r->value > INT64_MAX || __builtin_add_overflow(*sum, (int64_t)r->value, sum)) {
		err_set(e, "%s has counted beyond 2^63", ce->code.name);
		return false;
	}
	if (running < status->running)
		status->running = running;
	if (r->running_ns < r->enabled_ns) {
		/* Scaling is an estimate (it was measured wrong by −22 % and +10 % even without a PMU), so it is no count. */
		*counted = 0;
		status_note(status, "count fewer events in one run (--counters)",
			    "%s was on a counter for %.1f %% of the time only: too many hardware events at once", ce->code.name, running * 100);
	}
	if (s->ended)
		status->health = perf_health(&ce->code, r, status->health);
	return true;
}

/* At execve(2) of a set-user-ID, set-group-ID or unreadable program, or one with file capabilities, the kernel takes all events off the task, root's
 * too, and goes on as if nothing had happened: the counters keep what they had. The time they were enabled then falls short of
 * the processor time that the command used (measured: 0.04 ms enabled of 117 ms run). Some of it is short always: what a task does between
 * the end of its events and its own, 50 µs of each process here, a quarter of a program that only forks. So only a gross gap is called. */
static bool
was_cut_short(const struct source *s, uint64_t enabled_ns)
{
	const uint64_t slack_ns = 10000000;

	return s->ended && s->end.known && s->n_events > 0 && s->end.cpu_ns > slack_ns && enabled_ns < (s->end.cpu_ns - slack_ns) / 4;
}

static bool
refuse_cut_short(const struct source *s, uint64_t enabled_ns, struct err *e)
{
	err_set(e, "the kernel stopped counting after %.1f ms of %.1f ms processor time: a set-user-ID program ran, or one with capabilities",
		(double)enabled_ns * 1e-6, (double)s->end.cpu_ns * 1e-6);
	return err_hint(e, "run hecate as the user that this program turns into, or count a program that keeps its user");
}

static bool
perf_source_read(struct source *s, int64_t *count, unsigned char *counted, struct err *e)
{
	uint64_t enabled_ns = 0;

	for (size_t i = 0; i < s->n_counters; i++) {
		count[i] = 0;
		counted[i] = s->status[i].health != OBS_UNSUPPORTED;
	}
	for (size_t i = 0; i < s->n_events; i++) {
		const struct counter_event *ce = &s->event[i];
		struct perf_reading r;

		if (!perf_read(ce->fd, &r))
			return err_set(e, "%s cannot be read: %s", ce->code.name, errno == EIO ? "it found no counter to run on" : strerror(errno));
		if (!add_reading(s, ce, &r, &count[ce->counter], &counted[ce->counter], e))
			return false;
		if (r.enabled_ns > enabled_ns)
			enabled_ns = r.enabled_ns;
	}
	if (was_cut_short(s, enabled_ns))
		return refuse_cut_short(s, enabled_ns, e);
	for (size_t i = 0; i < s->n_counters; i++)
		if (!counted[i])
			count[i] = 0;
	return true;
}

const struct source_ops source_perf = {
	.name = "perf",
	.open = perf_source_open,
	.status = perf_source_status,
	.start = perf_source_start,
	.wait_fd = perf_source_wait_fd,
	.poll = perf_source_poll,
	.read = perf_source_read,
	.close = perf_source_close,
};
