#include "app/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"

struct live {
	const struct udd_model *model;
	struct live_options opt;
	char **argv;                    /* the command, owned; opt.argv is the same */
	struct source_counter *counter; /* the chosen ones */
	size_t *number;                 /* … and their numbers in the model */
	size_t n;
	struct source *source;
	bool running;
	double started_at;
	struct obs_table *table;
	struct source_end end;
	struct source_status *status;   /* per counter of the model */
	bool known;                     /* status was filled */
};

static void
copy_command(struct live *l, char *const *argv)
{
	size_t n = 0;

	while (argv[n])
		n++;
	str_split_free(l->argv);
	l->argv = mem_new_array(n + 1, sizeof *l->argv);
	for (size_t i = 0; i < n; i++)
		l->argv[i] = mem_str(argv[i]);
	l->opt.argv = l->argv;
}

struct live *
live_new(const struct udd_model *m, const struct live_options *o)
{
	struct live *l = mem_new(sizeof *l);
	const char **column = mem_new_array(m->n_counters, sizeof *column);

	l->model = m;
	l->opt = *o;
	copy_command(l, o->argv);
	l->counter = mem_new_array(m->n_counters, sizeof *l->counter);
	l->number = mem_new_array(m->n_counters, sizeof *l->number);
	l->status = mem_new_array(m->n_counters, sizeof *l->status);
	for (size_t i = 0; i < m->n_counters; i++) {
		const struct udd_counter *c = &m->counter[i];
		struct source_event *event;

		column[i] = c->name;
		if (o->counter && !o->counter[i])
			continue;
		event = mem_new_array(c->n_events, sizeof *event);
		for (size_t k = 0; k < c->n_events; k++)
			event[k] = (struct source_event){.name = c->event[k].name, .filter = c->event[k].filter};
		l->number[l->n] = i;
		l->counter[l->n++] = (struct source_counter){.name = c->name, .event = event, .n_events = c->n_events};
	}
	l->table = obs_table_new(column, m->n_counters);
	free(column);
	return l;
}

static void
end_source(struct live *l)
{
	if (l->source)
		l->opt.ops->close(l->source);
	l->source = NULL;
	l->running = false;
}

void
live_free(struct live *l)
{
	if (!l)
		return;
	end_source(l);
	for (size_t i = 0; i < l->n; i++)
		free((void *)(uintptr_t)l->counter[i].event);
	free(l->counter);
	free(l->number);
	free(l->status);
	str_split_free(l->argv);
	obs_table_free(l->table);
	free(l);
}

void
live_stop(struct live *l)
{
	end_source(l);
}

void
live_set_command(struct live *l, const struct live_options *o)
{
	end_source(l);
	copy_command(l, o->argv);
	l->opt.out_fd = o->out_fd;
	l->opt.err_fd = o->err_fd;
	l->opt.no_input = o->no_input;
	l->opt.own_group = o->own_group;
}

bool
live_start(struct live *l, struct err *e)
{
	const struct source_spec spec = {
		.counter = l->counter,
		.n_counters = l->n,
		.argv = l->opt.argv,
		.out_fd = l->opt.out_fd,
		.err_fd = l->opt.err_fd,
		.no_input = l->opt.no_input,
		.own_group = l->opt.own_group,
		.keep = l->opt.keep,
	};

	end_source(l);
	l->source = l->opt.ops->open(&spec, e);
	if (!l->source)
		return false;
	for (size_t k = 0; k < l->n; k++)
		l->status[l->number[k]] = l->opt.ops->status(l->source)[k];
	l->known = true;
	if (!l->opt.ops->start(l->source, e)) {
		end_source(l);
		return false;
	}
	l->running = true;
	l->started_at = clock_seconds();
	return true;
}

bool
live_running(const struct live *l)
{
	return l->running;
}

int
live_wait_fd(const struct live *l)
{
	return l->running ? l->opt.ops->wait_fd(l->source) : -1;
}

static bool
read_totals(struct live *l, int64_t *count, unsigned char *counted, struct err *e)
{
	int64_t *some = mem_new_array(l->n, sizeof *some);
	unsigned char *open = mem_new_array(l->n, 1);
	bool good = l->opt.ops->read(l->source, some, open, e);

	for (size_t k = 0; good && k < l->n; k++) {
		count[l->number[k]] = some[k];
		counted[l->number[k]] = open[k];
	}
	free(some);
	free(open);
	return good;
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void
add_observation(struct live *l, const int64_t *count, const unsigned char *counted)
{
	struct str line = {0};
	struct obs *o;

	for (size_t i = 0; l->opt.argv[i]; i++)
		str_addf(&line, "%s%s", i ? " " : "", l->opt.argv[i]);
	o = obs_table_add(l->table, base_name(l->opt.argv[0]), str_text(&line));
	o->exact = l->end.left_behind == 0; /* who still runs may be inside a fault: counted in one counter, not yet in another */
	for (size_t i = 0; i < l->model->n_counters; i++)
		o->health[i] = l->status[i].health;
	for (size_t k = 0, j = 0; k < l->model->n_counters; k++) {
		if (j < l->n && l->number[j] == k)
			j++;
		else
			o->health[k] = OBS_ABSENT;
	}
	obs_add_row(o, count, counted, NAN);
	str_free(&line);
}

bool
live_poll(struct live *l, struct err *e)
{
	size_t n = l->model->n_counters;
	int64_t *count;
	unsigned char *counted;

	err_set(e, "%s", "");
	if (!l->running || !l->opt.ops->poll(l->source, &l->end))
		return false;
	count = mem_new_array(n, sizeof *count);
	counted = mem_new_array(n, 1);
	if (read_totals(l, count, counted, e)) {
		/* Some things are known only at the end: what was multiplexed, what never rose. */
		for (size_t k = 0; k < l->n; k++)
			l->status[l->number[k]] = l->opt.ops->status(l->source)[k];
		add_observation(l, count, counted);
	}
	free(count);
	free(counted);
	end_source(l);
	return true;
}

const struct obs_table *
live_table(const struct live *l)
{
	return l->table;
}

const struct source_end *
live_end(const struct live *l)
{
	return &l->end;
}

const struct source_status *
live_status(const struct live *l)
{
	return l->known ? l->status : NULL;
}

double
live_seconds(const struct live *l)
{
	return l->running ? clock_seconds() - l->started_at : l->end.seconds;
}

bool
live_peek(struct live *l, long long *count, bool *counted)
{
	size_t n = l->model->n_counters;
	int64_t *now = mem_new_array(n, sizeof *now);
	unsigned char *open = mem_new_array(n, 1);
	bool good = l->running && read_totals(l, now, open, NULL);

	for (size_t i = 0; i < n; i++) {
		count[i] = now[i];
		counted[i] = good && open[i];
	}
	free(now);
	free(open);
	return good;
}

void
live_explain(const struct live *l, struct str *out)
{
	size_t n = l->model->n_counters;
	bool *told = mem_new_array(n, sizeof *told);
	struct str user = {0};

	for (size_t i = 0; l->known && i < n; i++) {
		const struct source_status *s = &l->status[i];

		if (told[i] || s->health != OBS_UNSUPPORTED)
			continue;
		str_add(out, "not counted:");
		for (size_t k = i; k < n; k++)
			if (l->status[k].health == OBS_UNSUPPORTED && str_eq(l->status[k].why, s->why)) {
				told[k] = true;
				str_addf(out, " %s", l->model->counter[k].name);
			}
		str_addf(out, ": %s", s->why);
		if (*s->remedy)
			str_addf(out, "; remedy: %s", s->remedy);
		str_addc(out, '\n');
	}
	for (size_t i = 0; l->known && i < n; i++)
		if (l->status[i].health != OBS_UNSUPPORTED && l->status[i].user_only)
			str_addf(&user, " %s", l->model->counter[i].name);
	if (user.n)
		str_addf(out, "user side only (:u was added), the kernel side is not permitted:%s\n", str_text(&user));
	str_free(&user);
	free(told);
}

