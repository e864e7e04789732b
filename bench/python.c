/* CounterPoint's own method, in Python, on the same observations in the same run: baseline.py gets them in a file. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/verdict/verdict.h"
#include "mixed.h"

#define OBSERVATIONS 48 /* six of each share */

/* A line of sizes, the signatures, then for each observation our verdict by the box, its share, and its samples. */
static void
write_problem(FILE *f, const struct mixed *x, double threshold2)
{
	const struct cone *c = x->m0;
	struct verdict_options o = {.confidence = 0.99, .threshold2 = threshold2};

	fprintf(f, "%zu %zu %d %d %.17g\n", c->n_counters, c->n_signatures, OBSERVATIONS, MIXED_ROWS, threshold2);
	for (size_t i = 0; i < c->n_signatures * c->n_counters; i++)
		fprintf(f, "%lld%c", (long long)c->signature[i], (i + 1) % c->n_counters ? ' ' : '\n');
	for (size_t k = 0; k < OBSERVATIONS; k++) {
		struct samples s = {.n_counters = x->n, .n_rows = MIXED_ROWS, .count = x->count[k]};
		struct region *r = region_new(&s, false);
		struct verdict *v = verdict_new(c, r, &o);

		fprintf(f, "%d %g\n", v->region[REGION_BOX] == VERDICT_INFEASIBLE, x->share[k]);
		for (size_t i = 0; i < MIXED_ROWS * x->n; i++)
			fprintf(f, "%lld%c", (long long)x->count[k][i], (i + 1) % x->n ? ' ' : '\n');
		verdict_free(v);
		region_free(r);
	}
}

void
mixed_baseline(const struct mixed *x, double seconds, double threshold2)
{
	const char *python = getenv("PYTHON"), *dir = getenv("HECATE_BENCH"), *tmp = getenv("TMPDIR");
	char *path = str_format("%s/hecate-bench-XXXXXX", tmp ? tmp : "/tmp"), *command, line[256];
	int fd = mkstemp(path);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL, *p;
	double median;
	bool spoke = false;

	if (!f || !dir) {
		printf("Python: skipped, %s\n",
			dir ? "no temporary file could be made" : "HECATE_BENCH is not set; run make bench-core");
		free(path);
		return;
	}
	write_problem(f, x, threshold2);
	fclose(f);
	command = str_format("%s '%s/baseline.py' '%s'", python && *python ? python : "/usr/bin/python3", dir, path);
	fflush(stdout);
	p = popen(command, "r");
	while (p && fgets(line, sizeof line, p)) {
		fputs(line, stdout);
		spoke = true;
		if (sscanf(line, "Python: samples to the box's verdict, median %lf ms", &median) == 1)
			printf("Python: %.0f times our samples to both verdicts (reach: 1000)\n",
				median * 1e-3 / seconds);
	}
	if (p)
		pclose(p);
	if (!spoke)
		printf("Python: skipped, there is no %s\n", python && *python ? python : "/usr/bin/python3");
	unlink(path);
	free(command);
	free(path);
}
