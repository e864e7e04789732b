#include "region_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/obs/obs.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "sim/event.h"
#include "text/diag.h"

#define SEED 2026
#define CONE_SECONDS 60

static void
give_up(const char *what, const char *why)
{
	fprintf(stderr, "bench/regions: %s: %s\n", what, why);
	exit(1);
}

static void
take_counter(struct region_study *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->name[i], name))
			return;
	for (size_t j = 0; j < s->model->n_counters; j++)
		if (str_eq(s->model->counter[j].name, name)) {
			if (s->model->counter[j].n_events != 1)
				give_up(name, "it is not one event");
			s->event[s->n] = s->model->counter[j].event[0].name;
			s->name[s->n++] = s->model->counter[j].name;
			return;
		}
	give_up(name, "the model has no such counter");
}

/* The two of constraint 1 of CounterPoint's table 1, the others of its figure 3a, and then group by group. */
static void
order_counters(struct region_study *s)
{
	static const char *const first[] = {"load.ret_stlb_miss", "load.walk_done", "load.causes_walk", "load.ret"};
	static const char *const group[] = {"Walk", "Refs", "Ret", "STLB"};

	s->name = mem_new_array(s->model->n_counters, sizeof *s->name);
	s->event = mem_new_array(s->model->n_counters, sizeof *s->event);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		take_counter(s, first[i]);
	for (size_t k = 0; k < sizeof group / sizeof *group; k++)
		for (size_t g = 0; g < s->model->n_groups; g++)
			for (size_t i = 0; i < s->model->group[g].n && str_eq(s->model->group[g].name, group[k]); i++)
				take_counter(s, s->model->group[g].counter[i]);
	if (s->n != s->model->n_counters)
		give_up(s->model->name, "its groups do not hold all counters");
}

static struct cone *
cone_of(const struct region_study *s, const struct fset *on)
{
	static const struct cone_limits limits = {.seconds = CONE_SECONDS};
	struct diags d = {0};
	struct udd_diagram *g = udd_expand(s->model, on, &d);
	struct signatures *sig = g ? signatures_new(g, &d) : NULL;
	int64_t *v = mem_new_array(sig ? sig->n * s->n : 0, sizeof *v);
	struct cone *c;

	if (!sig)
		give_up(s->model->name, "a variant has no signatures");
	for (size_t i = 0; i < s->n; i++) {
		size_t column = 0;

		while (!str_eq(s->model->counter[column].name, s->name[i]))
			column++;
		for (size_t k = 0; k < sig->n; k++)
			v[k * s->n + i] = sig->coef[k * sig->n_counters + column];
	}
	c = cone_new(s->n, sig->n, v, &limits);
	if (!c->complete)
		give_up(s->model->name, c->reason);
	free(v);
	signatures_free(sig);
	udd_diagram_free(g);
	diags_free(&d);
	return c;
}

/* Rows get one form and one order. */
static bool
equal(const struct cone *a, const struct cone *b)
{
	size_t row = a->n_counters * sizeof(int64_t);

	return a->n_equalities == b->n_equalities && a->n_inequalities == b->n_inequalities &&
		memcmp(a->equality, b->equality, a->n_equalities * row) == 0 &&
		memcmp(a->inequality, b->inequality, a->n_inequalities * row) == 0;
}

static void
take_variant(struct region_study *s, const struct udd_variant *v)
{
	struct cone *c = cone_of(s, &v->on);

	for (size_t k = 0; k < s->n_cones; k++)
		if (equal(s->cone[k].cone, c)) {
			char *names = str_format("%s %s", s->cone[k].names, v->name);

			free(s->cone[k].names);
			s->cone[k].names = names;
			cone_free(c);
			return;
		}
	s->cone[s->n_cones++] = (struct study_cone){mem_str(v->name), c};
}

struct region_study *
region_study_new(void)
{
	struct region_study *s = mem_new(sizeof *s);
	struct err e = {0};

	s->model = bench_model("haswell-study");
	order_counters(s);
	if (!simulation_add_suite(&s->suite, NULL, "mmu", &e))
		give_up("the suite mmu", e.what);
	s->cone = mem_new_array(s->model->n_variants, sizeof *s->cone);
	for (size_t k = 0; k < s->model->n_variants; k++)
		take_variant(s, &s->model->variant[k]);
	return s;
}

void
region_study_free(struct region_study *s)
{
	for (size_t k = 0; k < s->n_cones; k++) {
		free(s->cone[k].names);
		cone_free(s->cone[k].cone);
	}
	free(s->cone);
	free(s->name);
	free(s->event);
	sim_suite_free(&s->suite);
	udd_free(s->model);
	free(s);
}

/* Makes samples of a real program differ. A workload that already takes turns stays as it is. */
static char *
varied(const char *workload, double accesses)
{
	char sign = strchr(workload, ':') ? ',' : ':';

	if (accesses <= 0 || strchr(workload, '+'))
		return mem_str(workload);
	return str_format("%s%cturn=%.0f+code:turn=%.0f", workload, sign, 0.51 * accesses, 0.49 * accesses);
}

void
region_study_run(const struct region_study *s, const struct study_run *r, struct simulated *out)
{
	struct simulation how;
	struct event_item *event = mem_new_array(r->active, sizeof *event);
	struct source_counter *counter = mem_new_array(r->active, sizeof *counter);
	char **workload = mem_new_array(s->suite.n + 1, sizeof *workload);
	struct simulate all = {.how = &how,
		.counter = counter,
		.n_counters = r->active,
		.workload = (const char *const *)workload};
	struct err e = {0};

	if (!simulation_load(MACHINE_DEFAULT, NULL, &how, &e))
		give_up(MACHINE_DEFAULT, e.what);
	how.seed = SEED;
	how.accesses = r->accesses;
	how.exact = r->physical == 0;
	if (r->physical)
		how.machine->counters = r->physical;
	for (size_t i = 0; i < r->active; i++) {
		event[i].name = s->event[i];
		counter[i] = (struct source_counter){.name = s->name[i], .event = &event[i], .n_events = 1};
	}
	for (size_t k = 0; k < s->suite.n; k += r->every)
		workload[all.n++] = varied(s->suite.workload[k], r->period * (double)r->accesses);
	if (!simulate_all(&all, out, &e))
		give_up("cannot simulate", e.what);
	free(event);
	free(counter);
	str_split_free(workload);
	simulation_free(&how);
}

struct samples
study_samples(const struct simulated *d, size_t k)
{
	const struct obs *o = d->table->obs[k];

	return (struct samples){.n_counters = o->n_columns,
		.n_rows = o->n_rows,
		.count = o->count,
		.counted = o->counted,
		.running = o->running,
		.tasks = o->tasks};
}

void
study_truth(const struct region_study *s, const struct simulated *d, size_t k, int64_t *total)
{
	for (size_t i = 0; i < d->table->n_columns; i++) {
		enum sim_event e;

		if (!sim_event_find(s->event[i], &e))
			give_up(s->event[i], "the simulated PMU has no such event");
		total[i] = (int64_t)d->truth[k * SIM_N_COUNTS + e];
	}
}

struct cone *
study_first(const struct cone *c, size_t n)
{
	static const struct cone_limits limits = {.seconds = CONE_SECONDS};
	bool *keep = mem_new_array(c->n_counters, sizeof *keep);
	struct cone *out;

	for (size_t i = 0; i < n; i++)
		keep[i] = true;
	out = cone_project(c, keep, &limits);
	if (!out->complete)
		give_up("a cone over fewer counters", out->reason);
	free(keep);
	return out;
}

void
study_write(const char *path, const struct str *text)
{
	FILE *f = fopen(path, "w");
	bool good = f && fwrite(str_text(text), 1, text->n, f) == text->n;

	if (f && fclose(f) != 0)
		good = false;
	if (!good)
		give_up(path, "it cannot be written");
	printf("\n%s written, %zu bytes\n", path, text->n);
}
