/* The models of a folder (convert/fdl/fdl.h) are alternatives: features of which exactly one is on. */
#ifndef CORE_UDD_ALTERNATIVES_H
#define CORE_UDD_ALTERNATIVES_H

#include <stdbool.h>
#include <stddef.h>

struct fset;
struct udd_model;

/* Is the model a folder of models? Then feature i is its i-th path, too. */
bool udd_has_alternatives(const struct udd_model *);

/* Switches a feature on or off. An alternative takes the place of the one that is on. */
void udd_flip(const struct udd_model *, struct fset *on, size_t feature);

#endif
