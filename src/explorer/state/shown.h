/* The lists as shown: numbers of rows, filtered, sorted and unfolded. A list is made when it is first needed, and kept
 * in the state with a stamp of all that it depends on. Readers borrow it. It is made again when it is asked for after
 * something that it depends on has changed. */
#ifndef EXPLORER_STATE_SHOWN_H
#define EXPLORER_STATE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explorer/state/pane_ids.h"

struct state;

enum shown_kind {
	SHOWN_TREE, SHOWN_SEARCH, SHOWN_CONSTRAINTS, SHOWN_OBSERVATIONS, SHOWN_COUNTERS, SHOWN_EVENTS,
	SHOWN_QUEUES, SHOWN_BARS, SHOWN_STALLS, SHOWN_PALETTE, SHOWN_CATALOGUE, SHOWN_QUANTITIES,
	SHOWN_KINDS
};

/* How a list is made, and what it depends on in addition to the generation. */
struct shown_ops {
	enum shown_kind kind;
	enum view filter; /* the view whose filter applies; VIEW_START: none */
	size_t sort;      /* offset in struct state of the list's order, an enum; 0: it has none. If its view is in
	                   * view.columns.reversed, the list is reversed after it was made */
	/* adds everything else that the list depends on to the stamp; NULL: there is nothing else */
	void (*stamp)(const struct state *, uint64_t *stamp);
	void *(*make)(const struct state *, size_t *n);
	size_t size; /* size of a row */
	/* are two rows equal? NULL: compares their bytes */
	bool (*same)(const void *, const void *);
	/* what the row is about (state_follow.h), not 0. NULL: this list is not sorted by what grows */
	uint64_t (*thing)(const struct state *, const void *row);
};

/* What is under the cursors; state_follow.h says how it is used. 0: nothing, or unknown. */
struct things {
	uint64_t wanted[PANE_COUNT]; /* what the user put the cursor on; kept while the list is without it */
	uint64_t seen[PANE_COUNT];   /* what the last drawing, or the last action, left under the cursor */
	int at[PANE_COUNT];          /* where the cursors were then */
	double moved;                /* when the user last moved a cursor; 0: has done something else since */
};

/* A list keeps its order for so long after the user has moved a cursor. */
#define SHOWN_CALM_SECONDS 2.0

struct shown_lists {
	/* rises with each change of what lists are made of: answers, the outline and its folds, marks, events */
	uint64_t generation;
	struct shown_list {
		const struct shown_ops *ops; /* NULL: not made yet */
		void *row;
		uint64_t *thing; /* what each row is about; NULL: the list does not say */
		size_t n;
		uint64_t stamp, order; /* of all that it depends on; of what the user chose among that */
		bool kept;       /* in the order of the list before, though sorting would give another one */
	} list[SHOWN_KINDS];
	struct things things;
};

struct shown_lists *shown_new(void);
void shown_free(struct shown_lists *);

/* The rows of a list; the state keeps them. */
const void *state_shown(const struct state *, const struct shown_ops *, size_t *n);
size_t state_count_shown(const struct state *, const struct shown_ops *);
/* What a row is about; 0: there is no such row. */
uint64_t state_shown_thing(const struct state *, const struct shown_ops *, size_t row);
/* The user asks for something new, such as a run: cursors need not stay on what they are on. */
void state_want_nothing(struct state *);
/* When a list will be sorted again that keeps its order under a cursor that has just moved; INFINITY: none does. */
double state_shown_settles(const struct state *);
/* Parts of a thing: mixes a text, or a number, into it. Never 0. */
uint64_t thing_text(uint64_t thing, const char *text);
uint64_t thing_number(uint64_t thing, uint64_t number);

/* To be called after each change of what the generation stands for. */
void state_shown_changed(struct state *);

/* Is each list that counts as up to date equal to one made afresh? state_check() asks this. */
bool state_shown_holds(const struct state *);

/* Adds a number to a stamp; for the functions stamp() above. */
void shown_add(uint64_t *stamp, uint64_t number);

extern const struct shown_ops shown_tree, shown_constraints, shown_observations, shown_counters,
	shown_events, shown_queues, shown_bars, shown_stalls, shown_quantities;

#endif
