#include "work/analysis/witness.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

static size_t
smallest_with(const struct signatures *sig, size_t counter)
{
	int64_t least = INT64_MAX;
	size_t best = sig->n;

	for (size_t k = 0; k < sig->n; k++) {
		const int64_t *row = sig->coef + k * sig->n_counters;
		int64_t sum = 0;

		for (size_t i = 0; i < sig->n_counters; i++)
			if (__builtin_add_overflow(sum, row[i], &sum))
				sum = INT64_MAX;
		if (row[counter] && sum < least) {
			least = sum;
			best = k;
		}
	}
	return best;
}

static void
write_step(const struct signature_witness *witness, size_t i, struct str *out)
{
	const struct signature_step *step = &witness->step[i];

	switch (step->kind) {
	case STEP_ROOT:
		str_addf(out, "path %s", step->name);
		break;
	case STEP_CHOICE:
		str_addf(out, "│ ◇ %s%s%s", step->name, *step->name ? " = " : "", step->value);
		break;
	case STEP_EVENT:
		str_addf(out, "○ %s", step->name);
		break;
	case STEP_COUNT:
		str_addf(out, step->amount > 1 ? "■ %s ×%u" : "■ %s", step->name, step->amount);
		break;
	case STEP_FORK:
		str_add(out, "├ both");
		break;
	case STEP_AND:
		str_add(out, "├ and");
		break;
	case STEP_JOIN:
		str_add(out, "└ joined");
		break;
	case STEP_DONE:
		str_add(out, "●");
		break;
	}
	for (size_t k = 0; k < witness->n_before; k++)
		if (witness->before[k].from == i) {
			const struct signature_step *to = &witness->step[witness->before[k].to];

			str_addf(out, "   ╎ happens before %s", to->kind == STEP_DONE ? "the end" : to->name);
		}
	str_addc(out, '\n');
}

void
witness_steps(const struct signature_witness *x, struct str *out)
{
	for (size_t i = 0; i < x->n; i++)
		write_step(x, i, out);
}

/* Was the property already decided on this µpath? Then printing it again adds nothing. */
static bool
was_decided(const struct signature_witness *x, size_t i)
{
	for (size_t k = 0; k < i && *x->step[i].name; k++)
		if (x->step[k].kind == STEP_CHOICE && str_eq(x->step[k].name, x->step[i].name))
			return true;
	return false;
}

void
witness_line(const struct signature_witness *witness, struct str *out)
{
	for (size_t i = 0; i < witness->n; i++) {
		const struct signature_step *step = &witness->step[i];

		if (step->kind == STEP_ROOT)
			str_addf(out, "path %s", step->name);
		else if (step->kind == STEP_CHOICE && !was_decided(witness, i))
			str_addf(out, " · %s%s%s", step->name, *step->name ? " " : "", step->value);
		else if (step->kind == STEP_EVENT)
			str_addf(out, " · ○ %s", step->name);
		else if (step->kind == STEP_COUNT)
			str_addf(out, step->amount > 1 ? " · ■ %s ×%u" : " · ■ %s", step->name, step->amount);
	}
}

void
witness_signature(const struct udd_model *model, const struct signatures *sig, const struct udd_diagram *diagram,
	size_t k, struct str *out)
{
	struct signature_witness *witness = signatures_witness(sig, diagram, k);

	str_addf(out, "signature %zu of %zu, shared by %s µpath%s\n\n", k + 1, sig->n, sig->paths[k],
		str_eq(sig->paths[k], "1") ? "" : "s");
	witness_steps(witness, out);
	str_add(out, "\nit raises\n");
	for (size_t i = 0; i < sig->n_counters; i++)
		if (sig->coef[k * sig->n_counters + i])
			str_addf(out, "%6lld  %s\n", (long long)sig->coef[k * sig->n_counters + i],
				model->counter[i].name);
	signature_witness_free(witness);
}

char *
witness_words(const struct udd_model *model, const int64_t *coef, const struct signatures *sig,
	const struct udd_diagram *diagram, size_t k)
{
	struct signature_witness *witness = signatures_witness(sig, diagram, k);
	struct str out = {0};
	const char *root = "";

	for (size_t i = 0; i < witness->n; i++) {
		const struct signature_step *step = &witness->step[i];
		const char *name = step->name;

		/* "load_STLB" of the path "load" becomes "STLB" */
		if (step->kind == STEP_CHOICE && *root && str_starts(name, root) && name[strlen(root)] == '_' &&
			name[strlen(root) + 1])
			name += strlen(root) + 1;
		if (step->kind == STEP_ROOT)
			str_add(&out, root = step->name);
		else if (step->kind == STEP_CHOICE && !was_decided(witness, i))
			str_addf(&out, " · %s%s%s", name, *name ? " " : "", step->value);
		for (size_t c = 0; step->kind == STEP_COUNT && c < model->n_counters; c++)
			if (coef[c] && str_eq(model->counter[c].name, step->name))
				str_addf(&out, step->amount > 1 ? " · ■ %s ×%u" : " · ■ %s", step->name, step->amount);
	}
	signature_witness_free(witness);
	return str_take(&out);
}

void
witness_lines(const struct udd_model *model, const struct fset *on, size_t counter, struct str *out)
{
	struct diags d = {0};
	struct udd_diagram *diagram = udd_expand(model, on, &d);
	struct signatures *sig = diagram ? signatures_new(diagram, &d) : NULL;
	size_t k = sig ? smallest_with(sig, counter) : 0;

	if (!sig)
		diags_print(&d, "", out);
	else if (k == sig->n)
		str_addf(out, "no µpath raises %s with these features\n", model->counter[counter].name);
	else
		witness_signature(model, sig, diagram, k, out);
	signatures_free(sig);
	udd_diagram_free(diagram);
	diags_free(&d);
}
