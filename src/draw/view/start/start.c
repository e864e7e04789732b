/* The start screen: what can be done and measured here, why other things cannot, and what would help. */

#include <stdio.h>
#include <stdlib.h>

#include "draw/view/view_table.h"

static const char *const logo[] = {"╻ ╻┏━╸┏━╸┏━┓╺┳╸┏━╸", "┣━┫┣╸ ┃  ┣━┫ ┃ ┣╸ ", "╹ ╹┗━╸┗━╸╹ ╹ ╹ ┗━╸"};
static const char *const plain_logo[] = {"|_| |- |  |_| | |-", "| | |_ |_ | | | |_", ""};

static const struct {
	const char *key, *what, *about;
} items[START_ITEMS] = {
	[START_DEMO] = {"f", "page faults of a command", "refutable here"},
	[START_RECORDED] = {"r", "the same, recorded", "works on every machine"},
	[START_PATHS] = {"p", "paths of a command", "memory and files, live"},
	[START_TASKS] = {"t", "time of a command's tasks", "running, waiting, asleep"},
	[START_SIMULATED] = {"s", "a simulated Haswell MMU", "its truth is known"},
	[START_CYCLES] = {"c", "where a core's cycles go", "7 CPI stacks, simulated"},
	[START_PROBES] = {"b", "probe this core", "by timer, without a PMU"},
	[START_HASWELL] = {"m", "Haswell MMU: the cone", "26 counters"},
	[START_TRUST] = {"e", "can counters be trusted?", "real runs, two processors"},
	[START_OPEN] = {"o", "open a model, network or session", "file or name"},
	[START_DOCTOR] = {"D", "doctor: what can be counted", "and why not"},
};

static enum role
level_role(enum doctor_level l)
{
	return l == DOCTOR_GOOD ? ROLE_FEASIBLE : l == DOCTOR_PARTLY ? ROLE_BORDERLINE : ROLE_INFEASIBLE;
}

static const char *
level_mark(enum doctor_level l)
{
	return l == DOCTOR_GOOD ? "✓" : l == DOCTOR_PARTLY ? "≈" : "✗";
}

/* Draws what can be measured, from row `first` on. Returns the rows from there to the end. */
static int
doctor_lines(const struct state *state, struct grid *grid, struct rect r, int first)
{
	int row = -first, name = r.w >= 70 ? 24 : 20, amount = r.w >= 60 ? 14 : 10;

	for (size_t i = 0; i < state->data.machine.n; i++) {
		const struct doctor_item *item = &state->data.machine.item[i];
		struct line l = line_on(grid, r, row++);

		line_add(&l, level_role(item->level), 0, "%s ", level_mark(item->level));
		line_add(&l, ROLE_TEXT, 0, "%s", item->what);
		line_to(&l, name);
		line_add(&l, ROLE_TEXT, 0, "%s", item->amount);
		line_to(&l, name + amount);
		line_add(&l, ROLE_DIM, 0, "%s", item->why);
		if (*item->remedy) {
			struct pen p = pen_on(grid, r, ROLE_TEXT);

			l = line_on(grid, r, row);
			line_to(&l, 3);
			line_add(&l, ROLE_DIM, 0, "remedy");
			row += draw_wrapped(&p, r.x + 11, r.y + row, r.w - 12, item->remedy);
		}
	}
	return row;
}

/* What to expect of a line of the menu. */
static const char *
about(const struct state *s, int item)
{
	return item == START_DEMO && !s->data.machine.example ? "not refutable here: press r" : items[item].about;
}

static void
draw_menu(const struct state *s, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	int first = list_scroll(0, s->view.start.cursor[START_MENU], START_ITEMS, r.h);

	for (int i = first; i < START_ITEMS && i - first < r.h; i++) {
		struct rect row = {r.x, r.y + i - first, r.w, 1};
		struct line l = line_on(grid, r, i - first);

		l.pen.fg = ROLE_DIM;
		if (r.w >= 44)
			pen_right(&l.pen, r.x + r.w - 1, l.y, about(s, i));
		line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", items[i].key);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, 0, "%s", items[i].what);
		if (i == s->view.start.cursor[START_MENU] && focus)
			draw_cursor(grid, row, focus);
		hit_add(drawn, row, HIT_ROW, START_MENU, i, ACTION_open);
	}
}

static void
draw_logo(const struct state *state, struct grid *grid, int y)
{
	struct rect all = {0, 0, grid->w, grid->h};
	const char *const *art = grid->ascii ? plain_logo : logo;
	const char *words[3] = {"does this model survive this data?", state->data.machine.machine,
		state->data.machine.has_pmu ? "hardware counters are here"
				  : "no hardware PMU: software events and tracepoints work"};

	for (int i = 0; i < 3; i++) {
		struct pen p = pen_on(grid, all, ROLE_ACCENT);

		if (grid->w >= 70)
			pen_text(&p, 2, y + i, art[i]);
		p.fg = i == 0 ? ROLE_TEXT
			: i == 1 ? ROLE_DIM
			: state->data.machine.has_pmu ? ROLE_FEASIBLE : ROLE_BORDERLINE;
		p.attr = i == 0 ? CELL_BOLD : 0;
		pen_fit(&p, grid->w >= 70 ? 24 : 1, y + i, grid->w - (grid->w >= 70 ? 25 : 2), words[i]);
	}
}

static int
rows_known(const struct state *s)
{
	int n = 0;

	while (s->data.installed.name && s->data.installed.name[n])
		n++;
	return n;
}

static void
draw_known(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	int n = rows_known(state), first;

	first = list_scroll(0, state->view.start.cursor[START_MODELS], n, r.h);
	for (int i = first; i < n && i - first < r.h; i++) {
		struct rect row = {r.x, r.y + i - first, r.w, 1};
		struct line l = line_on(grid, r, i - first);

		line_add(&l, ROLE_TEXT, 0, "%s", state->data.installed.name[i]);
		line_to(&l, 20);
		line_add(&l, ROLE_DIM, 0, "%s", state->data.installed.text[i]);
		if (i == state->view.start.cursor[START_MODELS] && focus)
			draw_cursor(grid, row, focus);
		hit_add(drawn, row, HIT_ROW, START_MODELS, i, ACTION_open);
	}
}

static void
draw_start_status(const struct state *state, struct grid *grid, struct rect screen)
{
	struct line l = line_on(grid, (struct rect){0, screen.h - 2, screen.w, 1}, 0);
	struct pen right = pen_on(grid, l.pen.clip, ROLE_DIM);

	pen_right(&right, screen.w - 1, screen.h - 2, state->view.frame.program);
	l.end = screen.w - 2 - pen_columns(&right, state->view.frame.program);
	if (*state->view.message.text)
		line_add(&l, state->view.message.bad ? ROLE_INFEASIBLE : ROLE_TEXT, 0, "%s", state->view.message.text);
	else if (state->question.model)
		line_add(&l, ROLE_DIM, 0, "1 goes back to the model");
	else
		line_add(&l, ROLE_DIM, 0, state->data.machine.example
			? "f runs a compiler under a model, and refutes it"
			: "r judges recorded programs by a model, and refutes it");
}

static void
draw_start(const struct state *state, struct grid *g, struct rect screen, struct drawn *drawn)
{
	int top = screen.h >= 16 ? (screen.h >= 30 ? 5 : 4) : 0, body = screen.h - top - 2,
	    menu = START_ITEMS + 1 + (screen.h >= 30 ? 2 : 1);
	struct rect start = {0, top, screen.w, body}, measure = start, known = start, in;
	bool wide = screen.w >= 110;
	char shown[64];
	enum start_pane at = wide || state->view.start.focus != START_MODELS ? state->view.start.focus : START_MENU;

	if (top)
		draw_logo(state, g, top == 5 ? 1 : 0);
	if (body < menu + 4)
		menu = body / 2;
	if (wide && menu < rows_known(state) + 1) {
		/* what the doctor's lines leave; below the screen they are only counted */
		int room = body - 1 - doctor_lines(state, g, (struct rect){0, g->h, screen.w, screen.h}, 0);

		menu = room > menu ? (rows_known(state) + 1 < room ? rows_known(state) + 1 : room) : menu;
	}
	if (screen.h < 12)
		menu = at == START_MENU ? body : 0;
	start.h = menu;
	measure.y += menu;
	measure.h -= menu;
	if (wide) {
		struct pen rule = pen_on(g, known, ROLE_FRAME);

		start.w = 62;
		known = (struct rect){63, top, screen.w - 63, menu};
		pen_text(&rule, 62, top, "┬");
		pen_vline(&rule, 62, top + 1, menu - 1, g->ascii ? '|' : 0x2502);
		if (menu - 1 < rows_known(state))
			snprintf(shown, sizeof shown, "%d of %d installed", menu - 1, rows_known(state));
		else
			snprintf(shown, sizeof shown, "%d installed", rows_known(state));
		in = draw_title(g, known, "Models, networks, stacks", shown, at == START_MODELS);
		draw_known(state, g, in, at == START_MODELS, drawn);
	}
	drawn->layout.start_models = wide;
	if (menu) {
		in = draw_title(g, start, "Start", NULL, at == START_MENU);
		draw_menu(state, g, in, at == START_MENU, drawn);
	}
	if (measure.h) {
		in = draw_title(g, measure, "What can be measured here", "D details", at == START_MEASURE);
		doctor_lines(state, g, in, at == START_MEASURE ? state->view.start.cursor[START_MEASURE] : 0);
	}
	draw_start_status(state, g, screen);
}

static int
draw_doctor_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	struct rect in = draw_popup(g, screen, 100, screen.h - 6, "Doctor", s->data.machine.machine);

	return scroll_rows(first, doctor_lines(s, g, in, first), in.h);
}

const struct popup_draw popup_draw_doctor = {.text = draw_doctor_popup};

const struct view_draw view_draw_start = {.alone = true, .draw = draw_start};
