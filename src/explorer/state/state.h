/* The explorer's state, in four parts with one writer each. Actions write the question and the view state, without a
 * screen. Control (explorer/control/) writes the data and hands in answers. Drawing only reads. */
#ifndef EXPLORER_STATE_STATE_H
#define EXPLORER_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "explorer/state/action.h"
#include "explorer/state/answers.h"
#include "explorer/state/data.h"
#include "explorer/state/question.h"
#include "explorer/state/requests.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/view_state.h"

struct column_facts;
struct constraint_row;
struct finding;
struct lesson_play;
struct obs;
struct shown_lists;
struct undo;

struct state {
	struct question question;
	struct data data;
	struct answers answers;
	struct view_state view;
	struct requests requests;
	struct shown_lists *shown;   /* the lists as shown (shown.h) */
	struct undo *undo;           /* what can be undone (state_undo.h) */
	struct lesson_play *lesson;  /* the lesson beside the views (lesson_play.h); NULL: none */
	const struct layout *layout; /* layout of the last drawing; ui owns it */
	/* set by the drawing code, see state_columns.h; NULL: no list has columns */
	bool (*column)(enum pane_id, size_t number, struct column_facts *);
};

static inline void
state_request(struct state *s, enum request_kind kind)
{
	requests_add(&s->requests, kind, 0, NULL);
}

void state_init(struct state *);
void state_free(struct state *);
void state_forget(struct state *); /* close what is open: model, data, answers and view state */

/* Opens a loaded model with the features `on`, in place of what was open. */
void state_set_model(struct state *, struct bundle *, struct udd_model *, const struct analysis_options *,
	const struct fset *);

/* Set the subject to run or watch, and how it is sampled. The state takes over the members of `subject`. */
void state_set_subject(struct state *, const struct subject *);
void state_set_command(struct state *, char **argv); /* replaces the command; takes argv over */
void state_set_sampling(struct state *, const struct sampling *);

/* Add one table of recorded data, or replace all recorded data. The state takes over the tables and the name. */
void state_add_recorded(struct state *, struct obs_table *);
void state_set_recorded(struct state *, struct obs_table **, size_t n, char *name);

/* Forgets the command or target, its output and messages, which mean nothing to another model, network or stack. */
void state_forget_subject(struct state *);

/* Frees all runs of the data, and ends those that still go on. Nothing else frees these runs. */
void state_forget_runs(struct state *);
void state_add_run(struct state *, struct run *); /* takes the run over; does nothing if the data already have it */
/* Sets which of the data's runs led the latest start. */
void state_set_leader(struct state *, struct run *);

/* The engine numbers the tables that are judged: the recorded ones first, then those of the runs in their order. */
size_t state_table_number(const struct state *, const struct run *);

/* The scope (action.h) that keys act in; 0 while a prompt takes them as text. */
uint64_t state_scope(const struct state *);

void state_act(struct state *, enum action);
void state_open_popup(struct state *, enum popup);
void state_close_popup(struct state *);
void state_ask_for_tracefs(struct state *); /* asks the user to mount tracefs, once per session */
/* Opens a popup, or if `something` is false only says that there is nothing to show. */
void state_open_about(struct state *, enum popup, bool something);
/* Opens a popup of lines of text: POPUP_TEXT or POPUP_WITNESS. */
void state_show_text(struct state *, enum popup, const char *title, const char *lines);
void state_open_prompt(struct state *, enum prompt, const char *text);
void state_input(struct state *, unsigned code_point); /* a character for the prompt */
enum prompt_key {
	PROMPT_ENTER, PROMPT_ESCAPE, PROMPT_ERASE, PROMPT_CLEAR, PROMPT_ERASE_WORD, PROMPT_DELETE,
	PROMPT_LEFT, PROMPT_RIGHT, PROMPT_HOME, PROMPT_END, PROMPT_UP, PROMPT_DOWN, PROMPT_COMPLETE
};
void state_prompt_key(struct state *, enum prompt_key);
/* Is the prompt on the status line (find, filter, the answer in a lesson)? */
bool state_prompt_is_line(const struct state *);
void state_prompt_begin(struct state *);  /* remembers what Esc brings back */
void state_prompt_forget(struct state *);
void state_prompt_paste(struct state *, bool begins); /* until it ends, what comes is text, never keys */

/* Switches to other features and requests their result. state_revert() goes back to those of the result shown. */
void state_switch_to(struct state *, const struct fset *);
void state_revert(struct state *);

/* Answers arrive; the state takes them over. */
void state_take_result(struct state *, struct result *);
void state_take_neighbours(struct state *, struct neighbours *);
void state_take_search(struct state *, struct search_graph *); /* what a search has found so far */
/* Merges searches over the same observations with the state's graph: findings older and newer than it. Either may be
 * NULL; the state takes both over. */
void state_join_search(struct state *, struct search_graph *older, struct search_graph *newer);
void state_take_late_search(struct state *, struct search_graph *); /* merges what a stopped search has found */

/* Returns the outline's rows that are not inside a folded row: a list as shown (shown.h). */
const size_t *state_tree_rows(const struct state *, size_t *n);

/* The finding under the cursor; NULL when there is none. */
const struct finding *state_finding(const struct state *);
/* The constraint under the cursor of view 2; NULL when there is none. */
const struct constraint_row *state_constraint(const struct state *);
/* Lists as shown: rows of answers.constraints, numbers of findings. */
const size_t *state_constraints(const struct state *, size_t *n);
const size_t *state_observations(const struct state *, size_t *n);
size_t state_count_marked(const struct state *);
/* The counters that key `x` offers, those of the constraint under the cursor first. A list as shown. */
const size_t *state_counters(const struct state *, size_t *n);
/* The detail that the screen needs next from the engine; DETAIL_NONE: none. */
struct detail state_next_detail(const struct state *);
bool state_wants_answer(const struct state *, struct detail); /* does the screen still need this detail? */
/* The engine has begun a result; later calls report its progress. */
void state_engine_asked(struct state *);
void state_engine_progress(struct state *, const char *stage, size_t done, size_t of);
void state_engine_busy(struct state *, bool);
void state_engine_log(struct state *, const char *line);
/* Records which detail the engine works on; DETAIL_NONE: none. */
void state_set_asked(struct state *, struct detail);
/* Records that the engine gave no answer about this detail. It is not asked for again with this result. */
void state_refuse(struct state *, struct detail);
void state_take_touch(struct state *, struct constraint_detail *);
void state_take_loss(struct state *, struct counter_loss *);
void state_take_geometry(struct state *, struct geometry *);
void state_take_witness(struct state *, size_t counter, char *lines);
/* Chooses a row of a pane, as the cursor or the mouse does. */
void state_choose(struct state *, enum pane_id, int row);
bool state_stale(const struct state *); /* is the result of other features than those that are on? */
/* Does an answer with this stamp belong to the result? */
bool state_is_current(const struct state *, const struct stamp *);

const struct remark *state_note_on(const struct state *, enum remark_on, const char *what);

/* Adds a verdict to the history. When it has VERDICT_POINTS_MOST points, every second one is dropped, and later points
 * are twice as far apart. */
#define VERDICT_POINTS_MOST 1024
void state_add_point(struct state *, const struct verdict_point *);
void state_forget_history(struct state *);

void state_say(struct state *, bool bad, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void state_say_nothing(struct state *);

/* Sets the time that drawing and actions use: clock_seconds(), read once per turn of the loop. */
void state_set_time(struct state *, double seconds);
/* False: nothing moves by itself (--no-motion). */
void state_set_motion(struct state *, bool);

/* The invariants of the state after every action and every answer. */

/* Ends the program with the name of an invariant that does not hold. Does nothing unless configured with
 * --enable-checks or --enable-sanitizers. */
#ifdef HECATE_CHECKS
void state_check(const struct state *);
#else
static inline void
state_check(const struct state *s)
{
	(void)s;
}
#endif

/* Keys of view 1 that concern the model: features, rows, variants. */

void state_toggle(struct state *);      /* switch the feature under the cursor, if the model allows it */
void state_ask_flow(struct state *);    /* ask for the flow through the feature, if the result has any */
void state_ask_witness(struct state *); /* ask for a µpath that raises the counter of the tree's row */
void state_offer_variants(struct state *);

void state_offer_themes(struct state *); /* opens the list of installed themes */
int state_count_themes(const struct state *); /* the list's rows */
void state_keep_theme(struct state *);     /* keeps the one under the cursor */
void state_set_theme(struct state *, const char *name);
/* Copies the name of the theme to draw in: the one under the cursor of that list, or the chosen one. */
#define THEME_NAME 64
void state_theme(const struct state *, char out[THEME_NAME]);

#endif
