/* The tables of facts that hecate installs: each file parses, each entry has its source, and lookups return what
 * table 6 of the paper says (Weaver, Terpstra, Moore: Non-determinism and overcount, 2021), typed here by hand. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/trust/book.h"
#include "test.h"
#include "text/diag.h"

/* Returns all files as one book. */
static struct trust_book *
all_files(size_t *n_files)
{
	const char *root = getenv("HECATE_TESTS");
	char *folder = str_format("%s/../models/trust", root ? root : "tests");
	DIR *d = opendir(folder);
	struct trust_book *all = NULL;

	*n_files = 0;
	for (struct dirent *f; d && (f = readdir(d));) {
		struct diags diags = {0};
		struct trust_book *b;
		unsigned long n;
		char *path, *text;

		if (!str_ends(f->d_name, ".trust"))
			continue;
		path = str_format("../models/trust/%s", f->d_name);
		text = test_read(path, &n);
		b = text ? trust_book_parse(f->d_name, text, n, &diags) : NULL;
		test_check(b && diags.n == 0, __FILE__, __LINE__, "%s:%d: %s", path, diags.n ? diags.item[0].line : 0,
			diags.n ? diags.item[0].text : "not read");
		if (b && all)
			trust_book_add(all, b);
		if (all)
			trust_book_free(b);
		else
			all = b;
		++*n_files;
		diags_free(&diags);
		free(path);
		free(text);
	}
	if (d)
		closedir(d);
	free(folder);
	return all;
}

static void
every_file_parses(void)
{
	size_t files;
	struct trust_book *b = all_files(&files);

	CHECK(files >= 10);
	for (size_t i = 0; b && i < b->n; i++) {
		const struct trust_page *p = &b->page[i];

		test_check(p->n > 0, __FILE__, __LINE__, "%s has no event", p->cpu.name);
		for (size_t k = 0; k < p->n; k++) {
			const struct trust_entry *e = &p->entry[k];

			test_check(e->source && strlen(e->source) > 10, __FILE__, __LINE__, "%s, %s", p->cpu.name,
				e->event[0]);
			test_check(e->letters || e->verdict == TRUST_EXACT || e->verdict == TRUST_REPEATABLE ||
				e->verdict == TRUST_UNKNOWN, __FILE__, __LINE__, "%s, %s: a verdict without letters",
					p->cpu.name,
				e->event[0]);
			/* No name stands for two entries of a page. */
			for (size_t n = 0; n < e->n_events; n++)
				test_check(trust_page_entry(p, e->event[n]) == e, __FILE__, __LINE__,
					"%s, %s is there twice",
					p->cpu.name, e->event[n]);
		}
	}
	trust_book_free(b);
}

/* Table 6, by the names and raw codes of tables 1 to 4. "det": deterministic; "!": test not run; NULL:
	not available. */
#define NEHALEM_EVENTS {"instructions:u", "branches:u", "r5301c4:u", "r50010b:u", "r50020b:u"}
#define SANDYBRIDGE_EVENTS {"instructions:u", "branches:u", "r5301c4:u", "r5381d0:u", "r5382d0:u"}
static const struct {
	const char *machine, *vendor;
	int family, model;
	const char *event[5], *letters[5];
} table6[] = {
	{"atom-0", "GenuineIntel", 6, 28, {"instructions:u", "branches:u"}, {"hpEF", "hp"}},
	{"core2-0", "GenuineIntel", 6, 15, {"instructions:u", "branches:u", "r53008b:u", "r5001c0:u", "r5002c0:u"},
		{"hpEF", "hpD", "p", "hpD", "det"}},
	{"nehalem-0", "GenuineIntel", 6, 26, NEHALEM_EVENTS, {"hpEF", "hp", "D", "hpM", "hpD"}},
	{"nehalem-ex-0", "GenuineIntel", 6, 46, NEHALEM_EVENTS, {"hpEF", "hp", "D", "hpM", "hpD"}},
	{"westmere-ex-0", "GenuineIntel", 6, 47, NEHALEM_EVENTS, {"hpEF", "hp", "det", "hp", "hpD"}},
	{"sandybridge-ep-0", "GenuineIntel", 6, 45, SANDYBRIDGE_EVENTS, {"hpEF", "hp", "det", "U", "U"}},
	{"ivybridge-0", "GenuineIntel", 6, 58, SANDYBRIDGE_EVENTS, {"hpEF", "hp", "det", "U", "U"}},
	{"haswell-0", "GenuineIntel", 6, 60, SANDYBRIDGE_EVENTS, {"hpEF", "hp", "det", "U", "U"}},
	{"pentiumd-0", "GenuineIntel", 15, 6, {"INSTR_RETIRED:NBOGUSNTAG", "branches:u",
		"RETIRED_BRANCH_TYPE:CONDITIONAL",
		"FRONT_END_EVENT:NBOGUS,UOPS_TYPE:TAGLOADS", "INSTR_RETIRED:NBOGUSTAG,UOPS_TYPE:TAGSTORES"},
		{"hpEFD", "hp", "!", "hpU", "hpU"}},
	{"phenom", "AuthenticAMD", 16, 2, {"instructions:u", "r5000c2:u"}, {"hpEFD", "hp"}},
	{"istanbul", "AuthenticAMD", 16, 8, {"instructions:u", "r5000c2:u"}, {"hpEFD", "hp"}},
	{"fam10h-1", "AuthenticAMD", 16, 2, {"instructions:u", "r5000c2:u"}, {"hpEFD", "hp"}},
	{"fam14h-0", "AuthenticAMD", 20, 1, {"instructions:u", "branches:u"}, {"hpEFD", "hp"}},
};

static void
check_letters(const struct trust_page *p, const char *event, const char *want)
{
	const struct trust_entry *e = trust_page_entry(p, event);
	struct str letters = {0};

	if (!test_check(e != NULL, __FILE__, __LINE__, "%s is unknown", event))
		return;
	trust_letters_print(e->letters, &letters);
	if (str_eq(want, "det")) {
		CHECK_INT(e->verdict, TRUST_EXACT);
		CHECK_INT(e->letters, 0);
	} else if (str_eq(want, "!")) {
		CHECK_INT(e->verdict, TRUST_UNKNOWN);
		CHECK_INT(e->letters, 0);
	} else {
		CHECK_STR(str_text(&letters), want);
		CHECK(e->verdict != TRUST_EXACT && e->verdict != TRUST_UNKNOWN);
	}
	for (size_t i = 0; i < e->n_terms; i++)
		CHECK(e->term[i].high > 0);
	str_free(&letters);
}

static void
letters_are_those_of_table_6(void)
{
	static const char *const none[] = {"MEM_INST_RETIRED:LOADS", "BR_INST_RETIRED:CONDITIONAL"};
	size_t files;
	struct trust_book *b = all_files(&files);

	for (size_t i = 0; b && i < sizeof table6 / sizeof *table6; i++) {
		struct trust_page *by_name = trust_book_gather(b, table6[i].machine, NULL, -1, -1);
		struct trust_page *by_id = trust_book_gather(b, NULL, table6[i].vendor, table6[i].family,
			table6[i].model);

		if (test_check(by_name && by_id, __FILE__, __LINE__, "no page of %s", table6[i].machine)) {
			test_label("%s", table6[i].machine);
			CHECK_STR(by_name->cpu.name, by_id->cpu.name);
			for (int k = 0; k < 5 && table6[i].event[k]; k++) {
				check_letters(by_name, table6[i].event[k], table6[i].letters[k]);
				check_letters(by_id, table6[i].event[k], table6[i].letters[k]);
			}
			/* A dash in the table: no event of the class. */
			for (size_t k = 0; !table6[i].event[2] && k < 2; k++)
				CHECK(!trust_page_entry(by_id, none[k]));
		}
		trust_page_free(by_name);
		trust_page_free(by_id);
	}
	trust_book_free(b);
}

/* Section 3.2 and machines that the paper does not cover, typed by hand. */
static void
other_architectures(void)
{
	static const struct { const char *machine, *event; enum trust_verdict verdict; } row[] = {
		{"cortex-a8", "instructions", TRUST_NOISY}, {"cortex-a9", "instructions:u", TRUST_NOISY},
		{"merced", "STORES_RETIRED", TRUST_REPEATABLE}, {"merced", "LOADS_RETIRED", TRUST_REPEATABLE},
		{"merced", "IA64_INST_RETIRED", TRUST_REPEATABLE}, {"power6", "instructions:u", TRUST_REPEATABLE},
		{"skylake-0", "mem_inst_retired.all_stores", TRUST_CONSTANT}, {"broadwell-0", "r5381d0:u", TRUST_ELSE},
		{"fam17h-0", "r5300c4:u", TRUST_ELSE}, {"haswell", "MEM_LOAD_UOPS_RETIRED.L3_HIT", TRUST_UNKNOWN},
		{"power6", "branches:u", TRUST_CONSTANT}, {"niagara-t1", "INSTR_CNT", TRUST_REPEATABLE},
	};
	size_t files;
	struct trust_book *b = all_files(&files);
	struct trust_page *p;

	for (size_t i = 0; b && i < sizeof row / sizeof *row; i++) {
		const struct trust_entry *e;

		p = trust_book_gather(b, row[i].machine, NULL, -1, -1);
		e = p ? trust_page_entry(p, row[i].event) : NULL;
		if (test_check(e != NULL, __FILE__, __LINE__, "%s, %s", row[i].machine, row[i].event))
			CHECK_INT(e->verdict, row[i].verdict);
		trust_page_free(p);
	}
	p = b ? trust_book_gather(b, NULL, "ARM", 7, 0xc09) : NULL;
	if (CHECK(p != NULL))
		CHECK_STR(p->cpu.name, "cortex-a9");
	trust_page_free(p);
	trust_book_free(b);
}

TEST_MAIN(CASE(every_file_parses), CASE(letters_are_those_of_table_6), CASE(other_architectures))
