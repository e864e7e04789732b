#include "collect/perf/world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/str.h"
#include "collect/proc/files.h"

#define TRACEFS_MAGIC 0x74726163
#define DEBUGFS_MAGIC 0x64626720
/* From linux/mount.h, which headers before Linux 5.2 do not have. */
#define OPEN_CLOEXEC 1  /* FSOPEN_CLOEXEC */
#define MAKE 6          /* FSCONFIG_CMD_CREATE */
#define MOUNT_CLOEXEC 1 /* FSMOUNT_CLOEXEC */
#define HARMLESS (1 | 2 | 4 | 8) /* MOUNT_ATTR_RDONLY, _NOSUID, _NODEV, _NOEXEC */
#define CAP_SYS_ADMIN_BIT 21
#define CAP_PERFMON_BIT 38

static void
find_privileges(struct perf_world *world)
{
	char text[8192], *s;
	unsigned long long caps = 0;
	int64_t paranoid;

	world->uid = geteuid();
	world->paranoid = INT_MIN;
	if (proc_text_read("/proc/sys/kernel/perf_event_paranoid", text, sizeof text) && str_to_i64(text, &paranoid))
		world->paranoid = (int)paranoid;
	if (proc_text_read("/proc/self/status", text, sizeof text)) {
		s = strstr(text, "\nCapEff:");
		caps = s ? strtoull(s + 8, NULL, 16) : 0;
		s = strstr(text, "\nSeccomp:");
		world->seccomp = s && strtol(s + 9, NULL, 10) == 2;
	}
	/* Is this the first user namespace, which perfmon_capable() asks? Its map is the identity on all 2^32 - 1 ids.
	 */
	if (proc_text_read("/proc/self/uid_map", text, sizeof text)) {
		unsigned long inside, outside, count;

		world->in_userns = sscanf(text, "%lu %lu %lu", &inside, &outside, &count) == 3 &&
			(inside || outside || count != 4294967295u);
	}
	world->cap_admin = !world->in_userns && caps >> CAP_SYS_ADMIN_BIT & 1;
	world->cap_perfmon = world->cap_admin || (!world->in_userns && caps >> CAP_PERFMON_BIT & 1);
}

static bool
is_tracefs(const struct perf_world *w, const char *path)
{
	struct statfs fs;
	char events[700];

	if (!str_eq(w->sysfs, "/sys")) { /* a tree made for tests has plain folders */
		snprintf(events, sizeof events, "%s/events", path);
		return access(events, F_OK) == 0;
	}
	return statfs(path, &fs) == 0 &&
		(fs.f_type == TRACEFS_MAGIC || (fs.f_type == DEBUGFS_MAGIC && str_ends(path, "/tracing")));
}

static bool
is_of_tracefs(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == TRACEFS_MAGIC;
}

/* Returns a descriptor of the root of a tracefs that fsmount(2) mounts without a place, so that no other process sees
 * it and nothing on the machine changes. It is gone when this descriptor and the files that were opened through it are
 * closed. -1 and errno: the kernel is older than Linux 5.2, has no tracefs, or does not permit it (CAP_SYS_ADMIN). */
static int
mount_detached(void)
{
#if defined SYS_fsopen && defined SYS_fsconfig && defined SYS_fsmount
	int context = (int)syscall(SYS_fsopen, "tracefs", OPEN_CLOEXEC), root = -1, error;

	if (context < 0)
		return -1;
	if (syscall(SYS_fsconfig, context, MAKE, NULL, NULL, 0) == 0)
		root = (int)syscall(SYS_fsmount, context, MOUNT_CLOEXEC, HARMLESS);
	error = errno;
	close(context);
	errno = error;
	return root;
#else
	errno = ENOSYS;
	return -1;
#endif
}

static int
open_detached(const char *path)
{
	int root = mount_detached(), fd, error;

	if (root < 0)
		return -1;
	fd = openat(root, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	error = errno;
	close(root);
	errno = error;
	return fd;
}

int
perf_tracefs_open(const struct perf_world *world, const char *path)
{
	char full[1024];
	bool raised;
	int fd;

	if (world->detached)
		return open_detached(path);
	if (!*world->tracefs || snprintf(full, sizeof full, "%s/%s", world->tracefs, path) >= (int)sizeof full) {
		errno = ENOENT;
		return -1;
	}
	raised = str_eq(world->sysfs, "/sys") && caps_raise(CAPS_READ_ANY);
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	caps_lower(CAPS_READ_ANY, raised);
	if (fd >= 0 && raised && !is_of_tracefs(fd)) {
		close(fd);
		errno = EACCES;
		return -1;
	}
	return fd;
}

bool
perf_tracefs_read(const struct perf_world *w, const char *path, char *text, size_t size)
{
	int fd = perf_tracefs_open(w, path);

	if (fd < 0)
		return false;
	proc_text_take(fd, text, size);
	return true;
}

/* Can it be opened? access(2) would not say, because it checks the real user, without capabilities. */
static bool
may_open(const struct perf_world *w, const char *path)
{
	int fd = perf_tracefs_open(w, path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void
find_tracefs(struct perf_world *world)
{
	static const char *const place[] = {"kernel/tracing", "kernel/debug/tracing"};
	char path[600];

	world->tracefs_state = TRACEFS_MISSING;
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", world->sysfs, place[i]);
		if (is_tracefs(world, path)) {
			memcpy(world->tracefs, path, sizeof path);
			world->tracefs_state = may_open(world, "events") ? TRACEFS_READABLE : TRACEFS_FORBIDDEN;
			return;
		}
		/* The kernel makes the empty mount point only where it has tracefs. */
		if (i == 0 && access(path, F_OK) == 0)
			world->tracefs_state = TRACEFS_NOT_MOUNTED;
	}
	world->detached = world->tracefs_state == TRACEFS_NOT_MOUNTED && world->cap_admin &&
		str_eq(world->sysfs, "/sys");
	world->detached = world->detached && may_open(world, "events");
	if (world->detached)
		world->tracefs_state = TRACEFS_READABLE;
}

static bool
is_core_pmu(const char *name)
{
	return str_eq(name, "cpu") || str_eq(name, "cpu_core") || str_eq(name, "cpu_atom") ||
		str_starts(name, "armv") || str_starts(name, "cpum_cf") || str_starts(name, "riscv_pmu");
}

static void
find_core_pmu(struct perf_world *world)
{
	char path[640];
	struct dirent *dirent;
	DIR *dir;

	snprintf(path, sizeof path, "%s/bus/event_source/devices", world->sysfs);
	dir = opendir(path);
	if (!dir)
		return;
	while ((dirent = readdir(dir)) != NULL)
		if (is_core_pmu(dirent->d_name) && (!*world->core_pmu || strcmp(dirent->d_name, world->core_pmu) < 0))
			snprintf(world->core_pmu, sizeof world->core_pmu, "%.63s", dirent->d_name);
	closedir(dir);
}

void
perf_world_probe(struct perf_world *w)
{
	const char *root = secure_getenv("HECATE_SYSFS");
	char text[16384];

	memset(w, 0, sizeof *w);
	snprintf(w->sysfs, sizeof w->sysfs, "%s", root && *root ? root : "/sys");
	find_privileges(w);
	find_tracefs(w);
	find_core_pmu(w);
	w->hypervisor = proc_text_read("/proc/cpuinfo", text, sizeof text) && strstr(text, " hypervisor");
}

const char *
perf_world_no_pmu(const struct perf_world *w)
{
	return w->hypervisor ? "no hardware PMU here: hidden by the hypervisor"
		: "no hardware PMU here: the kernel has no driver for this CPU's";
}

const char *
perf_world_no_pmu_remedy(const struct perf_world *w)
{
	return w->hypervisor ? "let the host pass its PMU through (QEMU/KVM: -cpu host,pmu=on), or count on bare metal"
		: "dmesg | grep -i perf shows why the kernel found no PMU";
}

int
perf_tracepoint_id(const struct perf_world *world, const char *system, const char *event)
{
	char path[1024], text[32];
	int64_t id;

	snprintf(path, sizeof path, "events/%s/%s/id", system, event);
	if (!perf_tracefs_read(world, path, text, sizeof text))
		return -1;
	if (!str_to_i64(text, &id) || id < 0 || id > INT_MAX) {
		errno = EINVAL;
		return -1;
	}
	return (int)id;
}

bool
perf_tracepoint_system(const struct perf_world *w, const char *system)
{
	char path[1024];

	snprintf(path, sizeof path, "events/%s/", system); /* a folder: a file would be refused */
	return *system && may_open(w, path);
}
