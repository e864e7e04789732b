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

/* One pane: what stands in its title rule, and below it. `focus`: it has the keys. */
struct view_pane {
	void (*title)(const struct state *, struct str *title, struct str *info);
	void (*draw)(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
};

/* A view as data. */
struct view_panes {
	const struct pane_spec *layout;
	size_t n;
	int first, panes;             /* its panes have consecutive numbers */
	const struct view_pane *pane; /* … in their order */
};
void draw_view_panes(
	const struct state *, struct grid *, struct rect body, const struct view_panes *, struct drawn *);

/* " · 2 marked · filter: gcc · by name": what a list's title says of marks, filter and sort. */
void add_list_state(const struct state *, const char *sort, struct str *info);

/* A list of n rows as tall as the room: first row shown for a cursor, and a hit for each row. */
int draw_list_rows(struct rect, int cursor, int n, int pane, enum action, struct drawn *);

/* Lines of text that scroll; returns how many first rows there are. */
int draw_text(struct grid *, struct rect, const char *text, int first);

/* Gives the accent role to "■ COUNTER" wherever it stands in plain text of `r`, also where a row ends in between. */
void accent_counters(struct grid *, struct rect r);

/* view_constraints.c, view_constraint.c, view_certificate.c, view_loss.c */
void draw_constraints(const struct state *, struct grid *, struct rect body, struct drawn *);
int draw_constraint_popup(const struct state *, struct grid *, struct rect screen);
void draw_simulated(const struct state *, struct grid *, struct rect screen, struct drawn *);
int draw_certificate_popup(const struct state *, struct grid *, struct rect screen);
void draw_loss_popup(const struct state *, struct grid *, struct rect screen, struct drawn *);
/* view_help.c */
int draw_help(const struct state *, struct grid *, struct rect screen);
/* view_whence.c */
int draw_whence(const struct state *, struct grid *, struct rect screen);
/* view_observations.c, view_observation.c, view_samples.c */
void draw_observations_view(const struct state *, struct grid *, struct rect body, struct drawn *);
int draw_observation_popup(const struct state *, struct grid *, struct rect screen);
int draw_compare_popup(const struct state *, struct grid *, struct rect screen);
/* view_geometry.c */
void draw_geometry_view(const struct state *, struct grid *, struct rect body, struct drawn *);
/* what the plot shows, in the status line; false: there is nothing to say */
bool geometry_sentence(const struct state *, struct line *);
/* view_paths.c */
void draw_paths_view(const struct state *, struct grid *, struct rect body, struct drawn *);
int draw_node_popup(const struct state *, struct grid *, struct rect screen);
bool paths_sentence(const struct state *, struct line *); /* in the status line, as geometry_sentence() */
/* view_stalls.c */
void draw_stalls_view(const struct state *, struct grid *, struct rect body, struct drawn *);
int draw_bar_popup(const struct state *, struct grid *, struct rect screen);
bool stalls_sentence(const struct state *, struct line *);
/* "CPI 1.24", "stalled at CXL 56 %": the answer in the header, of the bar under the cursor; false: none */
bool stalls_finding(const struct state *, struct str *);
/* view_queues.c */
void draw_queues_view(const struct state *, struct grid *, struct rect body, struct drawn *);
int draw_queue_popup(const struct state *, struct grid *, struct rect screen);
bool queues_sentence(const struct state *, struct line *);
/* view_profile.c: what views 5 to 7 share */
/* neither network nor stack is open */
void draw_timeline_nothing(const struct state *, struct grid *, struct rect body, struct drawn *);
void draw_timeline_header(const struct state *, struct grid *);
void draw_timeline_tiny(const struct state *, struct grid *);
/* right end of the status line: "live 1 s", "frozen", "recorded"; the caller frees */
char *timeline_state_words(const struct state *);
bool timeline_is_shown(const struct state *);     /* a view of snapshots, and there is something to show */
/* view_models.c */
void draw_models(const struct state *, struct grid *, struct rect body, struct drawn *);
/* view_tree.c */
void draw_tree(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
/* view_why.c */
void draw_why(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
/* view_start.c */
void draw_start(const struct state *, struct grid *, struct rect screen, struct drawn *);
/* view_popup.c */
void draw_popups(const struct state *, struct grid *, struct rect screen, struct drawn *);
/* Returns the rows from `first` to the end. */
int doctor_lines(const struct state *, struct grid *, struct rect, int first);

/* How many first rows a text can be shown from, when it is shown from `first` and `left` rows of it follow: its end
 * stays in sight. */
int scroll_rows(int first, int left, int room);

#endif
