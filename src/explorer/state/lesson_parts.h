/* What the files of the lesson share. */
#ifndef EXPLORER_STATE_LESSON_PARTS_H
#define EXPLORER_STATE_LESSON_PARTS_H

#include "explorer/state/lesson_play.h"
#include "work/lesson/judge.h"

/* The screen as a lesson's rules see it; valid until the state changes. */
struct lesson_world lesson_world_of(const struct state *);
/* The task is done, by this answer. */
void lesson_take(struct state *, size_t task, const char *answer);
void lesson_refuse(struct state *, const char *why); /* a wrong answer */

#endif
