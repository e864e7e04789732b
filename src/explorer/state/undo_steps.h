/* The steps that can be undone or done again: features, pins, phases, orders, columns, filters, marks, events of the
 * next run, notes, and searches. The user's choices are compared before and after each action, and what differs becomes
 * a step. So an action that changes one of them can be undone without a word about it in its own code. Runs and written
 * files are no choices.
 *
 * A step has the bytes of each part of the choices that it changed, before and after:
 *
 *     done                          undone
 *     step  step  step   ◀─ U ─    step  step
 *                 ▲       ─ C-r ▶  ▲
 *                 last             next
 *
 * The graph of searches is large, so no action is compared by it. It is written into a step only when a search begins,
 * and then the step holds the one graph that is not shown: undo and redo exchange the two. */
#ifndef EXPLORER_STATE_UNDO_STEPS_H
#define EXPLORER_STATE_UNDO_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "core/udd/fset.h"
#include "explorer/state/undo_parts.h"
#include "shape/wire.h"

struct state;

/* The oldest steps are forgotten beyond so many, and beyond so many bytes in all. */
#define UNDO_STEPS 256
#define UNDO_BYTES (4u << 20)

/* A graph that is not shown. */
struct kept_graph {
	bool kept;                /* false: the step is not about the graph */
	struct wire bytes;        /* empty: there was no graph */
	uint64_t data;            /* as in struct search_answers */
	struct fset proposed_for;
};

struct step {
	bool changed[UNDO_PARTS];
	struct str before[UNDO_PARTS], after[UNDO_PARTS]; /* of the parts that changed */
	struct kept_graph graph;
	size_t models; /* number of the graph's models before */
};

struct undo {
	struct step *step[UNDO_STEPS]; /* oldest first: those that are done, then those that were undone */
	size_t n, done;
	size_t bytes;
	int depth;            /* pairs of begin and end that are open */
	bool waits;           /* a prompt is open: `now` is from before it */
	bool quiet;           /* what happens now makes no step */
	struct step *now;     /* the choices before the present action; only its `before` is set */
};

struct undo *undo_new(void);
void undo_free(struct undo *);

/* Around whatever a key or the mouse does. They may be nested; a step is what the outermost pair encloses. While a
 * prompt is open, the step waits for its end. */
void state_undo_begin(struct state *);
void state_undo_end(struct state *);

/* To be called before a search replaces the graph or merges its own with it: undo will bring this one back. Outside
 * of an action it makes a step of its own. */
void state_undo_keep_graph(struct state *);

void state_undo_forget(struct state *); /* forgets all steps: they are about what is being closed */

/* Why nothing can be undone or redone, as a sentence; NULL: something can. */
const char *state_undo_reason(const struct state *);
const char *state_redo_reason(const struct state *);

/* For state_undo.c. */
size_t undo_step_bytes(const struct step *);
void undo_write_graph(const struct state *, struct kept_graph *);

#endif
