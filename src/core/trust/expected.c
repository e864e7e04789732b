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
trust_expected_add(struct trust_expected *x, const char *machine, const char *event, const char *test, double value)
{
	struct trust_expected_count *c = NULL;

	for (size_t i = x->n; i-- > 0 && !c;)
		if (str_eq(x->item[i].test, test) && str_eq(x->item[i].event, event) &&
			str_eq(x->item[i].machine, machine))
			c = &x->item[i];
	if (!c) {
		mem_grow(&x->item, &x->cap, x->n + 1, sizeof *x->item);
		c = &x->item[x->n++];
		*c = (struct trust_expected_count){.machine = mem_str(machine), .event = mem_str(event),
			.test = mem_str(test), .rep = NAN};
	}
	mem_grow(&c->value, &c->cap, c->n + 1, sizeof *c->value);
	c->value[c->n++] = value;
	return c;
}

/* How well an entry fits a group; 0: not at all. */
static int
fitness(const struct trust_expected_count *c, const struct trust_group *g)
{
	int fit = 1;

	if (*c->machine) {
		if (!str_eq(c->machine, g->machine))
			return 0;
		fit += 4;
	}
	if (*c->test) {
		if (!str_eq(c->test, g->test))
			return 0;
		fit += 2;
	}
	if (!str_eq(c->event, g->event)) {
		char *wanted = trust_event_class(c->event), *have = trust_event_class(g->event);
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
trust_expected_apply(struct trust_expected *x, struct trust_runs *runs)
{
	size_t without = 0, unused = 0, first = 0;

	for (size_t i = 0; i < runs->n; i++) {
		struct trust_expected_count *best = NULL;
		int fit = 0;

		for (size_t k = 0; k < x->n; k++) {
			int f = fitness(&x->item[k], &runs->group[i]);

			if (f > fit) {
				fit = f;
				best = &x->item[k];
			}
		}
		if (best)
			apply(best, &runs->group[i]);
		else
			without++;
	}
	for (size_t k = x->n; k-- > 0;)
		if (!x->item[k].used) {
			unused++;
			first = k;
		}
	if (without && x->n)
		trust_runs_note(runs, str_format("%zu of %zu events and tests have no expected count: "
			"only how they vary is judged", without, runs->n));
	if (unused)
		trust_runs_note(runs, str_format("%zu expected counts have no runs, first: event %s, test %s%s%s",
			unused, x->item[first].event, *x->item[first].test ? x->item[first].test : "(all)",
			*x->item[first].machine ? ", machine " : "", x->item[first].machine));
}
