#include "draw/view/view_counters.h"

#include <stdio.h>

#include "app/timeline/timeline.h"
#include "base/str.h"

enum { PAGE_NUMBER = 60 }; /* columns; farther to the right the eye does not connect a number with its word */

struct mark {
	const struct state *s;
	bool *has;
};

static void
mark(void *ctx, const struct aexpr *name)
{
	struct mark *m = ctx;
	const struct network *net = timeline_network(m->s->data.timeline);
	struct net_value v;
	const struct net_cell *cell;

	if (name->index < net->n_counters)
		m->has[name->index] = true;
	if (name->index < net->n_counters + net->n_constants)
		return;
	v = net_value(net, name->index);
	cell = &net->module[v.module].cell[v.kind];
	for (size_t i = 0; v.field == NET_FIELDS && i < cell->n_hits; i++)
		aexpr_each_name(cell->hit[i].e, mark, m);
	if (v.field < NET_FIELDS && cell->field[v.field])
		aexpr_each_name(cell->field[v.field], mark, m);
}

void
counters_mark(const struct state *s, const struct aexpr *e, bool *has)
{
	struct mark m = {s, has};

	aexpr_each_name(e, mark, &m);
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

void
page_counters(const struct state *s, struct page *p, const bool *has, size_t owners)
{
	const struct network *net = timeline_network(s->data.timeline);
	char more[48] = "", number[NUMBER_TEXT];
	size_t some = 0;

	if (owners > 1)
		snprintf(more, sizeof more, "of all %zu together", owners);
	for (size_t c = 0; c < net->n_counters; c++) {
		const struct network_data_counter *v = &s->answers.timeline.analysis->counter[c];

		if (!has[c])
			continue;
		if (!some++)
			page_head(p, "Counters", more);
		page_number(p, net->counter[c].name,
			v->why ? net->counter[c].unresolved ? "unresolved" : v->why
			       : number_count(number, v->value, false),
			v->why ? ROLE_BORDERLINE : ROLE_TEXT);
	}
}
