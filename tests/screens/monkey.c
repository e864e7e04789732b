/* Random keys, clicks, drags, turns of the wheel, pastes and sizes in every view, on recorded data and on worse ones:
 * nothing may crash, no event may take long, and every screen obeys the rules below.
 *
 * It is reproducible: HECATE_SEED (printed) and HECATE_MONKEY (a scenario's name) repeat a run. With HECATE_EVENTS it
 * goes on until each view had so many events, with HECATE_SLOW it runs for HECATE_SECONDS (120) in all, else for a few
 * hundred events each. It prints the longest processor time from an event to its frame. The engine's answers come from
 * the same analysis in this process, sometimes late, sometimes never; their time is not in it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "draw/view/view_table.h"
#include "event/table.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_search.h"
#include "explorer/state/state_timeline.h"
#include "explorer/state/state_views.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "ui/input.h"
#include "ui/term.h"
#include "work/catalogue.h"
#include "work/files/data.h"
#include "work/files/texts.h"
#include "work/trust/table.h"

enum { LOG = 24 };

/* Processor time from an event to its frame, s. Sanitizers take several times as long. */
#ifdef HECATE_SANITIZERS
#define WAIT_MAX 1.0
#else
#define WAIT_MAX 0.1
#endif

struct monkey {
	struct state s;
	struct grid *g;
	struct drawn d;
	uint64_t random;
	int w, h;
	bool searches;            /* the model is small enough to be searched */
	char log[LOG][48];        /* the last events, for the report of a failure */
	size_t steps;
	bool drags;               /* between a press of the mouse and its release */
	double wait, longest;     /* since the last frame, and at most, s */
	bool pastes;              /* since the last frame: thousands of events, for which WAIT_MAX does not hold */
	char at_longest[48];
};

static size_t
pick(struct monkey *m, size_t n)
{
	return n ? (size_t)(test_random(&m->random) % n) : 0;
}

static bool
chance(struct monkey *m, size_t one_in)
{
	return pick(m, one_in) == 0;
}

/* --- scenarios --------------------------------------------------------------------------------------------------- */

static void
open_profile(struct state *s, const char *net, const char *stack, const char *csv, const char *csv2)
{
	char *path = csv ? str_format("screens/expect/%s", csv) : NULL;
	char *path2 = csv2 ? str_format("screens/expect/%s", csv2) : NULL;

	stage_open_timeline(s, net, stack, (const char *const[]){path, path2, NULL});
	s->data.name = csv ? mem_str(csv) : NULL;
	free(path);
	free(path2);
}

static void
open_start(struct monkey *m)
{
	state_init(&m->s);
	stage_machine(&m->s.data.machine);
	stage_models(&m->s);
}

static void
open_exact(struct monkey *m)
{
	stage_open(&m->s, "linux-page-faults", NULL, "programs.csv", true);
	m->searches = true;
}

static void
open_noisy(struct monkey *m)
{
	stage_open(&m->s, "haswell-mmu", NULL, "walks.csv", false);
}

static void
open_leak(struct monkey *m)
{
	stage_open(&m->s, "haswell-mmu", "merging", "leak.csv", true);
}

static void
open_cone(struct monkey *m)
{
	stage_open(&m->s, "haswell-mmu", NULL, NULL, false);
}

static void
open_far(struct monkey *m)
{
	open_profile(&m->s, "networks/far.net", "topdown-l1-spr", "far.csv", "slots.csv");
}

static void
open_cxl(struct monkey *m)
{
	open_profile(&m->s, "spr-cxl", NULL, "fotonik.csv", NULL);
}

static void
open_tasks(struct monkey *m)
{
	open_profile(&m->s, NULL, "stall-sources", "tasks.csv", NULL);
}

static void
open_phases(struct monkey *m)
{
	open_profile(&m->s, NULL, "topdown-l1-spr", "phased.csv", NULL);
}

static void
open_empty_network(struct monkey *m)
{
	open_profile(&m->s, "linux-vm", NULL, NULL, NULL);
}

static void
open_bare(struct monkey *m)
{
	open_profile(&m->s, "spr-cxl", "topdown-l1-spr", NULL, NULL);
}

static void
open_mixed_up(struct monkey *m)
{
	open_profile(&m->s, "spr-cxl", "naive-hsw", "walks.csv", "generic.csv"); /* data of another kind */
}

/* Puts a worse table in the place of each: of every observation several parts, with one row, a few, or all, exact or
 * sampled; in each part counters are missing, dead, unsupported or suspect, in some all of them. */
static void
make_worse(struct monkey *m)
{
	static const enum obs_health why[] = {OBS_DEAD, OBS_UNSUPPORTED, OBS_ABSENT, OBS_ZERO_SUSPECT};

	for (size_t k = 0; k < m->s.data.n_tables; k++) {
		struct obs_table *from = m->s.data.table[k],
				 *to = obs_table_new((const char *const *)from->column, from->n_columns);

		for (size_t i = 0; i < from->n * 4; i++) {
			const struct obs *old = from->obs[i % from->n];
			size_t first = chance(m, 2) ? pick(m, old->n_rows) : 0, left = old->n_rows - first,
			       n = chance(m, 4) ? 1 : chance(m, 3) ? 1 + pick(m, left) : left;
			struct obs *o = obs_table_add_part(to, old, old->name, first, n);

			if (chance(m, 3))
				o->exact = !o->exact;
			for (size_t c = 0; c < o->n_columns; c++) {
				if (!chance(m, i % 7 == 6 ? 1 : 3))
					continue;
				if (chance(m, 2))
					obs_forget_column(o, c, why[pick(m, sizeof why / sizeof *why)]);
				for (size_t at = c; at < o->n_rows * o->n_columns; at += o->n_columns)
					if (chance(m, 2))
						o->count[at] = o->counted[at] = 0;
			}
		}
		obs_table_free(from);
		m->s.data.table[k] = to;
	}
}

static void
open_worse_exact(struct monkey *m)
{
	open_exact(m);
	make_worse(m);
}

static void
open_worse_noisy(struct monkey *m)
{
	open_noisy(m);
	make_worse(m);
}

static void
open_worse_profile(struct monkey *m, const char *net, const char *stack, const char *const *csv)
{
	struct err e = {0};

	open_profile(&m->s, net, stack, NULL, NULL);
	for (size_t n = 0; csv[n]; n++) {
		m->s.data.table = mem_resize(m->s.data.table, n + 1, sizeof(struct obs_table *));
		m->s.data.table[n] = data_read(csv[n], false, &e);
		m->s.data.n_tables = n + 1;
	}
	make_worse(m);
	state_timeline_follow(&m->s);
}

static void
open_worse_far(struct monkey *m)
{
	open_worse_profile(m, "networks/far.net", "topdown-l1-spr",
		(const char *const[]){"screens/expect/far.csv", "screens/expect/slots.csv", NULL});
}

static void
open_worse_tasks(struct monkey *m)
{
	open_worse_profile(m, NULL, "stall-sources", (const char *const[]){"screens/expect/tasks.csv", NULL});
}

static void
open_worse_phases(struct monkey *m)
{
	open_worse_profile(m, NULL, "topdown-l1-spr", (const char *const[]){"screens/expect/phased.csv", NULL});
}

static void
open_pair(struct monkey *m)
{
	open_exact(m);
	state_set_contest(&m->s, stage_contest(pick(m, 3) * 100 + pick(m, 20), !chance(m, 4), chance(m, 2) ? 0.3 : 0));
	state_show_view(&m->s, VIEW_DIFF);
}

static void
open_events(struct monkey *m)
{
	struct event_table table = {0};
	char *path = mem_str("../models/demo/static-benchmark.csv");
	struct err e = {0};

	open_worse_exact(m);
	for (size_t i = 0; i < 300; i++) {
		char name[32], code[32];

		snprintf(name, sizeof name, "event_%zu.part_%zu", i / 8, pick(m, 40));
		snprintf(code, sizeof code, "event=0x%zx,umask=0x%zx", i % 64, i / 64);
		event_table_add(&table, &(struct event_row){.name = name, .code = chance(m, 8) ? "" : code,
			.pmu = i % 5 ? "cpu" : "uncore_imc", .topic = chance(m, 3) ? "cache" : "memory",
			.text = "What it counts.", .source = EVENT_FROM_PERF});
	}
	state_open_repeated(&m->s, trust_table_read(&path, 1, NULL, &e));
	state_act(&m->s, ACTION_all_events);
	state_set_catalogue(&m->s, catalogue_of(&table));
	free(path);
}

static const struct { const char *name; void (*open)(struct monkey *); } scenario[] = {
	{"start", open_start}, {"exact", open_exact}, {"noisy", open_noisy}, {"leak", open_leak}, {"cone",
		open_cone}, {"far", open_far}, {"cxl", open_cxl},
	{"tasks", open_tasks}, {"phases", open_phases}, {"empty", open_empty_network}, {"bare", open_bare},
		{"mixed", open_mixed_up},
	{"worse-exact", open_worse_exact}, {"worse-noisy", open_worse_noisy}, {"worse-far", open_worse_far},
	{"worse-tasks", open_worse_tasks}, {"worse-phases", open_worse_phases}, {"pair", open_pair},
	{"events", open_events},
};
#define SCENARIOS (sizeof scenario / sizeof *scenario)

/* --- events ------------------------------------------------------------------------------------------------------ */

static void
note(struct monkey *m, const char *what)
{
	snprintf(m->log[m->steps % LOG], sizeof m->log[0], "%s", what);
}

/* The code of a key as actions name it; TK_NONE without such a key. */
static int
key_code(const char *name)
{
	char out[KEY_NAME];

	for (int key = 1; key < 0x80; key++)
		if (str_eq(key_name(key, out), name))
			return key;
	for (int key = TK_BASE + 1; key <= TK_F12; key++)
		if (str_eq(key_name(key, out), name))
			return key;
	return TK_NONE;
}

static int
random_key(struct monkey *m)
{
	const struct action_row *row;
	char **word;
	size_t n = 0;
	int key;

	if (state_scope(&m->s) == 0) /* a prompt: text, and now and then its end */
		return chance(m, 4)    ? '\r'
			: chance(m, 8) ? 0x1b
			: chance(m, 6) ? TK_BACKSPACE
				       : (int)(0x20 + pick(m, 0x5f));
	if (chance(m, 12))
		return (int)pick(m, 0x2600);
	do
		row = action_row((enum action)(1 + pick(m, ACTION_COUNT - 1)));
	while (!(row->scopes & state_scope(&m->s)) && !chance(m, 8));
	word = str_split(row->keys, ' ', NULL);
	while (word[n])
		n++;
	key = n ? key_code(word[pick(m, n)]) : TK_NONE;
	str_split_free(word);
	return key;
}

static struct term_event
random_click(struct monkey *m)
{
	struct term_event e = {.key = TK_MOUSE,
		.button = m->drags && !chance(m, 4) ? MOUSE_DRAG : (int)pick(m, MOUSE_RELEASE + 1),
		.x = (int)pick(m, (size_t)m->w + 4) - 2,
		.y = (int)pick(m, (size_t)m->h + 4) - 2};

	if (m->d.n_hits && !chance(m, 3)) {
		const struct hit *h = &m->d.hit[pick(m, (size_t)m->d.n_hits)];

		e.x = h->r.x + (int)pick(m, (size_t)h->r.w);
		e.y = h->r.y + (int)pick(m, (size_t)h->r.h);
	}
	m->drags = e.button == MOUSE_PRESS || (m->drags && e.button == MOUSE_DRAG);
	return e;
}

/* A whole megabyte, which tests/e2e/terminal.c pastes, would take the time of all other events. */
static void
paste(struct monkey *m)
{
	input_take(&m->s, &m->d, &(struct term_event){.key = TK_PASTE});
	for (size_t i = pick(m, 5000); i-- > 0;)
		input_take(&m->s, &m->d,
			&(struct term_event){.key = chance(m, 40) ? '\n' : 0x20 + (int)pick(m, 0x400)});
	input_take(&m->s, &m->d, &(struct term_event){.key = TK_PASTE_END});
	m->pastes = true;
}

static void
resize(struct monkey *m)
{
	static const struct {
		int w, h;
	} usual[] = {{80, 24}, {120, 40}, {200, 60}, {60, 20}, {40, 10}, {38, 5}, {19, 2}, {1, 1}, {300, 100}};

	if (chance(m, 2)) {
		size_t i = pick(m, sizeof usual / sizeof *usual);

		m->w = usual[i].w;
		m->h = usual[i].h;
	} else {
		m->w = 1 + (int)pick(m, 220);
		m->h = 1 + (int)pick(m, 70);
	}
	grid_free(m->g);
	m->g = grid_new(m->w, m->h, chance(m, 4));
}

/* Events that each view had, and its longest wait, in all scenarios. */
static struct { size_t events; double longest; } had[VIEW_COUNT];

/* The key of the view that had the fewest events. */
static int
rarest_view(void)
{
	enum view rarest = VIEW_START;
	char name[2] = "";

	for (int v = 0; v < VIEW_COUNT; v++)
		if (v != VIEW_START && (rarest == VIEW_START || had[v].events < had[rarest].events))
			rarest = (enum view)v;
	*name = *view_row(rarest)->key;
	return key_code(name);
}

static void
act(struct monkey *m)
{
	struct term_event e = {.key = TK_NONE};
	char what[48], name[KEY_NAME];
	double before;

	if (m->s.view.current < VIEW_COUNT)
		had[m->s.view.current].events++;
	if (chance(m, 14)) {
		resize(m);
		snprintf(what, sizeof what, "size %dx%d", m->w, m->h);
	} else if (chance(m, 200)) {
		paste(m);
		snprintf(what, sizeof what, "paste");
	} else if (chance(m, m->drags ? 2 : 6)) {
		e = random_click(m);
		snprintf(what, sizeof what, "mouse %d at %d,%d", e.button, e.x, e.y);
	} else {
		e.key = chance(m, 40) && state_scope(&m->s) ? rarest_view() : random_key(m);
		snprintf(what, sizeof what, "key %s (view %d pane %d popup %d)", key_name(e.key, name),
			(int)m->s.view.current, (int)state_pane(&m->s), (int)m->s.view.popup.kind);
	}
	note(m, what);
	before = clock_thread_seconds();
	if (e.key != TK_NONE)
		input_take(&m->s, &m->d, &e);
	m->wait += clock_thread_seconds() - before;
}

/* Carries out requests as the loop would, without a screen, a command or a file. */
static void
carry_out(struct monkey *m)
{
	struct state *s = &m->s;
	const struct request *r = requests_find(&s->requests, REQUEST_SEARCH);
	enum search_task search = r ? (enum search_task)r->number : SEARCH_NONE;
	bool stop = requests_find(&s->requests, REQUEST_STOP),
	     result = requests_find(&s->requests, REQUEST_RESULT) || requests_find(&s->requests, REQUEST_LOAD);

	requests_clear(&s->requests);
	if (stop && s->answers.search.task != SEARCH_NONE)
		state_search_ended(s);
	if (stop)
		state_revert(s);
	if (s->question.model && result && !chance(m, 6))
		stage_compute(s);
	if (search != SEARCH_NONE && s->answers.result && !s->answers.result->error && m->searches && chance(m, 3))
		stage_search(s, search);
	else if (search != SEARCH_NONE && s->answers.search.graph && chance(m, 2))
		state_search_began(s, search); /* and it never ends */
	if (s->answers.search.task == SEARCH_NONE && s->answers.result && !s->answers.result->error &&
		!state_stale(s) && chance(m, 12))
		stage_answer(s);
}

/* --- rules of every screen ----------------------------------------------------------------------------------- */

static bool
is_exponent(const char *at)
{
	return isdigit((unsigned char)at[0]) && at[1] == 'e' && (at[2] == '+' || at[2] == '-') &&
		isdigit((unsigned char)at[3]) && isdigit((unsigned char)at[4]);
}

static void
look(struct monkey *m)
{
	double before = clock_thread_seconds();
	struct str text = {0};

	state_timeline_show(&m->s);
	stage_look(&m->s, m->g, &m->d);
	m->wait += clock_thread_seconds() - before;
	if (m->wait > m->longest && !m->pastes) {
		m->longest = m->wait;
		snprintf(m->at_longest, sizeof m->at_longest, "%s",
			m->steps ? m->log[(m->steps - 1) % LOG] : "the first");
	}
	if (m->s.view.current < VIEW_COUNT && !m->pastes && m->wait > had[m->s.view.current].longest)
		had[m->s.view.current].longest = m->wait;
	m->wait = 0;
	m->pastes = false;
	grid_text(m->g, &text);
	for (const char *c = str_text(&text); *c; c++) {
		CHECK((unsigned char)*c >= 0x20 || *c == '\n');
		if (!is_exponent(c))
			continue;
		test_label("step %zu: %.24s", m->steps, c);
		test_check(false, __FILE__, __LINE__, "a number with an exponent");
	}
	for (int i = 0; i < m->d.n_hits; i++)
		CHECK(m->d.hit[i].r.w > 0 && m->d.hit[i].r.h > 0);
	CHECK(m->s.view.popup.cursor >= 0);
	str_free(&text);
}

/* The focused pane belongs to the view. */
static bool
is_sound(const struct state *s)
{
	if (s->view.current == VIEW_START)
		return (unsigned)s->view.start.focus < START_PANES;
	return s->view.current < VIEW_COUNT && state_pane(s) >= view_row(s->view.current)->first &&
		state_pane(s) < view_row(s->view.current)->end;
}

static void
print_events(const struct monkey *m, const char *name)
{
	printf("# scenario %s, step %zu; the last events:\n", name, m->steps);
	for (size_t i = m->steps > LOG ? m->steps - LOG : 0; i < m->steps; i++)
		printf("#   %s\n", m->log[i % LOG]);
}

static void
run(size_t at, uint64_t seed, size_t steps, double until)
{
	struct monkey m = {.random = seed + at, .w = 120, .h = 40};
	bool good = true;

	printf("# HECATE_SEED=%llu HECATE_MONKEY=%s\n", (unsigned long long)seed, scenario[at].name);
	fflush(stdout);
	scenario[at].open(&m);
	m.s.column = view_column;
	m.g = grid_new(m.w, m.h, false);
	if (m.s.question.model)
		stage_compute(&m.s);
	look(&m);
	while (good && (until > 0 ? clock_seconds() < until : m.steps < steps)) {
		act(&m);
		m.steps++;
		carry_out(&m);
		if (!chance(&m, 5)) /* several events may come between two drawings */
			look(&m);
		good = is_sound(&m.s);
		if (!CHECK(good))
			print_events(&m, scenario[at].name);
	}
	printf("# %zu events, the longest wait %.1f ms: %s\n", m.steps, m.longest * 1e3, m.at_longest);
	test_check(m.longest <= WAIT_MAX, __FILE__, __LINE__, "%s: an event took %.0f ms of processor time: %s",
		scenario[at].name, m.longest * 1e3, m.at_longest);
	stage_close(&m.s);
	grid_free(m.g);
}

static size_t
fewest_events(void)
{
	size_t fewest = SIZE_MAX;

	for (int v = 0; v < VIEW_COUNT; v++)
		if (v != VIEW_START && had[v].events < fewest)
			fewest = had[v].events;
	return fewest;
}

static void
anything_goes(void)
{
	const char *asked = getenv("HECATE_SEED"), *only = getenv("HECATE_MONKEY"), *slow = getenv("HECATE_SLOW"),
		   *limit = getenv("HECATE_SECONDS"), *events = getenv("HECATE_EVENTS");
	uint64_t seed = asked ? strtoull(asked, NULL, 10) : slow && *slow ? (uint64_t)time(NULL) : 1;
	size_t each_view = events ? strtoull(events, NULL, 10) : 0;
	double each = !events && slow && *slow ? (limit ? atof(limit) : 120) / (double)(only ? 1 : SCENARIOS) : 0;

	do {
		for (size_t i = 0; i < SCENARIOS; i++)
			if (!only || str_eq(only, scenario[i].name))
				run(i, seed, each_view ? 2000 : 300, each > 0 ? clock_seconds() + each : 0);
		seed += SCENARIOS;
		if (each_view)
			printf("# each view had %zu events or more\n", fewest_events());
	} while (!only && fewest_events() < each_view);
	for (int v = 0; v < VIEW_COUNT; v++)
		if (v != VIEW_START)
			printf("# view %s: %zu events, the longest wait %.1f ms\n", view_row((enum view)v)->tab,
				had[v].events, had[v].longest * 1e3);
	CHECK(only || fewest_events() > 30);
}

TEST_MAIN(CASE(anything_goes))
