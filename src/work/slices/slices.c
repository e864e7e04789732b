#include "work/slices/slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stack/account.h"
#include "core/stack/stack.h"
#include "work/files/data.h"
#include "work/timeline/stack_count.h"

#define MISSING_NAMED 6 /* counters in a message */

void
slices_init(struct slices *s, const struct stack *stack)
{
	*s = (struct slices){.stack = stack, .least = INFINITY, .most = -INFINITY};
}

void
slices_free(struct slices *s)
{
	names_free(&s->names);
	free(s->share);
	free(s->origin);
	free(s->row);
	free(s->missing);
	*s = (struct slices){0};
}

double
slices_share(const struct slices *s, size_t slice, size_t part)
{
	return s->share[slice * s->stack->n_parts + part];
}

size_t
slices_run(const struct slices *s, const size_t *slice, size_t n)
{
	size_t run = 1;

	while (run < n && slice[run] == slice[run - 1] + 1 && s->origin[slice[run]] == s->origin[slice[0]])
		run++;
	return run;
}

char *
slices_run_name(const struct slices *s, const size_t *slice, size_t n)
{
	const char *name = s->names.name[slice[0]];

	return n > 1 ? str_format("%s to %zu", name, s->row[slice[n - 1]] + 1) : mem_str(name);
}

/* Names the last slice by the first of these that is free: NAME, NAME#2, … */
static void
slices_add_name(struct slices *slices, const char *observation, size_t row, size_t rows)
{
	struct str text = {0};

	mem_grow(&slices->origin, &slices->cap_origins, slices->n, sizeof *slices->origin);
	mem_grow(&slices->row, &slices->cap_rows, slices->n, sizeof *slices->row);
	slices->origin[slices->n - 1] = slices->n_origins;
	slices->row[slices->n - 1] = row;

	for (unsigned k = 1;; k++) {
		str_clear(&text);
		str_add(&text, observation);
		if (k > 1)
			str_addf(&text, "#%u", k);
		if (rows > 1)
			str_addf(&text, "_%zu", row + 1);
		if (names_find(&slices->names, str_text(&text), text.n) == NAMES_NONE)
			break;
	}
	names_add(&slices->names, str_text(&text), text.n);
	str_free(&text);
}

/* Keeps the names of the counters that the first incomplete row lacks. */
static void
note_missing(struct slices *slices, const struct stack_counts *counts)
{
	struct str all = {0};
	size_t n = 0;

	slices->left_out++;
	if (slices->missing)
		return;
	for (size_t i = 0; i < slices->stack->n_counters; i++)
		if (isnan(counts->value[i]) && n++ < MISSING_NAMED)
			str_addf(&all, "%s%s (%s)", all.n ? ", " : "", slices->stack->counter[i].name,
				stack_lack_text(counts->lack[i]));
	if (n > MISSING_NAMED)
		str_addf(&all, " and %zu more", n - MISSING_NAMED);
	slices->missing = all.n ? str_take(&all) : NULL;
}

/* Adds a slice, unless the share of some part is unknown. */
static bool
slices_take_row(struct slices *slices, const struct stack_counts *counts)
{
	size_t n_parts = slices->stack->n_parts;
	struct stack_account *account = stack_account_new(slices->stack, counts->value);
	bool known = true;
	double sum = 0;

	mem_grow(&slices->share, &slices->cap, slices->n + 1, n_parts * sizeof *slices->share);
	for (size_t i = 0; i < n_parts; i++) {
		double share = account->amount[i].share;

		known &= isfinite(share);
		slices->share[slices->n * n_parts + i] = share > 0 ? share : 0;
		if (slices->stack->part[i].parent == STACK_TOP && !slices->stack->part[i].implied)
			sum += slices->share[slices->n * n_parts + i];
	}
	stack_account_free(account);
	if (!known)
		return false;
	slices->least = fmin(slices->least, sum);
	slices->most = fmax(slices->most, sum);
	slices->n++;
	return true;
}

bool
slices_add(struct slices *slices, const struct obs_table *table, const char *pattern, struct err *e)
{
	struct stack_columns *columns = stack_columns_new(slices->stack, table);
	bool good = true;

	for (size_t i = 0; i < table->n && good; i++) {
		size_t rows = table->obs[i]->n_rows;

		if (!data_wanted(pattern, table->obs[i]->name, false))
			continue;
		for (size_t r = 0; r < rows && good; r++) {
			struct stack_counts *counts = stack_counts_of_rows(slices->stack, columns, table, i, r, 1);

			if (slices->n == SLICES_MOST) {
				err_set(e, "more than %u slices cannot be clustered", SLICES_MOST);
				good = err_hint(e, "--observations GLOB takes a part of the data");
			} else if (slices_take_row(slices, counts)) {
				slices_add_name(slices, table->obs[i]->name, r, rows);
			} else {
				note_missing(slices, counts);
			}
			stack_counts_free(counts);
		}
		slices->n_origins++;
	}
	stack_columns_free(columns);
	return good;
}
