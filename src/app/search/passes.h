/* The places of a diagram where a counter could stand, and how often each µpath passes them. */
#ifndef APP_SEARCH_PASSES_H
#define APP_SEARCH_PASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

struct diags;
struct str;
struct udd_diagram;

#define PASSES_ROWS_MAX 20000 /* distinct signatures with all places; beyond, places are told apart less finely */

/* How finely places are told apart: each call's copy of a statement, statements, or names alone. */
enum place_level { PLACE_COPY, PLACE_TEXT, PLACE_NAME };

struct passes_place {
	char *name;           /* "event sigbus", "Context = Nofault", "wherever MIN counts" */
	char *where;          /* "m.udd:12 in fault(Xur, Fu)"; "" for a name as such */
	enum place_level level;
	size_t text;          /* of one call: number of its place of the text */
	/* nodes that a statement could be put in front of to count there; one for each place of the text */
	uint32_t *node;
	size_t n_nodes;
	bool whole;           /* those nodes are all of it: a line of text for each does it */
	size_t counter;       /* it is wherever this counter of the model counts; SIZE_MAX: not that */
	int64_t *passes;      /* per row */
};

struct passes {
	size_t n_rows, n_counters;
	/* distinct signatures with all places, over the model's counters alone: n_rows × n_counters */
	int64_t *row;
	struct passes_place *place; /* names first, then places of the text, then those of single calls */
	size_t n;
};

/* `skip`: a counter whose own nodes are no places; n_counters: none. NULL and diagnostics when there are too many
 * signatures. */
struct passes *passes_new(const struct udd_diagram *, size_t skip, struct diags *);
void passes_free(struct passes *);

#endif
