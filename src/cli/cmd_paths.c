#include "cli/commands.h"

#include <stdio.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "work/files/files.h"

static const char *
step_name(enum signature_step_kind k)
{
	switch (k) {
	case STEP_ROOT:
		return "path";
	case STEP_CHOICE:
		return "choice";
	case STEP_EVENT:
		return "event";
	case STEP_COUNT:
		return "count";
	case STEP_FORK:
		return "both";
	case STEP_AND:
		return "and";
	case STEP_JOIN:
		return "join";
	case STEP_DONE:
		break;
	}
	return "done";
}

static void
write_example(struct json_writer *writer, const struct signature_witness *witness)
{
	json_open(writer, "example", '[');
	for (size_t i = 0; i < witness->n; i++) {
		const struct signature_step *step = &witness->step[i];

		json_open(writer, NULL, '{');
		json_str(writer, "step", step_name(step->kind));
		if (step->name)
			json_str(writer, "name", step->name);
		if (step->kind == STEP_CHOICE)
			json_str(writer, "value", step->value);
		if (step->kind == STEP_COUNT)
			json_int(writer, "amount", step->amount);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	if (witness->n_before) {
		json_open(writer, "before", '[');
		for (size_t i = 0; i < witness->n_before; i++) {
			json_open(writer, NULL, '[');
			json_int(writer, NULL, (int64_t)witness->before[i].from);
			json_int(writer, NULL, (int64_t)witness->before[i].to);
			json_close(writer, ']');
		}
		json_close(writer, ']');
	}
}

static void
cmd_paths_write_json(const struct udd_model *model, const struct udd_diagram *diagram, const struct signatures *sig,
	struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	print_json_head(writer, "hecate.paths/1", model, &diagram->on);
	json_open(writer, "counters", '[');
	for (size_t i = 0; i < model->n_counters; i++)
		json_str(writer, NULL, model->counter[i].name);
	json_close(writer, ']');
	json_decimal(writer, "paths", sig->total);
	json_open(writer, "signatures", '[');
	for (size_t k = 0; k < sig->n; k++) {
		struct signature_witness *witness = signatures_witness(sig, diagram, k);

		json_open(writer, NULL, '{');
		print_coefficients(writer, "coef", model, sig->coef + k * sig->n_counters, sig->n_counters);
		json_decimal(writer, "paths", sig->paths[k]);
		write_example(writer, witness);
		json_close(writer, '}');
		signature_witness_free(witness);
	}
	json_close(writer, ']');
	json_close(writer, '}');
}

static void
cmd_paths_write_text(const struct options *options, const struct udd_model *model, const struct udd_diagram *diagram,
	const struct signatures *sig, struct writing *writing)
{
	struct str on = {0}, *out = &writing->text;

	print_feature_names(model, &diagram->on, "none", &on);
	str_addf(out, "model %s, features on: %s\n%s %spath%s, %zu signature%s\n\n", model->name, str_text(&on),
		sig->total, print_ascii(options) ? "u" : "µ", str_eq(sig->total, "1") ? "" : "s", sig->n,
		plural_s(sig->n));
	str_addf(out, "%12s  signature\n", print_ascii(options) ? "upaths" : "µpaths");
	for (size_t k = 0; k < sig->n; k++) {
		size_t some = 0;

		str_addf(out, "%12s  ", sig->paths[k]);
		for (size_t i = 0; i < sig->n_counters; i++) {
			int64_t c = sig->coef[k * sig->n_counters + i];

			if (!c)
				continue;
			str_addf(out, "%s%s", some++ ? "  " : "", model->counter[i].name);
			if (c > 1)
				str_addf(out, " %s%lld", print_ascii(options) ? "x" : "×", (long long)c);
		}
		str_addc(out, '\n');
		writing_drain(writing);
	}
	str_free(&on);
}

int
cmd_paths(const struct options *options)
{
	struct bundle b = {0};
	struct udd_model *model = model_args_load(options, &b);
	struct udd_diagram *diagram = NULL;
	struct signatures *sig = NULL;
	struct diags d = {0};
	struct str text = {0};
	struct writing out;
	struct fset on;
	int status = 2;

	if (!model || !model_args_choose(options, model, &on))
		goto out;
	diagram = udd_expand(model, &on, &d);
	sig = diagram ? signatures_new(diagram, &d) : NULL;
	if (!sig) {
		diags_print(&d, "hecate: ", &text);
		fputs(str_text(&text), stderr);
		goto out;
	}
	writing_begin(&out, options);
	if (options->json)
		cmd_paths_write_json(model, diagram, sig, &out.json);
	else
		cmd_paths_write_text(options, model, diagram, sig, &out);
	status = writing_end(&out, true) ? 0 : 2;
out:
	str_free(&text);
	diags_free(&d);
	signatures_free(sig);
	udd_diagram_free(diagram);
	udd_free(model);
	bundle_free(&b);
	return status;
}
