/* Another reason why a constraint is broken: not the model is wrong, but a counter. Which counters of the constraint
 * would each explain it alone, by how much they would have to be off, and whether that goes along with something that
 * is known to leak into counters: page faults, interrupts, switches, or time (a timer's interrupts).
 *
 * Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware performance counter implementations",
 * ISPASS 2013, sections III and IV. */
#ifndef APP_ANALYSIS_MISCOUNT_H
#define APP_ANALYSIS_MISCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis;
struct fset;
struct str;
struct udd_model;
struct wire;

struct miscount {
	size_t counter;
	bool high;         /* it counts too much; false: too little */
	size_t enough;     /* observations that break the constraint and that nothing refutes without this counter */
	/* It counts too little, and reads 0 throughout the files of these (zeros.h): perhaps nobody counted. */
	bool zero;
	double share[2];   /* least and most of these: what it is off by, of its own count; INFINITY where that is 0 */
	/* what that goes along with: an event that is in the data and not in the model, or "s", a second; "": nothing,
	 * or too few observations tell */
	char *leak;
	double rate[2];    /* least and most: for each one of it */
};

/* `coef` over the model's counters; `breaking`: of all observations, those that break it, by so much that it is kept
 * exactly at their means without the miscount. Of an inequality a counter may be off by more. Those that explain most
 * come first; the caller frees with miscounts_free(). */
struct miscount *miscounts_find(
	struct analysis *, const struct fset *, const int64_t *coef, const bool *breaking, size_t *n);
void miscounts_wire(struct wire *, struct miscount **, size_t *n);
void miscounts_free(struct miscount *, size_t n);

/* Worth telling people: it would not have to be off by more than all that it counts, or something leaks into it. */
bool miscount_is_likely(const struct miscount *);
/* "load.walk_done too high by 1 per page-faults (0.84 to 1.1 %)". Of an inequality these are the least. */
void miscount_words(const struct udd_model *, const struct miscount *, bool equality, struct str *out);

#endif
