/* The parts of the reader of FDL files. Private to convert/fdl. */
#ifndef CONVERT_FDL_PARTS_H
#define CONVERT_FDL_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/ast.h"

struct arena;
struct diags;
struct fdl_table;
struct source;
struct udd_loader;

/* The part of m4 that .fdlm4 files use: ifdef with quoted arguments. Private to convert/fdl. */

/* The text as m4 -D NAME … would leave it, but with blanks in place of all removed text, so that every byte stays at
 * its offset. The definitions are NAME or NAME=VALUE. n + 1 bytes; the caller frees. NULL and a diagnostic for
 * everything else that m4 would do: calls of other macros, words that m4 replaces, quotes elsewhere. */
char *fdl_m4(const struct source *, const char *const *define, size_t n, struct diags *);

/* The fault of a definition, as a sentence; NULL if there is none. */
const char *fdl_define_fault(const char *define);

/* X.json next to X.fdlm4 or X.fdl: what the authors of a model say about it outside of its flow. Private to
 * convert/fdl.
 *
 * There are two forms. CounterPoint's authors write {"name": …, "features": [ … ]}. A fork of theirs, whose models
 * describe gem5, binds each counter to a statistic of the simulator. Each form has exactly its keys, each once. Any
 * other key is an error, as it is for the authors' readers. */

struct fdl_binding {
	const char *counter, *stat;
	uint32_t at, len; /* of the counter's key */
};

struct fdl_sidecar {
	const char *name;             /* "m4"; in the other form, the model_id */
	const char **feature;         /* tags; none in the other form */
	size_t n_features;
	bool binds;                   /* it has the form that binds counters */
	struct fdl_binding *binding;
	size_t n_bindings;
};

/* Reads a sidecar. `model` is the model's file without folders; the second form must name it. Everything lives in the
 * arena. False after errors. */
bool fdl_sidecar_read(const struct source *, const char *model, struct arena *, struct diags *, struct fdl_sidecar *);

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

/* Reads the table for a model at `from` through the loader. NULL when there is none, or when it has errors. */
struct fdl_table *fdl_table_load(const char *from, const struct udd_loader *, struct diags *);
void fdl_table_free(struct fdl_table *);

/* The events of a counter: those that the table lists for it, or one with its own name. Each comes with its other
 * names. In the arena. */
struct udd_event_word *fdl_table_events(const struct fdl_table *, const struct udd_word *counter, struct arena *,
	size_t *n);
/* What the counter counts: the text of its row, or of a row that has it as its only event; "" without. */
const char *fdl_table_text(const struct fdl_table *, const char *counter, struct arena *);

#endif
