/* Shared by the files that draw the explorer's views. */
#ifndef DRAW_VIEW_VIEW_PARTS_H
#define DRAW_VIEW_VIEW_PARTS_H

#include "core/verdict/verdict.h"
#include "draw/layout.h"
#include "draw/panes.h"
#include "draw/view/view.h"

/* Words in several roles, one behind the other, in one row; what does not fit is cut with "…". */
struct line {
	struct pen pen;
	int x, y, end; /* next column, row, first column that may not be used */
};
struct str;
struct line line_on(struct grid *, struct rect, int row); /* begins one cell in: column 0 is the cursor's */
void line_add(struct line *, enum role, unsigned char attr, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void line_to(struct line *, int column); /* move to a column of the clip, if not behind it */
void line_gap(struct line *, int columns);

enum role verdict_role(enum verdict_kind);
const char *verdict_mark(enum verdict_kind);

/* An observation with warnings: a mark after its name in lists, and in the pane about it the first sentence of the
 * first one; i has them all. */
#define DOUBT_MARK "~"
struct page;
void page_doubt(struct page *, const struct finding *);

/* "+2" of an exact observation, "0.21" of a noisy one: how far off; the caller frees. */
char *violation_number(const struct finding *, const struct constraint *);

/* A distance² as lists show it: "812.4", "1.23 M"; "·" where there is none. */
char *number_distance(char out[NUMBER_TEXT], double d2);
/* "d² 592.4 of 45.64  p <1e-9" */
void line_distance(struct line *, const struct finding *);

/* "off by +2" of an exact observation, "margin 0.21" of a noisy one; the caller frees. */
char *violation_size(const struct finding *, const struct constraint *);

void hit_add(struct drawn *, struct rect, enum hit_kind, int pane, int row, enum action);

/* The cursor sign in column 0 and, in the focused pane, the select background. */
void draw_cursor(struct grid *, struct rect row, bool focus);

/* " · 2 marked · filter: gcc · by name": what a list's title says of marks, filter and sort. */
void add_list_state(const struct state *, const char *sort, struct str *info);

/* A list of n rows as tall as the room: first row shown for a cursor, and a hit for each row. */
int draw_list_rows(struct rect, int cursor, int n, int pane, enum action, struct drawn *);

/* Lines of text that scroll; returns how many first rows there are. */
int draw_text(struct grid *, struct rect, const char *text, int first);

/* How many first rows a text can be shown from, when it is shown from `first` and `left` rows of it follow: its end
 * stays in sight. */
int scroll_rows(int first, int left, int room);

#endif
