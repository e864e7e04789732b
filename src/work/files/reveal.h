/* The truth about observations of a simulated machine: which features it had, and how often each acted. It is stored
 * next to the samples in the session file. No analysis reads it, only tests and hecate sim --reveal.
 *
 * For a secret machine only a seal is stored: a number computed from the features and a salt. It cannot be read, only
 * compared with the seals of all sets of features. */
#ifndef WORK_FILES_REVEAL_H
#define WORK_FILES_REVEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "work/files/simulation.h"

struct err;
struct recording;

/* Writes simulated observations with their truth to a session file; for a secret machine, with its seal made of this
 * salt. Either all or nothing is written. */
bool reveal_keep(struct recording *, const struct simulated *, const struct simulate *, uint64_t salt, struct err *e);

/* Returns a random subset of `pool`: each feature with probability 1/2, determined by the seed. */
sim_plants reveal_draw(sim_plants pool, uint64_t seed);
/* Returns a seed that differs each time. */
uint64_t reveal_chance(void);

/* The machine of some observations. */
struct reveal_truth {
	char *machine;     /* the simulation as the user wrote it */
	sim_plants plants;
	bool sealed;       /* features found by trying all seals */
	size_t observations;
};

/* Reads the machines of a session file; equal features make one machine. False and *e: the file cannot be read, has no
 * truth, or has a seal that no set of features has. The caller frees the array with reveal_free(). */
bool reveal_read(const char *path, struct reveal_truth **, size_t *n, struct err *e);
void reveal_free(struct reveal_truth *, size_t n);

#endif
