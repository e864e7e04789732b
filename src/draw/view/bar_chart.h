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
	unsigned char fill; /* as draw_part has it */
	char key;
};

struct chart_row {
	const char *name, *kind; /* "": as in the row above, NULL for a kind */
	enum role kind_role;
	unsigned char kind_attr;
	const char *number;      /* the amount of the whole bar */
	bool doubtful;           /* a mark after it: its parts do not add up */
	const char *score;       /* a number in a column of its own; NULL: as "" */
	enum role score_role;
	const double *amount;    /* n_parts */
	double length;           /* the value of its end; 0 or NAN: `why` instead of a bar */
	double below;            /* how far it reaches below zero; 0: not at all */
	double whole;            /* a mark stands here if parts reach beyond it; 0: no mark */
	const char *why;         /* the reason why there is no bar */
	const double *other;     /* the amounts at another time, drawn below; NULL: none */
	double other_length, other_below;
};

struct chart {
	const char *name_head, *kind_head, *number_head; /* kind_head NULL: no such column */
	const char *score_head;                          /* NULL: no such column; else there may be no numbers */
	const char *other_name;                          /* of the bars below */
	struct chart_part *part;
	size_t n_parts;
	struct chart_row *row;
	size_t n;
	size_t cursor;
	/* consecutive rows that belong to one thing; a click selects the thing. 0: one */
	size_t group;
	int kind_most;           /* columns of a kind at most; 0: 10 */
	bool normalised;         /* all bars have the same length, and ticks are per cent */
	struct amount amount;    /* of the ticks */
	int pane;                /* for the mouse */
	struct arena *arena;     /* owns texts and arrays */
};

/* The number of rows that suit the chart, or, if `spread` is false, that it needs. */
int chart_rows(const struct chart *, int width, bool spread);
void chart_draw(const struct chart *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
