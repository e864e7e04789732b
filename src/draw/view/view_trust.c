#include "draw/view/view_trust.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "core/counters/counters.h"
#include "core/trust/book.h"
#include "core/udd/model.h"
#include "explorer/state/state_events.h"

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

/* "?": an erratum whose effect nobody knows is a note without letters. */
static char *
entry_letters(const struct trust_entry *e, char out[LETTERS_TEXT])
{
	*out = '\0';
	if (e)
		trust_letters_text(out, e->letters, e->verdict);
	if (e && !*out && e->verdict == TRUST_UNKNOWN)
		snprintf(out, LETTERS_TEXT, "%s", trust_mark(e->verdict));
	return out;
}

char *
counter_letters(const struct state *s, size_t counter, char out[LETTERS_TEXT])
{
	return entry_letters(state_counter_entry(s, counter), out);
}

char *
item_letters(const struct state *s, const struct counter_item *c, char out[LETTERS_TEXT])
{
	return entry_letters(state_item_entry(s, c), out);
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

int
items_letters_width(const struct state *s, const struct counter_item *c, size_t n, const bool *has)
{
	int width = 0;

	for (size_t i = 0; i < n; i++) {
		char letters[LETTERS_TEXT];
		int w = !has || has[i] ? (int)utf8_width(item_letters(s, &c[i], letters)) : 0;

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
view_trust_add_term(const struct trust_term *term, struct str *out)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];
	const char *per = term->cause == TRUST_PER_RUN ? "a run" : "each";

	if (term->cause == TRUST_PER_COUNT) {
		str_addf(out, "%s %% ", number_share(low, term->low));
		if (term->high > term->low)
			str_addf(out, "to %s %% ", number_share(high, term->high));
		str_add(out, "of the count");
		return;
	}
	if (term->cause != TRUST_PER_RUN)
		str_addf(out, "%s: ", trust_cause_name(term->cause));
	str_addf(out, "%s", number_digits(low, term->low, 3, false));
	if (term->high > term->low)
		str_addf(out, " to %s", number_digits(high, term->high, 3, false));
	str_addf(out, " %s", per);
}

/* The terms of the error, the note, and the source, each a line. */
static void
add_details(const struct trust_entry *e, struct str *out)
{
	for (size_t i = 0; i < e->n_terms; i++) {
		view_trust_add_term(&e->term[i], out);
		str_addc(out, '\n');
	}
	if (e->note)
		str_addf(out, "%s\n", e->note);
	if (e->source)
		str_addf(out, "source: %s\n", e->source);
}

void
page_entry(struct page *p, const struct trust_entry *e)
{
	struct line l = page_line(p);
	struct str text = {0};

	line_add(&l, trust_role(e->verdict), CELL_BOLD, "%s %s", trust_mark(e->verdict),
		trust_verdict_name(e->verdict));
	page_letters(p, e->letters);
	add_details(e, &text);
	page_words(p, ROLE_TEXT, str_text(&text));
	str_free(&text);
}

/* The paragraph of a counter, after the head if it is the first; nothing if e is NULL. */
static void
page_counter(struct page *page, const char *name, const struct trust_entry *entry, const char **head)
{
	char letters[LETTERS_TEXT];
	struct str text = {0};
	struct line l;

	if (!entry)
		return;
	page_blank(page);
	if (*head)
		page_head(page, *head, "");
	*head = NULL;
	l = page_line(page);
	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", name);
	line_add(&l, ROLE_BORDERLINE, CELL_BOLD, "  %s", entry_letters(entry, letters));
	line_add(&l, trust_role(entry->verdict), 0, "  %s %s", trust_mark(entry->verdict),
		trust_verdict_name(entry->verdict));
	page_letters(page, entry->letters);
	add_details(entry, &text);
	page_words(page, ROLE_TEXT, str_text(&text));
	str_free(&text);
}

void
page_counters_trust(struct page *p, const char *head)
{
	const struct udd_model *m = p->s->question.model;

	for (size_t i = 0; i < m->n_counters; i++)
		page_counter(p, m->counter[i].name, state_counter_entry(p->s, i), &head);
}

void
page_items_trust(struct page *p, const char *head, const struct counter_item *c, size_t n, const bool *has)
{
	for (size_t i = 0; i < n; i++)
		if (!has || has[i])
			page_counter(p, c[i].name, state_item_entry(p->s, &c[i]), &head);
}
