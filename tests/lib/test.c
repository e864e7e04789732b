#include "test.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/str.h"

static struct {
	unsigned failed;
	bool skipped;
	char reason[256], label[256];
} now;

void
test_kill(int pid, int sig)
{
	if (CHECK(pid > 1))
		kill(pid, sig);
}

bool
test_check(bool held, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	if (held)
		return true;
	if (now.failed++ < 20) {
		printf("# %s:%d: ", file, line);
		if (*now.label)
			printf("[%s] ", now.label);
		va_start(ap, fmt);
		vprintf(fmt, ap);
		va_end(ap);
		putchar('\n');
	}
	return false;
}

bool
test_int(int64_t got, int64_t want, const char *file, int line, const char *what)
{
	return test_check(got == want, file, line, "%s is %lld, expected %lld", what, (long long)got, (long long)want);
}

bool
test_str(const char *got, const char *want, const char *file, int line, const char *what)
{
	bool same = got && want ? strcmp(got, want) == 0 : got == want;

	return test_check(
		same, file, line, "%s is \"%s\", expected \"%s\"", what, got ? got : "(null)", want ? want : "(null)");
}

bool
test_near(double got, double want, double tolerance, const char *file, int line, const char *what)
{
	return test_check(fabs(got - want) <= tolerance, file, line, "%s is %.17g, expected %.17g within %g", what, got,
		want, tolerance);
}

void
test_skip(const char *fmt, ...)
{
	va_list ap;

	now.skipped = true;
	va_start(ap, fmt);
	vsnprintf(now.reason, sizeof now.reason, fmt, ap);
	va_end(ap);
}

void
test_label(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(now.label, sizeof now.label, fmt, ap);
	va_end(ap);
}

int
test_main(int argc, char **argv, const struct test_case *cases, unsigned n)
{

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", n);
	for (unsigned i = 0; i < n; i++) {
		if (argc > 1 && !strstr(cases[i].name, argv[1])) {
			printf("ok %u - %s # SKIP not asked for\n", i + 1, cases[i].name);
			continue;
		}
		memset(&now, 0, sizeof now);
		cases[i].run();
		if (now.failed)
			printf("not ok %u - %s\n", i + 1, cases[i].name);
		else if (now.skipped)
			printf("ok %u - %s # SKIP %s\n", i + 1, cases[i].name, now.reason);
		else
			printf("ok %u - %s\n", i + 1, cases[i].name);
	}
	return 0; /* the lines report failures; an exit status would count them twice */
}

unsigned
test_rounds(unsigned fast, unsigned slow)
{
	const char *asked = getenv("HECATE_SLOW");
	double share = asked ? atof(asked) : 0;

	return (unsigned)ceil(fast + ((double)slow - fast) * (share < 1 ? share : 1));
}

unsigned
test_either_rounds(unsigned fast, unsigned slow)
{
	return test_rounds(fast, slow) == slow ? slow : fast;
}

char *
test_read(const char *path, unsigned long *n)
{
	const char *dir = getenv("HECATE_TESTS");
	char full[4096];
	FILE *f;
	char *text;
	long size;

	snprintf(full, sizeof full, "%s/%s", dir ? dir : "tests", path);
	f = fopen(full, "rb");
	if (!f) {
		test_check(false, path, 0, "cannot be read");
		return NULL;
	}
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	text = calloc(1, (size_t)size + 1);
	if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
		abort();
	fclose(f);
	if (n)
		*n = (unsigned long)size;
	return text;
}

char *
test_program(const char *name)
{
	const char *hecate = getenv("HECATE"), *slash = hecate ? strrchr(hecate, '/') : NULL;

	return str_format("%.*stests/programs/%s", slash ? (int)(slash - hecate) + 1 : 0, slash ? hecate : "", name);
}

uint64_t
test_random(uint64_t *state)
{
	return random_next(state);
}

double
test_uniform(uint64_t *state)
{
	return (double)(test_random(state) >> 11) * 0x1p-53;
}

double
test_normal(uint64_t *state)
{
	double u = 1.0 - test_uniform(state), v = test_uniform(state);

	return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}
