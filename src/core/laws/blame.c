/* Which events mend an observation if they are dropped: Fourier-Motzkin elimination over the laws. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/laws/ask.h"

#define FORMS_MAX 600 /* consequences that are followed; beyond them a set is taken not to mend */
#define SETS_MAX 400  /* sets that are tried */

/* Forms that a set of laws implies; they own their terms. */
struct implied {
	struct law_form *form;
	size_t n, cap;
	bool full;
};

static void
implied_free(struct implied *implied)
{
	for (size_t i = 0; i < implied->n; i++)
		free(implied->form[i].term);
	free(implied->form);
}

static double
times_of(const struct law_form *form, size_t event)
{
	for (size_t i = 0; i < form->n; i++)
		if (form->term[i].event == event)
			return form->term[i].times;
	return 0;
}

static void
implied_add(struct implied *implied, struct law_form form)
{
	if (implied->n == FORMS_MAX) {
		implied->full = true;
		free(form.term);
		return;
	}
	mem_grow(&implied->form, &implied->cap, implied->n + 1, sizeof *implied->form);
	implied->form[implied->n++] = form;
}

/* Returns x·a + y·b without `event`. */
static struct law_form
form_combine(const struct law_form *a, double x, const struct law_form *b, double y, size_t event)
{
	struct law_form out = {.term = mem_new_array(a->n + b->n, sizeof *out.term),
		.constant = x * a->constant + y * b->constant,
		.equality = a->equality && b->equality};
	size_t i = 0, j = 0;

	while (i < a->n || j < b->n) {
		bool left = j == b->n || (i < a->n && a->term[i].event <= b->term[j].event);
		bool right = i == a->n || (j < b->n && b->term[j].event <= a->term[i].event);
		struct law_term term = {.event = left ? a->term[i].event : b->term[j].event};
		double size = (left ? fabs(x * a->term[i].times) : 0) + (right ? fabs(y * b->term[j].times) : 0);

		term.times = (left ? x * a->term[i++].times : 0) + (right ? y * b->term[j++].times : 0);
		if (term.event != event && fabs(term.times) > 1e-9 * size)
			out.term[out.n++] = term;
	}
	return out;
}

/* Adds the combination of two forms from which the event is eliminated, if they can be combined. */
static void
implied_pair(struct implied *out, const struct law_form *a, const struct law_form *b, size_t event)
{
	double x = times_of(a, event), y = times_of(b, event);

	if (a->equality)
		implied_add(out, form_combine(a, -y / x, b, 1, event));
	else if (b->equality)
		implied_add(out, form_combine(a, 1, b, -x / y, event));
	else if ((x > 0) != (y > 0))
		implied_add(out, form_combine(a, 1 / fabs(x), b, 1 / fabs(y), event));
}

/* Replaces the forms by what they imply about all other events. That the event's count is at least 0 is one of them. */
static void
eliminate(struct implied *implied, size_t event)
{
	struct implied out = {0};
	const struct law_form least = {.term = &(struct law_term){event, -1}, .n = 1};

	for (size_t i = 0; i < implied->n; i++) {
		const struct law_form *a = &implied->form[i];

		if (!(fabs(times_of(a, event)) > 0)) {
			implied_add(&out, (struct law_form){mem_copy(a->term, a->n * sizeof *a->term), a->n,
				a->constant, a->equality});
			continue;
		}
		implied_pair(&out, a, &least, event);
		for (size_t j = i + 1; j < implied->n; j++)
			if (fabs(times_of(&implied->form[j], event)) > 0)
				implied_pair(&out, a, &implied->form[j], event);
	}
	out.full |= implied->full;
	implied_free(implied);
	*implied = out;
}

static bool
mends(const struct law_asked *asked, const struct law_form *form, size_t n, const struct law_blame *set)
{
	struct implied implied = {0};
	bool good;

	for (size_t i = 0; i < n; i++)
		implied_add(&implied, (struct law_form){mem_copy(form[i].term, form[i].n * sizeof *form[i].term),
			form[i].n, form[i].constant, form[i].equality});
	for (size_t i = 0; i < set->n; i++)
		eliminate(&implied, set->event[i]);
	good = !implied.full;
	for (size_t i = 0; i < implied.n && good; i++)
		good = !implied.form[i].n || law_ask(asked, &implied.form[i]).state != LAW_BROKEN;
	implied_free(&implied);
	return good;
}

/* Returns whether every broken law has an event of the set; without that the set cannot mend them. */
static bool
covers(const struct law_blame *set, const struct laws *laws, const struct laws_judgement *judgement)
{
	for (size_t i = 0; i < judgement->n_broken; i++) {
		const struct law_form *form = &laws->law[judgement->finding[i].law].form;
		bool hit = false;

		for (size_t k = 0; k < set->n; k++)
			hit |= fabs(times_of(form, set->event[k])) > 0;
		if (!hit)
			return false;
	}
	return true;
}

struct blame_search {
	const struct law_asked *asked;
	const struct law_form *form;
	size_t n;
	struct laws_judgement *out;
	size_t cap, tried;
};

/* Tries all sets of `size` events that begin with `set`. */
static void
try_sets(struct blame_search *search, struct law_blame set, size_t size)
{
	if (set.n == size) {
		if (!covers(&set, search->asked->laws, search->out) || search->tried++ >= SETS_MAX ||
			!mends(search->asked, search->form, search->n, &set))
			return;
		mem_grow(&search->out->blame, &search->cap, search->out->n_blames + 1, sizeof *search->out->blame);
		search->out->blame[search->out->n_blames++] = set;
		return;
	}
	for (size_t event = set.n ? set.event[set.n - 1] + 1 : 0; event < search->asked->laws->n_events; event++) {
		bool broken = false;

		for (size_t i = 0; i < search->out->n_broken && !broken; i++)
			broken = fabs(times_of(
				&search->asked->laws->law[search->out->finding[i].law].form, event)) > 0;
		if (!broken)
			continue;
		set.event[set.n] = event;
		try_sets(search, (struct law_blame){{set.event[0], set.event[1], set.event[2]}, set.n + 1}, size);
	}
}

void
law_find_blame(const struct law_asked *asked, const struct law_form *form, size_t n, struct laws_judgement *out)
{
	struct blame_search search = {.asked = asked, .form = form, .n = n, .out = out};

	for (size_t size = 1; size <= LAW_BLAMED && !out->n_blames; size++)
		try_sets(&search, (struct law_blame){0}, size);
}
