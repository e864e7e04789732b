#include "core/cone/uses.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

/* The rows of both walks, by content. */
struct entry {
	const int64_t *coef;
	size_t n_counters;
	size_t row;
};

static int
uses_compare(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;

	return memcmp(a->coef, b->coef, a->n_counters * sizeof *a->coef);
}

static struct entry *
sorted_entries(const struct signatures *sig)
{
	struct entry *entry = mem_new_array(sig->n, sizeof *entry);

	for (size_t k = 0; k < sig->n; k++)
		entry[k] = (struct entry){sig->coef + k * sig->n_counters, sig->n_counters, k};
	if (sig->n)
		qsort(entry, sig->n, sizeof *entry, uses_compare);
	return entry;
}

static const struct entry *
uses_find(const struct entry *entry, size_t n, const int64_t *coef, size_t n_counters)
{
	struct entry key = {coef, n_counters, 0};

	return n ? bsearch(&key, entry, n, sizeof *entry, uses_compare) : NULL;
}

/* The walk with marks finds the same signatures; those that are made both with and without a mark appear twice. */
static void
assign(struct uses *u, const struct signatures *sig, const struct signatures *marked)
{
	struct entry *entry = sorted_entries(sig);
	/* per signature, bits: 1 is made without a mark, 2 is made with one */
	unsigned char *ways = mem_new_array(sig->n, sizeof *ways);
	static const unsigned char use[] = {USE_NEVER, USE_NEVER, USE_ALWAYS, USE_SOMETIMES};

	for (size_t k = 0; k < marked->n; k++) {
		const struct entry *e = uses_find(entry, sig->n, marked->coef + k * sig->n_counters, sig->n_counters);

		if (!e)
			panic("a walk with marks found a signature that the one without did not");
		ways[e->row] |= marked->marked[k] ? 2 : 1;
	}
	for (size_t k = 0; k < sig->n; k++)
		u->of[k] = use[ways[k]];
	free(entry);
	free(ways);
}

/* A signature that the model without the feature makes too may have come about without the feature. */
static void
compare_without(struct uses *u, const struct udd_model *m, const struct signatures *sig)
{
	struct diags ignored = {0};
	struct udd_diagram *g = udd_expand(m, &u->off, &ignored);
	struct signatures *without = g ? signatures_new(g, &ignored) : NULL;

	if (without) {
		struct entry *entry = sorted_entries(without);

		for (size_t k = 0; k < sig->n; k++)
			if (u->of[k] == USE_ALWAYS &&
				uses_find(entry, without->n, sig->coef + k * sig->n_counters, sig->n_counters))
				u->of[k] = USE_SOMETIMES;
		free(entry);
	}
	signatures_free(without);
	udd_diagram_free(g);
	diags_free(&ignored);
}

struct uses *
uses_new(
	const struct udd_model *m, const struct signatures *sig, const struct fset *on, size_t feature, struct diags *d)
{
	struct uses *u = mem_new(sizeof *u);
	struct udd_diagram *g;
	struct signatures *marked = NULL;

	u->feature = feature;
	u->off = udd_without(m, on, feature);
	u->n = sig->n;
	u->of = mem_new_array(sig->n, sizeof *u->of);
	g = udd_expand_marked(m, on, &u->off, d);
	if (g)
		marked = signatures_new(g, d);
	if (marked) {
		assign(u, sig, marked);
		compare_without(u, m, sig);
		u->unseen = marked->zero_marked;
	} else {
		uses_free(u);
		u = NULL;
	}
	signatures_free(marked);
	udd_diagram_free(g);
	return u;
}

void
uses_free(struct uses *u)
{
	if (!u)
		return;
	free(u->of);
	free(u);
}
