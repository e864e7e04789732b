/* What rows.c keeps of far rows. For core/obs only. */
#ifndef CORE_OBS_SHELF_H
#define CORE_OBS_SHELF_H

#include <stddef.h>

struct obs_shelf;

void obs_shelf_free(struct obs_shelf *);
size_t obs_block_rows(size_t n_columns);

#endif
