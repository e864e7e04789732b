/* The time from a model's text to its cone, and the memory of the program: `make bench-models`. Times are medians.
 * Ratios are to PPL's double description of all of m0's signatures in the same run, so that machines can be
 * compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "models.h"
#include "text/diag.h"
#include "work/files/files.h"

#define ROUNDS 25

static void
bench_text(const char *name, const char *text, double one)
{
	double read[ROUNDS], walk[ROUNDS], derive[ROUNDS], sum;
	char *paths = NULL;
	size_t n = 0;

	for (size_t i = 0; i < ROUNDS; i++) {
		struct diags d = {0};
		struct fset on;
		struct err e;
		double a = clock_seconds(), b, c;
		struct udd_model *m = model_from_text(text, strlen(text), &d);
		struct udd_diagram *g;
		struct signatures *s;
		struct cone *k;

		b = clock_seconds();
		if (!m || !udd_choose(m, NULL, NULL, NULL, &on, &e))
			exit(1);
		g = udd_expand(m, &on, &d);
		s = signatures_new(g, &d);
		c = clock_seconds();
		k = cone_new(s->n_counters, s->n, s->coef, NULL);
		read[i] = b - a;
		walk[i] = c - b;
		derive[i] = clock_seconds() - c;
		free(paths);
		paths = mem_str(s->total);
		n = s->n;
		cone_free(k);
		signatures_free(s);
		udd_diagram_free(g);
		udd_free(m);
		diags_free(&d);
	}
	sum = bench_median(read, ROUNDS) + bench_median(walk, ROUNDS) + bench_median(derive, ROUNDS);
	printf("%-20s %20s %6zu  %7.3f  %7.3f  %7.3f  %7.3f  %5.2f\n", name, paths, n, bench_median(read, ROUNDS) * 1e3,
		bench_median(walk, ROUNDS) * 1e3, bench_median(derive, ROUNDS) * 1e3, sum * 1e3, sum / one);
	free(paths);
}

static void
bench_installed(const char *name, double one)
{
	struct err e;
	size_t n;
	char *path = file_find(name, "models", ".udd", &e), *text = path ? file_read(path, UDD_FILE_MAX, &n, &e) : NULL;

	if (!text)
		exit(1);
	bench_text(name, text, one);
	free(text);
	free(path);
}

/* 60 choices of two: 2^60 µpaths, 31 · 31 sums of two counters. */
static void
bench_sixty(double one)
{
	struct str text = {0};

	str_add(&text, "model sixty; path p {");
	for (int i = 0; i < 60; i++)
		str_addf(&text, "choose { case X: count %c; case Y: }", i < 30 ? 'a' : 'b');
	str_add(&text, "}");
	bench_text("2^60", str_text(&text), one);
	str_free(&text);
}

/* The whole program, from exec to exit. */
static void
bench_program(double one)
{
	const char *program = getenv("HECATE");
	struct rusage use;
	double t[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		double start = clock_seconds();
		pid_t pid;

		fflush(stdout); /* otherwise the child writes it a second time */
		pid = fork();
		if (pid == 0) {
			if (!freopen("/dev/null", "w", stdout))
				_exit(127);
			execl(program, program, "constraints", "haswell-mmu", "--variant", "m0", "--json",
				(char *)NULL);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
		t[i] = clock_seconds() - start;
	}
	getrusage(RUSAGE_CHILDREN, &use);
	printf("\nhecate constraints haswell-mmu --variant m0 --json, exec to exit: %.1f ms (%.2f), largest resident "
	       "set %.1f MB\n",
		bench_median(t, ROUNDS) * 1e3, bench_median(t, ROUNDS) / one, (double)use.ru_maxrss / 1024);
}

int
main(void)
{
	double one = bench_unit();

	printf("PPL on all signatures of m0: %.3f ms, the unit of the last column\n\n", one * 1e3);
	printf("%-20s %20s %6s  %7s  %7s  %7s  %7s  %5s\n", "model", "paths", "sig.", "read", "walk", "cone", "sum ms",
		"ratio");
	bench_installed("haswell-mmu", one);
	bench_installed("linux-page-faults", one);
	bench_sixty(one);
	if (getenv("HECATE"))
		bench_program(one);
	return 0;
}
