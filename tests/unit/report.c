/* The parts of the report that take text and graphs from outside: text as Markdown, and graphs of every shape as
 * SVG. */
#include "explorer/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "draw/graph_svg.h"
#include "draw/theme.h"
#include "explorer/report/report_page.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/files.h"

static void
text_is_shown_as_it_is(void)
{
	static const struct { const char *text, *want; } row[] = {
		{"gcc -O2", "gcc -O2"}, {"a_b*c", "a\\_b\\*c"}, {"[x](y)", "\\[x\\](y)"}, {"<b>&amp;",
			"&lt;b&gt;&amp;amp;"}, {"a|b\\", "a\\|b\\\\"}, {"µ≤", "&#181;&#8804;"},
		{"#1 `x` !~{}", "\\#1 \\`x\\` \\!\\~\\{\\}"},
	};
	uint64_t seed = 5;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str out = {0};

		report_add_text(&out, row[i].text);
		CHECK_STR(str_text(&out), row[i].want);
		str_free(&out);
	}
	/* For any bytes: the output is printable ASCII, and each character with a meaning in Markdown is escaped. */
	for (unsigned round = 0; round < test_rounds(3000, 100000); round++) {
		char bytes[24];
		size_t n = test_random(&seed) % (sizeof bytes - 1);
		struct str out = {0};

		for (size_t i = 0; i < n; i++)
			bytes[i] = (char)(test_random(&seed) % 3
					? "\\`*_{}[]#|~!<>&\n\x1b\xc2\xb5\xe2\x80\xae"[test_random(&seed) % 22]
					: 1 + (int)(test_random(&seed) % 255));
		bytes[n] = '\0';
		report_add_text(&out, bytes);
		for (size_t i = 0; i < out.n; i++) {
			unsigned char c = (unsigned char)out.s[i];

			CHECK(c >= 32 && c < 127 && c != '<' && c != '>');
			if (c == '\\' && CHECK(i + 1 < out.n && strchr("\\`*_{}[]#|~!", out.s[i + 1])))
				i++;
			else if (c == '&' && i + 1 < out.n && out.s[i + 1] == '#')
				i++; /* of a numeric entity */
			else
				CHECK(!strchr("`*_{}[]#|~!", c));
		}
		str_free(&out);
	}
}

static size_t
count(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = strstr(text, what); p; p = strstr(p + 1, what))
		n++;
	return n;
}

/* A cell of a table with any bytes is one cell in HTML, too, and no byte of it begins an element. */
static void
any_text_stays_in_its_cell(void)
{
	uint64_t seed = 9;

	for (unsigned round = 0; round < test_rounds(3000, 100000); round++) {
		struct html_page page = {0};
		struct str markdown = {0}, want = {0};
		char bytes[24];
		size_t n = test_random(&seed) % (sizeof bytes - 1);

		for (size_t i = 0; i < n; i++)
			bytes[i] = (char)(test_random(&seed) % 3
					? "\\`*_{}[]#|~!<>&\"'\n\x1b\xc2\xb5"[test_random(&seed) % 22]
					: 1 + (int)(test_random(&seed) % 255));
		bytes[n] = '\0';
		str_add(&markdown, "| a | b |\n| --- | ---: |\n| ");
		report_add_text(&markdown, bytes);
		str_add(&markdown, " | 1 |\n");
		html_markdown(&page, str_text(&markdown));
		CHECK_INT(count(str_text(&page.body), "<"), 22);
		CHECK_INT(count(str_text(&page.body), ">"), 22);
		CHECK_INT(count(str_text(&page.body), "<td"), 2);
		CHECK(strstr(str_text(&page.body), "</td><td class=\"n\">1</td></tr>\n") != NULL);
		/* a text without signs that are escaped is in it as it was */
		if (n && strspn(bytes, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*_|`\\#") == n) {
			str_addf(&want, "<td>%s</td>", bytes);
			CHECK(strstr(str_text(&page.body), str_text(&want)) != NULL);
		}
		str_free(&page.body);
		str_free(&page.title);
		str_free(&markdown);
		str_free(&want);
	}
}

static struct udd_model *
load(struct bundle *b)
{
	char *path = str_format("%s/data/session/kept.udd", getenv("HECATE_TESTS"));
	struct udd_loader loader = bundle_disk_loader(b);
	struct diags d = {0};
	struct udd_model *m = udd_parse(path, &loader, &d);

	CHECK(m != NULL);
	diags_free(&d);
	free(path);
	return m;
}

/* n models of `cones` cones, with edges in both directions, so that there are cycles. */
static struct search_graph *
graph_of(size_t n, size_t cones, uint64_t *seed)
{
	struct search_graph *g = search_graph_new();

	g->n_models = n;
	g->model = mem_new_array(n, sizeof *g->model);
	g->edge = mem_new_array(2 * n, sizeof *g->edge);
	g->n_observations = 1;
	g->observation = mem_new_array(1, sizeof *g->observation);
	g->observation[0] = mem_str("o");
	for (size_t i = 0; i < n; i++) {
		g->model[i] = (struct search_graph_model){.cone = i % cones,
			.usable = i % 7 != 6,
			.survives = i % cones == 1,
			.infeasible = i % cones != 1};
		for (size_t f = 0; f < 2; f++)
			fset_put(&g->model[i].on, f, i >> f & 1);
		for (int k = 0; i && k < 2; k++) {
			size_t other = test_random(seed) % i;

			g->edge[g->n_edges++] = (struct search_graph_edge){.from = k ? i : other,
				.to = k ? other : i,
				.step = k ? GRAPH_ELIMINATION : GRAPH_DISCOVERY};
		}
	}
	if (n > 1) {
		g->needs.minimal = mem_new(sizeof *g->needs.minimal);
		g->needs.minimal[0] = n - 1 - ((n - 1) % 7 == 6);
		g->needs.n_minimal = 1;
	}
	return g;
}

static void
graphs_of_every_shape(void)
{
	static const struct {
		size_t n, cones;
	} row[] = {{0, 1}, {1, 1}, {2, 1}, {2, 2}, {40, 9}, {119, 119}, {400, 400}};
	struct bundle b = {0};
	struct udd_model *m = load(&b);
	struct theme theme;
	uint64_t seed = 11;

	theme_default(&theme);
	for (size_t i = 0; m && i < sizeof row / sizeof *row; i++) {
		struct search_graph *g = graph_of(row[i].n, row[i].cones, &seed);
		struct str out = {0};
		size_t boxes = 0;

		test_label("%zu models, %zu cones", row[i].n, row[i].cones);
		graph_svg(g, m, &theme, &out);
		boxes = count(str_text(&out), "refuted by 1 of 1") + count(str_text(&out), "✓ survives") +
			count(str_text(&out), "✓ smallest survivor");
		CHECK(str_starts(str_text(&out), "<svg ") && str_ends(str_text(&out), "</svg>\n"));
		CHECK_INT(count(str_text(&out), "<text"), count(str_text(&out), "</text>"));
		CHECK(strstr(str_text(&out), "nan") == NULL && strstr(str_text(&out), "inf") == NULL);
		if (row[i].n <= GRAPH_BOXES_MAX)
			CHECK_INT(boxes,
				row[i].n < row[i].cones       ? row[i].n
					: row[i].cones == 119 ? 102
					: row[i].n            ? row[i].cones
							      : 0);
		else
			CHECK(boxes == GRAPH_BOXES_MAX + 1 &&
				strstr(str_text(&out), "more models are not shown")); /* and the smallest survivor */
		if (!row[i].n)
			CHECK(strstr(str_text(&out), "no model was tested") != NULL);
		str_free(&out);
		search_graph_free(g);
	}
	udd_free(m);
	bundle_free(&b);
}

TEST_MAIN(CASE(text_is_shown_as_it_is), CASE(any_text_stays_in_its_cell), CASE(graphs_of_every_shape))
