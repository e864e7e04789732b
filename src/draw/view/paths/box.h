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
	int n, row;            /* row of the box's inside; -1: any */
	const double *spark;   /* drawn after the words */
	size_t n_spark;
	double bar;            /* a share, drawn as a bar after the words; NAN: none */
};

struct page_of_box {
	const struct clos *c;
	const struct net_layout_box *b;
	int w, h;              /* size of the inside */
	struct words *line;
	size_t cap;
	int n;
	double *values[2];     /* for sparklines: by owner or part, over time */
};

/* lines.c: lines of lanes */
struct words *add_line(struct page_of_box *, int row); /* adds a line; the pointer is valid until the next call */
void say(struct words *, enum role, unsigned char attr, bool right, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
bool is_culprit(const struct page_of_box *, size_t module, size_t kind);
double all_arrivals(const struct page_of_box *, size_t module);
void source_lines(struct page_of_box *);
void lanes_of_module(struct page_of_box *, size_t module, bool bound);
void joined_lines(struct page_of_box *);

/* places.c: lines of modules, places and owners */
void owner_lines(struct page_of_box *);
void queue_line(struct page_of_box *);
void longest_lines(struct page_of_box *);
void time_lines(struct page_of_box *, size_t module);
void load_line(struct page_of_box *, size_t module);
void place_lines(struct page_of_box *);
void listed_lines(struct page_of_box *);
void leaf_lines(struct page_of_box *);

#endif
