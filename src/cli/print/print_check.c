/* The verdicts of hecate check as text: a line for each observation, and below it what it violates, why it is
 * undecided, and what else a reader must know. */
#include "cli/print/print.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/int128.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print_untested.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "work/analysis/sentence.h"
#include "work/analysis/uop_ranges.h"

static const char *
print_check_mark(enum verdict_kind v, bool ascii)
{
	switch (v) {
	case VERDICT_FEASIBLE:
		return glyph_text(GLYPH_FEASIBLE, ascii);
	case VERDICT_INFEASIBLE:
		return glyph_text(GLYPH_INFEASIBLE, ascii);
	case VERDICT_BORDERLINE:
		return glyph_text(GLYPH_BORDERLINE, ascii);
	case VERDICT_UNDECIDED:
		break;
	}
	return glyph_text(GLYPH_UNDECIDED, ascii);
}

/* Writes the size of coef × total: exact up to 64 bits where the finding has exact totals. */
static char *
term_text(const struct finding *f, const struct constraint *c, size_t i, char number[NUMBER_TEXT])
{
	i128 exact = f->counter.n_totals ? (i128)c->coef[i] * f->counter.total[i] : 0;

	if (f->counter.n_totals && exact <= LLONG_MAX && exact >= -LLONG_MAX)
		return number_exact(number, llabs((long long)exact), false, true);
	return number_full(number, fabs((double)c->coef[i] * f->counter.value[i]), true);
}

/* "MIN + MAJ − PGF ≥ 0 …: 10 648 + 3 − 10 653 = −2": the certificate with its numbers. */
static void
print_check_add_certificate(
	const struct finding *finding, const struct constraint *constraint, bool ascii, struct str *out)
{
	double fractions = 0;
	i128 sum = 0;
	size_t some = 0;
	char number[NUMBER_TEXT];

	str_add(out, "    certificate  ");
	print_relation(out, constraint->text, ascii);
	if (finding->own.verified)
		str_addf(out, "  (every signature keeps it, %s: both checked exactly)", finding->data.exact
			? "these totals do not" : "no mean within the noise does");
	str_addc(out, '\n');
	if (!finding->data.exact)
		return;
	str_add(out, "                 ");
	for (size_t i = 0; i < constraint->n; i++) {
		double term = (double)constraint->coef[i] * finding->counter.value[i];

		if (!constraint->coef[i])
			continue;
		if (finding->counter.n_totals)
			sum += (i128)constraint->coef[i] * finding->counter.total[i];
		fractions += term;
		str_addf(out, "%s%s",
			some               ? (term < 0 ? " - " : " + ")
				: term < 0 ? "-"
					   : "",
			term_text(finding, constraint, i, number));
		some++;
	}
	if (some > 1)
		str_addf(out, " = %s", finding->counter.n_totals ? number_exact(number, (long long)sum, true, true)
			: number_off(number, fractions, true));
	str_add(out, ", not >= 0\n");
}

static void
add_violation(const struct finding *f, const struct constraint *c, bool ascii, struct str *out)
{
	char number[NUMBER_TEXT];

	print_relation(out, c->text, ascii);
	if (f->data.exact)
		str_addf(out, "   off by %s", number_off(number, c->off, true));
	else
		str_addf(out, "   margin %.3g", c->margin);
}

/* True when the output goes to a terminal that may show colours. */
static bool
has_color(const struct options *o)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->color && !str_eq(o->color, "auto"))
		return str_eq(o->color, "always");
	return !o->output && isatty(STDOUT_FILENO) && !(no && *no) && term && !str_eq(term, "dumb");
}

/* "✗ infeasible", padded to one width, in the role's colour of the 16. */
static void
print_check_add_verdict(const struct options *options, enum verdict_kind v, bool in_doubt, struct str *out)
{
	static const char *const color[] = {
		[VERDICT_FEASIBLE] = "32", [VERDICT_INFEASIBLE] = "1;31", [VERDICT_BORDERLINE] = "33",
		[VERDICT_UNDECIDED] = "2"
	};
	bool paint = has_color(options), ascii = print_ascii(options);

	if (paint)
		str_addf(out, "\033[%sm", in_doubt ? color[VERDICT_BORDERLINE] : color[v]);
	str_addf(out, "%s %-10s", in_doubt ? glyph_text(GLYPH_IN_DOUBT, ascii) : print_check_mark(v, ascii),
		verdict_name(v));
	if (paint)
		str_add(out, "\033[0m");
}

/* Describes the samples of which the region was made. */
static void
add_noise(const struct finding *finding, struct str *out)
{
	char number[NUMBER_TEXT];

	str_addf(out, "    region    %zu sample%s worth %s", finding->data.samples,
		plural_s(finding->data.samples), number_digits(number, finding->data.effective, 4, true));
	if (finding->data.random_turns)
		str_add(out, ", independent by design: counters took turns at random");
	if (finding->time.lag > 0)
		str_addf(out, ", correlation of neighbours %.2g", finding->time.lag);
	for (size_t i = 0; i < finding->time.n_phases; i++)
		str_addf(out, "%s%zu", i ? ", " : ", new phases begin at samples ", finding->time.phase[i] + 1);
	str_addc(out, '\n');
}

#define SHARES_SHOWN 3 /* lines per feature, unless all are asked for */

static void
add_ranges(const struct options *o, const struct udd_model *m, const struct uop_ranges *r, struct str *out)
{
	struct str text = {0};

	for (size_t k = 0; r && k < r->n; k++)
		uop_ranges_lines(m, &r->feature[k], r->exact, o->verbose ? SIZE_MAX : SHARES_SHOWN, "    ", &text);
	print_signs(out, str_text(&text), print_ascii(o));
	str_free(&text);
}

#define TRUST_SHOWN 3 /* corrected counters per observation, unless all are asked for */

/* Prints "load.walk_done 12 340 lower, ±20: 1 per page-faults", or why it is not used. */
static void
add_correction(const struct udd_model *model, const struct finding_trust *trust, bool ascii, struct str *out)
{
	char by[NUMBER_TEXT], wide[NUMBER_TEXT];

	str_addf(out, "    trust     %s", model->counter[trust->counter].name);
	if (isinf(trust->widened)) {
		str_add(out, " is not used, because nothing bounds its error");
	} else if (fabs(trust->subtracted) > 0) {
		str_addf(out, " %s %s", number_digits(by, fabs(trust->subtracted), 4, ascii),
			trust->subtracted > 0 ? "lower" : "higher");
		if (trust->widened > 0)
			str_addf(out, ", %s %s", ascii ? "+-" : "±", number_digits(wide, trust->widened, 4, ascii));
	} else {
		str_addf(out, " %s %s", ascii ? "+-" : "±", number_digits(wide, trust->widened, 4, ascii));
	}
	str_add(out, ": it counts too many, ");
	print_visible(out, trust->because);
	str_addc(out, '\n');
}

/* Reports how much it mattered what is known of the counters' errors. */
static void
print_check_add_trust(
	const struct options *options, const struct udd_model *model, const struct finding *finding, struct str *out)
{
	bool differs = finding->counter.without_trust != finding->own.verdict;

	for (size_t i = 0; i < finding->n_trust && (differs || options->verbose); i++) {
		if (i == TRUST_SHOWN && !options->verbose) {
			str_addf(out, "    trust     and %zu more counters (-v lists them)\n", finding->n_trust - i);
			break;
		}
		add_correction(model, &finding->trust[i], print_ascii(options), out);
	}
	if (differs)
		str_addf(out, "    trust     without these corrections it would be %s\n",
			verdict_name(finding->counter.without_trust));
}

/* "    in doubt  200 rows are worth about 7.9": the first sentence of the warning that takes the premise away. */
static void
add_doubt(const struct finding *f, struct str *out)
{
	for (size_t i = 0; i < f->n_warnings; i++) {
		const char *text = f->warning[i].text, *end = strstr(text, ". ");

		if (str_eq(f->warning[i].code, f->in_doubt))
			str_addf(out, "    in doubt  %.*s\n", (int)(end ? (size_t)(end - text) : strlen(text)), text);
	}
}

/* What independent rows would refute, how clearly, and what would decide. */
static void
add_suspected(const struct finding *finding, bool ascii, struct str *out)
{
	char alone[NUMBER_TEXT], slow[NUMBER_TEXT], more[NUMBER_TEXT];

	str_add(out, "    suspected ");
	print_relation(out, finding->proof.suspected->text, ascii);
	str_addf(out, "   p %s if rows are independent, %s with that noise\n",
		number_p(alone, finding->own.p_independent), number_p(slow, finding->own.doubt));
	str_add(out, "    remedy    --independent-rows, if the order of measuring was randomised");
	if (finding->own.samples_needed > (double)finding->data.samples)
		str_addf(out, "; or about %s more samples of the same kind",
			number_round(more, finding->own.samples_needed - (double)finding->data.samples));
	str_addc(out, '\n');
}

/* Reports the counters that read 0 throughout and were left out, if that matters. */
static void
add_left_out(
	const struct options *options, const struct udd_model *model, const struct finding *finding, struct str *out)
{
	bool differs = finding->counter.with_zeros != finding->own.verdict;
	size_t some = 0;

	for (size_t i = 0; i < finding->counter.n_dead && (differs || options->verbose); i++)
		if (finding->counter.dead[i]) {
			str_add(out, some++ ? ", " : "    left out  ");
			print_visible(out, model->counter[i].name);
		}
	if (some)
		str_addf(out, ": 0 throughout, perhaps not counted%s%s%s\n", differs ? "; if 0 is right, it is " : "",
			differs ? verdict_name(finding->counter.with_zeros) : "", differs ? " (--trust-zeros)" : "");
}

#define SENTENCE_COLUMNS 92 /* with the indentation, pages and terminals show it without breaking it anew */

/* The refutation as a sentence, over as many lines as it takes. */
static void
print_check_add_sentence(const struct options *options, const struct udd_model *model, const struct finding *finding,
	struct str *out)
{
	struct str text = {0}, safe = {0};

	sentence_lead(model, finding, options->confidence, &text);
	utf8_add_visible(&safe, str_text(&text), text.n);
	for (const char *at = str_text(&safe); *at;) {
		size_t n = utf8_fit(at, SENTENCE_COLUMNS), end = n;
		char *line;

		while (at[n] && end && (at[end] != ' ' || at[end + 1] == '%'))
			end--;
		n = at[n] && end ? end : n;
		line = mem_strn(at, n);
		str_add(out, "    ");
		print_signs(out, line, print_ascii(options));
		str_addc(out, '\n');
		free(line);
		at += n + (at[n] == ' ');
	}
	str_free(&safe);
	str_free(&text);
}

static void
add_finding(const struct options *options, const struct udd_model *model, const struct result *result,
	const struct finding *finding, size_t width, struct str *out)
{
	bool ascii = print_ascii(options);
	enum verdict_kind v = finding->verdict;
	char number[NUMBER_TEXT], distance[NUMBER_TEXT], limit[NUMBER_TEXT];
	struct str name = {0};

	utf8_add_visible(&name, finding->name, strlen(finding->name));
	print_check_add_verdict(options, v, v == VERDICT_INFEASIBLE && finding->in_doubt, out);
	str_addf(out, "  %s", str_text(&name));
	for (size_t w = utf8_width(str_text(&name)); w < width; w++)
		str_addc(out, ' ');
	str_add(out, "  ");
	if (finding->data.exact)
		str_add(out, "exact totals");
	else if (isfinite(finding->own.distance2))
		str_addf(out, "%zu sample%s, d2 %s of %s, p %s%s", finding->data.samples,
			plural_s(finding->data.samples),
			number_digits(distance, finding->measure.distance2, 4, ascii),
			number_digits(limit, finding->measure.threshold2, 4, ascii),
			number_p(number, finding->measure.p), finding->data.peeked ? " in every test" : "");
	else
		str_addf(out, "%zu sample%s", finding->data.samples, plural_s(finding->data.samples));
	if (!finding->data.exact && isfinite(finding->own.distance2))
		str_addf(out, "  cone %s ellipsoid %s box %s independent %s",
			print_check_mark(finding->own.region[REGION_CONE], ascii),
			print_check_mark(finding->own.region[REGION_ELLIPSOID], ascii),
			print_check_mark(finding->own.region[REGION_BOX], ascii),
			print_check_mark(finding->own.region[REGION_INDEPENDENT], ascii));
	if (v != VERDICT_INFEASIBLE)
		print_untested_names(result, finding, ascii, out);
	str_addc(out, '\n');
	print_check_add_sentence(options, model, finding, out);
	if (v == VERDICT_INFEASIBLE && finding->in_doubt)
		add_doubt(finding, out);
	if (finding->reason)
		str_addf(out, "    %s\n", finding->reason);
	if (v != VERDICT_INFEASIBLE && finding->own.verdict == VERDICT_INFEASIBLE)
		str_addf(out, "    refuted by itself, but not among %zu observations (--one-by-one counts it)\n",
			result->n_findings);
	if (finding->proof.n_suspected)
		add_suspected(finding, ascii, out);
	add_left_out(options, model, finding, out);
	if (options->verbose && !finding->data.exact && finding->own.region[0] != VERDICT_UNDECIDED)
		add_noise(finding, out);
	for (size_t i = 0; i < finding->proof.n_violated; i++) {
		if (i == 3 && !options->verbose && finding->proof.n_violated > 4) {
			str_addf(out, "    and %zu more (-v lists them)\n", finding->proof.n_violated - i);
			break;
		}
		str_add(out, "    violates  ");
		add_violation(finding, &finding->proof.violated[i], ascii, out);
		str_addc(out, '\n');
	}
	if (finding->proof.n_certificates &&
		(options->verbose || finding->proof.n_violated == 0 || finding->data.exact))
		print_check_add_certificate(finding, finding->proof.certificate, ascii, out);
	print_check_add_trust(options, model, finding, out);
	add_ranges(options, model, finding->witness.ranges, out);
	str_free(&name);
}

/* Says in one line how many observations trust concerns, where it changed no verdict. */
static void
add_trust_sum(const struct result *r, struct str *out)
{
	size_t corrected = 0, changed = 0;

	for (size_t i = 0; i < r->n_findings; i++) {
		corrected += r->finding[i].n_trust > 0;
		changed += r->finding[i].counter.without_trust != r->finding[i].own.verdict;
	}
	if (corrected)
		str_addf(out, "counters corrected in %zu of %zu: that changes %zu verdict%s\n", corrected,
			r->n_findings, changed, plural_s(changed));
}

/* " (2 in doubt, 3 if each is judged alone)" */
static void
add_also(const struct options *o, const struct result *r, struct str *out)
{
	bool family = model_args_family_wise(o);

	if (r->refuted.in_doubt)
		str_addf(out, " (%zu in doubt", r->refuted.in_doubt);
	if (r->refuted.one_by_one != r->refuted.family_wise)
		str_addf(out, "%s%zu %s", out->n ? ", " : " (", family ? r->refuted.one_by_one : r->refuted.family_wise,
			family ? "if each is judged alone" : "family-wise");
	if (out->n)
		str_addc(out, ')');
}

void
print_check_text(const struct options *options, const struct udd_model *model, const struct result *result,
	const struct counting *counting, struct str *out)
{
	struct str on = {0}, also = {0};
	size_t width = 0, noisy = 0;

	print_feature_names(model, &result->on, "none", &on);
	for (size_t i = 0; i < result->n_findings; i++) {
		size_t w = utf8_width(result->finding[i].name);

		width = w > width ? w : width;
		noisy += !result->finding[i].data.exact;
	}
	str_addf(out, "model %s, features on: %s", model->name, str_text(&on));
	if (noisy)
		str_addf(out, "; %g %% confidence, %s decides%s", options->confidence * 100, model_args_region(options),
			noisy == 1 ? "" : model_args_family_wise(options) ? ", family-wise" : ", one by one");
	str_add(out, "\n");
	print_counterpoint(options, out);
	add_also(options, result, &also);
	for (size_t i = 0; i < result->n_findings; i++)
		add_finding(options, model, result, &result->finding[i], width > 40 ? 40 : width, out);
	print_untested_reasons(model, result, counting, print_ascii(options), out);
	str_addf(out, "%zu observation%s: %zu infeasible%s, %zu feasible, %zu borderline, %zu undecided\n",
		result->n_findings, plural_s(result->n_findings), result->count[VERDICT_INFEASIBLE],
		str_text(&also), result->count[VERDICT_FEASIBLE], result->count[VERDICT_BORDERLINE],
		result->count[VERDICT_UNDECIDED]);
	add_trust_sum(result, out);
	str_free(&also);
	str_free(&on);
}
