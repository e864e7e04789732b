#include "cli/print/print_explain.h"

#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "convert/fdl/print.h"
#include "core/udd/model.h"
#include "work/analysis/drafts.h"
#include "work/files/files.h"

#define NAMES_SHOWN 6

static void
write_names(struct json_writer *w, const char *key, const struct result *r, const struct drafts *d, const bool *which)
{
	json_open(w, key, '[');
	for (size_t i = 0; i < d->n_findings; i++)
		if (!which || which[i])
			json_str(w, NULL, r->finding[d->finding[i]].name);
	json_close(w, ']');
}

static void
write_signatures(struct json_writer *writer, const struct udd_model *model, const struct result *result,
	const struct drafts *drafts)
{
	json_open(writer, "signatures", '[');
	for (size_t i = 0; i < drafts->found->n; i++) {
		const struct proposed *proposed = &drafts->found->one[i];

		json_open(writer, NULL, '{');
		json_str(writer, "feature", drafts->name[i]);
		print_coefficients(writer, "coef", model, proposed->own.vector, model->n_counters);
		json_int(writer, "repairs", (int64_t)proposed->own.repairs);
		json_int(writer, "needed", (int64_t)proposed->needed);
		write_names(writer, "repaired", result, drafts, proposed->own.repaired);
		json_open(writer, "alternatives", '[');
		for (size_t k = 0; k < proposed->n_alternatives; k++) {
			json_open(writer, NULL, '{');
			print_coefficients(writer, "coef", model, proposed->alternative[k].vector, model->n_counters);
			json_int(writer, "repairs", (int64_t)proposed->alternative[k].repairs);
			json_close(writer, '}');
		}
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

void
print_drafts_json(struct json_writer *writer, const struct udd_model *model, const struct result *result,
	const struct drafts *drafts)
{
	if (!drafts) {
		json_null(writer, "proposals");
		return;
	}
	json_open(writer, "proposals", '{');
	print_json_set(writer, "to", model, &drafts->on);
	write_names(writer, "refuted_by", result, drafts, NULL);
	write_signatures(writer, model, result, drafts);
	json_bool(writer, "whole", drafts->found->whole);
	json_bool(writer, "smallest", drafts->found->smallest);
	json_str(writer, "reason", drafts->found->reason);
	json_int(writer, "tests", (int64_t)drafts->found->tests);
	json_str(writer, "variant", drafts->variant);
	json_str(writer, "draft", drafts->text);
	json_close(writer, '}');
}

/* names in a model may hold any characters */
static void
add_visible(const char *text, struct str *out)
{
	utf8_add_visible(out, text, strlen(text));
}

static void
add_vector(const struct udd_model *m, const struct proposal *p, struct str *out)
{
	struct str words = {0};

	drafts_vector(m, p, &words);
	add_visible(str_text(&words), out);
	str_free(&words);
}

static void
add_repaired(const struct result *result, const struct drafts *drafts, const struct proposal *proposal, struct str *out)
{
	size_t shown = 0;

	str_addf(out, "repairs %zu of %zu alone", proposal->repairs, drafts->n_findings);
	for (size_t i = 0; i < drafts->n_findings && proposal->repairs < drafts->n_findings; i++)
		if (proposal->repaired[i] && shown++ < NAMES_SHOWN) {
			str_add(out, shown == 1 ? ": " : ", ");
			add_visible(result->finding[drafts->finding[i]].name, out);
		}
	if (shown > NAMES_SHOWN)
		str_addf(out, " and %zu more", shown - NAMES_SHOWN);
	str_addc(out, '\n');
}

void
print_drafts_text(
	const struct udd_model *model, const struct result *result, const struct drafts *drafts, struct str *out)
{
	const struct proposals *proposals = drafts ? drafts->found : NULL;

	if (!drafts)
		return;
	if (!drafts->n_findings) {
		str_add(out, "\nno signature is needed: no observation refutes ");
		print_feature_names(model, &drafts->on, "the model without features", out);
		str_addc(out, '\n');
		return;
	}
	str_add(out, "\nproposed signatures for ");
	print_feature_names(model, &drafts->on, "the model without features", out);
	str_addf(out, ", which %zu observation%s refute%s\n", drafts->n_findings, plural_s(drafts->n_findings),
		drafts->n_findings == 1 ? "s" : "");
	if (!proposals->whole) {
		str_addf(out, "  none found: %s\n", proposals->reason);
		return;
	}
	str_addf(out, "  %s\n",
		proposals->n == 1 ? (proposals->smallest ? "one makes all of them feasible; no smaller one does"
							 : "one makes all of them feasible")
			: proposals->smallest ? "no single small one is enough, nor fewer of them; together they make "
						"all of them feasible"
					      : "together they make all of them feasible; fewer may be enough");
	for (size_t i = 0; i < proposals->n; i++) {
		str_addf(out, "  %-8s ", drafts->name[i]);
		add_vector(model, &proposals->one[i].own, out);
		str_add(out, "  ");
		add_repaired(result, drafts, &proposals->one[i].own, out);
		if (proposals->n > 1)
			str_addf(out, "           without it the others leave %zu refuted\n", proposals->one[i].needed);
		for (size_t k = 0; k < proposals->one[i].n_alternatives; k++) {
			str_add(out, k ? ", or " : "           or ");
			add_vector(model, &proposals->one[i].alternative[k], out);
			str_addf(out, " (repairs %zu)", proposals->one[i].alternative[k].repairs);
		}
		if (proposals->one[i].n_alternatives)
			str_addc(out, '\n');
	}
	str_add(out, "\nas draft features, for you to name and keep:\n\n");
	for (const char *at = drafts->text; *at;) {
		const char *end = strchr(at, '\n');
		size_t n = end ? (size_t)(end - at) : strlen(at);

		utf8_add_visible(out, at, n);
		str_addc(out, '\n');
		at += n + (end ? 1 : 0);
	}
}

bool
print_drafts_keep(const struct options *options, const struct udd_model *model, const struct bundle *bundle,
	const struct drafts *drafts)
{
	struct str out = {0};
	struct err e = {0};
	bool good;

	if (!drafts || !drafts->found->n) {
		if (!options->quiet)
			log_line(NULL, "%s was not written, because there is no signature to propose", options->draft);
		return true;
	}
	if (bundle_includes(bundle, options->draft)) {
		err_set(&e, "%s is a file of the model; the draft would overwrite it", options->draft);
		err_hint(&e, "give --draft another name");
		return print_failed(&e);
	}
	/* In the same folder, includes lead to the same files, so the text can stay as it is. */
	if (model->form != UDD_FORM_UDD)
		model_print_udd(model, &out); /* drafts are features, which FDL does not have */
	else if (bundle_is_beside(bundle, options->draft))
		str_addn(&out, bundle->file[0].text, bundle->file[0].n);
	else
		udd_join(model, &out);
	if (out.n && out.s[out.n - 1] != '\n')
		str_addc(&out, '\n');
	str_addf(&out, "\n// proposed by hecate: signatures that the data need and no declared feature has\n%s",
		drafts->text);
	good = writing_file(options->draft, &out, &e) || print_failed(&e);
	str_free(&out);
	return good;
}
