#include "draw/view/view_counters.h"
#include <stdlib.h>
#include "work/analysis/result.h"
#include "base/mem.h"
#include "core/udd/model.h"

#include <stdio.h>

#include "base/str.h"
#include "draw/view/view_trust.h"
#include "explorer/state/state_flows.h"
#include "work/timeline/timeline.h"

enum {
	PAGE_NUMBER = 60, /* columns; farther to the right the eye does not connect a number with its word */
	PAGE_COUNT = 7,   /* columns of a count: "999.9 M" */
};

struct mark {
	const struct state *s;
	bool *has;
};

static void
view_counters_mark(void *ctx, const struct aexpr *name)
{
	struct mark *mark = ctx;
	const struct network *net = timeline_network(mark->s->data.timeline);
	struct net_value v;
	const struct net_cell *cell;

	if (name->index < net->n_counters)
		mark->has[name->index] = true;
	if (!net_value_is_of_cell(net, name->index))
		return;
	v = net_value(net, name->index);
	cell = &net->module[v.module].cell[v.kind];
	for (size_t i = 0; v.field == NET_FIELDS && i < cell->n_hits; i++)
		aexpr_each_name(cell->hit[i].e, view_counters_mark, mark);
	if (v.field < NET_FIELDS && cell->field[v.field])
		aexpr_each_name(cell->field[v.field], view_counters_mark, mark);
}

void
counters_mark(const struct state *s, const struct aexpr *e, bool *has)
{
	struct mark m = {s, has};

	aexpr_each_name(e, view_counters_mark, &m);
}

void
page_number(struct page *p, const char *what, const char *number, enum role role)
{
	struct line l = page_line(p);
	struct pen pen = l.pen;

	l.end = p->r.x + (p->r.w - 1 < PAGE_NUMBER ? p->r.w - 1 : PAGE_NUMBER) - pen_columns(&pen, number) - 1;
	line_add(&l, ROLE_DIM, 0, "%s", what);
	pen.fg = role;
	pen_right(&pen, p->r.x + (p->r.w - 1 < PAGE_NUMBER ? p->r.w - 1 : PAGE_NUMBER), l.y, number);
}

/* The same with letters before the number. They need `room` columns, and stand below each other. */
static void
page_lettered(struct page *page, const char *what, const char *letters, int room, const char *number, enum role role)
{
	struct line l = page_line(page);
	struct pen pen = l.pen;
	int right = page->r.x + (page->r.w - 1 < PAGE_NUMBER ? page->r.w - 1 : PAGE_NUMBER),
	    wide = pen_columns(&pen, number);

	wide = wide < PAGE_COUNT ? PAGE_COUNT : wide;
	l.end = right - wide - room - 1;
	line_add(&l, ROLE_DIM, 0, "%s", what);
	pen.fg = ROLE_BORDERLINE;
	pen_text(&pen, right - wide - room, l.y, letters);
	pen.fg = role;
	pen_right(&pen, right, l.y, number);
}

void
page_counters(const struct state *state, struct page *page, const bool *has, size_t owners)
{
	const struct network *net = timeline_network(state->data.timeline);
	char more[48] = "", number[NUMBER_TEXT], letters[LETTERS_TEXT];
	int room = items_letters_width(state, net->counter, net->n_counters, has);
	struct str name = {0};
	size_t some = 0;

	if (owners > 1)
		snprintf(more, sizeof more, "of all %zu together", owners);
	for (size_t c = 0; c < net->n_counters; c++) {
		const struct network_data_counter *v = &state_timeline_shown(state).analysis->counter[c];
		const char *count = v->why ? net->counter[c].unresolved ? "unresolved" : v->why
			: number_count(number, v->value, false);
		enum role role = v->why ? ROLE_BORDERLINE : ROLE_TEXT;

		if (!has[c])
			continue;
		if (!some++)
			page_head(page, "Counters", more);
		str_clear(&name);
		str_add(&name, net->counter[c].name);
		if (v->taken && !v->why &&
			!(v->taken->n == 1 && str_eq(v->taken->event[0].name, net->counter[c].name))) {
			str_add(&name, " by ");
			event_sum_text(v->taken, &name);
		}
		if (room)
			page_lettered(page, str_text(&name), item_letters(state, &net->counter[c], letters), room,
				count, role);
		else
			page_number(page, str_text(&name), count, role);
	}
	str_free(&name);
}

void
page_marked_trust(const struct state *s, struct page *p, const bool *has)
{
	const struct network *net = timeline_network(s->data.timeline);

	page_items_trust(p, "How far the counters can be trusted", net->counter, net->n_counters, has);
}

void
page_counter_texts(struct page *page, const bool *has)
{
	const struct udd_model *model = page->s->question.model;

	for (size_t i = 0; i < model->n_counters && !page_full(page); i++) {
		struct line l;

		if (!has[i] || !*model->counter[i].text)
			continue;
		l = page_line(page);
		line_add(&l, ROLE_ACCENT, 0, "%s", model->counter[i].name);
		line_add(&l, ROLE_DIM, 0, "  %s", model->counter[i].text);
	}
}

void
page_constraint_texts(struct page *page, const struct constraint *constraint)
{
	bool *has = mem_new_array(constraint->n, sizeof *has);

	for (size_t i = 0; i < constraint->n; i++)
		has[i] = constraint->coef[i] != 0;
	page_counter_texts(page, has);
	free(has);
}
