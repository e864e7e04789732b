/* How observations of flows are named (docs/session-file.md, "Flows"), and the names of their columns.
 *
 *     gcc-4711 CPU 3 → cxl      requests of task 4711 on CPU 3 that module cxl of the network served
 *     gcc-4711 CPU 3            its events there that have no known destination
 *     gcc-4711/57 CPU 3         a later task with the same number: the 57th task that was seen
 *     (nobody) (several) (others)   special flows (core/network/flow.h)
 *
 * In a module's name, letters, digits and _ $ . - are written as they are, everything else as %XX, and so is a leading
 * digit. A table appends "#2" to a name that is taken. A task's name may hold any characters, so names are parsed from
 * their end. */
#ifndef WORK_TIMELINE_FLOW_NAME_H
#define WORK_TIMELINE_FLOW_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "core/network/flow.h"

/* Columns hold increments. A counter's column is a prefix and the counter's name in the network. */
#define FLOW_COLUMN_SNAPSHOTS "flow:snapshots" /* snapshots that were closed; every flow has this column */
#define FLOW_COLUMN_RAN "flow:ran"             /* ns on the CPU; only flows without a destination */
#define FLOW_COLUMN_LEFT "flow:left"           /* times that the task left the CPU, for another one or as it ended */
#define FLOW_COLUMN_RETURNED "flow:returned"   /* times that it came back */
#define FLOW_COLUMN_ENDED "flow:ended"         /* 1: the task ended */
/* 1: from this row on the flow counts among (others); in the flow (others): number of flows that were never kept
 * apart */
#define FLOW_COLUMN_FOLDED "flow:folded"
#define FLOW_COLUMN_BACKWARDS "flow:backwards" /* only (others): times that any counter went backwards */
#define FLOW_COLUMN_COUNT "flow:count:"        /* increment of the counter */
#define FLOW_COLUMN_LOST "flow:lost:"          /* snapshots in which the increment is unknown */

struct flow_name {
	enum flow_special special; /* FLOW_SPECIALS: a task's flow */
	char *task;                /* "gcc-4711" */
	int32_t tid;               /* 4711 */
	uint64_t life;             /* 57; 0: the name has none */
	int cpu;
	char *module;              /* NULL: no destination */
};

/* Returns the name as text; the caller frees it. */
char *flow_name_text(const struct flow_name *);

/* Parses a flow's name. On success the texts of *n belong to the caller, who calls flow_name_free(). False for text
 * that is no flow's name; then there is nothing to free. */
bool flow_name_parse(const char *text, struct flow_name *n);
void flow_name_free(struct flow_name *);

#endif
