#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/files.h"
#include "base/clock.h"
#include "base/err.h"
#include "core/cone/double_description.h"
#include "core/lang/diag.h"
#include "models.h"
#include "signature_file.h"

#define ROUNDS 25

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double
bench_median(double *t, size_t n)
{
	qsort(t, n, sizeof *t, compare);
	return t[n / 2];
}

double
bench_unit(void)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	double t[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		struct double_description d;
		double start = clock_seconds();

		double_description(f->n_counters, f->n, f->signature, 60, &d);
		t[i] = clock_seconds() - start;
		double_description_free(&d);
	}
	signature_file_free(f);
	return bench_median(t, ROUNDS);
}

struct udd_model *
bench_model(const char *name)
{
	struct err e;
	size_t n;
	char *path = file_find(name, "models", ".udd", &e), *text = path ? file_read(path, UDD_FILE_MAX, &n, &e) : NULL;
	struct diags d = {0};
	struct udd_model *m = text ? model_from_text(text, n, &d) : NULL;

	if (!m) {
		fprintf(stderr, "bench: the model %s cannot be read\n", name);
		exit(1);
	}
	diags_free(&d);
	free(text);
	free(path);
	return m;
}

static void
print_time(double seconds, int width)
{
	if (seconds < 1e-3)
		printf("%*.2f µs", width, seconds * 1e6);
	else
		printf("%*.2f ms", width, seconds * 1e3);
}

void
bench_row(const char *what, double seconds, double unit, double reach)
{
	double there = seconds * PROTOTYPE_SECONDS / unit;

	printf("%-46s", what);
	print_time(seconds, 9);
	print_time(there, 12);
	if (reach > 0) {
		print_time(reach, 12);
		printf("  %s", there <= reach ? "reached" : "NOT REACHED");
	}
	printf("\n");
	fflush(stdout);
}
