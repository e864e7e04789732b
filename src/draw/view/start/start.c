/* The start screen: what can be done and measured here, why other things cannot, and what would help. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_start.h"

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
	[START_LESSONS] = {"l", "lessons: learn by doing", "10 minutes each, no PMU"},
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
	bool lacks = item == START_DEMO && s->data.machine.n && !s->data.machine.example;

	return lacks ? "not refutable here: press r" : items[item].about;
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
			: doctor_lacks_pmu(&state->data.machine)
			? "no hardware PMU: software events and tracepoints work"
			: "looking what can be counted here …"};

	for (int i = 0; i < 3; i++) {
		struct pen p = pen_on(grid, all, ROLE_ACCENT);

		if (grid->w >= 70)
			pen_text(&p, 2, y + i, art[i]);
		p.fg = i == 0 ? ROLE_TEXT
			: i == 1 ? ROLE_DIM
			: state->data.machine.has_pmu ? ROLE_FEASIBLE
			: doctor_lacks_pmu(&state->data.machine) ? ROLE_BORDERLINE : ROLE_DIM;
		p.attr = i == 0 ? CELL_BOLD : 0;
		pen_fit(&p, grid->w >= 70 ? 24 : 1, y + i, grid->w - (grid->w >= 70 ? 25 : 2), words[i]);
	}
}

enum { WHEN = 12, OF_FROM = 54, OF_LEAST = 8, RAN_WIDE = 24, RAN_NARROW = 10 }; /* columns of a recording */

/* "✗ 91 of 212", or else the command that it counted, or how much it has. The caller frees. */
static char *
recording_words(const struct openable *item, bool narrow, enum role *role)
{
	size_t most = narrow ? RAN_NARROW : RAN_WIDE;


	*role = item->damaged || !item->verdict ? ROLE_DIM
		: strstr(item->verdict, "undecided") ? ROLE_UNDECIDED
		: item->infeasible ? ROLE_INFEASIBLE : ROLE_FEASIBLE;
	if (!item->damaged && !item->verdict && item->ran)
		return utf8_width(item->ran) <= most
			? mem_str(item->ran)
			: str_format("%.*s…", (int)utf8_fit(item->ran, most - 1), item->ran);
	if (item->damaged || !item->verdict)
		return mem_str(item->text && !item->damaged && !narrow ? item->text : "");
	return str_format("%s %s", *role == ROLE_UNDECIDED ? "?" : item->infeasible ? "✗" : "✓", item->verdict);
}

/* The widest name and the widest words of the recordings. */
static void
measure_recordings(const struct openables *of, int *name, int *words)
{
	*name = *words = 0;
	for (size_t i = 0; i < of->n && of->item[i].kind == OPENABLE_SESSION; i++) {
		enum role role;
		char *text = recording_words(&of->item[i], false, &role);
		int w = (int)utf8_width(of->item[i].name), v = (int)utf8_width(text);

		*name = w > *name ? w : *name;
		*words = v > *words ? v : *words;
		free(text);
	}
}

/* A recording: its name, what it is of, its verdict, command or size, and when it was last changed. A narrow row leaves
 * out what it is of and its size, and its verdict ends where the time begins, so that the name has the rest. */
static void
draw_recording(const struct openable *item, struct grid *grid, struct rect row, int names, int words)
{
	struct line l = line_on(grid, row, 0);
	enum role role;
	bool narrow = row.w < OF_FROM;
	char *text = recording_words(item, narrow, &role);
	int when = row.w - WHEN, at = when - 1 - (narrow ? (int)utf8_width(text) : words),
	    of = names + 2 < at - OF_LEAST ? names + 2 : at - OF_LEAST;

	if (item->damaged)
		of = names + 1 < when / 2 ? names + 1 : when / 2;
	l.pen.fg = item->damaged ? ROLE_DIM : ROLE_TEXT;
	pen_fit_middle(&l.pen, l.x, l.y, row.x + (narrow && !item->damaged ? at : of) - 1 - l.x, item->name);
	l.end = row.x + (item->damaged ? when : at) - 1;
	if (item->damaged || !narrow) {
		line_to(&l, of);
		line_add(&l, ROLE_DIM, 0, "%s", item->damaged ? item->text : item->of ? item->of : "");
	}
	l.end = row.x + when - 1;
	if (*text) {
		line_to(&l, at);
		line_add(&l, role, 0, "%s", text);
	}
	l.end = row.x + row.w;
	line_to(&l, when);
	line_add(&l, ROLE_DIM, 0, "%s", item->when ? item->when : "");
	free(text);
}

/* One line of the list: a title of a section, or an item. */
struct home_row {
	size_t item; /* SIZE_MAX: a title, of the section `kind` */
	enum openable_kind kind;
};

static struct home_row *
home_rows(const struct state *state, int *n, int *cursor)
{
	const struct openables *of = &state->data.home.of;
	size_t shown = state_home_rows(state);
	struct home_row *row = mem_new_array(shown + OPENABLE_AT_HOME + 1, sizeof *row);

	*n = *cursor = 0;
	for (size_t i = 0; i < shown; i++) {
		if (i == 0 || of->item[i].kind != of->item[i - 1].kind)
			row[(*n)++] = (struct home_row){SIZE_MAX, of->item[i].kind};
		if ((int)i == state->view.start.cursor[START_MODELS])
			*cursor = *n;
		row[(*n)++] = (struct home_row){i, of->item[i].kind};
	}
	return row;
}

/* One list, in as many columns as there is room for. */
static void
draw_known(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	int n, cursor, names, words, columns = r.w >= 110 ? 2 : 1, w = (r.w - columns + 1) / columns, first;
	struct home_row *rows = home_rows(state, &n, &cursor);

	measure_recordings(&state->data.home.of, &names, &words);
	first = list_scroll(0, cursor, n, r.h * columns);
	if (first == 1)
		first = 0;
	for (int i = first; i < n && i - first < r.h * columns; i++) {
		int at = (i - first) / r.h;
		struct rect row = {r.x + at * (w + 1), r.y + (i - first) % r.h, w, 1};
		const struct openable *item =
			rows[i].item == SIZE_MAX ? NULL : &state->data.home.of.item[rows[i].item];
		struct line l = line_on(grid, row, 0);

		if (!item) {
			line_add(&l, ROLE_ACCENT, 0, "%s", openable_title(rows[i].kind));
			continue;
		}
		row.x++;
		row.w--;
		if (item->kind == OPENABLE_SESSION) {
			draw_recording(item, grid, row, names, words);
		} else {
			l = line_on(grid, row, 0);
			line_add(&l, ROLE_TEXT, 0, "%s ", item->name);
			line_to(&l, 20);
			line_add(&l, ROLE_DIM, 0, "%s", item->text ? item->text : "");
		}
		row.x--;
		row.w++;
		if (i == cursor && focus)
			draw_cursor(grid, row, focus);
		hit_add(drawn, row, HIT_ROW, START_MODELS, (int)rows[i].item, ACTION_open);
	}
	free(rows);
}

/* What the row under the cursor says in full, because lists cut it; else what to begin with. */
static void
add_hint(const struct state *state, struct str *out)
{
	const struct openables *of = &state->data.home.of;
	size_t at = (size_t)state->view.start.cursor[START_MODELS];
	int row = state->view.start.cursor[START_MENU];

	if (state->view.start.focus == START_MODELS && at < state_home_rows(state)) {
		const struct openable *item = &of->item[at];
		const char *words[] = {item->ran, item->of, item->text};

		str_add(out, item->name);
		for (size_t i = 0, n = 0; i < sizeof words / sizeof *words; i++)
			if (words[i] && *words[i])
				str_addf(out, "%s%s", n++ ? ", " : ": ", words[i]);
	} else if (state->question.model) {
		str_add(out, "1 goes back to the model");
	} else if (state->view.start.focus == START_MENU && row > 0 && row < START_ITEMS) {
		str_addf(out, "%s  %s: %s", items[row].key, items[row].what, about(state, row));
	} else if (state->data.machine.n) {
		str_add(out, state->data.machine.example ? "f runs a compiler under a model, and refutes it"
			: "r judges recorded programs by a model, and refutes it");
	}
}

static void
draw_start_status(const struct state *state, struct grid *grid, struct rect screen)
{
	struct line l = line_on(grid, (struct rect){0, screen.h - 2, screen.w, 1}, 0);
	struct pen right = pen_on(grid, l.pen.clip, ROLE_DIM);
	int room = screen.w - 3 - pen_columns(&right, state->view.frame.program);
	bool says = *state->view.message.text;
	struct str text = {0};

	if (says)
		str_add(&text, state->view.message.text);
	else
		add_hint(state, &text);
	if (pen_columns(&l.pen, str_text(&text)) <= room) { /* a long message has the line for itself */
		pen_right(&right, screen.w - 1, screen.h - 2, state->view.frame.program);
		l.end = room + 1;
	}
	line_add(&l, !says ? ROLE_DIM : state->view.message.bad ? ROLE_INFEASIBLE : ROLE_TEXT, 0, "%s",
		str_text(&text));
	str_free(&text);
}

static void
draw_start(const struct state *state, struct grid *g, struct rect screen, struct drawn *drawn)
{
	int top = screen.h >= 16 ? (screen.h >= 30 ? 5 : 4) : 0, body = screen.h - top - 2,
	    n = (int)state_home_rows(state), menu = START_ITEMS + 1 + (screen.h >= 30 ? 2 : 1);
	struct rect start = {0, top, screen.w, body}, measure = start, known = start, in;
	bool wide = screen.w >= 74 && screen.h >= 12;
	char shown[64];
	enum start_pane at = state->view.start.focus;

	if (top)
		draw_logo(state, g, top == 5 ? 1 : 0);
	drawn->layout.start_models = true;
	if (wide) {
		struct pen rule = pen_on(g, start, ROLE_FRAME);
		int left = screen.w >= 110 ? 62 : 38;

		start.w = measure.w = left;
		known.x = left + 1;
		known.w = screen.w - left - 1;
		pen_text(&rule, left, top, "┬");
		pen_vline(&rule, left, top + 1, body - 1, g->ascii ? '|' : 0x2502);
	}
	if (body < menu + 4)
		menu = body / 2;
	if (!wide && (screen.h < 12 || at == START_MODELS))
		menu = at == START_MENU ? body : 0;
	start.h = menu;
	measure.y += menu;
	measure.h -= menu;
	if (wide || at == START_MODELS) {
		snprintf(shown, sizeof shown, "%d", n);
		in = draw_title(g, known, "Recordings, models, machines", shown, at == START_MODELS);
		draw_known(state, g, in, at == START_MODELS, drawn);
	}
	if (menu) {
		in = draw_title(g, start, "Start", NULL, at == START_MENU);
		draw_menu(state, g, in, at == START_MENU, drawn);
	}
	if (measure.h && (wide || at != START_MODELS)) {
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
