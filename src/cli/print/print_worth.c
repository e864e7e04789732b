#include "cli/print/print.h"
#include "cli/print/print_search.h"

#include "base/json.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "work/search/worth.h"

void
print_worth_json(struct json_writer *w, const struct udd_model *m, const struct worth *x)
{
	json_open(w, "lose", '{');
	print_json_set(w, "about", m, &x->about);
	json_open(w, "each", '[');
	for (size_t i = 0; i < x->n; i++) {
		const struct worth_counter *c = &x->counter[i];

		json_open(w, NULL, '{');
		json_str(w, "counter", m->counter[c->counter].name);
		json_bool(w, "changes", c->changes);
		json_int(w, "revived", (int64_t)c->revived);
		if (c->revived)
			print_json_set(w, "example", m, &c->example);
		else
			json_null(w, "example");
		print_json_set(w, "unrequired", m, &c->unrequired);
		json_int(w, "merged", (int64_t)c->merged);
		json_int(w, "constraints", (int64_t)c->constraints);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "kept", '[');
	for (size_t i = 0; i < m->n_counters; i++)
		if (x->kept[i])
			json_str(w, NULL, m->counter[i].name);
	json_close(w, ']');
	json_bool(w, "complete", x->complete);
	json_num(w, "seconds", x->seconds);
	json_close(w, '}');
}

void
print_worth_text(const struct udd_model *m, const struct worth *x, struct str *out)
{
	size_t n = 0;

	str_add(out, "\nwhat the search would lose without each counter, most useful first\n");
	str_addf(
		out, "  %-24s %8s %8s %12s  %s\n", "counter", "revived", "merged", "constraints", "no longer required");
	for (size_t i = 0; i < x->n; i++) {
		const struct worth_counter *c = &x->counter[i];

		str_addf(out, "  %-24s %8zu %8zu %12zu  ", m->counter[c->counter].name, c->revived, c->merged,
			c->constraints);
		print_feature_names(m, &c->unrequired, c->changes ? "none, but other smallest survivors" : "none", out);
		str_addc(out, '\n');
	}
	str_add(out,
		"revived: refuted models that would survive; merged: cones that would coincide with others; "
		"constraints: those lost of ");
	print_feature_names(m, &x->about, "the model without features", out);
	str_addf(out, "\n%zu counters give the same smallest survivors:", x->n_kept);
	for (size_t i = 0; i < m->n_counters; i++)
		if (x->kept[i])
			str_addf(out, "%s %s", n++ ? "," : "", m->counter[i].name);
	str_add(out,
		"\n  found by leaving out one at a time: all of these are needed, but other sets may be enough too, "
		"perhaps "
		"smaller ones\n");
	if (!x->complete)
		str_add(out, "  not all searches were complete: this holds for the models that they tested\n");
}
