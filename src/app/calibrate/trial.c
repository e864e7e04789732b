#include "app/calibrate/trial.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "app/calibrate/calibrate.h"
#include "app/calibrate/candidate.h"
#include "base/err.h"
#include "base/mem.h"

#define VALUES 5        /* that are tried of one knob */

bool
trial_answer(struct search *s, struct candidate *m, size_t i, struct probe_answer *out)
{
	struct err e = {0};

	if (candidate_answer(m, i, s->patience, out, &e))
		return true;
	s->failed = true;
	if (*e.what)
		*s->e = e;
	return false;
}

bool
trial_differs(struct search *s, struct candidate *m, size_t i)
{
	struct probe_answer a;

	return trial_answer(s, m, i, &a) && answers_differ(s->c->list->probe[i], &a, &s->truth[i].answer);
}

double
trial_error(struct search *s, struct candidate *m, size_t i)
{
	struct probe_answer a;

	return trial_answer(s, m, i, &a) ? fabs(answers_error(&a, &s->truth[i].answer)) : 0;
}

/* --- one knob ---------------------------------------------------------------------------------------------------- */

/* The probe that differs and shows the knob best; list->n: none. */
static size_t
probe_of(const struct search *s, const struct knob *k)
{
	const struct probe_list *l = s->c->list;
	size_t best = l->n;
	unsigned least = 0;

	for (size_t i = 0; i < l->n; i++) {
		unsigned rank = s->differs[i] ? knob_rank(k, l->probe[i]->name, l->probe[i]->parameter) : 0;

		if (rank && (!least || rank < least)) {
			least = rank;
			best = i;
		}
	}
	return best;
}

/* Values to try: what the probe asks for by its difference, and by its ratio, and then where the line through the last
 * two goes. False: no more. */
static bool
next_value(const struct search *s, const struct knob *k, size_t i, const double *value, const double *got, size_t n,
	double *out)
{
	const struct knob_machine *m = candidate_machine(s->now);
	const struct probe_answer *b = &s->truth[i].answer;
	double wanted, scale = knob_scale(k);

	if (knob_choices(k)) {
		*out = fmod(value[0] + (double)n, knob_choices(k));
		return n < knob_choices(k);
	}
	if (!b->found && knob_unlimited(k) > 0) {
		*out = knob_unlimited(k);
		return n == 1;
	}
	if (!b->found) { /* whatever its limit is, it is beyond the probe */
		*out = knob_round(k, m, ldexp(value[0], (int)n));
		return true;
	}
	if (n == 1)
		wanted = isnan(got[0]) || value[0] == 0 ? b->value / scale : value[0] + (b->value - got[0]) / scale;
	else if (n == 2 && got[0] > 0)
		wanted = value[0] * b->value / got[0];
	else if (isnan(got[n - 1]) || isnan(got[n - 2]) || got[n - 1] == got[n - 2])
		return false;
	else
		wanted = value[n - 1] +
			(b->value - got[n - 1]) * (value[n - 1] - value[n - 2]) / (got[n - 1] - got[n - 2]);
	*out = knob_round(k, m, wanted);
	return true;
}

static bool
was_tried(const double *value, size_t n, double v)
{
	for (size_t i = 0; i < n; i++)
		if (value[i] == v)
			return true;
	return false;
}

struct candidate *
trial_fit(struct search *s, const struct knob *k, size_t i, double *best_value)
{
	double value[VALUES] = {knob_get(k, candidate_machine(s->now))}, got[VALUES];
	double least = trial_error(s, s->now, i), v;
	struct candidate *best = NULL;
	struct probe_answer a;

	if (!trial_answer(s, s->now, i, &a))
		return NULL;
	got[0] = a.found ? a.value : NAN;
	for (size_t n = 1; n < VALUES && !s->failed && next_value(s, k, i, value, got, n, &v); n++) {
		struct err e = {0};
		struct candidate *m = was_tried(value, n, v) ? NULL : candidate_turn(s->now, k, v, &e);

		value[n] = v;
		got[n] = NAN;
		if (!m)
			continue;
		s->c->tried++;
		if (trial_answer(s, m, i, &a)) {
			double error = fabs(answers_error(&a, &s->truth[i].answer));
			bool right = !answers_differ(s->c->list->probe[i], &a, &s->truth[i].answer);

			got[n] = a.found ? a.value : NAN;
			if (right || error < least) {
				candidate_free(best);
				best = m;
				m = NULL;
				least = error;
				*best_value = v;
			}
			if (right)
				n = VALUES;
		}
		candidate_free(m);
	}
	return best;
}

/* --- one round --------------------------------------------------------------------------------------------------- */

void
trials_free(struct trials *l)
{
	for (size_t i = 0; i < l->n; i++) {
		candidate_free(l->trial[i].machine);
		free(l->trial[i].right);
	}
	free(l->trial);
	*l = (struct trials){0};
}

/* Asks the probes that differ. */
static void
judge(struct search *s, struct trial *t)
{
	const struct calibration *c = s->c;

	t->n_wrong = SIZE_MAX;
	t->right = mem_new_array(c->list->n + 1, sizeof *t->right);
	for (size_t i = 0; i < c->list->n && !s->failed; i++)
		if (s->differs[i]) {
			t->right[i] = !trial_differs(s, t->machine, i);
			t->n_right += t->right[i];
			t->error += trial_error(s, t->machine, i);
		}
}

size_t
trial_count_wrong(struct search *s, struct candidate *m)
{
	const struct calibration *c = s->c;
	size_t n = 0;

	for (size_t i = 0; i < c->list->n && !s->failed; i++)
		if (c->row[i].compared && !s->differs[i])
			n += trial_differs(s, m, i);
	return n;
}

/* Most probes right come first. A feature has no number that could be chosen to fit, so it is the simpler reason. */
static int
by_worth(const void *a, const void *b)
{
	const struct trial *x = a, *y = b;

	if (x->n_right != y->n_right)
		return x->n_right > y->n_right ? -1 : 1;
	if (x->n_wrong != y->n_wrong)
		return x->n_wrong < y->n_wrong ? -1 : 1;
	if (fabs(x->error - y->error) > 0.01)
		return x->error < y->error ? -1 : 1;
	if (knob_kind_of(x->knob) != knob_kind_of(y->knob))
		return knob_kind_of(x->knob) == KNOB_FEATURE ? -1 : 1;
	return x->knob < y->knob ? -1 : 1;
}

bool
trial_overlaps(const struct search *s, const struct trial *a, const struct trial *b)
{
	for (size_t i = 0; i < s->c->list->n; i++)
		if (a->right[i] && b->right[i])
			return true;
	return false;
}

/* Where several knobs put as many probes right, and some of the same, all probes are asked which of them it is. */
static void
break_ties(struct search *s, struct trials *l)
{
	for (size_t i = 0; i < l->n && !s->failed; i++)
		for (size_t j = 0; j < l->n && !s->failed; j++)
			if (i != j && l->trial[i].n_wrong == SIZE_MAX && l->trial[i].n_right &&
				l->trial[i].n_right == l->trial[j].n_right &&
				trial_overlaps(s, &l->trial[i], &l->trial[j]))
				l->trial[i].n_wrong = trial_count_wrong(s, l->trial[i].machine);
}

struct trials
trials_make(struct search *s)
{
	struct trials l = {.trial = mem_new_array(knob_count(), sizeof *l.trial)};

	for (size_t i = 0; i < knob_count() && !s->failed; i++) {
		struct trial t = {.knob = knob_at(i)};
		size_t probe = probe_of(s, t.knob);

		if (probe < s->c->list->n)
			t.machine = trial_fit(s, t.knob, probe, &t.value);
		if (!t.machine)
			continue;
		judge(s, &t);
		l.trial[l.n++] = t;
	}
	break_ties(s, &l);
	qsort(l.trial, l.n, sizeof *l.trial, by_worth);
	return l;
}
