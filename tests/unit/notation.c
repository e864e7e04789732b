/* Numbers as hecate reads them (text/notation.h), and as items of a text (text/item.h): what is read, what is refused,
 * the message, its caret. */
#include "text/notation.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "test.h"
#include "text/diag.h"
#include "text/item.h"

static void
good_texts_are_read_and_printed(void)
{
	static const struct { enum notation form; const char *text; int64_t value; const char *printed; } row[] = {
		{NOTATION_WHOLE, "0", 0, "0"}, {NOTATION_WHOLE, "007", 7, "7"}, {NOTATION_WHOLE, "-12", -12, "-12"},
		{NOTATION_WHOLE, "9223372036854775807", INT64_MAX, "9223372036854775807"},
		{NOTATION_SEED, "18446744073709551615", -1, "18446744073709551615"},
		{NOTATION_CODE, "10", 10, "10"}, {NOTATION_CODE, "010", 10, "10"}, {NOTATION_CODE, "0x1F", 31, "31"},
		{NOTATION_BYTES, "4096", 4096, "4K"}, {NOTATION_BYTES, "64K", 65536, "64K"},
		{NOTATION_BYTES, "64k", 65536, "64K"}, {NOTATION_BYTES, "3M", 3 << 20, "3M"},
		{NOTATION_BYTES, "1G", 1 << 30, "1G"}, {NOTATION_BYTES, "2T", (int64_t)2 << 40, "2T"},
		{NOTATION_COUNT, "100K", 102400, "100K"}, {NOTATION_COUNT, "0", 0, "0"},
		{NOTATION_STEPS, "-4K", -4096, "-4K"},
		{NOTATION_SHARE, "0.25", 250000, "0.25"}, {NOTATION_SHARE, "2", 2000000, "2"},
		{NOTATION_SHARE, "0.000001", 1, "0.000001"},
		{NOTATION_TIME, "800ns", 800, "800ns"}, {NOTATION_TIME, "12us", 12000, "12us"},
		{NOTATION_TIME, "4ms", 4000000, "4ms"}, {NOTATION_TIME, "1000ms", 1000000000, "1s"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str out = {0};
		int64_t v = 0, again = 0;

		test_label("%s", row[i].text);
		CHECK(notation_read(row[i].form, INT64_MIN, INT64_MAX, row[i].text, &v));
		CHECK_INT(v, row[i].value);
		notation_print(row[i].form, v, &out);
		CHECK_STR(str_text(&out), row[i].printed);
		CHECK(notation_read(row[i].form, INT64_MIN, INT64_MAX, str_text(&out), &again));
		CHECK_INT(again, v);
		str_free(&out);
	}
}

static void
bad_texts_are_refused(void)
{
	static const struct { enum notation form; const char *text; } row[] = {
		{NOTATION_WHOLE, ""}, {NOTATION_WHOLE, "-"}, {NOTATION_WHOLE, "+1"}, {NOTATION_WHOLE, " 1"},
		{NOTATION_WHOLE, "1 "}, {NOTATION_WHOLE, "1x"}, {NOTATION_WHOLE, "1.0"}, {NOTATION_WHOLE, "1e3"},
		{NOTATION_WHOLE, "0x10"}, {NOTATION_WHOLE, "4K"}, {NOTATION_WHOLE, "1,000"},
		{NOTATION_WHOLE, "9223372036854775808"}, {NOTATION_WHOLE, "99999999999999999999999"},
		{NOTATION_SEED, "18446744073709551616"}, {NOTATION_SEED, "-1"}, {NOTATION_SEED, ""},
		{NOTATION_CODE, "0x"}, {NOTATION_CODE, "0x1g"}, {NOTATION_CODE, "1f"}, {NOTATION_CODE, "-1"},
		{NOTATION_CODE, "0x-1"}, {NOTATION_CODE, "0x10000000000000000"},
		{NOTATION_BYTES, "K"}, {NOTATION_BYTES, "4KB"}, {NOTATION_BYTES, "4Ki"}, {NOTATION_BYTES, "4m"},
		{NOTATION_BYTES, "1.5K"}, {NOTATION_BYTES, "-4K"}, {NOTATION_BYTES, "8388608T"},
		{NOTATION_BYTES, "18446744073709551616"}, {NOTATION_BYTES, ""},
		{NOTATION_STEPS, "0"}, {NOTATION_STEPS, "-0"}, {NOTATION_STEPS, "--8"}, {NOTATION_STEPS, "-"},
		{NOTATION_SHARE, ".5"}, {NOTATION_SHARE, "1."}, {NOTATION_SHARE, "0.1234567"},
		{NOTATION_SHARE, "1e-3"}, {NOTATION_SHARE, "-1"}, {NOTATION_SHARE, ""},
		{NOTATION_TIME, "12"}, {NOTATION_TIME, "us"}, {NOTATION_TIME, "12 us"}, {NOTATION_TIME, "12uss"},
		{NOTATION_TIME, "1.5us"}, {NOTATION_TIME, "-1us"}, {NOTATION_TIME, "9223372037s"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int64_t v = 77;

		test_label("%s", row[i].text);
		CHECK(!notation_read(row[i].form, INT64_MIN, INT64_MAX, row[i].text, &v));
		CHECK_INT(v, 77);
	}
	test_label("a sign, where none is possible");
	CHECK(!notation_read(NOTATION_WHOLE, 0, 9, "-0", &(int64_t){0}));
}

static void
what_is_expected_is_said(void)
{
	static const struct { enum notation form; int64_t least, most; const char *text, *says; } row[] = {
		{NOTATION_WHOLE, 1, 64, "65", "--x takes a whole number from 1 to 64, not '65'"},
		{NOTATION_SEED, 0, 0, "x", "--x takes a whole number from 0 to 2^64 - 1, not 'x'"},
		{NOTATION_CODE, 0, 255, "0x100", "--x takes a number, as 6 or 0x1f, from 0 to 255, not '0x100'"},
		{NOTATION_BYTES, 64, 1 << 20, "2M", "--x takes bytes, as 4096, 64K or 1G, from 64 to 1M, not '2M'"},
		{NOTATION_STEPS, -8, 8, "0",
			"--x takes a whole number, as 64, 4K or -64, from -8 to 8, and not 0, not '0'"},
		{NOTATION_COUNT, 1, 9, "", "--x takes a whole number, as 5 or 100K, from 1 to 9, not ''"},
		{NOTATION_SHARE, 0, 500000, "1", "--x takes a number, as 0.25, from 0 to 0.5, not '1'"},
		{NOTATION_TIME, 1, 1000, "1ms", "--x takes a time, as 800ns, 12us or 4ms, from 1ns to 1us, not '1ms'"},
	};
	struct err e;
	double d = 7;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int64_t v = 77;

		test_label("%s", row[i].says);
		CHECK(!notation_take("--x", row[i].form, row[i].least, row[i].most, row[i].text, &v, &e));
		CHECK_STR(e.what, row[i].says);
		CHECK_INT(v, 77);
	}
	test_label("decimals");
	CHECK(!decimal_take("--x", 0, 1e15, "nan", &d, &e));
	CHECK_STR(e.what, "--x takes a number from 0 to 1e+15, not 'nan'");
	CHECK(!decimal_take("--x", -INFINITY, INFINITY, "0x1", &d, &e));
	CHECK_STR(e.what, "--x takes a number, not '0x1'");
	CHECK(!decimal_take("--x", 0, INFINITY, "-1", &d, &e));
	CHECK_STR(e.what, "--x takes a number from 0 on, not '-1'");
	CHECK_NEAR(d, 7, 0);
	CHECK(decimal_take("--x", 0, 1e15, "2.5e3", &d, &e));
	CHECK_NEAR(d, 2500, 0);
}

enum reads { WHOLE, DECIMAL, SIGNED, SIZE };

/* Items in a text: what follows the number, or the message with its place. */
static void
items_are_read(void)
{
	static const struct {
		const char *text;
		enum reads reads;
		double value;
		const char *rest, *says; /* one of them is NULL */
		int col, span;
	} row[] = {
		{"12;", WHOLE, 12, "';'", NULL, 0, 0},
		{"1..4", WHOLE, 1, "'.'", NULL, 0, 0},
		{"1..4", DECIMAL, 1, "'.'", NULL, 0, 0},
		{"0.25..1", DECIMAL, 0.25, "'.'", NULL, 0, 0},
		{"1e3 x", DECIMAL, 1000, "'x'", NULL, 0, 0},
		{"1e-3-2", DECIMAL, 0.001, "'-'", NULL, 0, 0},
		{"3-1", DECIMAL, 3, "'-'", NULL, 0, 0},
		{"-1.5 x", SIGNED, -1.5, "'x'", NULL, 0, 0},
		{"2k,", SIZE, 2048, "','", NULL, 0, 0},
		{" 65;", WHOLE, 0, NULL, "the ways: a whole number from 1 to 64 is expected, not '65'", 2, 2},
		{"four;", WHOLE, 0, NULL, "the ways: a whole number from 1 to 64 is expected, not 'four'", 1, 4},
		{";", WHOLE, 0, NULL, "the ways: a whole number from 1 to 64 is expected, not ';'", 1, 1},
		{"\"4\"", WHOLE, 0, NULL, "the ways: a whole number from 1 to 64 is expected, not a string", 1, 3},
		{"", WHOLE, 0, NULL,
			"the ways: a whole number from 1 to 64 is expected, not the end of the file", 1, 1},
		{"<4>", WHOLE, 0, NULL, "the ways: a whole number from 1 to 64 is expected, not '<'", 1, 1},
		{" 2.0.0;", DECIMAL, 0, NULL, "the share: a number from 0 to 1e+06 is expected, not '2.0.0'", 2, 5},
		{"1e;", DECIMAL, 0, NULL, "the share: a number from 0 to 1e+06 is expected, not '1e'", 1, 2},
		{"-1;", DECIMAL, 0, NULL, "the share: a number from 0 to 1e+06 is expected, not '-'", 1, 1},
		{"-x;", SIGNED, 0, NULL, "the share: a number is expected, not '-x'", 1, 2},
		{"5G;", SIZE, 0, NULL, "the size: bytes, as 4096, 64K or 1G, from 1 to 1M is expected, not '5G'", 1, 2},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};
		struct item_reader r = {.diags = &d};
		struct str next = {0};
		unsigned whole = 0;
		int64_t size = 0;
		double v = 0;
		bool good;

		test_label("'%s' %d", row[i].text, row[i].reads);
		source_init(&r.source, mem_str("f"), mem_str(row[i].text), strlen(row[i].text));
		lex_begin(&r.x, &r.source, &d);
		if (row[i].reads == WHOLE) {
			good = item_count(&r, "the ways", 1, 64, &whole, "a hint");
			v = whole;
		} else if (row[i].reads == SIZE) {
			good = item_number(&r, "the size", NOTATION_BYTES, 1, 1 << 20, &size, "a hint");
			v = (double)size;
		} else {
			bool sign = row[i].reads == SIGNED;

			good = item_decimal(&r, "the share", sign ? -INFINITY : 0, sign ? INFINITY : 1e6, &v, "a hint");
		}
		CHECK_INT(good, row[i].rest != NULL);
		CHECK_NEAR(v, row[i].value, 1e-15);
		lex_describe(&r.x, &next);
		if (row[i].rest) {
			CHECK_STR(str_text(&next), row[i].rest);
			CHECK_INT(d.n, 0);
		} else if (CHECK(d.n == 1)) {
			CHECK_STR(d.item[0].text, row[i].says);
			CHECK_STR(d.item[0].hint, "a hint");
			CHECK_INT(d.item[0].col, row[i].col);
			CHECK_INT(d.item[0].span, row[i].span);
			CHECK_INT(r.x.now.at, row[i].col - 1); /* the lexer stays before it */
		}
		str_free(&next);
		diags_free(&d);
		source_free(&r.source);
	}
}

/* Items that give a field its value. */
static void
fields_are_set(void)
{
	struct into { unsigned pages; const char *name, *text; };
	static const struct {
		const char *word;
		struct item_value value;
	} item[] = {
		{"pages", {ITEM_COUNT, offsetof(struct into, pages), "how many pages", "after it", 2, 4096,
			NOTATION_COUNT, false}},
		{"name", {ITEM_NAME, offsetof(struct into, name), "a name", "after the name", .once = true}},
		{"text", {.kind = ITEM_TEXT, .field = offsetof(struct into, text), .what = "a text in quotes",
			.after = "after the text"}},
	};
	static const struct { const char *text, *says; int col; } row[] = {
		{"text \"a\"; pages 2k; name b; text \"c\";", NULL, 0},
		{"pages 1;", "how many pages: a whole number, as 5 or 100K, from 2 to 4K is expected, not '1'", 7},
		{"name b; name c;", "a second 'name': there may be one", 9},
		{"text c;", "a text in quotes expected, not 'c'", 6},
		{"name b text", "';' expected after the name, not 'text'", 8},
		{"nam b;", "pages, name or text expected, not 'nam'", 1},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};
		struct arena *arena = arena_new();
		struct item_reader r = {.diags = &d, .arena = arena};
		struct into into = {0};

		test_label("%s", row[i].text);
		source_init(&r.source, mem_str("f"), mem_str(row[i].text), strlen(row[i].text));
		for (lex_begin(&r.x, &r.source, &d); r.x.now.kind != TOKEN_END && !d.n;) {
			size_t k = item_choose(&r, item, 3, sizeof *item);

			bool good = k < 3 && item_value(&r, &item[k].value, &into);

			CHECK_INT(good, d.n == 0);
		}
		if (!row[i].says) {
			CHECK_INT(d.n, 0);
			CHECK_INT(into.pages, 2048);
			CHECK_STR(into.name, "b");
			CHECK_STR(into.text, "c");
		} else if (CHECK(d.n == 1)) {
			CHECK_STR(d.item[0].text, row[i].says);
			CHECK_INT(d.item[0].col, row[i].col);
		}
		diags_free(&d);
		source_free(&r.source);
		arena_free(arena);
	}
}

TEST_MAIN(CASE(good_texts_are_read_and_printed), CASE(bad_texts_are_refused), CASE(what_is_expected_is_said),
	CASE(items_are_read), CASE(fields_are_set))
