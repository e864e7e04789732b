/* A curve: what was measured at rising values of one parameter, such as the time of a piece of code over the number of
 * instructions in it. */
#ifndef CORE_CURVE_CURVE_H
#define CORE_CURVE_CURVE_H

#include <stdbool.h>
#include <stddef.h>

struct curve_point {
	double x;
	double min, mean, max; /* of the repetitions at this x; all three are equal if only one number is known */
};

struct curve {
	char *name;                /* what it is a curve of, or the file it comes from */
	char *of;                  /* the probe that made the curve, as a comment in the file names it; NULL: none */
	char *x_name, *y_name;     /* names of the axes with their units, from the header of a file; NULL: unknown */
	size_t n, cap;
	struct curve_point *point; /* ascending by x after curve_sort() */
	bool means_of_all;         /* means include disturbed repetitions, and minima come from single repetitions */
	char **note;               /* n_notes sentences about what was left out or corrected */
	size_t n_notes, notes_cap;
};

void curve_add(struct curve *, const struct curve_point *);
/* Appends a sentence to the notes and takes it over. */
void curve_note(struct curve *, char *);
/* Orders the points by x, and joins points with equal x: least minimum, mean of means, largest maximum. */
void curve_sort(struct curve *);
/* Frees what the curve holds, not the struct. */
void curve_free(struct curve *);

#endif
