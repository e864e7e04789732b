/* The parts of a model, and its forms: list of counters, choices of features, diagram, outline, domains. */
#include "core/udd/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "core/udd/diagram.h"
#include "core/udd/outline.h"
#include "models.h"
#include "parsed.h"
#include "test.h"

static struct udd_diagram *
expand(const struct udd_model *m, const char *plus)
{
	struct diags d = {0};
	struct fset on;
	struct err e;
	struct udd_diagram *g = NULL;

	if (CHECK(udd_choose(m, NULL, plus, NULL, &on, &e)))
		g = udd_expand(m, &on, &d);
	CHECK(g != NULL);
	diags_free(&d);
	return g;
}

static void
items_arrive_as_written(void)
{
	struct udd_model *m =
		parsed_model(
			"model mm \"text\"; counter b = \"e1:u\", \"e2\" if \"x > 1\" \"about b\"; counter \"odd "
			"name\"; feature f \"about f\" requires g excludes h, h; feature g; feature h; group G { b, "
			"z }; variant v { f, g }; path p when f { count late; count b; } path q { count \"odd "
			"name\"; count early.x; }");

	CHECK_STR(m->name, "mm");
	CHECK_STR(m->text, "text");
	CHECK_STR(m->file, "m.udd");
	CHECK_INT(m->n_counters, 4);
	CHECK_STR(m->counter[0].name, "b");
	CHECK_INT(m->counter[0].n_events, 2);
	CHECK_STR(m->counter[0].event[1].name, "e2");
	CHECK_STR(m->counter[0].event[1].filter, "x > 1");
	CHECK(m->counter[0].event[0].filter == NULL);
	CHECK_STR(m->counter[0].text, "about b");
	CHECK_STR(m->counter[1].name, "odd name");
	CHECK_STR(m->counter[1].event[0].name, "odd name");
	CHECK_STR(m->counter[2].name, "late");
	CHECK(!m->counter[2].declared && m->counter[1].declared);
	CHECK_STR(m->counter[3].event[0].name, "early.x");
	CHECK_INT(m->feature[0].n_excludes, 1);
	CHECK_INT(m->feature[0].excludes[0], 2);
	CHECK(m->feature[0].requires != NULL);
	CHECK_INT(m->n_groups, 1);
	CHECK_STR(m->group[0].counter[1], "z");
	CHECK_INT(fset_count(&m->variant[0].on), 2);
	CHECK(m->root[0].when != NULL && m->root[1].when == NULL);
	udd_free(m);
}

/* Counters after done, in branches that are off and in roots that are off are in the list; those in repeat (0) are
 * not. */
static void
the_counter_list_follows_the_text(void)
{
	struct udd_model *m = parsed_model(
		"model m; counter last; feature f; def d(T) { count <T>.x; done; count <T>.dead; } path p when f && "
		"!f { when (f) { count on; } else { count off; } d(a); count behind; d(b); d(a); repeat (0) { count "
		"nothing; } } path q { choose { case A when f: count guarded; case B: } }");
	static const char *const want[] = {"last", "on", "off", "a.x", "a.dead", "behind", "b.x", "b.dead", "guarded"};

	CHECK_INT(m->n_counters, 9);
	for (size_t i = 0; i < 9 && i < m->n_counters; i++)
		CHECK_STR(m->counter[i].name, want[i]);
	udd_free(m);
}

static void
features_are_chosen_with_repairs(void)
{
	static const struct { const char *variant, *plus, *minus, *want; } row[] = {
		/* the features that are on, or the message */
		{NULL, NULL, NULL, "b"},
		{"none", NULL, NULL, ""},
		{"none", "a", NULL, "a"},
		{"full", NULL, NULL, "a,b"},
		{"full", NULL, "b", "a"},
		{"full", "b", "b", "a"},
		{"none", "c", NULL, "feature c requires a && (b || d); add a, d, or leave out c"},
		{"none", "a,c", NULL, "feature c requires a && (b || d); add b, or leave out c"},
		{"none", "a,b,c", NULL, "a,b,c"},
		{"none", "d,e", NULL, "feature d excludes e, and both are on; leave out e or d"},
		{"none", "n,a", NULL, "feature n requires !a; leave out n"},
		{"fulll", NULL, NULL, "model m has no variant 'fulll'; nearest: full"},
		{"none", "aa", NULL, "model m has no feature 'aa'; nearest: a"},
		{"none", "a,,b", NULL, "model m has no feature ''; there are: a, b, c, d, e, n"},
		{"none", NULL, "zebra", "model m has no feature 'zebra'; there are: a, b, c, d, e, n"},
	};
	struct udd_model *m = parsed_model("model m; feature a; feature b; feature c requires a && (b || d); feature d "
				   "excludes e; feature e; feature n requires !a; "
				   "variant default { b }; variant none { }; variant full = default + a; path p { }");

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct fset on;
		struct err e = {0};
		struct str got = {0};

		test_label("row %zu", i);
		if (udd_choose(m, row[i].variant, row[i].plus, row[i].minus, &on, &e)) {
			for (size_t k = 0; k < m->n_features; k++)
				if (fset_has(&on, k))
					str_addf(&got, "%s%s", got.n ? "," : "", m->feature[k].name);
		} else {
			err_text(&e, &got);
		}
		CHECK_STR(str_text(&got), row[i].want);
		str_free(&got);
	}
	udd_free(m);
}

/* Nodes as text: "0 decision P 1 2 | 1 count c 3 | …". The caller frees. */
static char *
dump_diagram(const struct udd_diagram *g)
{
	static const char *const kind[] = {"event", "count", "decision", "fork", "mid", "join", "done", "impossible"};
	struct str t = {0};

	for (uint32_t n = 0; n < g->n_nodes; n++) {
		const struct udd_node *v = &g->node[n];

		str_addf(&t, "%s%s", n ? " | " : "", kind[v->kind]);
		if (v->kind == UDD_COUNT)
			str_addf(&t, " %s", g->model->counter[v->name].name);
		if (v->kind == UDD_DECISION && v->property != UDD_NO_PROPERTY)
			str_addf(&t, " %s", g->property[v->property]);
		if (v->kind == UDD_MID || v->kind == UDD_JOIN)
			str_addf(&t, " of %u", v->name);
		for (uint32_t e = v->first_edge; e < v->first_edge + v->n_edges; e++)
			str_addf(&t, " %s%s%u", g->label[g->edge[e].label], ">", g->edge[e].to);
	}
	return str_take(&t);
}

static void
text_becomes_nodes(void)
{
	static const struct { const char *text, *want; } row[] = {
		{"path p { }", "done"},
		{"path p { event e; count c; }", "event >1 | count c >2 | done"},
		{"path p { switch (P) { case A, B: count c; case C: } }", "decision P A>1 B>1 C>2 | count c >2 | done"},
		{"path p { choose { case A: done; case B: count c; } }", "decision A>1 B>2 | done | count c >3 | done"},
		{"path p { choose { case A: impossible; case B: } }", "decision A>1 B>2 | impossible | done"},
		{"path p { both { count a; } and { count b; } }",
			"fork >1 | count a >2 | mid of 0 >3 | count b >4 | join of 0 >5 | done"},
		{"path p { both { } and { done; } event e; }",
			"fork >1 | mid of 0 >2 | done >3 | join of 0 >4 | event >5 | done"},
		{"path p { both { impossible; } and { count a; } event e; }", "fork >1 | impossible"},
		{"path p { repeat (0..2) { event e; } }",
			"decision 0 times>3 1 time>2 2 times>1 | event >2 | event >3 | done"},
		{"path p { repeat (2) { event e; } }", "event >1 | event >2 | done"},
		{"path p { done; count c; }", "done"},
		{"def d() { choose { case A: return; case B: done; case C: } count c; } path p { d(); event e; }",
			"decision A>3 B>1 C>2 | done | count c >3 | event >4 | done"},
		{"path p { switch (P) { case A: default: count c; } }", "decision P A>2 default>1 | count c >2 | done"},
		{"feature f; path p when f { } path q { when (f) { event e; } else { count c; } }",
			"count c >1 | done"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *text = str_format("model m; %s", row[i].text), *got;
		struct diags d = {0};
		struct udd_model *m = model_from_text(text, strlen(text), &d);
		struct udd_diagram *g = m ? expand(m, NULL) : NULL;

		test_label("%s", row[i].text);
		if (CHECK(g != NULL)) {
			got = dump_diagram(g);
			CHECK_STR(got, row[i].want);
			for (uint32_t n = 0; n < g->n_nodes; n++)
				for (uint32_t e = 0; e < g->node[n].n_edges; e++)
					CHECK(g->edge[g->node[n].first_edge + e].to > n);
			free(got);
		}
		udd_diagram_free(g);
		udd_free(m);
		diags_free(&d);
		free(text);
	}
}

/* Values of cases that are on, in order; "(other)" if a default is on; each root has its own. Text after done
 * counts. */
static void
domains_belong_to_roots(void)
{
	struct udd_model *m = parsed_model("model m; feature f; "
		"path p { switch (P) { case B, A: case X when f: default when f: } done; switch (P) { case Z: } } "
		"path q { switch (P) { case A: default: } when (f) { switch (P) { case Y: } } }");
	static const char *const want[2][2] = {
		{"p: B A Z ", "q: A (other) "}, {"p: B A X Z (other) ", "q: A Y (other) "}
	};

	for (int on = 0; on < 2; on++) {
		struct udd_diagram *g = expand(m, on ? "f" : NULL);

		CHECK_INT(g->n_properties, 2);
		for (size_t k = 0; k < g->n_properties; k++) {
			struct str t = {0};

			str_addf(&t, "%s: ", k ? "q" : "p");
			for (uint32_t i = 0; i < g->property_domain[k].n; i++)
				str_addf(&t, "%s ", g->value[g->domain[g->property_domain[k].first + i]]);
			CHECK_STR(str_text(&t), want[on][k]);
			str_free(&t);
		}
		udd_diagram_free(g);
	}
	udd_free(m);
}

static void
happens_before_joins_labelled_nodes(void)
{
	struct udd_model *m = parsed_model("model m; feature off; def d() { A: event x; B: event y; before A, B; } "
				   "path p { L: event l; when (off) { M: event m; } d(); d(); before L, N; before M, "
				   "N; repeat (2) { R: event r; before L, R; } N: count n; }");
	struct udd_diagram *g = expand(m, NULL);
	struct str t = {0}, dot = {0};

	for (size_t i = 0; i < g->n_before; i++)
		str_addf(&t, "%u>%u ", g->before[i].from, g->before[i].to);
	/* l x y x y r r n done: two calls, two rounds of the repeat (whose L waits for the path's end), L before N */
	CHECK_STR(str_text(&t), "1>2 3>4 0>7 0>5 0>6 ");
	udd_dot(g, &dot);
	CHECK(strstr(str_text(&dot), "n0 -> n7 [style=dashed") != NULL);
	CHECK(strstr(str_text(&dot), "n0 -> n1;") != NULL);
	CHECK(strstr(str_text(&dot), "label=\"n\" style=bold") != NULL);
	CHECK_INT(g->n_causality, g->n_edges);
	str_free(&t);
	str_free(&dot);
	udd_diagram_free(g);
	udd_free(m);
}

static char *
dump_outline(const struct udd_model *m, const char *plus, size_t max_rows)
{
	static const char *const item[] = {"#", "o", "?", "done", "return", "impossible", "fork", "cut:"};
	struct fset on;
	struct err e;
	struct udd_outline *o;
	struct str t = {0};

	CHECK(udd_choose(m, NULL, plus, NULL, &on, &e));
	o = udd_outline_new(m, &on, max_rows);
	for (size_t i = 0; i < o->n; i++) {
		const struct outline_row *r = &o->row[i];

		str_addf(&t, "%*s%s%s%s%s%s", (int)r->depth, "", r->text, r->guard ? " if " : "",
			r->guard ? r->guard : "", r->off ? " off" : "", r->last ? " last" : "");
		for (size_t k = 0; k < r->n_items; k++)
			str_addf(&t, " [%s%s%s%s]", item[r->item[k].kind], *r->item[k].text ? " " : "", r->item[k].text,
				r->item[k].kind == OUTLINE_COUNT && r->item[k].amount > 1 ? " more" : "");
		str_addc(&t, '\n');
	}
	udd_outline_free(o);
	return str_take(&t);
}

static void
outline_is_a_tree_of_rows(void)
{
	struct udd_model *m = parsed_model("model m; feature f; def d(T) { count <T>.c * 2; return; } "
				   "path p { event e; switch (P) { case A, B when f: d(x); case C: done; } count "
				   "behind; when (f) { count w; } else { impossible; } "
				   "both { count l; } and { repeat (1..3) { count r; } } repeat (2) { event t; } } "
				   "path q when f { choose { case V: case W: count w; } }");
	char *got = dump_outline(m, NULL, 100);

	CHECK_STR(got, "p [o e]\n"
		"  [? P]\n"
		"  A, B if f off [# x.c more] [return]\n"
		"  C last [done]\n"
		"  [# behind]\n"
		" when f off [# w]\n"
		" else [impossible]\n"
		"  [fork]\n"
		"  both [# l]\n"
		"  and last\n"
		"    last [? repeat]\n"
		"    1..3 times last [# r]\n"
		" 2 times last [o t]\n"
		"q when f off last\n"
		"  off last [?]\n"
		"  V off\n"
		"  W off last [# w]\n");
	free(got);
	got = dump_outline(m, "f", 4);
	CHECK_STR(got,
		"p last [o e]\n  last [? P]\n  A, B if f [# x.c more] [return]\n  C last [cut: 13 more statements]\n");
	free(got);
	udd_free(m);
}

TEST_MAIN(CASE(items_arrive_as_written), CASE(the_counter_list_follows_the_text),
	CASE(features_are_chosen_with_repairs), CASE(text_becomes_nodes), CASE(domains_belong_to_roots),
	CASE(happens_before_joins_labelled_nodes), CASE(outline_is_a_tree_of_rows))
