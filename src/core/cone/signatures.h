/* The counter signatures of a diagram: how often each counter rises on a µpath, each distinct vector once.
 *
 * µpaths are never enumerated. The diagram is walked in topological order; each place keeps the distinct pairs of
 * (values of the properties still to be looked at, partial signature) with the number of µpaths that lead there as a
 * big integer, and a link back so that one µpath of each signature can be shown. Source: CounterPoint section 3
 * (signatures, counter flow equation). */
#ifndef CORE_CONE_SIGNATURES_H
#define CORE_CONE_SIGNATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diags;
struct udd_diagram;

#define SIGNATURES_MAX 200000
#define SIGNATURE_ENTRY_MAX (INT64_C(1) << 62)

struct signatures {
	size_t n_counters; /* the model's, in its order */
	/* distinct non-zero signatures, in a fixed order: by root of first µpath, then choice order */
	size_t n;
	int64_t *coef;     /* n × n_counters, row major */
	char **paths;      /* per signature: how many µpaths share it, decimal */
	char *total;       /* µpaths of all roots, those that raise nothing too; decimal */
	struct walk *walk; /* links back; private */
	/* Of a diagram with marks (udd_expand_marked()), else NULL and false: */
	/* per row: its µpaths pass a mark. A vector that some µpaths make with a mark and some without stands in two
	 * rows */
	bool *marked;
	bool zero_marked;  /* some µpath passes a mark and raises nothing */
};

/* NULL and diagnostics when the diagram has no µpath, too many signatures, a switch without a case for a value, or a
 * signature that breaks a sum which the model declares. */
struct signatures *signatures_new(const struct udd_diagram *, struct diags *);
void signatures_free(struct signatures *);

/* Enough of them to span the same cone: on the way what lies half-way between two others, with all that is still to
 * come the same, is left out where a step of one event shows it. That is a small part of them, in a small part of the
 * time. µpaths are not counted and cannot be shown: `paths`, `total` and `walk` are NULL. NULL and diagnostics as
 * signatures_new(), but that limits are reached later. */
struct signatures *signatures_spanning(const struct udd_diagram *, struct diags *);

/* Passes that are counted besides, each place as a counter behind the model's: of nodes, and of edges out of decisions.
 * A place may be passed at several of them. */
struct signature_places {
	size_t n;
	const uint32_t *of_node; /* per node: its place, or SIGNATURE_NO_PLACE; NULL: none has one */
	const uint32_t *of_edge;
};
#define SIGNATURE_NO_PLACE UINT32_MAX

/* The same with n_counters = the model's and places->n. Paths that pass a place have a signature then, though they
 * raise nothing. */
struct signatures *signatures_at(const struct udd_diagram *, const struct signature_places *, struct diags *);

/* Memory that they hold, links included. */
size_t signatures_bytes(const struct signatures *);

enum step_kind { STEP_ROOT, STEP_CHOICE, STEP_EVENT, STEP_COUNT, STEP_FORK, STEP_AND, STEP_JOIN, STEP_DONE };

struct step {
	enum step_kind kind;
	/* root, property ("" for choose and repeat), event, or counter; lives as long as the diagram's model */
	const char *name;
	const char *value; /* CHOICE: the value taken */
	uint32_t amount;   /* COUNT */
	uint32_t node;     /* in the diagram */
};

/* One µpath with the k-th signature. The diagram is the one signatures_new() was given. */
struct witness {
	struct step *step;
	size_t n;
	struct { size_t from, to; } *before; /* happens-before edges between steps */
	size_t n_before;
};

struct witness *signatures_witness(const struct signatures *, const struct udd_diagram *, size_t k);
void witness_free(struct witness *);

#endif
