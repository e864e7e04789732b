/* The tree of view 6 on cells: nodes that fold, what is worth a look, advice, formulas with numbers, and the mouse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state.h"
#include "explorer/state/state_nodes.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "ui/input.h"
#include "ui/term.h"
#include "work/files/data.h"
#include "work/files/texts.h"
#include "work/timeline/timeline.h"

/* A tree and recorded counts, below tests/data/topdown. */
static void
open_tree(struct state *s, const char *name, const char *data)
{
	char *path = str_format("data/topdown/%s", data);

	stage_open_timeline(s, NULL, name, (const char *const[]){path, NULL});
	free(path);
}

static const char *
node_name(const struct state *s)
{
	size_t node = state_node(s);

	return node == SIZE_MAX ? "none" : timeline_stack(s->data.timeline)->part[node].name;
}

static void
go_to(struct state *s, const char *name)
{
	size_t n, *row = state_part_rows(s, &n), at = 0;

	while (at < n && strcmp(timeline_stack(s->data.timeline)->part[row[at]].name, name) != 0)
		at++;
	test_check(at < n, __FILE__, __LINE__, "%s is not shown", name);
	s->view.cursor[PANE_COMPONENTS] = (int)at;
	free(row);
}

static void
a_tree_opens(void)
{
	struct state s;

	open_tree(&s, "topdown-skl", "skl.perf");
	stage_show(&s, 120, 40);
	CHECK_INT(s.view.focus, PANE_COMPONENTS); /* its nodes have the keys at once */
	stage_every_size(&s, "tree");
	go_to(&s, "memory_bound");
	state_act(&s, ACTION_component);
	CHECK_INT(s.view.popup.kind, POPUP_ADVICE);
	stage_compare(&s, "tree-advice", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_whence);
	CHECK_INT(s.view.popup.kind, POPUP_NUMBERS);
	stage_compare(&s, "tree-numbers", 120, 40, false);
	state_act(&s, ACTION_back);
	go_to(&s, "divider"); /* its counter is missing */
	state_act(&s, ACTION_component);
	stage_compare(&s, "tree-unknown", 80, 24, false);
	stage_close(&s);
}

static void
nodes_fold(void)
{
	struct state s;
	int rows, judged;

	open_tree(&s, "topdown-skl", "skl.perf");
	stage_show(&s, 120, 40);
	judged = rows = state_count_components(&s);
	CHECK_STR(node_name(&s), "frontend_bound");
	state_act(&s, ACTION_down);
	CHECK_STR(node_name(&s), "fetch_latency");
	state_act(&s, ACTION_right); /* six causes */
	CHECK_INT(state_count_components(&s), rows + 6);
	state_act(&s, ACTION_fold_node);
	CHECK_INT(state_count_components(&s), rows);
	CHECK_STR(node_name(&s), "fetch_latency");
	state_act(&s, ACTION_left); /* folded already: to what it is part of */
	CHECK_STR(node_name(&s), "frontend_bound");
	state_act(&s, ACTION_left); /* folds level 1 */
	CHECK_INT(state_count_components(&s), rows - 2);
	state_act(&s, ACTION_left);
	CHECK_STR(node_name(&s), "frontend_bound");
	go_to(&s, "mem_latency");
	state_act(&s, ACTION_fold_all); /* unfolds all */
	CHECK_INT(state_count_components(&s), (int)timeline_stack(s.data.timeline)->n_parts);
	CHECK_STR(node_name(&s), "mem_latency");
	stage_compare(&s, "tree-unfolded", 120, 40, false);
	state_act(&s, ACTION_fold_all);
	CHECK_INT(state_count_components(&s), judged);
	CHECK_STR(node_name(&s), "mem_latency");
	go_to(&s, "mem_bandwidth"); /* nothing to fold */
	state_act(&s, ACTION_fold_node);
	CHECK_INT(state_count_components(&s), judged);
	stage_close(&s);
}

/* A click chooses a node; a double click folds one with parts, and opens the advice of another. */
static void
the_mouse_folds(void)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	struct state s;
	int rows;

	open_tree(&s, "topdown-skl", "skl.perf");
	stage_look(&s, g, &d);
	rows = state_count_components(&s);
	for (int k = 0; k < 2; k++) {
		const char *name = k ? "mem_latency" : "memory_bound";
		struct term_event e = {.key = TK_MOUSE, .button = MOUSE_PRESS, .x = 12};
		size_t n, *row = state_part_rows(&s, &n);

		for (int i = 0; i < d.n_hits; i++)
			if (d.hit[i].kind == HIT_ROW && d.hit[i].pane == PANE_COMPONENTS &&
				strcmp(timeline_stack(s.data.timeline)->part[row[d.hit[i].row]].name, name) == 0)
				e.y = d.hit[i].r.y;
		free(row);
		CHECK(e.y > 0);
		input_take(&s, &d, &e);
		CHECK_STR(node_name(&s), name);
		e.button = MOUSE_DOUBLE;
		input_take(&s, &d, &e);
		stage_look(&s, g, &d);
		if (k)
			CHECK_INT(s.view.popup.kind, POPUP_ADVICE);
		else
			CHECK(state_count_components(&s) < rows && s.view.popup.kind == POPUP_NONE);
		if (!k) {
			input_take(&s, &d, &e);
			stage_look(&s, g, &d);
			CHECK_INT(state_count_components(&s), rows);
		}
	}
	grid_free(g);
	stage_close(&s);
}

/* Other generations, without colour and in ASCII, and every size: nothing is drawn outside, nothing crashes. */
static void
other_trees(void)
{
	static const char *const tree[][2] = {{"topdown-hsw", "hsw.perf"}, {"topdown-spr", "spr.perf"},
		{"topdown-zen4", "spr.perf"}, {"topdown-neoverse-v2", "hsw.perf"}};
	struct state s;
	struct drawn d;

	for (size_t k = 0; k < sizeof tree / sizeof *tree; k++) {
		open_tree(&s, tree[k][0], tree[k][1]);
		if (k < 2)
			stage_compare(&s, tree[k][0], 120, 40, k == 1);
		else if (k == 2)
			stage_compare(&s, "tree-no-counters", 80, 24, false); /* not even the root's */
		for (int popup = 0; popup < 3; popup++)
			for (int h = 3; h < 45; h += 3)
				for (int w = 20; w < 200; w += 17) {
					struct grid *g = grid_new(w, h, w % 2 == 0);

					s.view.popup.kind = popup == 1 ? POPUP_ADVICE
						: popup ? POPUP_NUMBERS : POPUP_NONE;
					stage_look(&s, g, &d);
					state_act(&s, popup ? ACTION_down : h % 2 ? ACTION_right : ACTION_fold_all);
					state_act(&s, ACTION_down);
					grid_free(g);
				}
		stage_close(&s);
	}
}

TEST_MAIN(CASE(a_tree_opens), CASE(nodes_fold), CASE(the_mouse_folds), CASE(other_trees))
