/* A model of several files as one text: it means the same, and no comment is lost. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "models.h"
#include "test.h"

#define FILES 5

struct shelf {
	const char *name[FILES];
	struct str text[FILES];
	size_t n;
};

static bool
load(void *ctx, const char *from, const char *path, struct udd_file *out, struct err *e)
{
	const struct shelf *s = ctx;

	(void)from;
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->name[i], path)) {
			*out = (struct udd_file){.name = mem_str(path),
				.text = mem_strn(s->text[i].s, s->text[i].n),
				.n = s->text[i].n,
				.ino = i + 1};
			return true;
		}
	return err_set(e, "no file %s", path);
}

static struct udd_model *
parse(struct shelf *s)
{
	struct diags d = {0};
	struct str messages = {0};
	struct udd_model *m = udd_parse(s->name[0], &(struct udd_loader){.load = load, .ctx = s}, &d);

	diags_print(&d, "# ", &messages);
	test_check(m != NULL, __FILE__, __LINE__, "%s%s", str_text(&messages), str_text(&s->text[0]));
	str_free(&messages);
	diags_free(&d);
	return m;
}

static void
forget(struct shelf *s)
{
	for (size_t i = 0; i < s->n; i++)
		str_free(&s->text[i]);
}

/* The joined text means the same as the files, and joining it again changes nothing. The caller frees. */
static char *
joined(struct shelf *s)
{
	struct udd_model *m = parse(s), *again;
	struct shelf one = {.name = {"one.udd"}, .n = 1};
	struct str files = {0}, single = {0}, twice = {0};

	if (!m)
		return mem_str("");
	udd_join(m, &one.text[0]);
	udd_print(m, &files);
	udd_free(m);
	again = parse(&one);
	if (again) {
		udd_print(again, &single);
		udd_join(again, &twice);
		CHECK_STR(str_text(&single), str_text(&files));
		CHECK_STR(str_text(&twice), str_text(&one.text[0]));
	}
	udd_free(again);
	str_free(&files);
	str_free(&single);
	str_free(&twice);
	return str_take(&one.text[0]);
}

static void
check_row(const char *const text[], const char *want)
{
	static const char *const name[] = {"main", "a.udd", "b.udd"};
	struct shelf s = {0};
	char *got;

	for (; text[s.n]; s.n++) {
		s.name[s.n] = name[s.n];
		str_add(&s.text[s.n], text[s.n]);
	}
	got = joined(&s);
	CHECK_STR(got, want);
	free(got);
	forget(&s);
}

static void
includes_become_comments_around_what_they_bring(void)
{
	check_row((const char *const[]){"model m; // alone\npath p { count c; }", NULL},
		"model m; // alone\npath p { count c; }\n");
	check_row((const char *const[]){"model m;\ninclude \"a.udd\"; // the counters\n\npath p { count c; }\n",
			  "// of a\ncounter c;\n", NULL},
		"model m;\n// include \"a.udd\"; // the counters\n// of a\ncounter c;\n// end of \"a.udd\"\n\npath p { "
		"count c; }\n");
	/* An include in the middle of a line, and an included file that ends in a comment. */
	check_row((const char *const[]){"model m; include \"a.udd\"; /* on */ path p { count c; }",
			  "\xef\xbb\xbf"
			  "counter c; // last",
			  NULL},
		"model m; // include \"a.udd\";\ncounter c; // last\n// end of \"a.udd\"\n /* on */ path p { count c; "
		"}\n");
	/* A file included twice, from within another one, at the end of the text, over several lines, with carriage
	 * returns. */
	check_row(
		(const char *const[]){
			"model m;\r\ninclude /* first\n*/ \"a.udd\";\r\npath p { count c; } include \"b.udd\";",
			"include \"b.udd\";\n", "counter c;", NULL},
		"model m;\r\n// include /* first\n// */ \"a.udd\";\r\n// include \"b.udd\";\ncounter c;\n// end of "
		"\"b.udd\"\n// end of \"a.udd\"\n"
		"path p { count c; } // include \"b.udd\";\n// \"b.udd\" stands above\n");
	check_row((const char *const[]){"model m; include \"a.udd\"; path p { count c; }", "", NULL},
		"model m; // include \"a.udd\";\n// end of \"a.udd\"\n path p { count c; }\n");
}

static void
corpus_joins(void)
{
	static const char *const dir = "models/good";
	size_t n, some = 0;
	char **file = names_list(dir, ".udd", &n);

	for (size_t i = 0; i < n; i++) {
		struct diags d = {0};
		struct udd_model *m = model_from_file(dir, file[i], &d);
		struct shelf one = {.name = {"one.udd"}, .n = 1};
		struct str files = {0}, single = {0};
		struct udd_model *again = NULL;

		test_label("%s", file[i]);
		if (CHECK(m != NULL)) {
			udd_join(m, &one.text[0]);
			udd_print(m, &files);
			again = parse(&one);
		}
		if (again)
			udd_print(again, &single);
		CHECK_STR(str_text(&single), str_text(&files));
		some += strstr(str_text(&one.text[0]), "// end of \"") != NULL;
		udd_free(m);
		udd_free(again);
		diags_free(&d);
		str_free(&files);
		str_free(&single);
		forget(&one);
	}
	CHECK(some > 0);
	names_list_free(file);
}

/* Adds blanks and comments, each comment with a new word; *words counts them. */
static void
add_gap(struct str *out, uint64_t *seed, unsigned *words, bool some)
{
	static const char *const blank[] = {" ", "\t", "\n", "\r\n", "  \n\n"};

	for (uint64_t n = test_random(seed) % 3; n || some; n -= n > 0) {
		some = false;
		switch (test_random(seed) % 6) {
		case 0:
			str_addf(out, "/*w%u.*/", ++*words);
			break;
		case 1:
			str_addf(out, "/* w%u. ", ++*words);
			str_addf(out, "\n // w%u. */", ++*words);
			break;
		case 2:
			str_addf(out, "// /* \" w%u.\n", ++*words);
			break;
		default:
			str_add(out, blank[test_random(seed) % 5]);
			break;
		}
	}
}

static void
add_item(struct shelf *s, size_t file, uint64_t *seed, unsigned *words)
{
	struct str *out = &s->text[file];
	size_t left = s->n - file - 1;
	char name[8] = "x.udd";

	if (left && test_random(seed) % 2) {
		name[0] = (char)('a' + file + 1 + test_random(seed) % left);
		str_add(out, "include");
		add_gap(out, seed, words, false);
		str_addf(out, "\"%s\"", name);
	} else if (test_random(seed) % 2) {
		str_addf(out, "path p%u {", ++*words);
		add_gap(out, seed, words, false);
		str_addf(out, "count c%u; }", *words % 4);
		add_gap(out, seed, words, false);
		return;
	} else {
		str_addf(out, "counter d%u", ++*words);
		add_gap(out, seed, words, true);
		str_addf(out, "\"about // /* %u\"", *words);
	}
	add_gap(out, seed, words, false);
	str_addc(out, ';');
	add_gap(out, seed, words, false);
}

static void
no_comment_is_lost(void)
{
	static const char *const name[FILES] = {"a.udd", "b.udd", "c.udd", "d.udd", "e.udd"};
	uint64_t seed = 44;

	for (unsigned round = 0; round < test_rounds(300, 20000); round++) {
		struct shelf s = {.n = 1 + test_random(&seed) % FILES};
		unsigned words = 0;
		char *got;

		test_label("round %u", round);
		for (size_t i = 0; i < s.n; i++) {
			s.name[i] = name[i];
			str_add(&s.text[i], test_random(&seed) % 4 ? "" : "\xef\xbb\xbf");
			str_add(&s.text[i], i ? "" : "model m; path whole { count c0; }");
			add_gap(&s.text[i], &seed, &words, false);
			for (uint64_t items = test_random(&seed) % 5; items; items--)
				add_item(&s, i, &seed, &words);
			if (test_random(&seed) % 2)
				str_addf(&s.text[i], "// w%u. at the end", ++words);
		}
		got = joined(&s);
		/* Every word in comments of included files is in the joined text. */
		for (size_t i = 0; i < s.n; i++) {
			char *mark = str_format("// end of \"%s\"", name[i]);

			for (const char *w = strstr(i == 0 || strstr(got, mark) ? str_text(&s.text[i]) : "", "w"); w;
				w = strstr(w + 1, "w")) {
				char *word = mem_strn(w, strcspn(w, ". ") + 1);

				if (word[1] >= '0' && word[1] <= '9')
					test_check(strstr(got, word) != NULL, __FILE__, __LINE__, "%s of %s is lost",
						word, name[i]);
				free(word);
			}
			free(mark);
		}
		free(got);
		forget(&s);
	}
}

TEST_MAIN(CASE(includes_become_comments_around_what_they_bring), CASE(corpus_joins), CASE(no_comment_is_lost))
