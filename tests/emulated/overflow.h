/* Overflows of an event of the programs of known.S, as hecate determinism --overflow measures them. */
#ifndef EMULATED_OVERFLOW_H
#define EMULATED_OVERFLOW_H

#include <stdint.h>

#include "collect/overflow.h"

/* The program, under an event, as a subject of collect/overflow.h. NULL, and a failed check, if it cannot be had. The
 * caller frees. */
struct overflow_bed;
struct overflow_bed *overflow_bed_new(const char *program, const char *event);
void overflow_bed_free(struct overflow_bed *);
struct overflow_subject overflow_bed_subject(struct overflow_bed *);

/* Measures the skid with a period and prints it as a comment. False, and a failed check, if that fails. */
bool overflow_bed_measure(struct overflow_bed *, uint64_t period, struct overflow_skid *);

#endif
