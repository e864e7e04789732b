/* How the walk reached its states: enough to show one µpath of each signature. Private to core/cone. */
#ifndef CORE_CONE_WALK_H
#define CORE_CONE_WALK_H

#include <stddef.h>
#include <stdint.h>

struct diags;
struct signatures;
struct str;
struct udd_diagram;
struct signature_witness;

#define STATE_NONE UINT32_MAX

/* How the entry of a block was first reached in some state. */
struct walk_state {
	uint32_t prev;  /* the previous state; STATE_NONE at a root */
	uint32_t edge;  /* the edge that led here; at a root, the root's number among the roots that are on */
	uint32_t value; /* the value taken, if the edge is one of a switch */
};

struct walk {
	struct walk_state *state;
	size_t n, cap;
	uint32_t *last; /* per signature, the state from which a done node is reached */
};

void walk_free(struct walk *);
/* Forgets the states that lead to none of the first `n_last` states of `last`. These are usually nearly all states. */
void walk_forget(struct walk *, size_t n_last);

/* Writes the assignments on the µpath through state `last`, at most 20 of them: "Pde = Late, Size = 4k". */
void walk_assignments(const struct walk *, const struct udd_diagram *, uint32_t last, struct str *out);

#endif
