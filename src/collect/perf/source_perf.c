#include "config.h"

#include "collect/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/number_list.h"
#include "collect/perf/child.h"
#include "collect/perf/filter.h"
#include "collect/perf/health.h"
#include "collect/perf/keeper.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/places.h"
#include "collect/perf/processes.h"
#include "collect/perf/sampler.h"
#include "collect/perf/world.h"

struct source_keep {
	struct keeper *keeper;
	struct filter_constants constants;
};

/* One event of a counter: a descriptor for each place, and what it read there when the last row was made. */
struct counter_event {
	size_t counter;
	bool grouped; /* read with the leader of its place */
	struct event_code code;
	int *fd;      /* per place; -1 where the place has gone */
	struct perf_reading *last;
};

struct source {
	struct perf_world world;
	struct source_keep *keep;
	bool own_keep;
	struct child *child;           /* the command; NULL: a target */
	struct source_target target;   /* … its ids are owned */
	struct places places;
	struct source_status *status;
	size_t n_counters;
	struct counter_event *event;
	size_t n_events, cap, n_grouped;
	unsigned interval_ms;
	int ticker, watch;             /* the timer; an epoll of it and of what tells the end; -1 */
	int *ends;                     /* pidfds of the target, -1 where there is none (any more) */
	bool ends_told;                /* each of them has one: no need to look at ticks */
	uint64_t started_ns, stopped_ns;
	bool started, ended, last_row_taken, stop_asked;
	double tasks;
	uint64_t count_tasks_at_ns;    /* looking at all processes costs: not before */
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
close_event(struct source *s, struct counter_event *ce)
{
	for (size_t i = 0; i < s->places.n; i++)
		if (ce->fd[i] >= 0)
			close(ce->fd[i]);
	s->n_grouped -= ce->grouped;
	free(ce->fd);
	free(ce->last);
}

static void
close_events(struct source *s)
{
	while (s->n_events > 0)
		close_event(s, &s->event[--s->n_events]);
	places_free(&s->places);
}

static void
perf_source_close(struct source *s)
{
	if (!s)
		return;
	child_free(s->child);
	close_events(s);
	for (size_t i = 0; s->ends && i < s->target.n; i++)
		if (s->ends[i] >= 0)
			close(s->ends[i]);
	if (s->ticker >= 0)
		close(s->ticker);
	if (s->watch >= 0)
		close(s->watch);
	if (s->own_keep)
		source_keep_free(s->keep);
	free(s->ends);
	free((void *)(uintptr_t)s->target.id);
	free(s->event);
	free(s->status);
	free(s);
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
	err_set(e, "none of the %zu counters can be counted here; %s: %s", spec->n_counters, spec->counter[0].name, s->status[0].why);
	err_hint(e, "%s", s->status[0].remedy);
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

static bool
open_all(struct source *s, const struct source_spec *spec, struct err *e)
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
static bool
open_target(struct source *s, const struct source_spec *spec, struct err *e)
{
	size_t n;

	for (int attempt = 0; attempt < 5; attempt++) {
		close_events(s);
		if (!places_find(&s->target, &s->world, &s->places, e) || !open_all(s, spec, e))
			return false;
		if (places_are_whole(&s->target, &s->places, &n))
			break;
	}
	places_drop_guards(&s->places);
	return true;
}

/* A process may have more descriptors than it is given at first. Not with a command, which would inherit the limit. */
static void
raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static struct source *
perf_source_open(const struct source_spec *spec, struct err *e)
{
	struct source *s = mem_new(sizeof *s);
	bool good;

	s->keep = spec->keep ? spec->keep : source_keep_new();
	s->own_keep = !spec->keep;
	s->n_counters = spec->n_counters;
	s->interval_ms = spec->interval_ms;
	s->ticker = s->watch = -1;
	s->status = mem_new_array(spec->n_counters, sizeof *s->status);
	perf_world_look(&s->world);
	if (spec->target) {
		s->target = *spec->target;
		s->target.id = mem_copy(spec->target->id, spec->target->n * sizeof *spec->target->id);
		s->world.machine = spec->target->kind == SOURCE_CPUS;
		raise_descriptor_limit();
		good = open_target(s, spec, e);
	} else {
		s->child = child_new(spec, e);
		if (s->child)
			places_of_command(child_pid(s->child), &s->places);
		good = s->child && open_all(s, spec, e);
	}
	if (good)
		return s;
	perf_source_close(s);
	return NULL;
}

static const struct source_status *
perf_source_status(const struct source *s)
{
	return s->status;
}

static void
watch_fd(const struct source *s, int fd)
{
	struct epoll_event v = {.events = EPOLLIN};

	if (fd >= 0)
		epoll_ctl(s->watch, EPOLL_CTL_ADD, fd, &v);
}

/* A descriptor for each process or thread that is readable once it has ended. Threads need Linux 6.9; where there is none, ticks look. */
static void
watch_target(struct source *s)
{
	const unsigned thread_flag = O_EXCL; /* PIDFD_THREAD, which old headers lack */

	s->ends_told = true;
	if (s->target.kind == SOURCE_CPUS)
		return;
	s->ends = mem_new_array(s->target.n, sizeof *s->ends);
	for (size_t i = 0; i < s->target.n; i++) {
		s->ends[i] = (int)syscall(SYS_pidfd_open, s->target.id[i], s->target.kind == SOURCE_THREADS ? thread_flag : 0);
		s->ends_told &= s->ends[i] >= 0;
		watch_fd(s, s->ends[i]);
	}
}

static void
enable_everywhere(const struct source *s)
{
	for (size_t k = 0; k < s->places.n; k++) {
		if (s->places.at[k].gone)
			continue;
		for (size_t i = 0; i < s->n_events; i++)
			if (!s->event[i].grouped && s->event[i].fd[k] >= 0)
				perf_enable(s->event[i].fd[k], true);
		perf_enable(s->places.at[k].leader, true);
	}
}

static bool
perf_source_start(struct source *s, struct err *e)
{
	if (s->interval_ms) {
		s->watch = epoll_create1(EPOLL_CLOEXEC);
		s->ticker = ticker_new(s->interval_ms);
		if (s->watch < 0 || s->ticker < 0)
			return err_set(e, "cannot sample: %s", strerror(errno));
		watch_fd(s, s->ticker);
	}
	if (s->child) {
		s->started = child_start(s->child, &s->started_ns, e);
		if (s->interval_ms)
			watch_fd(s, child_wait_fd(s->child));
		return s->started;
	}
	watch_target(s);
	s->started_ns = clock_ns();
	enable_everywhere(s);
	return s->started = true;
}

static int
perf_source_wait_fd(const struct source *s)
{
	return s->watch >= 0 ? s->watch : child_wait_fd(s->child);
}

/* Have all processes (or threads) of the target ended? */
static bool
has_vanished(const struct source *s)
{
	size_t left = 0;

	if (s->target.kind == SOURCE_CPUS)
		return false;
	for (size_t i = 0; i < s->target.n; i++) {
		struct pollfd p = {.fd = s->ends[i], .events = POLLIN};

		if (s->ends[i] >= 0 ? poll(&p, 1, 0) <= 0 : process_of_thread(s->target.id[i]) != 0)
			left++;
		else if (s->ends[i] >= 0)
			epoll_ctl(s->watch, EPOLL_CTL_DEL, s->ends[i], NULL); /* told once is enough: the others are still waited for */
	}
	return left == 0;
}

static bool
poll_target(struct source *s, struct source_end *end)
{
	bool vanished;

	if (!s->started)
		return false;
	vanished = has_vanished(s);
	if (!s->ended && (vanished || s->stop_asked)) {
		s->ended = true;
		s->stopped_ns = clock_ns();
	}
	end->vanished = vanished;
	end->seconds = (double)(s->stopped_ns - s->started_ns) * 1e-9;
	return s->ended;
}

static bool
perf_source_poll(struct source *s, struct source_end *end)
{
	memset(end, 0, sizeof *end);
	if (!s->child)
		return poll_target(s, end);
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

static void
perf_source_stop(struct source *s)
{
	if (s->child)
		child_signal(s->child, s->stop_asked ? SIGKILL : SIGTERM);
	s->stop_asked = true;
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
	if (s->ended && s->child)
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

	return s->child && s->ended && s->end.known && s->n_events > 0 && s->end.cpu_ns > slack_ns && enabled_ns < (s->end.cpu_ns - slack_ns) / 4;
}

static bool
refuse_cut_short(const struct source *s, uint64_t enabled_ns, struct err *e)
{
	err_set(e, "the kernel stopped counting after %.1f ms of %.1f ms processor time: a set-user-ID program ran, or one with capabilities",
		(double)enabled_ns * 1e-6, (double)s->end.cpu_ns * 1e-6);
	return err_hint(e, "run hecate as the user that this program turns into, or count a program that keeps its user");
}

/* Read a group until no task is just leaving it, which takes microseconds; EAGAIN when it does not settle. */
static bool
read_group(const struct source *s, const struct place *p, uint64_t *value, struct perf_reading *times)
{
	for (int attempt = 0; attempt < 50; attempt++) {
		if (perf_read_group(p->leader, s->n_grouped, value, times))
			return true;
		if (errno != ECHILD)
			return false;
		sched_yield();
	}
	errno = EAGAIN;
	return false;
}

static bool
refuse_reading(const struct counter_event *ce, int error, struct err *e)
{
	if (error == ENODEV)
		return err_set(e, "%s cannot be read any more: its CPU went offline", ce->code.name);
	return err_set(e, "%s cannot be read: %s", ce->code.name, error == EIO ? "it found no counter to run on" : strerror(error));
}

/* Everything of one place, `now` an entry per event: first the group, then the others one after the other. */
static bool
read_place(const struct source *s, size_t k, struct perf_reading *now, struct err *e)
{
	uint64_t value[PERF_GROUP_MOST];
	struct perf_reading times;
	const struct counter_event *last = NULL;

	if (s->n_grouped > 0 && !read_group(s, &s->places.at[k], value, &times))
		for (size_t i = 0; i < s->n_events; i++)
			if (s->event[i].grouped)
				return refuse_reading(&s->event[i], errno, e);
	for (size_t i = 0, member = 0; i < s->n_events; i++) {
		last = &s->event[i];
		if (last->grouped)
			now[i] = (struct perf_reading){value[member++], times.enabled_ns, times.running_ns};
		else if (last->fd[k] >= 0 && !perf_read(last->fd[k], &now[i]))
			return refuse_reading(last, errno, e);
	}
	return true;
}

/* Every event at every place: now[place × n_events + event]. */
static bool
read_all(const struct source *s, struct perf_reading *now, struct err *e)
{
	for (size_t k = 0; k < s->places.n; k++)
		if (!s->places.at[k].gone && !read_place(s, k, now + k * s->n_events, e))
			return false;
	return true;
}

static bool
add_totals(const struct source *s, const struct perf_reading *now, int64_t *count, unsigned char *counted, struct err *e)
{
	uint64_t enabled_ns = 0;

	for (size_t i = 0; i < s->n_counters; i++) {
		count[i] = 0;
		counted[i] = s->status[i].health != OBS_UNSUPPORTED;
	}
	for (size_t i = 0; i < s->n_events; i++)
		for (size_t k = 0; k < s->places.n; k++) {
			const struct perf_reading *r = &now[k * s->n_events + i];
			const struct counter_event *ce = &s->event[i];

			if (s->places.at[k].gone)
				continue;
			if (!add_reading(s, ce, r, &count[ce->counter], &counted[ce->counter], e))
				return false;
			if (r->enabled_ns > enabled_ns)
				enabled_ns = r->enabled_ns;
		}
	if (was_cut_short(s, enabled_ns))
		return refuse_cut_short(s, enabled_ns, e);
	for (size_t i = 0; i < s->n_counters; i++)
		if (!counted[i])
			count[i] = 0;
	return true;
}

static bool
perf_source_read(struct source *s, int64_t *count, unsigned char *counted, struct err *e)
{
	struct perf_reading *now = mem_new_array(s->places.n * s->n_events, sizeof *now);
	bool good = read_all(s, now, e) && add_totals(s, now, count, counted, e);

	free(now);
	return good;
}

/* Looking at all processes takes a while: at most a hundredth of the time goes into it. */
static void
count_tasks(struct source *s)
{
	uint64_t from = clock_ns(), to;

	if (from < s->count_tasks_at_ns)
		return;
	s->tasks = places_tasks(s->child ? NULL : &s->target, s->child ? child_minder(s->child) : 0, &s->places);
	to = clock_ns();
	s->count_tasks_at_ns = to + 99 * (to - from);
}

static bool
fill_row(struct source *s, const struct perf_reading *now, struct source_row *row, struct err *e)
{
	for (size_t i = 0; i < s->n_counters; i++) {
		row->count[i] = 0;
		row->counted[i] = s->status[i].health != OBS_UNSUPPORTED;
		row->running[i] = 1;
	}
	for (size_t i = 0; i < s->n_events; i++) {
		struct counter_event *ce = &s->event[i];
		struct increment inc = INCREMENT_NONE;
		size_t c = ce->counter;

		for (size_t k = 0; k < s->places.n; k++)
			if (!s->places.at[k].gone && ce->fd[k] >= 0)
				increment_add(&inc, &now[k * s->n_events + i], &ce->last[k]);
		if (inc.overflow || __builtin_add_overflow(row->count[c], inc.count, &row->count[c]))
			return err_set(e, "%s has counted beyond 2^63", ce->code.name);
		row->counted[c] &= !inc.blind;
		row->running[c] = inc.share < row->running[c] ? inc.share : row->running[c];
	}
	for (size_t i = 0; i < s->n_counters; i++)
		if (!row->counted[i])
			row->count[i] = 0;
	return true;
}

static enum source_news
take_row(struct source *s, struct source_row *row, struct err *e)
{
	struct perf_reading *now = mem_new_array(s->places.n * s->n_events, sizeof *now);
	bool good = read_all(s, now, e);

	row->seconds = (double)((s->ended && s->child ? s->end.at_ns : clock_ns()) - s->started_ns) * 1e-9;
	if (good)
		count_tasks(s);
	row->tasks = s->tasks;
	good = good && fill_row(s, now, row, e);
	free(now);
	return good ? SOURCE_ROW : SOURCE_ROW_FAILED;
}

static enum source_news
perf_source_row(struct source *s, struct source_row *row, struct err *e)
{
	uint64_t ticks;

	if (!s->interval_ms || !s->started || s->last_row_taken)
		return SOURCE_NO_ROW;
	s->last_row_taken = s->ended;
	ticks = ticker_take(s->ticker);
	row->missed = ticks > 1 ? ticks - 1 : 0;
	return ticks || s->ended ? take_row(s, row, e) : SOURCE_NO_ROW;
}

const struct source_ops source_perf = {
	.name = "perf",
	.open = perf_source_open,
	.status = perf_source_status,
	.start = perf_source_start,
	.wait_fd = perf_source_wait_fd,
	.poll = perf_source_poll,
	.read = perf_source_read,
	.row = perf_source_row,
	.stop = perf_source_stop,
	.close = perf_source_close,
};
