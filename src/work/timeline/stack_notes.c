#include "work/timeline/stack_notes.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "event/modifiers.h"
#include "work/timeline/stack_count.h"
#include "work/timeline/tree_notes.h"

#define MANY_LACK 6 /* from this many counters on, those missing for one reason share one sentence */
#define ZEROS_SHOWN 6 /* names of counters that are taken as 0 */

struct notes {
	char **text;
	size_t n, cap;
};

/* Appends the text as a note, unless it is empty. Takes the text over. */
static void
stack_notes_take(struct notes *x, struct str *text)
{
	if (!text->n)
		return;
	mem_grow(&x->text, &x->cap, x->n + 2, sizeof *x->text);
	x->text[x->n++] = str_take(text);
	x->text[x->n] = NULL;
}

static const char *
value_name(const struct stack *s, size_t row)
{
	return row < s->n_parts ? s->part[row].name : row == s->n_parts ? s->whole_name : s->figure_text;
}

/* Lists the values that need a missing counter, and why the counter is missing. Adds nothing where the counter has a
 * count, or where no value needs it. */
static void
describe_missing(const struct stack_bar *bar, size_t counter, struct str *out)
{
	const struct stack *stack = bar->stack;
	size_t some = 0;

	if (bar->counts->lack[counter] == STACK_COUNTED)
		return;
	for (size_t row = 0; row < stack->n_parts + 2; row++)
		if (stack_uses(stack, row, counter) && !(row < stack->n_parts && stack->part[row].rest)) {
			if (!some)
				str_addf(out, " (%s%s%s): ", stack_lack_text(bar->counts->lack[counter]),
					bar->counts->lack[counter] == STACK_UNRESOLVED ? ", " : "",
					bar->counts->lack[counter] == STACK_UNRESOLVED
						? stack->counter[counter].unresolved
						: "");
			str_addf(out, "%s%s", some++ ? ", " : "", value_name(stack, row));
		}
}

/* What to do about a counter that is missing. */
static const char *
advice_for(enum stack_lack why)
{
	switch (why) {
	case STACK_NO_COLUMN:
		return "; count its events (--check lists them), or name a column so";
	case STACK_DEAD:
		return "; is its event right for this machine?";
	case STACK_COUNTED:
	case STACK_UNRESOLVED:
	case STACK_NOT_COUNTED:
	case STACK_UNSUPPORTED:
	case STACK_OTHER_UNIT:
		return "";
	}
	return "";
}

static bool
is_lost_by(const struct stack_bar *b, size_t row, enum stack_lack why)
{
	for (size_t i = 0; i < b->stack->n_counters; i++)
		if (b->counts->lack[i] == why && stack_uses(b->stack, row, i) &&
			!(row < b->stack->n_parts && b->stack->part[row].rest))
			return true;
	return false;
}

/* Writes one sentence for many counters that are missing for one reason (one source reports less than another, say). */
static void
note_many(const struct stack_bar *bar, enum stack_lack why, struct str *what, struct notes *notes)
{
	const struct stack *stack = bar->stack;
	struct str text = {0};
	size_t n = 0, some = 0;

	for (size_t i = 0; i < stack->n_counters; i++)
		n += bar->counts->lack[i] == why && what[i].n;
	if (n < MANY_LACK)
		return;
	for (size_t i = 0; i < stack->n_counters; i++)
		if (bar->counts->lack[i] == why && what[i].n) {
			str_addf(&text, "%s%s", some++ ? ", " : "no count of ", stack->counter[i].name);
			str_clear(&what[i]);
		}
	str_addf(&text, " (%s): ", stack_lack_text(why));
	some = 0;
	for (size_t row = 0; row < stack->n_parts + 2; row++)
		if (is_lost_by(bar, row, why))
			str_addf(&text, "%s%s", some++ ? ", " : "", value_name(stack, row));
	str_addf(&text, " cannot be computed%s", advice_for(why));
	stack_notes_take(notes, &text);
}

/* Reports the missing counters and the values that need them. Counters with the same consequence share a sentence. */
static void
note_missing(const struct stack_bar *bar, struct notes *notes)
{
	const struct stack *stack = bar->stack;
	struct str *what = mem_new_array(stack->n_counters, sizeof *what);

	for (size_t i = 0; i < stack->n_counters; i++)
		describe_missing(bar, i, &what[i]);
	for (int why = STACK_NO_COLUMN; why <= STACK_OTHER_UNIT; why++)
		note_many(bar, (enum stack_lack)why, what, notes);
	for (size_t i = 0; i < stack->n_counters; i++) {
		struct str text = {0};
		size_t some = 0;

		for (size_t k = i; what[i].n && k < stack->n_counters; k++)
			if (str_eq(str_text(&what[k]), str_text(&what[i]))) {
				str_addf(&text, "%s%s", some++ ? ", " : "no count of ", stack->counter[k].name);
				if (k > i)
					str_clear(&what[k]);
			}
		if (some)
			str_addf(
				&text, "%s cannot be computed%s", str_text(&what[i]), advice_for(bar->counts->lack[i]));
		stack_notes_take(notes, &text);
	}
	for (size_t i = 0; i < stack->n_counters; i++)
		str_free(&what[i]);
	free(what);
}

/* "p has no value: a + b, by which it is divided, is 0; max(a + b, 1 requests) would give it one" */
static void
describe_zero(const struct stack_bar *bar, size_t row, struct str *out)
{
	const struct aexpr *zero = stack_zero_divisor(bar->stack, bar->counts->value, row);
	struct str divisor = {0}, unit = {0};

	if (!zero) {
		str_addf(out, "%s has no value: it is too large for a number", value_name(bar->stack, row));
		return;
	}
	aexpr_print(zero, &divisor);
	str_addf(out, "%s has no value: %s, by which it is divided, is 0", value_name(bar->stack, row),
		str_text(&divisor));
	if (row < bar->stack->n_parts) {
		unit_text(zero->unit, &unit);
		str_addf(out, "; max(%s, 1%s%s) would give it one", str_text(&divisor),
			str_eq(str_text(&unit), "1") ? "" : " ", str_eq(str_text(&unit), "1") ? "" : str_text(&unit));
	}
	str_free(&divisor);
	str_free(&unit);
}

/* Reports the values that are undefined although all their counters have counts. */
static void
note_divisions(const struct stack_bar *bar, struct notes *notes)
{
	const struct stack *stack = bar->stack;

	for (size_t row = 0; row < stack->n_parts + 2; row++) {
		double v = row < stack->n_parts ? bar->account->amount[row].value
			: row == stack->n_parts ? bar->account->whole
				: bar->account->figure;
		bool lacks = false;
		struct str text = {0};

		if (!isnan(v) || (row < stack->n_parts && stack->part[row].rest) ||
			(row > stack->n_parts && !stack->figure))
			continue;
		for (size_t i = 0; i < stack->n_counters; i++)
			lacks |= stack_uses(stack, row, i) && bar->counts->lack[i] != STACK_COUNTED;
		if (!lacks)
			describe_zero(bar, row, &text);
		stack_notes_take(notes, &text);
	}
}

/* Appends an expression and its value; a counter with the event that it counts. */
static void
stack_notes_add_side(const struct stack *s, const struct aexpr *e, double value, struct str *out)
{
	const struct counter_item *c = e->op == AEXPR_NAME && e->index < s->n_counters ? &s->counter[e->index] : NULL;
	char number[NUMBER_TEXT];

	aexpr_print(e, out);
	str_add(out, " (");
	if (c && c->n_choices == 1 && c->choice[0].n == 1)
		str_addf(out, "%s, ", c->choice[0].event[0].name);
	str_addf(out, "%s)", number_count(number, value, true));
}

/* Reports counts that contradict each other, before any formula is made of them. */
static void
note_contradictions(const struct stack_bar *bar, struct notes *notes)
{
	const struct stack *stack = bar->stack;

	for (size_t i = 0; i < stack->n_expects; i++) {
		const struct stack_order *order = &bar->account->order[i];
		struct str text = {0};

		if (!order->broken)
			continue;
		stack_notes_add_side(stack, stack->expect[i].low, order->low, &text);
		str_add(&text, " is more than ");
		stack_notes_add_side(stack, stack->expect[i].high, order->high, &text);
		str_addf(&text, ", which cannot be: %s", stack->expect[i].text);
		stack_notes_take(notes, &text);
	}
}

/* Whether the part needs a count that contradicts another one. */
static bool
is_contradicted(const struct stack_bar *b, size_t part)
{
	const struct stack *s = b->stack;

	for (size_t i = 0; i < s->n_expects; i++)
		for (size_t k = 0; b->account->order[i].broken && k < s->n_counters; k++)
			if (s->expect[i].uses[k] && stack_uses(s, part, k))
				return true;
	return false;
}

static void
note_negatives(const struct stack_bar *bar, struct notes *notes)
{
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < bar->stack->n_parts; i++) {
		const struct stack_amount *amount = &bar->account->amount[i];
		struct str text = {0};

		if (amount->negative && !bar->stack->part[i].rest)
			str_addf(&text, "%s is below zero (-%s): %s", bar->stack->part[i].name,
				number_count(number, -amount->value, true),
				is_contradicted(bar, i) ? "its counts contradict each other, as said above"
					: "its formula takes off more than it adds");
		stack_notes_take(notes, &text);
	}
	if (bar->account->whole_negative) {
		struct str text = {0};

		str_addf(&text, "%s is below zero, so no part can be a share of it", bar->stack->whole_name);
		stack_notes_take(notes, &text);
	}
}

static double
least_running(const struct stack_bar *b, size_t *which)
{
	double least = 1;

	for (size_t i = 0; i < b->stack->n_counters; i++)
		if (b->counts->lack[i] == STACK_COUNTED && b->counts->running[i] < least) {
			least = b->counts->running[i];
			*which = i;
		}
	return least;
}

/* The remainder of the level. Each level has one. */
static size_t
rest_of(const struct stack *s, size_t level)
{
	size_t i = 0;

	while (i < s->n_parts &&
		!(s->part[i].rest && (s->part[i].parent == STACK_TOP ? s->n_parts : s->part[i].parent) == level))
		i++;
	return i;
}

/* "p and q both add a", for the first two parts of the level of which that is so. */
static bool
add_overlap(const struct stack *stack, size_t level, struct str *out)
{
	for (size_t b = 0; b < stack->n_parts; b++)
		for (size_t a = 0; a < b; a++) {
			size_t of_a = stack->part[a].parent == STACK_TOP ? stack->n_parts : stack->part[a].parent,
			       of_b = stack->part[b].parent == STACK_TOP ? stack->n_parts : stack->part[b].parent;

			for (size_t i = 0; of_a == level && of_b == level && i < stack->n_counters; i++)
				if (stack->adds[a * stack->n_counters + i] && stack->adds[b * stack->n_counters + i]) {
					str_addf(out, " %s and %s both add %s", stack->part[a].name,
						stack->part[b].name, stack->counter[i].name);
					return true;
				}
		}
	return false;
}

/* The parts have more than their parent: the remainder is below zero. */
static void
describe_excess(const struct stack_bar *bar, size_t level, size_t rest, struct str *out)
{
	const struct stack_fit *fit = &bar->account->fit[level];
	char number[NUMBER_TEXT], share[NUMBER_TEXT];
	size_t which = 0;
	double least = least_running(bar, &which);

	str_addf(out, "the parts of %s add up to %s more than it", value_name(bar->stack, level),
		number_count(number, fit->over, true));
	if (fit->parent > 0)
		str_addf(out, " (%s %% of it)", number_share(share, fit->over / fit->parent));
	if (!bar->stack->part[rest].implied)
		str_addf(out, ", so %s is below zero", bar->stack->part[rest].name);
	str_add(out, ":");
	if (least < 1)
		str_addf(out, " %s was counted for %s %% of the time and scaled up;", bar->stack->counter[which].name,
			number_share(share, least));
	if (!add_overlap(bar->stack, level, out))
		str_add(out, " events may overlap or skid, or a cost is set too high");
}

static void
note_fit(const struct stack_bar *bar, size_t level, struct notes *notes)
{
	const struct stack *stack = bar->stack;
	const struct stack_fit *fit = &bar->account->fit[level];
	size_t rest = rest_of(stack, level);
	double left = rest < stack->n_parts ? bar->account->amount[rest].value : 0;
	char number[NUMBER_TEXT];
	struct str text = {0};

	if (left < 0)
		describe_excess(bar, level, rest, &text);
	else if (fit->n_unknown && left > 0)
		str_addf(&text, "%s of %s (%s) also holds the parts that cannot be computed",
			number_count(number, left, true), value_name(stack, level), stack->part[rest].name);
	else if (left > 0 && stack->part[rest].implied)
		str_addf(&text, "no part accounts for %s of %s", number_count(number, left, true),
			value_name(stack, level));
	stack_notes_take(notes, &text);
}

static void
note_counting(const struct stack_bar *bar, struct notes *notes)
{
	struct str user = {0}, text = {0}, zero = {0};
	char share[NUMBER_TEXT];
	size_t zeros = 0;

	for (size_t i = 0; i < bar->stack->n_counters; i++) {
		if (bar->counts->lack[i] == STACK_COUNTED && bar->match && bar->match->mode[i]) {
			str_addf(&user, "%s%s (", user.n ? ", " : "", bar->stack->counter[i].name);
			event_mode_words(bar->match->mode[i], &user);
			str_addc(&user, ')');
		}
		if (bar->counts->zero && bar->counts->zero[i] && zeros++ < ZEROS_SHOWN)
			str_addf(&zero, "%s%s", zero.n ? ", " : "", bar->stack->counter[i].name);
		if (bar->counts->lack[i] == STACK_COUNTED && bar->counts->filled[i] > 0) {
			str_addf(&text, "%s was not counted in %s %% of the samples; its mean is used for them",
				bar->stack->counter[i].name, number_share(share, bar->counts->filled[i]));
			stack_notes_take(notes, &text);
		}
	}
	if (user.n)
		str_addf(&text, "counted in one mode only: %s", str_text(&user));
	stack_notes_take(notes, &text);
	if (zero.n)
		str_addf(&text, "taken as 0, all or in part, because the source of the data leaves out what is 0: %s",
			str_text(&zero));
	if (zeros > ZEROS_SHOWN)
		str_addf(&text, " and %zu more", zeros - ZEROS_SHOWN);
	stack_notes_take(notes, &text);
	str_free(&user);
	str_free(&zero);
}

/* Names of columns that leave a choice, and counters that were counted differently. */
static void
note_columns(const struct stack_bar *b, struct notes *x)
{
	struct str text = {0};

	for (size_t i = 0; b->match && i < b->match->n_remarks; i++) {
		str_add(&text, b->match->remark[i]);
		stack_notes_take(x, &text);
	}
	if (b->match && b->match->apart)
		str_addf(&text, "not counted alike: %s", b->match->apart);
	stack_notes_take(x, &text);
}

/* Names each pair of counts that contradict each other once: what is below an impossible node is often so for the same
 * reason. */
static void
note_impossible(const struct stack_bar *bar, struct notes *notes)
{
	const struct stack *stack = bar->stack;
	struct tree_pair *seen = mem_new_array(stack->n_parts, sizeof *seen), pair;
	size_t n = 0;

	for (size_t i = 0; i < stack->n_parts; i++) {
		struct str text = {0};
		bool again = false;

		if (!tree_is_contradicted(bar, i, &pair))
			continue;
		for (size_t k = 0; k < n; k++)
			again |= seen[k].much == pair.much && seen[k].little == pair.little;
		seen[n++] = pair;
		if (!again)
			tree_add_contradiction(bar, i, &text);
		stack_notes_take(notes, &text);
	}
	free(seen);
}

/* Of a tree: nodes that cannot be as they are, levels that do not add up, and how many nodes are unknown. Each unknown
 * node says itself why. */
static void
note_tree(const struct stack_bar *bar, struct notes *notes)
{
	const struct stack *stack = bar->stack;
	size_t unknown = tree_unknown(bar);
	struct str text = {0};

	note_impossible(bar, notes);
	for (size_t level = 0; level <= stack->n_parts; level++) {
		tree_add_misfit(bar, level == 0 ? stack->n_parts : level - 1, &text);
		stack_notes_take(notes, &text);
	}
	if (unknown)
		str_addf(&text, "%zu of %zu nodes are not known: their counters are missing, or they divide by 0",
			unknown, stack->n_parts);
	stack_notes_take(notes, &text);
}

static void
note_parts(const struct stack_bar *b, struct notes *x)
{
	note_missing(b, x);
	note_divisions(b, x);
	note_negatives(b, x);
	for (size_t level = 0; level <= b->stack->n_parts; level++)
		note_fit(b, level == 0 ? b->stack->n_parts : level - 1, x);
}

char **
stack_notes(const struct stack_bar *bar)
{
	struct notes x = {0};

	note_contradictions(bar, &x);
	if (bar->stack->tree.family)
		note_tree(bar, &x);
	else
		note_parts(bar, &x);
	note_counting(bar, &x);
	note_columns(bar, &x);
	return x.text ? x.text : mem_new(sizeof *x.text);
}
