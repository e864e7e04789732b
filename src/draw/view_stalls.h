/* View 6, taken apart: a network's stalls (view_stall_rows.c) and a stack's bars (view_stack_parts.c), each as a chart, a table of components and a popup. */
#ifndef DRAW_VIEW_STALLS_H
#define DRAW_VIEW_STALLS_H

#include "core/lang/scope.h"
#include "draw/bar_chart.h"
#include "draw/view_page.h"

struct net_stall_row;
struct profile_bar;

/* Their arenas are the caller's. Without bars n is 0. */
struct chart stall_rows_chart(const struct session *);
struct chart stack_bars_chart(const struct session *, int pane);

/* Why there are no bars, and what to press. */
void stall_rows_nothing(const struct session *, struct page *);
void stack_bars_nothing(const struct session *, struct page *);

/* PANE_COMPONENTS. */
void title_stall_components(const struct session *, struct str *title, struct str *info);
void draw_stall_components(const struct session *, struct grid *, struct rect, bool focus, struct drawn *);
void title_stack_parts(const struct session *, struct str *title, struct str *info);
void draw_stack_parts(const struct session *, struct grid *, struct rect, bool focus, struct drawn *);

/* In the status line; false: nothing to say. */
bool stall_rows_sentence(const struct session *, struct line *);
bool stack_bars_sentence(const struct session *, struct line *);

/* What Enter opens. */
int stall_row_popup(const struct session *, struct grid *, struct rect screen);
int stack_bar_popup(const struct session *, struct grid *, struct rect screen);

/* "snapshot 12", or "in 12": what a comparison is with. */
void add_compared(const struct session *, bool brief, struct str *out);

/* "core 3" or, of a system with several sockets, "S1-C3"; "" for what has no name. The number alone when `brief`. */
void add_owner(const struct session *, enum scope, size_t owner, bool brief, struct str *out);

#endif
