#include "collect/perf/overflow.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "collect/source.h"

#define NEVER ((uint64_t)1 << 62) /* the kernel refuses periods from 2^63 on */
#define RING_KB 64

bool
perf_overflow_limit(struct event_code *code, struct source_status *status)
{
	if (code->per_cpu) {
		source_status_refuse(status, EOPNOTSUPP, "name an event of the cores, or page-faults or task-clock",
			"%s: it counts for a CPU or a socket, and cannot stop a command", code->name);
		return false;
	}
	if (code->kind == EVENT_TRACEPOINT || code->nature == EVENT_KERNEL)
		return true; /* there is no other side */
	if (code->no_user) {
		source_status_refuse(status, EINVAL, "count its user side, with :u",
			"%s: a stop happens in the kernel, so the kernel's counts look like a delay", code->name);
		return false;
	}
	code->no_kernel = code->no_hv = true;
	return true;
}

bool
perf_overflow_has_levels(const struct event_code *c)
{
	return c->kind == EVENT_HARDWARE || c->kind == EVENT_OTHER;
}

static int
open_with(const struct event_code *code, pid_t pid, unsigned precise, uint64_t period)
{
	struct perf_event_attr a;

	perf_fill_attr(code, &a);
	a.sample_period = period;
	a.sample_type = period ? PERF_SAMPLE_IP : 0;
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	a.wakeup_events = period ? 1 : 0; /* and no buffer of several precise samples */
	a.precise_ip = precise & 3;
	a.pinned |= perf_overflow_has_levels(code); /* an event that takes turns would overflow late */
	a.disabled = 1;
	return perf_open_attr(&a, code, pid, -1, -1);
}

static bool
send_stops(int fd, pid_t tid)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};

	return fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETSIG, SIGSTOP) == 0 &&
		fcntl(fd, F_SETFL, O_ASYNC) == 0 && perf_enable(fd, true);
}

static bool
overflow_refuse(const struct event_code *code, pid_t pid, int error, const struct perf_world *world,
	struct source_status *status)
{
	struct event_code both = *code; /* some PMUs know no sides */
	int plain = error == EACCES || error == EPERM ? -1 : open_with(code, pid, 0, 0);

	both.no_kernel = both.no_hv = false;
	if (plain < 0 && error == EINVAL)
		plain = open_with(&both, pid, 0, 0);
	if (plain < 0) {
		perf_explain_refusal(code, error, pid, OPEN_THREAD, world, status);
		return false;
	}
	close(plain);
	source_status_refuse(status, EOPNOTSUPP, "name an event of the cores, or page-faults or task-clock",
		"%s: it can be counted, but its PMU raises no overflows", code->name);
	return false;
}

bool
perf_overflow_open(struct perf_overflow *overflow, const struct event_code *code, pid_t pid, unsigned precise,
	const struct perf_world *world, struct source_status *status)
{
	int error;

	*overflow = (struct perf_overflow){.fd = open_with(code, pid, precise, NEVER)};
	if (overflow->fd < 0)
		return overflow_refuse(code, pid, errno, world, status);
	ring_map(&overflow->ring, overflow->fd, RING_KB);
	if (send_stops(overflow->fd, pid))
		return true;
	error = errno;
	perf_overflow_close(overflow);
	source_status_refuse(status, error, NULL,
		"%s: its overflows cannot be sent to the command (fcntl(2), F_SETSIG)", code->name);
	return false;
}

void
perf_overflow_close(struct perf_overflow *o)
{
	ring_unmap(&o->ring);
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
}

bool
perf_overflow_arm(struct perf_overflow *o, uint64_t period)
{
	uint64_t v = period && period < NEVER ? period : NEVER;

	return ioctl(o->fd, PERF_EVENT_IOC_PERIOD, &v) == 0;
}

bool
perf_overflow_read(const struct perf_overflow *o, uint64_t *count)
{
	struct perf_reading r;

	if (!perf_read(o->fd, &r))
		return false;
	*count = r.value;
	return true;
}

void
perf_overflow_take(struct perf_overflow *overflow, struct perf_overflow_records *out)
{
	const struct perf_event_header *header;
	size_t size;

	if (!overflow->ring.base)
		return;
	ring_poll(&overflow->ring);
	while ((header = ring_next(&overflow->ring, &size))) {
		out->samples += header->type == PERF_RECORD_SAMPLE;
		out->throttled += header->type == PERF_RECORD_THROTTLE;
		if (header->type == PERF_RECORD_LOST && size >= sizeof *header + 2 * sizeof(uint64_t))
			out->lost += ((const uint64_t *)(header + 1))[1];
	}
	ring_release(&overflow->ring);
}

bool
perf_overflow_sent(const struct perf_overflow *o, int sig, int code, int fd)
{
	return sig == SIGSTOP && (code == POLL_IN || code == POLL_HUP) && fd == o->fd;
}
