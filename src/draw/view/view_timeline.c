/* Shared by views of snapshots: header, status, and the text of an empty view. */
#include "draw/view/view_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/network/queues.h"
#include "core/stack/stack.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/methods.h"
#include "work/timeline/run_advice.h"
#include "work/timeline/run_answer.h"
#include "work/timeline/timeline.h"

bool
timeline_is_shown(const struct state *s)
{
	enum view_about about = view_row(s->view.current)->about;

	return s->data.timeline && (about == VIEW_ABOUT_SNAPSHOTS || (about == VIEW_ABOUT_DATA && !s->question.model));
}

bool
timeline_is_run(const struct state *s)
{
	return s->answers.timeline.analysis && s->answers.timeline.analysis->run;
}

const char *
timeline_lacks(const struct state *s)
{
	return s->data.timeline ? NULL : "no network, no stack";
}

void
timeline_nothing(struct page *page)
{
	page_words(page, ROLE_TEXT, "A model is open. This view shows networks and stacks.");
	page_blank(page);
	page_head(page, "Commands that show something here", "");
	page_words(page, ROLE_TEXT,
		"hecate linux-vm -- CMD    where the memory and file requests of a command go, without a PMU");
	page_words(page, ROLE_TEXT,
		"hecate NETWORK DATA    recorded counters of a machine that a network describes: spr-cxl, haswell");
	page_words(page, ROLE_TEXT, "hecate STACK DATA    where cycles or time went: topdown-l1-spr, naive-hsw");
	page_blank(page);
	page_words(page, ROLE_DIM, "S lists networks and stacks to open; 1 goes back to the model.");
}

void
timeline_no_counters(struct page *page, bool network, const char *name, const char *so)
{
	struct str words = {0};

	if (page->s->data.n_tables)
		str_addf(&words, "The data have no counters of %s.", name);
	else
		str_addf(&words, "No %s of %s yet, so %s.", network ? "snapshot" : "data", name, so);
	page_words(page, ROLE_TEXT, str_text(&words));
	str_clear(&words);
	str_addf(&words, "hecate %s FILE --check lists the events that it counts", network ? "net" : "stack");
	page_words(page, ROLE_DIM, str_text(&words));
	if (!state_running(page->s))
		page_words(page, ROLE_DIM, state_is_simulated(page->s) ? "R runs the simulated machine."
			: "r runs a command and counts it.");
	str_free(&words);
}

static const char *
subject_name(const struct state *s)
{
	size_t n = timeline_snapshots(s->data.timeline);
	const char *name = n
		? timeline_snapshot(s->data.timeline, s->view.timeline.snapshot < n ? s->view.timeline.snapshot : n - 1)
			  .name
		: "";

	return *name ? name : s->data.name ? s->data.name : state_has_subject(s) ? state_subject(s) : "";
}

/* "culprit HWPF on M2PCIe", or why there is none. Returns its role. */
static enum role
finding_words(const struct state *state, const struct view_draw *draw, bool roomy, struct str *out)
{
	const struct network *network = timeline_network(state->data.timeline);
	const struct timeline_analysis *analysis = state->answers.timeline.analysis;

	if (state->answers.timeline.answer) {
		run_answer_brief(state->answers.timeline.answer, out);
		return ROLE_TEXT;
	}
	if (draw->finding && draw->finding(state, out))
		return ROLE_TEXT;
	if (!network)
		return ROLE_TEXT;
	if (!analysis || !analysis->culprit) {
		str_add(out,
			!analysis                           ? "? no data"
				: analysis->queues->awaited ? "no culprit: idle"
							    : "no queue is known");
		return analysis && analysis->queues->awaited ? ROLE_DIM : ROLE_UNDECIDED;
	}
	str_addf(out, "culprit %s", network->kind[analysis->culprit->kind].name);
	if (roomy)
		str_addf(out, " on %s", network->module[analysis->culprit->module].name);
	return ROLE_HOT;
}

/* --- the answer, and what to try --------------------------------------------------------------------------------- */

/* Lines below the panes: what the run did, the disk, then for the weightiest advices the numbers and what to try, in
 * one line or two. The last of them is the status line's, unless that has to tell how the run goes on. */
enum { ANSWER_LINES = 8, ANSWER_ROOMY = 30, ANSWER_LARGE = 45, ANSWER_LEAST = 20 };
struct answer_line {
	enum { ANSWER_SENTENCE, ANSWER_ADVICE, ANSWER_EVIDENCE, ANSWER_CHANGE, ANSWER_DISK } what;
	const struct run_advice *advice;
};

static int
text_columns(const char *text)
{
	struct grid *grid = grid_new(1, 1, false);
	struct pen pen = pen_on(grid, (struct rect){0, 0, 1, 1}, ROLE_TEXT);
	int n = pen_columns(&pen, text);

	grid_free(grid);
	return n;
}

static size_t
answer_lines(const struct state *state, int w, int h, struct answer_line out[ANSWER_LINES])
{
	const struct run_advices *advices = state->answers.timeline.advices;
	size_t most = h < ANSWER_LEAST ? 1 : h < ANSWER_ROOMY ? 3 : h < ANSWER_LARGE ? 5 : ANSWER_LINES, n = 0;

	if (!timeline_is_shown(state))
		return 0;
	if (state->answers.timeline.answer)
		out[n++] = (struct answer_line){ANSWER_SENTENCE, NULL};
	if (advices && advices->disk && h >= ANSWER_ROOMY)
		out[n++] = (struct answer_line){ANSWER_DISK, NULL};
	for (size_t i = 0; advices && i < advices->n && n < most; i++) {
		const struct run_advice *advice = &advices->list[i];

		if (text_columns(advice->evidence) + text_columns(advice->change) + 8 <= w - 2) {
			out[n++] = (struct answer_line){ANSWER_ADVICE, advice};
		} else if (n + 1 < most) {
			out[n++] = (struct answer_line){ANSWER_EVIDENCE, advice};
			out[n++] = (struct answer_line){ANSWER_CHANGE, advice};
		}
	}
	return n;
}

/* As much of the sentence as fits: without its head, which the header has, and then without the last of its parts. */
static void
draw_sentence(const struct state *state, struct line *line)
{
	struct str words = {0};
	int room = line->end - line->x;
	char *text, *part;

	run_answer_sentence(state->answers.timeline.answer, false, &words);
	if (pen_columns(&line->pen, str_text(&words)) > room) {
		str_clear(&words);
		run_answer_finding(state->answers.timeline.answer, false, &words);
	}
	text = str_take(&words);
	while (pen_columns(&line->pen, text) > room && (part = strrchr(text, ';')) != NULL)
		*part = '\0';
	line_add(line, ROLE_TEXT, 0, "%s", text);
	free(text);
}

static void
draw_answer_line(const struct state *state, const struct answer_line *it, struct line *line)
{
	if (it->what == ANSWER_SENTENCE)
		draw_sentence(state, line);
	if (it->what == ANSWER_DISK)
		line_add(line, ROLE_DIM, 0, "%s", state->answers.timeline.advices->disk);
	if (it->what == ANSWER_ADVICE || it->what == ANSWER_EVIDENCE)
		line_add(line, ROLE_TEXT, 0, "%s", it->advice->evidence);
	if (it->what == ANSWER_ADVICE)
		line_add(line, ROLE_DIM, 0, "; ");
	if (it->what == ANSWER_ADVICE || it->what == ANSWER_CHANGE) {
		line_add(line, ROLE_ACCENT, 0, "try: ");
		line_add(line, ROLE_TEXT, CELL_BOLD, "%s", it->advice->change);
	}
}

/* The lines above the status line. */
static size_t
lines_above(const struct state *state, size_t n)
{
	return n > 1 && state_running(state) ? n : n ? n - 1 : 0;
}

int
timeline_answer_rows(const struct state *state, int w, int h)
{
	struct answer_line line[ANSWER_LINES];

	return (int)lines_above(state, answer_lines(state, w, h, line));
}

void
draw_timeline_answer(const struct state *state, struct grid *grid)
{
	struct answer_line line[ANSWER_LINES];
	size_t n = lines_above(state, answer_lines(state, grid->w, grid->h, line));

	for (size_t i = 0; i < n; i++) {
		struct rect row = {0, grid->h - 2 - (int)(n - i), grid->w, 1};
		struct line l = line_on(grid, row, 0);

		draw_answer_line(state, &line[i], &l);
	}
}

bool
timeline_answer(const struct state *state, const struct grid *grid, struct line *line)
{
	struct answer_line all[ANSWER_LINES];
	size_t n = answer_lines(state, grid->w, grid->h, all);

	if (lines_above(state, n) == n)
		return false;
	draw_answer_line(state, &all[n - 1], line);
	return true;
}

static void
snapshot_words(const struct state *state, bool roomy, struct str *out)
{
	struct timeline_snapshot m;

	if (!timeline_snapshots(state->data.timeline))
		return;
	if (state->answers.timeline.answer) {
		run_answer_head(state->answers.timeline.answer, false, out);
		return;
	}
	if (state->view.timeline.whole) {
		str_add(out, "whole run");
		return;
	}
	m = timeline_snapshot(state->data.timeline, state->view.timeline.snapshot);
	str_addf(out, roomy ? "snapshot %zu of %zu" : "snapshot %zu/%zu", m.number, m.of);
}

void
draw_timeline_header(const struct state *state, const struct view_draw *draw, struct grid *grid)
{
	struct rect row = {0, 0, grid->w, 1};
	struct pen right = pen_on(grid, row, ROLE_TEXT);
	struct line l = line_on(grid, row, 0);
	struct str finding = {0}, snapshot = {0};
	const struct network *network = timeline_network(state->data.timeline);
	const struct stack *stack = timeline_stack(state->data.timeline);
	int end = grid->w - 1;

	right.fg = finding_words(state, draw, grid->w >= 112, &finding);
	right.attr = CELL_BOLD;
	pen_right(&right, end, 0, str_text(&finding));
	end -= finding.n ? pen_columns(&right, str_text(&finding)) + 2 : 0;
	snapshot_words(state, grid->w >= 112, &snapshot);
	right.fg = ROLE_TEXT;
	right.attr = 0;
	pen_right(&right, end, 0, str_text(&snapshot));
	l.end = end - (snapshot.n ? pen_columns(&right, str_text(&snapshot)) + 2 : 0);
	if (grid->w >= 60) {
		line_add(&l, ROLE_ACCENT, 0, "hecate");
		line_gap(&l, 2);
	}
	if (!network && state_compares_methods(state))
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%zu methods", timeline_methods(state->data.timeline)->n_stacks);
	else
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", network ? network->name : stack->name);
	line_gap(&l, 2);
	line_add(&l, ROLE_DIM, 0, "%s", subject_name(state));
	str_free(&finding);
	str_free(&snapshot);
}

void
draw_timeline_tiny(const struct state *state, const struct view_draw *draw, struct grid *grid)
{
	struct str words = {0};
	struct line l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, 0);
	enum role role = finding_words(state, draw, true, &words);
	const struct network *network = timeline_network(state->data.timeline);

	if (grid->w >= 20 && grid->h >= 3) {
		line_add(&l, ROLE_TEXT, CELL_BOLD, "%s ",
			network ? network->name : timeline_stack(state->data.timeline)->name);
		line_add(&l, ROLE_DIM, 0, "%s", subject_name(state));
		l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, 1);
		line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
		str_clear(&words);
		snapshot_words(state, true, &words);
		l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, 2);
		line_add(&l, ROLE_DIM, 0, "%s", str_text(&words));
		if (grid->h > 3) {
			l = line_on(grid, (struct rect){-1, 0, grid->w + 1, grid->h}, grid->h - 1);
			line_add(&l, ROLE_DIM, 0, "? help  q quit  40x10 shows more");
		}
	} else {
		line_add(&l, role, CELL_BOLD, "%s", str_text(&words));
	}
	str_free(&words);
}

char *
timeline_state_words(const struct state *state, bool brief)
{
	struct str out = {0};
	char number[NUMBER_TEXT];
	bool live = state_running(state);
	double asked, kept;

	state_interval(state, &asked, &kept);
	if (state->view.timeline.frozen)
		str_add(&out, live ? "frozen" : state->view.timeline.compared != TIMELINE_NONE ? "compared" : "");
	else if (live && isinf(kept))
		str_add(&out, "live, reported at the end");
	else if (live)
		str_addf(&out, "live %s", number_seconds(number, kept, false));
	if (live && kept > asked)
		str_addf(&out, ", slowed from %s", number_seconds(number, asked, false));
	if (doctor_lacks_pmu(&state->data.machine) && live && !brief && !state_is_simulated(state))
		str_add(&out, out.n ? " · no hardware PMU" : "no hardware PMU");
	return str_take(&out);
}
