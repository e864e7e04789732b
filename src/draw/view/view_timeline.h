/* Shared by views of snapshots: header, status, and the text of an empty view. */
#ifndef DRAW_VIEW_VIEW_TIMELINE_H
#define DRAW_VIEW_VIEW_TIMELINE_H

#include "draw/view/view_page.h"

struct view_draw;

/* Does the screen show a view of snapshots that has something to show? */
bool timeline_is_shown(const struct state *);

/* Do views 5 and 7 show the whole run instead of a snapshot? */
bool timeline_is_run(const struct state *);

/* For struct view_draw: says what is missing if neither network nor stack is open, and how to open one. */
const char *timeline_lacks(const struct state *);
void timeline_nothing(struct page *);

/* Writes that the data lack the counters of a network (else of a stack), or, without data yet, what follows from that
 * (`so`: "there are no bars"); then which command lists the counters. */
void timeline_no_counters(struct page *, bool network, const char *name, const char *so);

void draw_timeline_header(const struct state *, const struct view_draw *, struct grid *);
/* Draws screens below 40×10. */
void draw_timeline_tiny(const struct state *, const struct view_draw *, struct grid *);

/* What the run, or the part of it that is shown, answers, and what would make it faster: lines above the status line,
 * and the last one in the status line (false: nothing). */
struct line;
int timeline_answer_rows(const struct state *, int w, int h); /* lines above the status line, on this screen */
void draw_timeline_answer(const struct state *, struct grid *);
bool timeline_answer(const struct state *, const struct grid *, struct line *);
/* The right end of the status line: "live 1 s", "frozen", "compared"; `brief`: not that there is no PMU. The caller
 * frees. */
char *timeline_state_words(const struct state *, bool brief);

#endif
