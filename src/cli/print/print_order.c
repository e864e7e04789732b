/* Many choices of features, partially ordered. */
#include "cli/print/print_compare.h"

#include <stdint.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "work/search/compare.h"

static const char *
relation_of(const struct compare_order *order, size_t a, size_t b)
{
	bool in, out;

	if (order->cone[a] == SIZE_MAX || order->cone[b] == SIZE_MAX)
		return NULL;
	in = order->inside[order->cone[a] * order->n_cones + order->cone[b]];
	out = order->inside[order->cone[b] * order->n_cones + order->cone[a]];
	return relation_name(in && out ? RELATION_EQUAL
			: in           ? RELATION_INSIDE
			: out          ? RELATION_CONTAINS
				       : RELATION_NEITHER);
}

void
print_order_json(const struct udd_model *model, const struct compare_order *order, const struct fset *on,
	const char *const *name, const bool *used, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	print_compare_head(writer, "hecate.order/1", model);
	print_compare_counters(writer, model, used);
	json_open(writer, "sets", '[');
	for (size_t i = 0; i < order->n; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "name", name[i]);
		print_json_set(writer, "features", model, &on[i]);
		print_compare_tags(writer, model, &on[i]);
		if (order->cone[i] == SIZE_MAX)
			json_null(writer, "cone");
		else
			json_int(writer, "cone", (int64_t)order->cone[i]);
		json_str(writer, "error", order->error[i]);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "relations", '[');
	for (size_t i = 0; i < order->n; i++) {
		json_open(writer, NULL, '[');
		for (size_t k = 0; k < order->n; k++)
			json_str(writer, NULL, relation_of(order, i, k));
		json_close(writer, ']');
	}
	json_close(writer, ']');
	json_open(writer, "covers", '[');
	for (size_t i = 0; i < order->n_cones; i++)
		for (size_t k = 0; k < order->n_cones; k++)
			if (order->covers[i * order->n_cones + k]) {
				json_open(writer, NULL, '[');
				json_int(writer, NULL, (int64_t)k);
				json_int(writer, NULL, (int64_t)i);
				json_close(writer, ']');
			}
	json_close(writer, ']');
	json_close(writer, '}');
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
add_cone(const struct udd_model *model, const struct compare_order *order, size_t cone, const struct fset *on,
	const char *const *name, struct str *out)
{
	size_t n = 0, first = 0;
	struct str members = {0};

	while (order->cone[first] != cone)
		first++;
	add_members(order, cone, name, &members);
	str_addf(out, "  %-24s ", str_text(&members));
	print_compare_about(model, &on[first], out);
	for (size_t i = 0; i < order->n_cones; i++)
		if (order->covers[i * order->n_cones + cone]) {
			str_clear(&members);
			add_members(order, i, name, &members);
			str_addf(out, "%s%s", n++ ? ", " : "\n      contains next: ", str_text(&members));
		}
	str_addc(out, '\n');
	str_free(&members);
}

void
print_order_text(const struct options *options, const struct udd_model *model, const struct compare_order *order,
	const struct fset *on, const char *const *name, struct str *out)
{
	struct str text = {0};

	str_addf(&text,
		model->form == UDD_FORM_FDL_FOLDER
			? "folder %s: %zu model%s make %zu cone%s, smaller ones first\n\n"
			: "model %s: %zu set%s of features make %zu cone%s, smaller ones first\n\n",
		model->name, order->n, plural_s(order->n), order->n_cones, plural_s(order->n_cones));
	for (size_t r = 1; r <= order->n_cones; r++)
		for (size_t c = 0; c < order->n_cones; c++)
			if (rank(order, c) == r)
				add_cone(model, order, c, on, name, &text);
	for (size_t i = 0; i < order->n; i++)
		if (order->error[i])
			str_addf(&text, "\n%s makes an error:\n%s", name[i], order->error[i]);
	print_lines(out, str_text(&text), print_ascii(options));
	str_free(&text);
}
