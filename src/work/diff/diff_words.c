#include "work/diff/diff_words.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "work/diff/measure.h"

#define TOO_WIDE 10.0    /* an interval that reaches so far says nothing */
#define TOO_LONG 86400.0 /* seconds: an answer that would take longer is not promised */

char *
diff_change_text(const struct diff_quantity *q, const struct diff_found *f, double v, bool ascii)
{
	char number[NUMBER_TEXT];
	const char *sign = v < 0 ? (ascii ? "-" : "−") : "+";

	if (isinf(v))
		return mem_str(ascii ? "?" : "…");
	if (f->absolute) {
		char *amount = diff_value_text(q, fabs(v), ascii), *text = str_format("%s%s", sign, amount);

		free(amount);
		return text;
	}
	if (fabs(v) < 1e-9) /* rounding */
		return mem_str("0 %");
	if (v >= 10 || (v < -0.9 && v > -1))
		return str_format("%s%s", ascii ? "x" : "×", number_digits(number, 1 + v, v < 0 ? 2 : 3, ascii));
	return str_format("%s%s %%", sign, number_digits(number, fabs(v) * 100, fabs(v) < 1e-3 ? 1 : 2, ascii));
}

char *
diff_change_cell(const struct diff_quantity *q, const struct diff_found *f, double v, bool ascii)
{
	bool usable = f->absolute || f->answer != DIFF_UNDECIDED || (v >= -1 && v <= TOO_WIDE);

	return diff_change_text(q, f, usable ? v : INFINITY, ascii);
}

char *
diff_value_text(const struct diff_quantity *q, double v, bool ascii)
{
	char number[NUMBER_TEXT];

	if (isnan(v))
		return mem_str("-");
	if (str_eq(q->unit, "s"))
		return mem_str(number_seconds(number, v, ascii));
	if (str_eq(q->unit, "ns"))
		return mem_str(number_seconds(number, v * 1e-9, ascii));
	return mem_str(number_count(number, v, ascii));
}

double
diff_seconds_for(const struct measured_diff *m, size_t blocks)
{
	size_t made = m->table.n_runs / SHIFT_BLOCK;

	return made ? m->seconds / (double)made * (double)blocks : NAN;
}

const char *
diff_answer_brief(const struct diff_quantity *q, const struct diff_found *f)
{
	switch (f->answer) {
	case DIFF_MORE:
		return q->is_time ? "slower" : "more";
	case DIFF_LESS:
		return q->is_time ? "faster" : "fewer";
	case DIFF_EQUAL:
		return "equal";
	case DIFF_UNDECIDED:
	case DIFF_ANSWERS:
		break;
	}
	return f->counted ? "undecided" : "not counted";
}

char *
diff_answer_text(const struct measured_diff *m, bool recorded, size_t i, bool ascii)
{
	const struct diff_quantity *q = &m->table.quantity[i];
	const struct diff_found *f = &m->report.found[i];
	char a[NUMBER_TEXT], more[NUMBER_TEXT];
	const char *about;

	if (f->answer == DIFF_EQUAL && f->within > 0)
		return str_format("equal within %s %%", number_digits(a, f->within * 100, 2, ascii));
	if (f->answer != DIFF_UNDECIDED || !f->counted)
		return mem_str(diff_answer_brief(q, f));
	if (f->fewest_runs)
		return str_format("undecided: %s, if of %zu runs or more",
			diff_answer_brief(q, &(struct diff_found){.answer = f->if_known, .counted = true}),
			f->fewest_runs);
	if (!f->more_blocks || (!recorded && !(diff_seconds_for(m, f->more_blocks) < TOO_LONG)))
		return mem_str("undecided");
	number_round(more, 2 * (double)f->more_blocks);
	about = isinf(f->high) ? "at least" : "about"; /* at first only the number of blocks for a bound is known */
	if (recorded)
		return str_format("undecided: %s %s more runs of each", about, more);
	number_seconds(a, diff_seconds_for(m, f->more_blocks), ascii);
	return str_format("undecided: %s %s more pairs, %s", about, more, a);
}

bool
diff_is_repeated(const struct measured_diff *m, size_t i)
{
	const struct diff_found *f = m->report.found;

	for (size_t k = 0; k < m->report.n && str_eq(m->table.quantity[i].name, "minor-faults"); k++)
		if (str_eq(m->table.quantity[k].name, "page-faults"))
			return f[k].a == f[i].a && f[k].b == f[i].b && f[k].answer == f[i].answer;
	return false;
}

void
diff_add_lead(struct str *out, const struct measured_diff *m, const struct diff_rule *rule, bool recorded, bool ascii)
{
	const struct diff_quantity *q = &m->table.quantity[0];
	const struct diff_found *f = &m->report.found[0];
	char *low = diff_change_text(q, f, f->low, ascii), *high = diff_change_text(q, f, f->high, ascii),
	     *change = diff_change_text(q, f, f->estimate, ascii), *threshold;
	char number[NUMBER_TEXT], more[NUMBER_TEXT];

	threshold = str_format("%s %%", number_digits(number, rule->threshold * 100, 2, ascii));
	if (f->answer == DIFF_MORE || f->answer == DIFF_LESS)
		str_addf(out, "B %s %s than A: %s %s, surely between %s and %s.", q->is_time ? "is" : "has",
			f->answer == DIFF_MORE ? q->is_time ? "slower" : "more"
				: q->is_time   ? "faster"
					       : "less",
			q->name, change, low, high);
	else if (f->answer == DIFF_EQUAL)
		str_addf(out, "B is as A: any difference of %s is surely below %s %%.", q->name,
			number_digits(number, f->within * 100, 2, ascii));
	else if (q->stated && !(q->stated[0].runs && q->stated[1].runs)) {
		str_addf(out, "Undecided: %s %s, but of how many runs the means are is not said; -r N says it.",
			q->name, change);
		if (f->fewest_runs)
			str_addf(out, " If each is of %zu runs or more, B is %s.", f->fewest_runs,
				diff_answer_brief(q, &(struct diff_found){.answer = f->if_known, .counted = true}));
	} else if (isinf(f->low) || isinf(f->high) || (!f->absolute && f->high > TOO_WIDE))
		str_addf(out, "Undecided: so few runs (%zu in all) do not bound the difference.", m->table.n_runs);
	else
		str_addf(out, "Undecided: %s %s, between %s and %s.", q->name, change, low, high);
	if ((f->answer == DIFF_MORE || f->answer == DIFF_LESS) && !f->above &&
		fmax(fabs(f->low), fabs(f->high)) <= rule->threshold)
		str_addf(out, " That is within the threshold of %s.", threshold);
	else if (f->answer == DIFF_MORE && !f->above)
		str_addf(out, " Whether that exceeds the threshold of %s is undecided.", threshold);
	if (f->answer == DIFF_UNDECIDED && f->more_blocks && !recorded &&
		diff_seconds_for(m, f->more_blocks) < TOO_LONG) {
		number_seconds(number, diff_seconds_for(m, f->more_blocks), ascii);
		str_addf(out, isinf(f->high) ? " At least %s more pairs of runs (%s) are needed."
					     : " About %s more pairs of runs (%s) would decide.",
			number_round(more, 2 * (double)f->more_blocks), number);
	}
	str_add(out, "\n");
	free(low);
	free(high);
	free(change);
	free(threshold);
}
