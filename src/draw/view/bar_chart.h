/* Horizontal bars on one scale: heads and ticks above, a swatch of each part below.
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
	const char *name, *kind; /* "" if it is that of the row above; kind: NULL */
	enum role kind_role;
	unsigned char kind_attr;
	const char *number;      /* the amount of the whole bar */
	bool doubtful;           /* … with a mark: its parts do not add up */
	const double *amount;    /* n_parts */
	double length;           /* the value of its end; 0 or NAN: no bar, but … */
	const char *why;         /* … these words */
	const double *other;     /* the same at another time, drawn below; NULL: none */
	double other_length;
};

struct chart {
	const char *name_head, *kind_head, *number_head; /* kind_head NULL: there is no such column */
	const char *other_name;  /* of the bars below */
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
	struct arena *arena;     /* texts and arrays are there */
};

/* Rows that suit it; `spread` false: rows that it needs. */
int chart_rows(const struct chart *, int width, bool spread);
void chart_draw(const struct chart *, struct grid *, struct rect, bool focus, struct drawn *);

#endif
