/* The counter signatures of a diagram: how often each counter rises on a µpath, each distinct vector once.
 *
 * µpaths are never enumerated. The walk goes through the diagram in topological order. Each place keeps distinct pairs
 * of (values of properties that are still needed, partial signature). A pair holds the number of µpaths that lead
 * there, as a big integer. It also holds a link back, so that one µpath of each signature can be shown. Source:
 * CounterPoint section 3 (signatures, counter flow equation). */
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
	size_t n_counters; /* the model's counters, in its order */
	/* number of signatures, which are distinct and not zero, ordered by the root of their first µpath, then by the
	 * order of choices */
	size_t n;
	int64_t *coef;     /* n × n_counters, row major */
	char **paths;      /* per signature, the number of its µpaths, decimal */
	char *total;       /* number of µpaths of all roots, including those that raise no counter; decimal */
	struct walk *walk; /* links back; private */
	/* The next two are for a diagram with marks (udd_expand_marked()), otherwise NULL and false. */
	/* per signature: its µpaths pass a mark. If some µpaths of a vector pass a mark and others do not, the vector
	 * occurs twice. */
	bool *marked;
	bool zero_marked;  /* some µpath passes a mark and raises no counter */
};

/* All signatures of a diagram; free them with signatures_free(). Returns NULL and adds diagnostics if the diagram has
 * no µpath, when it has too many signatures, when a switch lacks a case for a value, or when a signature breaks a sum
 * that the model declares. */
struct signatures *signatures_new(const struct udd_diagram *, struct diags *);
void signatures_free(struct signatures *);

/* Returns enough signatures to span the same cone: a small part of all, in a small part of the time. During the walk, a
 * state is dropped if it lies half-way between two others with the same future, one event away from each. µpaths are
 * not counted and cannot be shown, so `paths`, `total` and `walk` are NULL. Errors are as for signatures_new(), but the
 * limits are reached later. */
struct signatures *signatures_spanning(const struct udd_diagram *, struct diags *);

/* Places whose passes are counted like events of additional counters: nodes, and edges out of decisions. Place i is
 * counter number model->n_counters + i. Several nodes and edges may belong to one place. */
struct signature_places {
	size_t n;
	const uint32_t *of_node; /* per node: its place, or SIGNATURE_NO_PLACE; NULL when no node has one */
	const uint32_t *of_edge;
};
#define SIGNATURE_NO_PLACE UINT32_MAX

/* Like signatures_new(), but n_counters is the model's number of counters plus places->n. So a path that passes a place
 * has a signature even if it raises no counter. */
struct signatures *signatures_at(const struct udd_diagram *, const struct signature_places *, struct diags *);

/* Memory of the signatures with their links, in bytes. */
size_t signatures_bytes(const struct signatures *);

/* Writes signatures_new()'s result as bytes, about a tenth of its memory; the caller frees them. signatures_unpack()
 * makes the same signatures again. */
char *signatures_pack(const struct signatures *, size_t *bytes);
struct signatures *signatures_unpack(const char *packed);

enum signature_step_kind { STEP_ROOT, STEP_CHOICE, STEP_EVENT, STEP_COUNT, STEP_FORK, STEP_AND, STEP_JOIN, STEP_DONE };

struct signature_step {
	enum signature_step_kind kind;
	/* root, property ("" for choose and repeat), event, or counter; lives as long as the diagram's model */
	const char *name;
	const char *value; /* CHOICE: the value taken */
	uint32_t amount;   /* COUNT */
	uint32_t node;     /* node in the diagram */
};

/* One µpath with signature number k; free it with signature_witness_free(). The diagram is that of
 * signatures_new(). */
struct signature_witness {
	struct signature_step *step;
	size_t n;
	struct { size_t from, to; } *before; /* happens-before edges between steps */
	size_t n_before;
};

struct signature_witness *signatures_witness(const struct signatures *, const struct udd_diagram *, size_t k);
void signature_witness_free(struct signature_witness *);

#endif
