/* A student's answers to a lesson: what was done in each step, and how the screen was then, so that everything can be
 * judged again. They are a text (docs/lessons.md) that is written whole. */
#ifndef WORK_LESSON_ANSWERS_H
#define WORK_LESSON_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "core/lesson/lesson.h"

struct diags;
struct err;

struct lesson_answer {
	bool done, shown;            /* all tasks are done; hecate did some of them (key S) */
	unsigned tries, hints;       /* wrong answers; hints that were read */
	char *given[LESSON_TASKS_MAX]; /* per task: the choice (from 1) or the number; "yes": it is done; NULL: it is not */
	/* when the last task was done: the view's key, the observation, features, actions and probes, each separated by a
	 * blank; NULL: none */
	int view;
	char *observation, *features, *actions, *probes;
};

struct lesson_answers {
	char *lesson;
	size_t at;                  /* the step that is shown, from 0 */
	struct lesson_answer *step; /* n_steps */
	size_t n_steps;
};

struct lesson_answers *lesson_answers_new(const struct lesson *);
void lesson_answers_free(struct lesson_answers *);
void lesson_answer_clear(struct lesson_answer *);

/* Parse what lesson_answers_print() wrote, or a student edited: owns name and text. NULL after a diagnostic. */
struct lesson_answers *lesson_answers_parse(char *name, char *text, size_t n, struct diags *);
void lesson_answers_print(const struct lesson_answers *, struct str *out);

/* Reads the answers to a lesson; without a file, there are none yet. NULL and a message if they cannot be read. */
struct lesson_answers *lesson_answers_read(const struct lesson *, const char *path, struct err *e);
bool lesson_answers_write(const struct lesson_answers *, struct err *e);

size_t lesson_answers_done(const struct lesson_answers *); /* how many steps are done */

#endif
