/* What probes cannot see on the machine that fits: items that no probe depends on. Used by calibrate.c alone; struct
 * calibration holds the result. */
#ifndef WORK_CALIBRATE_COVERAGE_H
#define WORK_CALIBRATE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

struct knob;
struct search;

/* An item for which some other value changes the answer of no probe that ran. */
struct coverage_item {
	const struct knob *knob;
	char *now;     /* its value on the machine that fits, for people */
	char **unseen; /* n: other values that no probe shows, for people */
	size_t n;
	bool partly;   /* probes show other values than these */
};

struct coverage {
	size_t items, probed;       /* of the machine; those for which all values that were tried show */
	struct coverage_item *item; /* n */
	size_t n;
	bool cut;                   /* it was stopped: `items` is what was looked at */
};

/* What a machine file can say that no knob turns, for people; NULL at the end. */
extern const char *const coverage_never_turned[];

/* Turns each item of the machine that fits to other values. */
void coverage_find(struct search *, struct coverage *);
void coverage_free(struct coverage *);

#endif
