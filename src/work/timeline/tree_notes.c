#include "work/timeline/tree_notes.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/laws/laws.h"
#include "core/metric/metric.h"
#include "core/stack/account.h"
#include "core/stack/bounds.h"
#include "core/stack/stack.h"
#include "core/stack/tree.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/stack_notes.h"

#define ROUNDING 1e-9 /* of the whole: a value that is closer to a bound is on it */
#define SKEW 0.02     /* relative: counters that are read one after the other differ by less */

const char *
tree_event(const struct stack *s, size_t counter)
{
	const struct counter_item *c = &s->counter[counter];

	return c->n_choices && c->choice[0].n ? c->choice[0].event[0].name : c->name;
}

void
tree_add_path(const struct stack *s, size_t part, struct str *out)
{
	if (s->part[part].parent != STACK_TOP) {
		tree_add_path(s, s->part[part].parent, out);
		str_add(out, " → ");
	}
	str_add(out, s->part[part].name);
}

size_t
tree_lacks(const struct stack *s, const struct stack_counts *counts, size_t part, struct str *out)
{
	bool *lacks = mem_new_array(s->n_counters, sizeof *lacks);
	size_t n = stack_lacking(s, counts->value, part, lacks);

	for (size_t i = 0, some = 0; out && i < s->n_counters; i++)
		if (lacks[i])
			str_addf(out, "%s%s", some++ ? ", " : "", tree_event(s, i));
	free(lacks);
	return n;
}

struct stack_bounds *
tree_bounds_new(const struct stack_bar *bar)
{
	const struct stack_counts *counts = bar->counts;
	struct metric_value *counter = mem_new_array(counts->n_counters + 1, sizeof *counter);
	struct stack_bounds *bounds;

	for (size_t i = 0; i < counts->n_counters; i++) {
		double value = counts->value[i], seen = value * fmin(1, counts->running[i]) * (1 - counts->filled[i]);

		counter[i] = (struct metric_value){seen, value, 2 * value - seen};
	}
	bounds = stack_bounds_new(bar->stack, counter);
	free(counter);
	return bounds;
}

bool
tree_add_bounds(const struct stack_bar *bar, const struct stack_bounds *bounds, size_t part, struct str *out)
{
	const struct stack_bounds *b = &bounds[part];
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	if (isnan(bar->account->amount[part].share) || b->widest == bar->stack->n_counters)
		return false;
	if (isnan(b->low)) {
		str_add(out, "no bounds: a divisor may be 0");
		return true;
	}
	str_addf(out, "between %s and %s %%%s; widest: %s", number_digits(low, 100 * b->low, 3, false),
		number_digits(high, 100 * b->high, 3, false), b->enclosure ? ", or less far apart" : "",
		tree_event(bar->stack, b->widest));
	return true;
}

void
tree_add_why(const struct stack_bar *bar, size_t part, struct str *out)
{
	const struct stack *stack = bar->stack;
	const struct aexpr *zero;
	struct str events = {0};

	if (!isnan(bar->account->amount[part].value))
		return;
	if (tree_lacks(stack, bar->counts, part, &events))
		str_addf(out, "not counted: %s", str_text(&events));
	zero = events.n ? NULL : stack_zero_divisor(stack, bar->counts->value, part);
	str_free(&events);
	if (zero) {
		str_add(out, "it is divided by ");
		aexpr_print(zero, out);
		str_add(out, ", which is 0");
	}
}

/* "CPU_CLK_UNHALTED.THREAD (40.0 M)" */
static void
tree_notes_add_count(const struct stack_bar *b, size_t counter, struct str *out)
{
	char number[NUMBER_TEXT];

	str_addf(out, "%s (%s)", tree_event(b->stack, counter), number_count(number, b->counts->value[counter], true));
}

/* ": A (n) contradicts B (m); one is too large for the other" */
static void
add_pair(const struct stack_bar *b, const struct tree_pair *pair, struct str *out)
{
	const struct stack *s = b->stack;

	if (pair->much == s->n_counters || pair->little == s->n_counters)
		return;
	str_add(out, ": ");
	tree_notes_add_count(b, pair->much, out);
	str_add(out, " contradicts ");
	tree_notes_add_count(b, pair->little, out);
	str_add(out, "; one is too large for the other");
}

bool
tree_is_contradicted(const struct stack_bar *b, size_t part, struct tree_pair *pair)
{
	double share = b->account->amount[part].share;
	struct stack_pull pull;

	if (!(share < -ROUNDING) && !(share > 1 + ROUNDING))
		return false;
	pull = stack_pull_part(b->stack, b->counts->value, part);
	*pair = share < 0 ? (struct tree_pair){pull.down, pull.up} : (struct tree_pair){pull.up, pull.down};
	return true;
}

bool
tree_add_contradiction(const struct stack_bar *bar, size_t part, struct str *out)
{
	double share = bar->account->amount[part].share;
	char number[NUMBER_TEXT];
	struct tree_pair pair;

	if (!tree_is_contradicted(bar, part, &pair))
		return false;
	str_addf(out, "%s is %s (%s%s %%), but %s", bar->stack->part[part].name,
		share < 0 ? "below zero" : "above 100 %", share < 0 ? "-" : "", number_share(number, fabs(share)),
		LAW_OF_SHARES);
	add_pair(bar, &pair, out);
	return true;
}

bool
tree_add_misfit(const struct stack_bar *bar, size_t level, struct str *out)
{
	const struct stack *stack = bar->stack;
	const struct stack_fit *fit = &bar->account->fit[level];
	struct stack_pull pull;
	char number[NUMBER_TEXT];

	if (!stack->tree.sums[level] || fit->n_unknown || !(fit->parent > 0) ||
		fabs(fit->known - fit->parent) <= SKEW * fit->parent)
		return false;
	pull = stack_pull_level(stack, bar->counts->value, level);
	str_addf(out, "the nodes of %s add up to %s %% of it",
		level == stack->n_parts ? *stack->whole_text ? stack->whole_text : stack->whole_name
					: stack->part[level].name,
		number_share(number, fit->known / fit->parent));
	add_pair(bar, fit->known > fit->parent ? &(struct tree_pair){pull.up, pull.down}
			: &(struct tree_pair){pull.down, pull.up}, out);
	return true;
}

size_t
tree_unknown(const struct stack_bar *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->stack->n_parts; i++)
		n += isnan(b->account->amount[i].value) ? 1 : 0;
	return n;
}
