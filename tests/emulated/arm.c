/* A Cortex-A57 under QEMU that counts instructions (-icount): its PMU has the cycle counter and six others. */
#include "machine.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/perf/known_events.h"
#include "collect/perf/open.h"
#include "collect/perf/sampler.h"
#include "collect/workload/workload.h"
#include "exercise.h"
#include "overflow.h"
#include "test.h"
#include "work/fit/fit.h"
#include "work/trust/determinism.h"

const char *const machine_name = "qemu-cortex-a57";

/* Counts n rounds of the loop, with what switching the event on and off adds. */
static uint64_t
count_loop(int fd, uint64_t n)
{
	struct perf_reading r = {0};

	CHECK(ioctl(fd, PERF_EVENT_IOC_RESET, 0) == 0);
	perf_enable(fd, true);
	exercise_loop(n);
	perf_enable(fd, false);
	CHECK(perf_read(fd, &r));
	CHECK(r.running_ns > 0 && r.running_ns == r.enabled_ns);
	return r.value;
}

static void
instructions_are_exact(void)
{
	static const uint64_t rounds[] = {1, 10, 1000, 100000, 1000000};
	struct source_status s;
	int fd = machine_open("instructions:u", &s);
	uint64_t more;

	if (!CHECK(fd >= 0))
		return;
	more = count_loop(fd, 1) - 2;
	CHECK(more < 40);
	for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
		for (int run = 0; run < 5; run++)
			CHECK_INT(count_loop(fd, rounds[i]), 2 * rounds[i] + more);
	printf("# instructions:u of N rounds: 2N + %d, 25 of 25 times\n", (int)more);
	close(fd);
}

/* Opens events as one group until one is refused; returns how many it took, and the refusal. */
static size_t
fill_group(const char *first, struct source_status *s)
{
	struct event_code code, leader;
	int fd[16];
	size_t n = 0;

	if (!CHECK(event_by_name("instructions:u", machine_world(), &code, s)) ||
		!CHECK(event_by_name(first, machine_world(), &leader, s)))
		return 0;
	for (; n < 16; n++) {
		fd[n] = perf_open_in(n ? &code : &leader, NULL, 0, n ? fd[0] : -1, OPEN_COMMAND, machine_world(), s);
		if (fd[n] < 0)
			break;
	}
	for (size_t i = 0; i < n; i++)
		close(fd[i]);
	return n;
}

static void
groups_hold_seven(void)
{
	struct source_status s = {0};

	/* the cycle counter takes no other event */
	CHECK_INT(fill_group("cycles:u", &s), 7);
	CHECK_INT(s.error, EINVAL);
	CHECK_STR(s.why, "instructions:u: the kernel does not take it (Invalid argument)");
	CHECK_INT(fill_group("instructions:u", &s), 6);
}

#define EVENTS 16

/* hecate fit, before any run: what it says is what a group then holds. */
static void
fit_agrees_with_groups(void)
{
	static const struct { const char *name[2]; size_t n, room; } row[] = {
		{{"instructions:u", "cycles:u"}, 2, 7}, {{"instructions:u"}, 1, 6}};
	static const char *const pinned[] = {"r08:uD", "r1b:uD", "instructions:u"};
	const char *many[EVENTS];
	char name[EVENTS][8];
	struct err e = {0};
	struct source_status s = {0};
	struct fit *fit;

	for (size_t i = 0; i < 2; i++) {
		fit = fit_new(row[i].name, row[i].n, NULL, true, &e);
		if (!CHECK(fit != NULL))
			return;
		CHECK_INT(fit->n_sets, 1);
		CHECK_INT(fit->room, row[i].room);
		CHECK_INT(fit->room, fill_group(row[i].n > 1 ? "cycles:u" : "instructions:u", &s));
		printf("# %s: %d counters\n", row[i].name[row[i].n - 1], (int)fit->room);
		fit_free(fit);
	}
	for (size_t i = 0; i < EVENTS; i++) {
		snprintf(name[i], sizeof name[i], "r%02x:u", (unsigned)(0x40 + i)); /* the PMU opens any raw code */
		many[i] = name[i];
	}
	fit = fit_new(many, EVENTS, NULL, true, &e);
	if (CHECK(fit != NULL)) {
		CHECK_INT(fit->counted, EVENTS);
		CHECK_INT(fit->n_sets, 3);
	}
	fit_free(fit);
	for (size_t i = 0; i < EVENTS; i++)
		many[i] = "instructions:u";
	fit = fit_new(many, EVENTS, NULL, false, &e); /* as rows_are_scaled() opens them */
	if (CHECK(fit != NULL)) {
		CHECK_INT(fit->twice, EVENTS - 1);
		CHECK_INT(fit->n_sets, 3);
	}
	fit_free(fit);
	fit = fit_new(pinned, 3, NULL, true, &e);
	if (CHECK(fit != NULL)) {
		CHECK_INT(fit->n_sets, 1);
		CHECK_INT(fit->room, 6);
		CHECK(fit->event[0].kind == FIT_PINNED && fit->event[1].kind == FIT_PINNED);
	}
	fit_free(fit);
}

/* Counters that others have are found by trying: here two pinned events of this thread. */
static void
fit_finds_held_counters(void)
{
	static const char *const name[] = {"instructions:u"};
	struct source_status s;
	struct err e = {0};
	int fd[2];
	struct fit *fit;

	for (size_t i = 0; i < 2; i++) {
		fd[i] = machine_open(i ? "r08:uD" : "r1b:uD", &s);
		if (!CHECK(fd[i] >= 0 && perf_enable(fd[i], true)))
			return;
	}
	fit = fit_new(name, 1, NULL, true, &e);
	if (CHECK(fit != NULL)) {
		CHECK_INT(fit->room, 6);
		CHECK_INT(fit->held, 2);
	}
	fit_free(fit);
	for (size_t i = 0; i < 2; i++)
		close(fd[i]);
	fit = fit_new(name, 1, NULL, true, &e);
	if (CHECK(fit != NULL))
		CHECK_INT(fit->held, 0);
	fit_free(fit);
}

/* hecate events --try: all that the machine's sources know opens, and what QEMU lacks reads 0. */
static void
events_are_tried(void)
{
	static char *const lacking[] = {"r12", "r13", "r1d"};
	static const char *const counting[] = {"cpu-cycles", "instructions", "inst_retired"};
	const struct event_filter all = {0}, raw = {.word = lacking, .n = 3};
	size_t known = machine_try(&all, counting, sizeof counting / sizeof *counting, HEALTH_COUNTS);

	CHECK(known >= 5);
	CHECK_INT(machine_try(&raw, (const char *const *)lacking, 3, HEALTH_ZERO), 3);
}

#define LOOP 50000000
#define ROWS 4
#define CHILD_RUNS 5

/* Counts this thread with 16 events at once, in rows; adds up the scaled counts, and the share of time of each. */
static void
multiplex(enum rotation_how how, double *sum, double *share, double *period)
{
	static const struct event_item event = {.name = "instructions:u"};
	static char name[EVENTS][8];
	const int me = (int)gettid();
	const struct source_target target = {.kind = SOURCE_THREADS, .id = &me, .n = 1};
	struct source_counter counter[EVENTS];
	struct source_spec spec = {.counter = counter, .n_counters = EVENTS, .target = &target, .interval_ms = 100,
		.by_hand = true, .rotation = how, .rotation_given = true, .out_fd = -1, .err_fd = -1};
	int64_t count[EVENTS];
	unsigned char counted[EVENTS];
	double running[EVENTS];
	struct source_row row = {.count = count, .counted = counted, .running = running};
	struct err e = {0};
	struct source *s;

	for (size_t i = 0; i < EVENTS; i++) {
		snprintf(name[i], sizeof name[i], "i%zu", i);
		counter[i] = (struct source_counter){.name = name[i], .event = &event, .n_events = 1};
	}
	s = source_perf.open(&spec, &e);
	if (!test_check(s && source_perf.start(s, &e), __FILE__, __LINE__, "%s", e.what))
		return;
	for (size_t m = 0; m < ROWS; m++) {
		exercise_loop(LOOP);
		source_perf.tick(s);
		CHECK_INT(source_perf.row(s, &row, &e), SOURCE_ROW);
		for (size_t i = 0; i < EVENTS; i++) {
			CHECK(counted[i]);
			sum[i] += (double)count[i];
			share[i] += running[i] / ROWS;
		}
	}
	*period = row.rotation.period;
	source_perf.close(s);
}

/* `counters`: how many of the PMU's are left for the 16 events. `error`: how far a scaled count may be off. */
static void
check_shares(const char *name, const double *sum, const double *share, unsigned counters, double error)
{
	double worst = 0, least = 1, most = 0, all = 0;

	for (size_t i = 0; i < EVENTS; i++) {
		worst = fmax(worst, fabs(sum[i] / (2.0 * LOOP * ROWS) - 1));
		least = fmin(least, share[i]);
		most = fmax(most, share[i]);
		all += share[i];
	}
	printf("# 16 events, %s: running/enabled %.3f to %.3f, on average %.3f; scaled counts within %.4f "
		"%%\n", name, least, most, all / EVENTS, worst * 100);
	CHECK_NEAR(all / EVENTS, (double)counters / EVENTS, 0.01);
	CHECK(least > 0.2 && most < 0.75);
	CHECK_NEAR(worst, 0, error);
}

static void
the_kernel_multiplexes(void)
{
	double sum[EVENTS], share[EVENTS];
	int fd[EVENTS];
	struct source_status status;

	for (size_t i = 0; i < EVENTS; i++)
		fd[i] = machine_open("instructions:u", &status);
	for (size_t i = 0; i < EVENTS; i++)
		CHECK(perf_enable(fd[i], true));
	exercise_loop(LOOP * ROWS);
	for (size_t i = 0; i < EVENTS; i++) {
		struct perf_reading now = {0}, none = {0};
		struct increment x = INCREMENT_NONE;

		CHECK(perf_read(fd[i], &now));
		increment_add(&x, &now, &none);
		sum[i] = (double)x.count;
		share[i] = x.share;
		close(fd[i]);
	}
	check_shares("the kernel's turns", sum, share, 6, 1e-3);
}

/* In rows, a thread that reads or switches events interrupts the program, and each row is scaled by itself. */
#define ROW_ERROR 5e-3

static void
rows_are_scaled(void)
{
	double sum[EVENTS] = {0}, share[EVENTS] = {0}, period = 0;

	/* a pinned count of instructions, which shows the program's rhythm, has a counter of its own */
	multiplex(ROTATION_KERNEL, sum, share, &period);
	check_shares("rows with the kernel's turns", sum, share, 5, ROW_ERROR);
	CHECK_NEAR(period, EVENTS * 4e-3, 1e-9);
}

static void
hecate_rotates(void)
{
	double sum[EVENTS] = {0}, share[EVENTS] = {0}, period = 0;

	/* three sets of six, so that two events are in two sets */
	multiplex(ROTATION_RANDOM, sum, share, &period);
	check_shares("rows with hecate's turns", sum, share, 6, ROW_ERROR);
	CHECK_NEAR(period, 3 * 4e-3, 1e-9);
}

static void
totals_of_too_many_are_no_counts(void)
{
	const char *event[EVENTS];
	char *argv[] = {"/exercise", "loop", "50000000", NULL};
	struct machine_run r;

	for (size_t i = 0; i < EVENTS; i++)
		event[i] = "instructions:u";
	if (!machine_count(event, EVENTS, argv, &r))
		return;
	for (size_t i = 0; i < EVENTS; i++) {
		CHECK(!r.counted[i] && r.status[i].running < 0.6);
		CHECK(strstr(r.status[i].why, "% of the time only: too many hardware events at once"));
	}
	printf("# %s\n", r.status[0].why);
}

/* Instructions of a command that starts k children, in one run. */
static int64_t
count_children_once(const char *k)
{
	const char *const event[] = {"instructions:u"};
	char number[8];
	char *argv[] = {"/exercise", "fork", number, "100000", NULL};
	struct machine_run r = {0};

	snprintf(number, sizeof number, "%s", k);
	machine_count(event, 1, argv, &r);
	CHECK(r.counted[0]);
	CHECK_INT(r.end.left_behind, 0);
	return r.count[0];
}

/* The least of some runs: an interrupt between an exclusive load and its store makes the C library try again, which
 * takes some instructions more. */
static int64_t
count_children(const char *k)
{
	int64_t least = count_children_once(k);

	for (int i = 1; i < CHILD_RUNS; i++) {
		int64_t count = count_children_once(k);

		least = count < least ? count : least;
	}
	return least;
}

static void
children_inherit(void)
{
	int64_t none = count_children("0"), one = count_children("1"), two = count_children("2");
	int64_t each = two - one;

	CHECK(each > 200000 && each < 201000);
	CHECK_INT(count_children("2"), two);
	CHECK_INT(count_children("8"), one + 7 * each);
	CHECK_NEAR((double)(one - none), (double)each, 1000); /* the first fork does some things once */
	printf("# a child of 200000 instructions adds %lld\n", (long long)each);
}

static void
libpfm4_names_the_pmu(void)
{
	struct source_status s = {0};
	struct event_code code;
	int fd;

	CHECK_STR(machine_world()->core_pmu, "armv8_pmuv3");
	if (CHECK(event_by_name("INST_RETIRED:u", machine_world(), &code, &s))) {
		CHECK_STR(code.name, "arm_ac57::INST_RETIRED");
		CHECK_INT(code.config, 8);
		fd = perf_open_event(&code, NULL, 0, OPEN_SELF, machine_world(), &s);
		CHECK_INT(count_loop(fd, 100000) - count_loop(fd, 50000), 100000);
		close(fd);
	}
	CHECK(!event_by_name("BR_MIS_PRED:u", machine_world(), &code, &s));
	CHECK(strstr(s.why, " is an event of arm_thunderx2 (Cavium ThunderX2) and others, not of this machine"));
	CHECK(event_by_name("armv8_pmuv3/inst_retired/u", machine_world(), &code, &s));
}

/* Raw events that QEMU does not have open and count nothing. */
static void
events_without_counts_are_suspect(void)
{
	/* INST_RETIRED; BR_PRED, BUS_CYCLES and MEM_ACCESS of Arm's manual */
	static const char *const event[] = {"r08:u", "r12:u", "r1d:u", "r13:u"};
	char *argv[] = {"/exercise", "loop", "1000", NULL};
	struct machine_run r;

	if (!machine_count(event, 4, argv, &r))
		return;
	CHECK_INT(r.status[0].health, OBS_LIVE);
	for (size_t i = 1; i < 4; i++) {
		CHECK_INT(r.count[i], 0);
		CHECK(r.counted[i]);
		CHECK_NEAR(r.status[i].running, 1, 0);
		CHECK_INT(r.status[i].health, OBS_ZERO_SUSPECT);
	}
}

/* What hecate events lists of the kernel's names opens. */
static void
listed_events_open(void)
{
	struct event_table table = {0};
	size_t n[EVENT_SOURCES] = {0};
	struct source_status s;
	struct err e = {0};

	if (CHECK(events_load(machine_world(), NULL, &table, &e)))
		for (size_t i = 0; i < table.n; i++) {
			const struct event_row *row = &table.row[i];
			char name[EVENT_NAME_SIZE];
			int fd;

			n[row->source]++;
			if (row->source != EVENT_FROM_SYSFS || !str_eq(row->pmu, machine_world()->core_pmu))
				continue;
			snprintf(name, sizeof name, "%s/%s/u", row->pmu, row->name);
			test_label("%s", name);
			fd = machine_open(name, &s);
			CHECK(fd >= 0);
			close(fd);
		}
	for (size_t i = 0; i < 2; i++) { /* all that QEMU's PMU says that it has */
		const struct event_row *row =
			event_table_find(&table, i ? "cpu_cycles" : "inst_retired", "armv8_pmuv3");

		CHECK(row && row->source == EVENT_FROM_SYSFS);
	}
	CHECK_INT(n[EVENT_FROM_SYSFS], 2);
	CHECK(n[EVENT_FROM_LIBPFM] > 50); /* of the Cortex-A57; most open and count nothing */
	printf("# listed: %d of sysfs, %d of libpfm4\n", (int)n[EVENT_FROM_SYSFS], (int)n[EVENT_FROM_LIBPFM]);
	event_table_free(&table);
}

static void
what_the_kernel_lacks_is_refused(void)
{
	static const char *const event[] = {"branches:u", "cache-misses:u", "dTLB-load-misses:u"};
	struct source_status s;

	for (size_t i = 0; i < 3; i++) {
		test_label("%s", event[i]);
		CHECK_INT(machine_open(event[i], &s), -1);
		CHECK(strstr(s.why, "this machine's PMU does not have it"));
		CHECK_INT(s.health, OBS_UNSUPPORTED);
	}
}

/* QEMU's PMU hardly ever raises an overflow in time. What is missed is reported, and the count stays exact. */
static void
overflows_that_are_missed_are_reported(void)
{
	static const uint64_t period[] = {1009, 10007, 100003};
	struct overflow_bed *b = overflow_bed_new("/known-loop", "instructions:u");
	struct overflow_skid k;

	for (size_t i = 0; b && i < sizeof period / sizeof *period; i++) {
		if (!overflow_bed_measure(b, period[i], &k))
			break;
		CHECK_INT(k.total, 2 * 1048576 + 4);
		CHECK(k.ended);
		CHECK(k.overflows + k.missed >= k.total / (2 * period[i]));
	}
	overflow_bed_free(b);
}

/* The kernel raises them itself: each stops the program before its next instruction. */
static void
page_faults_have_no_skid(void)
{
	struct overflow_bed *b = overflow_bed_new("/known-write", "page-faults:u");
	struct overflow_skid k;

	if (b && overflow_bed_measure(b, 7, &k)) {
		CHECK_INT(k.total, 1025);
		CHECK_INT(k.overflows, 1025 / 7);
		CHECK_INT(k.measured, k.overflows);
		CHECK(k.least == 0 && k.most == 0);
	}
	overflow_bed_free(b);
}

/* Under single steps each instruction counts 1, so that a program stops after exactly n instructions. The loop has two:
 * after an odd number of instructions the first one is next. */
static void
steps_stop_after_exactly_n_instructions(void)
{
	static const uint64_t at[] = {1, 1000, 1001, 12345};
	struct overflow_bed *b = overflow_bed_new("/known-loop", "instructions:u");
	uint64_t first = 0;

	for (size_t i = 0; b && i < sizeof at / sizeof *at; i++) {
		struct overflow_subject s = overflow_bed_subject(b);
		struct overflow_arrival a;

		test_label("%d", (int)at[i]);
		CHECK(overflow_stop_at(&s, at[i], at[i], &a, NULL));
		s.ops->end(s.ctx);
		CHECK_INT(a.outcome, OVERFLOW_EXACT);
		CHECK_INT(a.steps, at[i]);
		CHECK(a.silent == 0 && a.multiple == 0);
		first = i == 0 ? a.here.word[a.here.pc] : first;
		CHECK_INT(a.here.word[a.here.pc], first + (at[i] % 2 ? 0 : 4));
	}
	overflow_bed_free(b);
}

/* Two runs to the n-th page fault, and the place of that by steps alone: of known-write's instructions, 3 are before
 * the loop, and each round has 4, the first of which touches a page. One fault is for the code. */
static void
page_faults_stop_at_their_instruction(void)
{
	struct overflow_bed *b = overflow_bed_new("/known-write", "page-faults:u");
	struct overflow_position found[2];
	struct overflow_arrival a[2];
	struct overflow_subject s;

	if (!b)
		return;
	s = overflow_bed_subject(b);
	for (int run = 0; run < 2; run++) {
		CHECK(overflow_stop_at(&s, 500, 1, &a[run], NULL));
		s.ops->end(s.ctx);
		CHECK_INT(a[run].outcome, OVERFLOW_EXACT);
		CHECK_INT(a[run].stop, 499);
	}
	CHECK(overflow_words(a, 2) != 0);
	CHECK(overflow_find(&s, a, 2, found, NULL));
	for (int run = 0; run < 2; run++) {
		CHECK(found[run].sure);
		CHECK_INT(found[run].count, 500);
		CHECK_INT(found[run].instructions, 3 + 4 * 498 + 1);
	}
	overflow_bed_free(b);
}

static void
known_counts(void)
{
	static const char *const events[] = {"instructions:u", "cycles:u", "instructions", NULL};

	record_known(events);
}

/* Ten runs of each set of parts are equal, and as expected, except that QEMU counts an instruction that the kernel
 * refuses, like one that is retired. */
static void
the_pmu_is_deterministic(void)
{
	static const char *const events[] = {"instructions:u", "cycles:u"};
	struct determinism *d = determinism_here(events, 2, 10);
	const struct attribute_result *parts;
	size_t undefined = workload_find_part("undefined");
	double each;

	if (!d)
		return;
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < d->n_sets; i++)
			for (size_t run = 1; d->set[i].counted[k] && run < d->set[i].n; run++)
				CHECK_NEAR(d->set[i].count[run][k], d->set[i].count[0][k], 0);
	parts = &d->event[0].parts;
	CHECK(d->event[0].searched && parts->whole);
	CHECK_INT(parts->n_together, 0);
	if (CHECK_INT(parts->n_found, 1) && CHECK_INT(parts->found[0].part, undefined)) {
		CHECK_STR(determinism_occasion(undefined, &each), "exception");
		CHECK_NEAR(parts->found[0].slope / each, 1, 1e-6);
		CHECK_NEAR(d->event[0].mean - d->event[0].expected, each * d->loops[undefined], 1e-6);
	}
	determinism_free(d);
}

/* Without -icount QEMU counts no instructions. */
static void
no_instructions_without_icount(void)
{
	static const char *const event[] = {"INST_RETIRED:u", "page-faults:u"};
	char *argv[] = {"/exercise", "loop", "1000", NULL};
	struct source_status s;
	struct machine_run r;

	CHECK_INT(machine_open("instructions:u", &s), -1);
	CHECK(strstr(s.why, "this machine's PMU does not have it"));
	if (!machine_count(event, 2, argv, &r))
		return;
	CHECK_INT(r.count[0], 0);
	CHECK_INT(r.status[0].health, OBS_ZERO_SUSPECT);
	CHECK_INT(r.status[1].health, OBS_LIVE);
}

static void
doctor_speaks_of_this_machine(void)
{
	machine_doctor("CNTVCT");
}

int
machine_cases(int argc, char **argv)
{
	static const struct test_case plain[] = {CASE(no_instructions_without_icount)};
	static const struct test_case counting[] = {CASE(instructions_are_exact), CASE(groups_hold_seven),
		CASE(fit_agrees_with_groups), CASE(fit_finds_held_counters), CASE(events_are_tried),
		CASE(the_kernel_multiplexes), CASE(rows_are_scaled), CASE(hecate_rotates),
		CASE(totals_of_too_many_are_no_counts), CASE(children_inherit), CASE(libpfm4_names_the_pmu),
		CASE(events_without_counts_are_suspect), CASE(listed_events_open),
		CASE(what_the_kernel_lacks_is_refused), CASE(overflows_that_are_missed_are_reported),
		CASE(page_faults_have_no_skid), CASE(steps_stop_after_exactly_n_instructions),
		CASE(page_faults_stop_at_their_instruction), CASE(known_counts), CASE(the_pmu_is_deterministic),
		CASE(doctor_speaks_of_this_machine)};

	return argc > 1 && str_eq(argv[1], "plain") ? test_main(1, argv, plain, 1)
		: test_main(argc, argv, counting, sizeof counting / sizeof *counting);
}
