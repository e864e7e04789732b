/* A lesson that is played: its step, what the student did in it, and what it says now. It lies beside the views, whose
 * keys all work. What it waits for is asked of the state itself (work/lesson/judge.h). */
#ifndef EXPLORER_STATE_LESSON_PLAY_H
#define EXPLORER_STATE_LESSON_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lesson/lesson.h"
#include "core/udd/fset.h"
#include "explorer/state/action.h"
#include "work/lesson/answers.h"

struct diags;
struct state;

struct lesson_play {
	struct lesson *lesson;
	struct lesson_answers *answers;
	struct fset begin;         /* features that were on when the step was opened */
	bool used[ACTION_COUNT];   /* actions used in this step */
	const char *observe;       /* the observation to select once there is a result; NULL: none */
	size_t task, choice;       /* the choice (from 1; 0: none) that the engine judges now, and its task */
	uint64_t astray;           /* set of the step's wrong ways that the student is on */
	char *said;                /* what the lesson says to the latest answer; NULL: nothing */
	bool right;                /* that is praise */
	unsigned hints;            /* hints of this step that are shown */
	bool folded;               /* only a line of the lesson is shown */
	size_t was_done;           /* steps that were done when the lesson was opened; for the sentence at the end */
};

/* Begins a lesson, or goes on where its answers end. Takes both over. The model and the data are open. */
void state_lesson_begin(struct state *, struct lesson *, struct lesson_answers *);
void state_lesson_free(struct lesson_play *);

/* Looks whether what the step waits for is true now. Called after each action, and before each drawing. */
void state_lesson_look(struct state *);
void state_lesson_used(struct state *, enum action); /* an action was carried out */

/* Is this action of use? Those of a lesson are not while none is open. */
bool state_lesson_has(const struct state *, enum action);

/* Keys. */
void state_lesson_go(struct state *, int by);
void state_lesson_hint(struct state *);
void state_lesson_show(struct state *);   /* does what the next open task asks for */
void state_lesson_ask(struct state *);    /* opens the prompt for an answer */
void state_lesson_fold(struct state *);
void state_lesson_answer(struct state *, const char *text);
bool state_lesson_leave(struct state *);  /* false: no lesson is open */

const struct lesson_step *state_lesson_step(const struct state *);
const struct lesson_answer *state_lesson_answers(const struct state *); /* of this step */
/* The first task that is not done, and needs an answer if `asks`; n_tasks: none. */
size_t state_lesson_open_task(const struct state *, bool asks);
/* The step's task that asks for a model, done or not; NULL: none. */
const struct lesson_task *state_lesson_model_task(const struct state *);
/* The lesson says the first of the errors in that model, or `otherwise`. */
void state_lesson_say_errors(struct state *, const struct diags *, const char *otherwise);
void state_lesson_say(struct state *, bool right, const char *text); /* what the lesson says; NULL: nothing */
/* "answer, 1 to 4" for the prompt; the caller frees. */
char *state_lesson_question(const struct state *);

#endif
