/* The clock of a profile: when the next sample is due, which depends on what the last ones cost in processor time and
 * memory. */
#ifndef WORK_RUN_SPEC_CLOCK_H
#define WORK_RUN_SPEC_CLOCK_H

#include <stdbool.h>

struct profile_spec;
struct spec_clock;
struct spec_run_state;

/* Starts now. `apart`: only the time between enter and leave, and what spec_clock_took() adds, is a cost of sampling;
 * otherwise all that this process takes is. The specification outlives it. */
struct spec_clock *spec_clock_new(const struct profile_spec *, bool apart);
void spec_clock_free(struct spec_clock *);

double spec_clock_seconds(const struct spec_clock *);  /* since the start */
double spec_clock_patience(const struct spec_clock *); /* seconds until the next sample, below 0 when it is late */
void spec_clock_enter(struct spec_clock *);
void spec_clock_leave(struct spec_clock *);
void spec_clock_took(struct spec_clock *, double seconds);

/* A sample is complete that began so many seconds after the start, between enter and leave: sets when the next one is
 * due. */
void spec_clock_sampled(struct spec_clock *, double seconds);
/* The profile has ended so many seconds after the start, between enter and leave. */
void spec_clock_end(struct spec_clock *, double seconds);

/* Times, samples, cost and limits; the other fields are 0. */
struct spec_run_state spec_clock_state(const struct spec_clock *);

#endif
