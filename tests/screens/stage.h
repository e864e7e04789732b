/* States for tests of screens, and the comparison of drawings with the files in expect/. */
#ifndef TESTS_SCREENS_STAGE_H
#define TESTS_SCREENS_STAGE_H

#include <stdbool.h>

#include "explorer/state/state.h"

struct contest;
struct drawn;
struct grid;

/* A machine and installed models that are the same everywhere. */
void stage_machine(struct doctor *);
void stage_models(struct state *);

/* csv: a file of expect/, or NULL; exact: its rows are exact totals. */
void stage_open(struct state *, const char *model, const char *features, const char *csv, bool exact);

/* Opens a network, a stack, or both, by installed names or files below tests/; NULL: none. `data`: files below tests/,
 * NULL-terminated; NULL: none. Stays in tests/. */
void stage_open_timeline(struct state *, const char *net, const char *stack, const char *const *data);

/* Books are empty, but for a made page of the data's processor: the first event of the comma-separated list has the
 * letters hpEFD, the second U, the third none and varies in nothing. */
void stage_trust(struct state *, const char *events);

/* A comparison of A and B by made runs in one fixed order, AB BA BA AB (not `drawn`: all of A first); every 23rd waits
 * for a CPU. `drift` of all times from the first to the last. */
struct contest *stage_contest(size_t runs, bool drawn, double drift);

void stage_close(struct state *); /* frees the state, after its control and engine */

/* Lets control and its engine process answer, as in the explorer: a result for the features that are on, with the
 * effect of each feature; details that the screen requests; a whole search. Other requests in the state are carried
 * out, too. */
void stage_compute(struct state *);
void stage_answer(struct state *);
void stage_search(struct state *, enum search_task);

/* The grid as a file of expect/ has it; the caller frees. First its text, with a "|" at the end of each row. After the
 * line "roles" come the rows that have more than plain text. "ROW:" gives each cell's foreground role below its column:
 *
 *   t text     d dim         f frame       a accent     p q r s  path 1 to 4
 *   v feasible i infeasible  b borderline  u undecided  h        hot          a capital is bold
 *
 * "ROW+" gives their other attributes, as a hexadecimal digit that is the sum of
 * 1 background of the selection, 2 underlined, 4 reversed, 8 dim. */
char *stage_text(const struct grid *);

/* Compares text and roles of what is drawn with the file in expect/. HECATE_UPDATE=1 writes the file instead. */
void stage_compare(const struct state *, const char *name, int w, int h, bool ascii);
void stage_every_size(const struct state *, const char *name);

/* Draws as the explorer does: the layout is kept, and keys use it. */
void stage_look(struct state *, struct grid *, struct drawn *kept);
/* The same at this size, without the drawing. */
void stage_show(struct state *, int w, int h);

/* Says whether a next run that counts this event would fit: waits for the answer. */
void stage_fit(struct state *, const char *event);

/* Arranges the columns of a list as a text of the session file does, of names that all exist. */
void stage_arrange(struct state *, const char *text);

/* Does an action several times. */
void stage_press(struct state *, enum action, int times);

#endif
