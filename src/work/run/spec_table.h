/* The observations of a profile: rows of several counters runs in one table, and the sum of each sample's rows. */
#ifndef WORK_RUN_SPEC_TABLE_H
#define WORK_RUN_SPEC_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct counters_run;
struct obs;
struct obs_table;
struct spec_table;

/* One counters run, which is open. */
struct spec_table_part {
	struct counters_run *live; /* outlives the table */
	bool machine;              /* counts the machine; false: a program */
	bool delayed;              /* its program does not start with the profile */
	bool samples;              /* its rows come one by one; false: its only row is its totals */
};

struct spec_table_how {
	const char *name, *source; /* name and source of the observation of all programs together; copied */
	bool whole;                /* that observation exists; the machine then has none of its own */
	bool common;               /* all rows of one sample have one time */
	bool folds;                /* as in struct counters_run_options */
};

struct spec_table *spec_table_new(const struct spec_table_how *, const struct spec_table_part *, size_t n);
void spec_table_free(struct spec_table *);

/* Adds new rows of a part, unless all rows of a sample have one time: spec_table_flush() adds those. */
void spec_table_take(struct spec_table *, size_t part);
/* A sample is complete, `seconds` after the start: adds its row of all programs together. */
void spec_table_flush(struct spec_table *, double seconds);

const struct obs_table *spec_table_obs(const struct spec_table *);
bool spec_table_has_whole(const struct spec_table *); /* one observation is of all programs together */
const struct obs *spec_table_whole(const struct spec_table *); /* NULL: there is none, or it has no row yet */

#endif
