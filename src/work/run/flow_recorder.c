#include "work/run/flow_recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/proc/names.h"
#include "core/network/flow.h"
#include "core/network/flow_layout.h"
#include "core/network/network.h"
#include "work/run/counter_list.h"

struct flow_recorder {
	const struct network *net;
	struct flow_recorder_options opt;
	struct counter_list *live;   /* counters of the network */
	struct flow_layout *layout;
	struct source_counter *asked; /* counters of the layout before any was opened */
	size_t *asked_number;         /* their numbers in the network */
	size_t n_asked;
	struct flow_records *records;
	struct flows *flows;
	char **core;
	const char **destination;
	size_t n_cores, refused;
	uint64_t next_ns;
	bool ended;
};

/* True for a counter in a kernel file, which is not read when tasks are switched. */
static bool
is_of_file(const struct counter_list_item *c)
{
	for (size_t k = 0; k < c->n_choices; k++)
		for (size_t i = 0; i < c->choice[k].n; i++)
			if (proc_name_is(c->choice[k].event[i].name))
				return true;
	return false;
}

struct flow_recorder *
flow_recorder_new(const struct network *net, const char *file, const struct flow_recorder_options *opt)
{
	struct flow_recorder *r = mem_new(sizeof *r);

	r->net = net;
	r->opt = *opt;
	r->live = counter_list_of_network(net, file);
	r->layout = flow_layout_new(net, 64);
	r->asked = mem_new_array(r->layout->n_counters, sizeof *r->asked);
	r->asked_number = mem_new_array(r->layout->n_counters, sizeof *r->asked_number);
	for (size_t i = 0; i < r->layout->n_counters; i++) {
		const struct counter_list_item *c = &r->live->counter[r->layout->number[i]];

		if (!c->n_choices || is_of_file(c))
			continue;
		r->asked_number[r->n_asked] = i;
		r->asked[r->n_asked++] = (struct source_counter){
			.name = c->name, .event = c->choice[0].event, .n_events = c->choice[0].n};
	}
	r->destination = mem_new_array(r->layout->n_destinations, sizeof *r->destination);
	for (size_t d = 0; d < r->layout->n_destinations; d++)
		r->destination[d] = net->module[r->layout->destination[d]].text;
	return r;
}

void
flow_recorder_free(struct flow_recorder *r)
{
	if (!r)
		return;
	flow_records_free(r->records);
	flows_free(r->flows);
	flow_layout_free(r->layout);
	counter_list_free(r->live);
	for (size_t i = 0; i < r->n_cores; i++)
		free(r->core[i]);
	free(r->core);
	free(r->destination);
	free(r->asked);
	free(r->asked_number);
	free(r);
}

static void
flow_recorder_take(void *ctx, const struct flow_event *event)
{
	struct flow_recorder *r = ctx;
	struct err e;

	r->refused += !flows_take(r->flows, event, &e);
}

/* Keeps the counters of the layout that are open. */
static void
keep_open(struct flow_recorder *r)
{
	size_t n = flow_records_counters(r->records);

	for (size_t i = 0; i < n; i++) {
		size_t from = r->asked_number[flow_records_counter(r->records, i)];

		/* `from` rises: nothing is overwritten before it is moved */
		r->layout->counter[i] = r->layout->counter[from];
		r->layout->number[i] = r->layout->number[from];
	}
	r->layout->n_counters = n;
}

static bool
fill_target(const struct flow_recorder *r, const int *command, size_t n, struct flow_records_spec *spec, struct err *e)
{
	const struct source_target *t = r->opt.target;

	if (t && t->kind == SOURCE_THREADS) {
		err_set(e, "flows follow processes, not single threads");
		return err_hint(e, "-p PID, or -a");
	}
	if (t && t->kind == SOURCE_CPUS) { /* all that runs there, with or without a command */
		spec->cpu = t->id;
		spec->n_cpus = t->n;
	} else if (t) {
		spec->pid = t->id;
		spec->n_pids = t->n;
	} else if (n) {
		spec->pid = command;
		spec->n_pids = n;
	} else {
		err_set(e, "flows: it is not known which process the command is");
		return err_hint(e, "-a records all that runs");
	}
	return true;
}

bool
flow_recorder_begin(struct flow_recorder *r, const int *command, size_t n, struct err *e)
{
	struct flow_records_spec spec = {.counter = r->asked,
		.n_counters = r->n_asked,
		.ring_kb = r->opt.ring_kb,
		.take = flow_recorder_take,
		.ctx = r};

	if (r->records) {
		err_set(e, "flows are recorded in one run only");
		return err_hint(e, "without -r");
	}
	if (!fill_target(r, command, n, &spec, e))
		return false;
	r->records = flow_records_open(&spec, e);
	if (!r->records)
		return false;
	keep_open(r);
	r->n_cores = flow_records_cpus(r->records);
	r->core = mem_new_array(r->n_cores, sizeof *r->core);
	for (size_t i = 0; i < r->n_cores; i++)
		r->core[i] = str_format("CPU %d", flow_records_cpu(r->records, i));
	r->flows = flows_new(&(struct flow_spec){.n_cores = r->n_cores,
		.n_destinations = r->layout->n_destinations,
		.counter = r->layout->counter,
		.n_counters = r->layout->n_counters,
		.most = r->opt.most ? r->opt.most : FLOW_RECORDER_MOST});
	r->next_ns = clock_ns() + r->opt.interval_ms * 1000000ull;
	flow_records_start(r->records);
	return true;
}

int
flow_recorder_wait_fd(const struct flow_recorder *r)
{
	return r->records && !r->ended ? flow_records_wait_fd(r->records) : -1;
}

void
flow_recorder_pump(struct flow_recorder *r)
{
	uint64_t now;

	if (!r->records || r->ended)
		return;
	now = clock_ns();
	if (!r->opt.interval_ms || now < r->next_ns) {
		flow_records_drain(r->records);
		return;
	}
	flow_records_read(r->records);
	while (r->next_ns <= now)
		r->next_ns += r->opt.interval_ms * 1000000ull;
}

void
flow_recorder_close(struct flow_recorder *r)
{
	if (r->records && !r->ended)
		flow_records_read(r->records);
}

void
flow_recorder_end(struct flow_recorder *r)
{
	if (r->records && !r->ended)
		flow_records_stop(r->records);
	r->ended = true;
}

struct flow_recorded
flow_recorder_recorded(const struct flow_recorder *r)
{
	return (struct flow_recorded){
		r->flows, r->layout, r->records, (const char *const *)r->core, r->destination};
}

const char *
flow_recorder_task(const void *flow_recorder, int32_t task)
{
	return flow_records_name(((const struct flow_recorder *)flow_recorder)->records, task);
}

static void
explain_counters(const struct flow_recorder *r, struct str *out)
{
	const struct source_status *s = flow_records_status(r->records);

	for (size_t i = 0; i < r->n_asked; i++)
		if (s[i].health != OBS_LIVE)
			str_addf(out, "flows do not report %s: %s%s%s\n", r->asked[i].name, s[i].why,
				*s[i].remedy ? "; " : "", s[i].remedy);
}

void
flow_recorder_explain(const struct flow_recorder *r, struct str *out)
{
	struct flow_records_health h;

	if (!r->records)
		return;
	explain_counters(r, out);
	flow_records_health(r->records, &h);
	if (h.dropped)
		str_addf(out,
			"flows: %llu records found no room in rings of %zu KiB, %llu switches are missing: what was "
			"counted then is of several tasks; --ring takes a larger size\n",
			(unsigned long long)h.dropped, h.ring_kb, (unsigned long long)h.lost);
	else if (h.lost)
		str_addf(out,
			"flows: this kernel did not record %llu of %llu switches: what was counted then is of several "
			"tasks\n",
			(unsigned long long)h.lost, (unsigned long long)(h.lost + h.switches + h.idle));
	if (h.foreign || r->refused)
		str_addf(out, "flows: %llu records could not be read, %zu events came out of order\n",
			(unsigned long long)h.foreign, r->refused);
	if (h.unread)
		str_addf(out,
			"flows: %llu times a CPU switched too often to be read at the end of an interval: its "
			"snapshots end at switches\n",
			(unsigned long long)h.unread);
	if (h.offline)
		str_addf(out, "flows: %zu CPUs went offline: what they counted last is not known\n", h.offline);
}
