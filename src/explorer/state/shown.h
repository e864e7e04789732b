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
	SHOWN_QUEUES, SHOWN_BARS, SHOWN_STALLS, SHOWN_PALETTE,
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
};

struct shown_lists {
	/* rises with each change of what lists are made of: answers, the outline and its folds, marks, events */
	uint64_t generation;
	struct shown_list {
		const struct shown_ops *ops; /* NULL: not made yet */
		void *row;
		size_t n;
		uint64_t stamp;
	} list[SHOWN_KINDS];
};

struct shown_lists *shown_new(void);
void shown_free(struct shown_lists *);

/* The rows of a list; the state keeps them. */
const void *state_shown(const struct state *, const struct shown_ops *, size_t *n);
size_t state_count_shown(const struct state *, const struct shown_ops *);

/* To be called after each change of what the generation stands for. */
void state_shown_changed(struct state *);

/* Is each list that counts as up to date equal to one made afresh? state_check() asks this. */
bool state_shown_holds(const struct state *);

/* Adds a number to a stamp; for the functions stamp() above. */
void shown_add(uint64_t *stamp, uint64_t number);

extern const struct shown_ops shown_tree, shown_constraints, shown_observations, shown_counters,
	shown_events, shown_queues, shown_bars, shown_stalls;

#endif
