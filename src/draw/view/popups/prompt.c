/* The list of notes, and the prompt, which also asks for the text of a note. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "draw/view/view_page.h"
#include "draw/view/view_relation.h"
#include "draw/view/view_table.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_views.h"
#include "work/files/simulation_text.h"
#include "work/fit/fitting.h"
#include "work/timeline/timeline_names.h"

/* The subject of a note in about this many columns: "gcc-28", "early_psc, merging". The caller frees. */
static char *
note_subject(const struct state *state, enum remark_on on, const char *what, const struct pen *pen, int columns)
{
	struct str text = {0};
	char *relation, *shown;

	switch (on) {
	case REMARK_SESSION:
		str_add(&text, "the session");
		break;
	case REMARK_FEATURES:
		str_addf(&text, "%s: ", state->question.model ? state->question.model->name : "model");
		features_words(what, &text);
		break;
	case REMARK_MODULE:
		str_addf(&text, "module %s", what);
		break;
	case REMARK_SNAPSHOT:
		timeline_snapshot_words(what, &text);
		break;
	case REMARK_CONSTRAINT:
		relation = relation_pretty(what);
		shown = relation_fit(pen, columns, relation);
		str_add(&text, shown);
		free(shown);
		free(relation);
		break;
	case REMARK_OBSERVATION:
	case REMARK_EVENT:
	case REMARK_KINDS:
		str_add(&text, what);
		break;
	}
	return str_take(&text);
}

static char *
note_title(const struct state *s, struct grid *g, int columns)
{
	struct pen pen = {.grid = g};
	char *subject = note_subject(s, s->view.prompt.noting,
		     s->view.prompt.noting_what ? s->view.prompt.noting_what : "", &pen, columns - 14),
	     *title = str_format("Note on %s", subject);

	free(subject);
	return title;
}

/* Two rows each: the subject, and the note. */
static void
draw_notes(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	int n = (int)state->question.remarks.n, room, first;
	struct rect in = draw_popup(grid, screen, screen.w > 120 ? 110 : screen.w - 8, 2 * n + 4, "Notes",
		"Enter changes  d deletes");

	room = in.h / 2 > 0 ? in.h / 2 : 1;
	first = list_scroll(0, state->view.popup.cursor, n, room);
	for (int i = 0; i < room && first + i < n; i++) {
		const struct remark *r = &state->question.remarks.remark[first + i];
		struct rect row = {in.x, in.y + 2 * i, in.w, 2};
		struct line l = line_on(grid, in, 2 * i);
		char *subject = note_subject(state, r->on, r->what, &l.pen, in.w - 24);

		line_add(&l, ROLE_DIM, 0, "%s ", remark_on_name(r->on));
		line_add(&l, ROLE_ACCENT, 0, "%s", subject);
		line_add(&l, ROLE_DIM, 0, "  %s", r->written);
		free(subject);
		if (2 * i + 1 < in.h) {
			l = line_on(grid, in, 2 * i + 1);
			line_gap(&l, 1);
			line_add(&l, ROLE_TEXT, 0, "%s", r->text);
		}
		if (first + i == state->view.popup.cursor)
			draw_cursor(grid, (struct rect){row.x, row.y, row.w, 1}, true);
		hit_add(drawn, row, HIT_ROW, -1, first + i, ACTION_none);
	}
}

const struct popup_draw popup_draw_notes = {.list = draw_notes};

/* The input in one row, with the text cursor. A proposal is reversed as a whole: the next letter replaces it. */
static void
draw_input(const struct prompt_state *prompt, struct grid *g, struct rect r, enum role role)
{
	struct pen p = pen_on(g, r, role);
	const char *text = str_text(&prompt->input);
	size_t at = prompt->at < prompt->input.n ? prompt->at : prompt->input.n, under = at;
	char *before = str_format("%.*s", (int)at, text), *here;
	int behind, x = r.x;

	while (text[under] && ((unsigned char)text[++under] & 0xc0) == 0x80)
		;
	here = str_format("%.*s", (int)(under - at), text + at);
	behind = pen_columns(&p, text + at);
	behind = behind < r.w / 3 ? behind : r.w / 3;
	p.attr = prompt->proposed ? CELL_REVERSE : 0;
	x += pen_fit_head(&p, x, r.y, r.w - behind - 1, before);
	p.attr = CELL_REVERSE;
	x += pen_text(&p, x, r.y, *here ? here : " ");
	p.attr = 0;
	if (x < r.x + r.w)
		pen_fit(&p, x, r.y, r.x + r.w - x, text + under);
	free(before);
	free(here);
}

/* "find: gcc                                   3 of 12": the prompt of / and \ in place of the status line. */
/* "your answer, 1 to 4: " */
static void
draw_answer_line(const struct state *state, struct grid *grid)
{
	struct rect row = {0, grid->h - 2, grid->w, 1};
	struct pen name = pen_on(grid, row, ROLE_ACCENT);
	char *question = state->lesson ? state_lesson_question(state) : mem_str("");
	int x = 1;

	pen_fill(&name, row, ' ');
	name.attr = CELL_BOLD;
	x += pen_text(&name, x, row.y, question);
	draw_input(&state->view.prompt, grid, (struct rect){x, row.y, grid->w - 1 - x, 1}, ROLE_TEXT);
	free(question);
}

static void
draw_search_line(const struct state *state, struct grid *grid)
{
	const struct prompt_state *prompt = &state->view.prompt;
	bool filters = prompt->kind == PROMPT_FILTER;
	const char *words = str_text(&prompt->input);
	struct rect row = {0, grid->h - 2, grid->w, 1};
	struct rows_found found = filters ? state_rows_left(state) : state_rows_found(state, words);
	bool none = *words && (filters ? found.at == 0 : found.n == 0);
	struct pen right = pen_on(grid, row, none ? ROLE_INFEASIBLE : ROLE_DIM),
		   name = pen_on(grid, row, ROLE_ACCENT);
	char *count = none ? str_format("no row of %s has this", filters ? "the list" : "this pane")
		: !*words && !filters ? mem_str("")
		: !filters && !found.at ? str_format("%zu", found.n)
					: str_format("%zu of %zu", found.at, found.n);
	int end = grid->w - 1, x = 1;

	pen_fill(&right, row, ' ');
	pen_right(&right, end, row.y, count);
	end -= pen_columns(&right, count) + 2;
	name.attr = CELL_BOLD;
	x += pen_text(&name, x, row.y, filters ? "only rows with: " : "find: ");
	draw_input(prompt, grid, (struct rect){x, row.y, end - x, 1}, none ? ROLE_INFEASIBLE : ROLE_TEXT);
	free(count);
}

void
draw_prompt_line(const struct state *state, struct grid *grid)
{
	if (state->view.prompt.kind == PROMPT_ANSWER)
		draw_answer_line(state, grid);
	else
		draw_search_line(state, grid);
}

/* The names that fit what is typed, the likeliest first. */
static void
draw_openable(const struct state *state, struct grid *grid, struct rect r)
{
	const struct openables *of =
		state->view.prompt.kind == PROMPT_JUDGE ? &state->data.home.waiting.models : &state->data.home.of;
	size_t *order = mem_new_array(of->n, sizeof *order);
	int n = (int)openable_match(of, str_text(&state->view.prompt.input), order), name = 26,
	    first = list_scroll(0, state->view.prompt.choice, n, r.h);

	for (int i = first; i < n && i - first < r.h; i++) {
		const struct openable *item = &of->item[order[i]];
		struct line l = line_on(grid, r, i - first);

		l.end = r.x + name - 1;
		line_add(&l, ROLE_TEXT, 0, "%s", item->name);
		l.end = r.x + r.w;
		line_to(&l, name);
		line_add(&l, ROLE_ACCENT, 0, "%s", openable_word(item->kind));
		line_to(&l, name + 9);
		line_add(&l, ROLE_DIM, 0, "%s", item->text ? item->text : "");
		if (i == state->view.prompt.choice)
			draw_cursor(grid, (struct rect){r.x, r.y + i - first, r.w, 1}, true);
	}
	if (!n) {
		struct line l = line_on(grid, r, 0);

		line_add(&l, ROLE_DIM, 0, "nothing here has this in its name; Enter opens it as a path");
	}
	free(order);
}

/* Says below the command whether the counters of its run fit; nothing of a simulated machine. */
static void
draw_fit(const struct state *state, struct grid *g, struct rect r)
{
	struct page p = {.s = state, .g = g, .r = r};
	struct str text = {0};
	bool bad = fitting_write(state->view.events.fitting, &text);

	if (r.h > 0 && !simulation_is(str_text(&state->view.prompt.input)))
		page_words(&p, bad ? ROLE_BORDERLINE : ROLE_DIM, str_text(&text));
	str_free(&text);
}

static void
draw_prompt(const struct state *state, struct grid *g, struct rect screen, struct drawn *drawn)
{
	static const char *const titles[] = {
		"Run a command under this model", "Open a file, or an installed name", "Find",
		"Show only rows that contain", "", "Save the session in a new file"
	};
	int columns = screen.w > 100 ? 92 : screen.w - 8;
	const char *data = state->data.home.waiting.path ? strrchr(state->data.home.waiting.path, '/') : NULL;
	char *about = state->view.prompt.kind == PROMPT_NOTE ? note_title(state, g, columns)
		: state->view.prompt.kind == PROMPT_JUDGE
			? str_format("Which model fits %s?", data ? data + 1 : state->data.home.waiting.path) : NULL;
	const char *title = about ? about
		: state->view.prompt.kind == PROMPT_COMMAND && !state->question.model
			? "Run a command and count it" : titles[state->view.prompt.kind];
	bool opens = state->view.prompt.kind == PROMPT_OPEN || state->view.prompt.kind == PROMPT_JUDGE;
	struct rect in = draw_popup(g, screen, columns, opens ? 20 : 6, title, opens ? "Tab completes" : NULL);
	struct pen p = pen_on(g, in, ROLE_TEXT);

	(void)drawn;
	p.fg = ROLE_ACCENT;
	pen_text(&p, in.x + 1, in.y, ">");
	draw_input(&state->view.prompt, g, (struct rect){in.x + 3, in.y, in.w - 3, in.h < 1 ? in.h : 1}, ROLE_TEXT);
	p.fg = ROLE_DIM;
	if (state->view.prompt.kind == PROMPT_COMMAND && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2,
			"Split at blanks; quotes keep words together; there is no shell.");
	if (state->view.prompt.kind == PROMPT_COMMAND)
		draw_fit(state, g, (struct rect){in.x, in.y + 2, in.w, in.h - 2});
	if (state->view.prompt.kind == PROMPT_NOTE && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2,
			"Enter writes the note; an empty one is deleted. C-u empties the line.");
	if (state->view.prompt.kind == PROMPT_KEEP && in.h > 1)
		pen_fit(&p, in.x + 1, in.y + 1, in.w - 2,
			"Data, model, notes and results; kept up to date while the explorer runs.");
	if (opens && in.h > 2)
		draw_openable(state, g, (struct rect){in.x, in.y + 2, in.w, in.h - 2});
	free(about);
}

const struct popup_draw popup_draw_prompt = {.list = draw_prompt};
