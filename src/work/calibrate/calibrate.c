#include "work/calibrate/calibrate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/calibrate/candidate.h"
#include "work/calibrate/trial.h"

#define ROUNDS 24       /* the most rounds of turning knobs */
#define WORTH 0.2       /* share of the error that a knob must take away if it puts no probe right */

static char *
calibrate_text_of(const struct knob *k, const struct candidate *m)
{
	struct str s = {0};

	knob_text(k, candidate_machine(m), &s);
	return str_take(&s);
}

/* Returns the record of a turned knob; a knob that is turned twice has one record. */
static struct calibration_fault *
fault_of(struct calibration *calibration, const struct knob *knob)
{
	size_t i = 0;

	while (i < calibration->n_faults && calibration->fault[i].knob != knob)
		i++;
	if (i == calibration->n_faults) {
		calibration->fault = mem_resize(
			calibration->fault, ++calibration->n_faults, sizeof *calibration->fault);
		calibration->fault[i] = (struct calibration_fault){.knob = knob,
			.before = calibrate_text_of(knob, calibration->before),
			.explains = mem_new_array(calibration->list->n + 1, sizeof *calibration->fault[i].explains),
			.doubt = calibration->list->n};
	}
	return &calibration->fault[i];
}

static void
calibrate_record(struct search *s, const struct trial *t)
{
	struct calibration_fault *f = fault_of(s->c, t->knob);

	s->turn = mem_resize(s->turn, ++s->n_turns, sizeof *s->turn);
	s->turn[s->n_turns - 1] = (struct turn){t->knob, t->value};
	f->value = t->value;
	free(f->after);
	f->after = calibrate_text_of(t->knob, t->machine);
	for (size_t i = 0; i < s->c->list->n; i++)
		f->explains[i] |= t->right[i];
}

/* Continues with this machine, and takes ownership of it. */
static void
adopt(struct search *search, struct candidate *candidate)
{
	const struct calibration *calibration = search->c;
	bool *compared = mem_new_array(calibration->list->n + 1, sizeof *compared);

	for (size_t i = 0; i < calibration->list->n; i++)
		compared[i] = calibration->row[i].compared;
	trial_ask(search, candidate, compared);
	for (size_t i = 0; i < calibration->list->n; i++)
		search->differs[i] = compared[i] && !search->failed && trial_differs(search, candidate, i);
	free(compared);
	if (search->now != calibration->before)
		candidate_free(search->now);
	search->now = candidate;
}

/* Turns all knobs that put different probes right, in one step. Returns the machine, and the knobs in chosen[]; NULL if
 * there is only one, or if together they put fewer probes right, or any wrong. */
static struct candidate *
turn_together(struct search *search, const struct trials *trials, bool *chosen)
{
	struct candidate *candidate = NULL;
	size_t wanted = 0, right = 0, n = 0;

	for (size_t i = 0; i < trials->n && trials->trial[i].n_right; i++) {
		struct candidate *next;
		struct err e = {0};
		bool alone = true;

		for (size_t j = 0; j < i && alone; j++)
			alone = !chosen[j] || !trial_overlaps(search, &trials->trial[i], &trials->trial[j]);
		next = alone ? candidate_turn(candidate ? candidate : search->now, trials->trial[i].knob,
				       trials->trial[i].value, &e)
			     : NULL;
		if (!next)
			continue;
		candidate_free(candidate);
		candidate = next;
		chosen[i] = true;
		wanted += trials->trial[i].n_right;
		n++;
	}
	for (size_t i = 0; i < search->c->list->n && n > 1 && !search->failed; i++)
		right += search->differs[i] && !trial_differs(search, candidate, i);
	if (n > 1 && !search->failed && right >= wanted && trial_count_wrong(search, candidate) == 0 && !search->failed)
		return candidate;
	candidate_free(candidate);
	return NULL;
}

/* True if the knob is worth turning: it puts more probes right than wrong, or as many but takes much of the error away.
 * In the second case another knob may put the rest right. But then no value is tried twice, because probes that
 * contradict each other would turn the knob to and fro. */
static bool
is_worth(struct search *search, struct trial *trial)
{
	double error = 0;
	bool again = false;

	if (trial->n_wrong == SIZE_MAX)
		trial->n_wrong = trial_count_wrong(search, trial->machine);
	for (size_t i = 0; i < search->c->list->n && !search->failed; i++)
		error += search->differs[i] ? trial_error(search, search->now, i) : 0;
	for (size_t i = 0; i < search->n_turns; i++)
		again |= search->turn[i].knob == trial->knob && search->turn[i].value == trial->value;
	return !search->failed && (trial->n_right > trial->n_wrong ||
		(trial->n_right == trial->n_wrong && !again && trial->error < (1 - WORTH) * error));
}

/* Turns one or more knobs. False: no turn makes the machine better. */
static bool
turn_some(struct search *search)
{
	struct trials l = trials_make(search);
	bool *chosen = mem_new_array(l.n + 1, sizeof *chosen), some = false;
	struct candidate *candidate = search->failed ? NULL : turn_together(search, &l, chosen);

	for (size_t i = 0; i < l.n && candidate; i++)
		if (chosen[i])
			calibrate_record(search, &l.trial[i]);
	for (size_t i = 0; i < l.n && !candidate && !some && !search->failed; i++)
		if (is_worth(search, &l.trial[i])) {
			some = true;
			calibrate_record(search, &l.trial[i]);
			adopt(search, l.trial[i].machine);
			l.trial[i].machine = NULL;
		}
	if (candidate)
		adopt(search, candidate);
	free(chosen);
	trials_free(&l);
	return candidate || some;
}

static bool
any_differs(const struct search *s)
{
	for (size_t i = 0; i < s->c->list->n; i++)
		if (s->differs[i])
			return true;
	return false;
}

static void
turn_knobs(struct search *s)
{
	while (s->rounds < ROUNDS && any_differs(s) && !s->failed && turn_some(s))
		s->rounds++;
}

/* --- afterwards -------------------------------------------------------------------------------------------------- */

static void
fault_free(struct calibration_fault *f)
{
	free(f->before);
	free(f->after);
	free(f->explains);
	ties_free(f);
}

/* The machine from before, with all faults of this kind (−1: of any kind) put right, except fault number `except`. */
static struct candidate *
rebuild(const struct calibration *calibration, size_t except, int kind, struct err *e)
{
	struct candidate *candidate = NULL;

	for (size_t i = 0; i < calibration->n_faults; i++) {
		const struct calibration_fault *fault = &calibration->fault[i];
		struct candidate *next;

		if (i == except || (kind >= 0 && (int)knob_kind_of(fault->knob) != kind))
			continue;
		next = candidate_turn(candidate ? candidate : calibration->before, fault->knob, fault->value, e);
		candidate_free(candidate);
		candidate = next;
		if (!candidate)
			return NULL;
	}
	return candidate ? candidate
			 : candidate_new(candidate_on(calibration->before), candidate_changes(calibration->before),
				   calibration->list, e);
}

struct candidate *
calibrate_stage(const struct calibration *c, enum knob_kind kind, struct err *e)
{
	return rebuild(c, SIZE_MAX, (int)kind, e);
}

struct candidate *
calibrate_without(const struct calibration *c, size_t fault, struct err *e)
{
	return rebuild(c, fault, -1, e);
}

/* True if all probes that agreed so far also agree on machine m. Those that the fault explains are run first. */
static bool
is_as_good(struct search *s, struct candidate *m, const struct calibration_fault *f)
{
	const struct calibration *c = s->c;

	for (size_t i = 0; i < c->list->n && !s->failed; i++)
		if (c->row[i].compared && f->explains[i] && !s->differs[i] && trial_differs(s, m, i))
			return false;
	return !s->failed && trial_count_wrong(s, m) == 0 && !s->failed;
}

/* Takes back what later turns made needless. True if there was any. */
static bool
drop_needless(struct search *search)
{
	struct calibration *calibration = search->c;
	size_t before = calibration->n_faults;

	for (size_t i = 0; i < calibration->n_faults && calibration->n_faults > 1 && !search->failed;) {
		struct err e = {0};
		struct candidate *candidate = rebuild(calibration, i, -1, &e);

		if (candidate && is_as_good(search, candidate, &calibration->fault[i])) {
			adopt(search, candidate);
			fault_free(&calibration->fault[i]);
			memmove(&calibration->fault[i], &calibration->fault[i + 1],
				(--calibration->n_faults - i) * sizeof *calibration->fault);
			continue;
		}
		candidate_free(candidate);
		i++;
	}
	return calibration->n_faults < before;
}

static int
by_kind(const void *a, const void *b)
{
	const struct calibration_fault *x = a, *y = b;

	if (knob_kind_of(x->knob) != knob_kind_of(y->knob))
		return (int)knob_kind_of(x->knob) - (int)knob_kind_of(y->knob);
	return strcmp(knob_name(x->knob), knob_name(y->knob));
}

static void
calibrate_finish(struct search *search)
{
	struct calibration *calibration = search->c;
	struct patience none = {0};

	calibration->after = search->now;
	calibration->tried = search->tried;
	for (size_t i = 0; i < calibration->list->n; i++) {
		struct calibration_row *row = &calibration->row[i];

		if (!row->compared)
			continue;
		row->after = row->before;
		search->patience = &none;
		if (!search->failed)
			trial_answer(search, calibration->after, i, &row->after);
		row->remains = answers_differ(calibration->list->probe[i], &row->after, &row->truth);
		for (size_t f = 0; f < calibration->n_faults && row->remains; f++)
			calibration->fault[f].explains[i] = false; /* a later turn made it differ again */
		calibration->error_before += fabs(answers_error(&row->before, &row->truth));
		calibration->error_after += fabs(answers_error(&row->after, &row->truth));
		calibration->compared++;
		calibration->differing += row->differs;
		calibration->remaining += row->remains;
	}
	calibration->error_before /= calibration->compared ? (double)calibration->compared : 1;
	calibration->error_after /= calibration->compared ? (double)calibration->compared : 1;
	if (calibration->n_faults)
		qsort(calibration->fault, calibration->n_faults, sizeof *calibration->fault, by_kind);
}

/* Runs the probes on the unchanged machine. */
static void
calibrate_look(struct search *search)
{
	struct calibration *calibration = search->c;

	bool *known = mem_new_array(calibration->list->n + 1, sizeof *known);

	for (size_t i = 0; i < calibration->list->n; i++)
		known[i] = search->truth[i].known;
	search->failed = !patience_goes_on(search->patience);
	trial_ask(search, calibration->before, known);
	free(known);
	for (size_t i = 0; i < calibration->list->n; i++) {
		struct calibration_row *row = &calibration->row[i];

		if (!search->truth[i].known || !trial_answer(search, calibration->before, i, &row->before))
			continue;
		row->compared = true;
		row->truth = search->truth[i].answer;
		search->differs[i] = row->differs = answers_differ(
			calibration->list->probe[i], &row->before, &row->truth);
	}
}

struct calibration *
calibrate(const char *on, const char *changes, const struct probe_list *list, const struct known_answer *truth,
	const struct patience *patience, struct err *e)
{
	struct calibration *calibration = mem_new(sizeof *calibration);
	struct search s = {.c = calibration, .truth = truth, .patience = patience, .e = e};

	calibration->list = list;
	calibration->row = mem_new_array(list->n + 1, sizeof *calibration->row);
	calibration->before = s.now = candidate_new(on, changes, list, e);
	if (!calibration->before) {
		calibrate_free(calibration);
		return NULL;
	}
	s.differs = mem_new_array(list->n + 1, sizeof *s.differs);
	calibrate_look(&s);
	do
		turn_knobs(&s);
	while (!s.failed && drop_needless(&s) && any_differs(&s));
	calibration->cut = s.failed;
	calibrate_finish(&s);
	free(s.differs);
	free(s.turn);
	if (!*e->what)
		return calibration;
	calibrate_free(calibration);
	return NULL;
}

bool
calibrate_cover(struct calibration *calibration, const struct known_answer *truth, const struct probe_list *installed,
	const struct knob *const *only, size_t n_only, const struct patience *patience, struct err *e)
{
	struct search s = {.c = calibration,
		.truth = truth,
		.patience = patience,
		.now = calibration->after,
		.only = only,
		.n_only = n_only,
		.e = e};

	s.differs = mem_new_array(calibration->list->n + 1, sizeof *s.differs);
	coverage_find(&s, &calibration->coverage);
	ties_find(&s, installed);
	contradictions_find(&s);
	calibration->coverage.cut = s.failed;
	calibration->tried += s.tried;
	free(s.differs);
	return !*e->what;
}

void
calibrate_free(struct calibration *calibration)
{
	if (!calibration)
		return;
	for (size_t i = 0; i < calibration->n_faults; i++)
		fault_free(&calibration->fault[i]);
	free(calibration->fault);
	for (size_t i = 0; i < calibration->list->n && calibration->row; i++)
		free(calibration->row[i].asked);
	coverage_free(&calibration->coverage);
	free(calibration->row);
	if (calibration->after != calibration->before)
		candidate_free(calibration->after);
	candidate_free(calibration->before);
	free(calibration);
}

bool
calibrate_truth(struct probe_machine *m, const struct probe_list *l, const struct patience *p, struct known_answer *out,
	struct err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		out[i].known = patience_goes_on(p) && answer_of_machine(m, l->probe[i], p, &out[i].answer, e);
		if (!out[i].known)
			return !*e->what;
	}
	return true;
}
