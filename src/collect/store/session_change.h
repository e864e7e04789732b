/* Changes rows that are in a session file already, because later rows showed that they need other units or columns.
 * Private to this folder. */
#ifndef COLLECT_STORE_SESSION_CHANGE_H
#define COLLECT_STORE_SESSION_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/store/session_file.h"

struct err;

/* Changes to all rows of an observation, applied in this order. */
struct session_change {
	int64_t observation;
	size_t columns;     /* number of columns of a row */
	const bool *forget; /* columns whose cells become not counted */
	/* power of ten by which counts are multiplied; below 0 they are divided, which must leave no remainder */
	int by;
	size_t more;        /* columns to add, not counted in any row */
};
bool session_change_rows(struct session_file *, const struct session_change *, struct err *e);

bool session_order_rows(struct session_file *, int64_t observation, enum session_order, struct err *e);

#endif
