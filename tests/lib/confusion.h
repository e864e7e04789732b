/* Pairs of simulated cores that differ in one hidden item or feature, drawn at random: does calibration name it, and
 * nothing else? */
#ifndef TESTS_LIB_CONFUSION_H
#define TESTS_LIB_CONFUSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

#define CONFUSION_NAMES 64

/* Rows: what was hidden. Columns: what was named; one more for "nothing". */
struct confusion {
	const char *hidden[CONFUSION_NAMES];
	size_t n_hidden;
	const char *named[CONFUSION_NAMES];
	size_t n_named;
	unsigned count[CONFUSION_NAMES][CONFUSION_NAMES + 1];
	unsigned cases, right, alone; /* right: the hidden item was named; alone: nothing else was named, too */
	unsigned closed;              /* cases in which no probe differs any more */
	double before, after;         /* sums of the mean errors */
};

/* The number of things that can be hidden. */
size_t confusion_kinds(void);
/* The number of the thing that calibration would give this name; confusion_kinds(): there is none. */
size_t confusion_kind(const char *name);
/* Draws a core from the seed, hides difference `kind` in it, calibrates, and adds the result. Probes: names, or NULL
 * for all. False: the case could not be made; then *why says why. */
bool confusion_add(
	struct confusion *, size_t kind, uint64_t seed, char *const *probes, size_t n_probes, struct str *why);
/* Draws a core: its text "sim:core:…", and its changes. */
void confusion_draw(uint64_t *seed, struct str *on, struct str *changes);
void confusion_print(const struct confusion *, struct str *out);

#endif
