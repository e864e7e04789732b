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
	struct flow_recorder *recorder = mem_new(sizeof *recorder);

	recorder->net = net;
	recorder->opt = *opt;
	recorder->live = counter_list_of_network(net, file);
	recorder->layout = flow_layout_new(net, 64);
	recorder->asked = mem_new_array(recorder->layout->n_counters, sizeof *recorder->asked);
	recorder->asked_number = mem_new_array(recorder->layout->n_counters, sizeof *recorder->asked_number);
	for (size_t i = 0; i < recorder->layout->n_counters; i++) {
		const struct counter_list_item *item = &recorder->live->counter[recorder->layout->number[i]];

		if (!item->n_choices || is_of_file(item))
			continue;
		recorder->asked_number[recorder->n_asked] = i;
		recorder->asked[recorder->n_asked++] = (struct source_counter){
			.name = item->name, .event = item->choice[0].event, .n_events = item->choice[0].n};
	}
	recorder->destination = mem_new_array(recorder->layout->n_destinations, sizeof *recorder->destination);
	for (size_t d = 0; d < recorder->layout->n_destinations; d++)
		recorder->destination[d] = net->module[recorder->layout->destination[d]].text;
	return recorder;
}

void
flow_recorder_free(struct flow_recorder *recorder)
{
	if (!recorder)
		return;
	flow_records_free(recorder->records);
	flows_free(recorder->flows);
	flow_layout_free(recorder->layout);
	counter_list_free(recorder->live);
	for (size_t i = 0; i < recorder->n_cores; i++)
		free(recorder->core[i]);
	free(recorder->core);
	free(recorder->destination);
	free(recorder->asked);
	free(recorder->asked_number);
	free(recorder);
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
keep_open(struct flow_recorder *recorder)
{
	size_t n = flow_records_counters(recorder->records);

	for (size_t i = 0; i < n; i++) {
		size_t from = recorder->asked_number[flow_records_counter(recorder->records, i)];

		/* `from` rises: nothing is overwritten before it is moved */
		recorder->layout->counter[i] = recorder->layout->counter[from];
		recorder->layout->number[i] = recorder->layout->number[from];
	}
	recorder->layout->n_counters = n;
}

static bool
fill_target(const struct flow_recorder *recorder, const int *command, size_t n, struct flow_records_spec *spec,
	struct err *e)
{
	const struct source_target *target = recorder->opt.target;

	if (target && target->kind == SOURCE_THREADS) {
		err_set(e, "flows follow processes, not single threads");
		return err_hint(e, "-p PID, or -a");
	}
	if (target && target->kind == SOURCE_CPUS) { /* all that runs there, with or without a command */
		spec->cpu = target->id;
		spec->n_cpus = target->n;
	} else if (target) {
		spec->pid = target->id;
		spec->n_pids = target->n;
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
flow_recorder_begin(struct flow_recorder *recorder, const int *command, size_t n, struct err *e)
{
	struct flow_records_spec spec = {.counter = recorder->asked,
		.n_counters = recorder->n_asked,
		.ring_kb = recorder->opt.ring_kb,
		.take = flow_recorder_take,
		.ctx = recorder};

	if (recorder->records) {
		err_set(e, "flows are recorded in one run only");
		return err_hint(e, "without -r");
	}
	if (!fill_target(recorder, command, n, &spec, e))
		return false;
	recorder->records = flow_records_open(&spec, e);
	if (!recorder->records)
		return false;
	keep_open(recorder);
	recorder->n_cores = flow_records_cpus(recorder->records);
	recorder->core = mem_new_array(recorder->n_cores, sizeof *recorder->core);
	for (size_t i = 0; i < recorder->n_cores; i++)
		recorder->core[i] = str_format("CPU %d", flow_records_cpu(recorder->records, i));
	recorder->flows = flows_new(&(struct flow_spec){.n_cores = recorder->n_cores,
		.n_destinations = recorder->layout->n_destinations,
		.counter = recorder->layout->counter,
		.n_counters = recorder->layout->n_counters,
		.ended_most = recorder->opt.ended_most,
		.most = recorder->opt.most ? recorder->opt.most : FLOW_RECORDER_MOST});
	recorder->next_ns = clock_ns() + recorder->opt.interval_ms * 1000000ull;
	flow_records_start(recorder->records);
	return true;
}

int
flow_recorder_wait_fd(const struct flow_recorder *r)
{
	return r->records && !r->ended ? flow_records_wait_fd(r->records) : -1;
}

void
flow_recorder_pump(struct flow_recorder *recorder)
{
	uint64_t now;

	if (!recorder->records || recorder->ended)
		return;
	now = clock_ns();
	if (!recorder->opt.interval_ms || now < recorder->next_ns) {
		flow_records_drain(recorder->records);
		return;
	}
	flow_records_read(recorder->records);
	while (recorder->next_ns <= now)
		recorder->next_ns += recorder->opt.interval_ms * 1000000ull;
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
flow_recorder_explain(const struct flow_recorder *recorder, struct str *out)
{
	struct flow_records_health h;

	if (!recorder->records)
		return;
	explain_counters(recorder, out);
	flow_records_health(recorder->records, &h);
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
	if (h.foreign || recorder->refused)
		str_addf(out, "flows: %llu records could not be read, %zu events came out of order\n",
			(unsigned long long)h.foreign, recorder->refused);
	if (h.unread)
		str_addf(out,
			"flows: %llu times a CPU switched too often to be read at the end of an interval: its "
			"snapshots end at switches\n",
			(unsigned long long)h.unread);
	if (h.offline)
		str_addf(out, "flows: %zu CPUs went offline: what they counted last is not known\n", h.offline);
}
