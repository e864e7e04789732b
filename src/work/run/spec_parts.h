/* The counters of a profile: decides which program has which of them and what is counted of the machine, and drives a
 * counters run for each. */
#ifndef WORK_RUN_SPEC_PARTS_H
#define WORK_RUN_SPEC_PARTS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct programs;
struct source_keep;
struct spec_parts;
struct spec_run_options;
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

#endif
