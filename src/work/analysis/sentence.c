#include "work/analysis/sentence.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/cone/cone.h"
#include "core/udd/model.h"
#include "work/analysis/result.h"

/* How much of the counters a sentence shows. Each step is shorter than the one before. */
enum detail {
	DETAIL_WHOLE,    /* whole texts */
	DETAIL_SHORT,    /* texts up to their first comma */
	DETAIL_SMALLER,  /* the longer sum is only counted */
	DETAIL_COUNTED,  /* both sums are only counted */
	DETAIL_NAMES,    /* names without texts */
	DETAIL_LEAST,    /* nor names of sums */
	DETAILS
};

/* One side of a constraint as people write it, with positive factors. */
struct side {
	const struct udd_model *model;
	const struct constraint *constraint;
	int sign;    /* of the coefficients that belong to it */
	size_t n;    /* counters */
	double value;
};

static int64_t
factor_of(const struct side *side, size_t i)
{
	return side->constraint->coef[i] * side->sign;
}

static struct side
side_new(const struct udd_model *model, const struct constraint *constraint, const double *value, int sign)
{
	struct side s = {.model = model, .constraint = constraint, .sign = sign};

	for (size_t i = 0; i < constraint->n; i++)
		if (factor_of(&s, i) > 0) {
			s.n++;
			s.value += (double)factor_of(&s, i) * value[i];
		}
	return s;
}

/* Appends a counter's text with its name, "minor faults (MIN)"; only the name if it has no text. */
static void
add_counter(const struct udd_counter *counter, enum detail detail, struct str *out)
{
	size_t n = strcspn(counter->text, detail == DETAIL_WHOLE ? "" : ",;:(");

	while (n && counter->text[n - 1] == ' ')
		n--;
	if (n == 0 || detail >= DETAIL_NAMES)
		str_add(out, counter->name);
	else
		str_addf(out, "%.*s (%s)", (int)n, counter->text, counter->name);
}

static void sentence_add_side(const struct side *, const struct side *other, enum detail, struct str *out);

static bool
is_counted(const struct side *side, const struct side *other, enum detail detail)
{
	return side->n > 2 && other->constraint &&
		(detail >= DETAIL_COUNTED || (detail == DETAIL_SMALLER && side->n >= other->n));
}

#define NAMED_MOST 4 /* counters of a sum that are named without their texts; of more only the first one is */

/* Appends "the sum of 7 counters (load.walk_done_4k, …)". */
static void
add_counted(const struct side *side, enum detail detail, struct str *out)
{
	if (side->n <= NAMED_MOST && detail < DETAIL_LEAST) {
		sentence_add_side(side, &(struct side){0}, DETAIL_NAMES, out);
		return;
	}
	str_addf(out, "the sum of %zu counters (", side->n);
	for (size_t i = 0; i < side->constraint->n; i++)
		if (factor_of(side, i) > 0) {
			str_addf(out, "%s, …)", side->model->counter[i].name);
			return;
		}
}

static void
sentence_add_side(const struct side *side, const struct side *other, enum detail detail, struct str *out)
{
	size_t at = 0;

	if (is_counted(side, other, detail)) {
		add_counted(side, detail, out);
		return;
	}
	str_add(out, side->n > 1 ? "the sum of " : "");
	for (size_t i = 0; i < side->constraint->n; i++) {
		int64_t times = factor_of(side, i);

		if (times <= 0)
			continue;
		str_add(out, at == 0 ? "" : at + 1 < side->n ? ", " : " and ");
		if (times == 2)
			str_add(out, "twice ");
		else if (times > 2)
			str_addf(out, "%" PRId64 " times ", times);
		add_counter(&side->model->counter[i], detail, out);
		at++;
	}
}

/* Texts are plural nouns; names and sums are singular. */
static bool
is_plural(const struct side *side, enum detail detail)
{
	for (size_t i = 0; i < side->constraint->n; i++)
		if (factor_of(side, i) > 0)
			return side->n == 1 && detail < DETAIL_NAMES && *side->model->counter[i].text;
	return false;
}

static const char *
sentence_number(char out[NUMBER_TEXT], double v, bool whole)
{
	return whole ? number_full(out, v, false) : number_count(out, v, false);
}

/* Appends "by 201 (0.4 %)", "by 21 % (at least 12 % at 99 % confidence)". A share of the lesser side above 200 % says
 * little, so that a factor takes its place. `brief`: of noisy data neither. */
static void
add_difference(double more, double less, double least, bool brief, const struct finding *finding, double confidence,
	struct str *out)
{
	char number[NUMBER_TEXT], share[NUMBER_TEXT];
	bool noisy = !finding->data.exact && least > 0;
	double part = less > 0 && !(brief && noisy) ? (more - less) / less : INFINITY;

	str_addf(out, " by %s", sentence_number(number, more - less, finding->data.exact));
	if (part >= 0.00005 && part < 2)
		str_addf(out, " (%s %%", number_share(share, part));
	else if (part >= 2 && part < 999)
		str_addf(out, " (%s times as much", number_digits(share, more / less, 2, false));
	else
		part = 0;
	if (noisy)
		str_addf(out, "%sat least %s at %g %% confidence", part > 0 ? "; " : " (",
			number_count(number, least, false), confidence * 100);
	if (part > 0 || noisy)
		str_addc(out, ')');
}

/* Returns the least difference in the whole region, in counts; 0: unknown. */
static double
least_difference(const struct constraint *constraint, const double *value)
{
	double size = 0;

	for (size_t i = 0; i < constraint->n; i++)
		if (constraint->coef[i])
			size += fabs((double)constraint->coef[i]) * fabs(value[i]);
	return constraint->margin > 0 ? constraint->margin * size : 0;
}

/* A constraint that only one side of has counters. */
static void
add_alone(const struct side *side, const struct side *other, enum detail detail, const struct finding *finding,
	struct str *out)
{
	char number[NUMBER_TEXT];
	bool plural = is_plural(side, detail);

	sentence_add_side(side, other, detail, out);
	if (side->value < 0)
		str_add(out, plural ? " are" : " is");
	else
		str_add(out, side->n > 1 ? " is" : plural ? " were counted" : " was counted");
	str_addf(out, " %s%s, which no µpath of this model allows.", sentence_number(number, side->value,
		finding->data.exact), side->value < 0 || side->n > 1 ? "" : " times");
}

static void
add_sentence(const struct side *more, const struct side *less, enum detail detail, const struct finding *finding,
	double confidence, struct str *out)
{
	const struct constraint *constraint = more->constraint;

	if (more->n == 0 || less->n == 0) {
		add_alone(more->n ? more : less, more, detail, finding, out);
		return;
	}
	sentence_add_side(more, less, detail, out);
	str_add(out, is_plural(more, detail) ? " exceed " : " exceeds ");
	sentence_add_side(less, more, detail, out);
	add_difference(more->value, less->value, least_difference(constraint, finding->counter.value),
		detail >= DETAIL_SMALLER, finding, confidence, out);
	str_add(out, ", which no µpath of this model allows.");
}

/* Makes the first letter a capital, unless the sentence begins with a name. */
static void
begin_sentence(const struct side *first, enum detail detail, char *text)
{
	if (first->n > 1 || is_plural(first, detail))
		*text = (char)toupper((unsigned char)*text);
}

void
sentence_refutation(const struct udd_model *model, const struct constraint *constraint, const struct finding *finding,
	double confidence, struct str *out)
{
	const double *value = finding->counter.value;
	struct side plus = side_new(model, constraint, value, 1), minus = side_new(model, constraint, value, -1);
	/* Σ coef·v ≥ 0 is violated where the negative terms are greater; an equality, where either side is. */
	bool swap = constraint->equality && plus.value > minus.value;
	const struct side *more = swap ? &plus : &minus, *less = swap ? &minus : &plus;

	if (!isfinite(plus.value) || !isfinite(minus.value))
		return;
	for (enum detail detail = DETAIL_WHOLE; detail < DETAILS; detail++) {
		struct str text = {0};
		bool fits;

		add_sentence(more, less, detail, finding, confidence, &text);
		fits = utf8_width(str_text(&text)) <= SENTENCE_MOST || detail + 1 == DETAILS;
		if (fits) {
			begin_sentence(more->n ? more : less, detail, text.s);
			str_add(out, str_text(&text));
		}
		str_free(&text);
		if (fits)
			break;
	}
}

void
sentence_lead(const struct udd_model *model, const struct finding *finding, double confidence, struct str *out)
{
	const struct constraint *constraint = finding->proof.n_violated ? finding->proof.violated
		: finding->proof.n_certificates ? finding->proof.certificate : NULL;

	if (constraint && finding->verdict == VERDICT_INFEASIBLE)
		sentence_refutation(model, constraint, finding, confidence, out);
}
