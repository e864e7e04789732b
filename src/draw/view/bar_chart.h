/* Horizontal bars on one scale: heads and ticks above, a swatch of each part below.
 *
 *      task      ms  0       200      400      600      800   1000 ms
 *     ▸cp       998  u████k▓▓▓▓▓▓▓▓▓▓a███p▒▒▒▒D▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
 *      gcc      991  u██████████████████████████████k▓▓▓▓▓a█████p▒▒
 *      u█ user  k▓ system  a█ anonymous fault  p▒ page cache  D▓ disk
 *
 * Parts below zero are drawn to the left of a zero line, which is at the same place in all bars. Rows are spread out
 * where there is room. */
#ifndef DRAW_VIEW_BAR_CHART_H
#define DRAW_VIEW_BAR_CHART_H

#include "draw/amount.h"
#include "draw/view/view_parts.h"

struct chart_part {
	const char *name;
	enum role role;
	unsigned char fill; /* as in struct draw_part */
	char key;
};

struct chart_row {
	const char *name, *kind; /* name "" or kind NULL: as in the row above */
	enum role kind_role;
	unsigned char kind_attr;
	const char *number;      /* the amount of the whole bar */
	bool doubtful;           /* the parts do not add up: the number gets a mark */
	const char *score;       /* a number in a column of its own; NULL: none */
	enum role score_role;
	const double *amount;    /* amounts of the n_parts parts */
	double length;           /* value at the end of the bar; 0 or NAN: `why` instead of a bar */
	double below;            /* how far the bar reaches below zero; 0: not at all */
	double whole;            /* a mark stands here if parts reach beyond it; 0: no mark */
	const char *why;         /* the reason why there is no bar */
	const double *other;     /* the amounts at another time, drawn below; NULL: none */
	double other_length, other_below;
};

struct chart {
	const char *name_head, *kind_head, *number_head; /* kind_head NULL: no such column */
	const char *score_head;                          /* NULL: no such column; else there may be no numbers */
	const char *other_name;                          /* name of the bars at the other time */
	struct chart_part *part;
	size_t n_parts;
	struct chart_row *row;
	size_t n;
	size_t cursor;
	/* number of consecutive rows that belong to one thing, which a click selects as a whole; 0: one */
	size_t group;
	int kind_most;           /* most columns of a kind; 0: 10 */
	bool normalised;         /* all bars have the same length, and ticks are per cent */
	struct amount amount;    /* unit of the ticks */
	int pane;                /* the chart's pane, for the mouse */
	struct arena *arena;     /* owns texts and arrays */
};

/* The number of rows that suit the chart, or, if `spread` is false, that it needs. */
int chart_rows(const struct chart *, int width, bool spread);
void chart_draw(const struct chart *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
