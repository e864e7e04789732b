/* One event in detail: how far off it is, what explains that, its letters in words, what to do, and what books say. */
#include "draw/view/events/events.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_table.h"
#include "draw/view/view_trust.h"
#include "event/table.h"
#include "explorer/state/state_catalogue.h"
#include "explorer/state/state_events.h"
#include "work/catalogue.h"
#include "work/trust/events.h"

enum { HISTOGRAM_ROWS = 14 };

void
title_event(const struct state *state, struct str *title, struct str *info)
{
	const struct trust_event *event = state_event(state);
	const struct catalogue_node *node = state_catalogue_page(state);

	if (node) {
		str_add(title, node->name);
		if (state_catalogue_event(state))
			str_add(info, state_catalogue_event(state)->pmu);
		return;
	}
	if (!event) {
		str_add(title, "Event");
		return;
	}
	str_add(title, event->event);
	if (*event->test)
		str_addf(title, " · %s", event->test);
	if (event->counter)
		str_addf(title, " · %s", event->counter);
	str_add(info, event->machine);
}

static void
number_line(struct page *page, const char *what, double v, bool sign, double range)
{
	char number[NUMBER_TEXT];
	struct str text = {0};

	if (isnan(v))
		return;
	str_add(&text, number_exact(number, llround(v), sign, false));
	if (!isnan(range))
		str_addf(&text, ", range %s", number_exact(number, llround(range), false, false));
	page_number(page, what, str_text(&text), ROLE_TEXT);
	str_free(&text);
}

static void
event_add_verdict(struct page *p, const struct trust_event *e)
{
	enum trust_verdict v = trust_event_verdict(e);
	struct line l = page_line(p);
	char letters[LETTERS_TEXT];

	line_add(&l, trust_role(v), CELL_BOLD, "%s %s", trust_mark(v), trust_verdict_name(v));
	line_gap(&l, 2);
	line_add(&l, ROLE_BORDERLINE, CELL_BOLD, "%s", trust_letters_text(letters, trust_event_letters(e), v));
	for (size_t i = 0; e->counter && p->s->question.model && i < p->s->question.model->n_counters; i++)
		if (str_eq(p->s->question.model->counter[i].name, e->counter) && *p->s->question.model->counter[i].text)
			page_words(p, ROLE_DIM, p->s->question.model->counter[i].text);
	if (!e->judged)
		line_add(&l, ROLE_DIM, 0, e->entry ? " by books, not by runs" : " nothing is known of it");
}

static void
event_add_numbers(struct page *page, const struct trust_event *event)
{
	const struct trust_judged *judged = event->judged;
	double single = event->group->n > 1 ? 0 : NAN;

	number_line(page, "expected", event->group->expected, false, NAN);
	number_line(page, "mean", judged->mean, false, judged->spread + single);
	number_line(page, "off by", judged->offset, true, NAN);
	if (judged->n_parts)
		number_line(page, "corrected", judged->adjusted, false, judged->adjusted_spread + single);
	if (judged->n_parts)
		number_line(page, "left", judged->adjusted - event->group->expected, true, NAN);
}

/* "1 each (0.955 to 1.08), 344 a run", "+10 021 a run (9 966 to 10 023)" */
static void
event_add_part(struct page *page, const struct trust_part *part)
{
	char slope[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT], n[NUMBER_TEXT];
	struct str text = {0};
	struct line l = page_line(page);

	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", part->by);
	if (part->per_run)
		str_addf(&text, "%s a run (%s to %s)", number_exact(slope, llround(part->slope), true, false),
			number_exact(low, llround(part->low), true, false),
			number_exact(high, llround(part->high), true, false));
	else
		str_addf(&text, "%s each (%s to %s), %s%s a run", number_digits(slope, part->slope, 3, false),
			number_digits(low, part->low, 3, false), number_digits(high, part->high, 3, false),
			part->bound ? "at most " : "", number_exact(n, llround(part->occurrences), false, false));
	str_addf(&text, "%s%s", part->assumed ? ", assumed" : "", part->subtracted ? "" : ", not subtracted");
	page_hanging(page, l.x - page->r.x + 2 > 14 ? l.x - page->r.x + 2 : 14, ROLE_TEXT, str_text(&text));
	str_free(&text);
}

static void
add_explained(struct page *p, const struct trust_event *e)
{
	page_blank(p);
	page_head(p, "What explains it", "");
	for (size_t i = 0; i < e->judged->n_parts; i++)
		event_add_part(p, &e->judged->part[i]);
	if (e->judged->n_parts == 0)
		page_words(p, ROLE_DIM,
			e->judged->spread == 0 && e->judged->offset == 0 ? "There is no error to explain."
									 : "Nothing that was measured explains it.");
}

static void
event_add_contents(struct page *page, const struct trust_event *event)
{
	struct str remedy = {0};

	event_add_verdict(page, event);
	if (event->judged) {
		event_add_numbers(page, event);
		add_explained(page, event);
	}
	if (trust_event_letters(event) && event->judged) {
		page_blank(page);
		page_head(page, "Letters", "");
		page_letters(page, trust_event_letters(event));
	}
	page_blank(page);
	page_head(page, "What to do", "");
	trust_event_advice(event, &remedy);
	page_words(page, ROLE_TEXT, str_text(&remedy));
	str_free(&remedy);
	if (event->judged && event->judged->note) {
		page_blank(page);
		page_head(page, "About these runs", "");
		page_words(page, ROLE_TEXT, event->judged->note);
	}
	if (event->entry) {
		page_blank(page);
		page_head(page, "What books say of it", "");
		page_entry(page, event->entry);
	}
	if (event->group && *event->group->counter) {
		page_blank(page);
		page_number(page, "counted as", event->group->counter, ROLE_DIM);
	}
}

void
draw_event(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct trust_event *e = state_event(s);
	struct page p = {.s = s, .g = g, .r = r, .skip = s->view.cursor[PANE_EVENT]};

	(void)focus;
	if (state_catalogue_event(s))
		catalogue_page(&p, state_catalogue_event(s));
	else if (state_catalogue_page(s))
		catalogue_group_page(&p, state_catalogue_page(s));
	else if (e)
		event_add_contents(&p, e);
	else
		page_words(&p, ROLE_DIM, "No event is chosen.");
	d->layout.rows[PANE_EVENT] = page_rows(&p);
}

static int
draw_event_popup(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct trust_event *event = state_event(state);
	struct page p = {.s = state, .g = grid, .skip = first};
	struct str title = {0}, info = {0};

	title_event(state, &title, &info);
	str_add(&info, info.n ? " · [ ] others" : "[ ] others");
	p.r = draw_popup(grid, screen, 84, screen.h - 4, str_text(&title), str_text(&info));
	str_free(&title);
	str_free(&info);
	if (state_catalogue_event(state)) {
		catalogue_page(&p, state_catalogue_event(state));
		return page_rows(&p);
	}
	if (!event)
		return 1;
	event_add_contents(&p, event);
	if (event->judged && event->group->n && !event->group->stated_runs) {
		page_blank(&p);
		if (p.row - p.skip >= 0 && p.row - p.skip < p.r.h) {
			struct rect rest = {p.r.x, p.r.y + p.row - p.skip, p.r.w, p.r.h - (p.row - p.skip)};

			rest.h = rest.h < HISTOGRAM_ROWS ? rest.h : HISTOGRAM_ROWS;
			draw_histograms(event, grid, rest);
		}
		p.row += HISTOGRAM_ROWS;
	}
	return page_rows(&p);
}

const struct popup_draw popup_draw_event = {.text = draw_event_popup};
