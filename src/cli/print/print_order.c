/* Many choices of features, partially ordered. */
#include "cli/print/print_compare.h"

#include <stdint.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "work/search/compare.h"

static const char *
relation_of(const struct compare_order *x, size_t a, size_t b)
{
	bool in, out;

	if (x->cone[a] == SIZE_MAX || x->cone[b] == SIZE_MAX)
		return NULL;
	in = x->inside[x->cone[a] * x->n_cones + x->cone[b]];
	out = x->inside[x->cone[b] * x->n_cones + x->cone[a]];
	return relation_name(in && out ? RELATION_EQUAL
			: in           ? RELATION_INSIDE
			: out          ? RELATION_CONTAINS
				       : RELATION_NEITHER);
}

void
print_order_json(const struct udd_model *m, const struct compare_order *x, const struct fset *on,
	const char *const *name, const bool *used, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_compare_head(w, "hecate.order/1", m);
	print_compare_counters(w, m, used);
	json_open(w, "sets", '[');
	for (size_t i = 0; i < x->n; i++) {
		json_open(w, NULL, '{');
		json_str(w, "name", name[i]);
		print_json_set(w, "features", m, &on[i]);
		print_compare_tags(w, m, &on[i]);
		if (x->cone[i] == SIZE_MAX)
			json_null(w, "cone");
		else
			json_int(w, "cone", (int64_t)x->cone[i]);
		json_str(w, "error", x->error[i]);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "relations", '[');
	for (size_t i = 0; i < x->n; i++) {
		json_open(w, NULL, '[');
		for (size_t k = 0; k < x->n; k++)
			json_str(w, NULL, relation_of(x, i, k));
		json_close(w, ']');
	}
	json_close(w, ']');
	json_open(w, "covers", '[');
	for (size_t i = 0; i < x->n_cones; i++)
		for (size_t k = 0; k < x->n_cones; k++)
			if (x->covers[i * x->n_cones + k]) {
				json_open(w, NULL, '[');
				json_int(w, NULL, (int64_t)k);
				json_int(w, NULL, (int64_t)i);
				json_close(w, ']');
			}
	json_close(w, ']');
	json_close(w, '}');
}

/* "m0 = m5" */
static void
add_members(const struct compare_order *x, size_t cone, const char *const *name, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++)
		if (x->cone[i] == cone)
			str_addf(out, "%s%s", n++ ? " = " : "", name[i]);
}

/* The number of cones inside this one. Sorting by it puts a cone after all that it contains. */
static size_t
rank(const struct compare_order *x, size_t cone)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n_cones; i++)
		n += x->inside[i * x->n_cones + cone];
	return n;
}

static void
add_cone(const struct udd_model *m, const struct compare_order *x, size_t cone, const struct fset *on,
	const char *const *name, struct str *out)
{
	size_t n = 0, first = 0;
	struct str members = {0};

	while (x->cone[first] != cone)
		first++;
	add_members(x, cone, name, &members);
	str_addf(out, "  %-24s ", str_text(&members));
	print_compare_about(m, &on[first], out);
	for (size_t i = 0; i < x->n_cones; i++)
		if (x->covers[i * x->n_cones + cone]) {
			str_clear(&members);
			add_members(x, i, name, &members);
			str_addf(out, "%s%s", n++ ? ", " : "\n      contains next: ", str_text(&members));
		}
	str_addc(out, '\n');
	str_free(&members);
}

void
print_order_text(const struct options *o, const struct udd_model *m, const struct compare_order *x,
	const struct fset *on, const char *const *name, struct str *out)
{
	struct str text = {0};

	str_addf(&text, m->form == UDD_FORM_FDL_FOLDER ? "folder %s: %zu models make %zu cones, smaller ones first\n\n"
		: "model %s: %zu sets of features make %zu cones, smaller ones first\n\n", m->name, x->n, x->n_cones);
	for (size_t r = 1; r <= x->n_cones; r++)
		for (size_t c = 0; c < x->n_cones; c++)
			if (rank(x, c) == r)
				add_cone(m, x, c, on, name, &text);
	for (size_t i = 0; i < x->n; i++)
		if (x->error[i])
			str_addf(&text, "\n%s makes an error:\n%s", name[i], x->error[i]);
	print_lines(out, str_text(&text), print_ascii(o));
	str_free(&text);
}
