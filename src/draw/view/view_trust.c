#include "draw/view/view_trust.h"

#include <stdio.h>
#include <string.h>

#include "app/state/state_events.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/udd/model.h"

enum role
trust_role(enum trust_verdict v)
{
	switch (v) {
	case TRUST_EXACT:
	case TRUST_REPEATABLE:
		return ROLE_FEASIBLE;
	case TRUST_CONSTANT:
	case TRUST_CORRECTABLE:
		return ROLE_BORDERLINE;
	case TRUST_NOISY:
	case TRUST_ELSE:
		return ROLE_INFEASIBLE;
	case TRUST_UNKNOWN:
	case TRUST_N_VERDICTS:
		break;
	}
	return ROLE_UNDECIDED;
}

const char *
trust_mark(enum trust_verdict v)
{
	enum role r = trust_role(v);

	return r == ROLE_FEASIBLE ? "✓" : r == ROLE_BORDERLINE ? "≈" : r == ROLE_INFEASIBLE ? "✗" : "?";
}

char *
trust_letters_text(char out[LETTERS_TEXT], trust_letters letters, enum trust_verdict v)
{
	struct str s = {0};

	trust_letters_print(letters, &s);
	if (!s.n && (v == TRUST_EXACT || v == TRUST_REPEATABLE || v == TRUST_CORRECTABLE))
		str_add(&s, "·");
	snprintf(out, LETTERS_TEXT, "%s", str_text(&s));
	str_free(&s);
	return out;
}

char *
counter_letters(const struct state *s, size_t counter, char out[LETTERS_TEXT])
{
	const struct trust_entry *e = state_counter_entry(s, counter);

	*out = '\0';
	return e ? trust_letters_text(out, e->letters, e->verdict) : out;
}

int
counters_letters_width(const struct state *s)
{
	int width = 0;

	for (size_t i = 0; i < s->question.model->n_counters; i++) {
		char letters[LETTERS_TEXT];
		int w = (int)strlen(counter_letters(s, i, letters));

		width = w > width ? w : width;
	}
	return width ? width + 1 : 0;
}

void
page_letters(struct page *p, trust_letters set)
{
	for (int i = 0; i < TRUST_N_LETTERS; i++) {
		struct line l;

		if (!(set >> i & 1))
			continue;
		l = page_line(p);
		line_add(&l, ROLE_BORDERLINE, CELL_BOLD, "%c", trust_letter_sign((enum trust_letter)i));
		page_hanging(p, 4, ROLE_TEXT, trust_letter_text((enum trust_letter)i));
	}
}

/* "interrupts: 1 each", "runs: 10 to 12 each" */
static void
add_term(const struct trust_term *t, struct str *out)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];
	const char *per = t->cause == TRUST_PER_RUN ? "a run" : "each";

	if (t->cause == TRUST_PER_COUNT) {
		str_addf(out, "%s %% ", number_share(low, t->low));
		if (t->high > t->low)
			str_addf(out, "to %s %% ", number_share(high, t->high));
		str_add(out, "of the count");
		return;
	}
	if (t->cause != TRUST_PER_RUN)
		str_addf(out, "%s: ", trust_cause_name(t->cause));
	str_addf(out, "%s", number_digits(low, t->low, 3, false));
	if (t->high > t->low)
		str_addf(out, " to %s", number_digits(high, t->high, 3, false));
	str_addf(out, " %s", per);
}

/* The terms of the error, the note, and the source, each a line. */
static void
add_details(const struct trust_entry *e, const char *indent, struct str *out)
{
	for (size_t i = 0; i < e->n_terms; i++) {
		str_add(out, indent);
		add_term(&e->term[i], out);
		str_addc(out, '\n');
	}
	if (e->note)
		str_addf(out, "%s%s\n", indent, e->note);
	if (e->source)
		str_addf(out, "%ssource: %s\n", indent, e->source);
}

void
page_entry(struct page *p, const struct trust_entry *e)
{
	struct line l = page_line(p);
	struct str text = {0};

	line_add(&l, trust_role(e->verdict), CELL_BOLD, "%s %s", trust_mark(e->verdict),
		trust_verdict_name(e->verdict));
	page_letters(p, e->letters);
	add_details(e, "", &text);
	page_words(p, ROLE_TEXT, str_text(&text));
	str_free(&text);
}

void
add_counters_trust(const struct state *s, struct str *out)
{
	for (size_t i = 0; i < s->question.model->n_counters; i++) {
		const struct trust_entry *e = state_counter_entry(s, i);
		char letters[LETTERS_TEXT];

		if (!e)
			continue;
		str_addf(out, "%s  %s  %s\n", s->question.model->counter[i].name, counter_letters(s, i, letters),
			trust_verdict_name(e->verdict));
		for (int k = 0; k < TRUST_N_LETTERS; k++)
			if (e->letters >> k & 1)
				str_addf(out, "  %c: %s\n", trust_letter_sign((enum trust_letter)k),
					trust_letter_text((enum trust_letter)k));
		add_details(e, "  ", out);
	}
}
