#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "core/cone/double_description.h"
#include "core/obs/obs.h"
#include "models.h"
#include "signature_file.h"
#include "synthetic.h"
#include "text/diag.h"
#include "work/files/files.h"

#define ROUNDS 100

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
bench_processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double
bench_unit(void)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	double least = 60;

	for (size_t i = 0; i < ROUNDS; i++) {
		struct double_description d;
		double start = clock_seconds(), t;

		double_description_find(f->n_counters, f->n, f->signature, 60, &d);
		t = clock_seconds() - start;
		least = t < least ? t : least;
		double_description_free(&d);
	}
	signature_file_free(f);
	return least;
}

struct udd_model *
bench_model_with(const char *name, const char *from, const char *more)
{
	struct err e;
	size_t n;
	char *path = file_find(name, "models", ".udd", &e), *text = path ? file_read(path, UDD_FILE_MAX, &n, &e) : NULL;
	struct diags d = {0};
	struct udd_model *m = NULL;
	struct str whole = {0};
	char *cut;

	if (text) {
		cut = from ? strstr(text, from) : text + n;
		str_addf(&whole, "%.*s%s", (int)((cut ? cut : text) - text), text, more);
		m = model_from_text(str_text(&whole), whole.n, &d);
	}
	if (!m) {
		fprintf(stderr, "bench: the model %s cannot be read\n", name);
		exit(1);
	}
	str_free(&whole);
	diags_free(&d);
	free(text);
	free(path);
	return m;
}

struct udd_model *
bench_model(const char *name)
{
	return bench_model_with(name, NULL, "");
}

double
bench_megabytes(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	double kb = NAN;

	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "RssAnon:", 8) == 0)
			kb = strtod(line + 8, NULL);
	if (f)
		fclose(f);
	return kb / 1024;
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

struct obs_table *
bench_observations(const struct signature_file *f, size_t n, size_t rows)
{
	struct synthetic k = {.n_counters = f->n_counters,
		.n_rays = f->n,
		.ray = f->signature,
		.spread = 40,
		.scale = 1e5,
		.rows = rows};
	struct obs_table *t = obs_table_new((const char *const *)f->name, f->n_counters);
	uint64_t seed = 3;
	int64_t *outside;

	k.n_outside = synthetic_haswell_outside(f->n_counters, f->name, &outside);
	k.outside = outside;
	for (size_t i = 0; i < n; i++) {
		char name[32];
		struct obs *o;
		int64_t *count;

		snprintf(name, sizeof name, "run-%zu", i);
		o = obs_table_add(t, name, "synthetic");
		k.share = i % 2 ? 0.3 : 0;
		count = synthetic_samples(&k, &seed);
		for (size_t row = 0; row < rows; row++)
			obs_add_row(o, count + row * k.n_counters, NULL, 0.1 * (double)row);
		free(count);
	}
	free(outside);
	return t;
}

void
bench_print_rate(const char *what, double rate, const char *noun, double reach)
{
	printf("%-44s %7.1f million %s/s", what, rate / 1e6, noun);
	if (reach > 0)
		printf("   reach %3.0f   %s", reach, rate >= reach * 1e6 ? "yes" : "NO");
	printf("\n");
}
