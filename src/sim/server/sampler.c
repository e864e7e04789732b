#include "sim/server/sampler.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/near.h"
#include "base/str.h"
#include "sim/server/counters.h"
#include "sim/server/run.h"
#include "sim/server/server.h"

#define STEPS 16 /* of a sample, after each of which it may be cancelled */

/* What adds up to a column. */
struct term {
	size_t counter, owner;
};

struct server_sampler {
	const struct server *server;
	struct server_run *run;
	struct server_run_spec how;
	size_t n;
	struct term *term;
	size_t *first; /* n + 1: the terms of column i are term[first[i]] … */
	size_t n_terms, cap;
	double *before; /* n: sums at the end of the last row */
	struct source_status *status;
	uint64_t rows;
	atomic_bool cancelled;
};

/* Does a part of the machine take part: a core with a program, or any part of a socket that has one? */
static bool
server_takes_part(const struct server_run *run, const struct server *s, int scope, size_t owner)
{
	unsigned socket = server_owner_socket(s, (enum scope)scope, owner);

	if (scope == SCOPE_CORE)
		return server_run_uses(run, (unsigned)owner);
	for (unsigned i = 0; i < s->cores; i++)
		if (server_run_uses(run, socket * s->cores + i))
			return true;
	return false;
}

char **
server_columns(const struct server_run *run, const struct server *s, bool owners)
{
	char **name = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < server_counters(); i++) {
		enum scope scope = server_counter_scope(i);
		char own[SERVER_COUNTER_NAME], owner[64];

		server_counter_name(i, own);
		for (size_t k = 0; k < (owners ? server_owners(s, scope) : 1); k++) {
			if (owners && !server_takes_part(run, s, (int)scope, k))
				continue;
			server_owner_name(s, scope, k, owner, sizeof owner);
			mem_grow(&name, &cap, n + 2, sizeof *name);
			name[n++] = owners ? str_format("%s@%s", own, owner) : mem_str(own);
		}
	}
	if (!name)
		name = mem_new(sizeof *name);
	name[n] = NULL;
	return name;
}

/* Adds the terms of NAME or NAME@OWNER. */
static bool
add_terms(struct server_sampler *s, const char *name)
{
	const char *at = strchr(name, '@');
	char *base = at ? mem_strn(name, (size_t)(at - name)) : mem_str(name), owner[64];
	size_t counter, before = s->n_terms;
	bool known = server_counter_find(base, &counter);

	free(base);
	if (!known)
		return false;
	for (size_t k = 0; k < server_owners(s->server, server_counter_scope(counter)); k++) {
		server_owner_name(s->server, server_counter_scope(counter), k, owner, sizeof owner);
		if (at ? !str_eq(at + 1, owner)
		       : !server_takes_part(s->run, s->server, (int)server_counter_scope(counter), k))
			continue;
		mem_grow(&s->term, &s->cap, s->n_terms + 1, sizeof *s->term);
		s->term[s->n_terms++] = (struct term){counter, k};
	}
	return s->n_terms > before || !at;
}

static bool
add_column(struct server_sampler *s, const struct source_counter *c, struct source_status *status)
{
	size_t before = s->n_terms;

	*status = (struct source_status){.health = OBS_HONEST, .zero = SOURCE_ZERO_HONEST, .running = 1};
	if (add_terms(s, c->name))
		return true;
	for (size_t i = 0; i < c->n_events; i++)
		if (!add_terms(s, c->event[i].name)) {
			s->n_terms = before;
			return source_status_refuse(status, 0, "hecate net spr-cxl --check lists what it counts",
				"the simulated server does not count %s", c->event[i].name);
		}
	return c->n_events > 0 ||
		source_status_refuse(status, 0, "hecate net spr-cxl --check lists what it counts",
			"the simulated server has no counter %s", c->name);
}

static double
sum(const struct server_sampler *s, size_t column)
{
	double sum = 0;

	for (size_t k = s->first[column]; k < s->first[column + 1]; k++)
		sum += server_counter_value(s->run, s->server, s->term[k].counter, s->term[k].owner);
	return sum;
}

static const struct source_status *
server_sampler_status(const void *of)
{
	return ((const struct server_sampler *)of)->status;
}

/* Simulates up to a time. False: cancelled. */
static bool
go_until(struct server_sampler *s, double from, double to)
{
	for (int i = 1; i <= STEPS && !atomic_load(&s->cancelled); i++)
		server_run_until(s->run, from + (to - from) * i / STEPS);
	return !atomic_load(&s->cancelled);
}

static enum sim_news
server_sampler_row(void *of, struct source_row *row, struct err *e)
{
	struct server_sampler *s = of;
	double from = s->how.warm_up_ns + (double)s->rows * s->how.sample_ns;

	(void)e;
	if (!s->rows) {
		if (!go_until(s, 0, from))
			return SIM_NO_ROW;
		for (size_t i = 0; i < s->n; i++)
			s->before[i] = floor(sum(s, i));
	}
	if (!go_until(s, from, from + s->how.sample_ns))
		return SIM_NO_ROW;
	s->rows++;
	row->seconds = (double)s->rows * s->how.sample_ns * 1e-9;
	row->missed = 0;
	row->tasks = 0;
	row->rotation = (struct obs_rotation){0};
	for (size_t i = 0; i < s->n; i++) {
		double now = floor(sum(s, i));

		row->count[i] = (int64_t)(now - s->before[i]);
		row->counted[i] = s->status[i].health != OBS_UNSUPPORTED;
		row->running[i] = 1;
		s->before[i] = now;
	}
	return SIM_ROW;
}

static void
server_sampler_cancel(void *of)
{
	atomic_store(&((struct server_sampler *)of)->cancelled, true);
}

static void
server_sampler_free(void *of)
{
	struct server_sampler *s = of;

	server_run_free(s->run);
	free(s->term);
	free(s->first);
	free(s->before);
	free(s->status);
	free(s);
}

struct sim_row_maker
server_sampler_new(const struct server_run_spec *how, const struct source_counter *counter, size_t n, struct err *e)
{
	static const struct sim_row_maker_ops ops = {
		server_sampler_status, server_sampler_row, server_sampler_cancel, server_sampler_free, true};
	struct server_sampler *s = mem_new(sizeof *s);
	bool some = false;

	s->server = how->server;
	s->how = *how;
	s->n = n;
	s->first = mem_new_array(n + 1, sizeof *s->first);
	s->before = mem_new_array(n, sizeof *s->before);
	s->status = mem_new_array(n, sizeof *s->status);
	s->run = server_run_new(how->server, how->programs, how->seed, e);
	for (size_t i = 0; i < n && s->run; i++) {
		some |= add_column(s, &counter[i], &s->status[i]);
		s->first[i + 1] = s->n_terms;
	}
	if (s->run && (some || !n))
		return (struct sim_row_maker){&ops, s};
	if (s->run) {
		err_set(e, "the simulated server counts none of these counters");
		err_hint(e, "it counts those of the networks spr-cxl and emr-cxl");
	}
	server_sampler_free(s);
	return (struct sim_row_maker){&ops, NULL};
}
