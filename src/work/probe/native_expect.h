/* What is known about cores, in files models/expect/NAME.expect, one for each kind of core.
 *
 *     expect zen4 "AMD Zen 4" {
 *         cpu vendor "AuthenticAMD" family 25 model 16 .. 31, 96 .. 175;
 *         rob 320 "where the number comes from";
 *         doubtful fp_registers 150 .. 160 "…";
 *     }
 *
 * docs/native-probes.md has the format. */
#ifndef WORK_PROBE_NATIVE_EXPECT_H
#define WORK_PROBE_NATIVE_EXPECT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diags;
struct err;
struct probe_answer;

#define EXPECT_FOLDERS "expect:models/expect"
#define EXPECT_ENDING ".expect"

/* What a probe should find. */
struct expected {
	const char *probe, *source;
	double low, high; /* range of the answer; equal if it is a single number */
	bool doubtful;    /* sources disagree, or only few have measured the number */
};

struct expect_models {
	int first, last;
};

/* What a file says about one kind of core. It owns all that it points to. Free it with expectation_free(). */
struct expectation {
	struct arena *arena;
	const char *name, *text;
	const char *vendor;
	int family;
	struct expect_models *models; /* n_models */
	size_t n_models, cap_models;
	struct expected *item;        /* n */
	size_t n, cap;
};

/* Parses a file. Takes `name` (for messages) and `text` over. NULL after diagnostics. */
struct expectation *expectation_parse(char *name, char *text, size_t n, struct diags *);
void expectation_free(struct expectation *);
bool expectation_fits(const struct expectation *, const char *vendor, int family, int model);

/* Loads the installed file for the processor of this machine. NULL: there is none, and *e says how to write one, or the
 * diagnostics have errors. */
struct expectation *expectation_here(struct diags *, struct err *e);

/* Returns what it says about a probe; NULL: nothing, or `x` is NULL. */
const struct expected *expectation_of(const struct expectation *x, const char *probe);

#define EXPECT_NEAR 0.03 /* largest difference at which a value agrees, as a share of the expected value */

/* True if an answer agrees: its interval reaches the expected range, or its value is within EXPECT_NEAR. */
bool expected_agrees(const struct expected *, const struct probe_answer *);

#endif
