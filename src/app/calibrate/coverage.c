/* An item is probed if turning it changes an answer. Each one is turned to half and twice its value, or to each other
 * word; the probes that were made for it run first, so most items take one or two probes. An item that no probe shows
 * takes all of them: only then is that known.
 *
 * A knob ties with a fault if it explains as much in its place: turned on the machine that fits but for the fault, it
 * leaves no probe differing that agrees now. Only knobs that a probe of the fault shows can do so. */
#include "app/calibrate/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "app/calibrate/calibrate.h"
#include "app/calibrate/candidate.h"
#include "app/calibrate/trial.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* What is known of one knob: the first probe that shows each value, or list->n. */
struct sight {
	size_t by[KNOB_OTHERS];
	size_t n;
};

static char *
text_of(const struct knob *k, const struct candidate *m)
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

static void
add_unseen(struct coverage *v, const struct knob *k, const struct candidate *now, const struct candidate *turned)
{
	struct coverage_item *item = v->n ? &v->item[v->n - 1] : NULL;

	if (!item || item->knob != k) {
		v->item = mem_resize(v->item, ++v->n, sizeof *v->item);
		item = &v->item[v->n - 1];
		*item = (struct coverage_item){.knob = k, .now = text_of(k, now)};
	}
	item->unseen = mem_resize(item->unseen, ++item->n, sizeof *item->unseen);
	item->unseen[item->n - 1] = text_of(k, turned);
}

static void
look_at(struct search *s, const struct knob *k, struct sight *sight)
{
	struct calibration *c = s->c;
	struct coverage *v = &c->coverage;
	double other[KNOB_OTHERS];
	size_t n = knob_others(k, candidate_machine(c->after), other), known = v->n;

	for (size_t i = 0; i < n && !s->failed; i++) {
		struct err none = {0};
		struct candidate *turned = candidate_turn(c->after, k,
			knob_choices(k) ? other[i] : knob_round(k, candidate_machine(c->after), other[i]), &none);
		size_t by = turned ? first_that_shows(s, k, turned) : c->list->n;

		if (turned && !s->failed) {
			sight->by[sight->n++] = by;
			if (by == c->list->n)
				add_unseen(v, k, c->after, turned);
		}
		candidate_free(turned);
	}
	v->items += sight->n != 0 && !s->failed;
	v->probed += sight->n != 0 && !s->failed && v->n == known;
	if (v->n > known)
		v->item[v->n - 1].partly = v->item[v->n - 1].n < sight->n;
}

/* --- ties -------------------------------------------------------------------------------------------------------- */

static bool
is_at_fault(const struct calibration *c, const struct knob *k)
{
	for (size_t i = 0; i < c->n_faults; i++)
		if (c->fault[i].knob == k)
			return true;
	return false;
}

/* The first probe of the fault that shows the knob; list->n: none. */
static size_t
shared_probe(const struct calibration *c, const struct calibration_fault *f, const struct sight *sight)
{
	for (size_t i = 0; i < sight->n; i++)
		if (sight->by[i] < c->list->n && f->explains[sight->by[i]])
			return sight->by[i];
	return c->list->n;
}

static bool
agrees_as_well(struct search *s, struct candidate *m)
{
	const struct calibration *c = s->c;

	for (size_t i = 0; i < c->list->n && !s->failed; i++)
		if (c->row[i].compared && !c->row[i].remains && trial_differs(s, m, i))
			return false;
	return !s->failed;
}

static void
add_tie(struct calibration_fault *f, const struct knob *k, const struct candidate *m)
{
	f->tie = mem_resize(f->tie, ++f->n_ties, sizeof *f->tie);
	f->tie[f->n_ties - 1] = (struct calibration_tie){k, text_of(k, m)};
}

/* Each other word of the knob. */
static void
try_words(struct search *s, struct calibration_fault *f, const struct knob *k)
{
	double other[KNOB_OTHERS];
	size_t n = knob_others(k, candidate_machine(s->now), other);

	for (size_t i = 0; i < n && !s->failed; i++) {
		struct err none = {0};
		struct candidate *turned = k == f->knob && other[i] == f->value ? NULL :
			candidate_turn(s->now, k, other[i], &none);

		if (turned && agrees_as_well(s, turned))
			add_tie(f, k, turned);
		candidate_free(turned);
	}
}

/* The number that the probe asks for. */
static void
try_number(struct search *s, struct calibration_fault *f, const struct knob *k, size_t probe)
{
	double value;
	struct candidate *turned = trial_fit(s, k, probe, &value);

	if (turned && agrees_as_well(s, turned))
		add_tie(f, k, turned);
	candidate_free(turned);
}

static void
find_ties(struct search *s, size_t fault, const struct sight *sight)
{
	struct calibration *c = s->c;
	struct calibration_fault *f = &c->fault[fault];
	struct err none = {0};
	struct candidate *without = calibrate_without(c, fault, &none);

	s->now = without;
	for (size_t i = 0; i < knob_count() && without && !s->failed; i++) {
		const struct knob *k = knob_at(i);
		size_t probe = shared_probe(c, f, &sight[i]);

		if (probe == c->list->n || (is_at_fault(c, k) && (k != f->knob || !knob_choices(k))))
			continue;
		if (knob_choices(k))
			try_words(s, f, k);
		else
			try_number(s, f, k, probe);
	}
	s->now = c->after;
	candidate_free(without);
}

void
coverage_find(struct search *s, struct calibration *c)
{
	struct sight *sight = mem_new_array(knob_count(), sizeof *sight);

	for (size_t i = 0; i < knob_count() && !s->failed; i++)
		look_at(s, knob_at(i), &sight[i]);
	for (size_t i = 0; i < c->n_faults && !s->failed; i++)
		find_ties(s, i, sight);
	c->coverage.cut = s->failed;
	free(sight);
}

void
coverage_free(struct coverage *v)
{
	for (size_t i = 0; i < v->n; i++) {
		for (size_t j = 0; j < v->item[i].n; j++)
			free(v->item[i].unseen[j]);
		free(v->item[i].unseen);
		free(v->item[i].now);
	}
	free(v->item);
	*v = (struct coverage){0};
}
