/* Several methods of accounting next to each other: what their bars and their table have in common. Private to view 6.
 *
 * A part's name decides its colour, fill and letter, so that parts of one name look the same in every bar. Bars have
 * one scale if the methods have a figure or a unit in common; else they show shares. A reference (the truth) comes
 * first; then each of the other methods has errors. */
#ifndef DRAW_VIEW_STALLS_COMPARED_H
#define DRAW_VIEW_STALLS_COMPARED_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/amount.h"
#include "draw/view/bar_chart.h"
#include "work/timeline/methods.h"

struct arena;
struct stack;
struct stack_account;
struct stack_errors;
struct state;
struct timeline_bar;

enum compared_scale { BY_FIGURE, BY_WHOLE, BY_SHARE };

struct compared {
	const struct state *s;
	const struct methods *m;
	struct stack *const *stack;
	size_t n_stacks;
	size_t *at, n;           /* numbers of the methods that are shown, in the order shown */
	size_t truth;            /* number of the reference; METHOD_NONE: none is shown */
	size_t *row, n_rows;     /* parts that some bar shows: numbers of m->part */
	struct chart_part *look; /* per part of m */
	enum compared_scale scale;
	struct amount unit;      /* unit of the scale */
	struct arena *arena;
};

struct compared compared_new(const struct state *);
/* Frees all but the arena, which a chart may own. */
void compared_end(struct compared *);

/* The unit of a method's whole. */
struct amount compared_unit_of_whole(const struct compared *, size_t stack);
/* A part's value on the scale; NAN: unknown, or the method has no such part. */
double compared_value(const struct compared *, size_t stack, const struct stack_account *, size_t part);
/* Does the method's bar draw the part itself, rather than its parts? */
bool compared_draws(const struct compared *, size_t stack, size_t part);
/* How far a bar reaches to the right and to the left of zero, and where its whole is. */
double compared_length(const struct compared *, size_t stack, const struct stack_account *);
double compared_below(const struct compared *, size_t stack, const struct stack_account *);
double compared_whole(const struct compared *, const struct stack_account *);
/* The errors of a method's bar against the truth; NULL: there is none, or it is the truth itself. The caller frees. */
struct stack_errors *compared_errors(const struct compared *, size_t stack, const struct timeline_bar *);

#endif
