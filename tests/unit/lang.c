/* The parts that all of hecate's languages share (src/text/): tokens, strings, places in a text, diagnostics,
 * boolean expressions. Expected values are worked out by hand; satisfiability is compared with trying all sets. */
#include "text/bexpr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "test.h"
#include "text/diag.h"
#include "text/lex.h"
#include "text/source.h"

static struct source
source_of(const char *text)
{
	struct source s;

	source_init(&s, mem_str("t"), mem_str(text), strlen(text));
	return s;
}

/* Tokens as text: '+' for one without a space before it, the letter of its kind, its characters. The caller frees. */
static char *
dump_tokens(const char *text, struct diags *d)
{
	static const char letter[] = "EWPSC";
	struct source s = source_of(text);
	struct lexer x;
	struct str out = {0};

	for (lex_begin(&x, &s, d); x.now.kind != TOKEN_END; lex_next(&x))
		str_addf(&out, "%s%s%c%.*s", out.n ? " " : "", x.now.glued ? "+" : "", letter[x.now.kind],
			(int)x.now.len, s.text + x.now.at);
	source_free(&s);
	return str_take(&out);
}

static void
tokens_are_cut_without_context(void)
{
	static const struct { const char *text, *tokens; size_t errors; } row[] = {
		{"", "", 0},
		{" a1 _b ", "Wa1 W_b", 0},
		{"1..4", "W1 +C. +C. +W4", 0},
		{"4k 0x1f", "W4k W0x1f", 0},
		{"load.pde$_miss", "Wload +C. +Wpde +C$ +W_miss", 0},
		{"<T>.walk_done_<S>", "P<T> +C. +Wwalk_done_ +P<S>", 0},
		{"repeat (1..<N>)", "Wrepeat C( +W1 +C. +C. +P<N> +C)", 0},
		{"a<b && < c>", "Wa +C< +Wb C& +C& C< Wc +C>", 0},
		{"<1> <> <a", "C< +W1 +C> C< +C> C< +Wa", 0},
		{"a/**/b//c\nd/*e\n*/f", "Wa Wb Wd Wf", 0},
		{"/ * */", "C/ C* C* +C/", 0},
		{"\"a \\\" b\\\\\"c", "S\"a \\\" b\\\\\" +Wc", 0},
		{"\"open\nx", "S\"open Wx", 1},
		{"\"a\\n\"", "S\"a\\n\"", 1},
		{"\"a\tb\"", "S\"a\tb\"", 1},
		{"\xc3\xa9 a\xc3\xa9", "Wa", 2},
		{"a /* b", "Wa", 1},
		{"a \xff", "", 1},
		{"\xef\xbb\xbf" "a", "Wa", 0},
		{"\"\xc3\xa9\" // \xc3\xa9", "S\"\xc3\xa9\"", 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct diags d = {0};
		char *got = dump_tokens(row[i].text, &d);

		test_label("row %zu", i);
		/* text after a comment or at the beginning counts as having a space before it */
		CHECK_STR(got, row[i].tokens);
		CHECK_INT(d.errors, row[i].errors);
		diags_free(&d);
		free(got);
	}
}

static void
strings_are_decoded(void)
{
	struct source s = source_of("\"a\\\"b\\\\c\" \"\" \"open\\");
	struct diags d = {0};
	struct lexer x;
	struct str out = {0};

	for (lex_begin(&x, &s, &d); x.now.kind == TOKEN_STRING; lex_next(&x)) {
		lex_string_text(&s, &x.now, &out);
		str_addc(&out, '|');
	}
	CHECK_STR(str_text(&out), "a\"b\\c||open\\|");
	CHECK_INT(d.errors, 1);
	str_free(&out);
	diags_free(&d);
	source_free(&s);
}

static void
places_are_shown_in_columns(void)
{
	static const struct {
		const char *text;
		uint32_t at, len;
		int line, col, caret, span;
		const char *shown;
	} row[] = {
		{"abc", 1, 1, 1, 2, 1, 1, "abc"},
		{"abc", 3, 0, 1, 4, 3, 1, "abc"},
		{"\tabc", 1, 3, 1, 9, 8, 3, "        abc"},
		{"a\tb", 2, 1, 1, 9, 8, 1, "a       b"},
		{"x\n\xe6\xb8\xac b\r\ny", 6, 1, 2, 4, 3, 1, "\xe6\xb8\xac b"},
		{"\x01z", 1, 1, 1, 5, 4, 1, "\\x01z"},
		{"\xff\xfez", 2, 1, 1, 9, 8, 1, "\\xff\\xfez"},
		/* a place that goes beyond its line is shown up to the line's end */
		{"ab\ncd", 1, 4, 1, 2, 1, 1, "ab"},
		{"", 0, 0, 1, 1, 0, 1, ""},
		{"a\n", 2, 0, 2, 1, 0, 1, ""},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source s = source_of(row[i].text);
		int caret, span;
		char *shown = source_show(&s, row[i].at, row[i].len, 80, &caret, &span);

		test_label("row %zu", i);
		CHECK_INT(source_line(&s, row[i].at), row[i].line);
		CHECK_INT(source_column(&s, row[i].at), row[i].col);
		CHECK_INT(caret, row[i].caret);
		CHECK_INT(span, row[i].span);
		CHECK_STR(shown, row[i].shown);
		free(shown);
		source_free(&s);
	}
}

static void
long_lines_are_cut_around_the_place(void)
{
	struct str line = {0};
	struct source s;
	int caret, span;
	char *shown;

	for (int i = 0; i < 100; i++)
		str_addf(&line, "%02d ", i);
	s = source_of(str_text(&line));
	shown = source_show(&s, 150, 2, 20, &caret, &span); /* at "50" */
	CHECK_STR(shown, "… 47 48 49 50 51 52 5…");
	CHECK_INT(caret, 11);
	CHECK_INT(span, 2);
	CHECK_INT(source_column(&s, 150), 151);
	free(shown);
	source_free(&s);
	str_free(&line);
}

static void
diagnostics_are_bounded_and_printed(void)
{
	struct source s = source_of("one\ntwo \x1b[1m three\n");
	struct diags d = {0};
	struct str out = {0};
	struct place p = {&s, 8, 1};

	diag_add(&d, DIAG_ERROR, &p, "what to do", "bad %s", "\x07word");
	diag_add(&d, DIAG_ERROR, &p, NULL, "bad %s", "\x07word"); /* a repetition is left out */
	diag_add(&d, DIAG_WARNING, &p, NULL, "odd");
	diag_add(&d, DIAG_ERROR, NULL, NULL, "nowhere");
	diags_print(&d, "hecate: ", &out);
	CHECK_STR(str_text(&out), "hecate: t:2:5: bad \\x07word; what to do\ntwo \\x1b[1m three\n    ^^^^\n"
		"hecate: t:2:5: warning: odd\ntwo \\x1b[1m three\n    ^^^^\nhecate: nowhere\n");
	for (int i = 0; i < 50; i++)
		diag_add(&d, DIAG_ERROR, NULL, NULL, "number %d", i);
	CHECK_INT(d.errors, 52);
	CHECK_INT(d.warnings, 1);
	CHECK_INT(d.n, 21);
	CHECK_INT(d.dropped, 32);
	CHECK(diags_full(&d, DIAG_ERROR));
	CHECK(!diags_full(&d, DIAG_WARNING));
	str_free(&out);
	diags_free(&d);
	source_free(&s);
}

/* Binds the names a, b, c … to bits 0, 1, 2 … */
static void
bind_letter(void *ctx, struct bexpr *name)
{
	(void)ctx;
	name->index = (uint32_t)(name->name[0] - 'a');
}

static struct bexpr *
parse(const char *text, struct arena *a, struct source *s, struct diags *d, bool *whole)
{
	struct lexer x;
	struct bexpr *e;

	*s = source_of(text);
	lex_begin(&x, s, d);
	e = bexpr_parse(&x, a);
	*whole = x.now.kind == TOKEN_END;
	if (e)
		bexpr_each_name(e, bind_letter, NULL);
	return e;
}

static void
expressions_print_in_normal_form(void)
{
	static const struct { const char *text, *printed; } row[] = {
		{"a", "a"}, {"((a))", "a"}, {"!a", "!a"}, {"! ! a", "!!a"}, {"a&&b||c", "a && b || c"},
			{"a&&(b||c)", "a && (b || c)"},
		{"(a && b) || c", "a && b || c"}, {"(a && b) && (c && d)", "a && b && c && d"}, {"a || (b || c)",
			"a || b || c"},
		{"!(a && b)", "!(a && b)"}, {"!(a)", "!a"}, {"pf_<T> && <U>", "pf_<T> && <U>"},
			{"(a || b) && !(c || !d)", "(a || b) && !(c || !d)"},
		{"", NULL}, {"a &&", NULL}, {"a & b", NULL}, {"a & & b", NULL}, {"(a", NULL}, {"!", NULL},
			{"a || || b", NULL}, {")", NULL},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct arena *a = arena_new();
		struct source s;
		struct diags d = {0};
		bool whole;
		struct bexpr *e = parse(row[i].text, a, &s, &d, &whole);
		struct str out = {0};

		test_label("%s", row[i].text);
		CHECK_INT(e != NULL, row[i].printed != NULL);
		CHECK_INT(d.errors, row[i].printed == NULL);
		if (e && row[i].printed) {
			bexpr_print(e, &out);
			CHECK_STR(str_text(&out), row[i].printed);
			CHECK(whole);
		}
		str_free(&out);
		diags_free(&d);
		source_free(&s);
		arena_free(a);
	}
}

/* A random expression over a … e, as text. */
static void
random_expression(uint64_t *seed, int depth, struct str *out)
{
	uint64_t r = test_random(seed) % 6;

	if (depth == 0 || r < 2) {
		str_addf(out, "%s%c", r & 1 ? "!" : "", (int)('a' + test_random(seed) % 5));
		return;
	}
	str_add(out, r == 2 ? "!(" : "(");
	random_expression(seed, depth - 1, out);
	str_add(out, r & 1 ? " && " : " || ");
	random_expression(seed, depth - 1, out);
	str_addc(out, ')');
}

/* Compared with trying every set of the five names. */
static void
satisfiability_agrees_with_trying_all(void)
{
	uint64_t seed = 7;
	int open = 0, no = 0;

	for (int i = 0; i < 300; i++) {
		struct arena *a = arena_new();
		const struct bexpr *all[3];
		struct source s[3];
		struct diags d = {0};
		uint64_t found = 0;
		size_t budget = 100000, tiny = 3;
		bool can = false, whole;
		enum bexpr_truth t;

		for (int k = 0; k < 3; k++) {
			struct str text = {0};

			random_expression(&seed, 3, &text);
			all[k] = parse(str_text(&text), a, &s[k], &d, &whole);
			str_free(&text);
		}
		for (uint64_t set = 0; set < 32; set++) {
			bool holds = true;

			for (int k = 0; k < 3; k++)
				holds &= bexpr_eval(all[k], NULL, &set, NULL) == BEXPR_YES;
			can |= holds;
		}
		t = bexpr_satisfiable(all, 3, 5, &budget, &found);
		CHECK_INT(t, can ? BEXPR_YES : BEXPR_NO);
		for (int k = 0; k < 3 && can; k++)
			CHECK_INT(bexpr_eval(all[k], NULL, &found, NULL), BEXPR_YES);
		open += bexpr_satisfiable(all, 3, 5, &tiny, NULL) == BEXPR_OPEN;
		no += !can;
		for (int k = 0; k < 3; k++)
			source_free(&s[k]);
		arena_free(a);
		diags_free(&d);
	}
	CHECK(open > 0); /* some searches end because their budget is used up */
	CHECK(no > 20);
}

static void
what_is_not_known_stays_open(void)
{
	static const struct { const char *text; uint64_t known, value; enum bexpr_truth want; } row[] = {
		{"a && b", 1, 1, BEXPR_OPEN}, {"a && b", 1, 0, BEXPR_NO}, {"a || b", 1, 1, BEXPR_YES}, {"a || b",
			1, 0, BEXPR_OPEN},
		{"!a", 0, 0, BEXPR_OPEN}, {"!a", 1, 0, BEXPR_YES}, {"a && !a", 0, 0, BEXPR_OPEN}, {"!(a && b)",
			2, 0, BEXPR_YES},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct arena *a = arena_new();
		struct source s;
		struct diags d = {0};
		bool whole;
		struct bexpr *e = parse(row[i].text, a, &s, &d, &whole);

		test_label("%s", row[i].text);
		CHECK_INT(bexpr_eval(e, &row[i].known, &row[i].value, NULL), row[i].want);
		source_free(&s);
		diags_free(&d);
		arena_free(a);
	}
}

/* Texts by lines: tokens are written with a blank between them, the end of a line as $. */
static void
lines_are_tokens(void)
{
	static const struct { enum lex_layout layout; const char *text, *tokens; } row[] = {
		{LEX_LINES, "a = b\nc", "a = b $ c"},
		{LEX_LINES, "# x\n a #b\na#b", "$ a $ a # b"},
		{LEX_LINES, "a // b\r\n\n", "a / / b $ $"},
		{LEX_LINES, "#", ""},
		{LEX_LINES, "a #", "a"},
		{LEX_LINES_WITH_COLOURS, "#7fb4ff\n  #a\nc = #7fb4ff # d\n", "$ $ c = # 7fb4ff $"},
		{LEX_LINES_WITH_COLOURS, "a #\nb ##\nc #", "a $ b $ c"},
	};
	static const struct { const char *text, *line; } whole[] = {
		{"a  b={1, 2}\t# c\nd", "a  b={1, 2}"}, {"a#b\r\n", "a#b"}, {"a", "a"}, {"a \"b\n", "a \"b"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct source s;
		struct diags d = {0};
		struct str out = {0};
		struct lexer x;

		test_label("%s", row[i].text);
		source_init(&s, mem_str("f"), mem_str(row[i].text), strlen(row[i].text));
		for (lex_begin_lines(&x, &s, row[i].layout, &d); x.now.kind != TOKEN_END; lex_next(&x)) {
			str_add(&out, out.n ? " " : "");
			if (lex_is(&x, '\n'))
				str_addc(&out, '$');
			else
				str_addn(&out, s.text + x.now.at, x.now.len);
		}
		CHECK_STR(str_text(&out), row[i].tokens);
		CHECK_INT(d.n, 0);
		str_free(&out);
		diags_free(&d);
		source_free(&s);
	}
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
		struct source s;
		struct diags d = {0};
		struct str seen = {0};
		struct lexer x;
		struct place at;

		test_label("%s", whole[i].text);
		source_init(&s, mem_str("f"), mem_str(whole[i].text), strlen(whole[i].text));
		lex_begin_lines(&x, &s, LEX_LINES, &d);
		at = lex_take_line(&x, x.now.at);
		str_addn(&seen, s.text + at.at, at.len);
		CHECK_STR(str_text(&seen), whole[i].line);
		CHECK(x.now.kind == TOKEN_END || lex_is(&x, '\n'));
		CHECK_INT(d.n, 0);
		str_free(&seen);
		lex_describe(&x, &seen);
		CHECK_STR(str_text(&seen), x.now.kind == TOKEN_END ? "the end of the file" : "the end of the line");
		str_free(&seen);
		diags_free(&d);
		source_free(&s);
	}
}

TEST_MAIN(CASE(lines_are_tokens), CASE(tokens_are_cut_without_context),
	CASE(strings_are_decoded), CASE(places_are_shown_in_columns),
	CASE(long_lines_are_cut_around_the_place), CASE(diagnostics_are_bounded_and_printed),
	CASE(expressions_print_in_normal_form), CASE(satisfiability_agrees_with_trying_all),
	CASE(what_is_not_known_stays_open))
