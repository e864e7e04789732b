#include "core/trust/runs.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"

void
trust_runs_free(struct trust_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		free(runs->group[i].machine);
		free(runs->group[i].event);
		free(runs->group[i].test);
		free(runs->group[i].counter);
		free(runs->group[i].run);
	}
	free(runs->group);
	for (size_t i = 0; i < runs->n_notes; i++)
		free(runs->note[i]);
	free(runs->note);
	*runs = (struct trust_runs){0};
}

struct trust_group *
trust_runs_group(struct trust_runs *runs, const char *machine, const char *event, const char *test)
{
	struct trust_group *group;

	for (size_t i = runs->n; i-- > 0;) { /* rows of a group are mostly together */
		group = &runs->group[i];
		if (str_eq(group->test, test) && str_eq(group->event, event) && str_eq(group->machine, machine))
			return group;
	}
	mem_grow(&runs->group, &runs->cap, runs->n + 1, sizeof *runs->group);
	group = &runs->group[runs->n++];
	*group = (struct trust_group){.machine = mem_str(machine), .event = mem_str(event), .test = mem_str(test),
		.counter = mem_str(""), .stated_sd = NAN, .expected = NAN, .rep = NAN};
	return group;
}

void
trust_group_add(struct trust_group *g, const struct trust_run *run)
{
	mem_grow(&g->run, &g->cap, g->n + 1, sizeof *g->run);
	g->run[g->n++] = *run;
}

struct trust_run
trust_run_of(double count)
{
	struct trust_run run = {.count = count, .running = 1, .number = -1};

	for (int b = 0; b < TRUST_N_BESIDES; b++)
		run.beside[b] = NAN;
	return run;
}

void
trust_runs_note(struct trust_runs *r, char *text)
{
	mem_grow(&r->note, &r->notes_cap, r->n_notes + 1, sizeof *r->note);
	r->note[r->n_notes++] = text;
}

double
trust_group_mean(const struct trust_group *g)
{
	double sum = 0;

	for (size_t i = 0; i < g->n; i++)
		sum += g->run[i].count - g->run[0].count;
	return g->n ? g->run[0].count + sum / (double)g->n : NAN;
}

double
trust_group_spread(const struct trust_group *g)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < g->n; i++) {
		low = fmin(low, g->run[i].count);
		high = fmax(high, g->run[i].count);
	}
	return g->n ? high - low : NAN;
}

double
trust_group_beside(const struct trust_group *g, enum trust_beside b)
{
	double sum = 0;

	for (size_t i = 0; i < g->n; i++)
		sum += g->run[i].beside[b];
	return g->n ? sum / (double)g->n : NAN;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double
trust_median(const double *v, size_t n)
{
	double *sorted, m;

	if (n == 0)
		return NAN;
	sorted = mem_copy(v, n * sizeof *v);
	qsort(sorted, n, sizeof *sorted, by_value);
	m = sorted[(n - 1) / 2];
	free(sorted);
	return m;
}

/* What events count, by the keys of their names (event/name.h). */
static const struct { const char *key, *class; } classes[] = {
	{"instructions", "instructions"},
	{"instruction", "instructions"},
	{"inst_retired", "instructions"},
	{"retired_instr", "instructions"},
	{"retired_instructions", "instructions"},
	{"instructions_retired", "instructions"},
	{"inst_retired.any", "instructions"},
	{"branch_instructions", "branches"},
	{"branches_retired", "branches"},
	{"retired_branches", "branches"},
	{"total_branches", "branches"},
	{"cond_branches", "conditional branches"},
	{"conditional_branches", "conditional branches"},
	{"cond_branches_retired", "conditional branches"},
	{"loads", "loads"},
	{"loads_retired", "loads"},
	{"retired_loads", "loads"},
	{"stores", "stores"},
	{"stores_retired", "stores"},
	{"retired_stores", "stores"},
};

char *
trust_event_class(const char *event)
{
	struct event_name e;
	struct str bare = {0};
	char *class = NULL;

	event_name_read(event, &e);
	for (size_t i = 0; i < sizeof classes / sizeof classes[0] && !class; i++)
		if (str_eq(classes[i].key, e.key))
			class = mem_str(classes[i].class);
	/* modifiers of perf: what is counted is the same, only not everywhere; nor does a unit change it */
	e.modifiers = (struct event_modifiers){0};
	*e.unit = '\0';
	event_name_print(&e, &bare);
	event_name_free(&e);
	for (size_t i = 0; i < bare.n; i++)
		bare.s[i] = (char)tolower((unsigned char)bare.s[i]);
	if (!class)
		return str_take(&bare);
	str_free(&bare);
	return class;
}
