#include "app/timeline/stack_notes.h"

#include <math.h>
#include <stdlib.h>

#include "app/timeline/stack_count.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"

#define MANY_LACK 6 /* from this many counters on, those missing for one reason share one sentence */

struct notes {
	char **text;
	size_t n, cap;
};

/* Appends the text as a note, unless it is empty. Takes the text over. */
static void
take(struct notes *x, struct str *text)
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
describe_missing(const struct stack_bar *b, size_t counter, struct str *out)
{
	const struct stack *s = b->stack;
	size_t some = 0;

	if (b->counts->lack[counter] == STACK_COUNTED)
		return;
	for (size_t row = 0; row < s->n_parts + 2; row++)
		if (stack_uses(s, row, counter) && !(row < s->n_parts && s->part[row].rest)) {
			if (!some)
				str_addf(out, " (%s%s%s): ", stack_lack_text(b->counts->lack[counter]),
					b->counts->lack[counter] == STACK_UNRESOLVED ? ", " : "",
					b->counts->lack[counter] == STACK_UNRESOLVED ? s->counter[counter].unresolved
						: "");
			str_addf(out, "%s%s", some++ ? ", " : "", value_name(s, row));
		}
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
note_many(const struct stack_bar *b, enum stack_lack why, struct str *what, struct notes *x)
{
	const struct stack *s = b->stack;
	struct str text = {0};
	size_t n = 0, some = 0;

	for (size_t i = 0; i < s->n_counters; i++)
		n += b->counts->lack[i] == why && what[i].n;
	if (n < MANY_LACK)
		return;
	for (size_t i = 0; i < s->n_counters; i++)
		if (b->counts->lack[i] == why && what[i].n) {
			str_addf(&text, "%s%s", some++ ? ", " : "no count of ", s->counter[i].name);
			str_clear(&what[i]);
		}
	str_addf(&text, " (%s): ", stack_lack_text(why));
	some = 0;
	for (size_t row = 0; row < s->n_parts + 2; row++)
		if (is_lost_by(b, row, why))
			str_addf(&text, "%s%s", some++ ? ", " : "", value_name(s, row));
	str_add(&text, " cannot be computed");
	take(x, &text);
}

/* Reports the missing counters and the values that need them. Counters with the same consequence share a sentence. */
static void
note_missing(const struct stack_bar *b, struct notes *x)
{
	const struct stack *s = b->stack;
	struct str *what = mem_new_array(s->n_counters, sizeof *what);

	for (size_t i = 0; i < s->n_counters; i++)
		describe_missing(b, i, &what[i]);
	for (int why = STACK_NO_COLUMN; why <= STACK_UNSUPPORTED; why++)
		note_many(b, (enum stack_lack)why, what, x);
	for (size_t i = 0; i < s->n_counters; i++) {
		struct str text = {0};
		size_t some = 0;

		for (size_t k = i; what[i].n && k < s->n_counters; k++)
			if (str_eq(str_text(&what[k]), str_text(&what[i]))) {
				str_addf(&text, "%s%s", some++ ? ", " : "no count of ", s->counter[k].name);
				if (k > i)
					str_clear(&what[k]);
			}
		if (some)
			str_addf(&text, "%s cannot be computed", str_text(&what[i]));
		take(x, &text);
	}
	for (size_t i = 0; i < s->n_counters; i++)
		str_free(&what[i]);
	free(what);
}

/* Reports the values that are undefined although all their counters have counts. */
static void
note_divisions(const struct stack_bar *b, struct notes *x)
{
	const struct stack *s = b->stack;

	for (size_t row = 0; row < s->n_parts + 2; row++) {
		double v = row < s->n_parts ? b->account->amount[row].value
			: row == s->n_parts ? b->account->whole
				: b->account->figure;
		bool lacks = false;
		struct str text = {0};

		if (!isnan(v) || (row < s->n_parts && s->part[row].rest) || (row > s->n_parts && !s->figure))
			continue;
		for (size_t i = 0; i < s->n_counters; i++)
			lacks |= stack_uses(s, row, i) && b->counts->lack[i] != STACK_COUNTED;
		if (!lacks)
			str_addf(&text, "%s has no value: what it is divided by is 0", value_name(s, row));
		take(x, &text);
	}
}

static void
note_negatives(const struct stack_bar *b, struct notes *x)
{
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < b->stack->n_parts; i++) {
		const struct stack_amount *m = &b->account->amount[i];
		struct str text = {0};

		if (m->negative)
			str_addf(&text, "%s is below zero (-%s): shown as 0", b->stack->part[i].name,
				number_count(number, -m->raw, true));
		take(x, &text);
	}
	if (b->account->whole_negative) {
		struct str text = {0};

		str_addf(&text, "%s is below zero, so no part can be a share of it", b->stack->whole_name);
		take(x, &text);
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

static void
note_fit(const struct stack_bar *b, size_t level, struct notes *x)
{
	const struct stack_fit *f = &b->account->fit[level];
	const char *parent = value_name(b->stack, level);
	char number[NUMBER_TEXT], share[NUMBER_TEXT];
	size_t which = 0;
	double least = least_running(b, &which);
	struct str text = {0};

	if (f->over > 0) {
		str_addf(&text, "the parts of %s add up to %s more than it", parent,
			number_count(number, f->over, true));
		if (f->parent > 0)
			str_addf(&text, " (%s %% of it)", number_share(share, f->over / f->parent));
		str_add(&text, ":");
		if (f->lifted > 0)
			str_addf(&text, " %s come from parts below zero that are shown as 0;",
				number_count(number, f->lifted, true));
		if (least < 1)
			str_addf(&text, " %s was counted for %s %% of the time and scaled up;",
				b->stack->counter[which].name, number_share(share, least));
		str_add(&text,
			f->lifted >= f->over ? " no other part does"
				: " events may overlap or skid, or a cost is set too high");
		take(x, &text);
	}
	for (size_t i = 0; i < b->stack->n_parts; i++) {
		const struct stack_part *part = &b->stack->part[i];
		double left = b->account->amount[i].value;

		if (!part->rest || (part->parent == STACK_TOP ? b->stack->n_parts : part->parent) != level)
			continue;
		if (f->n_unknown && left > 0)
			str_addf(&text, "%s of %s (%s) also holds the parts that cannot be computed",
				number_count(number, left, true), parent, part->name);
		else if (part->implied && left > 0)
			str_addf(&text, "no part accounts for %s of %s", number_count(number, left, true),
				parent);
		take(x, &text);
	}
}

static void
note_counting(const struct stack_bar *b, struct notes *x)
{
	struct str user = {0}, text = {0};
	char share[NUMBER_TEXT];

	for (size_t i = 0; i < b->stack->n_counters; i++) {
		if (b->counts->lack[i] == STACK_COUNTED && b->user_only && b->user_only[i])
			str_addf(&user, "%s%s", user.n ? ", " : "", b->stack->counter[i].name);
		if (b->counts->lack[i] == STACK_COUNTED && b->counts->filled[i] > 0) {
			str_addf(&text, "%s was not counted in %s %% of the samples; its mean is used for them",
				b->stack->counter[i].name, number_share(share, b->counts->filled[i]));
			take(x, &text);
		}
	}
	if (user.n)
		str_addf(&text, "counted in user space only: %s", str_text(&user));
	take(x, &text);
	str_free(&user);
}

char **
stack_notes(const struct stack_bar *b)
{
	struct notes x = {0};

	note_missing(b, &x);
	note_divisions(b, &x);
	note_negatives(b, &x);
	for (size_t level = 0; level <= b->stack->n_parts; level++)
		note_fit(b, level == 0 ? b->stack->n_parts : level - 1, &x);
	note_counting(b, &x);
	return x.text ? x.text : mem_new(sizeof *x.text);
}
