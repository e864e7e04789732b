/* What became of events that were counted: kept as text, found by any of an event's names, and what replaces what. */
#include "core/doctor/health.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "tests/lib/test.h"

#define CPU "GenuineIntel-6-8F-4"

static void
note(struct health_book *book, const char *name, enum health health)
{
	health_note(book, CPU, name, "6.1.0", health, 1, 1764000000);
}

/* A file is believed as a whole or not at all: no beginning of it is, and none with a byte changed in its frame. */
static void
a_damaged_file_is_none(void)
{
	struct health_book book = {0}, again;
	struct str text = {0}, second = {0};
	size_t believed = 0;

	note(&book, "r12:u", HEALTH_NEVER);
	note(&book, "uncore_imc_0/cas_count_read/", HEALTH_COUNTS);
	health_note(&book, CPU, "cycles", "6.1.0", HEALTH_COUNTS, 0.375, 1764000001);
	health_write(&book, &text);
	CHECK(health_read(str_text(&text), &again));
	health_write(&again, &second);
	CHECK_STR(str_text(&second), str_text(&text));
	health_free(&again);
	for (size_t n = 0; n + 1 < text.n; n++) {
		char *part = mem_strn(text.s, n);

		believed += health_read(part, &again);
		CHECK_INT(again.n, 0);
		free(part);
	}
	CHECK_INT(believed, 0);
	for (size_t i = 0; i < text.n; i++) /* a tab more or less, another word, another number */
		if (strchr("\t\n", text.s[i]) && i + 1 < text.n) {
			char *part = mem_strn(text.s, text.n);

			part[i] = 'x';
			test_label("byte %zu", i);
			CHECK(!health_read(part, &again));
			free(part);
		}
	str_free(&text);
	str_free(&second);
	health_free(&book);
}

static void
any_name_of_an_event_finds_it(void)
{
	static const struct {
		const char *cpu, *name, *pmu, *code, *word;
	} row[] = {
		{CPU, "br_pred", "armv8_pmuv3_0", "event=0x12", "never counts"},
		{CPU, "r12", "cpu", "", "never counts"},
		{CPU, "any", "cpu", "umask=0x60,event=0xf9", "one at once"},
		{CPU, "made.walk", "cpu", "event=0x1", "reads 0"},
		{CPU, "MADE:WALK", "", "", "reads 0"},
		{CPU, "cas_count_read", "uncore_imc", "event=0x4", "counts"},
		{CPU, "cas_count_read", "uncore_cha", "event=0x4", NULL},
		{CPU, "br_pred", "uncore_imc", "event=0x12", NULL},
		{"GenuineIntel-6-3F-2", "made.walk", "cpu", "event=0x1", NULL},
		{CPU, "other", "cpu", "event=0x2", NULL},
	};
	struct health_book book = {0};

	note(&book, "r12:u", HEALTH_NEVER);
	note(&book, "cpu/event=0xf9,umask=0x60/k", HEALTH_ONE);
	note(&book, "made.walk", HEALTH_ZERO);
	note(&book, "uncore_imc_0/cas_count_read/", HEALTH_COUNTS);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct health_entry *got = health_find(&book, row[i].cpu, row[i].name, row[i].pmu, row[i].code);

		test_label("%s of %s, %s", row[i].name, row[i].pmu, row[i].code);
		CHECK_STR(got ? health_word(got->health) : "", row[i].word ? row[i].word : "");
	}
	health_free(&book);
}

static void
the_latest_prevails_but_for_rare_events(void)
{
	static const struct {
		enum health before, then;
		const char *kernel;
		enum health kept;
	} row[] = {
		{HEALTH_COUNTS, HEALTH_ZERO, "6.1.0", HEALTH_COUNTS},
		{HEALTH_ONE, HEALTH_ZERO, "6.1.0", HEALTH_ONE},
		{HEALTH_COUNTS, HEALTH_ZERO, "6.12.0", HEALTH_ZERO},
		{HEALTH_COUNTS, HEALTH_NEVER, "6.1.0", HEALTH_NEVER},
		{HEALTH_NEVER, HEALTH_COUNTS, "6.1.0", HEALTH_COUNTS},
		{HEALTH_ZERO, HEALTH_COUNTS, "6.1.0", HEALTH_COUNTS},
	};
	struct str text = {0};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct health_book book = {0};

		note(&book, "a.b:u", row[i].before);
		health_note(&book, CPU, "A.B", row[i].kernel, row[i].then, 0.5, 1764000000);
		test_label("row %zu", i);
		CHECK_INT(book.n, 1);
		CHECK_INT(book.entry[0].health, row[i].kept);
		if (!i)
			health_write_entry(&book.entry[0], &text);
		health_free(&book);
	}
	CHECK_STR(str_text(&text), "counts (2025-11-24, Linux 6.1.0, on a counter 50 % of the time)");
	str_free(&text);
}

static void
the_oldest_are_dropped(void)
{
	struct health_book book = {0};
	char name[32];

	for (size_t i = 0; i < HEALTH_MOST + 10; i++) {
		snprintf(name, sizeof name, "made.event_%zu", i);
		health_note(&book, CPU, name, "6.1.0", HEALTH_COUNTS, 1, 1764000000 + (long long)i);
	}
	note(&book, "", HEALTH_COUNTS);
	note(&book, "two\tcells", HEALTH_COUNTS);
	CHECK_INT(book.n, HEALTH_MOST);
	CHECK(!health_find(&book, CPU, "made.event_9", "cpu", "") &&
		health_find(&book, CPU, "made.event_10", "cpu", ""));
	health_free(&book);
}

TEST_MAIN(CASE(a_damaged_file_is_none), CASE(any_name_of_an_event_finds_it),
	CASE(the_latest_prevails_but_for_rare_events), CASE(the_oldest_are_dropped))
