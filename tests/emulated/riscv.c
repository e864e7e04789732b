/* A RISC-V machine under QEMU: its PMU has events of TLB misses, one counter for each, and `instructions` and `cycles`
 * that do not tell user code from the kernel's. */
#include "machine.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "collect/perf/open.h"
#include "collect/workload/workload.h"
#include "exercise.h"
#include "overflow.h"
#include "test.h"
#include "work/trust/determinism.h"

const char *const machine_name = "qemu-riscv64";

/* Counts what touching the pages at `at` raises. */
static uint64_t
count_touches(const char *event, void (*touch)(char *at, size_t pages), char *at, size_t pages)
{
	struct source_status s;
	struct perf_reading r = {0};
	int fd = machine_open(event, &s);

	if (!test_check(fd >= 0, __FILE__, __LINE__, "%s", s.why))
		return 0;
	perf_enable(fd, true);
	touch(at, pages);
	perf_enable(fd, false);
	CHECK(perf_read(fd, &r));
	close(fd);
	return r.value;
}

static void
read_pages(char *at, size_t pages)
{
	exercise_read(at, pages);
}

static void
write_pages(char *at, size_t pages)
{
	exercise_write(at, pages);
}

#define RUNS 3
static const size_t SIZES[] = {10, 100, 1000};

/* For each number of pages P the event counts `each` × P, and at most `more` (stack and code, if the TLB lost them). */
static void
check_misses(const char *event, const char *what, void (*touch)(char *at, size_t pages), bool present, uint64_t each,
	uint64_t more)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
		for (int run = 0; run < RUNS; run++) {
			size_t pages = SIZES[i];
			char *at = exercise_pages(pages);
			uint64_t got;

			if (present)
				CHECK(madvise(at, pages * EXERCISE_PAGE, MADV_POPULATE_WRITE) == 0);
			got = count_touches(event, touch, at, pages) - each * pages;
			least = got < least ? got : least;
			most = got > most ? got : most;
			munmap(at, pages * EXERCISE_PAGE);
		}
	printf("# %s, P pages: %lluP + %lld to %lld %s\n", what, (unsigned long long)each, (long long)least,
		(long long)most, event);
	CHECK(least <= most && most <= more);
}

static void
misses_per_page(void)
{
	check_misses("dTLB-load-misses:u", "reads of mapped", read_pages, true, 1, 3);
	check_misses("dTLB-store-misses:u", "writes to mapped", write_pages, true, 1, 3);
	check_misses("dTLB-load-misses:u", "writes to mapped", write_pages, true, 0, 3);
}

/* The access that faults misses, and misses again when it is executed again. */
static void
a_fault_misses_twice(void)
{
	check_misses("dTLB-load-misses:u", "first reads", read_pages, false, 2, 3);
	check_misses("dTLB-store-misses:u", "first writes", write_pages, false, 2, 3);
	check_misses("page-faults:u", "first reads", read_pages, false, 1, 0);
	check_misses("page-faults:u", "first writes", write_pages, false, 1, 0);
	/* where the linker puts them, each of five functions from one ioctl(2) to the next is on a page of its own */
	check_misses("iTLB-load-misses:u", "first reads", read_pages, false, 1, 5);
}

static void
the_second_of_a_kind_reads_zero(void)
{
	static const char *const event[] = {"dTLB-load-misses:u", "dTLB-load-misses:u", "page-faults:u"};
	char *argv[] = {"/exercise", "read", "100", NULL};
	struct machine_run r;

	if (!machine_count(event, 3, argv, &r))
		return;
	printf("# two dTLB-load-misses:u at once: %lld and %lld\n", (long long)r.count[0], (long long)r.count[1]);
	CHECK(r.count[0] > 200 && r.count[1] == 0);
	CHECK_INT(r.status[0].health, OBS_LIVE);
	CHECK_INT(r.status[1].health, OBS_ZERO_SUSPECT);
	CHECK_INT(r.status[2].health, OBS_LIVE);
}

/* Raw events that the firmware does not know open, and never get a counter. */
static void
events_without_a_counter_are_dead(void)
{
	static const char *const event[] = {"r08:u", "r11:u", "page-faults:u"};
	char *argv[] = {"/exercise", "loop", "1000", NULL};
	struct machine_run r;

	if (!machine_count(event, 3, argv, &r))
		return;
	for (size_t i = 0; i < 2; i++) {
		CHECK(!r.counted[i]);
		CHECK_INT(r.status[i].health, OBS_DEAD);
	}
	CHECK_INT(r.status[2].health, OBS_LIVE);
}

/* hecate events --try: one event of a kind counts, and a second one does not. */
static void
events_are_tried(void)
{
	static char *const missing[] = {"r08", "r11"};
	static const char *const one[] = {"dTLB-load-misses", "dTLB-store-misses", "iTLB-load-misses"};
	const struct event_filter all = {0}, raw = {.word = missing, .n = 2};

	machine_try(&all, one, 3, HEALTH_ONE);
	CHECK_INT(machine_try(&raw, (const char *const *)missing, 2, HEALTH_NEVER), 2);
}

static void
overflows(void)
{
	static const uint64_t period[] = {10007, 100003};
	struct overflow_bed *b = overflow_bed_new("/known-loop", "instructions:u");
	struct overflow_skid k;

	for (size_t i = 0; b && i < 2; i++)
		overflow_bed_measure(b, period[i], &k);
	overflow_bed_free(b);
	b = overflow_bed_new("/known-write", "page-faults:u");
	if (b)
		overflow_bed_measure(b, 7, &k);
	overflow_bed_free(b);
}

static void
known_counts(void)
{
	static const char *const events[] = {"instructions:u", "dTLB-load-misses:u", "dTLB-store-misses:u",
		"iTLB-load-misses:u", "page-faults:u", NULL};

	record_known(events);
}

/* They are the kernel's, too. The search finds the parts that enter the kernel, among others: those that write to pages
 * for the first time. In every tenth run or so the kernel's clock ticks, which costs as much as several exceptions; it
 * takes many runs to tell a single one from that. */
static void
instructions_are_not_deterministic(void)
{
	static const char *const events[] = {"instructions:u"};
	static const char *const calls[] = {"syscalls", "pages-write", "undefined"};
	struct determinism *d = determinism_here(events, 1, 60);
	const struct attribute_result *parts;

	if (!d)
		return;
	parts = &d->event[0].parts;
	CHECK(d->event[0].spread > 0);
	CHECK(d->event[0].mean > d->event[0].expected);
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		size_t k = 0;

		while (k < parts->n_found && parts->found[k].part != workload_find_part(calls[i]))
			k++;
		test_label("%s", calls[i]);
		CHECK(k < parts->n_found && parts->found[k].low > 100);
	}
	determinism_free(d);
}

static void
pages(void)
{
	record_pages();
}

static void
doctor_speaks_of_this_machine(void)
{
	machine_doctor("clock_gettime");
}

int
machine_cases(int argc, char **argv)
{
	static const struct test_case cases[] = {CASE(misses_per_page), CASE(a_fault_misses_twice),
		CASE(the_second_of_a_kind_reads_zero), CASE(events_without_a_counter_are_dead), CASE(events_are_tried),
		CASE(overflows), CASE(known_counts), CASE(instructions_are_not_deterministic), CASE(pages),
		CASE(doctor_speaks_of_this_machine)};

	return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
