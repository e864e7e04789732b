/* Lists to choose a model from: the variants of the model and the other models of the session file (key v), and the
 * models that have the counters of data that were opened without one. */
#ifndef EXPLORER_STATE_STATE_TEXTS_H
#define EXPLORER_STATE_STATE_TEXTS_H

#include <stddef.h>

struct obs_table;
struct openables;
struct session_text;
struct state;

/* Sets what the session file holds; takes the list over. */
void state_set_texts(struct state *, struct session_text *, size_t n);

/* Rows of the list: first the variants, then the texts of the file if there are several. */
size_t state_choices(const struct state *);
size_t state_variants(const struct state *);
/* The text of a row; NULL: it is a variant. */
const struct session_text *state_choice(const struct state *, size_t row);
void state_show_choices(struct state *);
void state_take_choice(struct state *);

/* Asks for a model to judge the table by, which the state takes over, with the path. */
void state_ask_for_model(struct state *, struct obs_table *, char *path);
void state_forget_waiting(struct state *);
/* The names that the prompt completes. */
struct openables *state_offered(struct state *);

#endif
