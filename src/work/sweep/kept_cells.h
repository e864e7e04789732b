/* Cells that sweeps computed, in a session file: a row of its settings each, written when the cell became known. So a
 * sweep that ended in any way is continued by the next one. */
#ifndef WORK_SWEEP_KEPT_CELLS_H
#define WORK_SWEEP_KEPT_CELLS_H

#include <stdbool.h>

struct err;
struct kept_cells;
struct sweep_cell;

/* Opens the file, or makes it. NULL and *e on failure, as when another sweep writes it. */
struct kept_cells *kept_cells_open(const char *path, struct err *e);
void kept_cells_close(struct kept_cells *);

/* Fills an empty cell with what is kept under this key. False: nothing is. */
bool kept_cells_find(const struct kept_cells *, const char *key, struct sweep_cell *);
/* False and *e: it could not be written. */
bool kept_cells_add(struct kept_cells *, const char *key, struct sweep_cell *, struct err *e);

#endif
