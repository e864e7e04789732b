/* The places of a diagram where a counter could be put, and how often each µpath passes them. */
#ifndef WORK_SEARCH_PASSES_H
#define WORK_SEARCH_PASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"

struct diags;
struct str;
struct udd_diagram;

#define PASSES_ROWS_MAX 20000 /* largest number of distinct signatures with all places; with more, places are merged */

/* How finely places are separated: each call's copy of a statement, each statement, or each name. */
enum place_level { PLACE_COPY, PLACE_TEXT, PLACE_NAME };

struct passes_place {
	char *name;           /* "event sigbus", "Context = Nofault", "wherever MIN counts" */
	char *where;          /* "m.udd:12 in fault(Xur, Fu)"; "" for a name */
	enum place_level level;
	size_t text;          /* number of its position in the text, for a statement in one call */
	/* nodes before which a `count` would count the place, one for each position in the text */
	uint32_t *node;
	size_t n_nodes;
	bool whole;           /* a line of text for each of these nodes makes exactly this place */
	/* the counter of the model whose nodes are the place ("wherever MIN counts"); SIZE_MAX: it is another place */
	size_t counter;
	int64_t *passes;      /* per row: how often the µpaths of that signature pass */
};

struct passes {
	size_t n_rows, n_counters;
	/* distinct signatures with all places, but only the model's counters: n_rows × n_counters */
	int64_t *row;
	struct passes_place *place; /* names first, then positions in the text, then those in single calls */
	size_t n;
};

/* Finds the places and counts their passes. `skip`: a counter whose own nodes are not places; n_counters: none. NULL
 * and diagnostics when there are too many signatures. */
struct passes *passes_new(const struct udd_diagram *, size_t skip, struct diags *);
void passes_free(struct passes *);

#endif
