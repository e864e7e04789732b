/* Calibration: finds the items and features of a simulated machine that make its probes answer as the truth does.
 *
 * Each knob whose probe differs is turned, by itself, to the value that its probe asks for, and all probes are
 * compared again. The knob that puts most probes right, and none wrong, is at fault: a probe that another feature
 * limits is right as soon as that feature is. This is repeated until nothing differs, or nothing gets better. Then
 * each turn that turned out to be needless is taken back.
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
	char **unseen; /* n other values that no probe shows, for people */
	size_t n;
	bool partly;   /* probes show some other values */
};

struct coverage {
	size_t items, probed;       /* items of the machine; items of which probes show every value that was tried */
	struct coverage_item *item; /* the other items */
	size_t n;
	bool cut;                   /* it was stopped: `items` counts only the items tried until then */
};

/* What a machine file can set and no knob turns, for people; NULL at the end. */
extern const char *const coverage_never_turned[];

/* Turns each item of the machine that fits to other values. */
void coverage_find(struct search *, struct coverage *);
void coverage_free(struct coverage *);

/* Doubts about faults: another knob may explain as much in place of the fault's (with a probe that tells them apart),
 * or a probe that depends on the knob may still differ. Also probes that contradict each other. Used by calibrate.c
 * alone; struct calibration holds the result. */

/* Another knob that explains what a fault explains. */
struct calibration_tie {
	const struct knob *knob;
	char *after;                       /* value that this knob would be turned to, for people */
	const struct probe *probe;         /* an installed probe that tells the two knobs apart; NULL: none does */
	struct probe_answer fault, tie;    /* its answer with the fault's knob turned; with this knob turned */
};

/* Finds the ties of each fault, probes of the list that tell them apart, and what puts a fault in doubt. */
void ties_find(struct search *, const struct probe_list *installed);
/* Finds probes that keep differing because a knob that makes them agree makes another probe differ. */
void contradictions_find(struct search *);
void ties_free(struct calibration_fault *);

/* What one probe says. */
struct calibration_row {
	bool compared;              /* both machines have an answer */
	struct probe_answer truth, before, after;
	bool differs, remains;      /* does it differ before? does it still differ after? */
	const struct knob *asks;    /* if it still differs, the knob that would make it agree; NULL: none would */
	char *asked;                /* the value to which that knob would be turned, for people */
	size_t against;             /* the probe that would differ then */
};

/* A knob that is at fault. */
struct calibration_fault {
	const struct knob *knob;
	double value;               /* value that it was turned to */
	char *before, *after;       /* its values for people: "128", "off" */
	bool *explains;             /* for each probe: did this knob make it agree? */
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
	double error_before, error_after; /* mean |relative error| of the compared probes; 0 if there are none */
	size_t compared, differing, remaining;
	size_t tried;                    /* number of machines that were tried */
	struct coverage coverage;        /* coverage of the machine after */
	bool cut;                        /* it was stopped: unknown answers are not compared */
};

/* Calibrates the machine `on` with `changes` (candidate_new()). `truth`: an answer for each probe of the list. Returns
 * NULL and sets *e if the machine cannot be used. A stopped calibration has what was done so far. Free the result with
 * calibrate_free(). */
struct calibration *calibrate(const char *on, const char *changes, const struct probe_list *,
	const struct known_answer *truth, const struct patience *, struct err *e);
void calibrate_free(struct calibration *);

/* Adds what the probes that ran cannot see on the machine after, and the ties and doubts of faults. `installed`: probes
 * that may tell ties apart; they must outlive the calibration. `only`: the items that all probes are tried on, while
 * other items are tried on the probes of faults alone; NULL: all items. If stopped, sets coverage.cut. Returns false
 * and sets *e on failure. */
bool calibrate_cover(struct calibration *, const struct known_answer *truth, const struct probe_list *installed,
	const struct knob *const *only, size_t n_only, const struct patience *, struct err *e);

/* Returns a stage between: the machine before, with only the faults of this kind put right. NULL and *e on failure. */
struct candidate *calibrate_stage(const struct calibration *, enum knob_kind, struct err *e);

/* Returns the machine after, with one fault (by index) as it was before. NULL and *e on failure. */
struct candidate *calibrate_without(const struct calibration *, size_t fault, struct err *e);

/* Sets the answers of probes on a machine. Returns false and sets *e if it cannot run them. If stopped, the remaining
 * answers are unknown. */
bool calibrate_truth(struct probe_machine *, const struct probe_list *, const struct patience *, struct known_answer *,
	struct err *e);

#endif
