/* Lists in short texts (text/word_list.h): their words, where an error is shown, also of a list within a list, and
 * the nearest name. */
#include "text/word_list.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "sim/parameter_table.h"
#include "test.h"
#include "text/diag.h"

static void
words_are_taken(void)
{
	static const struct { const char *text, *words; } row[] = {
		{"a,b", "a|b|"}, {"a", "a|"}, {"", "|"}, {",", "||"}, {"a,", "a||"}, {"a,,b=1,2", "a||b=1|2|"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct word_list list = word_list_of(row[i].text, ',');
		struct str all = {0};

		while (word_list_next(&list))
			str_addf(&all, "%s|", list.word);
		CHECK_STR(str_text(&all), row[i].words);
		CHECK(word_list_end(&list, true, NULL));
		str_free(&all);
	}
}

/* An error of the word "bad", of what stands before its '=', or after it. */
static void
errors_have_a_caret(void)
{
	static const struct { const char *text, *shown; } row[] = {
		{"a,bad,c", "e\na,bad,c\n  ^^^\n"},
		{"bad", "e\nbad\n^^^\n"},
		{"a,bad=3", "e\na,bad=3\n  ^^^\n"},
		{"a,value=bad,c", "e\na,value=bad,c\n        ^^^\n"},
		{"a,value=,c", "e\na,value=,c\n        ^\n"},
		{"µ,value=", "e\nµ,value=\n        ^\n"},
		{"\x01,bad", "e\n\\x01,bad\n     ^^^\n"},
		{"x:bad,a", "e\nx:bad,a\n  ^^^\n"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct word_list list = word_list_of(row[i].text, ',');
		struct err e = {0};
		struct str out = {0};
		bool good = true;

		test_label("%s", row[i].text);
		while (good && word_list_next(&list)) {
			const char *value = word_list_cut(&list, '=');
			bool nested = strchr(list.word, ':') != NULL;

			good = !str_eq(list.word, "bad") && !nested && (!value || (*value && !str_eq(value, "bad")));
			if (value && !str_eq(list.word, "bad"))
				word_list_blame_rest(&list);
			if (!good)
				err_set(&e, "e");
			if (nested) {
				struct word_list inner = word_list_of(list.word, ':');

				while (word_list_next(&inner) && !str_eq(inner.word, "bad"))
					;
				word_list_end(&inner, false, &e);
			}
		}
		CHECK(!word_list_end(&list, good, &e));
		err_print(&e, "", &out);
		CHECK_STR(str_text(&out), row[i].shown);
		str_free(&out);
	}
}

/* What is longer than a line is cut, and where a file is to blame nothing is added. */
static void
long_texts_and_files(void)
{
	char text[2000];
	struct err e = {0};
	struct str out = {0};

	memset(text, 'a', sizeof text);
	text[sizeof text - 1] = '\0';
	err_set(&e, "e");
	err_within(&e, text, 1900, 3);
	CHECK(strlen(e.source) < 200);
	CHECK_INT(e.span, 3);
	err_within(&e, text, 5, 10);
	CHECK_INT(e.span, 3);
	err_set(&e, "e");
	err_place(&e, "f", 1, 2);
	err_within(&e, "a,b", 0, 1);
	err_print(&e, "hecate: ", &out);
	CHECK_STR(str_text(&out), "hecate: f:1:2: e\n");
	str_free(&out);
	err_within(NULL, "a", 0, 1);
}

static const struct sim_table_row row[] = {
	SIM_TABLE_ROW("bytes", NOTATION_BYTES, 1, 1 << 20, 64, "bytes"),
	SIM_TABLE_ROW("kind", NOTATION_WORD, 0, 1, 0, "kind", .words = SIM_WORDS("up", "down")),
	SIM_TABLE_ROW("other", NOTATION_COUNT, 0, 9, 1, "not for all"),
};

static void
bad_parameters_are_refused(void)
{
	static const struct { const char *text, *what, *hint, *source; int caret, span; } bad[] = {
		{"", "w: a parameter is empty", "write parameters as name=value, joined by ','", "", 0, 1},
		{"bytes=1,", "w: a parameter is empty", "write parameters as name=value, joined by ','",
			"bytes=1,", 8, 1},
		{"bytes=1,bytes=1", "w: bytes is given twice", "give it once", "bytes=1,bytes=1", 8, 5},
		{"byte=1", "w has no parameter 'byte'", "nearest: bytes", "byte=1", 0, 4},
		{"other=1", "w has no parameter 'other'", "it has bytes, kind", "other=1", 0, 5},
		{"=1", "w has no parameter ''", "it has bytes, kind", "=1", 0, 1},
		{"kind", "w: kind cannot be ''", "expected: one of up, down", "kind", 0, 4},
		{"kind=", "w: kind cannot be ''", "expected: one of up, down", "kind=", 5, 1},
		{"kind=upp", "w: kind cannot be 'upp'", "expected: one of up, down", "kind=upp", 5, 3},
		{"bytes=99999999999999999999", "w: bytes cannot be '99999999999999999999'",
			"expected: bytes, as 4096, 64K or 1G, from 1 to 1M", "bytes=99999999999999999999", 6, 20},
		{"bytes=1\x02", "w: bytes cannot be '1\x02'", "expected: bytes, as 4096, 64K or 1G, from 1 to 1M",
			"bytes=1\\x02", 6, 5},
	};
	static const struct sim_table table = {row, 3};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		int64_t value[3] = {0};
		uint64_t given = 0;
		struct err e = {0};

		test_label("%s", bad[i].text);
		CHECK(!sim_table_parse(&table, value, &given, "w", 3, bad[i].text, &e));
		CHECK_STR(e.what, bad[i].what);
		CHECK_STR(e.hint, bad[i].hint);
		CHECK_STR(e.source, bad[i].source);
		CHECK_INT(e.caret, bad[i].caret);
		CHECK_INT(e.span, bad[i].span);
	}
}

TEST_MAIN(CASE(words_are_taken), CASE(errors_have_a_caret), CASE(long_texts_and_files),
	CASE(bad_parameters_are_refused))
