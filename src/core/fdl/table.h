/* The file fdl.counters: what stands for the counters of FDL files, where their names do not say it. Private to
 * core/fdl.
 *
 *	counter page_walker_loads = "page_walker_loads.dtlb_l1", "page_walker_loads.dtlb_l2";
 *		a counter of FDL that is the sum of two events
 *	counter load.ret = "mem_uops_retired.all_loads";
 *		a name that data may have for an event
 *
 * Items of the µDD language. Either kind of row is both: names of FDL files are looked up on the left, events on
 * the right. */
#ifndef CORE_FDL_TABLE_H
#define CORE_FDL_TABLE_H

#include <stddef.h>

#include "core/udd/ast.h"

struct arena;
struct diags;
struct udd_loader;

struct fdl_table;

/* As the loader has it for a model at `from`; NULL where there is none, or where it has errors. */
struct fdl_table *fdl_table_load(const char *from, const struct udd_loader *, struct diags *);
void fdl_table_free(struct fdl_table *);

/* The events of a counter: those that the table has for it, else one of its own name; with the other names of
 * each. In the arena. */
struct udd_event_word *fdl_table_events(const struct fdl_table *, const struct udd_word *counter, struct arena *,
	size_t *n);

/* Other names of one event, as udd_event.also. */
const char *const *fdl_table_names(const struct fdl_table *, const char *event, struct arena *);

#endif
