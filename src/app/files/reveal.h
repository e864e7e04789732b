/* The truth of observations of a simulated machine: which features it had, and what each did. It stands beside the
 * samples in the session file, and no analysis reads it: only tests and hecate sim --reveal do.
 *
 * Of a secret machine nothing is written but a seal: a number that is made of the features and of a salt. It cannot be
 * read, only compared with the seals of all sets of features. */
#ifndef APP_FILES_REVEAL_H
#define APP_FILES_REVEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/files/simulation.h"

struct err;
struct recording;

/* Into a session file: what was simulated, and the truth of it; of a secret machine its seal, with this salt. All of it
 * or nothing. */
bool reveal_keep(struct recording *, const struct simulated *, const struct simulate *, uint64_t salt, struct err *e);

/* A set drawn of the features in `pool`: each with the same chance. The same for a seed. */
sim_plants reveal_draw(sim_plants pool, uint64_t seed);
/* A seed of the moment. */
uint64_t reveal_chance(void);

/* What a file says. */
struct truth {
	char *machine;     /* as the simulation was asked for it */
	sim_plants plants;
	bool sealed;       /* they had to be found by their seal */
	size_t observations;
};

/* The machines of a session file: those with the same features are one. False and *e: it cannot be read, holds no
 * truth, or a seal that no set of features has. The caller frees the array by reveal_free(). */
bool reveal_read(const char *path, struct truth **, size_t *n, struct err *e);
void reveal_free(struct truth *, size_t n);

#endif
