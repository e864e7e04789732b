#include "cli/commands.h"

#include <stdio.h>

#include "base/json.h"
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
write_example(struct json_writer *w, const struct signature_witness *x)
{
	json_open(w, "example", '[');
	for (size_t i = 0; i < x->n; i++) {
		const struct signature_step *s = &x->step[i];

		json_open(w, NULL, '{');
		json_str(w, "step", step_name(s->kind));
		if (s->name)
			json_str(w, "name", s->name);
		if (s->kind == STEP_CHOICE)
			json_str(w, "value", s->value);
		if (s->kind == STEP_COUNT)
			json_int(w, "amount", s->amount);
		json_close(w, '}');
	}
	json_close(w, ']');
	if (x->n_before) {
		json_open(w, "before", '[');
		for (size_t i = 0; i < x->n_before; i++) {
			json_open(w, NULL, '[');
			json_int(w, NULL, (int64_t)x->before[i].from);
			json_int(w, NULL, (int64_t)x->before[i].to);
			json_close(w, ']');
		}
		json_close(w, ']');
	}
}

static void
cmd_paths_write_json(
	const struct udd_model *m, const struct udd_diagram *g, const struct signatures *sig, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_json_head(w, "hecate.paths/1", m, &g->on);
	json_open(w, "counters", '[');
	for (size_t i = 0; i < m->n_counters; i++)
		json_str(w, NULL, m->counter[i].name);
	json_close(w, ']');
	json_decimal(w, "paths", sig->total);
	json_open(w, "signatures", '[');
	for (size_t k = 0; k < sig->n; k++) {
		struct signature_witness *x = signatures_witness(sig, g, k);

		json_open(w, NULL, '{');
		print_coefficients(w, "coef", m, sig->coef + k * sig->n_counters, sig->n_counters);
		json_decimal(w, "paths", sig->paths[k]);
		write_example(w, x);
		json_close(w, '}');
		signature_witness_free(x);
	}
	json_close(w, ']');
	json_close(w, '}');
}

static void
cmd_paths_write_text(const struct options *o, const struct udd_model *m, const struct udd_diagram *g,
	const struct signatures *sig, struct writing *w)
{
	struct str on = {0}, *out = &w->text;

	print_feature_names(m, &g->on, "none", &on);
	str_addf(out, "model %s, features on: %s\n%s %spaths, %zu signatures\n\n", m->name, str_text(&on), sig->total,
		print_ascii(o) ? "u" : "µ", sig->n);
	str_addf(out, "%12s  signature\n", print_ascii(o) ? "upaths" : "µpaths");
	for (size_t k = 0; k < sig->n; k++) {
		size_t some = 0;

		str_addf(out, "%12s  ", sig->paths[k]);
		for (size_t i = 0; i < sig->n_counters; i++) {
			int64_t c = sig->coef[k * sig->n_counters + i];

			if (!c)
				continue;
			str_addf(out, "%s%s", some++ ? "  " : "", m->counter[i].name);
			if (c > 1)
				str_addf(out, " %s%lld", print_ascii(o) ? "x" : "×", (long long)c);
		}
		str_addc(out, '\n');
		writing_drain(w);
	}
	str_free(&on);
}

int
cmd_paths(const struct options *o)
{
	struct bundle b = {0};
	struct udd_model *m = model_args_load(o, &b);
	struct udd_diagram *g = NULL;
	struct signatures *sig = NULL;
	struct diags d = {0};
	struct str text = {0};
	struct writing out;
	struct fset on;
	int status = 2;

	if (!m || !model_args_choose(o, m, &on))
		goto out;
	g = udd_expand(m, &on, &d);
	sig = g ? signatures_new(g, &d) : NULL;
	if (!sig) {
		diags_print(&d, "hecate: ", &text);
		fputs(str_text(&text), stderr);
		goto out;
	}
	writing_begin(&out, o);
	if (o->json)
		cmd_paths_write_json(m, g, sig, &out.json);
	else
		cmd_paths_write_text(o, m, g, sig, &out);
	status = writing_end(&out, true) ? 0 : 2;
out:
	str_free(&text);
	diags_free(&d);
	signatures_free(sig);
	udd_diagram_free(g);
	udd_free(m);
	bundle_free(&b);
	return status;
}
