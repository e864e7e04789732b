/* Simulates many workloads in parallel, and collects their samples in one table. */
#include "work/files/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/parallel.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "sim/event.h"
#include "sim/sampler.h"
#include "work/files/server.h"
#include "work/files/trace_file.h"

/* --- counters by events ------------------------------------------------------------------------------------------ */

/* True for events that are counted by default: those of the MMU, and those that need no counter. */
static bool
is_usual(enum sim_event e)
{
	static const enum sim_event other[] = {
		SIM_LOAD_WALK_CYCLES,
		SIM_STORE_WALK_CYCLES,
		SIM_DATA_L1_HIT,
		SIM_DATA_L2_HIT,
		SIM_DATA_L3_HIT,
		SIM_DATA_L3_MISS,
		SIM_CLEARS,
		SIM_BRANCH_MISSES,
	};

	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (other[i] == e)
			return false;
	return !sim_event_is_of_pipe(e);
}

static char *
usual_events(const struct sim_machine *m)
{
	struct str all = {0};

	for (int i = 0; i < (int)SIM_N_EVENTS; i++)
		if (m->pipe.there ? sim_event_is_of_pipe((enum sim_event)i) || i == (int)SIM_CYCLES ||
			i == (int)SIM_INSTRUCTIONS : is_usual((enum sim_event)i))
			str_addf(&all, "%s%s", all.n ? "," : "", sim_event_name((enum sim_event)i));
	return str_take(&all);
}

/* Removes the braces from a word, and finds its group. */
static bool
take_braces(char *word, unsigned i, unsigned *group, bool *open, struct err *e)
{
	size_t n = strlen(word);

	if (*word == '{') {
		if (*open)
			return err_set(e, "a group inside a group of events, at %s", word);
		memmove(word, word + 1, n--);
		*open = true;
		*group = i;
	} else if (!*open) {
		*group = i;
	}
	if (n && word[n - 1] == '}') {
		if (!*open)
			return err_set(e, "a } without a group of events, after %s", word);
		word[n - 1] = '\0';
		*open = false;
	}
	return true;
}

static bool
simulate_is_known(const char *word, struct err *e)
{
	enum sim_event event;
	char *near;

	if (sim_event_find(word, &event))
		return true;
	near = sim_event_near(word);
	err_set(e, "the simulated PMU has no event '%s'", word);
	err_hint(e, "%s", near ? near : "hecate sim --list shows its events");
	free(near);
	return false;
}

bool
sim_counters_parse(const struct sim_machine *machine, const char *text, struct sim_counters *counters, struct err *e)
{
	char *usual = text ? NULL : usual_events(machine);
	bool good = true, open = false;

	*counters = (struct sim_counters){0};
	counters->word = str_split(text ? text : usual, ',', &counters->n);
	counters->counter = mem_new_array(counters->n, sizeof *counters->counter);
	counters->event = mem_new_array(counters->n, sizeof *counters->event);
	counters->group = mem_new_array(counters->n, sizeof *counters->group);
	for (size_t i = 0; i < counters->n && good; i++) {
		if (i)
			counters->group[i] = counters->group[i - 1];
		good = take_braces(counters->word[i], (unsigned)i, &counters->group[i], &open, e) &&
			simulate_is_known(counters->word[i], e);
		counters->event[i].name = counters->word[i];
		counters->counter[i] = (struct source_counter){
			.name = counters->word[i], .event = &counters->event[i], .n_events = 1};
		for (size_t k = 0; k < i && good; k++)
			if (str_eq(counters->word[k], counters->word[i]))
				good = err_set(e, "the event %s is listed twice", counters->word[i]);
	}
	if (good && open)
		good = err_set(e, "a { has no } in the list of events"),
		err_hint(e, "for instance: -e '{cycles,instructions}'");
	free(usual);
	return good;
}

void
sim_counters_drop_truth(struct sim_counters *counters)
{
	size_t n = 0;

	for (size_t i = 0; i < counters->n; i++) {
		enum sim_event event;

		if (sim_event_find(counters->event[i].name, &event) && sim_event_is_reference(event))
			continue;
		counters->counter[n] = counters->counter[i];
		counters->group[n++] = counters->group[i];
	}
	counters->n = n;
}

void
sim_counters_free(struct sim_counters *c)
{
	free(c->counter);
	free(c->group);
	free(c->event);
	str_split_free(c->word);
	*c = (struct sim_counters){0};
}

/* --- many workloads at once --------------------------------------------------------------------------------------- */

struct batch {
	const struct simulate *how;
	struct obs_table **table; /* a table per workload */
	uint64_t *truth, *accesses;
	struct err *e;
	bool *good, *cut;
};

static struct obs_table *
new_table(const struct simulate *s)
{
	const char **name = mem_new_array(s->n_counters, sizeof *name);
	struct obs_table *t;

	for (size_t i = 0; i < s->n_counters; i++)
		name[i] = s->counter[i].name;
	t = obs_table_new(name, s->n_counters);
	free(name);
	return t;
}

/* Simulates one workload. Each has its own seed, so that chance affects each differently; the observation's text shows
 * the seed. */
static void
simulate_one(void *ctx, size_t i)
{
	struct batch *batch = ctx;
	const struct simulate *s = batch->how;
	uint64_t seed = s->how->seed + i;
	struct sim_run_spec spec = simulation_spec(s->how);
	char *workload = s->trace ? trace_file_workload(s->trace, s->workload[i]) : mem_str(s->workload[i]),
	     *text = simulation_text(s->how, workload, seed, s->secret);
	const char *colon = strchr(s->workload[i], ':');
	struct sim_sampler *sampler;

	spec.workload = !s->trace ? s->workload[i] : colon ? colon + 1 : NULL;
	spec.trace = s->trace ? s->trace->fd : -1;
	spec.trace_format = s->trace ? s->trace->format : -1;
	spec.alone = s->n == 1;
	spec.seed = seed;
	spec.group = s->group;
	spec.stop = s->stop;
	spec.stop_ctx = s->ctx;
	batch->table[i] = new_table(s);
	sampler = sim_sampler_new(&spec, s->counter, s->n_counters, &batch->e[i]);
	batch->good[i] = sampler &&
		sim_sampler_observe(sampler, s->how->samples, s->workload[i], text, batch->table[i], &batch->e[i]);
	/* what writes the trace may end by the same signal, before the run asks */
	batch->cut[i] = sampler &&
		(sim_run_is_cancelled(sim_sampler_run(sampler)) || (!batch->good[i] && s->stop && s->stop(s->ctx)));
	if (batch->good[i]) {
		memcpy(&batch->truth[i * SIM_N_COUNTS], sim_run_truth(sim_sampler_run(sampler)),
			SIM_N_COUNTS * sizeof *batch->truth);
		batch->accesses[i] = sim_run_accesses(sim_sampler_run(sampler));
	}
	sim_sampler_free(sampler);
	free(workload);
	free(text);
}

/* Moves all observations and their truth to the front, in order. `all`: each workload was begun. */
static bool
gather(const struct batch *batch, bool all, struct simulated *out, struct err *e)
{
	out->cut = !all;
	for (size_t i = 0; i < batch->how->n; i++) {
		const struct obs *from;

		out->cut |= batch->cut[i];
		if (!batch->table[i] || (!batch->good[i] && batch->cut[i]))
			continue;
		if (!batch->good[i]) {
			*e = batch->e[i];
			return false;
		}
		from = batch->table[i]->obs[0];
		obs_table_add_part(out->table, from, from->name, 0, from->n_rows);
		memmove(&out->truth[out->n++ * SIM_N_COUNTS], &out->truth[i * SIM_N_COUNTS],
			SIM_N_COUNTS * sizeof *out->truth);
		out->accesses += batch->accesses[i];
	}
	if (out->cut && !out->n)
		return err_set(e, "the simulation was stopped before a sample was complete");
	sim_judge_health(out->table, !batch->how->how->n_lies);
	return true;
}

static bool
simulate_go_on(void *ctx, size_t done)
{
	const struct simulate *s = ((const struct batch *)ctx)->how;

	if (s->progress)
		s->progress(s->ctx, done);
	return !s->stop || !s->stop(s->ctx);
}

bool
simulate_all(const struct simulate *simulate, struct simulated *out, struct err *e)
{
	struct batch b = {.how = simulate};
	const struct parallel crew = {.each = simulate_one, .go_on = simulate_go_on, .ctx = &b};
	bool good;

	*out = (struct simulated){
		.table = new_table(simulate), .truth = mem_new_array(simulate->n * SIM_N_COUNTS, sizeof *out->truth)};
	b.truth = out->truth;
	b.table = mem_new_array(simulate->n, sizeof *b.table);
	b.accesses = mem_new_array(simulate->n, sizeof *b.accesses);
	b.e = mem_new_array(simulate->n, sizeof *b.e);
	b.good = mem_new_array(simulate->n, sizeof *b.good);
	b.cut = mem_new_array(simulate->n, sizeof *b.cut);
	good = gather(&b, parallel_each(&crew, simulate->n), out, e);
	for (size_t i = 0; i < simulate->n; i++)
		obs_table_free(b.table[i]);
	free(b.table);
	free(b.accesses);
	free(b.e);
	free(b.good);
	free(b.cut);
	return good;
}

void
simulated_free(struct simulated *s)
{
	obs_table_free(s->table);
	free(s->truth);
	*s = (struct simulated){0};
}

struct obs_table *
simulation_read(const char *text, bool exact, struct err *e)
{
	struct simulation s = {0};
	struct sim_counters c = {0};
	struct simulated got = {0};
	struct obs_table *table = NULL;

	if (server_simulation_is(text))
		return server_simulation_read(text, e);
	if (simulation_parse(text, &s, e) && sim_counters_parse(s.machine, NULL, &c, e)) {
		const char *workload = s.workload;
		const struct simulate all = {
			.how = &s, .counter = c.counter, .n_counters = c.n, .workload = &workload, .n = 1};

		s.exact |= exact;
		if (!s.samples) {
			err_set(e, "%s never ends, and cannot be read as data", text);
			err_hint(e, "give a length with samples=N, or watch it in the explorer");
		} else if (simulate_all(&all, &got, e)) {
			table = got.table;
			got.table = NULL;
		}
	}
	simulated_free(&got);
	sim_counters_free(&c);
	simulation_free(&s);
	return table;
}
