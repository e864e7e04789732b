/* View 0 on cells: recorded runs of two processors, what books say of a model's counters, every pane, popup and
 * size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "core/doctor/health.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_events.h"
#include "open_session.h"
#include "stage.h"
#include "test.h"
#include "ui/input.h"
#include "ui/term.h"
#include "work/catalogue.h"
#include "work/trust/events.h"
#include "work/trust/known.h"
#include "work/trust/table.h"

#define DEMO "../models/demo/static-benchmark.csv"
#define DEMO_EXPECTED "../models/demo/static-benchmark-expected.csv"

static void
press(struct state *s, enum action a, int times)
{
	stage_press(s, a, times);
	*s->view.message.text = '\0';
}

static struct trust_table *
table_of(const char *runs, const char *expected)
{
	char *path = mem_str(runs);
	struct err e = {0};
	struct trust_table *t = trust_table_read(&path, 1, expected, &e);

	free(path);
	test_check(t != NULL, __FILE__, __LINE__, "%s", e.what);
	return t;
}

static void
open_runs(struct state *s, const char *runs, const char *expected)
{
	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	state_init(s);
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	state_open_repeated(s, table_of(runs, expected));
}

static void
recorded_runs(void)
{
	struct state s;

	open_runs(&s, DEMO, DEMO_EXPECTED);
	stage_show(&s, 80, 24);
	press(&s, ACTION_down, 2);
	stage_every_size(&s, "events");
	stage_compare(&s, "events", 160, 50, false);
	state_act(&s, ACTION_event);
	stage_compare(&s, "event", 80, 24, false);
	stage_compare(&s, "event", 120, 40, false);
	stage_compare(&s, "event", 40, 10, false);
	stage_show(&s, 80, 24);
	press(&s, ACTION_last, 1);
	stage_compare(&s, "event-end", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_help);
	stage_compare(&s, "events-help", 120, 40, false);
	state_act(&s, ACTION_back);
	stage_show(&s, 40, 10);
	press(&s, ACTION_pane_next, 1);
	stage_compare(&s, "events-runs", 40, 10, false);
	press(&s, ACTION_pane_next, 1);
	stage_compare(&s, "events-event", 40, 10, false);
	state_free(&s);
}

static void
rows_by_verdict(void)
{
	struct state s;

	open_runs(&s, DEMO, DEMO_EXPECTED);
	stage_show(&s, 80, 24);
	press(&s, ACTION_sort, 2);
	stage_compare(&s, "events-sorted", 80, 24, false);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "nehalem");
	*s.view.message.text = '\0';
	stage_compare(&s, "events-filtered", 80, 24, false);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "nobody");
	stage_compare(&s, "events-none", 80, 24, false);
	state_free(&s);
}

/* Without expected counts, and a mean alone. */
static void
less_is_known(void)
{
	struct state s;

	open_runs(&s, "data/determinism/pairs.csv", NULL);
	stage_compare(&s, "events-no-expected", 120, 40, false);
	state_free(&s);
}

static struct trust_page *
made_page(const char *event)
{
	struct trust_page *p = mem_new(sizeof *p);

	*p = (struct trust_page){
		.cpu = {.name = mem_str("made"), .family = -1}, .entry = mem_new(sizeof *p->entry), .n = 1};
	p->entry[0] = (struct trust_entry){.event = mem_new(sizeof(char *)), .n_events = 1,
		.letters = TRUST_BIT(INTERRUPTS) | TRUST_BIT(OVERCOUNT), .verdict = TRUST_CORRECTABLE, .n_terms = 1,
		.term = {{TRUST_PER_INTERRUPT, 1, 1}}, .note = mem_str("Each interrupt adds one."),
		.source = mem_str("made for a test")};
	p->entry[0].event[0] = mem_str(event);
	return p;
}

/* Letters stand next to the counter in views 1 to 3, and i explains them. */
static void
letters_beside_counters(void)
{
	struct state s;

	stage_open(&s, "linux-page-faults", NULL, "programs.csv", true);
	stage_compute(&s);
	state_set_known(&s, trust_known_of(mem_new(sizeof(struct trust_book)), NULL, NULL));
	state_give_trust(&s, made_page("page-faults"));
	stage_answer(&s);
	stage_compare(&s, "trust-models", 120, 40, false);
	state_act(&s, ACTION_observations);
	stage_answer(&s);
	stage_compare(&s, "trust-observations", 120, 40, false);
	stage_show(&s, 80, 24);
	state_act(&s, ACTION_whence);
	stage_show(&s, 80, 24);
	press(&s, ACTION_page_down, 1);
	stage_compare(&s, "trust-whence", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_constraints);
	stage_answer(&s);
	state_act(&s, ACTION_details);
	stage_answer(&s);
	stage_compare(&s, "trust-constraint", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_events);
	stage_compare(&s, "trust-events", 80, 24, false);
	stage_close(&s);
}

/* A click on a row chooses it, wherever the list is. */
static void
a_click_chooses(void)
{
	struct state s;
	struct drawn kept;
	struct grid *g = grid_new(80, 24, false);

	open_runs(&s, DEMO, DEMO_EXPECTED);
	stage_look(&s, g, &kept);
	for (int row = 5; row > 0; row -= 2) {
		struct term_event press = {.key = TK_MOUSE, .x = 10, .y = 4 + row, .button = MOUSE_PRESS};

		input_take(&s, &kept, &press);
		CHECK_INT(s.view.events.chosen, row);
		CHECK_INT(s.view.cursor[PANE_EVENTS], row);
		stage_look(&s, g, &kept);
	}
	input_take(&s, &kept, &(struct term_event){.key = TK_MOUSE, .x = 10, .y = 5, .button = MOUSE_DOUBLE});
	CHECK_INT(s.view.popup.kind, POPUP_EVENT);
	grid_free(g);
	state_free(&s);
}

/* Columns as a user has them: those of recorded runs, and the source of events that no run judges. */
static void
columns(void)
{
	struct state s;

	open_runs(&s, DEMO, DEMO_EXPECTED);
	stage_arrange(&s, "events verdict event why -machine left");
	stage_compare(&s, "columns-events", 80, 24, false);
	stage_compare(&s, "columns-events", 120, 40, false);
	state_free(&s);
}

/* All events of a machine next to what was judged: the tree, what / finds, an event in full. The rows are made. */
static void
all_events(void)
{
	static const struct event_row row[] = {
		{.name = "dtlb_load_misses.walk_completed", .pmu = "cpu", .topic = "virtual memory",
			.counters = "0,1,2,3",
			.text = "Page walks of demand loads that completed, for all page sizes.",
			.code = "event=0x12,umask=0xe", .source = EVENT_FROM_PERF},
		{.name = "dtlb_load_misses.walk_pending", .pmu = "cpu", .topic = "virtual memory",
			.text = "Page walks outstanding in each cycle.", .code = "event=0x12,umask=0x10",
			.source = EVENT_FROM_PERF},
		{.name = "mem_inst_retired.all_loads", .pmu = "cpu", .topic = "memory", .text = "Retired loads.",
			.code = "event=0xd0,umask=0x81", .errata = "SKL091", .source = EVENT_FROM_PERF},
		{.name = "cas_count_read", .pmu = "uncore_imc", .topic = "uncore memory", .text = "DRAM reads",
			.code = "event=0x5,umask=0xcf", .unit = "MiB", .scale = 6.1e-5, .source = EVENT_FROM_SYSFS},
	};
	struct event_table table = {0};
	struct catalogue *catalogue;
	struct state s;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		event_table_add(&table, &row[i]);
	open_runs(&s, DEMO, DEMO_EXPECTED);
	state_act(&s, ACTION_all_events);
	stage_show(&s, 80, 24);
	stage_compare(&s, "events-all-loading", 80, 24, false);
	catalogue = catalogue_of(&table);
	catalogue->health = mem_new(sizeof *catalogue->health);
	snprintf(catalogue->table.cpu, sizeof catalogue->table.cpu, "made");
	health_note(catalogue->health, "made", "r81d0", "6.1.0", HEALTH_NEVER, 1, 1764000000);
	health_note(
		catalogue->health, "made", "dtlb_load_misses.walk_pending:u", "6.1.0", HEALTH_COUNTS, 0.5, 1764000000);
	state_set_catalogue(&s, catalogue);
	state_act(&s, ACTION_fold_all);
	press(&s, ACTION_down, 5);
	state_act(&s, ACTION_add_event);
	state_say_nothing(&s);
	stage_fit(&s, "page-faults");
	stage_every_size(&s, "events-all");
	state_act(&s, ACTION_event);
	stage_compare(&s, "events-all-event", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_find);
	for (const char *p = "walk dtlb"; *p; p++)
		state_input(&s, (unsigned)*p);
	stage_compare(&s, "events-all-find", 80, 24, false);
	state_free(&s);
}

static void
check_header(struct state *s, const char *words)
{
	struct grid *g = grid_new(120, 40, false);
	struct drawn kept;
	char *text;

	stage_look(s, g, &kept);
	text = stage_text(g);
	*strchr(text, '\n') = '\0';
	test_label("%s", text);
	CHECK(strstr(text, words) != NULL);
	free(text);
	grid_free(g);
}

/* A machine that no book knows still has events. */
static void
the_header_says_whose_events(void)
{
	struct event_table table = {0};
	struct state s;

	event_table_add(
		&table, &(struct event_row){.name = "cycles", .pmu = "cpu", .topic = "core", .code = "event=0x1"});
	state_init(&s);
	state_set_known(&s, trust_known_of(mem_new(sizeof(struct trust_book)), NULL, "made family 6 model 1"));
	state_act(&s, ACTION_events);
	check_header(&s, "judged on other processors; a lists this machine's");
	state_act(&s, ACTION_all_events);
	state_set_catalogue(&s, catalogue_of(&table));
	check_header(&s, "this machine: made family 6 model 1");
	state_free(&s);
}

/* 10 000 rows: each key with its drawing, in processor time. A frame has 16.7 ms. */
static void
ten_thousand_rows_scroll(void)
{
	enum { ROWS = 10000, KEYS = 200 };
	struct event_table table = {0};
	struct timespec from, to;
	struct state s;
	double worst = 0;

	for (size_t i = 0; i < ROWS; i++) {
		char name[40];

		snprintf(name, sizeof name, "unit_%zu.event_%05zu", i % 97, i);
		event_table_add(&table, &(struct event_row){.name = name, .pmu = i % 2 ? "cpu" : "uncore_cha",
			.topic = "all", .text = "What it counts, in words.", .code = "event=0x1"});
	}
	open_runs(&s, DEMO, DEMO_EXPECTED);
	state_act(&s, ACTION_all_events);
	state_set_catalogue(&s, catalogue_of(&table));
	state_act(&s, ACTION_fold_all);
	for (size_t i = 0; i < KEYS; i++) {
		double ms;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		state_act(&s, i % 2 ? ACTION_page_down : ACTION_down);
		stage_show(&s, 200, 60);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
		worst = ms > worst ? ms : worst;
	}
	CHECK(s.view.cursor[PANE_CATALOGUE] > KEYS);
	printf("# %d rows, %d keys with their drawing at 200x60: at most %.1f ms of processor time\n", ROWS, KEYS,
		worst);
	state_free(&s);
}

TEST_MAIN(CASE(recorded_runs), CASE(all_events), CASE(the_header_says_whose_events),
	CASE(ten_thousand_rows_scroll), CASE(rows_by_verdict),
	CASE(less_is_known), CASE(letters_beside_counters), CASE(a_click_chooses), CASE(columns))
