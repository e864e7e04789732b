/* Warnings about counters that read 0 throughout. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "work/analysis/describe.h"
#include "work/analysis/zeros.h"

static bool
is_raised(const struct signatures *sig, size_t counter)
{
	for (size_t k = 0; k < sig->n; k++)
		if (sig->coef[k * sig->n_counters + counter])
			return true;
	return false;
}

static void
describe_zeros_add_name(struct str *names, const char *name)
{
	str_addf(names, "%s%s", names->n ? ", " : "", name);
}

/* The names of counters that read 0: those that a verdict uses nevertheless, and those that it leaves out. */
struct zero_names {
	struct str used, left_out;
};

static void
describe_zeros_free_names(struct zero_names *z)
{
	str_free(&z->used);
	str_free(&z->left_out);
}

static char *
sentence(const struct str *names, const char *after)
{
	bool several = strchr(str_text(names), ',');

	return str_format(
		"%s %s 0 throughout, although the model has µpaths that raise %s: either nothing happened, or "
		"nobody counted%s",
		str_text(names), several ? "read" : "reads", several ? "them" : "it", after);
}

static void
describe_zeros_warn(struct finding *f, const struct str *names, const char *after)
{
	if (!names->n)
		return;
	f->warning = mem_resize(f->warning, f->n_warnings + 1, sizeof *f->warning);
	f->warning[f->n_warnings++] =
		(struct result_note){.code = mem_str(ZEROS_CODE), .text = sentence(names, after)};
}

static void
describe_zeros_note(struct result *r, const struct str *names, const char *after)
{
	if (names->n)
		result_add_note(r, ZEROS_CODE, sentence(names, after));
}

/* Collects the names of one observation, and those that are new. */
static void
collect_names(const struct analysis *analysis, const struct analysis_table *table, const struct prepared *prepared,
	const struct finding *finding, const bool *raised, bool *known, struct zero_names *here, struct zero_names *all)
{
	for (size_t i = 0; i < analysis->model->n_counters; i++) {
		const char *name = analysis->model->counter[i].name;
		enum obs_health health = zeros_health(analysis, table, i, prepared->given);
		bool left_out = prepared->keep[i] && finding->counter.dead[i];

		if (!prepared->keep[i] || !raised[i] || health == OBS_HONEST ||
			!(table->zero[i] || health == OBS_ZERO_SUSPECT))
			continue;
		describe_zeros_add_name(left_out ? &here->left_out : &here->used, name);
		if (!known[i])
			describe_zeros_add_name(left_out ? &all->left_out : &all->used, name);
		known[i] = true;
	}
}

void
zeros_describe(const struct analysis *analysis, const struct signatures *sig, struct result *result)
{
	size_t n = analysis->model->n_counters, finding = 0;
	bool *raised = mem_new_array(n, sizeof *raised), *known = mem_new_array(n, sizeof *known);
	struct zero_names all = {{0}, {0}};

	for (size_t i = 0; i < n; i++)
		raised[i] = is_raised(sig, i);
	for (size_t t = 0; t < analysis->n_tables; t++)
		for (size_t k = 0; k < analysis->table[t].n_ready; k++, finding++) {
			const struct prepared *prepared = &analysis->table[t].ready[k];
			struct finding *f = &result->finding[finding];
			struct zero_names here = {{0}, {0}};

			collect_names(analysis, &analysis->table[t], prepared, f, raised, known, &here, &all);
			f->counter.with_zeros = here.left_out.n ? VERDICT_INFEASIBLE : f->own.verdict;
			describe_zeros_warn(f, &here.used, "");
			describe_zeros_warn(f, &here.left_out,
				", so the verdict does without. If 0 is right, the observation is "
				"infeasible (--trust-zeros)");
			describe_zeros_free_names(&here);
		}
	describe_zeros_note(result, &all.left_out, ", so a 0 alone refutes nothing (--trust-zeros believes it)");
	describe_zeros_note(result, &all.used, "");
	describe_zeros_free_names(&all);
	free(raised);
	free(known);
}
