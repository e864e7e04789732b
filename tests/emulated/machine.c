#include "machine.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/host/doctor.h"
#include "collect/perf/open.h"
#include "event/name.h"
#include "test.h"
#include "work/fit/fit.h"
#include "work/machine.h"

static struct perf_world world;

static void
mount_on(const char *type, const char *place)
{
	mkdir(place, 0755);
	if (mount(type, place, type, 0, NULL))
		printf("# cannot mount %s: %s\n", place, strerror(errno));
}

void
machine_start(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	mount_on("proc", "/proc");
	mount_on("sysfs", "/sys");
	mount_on("tracefs", "/sys/kernel/tracing");
	perf_world_probe(&world);
}

void
machine_end(void)
{
	fflush(stdout);
	reboot(RB_POWER_OFF);
	abort();
}

const struct perf_world *
machine_world(void)
{
	return &world;
}

int
machine_open(const char *event, struct source_status *s)
{
	struct event_code code;

	*s = (struct source_status){0};
	return event_by_name(event, &world, &code, s) ? perf_open_event(&code, NULL, 0, OPEN_SELF, &world, s) : -1;
}

bool
machine_count(const char *const *event, size_t n, char *const *argv, struct machine_run *r)
{
	struct event_item one[MACHINE_EVENTS];
	struct source_counter counter[MACHINE_EVENTS];
	struct source_spec spec = {.counter = counter, .n_counters = n, .argv = argv, .out_fd = -1, .err_fd = -1,
		.no_input = true};
	struct err e = {0};
	struct source *s;
	bool good;

	memset(r, 0, sizeof *r);
	for (size_t i = 0; i < n; i++) {
		one[i] = (struct event_item){.name = event[i]};
		counter[i] = (struct source_counter){.name = event[i], .event = &one[i], .n_events = 1};
	}
	s = source_perf.open(&spec, &e);
	good = s && source_perf.start(s, &e);
	if (good) {
		while (!source_perf.poll(s, &r->end)) {
			struct pollfd p = {.fd = source_perf.wait_fd(s), .events = POLLIN};

			poll(&p, 1, -1);
		}
		good = source_perf.read(s, r->count, r->counted, &e);
		memcpy(r->status, source_perf.status(s), n * sizeof *r->status);
	}
	if (s)
		source_perf.close(s);
	if (good)
		good = test_check(r->end.exited && r->end.code == 0, __FILE__, __LINE__, "%s ended with %d", argv[0],
			r->end.code);
	else
		test_check(false, __FILE__, __LINE__, "%s: %s", argv[0], e.what);
	return good;
}

struct machine_interrupts
machine_interrupts(void)
{
	struct machine_interrupts n = {0};
	char line[512];
	FILE *f = fopen("/proc/interrupts", "r");

	while (f && fgets(line, sizeof line, f)) {
		char *colon = strchr(line, ':');
		uint64_t count = colon ? strtoull(colon + 1, NULL, 10) : 0;

		n.all += count;
		if (colon && strstr(colon, "timer"))
			n.timer += count;
	}
	if (f)
		fclose(f);
	return n;
}

int
main(int argc, char **argv)
{
	machine_start();
	machine_cases(argc, argv);
	machine_end();
}

size_t
machine_try(const struct event_filter *filter, const char *const *name, size_t n, enum health want)
{
	struct event_table table = {0};
	struct health_book book;
	struct fit_trial trial;
	struct err e = {0};
	char cpu[64];
	size_t open = 0;

	setenv("HOME", "/", 1);
	machine_cpu(cpu);
	machine_events(NULL, &table, &e);
	fit_try_list(&table, filter, &trial);
	fit_try(&trial);
	machine_health(&book);
	for (size_t i = 0; i < trial.n; i++) {
		const struct fit_tried *tried = &trial.tried[i];

		open += tried->opens;
		if (tried->opens)
			printf("# %s: %s, %llu\n", tried->name, health_word(tried->health), tried->count);
	}
	printf("# %zu of %zu open\n", open, trial.n);
	for (size_t i = 0; i < n; i++) {
		const struct event_row *row = event_table_find(&table, name[i], NULL);
		const struct health_entry *kept = health_find(
			&book, cpu, name[i], row ? row->pmu : "", row ? row->code : "");
		size_t at = 0;

		while (at < trial.n && !event_name_same(trial.tried[at].name, name[i]))
			at++;
		test_label("%s", name[i]);
		CHECK(at < trial.n && trial.tried[at].opens && trial.tried[at].health == want);
		CHECK(kept && kept->health == want);
	}
	health_free(&book);
	fit_trial_free(&trial);
	event_table_free(&table);
	return open;
}

void
machine_doctor(const char *timer)
{
	static const char *const foreign[] = {"x86", "TSC", "Intel", "AMD", "CPUID", "BIOS", "msr", "-cpu host"};
	bool pmu = false, times = false;
	struct doctor doctor;

	doctor_probe(&doctor);
	for (size_t i = 0; i < doctor.n; i++) {
		const struct doctor_item *item = &doctor.item[i];
		char text[512];

		snprintf(text, sizeof text, "%s | %s | %s | %s", item->what, item->amount, item->why, item->remedy);
		printf("# doctor: %s\n", text);
		for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
			CHECK(!strstr(text, foreign[k]) && !strstr(doctor.machine, foreign[k]));
		pmu |= str_eq(item->what, "core PMU") && item->level == DOCTOR_GOOD;
		times |= str_eq(item->what, "timers") && strstr(text, timer) != NULL;
	}
	printf("# doctor: %s\n", doctor.machine);
	CHECK(doctor.n && pmu && times);
}
