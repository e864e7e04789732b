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
refill(struct sim_run *r, bool *failed, struct err *e)
{
	size_t n;

	if (r->stop && r->stop(r->stop_ctx))
		sim_run_cancel(r);
	if (sim_run_is_cancelled(r))
		return false;
	if (r->pipes)
		return !r->ended;
	if (r->at < r->n)
		return true;
	sim_workload_clock(r->workload, now_ns(r));
	n = sim_workload_by_clock(r->workload) ? BY_CLOCK : BATCH;
	n = r->ended ? 0 : sim_workload_fill(r->workload, r->uop, n, e);
	*failed = n == SIZE_MAX;
	r->ended = n == 0 || n == SIZE_MAX;
	r->at = 0;
	r->n = r->ended ? 0 : n;
	return !r->ended;
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
run_some(struct sim_run *r, size_t most, uint64_t until, bool *failed, struct err *e)
{
	size_t n = !r->pipes && r->n - r->at < most ? r->n - r->at : most, accesses;
	uint64_t before = now_ns(r), after;
	double fit = until > before ? (double)(until - before) / r->ns_per_uop : 0;

	if (fit < (double)n)
		n = fit > LEAST ? (size_t)fit : n < LEAST ? n : LEAST;
	if (r->pipes) {
		accesses = run_pipes(r, n, failed, e);
	} else {
		accesses = count_accesses(&r->uop[r->at], n);
		sim_core_run(r->core, &r->uop[r->at], n);
		r->at += n;
	}
	after = now_ns(r);
	if (after > before)
		r->ns_per_uop = (double)(after - before) / (double)n;
	return accesses;
}

static bool
warm_up(struct sim_run *r, struct err *e)
{
	uint64_t done = 0, pace;
	bool failed = false;

	while (done < r->warm_up && refill(r, &failed, e))
		done += run_some(r, r->warm_up - done < BATCH ? (size_t)(r->warm_up - done) : BATCH, UINT64_MAX,
			&failed, e);
	run_drain(r);
	r->start_ns = now_ns(r);
	r->end_ns = r->start_ns;
	/* Without a warm-up, the pace is assumed to be one access per cycle. */
	pace = r->sample_ns;
	if (!pace)
		pace = (uint64_t)((double)r->accesses *
			(done ? (double)r->start_ns / (double)done : 1 / r->machine->ghz));
	if (!r->how.slice_ns)
		r->how.slice_ns = pace / SIM_SLICES ? pace / SIM_SLICES : 1;
	memcpy(r->base, counts_of(r), sizeof r->base);
	r->pmu = sim_pmu_new(&r->how, e);
	sim_pmu_start(r->pmu, r->start_ns, r->base);
	r->warm = true;
	return !failed;
}

/* Runs one sample. Returns the number of its accesses. */
static uint64_t
run_sample(struct sim_run *r, bool *failed, struct err *e)
{
	uint64_t done = 0, now = now_ns(r), end = UINT64_MAX;

	if (!r->accesses)
		end = r->end_ns += r->sample_ns;
	while ((r->accesses ? done < r->accesses : now < end) && refill(r, failed, e)) {
		uint64_t tick = sim_pmu_until_ns(r->pmu);
		size_t most = r->accesses && r->accesses - done < BATCH ? (size_t)(r->accesses - done) : BATCH;

		done += run_some(r, most, tick < end ? tick : end, failed, e);
		now = now_ns(r);
		if (now >= tick)
			sim_pmu_advance(r->pmu, now, counts_of(r));
	}
	run_drain(r);
	sim_pmu_advance(r->pmu, now_ns(r), counts_of(r));
	return done;
}

enum sim_news
sim_run_row(struct sim_run *r, struct sim_row *row, struct err *e)
{
	const uint64_t *counts;
	bool failed = false;
	uint64_t done;

	if (!r->warm && !warm_up(r, e))
		return SIM_FAILED;
	done = run_sample(r, &failed, e);
	if (failed)
		return SIM_FAILED;
	if (!done || sim_run_is_cancelled(r))
		return SIM_NO_ROW;
	r->done += done;
	counts = counts_of(r);
	for (size_t i = 0; i < SIM_N_COUNTS; i++) {
		r->row[i] = counts[i] - r->base[i] - r->total[i];
		r->total[i] = counts[i] - r->base[i];
	}
	sim_pmu_read(r->pmu, r->reading);
	*row = (struct sim_row){
		(double)(now_ns(r) - r->start_ns) * 1e-9, r->reading, r->row, sim_pmu_turns(r->pmu)};
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
keep_spec(struct sim_run *r, const struct sim_run_spec *s)
{
	r->machine = s->machine;
	r->warm_up = s->warm_up;
	r->accesses = s->accesses;
	r->sample_ns = s->sample_ns;
	r->stop = s->stop;
	r->stop_ctx = s->stop_ctx;
	r->ns_per_uop = 1 / s->machine->ghz;
	r->reading = mem_new_array(s->n_events, sizeof *r->reading);
	r->event = mem_copy(s->event, s->n_events * sizeof *s->event);
	r->group = s->group ? mem_copy(s->group, s->n_events * sizeof *s->group) : NULL;
	r->lie = mem_copy(s->lie, s->n_lies * sizeof *s->lie);
	r->how = (struct sim_pmu_spec){
		.machine = s->machine, .event = r->event, .n_events = s->n_events, .group = r->group,
			.multiplex = s->multiplex, .slice_ns = s->slice_ns, .rotation = s->rotation,
		.lie = r->lie, .n_lies = s->n_lies, .seed = s->seed,
	};
}

/* Gives the run its program or trace, on a pipeline. NULL and *e on failure; then the run is freed. */
static struct sim_run *
with_pipes(struct sim_run *r, const struct sim_run_spec *s, struct err *e)
{
	struct sim_stream *stream = s->trace < 0 ? sim_program_new(s->workload, s->seed, e)
		: s->trace_format < 0        ? sim_op_trace_open(s->trace, e)
					     : sim_op_trace_new(s->trace, (enum sim_trace_format)s->trace_format);

	if (!stream) {
		sim_run_free(r);
		return NULL;
	}
	r->text = s->trace < 0 ? sim_program_text(s->workload) : mem_str("trace");
	r->pipes = sim_pipe_run_new(s->machine, s->plants, s->perfect, stream, s->references);
	if (s->alone)
		sim_pipe_run_spread(r->pipes);
	return r;
}

struct sim_run *
sim_run_new(const struct sim_run_spec *s, struct err *e)
{
	struct sim_run *r = mem_new(sizeof *r);

	keep_spec(r, s);
	if (!run_is_whole(s, e) || !sim_pmu_can(&r->how, e)) {
		sim_run_free(r);
		return NULL;
	}
	if (s->machine->pipe.there)
		return with_pipes(r, s, e);
	r->workload = s->trace >= 0 ? sim_workload_trace(s->trace, s->workload, e)
		: sim_workload_new(s->workload, s->seed, e);
	if (r->workload) {
		r->core = sim_core_new(s->machine, s->plants, sim_workload_memory(r->workload));
		return r;
	}
	sim_run_free(r);
	return NULL;
}

void
sim_run_free(struct sim_run *r)
{
	if (!r)
		return;
	sim_pmu_free(r->pmu);
	sim_core_free(r->core);
	sim_pipe_run_free(r->pipes);
	free(r->text);
	sim_workload_free(r->workload);
	free(r->reading);
	free(r->event);
	free(r->group);
	free(r->lie);
	free(r);
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
