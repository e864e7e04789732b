/* Two runs on one network, or two snapshots: what is how many times as much, as hecate net --compare prints it. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/str.h"
#include "core/network/network.h"
#include "draw/view/view_page.h"
#include "draw/view/view_table.h"
#include "work/timeline/network_compare.h"
#include "work/timeline/timeline_ratios.h"

enum { NUMBER = 9, BOUNDS = 16, NAME_LEAST = 24 };

static const char *
ratio_text(char out[NUMBER_TEXT], double v, bool count)
{
	return isnan(v) ? "?" : isinf(v) ? "∞" : count && v >= 1000 ? number_count(out, v, false)
								   : number_digits(out, v, 3, false);
}

static void
ratios_right(struct line *l, int end, enum role role, const char *text)
{
	l->pen.fg = role;
	pen_right(&l->pen, end, l->y, text);
}

/* Times and bytes with their units. */
static const char *
total_text(char out[NUMBER_TEXT], const struct compared *one, int side)
{
	double v = one->total[side];

	if (one->what == COMPARED_QUEUE)
		return ratio_text(out, v, true);
	if (v > 0 && unit_equal(one->unit, unit_of(UNIT_NS)))
		return number_seconds(out, v * 1e-9, false);
	return v > 0 && unit_equal(one->unit, unit_of(UNIT_BYTES)) ? number_bytes(out, v, false)
								   : ratio_text(out, v, true);
}

/* A, B, their ratio with its interval, and what it is a ratio of. Colour and sign say which way it differs. */
static void
write_ratio(struct page *page, const struct network *net, const struct compared *one)
{
	bool differs = compared_differs(one), more = one->ratio.ratio > 1;
	struct line l = page_line(page);
	int bounds = page->r.w >= NAME_LEAST + 3 * NUMBER + BOUNDS ? BOUNDS : 0, end = l.end;
	char number[NUMBER_TEXT], low[NUMBER_TEXT];
	struct str text = {0};

	if (bounds && !isnan(one->ratio.low))
		str_addf(&text, "%s..%s", ratio_text(low, one->ratio.low, false),
			ratio_text(number, one->ratio.high, false));
	ratios_right(&l, end - 1, differs ? ROLE_TEXT : ROLE_DIM, str_text(&text));
	str_clear(&text);
	end -= bounds;
	str_addf(&text, "%s%s×", differs ? more ? "↑" : "↓" : "", ratio_text(number, one->ratio.ratio, false));
	ratios_right(&l, end - 1, !differs ? ROLE_TEXT : more ? ROLE_INFEASIBLE : ROLE_FEASIBLE, str_text(&text));
	end -= NUMBER;
	for (int side = 2; side-- > 0; end -= NUMBER)
		ratios_right(&l, end - 1, ROLE_DIM, total_text(number, one, side));
	str_clear(&text);
	compared_name(net, one, &text);
	l.pen.fg = ROLE_TEXT;
	pen_fit_middle(&l.pen, l.x, l.y, end - l.x, str_text(&text));
	str_free(&text);
}

static void
write_ratios(struct page *page, const struct network *net, const struct network_compare *c, bool counters)
{
	size_t n;
	const struct compared **list = network_compare_sorted(c, counters, &n);

	if (n) {
		page_blank(page);
		page_head(page, counters ? "counters" : "components and figures", "greatest difference first");
	}
	for (size_t i = 0; i < n; i++)
		write_ratio(page, net, list[i]);
	free(list);
}

static int
draw_ratios(const struct state *state, struct grid *grid, struct rect screen, int first)
{
	const struct timeline_ratios *ratios = state->answers.timeline.ratios;
	const struct network_compare *c = ratios ? ratios->compare : NULL;
	struct page p = {.s = state, .g = grid, .skip = first};
	struct str text = {0};

	p.r = draw_popup(grid, screen, 110, screen.h - 4, "B against A", "A, B, B/A, its interval");
	for (int i = 0; ratios && i < 2; i++) {
		str_clear(&text);
		str_addf(&text, "%c  %s", 'A' + i, ratios->name[i]);
		if (c)
			str_addf(&text, ", %zu row%s", c->rows[i], plural_s(c->rows[i]));
		if (c && c->seconds[i] > 0)
			str_addf(&text, ", %.4g s", c->seconds[i]);
		page_words(&p, ROLE_TEXT, str_text(&text));
	}
	str_clear(&text);
	if (!c) {
		page_words(&p, ROLE_BORDERLINE,
			"These are too many rows to compare here: hecate net NETWORK A B --compare does it.");
		return page_rows(&p);
	}
	str_addf(&text, "B/A of %s; of queues, delays and figures that of means over the rows. ",
		c->seconds[0] > 0 && c->seconds[1] > 0 ? "rates per second" : "means over the rows");
	if (c->n_bounded)
		str_addf(&text, "The %zu intervals hold together at 99 %%; ↑ ↓: the interval leaves out 1.",
			c->n_bounded);
	else
		str_addf(&text, "No intervals: they need %zu rows of both.", SERIES_FEWEST_FOR_BOUNDS);
	page_words(&p, ROLE_DIM, str_text(&text));
	str_free(&text);
	write_ratios(&p, timeline_network(state->data.timeline), c, false);
	write_ratios(&p, timeline_network(state->data.timeline), c, true);
	return page_rows(&p);
}

const struct popup_draw popup_draw_ratios = {.text = draw_ratios};
