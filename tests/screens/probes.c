/* View 9 on cells: made curves of each kind of answer, two machines, a run that grows, every pane, popup and size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/probe/probe.h"
#include "core/stack/stack.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_views.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "ui/input.h"
#include "ui/term.h"
#include "work/probe/probe_book.h"
#include "work/slices/sliced.h"

static const struct {
	const char *name, *group, *items;
} made[] = {
	{"l1_size", "capacity", "knee 4k .. 96k step 4k; footprint; unit \"bytes\"; parameter l1;"},
	{"l2_size", "capacity", "knee 64k .. 4M doubling; footprint; unit \"bytes\";"},
	{"rob", "window", "knee 16 .. 640 step 8; block; fill nop; counts 2; unit \"entries\"; parameter rob; "
		"says \"from a load that missed to the youngest that can be dispatched\";"},
	{"load_queue", "window", "knee 4 .. 200 step 4; block; fill load, fload; counts 2; unit \"entries\";"},
	{"fmul_latency", "ports and latency", "slope 8 .. 72 step 4; fill fmul chained; unit \"cycles\";"},
	{"load_pipes", "ports and latency", "rate 32 .. 512 step 16; fill load stride 8; unit \"per cycle\";"},
	{"fma_split", "folding", "ratio 8 .. 72 step 4; fill fma chained; against fmul, fadd chained; unit \"times\";"},
	{"store_queue", "", "knee 4 .. 200 step 4; block; fill store; unit \"entries\";"},
};

static struct probe *
probe_of(size_t i)
{
	struct diags d = {0};
	char *text = str_format("probe %s \"what %s is made for\" { %s%s%s %s }", made[i].name, made[i].name,
		*made[i].group ? "group \"" : "", made[i].group, *made[i].group ? "\";" : "", made[i].items);
	struct probe *p = probe_parse(mem_str(made[i].name), text, strlen(text), &d);
	struct str said = {0};

	diags_print(&d, "", &said);
	test_check(p != NULL, __FILE__, __LINE__, "%s", str_text(&said));
	str_free(&said);
	diags_free(&d);
	return p;
}

/* The value of a curve: a step at `at`, or a line. The noise is a fixed sequence. */
static double
value_at(const struct probe *p, double x, double at, size_t i)
{
	double noise = (double)(i * 7 % 5) - 2;

	switch (p->value) {
	case PROBE_KNEE:
		return (p->footprint ? (x <= at ? 4 : 12) : (x <= at ? 210 : 400)) * (1 + 0.003 * noise);
	case PROBE_SLOPE:
		return 4 * x;
	case PROBE_RATE:
		return 10 + x / 3;
	case PROBE_LEVEL:
	case PROBE_RATIO:
		break;
	}
	return 2;
}

/* Measures the first `points` of a curve whose knee is at `at`; `spread`: range of the repetitions, as a share. */
static struct probe_measured *
grow(struct probe_book *b, const char *machine, const char *probe, double at, double spread, size_t points)
{
	const struct probe *p = b->entry[probe_book_find(b, probe)].probe;
	struct probe_measured *m = probe_book_begin(b, machine, probe);

	for (uint64_t x = p->first; x <= p->last && m->curve.n < points; x = probe_next_x(p, x)) {
		double y = value_at(p, (double)x, at, m->curve.n);

		probe_book_point(m, m->curve.n, &(struct curve_point){.x = (double)x, .min = y * (1 - spread / 2),
			.mean = y, .max = y * (1 + spread / 2)});
	}
	return m;
}

static void
measure(struct probe_book *b, const char *machine, const char *probe, double at, double spread)
{
	probe_book_end(b, grow(b, machine, probe, at, spread, SIZE_MAX), true);
}

static void
know(struct probe_book *b, const char *probe, double low, double high)
{
	struct expected *known = &b->entry[probe_book_find(b, probe)].known;

	*known = (struct expected){.low = low, .high = high, .doubtful = low != high};
}

static struct probe_book *
made_book(void)
{
	struct probe_book *b = probe_book_new();

	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		probe_book_add(b, probe_of(i));
	probe_book_choose(b, "native", "sim:core");
	know(b, "rob", 512, 512);
	know(b, "l1_size", 32 * 1024, 32 * 1024);
	know(b, "l2_size", 1280 * 1024, 2 << 20);
	know(b, "load_queue", 72, 116);
	know(b, "store_queue", 100000, 120000);
	know(b, "fmul_latency", 3, 4);
	know(b, "load_pipes", 1, 2);
	return b;
}

static void
open_book(struct state *s, bool measured)
{
	struct probe_book *b = made_book();

	state_init(s);
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	if (measured) {
		measure(b, "native", "l1_size", 49152, 0.02);
		measure(b, "native", "rob", 496, 0.02);
		measure(b, "native", "load_queue", 1000, 0);
		measure(b, "native", "fmul_latency", 0, 0.3);
		measure(b, "native", "load_pipes", 0, 0);
		measure(b, "native", "fma_split", 0, 0);
		measure(b, "sim:core", "rob", 126, 0);
	}
	state_set_probes(s, b);
	state_show_view(s, VIEW_PROBES);
	requests_clear(&s->requests);
}

static void
point_at(struct state *s, const char *probe)
{
	state_choose(s, PANE_PROBES, (int)probe_book_find(s->data.probes, probe));
}

static void
measured_probes(void)
{
	struct state s;

	open_book(&s, true);
	point_at(&s, "rob");
	stage_every_size(&s, "probes");
	s.view.probes.beside = true;
	stage_compare(&s, "probes-beside", 120, 40, false);
	stage_compare(&s, "probes-beside", 80, 24, true);
	s.view.probes.log_x = true;
	stage_compare(&s, "probes-log", 80, 24, false);
	stage_arrange(&s, "probes known probe -trust found");
	stage_compare(&s, "columns-probes", 80, 24, false);
	stage_compare(&s, "columns-probes", 120, 40, false);
	stage_arrange(&s, "probes");
	measure(s.data.probes, "sim:core", "store_queue", 50, 0);
	point_at(&s, "store_queue");
	stage_compare(&s, "probes-narrow", 80, 24, false);
	state_free(&s);
}

/* Each kind of answer in words. */
static void
every_answer(void)
{
	struct state s;

	open_book(&s, true);
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		char *name = str_format("probes-%s", made[i].name);

		point_at(&s, made[i].name);
		if (!str_eq(made[i].name, "rob"))
			stage_compare(&s, name, 80, 24, false);
		free(name);
	}
	state_free(&s);
}

static void
panes_and_popups(void)
{
	struct state s;

	open_book(&s, true);
	point_at(&s, "rob");
	stage_show(&s, 80, 24);
	state_act(&s, ACTION_whence);
	stage_compare(&s, "probes-whence", 80, 24, false);
	state_act(&s, ACTION_back);
	state_act(&s, ACTION_help);
	stage_compare(&s, "probes-help", 120, 40, false);
	state_act(&s, ACTION_back);
	stage_show(&s, 40, 10);
	state_act(&s, ACTION_pane_next);
	stage_compare(&s, "probes-curve", 40, 10, false);
	state_act(&s, ACTION_pane_next);
	stage_compare(&s, "probes-meaning", 40, 10, false);
	state_free(&s);
}

/* A curve that was stopped, and one that still grows: nothing is said of it, and its axes do not move. */
static void
half_measured(void)
{
	struct state s;

	open_book(&s, false);
	probe_book_end(s.data.probes, grow(s.data.probes, "native", "rob", 496, 0, 30), false);
	grow(s.data.probes, "native", "l1_size", 49152, 0, 6);
	point_at(&s, "rob");
	stage_compare(&s, "probes-stopped", 80, 24, false);
	point_at(&s, "l1_size");
	stage_compare(&s, "probes-growing", 80, 24, false);
	state_free(&s);
}

/* A lower bound: by then what another probe measures is full, too. */
static void
hidden_by_another(void)
{
	static const char text[] = "probe int_registers \"registers for results\" { group \"window\"; "
				   "knee 16 .. 640 step 8; block; fill add; counts 2; unit \"entries\"; "
				   "parameter int_registers; }";
	struct diags d = {0};
	struct state s;

	open_book(&s, true);
	probe_book_add(s.data.probes, probe_parse(mem_str("int_registers"), mem_str(text), strlen(text), &d));
	measure(s.data.probes, "native", "int_registers", 496, 0.02);
	know(s.data.probes, "int_registers", 600, 600);
	point_at(&s, "int_registers");
	stage_compare(&s, "probes-hidden", 80, 24, false);
	stage_compare(&s, "probes-hidden", 120, 40, false);
	measure(s.data.probes, "native", "int_registers", 400, 0.02); /* less than the reorder buffer holds */
	CHECK(isfinite(state_probe_curve(&s, false)->answer.high));
	diags_free(&d);
	state_free(&s);
}

/* A probe that needs a processor itself, where the machine is simulated: it is not counted, nothing asks for it, and
 * its curve says why there is none. Elsewhere it is as any other. */
static void
native_alone(void)
{
	static const char text[] = "probe prefetch_reach \"what is read ahead\" { group \"capacity\"; "
				   "native; knee 64 .. 64k doubling; footprint sequential stride x; "
				   "unit \"bytes\"; }";
	struct diags d = {0};
	struct state s;

	open_book(&s, true);
	probe_book_add(s.data.probes, probe_parse(mem_str("prefetch_reach"), mem_str(text), strlen(text), &d));
	CHECK_INT(probe_book_count(s.data.probes, "native"), sizeof made / sizeof *made + 1);
	probe_book_choose(s.data.probes, "sim:core", "native");
	CHECK_INT(probe_book_count(s.data.probes, "sim:core"), sizeof made / sizeof *made);
	point_at(&s, "prefetch_reach");
	state_act(&s, ACTION_probe_run);
	CHECK(!requests_find(&s.requests, REQUEST_PROBE));
	stage_compare(&s, "probes-native", 80, 24, false);
	probe_book_choose(s.data.probes, "native", "sim:core");
	state_act(&s, ACTION_probe_run);
	CHECK(requests_find(&s.requests, REQUEST_PROBE) != NULL);
	diags_free(&d);
	state_free(&s);
}

/* No probe at all; and a curve of one that is not installed. */
static void
nothing_there(void)
{
	struct probe_measured *m;
	struct state s;

	state_init(&s);
	stage_machine(&s.data.machine);
	state_set_probes(&s, probe_book_new());
	state_show_view(&s, VIEW_PROBES);
	stage_compare(&s, "probes-none", 80, 24, false);
	m = probe_book_begin(s.data.probes, "board", "unheard_of");
	for (size_t i = 0; i < 40; i++) {
		double y = i < 20 ? 10 : 30;

		probe_book_point(m, i, &(struct curve_point){.x = (double)i, .min = y, .mean = y, .max = y});
	}
	probe_book_end(s.data.probes, m, true);
	probe_book_choose(s.data.probes, "board", NULL);
	stage_compare(&s, "probes-unknown", 80, 24, false);
	state_free(&s);
}

/* A click on a row chooses it; a double click asks for its curve. */
static void
clicks(void)
{
	struct state s;
	struct grid *g = grid_new(80, 24, false);
	struct drawn d;

	open_book(&s, true);
	stage_look(&s, g, &d);
	for (size_t entry = 0; entry < s.data.probes->n; entry++) {
		struct term_event e = {.key = TK_MOUSE, .button = MOUSE_PRESS, .x = 5};
		const struct hit *row = NULL;

		for (int i = 0; i < d.n_hits; i++)
			if (d.hit[i].kind == HIT_ROW && d.hit[i].row == (int)entry)
				row = &d.hit[i];
		if (!CHECK(row != NULL))
			continue;
		e.y = row->r.y;
		input_take(&s, &d, &e);
		CHECK_INT(s.view.probes.chosen, entry);
		CHECK(!requests_find(&s.requests, REQUEST_PROBE));
		e.button = MOUSE_DOUBLE;
		input_take(&s, &d, &e);
		if (CHECK(requests_find(&s.requests, REQUEST_PROBE) != NULL))
			CHECK_STR(requests_find(&s.requests, REQUEST_PROBE)->text, s.data.probes->entry[entry].name);
		requests_clear(&s.requests);
	}
	grid_free(g);
	state_free(&s);
}

/* Ten slices of each of four programs: two wait for memory, one for long operations, one for instructions. */
static struct sliced *
made_slices(void)
{
	static const char *const column[] = {"r", "s", "f", "m", "e", "d"};
	static const char text[] =
		"stack made per core;\n"
		"counter r = \"r\" per core unit slots; counter s = \"s\" per core unit slots;\n"
		"counter f = \"f\" per core unit slots; counter m = \"m\" per core unit slots;\n"
		"counter e = \"e\" per core unit slots; counter d = \"d\" per core unit slots;\n"
		"whole slots = r + s + f + m + e + d;\n"
		"part retiring key \"R\" = r; part bad_speculation key \"S\" = s; part front_end key \"F\" = f;\n"
		"part back_end key \"B\" = m + e + d { part LoadMemBound key \"M\" = m; "
		"part FVLongExecute key \"e\" = e; part InstNotReady key \"a\" = d; }\n";
	static const struct {
		const char *name;
		int64_t count[6];
	} program[] = {{"mcf-like", {80, 40, 20, 820, 20, 20}}, {"art-like", {90, 30, 30, 800, 30, 20}},
		{"ammp-like", {300, 10, 20, 30, 620, 20}}, {"crafty-like", {300, 180, 480, 10, 10, 20}}};
	struct sliced *x = mem_new(sizeof *x);
	struct obs_table *t = obs_table_new(column, 6);
	struct diags d = {0};
	struct err e = {0};

	x->of = mem_str("sim:core");
	x->stack = stack_parse(mem_str("made.stack"), mem_str(text), strlen(text), &d);
	slices_init(&x->slices, x->stack);
	for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
		struct obs *o = obs_table_add(t, program[i].name, "made");

		for (size_t k = 0; k < 10; k++) {
			int64_t count[6];

			for (size_t c = 0; c < 6; c++)
				count[c] = program[i].count[c] + (int64_t)((k * 7 + c * 3) % 5);
			obs_add_row(o, count, NULL, (double)k);
		}
	}
	CHECK(slices_add(&x->slices, t, NULL, &e));
	x->skp = skp_new(&x->slices, &(struct skp_how){.eps = -1}, &e);
	test_check(x->skp != NULL, __FILE__, __LINE__, "%s", e.what);
	obs_table_free(t);
	diags_free(&d);
	return x;
}

/* A probe that is measured anew keeps what it found before. */
static void
measured_anew(void)
{
	struct state s;
	const struct probe_measured *m;

	open_book(&s, true);
	measure(s.data.probes, "native", "rob", 480, 0.02);
	probe_book_end(s.data.probes, grow(s.data.probes, "native", "rob", 496, 0, 3), false); /* it finds nothing */
	measure(s.data.probes, "native", "rob", 496, 0.02);
	m = probe_book_curve(s.data.probes, "native", "rob");
	if (CHECK_INT(m->curve.n_notes, 1))
		CHECK_STR(m->curve.note[0], "found before: 498, 482");
	state_free(&s);
}

static void
slices_of_programs(void)
{
	struct state s;

	open_book(&s, true);
	state_act(&s, ACTION_slices);
	CHECK(requests_find(&s.requests, REQUEST_SLICES) != NULL);
	stage_compare(&s, "slices-waiting", 80, 24, false);
	state_set_sliced(&s, made_slices());
	stage_compare(&s, "slices", 80, 24, false);
	stage_compare(&s, "slices", 120, 40, true);
	stage_compare(&s, "slices", 40, 10, false);
	stage_show(&s, 40, 10);
	state_act(&s, ACTION_last);
	stage_compare(&s, "slices-end", 40, 10, false);
	state_act(&s, ACTION_right);
	stage_compare(&s, "slices-second", 200, 60, false);
	state_act(&s, ACTION_left);
	state_act(&s, ACTION_left);
	stage_compare(&s, "slices-next", 80, 24, false);
	requests_clear(&s.requests);
	state_act(&s, ACTION_write_map);
	CHECK(requests_find(&s.requests, REQUEST_PICTURE) != NULL);
	state_act(&s, ACTION_back);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	state_free(&s);
}

/* Every step through the list keeps cursor and choice together, at any size. */
static void
walks(void)
{
	struct state s;

	open_book(&s, true);
	for (int w = 20; w <= 140; w += 40)
		for (int i = 0; i < 20; i++) {
			stage_show(&s, w, 3 + i);
			state_act(&s, i % 3 ? ACTION_down : ACTION_observe_next);
			CHECK_INT(s.view.cursor[PANE_PROBES], s.view.probes.chosen);
		}
	state_free(&s);
}

TEST_MAIN(CASE(measured_probes), CASE(every_answer), CASE(panes_and_popups), CASE(half_measured),
	CASE(hidden_by_another), CASE(native_alone), CASE(nothing_there), CASE(clicks), CASE(slices_of_programs),
	CASE(measured_anew), CASE(walks))
