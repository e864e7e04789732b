/* View 0's state: tables of runs are opened, chosen, sorted and filtered; mistakes lose nothing; books explain
 * counters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "explorer/control/control.h"
#include "explorer/control/control_files.h"
#include "explorer/state/state.h"
#include "explorer/state/state_events.h"
#include "open_session.h"
#include "test.h"
#include "text/diag.h"
#include "work/trust/events.h"
#include "work/trust/known.h"
#include "work/trust/table.h"

static struct trust_table *
read_table(const char *runs, const char *expected)
{
	char *path = mem_str(runs);
	struct err e = {0};
	struct trust_table *t = trust_table_read(&path, 1, expected, &e);

	free(path);
	test_check(t != NULL, __FILE__, __LINE__, "%s", e.what);
	return t;
}

static void
in_tests(void)
{
	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
}

#define DEMO "../models/demo/static-benchmark.csv"
#define DEMO_EXPECTED "../models/demo/static-benchmark-expected.csv"

static void
open_demo(struct state *s)
{
	in_tests();
	state_init(s);
	state_open_repeated(s, read_table(DEMO, DEMO_EXPECTED));
}

static const char *
file_of(const char *text)
{
	static char path[] = "/tmp/hecate-events-XXXXXX";
	static char made[sizeof path];
	int fd;
	FILE *f;

	strcpy(made, path);
	fd = mkstemp(made);
	f = fdopen(fd, "w");
	fputs(text, f);
	fclose(f);
	return made;
}

static void
a_table_opens(void)
{
	struct state s;
	const struct trust_event *e;

	open_demo(&s);
	CHECK_INT(s.view.current, VIEW_EVENTS);
	CHECK_INT(s.data.events->n, 10);
	CHECK_STR(s.data.repeated->name, "static-benchmark.csv");
	e = state_event(&s);
	CHECK_STR(e->event, "branches_retired");
	CHECK_STR(e->machine, "broadwell-0");
	CHECK_INT(trust_event_verdict(e), TRUST_CORRECTABLE);
	CHECK_INT(trust_event_letters(e), TRUST_BIT(INTERRUPTS) | TRUST_BIT(FAULTS));
	CHECK(e->judged->run != NULL && e->group->n == 10);
	for (size_t i = 0; i < e->group->n; i++) /* what is left of each run is small */
		CHECK(fabs(e->judged->run[i] - e->group->expected) < 20);
	CHECK(e->entry != NULL); /* a book knows Broadwell's branches */
	state_free(&s);
}

static void
an_event_is_chosen(void)
{
	struct state s;

	open_demo(&s);
	for (int i = 0; i < 2; i++)
		state_act(&s, ACTION_down);
	CHECK_STR(state_event(&s)->event, "inst_retired");
	state_act(&s, ACTION_event);
	CHECK_INT(s.view.popup.kind, POPUP_EVENT);
	state_act(&s, ACTION_observe_next);
	CHECK_STR(state_event(&s)->event, "loads_retired");
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_whence);
	CHECK_INT(s.view.popup.kind, POPUP_EVENT);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_last);
	state_act(&s, ACTION_down);
	CHECK_STR(state_event(&s)->event, "stores_retired");
	CHECK_STR(state_event(&s)->machine, "nehalem-0");
	state_act(&s, ACTION_observe_next);
	CHECK_STR(state_event(&s)->event, "branches_retired");
	state_act(&s, ACTION_models);
	CHECK_INT(s.view.current, VIEW_EVENTS);
	CHECK(strstr(s.view.message.text, "no model is open"));
	state_act(&s, ACTION_command);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK(strstr(s.view.message.text, "no model"));
	state_act(&s, ACTION_find_next);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_act(&s, ACTION_start);
	state_act(&s, ACTION_events);
	CHECK_INT(s.view.current, VIEW_EVENTS);
	state_free(&s);
}

/* The rows in each order are sorted by what it says, and the chosen event stays chosen. */
static void
rows_are_sorted(void)
{
	struct state s;

	open_demo(&s);
	state_choose(&s, PANE_EVENTS, 4);
	for (enum event_sort by = EVENT_BY_NAME; by < EVENT_SORTS; by++) {
		size_t n;
		const size_t *order;
		const struct trust_event *chosen = state_event(&s);

		state_act(&s, ACTION_sort);
		CHECK_INT(s.view.events.sort, by);
		CHECK(state_event(&s) == chosen);
		order = state_events(&s, &n);
		CHECK_INT(n, 10);
		CHECK_INT(order[s.view.cursor[PANE_EVENTS]], s.view.events.chosen);
		for (size_t i = 1; i < n; i++) {
			const struct trust_event *a = &s.data.events->event[order[i - 1]],
						 *b = &s.data.events->event[order[i]];

			if (by == EVENT_BY_NAME)
				CHECK(strcmp(a->event, b->event) <= 0);
			else if (by == EVENT_BY_OFFSET)
				CHECK(fabs(a->judged->offset) >= fabs(b->judged->offset));
			else if (by == EVENT_BY_RANGE)
				CHECK(a->judged->spread >= b->judged->spread);
		}
		if (by == EVENT_BY_VERDICT) {
			CHECK_INT(trust_event_verdict(&s.data.events->event[order[0]]), TRUST_ELSE);
			CHECK_INT(trust_event_verdict(&s.data.events->event[order[n - 1]]), TRUST_EXACT);
		}
	}
	state_act(&s, ACTION_sort);
	CHECK_INT(s.view.events.sort, EVENT_AS_READ);
	state_free(&s);
}

static void
rows_are_filtered_and_found(void)
{
	struct state s;
	size_t n;

	open_demo(&s);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "nehalem");
	state_events(&s, &n);
	CHECK_INT(n, 5);
	CHECK_STR(state_event(&s)->machine, "nehalem-0");
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "something else");
	state_events(&s, &n);
	CHECK_INT(n, 2);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "nobody");
	CHECK(state_event(&s) == NULL);
	CHECK(s.view.message.bad);
	state_act(&s, ACTION_event);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_act(&s, ACTION_observe_next);
	state_act(&s, ACTION_filter);
	answer_prompt(&s, "");
	CHECK(state_event(&s) != NULL);
	state_act(&s, ACTION_find);
	answer_prompt(&s, "stores");
	CHECK_STR(state_event(&s)->event, "stores_retired");
	state_act(&s, ACTION_find_next);
	CHECK_STR(state_event(&s)->machine, "nehalem-0");
	state_free(&s);
}

static void
open_file(struct state *s, const char *path)
{
	struct control d = {.s = s};

	control_open_file(&d, path, OPEN_ONLY);
}

static void
mistakes_lose_nothing(void)
{
	struct state s;
	const char *path;
	char *moved;

	open_demo(&s);
	state_choose(&s, PANE_EVENTS, 3);
	path = file_of("machine,event,test,run,count\nm,inst,all,0,many\n");
	moved = str_format("%s.csv", path);
	CHECK(rename(path, moved) == 0);
	open_file(&s, moved);
	CHECK(s.view.message.bad);
	CHECK(strstr(s.view.message.text, "many"));
	CHECK_INT(s.data.events->n, 10);
	CHECK_INT(s.view.events.chosen, 3);
	unlink(moved);
	open_file(&s, "./there-is-none.csv");
	CHECK(s.view.message.bad);
	CHECK_INT(s.data.events->n, 10);
	free(moved);
	state_free(&s);
}

/* Expected counts alone are refused; later they complete the runs that are open. */
static void
expectations_come_later(void)
{
	struct state s;

	in_tests();
	state_init(&s);
	open_file(&s, DEMO_EXPECTED);
	CHECK(s.view.message.bad && s.data.repeated == NULL);
	open_file(&s, DEMO);
	CHECK_INT(s.data.events->n, 10);
	CHECK(isnan(state_event(&s)->judged->offset));
	open_file(&s, DEMO_EXPECTED);
	CHECK_INT(s.data.events->n, 10);
	CHECK_NEAR(state_event(&s)->judged->offset, 10340, 1);
	state_free(&s);
}

static void
one_run(void)
{
	const char *path = file_of("event,count\ninstructions,1000\n");
	struct state s;
	struct str remedy = {0};

	in_tests();
	state_init(&s);
	state_open_repeated(&s, read_table(path, NULL));
	unlink(path);
	CHECK_INT(s.data.events->n, 1);
	CHECK_INT(trust_event_verdict(state_event(&s)), TRUST_UNKNOWN);
	trust_event_advice(state_event(&s), &remedy);
	CHECK(strstr(str_text(&remedy), "ten times"));
	str_free(&remedy);
	for (enum event_sort by = EVENT_AS_READ; by < EVENT_SORTS; by++)
		state_act(&s, ACTION_sort);
	state_act(&s, ACTION_down);
	CHECK_INT(s.view.events.chosen, 0);
	state_free(&s);
}

/* Each verdict and letter has its own advice, and nothing is advised against a letter that is not there. */
static void
remedies(void)
{
	static const struct {
		enum trust_verdict verdict;
		trust_letters letters;
		const char *says, *not;
	} row[] = {
		{TRUST_EXACT, 0, "Use it as it is", "interrupts"},
		{TRUST_CORRECTABLE, TRUST_BIT(INTERRUPTS), "Count received interrupts", "page faults"},
		{TRUST_CORRECTABLE, TRUST_BIT(FAULTS), "Subtract page faults", "interrupts"},
		{TRUST_CONSTANT, TRUST_BIT(OVERCOUNT), "Subtract the constant", "HyperThreading"},
		{TRUST_NOISY, TRUST_BIT(NOISE), "HyperThreading off", "interrupts"},
		{TRUST_ELSE, TRUST_BIT(UOPS), "Use another event", "Subtract"},
		{TRUST_CORRECTABLE, TRUST_BIT(EXCEPTIONS), "exceptions", "another event"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct trust_entry entry = {.verdict = row[i].verdict, .letters = row[i].letters};
		struct trust_event e = {
			.event = (char[]){"x"}, .machine = (char[]){""}, .test = (char[]){""}, .entry = &entry};
		struct str text = {0};

		test_label("%s", trust_verdict_name(row[i].verdict));
		trust_event_advice(&e, &text);
		CHECK(strstr(str_text(&text), row[i].says));
		CHECK(!strstr(str_text(&text), row[i].not));
		str_free(&text);
	}
}

static struct trust_page *
page_of(const char *event, trust_letters letters)
{
	struct trust_page *p = mem_new(sizeof *p);

	*p = (struct trust_page){
		.cpu = {.name = mem_str("made"), .family = -1}, .entry = mem_new(sizeof *p->entry), .n = 1};
	p->entry[0] = (struct trust_entry){.event = mem_new(sizeof(char *)), .n_events = 1, .letters = letters,
		.verdict = TRUST_CORRECTABLE, .source = mem_str("made")};
	p->entry[0].event[0] = mem_str(event);
	return p;
}

/* A model's counters have the letters of their events; what was counted elsewhere has those of --trust alone. */
static void
counters_of_a_model(void)
{
	static const char model[] = "model m;\n"
		"counter a = \"instructions\" \"first\";\ncounter b = \"cycles\" \"second\";\n"
		"path p { count a; count b; }\n";
	struct state s;

	open_session_with(&s, model);
	CHECK(state_counter_entry(&s, 0) == NULL);
	state_set_known(&s,
		trust_known_of(mem_new(sizeof(struct trust_book)), page_of("instructions", TRUST_BIT(FAULTS)), "x"));
	CHECK(state_counter_entry(&s, 0) == NULL); /* nothing was counted here yet */
	state_act(&s, ACTION_events);
	CHECK_INT(s.view.current, VIEW_EVENTS);
	CHECK_INT(s.data.events->n, 2);
	CHECK_STR(state_event(&s)->counter, "a");
	CHECK_INT(trust_event_letters(state_event(&s)), TRUST_BIT(FAULTS));
	state_give_trust(&s, page_of("instructions:u", TRUST_BIT(INTERRUPTS)));
	CHECK_INT(trust_event_letters(state_event(&s)), TRUST_BIT(INTERRUPTS));
	CHECK(state_counter_entry(&s, 0) && state_counter_entry(&s, 0)->letters == TRUST_BIT(INTERRUPTS));
	CHECK(state_counter_entry(&s, 1) == NULL);
	state_open_repeated(&s, read_table(DEMO, DEMO_EXPECTED)); /* next to the model, which stays */
	CHECK(s.question.model != NULL);
	CHECK_INT(s.data.events->n, 12);
	state_act(&s, ACTION_models);
	CHECK_INT(s.view.current, VIEW_MODELS);
	state_free(&s);
}

/* Without runs and model: what is known of this machine, else of all. */
static void
books_alone(void)
{
	struct state s;
	struct trust_known *k;

	in_tests();
	state_init(&s);
	state_act(&s, ACTION_events);
	CHECK_INT(s.data.events->n, 0);
	CHECK(state_event(&s) == NULL);
	k = trust_known_load();
	trust_page_free(k->here);
	k->here = page_of("instructions", 0);
	state_set_known(&s, k);
	CHECK_INT(s.data.events->n, 1);
	trust_page_free(k->here);
	k->here = NULL;
	state_set_repeated(&s, NULL);
	CHECK(s.data.events->n > 50);
	CHECK(state_event(&s)->entry && *state_event(&s)->machine);
	state_free(&s);
}

static void
write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (CHECK(f != NULL)) {
		fputs(text, f);
		fclose(f);
	}
}

static const struct trust_entry *
listed(const struct state *s, const char *event, size_t *times)
{
	const struct trust_entry *e = NULL;

	*times = 0;
	for (size_t i = 0; i < s->data.events->n; i++)
		if (str_eq(s->data.events->event[i].event, event)) {
			e = s->data.events->event[i].entry;
			++*times;
		}
	return e;
}

/* What was measured on this machine is listed in place of what is published of the same event, and next to the rest. */
static void
measured_here(void)
{
	char *home = str_format("%s/hecate-events-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	char *folder, *file, *cpuinfo;
	const struct trust_entry *e;
	struct state s;
	size_t times;

	CHECK(mkdtemp(home) != NULL);
	folder = str_format("mkdir -p %s/hecate/trust", home);
	CHECK(system(folder) == 0);
	cpuinfo = str_format("%s/cpuinfo", home);
	file = str_format("%s/hecate/trust/genuineintel-6-15.trust", home);
	write_text(cpuinfo, "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 15\n");
	write_text(file, "cpu \"genuineintel-6-15\" vendor \"GenuineIntel\" family 6 model 15 {\n"
		"event \"instructions\" { verdict noisy; letters \"n\"; source \"measured here\"; }\n"
		"event \"page-faults:u\" { verdict deterministic; source \"measured here\"; } }\n");
	setenv("XDG_DATA_HOME", home, 1);
	setenv("HECATE_PROC", home, 1);
	in_tests();
	state_init(&s);
	state_set_known(&s, trust_known_load());
	state_act(&s, ACTION_events);
	e = listed(&s, "instructions", &times);
	CHECK_INT(times, 1);
	CHECK(e && e->measured && e->letters == TRUST_BIT(NOISE));
	e = listed(&s, "page-faults:u", &times);
	CHECK(e && e->measured && e->verdict == TRUST_EXACT);
	e = listed(&s, "branches", &times);
	CHECK(e && !e->measured && e->letters & TRUST_BIT(INTERRUPTS));
	CHECK_STR(s.data.events->event[0].machine, "core2");
	state_free(&s);
	/* the same next to a model's counter, of data that were counted here */
	open_session_with(&s, "model m;\ncounter a = \"instructions\" \"first\";\npath p { count a; }\n");
	state_set_known(&s, trust_known_load());
	CHECK(state_counter_entry(&s, 0) == NULL);
	s.data.n_runs = 1;
	CHECK(state_counter_entry(&s, 0) && state_counter_entry(&s, 0)->letters == TRUST_BIT(NOISE));
	s.data.n_runs = 0;
	state_free(&s);
	unsetenv("HECATE_PROC");
	unsetenv("XDG_DATA_HOME");
	remove(file);
	remove(cpuinfo);
	free(folder);
	folder = str_format("rm -r %s", home);
	CHECK(system(folder) == 0);
	free(folder);
	free(cpuinfo);
	free(file);
	free(home);
}

TEST_MAIN(CASE(measured_here), CASE(a_table_opens), CASE(an_event_is_chosen), CASE(rows_are_sorted),
	CASE(rows_are_filtered_and_found), CASE(mistakes_lose_nothing), CASE(expectations_come_later),
	CASE(one_run), CASE(remedies), CASE(counters_of_a_model), CASE(books_alone))
