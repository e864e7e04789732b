#include "draw/view/view_lesson.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "draw/view/view_page.h"
#include "explorer/state/lesson_play.h"
#include "work/lesson/judge.h"
#include "work/lesson/lesson_files.h"

#define LESSON_WIDE 110   /* columns of a screen on which the lesson stands left of the view */
#define LESSON_COLUMNS 46
#define LESSON_VIEW_ROWS 8 /* least rows of a view under the lesson */
#define LESSON_ROWS_MOST 200

/* "●●◆○○": done, here, open. A step that asks nothing is done once it is passed. */
static char *
step_marks(const struct lesson_play *play)
{
	struct str marks = {0};

	for (size_t i = 0; i < play->lesson->n_steps; i++) {
		bool done = play->lesson->step[i].n_tasks ? play->answers->step[i].done : i < play->answers->at;

		str_add(&marks, i == play->answers->at ? "◆" : done ? "●" : "○");
	}
	return str_take(&marks);
}

static void
draw_texts(struct page *page, const struct state *state, bool roomy)
{
	const struct lesson_step *step = state_lesson_step(state);
	struct line line = page_line(page);

	line_add(&line, ROLE_TEXT, CELL_BOLD, "%s", step->title);
	for (size_t i = 0; i < step->n_texts; i++) {
		if (roomy)
			page->row++;
		page_words(page, ROLE_TEXT, step->text[i]);
	}
}

static void
draw_choices(struct page *page, const struct lesson_task *task, const struct lesson_given *given)
{
	page_words(page, ROLE_TEXT, task->question);
	for (size_t i = 0; i < task->n_choices; i++) {
		struct line line = page_line(page);
		bool mine = given->answer && atoi(given->answer) == (int)i + 1;

		line_add(&line, mine ? ROLE_FEASIBLE : ROLE_TEXT, 0, "%s", mine ? "✓" : " ");
		line_add(&line, ROLE_ACCENT, CELL_BOLD, " %zu ", i + 1);
		page_hanging(page, 5, given->answer && !mine ? ROLE_DIM : ROLE_TEXT, task->choice[i].text);
	}
}

/* "edit /home/…/first-walk.udd until it accepts a.csv and refutes b.csv" */
static void
add_model_task(const struct lesson *lesson, const struct lesson_task *task, struct str *out)
{
	char *path = lesson_model_path(lesson, task->file, false);

	str_addf(out, "edit %s until it ", path ? path : task->file);
	for (size_t i = 0; i < task->n_tests; i++)
		str_addf(out, "%s%s %s", i == 0 ? "" : i + 1 < task->n_tests ? ", " : " and ",
			task->test[i].accepts ? "accepts" : "refutes", task->test[i].data);
	free(path);
}

/* "press f: the axes that show the violation best" */
static void
add_key_task(const char *name, struct str *out)
{
	for (int a = 1; a < ACTION_COUNT; a++) {
		const struct action_row *row = action_row((enum action)a);
		char key[ACTION_KEY_TEXT];

		if (str_eq(row->id, name))
			str_addf(out, "press %s: %.*s", action_key((enum action)a, key), (int)strcspn(row->help, ";:"),
				row->help);
	}
}

static void
draw_task(struct page *page, const struct state *state, const struct lesson_task *task,
	const struct lesson_given *given)
{
	struct str words = {0};
	struct line line;

	if (task->kind == LESSON_PICK) {
		draw_choices(page, task, given);
		return;
	}
	if (task->kind == LESSON_NUMBER)
		str_addf(&words, "%s%s%s", task->question, given->answer ? "  " : "",
			given->answer ? given->answer : "");
	else if (task->kind == LESSON_MODEL)
		add_model_task(state->lesson->lesson, task, &words);
	else if (task->question)
		str_add(&words, task->question);
	else if (task->rule.kind == LESSON_KEY)
		add_key_task(task->rule.name, &words);
	else
		lesson_rule_text(&task->rule, &words);
	line = page_line(page);
	line_add(&line, given->answer ? ROLE_FEASIBLE : ROLE_ACCENT, 0, "%s", given->answer ? "✓" : "▸");
	page_hanging(page, 3, given->answer ? ROLE_DIM : ROLE_TEXT, str_text(&words));
	str_free(&words);
}

/* What the lesson says to the latest answer. After leaving and coming back, the praise of a step that is done. */
static void
draw_said(struct page *page, const struct state *state)
{
	const struct lesson_play *play = state->lesson;
	const struct lesson_step *step = state_lesson_step(state);
	bool done = state_lesson_answers(state)->done;
	const char *said = play->said ? play->said : done ? step->done ? step->done : "Right." : NULL;
	struct line line;

	if (play->choice) {
		line = page_line(page);
		line_add(&line, ROLE_DIM, 0, "the engine judges %s",
			step->task[play->task].choice[play->choice - 1].feature);
	} else if (said) {
		line = page_line(page);
		line_add(&line, done || play->right ? ROLE_FEASIBLE : ROLE_INFEASIBLE, 0, "%s",
			done || play->right ? "✓" : "✗");
		page_hanging(page, 3, ROLE_TEXT, said);
	}
	for (size_t i = 0; i < play->hints; i++) {
		line = page_line(page);
		line_add(&line, ROLE_ACCENT, 0, "H");
		page_hanging(page, 3, ROLE_DIM, step->hint[i]);
	}
}

static const char *
what_next(const struct state *state)
{
	const struct lesson_step *step = state_lesson_step(state);
	bool last = state->lesson->answers->at + 1 == state->lesson->lesson->n_steps;

	if (!step->n_tasks || state_lesson_answers(state)->done)
		return last ? "the end of the lesson; Esc leaves it" : "> goes on";
	if (state_lesson_open_task(state, true) < step->n_tasks)
		return step->n_hints ? "= answers, H gives a hint" : "= answers, X shows how";
	return step->n_hints ? "H gives a hint" : "X shows how";
}

/* The student's turn: what is to be done, what the lesson says to it, and which key goes on. */
static void
draw_turn(struct page *page, const struct state *state, bool roomy)
{
	const struct lesson_step *step = state_lesson_step(state);
	const struct lesson_answer *answer = state_lesson_answers(state);
	struct line line;

	if (roomy)
		page->row++;
	if (!answer->done || roomy)
		for (size_t i = 0; i < step->n_tasks; i++)
			draw_task(page, state, &step->task[i], &answer->given[i]);
	if (roomy && step->n_tasks)
		page->row++;
	draw_said(page, state);
	line = page_line(page);
	line_add(&line, ROLE_DIM, 0, "%s", what_next(state));
}

/* "step 3  ✓ after 2 tries" for each step that is done, if there is room. */
static void
draw_answers(struct page *page, const struct lesson_play *play)
{
	struct line line;

	page->row++;
	if (page->r.h - page->row < 3 || !lesson_answers_done(play->answers))
		return;
	line = page_line(page);
	line_add(&line, ROLE_DIM, 0, "your answers so far");
	for (size_t i = 0; i < play->lesson->n_steps && !page_full(page); i++) {
		const struct lesson_answer *answer = &play->answers->step[i];

		if (!answer->done)
			continue;
		line = page_line(page);
		line_add(&line, ROLE_DIM, 0, "  step %-2zu ", i + 1);
		line_add(&line, answer->shown ? ROLE_DIM : ROLE_FEASIBLE, 0, "%s", answer->shown ? "shown" : "✓");
		if (answer->tries)
			line_add(&line, ROLE_DIM, 0, " after %u wrong %s", answer->tries,
				answer->tries == 1 ? "way" : "ways");
		if (answer->hints)
			line_add(&line, ROLE_DIM, 0, ", %u hint%s", answer->hints, answer->hints == 1 ? "" : "s");
	}
}

/* The rows that a part of the lesson takes in so many columns. */
static int
rows_of(void (*draw)(struct page *, const struct state *, bool), const struct state *state, const struct grid *grid,
	int columns, bool roomy)
{
	struct grid *scratch = grid_new(columns, LESSON_ROWS_MOST, grid->ascii);
	struct page page = {.s = state, .g = scratch, .r = {0, 0, columns, LESSON_ROWS_MOST}};

	draw(&page, state, roomy);
	grid_free(scratch);
	return page.row;
}

/* The text has what the student's turn leaves. If it is too long, its end is out of sight, and the last line says so.
 */
static void
draw_parts(const struct state *state, struct grid *grid, struct rect in, bool roomy)
{
	int text = rows_of(draw_texts, state, grid, in.w, roomy), turn = rows_of(draw_turn, state, grid, in.w, roomy),
	    room = in.h - turn;
	struct page page = {.s = state, .g = grid, .r = in};

	if (room < 1)
		room = in.h > 1 ? 1 : in.h;
	page.r.h = text < room ? text : room;
	draw_texts(&page, state, roomy);
	if (text > room && room > 1) {
		struct pen pen = pen_on(grid, in, ROLE_ACCENT);

		pen_right(&pen, in.x + in.w - 1, in.y + room - 1, " … ");
	}
	page = (struct page){.s = state, .g = grid,
		.r = {in.x, in.y + page.r.h, in.w, in.h - page.r.h}};
	draw_turn(&page, state, roomy);
	if (roomy)
		draw_answers(&page, state->lesson);
}

static struct rect
draw_beside(const struct state *state, struct grid *grid, struct rect body)
{
	const struct lesson_play *play = state->lesson;
	struct rect r = {body.x, body.y, LESSON_COLUMNS, body.h}, in;
	char *info = str_format("step %zu of %zu", play->answers->at + 1, play->lesson->n_steps),
	     *marks = step_marks(play);
	struct page page;
	struct line line;

	in = draw_title(grid, r, "Lesson", info, false);
	page = (struct page){.s = state, .g = grid, .r = in};
	line = page_line(&page);
	line_add(&line, ROLE_ACCENT, 0, "%s", play->lesson->title);
	line = page_line(&page);
	line_add(&line, ROLE_DIM, 0, "%s", marks);
	in.y += 3;
	in.h -= 3;
	draw_parts(state, grid, in, true);
	free(info);
	free(marks);
	return (struct rect){r.x + r.w + 1, body.y, body.w - r.w - 1, body.h};
}

static struct rect
draw_above(const struct state *state, struct grid *grid, struct rect body)
{
	const struct lesson_play *play = state->lesson;
	int most = body.h - LESSON_VIEW_ROWS > body.h / 2 ? body.h - LESSON_VIEW_ROWS : body.h / 2 + 1, wanted = 1;
	char *title = str_format("Lesson · %s", play->lesson->title), *marks = step_marks(play),
	     *info = str_format("step %zu of %zu  %s", play->answers->at + 1, play->lesson->n_steps, marks);
	struct rect r = body;

	if (!play->folded)
		wanted = 1 + rows_of(draw_texts, state, grid, body.w, false) +
			rows_of(draw_turn, state, grid, body.w, false);
	r.h = wanted < most ? wanted : most;
	draw_parts(state, grid, draw_title(grid, r, title, info, false), false);
	free(title);
	free(marks);
	free(info);
	return (struct rect){body.x, body.y + r.h, body.w, body.h - r.h};
}

struct rect
draw_lesson(const struct state *state, struct grid *grid, struct rect body)
{
	if (!state->lesson)
		return body;
	return body.w >= LESSON_WIDE && !state->lesson->folded ? draw_beside(state, grid, body)
							       : draw_above(state, grid, body);
}

/* The weight of the horizontal rule in a cell: 0 (none), 1 or 2. */
static int
rule_weight(struct grid *grid, int x, int y)
{
	const struct cell *cell = grid_at(grid, x, y);

	return !cell ? 0 : cell->cp == 0x2501 || cell->cp == '=' ? 2 : cell->cp == 0x2500 || cell->cp == '-' ? 1 : 0;
}

void
draw_lesson_edge(struct grid *grid, struct rect body, struct rect view)
{
	struct pen rule = pen_on(grid, body, ROLE_FRAME);
	int x = view.x - 1;

	for (int y = body.y; x > body.x && y < body.y + body.h; y++) {
		int right = rule_weight(grid, view.x, y);

		if (grid->ascii)
			pen_hline(&rule, x, y, 1, y == body.y ? '+' : '|');
		else
			pen_hline(&rule, x, y, 1, glyph_junction(y > body.y, right, 1, y == body.y));
	}
}
