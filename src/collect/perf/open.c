#include "collect/perf/open.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/perf/names.h"
#include "collect/perf/remedies.h"
#include "collect/perf/world.h"
#include "collect/process/processes.h"
#include "collect/source.h"
#include "event/modifiers.h"

void
perf_fill_attr(const struct event_code *code, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof *attr);
	attr->size = sizeof *attr;
	attr->type = code->type;
	attr->config = code->config;
	attr->config1 = code->config1;
	attr->config2 = code->config2;
#ifdef PERF_ATTR_SIZE_VER8
	attr->config3 = code->config3;
#endif
	attr->exclude_user = code->no_user;
	attr->exclude_kernel = code->no_kernel;
	attr->exclude_hv = code->no_hv;
	attr->exclude_host = code->no_host;
	attr->exclude_guest = code->no_guest;
	attr->exclude_idle = code->no_idle;
	attr->pinned = code->pinned;
	attr->exclusive = code->exclusive;
	attr->precise_ip = code->precise & 3;
}

int
perf_open_attr(struct perf_event_attr *attr, const struct event_code *code, pid_t pid, int cpu, int group_fd)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EINVAL && attr->exclude_guest && !code->guest_given && !code->precise) {
		attr->exclude_guest = 0;
		fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
	}
	return fd;
}

static int
open_attr(const struct event_code *code, pid_t pid, int group_fd, enum open_mode mode, uint64_t more_format)
{
	bool member = group_fd >= 0 && mode != OPEN_SELF;
	struct perf_event_attr a;

	perf_fill_attr(code, &a);
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | more_format;
	a.disabled = !member;
	a.inherit = mode == OPEN_COMMAND || mode == OPEN_TASK;
	a.enable_on_exec = mode == OPEN_COMMAND && !member;
	return mode == OPEN_CPU ? perf_open_attr(&a, code, -1, (int)pid, group_fd)
		: perf_open_attr(&a, code, pid, -1, group_fd);
}

int
perf_open_raw(const struct event_code *c, pid_t pid, int group_fd, enum open_mode mode)
{
	return open_attr(c, pid, group_fd, mode, 0);
}

bool
perf_read(int fd, struct perf_reading *reading)
{
	uint64_t v[3];
	ssize_t n = read(fd, v, sizeof v);

	if (n != (ssize_t)sizeof v) {
		/* An event in the error state (a pinned one that found no counter) reads as end of file. */
		errno = n < 0 ? errno : EIO;
		return false;
	}
	*reading = (struct perf_reading){v[0], v[1], v[2]};
	return true;
}

bool
perf_read_group(int leader_fd, size_t n, uint64_t *value, struct perf_reading *times)
{
	uint64_t v[4 + PERF_GROUP_MOST];
	ssize_t size = (ssize_t)((4 + n) * sizeof *v), got = read(leader_fd, v, (size_t)size);

	if (got != size || v[0] != n + 1) {
		errno = got < 0 ? errno : EIO;
		return false;
	}
	*times = (struct perf_reading){0, v[1], v[2]};
	memcpy(value, v + 4, n * sizeof *v);
	return true;
}

bool
perf_enable(int fd, bool on)
{
	return ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) == 0;
}

bool
perf_set_filter(int fd, const char *filter)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) == 0;
}

/* Explains a refusal by the place: watching other users' processes needs more privileges than counting one's own
 * command. Returns false when that is not the reason. */
static bool
explain_place(const struct event_code *code, int error, pid_t pid, enum open_mode mode, const struct perf_world *world,
	struct source_status *status)
{
	uid_t owner;

	if (world->seccomp && error == EPERM)
		return false;
	switch (mode) {
	case OPEN_CPU:
		if (world->cap_perfmon || world->paranoid <= 0)
			return false;
		source_status_refuse(status, error, REMEDY_FOR_A_GROUP, "%s: counting all that runs on a CPU needs "
			"CAP_PERFMON or perf_event_paranoid 0; it is %d here", code->name, world->paranoid);
		return true;
	case OPEN_TASK:
	case OPEN_THREAD:
		if (world->cap_perfmon || !process_user(pid, &owner) || owner == world->uid)
			return false;
		source_status_refuse(status, error, REMEDY_FOR_A_GROUP, "%s: %d belongs to uid %u; only that user may "
			"watch it, or hecate with CAP_PERFMON (it runs as uid %u without)", code->name, (int)pid,
			(unsigned)owner, (unsigned)world->uid);
		return true;
	case OPEN_COMMAND:
	case OPEN_SELF:
		break;
	}
	return false;
}

static void
explain_permission(
	const struct event_code *code, int error, const struct perf_world *world, struct source_status *status)
{
	const char *side = code->kind == EVENT_TRACEPOINT ? "a tracepoint counts on the kernel side"
		: code->nature == EVENT_KERNEL            ? "the kernel raises it for itself"
						       : "the kernel side is asked for";

	/* perf_event_paranoid makes the kernel answer EACCES, a seccomp filter EPERM or ENOSYS (containers/common
	 * #2534). */
	if (world->seccomp && error == EPERM) {
		source_status_refuse(status, error, "docker run --security-opt seccomp=unconfined --cap-add PERFMON …",
			"%s: a seccomp filter (a container's) forbids perf_event_open", code->name);
	} else if (world->paranoid > 2) {
		source_status_refuse(status, error, "sudo sysctl kernel.perf_event_paranoid=2",
			"%s: perf_event_paranoid is "
			"%d, which forbids all counting without CAP_PERFMON",
			code->name, world->paranoid);
	} else {
		source_status_refuse(status, error, REMEDY_KERNEL_SIDE,
			"%s: %s; perf_event_paranoid is %d and hecate has no CAP_PERFMON%s", code->name, side,
			world->paranoid, world->in_userns ? " outside its user namespace" : "");
	}
}

void
perf_explain_refusal(const struct event_code *code, int error, pid_t pid, enum open_mode mode,
	const struct perf_world *world, struct source_status *status)
{
	switch (error) {
	case EACCES:
	case EPERM:
		if (!explain_place(code, error, pid, mode, world, status))
			explain_permission(code, error, world, status);
		return;
	case ESRCH:
		source_status_refuse(status, error, NULL, "%d has ended", (int)pid);
		return;
	case ENOSYS:
		source_status_refuse(status, error,
			world->seccomp ? "docker run --security-opt seccomp=unconfined --cap-add PERFMON …" : NULL,
			"%s: perf_event_open is missing: %s", code->name,
			world->seccomp ? "a seccomp filter (a container's) hides it"
				: "this kernel was built without perf events");
		return;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		if (code->kind == EVENT_HARDWARE && !*world->core_pmu)
			source_status_refuse(
				status, error, perf_world_no_pmu_remedy(world), "%s", perf_world_no_pmu(world));
		else if (code->precise && error == EOPNOTSUPP)
			source_status_refuse(status, error, "drop the modifier p",
				"%s: this PMU cannot count it precisely", code->name);
		else
			source_status_refuse(status, error, NULL, "%s: this machine's PMU does not have it (%s)",
				code->name, strerror(error));
		return;
	case EINVAL:
		source_status_refuse(status, error, NULL, "%s: the kernel does not take it (%s)%s", code->name,
			strerror(error), code->per_cpu ? "; it counts for a CPU or a socket, not for a command" : "");
		return;
	case EMFILE:
	case ENFILE:
		source_status_refuse(status, error,
			error == EMFILE ? "ulimit -n 4096" : "sudo sysctl fs.file-max=1000000", "%s: %s", code->name,
			error == EMFILE ? "this process has no file descriptor left"
					: "this machine has no file descriptor left");
		return;
	default:
		source_status_refuse(
			status, error, NULL, "%s: perf_event_open failed: %s", code->name, strerror(error));
	}
}

/* May ":u" be added? Only if the name says nothing about sides, and the user side alone means something. */
static bool
may_drop_kernel(const struct event_code *c)
{
	return !c->side_given && c->nature != EVENT_KERNEL;
}

/* Opens an event as precisely as its PMU can, if it asks for that. Software events have no precision. */
static int
open_precisely(struct event_code *c, pid_t pid, int group_fd, enum open_mode mode)
{
	int fd;

	if (c->most_precise && c->kind == EVENT_HARDWARE)
		c->precise = EVENT_PRECISE_MAX;
	fd = perf_open_raw(c, pid, group_fd, mode);
	for (; fd < 0 && c->most_precise && c->precise; fd = perf_open_raw(c, pid, group_fd, mode))
		c->precise--;
	return fd;
}

int
perf_open_in(const struct event_code *asked, const char *filter, pid_t pid, int group_fd, enum open_mode mode,
	const struct perf_world *world, struct source_status *status)
{
	struct event_code c = *asked;
	int fd = open_precisely(&c, pid, group_fd, mode), error = errno;

	if (fd < 0 && (error == EACCES || error == EPERM) && may_drop_kernel(&c)) {
		c.no_kernel = c.no_hv = true;
		fd = perf_open_raw(&c, pid, group_fd, mode);
		if (fd >= 0 && c.nature != EVENT_SIDE_BLIND)
			status->user_only = true;
		else if (fd < 0 && errno != EACCES && errno != EPERM)
			error = errno; /* permitted now, but still not available: that reason is reported */
	}
	if (fd < 0) {
		perf_explain_refusal(&c, error, pid, mode, world, status);
		return -1;
	}
	if (filter && *filter && !perf_set_filter(fd, filter)) {
		error = errno;
		close(fd);
		if (c.kind != EVENT_TRACEPOINT)
			source_status_refuse(status, error, "drop the filter",
				"%s: a filter is for tracepoints only: %s", c.name, filter);
		else
			source_status_refuse(status, error, "the fields are in its format file under "
				"/sys/kernel/tracing/events", "%s: the kernel does not take the filter \"%s\" (%s), "
				"and without it everything would be counted", c.name, filter, strerror(error));
		return -1;
	}
	return fd;
}

int
perf_open_event(const struct event_code *c, const char *filter, pid_t pid, enum open_mode mode,
	const struct perf_world *w, struct source_status *s)
{
	return perf_open_in(c, filter, pid, -1, mode, w, s);
}

int
perf_open_leader(pid_t pid, enum open_mode mode, const struct perf_world *w, struct source_status *s)
{
	/* Only its user side is opened, because any user may open that. */
	struct event_code c = {.kind = EVENT_SOFTWARE, .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.no_kernel = true, .no_hv = true, .name = "perf_event_open"};
	int fd = open_attr(&c, pid, -1, mode, PERF_FORMAT_GROUP);

	if (fd < 0)
		perf_explain_refusal(&c, errno, pid, mode, w, s);
	return fd;
}

enum source_zero
perf_zero(const struct event_code *c)
{
	if (c->nature == EVENT_NEVER)
		return SOURCE_ZERO_ALWAYS;
	if (c->certain && !c->no_user && (c->kind != EVENT_SOFTWARE || c->nature == EVENT_SIDE_BLIND))
		return SOURCE_ZERO_IMPOSSIBLE;
	return c->kind == EVENT_SOFTWARE || c->kind == EVENT_TRACEPOINT ? SOURCE_ZERO_HONEST : SOURCE_ZERO_SUSPECT;
}

static enum obs_health
health_of(const struct event_code *c, const struct perf_reading *r)
{
	if (c->nature == EVENT_NEVER)
		return OBS_DEAD;
	if (r->value > 0)
		return OBS_LIVE;
	if (r->running_ns == 0)
		return r->enabled_ns ? OBS_DEAD : OBS_ABSENT;
	if (c->certain && !c->no_user)
		return OBS_DEAD;
	return c->kind == EVENT_SOFTWARE || c->kind == EVENT_TRACEPOINT ? OBS_LIVE : OBS_ZERO_SUSPECT;
}

static int
badness(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE:
	case OBS_HONEST: return 0;
	case OBS_ZERO_SUSPECT: return 1;
	case OBS_ABSENT: return 2;
	case OBS_DEAD: return 3;
	case OBS_UNSUPPORTED: return 4;
	}
	return 4;
}

enum obs_health
perf_health(const struct event_code *c, const struct perf_reading *r, enum obs_health so_far)
{
	enum obs_health h = health_of(c, r);

	return badness(h) > badness(so_far) ? h : so_far;
}
