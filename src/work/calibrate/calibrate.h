/* Calibration: finds the items and features of a simulated machine that make its probes answer as the truth does.
 *
 * Each knob whose probe differs is turned, by itself, to the value that its probe asks for, and all probes are
 * compared again. The one that puts most of them right, and none wrong, is at fault: a probe that another feature
 * limits is right as soon as that one is. This is repeated until nothing differs, or nothing gets better; then each
 * turn that turned out needless is taken back.
 *
 * Method: sections 3 and 5.1 of "Benchmarking for Single Feature Attribution with Microarchitecture Cliffs"; what
 * differs is found by simulation instead of by reading code. */
#ifndef WORK_CALIBRATE_CALIBRATE_H
#define WORK_CALIBRATE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/probe/probe.h"
#include "work/calibrate/answers.h"
#include "work/calibrate/knob.h"

struct calibration_fault;
struct candidate;
struct knob;
struct probe_list;
struct search;

/* What probes cannot see on the machine that fits: items that no probe depends on. Used by calibrate.c alone; struct
 * calibration holds the result. */

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

/* Faults that may not be what they seem: knobs that explain as much in their place, with the probe that tells both
 * apart, and probes that depend on the knob and still differ. And probes that contradict each other. Used by
 * calibrate.c alone; struct calibration holds the result. */

/* Another knob that explains what a fault explains. */
struct calibration_tie {
	const struct knob *knob;
	char *after;                       /* for people */
	const struct probe *probe;         /* an installed one that answers otherwise with it; NULL: none does */
	struct probe_answer fault, tie;    /* what it answers with the fault's knob turned, and with this one */
};

/* Finds the ties of each fault and probes of the list that tell them apart, and what puts a fault in doubt. */
void ties_find(struct search *, const struct probe_list *installed);
/* Finds probes that remain because others agree: what makes the one agree makes the other one differ. */
void contradictions_find(struct search *);
void ties_free(struct calibration_fault *);

/* What one probe says. */
struct calibration_row {
	bool compared;              /* both machines have an answer */
	struct probe_answer truth, before, after;
	bool differs, remains;      /* before, and after */
	const struct knob *asks;    /* of one that remains: the knob that would make it agree; NULL: none would */
	char *asked;                /* the value at which it would, for people */
	size_t against;             /* the probe that would differ then */
};

/* A knob that is at fault. */
struct calibration_fault {
	const struct knob *knob;
	double value;               /* that it was turned to */
	char *before, *after;       /* for people: "128", "off" */
	bool *explains;             /* for each probe: it differed, and does so no more by this */
	struct calibration_tie *tie; /* n_ties: knobs that explain as much in its place */
	size_t n_ties;
	size_t doubt;               /* a probe that depends on the knob and still differs; list->n: none does */
};

struct calibration {
	const struct probe_list *list;
	struct calibration_row *row;     /* list->n */
	struct calibration_fault *fault; /* n_faults, parameters first */
	size_t n_faults;
	struct candidate *before, *after;
	double error_before, error_after; /* mean of |relative error| over what is compared; 0 if nothing is */
	size_t compared, differing, remaining;
	size_t tried;                    /* machines that were tried */
	struct coverage coverage;        /* of the machine after */
	bool cut;                        /* it was stopped: what is not known is not compared */
};

/* Calibrates the machine `on` with `changes` (candidate_new()). `truth`: an answer for each probe of the list. NULL and
 * *e: the machine cannot be used. One that was stopped has what was done so far. Free it with calibrate_free(). */
struct calibration *calibrate(const char *on, const char *changes, const struct probe_list *,
	const struct known_answer *truth, const struct patience *, struct err *e);
void calibrate_free(struct calibration *);

/* Fills in what the probes that ran cannot see on the machine after, and ties and doubts of faults. `installed`: probes
 * that may tell ties apart; they must outlive it. `only`: the items that are looked for by all probes, others by those
 * of faults alone; NULL: each is. Stopped: coverage.cut. False and *e. */
bool calibrate_cover(struct calibration *, const struct known_answer *truth, const struct probe_list *installed,
	const struct knob *const *only, size_t n_only, const struct patience *, struct err *e);

/* Returns the machine before, with only those faults put right that are of a kind: the stage between. NULL and *e. */
struct candidate *calibrate_stage(const struct calibration *, enum knob_kind, struct err *e);

/* Returns the machine after, with one fault (its index) as it was before. NULL and *e. */
struct candidate *calibrate_without(const struct calibration *, size_t fault, struct err *e);

/* Fills in what probes answer on a machine. False and *e: it cannot run them. Stopped: the rest is unknown. */
bool calibrate_truth(struct probe_machine *, const struct probe_list *, const struct patience *, struct known_answer *,
	struct err *e);

#endif
