#include "work/search/search_alike.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/rows.h"
#include "core/udd/fset.h"
#include "core/udd/model.h"
#include "work/analysis/cones.h"
#include "work/search/search.h"

static void
search_alike_words_add_names(const struct udd_model *m, const struct fset *on, const char *none, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			str_addf(out, "%s%s", n++ ? " + " : "", m->feature[i].name);
	if (!n)
		str_add(out, none);
}

/* Appends "where X + Y are also on". */
static void
add_context(const struct udd_model *m, const struct fset *rest, struct str *out)
{
	if (!fset_count(rest)) {
		str_add(out, "where no other is on");
		return;
	}
	str_add(out, "where ");
	search_alike_words_add_names(m, rest, "", out);
	str_add(out, fset_count(rest) == 1 ? " is also on" : " are also on");
}

/* Appends "in all 8 sets of the other features". */
static void
add_extent(const struct search_graph_alike *alike, struct str *out)
{
	if (alike->held < alike->tested)
		str_addf(out, " in %zu of the %zu sets", alike->held, alike->tested);
	else if (alike->whole && alike->tested == 1)
		str_add(out, " in the only set");
	else if (alike->whole && alike->tested == 2)
		str_add(out, " in both sets");
	else if (alike->whole)
		str_addf(out, " in all %zu sets", alike->tested);
	else
		str_addf(out, " in each of the %zu sets", alike->tested);
	str_addf(out, " of %s",
		alike->whole ? "the other features" : "other features that were tried, which are not all");
}

char *
search_alike_statement(const struct udd_model *model, const struct search_graph_alike *alike, const struct fset *but)
{
	struct str out = {0};

	search_alike_words_add_names(model, &alike->one, "no feature", &out);
	switch ((enum search_graph_alike_kind)alike->kind) {
	case GRAPH_EQUAL:
		str_add(&out, " and ");
		search_alike_words_add_names(model, &alike->other, "no feature", &out);
		str_add(&out, " cannot be told apart");
		add_extent(alike, &out);
		break;
	case GRAPH_PARTLY:
	case GRAPH_NOTHING:
		str_add(&out, " changes nothing where ");
		search_alike_words_add_names(model, &alike->other, "no feature", &out);
		str_add(&out, fset_count(&alike->other) == 1 ? " is on," : " are on,");
		add_extent(alike, &out);
		if (alike->held < alike->tested) {
			str_add(&out, "; it does ");
			add_context(model, but, &out);
		}
		break;
	case GRAPH_SURVIVORS:
		str_add(&out, " and ");
		search_alike_words_add_names(model, &alike->other, "no feature", &out);
		str_add(&out, " make the same cone with the features that the two survivors share");
		if (alike->held < alike->tested) {
			str_add(&out, "; they do not ");
			add_context(model, but, &out);
		}
		break;
	}
	return str_take(&out);
}

/* Appends "Xur + Fu + 2 PGF". */
static void
add_signature(const struct udd_model *model, const bool *used, const int64_t *row, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; i < model->n_counters; i++) {
		int64_t c = used[i] ? row[k++] : 0;

		if (c)
			str_add(out, n++ ? " + " : "");
		if (c > 1)
			str_addf(out, "%lld ", (long long)c);
		if (c)
			str_add(out, model->counter[i].name);
	}
}

/* The signatures of a cone, in a hash table. */
struct signature_rows {
	const struct cone *cone;
	struct rows_set set;
};

static struct signature_rows
search_alike_words_rows_of(const struct cone *c)
{
	struct signature_rows r = {c, rows_set_new(c->n_counters, c->n_signatures)};

	for (size_t k = 0; k < c->n_signatures; k++)
		*rows_set_slot(&r.set, c->signature, c->signature + k * c->n_counters) = k + 1;
	return r;
}

static bool
has_row(const struct signature_rows *r, const int64_t *row)
{
	return *rows_set_slot(&r->set, r->cone->signature, row) != 0;
}

/* Finds a signature that only the larger cone has, as the sum of two signatures of the smaller. */
static bool
search_alike_words_add_sum(const struct udd_model *model, const bool *used, const struct signature_rows *rows,
	const int64_t *row, struct str *out)
{
	const struct cone *small = rows->cone;
	size_t n = small->n_counters;
	int64_t *rest = mem_new_array(n, sizeof *rest);
	bool found = false;

	for (size_t k = 0; k < small->n_signatures && !found; k++) {
		const int64_t *part = small->signature + k * n;
		bool fits = true;

		for (size_t i = 0; i < n; i++) {
			rest[i] = row[i] - part[i];
			fits &= rest[i] >= 0;
		}
		found = fits && has_row(rows, rest);
		if (found) {
			str_add(out, "(");
			add_signature(model, used, part, out);
			str_add(out, ") + (");
			add_signature(model, used, rest, out);
			str_add(out, ")");
		}
	}
	free(rest);
	return found;
}

char *
search_alike_explain(const struct udd_model *model, const bool *used, struct cones *own, size_t feature,
	const struct fset *to)
{
	struct str out = {0};
	struct fset more = *to, one = {0};
	const struct cone *small, *large;
	struct signature_rows rows;
	char *error = NULL;
	size_t n_new = 0;

	fset_put(&more, feature, true);
	fset_put(&one, feature, true);
	search_alike_words_add_names(model, &one, "", &out);
	str_add(&out, " adds nothing to the cone of ");
	search_alike_words_add_names(model, to, "the model without features", &out);
	cones_begin(own);
	if (!cones_signatures(own, to, &error) || !cones_signatures(own, &more, &error)) {
		/* there were few enough to make the cones */
		str_add(&out, ": it has too many signatures to list one");
		free(error);
		return str_take(&out);
	}
	small = cones_get(own, to, used);
	large = cones_get(own, &more, used);
	rows = search_alike_words_rows_of(small);
	for (size_t k = 0; k < large->n_signatures; k++)
		n_new += !has_row(&rows, large->signature + k * large->n_counters);
	if (!n_new)
		str_add(&out, ": it has no signature of its own over these counters");
	for (size_t k = 0; k < large->n_signatures && n_new; k++) {
		const int64_t *row = large->signature + k * large->n_counters;
		struct str sum = {0};

		if (!has_row(&rows, row) && search_alike_words_add_sum(model, used, &rows, row, &sum)) {
			str_add(&out, ": ");
			add_signature(model, used, row, &out);
			str_addf(&out, " = %s", str_text(&sum));
			n_new = 0;
		}
		str_free(&sum);
	}
	if (n_new)
		str_addf(&out, ": its %zu signatures are sums of existing ones", n_new);
	free(rows.set.slot);
	return str_take(&out);
}
