/* Everything the explorer shows and remembers: the model, the data, what the engine said, where the cursor is. Actions
 * change it here, without a screen; what the outside world must do (ask the engine, start the command, leave) is left
 * as a wish in `want`, which the loop fulfils. Drawing only reads it. */
#ifndef APP_STATE_STATE_H
#define APP_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/action.h"
#include "app/analysis/analysis.h"
#include "app/analysis/constraints.h"
#include "app/analysis/observations.h"
#include "app/analysis/result.h"
#include "app/files/files.h"
#include "app/files/texts.h"
#include "app/machine.h"
#include "app/remarks.h"
#include "app/search/search_graph.h"
#include "base/err.h"
#include "base/str.h"
#include "collect/rotation.h"
#include "core/udd/fset.h"

struct flow_name;
struct flow_watch;
struct geometry;
struct live;
struct loss;
struct net_stall_rows;
struct timeline;
struct timeline_bars;
struct timeline_flows;
struct timeline_history;
struct timeline_analysis;
struct obs;
struct obs_table;
struct search_graph;
struct source_target;
struct profile_spec;
struct spec_run;
struct tasktime_run;
struct touch;
struct udd_model;
struct udd_outline;

enum view {
	VIEW_START, VIEW_MODELS, VIEW_CONSTRAINTS, VIEW_OBSERVATIONS, VIEW_GEOMETRY, VIEW_PATHS, VIEW_STALLS,
	VIEW_QUEUES, VIEW_COUNT
};
/* View by view; a pane's scope (app/action.h) is 1 << its number. */
enum pane_id {
	PANE_FEATURES, PANE_TREE, PANE_WHY, PANE_OBSERVATIONS, PANE_SEARCH, PANE_WITNESS, PANE_SELECTED,
	PANE_CONSTRAINTS, PANE_TOUCHED, PANE_BROKEN, PANE_MATRIX,
	PANE_LIST, PANE_OBSERVED, PANE_SAMPLES,
	PANE_PLOT, PANE_LEGEND, PANE_WHOLE,
	PANE_NETWORK, PANE_PATH_MAP, PANE_NODE, PANE_SNAPSHOTS, PANE_FLOWS,
	PANE_BARS, PANE_COMPONENTS, PANE_METHODS,
	PANE_QUEUES, PANE_LENGTHS, PANE_QUEUE,
	PANE_COUNT
};
enum plot_zoom { ZOOM_AUTO, ZOOM_WHOLE, ZOOM_REGION };
enum plot_boxes { BOXES_INDEPENDENT, BOXES_BOTH, BOXES_NONE, PLOT_BOXES };
enum start_pane { START_MENU, START_MEASURE, START_MODELS, START_PANES };
enum popup {
	POPUP_NONE, POPUP_HELP, POPUP_DOCTOR, POPUP_OUTPUT, POPUP_WITNESS, POPUP_WHENCE, POPUP_VARIANT, POPUP_PROMPT,
	POPUP_TRACEFS, POPUP_TEXT, POPUP_CONSTRAINT, POPUP_LOSS, POPUP_CERTIFICATE, POPUP_OBSERVATION, POPUP_COMPARE,
	POPUP_NOTES, POPUP_WRITE, POPUP_NODE, POPUP_BAR, POPUP_QUEUE, POPUP_SIMULATED
};
enum prompt { PROMPT_COMMAND, PROMPT_OPEN, PROMPT_FIND, PROMPT_FILTER, PROMPT_NOTE, PROMPT_KEEP };
enum write_item { WRITE_SCREEN, WRITE_REPORT, WRITE_SESSION, WRITE_ITEMS };

/* The start screen's lines. */
enum start_item {
	START_DEMO, START_PATHS, START_TASKS, START_SIMULATED, START_HASWELL, START_OPEN, START_DOCTOR, START_ITEMS
};

/* The verdict on the samples so far. */
struct live_point {
	double seconds;                /* since the start */
	size_t samples;
	enum verdict_kind verdict;
	double distance2, threshold2;  /* NAN: none */
};

/* What the engine is asked beside results, because a pane or popup wants to show it. */
enum question_kind { QUESTION_NONE, QUESTION_TOUCH, QUESTION_LOSS, QUESTION_GEOMETRY, QUESTION_WITNESS };
struct question {
	enum question_kind kind;
	size_t index;          /* row of session.constraints, counter, or finding */
};

#define PLOT_SIDE SIZE_MAX

/* What must be done outside the session: app/control/control.h and the loop see to it. */
struct state_wants {
	bool engine, stop, command, kill, quit, redraw, write, report, theme, mount, load;
	char *keep;            /* keep the session in a new file of this name from now on */
	uint32_t witness;      /* counter number + 1 */
	size_t flow;           /* feature number + 1, for the selected observation */
	enum search_task search; /* once the engine has nothing else to do */
	char *open;            /* load this model, network or stack */
	bool demo;             /* … and ask for a command at once */
	bool simulate;         /* … and watch a simulated machine at once */
	bool again;            /* the run that is under way ends, and the command, which is another one now, begins */
};

#define GRAPH_SAMPLES_UNKNOWN SIZE_MAX

enum queue_sort { QUEUE_BY_LENGTH, QUEUE_BY_TREND, QUEUE_BY_PLACE, QUEUE_SORTS };
enum bar_sort { BAR_BY_WHOLE, BAR_BY_NAME, BAR_BY_PART, BAR_SORTS };

/* What views 5 to 7 show and remember (session_profile.h). Looks and bars are made before drawing, when the moment has
 * changed, and only what the view shows. */
struct timeline_screen {
	struct timeline *data;          /* NULL: neither network nor stack */
	struct text network_text, *stack_text; /* as they were read; a text per stack */
	struct timeline_analysis *look;     /* of `moment`; NULL: there is nothing */
	struct timeline_analysis *before;   /* of the moment before it, of the same observation; NULL */
	struct timeline_analysis *other;    /* of `compared`; NULL */
	/* bars by each stack, of the moment or of the whole run; of `compared`; NULL */
	struct timeline_bars **by, **other_by;
	struct timeline_bars *bars, *other_bars; /* … by the chosen one; NULL */
	struct net_stall_rows *rows;   /* the look's stalls by who waits; NULL */
	struct net_stall_rows *other_rows;
	const struct timeline_history *history; /* up to the moment; the data's */
	size_t moment;                 /* what is shown */
	bool told_folds, told_failure; /* that older ones are sums was said; that a file cannot be read any more */
	unsigned due; /* … and which of the above are still of another moment: state_timeline_show() */
	bool frozen;                   /* … stays while new ones come */
	size_t compared;               /* TIMELINE_WHOLE: nothing */
	bool turned;                   /* view 5: responses, columns in reverse order */
	size_t module, owner,
		kind; /* … the node under the cursor, and which of its kinds is spoken of; the culprit, until … */
	bool chose_node;               /* … the user chose another */
	bool *unfolded;                /* … per module: its owners stand one by one */
	unsigned short *carried; /* … owners of modules, then kinds: the most that they ever had of their stage, in
				    thousandths; NULL: nothing is known */
	size_t n_carried;
	struct timeline_flows *flows;   /* … flows of the moment (session_flows.h); NULL: its run has none */
	struct flow_name *flow;        /* … the one that is shown alone; NULL: all */
	struct timeline_analysis *flow_look, *flow_before, *flow_other; /* … look, before and other of that one */
	int network_w, network_h;      /* … cells of the picture: set by the last drawing */
	bool whole, normalised, grouped; /* view 6: the whole run; all bars equally long; one bar a program */
	enum bar_sort bar_sort;
	enum queue_sort queue_sort;    /* view 7 */
	bool chose_queue;              /* … the user put the cursor on one: */
	size_t queue_cell;             /* … this, as timeline_cell() */
};

struct simulation;

struct state {
	/* The question. */
	struct bundle bundle;
	struct udd_model *model;       /* NULL: the start screen only */
	struct analysis_options how;
	struct fset on;                /* as the switches stand; the result may be older */
	struct udd_outline *outline;   /* of `on` */
	/* The data. */
	struct obs_table **table;      /* recorded, in the order of the arguments */
	size_t n_tables;
	char *data_name;               /* "gcc-28.csv", "gcc -O2 -c x.c" */
	/* The command. */
	char **argv;                   /* NULL-terminated; NULL: none */
	/* the machine that argv is (app/state/state_sim.h), as POPUP_SIMULATED shows it; NULL: not asked for yet */
	struct simulation *simulated;
	struct source_target *target;  /* what runs already and is watched; used while argv is NULL; ids owned */
	/* whose programs are run while argv is NULL; NULL: none. A target of CPUs is watched meanwhile */
	struct profile_spec *spec;
	char *spec_file;               /* … where it came from */
	unsigned interval_ms;          /* of samples; 0: exact totals only */
	size_t samples;                /* the watching ends after so many; 0: it is ended by hand */
	double duration;               /* … or seconds */
	enum rotation_how rotation;    /* as in struct source_spec */
	bool rotation_said;
	struct live *live;             /* its observations stand behind the recorded tables */
	/* the time of tasks, a run each, their tables behind that; the last one may run */
	struct tasktime_run **stalls;
	size_t n_stalls;
	struct spec_run **specified;   /* runs of a specification, their tables behind that; the last one may run */
	size_t n_specified;
	bool follows_flows;            /* of a network: what each task does, too (app/control/control_flows.h) */
	struct flow_watch **flows;     /* … a watch for each run, the last one may go on */
	size_t n_flows;
	bool had_run;
	/* of the command that runs: per counter of the model, now and then; NULL: none */
	long long *so_far;
	bool *counted;
	struct str output;             /* what it printed lately */
	size_t output_total;           /* bytes printed in all */
	struct live_point *history;    /* verdicts while samples come in, of the command that runs or ran last */
	size_t n_history, cap_history;
	char *history_of;              /* the name of their observation; NULL */
	double history_step;           /* seconds between two of them at least, so that a long run has room */
	struct str run_notes;          /* what could not be counted and why */
	/* The answer. */
	struct result *result;         /* NULL: none yet */
	struct neighbours *neighbours; /* of that result; NULL: none yet */
	struct constraint_table *constraints; /* that result as view 2 shows it; NULL: none */
	struct touch **touch;          /* per row of `constraints`: NULL until it was asked about */
	struct loss **loss;            /* per counter, likewise */
	struct geometry *geometry;     /* of one finding; NULL: none yet */
	bool old_geometry;             /* … of the result before */
	/* pane "Signature witness": a µpath that raises `witness_of`; NULL: not asked yet */
	char *witness;
	size_t witness_of;
	struct fset witness_on;
	struct question asked;         /* the engine is at it */
	double asked_since;
	struct fset before;            /* what `result` was, while a newer one is on its way: the same as result->on */
	/* the engine works on new samples of the same question: nothing that a user waits for */
	bool refreshing;
	bool busy;                     /* the engine works on what the user asked */
	char stage[24];
	size_t done, of;
	double busy_since;
	struct str log;                /* what the engine's libraries printed, and its restarts */
	/* What the user wrote, and where all this is kept (app/autosave/autosave.h sees to it). */
	struct remarks remarks;
	enum remark_on noting;         /* what the prompt for a note is about … */
	char *noting_what;             /* … by its name in struct remark */
	char *kept_in;                 /* session file; NULL: none */
	double kept_at;                /* when it was brought up to date last; 0: not yet */
	bool not_kept;                 /* the last attempt failed: it is tried again */
	char *asked_to_leave;          /* what was to be opened in the place of things that no file holds; NULL */
	size_t asked_for;              /* … of so many */
	bool warned;                   /* the key before was q, which said that notes are in no file */
	/* The search (session_search.h). */
	/* every model that was judged on this data: by a search, or because the user chose it; NULL: none yet */
	struct search_graph *graph;
	bool old_graph;                /* the data have grown since */
	size_t graph_samples; /* … from so many; GRAPH_SAMPLES_UNKNOWN: it came from a file, and the next result says */
	enum search_task searching;    /* the engine is at it */
	double search_since;
	struct fset search_now;        /* the model that it judged last */
	struct fset pinned;            /* features that a search leaves as they are */
	struct fset proposed_for;      /* the graph's proposal, and its words, are about these features */
	/* the cursor of the search goes to the model that was taken as soon as it has a row */
	bool search_follows;
	bool graph_all;                /* the list of models folds nothing */
	struct timeline_screen run;     /* views 5 to 7 */
	/* This machine. */
	struct doctor doctor;
	bool asked_tracefs;            /* once is enough */
	/* What the user looks at. */
	enum view view;
	enum view came_from;              /* Esc goes back there; VIEW_START: nowhere */
	enum pane_id view_focus[VIEW_COUNT]; /* of the views that are not shown */
	enum pane_id focus;               /* as the user chose it */
	enum pane_id shown;               /* the pane that has it on this screen size: set by the last drawing */
	enum start_pane start_focus;
	int cursor[PANE_COUNT];
	int start_cursor[START_PANES];
	bool start_models;             /* the pane of models has room: set by the last drawing */
	char **known;                  /* names of installed models, NULL-terminated */
	char **known_text;             /* … and what each says of itself */
	bool *folded;                  /* per outline row */
	size_t n_folded;
	size_t selected;               /* observation */
	size_t constraint;             /* row of `constraints` */
	bool chose_constraint;         /* the user did: a new result does not move the cursor to what is worst */
	bool *marked;                  /* per observation; other numbers of observations keep what they can */
	size_t n_marked;               /* entries of it */
	enum constraint_sort constraint_sort;
	enum observation_sort observation_sort;
	char *filter[VIEW_COUNT];      /* NULL: none */
	int sample_column;             /* first counter of the samples shown */
	size_t plot[2];                /* view 4: counters of the model on its x and y axis, or PLOT_SIDE */
	bool chose_plot;               /* the user did; else it is the pair that shows most */
	/* the constraint that sides are of, over the model's counters; NULL: the observation's worst */
	int64_t *plot_row;
	bool plot_equality;
	enum plot_zoom zoom, shown_zoom; /* as chosen; as it comes to: WHOLE or REGION, set by the last drawing */
	enum plot_boxes boxes;
	enum popup popup;
	int popup_cursor;              /* first row, or the chosen line */
	enum prompt prompt;
	struct str input;              /* the prompt's text */
	char *find;                    /* what was searched last */
	struct str text;               /* POPUP_WITNESS, POPUP_TEXT: lines */
	char title[64];                /* … and its title */
	int page;                      /* rows a page moves: set by the last drawing */
	int rows[PANE_COUNT];         /* of panes of text, how far they scroll: set by the last drawing */
	int why_rows, popup_rows;      /* how far they scroll: set by the last drawing */
	int visible;                   /* bit per pane: set by the last drawing */
	char message[240];             /* the status line's finding; "" shows the state */
	bool message_bad;
	bool motion;
	double now;                    /* seconds, set by the loop: drawing reads no clock */
	const char *program;           /* "hecate 0.1.0" */
	struct state_wants want;
};

void state_init(struct state *);
void state_free(struct state *);
void state_forget(struct state *); /* model, data, answers, what the user looks at: as if nothing had been opened */

/* Take a loaded model; features as chosen. Forgets the answers of the one before. */
void state_set_model(
	struct state *, struct bundle *, struct udd_model *, const struct analysis_options *, const struct fset *);

/* Where keys go now: a scope of action.h; 0 while a prompt takes them as text. */
int state_scope(const struct state *);

void state_act(struct state *, enum action);
void state_open_popup(struct state *, enum popup);
void state_open_prompt(struct state *, enum prompt, const char *text);
void state_input(struct state *, unsigned code_point); /* a character for the prompt */
enum prompt_key { PROMPT_ENTER, PROMPT_ESCAPE, PROMPT_ERASE, PROMPT_CLEAR };
void state_prompt_key(struct state *, enum prompt_key);

/* Other features: the engine is to be asked. Then, if it did not answer, back to the features that the shown result is
 * about. */
void state_switch_to(struct state *, const struct fset *);
void state_revert(struct state *);

/* Answers arrive; the session owns them from here. */
void state_take_result(struct state *, struct result *);
void state_take_neighbours(struct state *, struct neighbours *);
void state_take_search(struct state *, struct search_graph *); /* what a search has found so far, or in all */
void state_take_late_search(struct state *, struct search_graph *); /* … one that was stopped */

/* Rows of the tree that are not inside a folded one; the caller frees. */
size_t *state_tree_rows(const struct state *, size_t *n);

/* The finding under the cursor; NULL when there is none. */
const struct finding *state_finding(const struct state *);
/* The constraint under the cursor of view 2; NULL when there is none. */
const struct constraint_row *state_constraint(const struct state *);
/* Lists as they are shown: rows of `constraints`, numbers of findings. The caller frees. */
size_t *state_constraints(const struct state *, size_t *n);
size_t *state_observations(const struct state *, size_t *n);
/* The samples behind a finding; NULL when they are not here any more. */
const struct obs *state_samples(const struct state *, const struct finding *, const struct obs_table **table);
size_t state_count_marked(const struct state *);
/* The counters that `x` offers: those of the constraint under the cursor first. The caller frees. */
size_t *state_counters(const struct state *, size_t *n);
/* What the engine is to be asked next for what is on the screen; QUESTION_NONE: nothing. */
struct question state_question(const struct state *);
bool state_wants_answer(const struct state *, struct question); /* it is still of use */
/* There will be no answer: what was asked is not asked again for this result. */
void state_refuse(struct state *, struct question);
void state_take_touch(struct state *, struct touch *);
void state_take_loss(struct state *, struct loss *);
void state_take_geometry(struct state *, struct geometry *);
void state_take_witness(struct state *, size_t counter, char *lines);
/* A row of a list, or of a pane of text, was chosen: by the cursor or by the mouse. */
void state_choose(struct state *, enum pane_id, int row);
/* Show the observation in view 3; Esc comes back. */
void state_jump(struct state *, size_t finding);
bool state_stale(const struct state *); /* the result is not of `on` */

/* What a note would be on now: what the cursor is on. The caller frees *what. False where there is nothing. */
bool state_note_subject(const struct state *, enum remark_on *, char **what);
const struct remark *state_note_on(const struct state *, enum remark_on, const char *what);

/* Is something counted or recorded now; and for how long, or how long it took last. */
bool state_running(const struct state *);
double state_run_seconds(const struct state *);

/* How often what runs is looked at, in seconds: `asked`, and what is kept under its limits. INFINITY, INFINITY: once,
 * at its end. */
void state_interval(const struct state *, double *asked, double *kept);

/* Is there a command or something else to watch? What it is called: "gcc", "java-4711"; "" for none. */
bool state_has_subject(const struct state *);
const char *state_subject(const struct state *);

/* Remember a verdict on the samples so far. When there are HISTORY_MOST, every second goes, and from then on they stand
 * twice as far apart. */
#define HISTORY_MOST 1024
void state_add_point(struct state *, const struct live_point *);
void state_forget_history(struct state *);

void state_say(struct state *, bool bad, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The compiler demo's command line, or the best substitute here; the caller frees. */
char *state_demo_command(void);

#endif
