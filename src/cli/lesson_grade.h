/* The grade of one student's answers to a lesson. */
#ifndef CLI_LESSON_GRADE_H
#define CLI_LESSON_GRADE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/lesson_args.h"
#include "work/lesson/answers.h"

struct grade_step {
	unsigned points, of;
	unsigned tries, hints;
	bool shown;
};

struct grade {
	const char *path;         /* the answers, or a model; not owned */
	struct grade_step *step;  /* one for each step of the lesson */
	bool *held;               /* one for each private case */
	unsigned points, of;
};

/* Judges a file of answers, or a model that the lesson asks for. Nothing that the file claims counts: the engine judges
 * it again. `cases`: NULL for none. Returns false after a message if the file cannot be read. */
bool lesson_grade(const struct lesson *, struct lesson_bench *, const struct lesson_cases *, const char *path,
	struct grade *out);
void lesson_grade_clear(struct grade *);

#endif
