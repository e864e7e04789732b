/* What a page fault costs on this machine (core/tasktime/fault_cost.h): measured, and kept in
 * $XDG_CACHE_HOME/hecate (or ~/.cache/hecate) for the runs after that. It is measured anew if the file is of an earlier
 * start of the machine, of another user or damaged, and if pages take a different time now. */
#ifndef COLLECT_HOST_FAULT_KEEP_H
#define COLLECT_HOST_FAULT_KEEP_H

#include <stdbool.h>

#include "core/tasktime/fault_cost.h"

/* Finds the cost: from $HECATE_FAULT_COST, which tests set ("TOUCH SPREAD SERVICE UNRECORDED EXCEPTION" in ns, or
 * "none"); from the file, if a brief measurement (1 ms) agrees; or by measuring, which takes some 10 ms. Returns
 * false if it cannot be measured here. A file that cannot be written is no failure. */
bool fault_keep_find(struct fault_cost *);

#endif
