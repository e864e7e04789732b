/* The half of a comparison that counts the command's events. */
#ifndef WORK_TRUST_INSTRUMENTED_COUNT_H
#define WORK_TRUST_INSTRUMENTED_COUNT_H

#include "work/trust/instrumented.h"

/* Fills the counters. False and *e: the command cannot be run. */
bool instrumented_count(struct instrumented *, const struct instrumented_options *, struct err *e);

#endif
