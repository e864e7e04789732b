/* The text of a box of view 5, line by line, before the lines get their rows. */
#ifndef DRAW_VIEW_PATHS_BOX_H
#define DRAW_VIEW_PATHS_BOX_H

#include "draw/view/paths/paths.h"

#define SEGMENTS_MOST 8
#define SHORT_QUEUE 0.05 /* requests; a shorter queue gets no line */

struct segment {
	char text[48];
	enum role role;
	unsigned char attr;
	bool right; /* at the right end of the line */
};

struct words {
	struct segment seg[SEGMENTS_MOST];
	int n, row;            /* number of segments; row inside the box, -1: any */
	const double *spark;   /* a sparkline after the words */
	size_t n_spark;
	double bar;            /* a share, drawn as a bar after the words; NAN: none */
};

struct box_page {
	const struct clos *c;
	const struct net_layout_box *b;
	int w, h;              /* size of the inside */
	struct words *line;
	size_t cap;
	int n;
	double *values[2];     /* values of sparklines: by owner or part; over time */
};

/* lines.c: lines of lanes */
struct words *box_line(struct box_page *, int row); /* adds a line; the pointer is valid until the next call */
void box_write(struct words *, enum role, unsigned char attr, bool right, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
bool box_is_culprit(const struct box_page *, size_t module, size_t kind);
double box_arrivals(const struct box_page *, size_t module);
void box_source_lines(struct box_page *);
void box_module_lines(struct box_page *, size_t module, bool bound);
void box_joined_lines(struct box_page *);

/* places.c: lines of modules, places and owners */
void box_owner_lines(struct box_page *);
void box_queue_line(struct box_page *);
void box_longest_lines(struct box_page *);
void box_time_lines(struct box_page *, size_t module);
void box_place_lines(struct box_page *);
void box_listed_lines(struct box_page *);
void box_leaf_lines(struct box_page *);

#endif
