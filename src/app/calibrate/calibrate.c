#include "app/calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/calibrate/candidate.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#define ROUNDS 24       /* knobs that are turned at most */
#define VALUES 5        /* that are tried of one knob */
#define WORTH 0.2       /* share of the error that a knob must take away if it puts no probe right */

struct search {
	struct calibration *c;
	const struct known_answer *truth;
	const struct patience *patience;
	struct candidate *now;
	bool *differs;      /* of the present machine, for each probe */
	struct err *e;
	bool failed;        /* stopped, or *e */
	unsigned rounds;    /* in which knobs were turned */
};

/* A knob that was turned on the present machine. */
struct trial {
	struct candidate *machine;
	const struct knob *knob;
	double value;
	bool *right;        /* for each probe: it differed, and does so no more */
	size_t n_right;
	size_t n_wrong;     /* probes that agreed, and do so no more; SIZE_MAX: not asked yet */
	double error;       /* of the probes that differed */
};

static bool
answer(struct search *s, struct candidate *m, size_t i, struct probe_answer *out)
{
	struct err e = {0};

	if (candidate_answer(m, i, s->patience, out, &e))
		return true;
	s->failed = true;
	if (*e.what)
		*s->e = e;
	return false;
}

/* True if probe i answers otherwise on the machine than in truth. */
static bool
differs(struct search *s, struct candidate *m, size_t i)
{
	struct probe_answer a;

	return answer(s, m, i, &a) && answers_differ(s->c->list->probe[i], &a, &s->truth[i].answer);
}

static double
error_of(struct search *s, struct candidate *m, size_t i)
{
	struct probe_answer a;

	return answer(s, m, i, &a) ? fabs(answers_error(&a, &s->truth[i].answer)) : 0;
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

/* Turns a knob until its probe agrees, or comes as near as it can. NULL: it comes no nearer. */
static struct candidate *
fit(struct search *s, const struct knob *k, size_t i, double *best_value)
{
	double value[VALUES] = {knob_get(k, candidate_machine(s->now))}, got[VALUES];
	double least = error_of(s, s->now, i), v;
	struct candidate *best = NULL;
	struct probe_answer a;

	if (!answer(s, s->now, i, &a))
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
		if (answer(s, m, i, &a)) {
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

struct trials {
	struct trial *trial; /* n, the best one first */
	size_t n;
};

static void
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
			t->right[i] = !differs(s, t->machine, i);
			t->n_right += t->right[i];
			t->error += error_of(s, t->machine, i);
		}
}

/* Asks the probes that agree. */
static size_t
count_wrong(struct search *s, struct candidate *m)
{
	const struct calibration *c = s->c;
	size_t n = 0;

	for (size_t i = 0; i < c->list->n && !s->failed; i++)
		if (c->row[i].compared && !s->differs[i])
			n += differs(s, m, i);
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

static bool
overlap(const struct search *s, const struct trial *a, const struct trial *b)
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
				l->trial[i].n_right == l->trial[j].n_right && overlap(s, &l->trial[i], &l->trial[j]))
				l->trial[i].n_wrong = count_wrong(s, l->trial[i].machine);
}

/* Turns each knob whose probe differs. */
static struct trials
try_all(struct search *s)
{
	struct trials l = {.trial = mem_new_array(knob_count(), sizeof *l.trial)};

	for (size_t i = 0; i < knob_count() && !s->failed; i++) {
		struct trial t = {.knob = knob_at(i)};
		size_t probe = probe_of(s, t.knob);

		if (probe < s->c->list->n)
			t.machine = fit(s, t.knob, probe, &t.value);
		if (!t.machine)
			continue;
		judge(s, &t);
		l.trial[l.n++] = t;
	}
	break_ties(s, &l);
	qsort(l.trial, l.n, sizeof *l.trial, by_worth);
	return l;
}

static char *
text_of(const struct knob *k, const struct candidate *m)
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
		c->fault[i] = (struct calibration_fault){.knob = k, .before = text_of(k, c->before),
			.explains = mem_new_array(c->list->n + 1, sizeof *c->fault[i].explains)};
	}
	return &c->fault[i];
}

static void
record(struct search *s, const struct trial *t)
{
	struct calibration_fault *f = fault_of(s->c, t->knob);

	f->value = t->value;
	free(f->after);
	f->after = text_of(t->knob, t->machine);
	for (size_t i = 0; i < s->c->list->n; i++)
		f->explains[i] |= t->right[i];
}

/* Goes on with this machine, which it takes over. */
static void
adopt(struct search *s, struct candidate *m)
{
	const struct calibration *c = s->c;

	for (size_t i = 0; i < c->list->n; i++)
		s->differs[i] = c->row[i].compared && differs(s, m, i);
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
			alone = !chosen[j] || !overlap(s, &l->trial[i], &l->trial[j]);
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
		right += s->differs[i] && !differs(s, m, i);
	if (n > 1 && !s->failed && right >= wanted && count_wrong(s, m) == 0 && !s->failed)
		return m;
	candidate_free(m);
	return NULL;
}

/* True if the best knob is worth it: it puts more probes right than wrong, or takes much of the error away. */
static bool
is_worth(struct search *s, struct trial *t)
{
	double error = 0;

	if (t->n_wrong == SIZE_MAX)
		t->n_wrong = count_wrong(s, t->machine);
	for (size_t i = 0; i < s->c->list->n && !s->failed; i++)
		error += s->differs[i] ? error_of(s, s->now, i) : 0;
	return !s->failed && (t->n_right > t->n_wrong ||
		(t->n_right == t->n_wrong && t->error < (1 - WORTH) * error));
}

/* False: nothing gets better. */
static bool
turn_some(struct search *s)
{
	struct trials l = try_all(s);
	bool *chosen = mem_new_array(l.n + 1, sizeof *chosen), some = false;
	struct candidate *m = s->failed ? NULL : turn_together(s, &l, chosen);

	for (size_t i = 0; i < l.n && m; i++)
		if (chosen[i])
			record(s, &l.trial[i]);
	for (size_t i = 0; i < l.n && !m && !some && !s->failed; i++)
		if (is_worth(s, &l.trial[i])) {
			some = true;
			record(s, &l.trial[i]);
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
}

/* The machine before, with faults put right except number `except`; kind −1: of all kinds. */
static struct candidate *
rebuild(const struct calibration *c, size_t except, int kind, struct err *e)
{
	struct candidate *m = candidate_new(candidate_on(c->before), candidate_changes(c->before), c->list, e);

	for (size_t i = 0; i < c->n_faults && m; i++) {
		const struct calibration_fault *f = &c->fault[i];
		struct candidate *next;

		if (i == except || (kind >= 0 && (int)knob_kind_of(f->knob) != kind))
			continue;
		next = candidate_turn(m, f->knob, f->value, e);
		candidate_free(m);
		m = next;
	}
	return m;
}

struct candidate *
calibrate_stage(const struct calibration *c, enum knob_kind kind, struct err *e)
{
	return rebuild(c, SIZE_MAX, (int)kind, e);
}

/* True if no probe differs on the machine that agreed before. Those that the fault explains are asked first. */
static bool
is_as_good(struct search *s, struct candidate *m, const struct calibration_fault *f)
{
	const struct calibration *c = s->c;

	for (int first = 1; first >= 0; first--)
		for (size_t i = 0; i < c->list->n && !s->failed; i++)
			if (c->row[i].compared && f->explains[i] == (first == 1) && !s->differs[i] && differs(s, m, i))
				return false;
	return !s->failed;
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
finish(struct search *s)
{
	struct calibration *c = s->c;
	struct patience none = {0};

	c->after = s->now;
	for (size_t i = 0; i < c->list->n; i++) {
		struct calibration_row *r = &c->row[i];

		if (!r->compared)
			continue;
		r->after = r->before;
		s->patience = &none;
		if (!s->failed)
			answer(s, c->after, i, &r->after);
		r->remains = answers_differ(c->list->probe[i], &r->after, &r->truth);
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
look(struct search *s)
{
	struct calibration *c = s->c;

	for (size_t i = 0; i < c->list->n && !s->failed; i++) {
		struct calibration_row *r = &c->row[i];

		s->failed = !patience_goes_on(s->patience);
		if (s->failed || !s->truth[i].known || !answer(s, c->before, i, &r->before))
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
	look(&s);
	do
		turn_knobs(&s);
	while (!s.failed && drop_needless(&s) && any_differs(&s));
	c->cut = s.failed;
	finish(&s);
	free(s.differs);
	if (!*e->what)
		return c;
	calibrate_free(c);
	return NULL;
}

void
calibrate_free(struct calibration *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_faults; i++)
		fault_free(&c->fault[i]);
	free(c->fault);
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
