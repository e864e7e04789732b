/* Rows of a session file that are changed after they were written: what came later said more of them. Private to this
 * folder. */
#ifndef COLLECT_STORE_SESSION_CHANGE_H
#define COLLECT_STORE_SESSION_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/store/session_file.h"

struct err;

/* Of all rows of an observation, in this order. */
struct session_change {
	int64_t observation;
	size_t columns;     /* that a row has */
	const bool *forget; /* columns: no cell of it is counted */
	/* counts are in units that are 10^by times smaller; below 0: larger, and they are multiples of these */
	int by;
	size_t more;        /* columns that are added, and that no row counted */
};
bool session_change_rows(struct session_file *, const struct session_change *, struct err *e);

bool session_order_rows(struct session_file *, int64_t observation, enum session_order, struct err *e);

#endif
