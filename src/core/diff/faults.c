/* Page faults are minor or major ones, or accesses that fail (mm/memory.c, mm_account_fault()): the three counters must
 * add up, run by run, and also as means over the same runs. */
#include "core/diff/diff.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

/* The quantity whose name is that of `all` with `kind` in place of "page-faults"; NULL: there is none. */
static const struct diff_quantity *
fault_kind(const struct diff_table *table, const char *all, const char *place, const char *kind)
{
	size_t before = (size_t)(place - all);

	for (size_t i = 0; i < table->n; i++) {
		const char *name = table->quantity[i].name;

		if (strncmp(name, all, before) == 0 && str_starts(name + before, kind) &&
			str_eq(name + before + strlen(kind), place + strlen("page-faults")))
			return &table->quantity[i];
	}
	return NULL;
}

static double
half_digit(const struct diff_quantity *q, bool b)
{
	return q && q->stated ? q->stated[b].grain : 0;
}

bool
diff_faults_add_up(const struct diff_table *table, size_t quantity, struct diff_faults *out)
{
	const struct diff_quantity *all = &table->quantity[quantity], *minor, *major;
	const char *place = strstr(all->name, "page-faults");

	*out = (struct diff_faults){.least = INFINITY, .most = -INFINITY};
	if (!place)
		return false;
	minor = fault_kind(table, all->name, place, "minor-faults");
	major = fault_kind(table, all->name, place, "major-faults");
	if (!minor)
		return false;
	out->minor = (size_t)(minor - table->quantity);
	out->major = major ? (size_t)(major - table->quantity) : SIZE_MAX;
	for (size_t i = 0; i < table->n_runs; i++) {
		bool b = table->is_b[i] != 0;
		double left = all->value[i] - minor->value[i] - (major ? major->value[i] : 0);

		if (isnan(left))
			continue;
		out->checked++;
		if (fabs(left) <= half_digit(all, b) + half_digit(minor, b) + half_digit(major, b))
			left = 0;
		out->differ[b] += left != 0;
		out->least = fmin(out->least, left);
		out->most = fmax(out->most, left);
	}
	return out->checked > 0;
}
