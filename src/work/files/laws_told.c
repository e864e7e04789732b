#include "work/files/laws_told.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "text/diag.h"
#include "work/files/laws_files.h"

void
law_add_difference(
	const struct laws *laws, const struct law *law, const struct law_sum *sum, bool ascii, struct str *out)
{
	const struct law_event *lacks = law_lacked_event(laws, law);
	char left[NUMBER_TEXT], right[NUMBER_TEXT], by[NUMBER_TEXT];
	double least = sum->least > 0 ? sum->least : -sum->most;

	str_addf(out, "%s %s %s", number_full(left, sum->left, ascii), sum->at > 0 ? ">" : "<",
		number_full(right, sum->right, ascii));
	if (sum->right > 0)
		str_addf(out, ", %s %%", number_digits(by, 100 * sum->left / sum->right, 4, ascii));
	if (sum->state == LAW_BROKEN)
		str_addf(out, "; off by %s at least", number_digits(by, least, 4, ascii));
	else
		str_addf(out, "; %s", sum->why);
	if (law->form.equality)
		str_add(out, " (they must be equal)");
	if (lacks)
		str_addf(out, "; it holds if %s, which was not counted, is %s or more", lacks->name,
			number_full(by, sum->state == LAW_BROKEN ? least : sum->at, ascii));
}

void
law_add_blame(const struct laws *laws, const struct laws_judgement *judgement, struct str *out)
{
	for (size_t i = 0; i < judgement->n_blames; i++) {
		str_add(out, i ? ", or " : "");
		for (size_t k = 0; k < judgement->blame[i].n; k++)
			str_addf(out, "%s%s", k ? " and " : "", laws->event[judgement->blame[i].event[k]].name);
	}
}

static void
law_told_clear(struct law_told *told)
{
	free(told->where);
	free(told->difference);
	free(told->blame);
}

/* Takes a finding. The first observation in the worst state stays. */
static void
tell_law(struct laws_told *told, const struct laws *laws, const struct obs *obs,
	const struct laws_judgement *judgement, const struct law_finding *finding)
{
	const struct law *law = &laws->law[finding->law];
	bool broken = finding->sum.state == LAW_BROKEN;
	struct law_told *one;
	struct str difference = {0}, blame = {0};
	size_t i = 0;

	while (i < told->n && told->told[i].law != law)
		i++;
	if (i == told->n) {
		mem_grow(&told->told, &told->cap, told->n + 1, sizeof *told->told);
		told->told[told->n++] = (struct law_told){.file = laws->name, .law = law, .state = LAW_HOLDS};
	}
	one = &told->told[i];
	one->broken += broken;
	one->strained += !broken;
	if (one->state >= finding->sum.state)
		return;
	law_told_clear(one);
	one->state = finding->sum.state;
	one->where = mem_str(obs->name);
	law_add_difference(laws, law, &finding->sum, true, &difference);
	if (broken)
		law_add_blame(laws, judgement, &blame);
	one->difference = str_take(&difference);
	one->blame = blame.n ? str_take(&blame) : mem_str("");
}

static void
tell_table(struct laws_told *told, const struct laws *laws, const struct obs_table *table, const char *observations,
	const struct laws_how *how, bool *judged)
{
	struct columns_match *match = laws_match(laws, table);

	for (size_t o = 0; o < table->n; o++) {
		const struct obs *obs = table->obs[o];
		struct laws_judgement *judgement;

		if (observations && fnmatch(observations, obs->name, 0) != 0)
			continue;
		judgement = laws_judge(laws, match, obs, how);
		for (size_t i = 0; i < judgement->n; i++) {
			judged[judgement->finding[i].law] = true;
			if (judgement->finding[i].sum.state != LAW_HOLDS)
				tell_law(told, laws, obs, judgement, &judgement->finding[i]);
		}
		laws_judgement_free(judgement);
	}
	columns_match_free(match);
}

static int
worse_law_first(const void *a, const void *b)
{
	const struct law_told *x = a, *y = b;

	if (x->state != y->state)
		return x->state > y->state ? -1 : 1;
	return x->broken + x->strained != y->broken + y->strained
		? (x->broken + x->strained > y->broken + y->strained ? -1 : 1) : strcmp(x->law->text, y->law->text);
}

static size_t
count_observations(struct obs_table *const *table, size_t n, const char *observations)
{
	size_t all = 0;

	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < table[t]->n; i++)
			all += !observations || fnmatch(observations, table[t]->obs[i]->name, 0) == 0;
	return all;
}

struct laws_told *
laws_told_new(struct obs_table *const *table, size_t n, const char *observations, const struct laws_how *how,
	struct err *e)
{
	struct laws_told *told = mem_new(sizeof *told);
	struct laws_how each = *how;
	size_t all = count_observations(table, n, observations);
	struct diags diags = {0};

	if (all > 1)
		each.confidence = 1 - (1 - how->confidence) / (double)all;
	told->laws = laws_files_load(NULL, &told->n_files, &diags, e);
	diags_free(&diags);
	for (size_t f = 0; f < told->n_files; f++) {
		const struct laws *laws = told->laws[f];
		bool *judged = mem_new_array(laws->n, sizeof *judged);

		for (size_t t = 0; t < n; t++)
			tell_table(told, laws, table[t], observations, &each, judged);
		for (size_t i = 0; i < laws->n; i++)
			told->judged += judged[i];
		free(judged);
	}
	if (told->n)
		qsort(told->told, told->n, sizeof *told->told, worse_law_first);
	while (told->n_broken < told->n && told->told[told->n_broken].state == LAW_BROKEN)
		told->n_broken++;
	if (told->laws)
		return told;
	laws_told_free(told);
	return NULL;
}

void
laws_told_free(struct laws_told *told)
{
	if (!told)
		return;
	for (size_t i = 0; i < told->n; i++)
		law_told_clear(&told->told[i]);
	free(told->told);
	laws_files_free(told->laws, told->n_files);
	free(told);
}

void
law_told_add(const struct law_told *told, struct str *out)
{
	size_t others = (told->state == LAW_BROKEN ? told->broken : told->strained) - 1;

	str_addf(out, "%s, in %s", told->law->text, told->where);
	if (others)
		str_addf(out, " and %zu more", others);
	str_addf(out, ": %s", told->difference);
	if (*told->blame)
		str_addf(out, "; to blame: %s", told->blame);
}
