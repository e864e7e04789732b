#include "cli/print/print.h"
#include "cli/print/print_search.h"

#include "base/json.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "work/search/worth.h"

void
print_worth_json(struct json_writer *writer, const struct udd_model *model, const struct worth *worth)
{
	json_open(writer, "lose", '{');
	print_json_set(writer, "about", model, &worth->about);
	json_open(writer, "each", '[');
	for (size_t i = 0; i < worth->n; i++) {
		const struct worth_counter *counter = &worth->counter[i];

		json_open(writer, NULL, '{');
		json_str(writer, "counter", model->counter[counter->counter].name);
		json_bool(writer, "changes", counter->changes);
		json_int(writer, "revived", (int64_t)counter->revived);
		if (counter->revived)
			print_json_set(writer, "example", model, &counter->example);
		else
			json_null(writer, "example");
		print_json_set(writer, "unrequired", model, &counter->unrequired);
		json_int(writer, "merged", (int64_t)counter->merged);
		json_int(writer, "constraints", (int64_t)counter->constraints);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "kept", '[');
	for (size_t i = 0; i < model->n_counters; i++)
		if (worth->kept[i])
			json_str(writer, NULL, model->counter[i].name);
	json_close(writer, ']');
	json_bool(writer, "complete", worth->complete);
	json_num(writer, "seconds", worth->seconds);
	json_close(writer, '}');
}

void
print_worth_text(const struct udd_model *model, const struct worth *worth, struct str *out)
{
	size_t n = 0;

	str_add(out, "\nwhat the search would lose without each counter, most useful first\n");
	str_addf(
		out, "  %-24s %8s %8s %12s  %s\n", "counter", "revived", "merged", "constraints", "no longer required");
	for (size_t i = 0; i < worth->n; i++) {
		const struct worth_counter *counter = &worth->counter[i];

		str_addf(out, "  %-24s %8zu %8zu %12zu  ", model->counter[counter->counter].name, counter->revived,
			counter->merged, counter->constraints);
		print_feature_names(model, &counter->unrequired,
			counter->changes ? "none, but other smallest survivors" : "none", out);
		str_addc(out, '\n');
	}
	str_add(out,
		"revived: refuted models that would survive; merged: cones that would coincide with others; "
		"constraints: those lost of ");
	print_feature_names(model, &worth->about, "the model without features", out);
	str_addf(out, "\n%zu counters give the same smallest survivors:", worth->n_kept);
	for (size_t i = 0; i < model->n_counters; i++)
		if (worth->kept[i])
			str_addf(out, "%s %s", n++ ? "," : "", model->counter[i].name);
	str_add(out,
		"\n  found by leaving out one at a time: all of these are needed, but other sets may be enough too, "
		"perhaps "
		"smaller ones\n");
	if (!worth->complete)
		str_add(out, "  not all searches were complete: this holds for the models that they tested\n");
}
