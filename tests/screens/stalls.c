/* Views 6 and 7 on cells: a network's stalls and queues, a stack's bars, both next to each other; every pane, popup and
 * size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/stall_rows.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/shown.h"
#include "explorer/state/state_queues.h"
#include "explorer/state/state_stalls.h"
#include "explorer/state/state_timeline.h"
#include "open_session.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/texts.h"
#include "work/run/run.h"
#include "work/timeline/methods.h"
#include "work/timeline/timeline.h"

/* The tests do not compare the message of a key, so it goes. */
static void
press(struct state *s, enum action a, int times)
{
	stage_press(s, a, times);
	*s->view.message.text = '\0';
}

static void
type(struct state *s, const char *words)
{
	answer_prompt(s, words);
	*s->view.message.text = '\0';
}

static struct text
load(const char *name, enum text_kind kind)
{
	struct text t = {0};
	struct err e = {0};
	bool good = text_load(name, kind, &t, &e);

	test_check(good, __FILE__, __LINE__, "%s: %s", name, e.what);
	return t;
}

static const char *const far_csv[] = {"screens/expect/far.csv", NULL};
static const char *const far_and_slots[] = {"screens/expect/far.csv", "screens/expect/slots.csv", NULL};
static const char *const tasks[] = {"screens/expect/tasks.csv", NULL};
static const char *const phased[] = {"screens/expect/phased.csv", NULL};

/* Largest first: owners by their sum, and the rows of one owner by size. */
static void
rows_are_in_order(const struct state *s)
{
	size_t n;
	const size_t *order = state_stall_rows(s, &n);

	CHECK(n > 3);
	for (size_t i = 1; i < n; i++) {
		const struct net_stall_row *a = &s->answers.timeline.rows->row[order[i - 1]],
					   *b = &s->answers.timeline.rows->row[order[i]];

		CHECK(a->owner != b->owner || a->stall >= b->stall);
	}
}

static void
stalls_of_a_network(void)
{
	struct state s;

	stage_open_timeline(&s, "networks/far.net", NULL, far_csv);
	state_act(&s, ACTION_stalls);
	stage_every_size(&s, "stalls");
	rows_are_in_order(&s);
	stage_show(&s, 80, 24);
	press(&s, ACTION_down, 2);
	state_act(&s, ACTION_component);
	stage_compare(&s, "stall", 80, 24, false);
	stage_compare(&s, "stall", 120, 40, false);
	stage_compare(&s, "stall", 80, 24, true);
	state_act(&s, ACTION_back);
	press(&s, ACTION_normalise, 1);
	stage_compare(&s, "stalls-to-scale", 80, 24, false);
	press(&s, ACTION_whole_run, 1);
	press(&s, ACTION_rates, 1);
	stage_compare(&s, "stalls-rates", 80, 24, false);
	stage_compare(&s, "stalls-rates", 120, 40, false);
	press(&s, ACTION_rates, 1);
	press(&s, ACTION_whole_run, 1);
	press(&s, ACTION_group, 1);
	stage_compare(&s, "stalls-together", 80, 24, false);
	press(&s, ACTION_group, 1);
	press(&s, ACTION_snapshot_back, 12);
	press(&s, ACTION_set_against, 1);
	press(&s, ACTION_snapshot_next, 12);
	stage_compare(&s, "stalls-compared", 80, 24, false);
	stage_compare(&s, "stalls-compared", 120, 40, false);
	state_act(&s, ACTION_help);
	stage_compare(&s, "stalls-help", 120, 40, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_filter);
	type(&s, "nobody");
	stage_compare(&s, "stalls-filtered-none", 80, 24, false);
	stage_close(&s);
}

static void
bars_of_phases(void)
{
	struct state s;

	stage_open_timeline(&s, NULL, "screens/expect/time.stack", phased);
	state_act(&s, ACTION_stalls);
	stage_show(&s, 80, 24);
	press(&s, ACTION_bar_phases, 1);
	CHECK_INT(s.answers.timeline.bars->n, 4);
	stage_compare(&s, "bars-phases", 80, 24, false);
	stage_compare(&s, "bars-phases", 120, 40, false);
	press(&s, ACTION_whole_run, 1);
	CHECK_INT(s.answers.timeline.bars->n, 2);
	CHECK_STR(s.answers.timeline.bars->bar[0].name, "import@3");
	press(&s, ACTION_snapshot_back, 40);
	CHECK_STR(s.answers.timeline.bars->bar[0].name, "import@2");
	press(&s, ACTION_bar_phases, 1);
	CHECK_STR(s.answers.timeline.bars->bar[0].name, "import");
	stage_close(&s);
	stage_open_timeline(&s, NULL, "screens/expect/time.stack", tasks);
	state_act(&s, ACTION_stalls);
	stage_show(&s, 80, 24);
	state_act(&s, ACTION_bar_phases);
	CHECK(!s.question.how.split_phases);
	CHECK_STR(s.view.message.text, "no bar has phases: no count of a stack changes its level during a run");
	stage_close(&s);
}

static void
bars_of_tasks(void)
{
	struct state s;

	stage_open_timeline(&s, NULL, "screens/expect/time.stack", tasks);
	stage_every_size(&s, "bars");
	stage_show(&s, 80, 24);
	press(&s, ACTION_down, 4);
	stage_compare(&s, "bars-over", 120, 40, false);
	state_act(&s, ACTION_component);
	stage_show(&s, 80, 24);
	press(&s, ACTION_down, 20);
	stage_compare(&s, "bar", 80, 24, false);
	state_act(&s, ACTION_back);
	press(&s, ACTION_group, 1);
	press(&s, ACTION_whole_run, 1);
	press(&s, ACTION_normalise, 1);
	stage_compare(&s, "bars-whole-run", 80, 24, false);
	press(&s, ACTION_normalise, 1);
	press(&s, ACTION_group, 1);
	press(&s, ACTION_whole_run, 1);
	press(&s, ACTION_snapshot_back, 3);
	press(&s, ACTION_set_against, 1);
	press(&s, ACTION_snapshot_next, 3);
	stage_compare(&s, "bars-compared", 80, 24, false);
	press(&s, ACTION_sort, 1);
	state_act(&s, ACTION_filter);
	type(&s, "cc1");
	stage_compare(&s, "bars-filtered", 80, 24, false);
	stage_close(&s);
}

/* Letters stand next to counters in views 6 and 7, and i explains them. */
static void
letters_beside_counters(void)
{
	static const char *const slots[] = {"screens/expect/slots.csv", NULL};
	struct state s;

	stage_open_timeline(&s, "networks/far.net", NULL, far_csv);
	stage_trust(&s, "cxl:full,m2p:own,m2p:pf");
	state_act(&s, ACTION_stalls);
	stage_compare(&s, "trust-stalls", 80, 24, false);
	state_act(&s, ACTION_whence);
	stage_show(&s, 80, 24);
	press(&s, ACTION_last, 1);
	stage_compare(&s, "trust-stall", 80, 24, false);
	stage_compare(&s, "trust-stall", 80, 24, true);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_queues);
	stage_trust(&s, "m2p:pf,m2p:clk,m2p:pf_occ");
	stage_compare(&s, "trust-queues", 160, 50, false);
	state_act(&s, ACTION_whence);
	stage_compare(&s, "trust-queue", 120, 40, false);
	stage_show(&s, 80, 24);
	press(&s, ACTION_page_down, 1);
	stage_compare(&s, "trust-queue", 80, 24, false);
	stage_close(&s);

	stage_open_timeline(&s, NULL, "topdown-l1-spr", slots);
	stage_trust(&s, "TOPDOWN.SLOTS,topdown-retiring,topdown-bad-spec");
	state_act(&s, ACTION_stalls);
	state_act(&s, ACTION_whence);
	stage_compare(&s, "trust-bar", 120, 40, false);
	stage_show(&s, 80, 24);
	stage_compare(&s, "trust-bar", 80, 24, false);
	stage_close(&s);
}

/* A network's stalls and a method's bars of the same cores. */
static void
both(void)
{
	struct state s;

	stage_open_timeline(&s, "networks/far.net", "topdown-l1-spr", far_and_slots);
	state_act(&s, ACTION_stalls);
	stage_every_size(&s, "both");
	stage_show(&s, 80, 24);
	press(&s, ACTION_pane_next, 1);
	CHECK_INT(s.view.focus, PANE_COMPONENTS);
	stage_show(&s, 80, 24);
	press(&s, ACTION_pane_next, 1);
	CHECK_INT(s.view.focus, PANE_METHODS); /* in place of the other panes, if not all fit */
	stage_compare(&s, "both-methods", 80, 24, false);
	stage_show(&s, 80, 24);
	press(&s, ACTION_down, 1);
	CHECK_STR(state_bar(&s)->name, "core 1");
	state_act(&s, ACTION_component);
	stage_compare(&s, "both-bar", 80, 24, false);
	stage_close(&s);
}

/* During a run the newest snapshot of the network may have no bars yet. Then earlier ones are shown, and marked as
 * earlier. */
static void
bars_that_come_later(void)
{
	struct state s;
	struct diags d = {0};
	struct text net_text, stack_text;
	struct err e = {0};

	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	net_text = load("networks/far.net", TEXT_NETWORK);
	stack_text = load("topdown-l1-spr", TEXT_STACK);
	state_init(&s);
	stage_machine(&s.data.machine);
	s.view.frame.program = "hecate 0.0";
	state_open_timeline(&s, text_network(&net_text, &d), &net_text, text_stack(&stack_text, &d), &stack_text);
	s.data.table = mem_new_array(2, sizeof *s.data.table);
	s.data.table[0] = data_read("screens/expect/far.csv", false, &e);
	s.data.table[1] = data_read("screens/expect/slots.csv", false, &e);
	s.data.n_tables = 2;
	for (size_t i = 0; i < s.data.table[1]->n; i++)
		s.data.table[1]->obs[i]->n_rows -= 2;
	state_timeline_follow(&s);
	state_act(&s, ACTION_stalls);
	stage_show(&s, 120, 40);
	CHECK(s.answers.timeline.bars && s.answers.timeline.bars->n == 2);
	CHECK_INT(s.view.timeline.snapshot, 43);
	CHECK_INT(s.answers.timeline.bars->snapshot, 41);
	stage_compare(&s, "bars-later", 120, 40, false);
	s.view.timeline.frozen = true; /* a frozen snapshot shows its own bars, or none */
	state_timeline_show_snapshots(&s, 43, TIMELINE_NONE);
	CHECK_INT(s.answers.timeline.bars->n, 0);
	diags_free(&d);
	stage_close(&s);
}

/* Adds another method to an open state, without data. */
static void
add_method_only(struct state *s, const char *name)
{
	struct text t = load(name, TEXT_STACK);
	struct diags d = {0};

	state_add_stack(s, text_stack(&t, &d), &t);
	diags_free(&d);
}

static void
add_method(struct state *s, const char *name)
{
	add_method_only(s, name);
	CHECK(state_timeline_follow(s));
}

static size_t
row_called(const struct state *s, const char *name)
{
	const struct methods *m = timeline_methods(s->data.timeline);
	size_t n, *row = state_method_parts(s, &n), at = 0;

	while (at < n && strcmp(m->part[row[at]].name, name) != 0)
		at++;
	free(row);
	return at;
}

/* One bar for each method, on one scale, with their parts next to each other. */
static void
methods(void)
{
	static const char *const slots[] = {"screens/expect/slots.csv", NULL};
	struct state s;

	stage_open_timeline(&s, NULL, "topdown-l1-spr", slots);
	add_method(&s, "naive-spr");
	stage_every_size(&s, "methods");
	stage_show(&s, 80, 24);
	CHECK_INT(state_count_bars(&s, PANE_BARS), 2);
	CHECK_STR(timeline_stack(s.data.timeline)->name, "topdown_l1_spr");
	press(&s, ACTION_down, 1);
	CHECK_STR(state_bar(&s)->name, "core 1");
	press(&s, ACTION_method, 1); /* this method also has core 0 first; the cursor stays with its core */
	CHECK_STR(timeline_stack(s.data.timeline)->name, "naive_spr");
	CHECK_STR(state_bar(&s)->name, "core 1");
	state_act(&s, ACTION_component);
	stage_show(&s, 80, 24);
	stage_compare(&s, "methods-bar", 80, 24, false);
	state_act(&s, ACTION_back);
	s.view.cursor[PANE_COMPONENTS] = (int)row_called(&s, "l3d");
	s.view.timeline.bar_sort = BAR_BY_PART;
	s.view.cursor[PANE_BARS] = 0;
	CHECK_STR(state_bar(&s)->name, "core 0");
	press(&s, ACTION_snapshot_back, 12);
	press(&s, ACTION_set_against, 1);
	press(&s, ACTION_snapshot_next, 12);
	stage_compare(&s, "methods-compared", 120, 40, false);
	press(&s, ACTION_set_against, 1);
	press(&s, ACTION_method, 1); /* after the last method comes the first */
	CHECK_STR(timeline_stack(s.data.timeline)->name, "topdown_l1_spr");
	press(&s, ACTION_normalise, 1);
	add_method(&s, "topdown-l2-spr"); /* its part "retiring" has parts; these, and more, are unknown in the data */
	stage_compare(&s, "methods-three", 120, 40, false);
	stage_compare(&s, "methods-three", 60, 20, false);
	stage_close(&s);
	stage_open_timeline(&s, "networks/far.net", "topdown-l1-spr", far_and_slots);
	add_method(&s, "naive-spr");
	state_act(&s, ACTION_stalls);
	stage_compare(&s, "methods-beside-stalls", 120, 40, false);
	s.view.focus = PANE_METHODS;
	stage_compare(&s, "methods-beside-stalls", 80, 24, false);
	stage_close(&s);
}

/* Made counts of a simulated core: one method is the truth, and misses that overlap make the base of others
 * negative. */
static void
methods_and_the_truth(void)
{
	static const char *const core[] = {"screens/expect/made-core.csv", NULL};
	struct state s;

	stage_open_timeline(&s, NULL, "fmt", core);
	add_method(&s, "power5");
	add_method(&s, "naive-retired");
	add_method(&s, "naive");
	add_method(&s, "truth");
	stage_every_size(&s, "truth");
	s.view.focus = PANE_COMPONENTS;
	s.view.cursor[PANE_COMPONENTS] = (int)row_called(&s, "l2d");
	stage_compare(&s, "truth-component", 80, 24, false);
	press(&s, ACTION_normalise, 1);
	stage_compare(&s, "truth-normalised", 120, 40, false);
	press(&s, ACTION_normalise, 1);
	press(&s, ACTION_truth, 1);
	CHECK(s.view.timeline.hides_truth);
	stage_compare(&s, "truth-hidden", 80, 24, false);
	for (int i = 0; i < 4; i++) { /* the hidden one is never in front */
		press(&s, ACTION_method, 1);
		CHECK(strcmp(timeline_stack(s.data.timeline)->name, "truth") != 0);
	}
	press(&s, ACTION_truth, 1);
	CHECK(!s.view.timeline.hides_truth);
	stage_close(&s);
}

/* Without a common figure and unit, bars show shares. */
static void
methods_without_a_common_unit(void)
{
	static const char *const slots[] = {"screens/expect/slots.csv", NULL};
	struct state s;

	stage_open_timeline(&s, NULL, "topdown-l1-spr", slots);
	add_method(&s, "screens/expect/time.stack");
	stage_compare(&s, "methods-shares", 80, 24, false);
	stage_close(&s);
}

/* A queue that stayed empty in all snapshots is only counted, unless a filter asks for it. */
static void
empty_queues(void)
{
	const struct timeline_history *h;
	struct net_queue *q;
	struct state s;
	float *length;
	size_t n, all, cell, hidden;
	const size_t *order;

	stage_open_timeline(&s, "networks/far.net", NULL, far_csv);
	state_act(&s, ACTION_queues);
	stage_show(&s, 120, 40);
	order = state_queues(&s, &all);
	hidden = state_queue_counts(&s).hidden;
	h = s.answers.timeline.history;
	q = (struct net_queue *)&s.answers.timeline.analysis->queues->queue[order[all - 1]];
	CHECK(all > 2 && q->length > 0 && q->length < QUEUES_SHORT && state_queue_owners(&s, q, &n) == 1);
	cell = timeline_cell(h, q->module, q->owner, q->kind);
	memcpy(&length, &h->length, sizeof length); /* the timeline's own array */
	q->length = 0;
	state_shown_changed(&s);
	state_queues(&s, &n);
	CHECK_INT(n, all); /* it had some before */
	for (size_t i = 0; i < h->n; i++)
		length[i * h->n_cells + cell] = 0;
	state_shown_changed(&s);
	state_queues(&s, &n);
	CHECK_INT(n, all - 1);
	CHECK_INT(state_queue_counts(&s).hidden, hidden + 1);
	stage_close(&s);
}

static void
queues(void)
{
	struct state s;

	stage_open_timeline(&s, "networks/far.net", NULL, far_csv);
	state_act(&s, ACTION_queues);
	stage_every_size(&s, "queues");
	stage_compare(&s, "queues", 120, 40, true);
	stage_arrange(&s, "queues length component trend bar -path -wait over-time");
	stage_compare(&s, "columns-queues", 80, 24, false);
	stage_compare(&s, "columns-queues", 120, 40, false);
	stage_arrange(&s, "queues");
	stage_show(&s, 80, 24);
	press(&s, ACTION_down, 4);
	state_act(&s, ACTION_formula);
	stage_compare(&s, "queue", 80, 24, false);
	stage_compare(&s, "queue", 120, 40, false);
	state_act(&s, ACTION_back);
	press(&s, ACTION_snapshot_back, 12);
	press(&s, ACTION_set_against, 1);
	press(&s, ACTION_snapshot_next, 11);
	stage_compare(&s, "queues-compared", 80, 24, false);
	stage_compare(&s, "queues-compared", 120, 40, false);
	press(&s, ACTION_set_against, 1);
	press(&s, ACTION_sort, 1);
	stage_compare(&s, "queues-by-trend", 80, 24, false);
	state_act(&s, ACTION_help);
	stage_compare(&s, "queues-help", 120, 40, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_filter);
	type(&s, "L2");
	stage_compare(&s, "queues-filtered", 80, 24, false);
	state_act(&s, ACTION_filter);
	type(&s, "nowhere");
	stage_compare(&s, "queues-filtered-none", 80, 24, false);
	stage_close(&s);
}

/* The installed networks, with data of more cores, or of few counters. */
static void
installed_networks(void)
{
	static const char *const fotonik[] = {"screens/expect/fotonik.csv", NULL};
	static const char *const walks[] = {"screens/expect/walks.csv", NULL};
	struct state s;

	stage_open_timeline(&s, "spr-cxl", NULL, fotonik);
	state_act(&s, ACTION_stalls);
	stage_compare(&s, "stalls-spr-cxl", 120, 40, false);
	state_act(&s, ACTION_queues);
	stage_compare(&s, "queues-spr-cxl", 120, 40, false);
	stage_close(&s);
	stage_open_timeline(&s, "haswell", "topdown-l1-hsw", walks);
	state_act(&s, ACTION_stalls);
	stage_compare(&s, "stalls-no-data", 80, 24, false);
	state_act(&s, ACTION_queues);
	stage_compare(&s, "queues-no-data", 80, 24, false);
	stage_close(&s);
}

/* A pane without content says why: no stalls are counted, no counters for the stack. A stack has no queues to show. */
static void
nothing_to_show(void)
{
	static const char *const none[] = {NULL}, *const slots[] = {"screens/expect/slots.csv", NULL};
	struct state s;

	stage_open_timeline(&s, "generic", NULL, none);
	state_act(&s, ACTION_stalls);
	stage_compare(&s, "stalls-no-snapshot", 80, 24, false);
	state_act(&s, ACTION_queues);
	stage_compare(&s, "queues-no-snapshot", 80, 24, false);
	stage_close(&s);
	stage_open_timeline(&s, NULL, "screens/expect/time.stack", slots);
	stage_compare(&s, "bars-other-data", 80, 24, false);
	state_act(&s, ACTION_queues);
	CHECK(s.view.current == VIEW_STALLS && strstr(s.view.message.text, "queues are a network's, and none is open"));
	stage_close(&s);
}

static void
free_nothing(struct run *r)
{
	(void)r;
}

/* A simulated run has no sample yet. Bars will follow, and with a method that needs reference runs that takes longer. A
 * run that has ended, or is not simulated, lacks the counters. */
static void
a_simulated_run_without_a_sample(void)
{
	static const struct run_ops ops = {.name = "fake", .free = free_nothing};
	static const char *const none[] = {NULL};
	struct run run = {.ops = &ops, .running = true};
	struct state s;

	stage_open_timeline(&s, NULL, "fmt", none);
	s.question.subject.argv = str_split("sim:core:gcc-like", ' ', NULL);
	stage_compare(&s, "simulated-no-run", 80, 24, false);
	s.data.run = mem_new_array(1, sizeof *s.data.run);
	s.data.run[s.data.n_runs++] = &run;
	stage_compare(&s, "simulated-begins", 80, 24, false);
	add_method_only(&s, "truth");
	stage_compare(&s, "simulated-begins-truth", 80, 24, false);
	stage_compare(&s, "simulated-begins-truth", 40, 10, false);
	str_split_free(s.question.subject.argv);
	s.question.subject.argv = str_split("make", ' ', NULL);
	stage_compare(&s, "counted-begins", 80, 24, false);
	stage_close(&s);
}

/* With several sockets owners keep their whole names, and a line says how many owners it stands for. */
static void
two_sockets(void)
{
	struct state s;
	struct obs_table *t;

	stage_open_timeline(&s, "networks/far.net", NULL, (const char *const[]){NULL});
	s.data.table = mem_new_array(1, sizeof *s.data.table);
	t = s.data.table[0] = data_read("screens/expect/far.csv", false, &(struct err){0});
	s.data.n_tables = 1;
	for (size_t i = 0; i < t->n_columns; i++) {
		char *at = strstr(t->column[i], "@S0-");

		if (at && (strstr(at, "C1") || strstr(at, "slice3")))
			at[2] = '1';
	}
	CHECK(state_timeline_follow(&s));
	state_act(&s, ACTION_queues);
	stage_compare(&s, "queues-two-sockets", 80, 24, false);
	state_act(&s, ACTION_stalls);
	stage_compare(&s, "stalls-two-sockets", 80, 24, false);
	stage_close(&s);
}

static size_t
count_role(const struct grid *g, enum role role)
{
	size_t n = 0;

	for (int i = 0; i < g->w * g->h; i++)
		n += g->cell[i].fg == role && g->cell[i].cp != ' ';
	return n;
}

/* At most one entry of the list is hot: the culprit's length and trend; and bars have the hue of their kind. */
static void
roles(void)
{
	struct state s;
	struct grid *g = grid_new(80, 24, false);
	struct drawn d;

	stage_open_timeline(&s, "networks/far.net", NULL, far_csv);
	state_act(&s, ACTION_queues);
	draw_screen(&s, g, &d);
	for (int y = 5; y < 13; y++)
		for (int x = 0; x < 80; x++)
			CHECK(grid_at(g, x, y)->fg != ROLE_HOT);
	CHECK_INT(grid_at(g, 23, 4)->fg, ROLE_HOT); /* 27.7 */
	CHECK_INT(grid_at(g, 26, 4)->fg, ROLE_PATH3);
	CHECK_INT(grid_at(g, 26, 4)->cp, 0x2588);
	CHECK_INT(grid_at(g, 0, 4)->bg, ROLE_SELECT);
	state_act(&s, ACTION_stalls);
	draw_screen(&s, g, &d);
	CHECK(count_role(g, ROLE_PATH1) > 4 && count_role(g, ROLE_PATH4) > 40 && count_role(g, ROLE_INFEASIBLE) > 40);
	grid_free(g);
	stage_close(&s);
}

/* Queues that the list leaves out are counted, and the cursor stays with its queue when the order changes. */
static void
the_list_of_queues(void)
{
	struct state s;
	const struct net_queue *q;
	struct queue_counts c;
	size_t n, first, kind, module, some = 0;
	const size_t *order;
	struct queue_culprit *culprit;

	stage_open_timeline(&s, "networks/far.net", NULL, far_csv);
	state_act(&s, ACTION_queues);
	stage_show(&s, 80, 24);
	order = state_queues(&s, &n);
	c = state_queue_counts(&s);
	CHECK_INT(n, QUEUES_ALWAYS);
	CHECK_INT(c.lines, n + c.hidden);
	CHECK_INT(c.unknown, 1); /* prefetches at DDR have an unresolved counter */
	for (size_t i = 1; i < n; i++)
		CHECK(s.answers.timeline.analysis->queues->queue[order[i - 1]].length >=
			s.answers.timeline.analysis->queues->queue[order[i]].length);
	CHECK(state_queue(&s) == s.answers.timeline.analysis->culprit);
	press(&s, ACTION_down, 4);
	q = state_queue(&s);
	CHECK_INT(state_queue_owners(&s, q, &first), 8); /* slices share a line */
	module = q->module;
	kind = q->kind;
	press(&s, ACTION_sort, 1);
	press(&s, ACTION_snapshot_back, 5);
	CHECK_INT(state_queue(&s)->module, module);
	CHECK_INT(state_queue(&s)->kind, kind);
	s.view.timeline.unfolded[module] = true; /* until they are unfolded */
	CHECK_INT(state_queue_owners(&s, state_queue(&s), &first), 1);
	culprit = state_queue_culprits(&s, &n);
	for (size_t i = 0; i < n; i++)
		some += culprit[i].snapshots;
	CHECK_INT(some, s.answers.timeline.history->n);
	free(culprit);
	stage_close(&s);
}

/* Every row of the chart can be clicked, and everything is drawn inside, at any size. */
static void
sizes_and_clicks(void)
{
	struct state s;
	struct grid *g = grid_new(120, 40, false);
	struct drawn d;
	bool bar = false, part = false, method = false;

	stage_open_timeline(&s, "networks/far.net", "topdown-l1-spr", far_and_slots);
	state_act(&s, ACTION_stalls);
	draw_screen(&s, g, &d);
	for (int i = 0; i < d.n_hits; i++) {
		bar |= d.hit[i].kind == HIT_ROW && d.hit[i].pane == PANE_BARS && d.hit[i].row == 5 &&
			d.hit[i].action == ACTION_component;
		part |= d.hit[i].kind == HIT_ROW && d.hit[i].pane == PANE_COMPONENTS && d.hit[i].row == 6;
		method |= d.hit[i].kind == HIT_ROW && d.hit[i].pane == PANE_METHODS && d.hit[i].row == 1;
	}
	CHECK(bar && part && method);
	grid_free(g);
	for (int compared = 0; compared < 2; compared++) {
		for (int w = 1; w < 230; w += 7)
			for (int h = 1; h < 64; h += 3) {
				struct grid *small = grid_new(w, h, w % 2 == 0);

				for (int p = 0; p < 8; p++) {
					static const enum pane_id pane[] = {PANE_BARS, PANE_COMPONENTS, PANE_METHODS,
						PANE_QUEUES, PANE_LENGTHS, PANE_QUEUE, PANE_BARS, PANE_QUEUES};

					s.view.current = pane[p] < PANE_QUEUES ? VIEW_STALLS : VIEW_QUEUES;
					s.view.focus = pane[p];
					s.view.popup.kind = p == 6 ? POPUP_BAR : p == 7 ? POPUP_QUEUE : POPUP_NONE;
					s.view.timeline.whole = h % 2;
					state_timeline_show(&s);
					draw_screen(&s, small, &d);
				}
				grid_free(small);
			}
		s.view.popup.kind = POPUP_NONE;
		s.view.timeline.whole = false;
		press(&s, ACTION_snapshot_back, 3);
		press(&s, ACTION_set_against, 1);
		press(&s, ACTION_snapshot_next, 3);
	}
	CHECK(d.n_hits <= HITS_MAX);
	stage_close(&s);
}

TEST_MAIN(CASE(stalls_of_a_network), CASE(bars_of_phases), CASE(bars_of_tasks), CASE(letters_beside_counters),
	CASE(both), CASE(bars_that_come_later), CASE(methods), CASE(methods_and_the_truth),
	CASE(methods_without_a_common_unit), CASE(empty_queues), CASE(queues), CASE(installed_networks),
	CASE(nothing_to_show),
	CASE(a_simulated_run_without_a_sample), CASE(two_sockets), CASE(roles), CASE(the_list_of_queues),
	CASE(sizes_and_clicks))
