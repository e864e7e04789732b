/* Lists to choose a model from: the variants of the model and the other models of the session file (key v), and the
 * models that have the counters of data that were opened without one. */
#ifndef EXPLORER_STATE_STATE_TEXTS_H
#define EXPLORER_STATE_STATE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/counters/text_kind.h"

struct obs_table;
struct openables;
struct session_text;
struct state;

/* Sets what the session file holds; takes the list over. */
void state_set_texts(struct state *, struct session_text *, size_t n);

/* Rows of the list: first the variants, then the texts of the file if there are several. */
size_t state_choices(const struct state *);
size_t state_variants(const struct state *);
/* A text of the file, as struct session_text has it. */
struct session_choice {
	const char *name, *added;
	enum text_kind kind;
	bool shown; /* it is what is open */
	size_t judged, infeasible, undecided;
};
/* False: the row is a variant. */
bool state_choice(const struct state *, size_t row, struct session_choice *out);
void state_show_choices(struct state *);
void state_take_choice(struct state *);

/* Asks for a model to judge the table by, which the state takes over, with the path. */
void state_ask_for_model(struct state *, struct obs_table *, char *path);
void state_forget_waiting(struct state *);
/* The names that the prompt completes. */
struct openables *state_offered(struct state *);

#endif
