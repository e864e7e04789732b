/* The hot instructions of view 6 on cells: the list, its sum, the numbers of one, and who has none. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "draw/stack_bars.h"
#include "draw/view/stalls/stalls.h"
#include "draw/view/view.h"
#include "explorer/state/state.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_timeline.h"
#include "stage.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/instruction_run.h"
#include "work/files/texts.h"
#include "work/timeline/timeline.h"

#define SIMULATION "sim:core:made-like"

static struct stack *
load(const char *name, struct text *t)
{
	struct diags d = {0};
	struct err e = {0};
	struct stack *k = text_load(name, TEXT_STACK, t, &e) ? text_stack(t, &d) : NULL;

	test_check(k != NULL, __FILE__, __LINE__, "%s: %s", name, e.what);
	diags_free(&d);
	return k;
}

/* A bar of one observation, which came from `source`. */
static void
open_bar(struct state *s, const char *source)
{
	static const char *const column[] = {"cycles", "instructions", "tea.branch", "tea.l1i", "tea.l2i", "tea.l3i",
		"tea.itlb", "tea.l1d", "tea.l2d", "tea.l3d", "tea.dtlb", "tea.unit"};
	static const int64_t count[] = {900000, 400000, 60000, 20000, 0, 0, 0, 50000, 420000, 0, 40000, 10000};
	struct text t = {0};
	struct stack *k;
	struct obs *o;

	state_init(s);
	stage_machine(&s->data.machine);
	s->view.frame.program = "hecate 0.0";
	k = load("tea", &t);
	state_open_timeline(s, NULL, &(struct text){0}, k, &t);
	s->data.table = mem_new_array(1, sizeof *s->data.table);
	s->data.table[0] = obs_table_new(column, sizeof column / sizeof *column);
	s->data.n_tables = 1;
	o = obs_table_add(s->data.table[0], "made-like", source);
	o->exact = true;
	obs_add_row(o, count, NULL, 0.001);
	state_timeline_follow(s);
}

/* Forty instructions, each with less than the one before; sums are those of the items. */
static struct instruction_stacks *
made_stacks(void)
{
	static const char *const text[] = {
		"load r9 ← [r9]", "branch if r4, r7", "store r24 → [r2, r3]", "multiply f2 ← f0, f1"};
	static const struct {
		size_t part;
		double share;
	} has[4][3] = {{{7, 0.85}, {9, 0.1}, {0, 0.05}}, {{1, 0.7}, {2, 0.1}, {0, 0.2}}, {{6, 0.5}, {0, 0.5}, {0, 0}},
		{{10, 0.25}, {0, 0.75}, {0, 0}}};
	struct instruction_stacks *s = instruction_stacks_empty();

	s->machine = mem_str("core");
	s->program = mem_str("made-like");
	s->title = mem_str(SIMULATION);
	s->n = 40;
	s->item = mem_new_array(s->n, sizeof *s->item);
	for (size_t i = 0; i < s->n; i++) {
		struct instruction_stack *it = &s->item[i];

		*it = (struct instruction_stack){.address = 0x400000 + 4 * (i * 29 % 64), .text = mem_str(text[i % 4]),
			.uops = 12000 - 200 * i, .part = mem_new_array(s->n_parts, sizeof *it->part)};
		for (size_t k = 0; k < 3; k++) {
			double cycles = has[i % 4][k].share * (200000 / (double)(i + 1));

			it->part[has[i % 4][k].part] += cycles;
			it->cycles += cycles;
		}
		for (size_t k = 0; k < s->n_parts; k++)
			s->part[k] += it->part[k];
		s->uops += it->uops;
	}
	for (size_t k = 0; k < s->n_parts; k++)
		s->cycles += (uint64_t)s->part[k];
	return s;
}

static void
instructions_of_a_program(void)
{
	struct state s;
	const struct request *r;

	open_bar(&s, SIMULATION);
	stage_compare(&s, "instructions-footer", 80, 24, false);
	state_act(&s, ACTION_instructions);
	CHECK_INT(s.view.popup.kind, POPUP_INSTRUCTIONS);
	r = requests_find(&s.requests, REQUEST_INSTRUCTIONS);
	if (CHECK(r != NULL))
		CHECK_STR(r->text, SIMULATION);
	stage_compare(&s, "instructions-waiting", 80, 24, false);
	requests_clear(&s.requests);
	state_set_instructions(&s, instruction_run_done(SIMULATION, made_stacks()));
	stage_show(&s, 80, 24);
	state_act(&s, ACTION_down);
	stage_every_size(&s, "instructions");
	state_act(&s, ACTION_last);
	CHECK_INT(s.view.popup.cursor, 39);
	state_act(&s, ACTION_down);
	CHECK_INT(s.view.popup.cursor, 39);
	stage_compare(&s, "instructions-last", 80, 24, false);
	stage_show(&s, 80, 24);
	state_act(&s, ACTION_page_up); /* a page is what the list shows, but for one row */
	CHECK(s.view.popup.cursor > 25 && s.view.popup.cursor < 39);
	state_act(&s, ACTION_back);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK(state_instructions(&s) != NULL); /* kept for the next look */
	stage_close(&s);
}

/* Recorded counts: the key says why there are none, and the footer does not offer it. */
static void
recorded_counts_have_none(void)
{
	struct state s;

	open_bar(&s, "perf.csv");
	state_act(&s, ACTION_instructions);
	CHECK_INT(s.view.popup.kind, POPUP_NONE);
	CHECK(!requests_find(&s.requests, REQUEST_INSTRUCTIONS));
	CHECK(strstr(s.view.message.text, "recorded counts have no instructions"));
	CHECK(strstr(s.view.message.text, "hecate sim:core:mcf-like"));
	stage_compare(&s, "instructions-none", 80, 24, false);
	stage_close(&s);
}

/* Keys, roles and fills are those of the stacks that are open beside it. */
static void
parts_look_as_in_stacks(void)
{
	static const char *const name[] = {"tea", "fmt", "sfmt", "power5", "naive", "truth"};
	struct instruction_stacks *s = instruction_stacks_empty();

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		struct text t = {0};
		struct stack *k = load(name[i], &t);
		size_t same = 0;

		for (size_t p = 0; k && p < k->n_parts; p++)
			for (size_t x = 0; x < s->n_parts; x++) {
				struct draw_part look = instruction_part_look(x);

				if (strcmp(k->part[p].name, s->name[x]) != 0)
					continue;
				test_check(look.key == stack_key(k, p) && look.fg == stack_role(k, p) &&
						look.fill == stack_fill(k, p),
					__FILE__, __LINE__, "%s looks other than in %s", s->name[x], name[i]);
				same++;
			}
		CHECK(same >= 8);
		stack_free(k);
		text_free(&t);
	}
	instruction_stacks_free(s);
}

TEST_MAIN(CASE(instructions_of_a_program), CASE(recorded_counts_have_none), CASE(parts_look_as_in_stacks))
