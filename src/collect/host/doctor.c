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
try_event(const char *name, const struct perf_world *w, struct source_status *s)
{
	struct event_code c;
	int fd;

	memset(s, 0, sizeof *s);
	if (!event_by_name(name, w, &c, s))
		return false;
	fd = perf_open_event(&c, NULL, 0, OPEN_SELF, w, s);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static void
probe_software(struct doctor *d, const struct perf_world *w)
{
	struct doctor_item *item = doctor_add(d, "software events", DOCTOR_GOOD);
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
probe_kernel_side(struct doctor *d, const struct perf_world *w)
{
	struct doctor_item *item;
	struct source_status s;

	d->kernel_side = try_event("page-faults:k", w, &s);
	item = doctor_add(d, "kernel side", d->kernel_side ? DOCTOR_GOOD : DOCTOR_BAD);
	if (!d->kernel_side) {
		set_reason(item, s.why, s.remedy);
		if (s.error == EACCES)
			snprintf(item->why, sizeof item->why, "uid %u, perf_event_paranoid %d, no CAP_PERFMON",
				(unsigned)w->uid, w->paranoid);
	} else if (w->cap_perfmon) {
		set_reason(item, w->uid ? "by CAP_PERFMON" : "as root", "");
	} else {
		snprintf(item->why, sizeof item->why, "perf_event_paranoid is %d", w->paranoid);
	}
}

/* Returns the number of lines of available_events, one per tracepoint. */
static size_t
count_tracepoints(const struct perf_world *w)
{
	char text[4096];
	int fd = perf_tracefs_open(w, "available_events");
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
try_tracepoint(const struct perf_world *w, struct source_status *s)
{
	static const char name[] = "sched:sched_process_exec";
	struct keeper *k = keeper_new();
	struct event_code c;
	bool good;

	memset(s, 0, sizeof *s);
	if (event_by_name(name, w, &c, s))
		keeper_hold(k, c.config);
	good = try_event(name, w, s);
	keeper_free(k);
	return good;
}

static void
probe_tracepoints(struct doctor *d, const struct perf_world *w)
{
	struct doctor_item *item;
	struct source_status s;

	d->tracefs_mounted = w->tracefs_state == TRACEFS_READABLE || w->tracefs_state == TRACEFS_FORBIDDEN;
	d->may_mount_tracefs = w->tracefs_state == TRACEFS_NOT_MOUNTED && w->cap_admin;
	d->tracepoints = try_tracepoint(w, &s);
	item = doctor_add(d, "tracepoints", d->tracepoints ? DOCTOR_GOOD : DOCTOR_BAD);
	if (d->tracepoints)
		put_amount(item, count_tracepoints(w));
	else
		set_reason(item, str_starts(s.why, "tracepoints") ? s.why + 13 : s.why, s.remedy);
	if (w->tracefs_state == TRACEFS_NOT_MOUNTED)
		copy_text(item->why, sizeof item->why, "tracefs is not mounted");
}

/* Can the page faults that the kernel handles be counted, beside those that user and kernel code raise? The helper
 * process waits for the last close. */
static void
probe_example(struct doctor *d, const struct perf_world *w)
{
	struct doctor_item *item = doctor_add(d, DOCTOR_EXAMPLE, DOCTOR_BAD);
	struct filter_constant pgfault = {0};
	struct keeper *k = keeper_new();
	struct source_status none = {0};
	struct event_code c;

	if (!d->tracepoints || !d->kernel_side) {
		set_reason(item, !d->tracepoints ? "PGF = Fu + Fk is not tested without tracepoints"
			: "PGF = Fu + Fk is not tested without the kernel side", "");
	} else {
		if (event_by_name("memcg:count_memcg_events", w, &c, &none))
			keeper_hold(k, c.config);
		filter_probe_pgfault(w, &pgfault);
		d->example = pgfault.value >= 0;
		item->level = d->example ? DOCTOR_GOOD : DOCTOR_BAD;
		set_reason(item, d->example ? "a compiler or a shell refutes its model" : pgfault.why, "");
	}
	keeper_free(k);
}

static void
probe_core_pmu(struct doctor *d, const struct perf_world *w)
{
	struct doctor_item *item;
	struct source_status s;

	d->has_pmu = try_event("cycles", w, &s);
	item = doctor_add(d, "core PMU", d->has_pmu ? DOCTOR_GOOD : DOCTOR_BAD);
	if (d->has_pmu) {
		copy_text(item->amount, sizeof item->amount, w->core_pmu);
		if (s.user_only) {
			item->level = DOCTOR_PARTLY;
			set_reason(item, "user side only", "");
		}
	} else if (!*w->core_pmu) {
		set_reason(item, w->hypervisor ? "hidden by the hypervisor" : "the kernel has no driver for it",
			perf_world_no_pmu_remedy(w));
	} else {
		set_reason(item, s.why, s.remedy);
	}
}

/* Lists PMUs with a cpumask, which count for a socket or a CPU: memory controllers, home agents of caches, power, CXL.
 */
static void
probe_uncore(struct doctor *d, const struct perf_world *w)
{
	struct doctor_item *item = doctor_add(d, "uncore, CXL", DOCTOR_BAD);
	char path[1024];
	struct dirent *e;
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof path, "%s/bus/event_source/devices", w->sysfs);
	dir = opendir(path);
	while (dir && (e = readdir(dir)) != NULL) {
		snprintf(path, sizeof path, "%s/bus/event_source/devices/%.128s/cpumask", w->sysfs, e->d_name);
		n += e->d_name[0] != '.' && access(path, F_OK) == 0;
	}
	if (dir)
		closedir(dir);
	if (n == 0) {
		set_reason(item, w->hypervisor ? "hidden by the hypervisor" : "the kernel shows none", "");
		return;
	}
	item->level = w->cap_perfmon || w->paranoid <= 0 ? DOCTOR_GOOD : DOCTOR_BAD;
	snprintf(item->amount, sizeof item->amount, "%zu PMUs", n);
	if (item->level == DOCTOR_BAD)
		set_reason(item, "they count for all tasks: needs CAP_PERFMON",
			REMEDY_FOR_A_GROUP);
}

static void
probe_timers(struct doctor *d)
{
	struct timers t;
	struct doctor_item *item;

	timers_probe(&t);
	item = doctor_add(d, "timers", t.steady ? DOCTOR_GOOD : DOCTOR_PARTLY);
	if (t.hz > 0)
		snprintf(item->amount, sizeof item->amount, "%s %.2f GHz", t.counter, t.hz * 1e-9);
	set_reason(item,
		t.steady           ? "steady"
			: t.hz > 0 ? "the processor does not promise a constant rate"
				: "only the clock of clock_gettime(2) is known here",
		"");
}

/* Tries one event on one CPU, which shows whether -a works. */
static void
probe_machine(struct doctor *d, const struct perf_world *w)
{
	struct doctor_item *item;
	struct source_status s = {0};
	int *cpu, fd;
	size_t n = places_online(w, &cpu);

	fd = perf_open_leader(cpu[0], OPEN_CPU, w, &s);
	item = doctor_add(d, "whole machine", fd >= 0 ? DOCTOR_GOOD : DOCTOR_BAD);
	if (fd >= 0) {
		close(fd);
		snprintf(item->amount, sizeof item->amount, "%zu CPU%s", n, n == 1 ? "" : "s");
	} else {
		set_reason(item, s.error == EACCES ? "-a, and others' processes, need CAP_PERFMON" : s.why, s.remedy);
	}
	free(cpu);
}

/* Writes "KVM guest · 2 CPUs · 23 GB · kernel 6.18 · uid 0". */
static void
describe_machine(struct doctor *d, const struct perf_world *w)
{
	char host[64], release[16] = "";
	struct utsname u;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	int major, minor;

	timers_machine_name(host, sizeof host);
	if (uname(&u) == 0 && sscanf(u.release, "%d.%d", &major, &minor) == 2)
		snprintf(release, sizeof release, "%d.%d", major, minor);
	snprintf(d->machine, sizeof d->machine, "%s · %ld CPU%s · %.*f GB · kernel %s · uid %u", host, cpus,
		cpus == 1 ? "" : "s", bytes < 10e9, bytes * 1e-9, release, (unsigned)w->uid);
}

void
doctor_probe(struct doctor *d)
{
	struct perf_world w;

	memset(d, 0, sizeof *d);
	perf_world_probe(&w);
	d->paranoid = w.paranoid;
	describe_machine(d, &w);
	probe_software(d, &w);
	probe_tracepoints(d, &w);
	probe_kernel_side(d, &w);
	probe_example(d, &w);
	probe_timers(d);
	probe_core_pmu(d, &w);
	probe_uncore(d, &w);
	probe_machine(d, &w);
}

bool
doctor_mount_tracefs(struct err *e)
{
	if (mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL) == 0)
		return true;
	err_set(e, "cannot mount tracefs: %s", strerror(errno));
	return err_hint(e, "run: %s", DOCTOR_MOUNT_COMMAND);
}
