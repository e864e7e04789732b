/* A pane or popup of lines, written one below the other, that may be longer than the room: `skip` lines are scrolled
 * away. */
#ifndef DRAW_VIEW_VIEW_PAGE_H
#define DRAW_VIEW_VIEW_PAGE_H

#include "draw/view/view_parts.h"

struct page {
	const struct state *s;
	struct grid *g;
	struct rect r;
	int row, skip;
};

bool page_full(const struct page *); /* what follows is out of sight */
struct line page_line(struct page *);
void page_blank(struct page *);       /* an empty line, where there is room for such */
void page_words(struct page *, enum role, const char *text); /* broken at blanks; several lines, one paragraph each */
/* The same from column `indent` of the page on, beginning in the row of the last page_line(). */
void page_hanging(struct page *, int indent, enum role, const char *text);
void page_head(struct page *, const char *text, const char *more); /* a heading within the page; more: "" */
enum role page_role(const struct page *, enum role); /* dim when the result is not of the features as they stand */
int page_rows(const struct page *);   /* how many first rows there are, for scrolling */

#endif
