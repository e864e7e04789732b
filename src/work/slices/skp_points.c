/* Key points of all clusters together, and the probes that measure what they depend on. */
#include "work/slices/skp.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/stack/stack.h"

static void
add_weight(struct skp_weight *w, size_t *n, size_t part, double share)
{
	size_t i = 0;

	while (i < *n && w[i].part != part)
		i++;
	if (i == *n)
		w[(*n)++] = (struct skp_weight){.part = part};
	w[i].share += share;
}

static void
add_cluster(const struct skp *k, const struct skp_round *r, const struct skp_cluster *c, struct skp_weight *w,
	size_t *n)
{
	for (size_t i = 0; i < c->n_keys; i++)
		add_weight(w, n, r->part[c->key[i]], c->mean[c->key[i]] * (double)c->n / (double)k->slices->n);
}

/* True if a second round has divided the part. */
static bool
is_divided(const struct skp *k, size_t part)
{
	for (size_t i = 0; i < k->n_second; i++)
		if (k->second[i].parent == part)
			return true;
	return false;
}

static int
by_share(const void *a, const void *b)
{
	const struct skp_weight *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return (x->part > y->part) - (x->part < y->part);
}

struct skp_weight *
skp_weights(const struct skp *k, size_t *n)
{
	struct skp_weight *w = mem_new_array(k->slices->stack->n_parts, sizeof *w);

	*n = 0;
	for (size_t c = 0; c < k->first.n_clusters + k->first.n_outliers; c++)
		if (k->leads[c] != SKP_NONE && !is_divided(k, k->first.part[k->leads[c]])) {
			const struct skp_cluster *lost = &k->first.cluster[c];

			add_weight(w, n, k->first.part[k->leads[c]],
				lost->mean[k->leads[c]] * (double)lost->n / (double)k->slices->n);
		}
	for (size_t i = 0; i < k->n_second; i++)
		for (size_t c = 0; c < k->second[i].n_clusters + k->second[i].n_outliers; c++)
			add_cluster(k, &k->second[i], &k->second[i].cluster[c], w, n);
	qsort(w, *n, sizeof *w, by_share);
	return w;
}

const char *
skp_probes(const char *part)
{
	static const struct {
		const char *part, *probes;
	} row[] = {
#define PROBES(part, probes) {part, probes},
#include "work/slices/probes.def"
#undef PROBES
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (str_eq(row[i].part, part))
			return row[i].probes;
	return NULL;
}
