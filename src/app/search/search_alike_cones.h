/* Numbers the cones of sets of features and remembers them by set; several threads may ask at once. Private to
 * app/search/search_alike*.c. */
#ifndef APP_SEARCH_SEARCH_ALIKE_CONES_H
#define APP_SEARCH_SEARCH_ALIKE_CONES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"
#include "core/udd/fset.h"

struct cones;
struct search_cones;
struct udd_model;

#define ALIKE_NO_CONE ((size_t)-1) /* the choice is not legal, or makes an error */

struct alike_cones {
	const struct udd_model *model;
	const bool *used;           /* per counter of the model: the cones are over it */
	struct fset all;            /* every feature */
	pthread_mutex_t lock;       /* protects the members below */
	struct search_cones *cones; /* borrowed: gives equal cones one number */
	struct names choices;       /* sets as text; cone[i] is the number of choice i's cone */
	size_t *cone, cap;
};

void alike_cones_init(struct alike_cones *, const struct udd_model *, const bool *used, struct search_cones *);
void alike_cones_free(struct alike_cones *);

/* Records the number of a set's cone. Call it before other threads ask, or with the lock held. */
void alike_cones_remember(struct alike_cones *, const struct fset *on, size_t cone);
/* Returns the number of a set's cone, ALIKE_NO_CONE where it has none. A set that is not recorded is made in `own`,
 * which belongs to the calling thread. */
size_t alike_cones_number(struct alike_cones *, struct cones *own, const struct fset *on);

#endif
