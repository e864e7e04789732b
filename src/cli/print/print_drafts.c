#include "cli/print/print_explain.h"

#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
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
write_signatures(struct json_writer *w, const struct udd_model *m, const struct result *r, const struct drafts *d)
{
	json_open(w, "signatures", '[');
	for (size_t i = 0; i < d->found->n; i++) {
		const struct proposed *x = &d->found->one[i];

		json_open(w, NULL, '{');
		json_str(w, "feature", d->name[i]);
		print_coefficients(w, "coef", m, x->own.vector, m->n_counters);
		json_int(w, "repairs", (int64_t)x->own.repairs);
		json_int(w, "needed", (int64_t)x->needed);
		write_names(w, "repaired", r, d, x->own.repaired);
		json_open(w, "alternatives", '[');
		for (size_t k = 0; k < x->n_alternatives; k++) {
			json_open(w, NULL, '{');
			print_coefficients(w, "coef", m, x->alternative[k].vector, m->n_counters);
			json_int(w, "repairs", (int64_t)x->alternative[k].repairs);
			json_close(w, '}');
		}
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
}

void
print_drafts_json(struct json_writer *w, const struct udd_model *m, const struct result *r, const struct drafts *d)
{
	if (!d) {
		json_null(w, "proposals");
		return;
	}
	json_open(w, "proposals", '{');
	print_json_set(w, "to", m, &d->on);
	write_names(w, "refuted_by", r, d, NULL);
	write_signatures(w, m, r, d);
	json_bool(w, "whole", d->found->whole);
	json_bool(w, "smallest", d->found->smallest);
	json_str(w, "reason", d->found->reason);
	json_int(w, "tests", (int64_t)d->found->tests);
	json_str(w, "variant", d->variant);
	json_str(w, "draft", d->text);
	json_close(w, '}');
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
add_repaired(const struct result *r, const struct drafts *d, const struct proposal *p, struct str *out)
{
	size_t shown = 0;

	str_addf(out, "repairs %zu of %zu alone", p->repairs, d->n_findings);
	for (size_t i = 0; i < d->n_findings && p->repairs < d->n_findings; i++)
		if (p->repaired[i] && shown++ < NAMES_SHOWN) {
			str_add(out, shown == 1 ? ": " : ", ");
			add_visible(r->finding[d->finding[i]].name, out);
		}
	if (shown > NAMES_SHOWN)
		str_addf(out, " and %zu more", shown - NAMES_SHOWN);
	str_addc(out, '\n');
}

void
print_drafts_text(const struct udd_model *m, const struct result *r, const struct drafts *d, struct str *out)
{
	const struct proposals *p = d ? d->found : NULL;

	if (!d)
		return;
	if (!d->n_findings) {
		str_add(out, "\nno signature is needed: no observation refutes ");
		print_feature_names(m, &d->on, "the model without features", out);
		str_addc(out, '\n');
		return;
	}
	str_add(out, "\nproposed signatures for ");
	print_feature_names(m, &d->on, "the model without features", out);
	str_addf(out, ", which %zu observation%s refute%s\n", d->n_findings, d->n_findings == 1 ? "" : "s",
		d->n_findings == 1 ? "s" : "");
	if (!p->whole) {
		str_addf(out, "  none found: %s\n", p->reason);
		return;
	}
	str_addf(out, "  %s\n",
		p->n == 1             ? (p->smallest ? "one makes all of them feasible; no smaller one does"
						     : "one makes all of them feasible")
			: p->smallest ? "no single small one is enough, nor fewer of them; together they make "
					"all of them feasible"
				      : "together they make all of them feasible; fewer may be enough");
	for (size_t i = 0; i < p->n; i++) {
		str_addf(out, "  %-8s ", d->name[i]);
		add_vector(m, &p->one[i].own, out);
		str_add(out, "  ");
		add_repaired(r, d, &p->one[i].own, out);
		if (p->n > 1)
			str_addf(out, "           without it the others leave %zu refuted\n", p->one[i].needed);
		for (size_t k = 0; k < p->one[i].n_alternatives; k++) {
			str_add(out, k ? ", or " : "           or ");
			add_vector(m, &p->one[i].alternative[k], out);
			str_addf(out, " (repairs %zu)", p->one[i].alternative[k].repairs);
		}
		if (p->one[i].n_alternatives)
			str_addc(out, '\n');
	}
	str_add(out, "\nas draft features, for you to name and keep:\n\n");
	for (const char *at = d->text; *at;) {
		const char *end = strchr(at, '\n');
		size_t n = end ? (size_t)(end - at) : strlen(at);

		utf8_add_visible(out, at, n);
		str_addc(out, '\n');
		at += n + (end ? 1 : 0);
	}
}

bool
print_drafts_keep(const struct options *o, const struct udd_model *m, const struct bundle *b, const struct drafts *d)
{
	struct str out = {0};
	struct err e = {0};
	bool good;

	if (!d || !d->found->n) {
		if (!o->quiet)
			log_line(NULL, "%s was not written, because there is no signature to propose", o->draft);
		return true;
	}
	if (bundle_includes(b, o->draft)) {
		err_set(&e, "%s is a file of the model; the draft would overwrite it", o->draft);
		err_hint(&e, "give --draft another name");
		return print_failed(&e);
	}
	/* In the same folder, includes lead to the same files, so the text can stay as it is. */
	if (m->form != UDD_FORM_UDD)
		model_print_udd(m, &out); /* drafts are features, which FDL does not have */
	else if (bundle_is_beside(b, o->draft))
		str_addn(&out, b->file[0].text, b->file[0].n);
	else
		udd_join(m, &out);
	if (out.n && out.s[out.n - 1] != '\n')
		str_addc(&out, '\n');
	str_addf(&out, "\n// proposed by hecate: signatures that the data need and no declared feature has\n%s",
		d->text);
	good = writing_file(o->draft, &out, &e) || print_failed(&e);
	str_free(&out);
	return good;
}
