#include "app/analysis/zeros.h"

#include <stdlib.h>
#include <string.h>

#include "app/analysis/describe.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"

/* True for a column that is 0 in an observation that was not made ready. False for one whose cells are not in memory,
 * which may hold anything. */
static bool
column_is_zero(const struct obs *o, size_t column)
{
	if (o->n_rows && !o->count)
		return false;
	for (size_t r = 0; r < o->n_rows; r++)
		if (o->counted[r * o->n_columns + column] && o->count[r * o->n_columns + column])
			return false;
	return true;
}

static bool
is_zero(const struct analysis_table *t, size_t counter, const struct obs *o)
{
	const struct columns_match *m = t->match;

	for (size_t k = m->first[counter]; k < m->first[counter + 1]; k++)
		if (!column_is_zero(o, m->column[k]))
			return false;
	return true;
}

/* True when the counter is 0 in all observations that were not made ready. Those that were are in the same order. */
static bool
zero_elsewhere(const struct analysis_table *t, size_t counter)
{
	size_t ready = 0;

	for (size_t k = 0; k < t->data->n; k++)
		if (ready < t->n_ready && t->ready[ready].given == t->data->obs[k])
			ready++;
		else if (!is_zero(t, counter, t->data->obs[k]))
			return false;
	return true;
}

/* What the source of the observation says of the counter's 0. OBS_HONEST: it vouches for all columns; OBS_ZERO_SUSPECT:
 * it marked one as suspicious; otherwise OBS_LIVE. */
static enum obs_health
zero_health(const struct prepared *p, size_t counter)
{
	enum obs_health zero = OBS_HONEST;

	for (size_t k = p->match->first[counter]; k < p->match->first[counter + 1]; k++) {
		enum obs_health health = p->obs->health[p->match->column[k]];

		if (health == OBS_ZERO_SUSPECT)
			return health;
		if (health != OBS_HONEST)
			zero = OBS_LIVE;
	}
	return zero;
}

/* True when the counter is 0 in all observations made ready, and the source of some does not vouch for that. */
static bool
zero_where_ready(const struct analysis_table *t, size_t counter)
{
	bool some = false;

	for (size_t k = 0; k < t->n_ready; k++) {
		const struct prepared *p = &t->ready[k];

		if (!p->keep[counter])
			continue;
		if (!(p->value[counter] <= 0))
			return false;
		some |= zero_health(p, counter) != OBS_HONEST;
	}
	return some;
}

bool *
zeros_of_table(const struct analysis *a, const struct analysis_table *t)
{
	bool *zero = mem_new_array(a->model->n_counters, sizeof *zero), others = false;

	for (size_t i = 0; i < a->model->n_counters; i++) {
		zero[i] = zero_where_ready(t, i) && !t->match->silent[i];
		for (size_t k = 0; k < t->n_ready; k++)
			others |= t->ready[k].keep[i] && t->ready[k].value[i] > 0;
	}
	for (size_t i = 0; i < a->model->n_counters; i++)
		zero[i] = zero[i] && others && zero_elsewhere(t, i);
	return zero;
}

static bool
is_raised(const struct signatures *sig, size_t counter)
{
	for (size_t k = 0; k < sig->n; k++)
		if (sig->coef[k * sig->n_counters + counter])
			return true;
	return false;
}

static void
add_name(struct str *names, const char *name)
{
	str_addf(names, "%s%s", names->n ? ", " : "", name);
}

static char *
sentence(const struct str *names)
{
	bool several = strchr(str_text(names), ',');

	return str_format(
		"%s %s 0 throughout, although the model has µpaths that raise %s: either nothing happened, or "
		"nobody counted",
		str_text(names), several ? "read" : "reads", several ? "them" : "it");
}

static void
warn(struct finding *f, const struct str *names)
{
	f->warning = mem_resize(f->warning, f->n_warnings + 1, sizeof *f->warning);
	f->warning[f->n_warnings++] = (struct result_note){.code = mem_str(ZEROS_CODE), .text = sentence(names)};
}

void
zeros_describe(const struct analysis *a, const struct signatures *sig, struct result *r)
{
	size_t n = a->model->n_counters, finding = 0;
	bool *raised = mem_new_array(n, sizeof *raised), *known = mem_new_array(n, sizeof *known);
	struct str all = {0};

	for (size_t i = 0; i < n; i++)
		raised[i] = is_raised(sig, i);
	for (size_t t = 0; t < a->n_tables; t++) {
		bool *zero = zeros_of_table(a, &a->table[t]);

		for (size_t k = 0; k < a->table[t].n_ready; k++, finding++) {
			const struct prepared *p = &a->table[t].ready[k];
			struct str names = {0};

			for (size_t i = 0; i < n; i++) {
				enum obs_health health = zero_health(p, i);

				if (!p->keep[i] || !raised[i] || health == OBS_HONEST ||
					!(zero[i] || health == OBS_ZERO_SUSPECT))
					continue;
				add_name(&names, a->model->counter[i].name);
				if (!known[i])
					add_name(&all, a->model->counter[i].name);
				known[i] = true;
			}
			if (names.n)
				warn(&r->finding[finding], &names);
			str_free(&names);
		}
		free(zero);
	}
	if (all.n)
		result_add_note(r, ZEROS_CODE, sentence(&all));
	str_free(&all);
	free(raised);
	free(known);
}
