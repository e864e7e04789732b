/* One round of calibration: each knob whose probe differs is turned by itself, on the machine as it is now, and probes
 * say what that puts right. Used by calibrate.c alone. */
#ifndef WORK_CALIBRATE_TRIAL_H
#define WORK_CALIBRATE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

struct calibration;
struct candidate;
struct err;
struct knob;
struct known_answer;
struct patience;
struct probe_answer;

/* A knob that was turned. */
struct turn {
	const struct knob *knob;
	double value;
};

struct search {
	struct calibration *c;
	const struct known_answer *truth;
	const struct patience *patience;
	struct candidate *now;
	bool *differs;      /* for each probe, whether it differs on the present machine */
	struct err *e;
	bool failed;        /* stopped, or *e */
	const struct knob *const *only; /* n_only knobs as in calibrate_cover(); NULL: all */
	size_t n_only;
	unsigned rounds;    /* rounds in which knobs were turned */
	size_t tried;       /* number of machines that were made to fit a probe */
	struct turn *turn;  /* the n_turns turns that were made */
	size_t n_turns;
};

/* Calls `each` for all i below n, on all processors. Each call has a search of its own, whose `failed` and *e are those
 * of *s if it is the first one that failed. A call writes only what belongs to its i. */
void trial_each(struct search *, size_t n, void (*each)(struct search *, size_t i, void *ctx), void *ctx);
/* Runs the probes i for which which[i] is true, on all processors, so that their answers are known. */
void trial_ask(struct search *, struct candidate *, const bool *which);

/* A knob that was turned on the present machine. */
struct trial {
	struct candidate *machine;
	const struct knob *knob;
	double value;
	bool *right;        /* for each probe: did it differ, and does it agree now? */
	size_t n_right;
	size_t n_wrong;     /* probes that agreed, and differ now; SIZE_MAX: not asked yet */
	double error;       /* error of the probes that differed */
};

struct trials {
	struct trial *trial; /* n trials, the best one first */
	size_t n;
};

/* What probe i answers on a machine. False: the search has failed, or was stopped. */
bool trial_answer(struct search *, struct candidate *, size_t i, struct probe_answer *out);
/* True if probe i answers otherwise on the machine than in truth. */
bool trial_differs(struct search *, struct candidate *, size_t i);
/* |relative error| of probe i. */
double trial_error(struct search *, struct candidate *, size_t i);
/* The number of probes that agree on the machine as it is now, and differ on this one. */
size_t trial_count_wrong(struct search *, struct candidate *);

/* Turns a knob of the present machine until probe i agrees, or comes as near as it can. NULL: it gets no nearer. */
struct candidate *trial_fit(struct search *, const struct knob *, size_t i, double *value);

/* Turns each knob whose probe differs. Free with trials_free(). */
struct trials trials_make(struct search *);
void trials_free(struct trials *);
/* True if both put some probe right. */
bool trial_overlaps(const struct search *, const struct trial *, const struct trial *);

#endif
