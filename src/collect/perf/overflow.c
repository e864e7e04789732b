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
perf_overflow_limit(struct event_code *c, struct source_status *s)
{
	if (c->per_cpu) {
		source_status_refuse(s, EOPNOTSUPP, "name an event of the cores, or page-faults or task-clock",
			"%s: it counts for a CPU or a socket, and cannot stop a command", c->name);
		return false;
	}
	if (c->kind == EVENT_TRACEPOINT || c->nature == EVENT_KERNEL)
		return true; /* there is no other side */
	if (c->no_user) {
		source_status_refuse(s, EINVAL, "count its user side, with :u",
			"%s: a stop happens in the kernel, so the kernel's counts look like a delay", c->name);
		return false;
	}
	c->no_kernel = c->no_hv = true;
	return true;
}

bool
perf_overflow_has_levels(const struct event_code *c)
{
	return c->kind == EVENT_HARDWARE || c->kind == EVENT_OTHER;
}

static int
open_with(const struct event_code *c, pid_t pid, unsigned precise, uint64_t period)
{
	struct perf_event_attr a;

	perf_fill_attr(c, &a);
	a.sample_period = period;
	a.sample_type = period ? PERF_SAMPLE_IP : 0;
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	a.wakeup_events = period ? 1 : 0; /* and no buffer of several precise samples */
	a.precise_ip = precise & 3;
	a.pinned |= perf_overflow_has_levels(c); /* an event that takes turns would overflow late */
	a.disabled = 1;
	return (int)syscall(SYS_perf_event_open, &a, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool
send_stops(int fd, pid_t tid)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};

	return fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETSIG, SIGSTOP) == 0 &&
		fcntl(fd, F_SETFL, O_ASYNC) == 0 && perf_enable(fd, true);
}

static bool
overflow_refuse(const struct event_code *c, pid_t pid, int error, const struct perf_world *w, struct source_status *s)
{
	struct event_code both = *c; /* some PMUs know no sides */
	int plain = error == EACCES || error == EPERM ? -1 : open_with(c, pid, 0, 0);

	both.no_kernel = both.no_hv = false;
	if (plain < 0 && error == EINVAL)
		plain = open_with(&both, pid, 0, 0);
	if (plain < 0) {
		perf_explain_refusal(c, error, pid, OPEN_THREAD, w, s);
		return false;
	}
	close(plain);
	source_status_refuse(s, EOPNOTSUPP, "name an event of the cores, or page-faults or task-clock",
		"%s: it can be counted, but its PMU raises no overflows", c->name);
	return false;
}

bool
perf_overflow_open(struct perf_overflow *o, const struct event_code *c, pid_t pid, unsigned precise,
	const struct perf_world *w, struct source_status *s)
{
	int error;

	*o = (struct perf_overflow){.fd = open_with(c, pid, precise, NEVER)};
	if (o->fd < 0)
		return overflow_refuse(c, pid, errno, w, s);
	ring_map(&o->ring, o->fd, RING_KB);
	if (send_stops(o->fd, pid))
		return true;
	error = errno;
	perf_overflow_close(o);
	source_status_refuse(s, error, NULL, "%s: its overflows cannot be sent to the command (fcntl(2), F_SETSIG)",
		c->name);
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
perf_overflow_take(struct perf_overflow *o, struct perf_overflow_records *out)
{
	const struct perf_event_header *h;
	size_t size;

	if (!o->ring.base)
		return;
	ring_poll(&o->ring);
	while ((h = ring_next(&o->ring, &size))) {
		out->samples += h->type == PERF_RECORD_SAMPLE;
		out->throttled += h->type == PERF_RECORD_THROTTLE;
		if (h->type == PERF_RECORD_LOST && size >= sizeof *h + 2 * sizeof(uint64_t))
			out->lost += ((const uint64_t *)(h + 1))[1];
	}
	ring_release(&o->ring);
}

bool
perf_overflow_sent(const struct perf_overflow *o, int sig, int code, int fd)
{
	return sig == SIGSTOP && (code == POLL_IN || code == POLL_HUP) && fd == o->fd;
}
