/* One event in detail: how far off it is, what explains that, its letters in words, what to do, and what books say. */
#include "draw/view/events/events.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/trust/book.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"
#include "draw/view/view_counters.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_events.h"
#include "work/trust/events.h"

enum { HISTOGRAM_ROWS = 14 };

void
title_event(const struct state *s, struct str *title, struct str *info)
{
	const struct trust_event *e = state_event(s);

	if (!e) {
		str_add(title, "Event");
		return;
	}
	str_add(title, e->event);
	if (*e->test)
		str_addf(title, " · %s", e->test);
	if (e->counter)
		str_addf(title, " · %s", e->counter);
	str_add(info, e->machine);
}

static void
number_line(struct page *p, const char *what, double v, bool sign, double range)
{
	char number[NUMBER_TEXT];
	struct str text = {0};

	if (isnan(v))
		return;
	str_add(&text, number_exact(number, llround(v), sign, false));
	if (!isnan(range))
		str_addf(&text, ", range %s", number_exact(number, llround(range), false, false));
	page_number(p, what, str_text(&text), ROLE_TEXT);
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
	if (!e->judged)
		line_add(&l, ROLE_DIM, 0, e->entry ? " by books, not by runs" : " nothing is known of it");
}

static void
event_add_numbers(struct page *p, const struct trust_event *e)
{
	const struct trust_judged *j = e->judged;
	double single = e->group->n > 1 ? 0 : NAN;

	number_line(p, "expected", e->group->expected, false, NAN);
	number_line(p, "mean", j->mean, false, j->spread + single);
	number_line(p, "off by", j->offset, true, NAN);
	if (j->n_parts)
		number_line(p, "corrected", j->adjusted, false, j->adjusted_spread + single);
	if (j->n_parts)
		number_line(p, "left", j->adjusted - e->group->expected, true, NAN);
}

/* "1 each (0.955 to 1.08), 344 a run", "+10 021 a run (9 966 to 10 023)" */
static void
event_add_part(struct page *p, const struct trust_part *k)
{
	char slope[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT], n[NUMBER_TEXT];
	struct str text = {0};
	struct line l = page_line(p);

	line_add(&l, ROLE_TEXT, CELL_BOLD, "%s", k->by);
	if (k->per_run)
		str_addf(&text, "%s a run (%s to %s)", number_exact(slope, llround(k->slope), true, false),
			number_exact(low, llround(k->low), true, false),
			number_exact(high, llround(k->high), true, false));
	else
		str_addf(&text, "%s each (%s to %s), %s%s a run", number_digits(slope, k->slope, 3, false),
			number_digits(low, k->low, 3, false), number_digits(high, k->high, 3, false),
			k->bound ? "at most " : "", number_exact(n, llround(k->occurrences), false, false));
	str_addf(&text, "%s%s", k->assumed ? ", assumed" : "", k->subtracted ? "" : ", not subtracted");
	page_hanging(p, l.x - p->r.x + 2 > 14 ? l.x - p->r.x + 2 : 14, ROLE_TEXT, str_text(&text));
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
event_add_contents(struct page *p, const struct trust_event *e)
{
	struct str remedy = {0};

	event_add_verdict(p, e);
	if (e->judged) {
		event_add_numbers(p, e);
		add_explained(p, e);
	}
	if (trust_event_letters(e) && e->judged) {
		page_blank(p);
		page_head(p, "Letters", "");
		page_letters(p, trust_event_letters(e));
	}
	page_blank(p);
	page_head(p, "What to do", "");
	trust_event_remedy(e, &remedy);
	page_words(p, ROLE_TEXT, str_text(&remedy));
	str_free(&remedy);
	if (e->judged && e->judged->note) {
		page_blank(p);
		page_head(p, "About these runs", "");
		page_words(p, ROLE_TEXT, e->judged->note);
	}
	if (e->entry) {
		page_blank(p);
		page_head(p, "What books say of it", "");
		page_entry(p, e->entry);
	}
	if (e->group && *e->group->counter) {
		page_blank(p);
		page_number(p, "counted as", e->group->counter, ROLE_DIM);
	}
}

void
draw_event(const struct state *s, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	const struct trust_event *e = state_event(s);
	struct page p = {.s = s, .g = g, .r = r, .skip = s->view.cursor[PANE_EVENT]};

	(void)focus;
	if (e)
		event_add_contents(&p, e);
	else
		page_words(&p, ROLE_DIM, "No event is chosen.");
	d->layout.rows[PANE_EVENT] = page_rows(&p);
}

int
draw_event_popup(const struct state *s, struct grid *g, struct rect screen, int first)
{
	const struct trust_event *e = state_event(s);
	struct page p = {.s = s, .g = g, .skip = first};
	struct str title = {0}, info = {0};

	title_event(s, &title, &info);
	str_add(&info, info.n ? " · [ ] others" : "[ ] others");
	p.r = draw_popup(g, screen, 84, screen.h - 4, str_text(&title), str_text(&info));
	str_free(&title);
	str_free(&info);
	if (!e)
		return 1;
	event_add_contents(&p, e);
	if (e->judged && e->group->n && !e->group->stated_runs) {
		page_blank(&p);
		if (p.row - p.skip >= 0 && p.row - p.skip < p.r.h) {
			struct rect rest = {p.r.x, p.r.y + p.row - p.skip, p.r.w, p.r.h - (p.row - p.skip)};

			rest.h = rest.h < HISTOGRAM_ROWS ? rest.h : HISTOGRAM_ROWS;
			draw_histograms(e, g, rest);
		}
		p.row += HISTOGRAM_ROWS;
	}
	return page_rows(&p);
}
