/* Books of trust: what the parser reads and refuses, the printed text, names of events and processors, and which of
 * two entries counts. */
#include "core/trust/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "event/name.h"
#include "test.h"
#include "text/diag.h"

static const char whole[] =
	"// two pages\n"
	"cpu one, \"uno\" vendor \"GenuineIntel\" family 6 model 26, 0x1e {\n"
	"\tevent \"instructions\", \"INST_RETIRED:ANY_P\", \"r5300c0\" {\n"
	"\t\tclass inst_retired; verdict correctable; letters \"hpEF\";\n"
	"\t\tadds 1 per interrupts; adds 0..2.5 per page-faults; adds -3 per runs; adds -0.25..1e-05 per count;\n"
	"\t\tnote \"A \\\"first\\\"\" \"and a second.\"; source \"a manual\", ;\n"
	"\t}\n"
	"}\n";

static struct trust_book *
parse(const char *text, struct diags *d)
{
	*d = (struct diags){0};
	return trust_book_parse("t.trust", text, strlen(text), d);
}

/* Returns a book of a text that is right. */
static struct trust_book *
book_of(const char *text)
{
	struct diags d;
	struct trust_book *b = parse(text, &d);

	test_check(b != NULL, __FILE__, __LINE__, "%s: %s", text, d.n ? d.item[0].text : "refused without a reason");
	diags_free(&d);
	return b;
}

/* The text above without its error. */
static char *
good_text(void)
{
	char *text = str_format("%s", whole), *comma = strstr(text, ", ;");

	memmove(comma, comma + 2, strlen(comma + 2) + 1);
	return text;
}

static void
books_are_read(void)
{
	char *text = good_text();
	struct trust_book *b = book_of(text);
	const struct trust_entry *e;

	if (!b || !CHECK_INT(b->n, 1) || !CHECK_INT(b->page[0].n, 1)) {
		trust_book_free(b);
		free(text);
		return;
	}
	CHECK_STR(b->page[0].cpu.name, "one");
	CHECK_STR(b->page[0].cpu.alias[0], "uno");
	CHECK_STR(b->page[0].cpu.vendor, "GenuineIntel");
	CHECK_INT(b->page[0].cpu.family, 6);
	CHECK_INT(b->page[0].cpu.n_models, 2);
	CHECK_INT(b->page[0].cpu.model[1], 30);
	e = &b->page[0].entry[0];
	CHECK_INT(e->n_events, 3);
	CHECK_STR(e->event[1], "INST_RETIRED:ANY_P");
	CHECK_STR(e->stands_for, "inst_retired");
	CHECK_INT(e->verdict, TRUST_CORRECTABLE);
	CHECK_INT(e->letters, TRUST_BIT(INTERRUPTS) | TRUST_BIT(FAULTS) | TRUST_BIT(EXCEPTIONS) | TRUST_BIT(LAZY_FPU));
	CHECK_INT(e->n_terms, 4);
	CHECK_INT(e->term[1].cause, TRUST_PER_FAULT);
	CHECK(e->term[1].low == 0 && e->term[1].high == 2.5);
	CHECK(e->term[2].low == -3 && e->term[2].high == -3);
	CHECK(e->term[3].low == -0.25 && e->term[3].high == 1e-05);
	CHECK_STR(e->note, "A \"first\" and a second.");
	CHECK_STR(e->source, "a manual");
	trust_book_free(b);
	free(text);
}

/* What is printed reads back as the same book, and prints as the same text; long notes are cut without a loss. */
static void
printed_books_read_back(void)
{
	char *text = good_text(), *from = strstr(text, "and a second.");
	struct str longer = {0}, first = {0}, second = {0};
	struct trust_book *b, *again;

	str_addn(&longer, text, (size_t)(from - text));
	for (int i = 0; i < 60; i++)
		str_addf(&longer, "µ-op number %d, ", i);
	str_add(&longer, from);
	str_add(&longer, "cpu bare { }\n");
	b = book_of(str_text(&longer));
	if (b) {
		trust_book_print(b, &first);
		again = book_of(str_text(&first));
		if (again) {
			trust_book_print(again, &second);
			CHECK_STR(str_text(&second), str_text(&first));
			CHECK_STR(again->page[0].entry[0].note, b->page[0].entry[0].note);
			CHECK(again->page[0].entry[0].term[3].high == 1e-05);
			CHECK_INT(again->page[1].cpu.family, -1);
			trust_book_free(again);
		}
	}
	trust_book_free(b);
	str_free(&longer);
	str_free(&first);
	str_free(&second);
	free(text);
}

static void
errors_are_reported(void)
{
#define CPU "cpu c {\n"
#define EVENT CPU "event e { source \"s\"; verdict noisy; "
	static const struct { const char *text, *error; int line; } bad[] = {
		{"page c { }", "cpu expected, not 'page'", 1},
		{"cpu { }", "the processor's name expected, not '{'", 1},
		{"cpu c, { }", "another name of the processor expected, not '{'", 1},
		{"cpu c wendor x { }",
			"vendor, family, model or '{' expected after the processor's name, not 'wendor'", 1},
		{"cpu c family six { }",
			"a family: a number, as 6 or 0x1f, from 0 to 65535 is expected, not 'six'", 1},
		{"cpu c family 65536 { }",
			"a family: a number, as 6 or 0x1f, from 0 to 65535 is expected, not '65536'", 1},
		{"cpu c model 0x1g { }", "a model: a number, as 6 or 0x1f, from 0 to 65535 is expected, not '0x1g'", 1},
		{"cpu c family 6 family 7 { }", "a second 'family': there may be one", 1},
		{"cpu c vendor \"\" { }", "there is nothing between the quotes", 1},
		{CPU "event e { }\n}", "the entry has no source", 2},
		{CPU "event e { source \"s\"; }\n}", "the entry has no verdict", 2},
		{CPU "event e { source \"\"; verdict noisy; }\n}",
			"a source in quotes expected: there is nothing between the quotes", 2},
		{CPU "event e,\n{ source \"s\"; verdict noisy; }\n}", "an event's name expected, not '{'", 3},
		{EVENT "verdict noisy; } }", "a second 'verdict': there may be one", 2},
		{CPU "event e { source \"s\"; verdict good; } }",
			"deterministic, constant, correctable, noisy, else, repeatable "
			"or unknown expected after 'verdict', not 'good'", 2},
		{EVENT "letters \"hq\"; } }", "'hq' has a letter that is not one of nhpEFDMU!", 2},
		{EVENT "adds per runs; } }", "what it adds: a number is expected, not 'per'", 2},
		{EVENT "adds 1e per runs; } }", "what it adds: a number is expected, not '1e'", 2},
		{EVENT "adds 1..x per runs; } }", "the end of what it adds: a number is expected, not 'x'", 2},
		{EVENT "adds 2..1 per runs; } }", "the range runs backwards", 2},
		{EVENT "adds 1 for runs; } }", "'per' expected after the number: what it is added for, not 'for'", 2},
		{EVENT "adds 1 per moons; } }", "'moons' is no cause: interrupts, page-faults, exceptions, lazy-fpu, "
			"context-switches, runs, count are", 2},
		{EVENT "adds 1 per runs; adds 2 per runs; } }", "the entry has this cause already", 2},
		{EVENT "note 7; } }", "a note in quotes expected, not '7'", 2},
		{EVENT "colour red; } }",
			"verdict, letters, adds, class, errata, note or source expected, not 'colour'", 2},
		{EVENT "note \"n\"; }", "'}' expected at the end of the block, not the end of the file", 2},
		{"\xff", "", 1},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct diags d;
		struct trust_book *b = parse(bad[i].text, &d);

		if (test_check(!b && d.errors > 0, __FILE__, __LINE__, "accepted: %s", bad[i].text) && *bad[i].error) {
			CHECK_STR(d.item[0].text, bad[i].error);
			CHECK_INT(d.item[0].line, bad[i].line);
		}
		trust_book_free(b);
		diags_free(&d);
	}
}

/* All errors of a file are reported at once. */
static void
errors_do_not_hide_others(void)
{
	struct diags d;
	struct trust_book *b = parse(EVENT "letters x; adds 1 per moons; }\nevent f { } }\ncpu { } cpu d model -1 { }",
		&d);

	CHECK(b == NULL);
	CHECK_INT(d.errors, 6);
	diags_free(&d);
}

/* Random damage never crashes; a damaged book is refused with a reason or read as another one. */
static void
damage_is_survived(void)
{
	char *text = good_text();
	size_t n = strlen(text);
	unsigned random = 1;

	for (int i = 0; i < 3000; i++) {
		char *copy = str_format("%s", text);
		struct diags d = {0};
		struct trust_book *b;

		for (int k = 0; k < 3; k++) {
			random = random * 1103515245 + 12345;
			copy[(random >> 8) % n] = "{};\",.-x0 /*\n"[(random >> 24) % 13];
		}
		b = trust_book_parse("t.trust", copy, n, &d);
		CHECK((b == NULL) == (d.errors > 0));
		trust_book_free(b);
		diags_free(&d);
		free(copy);
	}
	free(text);
}

static void
names_of_events_match(void)
{
	static const struct { const char *a, *b; bool same; } row[] = {
		{"r5001c0:u", "r01c0", true}, {"r5301c4", "R5001C4:u", true}, {"r5101c0", "r5001c0:uk", true},
		{"r0xc0", "rc0", false}, {"r01c0", "r02c0", false}, {"r1d40114", "r0114", false},
		{"r1d40114", "r1d70114:u", true},
		{"INST_RETIRED:LOADS", "inst_retired.loads", true},
		{"INST_RETIRED:LOADS", "inst_retired.loads:u", true},
		{"core::INST_RETIRED:LOADS", "INST_RETIRED:LOADS:u", true},
		{"INST_RETIRED:LOADS", "INST_RETIRED:STORES", false},
		{"cpu/event=0xc0,umask=1/", "r5001c0:u", true}, {"cpu/umask=0x1,event=0xc0/u", "r01c0", true},
		{"cpu/event=0xc0,umask=1,cmask=1,inv/", "r01c0", false},
		{"cpu/event=0x14,umask=1,cmask=1,inv,edge/", "r1840114", true},
		{"cpu/event=0x14,umask=1,cmask=1,inv,edge/", "r1040114", false},
		{"cpu/event=0x14,umask=1,cmask=1,edge/", "r1540114", true},
		{"cpu/event=0x14,umask=1,cmask=1,inv,edge/", "r1d40114", true},
		{"cpu/inst_retired.loads/u", "INST_RETIRED:LOADS", true}, {"cpu/instructions/", "instructions:u", true},
		{"cpu/event=0xc0,umask=1,name=loads/", "r01c0", true}, {"cpu/config=0x1c0/", "r01c0", true},
		{"branch-instructions", "branches:u", true}, {"branch_instructions", "branches", true},
		{"cpu-cycles", "cycles", true}, {"faults", "page-faults", true}, {"cycles", "instructions", false},
		{"BR_INST_RETIRED:COND", "br_inst_retired.conditional", false},
		{" instructions ", "instructions", true},
		{"EVENT:ALL:u", "event.all", true}, {"rate", "r", false}, {"cpu/event=bad/", "r0", false},
		{"cpu/event=0x1d6/", "r1000000d6", true}, {"", "", true}, {":u", "", false}, {"cpu//", "r0", false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		test_check(event_name_same(row[i].a, row[i].b) == row[i].same, __FILE__, __LINE__, "%s and %s",
			row[i].a,
			row[i].b);
		test_check(event_name_same(row[i].b, row[i].a) == row[i].same, __FILE__, __LINE__, "%s and %s",
			row[i].b,
			row[i].a);
	}
}

#define ENTRY(event, source) "event \"" event "\" { verdict noisy; source \"" source "\"; } "

static const char several[] =
	"cpu maker vendor \"Maker\" { " ENTRY("a", "any") ENTRY("b", "any") "}\n"
	"cpu fast vendor \"Maker\" family 6 model 1, 2 { " ENTRY("b", "fast") ENTRY("c", "fast") "}\n"
	"cpu fast-ex vendor \"Maker\" family 6 model 3 { " ENTRY("c", "ex") "}\n"
	"cpu kin, cousin vendor \"Maker\" family 6 { " ENTRY("c", "kin") "}\n"
	"cpu power { " ENTRY("p", "power") "}\n"
	"cpu fast vendor \"Maker\" family 6 model 2 { " ENTRY("c", "later") "}\n";

static void
pages_are_found(void)
{
	static const struct { const char *machine, *vendor; int family, model; const char *event, *source; } row[] = {
		{NULL, "Maker", 6, 1, "c", "fast"}, {NULL, "Maker", 6, 1, "b", "fast"},
		{NULL, "Maker", 6, 1, "a", "any"},
		{NULL, "maker", 6, 2, "c", "later"}, {NULL, "Maker", 6, 3, "c", "ex"},
		{NULL, "Maker", 6, 9, "c", "kin"},
		{NULL, "Maker", 7, 1, "a", "any"}, {NULL, "Maker", 7, 1, "c", NULL}, {NULL, "Other", 6, 1, "a", NULL},
		{"fast", NULL, -1, -1, "c", "later"}, {"fast-0", NULL, -1, -1, "b", "fast"},
		{"fast-ex-1", NULL, -1, -1, "c", "ex"},
		{"FAST-EP-1", NULL, -1, -1, "c", "later"}, {"faster", NULL, -1, -1, "c", NULL},
		{"fas", NULL, -1, -1, "c", NULL},
		{"cousin-12", NULL, -1, -1, "c", "kin"}, {"power", NULL, -1, -1, "p", "power"},
		{"power", "IBM", -1, -1, "p", "power"}, {"nothing", NULL, -1, -1, "a", NULL},
		{NULL, NULL, -1, -1, "a", NULL},
		{"fast", "Maker", 7, 1, "c", NULL},
	};
	struct trust_book *b = book_of(several);

	for (size_t i = 0; b && i < sizeof row / sizeof *row; i++) {
		struct trust_page *p = trust_book_gather(b, row[i].machine, row[i].vendor, row[i].family, row[i].model);
		const struct trust_entry *e = p ? trust_page_entry(p, row[i].event) : NULL;

		test_check(e ? str_eq(e->source, row[i].source) : !row[i].source, __FILE__, __LINE__, "row %zu: %s", i,
			e ? e->source : "nothing");
		CHECK((trust_book_page(b, row[i].machine, row[i].vendor, row[i].family,
			row[i].model) != NULL) == (p != NULL));
		trust_page_free(p);
	}
	trust_book_free(b);
}

static void
later_entries_win(void)
{
	struct trust_book *facts = book_of("cpu c vendor v family 1 { " ENTRY("x:u", "old") ENTRY("y", "old") "}");
	struct trust_book *own = book_of("cpu c vendor v family 1 { " ENTRY("X", "new") ENTRY("z", "new") "}");
	struct trust_page *p;

	trust_book_add(facts, own);
	p = trust_book_gather(facts, NULL, "v", 1, 0);
	CHECK_INT(p->n, 4);
	CHECK_STR(trust_page_entry(p, "x")->source, "new");
	CHECK_STR(trust_page_entry(p, "y")->source, "old");
	trust_page_free(p);
	trust_page_merge(&facts->page[0], &own->page[0]);
	trust_book_free(own);
	CHECK_INT(facts->page[0].n, 3); /* x is there once */
	CHECK_STR(trust_page_entry(&facts->page[0], "x")->source, "new");
	CHECK_STR(trust_page_entry(&facts->page[0], "z")->source, "new");
	trust_book_free(facts);
}

/* Which events count in the kernel, by their names. */
static void
who_is_counted(void)
{
	static const struct { const char *event; int unmarked, marked; } row[] = {
		{"instructions", 0, 1}, {"instructions:u", 0, 0}, {"instructions:k", 1, 1},
		{"instructions:uk", 1, 1},
		{"instructions:ukhppp", 1, 1}, {"instructions:upp", 0, 0}, {"instructions:ppp", 0, 1},
		{"cpu/event=0xc0/u", 0, 0}, {"cpu/event=0xc0/k", 1, 1}, {"cpu/event=0xc0/", 0, 1},
		{"INST_RETIRED:ANY", 0, 1}, {"HW_INT:RCV", 0, 1}, {"core::INST_RETIRED:LOADS:u", 0, 0},
		{"r00c0:u", 0, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		test_label("%s", row[i].event);
		CHECK_INT(event_name_counts_kernel(row[i].event, false), row[i].unmarked);
		CHECK_INT(event_name_counts_kernel(row[i].event, true), row[i].marked);
	}
}

TEST_MAIN(CASE(who_is_counted), CASE(books_are_read), CASE(printed_books_read_back), CASE(errors_are_reported),
	CASE(errors_do_not_hide_others), CASE(damage_is_survived), CASE(names_of_events_match), CASE(pages_are_found),
	CASE(later_entries_win))
