#include "machine.h"

#include <stdio.h>
#include <string.h>

#define RUNS 10

/* Programs of known.S: rounds, and instructions in all. */
static const struct {
	const char *name;
	unsigned rounds, per_round, once;
} known[] = {
	{"loop", 1048576, 2, 4},
	{"calls", 4096, 4, 4},
#ifdef __aarch64__
	{"read", 1024, 4, 6},
	{"write", 1024, 4, 6},
#else
	{"read", 1024, 4, 7},
	{"write", 1024, 4, 7},
#endif
};

static void
record_run(const char *event, size_t test, unsigned run)
{
	const char *const events[] = {event, "page-faults:u", "context-switches"};
	char path[64];
	char *argv[] = {path, NULL};
	struct machine_interrupts before = machine_interrupts(), after;
	struct machine_run r;

	snprintf(path, sizeof path, "/known-%s", known[test].name);
	if (!machine_count(events, 3, argv, &r))
		return;
	after = machine_interrupts();
	printf("runs: %s,%s,%s,,%u,%s,%lld,page-faults:u,%lld,%lld,%llu,%llu,%.9f\n", machine_name, event,
		known[test].name, run, event, (long long)r.count[0], (long long)r.count[1], (long long)r.count[2],
		(unsigned long long)(after.timer - before.timer), (unsigned long long)(after.all - before.all),
		r.end.seconds);
}

void
record_known(const char *const *events)
{
	const size_t tests = sizeof known / sizeof *known;

	printf("runs: machine,event,test,counters,run,counter,count,second_counter,second_count,context_switches,"
		"timer_interrupts_all_cpus,interrupts_all_cpus,seconds\n");
	printf("expected: event,test,expected\n");
	for (; *events; events++)
		for (size_t t = 0; t < tests; t++) {
			if (!strncmp(*events, "instructions", 12))
				printf("expected: %s,%s,%u\n", *events, known[t].name,
					known[t].rounds * known[t].per_round + known[t].once);
			for (unsigned i = 0; i < RUNS; i++)
				record_run(*events, t, i);
		}
}

void
record_pages(void)
{
	static const char *const events[] = {"dTLB-load-misses:u", "dTLB-store-misses:u", "iTLB-load-misses:u",
		"page-faults:u"};
	static const char *const argument[][3] = {{"loop", "1000"}, {"read", "100"}, {"read", "1000"}, {"write", "100"},
		{"write", "1000"}, {"again", "100", "3"}, {"again", "1000", "3"}, {"code", "100"}, {"code", "1000"},
		{"fork", "5", "1000"}};

	printf("pages: observation,%s,%s,%s,%s\n", events[0], events[1], events[2], events[3]);
	for (size_t i = 0; i < sizeof argument / sizeof *argument; i++) {
		const char *const *a = argument[i];
		char text[3][32] = {"", "", ""};
		char *argv[] = {"/exercise", text[0], text[1], a[2] ? text[2] : NULL, NULL};
		struct machine_run r;

		for (size_t j = 0; j < 3 && a[j]; j++)
			snprintf(text[j], sizeof text[j], "%s", a[j]);
		if (machine_count(events, 4, argv, &r))
			printf("pages: %s %s,%lld,%lld,%lld,%lld\n", a[0], a[1], (long long)r.count[0],
				(long long)r.count[1], (long long)r.count[2], (long long)r.count[3]);
	}
}
