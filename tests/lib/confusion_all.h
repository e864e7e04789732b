/* As tests/lib/confusion.h, but any items of a machine file are hidden, whether a probe was made for them or not, or a
 * change that no item can express. What counts is that calibration gives nothing to a wrong item, and keeps silent
 * about nothing. */
#ifndef TESTS_LIB_CONFUSION_ALL_H
#define TESTS_LIB_CONFUSION_ALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

enum confusion_outcome {
	CONFUSION_RIGHT,      /* each hidden item that shows is named, and nothing else */
	CONFUSION_TIE,        /* the same, but a tie holds the right one of some */
	CONFUSION_ALIKE,      /* no item can express what was hidden; what is named agrees in all probes and programs */
	CONFUSION_REMAINS,    /* a probe still differs, which is said; an item that is wrong is in doubt by one */
	CONFUSION_NOT_PROBED, /* nothing is named, and the item is listed as one on which no probe depends */
	CONFUSION_DOUBTED,    /* another item is named, programs still differ, and that it may be wrong is said */
	CONFUSION_REFUSED,    /* another item is named, and programs refuse the fit */
	CONFUSION_WRONG,      /* another item is named, or an item is passed over in silence */
	N_CONFUSION_OUTCOMES
};
const char *confusion_outcome_name(enum confusion_outcome);

/* Draws a core from the seed, hides so many items in it (0: a change that no item can express), calibrates by all
 * probes, and judges. *what: what was hidden, and what was named. False: the case could not be made; *what says why. */
bool confusion_judge(uint64_t seed, size_t hidden, enum confusion_outcome *, struct str *what);

#endif
