/* What must be known about a bar before it is believed. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/report_stack.h"

struct notes {
	char **text;
	size_t n, cap;
};

/* Takes what was added, if anything was. */
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

/* A counter that lacks, and all that has no value for it. */
static void
note_lacks(const struct stack_bar *b, struct notes *x)
{
	const struct stack *s = b->stack;

	for (size_t i = 0; i < s->n_counters; i++) {
		struct str text = {0};
		size_t some = 0;

		if (b->counts->lack[i] == STACK_COUNTED)
			continue;
		for (size_t row = 0; row < s->n_parts + 2; row++)
			if (stack_uses(s, row, i) && !(row < s->n_parts && s->part[row].rest))
				str_addf(&text, "%s%s", some++ ? ", " : "", value_name(s, row));
		if (some) {
			char *names = str_take(&text), *why;

			why = b->counts->lack[i] == STACK_UNRESOLVED ? str_format("no event is known for it: %s", s->counter[i].unresolved)
			                                             : mem_str(stack_lack_text(b->counts->lack[i]));
			str_addf(&text, "%s is missing (%s): %s cannot be told", s->counter[i].name, why, names);
			free(names);
			free(why);
			take(x, &text);
		}
	}
}

/* Whatever has no value though all of its counters have one. */
static void
note_divisions(const struct stack_bar *b, struct notes *x)
{
	const struct stack *s = b->stack;

	for (size_t row = 0; row < s->n_parts + 2; row++) {
		double v = row < s->n_parts ? b->account->amount[row].value : row == s->n_parts ? b->account->whole : b->account->figure;
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
			str_addf(&text, "%s is below zero (-%s): shown as 0", b->stack->part[i].name, number_count(number, -m->raw, true));
		take(x, &text);
	}
	if (b->account->whole_negative) {
		struct str text = {0};

		str_addf(&text, "%s is below zero: nothing is a share of it", b->stack->whole_name);
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
		str_addf(&text, "the parts of %s have %s more than it", parent, number_count(number, f->over, true));
		if (f->parent > 0)
			str_addf(&text, " (%s %% of it)", number_share(share, f->over / f->parent));
		str_add(&text, ":");
		if (f->lifted > 0)
			str_addf(&text, " %s come from parts below zero that are shown as 0;", number_count(number, f->lifted, true));
		if (least < 1)
			str_addf(&text, " %s was on a counter for %s %% of the time and scaled up;", b->stack->counter[which].name, number_share(share, least));
		str_add(&text, f->lifted >= f->over ? " nothing else does" : " events may overlap or skid, or a cost is set too high");
		take(x, &text);
	}
	for (size_t i = 0; i < b->stack->n_parts; i++) {
		const struct stack_part *part = &b->stack->part[i];
		double left = b->account->amount[i].value;

		if (!part->rest || (part->parent == STACK_TOP ? b->stack->n_parts : part->parent) != level)
			continue;
		if (part->implied && left > 0)
			str_addf(&text, "%s of %s is accounted for by no part", number_count(number, left, true), parent);
		else if (f->n_unknown && !isnan(left))
			str_addf(&text, "%s holds what could not be told too", part->name);
		take(x, &text);
	}
}

static void
note_counting(const struct stack_bar *b, struct notes *x)
{
	struct str user = {0}, text = {0};
	char share[NUMBER_TEXT];

	for (size_t i = 0; i < b->stack->n_counters; i++) {
		if (b->counts->lack[i] == STACK_COUNTED && b->user_only[i])
			str_addf(&user, "%s%s", user.n ? ", " : "", b->stack->counter[i].name);
		if (b->counts->lack[i] == STACK_COUNTED && b->counts->filled[i] > 0) {
			str_addf(&text, "%s was not counted in %s %% of the samples: its mean is taken there", b->stack->counter[i].name,
			         number_share(share, b->counts->filled[i]));
			take(x, &text);
		}
	}
	if (user.n)
		str_addf(&text, "counted in user space only: %s", str_text(&user));
	take(x, &text);
	str_free(&user);
}

char **
report_stack_notes(const struct stack_bar *b)
{
	struct notes x = {0};

	note_lacks(b, &x);
	note_divisions(b, &x);
	note_negatives(b, &x);
	for (size_t level = 0; level <= b->stack->n_parts; level++)
		note_fit(b, level == 0 ? b->stack->n_parts : level - 1, &x);
	note_counting(b, &x);
	return x.text ? x.text : mem_new(sizeof *x.text);
}
