#include "core/cone/blocks.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/cone/walk.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"

/* The root of µpath k. All states of the path but the first have a state before them. */
static size_t
root_of(const struct signatures *s, size_t k)
{
	uint32_t at = s->walk->last[k];

	while (s->walk->state[at].prev != STATE_NONE)
		at = s->walk->state[at].prev;
	return s->walk->state[at].edge;
}

static void
complain(const struct signatures *signatures, const struct udd_diagram *diagram, const struct udd_sum *sum, size_t k,
	int64_t total, int64_t parts, struct diags *diags)
{
	struct str parts_text = {0}, path = {0};
	char *text, *hint;

	for (size_t i = 0; i < sum->n_parts; i++)
		str_addf(&parts_text, "%s%.80s", i ? " + " : "", sum->part[i]);
	walk_assignments(signatures->walk, diagram, signatures->walk->last[k], &path);
	text = str_format("%.80s is not %.300s", sum->total, str_text(&parts_text));
	hint = str_format("on a µpath%s%s the total rises by %lld and its parts by %lld", path.n ? " with " : "",
		str_text(&path), (long long)total, (long long)parts);
	udd_sum_error(diagram->model, sum, diags, hint, text);
	free(text);
	free(hint);
	str_free(&parts_text);
	str_free(&path);
}

static bool
check(const struct signatures *signatures, const struct udd_diagram *diagram, const struct udd_sum *udd_sum,
	struct diags *diags)
{
	size_t *part = mem_new_array(udd_sum->n_parts, sizeof *part),
	       total = udd_counter_named(diagram->model, udd_sum->total), n = diagram->model->n_counters;
	bool known = total < n, good = true;

	for (size_t i = 0; i < udd_sum->n_parts; i++) {
		part[i] = udd_counter_named(diagram->model, udd_sum->part[i]);
		known &= part[i] < n;
	}
	for (size_t k = 0; k < signatures->n && known && good; k++) {
		const int64_t *v = signatures->coef + k * signatures->n_counters;
		int64_t sum = 0;
		bool fits = true;

		if (diagram->root[root_of(signatures, k)] != udd_sum->root)
			continue;
		for (size_t i = 0; i < udd_sum->n_parts; i++)
			fits &= !__builtin_add_overflow(sum, v[part[i]], &sum);
		good = fits && sum == v[total];
		if (!good)
			complain(signatures, diagram, udd_sum, k, v[total], sum, diags);
	}
	free(part);
	return good;
}

bool
sums_check(const struct signatures *s, const struct udd_diagram *g, struct diags *d)
{
	bool good = true;

	for (size_t i = 0; i < g->model->n_sums; i++)
		good &= check(s, g, &g->model->sum[i], d);
	return good;
}
