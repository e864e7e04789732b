#include "collect/perf/source_perf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
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
#include "collect/perf/keeper.h"
#include "collect/perf/sampler.h"
#include "collect/perf/source_state.h"
#include "collect/perf/turns.h"
#include "collect/process/processes.h"

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
	if (!s->held)
		child_free(s->child);
	turns_free(s->turns);
	perf_close_events(s);
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
	free(s->id);
	free(s->event);
	free(s->known);
	names_free(&s->names);
	free(s->status);
	free(s);
}

/* Raises the soft limit of descriptors. The command, which would inherit the limit, has already been forked. */
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
	bool good = true;

	s->keep = spec->keep ? spec->keep : source_keep_new();
	s->own_keep = !spec->keep;
	s->n_counters = spec->n_counters;
	s->interval_ms = spec->interval_ms;
	s->by_hand = spec->by_hand;
	s->held = spec->held != NULL;
	s->lose_cpus = spec->lose_cpus;
	s->rotation = spec->rotation;
	s->rotation_given = spec->rotation_given;
	s->ticker = s->watch = -1;
	s->status = mem_new_array(spec->n_counters, sizeof *s->status);
	perf_world_probe(&s->world);
	if (spec->held)
		s->child = spec->held;
	else if (spec->argv)
		good = (s->child = child_new(spec, e)) != NULL;
	if (good && spec->target) {
		s->target = *spec->target;
		s->target.id = s->id = mem_copy(spec->target->id, spec->target->n * sizeof *s->id);
		s->world.machine = spec->target->kind == SOURCE_CPUS;
		raise_descriptor_limit();
		good = perf_open_target(s, spec, e);
	} else if (good) {
		places_of_command(child_pid(s->child), &s->places);
		good = perf_open_all(s, spec, e);
	}
	if (good)
		return s;
	perf_source_close(s);
	return NULL;
}

bool
perf_source_command(const struct source *s, pid_t *command, pid_t *minder)
{
	if (!s->child)
		return false;
	*command = child_pid(s->child);
	*minder = child_minder(s->child);
	return true;
}

uint64_t
perf_source_cpu_ns(const struct source *s)
{
	return s->child && s->ended && s->end.known ? s->end.cpu_ns : 0;
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

/* Opens a descriptor for each process or thread, which is readable once that has ended. Threads need Linux 6.9. Where a
 * descriptor is missing, ticks check. */
static void
watch_target(struct source *s)
{
	const unsigned thread_flag = O_EXCL; /* PIDFD_THREAD, which old headers lack */

	s->ends_known = true;
	if (s->target.kind == SOURCE_CPUS)
		return;
	s->ends = mem_new_array(s->target.n, sizeof *s->ends);
	for (size_t i = 0; i < s->target.n; i++) {
		s->ends[i] = (int)syscall(
			SYS_pidfd_open, s->target.id[i], s->target.kind == SOURCE_THREADS ? thread_flag : 0);
		s->ends_known &= s->ends[i] >= 0;
		watch_fd(s, s->ends[i]);
	}
}

static void
switch_everywhere(struct source *s, bool on)
{
	for (size_t k = 0; k < s->places.n; k++) {
		if (s->places.at[k].gone)
			continue;
		for (size_t i = s->first[k]; i < s->first[k + 1]; i++) {
			const struct event_slot *x = &s->event[s->reading[i].event].slot[s->reading[i].slot];

			if (!x->grouped)
				perf_enable(x->fd, on);
		}
		perf_enable(s->places.at[k].leader, on);
	}
}

static bool
perf_source_start(struct source *s, struct err *e)
{
	s->turns = turns_new(s);
	if (s->interval_ms && !s->by_hand) {
		s->watch = epoll_create1(EPOLL_CLOEXEC);
		s->ticker = ticker_new(s->interval_ms);
		if (s->watch < 0 || s->ticker < 0)
			return err_set(e, "cannot sample: %s", strerror(errno));
		watch_fd(s, s->ticker);
	}
	if (s->child) {
		if (s->places.mode == OPEN_CPU)
			switch_everywhere(s, true); /* all others are enabled by execve(2) */
		s->started_ns = clock_ns();
		s->started = s->held || child_start(s->child, &s->started_ns, e);
		if (s->started)
			turns_start(s->turns);
		if (s->watch >= 0)
			watch_fd(s, child_wait_fd(s->child));
		return s->started;
	}
	watch_target(s);
	s->started_ns = clock_ns();
	switch_everywhere(s, true);
	turns_start(s->turns);
	places_drop_guards(&s->places);
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
			/* one notice is enough: only the others are waited for */
			epoll_ctl(s->watch, EPOLL_CTL_DEL, s->ends[i], NULL);
	}
	return left == 0;
}

static void
list_lost_cpus(const struct source *s, char *out, size_t size)
{
	size_t n = 0;

	for (size_t k = 0; k < s->places.n && n + 16 < size; k++)
		if (s->places.at[k].lost)
			n += (size_t)snprintf(out + n, size - n, "%s%d", n ? ", " : "", s->places.at[k].id);
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
	end->strangers = s->strangers;
	end->seconds = (double)(s->stopped_ns - s->started_ns) / 1e9;
	return s->ended;
}

static bool
perf_source_poll(struct source *s, struct source_end *end)
{
	memset(end, 0, sizeof *end);
	list_lost_cpus(s, end->lost_cpus, sizeof end->lost_cpus);
	if (!s->child)
		return poll_target(s, end);
	if (!s->started || !child_poll(s->child, &s->end))
		return false;
	/* If a row was taken between the end and its notice, the end is put after that row, so that no row is empty. */
	if (!s->ended && s->end.at_ns <= s->row_ns)
		s->end.at_ns = clock_ns();
	turns_stop(s->turns);
	if (!s->ended && s->places.mode == OPEN_CPU) { /* the CPUs go on without the command */
		switch_everywhere(s, false);
		s->tasks = places_tasks(&s->target, 0, &s->places);
	}
	s->ended = true;
	end->tasks = s->places.mode == OPEN_CPU ? s->tasks : 0;
	end->seconds = (double)(s->end.at_ns - s->started_ns) / 1e9;
	end->left_behind = (size_t)s->end.left_behind;
	if (!s->end.known)
		return true;
	end->exited = WIFEXITED(s->end.status);
	end->signalled = WIFSIGNALED(s->end.status);
	end->code = end->exited ? WEXITSTATUS(s->end.status) : end->signalled ? WTERMSIG(s->end.status) : 0;
	return true;
}

static int
perf_source_pid(const struct source *s)
{
	return s->child ? child_pid(s->child) : 0;
}

static void
perf_source_stop(struct source *s)
{
	if (s->child && !s->held)
		child_signal(s->child, s->stop_asked ? SIGKILL : SIGTERM);
	s->stop_asked = true;
}

static void
perf_source_tick(struct source *s)
{
	s->row_asked = true;
}

static enum source_news
perf_source_row(struct source *s, struct source_row *row, struct err *e)
{
	uint64_t ticks;

	if (!s->interval_ms || !s->started || s->last_row_taken)
		return SOURCE_NO_ROW;
	s->last_row_taken = s->ended;
	ticks = s->by_hand ? s->row_asked : ticker_take(s->ticker);
	s->row_asked = false;
	row->missed = ticks > 1 ? ticks - 1 : 0;
	return ticks || s->ended ? perf_take_row(s, row, e) : SOURCE_NO_ROW;
}

const struct source_ops source_perf = {
	.name = "perf",
	.open = perf_source_open,
	.status = perf_source_status,
	.start = perf_source_start,
	.pid = perf_source_pid,
	.wait_fd = perf_source_wait_fd,
	.poll = perf_source_poll,
	.read = perf_read_totals,
	.row = perf_source_row,
	.tick = perf_source_tick,
	.stop = perf_source_stop,
	.close = perf_source_close,
};
