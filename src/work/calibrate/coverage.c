/* An item is probed if turning it changes an answer. Each one is turned to half and twice its value, or to each other
 * word; the probes that were made for it run first, so most items take one or two probes. An item that no probe shows
 * takes all of them: only then is that known. */

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"
#include "work/calibrate/trial.h"

const char *const coverage_never_turned[] = {
	"which kinds of operations share ports", "bytes of a line", "TLBs of larger pages", NULL};

static char *
coverage_text_of(const struct knob *k, const struct candidate *m)
{
	struct str s = {0};

	knob_text(k, candidate_machine(m), &s);
	return str_take(&s);
}

static bool
shows(struct search *s, struct candidate *turned, size_t i)
{
	const struct calibration *c = s->c;
	struct probe_answer a;

	return trial_answer(s, turned, i, &a) && answers_differ(c->list->probe[i], &a, &c->row[i].after);
}

/* 0: a probe made for the knob; 1: one that a fault explains; 2: any other. */
static unsigned
turn_of(const struct calibration *c, const struct knob *k, size_t i)
{
	const struct probe *p = c->list->probe[i];

	if (knob_rank(k, p->name, p->parameter))
		return 0;
	for (size_t f = 0; f < c->n_faults; f++)
		if (c->fault[f].explains[i])
			return 1;
	return 2;
}

static bool
is_asked_of_all(const struct search *s, const struct knob *k)
{
	for (size_t i = 0; i < s->n_only; i++)
		if (s->only[i] == k)
			return true;
	return !s->only;
}

/* Returns the first probe that answers otherwise on the machine; list->n: none. */
static size_t
first_that_shows(struct search *s, const struct knob *k, struct candidate *turned)
{
	const struct calibration *c = s->c;

	for (unsigned turn = 0; turn < (is_asked_of_all(s, k) ? 3 : 2); turn++)
		for (size_t i = 0; i < c->list->n && !s->failed; i++)
			if (c->row[i].compared && turn_of(c, k, i) == turn && knob_may_show(k, c->list->probe[i]) &&
				shows(s, turned, i))
				return i;
	return c->list->n;
}

/* What turning a knob shows. */
struct look {
	struct coverage_item item;
	size_t turned; /* values that were tried */
};

static void
coverage_look_at(struct search *search, size_t knob, void *ctx)
{
	const struct candidate *now = search->c->after;
	const struct knob *k = knob_at(knob);
	struct look *look = (struct look *)ctx + knob;
	double other[KNOB_OTHERS];
	size_t n = knob_others(k, candidate_machine(now), other);

	look->item = (struct coverage_item){.knob = k, .unseen = mem_new_array(KNOB_OTHERS, sizeof *look->item.unseen)};
	for (size_t i = 0; i < n && !search->failed; i++) {
		struct err none = {0};
		double value = knob_choices(k) ? other[i] : knob_round(k, candidate_machine(now), other[i]);
		struct candidate *turned = candidate_turn(now, k, value, &none);
		bool unseen = turned && first_that_shows(search, k, turned) == search->c->list->n && !search->failed;

		look->turned += turned != NULL;
		if (unseen)
			look->item.unseen[look->item.n++] = coverage_text_of(k, turned);
		candidate_free(turned);
	}
	look->item.partly = look->item.n < look->turned;
	if (look->item.n)
		look->item.now = coverage_text_of(k, now);
	if (search->failed)
		look->turned = 0;
}

static void
item_free(struct coverage_item *item)
{
	for (size_t i = 0; i < item->n; i++)
		free(item->unseen[i]);
	free(item->unseen);
	free(item->now);
}

void
coverage_find(struct search *search, struct coverage *coverage)
{
	struct look *look = mem_new_array(knob_count(), sizeof *look);

	trial_each(search, knob_count(), coverage_look_at, look);
	coverage->item = mem_new_array(knob_count(), sizeof *coverage->item);
	for (size_t i = 0; i < knob_count(); i++) {
		coverage->items += look[i].turned != 0;
		coverage->probed += look[i].turned != 0 && look[i].item.n == 0;
		if (look[i].turned && look[i].item.n)
			coverage->item[coverage->n++] = look[i].item;
		else
			item_free(&look[i].item);
	}
	coverage->cut = search->failed;
	free(look);
}

void
coverage_free(struct coverage *v)
{
	for (size_t i = 0; i < v->n; i++)
		item_free(&v->item[i]);
	free(v->item);
	*v = (struct coverage){0};
}
