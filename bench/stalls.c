/* Where the time of known programs goes, against the scheduler's own books, and what the records cost: `make bench-stalls`. */
#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "collect/stalls.h"

static char *
program(const char *name)
{
	const char *hecate = getenv("HECATE"), *slash = hecate ? strrchr(hecate, '/') : NULL;

	return str_format("%.*s%s", slash ? (int)(slash - hecate) + 1 : 0, slash ? hecate : "", name);
}

struct total {
	struct stall_row sum;
	struct stall_costed costed;
	uint64_t run_ns, wait_ns, slices, coarse_ns[4];
	size_t tasks, without_books;
	struct stalls_window last;
	size_t windows;
	struct stalls_figures figures;
	enum stalls_variant variant;
	char why[256];
};

static void
add(struct total *t, const struct stalls_window *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct stalls_row *r = &w->row[i];

		stall_row_add(&t->sum, &r->row);
		t->tasks += r->row.ended;
		t->without_books += !r->books;
		t->run_ns += r->run_ns;
		t->wait_ns += r->wait_ns;
		t->slices += r->slices;
	}
	t->windows++;
	t->last = *w;
}

static bool
run(const char *kind, const char *ms, const struct stalls_spec *how, struct total *t, unsigned interval_ms, double *own_cpu)
{
	char *path = program("tests/programs/stall"), *file = str_format("stall.%d.tmp", (int)getpid());
	char *argv[] = {path, (char *)(uintptr_t)kind, (char *)(uintptr_t)ms, file, NULL};
	struct stalls_spec spec = *how;
	struct stalls_window w;
	struct rusage a, b;
	struct stalls *s;
	struct err e;
	uint64_t next;
	int status = 0;

	memset(t, 0, sizeof *t);
	spec.argv = argv;
	spec.out_fd = spec.err_fd = -1;
	spec.no_input = true;
	s = stalls_open(&spec, &e);
	if (!s || !stalls_start(s, &e)) {
		printf("%-8s %s\n", kind, e.what);
		stalls_free(s);
		return false;
	}
	getrusage(RUSAGE_SELF, &a);
	next = clock_ns() + interval_ms * 1000000ull;
	while (!stalls_ended(s, &status)) {
		struct pollfd p = {.fd = stalls_wait_fd(s), .events = POLLIN};
		uint64_t now = clock_ns();

		poll(&p, 1, 20);
		stalls_pump(s);
		if (interval_ms && now >= next) {
			stalls_window(s, false, &w);
			add(t, &w);
			next = now + interval_ms * 1000000ull;
		}
	}
	stalls_window(s, true, &w);
	add(t, &w);
	getrusage(RUSAGE_SELF, &b);
	*own_cpu = (double)(b.ru_utime.tv_sec - a.ru_utime.tv_sec + b.ru_stime.tv_sec - a.ru_stime.tv_sec) +
		   (double)(b.ru_utime.tv_usec - a.ru_utime.tv_usec + b.ru_stime.tv_usec - a.ru_stime.tv_usec) / 1e6;
	t->last.row = NULL;
	stalls_figures(s, &t->figures);
	t->variant = stalls_variant(s);
	memcpy(t->why, w.why, sizeof t->why);
	stalls_free(s);
	free(path);
	free(file);
	return true;
}

static void
print(const struct total *t)
{
	const struct stall_row *r = &t->sum;
	double elapsed = (double)stall_row_elapsed(r), ran = (double)(r->ns[STALL_ON_CPU] + r->ns[STALL_FAULT_CPU]),
	       waited = (double)(r->ns[STALL_PREEMPTED] + r->ns[STALL_WOKEN]);

	for (int c = 0; c < STALL_CLASSES; c++)
		if (r->ns[c])
			printf("    %-15s %10.3f ms %6.2f %%  %llu times\n", stall_class_name((enum stall_class)c), (double)r->ns[c] / 1e6, (double)r->ns[c] / elapsed * 100,
			       (unsigned long long)r->entered[c]);
	printf("    tasks %zu (%zu windows, %zu rows without books); elapsed %.3f ms; in %llu, minor %llu, major %llu, failed %llu (%.3f ms), unwoken %llu\n", t->tasks, t->windows,
	       t->without_books, elapsed / 1e6, (unsigned long long)r->in, (unsigned long long)r->minor, (unsigned long long)r->major, (unsigned long long)r->failed,
	       (double)r->failed_ns / 1e6, (unsigned long long)r->unwoken);
	printf("    run %.3f, scheduler's %.3f (%+.2f %%); wait %.3f, scheduler's %.3f (%+.2f %%); %.1f us a switch\n", ran / 1e6, (double)t->run_ns / 1e6,
	       (ran - (double)t->run_ns) / elapsed * 100, waited / 1e6, (double)t->wait_ns / 1e6, (waited - (double)t->wait_ns) / elapsed * 100,
	       r->in ? ((double)t->run_ns - ran) / 1e3 / (double)r->in : 0);
}

int
main(void)
{
	static const char *const kind[] = {"cpu", "faults", "lock", "io", "sleep", "signal", "switch"};
	struct stalls_spec how = {0};
	struct total t;
	double cpu;

	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
		if (run(kind[i], "1000", &how, &t, 100, &cpu))
			print(&t);
	return 0;
}
