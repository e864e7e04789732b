/* The state of the screen: view, panes, cursors, filters, popup, prompt. Actions (explorer/state/) alone write it. */
#ifndef EXPLORER_STATE_VIEW_STATE_H
#define EXPLORER_STATE_VIEW_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "explorer/state/pane_ids.h"
#include "explorer/state/pane_share.h"
#include "work/analysis/constraints.h"
#include "work/analysis/observations.h"
#include "work/remarks.h"

struct catalogue;
struct fitting;
struct flow_name;
struct instruction_run;
struct interval;
struct palette;

enum plot_zoom { ZOOM_AUTO, ZOOM_WHOLE, ZOOM_REGION };
enum plot_boxes { BOXES_INDEPENDENT, BOXES_BOTH, BOXES_NONE, PLOT_BOXES };
enum popup {
	POPUP_NONE,
#define POPUP(id, name) POPUP_##id,
#include "explorer/state/popups.def"
#undef POPUP
	POPUP_KINDS
};
enum prompt { PROMPT_COMMAND, PROMPT_OPEN, PROMPT_FIND, PROMPT_FILTER, PROMPT_NOTE, PROMPT_KEEP, PROMPT_JUDGE,
	PROMPT_ANSWER };
enum write_item { WRITE_SCREEN, WRITE_REPORT, WRITE_PAGE, WRITE_SESSION, WRITE_ITEMS };
enum queue_sort { QUEUE_BY_LENGTH, QUEUE_BY_TREND, QUEUE_BY_PLACE, QUEUE_SORTS };
enum bar_sort { BAR_BY_WHOLE, BAR_BY_NAME, BAR_BY_PART, BAR_SORTS };
enum diff_sort { DIFF_AS_MEASURED, DIFF_BY_NAME, DIFF_BY_CHANGE, DIFF_BY_ANSWER, DIFF_SORTS };
enum event_sort { EVENT_AS_READ, EVENT_BY_NAME, EVENT_BY_VERDICT, EVENT_BY_OFFSET, EVENT_BY_RANGE, EVENT_SORTS };
const char *queue_sort_name(enum queue_sort);
const char *bar_sort_name(enum bar_sort);
const char *event_sort_name(enum event_sort);
const char *diff_sort_name(enum diff_sort);

struct start_view {
	enum start_pane focus;
	int cursor[START_PANES];
};

/* The µDD's outline. */
struct tree_view {
	bool *folded; /* per outline row */
	size_t n;
};

/* The order of views 2 and 3, and of the quantities of A and B. */
struct list_sorts {
	enum constraint_sort constraints;
	enum observation_sort observations;
	enum diff_sort quantities;
};

/* The columns of a list as the user arranged them. */
#define COLUMNS_MOST 24
struct column_choice {
	size_t n; /* number of the list's columns; 0: the user changed nothing */
	unsigned char order[COLUMNS_MOST]; /* numbers of columns, from left to right */
	bool hidden[COLUMNS_MOST];         /* by number */
};

struct columns_view {
	struct column_choice of[PANE_COUNT];
	enum pane_id pane; /* the pane whose list POPUP_COLUMNS is about */
	unsigned reversed; /* set of 1 << view: views whose list is in reverse order */
	int sample;        /* first counter shown of the samples */
};

/* Marked observations. */
struct marks {
	bool *on; /* per observation; kept as far as possible when observations change */
	size_t n;
};

#define PLOT_SIDE SIZE_MAX

/* View 4. */
struct plot_view {
	size_t axis[2]; /* the model's counters on x and y, or PLOT_SIDE */
	bool chosen;    /* the user chose the axes; false: they are the pair that shows the violation best */
	int64_t *row;   /* coefficients of the constraint whose sides are axes; NULL: the observation's worst one */
	bool equality;  /* that constraint is an equality */
	enum plot_zoom zoom;
	enum plot_boxes boxes;
	bool outliers;  /* of A and B: the axes reach as far as the farthest run */
};

/* View 6, a tree: how the user folded its nodes. */
struct node_folds {
	signed char *how; /* per part: 1: open, -1: folded, 0: as it is judged */
	size_t n;
};

/* Views 5 to 7. */
/* View 8. */
struct phases_view {
	size_t run;  /* one of answers.phases */
	size_t held; /* the window that the others are compared with, from 1; 0: the one before each */
	bool chose;  /* the user has moved a cursor; false: they are on the largest change */
};

/* Views 5 to 8. */
struct timeline_view {
	size_t snapshot;                 /* the snapshot shown */
	bool frozen;                     /* stay at this snapshot while new ones arrive */
	size_t compared;                 /* the snapshot it is compared with; TIMELINE_NONE: none */
	/* the user was informed that old snapshots are summed; that a file can no longer be read */
	struct { bool folds, failure; } said;
	bool rates;                      /* show amounts per second */
	bool turned;                     /* view 5: show responses, with columns in reverse order */
	size_t module, owner, kind;      /* node and kind of request under the cursor */
	bool chose_node;                 /* the user chose that node; false: it is the culprit */
	bool *unfolded;                  /* per module: show its owners one by one */
	struct flow_name *flow;          /* the only flow shown; NULL: all */
	bool whole, normalised, grouped; /* view 6: whole run; bars of equal length; one bar per program */
	bool whole_by_end;               /* the end of a run set `whole`; the next run takes it back */
	bool sleepers;                   /* view 6: tasks that only slept are listed one by one */
	bool zeros; /* views 5, 6: places and parts that are 0 in the whole run are listed one by one */
	bool hides_truth;                /* view 6: show the other methods alone */
	enum bar_sort bar_sort;
	struct node_folds nodes;
	enum queue_sort queue_sort; /* view 7 */
	bool chose_queue;           /* the user chose queue_cell */
	size_t queue_cell;          /* as timeline_cell() */
	struct phases_view phases;
};

#define EVENTS_ADDED_MOST 32

/* View 0. */
struct events_view {
	size_t chosen;       /* one of data.events */
	enum event_sort sort;
	bool all;            /* show all events of this machine, too */
	struct catalogue *catalogue; /* they; owned; NULL: not asked for yet */
	bool *folded;        /* per node of it */
	char *words;         /* text that was searched in it last; NULL: none */
	/* the next runs count these, too; owned */
	struct added_event { char *name, *event; } added[EVENTS_ADDED_MOST];
	size_t n_added;
	struct fitting *fitting; /* whether the next run's counters fit; owned; NULL: not asked yet */
};

/* View 9. */
struct probes_view {
	size_t chosen;  /* one of data.probes */
	bool beside;    /* show the curve of the other machine, too */
	bool log_x;     /* x is drawn to a logarithmic scale */
};

struct popup_state {
	enum popup kind;
	int cursor;      /* first row shown, or the chosen line */
	struct str text; /* lines of POPUP_WITNESS and POPUP_TEXT; names of POPUP_THEMES */
	char theme[64];  /* the theme that POPUP_THEMES chose; "": the one at the start */
	char title[64];  /* their title */
	/* the diagram of POPUP_INTERVALS, and the number of its lesson (interval_lesson()) */
	struct interval *interval;
	int lesson;
	struct instruction_run *instructions; /* POPUP_INSTRUCTIONS shows the latest; NULL: none yet */
	struct palette *palette; /* POPUP_PALETTE; NULL: not opened yet */
	size_t round;    /* POPUP_SLICES: the round that is shown; after the last one, the probes to run next */
};

/* What Esc brings back after / and \: where the cursor was, and the view's filter. */
struct prompt_before {
	uint64_t thing;
	int row;
	char *filter;
	bool *folded; /* the tree's folds; NULL: another pane */
	size_t n_folded;
};

#define PROMPTS_PAST 16

struct prompt_state {
	enum prompt kind;
	struct str input;
	size_t at;             /* the text cursor: a byte of the input */
	bool proposed;         /* the whole input is a proposal, which the first typed letter replaces */
	bool pasting;          /* between the two marks that a terminal puts around what is pasted */
	struct prompt_before before;
	char *past[PROMPTS_PAST]; /* texts to find or to filter by, the latest first; NULL: no more */
	size_t past_at;        /* Up and Down: the number of the one shown, plus 1; 0: none of them */
	int choice;            /* PROMPT_OPEN, PROMPT_JUDGE: the name under the cursor, among those that fit */
	enum remark_on noting; /* PROMPT_NOTE: kind of the object that the note is on */
	char *noting_what;     /* its name, as in struct remark */
};

/* What POPUP_LEAVE asks about (state_leave.h). */
enum leave_to { LEAVE_HECATE, LEAVE_FOR, LEAVE_RUN };
struct leaving {
	enum leave_to to;
	char *opens;        /* LEAVE_FOR: the name to open, and what then, an enum open_then */
	size_t then;
	char *file;         /* name of a new session file; NULL: all is in a file, or nothing is worth one */
	char *failure;      /* why it could not be saved; NULL: not tried */
	double since;       /* when s was pressed: the run ends, then all is saved; 0: it was not */
	bool agreed;        /* the next request to open needs no question */
	bool asked_tracefs;
};

struct status_line {
	char text[240]; /* "": the line shows the state */
	bool bad;
};

/* The separator that is being dragged: that to the right of a pane, or its title rule. */
struct drag {
	bool going, title;
	enum pane_id pane;
};

struct panes_view {
	enum pane_id last_focus[VIEW_COUNT]; /* focus of the other views when they were left */
	struct pane_share share[PANE_COUNT];
	struct drag drag;
};

struct search_view {
	bool follows; /* move the cursor to the model taken, once it has a row */
	bool all;     /* show all models, unfolded */
};

/* Values that a drawing needs in addition to the other parts of the state. */
struct frame {
	double now;          /* clock_seconds() of this turn of the loop: drawing reads no clock */
	bool motion;         /* false: nothing moves by itself */
	const char *program; /* "hecate 0.1.0" */
	char usual_theme[64]; /* the one without a choice */
};

struct view_state {
	enum view current;
	enum view came_from;                 /* where Esc goes back to; VIEW_START: nowhere */
	enum pane_id focus;                  /* chosen by the user; state_pane() is the pane that has the keys */
	struct panes_view panes;
	int cursor[PANE_COUNT];
	size_t selected;                     /* number of the selected observation */
	size_t constraint;                   /* selected row of the constraints */
	bool chose_constraint;               /* the user selected it, so a new result leaves the cursor there */
	struct list_sorts sort;
	char *filter[VIEW_COUNT];            /* NULL: none */
	char *find;                          /* text searched last */
	struct columns_view columns;
	struct marks marks;
	struct start_view start;
	struct tree_view tree;
	struct search_view search;
	struct plot_view plot;
	struct timeline_view timeline;
	struct events_view events;
	struct probes_view probes;
	struct popup_state popup;
	struct prompt_state prompt;
	struct leaving leaving;
	struct status_line message;
	struct frame frame;
};

#endif
