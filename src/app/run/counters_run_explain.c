/* Remarks of a counters run: counters that were not counted and why, and what may be missing. */
#include "app/run/counters_run_state.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

static void
explain_multiplexing(const struct counters_run *l, struct str *out)
{
	struct str names = {0};

	for (size_t i = 0; i < l->plan->n_columns; i++)
		if (l->status[i].running < 1 && l->status[i].health != OBS_UNSUPPORTED &&
			l->status[i].health != OBS_ABSENT)
			str_addf(&names, " %s (%.0f %%)", l->plan->name[i], l->status[i].running * 100);
	if (names.n)
		str_addf(out,
			"multiplexed, and scaled up in each sample by the time on a counter (the smallest share is "
			"shown):%s\n",
			str_text(&names));
	if (names.n && l->row.rotation.seed)
		str_addf(out, "turns: by hecate, in random order and for random times, each counter's once in %.3g "
			"ms on average; the seed was %" PRIu64 "\n",
			 l->row.rotation.period * 1e3, l->row.rotation.seed);
	else if (names.n && l->row.rotation.period > 0)
		str_addf(out, "turns: by the kernel, a rotation every %.3g ms; a program whose period is that or a "
			"multiple of it is counted wrongly (--rotation random)\n",
			 l->row.rotation.period * 1e3);
	str_free(&names);
}

/* Adds the remarks on sampling. */
static void
explain_rows(const struct counters_run *l, struct str *out)
{
	if (!l->opt.interval_ms)
		return;
	explain_multiplexing(l, out);
	if (l->end.strangers)
		str_addf(out,
			"not whole: %s started %zu threads while its threads were listed: they may be missing in all "
			"counts\n",
			l->name, l->end.strangers);
	if (*l->end.lost_cpus)
		str_addf(out,
			"went offline: CPU %s: what counts there alone is not counted from then on, and sums are of "
			"the other CPUs\n",
			l->end.lost_cpus);
	if (l->missed)
		str_addf(out,
			"late: %zu of %zu ticks were missed, and are part of the samples after them; a longer "
			"interval (-I) helps\n",
			l->missed, l->missed + l->rows);
	if (l->ending == RUN_END_FULL)
		str_addf(out,
			"ended early: %zu samples of %zu counters are all that one observation holds; a longer "
			"interval (-I) lasts longer\n",
			l->rows, l->plan->n_columns);
	if (*l->trouble.what)
		str_addf(out, "ended early: %s\n", l->trouble.what);
}

#define MOST_REASONS 8 /* for networks and stacks, where each counter may have a reason of its own */

/* Adds a line for each reason, with all counters that were refused for it. */
static void
explain_refusals(const struct counters_run *l, struct str *out)
{
	size_t n = l->plan->n_columns, most = l->counters->kind == TEXT_MODEL ? SIZE_MAX : MOST_REASONS, reasons = 0;
	bool *explained = mem_new_array(n, sizeof *explained), *these = mem_new_array(n, sizeof *these),
	     *others = mem_new_array(n, sizeof *others);

	for (size_t i = 0; i < n; i++) {
		const struct source_status *s = &l->status[i];

		if (explained[i] || s->health != OBS_UNSUPPORTED)
			continue;
		for (size_t k = 0; k < n; k++) {
			these[k] = l->status[k].health == OBS_UNSUPPORTED && str_eq(l->status[k].why, s->why);
			explained[k] |= these[k];
			others[k] |= these[k] && reasons >= most;
		}
		if (reasons++ >= most)
			continue;
		str_add(out, "not counted:");
		counter_plan_add_names(l->plan, l->counters, these, out);
		str_addf(out, ": %s", s->why);
		if (*s->remedy)
			str_addf(out, "; remedy: %s", s->remedy);
		str_addc(out, '\n');
	}
	if (reasons > most) {
		str_add(out, "not counted:");
		counter_plan_add_names(l->plan, l->counters, others, out);
		str_addf(out, ": for %zu more reasons; hecate doctor shows what can be counted here\n", reasons - most);
	}
	free(explained);
	free(these);
	free(others);
}

/* Adds remarks on counters that are counted, except on multiplexed ones, which have a line of their own. */
static void
explain_remarks(const struct counters_run *l, struct str *out)
{
	size_t n = l->plan->n_columns;
	bool *explained = mem_new_array(n, sizeof *explained), *these = mem_new_array(n, sizeof *these);

	for (size_t i = 0; i < n; i++) {
		const struct source_status *s = &l->status[i];

		if (explained[i] || !*s->why || s->health == OBS_UNSUPPORTED || s->running < 1)
			continue;
		for (size_t k = 0; k < n; k++) {
			these[k] = l->status[k].health != OBS_UNSUPPORTED && str_eq(l->status[k].why, s->why);
			explained[k] |= these[k];
		}
		str_add(out, "remark:");
		counter_plan_add_names(l->plan, l->counters, these, out);
		str_addf(out, ": %s%s%s\n", s->why, *s->remedy ? "; remedy: " : "", s->remedy);
	}
	free(explained);
	free(these);
}

static void
explain_user_side(const struct counters_run *l, struct str *out)
{
	size_t n = l->plan->n_columns, some = 0;
	bool *these = mem_new_array(n, sizeof *these);

	for (size_t i = 0; i < n; i++) {
		these[i] = l->status[i].health != OBS_UNSUPPORTED && l->status[i].user_only;
		some += these[i];
	}
	if (some) {
		str_add(out, "user side only (:u was added), the kernel side is not permitted:");
		counter_plan_add_names(l->plan, l->counters, these, out);
		str_addc(out, '\n');
	}
	free(these);
}

void
counters_run_explain(const struct counters_run *l, struct str *out)
{
	counter_plan_explain(l->counters, l->chosen, out);
	if (l->known) {
		explain_refusals(l, out);
		explain_remarks(l, out);
		explain_user_side(l, out);
	}
	explain_rows(l, out);
}

const char *
counters_run_explain_code(const char *line)
{
	static const struct { const char *begin, *code; } row[] = {
		{"not counted", "not-counted"}, {"not open to counting", "not-open"}, {"user side only",
			"user-only"}, {"remark", "remark"},
		{"multiplexed", "multiplexed"}, {"turns", "turns"}, {"late", "late"}, {"went offline", "offline"},
		{"not whole", "not-whole"}, {"ended early", "ended-early"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (str_starts(line, row[i].begin))
			return row[i].code;
	return "note";
}
