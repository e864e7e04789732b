/* What the explorer knows, in four parts with one writer each. Actions write the question and the view here, without a
 * screen; control (app/control/) writes the data and hands in answers; drawing only reads. */
#ifndef APP_STATE_STATE_H
#define APP_STATE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/state/action.h"
#include "app/state/answers.h"
#include "app/state/data.h"
#include "app/state/layout.h"
#include "app/state/question.h"
#include "app/state/requests.h"
#include "app/state/view_state.h"
#include "base/err.h"

struct constraint_row;
struct finding;
struct obs;

struct state {
	struct question question;
	struct data data;
	struct answers answers;
	struct view_state view;
	struct requests requests;
	const struct layout *layout; /* of the last drawing; ui's */
};

static inline void
state_request(struct state *s, enum request_kind kind)
{
	requests_add(&s->requests, kind, 0, NULL);
}

void state_init(struct state *);
void state_free(struct state *);
void state_forget(struct state *); /* model, data, answers, what the user looks at: as if nothing had been opened */

/* Take a loaded model; features as chosen. Forgets the answers of the one before. */
void state_set_model(
	struct state *, struct bundle *, struct udd_model *, const struct analysis_options *, const struct fset *);

/* What is run or watched, and how. The state owns the parts of `subject` from here. */
void state_set_subject(struct state *, const struct subject *);
void state_set_command(struct state *, char **argv); /* in the place of the one before */
void state_set_sampling(struct state *, const struct sampling *);

/* Recorded data; the state owns tables and name from here. The second: all of it at once. */
void state_add_recorded(struct state *, struct obs_table *); /* the state owns it from here */
void state_set_recorded(struct state *, struct obs_table **, size_t n, char *name);

/* Where keys go now: a scope of action.h; 0 while a prompt takes them as text. */
uint64_t state_scope(const struct state *);

void state_act(struct state *, enum action);
void state_open_popup(struct state *, enum popup);
void state_close_popup(struct state *);
void state_ask_for_tracefs(struct state *); /* once per session */
/* Open a popup of lines of text: POPUP_TEXT or POPUP_WITNESS. */
void state_show_text(struct state *, enum popup, const char *title, const char *lines);
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
/* Searches over the same observations join the one that is known: as older, or as newer findings. Either may be NULL;
 * the state owns both from here. */
void state_join_search(struct state *, struct search_graph *older, struct search_graph *newer);
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
/* What the engine is to be asked next for what is on the screen; DETAIL_NONE: nothing. */
struct detail state_next_detail(const struct state *);
bool state_wants_answer(const struct state *, struct detail); /* it is still of use */
/* The engine works on a result; a later progress report says how far it is. */
void state_engine_asked(struct state *);
void state_engine_progress(struct state *, const char *stage, size_t done, size_t of);
void state_engine_busy(struct state *, bool);
void state_engine_log(struct state *, const char *line);
/* The detail that the engine is asked now; DETAIL_NONE: none. */
void state_set_asked(struct state *, struct detail);
/* There will be no answer: what was asked is not asked again for this result. */
void state_refuse(struct state *, struct detail);
void state_take_touch(struct state *, struct touch *);
void state_take_loss(struct state *, struct loss *);
void state_take_geometry(struct state *, struct geometry *);
void state_take_witness(struct state *, size_t counter, char *lines);
/* A row of a list, or of a pane of text, was chosen: by the cursor or by the mouse. */
void state_choose(struct state *, enum pane_id, int row);
/* Show the observation in view 3; Esc comes back. */
void state_jump(struct state *, size_t finding);
bool state_stale(const struct state *); /* the result is not of the features that are on */
/* Does an answer with this stamp belong to the result? */
bool state_is_current(const struct state *, const struct stamp *);

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

/* Remember a verdict on the samples so far. When there are VERDICT_POINTS_MOST, every second goes, and from then on
 * they stand twice as far apart. */
#define VERDICT_POINTS_MOST 1024
void state_add_point(struct state *, const struct verdict_point *);
void state_forget_history(struct state *);

void state_say(struct state *, bool bad, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void state_say_nothing(struct state *);

/* The time that drawing and actions go by: clock_seconds(), read once per turn of the loop. */
void state_set_time(struct state *, double seconds);
/* False: nothing moves by itself (--no-motion). */
void state_set_motion(struct state *, bool);

/* The compiler demo's command line, or the best substitute here; the caller frees. */
char *state_demo_command(void);

#endif
