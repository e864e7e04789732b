/* Writes a book as the text that book_parse.c reads. */
#include "core/trust/book.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define COLUMNS 96

static const char *const verdict_word[TRUST_N_VERDICTS] = {
	[TRUST_EXACT] = "deterministic",
	[TRUST_CONSTANT] = "constant",
	[TRUST_CORRECTABLE] = "correctable",
	[TRUST_NOISY] = "noisy",
	[TRUST_ELSE] = "else",
	[TRUST_REPEATABLE] = "repeatable",
	[TRUST_UNKNOWN] = "unknown",
};

const char *
trust_verdict_word(enum trust_verdict v)
{
	return verdict_word[v];
}

static void
print_quoted(const char *s, size_t n, struct str *out)
{
	str_addc(out, '"');
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '"' || s[i] == '\\')
			str_addc(out, '\\');
		str_addc(out, s[i] == '\n' ? ' ' : s[i]);
	}
	str_addc(out, '"');
}

static void
print_name(const char *s, struct str *out)
{
	print_quoted(s, strlen(s), out);
}

/* Writes a text as strings of at most COLUMNS bytes, cut at blanks. */
static void
book_print_print_text(const char *word, const char *s, struct str *out)
{
	if (!s)
		return;
	str_addf(out, "\t\t%s", word);
	while (strlen(s) > COLUMNS) {
		size_t cut = COLUMNS;

		while (cut > 0 && s[cut] != ' ')
			cut--;
		if (cut == 0)
			break;
		str_addc(out, ' ');
		print_quoted(s, cut, out);
		str_add(out, "\n\t\t\t");
		s += cut + 1;
	}
	if (out->s[out->n - 1] != '\t')
		str_addc(out, ' ');
	print_name(s, out);
	str_add(out, ";\n");
}

/* The fewest digits that read back as the same number. */
static void
print_number(double v, struct str *out)
{
	for (int digits = 6; digits <= 17; digits++) {
		char text[32];
		double back;

		snprintf(text, sizeof text, "%.*g", digits, v);
		if (digits == 17 || (str_to_double(text, &back) && back >= v && back <= v)) {
			str_add(out, text);
			return;
		}
	}
}

static void
print_terms(const struct trust_entry *entry, struct str *out)
{
	for (size_t i = 0; i < entry->n_terms; i++) {
		const struct trust_term *term = &entry->term[i];

		str_add(out, "\t\tadds ");
		print_number(term->low, out);
		if (term->low < term->high) {
			str_add(out, "..");
			print_number(term->high, out);
		}
		str_addf(out, " per %s;\n", trust_cause_name(term->cause));
	}
}

static void
print_entry(const struct trust_entry *entry, struct str *out)
{
	str_add(out, "\tevent");
	for (size_t i = 0; i < entry->n_events; i++) {
		str_add(out, i ? ", " : " ");
		print_name(entry->event[i], out);
	}
	str_add(out, " {\n");
	if (entry->stands_for) {
		str_add(out, "\t\tclass ");
		print_name(entry->stands_for, out);
		str_add(out, ";\n");
	}
	str_addf(out, "\t\tverdict %s;\n", trust_verdict_word(entry->verdict));
	if (entry->letters) {
		str_add(out, "\t\tletters \"");
		trust_letters_print(entry->letters, out);
		str_add(out, "\";\n");
	}
	print_terms(entry, out);
	book_print_print_text("errata", entry->errata, out);
	book_print_print_text("note", entry->note, out);
	book_print_print_text("source", entry->source, out);
	str_add(out, "\t}\n");
}

static void
print_cpu(const struct trust_cpu *cpu, struct str *out)
{
	str_add(out, "cpu ");
	print_name(cpu->name ? cpu->name : "any", out);
	for (size_t i = 0; i < cpu->n_aliases; i++) {
		str_add(out, ", ");
		print_name(cpu->alias[i], out);
	}
	if (cpu->vendor) {
		str_add(out, " vendor ");
		print_name(cpu->vendor, out);
	}
	if (cpu->family >= 0)
		str_addf(out, " family %d", cpu->family);
	for (size_t i = 0; i < cpu->n_models; i++)
		str_addf(out, "%s%d", i ? ", " : " model ", cpu->model[i]);
}

void
trust_book_print(const struct trust_book *book, struct str *out)
{
	for (size_t i = 0; i < book->n; i++) {
		const struct trust_page *page = &book->page[i];

		str_add(out, i ? "\n" : "");
		print_cpu(&page->cpu, out);
		str_add(out, " {\n");
		for (size_t k = 0; k < page->n; k++)
			print_entry(&page->entry[k], out);
		str_add(out, "}\n");
	}
}
