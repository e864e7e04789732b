#include "stage.h"

#include <ctype.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "convert/fdl/fdl.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "core/trust/book.h"
#include "core/udd/model.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "draw/view/view_table.h"
#include "explorer/control/control.h"
#include "explorer/engine/engine.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_events.h"
#include "explorer/state/state_timeline.h"
#include "test.h"
#include "text/diag.h"
#include "work/diff/contest.h"
#include "work/files/data.h"
#include "work/files/texts.h"
#include "work/fit/fitting.h"
#include "work/run/counter_list.h"
#include "work/trust/known.h"

#define PATIENCE_SECONDS 120 /* for an answer of the engine on a busy machine */

/* A machine that is the same everywhere. */
void
stage_machine(struct doctor *d)
{
	static const struct doctor_item item[] = {
		{DOCTOR_GOOD, "software events", "12 of 12", "exact, not multiplexed", ""},
		{DOCTOR_PARTLY, "tracepoints", "1 899", "user side only", ""},
		{DOCTOR_PARTLY, "kernel side", "", "uid 1000, paranoid 2",
			"sudo hecate …, or sudo sysctl kernel.perf_event_paranoid=1"},
		{DOCTOR_BAD, DOCTOR_EXAMPLE, "", "PGF = Fu + Fk is not tested without the kernel side",
			"hecate check linux-page-faults --exact models/demo/page-faults.csv"},
		{DOCTOR_BAD, "core PMU", "", "hidden by the hypervisor", "KVM: -cpu host,pmu=on"},
	};

	*d = (struct doctor){.machine = "KVM guest · 4 CPUs · 3.8 GB · kernel 6.18 · uid 1000",
		.n = sizeof item / sizeof *item,
		.paranoid = 2};
	memcpy(d->item, item, sizeof item);
}

void
stage_models(struct state *s)
{
	static const struct {
		enum openable_kind kind;
		const char *name, *of, *verdict, *text, *when;
	} made[] = {
		{OPENABLE_SESSION, "gcc-28.hec", "linux_pagefault", "10 of 28", "28 observations", "today 14:02"},
		{OPENABLE_SESSION, "spec.hct", "linux-vm", NULL, "60 observations", "yesterday"},
		{OPENABLE_SESSION, "torn.hct", NULL, NULL, "is damaged: disk image is malformed", "2026-01-31"},
		{OPENABLE_MODEL, "haswell-mmu", NULL, NULL, "Intel Haswell data-side MMU", NULL},
		{OPENABLE_MODEL, "linux-page-faults", NULL, NULL, "page faults of Linux on x86", NULL},
		{OPENABLE_NETWORK, "linux-vm", NULL, NULL, "memory and files of Linux", NULL},
	};
	struct home *home = &s->data.home;

	openables_free(&home->of);
	home->of.n = home->of.cap = home->described = sizeof made / sizeof *made;
	home->of.item = mem_new_array(home->of.n, sizeof *home->of.item);
	for (size_t i = 0; i < home->of.n; i++)
		home->of.item[i] = (struct openable){.kind = made[i].kind,
			.name = mem_str(made[i].name),
			.of = made[i].of ? mem_str(made[i].of) : NULL,
			.verdict = made[i].verdict ? mem_str(made[i].verdict) : NULL,
			.infeasible = made[i].verdict ? 10 : 0,
			.text = mem_str(made[i].text),
			.when = made[i].when ? mem_str(made[i].when) : NULL,
			.time = made[i].when != NULL,
			.damaged = made[i].when && !made[i].of};
}

void
stage_open(struct state *s, const char *model, const char *features, const char *csv, bool exact)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct analysis_options how = analysis_options_default();
	struct diags d = {0};
	struct err e = {0};
	struct fset on;
	char *path = file_find(model, "models", MODEL_ENDINGS, &e);
	struct udd_model *m = model_read(path, &loader, &d);

	how.trust_zeros = true; /* tables of stages are made, so their zeros are known to be right */
	state_init(s);
	s->column = view_column;
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	stage_models(s);
	CHECK(udd_choose(m, NULL, features, NULL, &on, &e));
	state_set_model(s, &b, m, &how, &on);
	requests_clear(&s->requests);
	if (csv) {
		char *full = str_format("screens/expect/%s", csv);

		CHECK(chdir(getenv("HECATE_TESTS")) == 0);
		s->data.table = mem_new(sizeof *s->data.table);
		s->data.table[0] = data_read(full, exact, &e);
		s->data.n_tables = 1;
		s->data.name = mem_str(csv);
		CHECK(s->data.table[0]);
		free(full);
	}
	diags_free(&d);
	free(path);
}

/* Control of the last state with an engine; the engine is a process of its own. */
static struct {
	struct control control;
	struct state *s; /* NULL: none yet */
} desk;

static struct control *
control_of(struct state *s)
{
	struct doctor machine = s->data.machine;
	struct engine *engine;
	struct err e = {0};

	if (desk.s == s)
		return &desk.control;
	if (desk.s)
		control_close(&desk.control);
	fflush(stdout); /* the engine is a copy of this process */
	engine = engine_start(&e);
	if (!test_check(engine != NULL, __FILE__, __LINE__, "no engine: %s", e.what))
		exit(1);
	control_open(&desk.control, s, engine, 0);
	control_look(&desk.control, LOOK_ALL);
	s->data.machine = machine;
	state_set_known(s, NULL); /* books about the processor of the test's machine */
	stage_models(s);
	desk.s = s;
	return &desk.control;
}

void
stage_open_timeline(struct state *s, const char *net, const char *stack, const char *const *data)
{
	struct text net_text = {0}, stack_text = {0};
	struct diags d = {0};
	struct err e = {0};
	bool good;

	CHECK(chdir(getenv("HECATE_TESTS")) == 0);
	good = (!net || text_load(net, TEXT_NETWORK, &net_text, &e)) &&
		(!stack || text_load(stack, TEXT_STACK, &stack_text, &e));
	test_check(good, __FILE__, __LINE__, "%s", e.what);
	state_init(s);
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	state_open_timeline(s, net ? text_network(&net_text, &d) : NULL, &net_text,
		stack ? text_stack(&stack_text, &d) : NULL, &stack_text);
	for (size_t n = 0; data && data[n]; n++) {
		s->data.table = mem_resize(s->data.table, n + 1, sizeof(struct obs_table *));
		s->data.table[n] = data_read(data[n], false, &e);
		test_check(s->data.table[n] != NULL, __FILE__, __LINE__, "%s", e.what);
		s->data.n_tables = n + 1;
	}
	state_timeline_follow(s);
	diags_free(&d);
}

void
stage_trust(struct state *s, const char *events)
{
	static const struct trust_entry made[] = {
		{.letters = TRUST_BIT(INTERRUPTS) | TRUST_BIT(FAULTS) | TRUST_BIT(EXCEPTIONS) | TRUST_BIT(LAZY_FPU) |
				TRUST_BIT(OVERCOUNT),
			.verdict = TRUST_CORRECTABLE, .n_terms = 2,
			.term = {{TRUST_PER_INTERRUPT, 1, 1}, {TRUST_PER_RUN, 10, 12}}},
		{.letters = TRUST_BIT(UOPS), .verdict = TRUST_ELSE},
		{.verdict = TRUST_REPEATABLE},
	};
	struct trust_page *p = mem_new(sizeof *p);
	char **event = str_split(events, ',', &p->n);

	p->cpu = (struct trust_cpu){.name = mem_str("made"), .family = -1};
	p->entry = mem_new_array(p->n, sizeof *p->entry);
	for (size_t i = 0; i < p->n; i++) {
		p->entry[i] = made[i % (sizeof made / sizeof *made)];
		p->entry[i].event = mem_new(sizeof(char *));
		p->entry[i].event[0] = mem_str(event[i]);
		p->entry[i].n_events = 1;
		p->entry[i].note = i == 0 ? mem_str("Each interrupt adds one.") : NULL;
		p->entry[i].source = mem_str("made for a test");
	}
	str_split_free(event);
	state_set_known(s, trust_known_of(mem_new(sizeof(struct trust_book)), NULL, NULL));
	state_give_trust(s, p);
}

static const struct {
	const char *name, *unit;
	double a, ratio, noise; /* B is A times the ratio */
} quantity[] = {
	{"wall time", "s", 0.0392, 1.031, 0.02},
	{"processor time", "s", 0.0351, 1.034, 0.01},
	{"page-faults", "", 1200, 1.0004, 0.001},
	{"context-switches", "", 3, 1, 0.5},
	{"cpu-migrations", "", 0, 1, 0},
	{"task:wait_ns", "ns", 2.1e6, 1, 0.4},
};
enum { QUANTITIES = sizeof quantity / sizeof *quantity };

struct contest *
stage_contest(size_t runs, bool drawn, double drift)
{
	struct recorded_diff of = {.drawn = drawn};
	struct diff_table *t = &of.measured.table;
	uint64_t random = 7;

	t->n_runs = runs;
	t->is_b = mem_new_array(runs + 1, 1);
	t->quantity = mem_new_array(QUANTITIES, sizeof *t->quantity);
	t->n = QUANTITIES;
	for (size_t i = 0; i < runs; i++)
		t->is_b[i] = drawn ? (i % 4 == 1 || i % 4 == 2) != (i / 4 % 3 == 2) : i >= runs / 2;
	for (size_t k = 0; k < QUANTITIES; k++) {
		struct diff_quantity *q = &t->quantity[k];

		*q = (struct diff_quantity){.name = quantity[k].name, .unit = quantity[k].unit,
			.is_time = *quantity[k].unit != '\0', .value = mem_new_array(runs + 1, sizeof *q->value)};
		for (size_t i = 0; i < runs; i++) {
			double noise = ((double)random_below(&random, 2001) - 1000) / 1000 * quantity[k].noise;

			q->value[i] = quantity[k].a * (t->is_b[i] ? quantity[k].ratio : 1) * (1 + noise);
			q->value[i] *= k < 2 ? 1 + drift * (double)i / (double)runs : 1;
			if (i % 23 == 22 && (k == 0 || k == 5))
				q->value[i] += k == 0 ? 0.02 : 2e7;
			if (!*quantity[k].unit)
				q->value[i] = round(q->value[i]);
		}
	}
	of.side[0] = mem_str("./old 1000");
	of.side[1] = mem_str("./new 1000");
	of.measured.seconds = 0.08 * (double)runs;
	return contest_of_recorded(&of, &(struct diff_rule){.confidence = 0.99, .threshold = 0.01});
}

void
stage_close(struct state *s)
{
	if (desk.s == s) {
		control_close(&desk.control);
		desk.s = NULL;
	}
	state_free(s);
}

static bool
waits(const struct state *s)
{
	return s->answers.progress.busy || s->answers.search.task != SEARCH_NONE ||
		s->answers.asked.kind != DETAIL_NONE;
}

/* Carries out requests, and takes replies until none is expected. */
static void
carry_out(struct state *s)
{
	struct control *d = control_of(s);
	double until = clock_seconds() + PATIENCE_SECONDS;
	struct pollfd p[CONTROL_POLLS];

	control_carry_out(d);
	while (waits(s) && clock_seconds() < until) {
		control_poll(d, p);
		poll(p, CONTROL_POLLS, 100);
		control_listen(d);
	}
	test_check(!waits(s), __FILE__, __LINE__, "the engine did not answer in %d s", PATIENCE_SECONDS);
}

void
stage_compute(struct state *s)
{
	state_request(s, REQUEST_LOAD);
	state_request(s, REQUEST_RESULT);
	carry_out(s);
	if (s->answers.result)
		s->answers.result->seconds = 0.0021;
}

void
stage_answer(struct state *s)
{
	do
		carry_out(s);
	while (state_next_detail(s).kind != DETAIL_NONE);
}

void
stage_search(struct state *s, enum search_task task)
{
	requests_drop(&s->requests, REQUEST_SEARCH);
	requests_add(&s->requests, REQUEST_SEARCH, (size_t)task, NULL);
	carry_out(s);
}

/* A letter for each foreground role, in the order of enum role; a capital is bold. */
static const char role_letter[ROLE_COUNT + 1] = "tdfavibupqrsh??";

/* Background and attributes of a cell other than bold: the digit of stage.h. */
static unsigned
marks_of(const struct cell *c)
{
	return (c->bg == ROLE_SELECT ? 1u : 0) | (c->attr & CELL_UNDERLINE ? 2u : 0) |
		(c->attr & CELL_REVERSE ? 4u : 0) | (c->attr & CELL_DIM ? 8u : 0);
}

/* A blank shows its foreground role only if it is underlined or reversed; plain text is a blank, too. */
static char
letter_of(const struct cell *c)
{
	char letter = role_letter[c->fg];

	if (c->cp == ' ' && !(c->attr & (CELL_UNDERLINE | CELL_REVERSE)))
		return ' ';
	if (c->attr & CELL_BOLD)
		return (char)toupper(letter);
	return c->fg == ROLE_TEXT ? ' ' : letter;
}

static void
add_trimmed(struct str *out, const char *line)
{
	size_t n = strlen(line);

	while (n && line[n - 1] == ' ')
		n--;
	str_addn(out, line, n);
}

/* The rows of a grid that have more than plain text, each with the roles of its cells below their columns. */
static void
add_roles(struct str *out, const struct grid *g)
{
	char *letters = mem_new_array((size_t)g->w + 1, 1), *marks = mem_new_array((size_t)g->w + 1, 1);

	str_add(out, "roles\n");
	for (int y = 0; y < g->h; y++) {
		for (int x = 0; x < g->w; x++) {
			const struct cell *c = &g->cell[(size_t)y * (size_t)g->w + (size_t)x];
			unsigned m = marks_of(c);

			letters[x] = letter_of(c);
			marks[x] = m ? "0123456789abcdef"[m] : ' ';
		}
		if (letters[strspn(letters, " ")]) {
			str_addf(out, "%2d:", y);
			add_trimmed(out, letters);
			str_add(out, "\n");
		}
		if (marks[strspn(marks, " ")]) {
			str_addf(out, "%2d+", y);
			add_trimmed(out, marks);
			str_add(out, "\n");
		}
	}
	free(letters);
	free(marks);
}

static void
add_text(struct str *out, const struct grid *g)
{
	struct str text = {0};
	char **line;

	grid_text(g, &text);
	line = str_split(str_text(&text), '\n', NULL);
	for (size_t i = 0; line[i] && (*line[i] || line[i + 1]); i++) {
		add_trimmed(out, line[i]);
		str_add(out, "|\n");
	}
	str_split_free(line);
	str_free(&text);
}

static void
print_difference(const char *want, const char *got)
{
	char **old = str_split(want, '\n', NULL), **now = str_split(got, '\n', NULL);
	size_t i = 0;

	for (; old[i] && now[i]; i++)
		if (!str_eq(old[i], now[i]))
			printf("# line %zu\n# want %s\n# got  %s\n", i + 1, old[i], now[i]);
	for (size_t k = i; old[k]; k++)
		printf("# line %zu\n# want %s\n", k + 1, old[k]);
	for (size_t k = i; now[k]; k++)
		printf("# line %zu\n# got  %s\n", k + 1, now[k]);
	str_split_free(now);
	str_split_free(old);
}

char *
stage_text(const struct grid *g)
{
	struct str out = {0};

	add_text(&out, g);
	add_roles(&out, g);
	return str_take(&out);
}

void
stage_compare(const struct state *s, const char *name, int w, int h, bool ascii)
{
	struct grid *g = grid_new(w, h, ascii);
	struct drawn drawn;
	char path[128], *got, *want;

	draw_screen(s, g, &drawn);
	got = stage_text(g);
	snprintf(path, sizeof path, "screens/expect/%s-%dx%d%s.txt", name, w, h, ascii ? "-ascii" : "");
	test_label("%s", path);
	if (getenv("HECATE_UPDATE")) {
		char *full = str_format("%s/%s", getenv("HECATE_TESTS"), path);
		FILE *f = fopen(full, "w");

		fputs(got, f);
		fclose(f);
		free(full);
	} else if ((want = test_read(path, NULL))) {
		if (!CHECK(str_eq(want, got)))
			print_difference(want, got);
		free(want);
	}
	free(got);
	grid_free(g);
}

void
stage_every_size(const struct state *s, const char *name)
{
	static const struct {
		int w, h;
	} size[] = {{200, 60}, {120, 40}, {80, 24}, {60, 20}, {40, 10}, {38, 5}, {19, 2}};

	for (size_t i = 0; i < sizeof size / sizeof *size; i++)
		stage_compare(s, name, size[i].w, size[i].h, false);
	stage_compare(s, name, 80, 24, true);
}

void
stage_look(struct state *s, struct grid *g, struct drawn *kept)
{
	struct drawn drawn;

	draw_screen(s, g, &drawn);
	*kept = drawn;
	s->layout = &kept->layout;
}

void
stage_show(struct state *s, int w, int h)
{
	static struct drawn kept;
	struct grid *g = grid_new(w, h, false);

	stage_look(s, g, &kept);
	grid_free(g);
}

void
stage_press(struct state *s, enum action a, int times)
{
	while (times--)
		state_act(s, a);
}

static void
column_is_lost(void *of, const char *name)
{
	(void)of;
	test_check(false, __FILE__, __LINE__, "no column %s", name);
}

void
stage_arrange(struct state *s, const char *text)
{
	s->column = view_column;
	state_columns_read(s, text, column_is_lost, NULL);
}

void
stage_fit(struct state *s, const char *event)
{
	struct counter_list *list = mem_new(sizeof *list);
	struct pollfd p;

	counter_list_add(list, event, event);
	fitting_ask(state_fitting(s), list, NULL, false);
	counter_list_free(list);
	for (p = (struct pollfd){fitting_fd(s->view.events.fitting), POLLIN, 0}; p.fd >= 0;
		p.fd = fitting_fd(s->view.events.fitting)) {
		if (!CHECK_INT(poll(&p, 1, 60000), 1))
			return;
		fitting_poll(s->view.events.fitting);
	}
}
