/* What native probes do on a machine that is noisy, throttled, or forbids something. Times are made. What a system
 * forbids is forbidden in a child: by seccomp filters, and by prctl(2). */
#include "collect/native/native.h"
#include "collect/native/timer.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"
#include "test.h"
#include "text/diag.h"

/* --- A noisy or throttled machine -------------------------------------------------------------------------------- */

/* One time after another, as one timer judges them. A cycle has two ticks, and copies take 1000 cycles. */
static void
disturbances(void)
{
	static const struct {
		const char *what;
		unsigned times;           /* so often */
		struct native_sample sample;
		unsigned disturbed;       /* so many of them, the first ones */
		double cycles;
	} row[] = {
		{"a quiet machine", 20, {2, 2, {2000, 2000}, 500, false}, 0, 250},
		{"an interrupt", 1, {2, 2, {2000, 2000}, 900, true}, 1, 450},
		{"a frequency that falls meanwhile", 1, {2, 2.1, {2000, 2000}, 500, false}, 1, 250},
		{"a frequency that rises meanwhile", 1, {2.1, 2, {2000, 2000}, 500, false}, 1, 250},
		{"less than 1 %", 1, {2, 2.01, {2000, 2000}, 500, false}, 0, 250},
		{"another thread of the core before", 1, {2, 2, {2400, 2000}, 500, false}, 1, 250},
		{"  and after", 1, {2, 2, {2000, 2400}, 500, false}, 1, 250},
		{"  15 % longer still counts as alone", 1, {2, 2, {2280, 2000}, 500, false}, 0, 250},
		/* The core is throttled for good: after 16 times that is usual, with as many cycles as before. */
		{"a throttled core", 40, {4, 4, {4000, 4000}, 1000, false}, 15, 250},
		{"a core that is fast again", 3, {2, 2, {2000, 2000}, 500, false}, 0, 250},
		{"a frequency that nothing shows but the chain", 1, {2.04, 2.04, {2040, 2040}, 510, false}, 1, 250},
	};
	struct native_timer t = {.wide_least = INFINITY};

	native_timer_begin(&t);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		unsigned disturbed = 0;

		test_label("%s", row[i].what);
		for (unsigned k = 0; k < row[i].times; k++) {
			struct native_time now = native_timer_judge(&t, &row[i].sample);

			CHECK(now.disturbed == (k < row[i].disturbed));
			CHECK_NEAR(now.cycles, row[i].cycles, 1e-9);
			disturbed += now.disturbed;
		}
		CHECK_INT(disturbed, row[i].disturbed);
	}
	CHECK_NEAR(t.fastest, 2, 1e-9);
	CHECK_NEAR(t.slowest, 4, 1e-9);
	native_timer_begin(&t);
	native_timer_judge(&t, &row[0].sample);
	CHECK_NEAR(t.slowest, 2, 1e-9);
}

/* A probe goes on while most of its times are disturbed, within limits, and its answer is not looked for before. */
static void
efforts(void)
{
	static const struct {
		const char *what;
		struct native_effort f;
		enum native_next next;
	} row[] = {
		{"the first rounds", {10, 7, 70, 0, false, 0.5, 12}, NATIVE_MEASURE},
		{"a quiet machine", {10, 20, 200, 0, false, 0.5, 12}, NATIVE_LOOK},
		{"  longer where queues may be halved", {10, 20, 200, 0, true, 0.5, 12}, NATIVE_MEASURE},
		{"  but no longer than that", {10, 20, 200, 0, true, 1, 12}, NATIVE_LOOK},
		{"  and never without end", {10, 20, 200, 0, true, 1.7, 12}, NATIVE_END},
		{"half of the times disturbed", {10, 12, 60, 60, true, 1, 12}, NATIVE_LOOK},
		{"most of them", {10, 20, 60, 140, true, 1, 12}, NATIVE_MEASURE},
		{"  for longer", {10, 20, 60, 140, true, 5, 12}, NATIVE_MEASURE},
		{"  until there are enough", {10, 60, 160, 440, true, 1, 12}, NATIVE_LOOK},
		{"  which then is the end", {10, 60, 160, 440, true, 5, 12}, NATIVE_END},
		{"  or as long as one probe may", {10, 20, 60, 140, true, 6, 12}, NATIVE_END},
		{"  or all of them", {10, 20, 60, 140, true, 2.7, 1}, NATIVE_END},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_label("%s", row[i].what);
		CHECK_INT(native_effort_next(&row[i].f), row[i].next);
	}
}

/* --- A system that forbids --------------------------------------------------------------------------------------- */

enum { CANNOT_FORBID = 77 };

/* A filter under which a system call fails by EACCES if it has one of these bits in its third argument; 0: always. */
static bool
forbid_call(unsigned call, unsigned bits)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | (bits ? BPF_JSET : BPF_JGE) | BPF_K, bits, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = sizeof f / sizeof *f, .filter = f};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0;
}

/* Runs a function in a child. Returns what it wrote, which the caller frees; NULL after a skip: it cannot forbid
 * anything here. */
static char *
in_child(void (*work)(int fd))
{
	char *text = mem_new(4096);
	int fd[2], status = 0;
	size_t n = 0;
	ssize_t k;
	pid_t pid;

	if (!CHECK(pipe(fd) == 0))
		return text;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		work(fd[1]);
		_exit(0);
	}
	close(fd[1]);
	while ((k = read(fd[0], text + n, 4095 - n)) > 0)
		n += (size_t)k;
	close(fd[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_FORBID) {
		test_skip("seccomp filters are not permitted here");
		free(text);
		return NULL;
	}
	CHECK_INT(status, 0);
	return text;
}

static void
without_code(int fd)
{
	struct err e = {0};
	struct native *m;

	if (!forbid_call(SYS_mprotect, PROT_EXEC))
		_exit(CANNOT_FORBID);
	m = native_new(&e);
	dprintf(fd, "%s; %s", m ? "it works" : e.what, e.hint);
	native_free(m);
}

static void
refused_code_is_explained(void)
{
	char *text = in_child(without_code);

	if (!text)
		return;
	test_label("%s", text);
#ifdef __x86_64__
	CHECK(strstr(text, "refuses machine code that is made at run time: mprotect: Permission denied"));
	CHECK(strstr(text, "seccomp") && strstr(text, "--on sim:core"));
#else
	CHECK(strstr(text, "x86-64") && strstr(text, "--export"));
#endif
	free(text);
}

/* Runs a probe, and writes how many points it has, and its notes. */
static void
run_probe(int fd, struct native *m, const char *text)
{
	struct diags d = {0};
	struct probe *p = probe_parse(mem_str("t.probe"), mem_str(text), strlen(text), &d);
	struct curve c = {0};
	struct err e = {0};

	if (!p || !native_run(m, p, NULL, NULL, &c, &e))
		dprintf(fd, "failed: %s\n", p ? e.what : d.item[0].text);
	dprintf(fd, "%zu points\n", c.n);
	for (size_t i = 0; i < c.n; i++)
		if (!isfinite(c.point[i].mean) || c.point[i].mean <= 0)
			dprintf(fd, "x = %g takes %g\n", c.point[i].x, c.point[i].mean);
	for (size_t i = 0; i < c.n_notes; i++)
		dprintf(fd, "%s\n", c.note[i]);
	curve_free(&c);
	probe_free(p);
	diags_free(&d);
}

static void
without_much(int fd)
{
	struct err e = {0};
	struct native *m;

	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0 || !forbid_call(SYS_sched_setaffinity, 0))
		_exit(CANNOT_FORBID);
	m = native_new(&e);
	if (m) {
		run_probe(fd, m, "probe t \"\" { knee 1k .. 8k step 1k; footprint; }");
		run_probe(fd, m, "probe t \"\" { knee 4 .. 32 step 4; block; fill add; }");
		run_probe(fd, m, "probe t \"\" { knee 16k .. 128k step 16k; footprint stride 4k; pages 4k; }");
	} else {
		dprintf(fd, "%s", e.what);
	}
	native_free(m);
}

/* How often a text has another one. */
static unsigned
times_of(const char *text, const char *what)
{
	unsigned n = 0;

	while ((text = strstr(text, what)) != NULL)
		text++, n++;
	return n;
}

/* Probes run without huge pages, and without a CPU of their own; notes say what that means. */
static void
probes_do_with_less(void)
{
#ifdef __x86_64__
	char *text = in_child(without_much);

	if (text && strstr(text, "refuses machine code")) {
		test_skip("machine code made at run time cannot run here");
	} else if (text) {
		test_label("%s", text);
		CHECK_INT(times_of(text, "8 points\n"), 3);
		CHECK_INT(times_of(text, "takes") + times_of(text, "failed"), 0);
		CHECK_INT(times_of(text, "does not let hecate stay on one CPU"), 3);
		CHECK_INT(times_of(text, "a footprint beyond the reach of the DTLB"), 1);
		CHECK_INT(times_of(text, "the loads that miss are kept within 1 MiB"), 1);
	}
	free(text);
#else
	(void)times_of, (void)without_much;
	test_skip("no workload for this architecture");
#endif
}

TEST_MAIN(CASE(disturbances), CASE(efforts), CASE(refused_code_is_explained), CASE(probes_do_with_less))
