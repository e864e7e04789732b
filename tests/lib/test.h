/* The vocabulary of test programs: named cases, checks that print what they compared, TAP on standard output. */
#ifndef TESTS_LIB_TEST_H
#define TESTS_LIB_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct test_case {
	const char *name;
	void (*run)(void);
};

/* Runs every case, or those whose names contain argv[1], and prints TAP. Use it as main's return value. */
int test_main(int argc, char **argv, const struct test_case *cases, unsigned n);

/* The cases of one test file, under its name. The test files of a folder form one program, whose main is in
 * test_files.c: `unit/all cone` runs the cases of cone.c, `unit/all cone facets` those whose names contain "facets". A
 * program with a single test file needs no file name. */
struct test_file {
	const char *path;
	const struct test_case *cases;
	unsigned n;
	struct test_file *next;
};

/* Adds a test file to those that main knows. It must live as long as the program. */
void test_register(struct test_file *);
#define TEST_MAIN(...) \
	static const struct test_case test_cases[] = {__VA_ARGS__}; \
	static struct test_file test_file = {__FILE__, test_cases, sizeof test_cases / sizeof *test_cases, NULL}; \
	__attribute__((constructor)) static void register_file(void) \
	{ \
		test_register(&test_file); \
	}
#define CASE(f) {#f, f}

/* A failed check prints file and line, and the case goes on. Each function returns whether the check held. */
bool test_check(bool held, const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
bool test_int(int64_t got, int64_t want, const char *file, int line, const char *what);
bool test_str(const char *got, const char *want, const char *file, int line, const char *what);
bool test_near(double got, double want, double tolerance, const char *file, int line, const char *what);
/* Marks the case as skipped. The case should return after the call. */
void test_skip(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Names the row of data that the next checks are about. */
void test_label(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#define CHECK(cond) test_check((cond), __FILE__, __LINE__, "%s", #cond)
#define CHECK_INT(got, want) test_int((int64_t)(got), (int64_t)(want), __FILE__, __LINE__, #got)
#define CHECK_STR(got, want) test_str((got), (want), __FILE__, __LINE__, #got)
#define CHECK_NEAR(got, want, tolerance) test_near((got), (want), (tolerance), __FILE__, __LINE__, #got)

/* Sends a signal to one process; without one (-1) a check fails, where kill(2) would reach every process. */
void test_kill(int pid, int sig);

/* The number of rounds: `fast` in the ordinary suite, `slow` with HECATE_SLOW=1 (./check --slow), the share of the way
 * from one to the other that HECATE_SLOW says (.ci/run). */
unsigned test_rounds(unsigned fast, unsigned slow);
/* The same for bounds that hold for these two numbers alone: `fast` if only a share is asked for. */
unsigned test_either_rounds(unsigned fast, unsigned slow);

/* The whole content of a file below $HECATE_TESTS, NUL-terminated, and its size in *n (n may be NULL). The caller
 * frees it. Returns NULL, and a check fails, if the file cannot be read. */
char *test_read(const char *path, unsigned long *n);
/* The path of a program of tests/programs in the build folder, next to $HECATE. The caller frees. */
char *test_program(const char *name);

/* A small deterministic generator (splitmix64): the same seed gives the same numbers on every machine. */
uint64_t test_random(uint64_t *state);
double test_uniform(uint64_t *state); /* [0, 1) */
double test_normal(uint64_t *state);

#endif
