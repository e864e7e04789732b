/* Lessons and their files, by name: where they are installed, what they open, and where a student's answers are kept.
 */
#ifndef WORK_LESSON_LESSON_FILES_H
#define WORK_LESSON_LESSON_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/lesson/lesson.h"

struct err;

/* Reads a lesson: a file, or an installed name. On failure returns NULL; either the diagnostics or *e have the reason.
 */
struct lesson *lesson_load(const char *arg, struct diags *, struct err *e);
char **lesson_names(void); /* installed lessons, sorted; free with str_split_free() */
/* Reads the private cases of a file in the same way. */
struct lesson_cases *lesson_cases_load(const char *path, struct diags *, struct err *e);

/* Returns the path of a file that a lesson, or a file of cases, names: the one beside it if there is one, else the name
 * itself. The caller frees it. */
char *lesson_beside(const struct source *, const char *name);

/* Returns where the answers of a lesson are kept; NULL: there is no place. `make`: the folder is made. */
char *lesson_answers_path(const char *lesson, bool make);
/* Returns where the model is that a student writes in a lesson: beside the answers. */
char *lesson_model_path(const struct lesson *, const char *file, bool make);
/* Puts the models that the student is to write there, as the lesson brings them, unless they are there. */
bool lesson_model_place(const struct lesson *, struct err *e);
/* True if the student writes this file. */
bool lesson_is_written(const struct lesson *, const char *file);

#endif
