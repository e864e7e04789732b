#include "collect/proc/taskstats.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

#define ROOM (1 << 20) /* bytes of the socket's buffer: some thousands of ends */
#define ATTR_HEAD sizeof(struct nlattr)

struct task_ends {
	int fd;
	uint16_t family;
	char mask[32];
	size_t lost;
	char buf[16384] __attribute__((aligned(NLMSG_ALIGNTO)));
	const char *at; /* rest of the last datagram */
	size_t left;
};

struct request {
	struct nlmsghdr n;
	struct genlmsghdr g;
	char attrs[256];
};

/* Rounds up to the alignment of netlink. The kernel's macros do this with signed numbers. */
static size_t
align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static bool
taskstats_ask(int fd, uint16_t family, uint8_t command, uint16_t attr, const char *value)
{
	struct request r;
	struct nlattr *nlattr = (struct nlattr *)(void *)r.attrs;
	size_t n = strlen(value) + 1;

	memset(&r, 0, sizeof r);
	nlattr->nla_type = attr;
	nlattr->nla_len = (uint16_t)(ATTR_HEAD + n);
	memcpy(r.attrs + ATTR_HEAD, value, n);
	r.n.nlmsg_len = (uint32_t)(NLMSG_LENGTH(GENL_HDRLEN) + align4(nlattr->nla_len));
	r.n.nlmsg_type = family;
	r.n.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	r.g.cmd = command;
	r.g.version = 1;
	return send(fd, &r, r.n.nlmsg_len, 0) == (ssize_t)r.n.nlmsg_len;
}

/* Returns an attribute of this type; NULL when there is none. *n: its bytes. */
static const char *
attribute(const char *at, size_t size, uint16_t type, size_t *n)
{
	while (size >= ATTR_HEAD) {
		struct nlattr a;

		memcpy(&a, at, sizeof a);
		if (a.nla_len < ATTR_HEAD || a.nla_len > size)
			return NULL;
		if ((a.nla_type & NLA_TYPE_MASK) == type) {
			*n = (size_t)a.nla_len - ATTR_HEAD;
			return at + ATTR_HEAD;
		}
		if (align4(a.nla_len) >= size)
			return NULL;
		at += align4(a.nla_len);
		size -= align4(a.nla_len);
	}
	return NULL;
}

/* Returns the next message received; NULL after the last. */
static const struct nlmsghdr *
next_message(struct task_ends *ends)
{
	const struct nlmsghdr *nlmsghdr = (const struct nlmsghdr *)(const void *)ends->at;
	size_t step;

	if (ends->left < sizeof *nlmsghdr || nlmsghdr->nlmsg_len < sizeof *nlmsghdr ||
		nlmsghdr->nlmsg_len > ends->left) {
		ends->left = 0;
		return NULL;
	}
	step = align4(nlmsghdr->nlmsg_len);
	step = step < ends->left ? step : ends->left;
	ends->at += step;
	ends->left -= step;
	return nlmsghdr;
}

/* Reads answers up to the acknowledgement. Returns 0, or its errno. */
static int
taskstats_answer(struct task_ends *ends)
{
	for (;;) {
		ssize_t got = recv(ends->fd, ends->buf, sizeof ends->buf, 0);
		const struct nlmsghdr *nlmsghdr;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : EIO;
		ends->at = ends->buf;
		ends->left = (size_t)got;
		while ((nlmsghdr = next_message(ends)) != NULL) {
			const char *attrs = (const char *)nlmsghdr + NLMSG_LENGTH(GENL_HDRLEN), *id;
			size_t n = 0;

			if (nlmsghdr->nlmsg_type == NLMSG_ERROR)
				/* NLMSG_DATA() would cast const away */
				return -((const struct nlmsgerr *)((const char *)nlmsghdr + NLMSG_HDRLEN))->error;
			if (nlmsghdr->nlmsg_type != GENL_ID_CTRL || nlmsghdr->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
				continue;
			id = attribute(attrs, nlmsghdr->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN), CTRL_ATTR_FAMILY_ID, &n);
			if (id && n == sizeof ends->family)
				memcpy(&ends->family, id, n);
		}
	}
}

static bool
connect_to_kernel(struct task_ends *ends)
{
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	struct timeval patience = {.tv_sec = 2};
	int room = ROOM;

	ends->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (ends->fd < 0)
		return false;
	(void)!setsockopt(ends->fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
	(void)!setsockopt(ends->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	return connect(ends->fd, (struct sockaddr *)&kernel, sizeof kernel) == 0;
}

struct task_ends *
task_ends_new(size_t n_cpus, struct err *e)
{
	struct task_ends *ends = mem_new(sizeof *ends);
	int error = 0;

	snprintf(ends->mask, sizeof ends->mask, "0-%zu", n_cpus ? n_cpus - 1 : 0);
	if (!connect_to_kernel(ends))
		error = errno;
	else if (!taskstats_ask(ends->fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME))
		error = errno;
	else if ((error = taskstats_answer(ends)) == 0 && ends->family == 0)
		error = ENOENT;
	else if (error == 0 &&
		taskstats_ask(
			ends->fd, ends->family, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK, ends->mask))
		error = taskstats_answer(ends);
	if (error == 0)
		return ends;
	if (error == EPERM)
		err_set(e, "the kernel reports the times of ended threads only with CAP_NET_ADMIN");
	else
		err_set(e, "the kernel does not report the times of ended threads (taskstats): %s", strerror(error));
	task_ends_free(ends);
	return NULL;
}

void
task_ends_free(struct task_ends *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd); /* ends the listening, too */
	free(t);
}

/* Reads a field of the kernel's struct. The struct grows at its end only, so that an older or newer one has the same
 * beginning. */
static bool
field(const char *stats, size_t n, size_t offset, uint64_t *v)
{
	if (offset + sizeof *v > n)
		return false;
	memcpy(v, stats + offset, sizeof *v);
	return true;
}

static pid_t
id_field(const char *stats, size_t n, size_t offset)
{
	uint32_t v;

	if (offset + sizeof v > n)
		return 0;
	memcpy(&v, stats + offset, sizeof v);
	return (pid_t)v;
}

static bool
take_message(const struct nlmsghdr *nlmsghdr, struct task_end *end)
{
	const char *attrs = (const char *)nlmsghdr + NLMSG_LENGTH(GENL_HDRLEN), *both, *id, *stats;
	struct sched_times *times = &end->times;
	size_t n = 0, n_id = 0, n_stats = 0;
	uint32_t pid;

	if (nlmsghdr->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return false;
	both = attribute(attrs, nlmsghdr->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN), TASKSTATS_TYPE_AGGR_PID, &n);
	if (!both)
		return false;
	id = attribute(both, n, TASKSTATS_TYPE_PID, &n_id);
	stats = attribute(both, n, TASKSTATS_TYPE_STATS, &n_stats);
	if (!id || n_id != sizeof pid || !stats)
		return false;
	memcpy(&pid, id, sizeof pid);
	end->tid = (pid_t)pid;
	end->process = 0;
#if TASKSTATS_VERSION >= 12 /* version of the header that this is built with */
	end->process = id_field(stats, n_stats, offsetof(struct taskstats, ac_tgid));
#endif
	end->parent = id_field(stats, n_stats, offsetof(struct taskstats, ac_ppid));
	return field(stats, n_stats, offsetof(struct taskstats, cpu_run_virtual_total), &times->run_ns) &&
		field(stats, n_stats, offsetof(struct taskstats, cpu_delay_total), &times->wait_ns) &&
		field(stats, n_stats, offsetof(struct taskstats, cpu_count), &times->slices) &&
		field(stats, n_stats, offsetof(struct taskstats, blkio_delay_total), &times->io_ns);
}

static bool
receive(struct task_ends *ends)
{
	ssize_t got = recv(ends->fd, ends->buf, sizeof ends->buf, MSG_DONTWAIT);

	while (got < 0 && (errno == EINTR || errno == ENOBUFS)) {
		ends->lost += errno == ENOBUFS;
		got = recv(ends->fd, ends->buf, sizeof ends->buf, MSG_DONTWAIT);
	}
	if (got <= 0)
		return false;
	ends->at = ends->buf;
	ends->left = (size_t)got;
	return true;
}

bool
task_ends_take(struct task_ends *t, struct task_end *e)
{
	while (t->left || receive(t)) {
		const struct nlmsghdr *h = next_message(t);

		if (h && h->nlmsg_type == t->family && take_message(h, e))
			return true;
	}
	return false;
}

bool
task_ends_next(struct task_ends *t, pid_t *tid, struct sched_times *times)
{
	struct task_end e = {.times = *times};

	if (!task_ends_take(t, &e))
		return false;
	*tid = e.tid;
	*times = e.times;
	return true;
}

size_t
task_ends_lost(const struct task_ends *t)
{
	return t->lost;
}
