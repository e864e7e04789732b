#include "work/diff/contest_news.h"

#include <stdlib.h>

#include "shape/wire.h"
#include "work/diff/measure.h"

/* Both processes are of one program, so that a flat struct goes as it is in memory. */
static void
report_wire(struct wire *w, struct diff_report *r)
{
	wire_array(w, &r->found, &r->n, sizeof *r->found, sizeof *r->found);
	for (size_t i = 0; i < r->n; i++)
		wire_bytes(w, &r->found[i], sizeof r->found[i]);
	wire_size(w, &r->warm_up);
	wire_double(w, &r->warm_up_by);
	wire_double(w, &r->drift);
	wire_double(w, &r->carry);
}

static void
listed_wire(struct wire *w, struct listed *l)
{
	wire_name(w, &l->name);
	wire_str(w, &l->unit);
	wire_str(w, &l->exact_by);
	wire_bool(w, &l->is_time);
	wire_bool(w, &l->exact);
}

void
news_free(struct news *x)
{
	for (size_t i = 0; i < x->n_listed; i++) {
		free(x->listed[i].name);
		free(x->listed[i].unit);
		free(x->listed[i].exact_by);
	}
	free(x->listed);
	free(x->value);
	free(x->text);
}

void
news_wire_all(struct wire *w, struct news *x)
{
	x->word = (enum news_word)wire_word(w, (int)x->word, NEWS_WORDS);
	switch (x->word) {
	case NEWS_QUANTITIES:
		wire_array(w, &x->listed, &x->n_listed, sizeof *x->listed, 8);
		for (size_t i = 0; i < x->n_listed; i++)
			listed_wire(w, &x->listed[i]);
		break;
	case NEWS_RUN:
		wire_size(w, &x->row);
		wire_bool(w, &x->is_b);
		wire_double(w, &x->ended);
		wire_doubles(w, &x->value, &x->n);
		break;
	case NEWS_REPORT:
		wire_size(w, &x->runs);
		report_wire(w, &x->measured->report);
		for (int side = 0; side < 2; side++) {
			wire_size(w, &x->measured->failed[side]);
			wire_int(w, &x->measured->status[side]);
		}
		break;
	case NEWS_WHY:
		wire_size(w, &x->runs);
		report_wire(w, &x->measured->why.report);
		wire_str(w, &x->text);
		break;
	case NEWS_FAILED:
		wire_str(w, &x->text);
		break;
	case NEWS_WAITS:
	case NEWS_WORDS:
		break;
	}
}
