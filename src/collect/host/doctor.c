#include "collect/host/doctor.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/err.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/perf/filter.h"
#include "collect/perf/keeper.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/places.h"
#include "collect/perf/remedies.h"
#include "collect/perf/timers.h"
#include "collect/perf/world.h"
#include "collect/source.h"

static struct doctor_item *
doctor_add(struct doctor *d, const char *what, enum doctor_level level)
{
	struct doctor_item *item = &d->item[d->n++];

	memset(item, 0, sizeof *item);
	item->what = what;
	item->level = level;
	return item;
}

/* Copies what fits; a text that is cut ends in "…". */
static void
copy_text(char *out, size_t size, const char *text)
{
	size_t n = strlen(text);

	if (n < size) {
		memcpy(out, text, n + 1);
		return;
	}
	for (n = size - 4; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;)
		n--;
	memcpy(out, text, n);
	memcpy(out + n, "…", sizeof "…");
}

static void
set_reason(struct doctor_item *item, const char *why, const char *remedy)
{
	copy_text(item->why, sizeof item->why, why);
	copy_text(item->remedy, sizeof item->remedy, remedy);
}

/* Prints a number with its thousands apart: "2 305". */
static void
put_amount(struct doctor_item *item, size_t n)
{
	if (n >= 1000)
		snprintf(item->amount, sizeof item->amount, "%zu %03zu", n / 1000, n % 1000);
	else
		snprintf(item->amount, sizeof item->amount, "%zu", n);
}

/* Opens the event on this process and closes it again. */
static bool
try_event(const char *name, const struct perf_world *world, struct source_status *status)
{
	struct event_code c;
	int fd;

	memset(status, 0, sizeof *status);
	if (!event_by_name(name, world, &c, status))
		return false;
	fd = perf_open_event(&c, NULL, 0, OPEN_SELF, world, status);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static void
probe_software(struct doctor *doctor, const struct perf_world *w)
{
	struct doctor_item *item = doctor_add(doctor, "software events", DOCTOR_GOOD);
	struct source_status s, first = {0};
	unsigned n, open = 0, user_only = 0;

	for (n = 0; event_software_name(n); n++) {
		bool good = try_event(event_software_name(n), w, &s);

		open += good;
		user_only += good && s.user_only;
		if (!good && !first.error)
			first = s;
	}
	snprintf(item->amount, sizeof item->amount, "%u of %u", open, n);
	if (open == n && !user_only) {
		set_reason(item, "exact, not multiplexed", "");
		return;
	}
	item->level = open ? DOCTOR_PARTLY : DOCTOR_BAD;
	set_reason(item, open ? user_only ? "user side only" : first.why : first.why, first.remedy);
}

static void
probe_kernel_side(struct doctor *doctor, const struct perf_world *world)
{
	struct doctor_item *item;
	struct source_status s;

	doctor->kernel_side = try_event("page-faults:k", world, &s);
	item = doctor_add(doctor, "kernel side", doctor->kernel_side ? DOCTOR_GOOD : DOCTOR_BAD);
	if (!doctor->kernel_side) {
		set_reason(item, s.why, s.remedy);
		if (s.error == EACCES)
			snprintf(item->why, sizeof item->why, "uid %u, perf_event_paranoid %d, no CAP_PERFMON",
				(unsigned)world->uid, world->paranoid);
	} else if (world->cap_perfmon) {
		set_reason(item, world->uid ? "by CAP_PERFMON" : "as root", "");
	} else {
		snprintf(item->why, sizeof item->why, "perf_event_paranoid is %d", world->paranoid);
	}
}

/* Returns the number of lines of available_events, one per tracepoint. */
static size_t
count_tracepoints(const struct perf_world *world)
{
	char text[4096];
	int fd = perf_tracefs_open(world, "available_events");
	size_t n = 0;
	ssize_t got;

	while (fd >= 0 && (got = read(fd, text, sizeof text)) > 0)
		for (ssize_t i = 0; i < got; i++)
			n += text[i] == '\n';
	if (fd >= 0)
		close(fd);
	return n;
}

/* Opens a tracepoint that every kernel has. The helper process waits the 40 ms of its last close. */
static bool
try_tracepoint(const struct perf_world *world, struct source_status *status)
{
	static const char name[] = "sched:sched_process_exec";
	struct keeper *keeper = keeper_new();
	struct event_code c;
	bool good;

	memset(status, 0, sizeof *status);
	if (event_by_name(name, world, &c, status))
		keeper_hold(keeper, c.config);
	good = try_event(name, world, status);
	keeper_free(keeper);
	return good;
}

static void
probe_tracepoints(struct doctor *doctor, const struct perf_world *world)
{
	struct doctor_item *item;
	struct source_status s;

	doctor->tracefs_mounted = world->tracefs_state == TRACEFS_READABLE || world->tracefs_state == TRACEFS_FORBIDDEN;
	doctor->may_mount_tracefs = world->tracefs_state == TRACEFS_NOT_MOUNTED && world->cap_admin;
	doctor->tracepoints = try_tracepoint(world, &s);
	item = doctor_add(doctor, "tracepoints", doctor->tracepoints ? DOCTOR_GOOD : DOCTOR_BAD);
	if (doctor->tracepoints)
		put_amount(item, count_tracepoints(world));
	else
		set_reason(item, str_starts(s.why, "tracepoints") ? s.why + 13 : s.why, s.remedy);
	if (world->tracefs_state == TRACEFS_NOT_MOUNTED)
		copy_text(item->why, sizeof item->why, "tracefs is not mounted");
}

/* Can the page faults that the kernel handles be counted, beside those that user and kernel code raise? The helper
 * process waits for the last close. */
static void
probe_example(struct doctor *doctor, const struct perf_world *world)
{
	struct doctor_item *item = doctor_add(doctor, DOCTOR_EXAMPLE, DOCTOR_BAD);
	struct filter_constant pgfault = {0};
	struct keeper *keeper = keeper_new();
	struct source_status none = {0};
	struct event_code c;

	if (!doctor->tracepoints || !doctor->kernel_side) {
		set_reason(item, !doctor->tracepoints ? "PGF = Fu + Fk is not tested without tracepoints"
			: "PGF = Fu + Fk is not tested without the kernel side", "");
	} else {
		if (event_by_name("memcg:count_memcg_events", world, &c, &none))
			keeper_hold(keeper, c.config);
		filter_probe_pgfault(world, &pgfault);
		doctor->example = pgfault.value >= 0;
		item->level = doctor->example ? DOCTOR_GOOD : DOCTOR_BAD;
		set_reason(item, doctor->example ? "a compiler refutes its model" : pgfault.why, "");
	}
	keeper_free(keeper);
}

static void
probe_core_pmu(struct doctor *doctor, const struct perf_world *world)
{
	struct doctor_item *item;
	struct source_status s;

	doctor->has_pmu = try_event("cycles", world, &s);
	item = doctor_add(doctor, "core PMU", doctor->has_pmu ? DOCTOR_GOOD : DOCTOR_BAD);
	if (doctor->has_pmu) {
		copy_text(item->amount, sizeof item->amount, world->core_pmu);
		if (s.user_only) {
			item->level = DOCTOR_PARTLY;
			set_reason(item, "user side only", "");
		}
	} else if (!*world->core_pmu) {
		set_reason(item, world->hypervisor ? "hidden by the hypervisor" : "the kernel has no driver for it",
			perf_world_no_pmu_remedy(world));
	} else {
		set_reason(item, s.why, s.remedy);
	}
}

/* Lists PMUs with a cpumask, which count for a socket or a CPU: memory controllers, home agents of caches, power, CXL.
 */
static void
probe_uncore(struct doctor *doctor, const struct perf_world *world)
{
	struct doctor_item *item = doctor_add(doctor, "uncore, CXL", DOCTOR_BAD);
	char path[1024];
	struct dirent *dirent;
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof path, "%s/bus/event_source/devices", world->sysfs);
	dir = opendir(path);
	while (dir && (dirent = readdir(dir)) != NULL) {
		snprintf(path, sizeof path, "%s/bus/event_source/devices/%.128s/cpumask", world->sysfs, dirent->d_name);
		n += dirent->d_name[0] != '.' && access(path, F_OK) == 0;
	}
	if (dir)
		closedir(dir);
	if (n == 0) {
		set_reason(item, world->hypervisor ? "hidden by the hypervisor" : "the kernel shows none", "");
		return;
	}
	item->level = world->cap_perfmon || world->paranoid <= 0 ? DOCTOR_GOOD : DOCTOR_BAD;
	snprintf(item->amount, sizeof item->amount, "%zu PMUs", n);
	if (item->level == DOCTOR_BAD)
		set_reason(item, "they count for all tasks: needs CAP_PERFMON",
			REMEDY_FOR_A_GROUP);
}

static void
probe_timers(struct doctor *doctor)
{
	struct timers t;
	struct doctor_item *item;

	timers_probe(&t);
	item = doctor_add(doctor, "timers", t.steady ? DOCTOR_GOOD : DOCTOR_PARTLY);
	if (t.hz > 0)
		snprintf(item->amount, sizeof item->amount, t.hz < 1e9 ? "%s %.1f MHz" : "%s %.2f GHz", t.counter,
			t.hz < 1e9 ? t.hz * 1e-6 : t.hz * 1e-9);
	set_reason(item,
		t.steady           ? "steady"
			: t.hz > 0 ? "the processor does not promise a constant rate"
				: "only the clock of clock_gettime(2) is known here",
		"");
}

/* Tries one event on one CPU, which shows whether -a works. */
static void
probe_machine(struct doctor *doctor, const struct perf_world *world)
{
	struct doctor_item *item;
	struct source_status s = {0};
	int *cpu, fd;
	size_t n = places_online(world, &cpu);

	fd = perf_open_leader(cpu[0], OPEN_CPU, world, &s);
	item = doctor_add(doctor, "whole machine", fd >= 0 ? DOCTOR_GOOD : DOCTOR_BAD);
	if (fd >= 0) {
		close(fd);
		snprintf(item->amount, sizeof item->amount, "%zu CPU%s", n, plural_s(n));
	} else {
		set_reason(item, s.error == EACCES ? "-a, and others' processes, need CAP_PERFMON" : s.why, s.remedy);
	}
	free(cpu);
}

/* Writes "KVM guest · 2 CPUs · 23 GB · kernel 6.18 · uid 0". */
static void
describe_machine(struct doctor *doctor, const struct perf_world *world)
{
	char host[64], release[16] = "";
	struct utsname u;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	int major, minor;

	timers_machine_name(host, sizeof host);
	if (uname(&u) == 0 && sscanf(u.release, "%d.%d", &major, &minor) == 2)
		snprintf(release, sizeof release, "%d.%d", major, minor);
	snprintf(doctor->machine, sizeof doctor->machine, "%s · %ld CPU%s · %.*f GB · kernel %s · uid %u", host, cpus,
		plural_s((size_t)cpus), bytes < 10e9, bytes * 1e-9, release, (unsigned)world->uid);
}

void
doctor_probe(struct doctor *doctor)
{
	struct perf_world w;

	memset(doctor, 0, sizeof *doctor);
	perf_world_probe(&w);
	doctor->paranoid = w.paranoid;
	describe_machine(doctor, &w);
	probe_software(doctor, &w);
	probe_tracepoints(doctor, &w);
	probe_kernel_side(doctor, &w);
	probe_example(doctor, &w);
	probe_timers(doctor);
	probe_core_pmu(doctor, &w);
	probe_uncore(doctor, &w);
	probe_machine(doctor, &w);
}

bool
doctor_mount_tracefs(struct err *e)
{
	if (mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL) == 0)
		return true;
	err_set(e, "cannot mount tracefs: %s", strerror(errno));
	return err_hint(e, "run: %s", DOCTOR_MOUNT_COMMAND);
}
