/* Where a difference went by a method of accounting: the parts of a stack, of each run, as quantities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "work/diff/measure.h"
#include "work/timeline/stack_count.h"

char **
diff_stack_events(const struct stack *stack, size_t *n)
{
	char **list = mem_new_array(1, sizeof *list);

	*n = 0;
	for (size_t i = 0; i < stack->n_counters; i++) {
		struct event_sum sum = counter_events(&stack->counter[i]);

		for (size_t k = 0; k < sum.n; k++) {
			list = mem_resize(list, *n + 2, sizeof *list);
			list[(*n)++] = mem_str(sum.event[k].name);
			list[*n] = NULL;
		}
	}
	return list;
}

/* The plain counts of all runs, a row each. */
static struct obs_table *
counts_of(const struct diff_table *t)
{
	const char **name = mem_new_array(t->n + 1, sizeof *name);
	int64_t *count = mem_new_array(t->n + 1, sizeof *count);
	unsigned char *counted = mem_new_array(t->n + 1, 1);
	struct obs_table *table;
	struct obs *obs;

	for (size_t i = 0; i < t->n; i++)
		name[i] = t->quantity[i].name;
	table = obs_table_new(name, t->n);
	obs = obs_table_add(table, "runs", "hecate diff");
	for (size_t r = 0; r < t->n_runs; r++) {
		for (size_t i = 0; i < t->n; i++) {
			double v = t->quantity[i].value[r];
			bool is_count = isfinite(v) && fabs(v) < 9e18 && !str_eq(t->quantity[i].unit, "s");

			counted[i] = is_count ? OBS_COUNTED : OBS_EMPTY;
			count[i] = is_count ? (int64_t)v : 0;
		}
		obs_add_row(obs, count, counted, NAN);
	}
	free(name);
	free(count);
	free(counted);
	return table;
}

/* Says which counters the runs lack. False. */
static bool
refuse_stack(const struct stack *stack, const struct stack_counts *counts, struct err *e)
{
	struct str lack = {0};

	for (size_t i = 0; counts && i < stack->n_counters; i++)
		if (counts->lack[i] != STACK_COUNTED && counts->lack[i] != STACK_DEAD)
			str_addf(&lack, "%s%s: %s", lack.n ? ", " : "", stack->counter[i].name,
				stack_lack_text(counts->lack[i]));
	err_set(e, "the runs lack the whole of the stack %s%s%.300s", stack->name, lack.n ? "; " : "", str_text(&lack));
	str_free(&lack);
	return err_hint(e, "hecate stack --check %s shows what can be counted here", stack->name);
}

bool
diff_stack_judge(
	struct measured_diff *m, const struct stack *stack, const struct diff_rule *rule, bool recorded, struct err *e)
{
	struct diff_table *t = &m->stack.table;
	struct obs_table *table = counts_of(&m->table);
	struct stack_columns *columns = stack_columns_new(stack, table);
	struct stack_counts *counts = NULL;
	bool some = false;

	measured_why_clear(&m->stack);
	t->n_runs = m->table.n_runs;
	t->is_b = mem_new_array(t->n_runs + 1, 1);
	memcpy(t->is_b, m->table.is_b, t->n_runs);
	t->quantity = mem_new_array(stack->n_parts + 1, sizeof *t->quantity);
	for (size_t p = 0; p <= stack->n_parts; p++)
		t->quantity[t->n++] = (struct diff_quantity){
			.name = p ? stack->part[p - 1].name : stack->whole_name,
			.unit = "",
			.value = mem_new_array(t->n_runs + 1, sizeof(double))};
	for (size_t r = 0; r < t->n_runs; r++) {
		struct stack_account *account;

		stack_counts_free(counts);
		counts = stack_counts_of_rows(stack, columns, table, 0, r, 1);
		account = stack_account_new(stack, counts->value);
		t->quantity[0].value[r] = account->whole;
		for (size_t p = 0; p < stack->n_parts; p++)
			t->quantity[1 + p].value[r] = account->amount[p].value;
		some |= isfinite(account->whole);
		stack_account_free(account);
	}
	if (some)
		(recorded ? diff_judge_recorded : diff_judge)(t, rule, &m->stack.report);
	else
		refuse_stack(stack, counts, e);
	stack_counts_free(counts);
	stack_columns_free(columns);
	obs_table_free(table);
	return some;
}
