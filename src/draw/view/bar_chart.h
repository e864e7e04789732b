/* Bars that lie under each other on one scale: heads and ticks above, a swatch of each part below.
 *
 *      task      ms  0       200      400      600      800   1000 ms
 *     ▸cp       998  u████k▓▓▓▓▓▓▓▓▓▓a███p▒▒▒▒D▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
 *      gcc      991  u██████████████████████████████k▓▓▓▓▓a█████p▒▒
 *      u█ user  k▓ system  a█ anonymous fault  p▒ page cache  D▓ disk
 *
 * Rows are spread out where there is room. */
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
	const char *name, *kind; /* "" where it is that of the row above; kind: NULL */
	enum role kind_role;
	unsigned char kind_attr;
	const char *number;      /* what all of it comes to */
	bool doubtful;           /* … with a note: its parts do not fit */
	const double *amount;    /* n_parts */
	double length;           /* what its end stands for; 0 or NAN: no bar, but … */
	const char *why;         /* … these words */
	const double *other;     /* the same at another time, drawn below; NULL */
	double other_length;
};

struct chart {
	const char *name_head, *kind_head, *number_head; /* kind_head NULL: no such column */
	const char *other_name;  /* of the bars below */
	struct chart_part *part;
	size_t n_parts;
	struct chart_row *row;
	size_t n;
	size_t cursor;
	/* so many rows are of one thing and stand together; a click is on that thing. 0: each by itself */
	size_t group;
	int kind_most;           /* columns of a kind at most; 0: 10 */
	bool normalised;         /* all bars are as long as each other, and ticks are per cent */
	struct amount amount;    /* of the ticks */
	int pane;                /* for the mouse */
	struct arena *arena;     /* texts and arrays are there */
};

/* Rows that it would like to have; those that it needs. */
int chart_rows(const struct chart *, int width, bool spread);
void chart_draw(const struct chart *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
