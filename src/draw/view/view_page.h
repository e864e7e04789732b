/* A pane or popup of lines that may be longer than the room; `skip` lines are scrolled away. */
#ifndef DRAW_VIEW_VIEW_PAGE_H
#define DRAW_VIEW_VIEW_PAGE_H

#include "draw/view/view_parts.h"

struct page {
	const struct state *s;
	struct grid *g;
	struct rect r;
	int row, skip;
};

bool page_full(const struct page *); /* everything that follows is out of sight */
struct line page_line(struct page *);
void page_blank(struct page *);                              /* an empty line, if the page is high enough */
void page_words(struct page *, enum role, const char *text); /* broken at blanks; each line is a paragraph */
/* Writes words as page_words() does, from column `indent` on, and begins in the row of the last page_line(). */
void page_hanging(struct page *, int indent, enum role, const char *text);
/* Adds words at the end of a line that are broken there, or below it from column `indent` on without room for that. */
void page_rest(struct page *, struct line *, int indent, enum role, const char *text);
void page_head(struct page *, const char *text, const char *more); /* a heading within the page; `more` may be "" */
/* Returns the given role, or dim if the result belongs to other features than those that are on. */
enum role page_role(const struct page *, enum role);
int page_rows(const struct page *);   /* number of scroll positions */

#endif
