/* What is known of cores: files models/expect/NAME.expect, one for each kind of core.
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
	double low, high; /* equal where it is one number */
	bool doubtful;    /* sources disagree, or the number is a measurement of few */
};

struct expect_models {
	int first, last;
};

/* Owns all that it points to. Free it with expectation_free(). */
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

/* The installed file for the processor of this machine. NULL: none, and *e says so and how to write one; or the
 * diagnostics have errors. */
struct expectation *expectation_here(struct diags *, struct err *e);

/* What it says of a probe; NULL: nothing, or `x` is NULL. */
const struct expected *expectation_of(const struct expectation *x, const char *probe);

#define EXPECT_NEAR 0.03 /* of an expected value: a value that is not farther agrees */

/* Whether an answer agrees: its interval reaches what is expected, or its value is near. */
bool expected_agrees(const struct expected *, const struct probe_answer *);

#endif
