/* Sets of features as users write them. */
#ifndef SIM_FEATURES_H
#define SIM_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* The features of a machine. Sets have bit 1 << number. */
struct sim_features {
	const char *machine; /* its name */
	const char *const *name;
	size_t n;          /* at least 2 */
	uint32_t has, may; /* what it usually has; what it may have */
};

/* Reads "none", "all", "A,B", or changes of what the machine has, "-A,+B". False and *e on a mistake. */
bool sim_features_parse(const struct sim_features *, const char *text, uint32_t *out, struct err *e);

#endif
