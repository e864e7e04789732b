/* Parts that the files of all views use: lines, marks, cursors, lists. */
#ifndef DRAW_VIEW_VIEW_PARTS_H
#define DRAW_VIEW_VIEW_PARTS_H

#include "core/verdict/verdict.h"
#include "draw/layout.h"
#include "draw/panes.h"
#include "draw/view/view.h"

/* Words in several roles, one after the other, in one row. Words that do not fit are cut with "…". */
struct line {
	struct pen pen;
	int x, y, end; /* next column, row, first column that may not be used */
};
struct str;
struct line line_on(struct grid *, struct rect, int row); /* begins one cell in: column 0 is the cursor's */
void line_add(struct line *, enum role, unsigned char attr, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The same for words that make sense only in full. False: they do not fit, and nothing is drawn. */
bool line_add_whole(struct line *, enum role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void line_to(struct line *, int column); /* moves to a column of the clip, unless the line is past it */
void line_gap(struct line *, int columns);

enum role verdict_role(enum verdict_kind);
const char *verdict_mark(enum verdict_kind);
/* The same for a finding. A refutation whose premise is in doubt looks different from others. */
enum role finding_role(const struct finding *);
const char *finding_mark(const struct finding *);
/* Adds "✗ 1 ≈ 0 ✓ 12 ? 0": how many findings have each mark. Those with ⊘ count as ✗. */
void finding_counts(const struct result *, struct str *out);
/* Adds an observation's name; `brief`, for where it would be cut, without the keys of its settings: "gups:64G,4k" of
 * "gups:footprint=64G,page=4k". */
void observation_add_name(const char *name, bool brief, struct str *out);

/* An observation with warnings has a mark after its name in lists. The pane about it shows the first sentence of the
 * first warning; i shows all. */
#define DOUBT_MARK "~"
struct page;
void page_doubt(struct page *, const struct finding *);

/* How far off an observation is: "+2" for an exact one, "0.21" for a noisy one; the caller frees. */
char *violation_number(const struct finding *, const struct constraint *);

/* A distance² in lists: "812.4", "1.23 M"; "·": none. */
char *number_distance(char out[NUMBER_TEXT], double d2);
#define DISTANCE_MOST 1e9 /* a greater threshold of d² allows any distance */
/* "distance 24.3 of 6.76 allowed  p <1e-9": the roots of d² and of its threshold */
void line_distance(struct line *, const struct finding *);

/* "off by +2" for an exact observation, "margin 0.21" for a noisy one; the caller frees. */
char *violation_size(const struct finding *, const struct constraint *);

void hit_add(struct drawn *, struct rect, enum hit_kind, int pane, int row, enum action);

/* Draws the cursor sign in column 0 and, in the focused pane, the select background. */
void draw_cursor(struct grid *, struct rect row, bool focus);

/* Marks, filter and sort in a list's title: " · 2 marked · filter: gcc · by name". */
void add_list_state(const struct state *, const char *sort, struct str *info);

/* Lays out a list of n rows in `rect` and adds a hit for each visible row. Returns the first visible row. */
int draw_list_rows(struct rect, int cursor, int n, int pane, enum action, struct drawn *);

/* Draws lines of text from row `first` on; returns the number of scroll positions. */
int draw_text(struct grid *, struct rect, const char *text, int first);

/* Gives the accent role to "■ COUNTER" in plain text of `r`, also where a line ends between the two. */
void accent_counters(struct grid *, struct rect r);

/* The number of scroll positions of a text: rows that can be the first one while the end stays in sight. The text is
 * shown from row `first` on in `room` rows, and `left` rows follow. */
int scroll_rows(int first, int left, int room);

#endif
