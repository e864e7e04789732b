/* What is known of this machine: processors as /proc/cpuinfo describes them, books that are loaded and stored, and the
 * part of hecate doctor. Each case has a data folder of its own. */
#include "work/trust/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/print/print_trust.h"
#include "test.h"
#include "text/diag.h"

static void
processors_are_read(void)
{
	static const struct { const char *text, *file, *people; bool known; } row[] = {
		{"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\nmodel name\t: Intel i7\n\n"
			"processor\t: 1\nvendor_id\t: Other\ncpu family\t: 7\n", "genuineintel-6-94",
			"GenuineIntel family 6 model 94", true},
		{"model name\t: x\nvendor_id\t: AuthenticAMD\nmodel\t\t: 8\ncpu family\t: 16\n", "authenticamd-16-8",
			"AuthenticAMD family 16 model 8", true},
		{"CPU implementer\t: 0x41\nCPU architecture: 7\nCPU variant\t: 0x2\nCPU part\t: 0xc09\n", "arm-7-3081",
			"ARM family 7 model 3081", true},
		{"CPU implementer\t: 0x51\nCPU architecture: 8\nCPU part\t: 0x800\n", "0x51-8-2048",
			"0x51 family 8 model 2048",
			true},
		{"vendor     : GenuineIntel\narch       : IA-64\nfamily     : Itanium\nmodel      : 0\n", "itanium",
			"itanium",
			true},
		{"arch       : IA-64\nfamily     : Itanium 2\n", "itanium-2", "itanium_2", true},
		{"processor\t: 0\ncpu\t\t: POWER6 (architected), altivec supported\nclock\t: 4GHz\n", "power6",
			"power6", true},
		{"cpu\t\t: UltraSparc T1 (Niagara)\nfpu\t: x\n", "niagara", "niagara", true},
		{"processor\t: 0\nisa\t: rv64\nuarch\t\t: sifive,u74-mc\n", "sifive-u74-mc", "sifive,u74-mc", true},
		{"", "unknown", "an unknown processor", false},
		{"processor\t: 0\n", "unknown", "an unknown processor", false},
		{"vendor_id\t: X\ncpu family\t: 99999999\n", "unknown", "an unknown processor", false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct trust_cpuid id, back;
		struct str file = {0}, people = {0};

		test_label("row %zu", i);
		CHECK(trust_cpuid_read(row[i].text, &id) == row[i].known);
		trust_cpuid_file(&id, &file);
		trust_cpuid_text(&id, &people);
		CHECK_STR(str_text(&file), row[i].file);
		CHECK_STR(str_text(&people), row[i].people);
		CHECK(trust_cpuid_parse(str_text(&people), &back) == row[i].known);
		CHECK(!row[i].known || (str_eq(back.vendor, id.vendor) && str_eq(back.name, id.name) &&
			back.family == id.family && back.model == id.model));
		str_free(&file);
		str_free(&people);
	}
}

/* Makes an empty data folder. The caller frees the path. */
static char *
new_data(void)
{
	char *data = str_format("%s/hecate-trust-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");

	if (!CHECK(mkdtemp(data) != NULL))
		exit(1);
	setenv("XDG_DATA_HOME", data, 1);
	return data;
}

static void
remove_data(char *data)
{
	static const char *const name[] = {
		"hecate/trust/genuineintel-6-60.trust", "hecate/trust/z.trust", "hecate/trust", "hecate", ""};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		char *path = str_format("%s/%s", data, name[i]);

		CHECK(remove(path) == 0 || i < 2);
		free(path);
	}
	free(data);
}

static void
write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!CHECK(f != NULL))
		return;
	fputs(text, f);
	fclose(f);
}

static const struct trust_cpuid haswell = {.vendor = "GenuineIntel", .family = 6, .model = 60};

/* Stores one entry that was measured. */
static bool
save(const char *event, const char *source, struct err *e)
{
	struct trust_entry entry = {.event = (char *[]){(char *)(uintptr_t)event},
	.n_events = 1, .verdict = TRUST_NOISY,
		.letters = TRUST_BIT(NOISE), .source = (char *)(uintptr_t)source};
	struct trust_page p = {.cpu.family = -1, .entry = &entry, .n = 1};

	return trust_facts_save(&haswell, &p, e);
}

static const char *
source_of(const struct trust_page *p, const char *event)
{
	const struct trust_entry *e = p ? trust_page_entry(p, event) : NULL;

	return e ? e->source : "nothing";
}

/* What was measured here counts more than what is installed. What is measured anew replaces what was measured before.
 */
static void
measured_entries_win(void)
{
	char *data = new_data();
	struct str remarks = {0};
	struct trust_book *b;
	struct trust_page *p;
	struct err e = {0};

	CHECK(save("my.event", "first", &e) && save("INSTRUCTIONS:u", "second", &e) && save("my.event:u", "third", &e));
	CHECK_STR(e.what, "");
	b = trust_facts_load(&remarks);
	p = trust_facts_page(b, &haswell);
	CHECK_STR(str_text(&remarks), "");
	CHECK_STR(source_of(p, "my.event"), "third");
	CHECK_STR(source_of(p, "instructions"), "second");
	CHECK(strstr(source_of(p, "branches:u"), "table 6") != NULL);
	trust_page_free(p);
	p = trust_facts_page(b, &(struct trust_cpuid){.vendor = "GenuineIntel", .family = 6, .model = 94});
	CHECK_STR(source_of(p, "my.event"), "nothing");
	CHECK(strstr(source_of(p, "instructions"), "deater") != NULL);
	trust_page_free(p);
	trust_book_free(b);
	str_free(&remarks);
	remove_data(data);
}

/* A damaged file of measured entries is neither overwritten nor fatal. */
static void
damaged_files_stay(void)
{
	static const char damaged[] = "cpu x {\n  event";
	char *data = new_data(), *path, *kept;
	struct str remarks = {0};
	struct trust_book *b;
	struct err e = {0};
	unsigned long n = 0;
	FILE *f;

	CHECK(save("a", "first", &e));
	path = trust_facts_file(&haswell, &e);
	write_text(path, damaged);
	CHECK(!save("b", "second", &e));
	CHECK_STR(e.what,
		"the file of what was measured before is damaged: an event's name expected, not the end of the file");
	CHECK_INT(e.line, 2);
	CHECK_STR(e.hint, "repair it, or move it away: nothing new is stored before");
	kept = str_format("%*s", 100, "");
	f = fopen(path, "r");
	n = f ? fread(kept, 1, 100, f) : 0;
	kept[n] = 0;
	if (f)
		fclose(f);
	CHECK_STR(kept, damaged);
	b = trust_facts_load(&remarks);
	CHECK(strstr(str_text(&remarks), "genuineintel-6-60.trust:2:8: an event's name expected") != NULL);
	CHECK(b->n >= 20);
	trust_book_free(b);
	str_free(&remarks);
	free(kept);
	free(path);
	remove_data(data);
}

static void
places_that_cannot_be_written(void)
{
	char *data = new_data(), *file = str_format("%s/file", data);
	struct err e = {0};

	write_text(file, "");
	setenv("XDG_DATA_HOME", file, 1);
	CHECK(!save("a", "x", &e));
	CHECK(strstr(e.what, "cannot make the folder") && strstr(e.what, "/file/hecate: Not a directory"));
	CHECK(strstr(e.hint, "XDG_DATA_HOME names another folder") != NULL);
	remove(file);
	rmdir(data);
	free(file);
	free(data);
}

static void
pages_by_name(void)
{
	static const struct { const char *which, *cpu, *what, *hint; } row[] = {
		{"nehalem-0", "nehalem", "", ""}, {"istanbul", "fam10h", "", ""},
		{"nehallem", NULL, "nothing is known of a processor nehallem", "nearest: nehalem"},
		{"./nothing.trust", NULL, "cannot open ./nothing.trust: No such file or directory", "check the path"},
	};
	char *data = new_data();
	struct str remarks = {0};
	struct diags d = {0};
	struct err e = {0};
	struct trust_book *b = trust_facts_of("all", &remarks, &d, &e);

	CHECK(b && b->n >= 20);
	trust_book_free(b);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		e = (struct err){0};
		b = trust_facts_of(row[i].which, &remarks, &d, &e);
		test_label("%s", row[i].which);
		CHECK_STR(e.what, row[i].what);
		CHECK_STR(e.hint, row[i].hint);
		if (row[i].cpu && CHECK(b && b->n == 1))
			CHECK_STR(b->page[0].cpu.name, row[i].cpu);
		trust_book_free(b);
	}
	rmdir(data);
	free(data);
}

/* Events with errata whose effect is not known stand in one line, each erratum once; others of their own kind. */
static void
doctor_sums_up_errata(void)
{
	static const char text[] =
		"cpu made vendor \"GenuineIntel\" family 6 model 255 {\n"
		"event \"a\" { verdict unknown; "
		"note \"Intel lists errata for it: HSD29, HSM30; UOPS1 is none. Linux 4.1.\"; source \"s\"; }\n"
		"event \"b\" { verdict unknown; "
		"note \"TSX2 is none. Erratum BJ122: it leaks. Errata HSD29 and HSD140.\"; source \"s\"; }\n"
		"event \"c\" { verdict deterministic; note \"Erratum XX1.\"; source \"s\"; }\n"
		"}\n";
	static const struct trust_cpuid id = {.vendor = "GenuineIntel", .family = 6, .model = 255};
	struct diags d = {0};
	struct str out = {0};
	struct trust_book *b = trust_book_parse("made.trust", text, strlen(text), &d);
	struct trust_page *p = b ? trust_facts_page(b, &id) : NULL;

	if (CHECK(p != NULL))
		print_trust_doctor(&id, p, true, false, &out);
	CHECK_STR(str_text(&out), "\ntrust in events: made\n"
		"    deterministic -      c                                  s\n"
		"    not judged    2 events; errata HSD29, HSM30, BJ122, HSD140\n"
		"    notes         hecate determinism --facts\n"
		"    measure       hecate determinism\n");
	trust_page_free(p);
	trust_book_free(b);
	diags_free(&d);
	str_free(&out);
}

/* The doctor's lines on a Core 2 with a PMU, without one, and on a processor that nothing is known of. */
static void
doctor_lists_events(void)
{
	static const struct trust_cpuid core2 = {.vendor = "GenuineIntel", .family = 6, .model = 15};
	static const struct trust_cpuid other = {.vendor = "GenuineIntel", .family = 6, .model = 255};
	char *data = new_data();
	struct str remarks = {0}, out = {0};
	struct json_writer w = {.out = &out};
	struct trust_book *b = trust_facts_load(&remarks);
	struct trust_page *p = trust_facts_page(b, &core2);
	struct err e = {0};
	struct json *doc;

	print_trust_doctor(&core2, p, true, false, &out);
	CHECK(strstr(str_text(&out), "\ntrust in events: core2\n") != NULL);
	CHECK(strstr(str_text(&out), "\n    deterministic -      INST_RETIRED:STORES  ") != NULL);
	CHECK(strstr(str_text(&out), "\n    correctable   hpEF   instructions  ") != NULL);
	CHECK(strstr(str_text(&out), "\n    correctable   hpD    branches  ") != NULL);
	CHECK(strstr(str_text(&out), "\n    lying         nD     MUL  ") != NULL);
	CHECK(strstr(str_text(&out), "table 6") != NULL);
	CHECK(strstr(str_text(&out), "\n    measure       hecate determinism\n") != NULL);
	str_clear(&out);
	print_trust_doctor(&core2, p, false, true, &out);
	CHECK_STR(str_text(&out),
		"\ntrust in events: facts are known of core2, but this machine has no PMU to count with; "
		"hecate determinism DATA judges recorded runs; hecate determinism --facts all shows what is known\n");
	str_clear(&out);
	print_trust_doctor(&other, NULL, true, true, &out);
	CHECK_STR(str_text(&out), "\ntrust in events: no facts are known of GenuineIntel family 6 model 255; "
		"hecate determinism\n");
	str_clear(&out);
	json_open(&w, NULL, '{');
	print_trust_doctor_json(&core2, p, true, &w);
	json_close(&w, '}');
	doc = json_parse(str_text(&out), out.n, &e);
	if (CHECK(doc != NULL)) {
		const struct json *t = json_get(doc, "trust"), *page = json_get(t, "pages")->first;

		CHECK_STR(json_get(t, "processor")->text, "GenuineIntel family 6 model 15");
		CHECK_STR(json_get(t, "why")->text, "");
		CHECK_STR(json_get(page, "cpu")->text, "core2");
		CHECK_INT(json_get(page, "events")->n, p->n);
		CHECK_STR(json_get(json_get(page, "events")->first, "letters")->text, "hpEF");
	}
	json_free(doc);
	trust_page_free(p);
	trust_book_free(b);
	str_free(&remarks);
	str_free(&out);
	rmdir(data);
	free(data);
}

/* A page as text: every entry with its note and source, an entry that a later one replaces marked. */
static void
pages_are_printed(void)
{
	static const char text[] = "cpu c, d vendor V family 6 model 1, 2 {\n"
		"event a, b { verdict correctable; letters hp; adds 1 per interrupts; "
		"adds 0..2 per page-faults; note \"A note.\"; "
		"source \"here\"; }\nevent A { verdict deterministic; source \"there\"; } }";
	struct diags d = {0};
	struct trust_book *b = trust_book_parse("t", text, strlen(text), &d);
	struct str out = {0};

	if (CHECK(b != NULL)) {
		print_trust_book(b, 100, true, &out);
		CHECK_STR(str_text(&out), "c, d V family 6 model 1, 2\n"
			"  correctable            hp      a  (a later entry counts)\n"
			"    names: a, b\n"
			"    adds 1 per interrupts\n"
			"    adds 0 to 2 per page-faults\n"
			"    A note.\n"
			"    source: here\n"
			"  deterministic          -       A\n"
			"    source: there\n"
			"\n"
			"h  each interrupt is counted, too\n"
			"p  each page fault is counted, too\n");
	}
	trust_book_free(b);
	diags_free(&d);
	str_free(&out);
}

TEST_MAIN(CASE(processors_are_read), CASE(measured_entries_win), CASE(damaged_files_stay),
	CASE(places_that_cannot_be_written), CASE(pages_by_name), CASE(doctor_lists_events),
	CASE(doctor_sums_up_errata), CASE(pages_are_printed))
