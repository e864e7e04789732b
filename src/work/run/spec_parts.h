/* The counters of a profile. This module decides which counters each program and the machine get, and drives a counters
 * run for each of them. */
#ifndef WORK_RUN_SPEC_PARTS_H
#define WORK_RUN_SPEC_PARTS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct profile_spec;
struct programs;
struct source_keep;
struct spec_clock;
struct spec_parts;
struct spec_run_options;
struct spec_run_state;
struct spec_table;
struct str;

#define SPEC_PARTS_MACHINE ((size_t)-1) /* instead of a program's number */

/* Opens all of them, on programs that are held. The options, the programs and what is kept outlive them. NULL and *e:
 * a counter cannot be opened, or there is nothing to count. */
struct spec_parts *spec_parts_open(
	const struct spec_run_options *, struct programs *, struct source_keep *, struct err *e);
void spec_parts_free(struct spec_parts *);

/* Starts the counters of a program or of the machine. */
bool spec_parts_begin(struct spec_parts *, size_t program, struct err *e);

/* Takes what has come, and the rows of a sample that ends now. If the end of a part cannot be read, the others go on,
 * and an empty *trouble gets the reason. */
void spec_parts_poll(struct spec_parts *, struct err *trouble);
void spec_parts_sample(struct spec_parts *, struct err *trouble);
void spec_parts_end(struct spec_parts *, struct err *trouble); /* the programs have ended: takes the last rows */

struct spec_table *spec_parts_table(const struct spec_parts *); /* to be flushed by the caller after each sample */
void spec_parts_explain(const struct spec_parts *, struct str *out); /* lines */

/* The clock of a profile: when the next sample is due, which depends on what the last ones cost in processor time and
 * memory. */

/* Starts now. `apart`: only the time between enter and leave, and what spec_clock_took() adds, is a cost of sampling;
 * otherwise all that this process takes is. The specification outlives it. */
struct spec_clock *spec_clock_new(const struct profile_spec *, bool apart);
void spec_clock_free(struct spec_clock *);

double spec_clock_seconds(const struct spec_clock *);  /* since the start */
double spec_clock_patience(const struct spec_clock *); /* seconds until the next sample, below 0 when it is late */
void spec_clock_enter(struct spec_clock *);
void spec_clock_leave(struct spec_clock *);
void spec_clock_took(struct spec_clock *, double seconds);

/* A sample is complete, which began `seconds` after the start: sets when the next one is due. Call it between enter and
 * leave. */
void spec_clock_sampled(struct spec_clock *, double seconds);
/* The profile has ended `seconds` after the start. Call it between enter and leave. */
void spec_clock_end(struct spec_clock *, double seconds);

/* Returns times, samples, cost and limits; the other fields are 0. */
struct spec_run_state spec_clock_state(const struct spec_clock *);

#endif
