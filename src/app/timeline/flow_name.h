/* What a flow is called where observations are (docs/session-file.md, "Flows"), and the columns that tell it.
 *
 *     gcc-4711 CPU 3 → cxl      what task 4711 asked for from CPU 3 that module cxl of the network served
 *     gcc-4711 CPU 3            what it did there that tells no destination
 *     gcc-4711/57 CPU 3         another task that had the number later: the 57th that was told apart
 *     (nobody) (several) (others)   the special ones (core/network/flow.h)
 *
 * In a module's name what is no letter, digit, or one of _ $ . - is written as %XX, and so is a digit in front. Behind
 * it a table may have put "#2", where the name was taken. A task may be called anything; so names are read from their
 * end. */
#ifndef APP_TIMELINE_FLOW_NAME_H
#define APP_TIMELINE_FLOW_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "core/network/flow.h"

/* Columns, of increments. Counters stand behind the prefixes by their names in the network. */
#define FLOW_COLUMN_SNAPSHOTS "flow:snapshots" /* that were closed: each flow has it */
#define FLOW_COLUMN_RAN "flow:ran"             /* ns on the CPU; of flows without destination */
#define FLOW_COLUMN_LEFT "flow:left"           /* 1: the task went to another CPU for the first time, or ended */
#define FLOW_COLUMN_ENDED "flow:ended"         /* 1: the task ended */
/* 1: from then on it was one of the others; of these: how many that were never told apart */
#define FLOW_COLUMN_FOLDED "flow:folded"
#define FLOW_COLUMN_BACKWARDS "flow:backwards" /* of the others: times that any counter went back */
#define FLOW_COLUMN_COUNT "flow:count:"        /* what the counter rose by */
#define FLOW_COLUMN_LOST "flow:lost:"          /* snapshots in which it is not known by how much */

struct flow_name {
	enum flow_special special; /* FLOW_SPECIALS: of a task */
	char *task;                /* "gcc-4711" */
	int32_t tid;               /* 4711 */
	uint64_t life;             /* 57; 0: none is told */
	int cpu;
	char *module;              /* NULL: no destination */
};

/* The caller frees. */
char *flow_name_text(const struct flow_name *);

/* Fills *n, whose texts are the caller's: flow_name_free(). False, with nothing to be freed, for what is none. */
bool flow_name_parse(const char *text, struct flow_name *n);
void flow_name_free(struct flow_name *);

#endif
