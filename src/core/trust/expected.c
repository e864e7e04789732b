#include "core/trust/expected.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/trust/runs.h"

void
trust_expected_free(struct trust_expected *x)
{
	for (size_t i = 0; i < x->n; i++) {
		free(x->item[i].machine);
		free(x->item[i].event);
		free(x->item[i].test);
		free(x->item[i].value);
	}
	free(x->item);
	*x = (struct trust_expected){0};
}

struct trust_expected_count *
trust_expected_add(
	struct trust_expected *expected, const char *machine, const char *event, const char *test, double value)
{
	struct trust_expected_count *count = NULL;

	for (size_t i = expected->n; i-- > 0 && !count;)
		if (str_eq(expected->item[i].test, test) && str_eq(expected->item[i].event, event) &&
			str_eq(expected->item[i].machine, machine))
			count = &expected->item[i];
	if (!count) {
		mem_grow(&expected->item, &expected->cap, expected->n + 1, sizeof *expected->item);
		count = &expected->item[expected->n++];
		*count = (struct trust_expected_count){.machine = mem_str(machine), .event = mem_str(event),
			.test = mem_str(test), .rep = NAN};
	}
	mem_grow(&count->value, &count->cap, count->n + 1, sizeof *count->value);
	count->value[count->n++] = value;
	return count;
}

/* How well an entry fits a group; 0: not at all. */
static int
fitness(const struct trust_expected_count *count, const struct trust_group *group)
{
	int fit = 1;

	if (*count->machine) {
		if (!str_eq(count->machine, group->machine))
			return 0;
		fit += 4;
	}
	if (*count->test) {
		if (!str_eq(count->test, group->test))
			return 0;
		fit += 2;
	}
	if (!str_eq(count->event, group->event)) {
		char *wanted = trust_event_class(count->event), *have = trust_event_class(group->event);
		bool same = str_eq(wanted, have);

		free(wanted);
		free(have);
		return same ? fit : 0;
	}
	return fit + 1;
}

static void
apply(struct trust_expected_count *c, struct trust_group *g)
{
	g->expected = trust_median(c->value, c->n);
	g->rep = c->rep;
	g->expected_range = 0;
	for (size_t i = 0; i < c->n; i++)
		g->expected_range = fmax(g->expected_range, fabs(c->value[i] - g->expected));
	c->used = true;
}

void
trust_expected_apply(struct trust_expected *expected, struct trust_runs *runs)
{
	size_t without = 0, unused = 0, first = 0;

	for (size_t i = 0; i < runs->n; i++) {
		struct trust_expected_count *best = NULL;
		int fit = 0;

		for (size_t k = 0; k < expected->n; k++) {
			int f = fitness(&expected->item[k], &runs->group[i]);

			if (f > fit) {
				fit = f;
				best = &expected->item[k];
			}
		}
		if (best)
			apply(best, &runs->group[i]);
		else
			without++;
	}
	for (size_t k = expected->n; k-- > 0;)
		if (!expected->item[k].used) {
			unused++;
			first = k;
		}
	if (without && expected->n)
		trust_runs_note(runs, str_format("%zu of %zu events and tests have no expected count: "
			"only how they vary is judged", without, runs->n));
	if (unused)
		trust_runs_note(runs,
			str_format("%zu expected counts have no runs, first: event %s, test %s%s%s", unused,
				expected->item[first].event,
				*expected->item[first].test ? expected->item[first].test : "(all)",
				*expected->item[first].machine ? ", machine " : "", expected->item[first].machine));
}
