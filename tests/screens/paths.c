/* View 5 on cells: a machine with owners, networks without, walking from node to node, empty panes; and that drawing is
 * cheap. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_paths.h"
#include "explorer/state/state_timeline.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/files.h"
#include "work/files/texts.h"
#include "work/timeline/flow_name.h"
#include "work/timeline/network_compare.h"
#include "work/timeline/network_data.h"
#include "work/timeline/timeline.h"
#include "work/timeline/timeline_ratios.h"

/* csv: a file of expect/, or NULL. */
static bool
open_network(struct state *s, const char *name, const char *csv)
{
	struct text text = {0}, none = {0};
	struct diags d = {0};
	struct err e = {0};
	char *path = NULL;
	struct network *n;

	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	n = network_load(name, &path, &d, &e);
	state_init(s);
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	stage_models(s);
	free(path);
	diags_free(&d);
	if (!CHECK(n != NULL))
		return false;
	state_open_timeline(s, n, &text, NULL, &none);
	requests_clear(&s->requests);
	if (csv) {
		char *full = str_format("screens/expect/%s", csv);

		s->data.table = mem_new(sizeof *s->data.table);
		s->data.table[0] = data_read(full, false, &e);
		s->data.n_tables = s->data.table[0] ? 1 : 0;
		s->data.name = mem_str(csv);
		CHECK(s->data.table[0]);
		free(full);
	}
	state_timeline_follow(s);
	return true;
}

/* 64 slices and 8 channels of two sockets, 6 cores; slice 40 has a queue of its own. */
static struct obs_table *
sliced_table(void)
{
	enum { CORES = 6, SLICES = 64, CHANNELS = 8 };
	static const char slice_counter[] = "CDEFH";
	const char **name = mem_new_array(2 * CORES + 5 * SLICES + CHANNELS, sizeof *name);
	int64_t *count = mem_new_array(2 * CORES + 5 * SLICES + CHANNELS, sizeof *count);
	struct obs_table *t;
	struct obs *o;
	size_t n = 0;

	for (int i = 0; i < CORES; i++)
		for (int k = 0; k < 2; k++) {
			name[n] = str_format("%c@S%d-C%d", "AB"[k], i >= CORES / 2, i);
			count[n++] = (k ? 300000 : 6400000) / (i + 1);
		}
	for (int i = 0; i < SLICES; i++)
		for (int k = 0; k < 5; k++) {
			static const int64_t value[] = {180000, 20000, 3600000, 9000, 1000000};

			name[n] = str_format("%c@S%d-slice%d", slice_counter[k], i >= SLICES / 2, i);
			count[n++] = value[k] * (k == 2 && i == 40 ? 9 : 1) + 1000 * i * (k == 0);
		}
	for (int i = 0; i < CHANNELS; i++) {
		name[n] = str_format("G@S%d-channel%d", i >= CHANNELS / 2, i);
		count[n++] = 160000;
	}
	t = obs_table_new(name, n);
	o = obs_table_add(t, "sliced", "test");
	obs_add_row(o, count, NULL, 1);
	obs_add_row(o, count, NULL, 2);
	for (size_t i = 0; i < n; i++)
		free((char *)(uintptr_t)name[i]);
	free(name);
	free(count);
	return t;
}

/* Each action after a drawing, which gives the panes their size. */
static void
press(struct state *s, enum action a, int times)
{
	while (times--) {
		stage_show(s, 120, 40);
		state_act(s, a);
	}
}

static void
a_machine_with_owners(void)
{
	struct state s;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	stage_every_size(&s, "paths");
	state_act(&s, ACTION_turn);
	stage_compare(&s, "paths-turned", 120, 40, false);
	state_act(&s, ACTION_turn);
	press(&s, ACTION_snapshot_back, 6);
	stage_compare(&s, "paths-earlier", 80, 24, false);
	state_act(&s, ACTION_set_against);
	press(&s, ACTION_snapshot_next, 5);
	stage_compare(&s, "paths-compared", 200, 60, false);
	stage_compare(&s, "paths-compared", 120, 40, false);
	stage_compare(&s, "paths-compared", 80, 24, true);
	stage_close(&s);
}

/* Modules without requests in the whole run have a line below the picture in place of boxes; * brings boxes back. */
static void
unused_modules_fold(void)
{
	const struct network *n;
	struct state s;
	size_t folded;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	stage_show(&s, 120, 40);
	n = timeline_network(s.data.timeline);
	free(state_paths_unused(&s, &folded));
	CHECK_INT(folded, 0);
	for (size_t m = 0; m < n->n_modules; m++) /* as if there were no DDR memory */
		if (str_eq(n->module[m].name, "IMC") || str_eq(n->module[m].name, "DDR"))
			s.answers.timeline.used[m] = false;
	stage_compare(&s, "paths-unused", 120, 40, false);
	stage_compare(&s, "paths-unused", 80, 24, true);
	state_act(&s, ACTION_fold_all);
	free(state_paths_unused(&s, &folded));
	CHECK_INT(folded, 0);
	state_act(&s, ACTION_fold_all);
	free(state_paths_unused(&s, &folded));
	CHECK_INT(folded, 2);
	stage_close(&s);
}

/* Letters stand next to the module's counters, and i explains them. */
static void
letters_beside_counters(void)
{
	struct state s;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	stage_trust(&s, "MEM_LOAD_RETIRED.L1_HIT,MEM_LOAD_RETIRED.FB_HIT,L1D_PEND_MISS.PENDING");
	press(&s, ACTION_left, 2);
	stage_compare(&s, "trust-paths", 120, 40, false);
	stage_compare(&s, "trust-paths", 160, 50, false);
	state_act(&s, ACTION_whence);
	stage_show(&s, 80, 24);
	press(&s, ACTION_last, 1);
	stage_compare(&s, "trust-node", 80, 24, false);
	stage_compare(&s, "trust-node", 80, 24, true);
	stage_compare(&s, "trust-node", 120, 40, false);
	stage_close(&s);
}

/* The keys go from node to node along the lanes. */
static void
walking(void)
{
	struct state s;
	const struct network *n;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	n = timeline_network(s.data.timeline);
	CHECK_STR(n->module[s.view.timeline.module].name, "CHA"); /* the culprit */
	press(&s, ACTION_right, 1);
	CHECK_STR(n->module[s.view.timeline.module].name, "M2PCIe"); /* most requests go to CXL memory */
	press(&s, ACTION_right, 1);
	CHECK_STR(n->module[s.view.timeline.module].name, "CXL");
	press(&s, ACTION_right, 1);
	CHECK_STR(n->module[s.view.timeline.module].name, "CXL");
	press(&s, ACTION_up, 1);
	CHECK_STR(n->module[s.view.timeline.module].name, "far");
	press(&s, ACTION_first, 1);
	CHECK_STR(n->module[s.view.timeline.module].name, "DDR");
	press(&s, ACTION_last, 1);
	CHECK_STR(n->module[s.view.timeline.module].name, "CXL");
	press(&s, ACTION_left, 4);
	CHECK_STR(n->module[s.view.timeline.module].name, "L2");
	CHECK_INT(s.view.timeline.owner, 0); /* core 0 sends most */
	press(&s, ACTION_down, 2);
	CHECK_STR(n->module[s.view.timeline.module].name, "L2");
	CHECK_INT(s.view.timeline.owner, 1);
	stage_compare(&s, "paths-walked", 120, 40, false);
	state_act(&s, ACTION_node);
	stage_compare(&s, "paths-node", 120, 40, false);
	stage_compare(&s, "paths-node", 80, 24, true);
	stage_show(&s, 120, 40);
	state_act(&s, ACTION_last);
	CHECK(s.view.popup.cursor > 0);
	stage_compare(&s, "paths-node-below", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_turn); /* responses leave the right node on its other side */
	press(&s, ACTION_left, 2);
	CHECK_STR(n->module[s.view.timeline.module].name, "CHA");
	state_act(&s, ACTION_turn);
	press(&s, ACTION_left, 4);
	CHECK_STR(n->module[s.view.timeline.module].name, "core");
	press(&s, ACTION_unfold_node, 1);
	stage_compare(&s, "paths-cores", 120, 40, false);
	press(&s, ACTION_last, 1);
	CHECK_INT(s.view.timeline.owner, 7);
	stage_compare(&s, "paths-cores-below", 120, 40, false);
	stage_close(&s);
}

/* The table of a small screen: modules are listed one below the other. */
static void
walking_in_the_table(void)
{
	struct state s;
	const struct network *n;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	n = timeline_network(s.data.timeline);
	for (int i = 0; i < 3; i++) {
		stage_show(&s, 40, 10);
		state_act(&s, ACTION_down);
	}
	CHECK_STR(n->module[s.view.timeline.module].name, "IMC");
	stage_show(&s, 40, 10);
	state_act(&s, ACTION_first);
	stage_show(&s, 40, 10);
	state_act(&s, ACTION_right);
	CHECK_STR(n->module[s.view.timeline.module].name, "core");
	CHECK_INT(s.view.timeline.owner, 1);
	stage_compare(&s, "paths-table", 40, 10, true);
	stage_close(&s);
}

/* The mouse: a node, a place of the path map. */
static void
choosing(void)
{
	struct state s;
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	size_t nodes = 0;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	draw_screen(&s, g, &d);
	for (int i = 0; i < d.n_hits; i++)
		if (d.hit[i].kind == HIT_ROW && d.hit[i].pane == PANE_NETWORK) {
			state_choose(&s, PANE_NETWORK, d.hit[i].row);
			CHECK(s.view.timeline.chose_node &&
				s.view.timeline.module < timeline_network(s.data.timeline)->n_modules);
			nodes++;
		}
	CHECK_INT(nodes, 18); /* three cores of four boxes, CHA, two controllers, three memories */
	s.view.focus = PANE_PATH_MAP;
	state_choose(&s, PANE_PATH_MAP, 10);
	state_act(&s, ACTION_place);
	CHECK_STR(timeline_network(s.data.timeline)->module[s.view.timeline.module].name, "CXL");
	stage_compare(&s, "paths-place", 120, 40, false);
	stage_compare(&s, "paths-place", 80, 24, false);
	grid_free(g);
	stage_close(&s);
}

/* Slices that do not fit are folded by socket. u shows the owners one by one, and the pane scrolls. */
static void
folded_and_unfolded(void)
{
	struct state s;

	if (!open_network(&s, "networks/sliced.net", NULL))
		return;
	s.data.table = mem_new(sizeof *s.data.table);
	s.data.table[0] = sliced_table();
	s.data.n_tables = 1;
	s.data.name = mem_str("sliced");
	state_timeline_follow(&s);
	stage_compare(&s, "paths-sliced", 120, 40, false);
	stage_compare(&s, "paths-sliced", 80, 24, false);
	CHECK_INT(s.view.timeline.owner, 40);
	press(&s, ACTION_unfold_node, 1);
	stage_compare(&s, "paths-unfolded", 120, 40, false);
	press(&s, ACTION_down, 1);
	CHECK_INT(s.view.timeline.owner, 41);
	press(&s, ACTION_up, 10);
	CHECK(s.view.timeline.owner < 40);
	stage_compare(&s, "paths-unfolded-above", 80, 24, true);
	press(&s, ACTION_unfold_node, 1);
	press(&s, ACTION_right, 1);
	CHECK_STR(timeline_network(s.data.timeline)->module[s.view.timeline.module].name, "IMC");
	stage_close(&s);
}

/* A single module cannot be unfolded; a message says so. */
static void
nothing_to_unfold(void)
{
	struct state s;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	CHECK_STR(timeline_network(s.data.timeline)->module[s.view.timeline.module].name, "CHA");
	press(&s, ACTION_unfold_node, 1);
	CHECK_STR(s.view.message.text, "there is one CHA here, so nothing to unfold");
	CHECK(!s.view.timeline.unfolded[s.view.timeline.module]);
	stage_close(&s);
}

/* perf's generic events, of all cores together; missing counters are named. */
static void
without_owners(void)
{
	struct state s;

	if (!open_network(&s, "generic", "generic.csv"))
		return;
	stage_compare(&s, "paths-generic", 120, 40, false);
	stage_compare(&s, "paths-generic", 80, 24, false);
	stage_compare(&s, "paths-generic", 80, 24, true);
	stage_close(&s);
}

static void
nothing_yet(void)
{
	struct state s;

	if (!open_network(&s, "haswell", NULL))
		return;
	stage_compare(&s, "paths-no-data", 120, 40, false);
	stage_compare(&s, "paths-no-data", 80, 24, false);
	stage_compare(&s, "paths-no-data", 40, 10, false);
	state_act(&s, ACTION_right); /* keys must do no harm */
	state_act(&s, ACTION_node);
	state_act(&s, ACTION_snapshot_next);
	state_act(&s, ACTION_unfold_node);
	stage_compare(&s, "paths-no-data-key", 80, 24, false);
	stage_close(&s);
	stage_open(&s, "haswell-mmu", NULL, NULL, false);
	state_act(&s, ACTION_paths);
	CHECK(s.view.current == VIEW_MODELS && strstr(s.view.message.text, "paths are a network's"));
	stage_close(&s);
}

/* Two snapshots of a run with flows: a compiler on two CPUs, its shell, and requests of no task. */
static struct obs_table *
table_with_flows(void)
{
	static const char *const column[] = {
		"a", "b", "d", FLOW_COLUMN_SNAPSHOTS, FLOW_COLUMN_RAN, FLOW_COLUMN_COUNT "a", FLOW_COLUMN_COUNT "b"
	};
	static const struct { const char *name; int at; int64_t ran, a, b; } flow[] = {
		{"(nobody)", 1, 4000, 20, 1},
		{"cc1-4711 CPU 0", 1, 54000000, 0, 0}, {"cc1-4711 CPU 0 → near", 1, 0, 900, 0},
			{"cc1-4711 CPU 0 → far", 1, 0, 0, 300},
		{"sh-4700 CPU 1", 1, 2000000, 0, 0}, {"sh-4700 CPU 1 → near", 1, 0, 80, 0},
		{"cc1-4711 CPU 1", 2, 21000000, 0, 0}, {"cc1-4711 CPU 1 → near", 2, 0, 150, 0},
			{"cc1-4711 CPU 1 → far", 2, 0, 0, 450},
		{"cc1-4711 CPU 0", 2, 3000000, 0, 0}, {"cc1-4711 CPU 0 → near", 2, 0, 50, 0},
	};
	struct obs_table *t = obs_table_new(column, 7);
	struct obs *o = obs_table_add(t, "make", "make");

	o->since_start = true;
	obs_add_row(o, (int64_t[]){1000, 301, 9000, 0, 0, 0, 0}, (unsigned char[]){1, 1, 1, 0, 0, 0, 0}, 1);
	obs_add_row(o, (int64_t[]){200, 450, 12000, 0, 0, 0, 0}, (unsigned char[]){1, 1, 1, 0, 0, 0, 0}, 2);
	for (size_t i = 0; i < sizeof flow / sizeof *flow; i++) {
		struct obs *f = NULL;

		for (size_t k = 0; k < t->n; k++)
			f = str_eq(t->obs[k]->name, flow[i].name) ? t->obs[k] : f;
		obs_add_row(f ? f : obs_table_add(t, flow[i].name, "make"),
			(int64_t[]){0, 0, 0, 1, flow[i].ran, flow[i].a, flow[i].b},
			(unsigned char[]){0, 0, 0, 1, 1, 1, 1}, flow[i].at);
	}
	return t;
}

static bool
open_flows(struct state *s)
{
	if (!open_network(s, "networks/flows.net", NULL))
		return false;
	s->data.table = mem_new(sizeof *s->data.table);
	s->data.table[0] = table_with_flows();
	s->data.n_tables = 1;
	s->data.name = mem_str("make.hec");
	state_timeline_follow(s);
	return true;
}

static void
flows(void)
{
	struct state s;
	char *name;

	if (!open_flows(&s))
		return;
	CHECK_INT(state_flows_rows(&s), 6);
	stage_every_size(&s, "paths-flows");
	press(&s, ACTION_flow_next, 2);
	name = state_flows_name(&s);
	CHECK_STR(name, "cc1-4711 CPU 1 → far memory");
	free(name);
	stage_every_size(&s, "paths-flow");
	state_act(&s, ACTION_node);
	stage_compare(&s, "paths-flow-node", 80, 24, false);
	state_act(&s, ACTION_back);
	press(&s, ACTION_snapshot_back, 1); /* it has no flow in that snapshot */
	CHECK(s.view.timeline.flow && state_flows_line(&s) == FLOWS_ALL);
	stage_compare(&s, "paths-flow-gone", 80, 24, false);
	press(&s, ACTION_flow_next, 1);
	CHECK_INT(state_flows_line(&s), 0);
	state_act(&s, ACTION_set_against);
	press(&s, ACTION_snapshot_next, 1);
	stage_compare(&s, "paths-flow-compared", 120, 40, false);
	CHECK(!state_flows_choose_name(&s, "no flow") && !state_flows_choose_name(&s, "cc1-4711") &&
		s.view.timeline.flow);
	CHECK(state_flows_choose_name(&s, "cc1-4711 CPU 1 → far"));
	CHECK_INT(state_flows_line(&s), 1);
	press(&s, ACTION_stop, 1); /* Esc: all flows again, and the view stays */
	CHECK(!s.view.timeline.flow && !s.answers.timeline.flow_analysis && s.view.current == VIEW_PATHS);
	stage_close(&s);
}

/* On a small screen the list of flows replaces the path map; Enter, and Enter again. */
static void
list_of_flows(void)
{
	struct state s;

	if (!open_flows(&s))
		return;
	press(&s, ACTION_flow_list, 1);
	CHECK_INT(s.view.focus, PANE_FLOWS);
	stage_show(&s, 80, 24);
	CHECK_INT(state_pane(&s), PANE_FLOWS);
	state_act(&s, ACTION_down);
	state_act(&s, ACTION_flow);
	CHECK_INT(state_flows_line(&s), 0);
	stage_compare(&s, "paths-flows-list", 80, 24, false);
	stage_compare(&s, "paths-flows-list", 80, 24, true);
	stage_compare(&s, "paths-flows-list", 60, 20, false);
	stage_compare(&s, "paths-flows-list", 40, 10, false);
	stage_show(&s, 80, 24);
	state_act(&s, ACTION_flow);
	CHECK(!s.view.timeline.flow);
	state_act(&s, ACTION_last);
	state_act(&s, ACTION_flow);
	CHECK_INT(state_flows_line(&s), 4);
	press(&s, ACTION_flow_next, 1); /* after the last one: all */
	CHECK(!s.view.timeline.flow && s.view.cursor[PANE_FLOWS] == 0);
	state_act(&s, ACTION_flow); /* "all" */
	CHECK(!s.view.timeline.flow);
	press(&s, ACTION_flow_list, 1);
	CHECK_INT(s.view.focus, PANE_NETWORK);
	stage_close(&s);
	if (!open_network(&s, "spr-cxl", "fotonik.csv")) /* without flows */
		return;
	press(&s, ACTION_flow_list, 1);
	CHECK_INT(s.view.focus, PANE_NETWORK);
	press(&s, ACTION_flow_next, 1);
	CHECK(!s.view.timeline.flow && strstr(s.view.message.text, "no flows"));
	stage_close(&s);
}

/* For any size and any cursor nothing is drawn outside, and nothing breaks. */
static void
every_size(void)
{
	struct state s;
	uint64_t seed = 3;

	if (!open_network(&s, "spr-cxl", "fotonik.csv"))
		return;
	for (unsigned i = 0; i < test_rounds(150, 2000); i++) {
		static const enum action some[] = {ACTION_left, ACTION_right, ACTION_up, ACTION_down,
			ACTION_unfold_node, ACTION_turn, ACTION_snapshot_back, ACTION_snapshot_next, ACTION_set_against,
			ACTION_pane_next, ACTION_place, ACTION_node, ACTION_back, ACTION_page_down, ACTION_first};
		int w = 1 + (int)(test_random(&seed) % 210), h = 1 + (int)(test_random(&seed) % 62);

		stage_show(&s, w, h);
		state_act(&s, some[test_random(&seed) % (sizeof some / sizeof *some)]);
		CHECK(s.view.timeline.module < timeline_network(s.data.timeline)->n_modules);
	}
	stage_close(&s);
}

static void
every_size_with_flows(void)
{
	struct state s;
	uint64_t seed = 5;

	if (!open_flows(&s))
		return;
	for (unsigned i = 0; i < test_rounds(200, 4000); i++) {
		static const enum action some[] = {ACTION_flow, ACTION_flow_next, ACTION_flow_list, ACTION_up,
			ACTION_down, ACTION_snapshot_back, ACTION_snapshot_next, ACTION_set_against, ACTION_pane_next,
			ACTION_node, ACTION_back, ACTION_freeze, ACTION_last, ACTION_queues, ACTION_paths,
			ACTION_stalls, ACTION_left};
		int w = 1 + (int)(test_random(&seed) % 210), h = 1 + (int)(test_random(&seed) % 62);

		stage_show(&s, w, h);
		state_act(&s, some[test_random(&seed) % (sizeof some / sizeof *some)]);
		CHECK(!s.answers.timeline.flows || s.view.cursor[PANE_FLOWS] < state_flows_rows(&s));
	}
	stage_close(&s);
}

/* Does any row of a drawing contain the words? */
static bool
drawn_anywhere(const struct state *s, const char *words)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn drawn;
	struct str text = {0};
	bool found;

	draw_screen(s, g, &drawn);
	grid_text(g, &text);
	found = strstr(str_text(&text), words) != NULL;
	str_free(&text);
	grid_free(g);
	return found;
}

/* z shows the same run in views 5, 6 and 7; a recording with several snapshots begins with it; [ and Space go to a
 * snapshot. */
static void
the_whole_run(void)
{
	struct state s;
	double sum = 0, counted;

	if (!open_network(&s, "networks/far.net", "far.csv"))
		return;
	CHECK(!s.answers.timeline.analysis->run);
	for (size_t i = 0; i < timeline_snapshots(s.data.timeline); i++) {
		struct timeline_analysis *one = timeline_analysis(s.data.timeline, i, NULL);

		sum += one->counter[0].value;
		timeline_analysis_free(one);
	}
	state_timeline_recorded(&s);
	for (size_t i = 0; i < 3; i++) {
		state_act(&s, (enum action[]){ACTION_paths, ACTION_stalls, ACTION_queues}[i]);
		CHECK(s.view.timeline.whole && drawn_anywhere(&s, "whole run") && !drawn_anywhere(&s, "this snapshot"));
		counted = s.answers.timeline.analysis->counter[0].value;
		CHECK_NEAR(counted, sum, 1e-9 * sum);
		state_act(&s, ACTION_whole_run);
		CHECK(!s.view.timeline.whole && drawn_anywhere(&s, "snapshot 44 of 44"));
		CHECK(s.answers.timeline.analysis->counter[0].value < sum);
		state_act(&s, ACTION_whole_run);
	}
	/* stalls of a network are of the whole run, too */
	state_act(&s, ACTION_stalls);
	CHECK(s.answers.timeline.rows && s.answers.timeline.analysis->run);
	state_act(&s, ACTION_snapshot_back);
	CHECK(!s.view.timeline.whole && drawn_anywhere(&s, "snapshot 43 of 44"));
	state_act(&s, ACTION_whole_run);
	CHECK(s.view.timeline.whole && !s.view.timeline.frozen);
	state_act(&s, ACTION_freeze);
	CHECK(s.view.timeline.frozen && !s.view.timeline.whole && !s.answers.timeline.analysis->run);
	state_act(&s, ACTION_whole_run);
	state_act(&s, ACTION_set_against);
	CHECK(!s.view.timeline.whole && s.view.timeline.compared != TIMELINE_NONE);
	stage_close(&s);
}

/* B: what was counted over the length of the run, in all cells of the map, and in a column of queues
 * that 80 columns have no room for otherwise. */
static void
rates_of_the_run(struct state *s)
{
	const struct net_path_map *map = s->answers.timeline.analysis->map;
	double seconds = net_state_seconds(s->answers.timeline.analysis->state), most = 0;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < map->n_rows; i++)
		for (size_t k = 0; k < map->n_kinds; k++)
			most = fmax(most, map->row[i].cell[k].hits);
	CHECK(seconds > 1.1 && most > 0);
	state_act(s, ACTION_rates);
	stage_compare(s, "vm-queues-rates", 80, 24, false);
	state_act(s, ACTION_paths);
	stage_show(s, 120, 40);
	CHECK(drawn_anywhere(s, number_count(number, most / seconds, false)));
	stage_compare(s, "vm-paths-rates", 80, 24, false);
	stage_compare(s, "vm-paths-rates", 120, 40, false);
	state_act(s, ACTION_rates);
	CHECK(drawn_anywhere(s, number_count(number, most, false)));
}

/* V: the run shown against another one, in one list; without another run, and with a marked snapshot, that one. */
static void
runs_compared(void)
{
	const char *const two[] = {"data/linux/run-cold.csv", "data/linux/run-direct.csv", NULL};
	const struct network_compare *c;
	struct state s;

	stage_open_timeline(&s, "../models/networks/linux-vm.net", NULL, two);
	state_act(&s, ACTION_paths);
	state_act(&s, ACTION_ratios);
	CHECK_INT(s.view.popup.kind, POPUP_RATIOS);
	c = s.answers.timeline.ratios->compare;
	CHECK_STR(s.answers.timeline.ratios->name[0], "dd");
	CHECK_STR(s.answers.timeline.ratios->name[1], "dd");
	CHECK(c && c->n_common > 40 && c->rows[0] == 5 && c->rows[1] == 4);
	stage_compare(&s, "ratios", 80, 24, false);
	stage_compare(&s, "ratios", 120, 40, true);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_set_against);
	state_act(&s, ACTION_snapshot_back);
	state_act(&s, ACTION_ratios);
	CHECK(s.answers.timeline.ratios->compare->rows[0] == 1 && s.answers.timeline.ratios->compare->rows[1] == 1);
	CHECK(strstr(s.answers.timeline.ratios->name[0], "snapshot") != NULL);
	stage_close(&s);

	stage_open_timeline(&s, "../models/networks/linux-vm.net", NULL, (const char *const[]){two[0], NULL});
	state_act(&s, ACTION_paths);
	state_act(&s, ACTION_ratios);
	CHECK(strstr(s.view.message.text, "there is one run") != NULL);
	stage_close(&s);
}

/* A recorded read of a file on a machine without a PMU: what it waited for, and what to try, at each size; places
 * without requests are folded, and * lists them. */
static void
what_to_try(void)
{
	struct state s;
	size_t n, folded, all;

	if (!open_network(&s, "linux-vm", NULL))
		return;
	s.data.table = mem_new(sizeof *s.data.table);
	s.data.table[0] = data_read("data/linux/run-cold.csv", true, &(struct err){0});
	s.data.n_tables = 1;
	if (!CHECK(s.data.table[0]))
		return;
	s.data.name = mem_str("dd");
	s.data.saved.end = mem_str("recorded 0 1.231294 2");
	state_timeline_recorded(&s);
	stage_compare(&s, "vm-paths", 80, 24, false);
	stage_compare(&s, "vm-paths", 80, 24, true);
	stage_compare(&s, "vm-paths", 120, 40, false);
	stage_compare(&s, "vm-paths", 200, 60, false);
	CHECK(drawn_anywhere(&s, "try: stop or nice other programs"));
	CHECK(drawn_anywhere(&s, "mapped fi…executed") && !drawn_anywhere(&s, "failed: a signal"));
	all = s.answers.timeline.analysis->map->n_rows;
	free(state_paths_places(&s, &n, &folded));
	CHECK(folded >= 3 && n + folded == all);
	s.view.focus = PANE_PATH_MAP;
	stage_show(&s, 120, 40);
	state_act(&s, ACTION_last);
	CHECK_INT(s.view.cursor[PANE_PATH_MAP], (int)n - 1);
	state_act(&s, ACTION_place); /* the last place listed, not the last of all */
	CHECK_STR(timeline_network(s.data.timeline)->module[s.view.timeline.module].name, "disk");
	state_act(&s, ACTION_fold_all);
	free(state_paths_places(&s, &n, &folded));
	CHECK(folded == 0 && n == all && drawn_anywhere(&s, "failed: a signal"));
	state_act(&s, ACTION_fold_all);
	state_act(&s, ACTION_queues);
	stage_compare(&s, "vm-queues", 80, 24, false);
	stage_compare(&s, "vm-queues", 120, 40, false);
	rates_of_the_run(&s);
	stage_close(&s);
}

TEST_MAIN(CASE(what_to_try), CASE(runs_compared), CASE(the_whole_run),
	CASE(a_machine_with_owners), CASE(letters_beside_counters), CASE(unused_modules_fold),
	CASE(walking), CASE(walking_in_the_table),
	CASE(choosing), CASE(folded_and_unfolded), CASE(nothing_to_unfold), CASE(without_owners), CASE(nothing_yet),
	CASE(flows), CASE(list_of_flows), CASE(every_size), CASE(every_size_with_flows))
