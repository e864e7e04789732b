/* Runs programs on a machine before calibration, with calibrated parameters, with calibrated features too, and on the
 * truth (figure 9 of "Benchmarking for Single Feature Attribution with Microarchitecture Cliffs"). Also finds what a
 * feature gains on each (section 5.2). */
#ifndef WORK_CALIBRATE_STAGED_H
#define WORK_CALIBRATE_STAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct calibration;
struct candidate;
struct err;
struct patience;

enum stage { STAGE_BEFORE, STAGE_PARAMETERS, STAGE_FEATURES, STAGE_TRUTH, N_STAGES };
/* "before", "parameters", "features", "truth". */
const char *stage_name(enum stage);

/* Cycles per instruction. */
struct staged_time {
	double cpi;
	double front_end;   /* part of `cpi` that goes away when branches are foreseen and code always hits */
	double without;     /* CPI without the feature whose gain is asked for */
};

struct staged_row {
	const char *name;
	struct staged_time time[N_STAGES];
	bool known; /* all stages have run */
};

struct staged;
/* `quick`: only CPI is measured, and STAGE_PARAMETERS is left out. */
struct staged *staged_new(bool quick);
bool staged_is_quick(const struct staged *);
void staged_free(struct staged *);
/* Add the programs of a text with {…}, or those of a suite. Return false and set *e if one is unknown. */
bool staged_add(struct staged *, const char *text, struct err *e);
bool staged_add_suite(struct staged *, const char *name, struct err *e);

/* Runs `uops` µops of each program on all stages. `truth`: "sim:…". `gain`: a feature or an item of a machine file, or
 * NULL. False and *e: a machine or program cannot run. If stopped, returns true, and the remaining rows are not
 * known. */
bool staged_run(struct staged *, const struct calibration *, const char *truth, const char *gain, uint64_t uops,
	const struct patience *, struct err *e);

/* The same for a quick comparison, against a truth that is there already. */
bool staged_run_against(
	struct staged *, const struct calibration *, const struct candidate *truth, uint64_t uops, struct err *);

size_t staged_count(const struct staged *);
const struct staged_row *staged_row(const struct staged *, size_t i);
/* Errors of a stage against the truth. CPI: relative; front end: difference ÷ the CPI of the truth; gain:
 * difference. */
double staged_cpi_error(const struct staged_row *, enum stage);
double staged_front_end_error(const struct staged_row *, enum stage);
/* Mean of the errors of CPI without their signs, over all programs that ran; NaN: none did. */
double staged_mean_error(const struct staged *, enum stage);
/* True if programs have larger errors after than before, so that the fit is right only for the probes. */
bool staged_got_worse(const struct staged *);
/* The program whose CPI is farthest from the truth after; NULL: all are the same, as on equal machines. */
const struct staged_row *staged_worst(const struct staged *);
/* CPI without the feature ÷ CPI with it − 1. */
double staged_gain(const struct staged_row *, enum stage);

#endif
