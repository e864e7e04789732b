/* What the user looks at: view, panes, cursors, filters, popup, prompt. Written by actions (app/state/) alone. */
#ifndef APP_STATE_VIEW_STATE_H
#define APP_STATE_VIEW_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/analysis/constraints.h"
#include "app/analysis/observations.h"
#include "app/remarks.h"
#include "app/state/panes.h"
#include "base/str.h"

struct flow_name;

enum plot_zoom { ZOOM_AUTO, ZOOM_WHOLE, ZOOM_REGION };
enum plot_boxes { BOXES_INDEPENDENT, BOXES_BOTH, BOXES_NONE, PLOT_BOXES };
enum popup {
	POPUP_NONE, POPUP_HELP, POPUP_DOCTOR, POPUP_OUTPUT, POPUP_WITNESS, POPUP_WHENCE, POPUP_VARIANT, POPUP_PROMPT,
	POPUP_TRACEFS, POPUP_TEXT, POPUP_CONSTRAINT, POPUP_LOSS, POPUP_CERTIFICATE, POPUP_OBSERVATION, POPUP_COMPARE,
	POPUP_NOTES, POPUP_WRITE, POPUP_NODE, POPUP_BAR, POPUP_QUEUE, POPUP_SIMULATED,
	POPUP_KINDS
};
enum prompt { PROMPT_COMMAND, PROMPT_OPEN, PROMPT_FIND, PROMPT_FILTER, PROMPT_NOTE, PROMPT_KEEP };
enum write_item { WRITE_SCREEN, WRITE_REPORT, WRITE_SESSION, WRITE_ITEMS };
enum queue_sort { QUEUE_BY_LENGTH, QUEUE_BY_TREND, QUEUE_BY_PLACE, QUEUE_SORTS };
enum bar_sort { BAR_BY_WHOLE, BAR_BY_NAME, BAR_BY_PART, BAR_SORTS };

struct start_view {
	enum start_pane focus;
	int cursor[START_PANES];
};

/* The µDD's outline. */
struct tree_view {
	bool *folded; /* per outline row */
	size_t n;
};

/* Marked observations. */
struct marks {
	bool *on; /* per observation; a result with other observations keeps what it can */
	size_t n;
};

#define PLOT_SIDE SIZE_MAX

/* View 4. */
struct plot_view {
	size_t axis[2]; /* counters of the model on x and y, or PLOT_SIDE */
	bool chosen;    /* by the user; else the pair that shows most */
	int64_t *row;   /* the constraint that sides are of, over the model's counters; NULL: the observation's worst */
	bool equality;  /* that constraint is one */
	enum plot_zoom zoom;
	enum plot_boxes boxes;
};

/* Views 5 to 7. */
struct timeline_view {
	size_t snapshot;        /* the one that is shown */
	bool frozen;            /* it stays while new ones come */
	size_t compared;        /* TIMELINE_WHOLE: none */
	bool told_folds;        /* it was said that older snapshots are sums */
	bool told_failure;      /* it was said that a file cannot be read any more */
	bool turned;            /* view 5: responses, columns in reverse order */
	size_t module, owner, kind; /* the node under the cursor, and the kind of request; the culprit until … */
	bool chose_node;        /* … the user chose another */
	bool *unfolded;         /* per module: its owners stand one by one */
	struct flow_name *flow; /* the flow that is shown alone; NULL: all */
	bool whole, normalised, grouped; /* view 6: the whole run; all bars equally long; one bar a program */
	enum bar_sort bar_sort;
	enum queue_sort queue_sort; /* view 7 */
	bool chose_queue;       /* the user put the cursor on `queue_cell` */
	size_t queue_cell;      /* as timeline_cell() */
};

struct popup_state {
	enum popup kind;
	int cursor;     /* first row, or the chosen line */
	struct str text; /* POPUP_WITNESS, POPUP_TEXT: lines */
	char title[64];  /* … and their title */
};

struct prompt_state {
	enum prompt kind;
	struct str input;
	enum remark_on noting; /* PROMPT_NOTE: what the note is on … */
	char *noting_what;     /* … by its name in struct remark */
};

/* Questions that are asked once before something is lost. */
struct leaving {
	char *for_what;     /* what was to be opened in the place of things that no file holds; NULL */
	size_t of;          /* … of so many */
	bool warned;        /* the key before was q, which said that notes are in no file */
	bool asked_tracefs;
};

struct status_line {
	char text[240]; /* "": the state is shown */
	bool bad;
};

struct search_view {
	bool follows; /* the cursor goes to the model that was taken as soon as it has a row */
	bool all;     /* the list of models folds nothing */
};

struct view_state {
	enum view current;
	enum view came_from;                 /* Esc goes back there; VIEW_START: nowhere */
	enum pane_id last_focus[VIEW_COUNT]; /* of the views that are not shown */
	enum pane_id focus;                  /* the pane that the user chose; state_pane() is the one that has it */
	int cursor[PANE_COUNT];
	size_t selected;                     /* observation */
	size_t constraint;                   /* row of the constraints */
	bool chose_constraint;               /* the user did: a new result does not move the cursor to the worst one */
	enum constraint_sort constraint_sort;
	enum observation_sort observation_sort;
	char *filter[VIEW_COUNT];            /* NULL: none */
	char *find;                          /* what was searched last */
	int sample_column;                   /* first counter of the samples shown */
	struct marks marks;
	struct start_view start;
	struct tree_view tree;
	struct search_view search;
	struct plot_view plot;
	struct timeline_view timeline;
	struct popup_state popup;
	struct prompt_state prompt;
	struct leaving leaving;
	struct status_line message;
	bool motion;
	double now;                          /* seconds, set by the loop: drawing reads no clock */
	const char *program;                 /* "hecate 0.1.0" */
};

#endif
