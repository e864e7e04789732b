/* Every reader of foreign text or bytes as a function of bytes, for libFuzzer (tools/fuzz) and for the replay of what
 * it found (tests/unit/fuzz_found.c). */
#ifndef TESTS_FUZZ_TARGETS_H
#define TESTS_FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

struct diags;
struct err;

typedef void fuzz_run(const char *text, size_t n);
typedef char *fuzz_seed(size_t i, size_t *n);

struct fuzz_target {
	const char *name;
	/* Reads a text, which a NUL follows, uses what was read, and frees everything. Ends the program by
	 * fuzz_must() if something does not hold. */
	fuzz_run *run;
	const char *seeds; /* patterns of files below the top folder, joined by blanks; "": only made ones */
	/* Makes inputs that no file holds: number `i` from 0 on, which the caller frees; NULL: no more. NULL: none */
	fuzz_seed *seed;
	size_t longest; /* bytes of an input */
};

extern const struct fuzz_target fuzz_targets[];
extern const size_t n_fuzz_targets;

/* Prints the rule and ends the program when it is broken. */
void fuzz_must(bool held, const char *rule);
/* A parser gave something if and only if it added no error; messages are bounded and can be printed. Frees them. */
void fuzz_must_explain(bool parsed, struct diags *);
/* A reader gave something, or said why not, with what to do. */
void fuzz_must_say(bool read, const struct err *);
/* Returns a copy of the i-th of texts that end with NULL; NULL: there are fewer. */
char *fuzz_seed_of(const char *const *text, size_t i, size_t *n);

/* text_targets.c: languages */
fuzz_run fuzz_udd, fuzz_cone, fuzz_fdl, fuzz_m4, fuzz_sidecar, fuzz_net, fuzz_stack, fuzz_spec, fuzz_lesson, fuzz_laws,
	fuzz_probe, fuzz_expect, fuzz_machine, fuzz_suite, fuzz_trust, fuzz_theme, fuzz_metric;
fuzz_seed fuzz_seed_spec, fuzz_seed_lesson, fuzz_seed_metric;

/* data_targets.c: recorded data, session files, traces */
fuzz_run fuzz_csv, fuzz_perf, fuzz_simulators, fuzz_sniper_db, fuzz_tools, fuzz_runs, fuzz_curve, fuzz_events,
	fuzz_json, fuzz_settings, fuzz_session, fuzz_trace;
fuzz_seed fuzz_seed_sniper_db, fuzz_seed_curve, fuzz_seed_events, fuzz_seed_settings, fuzz_seed_trace;

/* run_targets.c: what hecate diff compares, the kernel's records */
fuzz_run fuzz_diff, fuzz_ring;
fuzz_seed fuzz_seed_diff, fuzz_seed_ring;

/* line_targets.c: command lines, words, keys, messages */
fuzz_run fuzz_options, fuzz_simulation, fuzz_words, fuzz_terminal, fuzz_requests, fuzz_replies;
fuzz_seed fuzz_seed_options, fuzz_seed_simulation, fuzz_seed_words, fuzz_seed_terminal, fuzz_seed_requests,
	fuzz_seed_replies;

#endif
