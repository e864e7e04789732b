#include "work/run/counter_remarks.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "work/run/counter_list.h"
#include "work/run/counter_plan.h"
#include "work/run/counter_rows.h"

#define FEW 8          /* names of a network or of stacks in one line: they may have hundreds */
#define MOST_REASONS 8 /* for networks and stacks, where each counter may have a reason of its own */

/* Adds names of columns, with those of one counter together: " a b (8 of 16) and 7 more". */
static void
counter_remarks_add_names(const struct counter_remarks *remarks, const bool *which, struct str *out)
{
	const struct counter_plan *plan = remarks->plan;
	const struct counter_list *list = remarks->list;
	size_t *all = mem_new_array(list->n, sizeof *all), *some = mem_new_array(list->n, sizeof *some), n = 0;

	for (size_t i = 0; i < plan->n_columns; i++)
		if (plan->of[i] < list->n) {
			all[plan->of[i]]++;
			some[plan->of[i]] += which[i];
		}
	for (size_t i = 0; i < list->n; i++) {
		n += some[i] > 0;
		if (!some[i] || (n > FEW && list->kind != TEXT_MODEL))
			continue;
		str_addf(out, " %s", list->counter[i].name);
		if (some[i] < all[i])
			str_addf(out, " (%zu of %zu)", some[i], all[i]);
	}
	if (n > FEW && list->kind != TEXT_MODEL)
		str_addf(out, " and %zu more", n - FEW);
	free(all);
	free(some);
}

/* Adds the reasons why counters cannot be tried. The command that prints a long list replaces it. */
static void
add_untried(const struct counter_list *list, const bool *asked, struct str *out)
{
	bool *explained = mem_new_array(list->n, sizeof *explained);

	for (size_t i = 0; i < list->n; i++) {
		const char *why = list->counter[i].amount >= 0 ? NULL : list->counter[i].why;
		struct str names = {0};
		size_t n = 0;

		for (size_t k = i; why && !explained[i] && k < list->n; k++)
			if (list->counter[k].why && str_eq(list->counter[k].why, why) && (!asked || asked[k])) {
				explained[k] = k > i;
				if (n++ < FEW)
					str_addf(&names, " %s", list->counter[k].name);
			}
		if (n > FEW)
			str_addf(out, "not open to counting: %zu of %zu counters: %s; %s lists them\n", n, list->n, why,
				list->show);
		else if (n)
			str_addf(out, "not open to counting:%s: %s\n", str_text(&names), why);
		str_free(&names);
	}
	free(explained);
}

/* Columns that are refused, or counted, for the same reason as column i. */
static void
mark_alike(const struct counter_remarks *r, size_t i, bool *these, bool *explained)
{
	const struct source_status *status = counter_rows_state(r->rows).status;
	bool refused = status[i].health == OBS_UNSUPPORTED;

	for (size_t k = 0; k < r->plan->n_columns; k++) {
		these[k] = (status[k].health == OBS_UNSUPPORTED) == refused && str_eq(status[k].why, status[i].why);
		explained[k] |= these[k];
	}
}

/* Adds a line for each reason, with all counters that were refused for it. */
static void
add_refusals(const struct counter_remarks *remarks, struct str *out)
{
	const struct source_status *status = counter_rows_state(remarks->rows).status;
	size_t n = remarks->plan->n_columns, most = remarks->list->kind == TEXT_MODEL ? SIZE_MAX : MOST_REASONS,
	       reasons = 0;
	bool *explained = mem_new_array(n, sizeof *explained), *these = mem_new_array(n, sizeof *these),
	     *others = mem_new_array(n, sizeof *others);

	for (size_t i = 0; i < n; i++) {
		const struct source_status *source_status = &status[i];

		if (explained[i] || source_status->health != OBS_UNSUPPORTED)
			continue;
		mark_alike(remarks, i, these, explained);
		if (reasons++ >= most) {
			for (size_t k = 0; k < n; k++)
				others[k] |= these[k];
			continue;
		}
		str_add(out, "not counted:");
		counter_remarks_add_names(remarks, these, out);
		str_addf(out, ": %s%s%s\n", source_status->why, *source_status->remedy ? "; remedy: " : "",
			source_status->remedy);
	}
	if (reasons > most) {
		str_add(out, "not counted:");
		counter_remarks_add_names(remarks, others, out);
		str_addf(out, ": for %zu more reasons; hecate doctor shows what can be counted here\n", reasons - most);
	}
	free(explained);
	free(these);
	free(others);
}

/* Adds remarks on counters that are counted, except on multiplexed ones, which have a line of their own. */
static void
add_remarks(const struct counter_remarks *remarks, struct str *out)
{
	const struct source_status *status = counter_rows_state(remarks->rows).status;
	size_t n = remarks->plan->n_columns;
	bool *explained = mem_new_array(n, sizeof *explained), *these = mem_new_array(n, sizeof *these);

	for (size_t i = 0; i < n; i++) {
		const struct source_status *source_status = &status[i];

		if (explained[i] || !*source_status->why || source_status->health == OBS_UNSUPPORTED ||
			source_status->running < 1)
			continue;
		mark_alike(remarks, i, these, explained);
		str_add(out, "remark:");
		counter_remarks_add_names(remarks, these, out);
		str_addf(out, ": %s%s%s\n", source_status->why, *source_status->remedy ? "; remedy: " : "",
			source_status->remedy);
	}
	free(explained);
	free(these);
}

static void
add_user_side(const struct counter_remarks *remarks, struct str *out)
{
	const struct source_status *status = counter_rows_state(remarks->rows).status;
	size_t n = remarks->plan->n_columns, some = 0;
	bool *these = mem_new_array(n, sizeof *these);

	for (size_t i = 0; i < n; i++) {
		these[i] = status[i].health != OBS_UNSUPPORTED && status[i].user_only;
		some += these[i];
	}
	if (some) {
		str_add(out, "user side only (:u was added), the kernel side is not permitted:");
		counter_remarks_add_names(remarks, these, out);
		str_addc(out, '\n');
	}
	free(these);
}

static void
add_turns(const struct counter_remarks *remarks, struct str *out)
{
	const struct source_status *status = counter_rows_state(remarks->rows).status;
	struct obs_rotation turns = counter_rows_state(remarks->rows).rotation;
	struct str names = {0};

	for (size_t i = 0; i < remarks->plan->n_columns; i++)
		if (status[i].running < 1 && status[i].health != OBS_UNSUPPORTED && status[i].health != OBS_ABSENT)
			str_addf(&names, " %s (%.0f %%)", remarks->plan->name[i], status[i].running * 100);
	if (names.n)
		str_addf(out,
			"multiplexed, and scaled up in each sample by the time on a counter (the smallest share is "
			"shown):%s\n",
			str_text(&names));
	if (names.n && turns.seed)
		str_addf(out, "turns: by hecate, in random order and for random times, each counter's once in %.3g "
			"ms on average; the seed was %" PRIu64 "\n",
			 turns.period * 1e3, turns.seed);
	if (names.n && turns.constraints)
		str_addf(out, "turns: the counters of %zu of %zu constraint%s are in one set, and counted at the same "
			"times\n", turns.whole, turns.constraints, plural_s(turns.constraints));
	if (names.n && !turns.seed && turns.period > 0)
		str_addf(out, "turns: by the kernel, a rotation every %.3g ms; a program whose period is that or a "
			"multiple of it is counted wrongly (--rotation random)\n",
			 turns.period * 1e3);
	str_free(&names);
}

/* Adds the remarks on sampling. */
static void
add_samples(const struct counter_remarks *remarks, struct str *out)
{
	size_t n = counter_rows_state(remarks->rows).n, missed = counter_rows_state(remarks->rows).missed;

	if (remarks->end->strangers)
		str_addf(out,
			"not whole: %s started %zu threads while its threads were listed: they may be missing in all "
			"counts\n",
			remarks->name, remarks->end->strangers);
	if (*remarks->end->lost_cpus)
		str_addf(out,
			"went offline: CPU %s: what counts there alone is not counted from then on, and sums are of "
			"the other CPUs\n",
			remarks->end->lost_cpus);
	if (missed)
		str_addf(out,
			"late: %zu of %zu ticks were missed, and are part of the samples after them; a longer "
			"interval (-I) helps\n",
			missed, missed + n);
	if (remarks->full)
		str_addf(out,
			"ended early: %zu samples of %zu counters are all that one observation holds; a longer "
			"interval (-I) lasts longer\n",
			n, remarks->plan->n_columns);
	if (*remarks->trouble)
		str_addf(out, "ended early: %s\n", remarks->trouble);
}

void
counter_remarks_add(const struct counter_remarks *remarks, struct str *out)
{
	add_untried(remarks->list, remarks->asked, out);
	if (counter_rows_state(remarks->rows).status) {
		add_refusals(remarks, out);
		add_remarks(remarks, out);
		add_user_side(remarks, out);
	}
	if (!remarks->sampled)
		return;
	add_turns(remarks, out);
	add_samples(remarks, out);
}
