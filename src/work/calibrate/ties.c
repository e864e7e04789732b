/* A knob ties with a fault if it explains as much in its place: turned on the machine that fits but for the fault, it
 * leaves no probe differing that agrees now. Each knob is tried that may change a probe of the fault.
 *
 * Both machines then answer all probes that were compared alike. So only other probes can tell them apart: those that
 * were not in the list, and those of which the truth has no answer. */

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"
#include "work/calibrate/trial.h"

/* One fault, and what each knob does in its place. */
struct rivals {
	const struct calibration_fault *fault;
	struct rival {
		struct candidate *machine[KNOB_OTHERS]; /* n that agree as well */
		size_t n;
	} *of; /* knob_count() */
};

static bool
is_at_fault(const struct calibration *c, const struct knob *k)
{
	for (size_t i = 0; i < c->n_faults; i++)
		if (c->fault[i].knob == k)
			return true;
	return false;
}

/* Of the probes that the fault explains, the one that shows the knob best, or may show it; list->n: none. */
static size_t
shared_probe(const struct calibration *calibration, const struct calibration_fault *fault, const struct knob *knob)
{
	size_t best = calibration->list->n;
	unsigned least = 0;

	for (size_t i = 0; i < calibration->list->n; i++) {
		const struct probe *p = calibration->list->probe[i];
		unsigned rank = knob_rank(knob, p->name, p->parameter);

		if (!fault->explains[i] || !knob_may_show(knob, p))
			continue;
		if (best == calibration->list->n || (rank && (!least || rank < least))) {
			best = i;
			least = rank;
		}
	}
	return best;
}

/* Probes of the fault are asked first. */
static bool
agrees_as_well(struct search *s, const struct calibration_fault *f, struct candidate *m)
{
	const struct calibration *c = s->c;

	for (int first = 1; first >= 0; first--)
		for (size_t i = 0; i < c->list->n && !s->failed; i++)
			if (c->row[i].compared && !c->row[i].remains && f->explains[i] == (first == 1) &&
				trial_differs(s, m, i))
				return false;
	return !s->failed;
}

/* Each other word of the knob, or the number that the probe asks for. */
static void
try_knob(struct search *search, size_t i, void *ctx)
{
	const struct rivals *rivals = ctx;
	const struct calibration_fault *f = rivals->fault;
	const struct knob *k = knob_at(i);
	size_t probe = shared_probe(search->c, f, k);
	double value[KNOB_OTHERS];
	size_t n = 1;

	if (probe == search->c->list->n || (is_at_fault(search->c, k) && (k != f->knob || !knob_choices(k))))
		return;
	if (knob_choices(k))
		n = knob_others(k, candidate_machine(search->now), value);
	for (size_t j = 0; j < n && !search->failed; j++) {
		struct err none = {0};
		struct candidate *candidate = !knob_choices(k) ? trial_fit(search, k, probe, &value[j]) :
			k == f->knob && value[j] == f->value ? NULL : candidate_turn(search->now, k, value[j], &none);

		if (candidate && agrees_as_well(search, f, candidate))
			rivals->of[i].machine[rivals->of[i].n++] = candidate;
		else
			candidate_free(candidate);
	}
}

/* --- probes that tell them apart --------------------------------------------------------------------------------- */

struct contest {
	const struct probe_list *installed;
	struct candidate *fault, *tie; /* with these probes */
	bool *which, *apart;           /* of these probes: to be asked, and told apart by */
	struct probe_answer *with_fault, *with_tie;
};

static void
ask_both(struct search *s, size_t i, void *ctx)
{
	struct contest *t = ctx;

	t->apart[i] = t->which[i] && trial_answer(s, t->fault, i, &t->with_fault[i]) &&
		trial_answer(s, t->tie, i, &t->with_tie[i]) &&
		answers_differ(t->installed->probe[i], &t->with_fault[i], &t->with_tie[i]);
}

/* True if both machines are known to answer it alike. */
static bool
was_compared(const struct calibration *c, const struct probe *p)
{
	for (size_t i = 0; i < c->list->n; i++)
		if (c->row[i].compared && !c->row[i].remains && str_eq(c->list->probe[i]->name, p->name))
			return true;
	return false;
}

/* Probes that were made for one of the knobs come first: they are a few, and show the most. */
static void
tell_apart(struct search *search, struct contest *contest, const struct knob *fault, struct calibration_tie *tie)
{
	const struct probe_list *list = contest->installed;

	for (int made_for = 1; made_for >= 0 && !tie->probe && !search->failed; made_for--) {
		for (size_t i = 0; i < list->n; i++) {
			const struct probe *p = list->probe[i];
			bool ranks = knob_rank(fault, p->name, p->parameter) ||
				knob_rank(tie->knob, p->name, p->parameter);

			contest->which[i] = ranks == (made_for == 1) && !was_compared(search->c, p) &&
				(knob_may_show(fault, p) || knob_may_show(tie->knob, p));
		}
		trial_each(search, list->n, ask_both, contest);
		for (size_t i = 0; i < list->n && !tie->probe && !search->failed; i++)
			if (contest->apart[i]) {
				tie->probe = list->probe[i];
				tie->fault = contest->with_fault[i];
				tie->tie = contest->with_tie[i];
			}
	}
}

static struct candidate *
with_probes(const struct candidate *m, const struct probe_list *l)
{
	struct err none = {0};

	return candidate_new(candidate_on(m), candidate_changes(m), l, &none);
}

static void
add_tie(struct search *search, struct calibration_fault *fault, const struct knob *knob,
	const struct candidate *candidate, struct contest *contest)
{
	struct calibration_tie *tie;
	struct str after = {0};

	fault->tie = mem_resize(fault->tie, ++fault->n_ties, sizeof *fault->tie);
	tie = &fault->tie[fault->n_ties - 1];
	knob_text(knob, candidate_machine(candidate), &after);
	*tie = (struct calibration_tie){.knob = knob, .after = str_take(&after)};
	contest->tie = with_probes(candidate, contest->installed);
	if (contest->tie && contest->fault)
		tell_apart(search, contest, fault->knob, tie);
	candidate_free(contest->tie);
}

/* --- each fault -------------------------------------------------------------------------------------------------- */

/* The first probe that still differs, and that the fault changes; list->n: none. */
static size_t
doubt_of(struct search *search, struct candidate *without, const struct knob *knob)
{
	const struct calibration *calibration = search->c;

	for (size_t i = 0; i < calibration->list->n && !search->failed; i++) {
		struct probe_answer a;

		if (calibration->row[i].compared && calibration->row[i].remains &&
			knob_may_show(knob, calibration->list->probe[i]) && trial_answer(search, without, i, &a) &&
			answers_differ(calibration->list->probe[i], &a, &calibration->row[i].after))
			return i;
	}
	return calibration->list->n;
}

static void
look_into(struct search *search, size_t fault, struct contest *contest)
{
	struct calibration_fault *calibration_fault = &search->c->fault[fault];
	struct rivals r = {calibration_fault, mem_new_array(knob_count(), sizeof *r.of)};
	struct err none = {0};
	struct candidate *without = calibrate_without(search->c, fault, &none);

	search->now = without;
	if (without) {
		trial_ask(search, without, calibration_fault->explains);
		calibration_fault->doubt = doubt_of(search, without, calibration_fault->knob);
		trial_each(search, knob_count(), try_knob, &r);
	}
	search->now = search->c->after;
	for (size_t i = 0; i < knob_count(); i++)
		for (size_t j = 0; j < r.of[i].n; j++) {
			if (!search->failed)
				add_tie(search, calibration_fault, knob_at(i), r.of[i].machine[j], contest);
			candidate_free(r.of[i].machine[j]);
		}
	free(r.of);
	candidate_free(without);
}

void
ties_find(struct search *search, const struct probe_list *installed)
{
	size_t n = installed->n + 1;
	struct contest t = {.installed = installed, .fault = with_probes(search->c->after, installed),
		.which = mem_new_array(n, sizeof *t.which), .apart = mem_new_array(n, sizeof *t.apart),
		.with_fault = mem_new_array(n, sizeof *t.with_fault),
		.with_tie = mem_new_array(n, sizeof *t.with_tie)};

	for (size_t i = 0; i < search->c->n_faults && !search->failed; i++)
		look_into(search, i, &t);
	candidate_free(t.fault);
	free(t.which);
	free(t.apart);
	free(t.with_fault);
	free(t.with_tie);
}

/* --- contradictions ---------------------------------------------------------------------------------------------- */

/* A probe that agrees on the machine that fits, and differs on this one; list->n: none. */
static size_t
spoiled(struct search *s, struct candidate *m)
{
	const struct calibration *c = s->c;

	for (size_t i = 0; i < c->list->n && !s->failed; i++)
		if (c->row[i].compared && !c->row[i].remains && trial_differs(s, m, i))
			return i;
	return c->list->n;
}

static void
find_contradiction(struct search *search, size_t i, void *ctx)
{
	const struct probe_list *list = search->c->list;
	struct calibration_row *row = (struct calibration_row *)ctx + i;

	for (size_t j = 0; j < knob_count() && row->remains && !row->asks && !search->failed; j++) {
		const struct knob *knob = knob_at(j);
		double value;
		struct candidate *m = knob_rank(knob, list->probe[i]->name, list->probe[i]->parameter) ?
			trial_fit(search, knob, i, &value) : NULL;
		size_t by = m && !trial_differs(search, m, i) ? spoiled(search, m) : list->n;
		struct str asked = {0};

		if (by < list->n) {
			knob_text(knob, candidate_machine(m), &asked);
			row->asks = knob;
			row->asked = str_take(&asked);
			row->against = by;
		}
		candidate_free(m);
	}
}

void
contradictions_find(struct search *s)
{
	s->now = s->c->after;
	trial_each(s, s->c->list->n, find_contradiction, s->c->row);
}

void
ties_free(struct calibration_fault *f)
{
	for (size_t i = 0; i < f->n_ties; i++)
		free(f->tie[i].after);
	free(f->tie);
}
