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
#include "base/json.h"
#include "base/mem.h"
#include "collect/perf/keeper.h"
#include "collect/perf/sampler.h"
#include "collect/perf/source_state.h"
#include "collect/perf/turns.h"
#include "collect/process/processes.h"

#define WORLD_NS 1000000000u /* a reading of the machine is good for so long */

struct source_keep *
source_keep_new(void)
{
	struct source_keep *k = mem_new(sizeof *k);

	k->keeper = keeper_new();
	for (size_t i = 0; i < SOURCE_SOFTWARE; i++)
		k->software[i] = -1;
	return k;
}

void
source_keep_free(struct source_keep *k)
{
	if (!k)
		return;
	keeper_free(k->keeper);
	for (size_t i = 0; i < SOURCE_SOFTWARE; i++)
		if (k->software[i] >= 0)
			close(k->software[i]);
	free(k);
}

static void
perf_source_close(struct source *source)
{
	if (!source)
		return;
	if (!source->held)
		child_free(source->child);
	turns_free(source->turns);
	perf_close_events(source);
	for (size_t i = 0; source->ends && i < source->target.n; i++)
		if (source->ends[i] >= 0)
			close(source->ends[i]);
	if (source->ticker >= 0)
		close(source->ticker);
	if (source->watch >= 0)
		close(source->watch);
	if (source->own_keep)
		source_keep_free(source->keep);
	free(source->ends);
	free(source->id);
	free(source->event);
	free(source->known);
	names_free(&source->names);
	free(source->status);
	free(source->number);
	free(source);
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

/* Short runs follow each other faster than the machine changes. But whoever mounts tracefs runs again at once. */
static void
find_world(struct source *source)
{
	struct source_keep *keep = source->keep;
	uint64_t now = clock_ns();

	if (!keep->world_ns || now - keep->world_ns > WORLD_NS ||
		keep->world.tracefs_state == TRACEFS_NOT_MOUNTED) {
		perf_world_probe(&keep->world);
		keep->world_ns = now;
	}
	source->world = keep->world;
}

static struct source *
perf_source_open(const struct source_spec *spec, struct err *e)
{
	struct source *source = mem_new(sizeof *source);
	bool good = true;

	source->keep = spec->keep ? spec->keep : source_keep_new();
	source->own_keep = !spec->keep;
	source->n_counters = spec->n_counters;
	source->interval_ms = spec->interval_ms;
	source->by_hand = spec->by_hand;
	source->held = spec->held != NULL;
	source->lose_cpus = spec->lose_cpus;
	source->rotation = spec->rotation;
	source->rotation_given = spec->rotation_given;
	source->constraints = spec->constraints;
	source->number = mem_new_array(spec->n_counters, sizeof *source->number);
	for (size_t i = 0; i < spec->n_counters; i++)
		source->number[i] = spec->counter[i].number;
	source->ticker = source->watch = -1;
	source->status = mem_new_array(spec->n_counters, sizeof *source->status);
	find_world(source);
	source->world.known = &source->tables;
	if (spec->held)
		source->child = spec->held;
	else if (spec->argv)
		good = (source->child = child_new(spec, e)) != NULL;
	if (good && spec->target) {
		source->target = *spec->target;
		source->target.id = source->id = mem_copy(spec->target->id, spec->target->n * sizeof *source->id);
		source->world.machine = spec->target->kind == SOURCE_CPUS;
		raise_descriptor_limit();
		good = perf_open_target(source, spec, e);
	} else if (good) {
		places_of_command(child_pid(source->child), &source->places);
		good = perf_open_all(source, spec, e);
	}
	known_events_free(&source->tables);
	if (good)
		return source;
	perf_source_close(source);
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

/* In hexadecimal, as manuals and perf write it. */
static void
write_code(struct json_writer *writer, const char *key, uint64_t code)
{
	char text[32];

	snprintf(text, sizeof text, "0x%llx", (unsigned long long)code);
	json_str(writer, key, text);
}

uint64_t
perf_source_cpu_ns(const struct source *s)
{
	return s->child && s->ended && s->end.known ? s->end.cpu_ns : 0;
}

void
perf_source_events(const struct source *source, const struct source_counter *counter, struct json_writer *writer)
{
	for (size_t i = 0, k = 0; i < source->n_events; i++) {
		const struct counter_event *event = &source->event[i];
		const struct source_status *status = &source->status[event->counter];
		const struct event_item *item;

		k = i && event[-1].counter == event->counter ? k + 1 : 0; /* its place among its counter's events */
		if (status->health == OBS_UNSUPPORTED)
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "counter", counter[event->counter].name);
		json_str(writer, "event", event->code.name);
		item = &counter[event->counter].event[k];
		json_str(writer, "filter", item->filter && *item->filter ? item->filter : NULL);
		json_str(writer, "pmu", *event->code.pmu ? event->code.pmu : NULL);
		json_int(writer, "type", event->code.type);
		write_code(writer, "config", event->code.config);
		write_code(writer, "config1", event->code.config1);
		write_code(writer, "config2", event->code.config2);
		json_bool(writer, "user", !event->code.no_user);
		json_bool(writer, "kernel", !event->code.no_kernel && !status->user_only);
		json_close(writer, '}');
	}
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
watch_target(struct source *source)
{
	const unsigned thread_flag = O_EXCL; /* PIDFD_THREAD, which old headers lack */

	source->ends_known = true;
	if (source->target.kind == SOURCE_CPUS)
		return;
	source->ends = mem_new_array(source->target.n, sizeof *source->ends);
	for (size_t i = 0; i < source->target.n; i++) {
		source->ends[i] = (int)syscall(
			SYS_pidfd_open, source->target.id[i], source->target.kind == SOURCE_THREADS ? thread_flag : 0);
		source->ends_known &= source->ends[i] >= 0;
		watch_fd(source, source->ends[i]);
	}
}

static void
switch_everywhere(struct source *source, bool on)
{
	for (size_t k = 0; k < source->places.n; k++) {
		if (source->places.at[k].gone)
			continue;
		for (size_t i = source->first[k]; i < source->first[k + 1]; i++) {
			const struct event_slot *slot =
				&source->event[source->reading[i].event].slot[source->reading[i].slot];

			if (!slot->grouped)
				perf_enable(slot->fd, on);
		}
		perf_enable(source->places.at[k].leader, on);
	}
}

static bool
perf_source_start(struct source *source, struct err *e)
{
	source->turns = turns_new(source);
	if (source->interval_ms && !source->by_hand) {
		source->watch = epoll_create1(EPOLL_CLOEXEC);
		source->ticker = ticker_new(source->interval_ms);
		if (source->watch < 0 || source->ticker < 0)
			return err_set(e, "cannot sample: %s", strerror(errno));
		watch_fd(source, source->ticker);
	}
	if (source->child) {
		if (source->places.mode == OPEN_CPU)
			switch_everywhere(source, true); /* all others are enabled by execve(2) */
		source->started_ns = clock_ns();
		source->started = source->held || child_start(source->child, &source->started_ns, e);
		if (source->started)
			turns_start(source->turns);
		if (source->watch >= 0)
			watch_fd(source, child_wait_fd(source->child));
		return source->started;
	}
	watch_target(source);
	source->started_ns = clock_ns();
	switch_everywhere(source, true);
	turns_start(source->turns);
	places_drop_guards(&source->places);
	return source->started = true;
}

static int
perf_source_wait_fd(const struct source *s)
{
	return s->watch >= 0 ? s->watch : child_wait_fd(s->child);
}

/* Have all processes (or threads) of the target ended? */
static bool
has_vanished(const struct source *source)
{
	size_t left = 0;

	if (source->target.kind == SOURCE_CPUS)
		return false;
	for (size_t i = 0; i < source->target.n; i++) {
		struct pollfd p = {.fd = source->ends[i], .events = POLLIN};

		if (source->ends[i] >= 0 ? poll(&p, 1, 0) <= 0 : process_of_thread(source->target.id[i]) != 0)
			left++;
		else if (source->ends[i] >= 0)
			/* one notice is enough: only the others are waited for */
			epoll_ctl(source->watch, EPOLL_CTL_DEL, source->ends[i], NULL);
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
poll_target(struct source *source, struct source_end *end)
{
	bool vanished;

	if (!source->started)
		return false;
	vanished = has_vanished(source);
	if (!source->ended && (vanished || source->stop_asked)) {
		source->ended = true;
		source->stopped_ns = clock_ns();
	}
	end->vanished = vanished;
	end->strangers = source->strangers;
	end->seconds = (double)(source->stopped_ns - source->started_ns) / 1e9;
	return source->ended;
}

static bool
perf_source_poll(struct source *source, struct source_end *end)
{
	memset(end, 0, sizeof *end);
	list_lost_cpus(source, end->lost_cpus, sizeof end->lost_cpus);
	if (!source->child)
		return poll_target(source, end);
	if (!source->started || !child_poll(source->child, &source->end))
		return false;
	/* If a row was taken between the end and its notice, the end is put after that row, so that no row is empty. */
	if (!source->ended && source->end.at_ns <= source->row_ns)
		source->end.at_ns = clock_ns();
	turns_stop(source->turns);
	if (!source->ended && source->places.mode == OPEN_CPU) { /* the CPUs go on without the command */
		switch_everywhere(source, false);
		source->tasks = places_tasks(&source->target, 0, &source->places);
	}
	source->ended = true;
	end->tasks = source->places.mode == OPEN_CPU ? source->tasks : 0;
	end->seconds = (double)(source->end.at_ns - source->started_ns) / 1e9;
	end->left_behind = (size_t)source->end.left_behind;
	if (!source->end.known)
		return true;
	end->user = (double)source->end.user_ns / 1e9;
	end->system = (double)source->end.system_ns / 1e9;
	end->exited = WIFEXITED(source->end.status);
	end->signalled = WIFSIGNALED(source->end.status);
	end->code = end->exited ? WEXITSTATUS(source->end.status) : end->signalled ? WTERMSIG(source->end.status) : 0;
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
