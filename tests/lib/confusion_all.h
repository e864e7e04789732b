/* As tests/lib/confusion.h, but any items of a machine file are hidden, whether a probe was made for them or not, or a
 * change that no item can express. Calibration must blame no wrong item, and must not pass over any item in silence. */
#ifndef TESTS_LIB_CONFUSION_ALL_H
#define TESTS_LIB_CONFUSION_ALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

enum confusion_outcome {
	CONFUSION_RIGHT,      /* each hidden item that shows is named, and nothing else */
	CONFUSION_TIE,        /* the same, but some hidden item is named only as a tie */
	CONFUSION_ALIKE,      /* no item can express the hidden change; the fit agrees in all probes and programs */
	CONFUSION_REMAINS,    /* a probe is reported to differ still, and puts any item that is wrong in doubt */
	CONFUSION_NOT_PROBED, /* nothing is named, and the item is listed as one on which no probe depends */
	CONFUSION_DOUBTED,    /* another item is named, programs still differ, and a message says it may be wrong */
	CONFUSION_REFUSED,    /* another item is named, and programs refuse the fit */
	CONFUSION_WRONG,      /* another item is named, or an item is passed over in silence */
	N_CONFUSION_OUTCOMES
};
const char *confusion_outcome_name(enum confusion_outcome);

/* Draws a core from the seed, hides `hidden` items in it (0: a change that no item can express), calibrates by all
 * probes, and judges. *what: what was hidden, and what was named. False: the case could not be made; *what says why. */
bool confusion_judge(uint64_t seed, size_t hidden, enum confusion_outcome *, struct str *what);

#endif
