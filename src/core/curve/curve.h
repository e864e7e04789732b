/* A curve: what was measured at rising values of one parameter, such as the time of a piece of code over the number of
 * instructions in it. */
#ifndef CORE_CURVE_CURVE_H
#define CORE_CURVE_CURVE_H

#include <stdbool.h>
#include <stddef.h>

struct curve_point {
	double x;
	double min, mean, max; /* of the repetitions at this x; equal to each other where only one number is known */
};

struct curve {
	char *name;                /* what it is a curve of, or the file it comes from */
	char *of;                  /* the probe that the file names as its own, in a comment; NULL: none */
	char *x_name, *y_name;     /* with their units, as the header of a file has them; NULL: unknown */
	size_t n, cap;
	struct curve_point *point; /* ascending by x after curve_sort() */
	bool means_of_all;         /* means have disturbed repetitions in them, and minima are of single ones */
	char **note;               /* n_notes sentences on what was left out or put right */
	size_t n_notes, notes_cap;
};

void curve_add(struct curve *, const struct curve_point *);
/* Takes the sentence over. */
void curve_note(struct curve *, char *);
/* Orders the points by x, and joins those of equal x: least minimum, mean of means, largest maximum. */
void curve_sort(struct curve *);
/* Frees what the curve holds, not the struct. */
void curve_free(struct curve *);

#endif
