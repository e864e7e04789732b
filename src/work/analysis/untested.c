#include "work/analysis/untested.h"

#include <math.h>

#include "base/str.h"
#include "core/obs/source_data.h"
#include "core/udd/model.h"
#include "work/analysis/result.h"

#define NAMED 3 /* constraints that are named; the others are counted */

/* The untested constraints of a finding. Those that say most are named: the fewest counters, equalities first. */
struct untested {
	const struct constraint *named[NAMED];
	size_t n; /* of all */
};

/* Does the finding's verdict do without the counter? */
static bool
lacks(const struct finding *f, size_t counter)
{
	return counter >= f->counter.n_values || isnan(f->counter.value[counter]) ||
		(counter < f->counter.n_dead && f->counter.dead[counter]);
}

static bool
is_untested(const struct finding *f, const struct constraint *c)
{
	bool lacking = false;

	for (size_t i = 0; i < c->n; i++)
		lacking |= c->coef[i] && lacks(f, i);
	return lacking && constraint_counters(c) >= 2;
}

static bool
says_more(const struct constraint *a, const struct constraint *b)
{
	return !b || (a->equality && !b->equality) ||
		(a->equality == b->equality && constraint_counters(a) < constraint_counters(b));
}

static void
add_untested(const struct finding *finding, const struct constraint *list, size_t n, struct untested *untested)
{
	for (size_t i = 0; i < n; i++) {
		const struct constraint *constraint = &list[i];

		if (!is_untested(finding, constraint))
			continue;
		untested->n++;
		for (size_t k = 0; k < NAMED; k++)
			if (says_more(constraint, untested->named[k])) {
				const struct constraint *less = untested->named[k];

				untested->named[k] = constraint;
				constraint = less;
				if (!constraint)
					break;
			}
	}
}

static struct untested
find_untested(const struct result *result, const struct finding *finding)
{
	struct untested u = {0};
	bool lacking = false, some = false;

	for (size_t i = 0; i < result->n_counters; i++) {
		lacking |= (result->used[i] || result->missing.counter[i] || result->missing.apart[i]) &&
			lacks(finding, i);
		some |= result->used[i] && !lacks(finding, i);
	}
	/* Where the reason is about the observation itself, as of running totals, its counters lack nothing. */
	if (!lacking || (!some && finding->reason))
		return u;
	add_untested(finding, result->constraint, result->n_constraints, &u);
	add_untested(finding, result->missing.untested, result->missing.n_untested, &u);
	return u;
}

size_t
untested_count(const struct result *r, const struct finding *f)
{
	return find_untested(r, f).n;
}

char *
untested_names(const struct result *r, const struct finding *f)
{
	struct untested u = find_untested(r, f);
	size_t named = u.n < NAMED ? u.n : NAMED;
	struct str out = {0};

	for (size_t k = 0; k < named; k++)
		str_addf(&out, "%s%s", k ? ", " : "", u.named[k]->text);
	if (u.n > named)
		str_addf(&out, " and %zu more", u.n - named);
	return u.n ? str_take(&out) : NULL;
}

/* What is wrong with a counter that the finding lacks. */
static const char *
reason_of(
	const struct result *r, const struct finding *f, size_t counter, const struct source_status *status)
{
	if (counter < f->counter.n_dead && f->counter.dead[counter])
		return "always 0";
	if (status && status[counter].health == OBS_UNSUPPORTED)
		return status[counter].why;
	if (r->missing.apart[counter])
		return "not counted like the others";
	return "not in the data";
}

/* Do the named constraints need a counter that the finding lacks? */
static bool
is_needed(const struct untested *u, const struct finding *f, size_t counter)
{
	bool needed = false;

	for (size_t k = 0; k < NAMED && u->named[k]; k++)
		needed |= u->named[k]->coef[counter] != 0;
	return needed && lacks(f, counter);
}

char *
untested_reason(const struct udd_model *model, const struct result *result, const struct finding *f,
	const struct source_status *status)
{
	struct untested u = find_untested(result, f);
	struct str out = {0};

	for (size_t i = 0; i < model->n_counters && u.n; i++) {
		const char *reason = is_needed(&u, f, i) ? reason_of(result, f, i, status) : NULL;
		bool known = !reason;

		for (size_t k = 0; k < i && !known; k++)
			known = is_needed(&u, f, k) && str_eq(reason_of(result, f, k, status), reason);
		if (known)
			continue;
		str_addf(&out, "%swithout", out.n ? "; " : "");
		for (size_t k = i; k < model->n_counters; k++)
			if (is_needed(&u, f, k) && str_eq(reason_of(result, f, k, status), reason))
				str_addf(&out, "%s %s", k == i ? "" : ",", model->counter[k].name);
		str_addf(&out, ": %s", reason);
	}
	return u.n ? str_take(&out) : NULL;
}
