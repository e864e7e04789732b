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

/* What a student did for a task: the choice (from 1), the number, the view's key, or the name of what was selected,
 * used or measured. */
struct lesson_given {
	char *answer;   /* NULL: the task is not done */
	char *features; /* what was on then: names with blanks between */
};

struct lesson_answer {
	bool done, shown;      /* all tasks are done; hecate did some of them (key X) */
	unsigned tries, hints; /* wrong answers; hints that were read */
	struct lesson_given given[LESSON_TASKS_MAX]; /* per task */
};

struct lesson_answers {
	char *lesson;
	size_t at;                  /* the step that is shown, from 0 */
	struct lesson_answer *step; /* n_steps */
	size_t n_steps;
};

struct lesson_answers *lesson_answers_new(const struct lesson *);
void lesson_answers_free(struct lesson_answers *);

/* Parse what lesson_answers_print() wrote, or a student edited: owns name and text. NULL after a diagnostic. */
struct lesson_answers *lesson_answers_parse(char *name, char *text, size_t n, struct diags *);
void lesson_answers_print(const struct lesson_answers *, struct str *out);

/* Reads the answers to a lesson; without a file, there are none yet. NULL and a message if they cannot be read. */
struct lesson_answers *lesson_answers_read(const struct lesson *, const char *path, struct err *e);
bool lesson_answers_write(const struct lesson_answers *, struct err *e);

/* "step 4 of 9", "done", or "" when nothing was answered; from the file of answers. The caller frees. */
char *lesson_progress_words(const struct lesson *);
size_t lesson_answers_done(const struct lesson_answers *); /* how many steps are done */

#endif
