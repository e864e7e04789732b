/* What would be known of the chosen quantity after more pairs of runs. */
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "draw/view/diff/diff_parts.h"
#include "explorer/state/state_diff.h"
#include "work/diff/diff_words.h"

enum { ROWS = 7, PAIRS_X = 1, TIME_X = 11, KNOWN_X = 21, SAYS_X = 31 };

static const struct pane_spec pairs_wish[] = {
	{.priority = 3, .band = 1, .column = 2, .min_w = 42, .max_w = 45, .min_h = 7, .weight_w = 2, .weight_h = 4,
		.from_w = 118, .from_h = 15},
	{.priority = 3, .band = 2, .column = 0, .min_w = 42, .min_h = 8, .max_h = 10, .weight_w = 1, .weight_h = 2,
		.below_w = 118, .from_h = 32},
};

/* What an interval of this half width around the same estimate would say. */
static enum diff_answer
answer_with(const struct diff_found *f, double half, double threshold)
{
	if (f->estimate - half > 0)
		return DIFF_MORE;
	if (f->estimate + half < 0)
		return DIFF_LESS;
	return fmax(fabs(f->estimate - half), fabs(f->estimate + half)) <= threshold ? DIFF_EQUAL : DIFF_UNDECIDED;
}

static void
add_pairs_row(struct page *page, const struct diff_scene *s, const struct diff_found *f, double times)
{
	const struct measured_diff *m = &s->contest->of.measured;
	double blocks = (double)f->blocks * (times - 1), half = (f->high - f->low) / 2 / sqrt(times);
	struct diff_found then = *f;
	char number[NUMBER_TEXT];
	struct line l = page_line(page);

	then.answer = answer_with(f, half, s->contest->rule.threshold);
	then.counted = true;
	if (times > 1)
		line_add(&l, ROLE_TEXT, 0, "+%s", number_count(number, 2 * blocks, false));
	else
		line_add(&l, ROLE_TEXT, 0, "now");
	line_to(&l, TIME_X);
	if (m->seconds > 0 && times > 1)
		line_add(&l, ROLE_DIM, 0, "%s", number_seconds(number, diff_seconds_for(m, (size_t)blocks), false));
	line_to(&l, KNOWN_X);
	line_add(&l, ROLE_TEXT, 0, "± %s %%", number_digits(number, 100 * half, 2, false));
	line_to(&l, SAYS_X);
	line_add(&l, diff_answer_role(s->quantity, &then), CELL_BOLD, "%s %s", diff_answer_mark(&then),
		diff_answer_brief(s->quantity, &then));
}

static void
draw_more_pairs(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct diff_scene s;
	struct page page = {.s = state, .g = grid, .r = r, .skip = focus ? state->view.cursor[PANE_MORE_PAIRS] : 0};
	const struct diff_found *f = diff_scene(state, &s) ? diff_found_of(s.contest, s.chosen) : NULL;
	struct line l;

	if (!f || !f->counted || f->absolute || isinf(f->low) || isinf(f->high)) {
		page_words(&page, ROLE_DIM,
			!f ? ""
			: f->absolute ? "A has none of it, so there is no ratio whose interval could shrink."
				      : "Four blocks of four runs are the least for an interval. "
					"Until then anything is possible.");
	} else if (f->high <= f->low) {
		page_words(&page, ROLE_DIM, "Every run had the same count; more pairs would say the same.");
	} else {
		l = page_line(&page);
		line_add(&l, ROLE_DIM, 0, "pairs");
		line_to(&l, TIME_X);
		line_add(&l, ROLE_DIM, 0, s.contest->of.measured.seconds > 0 ? "time" : "");
		line_to(&l, KNOWN_X);
		line_add(&l, ROLE_DIM, 0, "B/A to");
		line_to(&l, SAYS_X);
		line_add(&l, ROLE_DIM, 0, "answer");
		for (int i = 0; i < ROWS; i++)
			add_pairs_row(&page, &s, f, pow(2, i));
		page_blank(&page);
		page_words(&page, ROLE_DIM, "if B/A stays as it is; an interval shrinks with the root of the pairs");
	}
	drawn->layout.rows[PANE_MORE_PAIRS] = page_rows(&page);
}

static void
title_more_pairs(const struct state *state, struct str *title, struct str *info)
{
	str_add(title, "After more pairs");
	diff_write_chosen(state, info);
}

const struct pane_draw pane_draw_more_pairs = {
	.title = title_more_pairs, .draw = draw_more_pairs, PANE_WISHES(pairs_wish)};
