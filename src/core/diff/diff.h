/* Two ways A and B of doing something, compared by quantity: is there a difference, how large, or how large at most.
 *
 * Quantities are compared as ratios B/A where all values are above 0, else as differences. A difference that holds at
 * every look (core/diff/shift.h) is believed; several quantities share the chance of a false answer: half for the first
 * one, which is the one that was asked about, the rest in equal parts (Bonferroni). */
#ifndef CORE_DIFF_DIFF_H
#define CORE_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "core/diff/shift.h"

enum diff_answer {
	DIFF_UNDECIDED,
	DIFF_EQUAL, /* any difference is at most `within` */
	DIFF_MORE,  /* B has more, or takes longer */
	DIFF_LESS,
	DIFF_ANSWERS
};
extern const char *const diff_answer_word[DIFF_ANSWERS]; /* "undecided" … */

/* The mean over several runs of one side, where its source states that instead of the runs. */
struct diff_stated {
	double mean;
	double spread;  /* standard error of the mean; with `of_runs` the deviation of the runs; NAN: unknown */
	double grain;   /* half a unit of the mean's last digit */
	size_t runs;    /* 0: the source does not say */
	bool of_runs;
};

struct diff_quantity {
	const char *name, *unit; /* the caller's: "wall", "ns"; "": a plain count */
	bool is_time;            /* more of it is slower */
	bool exact;              /* it counts exactly: equal runs have equal counts, so a difference of 1 is one */
	char *exact_by;          /* who says so; owned; NULL: nobody, or not known */
	double *value;           /* n_runs, in the order in which they ran; NAN: not counted */
	struct diff_stated *stated; /* of A and of B, which have one value each, their mean; NULL: values are runs */
};

struct diff_table {
	size_t n_runs; /* in blocks of SHIFT_BLOCK */
	unsigned char *is_b;
	struct diff_quantity *quantity; /* the first is what was asked about */
	size_t n;
};

struct diff_rule {
	double confidence; /* of all answers together: 0.99 */
	double threshold;  /* a smaller difference does not matter: 0.01 is 1 % */
};

/* Shares are of A: 0.03 is 3 % more. For quantities that are compared as differences and have a median of 0 in A, they
 * are differences, and `absolute` is true. */
struct diff_found {
	enum diff_answer answer;
	bool absolute, counted; /* counted: there are values to compare */
	bool constant;          /* all runs of A are equal, and all of B */
	bool exact;             /* constant, and answered by a count that is exact */
	size_t blocks;          /* with values of all runs */
	double a, b;            /* medians */
	double estimate, low, high;
	double within;      /* DIFF_EQUAL */
	bool above;         /* DIFF_MORE, DIFF_LESS: surely by more than the threshold */
	/* DIFF_UNDECIDED: about so many more would decide; if `high` is infinite, at least so many are needed; 0: it
	 * cannot be said */
	size_t more_blocks;
	/* of stated means of an unknown number of runs, which are undecided: from so many runs of each on the answer
	 * would be `if_known`; 0: from no number up to DIFF_STATED_MOST */
	size_t fewest_runs;
	enum diff_answer if_known;
};
#define DIFF_STATED_MOST ((size_t)100)

struct diff_report {
	struct diff_found *found; /* as the quantities */
	size_t n;
	/* leading blocks that took longer than the others: medians are without them */
	size_t warm_up;
	double warm_up_by; /* how much larger they were: 0.08 is 8 % */
	/* of the first quantity: last third of the blocks over the first third, less 1; how much longer a run takes
	 * after one of B than after one of A. NAN: not seen */
	double drift, carry;
};

void diff_judge(const struct diff_table *, const struct diff_rule *, struct diff_report *);
/* Judges runs that were recorded, in any order: B's runs need not lie among A's. These intervals hold for one look, and
 * if the runs are independent or correlated with their neighbours. Without two runs of each there is no bound. */
void diff_judge_recorded(const struct diff_table *, const struct diff_rule *, struct diff_report *);
/* Judges quantity i, of which means are stated: Fieller's interval for their ratio (stated.c). */
void diff_judge_stated(const struct diff_table *, size_t i, const struct diff_rule *, struct diff_found *);
void diff_report_clear(struct diff_report *);
/* Is it known on which side of the threshold the difference is, and with `until` above 0 within that, too? */
bool diff_is_decided(const struct diff_found *, const struct diff_rule *, double until);

/* How the first quantity varies with another one between runs of one command: of runs of the same side in one block,
 * one less the other, by least squares, with HC3 intervals (MacKinnon and White 1985). `slope` is in units of the
 * first quantity for each unit of the other; `part` is slope times the difference of the other's medians: so much of
 * the difference would go with it if the slope holds between the sides. That shows no cause. */
struct diff_moved {
	bool known; /* the slope's interval excludes 0 */
	bool still; /* it differs between the sides and hardly varies within them: the runs cannot tell */
	double slope, slope_low, slope_high;
	double part, part_low, part_high;
};
/* Fills n for the table's quantities; those before `first`, and those that do not differ, stay unknown. All intervals
 * together hold with the rule's confidence. For runs in blocks. */
void diff_find_moved(const struct diff_table *, const struct diff_report *, const struct diff_rule *, size_t first,
	struct diff_moved *);

/* Page faults against the minor and major ones that they consist of. */
struct diff_faults {
	size_t checked;    /* runs that counted them, or means */
	size_t differ[2];  /* those of A and of B that do not add up, beyond the rounding of stated means */
	double least, most; /* page faults less the others */
	size_t minor, major; /* quantities; major SIZE_MAX: not counted */
};
/* False: the quantity is not "page-faults", "PREFIX.page-faults:u" …, or its minor ones were not counted. */
bool diff_faults_add_up(const struct diff_table *, size_t quantity, struct diff_faults *);

/* The chance of a false answer that quantity i may have. */
double diff_alpha(const struct diff_rule *, size_t i, size_t n);

/* For the two judges. diff_median() reorders the values; NAN: there are none. diff_found_set() turns shifts (of
 * logarithms with `ratio`, else of values, in parts of `by`) into shares; diff_found_answer() follows from them. */
double diff_median(double *, size_t n);
void diff_found_set(struct diff_found *, double estimate, double low, double high, bool ratio, double by);
void diff_found_answer(struct diff_found *, const struct diff_rule *);

/* --- runs that differ much from the others of their side, and the quantity that differs with them ----------------- */

/* A quantity's median in A and in B, and the median distance from it, scaled to a standard deviation if the values are
 * normal. NAN: no values. Of more than 400 runs of a side, 400 are looked at. */
struct diff_usual {
	double middle[2], spread[2];
};
void diff_usual(const struct diff_table *, size_t quantity, struct diff_usual *);

/* How far above its side's median a run is, in spreads; NAN: not counted. */
double diff_distance(const struct diff_table *, size_t quantity, const struct diff_usual *, size_t run);
#define DIFF_DISTURBED 5.0 /* further above: something else took time in this run */

/* The quantity whose count rose most with a disturbed run, except times in seconds, which are parts of each other;
 * SIZE_MAX: none did. `usual` has an element for each quantity. */
size_t diff_disturbed_by(const struct diff_table *, const struct diff_usual *, size_t run);

#endif
