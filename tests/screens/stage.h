/* Sessions for the tests of screens, and the comparison of what is drawn with the files in expect/. */
#ifndef TESTS_SCREENS_STAGE_H
#define TESTS_SCREENS_STAGE_H

#include <stdbool.h>

#include "app/state/state.h"

struct drawn;
struct grid;

/* A machine and installed models that are the same everywhere. */
void stage_machine(struct doctor *);
void stage_models(struct state *);

/* csv: a file of expect/, or NULL; exact: its rows are exact totals. */
void stage_open(struct state *, const char *model, const char *features, const char *csv, bool exact);

void stage_close(struct state *); /* frees the state, after the control and the engine that it has had */

/* Control and its engine process answer, as in the explorer: a result for the features that are on, with what each
 * feature would change; all that the screen asks for beside it; a whole search. Other requests that wait in the state
 * are carried out too. */
void stage_compute(struct state *);
void stage_answer(struct state *);
void stage_search(struct state *, enum search_task);

/* The grid as a file of expect/ has it; the caller frees. First its text, each row ended by "|". After the line "roles"
 * follow the rows that have other than plain text. "ROW:" gives each cell's foreground role under its column:
 *
 *   t text     d dim         f frame       a accent     p q r s  path 1 to 4
 *   v feasible x infeasible  b borderline  u undecided  h        hot          a capital is bold
 *
 * "ROW+" gives what cells have beside it, as a hexadecimal digit that adds up
 * 1 select background, 2 underlined, 4 reversed, 8 dim. */
char *stage_text(const struct grid *);

/* Compares text and roles of what is drawn with the file in expect/. HECATE_UPDATE=1 writes the file instead. */
void stage_compare(const struct state *, const char *name, int w, int h, bool ascii);
void stage_every_size(const struct state *, const char *name);

/* Draw as the explorer does: the layout is kept, and keys go by it. */
void stage_look(struct state *, struct grid *, struct drawn *kept);

#endif
