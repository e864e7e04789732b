/* Popups of several views. One about a thing of one view is drawn in that view's folder. */

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/interval_diagram.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_texts.h"
#include "explorer/state/state_views.h"

#define NAME_COLUMN 6
#define TEXT_COLUMN 22

static int
draw_output(const struct state *s, struct grid *grid, struct rect screen, int first)
{
	char *info = str_format("%zu bytes%s", s->data.output_total,
		s->data.output_total > s->data.output.n ? ", the last of them" : "");
	struct rect in = draw_popup(grid, screen, screen.w - 8, screen.h - 6,
		s->question.subject.spec && !s->question.subject.argv
			? "Output of the programs" : "Output of the command",
		info);
	struct str text = {0};
	int rows;

	if (s->data.timeline && s->data.run_notes.n) /* with a model, pane "Why" has them */
		str_addf(&text, "%s\n", str_text(&s->data.run_notes));
	str_add(&text,
		s->data.output.n ? str_text(&s->data.output)
			: s->question.subject.spec && !s->question.subject.argv
				? "They have printed nothing here." : "It has printed nothing.");
	rows = draw_text(grid, in, str_text(&text), first);
	str_free(&text);
	free(info);
	return rows;
}

/* A text of the session file: its name, its verdict, and when it came into the file. */
static void
draw_session_text(const struct session_choice *text, struct line *l, int w)
{
	line_add(l, text->shown ? ROLE_ACCENT : ROLE_TEXT, text->shown ? CELL_BOLD : 0, "%s", text->name);
	line_to(l, w / 2 - 4);
	if (text->kind != TEXT_MODEL)
		line_add(l, ROLE_DIM, 0, "%s", text->kind == TEXT_NETWORK ? "network" : "stack");
	else if (!text->judged)
		line_add(l, ROLE_DIM, 0, "not judged");
	else if (text->undecided == text->judged)
		line_add(l, ROLE_UNDECIDED, 0, "? %zu undecided", text->judged);
	else
		line_add(l, text->infeasible ? ROLE_INFEASIBLE : ROLE_FEASIBLE, 0, "%s %zu of %zu",
			text->infeasible ? "✗" : "✓", text->infeasible, text->judged);
	line_to(l, w - 17);
	line_add(l, ROLE_DIM, 0, text->shown ? "shown" : "since %.10s", text->added);
}

static void
draw_variants(const struct state *s, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	const struct udd_model *model = s->question.model;
	int n = (int)state_choices(s), variants = (int)state_variants(s);
	const char *slash = s->data.saved.in ? strrchr(s->data.saved.in, '/') : NULL;
	char *title = n == variants ? mem_str("Variants")
		: str_format("%sModels of %s", variants ? "Variants · " : "", slash ? slash + 1 : s->data.saved.in);
	struct rect in = draw_popup(grid, screen, n > variants ? 72 : 60, n + 4, title, "Enter chooses");
	int first = list_scroll(0, s->view.popup.cursor, n, in.h);

	free(title);
	for (int i = 0; i < in.h && first + i < n; i++) {
		struct session_choice text;
		bool kept = state_choice(s, (size_t)(first + i), &text);
		const struct udd_variant *variant = kept ? NULL : &model->variant[first + i];
		struct rect row = {in.x, in.y + i, in.w, 1};
		struct line l = line_on(grid, in, i);

		if (kept) {
			draw_session_text(&text, &l, in.w);
		} else {
			line_add(&l, ROLE_TEXT, 0, "%s", variant->name);
			line_to(&l, 14);
			for (size_t k = 0; k < model->n_features; k++)
				if (fset_has(&variant->on, k))
					line_add(&l, ROLE_DIM, 0, "+%s ", model->feature[k].name);
		}
		if (first + i == s->view.popup.cursor)
			draw_cursor(grid, row, true);
		hit_add(drawn, row, HIT_ROW, -1, first + i, ACTION_none);
	}
}

/* The screen itself shows what a theme looks like; the last row names the verdicts, which not every screen has. */
static void
draw_themes(const struct state *s, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	static const struct { enum role role; const char *text; } sample[] = {
		{ROLE_FEASIBLE, "✓ feasible  "}, {ROLE_INFEASIBLE, "✗ infeasible  "},
		{ROLE_BORDERLINE, "~ borderline  "}, {ROLE_UNDECIDED, "? undecided"},
	};
	const char *name = str_text(&s->view.popup.text);
	int n = state_count_themes(s), first;
	struct rect in = draw_popup(grid, screen, 60, n + 6, "Themes", "Enter keeps it, Esc goes back");
	struct rect list = {in.x, in.y, in.w, in.h > 4 ? in.h - 2 : in.h};
	struct line l;

	first = list_scroll(0, s->view.popup.cursor, n, list.h);
	for (int i = 0; i < first + list.h && i < n; i++, name = strchr(name, '\n') + 1) {
		struct rect row = {in.x, in.y + i - first, in.w, 1};

		if (i < first)
			continue;
		l = line_on(grid, in, i - first);
		line_add(&l, ROLE_TEXT, 0, " %.*s", (int)strcspn(name, "\n"), name);
		if (i == s->view.popup.cursor)
			draw_cursor(grid, row, true);
		hit_add(drawn, row, HIT_ROW, -1, i, ACTION_none);
	}
	if (list.h == in.h)
		return;
	l = line_on(grid, in, in.h - 1);
	line_add(&l, ROLE_TEXT, 0, " ");
	for (size_t i = 0; i < sizeof sample / sizeof *sample; i++)
		line_add(&l, sample[i].role, 0, "%s", sample[i].text);
}

static void
draw_write(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	static const char *const line[WRITE_ITEMS][3] = {
		{"s", "screen", "what is on it now, as text and SVG"},
		{"r", "report", "verdicts, search and notes as Markdown with SVG pictures"},
		{"p", "page", "the same as one HTML file to mail, pictures in it"},
		{"f", "session", "data, model, notes and results, in a new file"},
	};
	struct rect in = draw_popup(grid, screen, 78, WRITE_ITEMS + 5, "Write", "Enter or its letter");

	for (int i = 0; i < WRITE_ITEMS && i < in.h; i++) {
		struct rect row = {in.x, in.y + i, in.w, 1};
		struct line l = line_on(grid, in, i);

		line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", line[i][0]);
		line_gap(&l, 2);
		line_add(&l, ROLE_TEXT, 0, "%s", line[i][1]);
		line_to(&l, 14);
		line_add(&l, ROLE_DIM, 0, "%s", line[i][2]);
		if (i == state->view.popup.cursor)
			draw_cursor(grid, row, true);
		hit_add(drawn, row, HIT_ROW, -1, i, ACTION_none);
	}
	if (WRITE_ITEMS < in.h) {
		struct line l = line_on(grid, in, WRITE_ITEMS);

		if (state->data.saved.in)
			line_add(&l, ROLE_DIM, 0, "this session is saved in %s", state->data.saved.in);
		else
			line_add(&l, ROLE_DIM, 0, "%s", "this session is in no file yet");
	}
}

static void
draw_tracefs(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	struct rect in = draw_popup(grid, screen, 72, 12, "Mount tracefs?", NULL);
	struct pen p = pen_on(grid, in, ROLE_TEXT);
	int y = in.y;

	(void)state;
	(void)drawn;
	y += draw_wrapped(&p, in.x + 1, y, in.w - 2,
		"Most counters of this model are tracepoints, and tracefs, which names them, is not mounted. You may "
		"mount it:");
	p.attr = CELL_BOLD;
	pen_text(&p, in.x + 3, y, DOCTOR_MOUNT_COMMAND);
	p.attr = 0;
	p.clip.h -= 1;
	y += 2;
	p.clip = in;
	pen_text(&p, in.x + 1, y++, "Enter  mount it now, with this command");
	pen_text(&p, in.x + 1, y++, "Esc    go on with page-faults, minor-faults and major-faults");
	p.fg = ROLE_DIM;
	pen_text(&p, in.x + 1, y, "It stays mounted until the machine restarts. hecate asks once.");
}

static int
draw_text_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	struct rect in = draw_popup(g, screen, 90, screen.h - 6, s->view.popup.title, NULL);

	return draw_text(g, in, str_text(&s->view.popup.text), first);
}

static int
draw_witness_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	struct rect in = draw_popup(g, screen, 90, screen.h - 6, s->view.popup.title, NULL);
	int rows = draw_text(g, in, str_text(&s->view.popup.text), first);

	accent_counters(g, in);
	return rows;
}

static void
draw_simulated_row(const struct state *state, struct grid *grid, struct rect in, int at, size_t number)
{
	struct state_sim_row row;
	struct line l = line_on(grid, in, at);

	state_sim_row(state, number, &row);
	if (row.plant)
		line_add(&l, row.on ? ROLE_ACCENT : ROLE_DIM, 0, "[%s]", row.on ? "x" : " ");
	else
		line_add(&l, ROLE_ACCENT, 0, "%s", row.on ? ">" : " ");
	line_to(&l, NAME_COLUMN);
	line_add(&l, ROLE_TEXT, 0, "%s", row.name);
	if (TEXT_COLUMN < in.w) {
		line_to(&l, TEXT_COLUMN);
		line_add(&l, ROLE_DIM, 0, "%s", row.text);
	}
}

static void
draw_simulated(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	int n = (int)state_sim_rows(state), first;
	const char *name = state_sim_name(state);
	char *title = str_format("Simulated machine · %s", name ? name : "");
	struct rect in = draw_popup(grid, screen, screen.w - 4 < 110 ? screen.w - 4 : 110, n + 4, title,
		"Enter switches and runs again");
	struct rect list = {in.x, in.y, in.w, in.h - 2};

	free(title);
	if (!name || list.h < 1)
		return;
	first = list_scroll(0, state->view.popup.cursor, n, list.h);
	for (int i = 0; i < list.h && first + i < n; i++) {
		struct rect row = {in.x, in.y + i, in.w, 1};

		draw_simulated_row(state, grid, list, i, (size_t)(first + i));
		if (first + i == state->view.popup.cursor)
			draw_cursor(grid, row, true);
		hit_add(drawn, row, HIT_ROW, -1, first + i, ACTION_none);
	}
	if (state->question.subject.argv) {
		struct line l = line_on(grid, in, in.h - 1);

		line_add(&l, ROLE_DIM, 0, "%s", state->question.subject.argv[0]);
	}
}

static void
draw_column_row(const struct state *state, struct grid *grid, struct rect in, int at, size_t number)
{
	enum pane_id pane = state->view.columns.pane;
	struct line l = line_on(grid, in, at);
	struct column_facts column;
	bool hidden = state_column_is_hidden(state, pane, number);

	state->column(pane, number, &column);
	line_add(&l, hidden || column.stays ? ROLE_DIM : ROLE_ACCENT, 0, "[%s]", hidden ? " " : "x");
	line_to(&l, NAME_COLUMN);
	line_add(&l, hidden ? ROLE_DIM : ROLE_TEXT, 0, "%s", column.name);
	line_to(&l, TEXT_COLUMN);
	if (column.order && state_sort_now(state) == column.order - 1)
		line_add(&l, ROLE_ACCENT, 0, "%s sorted by it", state_is_reversed(state) ? "▴" : "▾");
	else if (column.order)
		line_add(&l, ROLE_DIM, 0, "Enter sorts by it");
}

static void
draw_columns(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	unsigned char number[COLUMNS_MOST];
	int n = (int)state_listed_columns(state, number), first;
	char *title = str_format("Columns · %s", state_view_tab(state, state->view.current, false));
	struct rect in = draw_popup(grid, screen, 60, n + 5, title, "Space hides or shows");
	struct rect list = {in.x, in.y, in.w, in.h > 5 ? in.h - 3 : in.h};
	struct line l;
	char left[ACTION_KEY_TEXT], right[ACTION_KEY_TEXT], reset[ACTION_KEY_TEXT];

	free(title);
	first = list_scroll(0, state->view.popup.cursor, n, list.h);
	for (int i = 0; i < list.h && first + i < n; i++) {
		struct rect row = {in.x, in.y + i, in.w, 1};

		draw_column_row(state, grid, list, i, number[first + i]);
		if (first + i == state->view.popup.cursor)
			draw_cursor(grid, row, true);
		hit_add(drawn, row, HIT_ROW, -1, first + i, ACTION_none);
	}
	if (list.h == in.h)
		return;
	l = line_on(grid, in, in.h - 2);
	line_add(&l, ROLE_DIM, 0, "A column without room or data is left out.");
	l = line_on(grid, in, in.h - 1);
	line_add(&l, ROLE_DIM, 0, "%s %s  move it    %s  all as at first", action_key(ACTION_column_left, left),
			action_key(ACTION_column_right, right), action_key(ACTION_column_reset, reset));
}

static void
draw_intervals(const struct state *s, struct grid *g, struct rect screen, struct drawn *d)
{
	struct rect in = draw_popup(g, screen, screen.w < 124 ? screen.w : 124, screen.h - 2 < 34 ? screen.h - 2 : 34,
		"Around an event", "left, right: another event");

	(void)d;
	if (s->view.popup.interval)
		interval_diagram_draw(s->view.popup.interval, g, in);
}

const struct popup_draw popup_draw_output = {.text = draw_output};
const struct popup_draw popup_draw_witness = {.text = draw_witness_popup};
const struct popup_draw popup_draw_variant = {.list = draw_variants};
const struct popup_draw popup_draw_tracefs = {.list = draw_tracefs};
const struct popup_draw popup_draw_text = {.text = draw_text_popup};
const struct popup_draw popup_draw_write = {.list = draw_write};
const struct popup_draw popup_draw_simulated = {.list = draw_simulated};
const struct popup_draw popup_draw_columns = {.list = draw_columns};
const struct popup_draw popup_draw_themes = {.list = draw_themes};
const struct popup_draw popup_draw_intervals = {.list = draw_intervals};
