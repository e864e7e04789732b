/* The walk's memory behind a set of signatures: enough to show one µpath of each. Private to core/cone. */
#ifndef CORE_CONE_WALK_H
#define CORE_CONE_WALK_H

#include <stddef.h>
#include <stdint.h>

struct diags;
struct signatures;
struct str;
struct udd_diagram;
struct witness;

#define STATE_NONE UINT32_MAX

/* How one state at the entry of a block was reached first. */
struct state {
	uint32_t prev;  /* the state before; STATE_NONE at a root */
	uint32_t edge;  /* the edge that led here; at a root its number among the roots that are on */
	uint32_t value; /* the value taken on that edge when it is a switch's */
};

struct walk {
	struct state *state;
	size_t n, cap;
	uint32_t *last; /* per signature: the state from which a done node is reached */
};

void walk_free(struct walk *);
/* Forget the states that lead to none of the first `n_last` of `last`: usually nearly all. */
void walk_forget(struct walk *, size_t n_last);

/* The µpath from its root through `last`, up to the end of that block. */
struct witness *walk_trace(const struct walk *, const struct udd_diagram *, uint32_t last);
/* "Pde = Late, Size = 4k": the assignments on it, at most 20. */
void walk_assignments(const struct walk *, const struct udd_diagram *, uint32_t last, struct str *out);

#endif
