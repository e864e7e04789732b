/* The determinism run on made counters with planted errors, and on this machine's software events. */
#include "work/trust/determinism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/workload/expected.h"
#include "collect/workload/probe.h"
#include "collect/workload/workload.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "test.h"
#include "text/diag.h"
#include "work/trust/determinism_table.h"
#include "work/trust/measured.h"

/* Made counters. "instructions:u" has no error, "branches:u" counts interrupts and page faults, "stores:u" counts cpuid
 * twice and nothing of mmx-emms, "loads:u" counts 0; "cycles" has no expectation. Two fit at a time. */
struct made {
	const char *const *event;
	size_t n;
	uint64_t random;
};
static struct made made;
static size_t runs_until_failure; /* 0: none fails */
static size_t counters;           /* that there are */
static bool disturbed;            /* other programs run, the hypervisor takes time, and the clock changes */
static double kernel;             /* what instructions:u counts for each page fault and system call */

static void *
made_open(const char *const *event, size_t n, int cpu, struct source_status *status, struct err *e)
{
	(void)cpu;
	(void)e;
	made = (struct made){.event = event, .n = n, .random = 7};
	for (size_t k = 0; k < n; k++) {
		status[k] = (struct source_status){.health = OBS_LIVE};
		if (str_starts(event[k], "refused")) {
			status[k].health = OBS_UNSUPPORTED;
			snprintf(status[k].why, sizeof status[k].why, "made for a test");
			if (str_eq(event[k], "refused-root"))
				snprintf(status[k].remedy, sizeof status[k].remedy,
					"sudo sysctl kernel.perf_event_paranoid=2");
		}
	}
	return &made;
}

static double
errors_of(const char *event, const uint32_t *loops, double interrupts)
{
	double error = 0.0;
	if (str_eq(event, "instructions:u"))
		error += kernel * (loops[workload_find_part("pages-write")] + loops[workload_find_part("pages-read")] +
					  loops[workload_find_part("syscalls")]);
	if (str_eq(event, "branches:u"))
		error += interrupts + loops[workload_find_part("pages-write")] +
			loops[workload_find_part("pages-read")];
	if (str_eq(event, "stores:u")) {
		error += loops[workload_find_part("cpuid")];
		error -= loops[workload_find_part("mmx-emms")];
	}
	return error;
}

static bool
made_run(void *probe, const bool *on, const uint32_t *loops, struct probe_sample *out, struct err *e)
{
	struct made *m = probe;
	struct workload_counts counts = workload_expect(loops);
	size_t n = 0;
	if (runs_until_failure > 0 && --runs_until_failure == 0)
		return err_set(e, "the made program failed");
	*out = (struct probe_sample){.count = out->count, .running = out->running, .faults = 3, .switches = 1,
		.seconds = 0.01, .timer = (double)NAN, .steal = 0};
	out->interrupts = (double)(test_random(&m->random) % 4);
	if (disturbed) {
		out->switches = 20;
		out->steal = 0.001;
	}
	for (size_t k = 0; k < m->n; k++)
		n += on[k];
	for (size_t k = 0; k < m->n; k++) {
		enum workload_kind kind;
		out->count[k] = out->running[k] = (double)NAN;
		if (!on[k])
			continue;
		out->running[k] = n > counters ? 0.5 : 1.0;
		if (!workload_kind_of_event(m->event[k], &kind))
			out->count[k] = 1e6 + (double)(test_random(&m->random) % 1000) +
				(disturbed && str_eq(m->event[k], "cycles:u") ? 5e4 * out->interrupts : 0);
		else
			out->count[k] = (double)counts.n[kind] + errors_of(m->event[k], loops, out->interrupts);
		if (str_starts(m->event[k], "loads"))
			out->count[k] = 0.0;
		if (n > counters)
			out->count[k] += 12345;
	}
	return true;
}

static void
made_close(void *probe)
{
	(void)probe;
}

static const struct probe_ops made_probe = {made_open, made_run, made_close};
static const char *const made_events[] = {
	"instructions:u", "branches:u", "stores:u", "loads:u", "cycles", "refused-1", "refused-2"};

static struct determinism_spec
made_spec(void)
{
	counters = 2;
	runs_until_failure = 0;
	disturbed = false;
	kernel = 0;
	return (struct determinism_spec){
		.probe = &made_probe, .event = made_events, .n_events = 7, .runs = 5, .scale = 1.0};
}

static bool
skip_without_workload(void)
{
	if (workload_find_part("cpuid") < workload_n_parts)
		return false;
	test_skip("no workload for this architecture");
	return true;
}

static const struct attribute_found *
found_part(const struct determinism_event *event, const char *name)
{
	for (size_t k = 0; k < event->parts.n_found; k++)
		if (event->parts.found[k].part == workload_find_part(name))
			return &event->parts.found[k];
	return NULL;
}

static void
planted_errors_are_found(void)
{
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	struct determinism *d = determinism_run(&spec, &e);
	if (!CHECK(d != NULL))
		return;
	CHECK(!d->cut);
	const struct determinism_event *instructions = &d->event[0], *branches = &d->event[1], *stores = &d->event[2];
	CHECK(instructions->searched && !instructions->multiplexed);
	CHECK_INT(instructions->parts.n_found, 0);
	CHECK_NEAR(instructions->mean - instructions->expected, 0, 1e-9);
	CHECK_NEAR(instructions->spread, 0, 1e-9);
	/* page faults, and interrupts that no part is blamed for */
	CHECK_INT(branches->parts.n_found, 2);
	const struct attribute_found *page = found_part(branches, "pages-write");
	CHECK(page != NULL && page->low <= 1 && page->high >= 1 && page->high - page->low < 0.02);
	CHECK(found_part(branches, "pages-read") != NULL);
	CHECK(branches->spread > 0 && branches->spread <= 3);
	CHECK_INT(stores->parts.n_found, 2);
	const struct attribute_found *cpuid = found_part(stores, "cpuid"), *emms = found_part(stores, "mmx-emms");
	CHECK(cpuid != NULL && cpuid->low <= 1 && cpuid->high >= 1);
	CHECK(emms != NULL && emms->low <= -1 && emms->high >= -1);
	CHECK(d->event[3].silent && !d->event[3].searched);
	CHECK(d->event[4].kind == -1 && !d->event[4].searched && d->event[4].spread > 0);
	/* no estimate of shared counters is left among what was measured */
	for (size_t k = 0; k < d->n_sets; k++)
		for (size_t event = 0; event < d->n_events; event++)
			for (size_t r = 0; d->set[k].counted[event] && r < d->set[k].n; r++)
				CHECK(d->set[k].running[r][event] == 1.0);
	if (CHECK_INT(d->n_remarks, 1))
		CHECK_STR(d->remark[0], "not counted: refused-1, refused-2: made for a test");
	determinism_free(d);
}

static void
multiplexed_alone_is_said(void)
{
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	counters = 0;
	struct determinism *d = determinism_run(&spec, &e);
	if (!CHECK(d != NULL))
		return;
	for (size_t k = 0; k < 5; k++)
		CHECK(d->event[k].multiplexed && !d->event[k].searched);
	determinism_free(d);
}

/* The judgement of a run, and what of it is stored. */
struct judged {
	struct trust_runs runs;
	struct trust_judgement *judgement;
	struct trust_page *page;
};

static struct judged
judge(const struct determinism *d, size_t runs)
{
	struct judged j = {0};
	determinism_table(d, "made", &j.runs);
	j.judgement = trust_judge(&j.runs, NULL, NULL);
	j.page = measured_page(d, &j.runs, j.judgement, runs, "2026-11-23");
	return j;
}

static void
judged_free(struct judged *j)
{
	trust_page_free(j->page);
	trust_judgement_free(j->judgement);
	trust_runs_free(&j->runs);
}

static const struct trust_term *
term_of(const struct trust_entry *e, enum trust_cause cause)
{
	for (size_t k = 0; e != NULL && k < e->n_terms; k++)
		if (e->term[k].cause == cause)
			return &e->term[k];
	return NULL;
}

/* A page is written as a file, and read again. */
static void
check_file(struct trust_page *page, const char *note)
{
	struct trust_book book = {.page = page, .n = 1};
	struct str text = {0};
	struct diags diags = {0};
	page->cpu.name = mem_str("made");
	trust_book_print(&book, &text);
	struct trust_book *back = trust_book_parse("made.trust", str_text(&text), text.n, &diags);
	if (test_check(back != NULL, __FILE__, __LINE__, "%s", diags.n > 0 ? diags.item[0].text : ""))
		CHECK_STR(trust_page_entry(&back->page[0], "stores:u")->note, note);
	trust_book_free(back);
	diags_free(&diags);
	str_free(&text);
}

static void
what_was_found_is_kept_in_a_page(void)
{
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	struct determinism *d = determinism_run(&spec, &e);
	if (!CHECK(d != NULL))
		return;
	struct judged j = judge(d, spec.runs);
	const struct trust_entry *instructions = trust_page_entry(j.page, "instructions"),
				 *branches = trust_page_entry(j.page, "branches:u"),
				 *stores = trust_page_entry(j.page, "stores:u");
	CHECK_INT(j.page->n, 3); /* loads count nothing, cycles vary, two are refused */
	if (CHECK(instructions != NULL && branches != NULL && stores != NULL)) {
		CHECK(instructions->verdict == TRUST_EXACT && instructions->measured);
		CHECK_INT(instructions->letters, 0);
		CHECK(instructions->note == NULL);
		CHECK_STR(instructions->source, "measured here 2026-11-23, 5 runs of hecate-workload");
		CHECK_STR(instructions->stands_for, "inst_retired");
		CHECK(branches->letters & TRUST_BIT(FAULTS));
		const struct trust_term *faults = term_of(branches, TRUST_PER_FAULT);
		CHECK(faults != NULL && faults->low > 0.9 && faults->low <= 1);
		CHECK(faults != NULL && faults->high >= 1 && faults->high < 1.1);
		CHECK_INT(stores->letters, TRUST_BIT(OVERCOUNT) | TRUST_BIT(MISSED));
		CHECK(stores->verdict == TRUST_CONSTANT);
		CHECK(strstr(stores->note, "cpuid: +1 (") != NULL && strstr(stores->note, "mmx-emms: -1 (") != NULL);
		check_file(j.page, stores->note);
	}
	judged_free(&j);
	determinism_free(d);
}

/* A PMU that counts the kernel in spite of :u counts no micro-operations, but what should not be counted. */
static void
the_kernel_is_no_error(void)
{
	static const char *const event[] = {"instructions:u"};
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	spec.event = event;
	spec.n_events = 1;
	kernel = 30000;
	struct determinism *d = determinism_run(&spec, &e);
	if (!CHECK(d != NULL))
		return;
	CHECK(d->event[0].kernel);
	CHECK(d->event[0].mean > 4 * d->event[0].expected);
	struct judged j = judge(d, spec.runs);
	const struct trust_judged *all = measured_judged(&j.runs, j.judgement, "instructions:u");
	if (CHECK(all != NULL)) {
		CHECK_INT(measured_letters(&d->event[0], all), TRUST_BIT(OVERCOUNT));
		CHECK_INT(all->verdict, TRUST_CONSTANT);
		CHECK(strstr(all->note, "counts the kernel's side, too, although") != NULL);
	}
	const struct trust_term *faults = term_of(trust_page_entry(j.page, "instructions:u"), TRUST_PER_FAULT);
	CHECK(faults != NULL && faults->low <= kernel && faults->high >= kernel);
	judged_free(&j);
	determinism_free(d);
}

static void
a_disturbed_machine_is_said(void)
{
	static const char *const event[] = {"cycles:u", "ref-cycles:u"};
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	spec.event = event;
	spec.n_events = 2;
	disturbed = true;
	struct determinism *d = determinism_run(&spec, &e);
	if (!CHECK(d != NULL))
		return;
	if (CHECK_INT(d->n_remarks, 2)) {
		CHECK(strstr(d->remark[0], "20.0 context switches a run; stop them, or choose a CPU") != NULL);
		CHECK(strstr(d->remark[1], "the hypervisor took 10 % of the time") != NULL);
	}
	struct judged j = judge(d, spec.runs);
	const struct trust_judged *cycles = measured_judged(&j.runs, j.judgement, "cycles:u");
	CHECK(cycles != NULL && strstr(cycles->note, "the clock frequency differs by 1") != NULL);
	CHECK_INT(j.page->n, 0);
	judged_free(&j);
	determinism_free(d);
}

/* What needs root is said with what would help, and the others are counted. */
static void
a_remedy_is_said(void)
{
	static const char *const event[] = {"refused-root", "instructions:u"};
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	spec.event = event;
	spec.n_events = 2;
	struct determinism *d = determinism_run(&spec, &e);
	if (CHECK(d != NULL) && CHECK_INT(d->n_remarks, 1))
		CHECK_STR(d->remark[0],
			"not counted: refused-root: made for a test; sudo sysctl kernel.perf_event_paranoid=2");
	CHECK(d != NULL && d->event[1].searched);
	determinism_free(d);
	spec.n_events = 1;
	d = determinism_run(&spec, &e);
	CHECK(d == NULL);
	CHECK(strstr(e.what, "perf_event_paranoid=2") != NULL);
}

static size_t stops;
static bool
stop_later(void)
{
	return stops++ >= 60;
}

static void
what_is_done_is_kept(void)
{
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	spec.stop = stop_later;
	stops = 0;
	struct determinism *d = determinism_run(&spec, &e);
	if (CHECK(d != NULL)) {
		CHECK(d->cut);
		CHECK_INT(d->runs, 60);
		CHECK_NEAR(d->event[0].mean, d->event[0].expected, 1e-9);
		struct judged j = judge(d, spec.runs); /* no search of parts has ended */
		CHECK_INT(j.page->n, 0);
		judged_free(&j);
	}
	determinism_free(d);

	spec.stop = NULL;
	runs_until_failure = 61;
	d = determinism_run(&spec, &e);
	if (CHECK(d != NULL)) {
		CHECK(d->cut);
		CHECK_INT(d->runs, 60);
		CHECK_STR(d->remark[d->n_remarks - 1], "the made program failed");
	}
	determinism_free(d);
}

static void
parts_are_chosen(void)
{
	static const char *const some[] = {"x87", "cpuid"}, *const unknown[] = {"teleport"};
	struct determinism_spec spec = made_spec();
	struct err e = {0};
	if (skip_without_workload())
		return;
	spec.part = some;
	spec.n_parts = 2;
	spec.scale = 0.5;
	struct determinism *d = determinism_run(&spec, &e);
	if (CHECK(d != NULL)) {
		CHECK_INT(d->loops[workload_find_part("integer")], 0);
		CHECK_INT(d->loops[workload_find_part("x87-memory")], 5000);
		CHECK_INT(d->loops[workload_find_part("cpuid")], 50);
		CHECK(found_part(&d->event[2], "cpuid") != NULL);
		CHECK_INT(d->event[2].parts.n_found, 1);
	}
	determinism_free(d);
	spec.part = unknown;
	spec.n_parts = 1;
	CHECK(determinism_run(&spec, &e) == NULL);
	CHECK_STR(e.what, "the workload has no part and no class \"teleport\"");
}

/* The real program, and the kernel's own count of its page faults. */
static void
software_events_are_as_expected(void)
{
	static const char *const events[] = {"page-faults:u"}, *const parts[] = {"faults", "cpuid", "syscalls"};
	struct determinism_spec spec = {
		.event = events, .n_events = 1, .part = parts, .n_parts = 3, .runs = 3, .scale = 0.1};
	struct err e = {0};
	char *hecate = test_program("x"), *slash = hecate != NULL ? strstr(hecate, "/tests/") : NULL;
	if (skip_without_workload())
		return;
	if (slash != NULL) {
		*slash = '\0';
		char *path = str_format("%s/hecate-workload", hecate);
		setenv("HECATE_WORKLOAD", path, 1);
		free(path);
	}
	free(hecate);
	struct determinism *d = determinism_run(&spec, &e);
	if (d == NULL && strstr(e.what, "none of the events can be counted") != NULL) {
		test_skip("perf_event_open: counting is for privileged users only here");
		return;
	}
	if (!test_check(d != NULL, __FILE__, __LINE__, "it runs: %s", e.what))
		return;
	CHECK(!d->cut);
	CHECK_NEAR(d->event[0].expected, 400 + d->event[0].base, 1e-9);
	CHECK_NEAR(d->event[0].mean, d->event[0].expected, 1e-9);
	CHECK(d->event[0].searched);
	CHECK_INT(d->event[0].parts.n_found + d->event[0].parts.n_together, 0);
	CHECK(d->event[0].base > 0 && d->event[0].base < 200);
	determinism_free(d);
}

TEST_MAIN(CASE(planted_errors_are_found), CASE(what_was_found_is_kept_in_a_page), CASE(the_kernel_is_no_error),
	CASE(a_disturbed_machine_is_said), CASE(a_remedy_is_said), CASE(multiplexed_alone_is_said),
	CASE(what_is_done_is_kept), CASE(parts_are_chosen), CASE(software_events_are_as_expected))
