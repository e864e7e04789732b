#include "cli/print/print_explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "work/analysis/explain.h"
#include "work/analysis/miscount.h"
#include "work/analysis/suspects.h"
#include "work/analysis/touch.h"
#include "work/analysis/words.h"

#define NAMES_SHOWN 4
#define TIGHT_SHOWN 2
#define MISCOUNTS_SHOWN 2

static void
write_steps(struct json_writer *w, const char *steps)
{
	char **line = str_split(steps, '\n', NULL);

	json_open(w, "witness", '[');
	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			json_str(w, NULL, line[i]);
	json_close(w, ']');
	str_split_free(line);
}

static void
write_relaxers(struct json_writer *writer, const struct udd_model *model, const struct relaxers *relaxers)
{
	json_open(writer, "relaxed_by", '[');
	for (size_t i = 0; i < relaxers->n && relaxers->one[i].signatures; i++) {
		const struct relaxer *relaxer = &relaxers->one[i];

		json_open(writer, NULL, '{');
		print_json_set(writer, "features", model, &relaxer->added);
		json_int(writer, "signatures", (int64_t)relaxer->signatures);
		json_int(writer, "alone", (int64_t)relaxer->alone);
		json_int(writer, "together", (int64_t)relaxer->together);
		print_json_set(writer, "together_with", model, &relaxer->all);
		if (relaxer->tie == RELAX_NONE)
			json_null(writer, "ties_with");
		else
			print_json_set(writer, "ties_with", model, &relaxers->one[relaxer->tie].added);
		json_bool(writer, "same_cone", relaxer->same_cone);
		write_steps(writer, relaxer->steps);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_miscounts(struct json_writer *writer, const struct udd_model *model, const struct constraint_detail *detail)
{
	json_open(writer, "miscounts", '[');
	for (size_t i = 0; i < detail->n_miscounts; i++) {
		const struct miscount *miscount = &detail->miscount[i];

		json_open(writer, NULL, '{');
		json_str(writer, "counter", model->counter[miscount->counter].name);
		json_str(writer, "direction", miscount->high ? "high" : "low");
		json_int(writer, "explains", (int64_t)miscount->enough);
		json_bool(writer, "zero", miscount->zero);
		json_num(writer, "share_least", miscount->share[0]);
		json_num(writer, "share_most", miscount->share[1]);
		if (*miscount->leak) {
			json_str(writer, "per", miscount->leak);
			json_num(writer, "rate_least", miscount->rate[0]);
			json_num(writer, "rate_most", miscount->rate[1]);
		}
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_tight(struct json_writer *w, const struct constraint_detail *t)
{
	json_int(w, "tight", (int64_t)t->tight);
	json_int(w, "raising", (int64_t)t->raising);
	json_open(w, "held_by", '[');
	for (size_t i = 0; i < t->n_paths; i++)
		if (!t->path[i].slack)
			json_str(w, NULL, t->path[i].words);
	json_close(w, ']');
}

void
print_explain_json(struct json_writer *writer, const struct udd_model *model, const struct result *result,
	const struct explanations *explanations)
{
	if (!explanations)
		return;
	json_open(writer, "explanations", '[');
	for (size_t i = 0; i < explanations->n; i++) {
		const struct explanation *explanation = &explanations->one[i];

		json_open(writer, NULL, '{');
		json_str(writer, "text", explanation->constraint->text);
		json_bool(writer, "equality", explanation->constraint->equality);
		print_coefficients(writer, "coef", model, explanation->constraint->coef, explanation->constraint->n);
		json_bool(writer, "combined", explanation->certificate);
		json_open(writer, "broken_by", '[');
		for (size_t k = 0; k < explanation->n_findings; k++)
			json_str(writer, NULL, result->finding[explanation->finding[k]].name);
		json_close(writer, ']');
		json_num(writer, "worst_margin", explanation->worst);
		json_num(writer, "worst_off", explanation->off);
		write_tight(writer, explanation->touch);
		write_relaxers(writer, model, explanation->touch->relax);
		json_bool(writer, "all_tried", explanation->touch->relax->whole);
		write_miscounts(writer, model, explanation->touch);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

void
print_json_suspects(struct json_writer *writer, const struct udd_model *model, const struct suspects *suspects,
	const struct fset *of)
{
	json_open(writer, "suspects", '[');
	for (size_t i = 0; i < suspects->n; i++) {
		const struct suspect *suspect = &suspects->one[i];

		json_open(writer, NULL, '{');
		json_str(writer, "counter", model->counter[suspect->counter].name);
		json_num(writer, "factor_least", suspect->least);
		json_num(writer, "factor_most", suspect->most);
		json_str(writer, "per", suspect->leak);
		json_num(writer, "rate_least", suspect->leak ? suspect->rate[0] : NAN);
		json_num(writer, "rate_most", suspect->leak ? suspect->rate[1] : NAN);
		json_int(writer, "explains", (int64_t)suspect->refuted);
		print_json_set(writer, "of", model, of);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
print_explain_add_broken(const struct options *options, const struct result *result,
	const struct explanation *explanation, struct str *out)
{
	str_addf(out, "    broken by %zu: ", explanation->n_findings);
	for (size_t k = 0; k < explanation->n_findings && (k < NAMES_SHOWN || options->verbose); k++) {
		const char *name = result->finding[explanation->finding[k]].name;

		str_add(out, k ? ", " : "");
		utf8_add_visible(out, name, strlen(name));
	}
	if (explanation->n_findings > NAMES_SHOWN && !options->verbose)
		str_addf(out, " and %zu more", explanation->n_findings - NAMES_SHOWN);
	str_addc(out, '\n');
}

static void
add_tight(const struct options *o, const struct constraint_detail *t, struct str *out)
{
	size_t shown = 0;

	str_addf(out, "    %zu of %zu signatures that raise its counters lie on it\n", t->tight, t->raising);
	for (size_t i = 0; i < t->n_paths && (shown < TIGHT_SHOWN || o->verbose); i++)
		if (!t->path[i].slack) {
			str_addf(out, "      %s\n", t->path[i].words);
			shown++;
		}
}

static void
add_steps(const char *steps, struct str *out)
{
	char **line = str_split(steps, '\n', NULL);

	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			str_addf(out, "          %s\n", line[i]);
	str_split_free(line);
}

/* Prints the first relaxer with its witness step by step, and the others in a line each, or all of them in full with
 * -v. */
static void
add_relaxers(
	const struct options *options, const struct udd_model *model, const struct relaxers *relaxers, struct str *out)
{
	for (size_t i = 0; i < relaxers->n && relaxers->one[i].signatures; i++) {
		const struct relaxer *relaxer = &relaxers->one[i];

		str_add(out, "    relaxed by ");
		words_features(model, &relaxer->added, out);
		str_addf(out, ": repairs %zu of %zu alone", relaxer->alone, relaxers->asked);
		if (!fset_equal(&relaxer->all, &relaxer->added)) {
			str_addf(out, ", %zu as ", relaxer->together);
			words_features(model, &relaxer->all, out);
		}
		str_addc(out, '\n');
		if (relaxer->tie != RELAX_NONE) {
			str_add(out, "        the same observations as ");
			words_features(model, &relaxers->one[relaxer->tie].added, out);
			str_add(out,
				relaxer->same_cone ? ", and the same cone: no counter in use tells them apart\n"
					     : "; their cones differ\n");
		}
		if (i == 0 || options->verbose)
			add_steps(relaxer->steps, out);
		else
			str_addf(out, "        %s\n", relaxer->words);
	}
	if (relaxers->n == 0 || !relaxers->one[0].signatures)
		str_addf(out, "    no feature that is off relaxes it%s\n",
			relaxers->whole ? ", and no few of them together" : "; not all sets of them were tried");
}

/* Names counters that may be wrong instead of the model. */
static void
add_miscounts(const struct options *options, const struct udd_model *model, const struct explanation *explanation,
	struct str *out)
{
	const struct constraint_detail *detail = explanation->touch;
	size_t shown = 0, likely = 0;

	for (size_t i = 0; i < detail->n_miscounts; i++) {
		if (!miscount_is_likely(&detail->miscount[i]))
			continue;
		likely++;
		if (shown == MISCOUNTS_SHOWN && !options->verbose)
			continue;
		str_add(out, shown++ ? "      or " : "    or a counter is wrong: ");
		miscount_words(model, &detail->miscount[i], explanation->constraint->equality, out);
		str_addf(out, "; that explains %zu of %zu\n", detail->miscount[i].enough, explanation->n_findings);
	}
	if (likely > shown)
		str_addf(out, "      or %zu other%s\n", likely - shown, plural_s(likely - shown));
}

void
print_explain_text(const struct options *options, const struct udd_model *model, const struct result *result,
	const struct explanations *explanations, struct str *out)
{
	bool ascii = print_ascii(options);
	struct str text = {0};
	char *shown;

	if (!explanations || !explanations->n)
		return;
	str_add(&text, "\nwhat refutes it\n");
	for (size_t i = 0; i < explanations->n; i++) {
		const struct explanation *explanation = &explanations->one[i];

		str_add(&text, "  ");
		print_relation(&text, explanation->constraint->text, ascii);
		str_add(&text,
			explanation->certificate ? "  (a combination: no constraint is violated by itself)\n"
				: !explanation->constraint->equality ? "\n"
				: explanation->off > 0               ? ": the left side is too large\n"
								     : ": the left side is too small\n");
		print_explain_add_broken(options, result, explanation, &text);
		add_tight(options, explanation->touch, &text);
		add_relaxers(options, model, explanation->touch->relax, &text);
		add_miscounts(options, model, explanation, &text);
	}
	shown = glyph_translate(str_text(&text), ascii);
	str_add(out, shown);
	free(shown);
	str_free(&text);
}
