#include "cli/print/print_trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "cli/writing.h"
#include "text/diag.h"
#include "work/trust/facts.h"

#define INDENT 4
#define DOCTOR_COLUMNS 100

/* What the doctor tells apart. */
enum kind { KIND_GOOD, KIND_CORRECTABLE, KIND_LYING, KIND_OPEN };

static enum kind
print_trust_kind_of(const struct trust_entry *entry)
{
	switch (entry->verdict) {
	case TRUST_EXACT:
	case TRUST_REPEATABLE:
		return KIND_GOOD;
	case TRUST_CONSTANT:
	case TRUST_CORRECTABLE:
		return KIND_CORRECTABLE;
	case TRUST_NOISY:
	case TRUST_ELSE:
		return KIND_LYING;
	case TRUST_UNKNOWN:
	case TRUST_N_VERDICTS:
		break;
	}
	return KIND_OPEN;
}

/* True if the entry is the one that counts for its event. */
static bool
counts(const struct trust_page *p, const struct trust_entry *e)
{
	return trust_page_entry(p, e->event[0]) == e;
}

static void
print_trust_add_names(const struct trust_entry *e, struct str *out)
{
	for (size_t i = 0; i < e->n_events; i++)
		str_addf(out, "%s%s", i ? ", " : "", e->event[i]);
}

static void
print_trust_add_terms(const struct trust_entry *entry, size_t width, bool ascii, struct str *out)
{
	for (size_t i = 0; i < entry->n_terms; i++) {
		const struct trust_term *term = &entry->term[i];
		struct str line = {0};

		str_addf(&line, "adds %g", term->low);
		if (term->low < term->high)
			str_addf(&line, " to %g", term->high);
		str_addf(&line, " per %s", trust_cause_name(term->cause));
		print_wrapped(out, str_text(&line), INDENT, 0, width, ascii);
		str_free(&line);
	}
}

static void
add_cpu(const struct trust_cpu *c, struct str *out)
{
	str_add(out, c->name);
	for (size_t i = 0; i < c->n_aliases; i++)
		str_addf(out, ", %s", c->alias[i]);
	if (c->vendor)
		str_addf(out, "  %s", c->vendor);
	if (c->family >= 0)
		str_addf(out, " family %d", c->family);
	for (size_t i = 0; i < c->n_models; i++)
		str_addf(out, "%s%d", i ? ", " : " model ", c->model[i]);
}

/* Appends one page: a line for each event with its verdict, letters and names, then what is added, notes and source. */
static void
print_trust_page(const struct trust_page *page, size_t width, bool ascii, struct str *out)
{
	struct str line = {0};

	add_cpu(&page->cpu, &line);
	print_wrapped(out, str_text(&line), 0, 0, width, ascii);
	for (size_t i = 0; i < page->n; i++) {
		const struct trust_entry *entry = &page->entry[i];

		str_clear(&line);
		trust_letters_print(entry->letters, &line);
		str_addf(out, "  %-21s  %-6s  ", trust_verdict_name(entry->verdict), line.n ? str_text(&line) : "-");
		str_clear(&line);
		str_add(&line, entry->event[0]);
		print_lines(out, str_text(&line), ascii);
		str_add(out, counts(page, entry) ? "\n" : "  (a later entry counts)\n");
		if (entry->n_events > 1) {
			str_clear(&line);
			str_add(&line, "names: ");
			print_trust_add_names(entry, &line);
			print_wrapped(out, str_text(&line), INDENT, 0, width, ascii);
		}
		print_trust_add_terms(entry, width, ascii, out);
		if (entry->note)
			print_wrapped(out, entry->note, INDENT, 0, width, ascii);
		str_clear(&line);
		str_addf(&line, "source: %s", entry->source ? entry->source : "not given");
		print_wrapped(out, str_text(&line), INDENT, 0, width, ascii);
	}
	str_free(&line);
}

void
print_trust_book(const struct trust_book *book, size_t width, bool ascii, struct str *out)
{
	trust_letters all = 0;

	for (size_t i = 0; i < book->n; i++) {
		str_add(out, i ? "\n" : "");
		print_trust_page(&book->page[i], width, ascii, out);
		for (size_t k = 0; k < book->page[i].n; k++)
			all |= book->page[i].entry[k].letters;
	}
	str_add(out, all ? "\n" : "");
	for (int l = 0; l < TRUST_N_LETTERS; l++)
		if (all >> l & 1) {
			str_addf(out, "%c  ", trust_letter_sign((enum trust_letter)l));
			print_lines(out, trust_letter_text((enum trust_letter)l), ascii);
			str_addc(out, '\n');
		}
}

static void
write_entry(const struct trust_page *page, const struct trust_entry *entry, struct json_writer *writer)
{
	struct str letters = {0};

	trust_letters_print(entry->letters, &letters);
	json_open(writer, NULL, '{');
	json_open(writer, "events", '[');
	for (size_t i = 0; i < entry->n_events; i++)
		json_str(writer, NULL, entry->event[i]);
	json_close(writer, ']');
	json_str(writer, "class", entry->stands_for);
	json_str(writer, "verdict", trust_verdict_word(entry->verdict));
	json_str(writer, "letters", str_text(&letters));
	json_open(writer, "adds", '[');
	for (size_t i = 0; i < entry->n_terms; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "per", trust_cause_name(entry->term[i].cause));
		json_num(writer, "low", entry->term[i].low);
		json_num(writer, "high", entry->term[i].high);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_str(writer, "note", entry->note);
	json_str(writer, "source", entry->source);
	json_bool(writer, "measured", entry->measured);
	json_bool(writer, "counts", counts(page, entry));
	json_close(writer, '}');
	str_free(&letters);
}

/* Writes the members of a page into an open object: "cpu", "aliases", "vendor", "family", "models", "events". */
static void
print_trust_page_json(const struct trust_page *page, struct json_writer *writer)
{
	json_str(writer, "cpu", page->cpu.name);
	json_open(writer, "aliases", '[');
	for (size_t i = 0; i < page->cpu.n_aliases; i++)
		json_str(writer, NULL, page->cpu.alias[i]);
	json_close(writer, ']');
	json_str(writer, "vendor", page->cpu.vendor);
	if (page->cpu.family >= 0)
		json_int(writer, "family", page->cpu.family);
	else
		json_null(writer, "family");
	json_open(writer, "models", '[');
	for (size_t i = 0; i < page->cpu.n_models; i++)
		json_int(writer, NULL, page->cpu.model[i]);
	json_close(writer, ']');
	json_open(writer, "events", '[');
	for (size_t i = 0; i < page->n; i++)
		write_entry(page, &page->entry[i], writer);
	json_close(writer, ']');
}

/* Writes the document hecate.trust/1. */
static void
print_trust_book_json(const struct trust_book *book, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.trust/1");
	json_open(writer, "pages", '[');
	for (size_t i = 0; i < book->n; i++) {
		json_open(writer, NULL, '{');
		print_trust_page_json(&book->page[i], writer);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
}

/* Writes a book, all of it or a summary, or the reasons why there is none. Frees the book and the diagnostics. */
static int
print_trust_report(const struct options *options, struct trust_book *book, const char *summary_of, struct diags *diags,
	const struct err *e)
{
	struct writing out;
	size_t events = 0;
	bool good = book != NULL;

	print_diagnostics(options, diags);
	if (!book && !diags->errors)
		print_failure(e);
	for (size_t i = 0; book && i < book->n; i++)
		events += book->page[i].n;
	if (book) {
		writing_begin(&out, options);
		if (options->json)
			print_trust_book_json(book, &out.json);
		else if (summary_of)
			str_addf(&out.text, "%s: %zu processor%s, %zu event%s, no error\n", summary_of, book->n,
				plural_s(book->n), events, plural_s(events));
		else
			print_trust_book(book, print_width(options), print_ascii(options), &out.text);
		good = writing_end(&out, true);
	}
	trust_book_free(book);
	diags_free(diags);
	return good ? 0 : 2;
}

int
print_trust_facts(const struct options *o, const char *which)
{
	struct str remarks = {0};
	struct diags d = {0};
	struct err e = {0};
	struct trust_book *b = trust_facts_of(which, &remarks, &d, &e);

	print_remarks(o, &remarks);
	return print_trust_report(o, b, NULL, &d, &e);
}

int
print_trust_check(const struct options *o, const char *path)
{
	struct diags d = {0};
	struct err e = {0};
	struct trust_book *b = trust_facts_read(path, &d, &e);

	return print_trust_report(o, b, path, &d, &e);
}

/* One line of the doctor: "correctable  hpEF  instructions   Weaver …, table 6". */
static void
add_doctor_line(const struct trust_entry *entry, const char *kind, bool ascii, struct str *out)
{
	struct str letters = {0}, name = {0}, source = {0};

	trust_letters_print(entry->letters, &letters);
	str_add(&name, entry->event[0]);
	str_addn(&source, entry->source, strcspn(entry->source, ";"));
	str_addf(out, "    %-13s %-6s ", kind, letters.n ? str_text(&letters) : "-");
	print_padded(out, str_text(&name), 34, ascii);
	str_addc(out, ' ');
	print_lines(out, str_text(&source), ascii);
	str_addc(out, '\n');
	str_free(&letters);
	str_free(&name);
	str_free(&source);
}

/* The length of the erratum's number that a text begins with: "HSD29", two to four capitals and digits. 0: none. */
static size_t
erratum_length(const char *text)
{
	size_t capitals = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), digits = strspn(text + capitals, "0123456789");

	return capitals < 2 || capitals > 4 || digits == 0 ? 0 : capitals + digits;
}

/* Appends the errata of a note: the numbers from "errata" or "erratum" to the end of that sentence. */
static void
add_errata(const char *note, struct str *out)
{
	const char *from = note ? strstr(note, "rrat") : NULL;

	for (; from && *from; from += *from != '\0') {
		size_t n;

		if (*from == '.' || *from == ';') {
			from = strstr(from, "rrat");
			if (!from)
				return;
		}
		n = from[-1] == ' ' ? erratum_length(from) : 0;
		if (n) {
			char *number = str_format("%.*s", (int)n, from);

			if (!strstr(str_text(out), number))
				str_addf(out, "%s%s", out->n ? ", " : "", number);
			free(number);
		}
	}
}

/* "not judged    28 events; errata HSD78, HSM80": those that no table and no measurement here judges. */
static void
add_doctor_open(const struct trust_page *page, const char *kind, bool ascii, struct str *out)
{
	struct str errata = {0}, line = {0}, text = {0};
	size_t n = 0;

	for (size_t i = 0; i < page->n; i++)
		if (print_trust_kind_of(&page->entry[i]) == KIND_OPEN && counts(page, &page->entry[i]) &&
			!page->entry[i].measured) {
			n++;
			add_errata(page->entry[i].note, &errata);
		}
	if (n) {
		str_addf(&line, "%zu event%s", n, plural_s(n));
		if (errata.n)
			str_addf(&line, "; errata %s", str_text(&errata));
		print_wrapped(&text, str_text(&line), INDENT + 14, 0, DOCTOR_COLUMNS, ascii);
		str_addf(out, "%*s%-14s%s", INDENT, "", kind, str_text(&text) + INDENT + 14);
	}
	str_free(&errata);
	str_free(&line);
	str_free(&text);
}

static bool
has_measured(const struct trust_page *p)
{
	for (size_t i = 0; p && i < p->n; i++)
		if (p->entry[i].measured)
			return true;
	return false;
}

/* Why no published facts are listed, and what to do. Empty if they are. */
static void
doctor_reason(const struct trust_cpuid *id, const struct trust_page *p, bool has_pmu, struct str *out)
{
	struct str cpu = {0};

	trust_cpuid_text(id, &cpu);
	if (!p)
		str_addf(out, "no facts are known of %s", str_text(&cpu));
	else if (!has_pmu)
		str_addf(out, "facts are known of %s, but this machine has no PMU to count with", p->cpu.name);
	str_free(&cpu);
}

static const char *
doctor_remedy(const struct trust_page *p, bool has_pmu)
{
	return !has_pmu ?
		"hecate determinism DATA judges recorded runs; hecate determinism --facts all shows what is known" :
		!p ? "hecate determinism" : "";
}

void
print_trust_doctor(
	const struct trust_cpuid *id, const struct trust_page *page, bool has_pmu, bool ascii, struct str *out)
{
	static const char *const word[] = {
		[KIND_GOOD] = "deterministic", [KIND_CORRECTABLE] = "correctable", [KIND_LYING] = "lying",
		[KIND_OPEN] = "not judged",
	};
	struct str why = {0};

	doctor_reason(id, page, has_pmu, &why);
	str_add(out, "\ntrust in events: ");
	if (why.n) {
		print_lines(out, str_text(&why), ascii);
		str_addf(out, "; %s\n", doctor_remedy(page, has_pmu));
		str_free(&why);
		if (!has_measured(page))
			return;
	} else {
		print_lines(out, page->cpu.name, ascii);
		str_addc(out, '\n');
	}
	for (int kind = KIND_GOOD; kind <= KIND_OPEN; kind++)
		for (size_t i = 0; i < page->n; i++)
			if ((int)print_trust_kind_of(&page->entry[i]) == kind && counts(page, &page->entry[i]) &&
				(page->entry[i].measured || (has_pmu && kind != KIND_OPEN)))
				add_doctor_line(&page->entry[i], word[kind], ascii, out);
	if (has_pmu)
		add_doctor_open(page, word[KIND_OPEN], ascii, out);
	str_add(out, "    notes         hecate determinism --facts\n    measure       hecate determinism\n");
}

void
print_trust_doctor_json(
	const struct trust_cpuid *id, const struct trust_page *page, bool has_pmu, struct json_writer *writer)
{
	struct str cpu = {0}, why = {0};

	trust_cpuid_text(id, &cpu);
	doctor_reason(id, page, has_pmu, &why);
	json_open(writer, "trust", '{');
	json_str(writer, "processor", str_text(&cpu));
	json_str(writer, "why", str_text(&why));
	json_str(writer, "remedy", doctor_remedy(page, has_pmu));
	json_open(writer, "pages", '[');
	if (page) {
		json_open(writer, NULL, '{');
		print_trust_page_json(page, writer);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
	str_free(&cpu);
	str_free(&why);
}
