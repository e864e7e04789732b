/* Which events are recorded, and opening them on each CPU. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/barrier.h"
#include "collect/perf/kernel_causes.h"
#include "collect/perf/merge.h"
#include "collect/perf/names.h"
#include "collect/perf/places.h"
#include "collect/perf/records_state.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"
#include "collect/source.h"

#define FORMAT_LOST (1u << 4) /* PERF_FORMAT_LOST, which older headers do not have */
#define DEEPEST_CHAIN 12      /* frames: futex_do_wait() is the third, io_schedule() of a page in a fault the third */

static const struct {
	const char *system, *event, *filter;
	uint64_t config; /* number of a software event */
} event_of[RECORD_WHATS] = {
	[RECORD_TASKS] = {NULL, NULL, NULL, PERF_COUNT_SW_DUMMY},
	/* The SWITCH record shows running (0) and preempted (256), and the idle task only runs. Without causes, the
	 * most frequent sleeps, the interruptible ones (1), are omitted too: a sleep without a record is one of those.
	 */
	[RECORD_SWITCH] = {"sched", "sched_switch", "prev_state & 254", 0},
	[RECORD_SWITCH_CAUSE] = {"sched", "sched_switch", "prev_state & 255", 0},
	[RECORD_WAKEUP] = {"sched", "sched_wakeup", NULL, 0},
	[RECORD_WAKEUP_NEW] = {"sched", "sched_wakeup_new", NULL, 0},
	[RECORD_FAULT] = {NULL, NULL, NULL, PERF_COUNT_SW_PAGE_FAULTS},
	[RECORD_MINOR] = {NULL, NULL, NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	[RECORD_MAJOR] = {NULL, NULL, NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	[RECORD_SIGNAL] = {"signal", "signal_generate", "sig == 11 || sig == 7", 0},
};

static bool
is_tracepoint(enum record_what what)
{
	return event_of[what].system != NULL;
}

/* Returns fields that give each event a size of its own (record_reader.c), though they are otherwise unused. If several
 * observers have a software event open, the kernel writes it to all of them with the identifier of the first:
 * do_perf_sw_event() fills in one sample for all. */
static uint64_t
shape_of(enum record_what what)
{
	return what == RECORD_MINOR    ? PERF_SAMPLE_PERIOD
		: what == RECORD_MAJOR ? PERF_SAMPLE_PERIOD | PERF_SAMPLE_ADDR
			: 0;
}

static int
open_one(const struct records *records, enum record_what what, int cpu, int tracepoint)
{
	struct perf_event_attr a;
	int fd;

	memset(&a, 0, sizeof a);
	a.size = sizeof a;
	a.type = is_tracepoint(what) ? PERF_TYPE_TRACEPOINT : PERF_TYPE_SOFTWARE;
	a.config = is_tracepoint(what) ? (__u64)tracepoint : event_of[what].config;
	a.sample_period = 1;
	a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	if (is_tracepoint(what))
		a.sample_type |= PERF_SAMPLE_RAW;
	a.sample_type |= shape_of(what);
	if (what == RECORD_SWITCH_CAUSE) {
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
		a.exclude_callchain_user = 1;
		a.sample_max_stack = DEEPEST_CHAIN;
	}
	a.sample_id_all = 1;
	a.use_clockid = 1;
	a.clockid = CLOCK_MONOTONIC;
	a.disabled = 1;
	a.watermark = 1; /* the default is half of the ring */
	if (what == RECORD_TASKS)
		a.context_switch = a.task = a.comm = a.comm_exec = 1;
	if (records->spec.task) {
		a.inherit = 1;
		a.enable_on_exec = 1;
		a.exclude_kernel = a.exclude_hv = 1; /* any user may open the user side */
	}
	a.read_format = FORMAT_LOST;
	fd = (int)syscall(
		SYS_perf_event_open, &a, records->spec.task ? records->spec.task : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && errno == EINVAL) { /* a kernel before 6.0 does not know it */
		a.read_format = 0;
		fd = (int)syscall(SYS_perf_event_open, &a, records->spec.task ? records->spec.task : -1, cpu, -1,
			PERF_FLAG_FD_CLOEXEC);
	}
	return fd;
}

static void
records_open_note(struct records *r, const char *what, const char *why)
{
	size_t n = strlen(r->health.note);

	snprintf(r->health.note + n, sizeof r->health.note - n, "%s%s: %s", n ? "; " : "", what, why);
}

/* Finds a field's offset in the tracepoint's format file. */
static bool
find_field(const struct perf_world *w, const char *system, const char *event, const char *field, size_t size,
	size_t *offset)
{
	char path[1024], text[8192];

	snprintf(path, sizeof path, "events/%s/%s/format", system, event);
	return perf_tracefs_read(w, path, text, sizeof text) && record_field(text, field, size, offset);
}

/* Is this the first pid namespace? Raw data of tracepoints name tasks by their numbers there, records by those of the
 * reader. */
static bool
in_first_pid_namespace(void)
{
	char target[64];
	ssize_t n = readlink("/proc/self/ns/pid", target, sizeof target - 1);

	if (n <= 0)
		return false;
	target[n] = '\0';
	return str_eq(target, "pid:[4026531836]"); /* PROC_PID_INIT_INO of include/linux/proc_ns.h */
}

static bool
find_layout(struct records *records, const struct perf_world *world)
{
	const bool here = world->tracefs_state == TRACEFS_READABLE, first = in_first_pid_namespace();

	records->health.states = here &&
		find_field(world, "sched", "sched_switch", "prev_state", 8, &records->layout.prev_state);
	records->health.wakeups = first && here &&
		find_field(world, "sched", "sched_wakeup", "pid", 4, &records->layout.wakeup_pid) &&
		find_field(world, "sched", "sched_wakeup_new", "pid", 4, &records->layout.wakeup_new_pid);
	records->health.signals =
		first && here && find_field(world, "signal", "signal_generate", "pid", 4, &records->layout.signal_pid);
	if (!here)
		records_open_note(records, "states, causes and wake-ups",
			world->tracefs_state == TRACEFS_NOT_MOUNTED
				? "tracefs is not mounted (mount -t tracefs tracefs /sys/kernel/tracing)"
				: "tracefs cannot be read");
	else if (!first)
		records_open_note(records, "wake-ups", "this is not the first pid namespace, whose numbers they have");
	return records->health.states;
}

static bool
wanted(const struct records *records, enum record_what what)
{
	switch (what) {
	case RECORD_TASKS:
		return true;
	case RECORD_SWITCH:
		return records->health.states && records->spec.causes != RECORDS_CAUSES_ALWAYS;
	case RECORD_SWITCH_CAUSE:
		return records->health.states && records->causes;
	case RECORD_WAKEUP:
	case RECORD_WAKEUP_NEW:
		return records->health.wakeups;
	case RECORD_FAULT:
	case RECORD_MINOR:
	case RECORD_MAJOR:
		return records->health.faults;
	case RECORD_SIGNAL:
		return records->health.signals && records->health.faults;
	case RECORD_WHATS:
		break;
	}
	return false;
}

/* Opens all events of one CPU, which write into the ring of the first. *failed: the event that errno is about. */
static bool
open_place(struct records *records, struct place_of_records *at, struct merge_lane *lane, const int *tracepoint,
	enum record_what *failed)
{
	lane->reader = (struct record_reader){.layout = &records->layout,
		.causes = records->causes,
		.cpu = (uint16_t)at->cpu,
		.states = records->health.states};
	for (int what = 0; what < RECORD_WHATS; what++) {
		*failed = (enum record_what)what;
		if (!wanted(records, *failed))
			continue;
		at->fd[what] = open_one(records, *failed, at->cpu, tracepoint[what]);
		if (at->fd[what] < 0 || ioctl(at->fd[what], PERF_EVENT_IOC_ID, &lane->reader.id[what]) != 0)
			return false;
		if (what == RECORD_TASKS) {
			if (!ring_map(&lane->ring, at->fd[what], records->spec.ring_kb))
				return false;
		} else if (ioctl(at->fd[what], PERF_EVENT_IOC_SET_OUTPUT, at->fd[RECORD_TASKS]) != 0) {
			return false;
		}
		if (event_of[what].filter && ioctl(at->fd[what], PERF_EVENT_IOC_SET_FILTER, event_of[what].filter) != 0)
			return false;
	}
	if (lane->ring.size / 1024 < records->health.ring_kb)
		records->health.ring_kb = lane->ring.size / 1024;
	return true;
}

static void
explain(enum record_what what, int error, const struct perf_world *world, const struct records_spec *spec,
	struct source_status *why)
{
	const char *name = is_tracepoint(what) ? event_of[what].event
		: what == RECORD_TASKS         ? "records of context switches"
					       : "records of page faults";

	if (error == EACCES || error == EPERM)
		source_status_refuse(why, error,
			spec->task ? "sudo sysctl kernel.perf_event_paranoid=2"
				: "run it as root, or watch a program of your own without them",
			"%s: %s; perf_event_paranoid is %d%s", name,
			spec->task ? "not permitted"
				: "recording whole CPUs needs CAP_PERFMON, and tracefs to be readable",
			world->paranoid, world->seccomp ? ", and a seccomp filter is in place" : "");
	else if (error == EMFILE)
		source_status_refuse(why, error, "ulimit -n 4096",
			"%s: this process has no file descriptor left", name);
	else if (error == ENOMEM)
		source_status_refuse(why, error, "sudo sysctl kernel.perf_event_mlock_kb=16384",
			"%s: no memory may be locked for the rings", name);
	else
		source_status_refuse(why, error, NULL, "%s: the kernel does not give them: %s", name, strerror(error));
}

static bool
records_open_wait_for(const struct records *r, int fd)
{
	struct epoll_event ready = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(r->epoll, EPOLL_CTL_ADD, fd, &ready) == 0;
}

static bool
open_places(struct records *records, const struct perf_world *world, struct source_status *why)
{
	int tracepoint[RECORD_WHATS] = {0}, *cpu;
	enum record_what failed = RECORD_TASKS;

	for (int what = 0; what < RECORD_WHATS; what++)
		if (is_tracepoint((enum record_what)what) && wanted(records, (enum record_what)what)) {
			tracepoint[what] = perf_tracepoint_id(world, event_of[what].system, event_of[what].event);
			if (tracepoint[what] < 0) {
				explain((enum record_what)what, errno, world, &records->spec, why);
				return false;
			}
		}
	records->n = places_online(world, &cpu);
	records->at = mem_new_array(records->n, sizeof *records->at);
	records->switches_at = mem_new_array(records->n, sizeof *records->switches_at);
	records->merge = merge_new(records->n);
	for (size_t i = 0; i < records->n; i++) {
		records->at[i].cpu = cpu[i];
		records->n_cpus = (size_t)cpu[i] >= records->n_cpus ? (size_t)cpu[i] + 1 : records->n_cpus;
		for (int what = 0; what < RECORD_WHATS; what++)
			records->at[i].fd[what] = -1;
	}
	free(cpu);
	for (size_t i = 0; i < records->n; i++) {
		if (!open_place(records, &records->at[i], &records->merge->lane[i], tracepoint, &failed) ||
			!records_open_wait_for(records, records->at[i].fd[RECORD_TASKS])) {
			explain(failed, errno, world, &records->spec, why);
			return false;
		}
	}
	records->health.cpus = records->n;
	return records->n > 0;
}

struct records *
records_open(const struct records_spec *spec, const struct perf_world *world, struct source_status *why)
{
	struct records *records = mem_new(sizeof *records);

	records->spec = *spec;
	if (records->spec.ring_kb == 0)
		records->spec.ring_kb = RECORDS_RING_KB;
	snprintf(records->sysfs, sizeof records->sysfs, "%s", world->sysfs);
	records->epoll = epoll_create1(EPOLL_CLOEXEC);
	records->health.ring_kb = records->spec.ring_kb;
	records->health.faults = !spec->no_faults;
	records->health.kernel_faults = records->health.faults && !spec->task;
	records->health.switches_only = spec->task != 0;
	if (spec->task)
		records_open_note(records, "states, causes, wake-ups and the kernel's page faults",
			"recorded for whole CPUs only, which needs CAP_PERFMON");
	else if (find_layout(records, world) && spec->causes != RECORDS_CAUSES_NEVER) {
		bool raised = caps_raise(CAPS_KERNEL_ADDRESSES);

		records->causes = spec->like && spec->like->causes ? kernel_causes_share(spec->like->causes)
								   : kernel_causes_new("/proc/kallsyms");
		caps_lower(CAPS_KERNEL_ADDRESSES, raised);
		if (!records->causes)
			records_open_note(records, "causes of sleeps",
				"/proc/kallsyms shows no addresses (it takes CAP_SYSLOG, and "
				"kernel.kptr_restrict below 2)");
	}
	records->health.causes = records->causes != NULL;
	if (records->spec.causes == RECORDS_CAUSES_ALWAYS && !records->causes)
		records->spec.causes = RECORDS_CAUSES_NEVER;
	if (records->epoll < 0 || !open_places(records, world, why)) {
		if (records->epoll < 0)
			source_status_refuse(why, errno, NULL, "epoll: %s", strerror(errno));
		records_free(records);
		return NULL;
	}
	return records;
}

void
records_free(struct records *records)
{
	if (!records)
		return;
	barrier_free(records->barrier);
	merge_free(records->merge);
	for (size_t i = 0; i < records->n; i++)
		for (int what = RECORD_WHATS - 1; what >= 0; what--)
			if (records->at[i].fd[what] >= 0)
				close(records->at[i].fd[what]);
	if (records->epoll >= 0)
		close(records->epoll);
	kernel_causes_free(records->causes);
	free(records->switches_at);
	free(records->at);
	free(records);
}
