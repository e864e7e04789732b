#include "work/analysis/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/udd/model.h"
#include "work/analysis/result.h"
#include "work/analysis/sentence.h"

/* One side of a relation: what is left or right of the sign in "left ≤ right" or "left = right". */
struct side {
	size_t n;       /* number of counters */
	int64_t times;  /* coefficient of the only one */
	double value;
};

static bool
is_left(const struct constraint *c, size_t i)
{
	int left = cone_row_left(c->coef, c->n, c->equality);

	return c->coef[i] > 0 ? left > 0 : left < 0;
}

static struct side
side_of(const struct constraint *constraint, bool left, const double *value)
{
	struct side s = {0};

	for (size_t i = 0; i < constraint->n; i++)
		if (constraint->coef[i] && is_left(constraint, i) == left) {
			s.n++;
			s.times = constraint->coef[i] < 0 ? -constraint->coef[i] : constraint->coef[i];
			if (value)
				s.value += (double)s.times * value[i];
		}
	return s;
}

/* Appends "A", "A and 2 × B together", "A, B and C together"; `bare`: without the factor of a single counter. */
static void
words_add_side(
	const struct udd_model *model, const struct constraint *constraint, bool left, bool bare, struct str *out)
{
	size_t n = side_of(constraint, left, NULL).n, at = 0;

	for (size_t i = 0; i < constraint->n; i++) {
		int64_t k = constraint->coef[i] < 0 ? -constraint->coef[i] : constraint->coef[i];

		if (!k || is_left(constraint, i) != left)
			continue;
		str_add(out, at == 0 ? "" : at + 1 == n ? " and " : ", ");
		if (k > 1 && !(bare && n == 1))
			str_addf(out, "%" PRId64 " × ", k);
		str_add(out, model->counter[i].name);
		at++;
	}
	if (n == 0)
		str_add(out, "0");
	if (n > 1)
		str_add(out, " together");
}

static void
rule_of_equality(const struct udd_model *model, const struct constraint *constraint, struct str *out)
{
	struct side l = side_of(constraint, true, NULL), r = side_of(constraint, false, NULL);

	if (l.n == 0 || r.n == 0) {
		str_add(out, "no µpath counts ");
		words_add_side(model, constraint, r.n == 0, true, out);
		return;
	}
	str_add(out, "every µpath counts ");
	words_add_side(model, constraint, true, false, out);
	str_add(out, " exactly as often as ");
	words_add_side(model, constraint, false, false, out);
}

void
words_rule(const struct udd_model *model, const struct constraint *constraint, struct str *out)
{
	struct side l = side_of(constraint, true, NULL), r = side_of(constraint, false, NULL);

	if (constraint->equality) {
		rule_of_equality(model, constraint, out);
	} else if (l.n == 0) {
		words_add_side(model, constraint, false, true, out);
		str_add(out, r.n == 1 ? " is a count: never below 0" : " are counts: never below 0");
	} else if (r.n == 0) {
		str_add(out, "no µpath counts ");
		words_add_side(model, constraint, true, true, out);
	} else if (l.n == 1 && l.times == 1 && r.n == 1 && r.times > 1) {
		str_add(out, "every µpath counts ");
		words_add_side(model, constraint, true, true, out);
		str_addf(out, " at most %" PRId64 " times for each ", r.times);
		words_add_side(model, constraint, false, true, out);
	} else if (l.n == 1 && (l.times == 1 || (r.n == 1 && r.times == 1))) {
		str_add(out, "every µpath that counts ");
		words_add_side(model, constraint, true, true, out);
		str_add(out, " counts ");
		words_add_side(model, constraint, false, false, out);
		if (l.times > 1)
			str_addf(out, " at least %" PRId64 " times as often", l.times);
		else
			str_add(out, " at least as often");
	} else {
		str_add(out, "on every µpath ");
		words_add_side(model, constraint, true, false, out);
		str_add(out, l.n > 1 ? " are counted at most as often as " : " is at most ");
		words_add_side(model, constraint, false, false, out);
	}
}

/* Writes a count with all digits where a difference of one matters, otherwise with three. Returns `out`. */
static const char *
value_text(char out[NUMBER_TEXT], double v, bool whole)
{
	return whole ? number_full(out, v, false) : number_count(out, v, false);
}

/* Appends "by 21 %", "by 2", "4.6 times". */
static void
add_excess(double more, double less, bool whole, struct str *out)
{
	char number[NUMBER_TEXT];
	double share = (more - less) / less;

	if (less <= 0 || share < 0.001)
		str_addf(out, " by %s", value_text(number, more - less, whole));
	else if (share >= 2)
		str_addf(out, " %s times", number_count(number, more / less, false));
	else
		str_addf(out, " by %s %%", number_share(number, share));
}

void
words_data(const struct udd_model *model, const struct constraint *constraint, const struct finding *finding,
	struct str *out)
{
	struct side l = side_of(constraint, true, finding->counter.value),
		    r = side_of(constraint, false, finding->counter.value);
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	bool plural = l.n > 1, whole = finding->data.exact || constraint->equality;

	if (!isfinite(l.value) || !isfinite(r.value))
		return;
	str_addf(out, "in %s ", finding->name);
	if (l.n == 0 || r.n == 0) { /* a share of 0 is undefined */
		words_add_side(model, constraint, l.n > 0, true, out);
		str_addf(out, plural || r.n > 1 ? " are %s" : " is %s", value_text(a, l.n ? l.value : r.value, whole));
		return;
	}
	words_add_side(model, constraint, true, false, out);
	if (l.value == r.value) {
		str_addf(out, " and ");
		words_add_side(model, constraint, false, false, out);
		str_addf(out, " are both %s", value_text(a, l.value, whole));
		return;
	}
	str_add(out, l.value > r.value ? plural ? " exceed " : " exceeds " : plural ? " stay below " : " stays below ");
	words_add_side(model, constraint, false, false, out);
	add_excess(l.value > r.value ? l.value : r.value, l.value > r.value ? r.value : l.value, whole, out);
	whole |= str_eq(value_text(a, l.value, false), value_text(b, r.value, false));
	str_addf(out, " (%s against %s)", value_text(a, l.value, whole), value_text(b, r.value, whole));
}

static void
words_add_parts(const struct finding *f, struct str *out)
{
	str_addf(out, "It combines %zu constraints of the model. None of them is broken alone:\n", f->proof.n_parts);
	for (size_t i = 0; i < f->proof.n_parts; i++)
		str_addf(out, "  %" PRId64 " × ( %s )\n", f->proof.weight[i], f->proof.part[i].text);
	if (f->proof.times != 1)
		str_addf(out, "  … divided by %" PRId64 "\n", f->proof.times);
}

bool
words_is_proof(const struct constraint *c, const struct finding *f)
{
	bool plus = f->proof.n_certificates && f->own.verified, minus = plus && c->equality;

	for (size_t i = 0; i < c->n; i++) {
		plus = plus && f->proof.certificate->coef[i] == c->coef[i];
		minus = minus && f->proof.certificate->coef[i] == -c->coef[i];
	}
	return plus || minus;
}

void
words_refutation(const struct udd_model *model, const struct constraint *constraint, const struct finding *finding,
	double confidence, struct str *out)
{
	struct str data = {0};
	bool whole = finding->proof.n_certificates && !finding->proof.n_violated &&
		constraint == finding->proof.certificate;

	sentence_refutation(model, constraint, finding, confidence, out);
	str_add(out, out->n ? "\nAccording to the model, " : "According to the model, ");
	words_rule(model, constraint, out);
	words_data(model, constraint, finding, &data);
	if (data.n)
		str_addf(out, "; but %s.\n", str_text(&data));
	else
		str_add(out, ".\n");
	if (whole && finding->proof.n_parts > 1)
		words_add_parts(finding, out);
	if (finding->data.exact)
		str_add(out, "The totals are exact, so any difference refutes the model.\n");
	else
		str_addf(out, "Noise does not explain it: no point of the %g %% region satisfies the rule.\n",
			confidence * 100);
	if (words_is_proof(constraint, finding))
		str_add(out, "Both were verified in exact arithmetic, independent of the solvers: the rule for every "
			"signature, the data for the whole region.\n");
	else if (finding->own.verified)
		str_addf(out, "The proof, verified in exact arithmetic, is %s.\n", finding->proof.certificate->text);
	str_free(&data);
}

void
words_features(const struct udd_model *m, const struct fset *on, struct str *out)
{
	size_t some = 0;

	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			str_addf(out, "%s%s", some++ ? " + " : "", m->feature[i].name);
}
