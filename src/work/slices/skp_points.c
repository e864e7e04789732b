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
skp_weights(const struct skp *skp, size_t *n)
{
	struct skp_weight *weight = mem_new_array(skp->slices->stack->n_parts, sizeof *weight);

	*n = 0;
	for (size_t c = 0; c < skp->first.n_clusters + skp->first.n_outliers; c++)
		if (skp->leads[c] != SKP_NONE && !is_divided(skp, skp->first.part[skp->leads[c]])) {
			const struct skp_cluster *lost = &skp->first.cluster[c];

			add_weight(weight, n, skp->first.part[skp->leads[c]],
				lost->mean[skp->leads[c]] * (double)lost->n / (double)skp->slices->n);
		}
	for (size_t i = 0; i < skp->n_second; i++)
		for (size_t c = 0; c < skp->second[i].n_clusters + skp->second[i].n_outliers; c++)
			add_cluster(skp, &skp->second[i], &skp->second[i].cluster[c], weight, n);
	qsort(weight, *n, sizeof *weight, by_share);
	return weight;
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
