#include "sim/run.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/core.h"
#include "sim/pipe_run.h"
#include "sim/program/program.h"
#include "sim/trace/op_trace.h"
#include "sim/workload.h"

#define BATCH 4096 /* µops requested at once */
#define BY_CLOCK 16 /* the same for a workload that follows the clock, so that it knows the time */
#define LEAST 16   /* µops that run at least between two visits of the PMU */

struct sim_run {
	const struct sim_machine *machine;
	struct sim_workload *workload;
	struct sim_core *core;
	struct sim_pipe_run *pipes; /* in the place of both, for a machine with a pipeline */
	char *text;                 /* of its program */
	struct sim_pmu *pmu;
	uint64_t warm_up, accesses, sample_ns;
	bool warm, ended;
	atomic_bool cancelled;
	bool (*stop)(void *ctx);
	void *stop_ctx;
	struct sim_uop uop[BATCH];
	size_t at, n;             /* µops of the buffer: those that have run, and all */
	double ns_per_uop;        /* recent average of a µop's time */
	uint64_t start_ns, end_ns; /* time of the reset; when the next sample by time is due */
	uint64_t done;            /* accesses since the reset */
	uint64_t base[SIM_N_COUNTS], total[SIM_N_COUNTS], row[SIM_N_COUNTS];
	struct sim_reading *reading;
	/* The PMU is made from this spec once the pace is known; the arrays are owned. */
	struct sim_pmu_spec how;
	enum sim_event *event;
	unsigned *group;
	struct sim_lie *lie;
};

static const uint64_t *
counts_of(const struct sim_run *r)
{
	return r->pipes ? sim_pipe_run_counts(r->pipes) : sim_core_counts(r->core);
}

static uint64_t
now_ns(const struct sim_run *r)
{
	const uint64_t *counts = r->pipes ? sim_pipe_counts(sim_pipe_run_pipe(r->pipes)) : sim_core_counts(r->core);

	return (uint64_t)((double)counts[SIM_CYCLES] / r->machine->ghz);
}

/* Lets what is in flight end. A pipeline goes on until its stream ends, because samples shall not disturb it. */
static void
run_drain(struct sim_run *r)
{
	if (!r->pipes)
		sim_core_drain(r->core);
	else if (r->ended)
		sim_pipe_run_drain(r->pipes);
}

/* Returns the number of accesses among µops. Fetched instructions and wrong paths do not count. */
static size_t
count_accesses(const struct sim_uop *u, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += u[i].kind != SIM_FETCH && !(u[i].flags & SIM_WRONG);
	return sum;
}

/* False at the end of a trace. *failed and *e when the trace cannot be read. */
static bool
refill(struct sim_run *run, bool *failed, struct err *e)
{
	size_t n;

	if (run->stop && run->stop(run->stop_ctx))
		sim_run_cancel(run);
	if (sim_run_is_cancelled(run))
		return false;
	if (run->pipes)
		return !run->ended;
	if (run->at < run->n)
		return true;
	sim_workload_clock(run->workload, now_ns(run));
	n = sim_workload_by_clock(run->workload) ? BY_CLOCK : BATCH;
	n = run->ended ? 0 : sim_workload_fill(run->workload, run->uop, n, e);
	*failed = n == SIZE_MAX;
	run->ended = n == 0 || n == SIZE_MAX;
	run->at = 0;
	run->n = run->ended ? 0 : n;
	return !run->ended;
}

/* Runs up to n µops of a pipeline's stream. Returns their number; 0 at its end and on failure. */
static size_t
run_pipes(struct sim_run *r, size_t n, bool *failed, struct err *e)
{
	size_t got = sim_pipe_run_step(r->pipes, n, e);

	*failed = got == SIZE_MAX;
	r->ended = got == 0 || *failed;
	return r->ended ? 0 : got;
}

/* Runs up to `most` µops, and not much longer than `until`. Returns the number of accesses among them, or of µops for a
 * pipeline. *failed and *e when a trace cannot be read. */
static size_t
run_some(struct sim_run *run, size_t most, uint64_t until, bool *failed, struct err *e)
{
	size_t n = !run->pipes && run->n - run->at < most ? run->n - run->at : most, accesses;
	uint64_t before = now_ns(run), after;
	double fit = until > before ? (double)(until - before) / run->ns_per_uop : 0;

	if (fit < (double)n)
		n = fit > LEAST ? (size_t)fit : n < LEAST ? n : LEAST;
	if (run->pipes) {
		accesses = run_pipes(run, n, failed, e);
	} else {
		accesses = count_accesses(&run->uop[run->at], n);
		sim_core_run(run->core, &run->uop[run->at], n);
		run->at += n;
	}
	after = now_ns(run);
	if (after > before)
		run->ns_per_uop = (double)(after - before) / (double)n;
	return accesses;
}

static bool
warm_up(struct sim_run *run, struct err *e)
{
	uint64_t done = 0, pace;
	bool failed = false;

	while (done < run->warm_up && refill(run, &failed, e))
		done += run_some(run, run->warm_up - done < BATCH ? (size_t)(run->warm_up - done) : BATCH, UINT64_MAX,
			&failed, e);
	run_drain(run);
	run->start_ns = now_ns(run);
	run->end_ns = run->start_ns;
	/* Without a warm-up, the pace is assumed to be one access per cycle. */
	pace = run->sample_ns;
	if (!pace)
		pace = (uint64_t)((double)run->accesses *
			(done ? (double)run->start_ns / (double)done : 1 / run->machine->ghz));
	if (!run->how.slice_ns)
		run->how.slice_ns = pace / SIM_SLICES ? pace / SIM_SLICES : 1;
	memcpy(run->base, counts_of(run), sizeof run->base);
	run->pmu = sim_pmu_new(&run->how, e);
	sim_pmu_start(run->pmu, run->start_ns, run->base);
	run->warm = true;
	return !failed;
}

/* Runs one sample. Returns the number of its accesses. */
static uint64_t
run_sample(struct sim_run *run, bool *failed, struct err *e)
{
	uint64_t done = 0, now = now_ns(run), end = UINT64_MAX;

	if (!run->accesses)
		end = run->end_ns += run->sample_ns;
	while ((run->accesses ? done < run->accesses : now < end) && refill(run, failed, e)) {
		uint64_t tick = sim_pmu_until_ns(run->pmu);
		size_t most = run->accesses && run->accesses - done < BATCH ? (size_t)(run->accesses - done) : BATCH;

		done += run_some(run, most, tick < end ? tick : end, failed, e);
		now = now_ns(run);
		if (now >= tick)
			sim_pmu_advance(run->pmu, now, counts_of(run));
	}
	run_drain(run);
	sim_pmu_advance(run->pmu, now_ns(run), counts_of(run));
	return done;
}

enum sim_news
sim_run_row(struct sim_run *run, struct sim_row *row, struct err *e)
{
	const uint64_t *counts;
	bool failed = false;
	uint64_t done;

	if (!run->warm && !warm_up(run, e))
		return SIM_FAILED;
	done = run_sample(run, &failed, e);
	if (failed)
		return SIM_FAILED;
	if (!done || sim_run_is_cancelled(run))
		return SIM_NO_ROW;
	run->done += done;
	counts = counts_of(run);
	for (size_t i = 0; i < SIM_N_COUNTS; i++) {
		run->row[i] = counts[i] - run->base[i] - run->total[i];
		run->total[i] = counts[i] - run->base[i];
	}
	sim_pmu_read(run->pmu, run->reading);
	*row = (struct sim_row){
		(double)(now_ns(run) - run->start_ns) * 1e-9, run->reading, run->row, sim_pmu_turns(run->pmu)};
	return SIM_ROW;
}

static bool
run_is_whole(const struct sim_run_spec *s, struct err *e)
{
	if (s->accesses || s->sample_ns)
		return true;
	err_set(e, "a sample without accesses and without a time would never end");
	return err_hint(e, "ask for a number of accesses, for instance %u", SIM_ACCESSES);
}

static void
keep_spec(struct sim_run *run, const struct sim_run_spec *spec)
{
	run->machine = spec->machine;
	run->warm_up = spec->warm_up;
	run->accesses = spec->accesses;
	run->sample_ns = spec->sample_ns;
	run->stop = spec->stop;
	run->stop_ctx = spec->stop_ctx;
	run->ns_per_uop = 1 / spec->machine->ghz;
	run->reading = mem_new_array(spec->n_events, sizeof *run->reading);
	run->event = mem_copy(spec->event, spec->n_events * sizeof *spec->event);
	run->group = spec->group ? mem_copy(spec->group, spec->n_events * sizeof *spec->group) : NULL;
	run->lie = mem_copy(spec->lie, spec->n_lies * sizeof *spec->lie);
	run->how = (struct sim_pmu_spec){
		.machine = spec->machine, .event = run->event, .n_events = spec->n_events, .group = run->group,
			.multiplex = spec->multiplex, .slice_ns = spec->slice_ns, .rotation = spec->rotation,
		.constraints = spec->constraints,
		.lie = run->lie, .n_lies = spec->n_lies, .seed = spec->seed,
	};
}

/* Gives the run its program or trace, on a pipeline. NULL and *e on failure; then the run is freed. */
static struct sim_run *
with_pipes(struct sim_run *run, const struct sim_run_spec *spec, struct err *e)
{
	struct sim_stream *stream = spec->trace < 0 ? sim_program_new(spec->workload, spec->seed, e)
		: spec->trace_format < 0        ? sim_op_trace_open(spec->trace, e)
					     : sim_op_trace_new(spec->trace, (enum sim_trace_format)spec->trace_format);

	if (!stream) {
		sim_run_free(run);
		return NULL;
	}
	run->text = spec->trace < 0 ? sim_program_text(spec->workload) : mem_str("trace");
	run->pipes = sim_pipe_run_new(spec->machine, spec->plants, spec->perfect, stream, spec->references);
	if (spec->alone)
		sim_pipe_run_spread(run->pipes);
	return run;
}

struct sim_run *
sim_run_new(const struct sim_run_spec *spec, struct err *e)
{
	struct sim_run *run = mem_new(sizeof *run);

	keep_spec(run, spec);
	if (!run_is_whole(spec, e) || !sim_pmu_can(&run->how, e)) {
		sim_run_free(run);
		return NULL;
	}
	if (spec->machine->pipe.there)
		return with_pipes(run, spec, e);
	run->workload = spec->trace >= 0 ? sim_workload_trace(spec->trace, spec->workload, e)
		: sim_workload_new(spec->workload, spec->seed, e);
	if (run->workload) {
		run->core = sim_core_new(spec->machine, spec->plants, sim_workload_memory(run->workload));
		return run;
	}
	sim_run_free(run);
	return NULL;
}

void
sim_run_free(struct sim_run *run)
{
	if (!run)
		return;
	sim_pmu_free(run->pmu);
	sim_core_free(run->core);
	sim_pipe_run_free(run->pipes);
	free(run->text);
	sim_workload_free(run->workload);
	free(run->reading);
	free(run->event);
	free(run->group);
	free(run->lie);
	free(run);
}

void
sim_run_cancel(struct sim_run *r)
{
	atomic_store_explicit(&r->cancelled, true, memory_order_relaxed);
}

bool
sim_run_is_cancelled(const struct sim_run *r)
{
	return atomic_load_explicit(&r->cancelled, memory_order_relaxed);
}

const uint64_t *
sim_run_truth(const struct sim_run *r)
{
	return r->total;
}

uint64_t
sim_run_accesses(const struct sim_run *r)
{
	return r->done;
}

const char *
sim_run_workload(const struct sim_run *r)
{
	return r->pipes ? r->text : sim_workload_text(r->workload);
}
