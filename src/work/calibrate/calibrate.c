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

#define ROUNDS 24       /* knobs that are turned at most */
#define WORTH 0.2       /* share of the error that a knob must take away if it puts no probe right */

static char *
calibrate_text_of(const struct knob *k, const struct candidate *m)
{
	struct str s = {0};

	knob_text(k, candidate_machine(m), &s);
	return str_take(&s);
}

/* Records that the knob was turned; twice is once. */
static struct calibration_fault *
fault_of(struct calibration *c, const struct knob *k)
{
	size_t i = 0;

	while (i < c->n_faults && c->fault[i].knob != k)
		i++;
	if (i == c->n_faults) {
		c->fault = mem_resize(c->fault, ++c->n_faults, sizeof *c->fault);
		c->fault[i] = (struct calibration_fault){.knob = k, .before = calibrate_text_of(k, c->before),
			.explains = mem_new_array(c->list->n + 1, sizeof *c->fault[i].explains), .doubt = c->list->n};
	}
	return &c->fault[i];
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

/* Goes on with this machine, which it takes over. */
static void
adopt(struct search *s, struct candidate *m)
{
	const struct calibration *c = s->c;
	bool *compared = mem_new_array(c->list->n + 1, sizeof *compared);

	for (size_t i = 0; i < c->list->n; i++)
		compared[i] = c->row[i].compared;
	trial_ask(s, m, compared);
	for (size_t i = 0; i < c->list->n; i++)
		s->differs[i] = compared[i] && !s->failed && trial_differs(s, m, i);
	free(compared);
	if (s->now != c->before)
		candidate_free(s->now);
	s->now = m;
}

/* Turns all knobs at once that put different probes right. NULL, or the machine, if that is so; *chosen: which. */
static struct candidate *
turn_together(struct search *s, const struct trials *l, bool *chosen)
{
	struct candidate *m = NULL;
	size_t wanted = 0, right = 0, n = 0;

	for (size_t i = 0; i < l->n && l->trial[i].n_right; i++) {
		struct candidate *next;
		struct err e = {0};
		bool alone = true;

		for (size_t j = 0; j < i && alone; j++)
			alone = !chosen[j] || !trial_overlaps(s, &l->trial[i], &l->trial[j]);
		next = alone ? candidate_turn(m ? m : s->now, l->trial[i].knob, l->trial[i].value, &e) : NULL;
		if (!next)
			continue;
		candidate_free(m);
		m = next;
		chosen[i] = true;
		wanted += l->trial[i].n_right;
		n++;
	}
	for (size_t i = 0; i < s->c->list->n && n > 1 && !s->failed; i++)
		right += s->differs[i] && !trial_differs(s, m, i);
	if (n > 1 && !s->failed && right >= wanted && trial_count_wrong(s, m) == 0 && !s->failed)
		return m;
	candidate_free(m);
	return NULL;
}

/* True if the best knob is worth it: it puts more probes right than wrong, or takes much of the error away. Where it
 * puts as many wrong, another knob may be what they wait for; but no value is tried twice so, or probes that
 * contradict each other would turn a knob to and fro. */
static bool
is_worth(struct search *s, struct trial *t)
{
	double error = 0;
	bool again = false;

	if (t->n_wrong == SIZE_MAX)
		t->n_wrong = trial_count_wrong(s, t->machine);
	for (size_t i = 0; i < s->c->list->n && !s->failed; i++)
		error += s->differs[i] ? trial_error(s, s->now, i) : 0;
	for (size_t i = 0; i < s->n_turns; i++)
		again |= s->turn[i].knob == t->knob && s->turn[i].value == t->value;
	return !s->failed && (t->n_right > t->n_wrong ||
		(t->n_right == t->n_wrong && !again && t->error < (1 - WORTH) * error));
}

/* False: nothing gets better. */
static bool
turn_some(struct search *s)
{
	struct trials l = trials_make(s);
	bool *chosen = mem_new_array(l.n + 1, sizeof *chosen), some = false;
	struct candidate *m = s->failed ? NULL : turn_together(s, &l, chosen);

	for (size_t i = 0; i < l.n && m; i++)
		if (chosen[i])
			calibrate_record(s, &l.trial[i]);
	for (size_t i = 0; i < l.n && !m && !some && !s->failed; i++)
		if (is_worth(s, &l.trial[i])) {
			some = true;
			calibrate_record(s, &l.trial[i]);
			adopt(s, l.trial[i].machine);
			l.trial[i].machine = NULL;
		}
	if (m)
		adopt(s, m);
	free(chosen);
	trials_free(&l);
	return m || some;
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

/* The machine before, with faults put right except number `except`; kind −1: of all kinds. */
static struct candidate *
rebuild(const struct calibration *c, size_t except, int kind, struct err *e)
{
	struct candidate *m = NULL;

	for (size_t i = 0; i < c->n_faults; i++) {
		const struct calibration_fault *f = &c->fault[i];
		struct candidate *next;

		if (i == except || (kind >= 0 && (int)knob_kind_of(f->knob) != kind))
			continue;
		next = candidate_turn(m ? m : c->before, f->knob, f->value, e);
		candidate_free(m);
		m = next;
		if (!m)
			return NULL;
	}
	return m ? m : candidate_new(candidate_on(c->before), candidate_changes(c->before), c->list, e);
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

/* True if no probe differs on the machine that agreed before. Those that the fault explains are asked first. */
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
drop_needless(struct search *s)
{
	struct calibration *c = s->c;
	size_t before = c->n_faults;

	for (size_t i = 0; i < c->n_faults && c->n_faults > 1 && !s->failed;) {
		struct err e = {0};
		struct candidate *m = rebuild(c, i, -1, &e);

		if (m && is_as_good(s, m, &c->fault[i])) {
			adopt(s, m);
			fault_free(&c->fault[i]);
			memmove(&c->fault[i], &c->fault[i + 1], (--c->n_faults - i) * sizeof *c->fault);
			continue;
		}
		candidate_free(m);
		i++;
	}
	return c->n_faults < before;
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
calibrate_finish(struct search *s)
{
	struct calibration *c = s->c;
	struct patience none = {0};

	c->after = s->now;
	c->tried = s->tried;
	for (size_t i = 0; i < c->list->n; i++) {
		struct calibration_row *r = &c->row[i];

		if (!r->compared)
			continue;
		r->after = r->before;
		s->patience = &none;
		if (!s->failed)
			trial_answer(s, c->after, i, &r->after);
		r->remains = answers_differ(c->list->probe[i], &r->after, &r->truth);
		for (size_t f = 0; f < c->n_faults && r->remains; f++)
			c->fault[f].explains[i] = false; /* a later turn made it differ again */
		c->error_before += fabs(answers_error(&r->before, &r->truth));
		c->error_after += fabs(answers_error(&r->after, &r->truth));
		c->compared++;
		c->differing += r->differs;
		c->remaining += r->remains;
	}
	c->error_before /= c->compared ? (double)c->compared : 1;
	c->error_after /= c->compared ? (double)c->compared : 1;
	if (c->n_faults)
		qsort(c->fault, c->n_faults, sizeof *c->fault, by_kind);
}

/* Asks the machine as it is. */
static void
calibrate_look(struct search *s)
{
	struct calibration *c = s->c;

	bool *known = mem_new_array(c->list->n + 1, sizeof *known);

	for (size_t i = 0; i < c->list->n; i++)
		known[i] = s->truth[i].known;
	s->failed = !patience_goes_on(s->patience);
	trial_ask(s, c->before, known);
	free(known);
	for (size_t i = 0; i < c->list->n; i++) {
		struct calibration_row *r = &c->row[i];

		if (!s->truth[i].known || !trial_answer(s, c->before, i, &r->before))
			continue;
		r->compared = true;
		r->truth = s->truth[i].answer;
		s->differs[i] = r->differs = answers_differ(c->list->probe[i], &r->before, &r->truth);
	}
}

struct calibration *
calibrate(const char *on, const char *changes, const struct probe_list *list, const struct known_answer *truth,
	const struct patience *patience, struct err *e)
{
	struct calibration *c = mem_new(sizeof *c);
	struct search s = {.c = c, .truth = truth, .patience = patience, .e = e};

	c->list = list;
	c->row = mem_new_array(list->n + 1, sizeof *c->row);
	c->before = s.now = candidate_new(on, changes, list, e);
	if (!c->before) {
		calibrate_free(c);
		return NULL;
	}
	s.differs = mem_new_array(list->n + 1, sizeof *s.differs);
	calibrate_look(&s);
	do
		turn_knobs(&s);
	while (!s.failed && drop_needless(&s) && any_differs(&s));
	c->cut = s.failed;
	calibrate_finish(&s);
	free(s.differs);
	free(s.turn);
	if (!*e->what)
		return c;
	calibrate_free(c);
	return NULL;
}

bool
calibrate_cover(struct calibration *c, const struct known_answer *truth, const struct probe_list *installed,
	const struct knob *const *only, size_t n_only, const struct patience *patience, struct err *e)
{
	struct search s = {.c = c, .truth = truth, .patience = patience, .now = c->after, .only = only,
		.n_only = n_only, .e = e};

	s.differs = mem_new_array(c->list->n + 1, sizeof *s.differs);
	coverage_find(&s, &c->coverage);
	ties_find(&s, installed);
	contradictions_find(&s);
	c->coverage.cut = s.failed;
	c->tried += s.tried;
	free(s.differs);
	return !*e->what;
}

void
calibrate_free(struct calibration *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_faults; i++)
		fault_free(&c->fault[i]);
	free(c->fault);
	for (size_t i = 0; i < c->list->n && c->row; i++)
		free(c->row[i].asked);
	coverage_free(&c->coverage);
	free(c->row);
	if (c->after != c->before)
		candidate_free(c->after);
	candidate_free(c->before);
	free(c);
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
