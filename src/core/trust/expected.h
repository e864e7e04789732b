/* Expected counts: what an event should count in a test, known by inspection of the program or from instrumentation. */
#ifndef CORE_TRUST_EXPECTED_H
#define CORE_TRUST_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>

struct trust_runs;

struct trust_expected_count {
	char *machine, *event, *test; /* machine "": all; test "": all */
	double *value;                /* n values: one, or one for each instrumented run */
	size_t n, cap;
	/* additional count if each repetition of a string instruction counts; NAN: unknown */
	double rep;
	bool used;
};

struct trust_expected {
	struct trust_expected_count *item;
	size_t n, cap;
};

void trust_expected_free(struct trust_expected *);
/* Adds a value; further values for the same machine, event and test are further runs. */
struct trust_expected_count *trust_expected_add(
	struct trust_expected *, const char *machine, const char *event, const char *test, double value);
/* Sets the expectation of each group. An entry for the group's machine is preferred to one for all machines. An event
 * is found by its name, or by its class (trust_event_class()). Adds notes on entries and tests that have no
 * counterpart. */
void trust_expected_apply(struct trust_expected *, struct trust_runs *);

#endif
