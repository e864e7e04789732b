/* The file fdl.counters: the events of counters in FDL files whose names are no events. Private to
 * convert/fdl.
 *
 * 	counter page_walker_loads = "page_walker_loads.dtlb_l1", "page_walker_loads.dtlb_l2";
 * 		a counter of FDL that is the sum of two events
 * 	counter load.ret = "mem_uops_retired.all_loads";
 * 		a name that data may have for an event
 *
 * The rows are items of the µDD language. Every row serves both purposes: a name of an FDL file is looked up on the
 * left, an event on the right. */
#ifndef CONVERT_FDL_TABLE_H
#define CONVERT_FDL_TABLE_H

#include <stddef.h>

#include "core/udd/ast.h"

struct arena;
struct diags;
struct udd_loader;

struct fdl_table;

/* Reads the table for a model at `from` through the loader. NULL when there is none, or when it has errors. */
struct fdl_table *fdl_table_load(const char *from, const struct udd_loader *, struct diags *);
void fdl_table_free(struct fdl_table *);

/* The events of a counter: those that the table lists for it, or one with its own name. Each comes with its other
 * names. In the arena. */
struct udd_event_word *fdl_table_events(const struct fdl_table *, const struct udd_word *counter, struct arena *,
	size_t *n);

#endif
