#include "work/calibrate/trial.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"

#define VALUES 5        /* that are tried of one knob */

/* --- on all processors ------------------------------------------------------------------------------------------- */

struct shared_work {
	struct search *s;
	void (*each)(struct search *, size_t i, void *ctx);
	void *ctx;
	pthread_mutex_t lock; /* of what follows, and of the patience */
	size_t failed;        /* the first that did; SIZE_MAX: none */
	struct err e;         /* its own */
	size_t tried;
};

static bool
trial_goes_on(void *ctx)
{
	struct shared_work *w = ctx;
	bool good;

	pthread_mutex_lock(&w->lock);
	good = w->failed == SIZE_MAX && patience_goes_on(w->s->patience);
	pthread_mutex_unlock(&w->lock);
	return good;
}

static void
do_one(void *ctx, size_t i)
{
	struct shared_work *work = ctx;
	struct patience patience = {trial_goes_on, work};
	struct search own = *work->s;
	struct err e = {0};

	own.patience = &patience;
	own.e = &e;
	own.tried = 0;
	work->each(&own, i, work->ctx);
	pthread_mutex_lock(&work->lock);
	work->tried += own.tried;
	if (own.failed && i < work->failed) {
		work->failed = i;
		work->e = e;
	}
	pthread_mutex_unlock(&work->lock);
}

void
trial_each(struct search *search, size_t n, void (*each)(struct search *, size_t i, void *ctx), void *ctx)
{
	struct shared_work w = {.s = search, .each = each, .ctx = ctx, .failed = SIZE_MAX};

	if (search->failed || n == 0)
		return;
	pthread_mutex_init(&w.lock, NULL);
	parallel_each(&(struct parallel){.each = do_one, .ctx = &w}, n);
	pthread_mutex_destroy(&w.lock);
	search->tried += w.tried;
	search->failed = w.failed != SIZE_MAX;
	if (*w.e.what)
		*search->e = w.e;
}

struct asking {
	struct candidate *m;
	const bool *which;
};

static void
ask_one(struct search *s, size_t i, void *ctx)
{
	const struct asking *a = ctx;
	struct probe_answer answer;

	if (a->which[i])
		trial_answer(s, a->m, i, &answer);
}

void
trial_ask(struct search *s, struct candidate *m, const bool *which)
{
	trial_each(s, s->c->list->n, ask_one, &(struct asking){m, which});
}

/* --- answers ----------------------------------------------------------------------------------------------------- */

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
probe_of(const struct search *search, const struct knob *knob)
{
	const struct probe_list *l = search->c->list;
	size_t best = l->n;
	unsigned least = 0;

	for (size_t i = 0; i < l->n; i++) {
		unsigned rank = search->differs[i] ? knob_rank(knob, l->probe[i]->name, l->probe[i]->parameter) : 0;

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
next_value(const struct search *search, const struct knob *knob, size_t i, const double *value, const double *got,
	size_t n, double *out)
{
	const struct knob_machine *machine = candidate_machine(search->now);
	const struct probe_answer *answer = &search->truth[i].answer;
	double wanted, scale = knob_scale(knob);

	if (knob_choices(knob)) {
		*out = fmod(value[0] + (double)n, knob_choices(knob));
		return n < knob_choices(knob);
	}
	if (!answer->found && knob_unlimited(knob) > 0) {
		*out = knob_unlimited(knob);
		return n == 1;
	}
	if (!answer->found) { /* whatever its limit is, it is beyond the probe */
		*out = knob_round(knob, machine, ldexp(value[0], (int)n));
		return true;
	}
	if (n == 1)
		wanted = isnan(got[0]) || value[0] == 0 ? answer->value / scale
							: value[0] + (answer->value - got[0]) / scale;
	else if (n == 2 && got[0] > 0)
		wanted = value[0] * answer->value / got[0];
	else if (isnan(got[n - 1]) || isnan(got[n - 2]) || got[n - 1] == got[n - 2])
		return false;
	else
		wanted = value[n - 1] +
			(answer->value - got[n - 1]) * (value[n - 1] - value[n - 2]) / (got[n - 1] - got[n - 2]);
	*out = knob_round(knob, machine, wanted);
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
trial_fit(struct search *s, const struct knob *knob, size_t i, double *best_value)
{
	double value[VALUES] = {knob_get(knob, candidate_machine(s->now))}, got[VALUES];
	double least = trial_error(s, s->now, i), v;
	struct candidate *best = NULL;
	struct probe_answer a;

	if (!trial_answer(s, s->now, i, &a))
		return NULL;
	got[0] = a.found ? a.value : NAN;
	for (size_t n = 1; n < VALUES && !s->failed && next_value(s, knob, i, value, got, n, &v); n++) {
		struct err e = {0};
		struct candidate *candidate = was_tried(value, n, v) ? NULL : candidate_turn(s->now, knob, v, &e);

		value[n] = v;
		got[n] = NAN;
		if (!candidate)
			continue;
		s->tried++;
		if (trial_answer(s, candidate, i, &a)) {
			double error = fabs(answers_error(&a, &s->truth[i].answer));
			bool right = !answers_differ(s->c->list->probe[i], &a, &s->truth[i].answer);

			got[n] = a.found ? a.value : NAN;
			if (right || error < least) {
				candidate_free(best);
				best = candidate;
				candidate = NULL;
				least = error;
				*best_value = v;
			}
			if (right)
				n = VALUES;
		}
		candidate_free(candidate);
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
trial_judge(struct search *search, struct trial *trial)
{
	const struct calibration *calibration = search->c;

	trial->n_wrong = SIZE_MAX;
	trial->right = mem_new_array(calibration->list->n + 1, sizeof *trial->right);
	for (size_t i = 0; i < calibration->list->n && !search->failed; i++)
		if (search->differs[i]) {
			trial->right[i] = !trial_differs(search, trial->machine, i);
			trial->n_right += trial->right[i];
			trial->error += trial_error(search, trial->machine, i);
		}
}

size_t
trial_count_wrong(struct search *search, struct candidate *candidate)
{
	const struct calibration *calibration = search->c;
	bool *agrees = mem_new_array(calibration->list->n + 1, sizeof *agrees);
	size_t n = 0;

	for (size_t i = 0; i < calibration->list->n; i++)
		agrees[i] = calibration->row[i].compared && !search->differs[i];
	trial_ask(search, candidate, agrees);
	for (size_t i = 0; i < calibration->list->n && !search->failed; i++)
		n += agrees[i] && trial_differs(search, candidate, i);
	free(agrees);
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

static void
try_knob(struct search *s, size_t i, void *ctx)
{
	struct trial *t = (struct trial *)ctx + i;
	size_t probe = probe_of(s, knob_at(i));

	t->knob = knob_at(i);
	if (probe < s->c->list->n)
		t->machine = trial_fit(s, t->knob, probe, &t->value);
	if (t->machine)
		trial_judge(s, t);
}

struct trials
trials_make(struct search *s)
{
	struct trials l = {.trial = mem_new_array(knob_count(), sizeof *l.trial)};

	trial_each(s, knob_count(), try_knob, l.trial);
	for (size_t i = 0; i < knob_count(); i++)
		if (l.trial[i].machine)
			l.trial[l.n++] = l.trial[i];
	break_ties(s, &l);
	qsort(l.trial, l.n, sizeof *l.trial, by_worth);
	return l;
}
