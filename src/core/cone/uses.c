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
assign(struct uses *uses, const struct signatures *sig, const struct signatures *marked)
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
		uses->of[k] = use[ways[k]];
	free(entry);
	free(ways);
}

/* A signature that the model without the feature makes too may have come about without the feature. */
static void
compare_without(struct uses *uses, const struct udd_model *model, const struct signatures *sig)
{
	struct diags ignored = {0};
	struct udd_diagram *diagram = udd_expand(model, &uses->off, &ignored);
	struct signatures *without = diagram ? signatures_new(diagram, &ignored) : NULL;

	if (without) {
		struct entry *entry = sorted_entries(without);

		for (size_t k = 0; k < sig->n; k++)
			if (uses->of[k] == USE_ALWAYS &&
				uses_find(entry, without->n, sig->coef + k * sig->n_counters, sig->n_counters))
				uses->of[k] = USE_SOMETIMES;
		free(entry);
	}
	signatures_free(without);
	udd_diagram_free(diagram);
	diags_free(&ignored);
}

struct uses *
uses_new(const struct udd_model *model, const struct signatures *sig, const struct fset *on, size_t feature,
	struct diags *diags)
{
	struct uses *uses = mem_new(sizeof *uses);
	struct udd_diagram *diagram;
	struct signatures *marked = NULL;

	uses->feature = feature;
	uses->off = udd_without(model, on, feature);
	uses->n = sig->n;
	uses->of = mem_new_array(sig->n, sizeof *uses->of);
	diagram = udd_expand_marked(model, on, &uses->off, diags);
	if (diagram)
		marked = signatures_new(diagram, diags);
	if (marked) {
		assign(uses, sig, marked);
		compare_without(uses, model, sig);
		uses->unseen = marked->zero_marked;
	} else {
		uses_free(uses);
		uses = NULL;
	}
	signatures_free(marked);
	udd_diagram_free(diagram);
	return uses;
}

void
uses_free(struct uses *u)
{
	if (!u)
		return;
	free(u->of);
	free(u);
}
