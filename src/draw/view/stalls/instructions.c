/* The popup of hot instructions: where the cycles of each instruction of a simulated program go.
 *
 *     address    cycles %   µops  0                   8.7 %  instruction
 *    ▸0x400048        8.7  22 584  D▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒T░░░  load r9 ← [r9]
 *     0x40150c        4.4   9 524  D▒▒▒▒▒▒▒▒▒               load r9 ← [r9]
 *     all           100.0  3.00 M  B███D▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  of all instructions
 *
 * Bars are to the scale of the hottest instruction; the last one is a whole of its own. Below are the numbers of the
 * instruction under the cursor, and those of the program. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "draw/view/stalls/stalls.h"
#include "draw/view/view_list.h"
#include "draw/view/view_page.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_instructions.h"
#include "work/files/instruction_run.h"

enum { WIDEST = 150, HIGHEST = 56, WAITING_ROWS = 10, BAR_LEAST = 10, TEXT_W = 24, WIDE_TEXT_W = 30, WIDE = 110,
	ROWS_LEAST = 3, NAME_W = 7, GAP = 2 };

/* Keys, roles and fills as the stacks of a simulated core have them: the base is the rest, and the parts follow in the
 * same order. */
static const char keys[] = "BbiIJt1D3Tu";

struct draw_part
instruction_part_look(size_t part)
{
	static const enum role hue[] = {ROLE_PATH1, ROLE_PATH2, ROLE_PATH3, ROLE_PATH4};

	return (struct draw_part){.fg = part ? hue[(part - 1) % 4] : ROLE_DIM, .fill = part & 3,
		.key = part < sizeof keys - 1 ? keys[part] : ' '};
}

enum { ADDRESS, SHARE, UOPS, BAR, INSTRUCTION, COLUMNS };

static const struct column instruction_columns[COLUMNS] = {
	[ADDRESS] = {.head = "address", .gap = 1},
	[SHARE] = {.head = "cycles %", .width = 10, .right = true},
	[UOPS] = {.head = "µops", .width = 9, .right = true},
	[BAR] = {.head = "0", .gap = 2},
	[INSTRUCTION] = {.head = "instruction", .gap = 2, .rest = true},
};

/* The bar has what the others leave; without enough room, it goes with the µops. */
static void
instructions_fit_columns(struct list *list, int w)
{
	const struct instruction_stacks *of = list->of;
	struct column *column = list->column;
	uint64_t highest = 0;

	for (size_t i = 0; i < of->n; i++)
		highest = of->item[i].address > highest ? of->item[i].address : highest;
	column[ADDRESS].width = snprintf(NULL, 0, "%#" PRIx64, highest);
	column[BAR].width = w - 24 - column[ADDRESS].width - (w >= WIDE ? WIDE_TEXT_W : TEXT_W);
	if (column[BAR].width < BAR_LEAST)
		column[UOPS].width = column[BAR].width = 0;
}

/* An instruction; the one after the last is the program. */
static void
instructions_draw_row(struct list_row *row)
{
	const struct instruction_stacks *of = row->list->of;
	const struct instruction_stack all = {.uops = of->uops, .cycles = (double)of->cycles, .part = of->part},
				       *it = row->item < of->n ? &of->item[row->item] : &all;
	struct draw_part *part = mem_new_array(of->n_parts, sizeof *part);
	char number[NUMBER_TEXT];
	struct rect at;

	snprintf(number, sizeof number, it == &all ? "all" : "%#" PRIx64, it->address);
	list_text(row, ADDRESS, ROLE_TEXT, number);
	list_text(row, SHARE, ROLE_TEXT, number_share(number, of->cycles ? it->cycles / (double)of->cycles : 0));
	list_text(row, UOPS, ROLE_TEXT, number_count(number, (double)it->uops, row->pen.grid->ascii));
	for (size_t k = 0; k < of->n_parts; k++) {
		part[k] = instruction_part_look(k);
		part[k].amount = it->part[k];
	}
	if (list_cell(row, BAR, ROLE_TEXT, &at))
		draw_stack(&row->pen, at.x, at.y, at.w, part, of->n_parts,
			it == &all ? all.cycles : of->item[0].cycles);
	if (list_cell(row, INSTRUCTION, ROLE_TEXT, &at) && it->text)
		pen_fit(&row->pen, at.x, at.y, at.w + 1, it->text); /* up to the edge of the popup */
	free(part);
}

/* Below the list: the parts of one instruction, those that the program has, and their sum. */
struct numbers {
	int own_w, all_w, cell_w, across, rows;
};

/* "D▒▒ l2d    939 612 of 10 145 230" */
static void
draw_cell(struct grid *grid, struct rect r, const char *name, const struct draw_part *look, double own, double all,
	const struct numbers *numbers)
{
	struct pen p = pen_on(grid, r, ROLE_TEXT);
	char number[NUMBER_TEXT];
	int x = r.x + 4 + NAME_W + numbers->own_w;

	if (look) {
		struct draw_part one = *look;

		one.amount = 1;
		draw_stack(&p, r.x, r.y, 3, &one, 1, 1);
	}
	pen_text(&p, r.x + 4, r.y, name);
	pen_right(&p, x, r.y, number_exact(number, llround(own), false, grid->ascii));
	p.fg = ROLE_DIM;
	x += pen_text(&p, x, r.y, " of ");
	pen_right(&p, x + numbers->all_w, r.y, number_exact(number, llround(all), false, grid->ascii));
}

static struct numbers
numbers_of(const struct instruction_stacks *stacks, struct grid *grid, int w)
{
	struct pen p = pen_on(grid, (struct rect){0, 0, grid->w, grid->h}, ROLE_TEXT);
	char number[NUMBER_TEXT];
	struct numbers n = {.rows = 2};
	int cells = 1;

	n.own_w = pen_columns(&p, number_exact(number, llround(stacks->item[0].cycles), false, grid->ascii));
	n.all_w = pen_columns(&p, number_exact(number, (long long)stacks->cycles, false, grid->ascii));
	for (size_t k = 0; k < stacks->n_parts; k++)
		cells += stacks->part[k] > 0;
	n.cell_w = 4 + NAME_W + n.own_w + 4 + n.all_w + GAP;
	n.across = (w + GAP - 2) / n.cell_w > 1 ? (w + GAP - 2) / n.cell_w : 1;
	n.rows += (cells + n.across - 1) / n.across;
	return n;
}

static void
instructions_draw_numbers(const struct instruction_stacks *stacks, const struct instruction_stack *stack,
	struct grid *grid, struct rect r, const struct numbers *numbers)
{
	struct line l = line_on(grid, r, 1);
	char number[NUMBER_TEXT];
	int at = 0;

	line_add(&l, ROLE_TEXT, CELL_BOLD, "%#" PRIx64 "  %s", stack->address, stack->text);
	line_gap(&l, 2);
	if (stack->uops)
		line_add(&l, ROLE_DIM, 0, "%s cycles per µop",
			number_digits(number, stack->cycles / (double)stack->uops, 3, grid->ascii));
	for (size_t k = 0; k <= stacks->n_parts; k++) {
		bool sum = k == stacks->n_parts;
		struct rect cell = {r.x + 1 + at % numbers->across * numbers->cell_w, r.y + 2 + at / numbers->across,
			numbers->cell_w, 1};
		struct draw_part look = instruction_part_look(k);

		if (!sum && !(stacks->part[k] > 0))
			continue;
		draw_cell(grid, rect_cut(cell, r), sum ? "sum" : stacks->name[k], sum ? NULL : &look,
			sum ? stack->cycles : stack->part[k], sum ? (double)stacks->cycles : stacks->part[k], numbers);
		at++;
	}
}

static void
instructions_draw_list(const struct state *state, const struct instruction_stacks *of, struct grid *grid, struct rect r,
	struct drawn *drawn)
{
	int cursor = state->view.popup.cursor < (int)of->n ? state->view.popup.cursor : (int)of->n - 1, rows = r.h - 2;
	struct numbers n = numbers_of(of, grid, r.w);
	struct column column[COLUMNS];
	struct list l = {.state = state, .of = of, .column = column, .n_columns = COLUMNS, .n = of->n,
		.cursor = (size_t)cursor, .draw = instructions_draw_row, .pane = -1};
	struct pen p = pen_on(grid, r, ROLE_DIM);
	char number[NUMBER_TEXT], *top = str_format("%s %%",
		number_share(number, of->cycles ? of->item[0].cycles / (double)of->cycles : 0));

	memcpy(column, instruction_columns, sizeof column);
	instructions_fit_columns(&l, r.w);
	rows = rows - n.rows >= ROWS_LEAST ? rows - n.rows : rows;
	drawn->layout.page = rows > 1 ? rows - 1 : 1;
	rows = list_draw(&l, grid, (struct rect){r.x, r.y, r.w, rows + 1}, true, drawn);
	if (column[BAR].x)
		pen_right(&p, r.x + column[BAR].x + column[BAR].width, r.y, top);
	if (r.h >= 2)
		list_row(&l, grid, (struct rect){r.x, r.y + rows, r.w, 1}, of->n, false);
	if (r.h - 2 - n.rows >= ROWS_LEAST)
		instructions_draw_numbers(
			of, &of->item[cursor], grid, (struct rect){r.x, r.y + r.h - n.rows, r.w, n.rows}, &n);
	free(top);
}

static void
draw_waiting(const struct state *state, struct grid *grid, struct rect r)
{
	const struct instruction_run *run = state->view.popup.instructions;
	struct page p = {.s = state, .g = grid, .r = r};
	struct line l = page_line(&p);
	char number[NUMBER_TEXT];

	line_add(&l, ROLE_ACCENT, 0, "%s ",
		glyph_spinner(state->view.frame.motion ? (unsigned)(state->view.frame.now * 10) : 0, grid->ascii));
	line_add(&l, ROLE_TEXT, 0, "%s µops simulated",
		number_count(number, run ? (double)instruction_run_uops(run) : 0, grid->ascii));
	page_blank(&p);
	page_words(&p, ROLE_DIM,
		"The program is simulated once more, from its beginning, and each cycle is charged to the instruction "
		"that it waits for. Esc ends it.");
}

static void
draw_instructions_popup(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	const struct instruction_run *run = state->view.popup.instructions;
	const struct instruction_stacks *of = state_instructions(state);
	const char *name = of ? of->title : run ? instruction_run_of(run) : "";
	char *title = str_format("Instructions%s%s", *name ? " of " : "", name), *info = NULL;
	int w = screen.w - 2 < WIDEST ? screen.w - 2 : WIDEST, h = of ? screen.h - 2 : WAITING_ROWS;
	char cycles[NUMBER_TEXT], number[NUMBER_TEXT];
	size_t cursor = (size_t)state->view.popup.cursor;
	struct rect in;

	if (of)
		info = str_format("%zu of %s · %s cycles", cursor < of->n ? cursor + 1 : of->n,
			number_exact(number, (long long)of->n, false, grid->ascii),
			number_exact(cycles, (long long)of->cycles, false, grid->ascii));
	in = draw_popup(grid, screen, w, h < HIGHEST ? h : HIGHEST, title, info);
	if (!of)
		draw_waiting(state, grid, in);
	else if (of->n)
		instructions_draw_list(state, of, grid, in, drawn);
	free(title);
	free(info);
}

const struct popup_draw popup_draw_instructions = {.list = draw_instructions_popup};
