/* Shared by the files of view 6: a network's stalls (stall_rows.c, stall_components.c) and a stack's bars
 * (stack_parts.c), each as a chart, a table of components and a popup. */
#ifndef DRAW_VIEW_STALLS_STALLS_H
#define DRAW_VIEW_STALLS_STALLS_H

#include "core/counters/scope.h"
#include "draw/view/bar_chart.h"
#include "draw/view/view_network.h"

struct net_stall_row;
struct timeline_bar;
struct timeline_bars;
struct stack;
struct stack_account;
struct stack_counts;

/* Return charts of the bars, whose arenas the caller frees. n is 0 if there are no bars. */
struct chart stall_rows_chart(const struct state *);
struct chart stack_bars_chart(const struct state *, int pane);

/* Parts of the chart, allocated in the arena. Their order is the reverse of state_components(), because a bar begins
 * where requests begin. */
struct chart_part *stall_parts(const struct state *, const size_t *component, size_t n, struct arena *);
struct amount tasktime_amount(const struct state *);
/* "core 3", "3", "all"; the caller frees */
char *stall_owner(const struct state *, const struct net_stall_row *, bool brief);

/* Writes why there are no bars, and which key helps. */
void stall_rows_nothing(const struct state *, struct page *);

/* Pane Components. Those of a stack return the rows used. Without `drawn` the parts are drawn below the bars, where
 * nothing can be chosen. */
void title_stall_components(const struct state *, struct str *title, struct str *info);
void draw_stall_components(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void title_stack_parts(const struct state *, struct str *title, struct str *info);
int draw_stack_parts(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* A tree's nodes in pane Components, the status line, and the popups about the node under the cursor (stack_tree.c). */
int draw_stack_tree(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
void title_tree(const struct state *, const struct timeline_bar *, struct str *info);
bool tree_sentence(const struct state *, struct line *);

/* Draws the bar under the cursor over time, if the rows suffice and the run has several snapshots (course.c). */
void draw_course(const struct state *, struct grid *, struct rect);

/* Several methods of accounting (stack_methods.c). */
struct chart stack_methods_chart(const struct state *, int pane);
void title_methods(const struct state *, struct str *title);
void title_method_parts(const struct state *, struct str *title, struct str *info);
/* Draws pane Components, as draw_stack_parts() does for a single method. */
int draw_method_parts(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
/* Draws the colour and key of a part of the chosen method. */
void method_swatch(const struct state *, const struct pen *, int x, int y, size_t part);

/* Returns the unit for the wholes of these bars, which are the stack's. */
struct amount stack_bars_amount(const struct stack *, const struct timeline_bars *);
/* The bar with this name; NULL: none. */
const struct timeline_bar *stack_bar_called(const struct timeline_bars *, const char *name);
/* Is a part or the whole negative, or do the parts exceed their whole? */
bool stack_does_not_fit(const struct stack_account *);
/* Adds the counter whose lack makes a value unknown. Values are the parts, then the whole. */
void add_stack_lack(const struct stack *, const struct stack_counts *, size_t value, struct str *out);

/* Writes the finding into the status line; false: there is none. */
bool stall_rows_sentence(const struct state *, struct line *);
bool stack_bars_sentence(const struct state *, struct line *);
/* Writes what would be gained if the component under the cursor went away; false: no method is the truth. */
bool method_gain_sentence(const struct state *, struct line *);

/* Adds the answer to the header; false: there is none. */
bool stall_rows_finding(const struct state *, struct str *out);
bool stack_bars_finding(const struct state *, struct str *out);

/* The hot instructions of a simulated program, each with its stack (instructions.c). */
/* The key, role and fill of a part of an instruction's stack: those of the stacks of a simulated core. */
struct draw_part instruction_part_look(size_t part);

/* Popups about the bar under the cursor. The popup of the bars calls one of the two. */
int stall_row_popup(const struct state *, struct grid *, struct rect screen, int first);
int stack_bar_popup(const struct state *, struct grid *, struct rect screen, int first);

#endif
