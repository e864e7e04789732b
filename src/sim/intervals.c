/* All cycles of a run are recorded by sim_pipe_watch(); then events are found in them, and the cycles around each are
 * added up. What a method charges to the event is found from the same signals that the method sees (account/). */
#include "sim/intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/pipeline/pipe.h"
#include "sim/program/catalogue.h"
#include "sim/program/code.h"
#include "sim/program/program.h"

#define BATCH 1024u
#define WARM_PERIODS 16u /* chosen: caches and predictors know the lesson */
/* chosen: cycles before the event, and after the last mark */
#define BEFORE 12
#define AFTER 14
#define BEFORE_LOAD 40
#define AFTER_LOAD 50
#define CYCLES_MAX ((size_t)1 << 22)

#define ALL_PERFECT ((1u << SIM_N_PARTS) - 1)
#define PART(p) (1u << SIM_PART_##p)

/* Parts that a kind of event is charged to, by a method or by a reference run. */
static const sim_perfect parts_of[] = {
	[SIM_INTERVAL_FETCH] = PART(L1I) | PART(L2I) | PART(L3I),
	[SIM_INTERVAL_BRANCH] = PART(BRANCH),
	[SIM_INTERVAL_LOAD] = PART(L1D) | PART(L2D) | PART(L3D),
};

/* Structures that are not perfect while the event is watched, and the one without which it does not occur. The second
 * level has all instructions. */
static const struct { sim_perfect real, cause; } run_of[] = {
	[SIM_INTERVAL_FETCH] = {PART(L1I), PART(L1I)},
	[SIM_INTERVAL_BRANCH] = {PART(BRANCH), PART(BRANCH)},
	[SIM_INTERVAL_LOAD] = {PART(L1D) | PART(L2D) | PART(L3D), PART(L2D) | PART(L3D)},
};

static const char *const mark_name[SIM_N_MARKS] = {
#define X(id, name, text) name,
	SIM_INTERVAL_MARKS(X)
#undef X
};
static const char *const mark_text[SIM_N_MARKS] = {
#define X(id, name, text) text,
	SIM_INTERVAL_MARKS(X)
#undef X
};

const char *
sim_interval_mark_name(enum sim_interval_mark m)
{
	return mark_name[m];
}

const char *
sim_interval_mark_text(enum sim_interval_mark m)
{
	return mark_text[m];
}

/* --- a run -------------------------------------------------------------------------------------------------------- */

struct cycle {
	uint16_t rob, wrong;
	uint8_t dispatched, issued, committed, far_begun, far_ended;
	bool fetch_waits, rob_full, mispredicted, resolved;
	bool fmt, power5; /* the method charges the cycle to the event */
};

struct recorded {
	enum sim_interval_kind kind;
	bool on;
	struct cycle *cycle;
	size_t n, room;
	bool flushed;    /* a branch was resolved, and no µop was dispatched since */
	bool in_branch;  /* a mispredicted branch was dispatched, and no µop of the right path since */
	bool squashed;   /* … and it was resolved */
};

static bool
is_part(const struct recorded *r, unsigned part)
{
	return parts_of[r->kind] >> part & 1;
}

/* As account/power5.c does it. */
static bool
power5_counts(const struct recorded *r, const struct sim_signals *s)
{
	if (s->committed)
		return false;
	if (!s->rob_empty)
		return is_part(r, s->head_waits);
	return is_part(r, r->flushed ? (unsigned)SIM_PART_BRANCH : s->starved_by);
}

/* As account/fmt.c and branches.c do it, if no other event is near. */
static bool
fmt_counts(const struct recorded *r, const struct sim_signals *s)
{
	switch (r->kind) {
	case SIM_INTERVAL_FETCH:
		return !s->rob_full && is_part(r, s->fetch_waits);
	case SIM_INTERVAL_BRANCH:
		return !s->rob_full && r->in_branch;
	case SIM_INTERVAL_LOAD:
		return s->rob_full && is_part(r, s->head_waits);
	}
	return false;
}

static void
follow_branch(struct recorded *r, const struct sim_pipe_cycle *c)
{
	r->flushed |= c->resolved;
	r->squashed |= c->resolved;
	if (r->squashed && c->dispatched)
		r->in_branch = r->squashed = false;
	r->in_branch |= c->mispredicted;
}

static void
intervals_record(void *ctx, const struct sim_pipe_cycle *cycle)
{
	struct recorded *recorded = ctx;
	const struct sim_signals *signals = &cycle->signals;
	struct cycle now;

	follow_branch(recorded, cycle);
	now = (struct cycle){
		.rob = (uint16_t)cycle->rob,
		.wrong = (uint16_t)cycle->wrong,
		.dispatched = (uint8_t)cycle->dispatched,
		.issued = (uint8_t)cycle->issued,
		.committed = (uint8_t)signals->committed,
		.far_begun = (uint8_t)cycle->far_begun,
		.far_ended = (uint8_t)cycle->far_ended,
		.fetch_waits = is_part(recorded, signals->fetch_waits),
		.rob_full = signals->rob_full,
		.mispredicted = cycle->mispredicted,
		.resolved = cycle->resolved,
		.fmt = fmt_counts(recorded, signals),
		.power5 = power5_counts(recorded, signals),
	};
	if (signals->dispatched)
		recorded->flushed = false;
	for (uint64_t i = 0; recorded->on && i < signals->cycles && recorded->n < CYCLES_MAX; i++) {
		if (recorded->n == recorded->room) {
			recorded->room = recorded->room ? 2 * recorded->room : 65536;
			recorded->cycle = mem_resize(recorded->cycle, recorded->room, sizeof *recorded->cycle);
		}
		recorded->cycle[recorded->n++] = now;
	}
}

struct lesson_run {
	const struct sim_machine *machine;
	sim_plants plants;
	const char *lesson;
	uint64_t seed, period, events;
};

static void
feed(struct sim_pipe *p, struct sim_stream *stream, uint64_t n)
{
	struct sim_op op[BATCH];

	while (n) {
		size_t take = n < BATCH ? (size_t)n : BATCH;

		sim_stream_fill(stream, op, take, NULL); /* a program has no end */
		sim_pipe_run(p, op, take);
		n -= take;
	}
}

/* Counts a run after its warm-up; records it if r is not NULL.
 *
 * Steady code fills the reorder buffer after a long miss, and as many µops commit as are dispatched: it stays full. So
 * with `drained` the pipeline is emptied half-way between the events, which lie at the ends of periods. */
static void
run_lesson(const struct lesson_run *run, sim_perfect perfect, bool drained, struct recorded *recorded,
	uint64_t count[SIM_N_COUNTS])
{
	struct sim_pipe *pipe = sim_pipe_new(run->machine, run->plants, perfect);
	struct sim_stream *stream = sim_program_new(run->lesson, run->seed, NULL);
	uint64_t before[SIM_N_COUNTS] = {0};

	if (recorded)
		sim_pipe_watch(pipe, intervals_record, recorded);
	feed(pipe, stream, run->period / 2);
	for (uint64_t i = 0; i < WARM_PERIODS + run->events; i++) {
		if (i == WARM_PERIODS) {
			memcpy(before, sim_pipe_counts(pipe), sizeof before);
			if (recorded)
				recorded->on = true;
		}
		feed(pipe, stream, run->period);
		if (drained)
			sim_pipe_drain(pipe);
	}
	for (int i = 0; i < (int)SIM_N_COUNTS; i++)
		count[i] = sim_pipe_counts(pipe)[i] - before[i];
	sim_stream_free(stream);
	sim_pipe_free(pipe);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Returns the cycle from which on the next event may begin. Loads belong to one event while one of them is under way,
 * or `quiet` cycles have not passed since. */
static size_t
end_of_event(const struct recorded *recorded, size_t at, size_t quiet)
{
	size_t last = at, i = at;

	if (recorded->kind != SIM_INTERVAL_LOAD)
		return at + 1;
	for (int far = 0; i < recorded->n && (far || i <= last + quiet); i++) {
		const struct cycle *cycle = &recorded->cycle[i];

		far += cycle->far_begun - cycle->far_ended;
		if (cycle->far_begun || cycle->far_ended)
			last = i;
	}
	return i;
}

/* Returns the first cycle from `from` on in which an event begins; r->n: none. */
static size_t
next_event(const struct recorded *recorded, size_t from)
{
	for (size_t i = from; i < recorded->n; i++) {
		const struct cycle *cycle = &recorded->cycle[i];

		switch (recorded->kind) {
		case SIM_INTERVAL_FETCH:
			if (cycle->fetch_waits && (i == 0 || !cycle[-1].fetch_waits))
				return i;
			break;
		case SIM_INTERVAL_BRANCH:
			if (cycle->mispredicted)
				return i;
			break;
		case SIM_INTERVAL_LOAD:
			if (cycle->far_begun)
				return i;
		}
	}
	return recorded->n;
}

static void
set_mark(double mark[SIM_N_MARKS], enum sim_interval_mark m, size_t cycle)
{
	if (isnan(mark[m]))
		mark[m] = (double)cycle;
}

/* Finds the marks of the event that begins in cycle `at`; the next one begins in `end`. */
static void
find_marks(const struct recorded *recorded, size_t at, size_t end, unsigned front_end, double mark[SIM_N_MARKS])
{
	bool load = recorded->kind == SIM_INTERVAL_LOAD;
	size_t loads = 0, ended = 0, over = 0; /* over: the front end gets instructions again */

	for (int m = 0; m < (int)SIM_N_MARKS; m++)
		mark[m] = NAN;
	mark[SIM_MARK_EVENT] = 0;
	for (size_t i = at; i < end; i++) {
		const struct cycle *cycle = &recorded->cycle[i];

		if (load && cycle->far_begun && (loads += cycle->far_begun) > 1)
			set_mark(mark, SIM_MARK_SECOND, i - at);
		if (load && cycle->far_ended) {
			if ((ended += cycle->far_ended) > 1)
				set_mark(mark, SIM_MARK_SECOND_RETURNS, i - at);
			set_mark(mark, SIM_MARK_RETURNS, i - at);
		}
		if (load && cycle->rob_full && loads > ended)
			set_mark(mark, SIM_MARK_FULL, i - at);
		if (load)
			continue;
		if (recorded->kind == SIM_INTERVAL_BRANCH && cycle->resolved && !over) {
			set_mark(mark, SIM_MARK_RESOLVED, i - at);
			over = i;
		}
		if (recorded->kind == SIM_INTERVAL_FETCH && !cycle->fetch_waits && !over) {
			set_mark(mark, SIM_MARK_RETURNS, i - at);
			over = i;
		}
		if (cycle->rob == 0 && isnan(mark[SIM_MARK_REFILLED]))
			set_mark(mark, SIM_MARK_EMPTY, i - at);
		if (over && i >= over + front_end && cycle->dispatched)
			set_mark(mark, SIM_MARK_REFILLED, i - at);
	}
}

static size_t
last_mark(const double mark[SIM_N_MARKS])
{
	double last = 0;

	for (int m = 0; m < (int)SIM_N_MARKS; m++)
		last = mark[m] > last ? mark[m] : last;
	return (size_t)last;
}

/* --- means ------------------------------------------------------------------------------------------------------- */

static void
intervals_add_event(struct sim_interval *interval, const struct recorded *recorded, size_t at)
{
	for (size_t i = 0; i < interval->n; i++) {
		const struct cycle *cycle = &recorded->cycle[(size_t)((long)at + interval->first) + i];

		interval->dispatched[i] += cycle->dispatched;
		interval->issued[i] += cycle->issued;
		interval->committed[i] += cycle->committed;
		interval->rob[i] += cycle->rob;
		interval->wrong[i] += cycle->wrong;
		interval->fmt[i] += cycle->fmt;
		interval->power5[i] += cycle->power5;
		interval->loads += (double)cycle->far_begun / (double)interval->events;
	}
}

static void
take_means(struct sim_interval *v)
{
	double *const series[] = {v->dispatched, v->issued, v->committed, v->rob, v->wrong, v->fmt, v->power5};

	for (size_t k = 0; k < sizeof series / sizeof *series; k++)
		for (size_t i = 0; i < v->n; i++)
			series[k][i] /= (double)v->events;
	for (size_t i = 0; i < (size_t)-v->first; i++)
		v->steady -= v->dispatched[i] / v->first;
	for (size_t i = (size_t)-v->first; i < v->n; i++)
		v->lost += (v->steady - v->dispatched[i]) / v->steady;
}

/* Fills in the series and marks by the recorded events. False: there are none. */
static bool
average(struct sim_interval *interval, const struct recorded *recorded)
{
	size_t quiet = interval->entries / interval->width + interval->front_end, after = 0, room = SIZE_MAX,
	       n_marks[SIM_N_MARKS] = {0};
	size_t at = next_event(recorded, 0), *event = NULL;
	double sum[SIM_N_MARKS] = {0}, mark[SIM_N_MARKS];

	/* The first and the last event may not be whole. */
	for (at = next_event(recorded, end_of_event(recorded, at, quiet)); at < recorded->n;) {
		size_t next = next_event(recorded, end_of_event(recorded, at, quiet));

		if (next == recorded->n)
			break;
		event = mem_resize(event, interval->events + 1, sizeof *event);
		event[interval->events++] = at;
		find_marks(recorded, at, next, interval->front_end, mark);
		for (int m = 0; m < (int)SIM_N_MARKS; m++)
			if (!isnan(mark[m])) {
				sum[m] += mark[m];
				n_marks[m]++;
			}
		after = last_mark(mark) > after ? last_mark(mark) : after;
		room = next - at < room ? next - at : room;
		at = next;
	}
	if (!interval->events)
		return false;
	for (int m = 0; m < (int)SIM_N_MARKS; m++)
		interval->mark[m] = 2 * n_marks[m] >= interval->events ? sum[m] / (double)n_marks[m] : NAN;
	after += interval->kind == SIM_INTERVAL_LOAD ? AFTER_LOAD : AFTER;
	after = after < room ? after : room;
	interval->first = interval->kind == SIM_INTERVAL_LOAD ? -BEFORE_LOAD : -BEFORE;
	interval->n = (size_t)-interval->first + after;
	interval->dispatched = mem_new_array(interval->n, sizeof(double));
	interval->issued = mem_new_array(interval->n, sizeof(double));
	interval->committed = mem_new_array(interval->n, sizeof(double));
	interval->rob = mem_new_array(interval->n, sizeof(double));
	interval->wrong = mem_new_array(interval->n, sizeof(double));
	interval->fmt = mem_new_array(interval->n, sizeof(double));
	interval->power5 = mem_new_array(interval->n, sizeof(double));
	for (size_t i = 0; i < interval->events; i++)
		intervals_add_event(interval, recorded, event[i]);
	free(event);
	take_means(interval);
	return true;
}

static uint64_t
count_far(const struct sim_machine *m, const uint64_t *count)
{
	return count[m->l3.bytes ? SIM_PIPE_L3D : SIM_PIPE_L2D];
}

/* Returns how often the event occurred in a run. */
static double
events_of(const struct sim_interval *v, const struct sim_machine *m, const uint64_t *count)
{
	switch (v->kind) {
	case SIM_INTERVAL_FETCH:
		return (double)count[SIM_PIPE_L1I];
	case SIM_INTERVAL_BRANCH:
		return (double)count[SIM_PIPE_BRANCH_RETIRED];
	case SIM_INTERVAL_LOAD:
		break;
	}
	return (double)count_far(m, count) / v->loads;
}

/* Fills in what the methods count for the event. */
static void
count_methods(struct sim_interval *interval, const struct sim_machine *machine, const uint64_t *count, double events)
{
	static const enum sim_event first[SIM_N_METHODS] = {
		[SIM_POWER5] = SIM_POWER5_BASE, [SIM_FMT] = SIM_FMT_BASE, [SIM_SFMT] = SIM_SFMT_BASE,
		[SIM_TEA] = SIM_TEA_BASE,
	};
	double naive = 0;

	for (int k = 0; k < (int)SIM_N_METHODS; k++)
		for (int part = 0; part < (int)SIM_N_PARTS; part++)
			if (parts_of[interval->kind] >> part & 1)
				interval->method[k] += (double)count[(int)first[k] + part] / events;
	switch (interval->kind) {
	case SIM_INTERVAL_FETCH:
		naive = (double)count[SIM_PIPE_L1I] * (machine->l2.latency - machine->l1.latency);
		break;
	case SIM_INTERVAL_BRANCH:
		naive = (double)count[SIM_PIPE_BRANCH] * machine->pipe.front_end;
		break;
	case SIM_INTERVAL_LOAD:
		naive = (double)count_far(machine, count) * (machine->memory_latency - machine->l1.latency);
	}
	interval->naive = naive / events;
}

/* --- public ------------------------------------------------------------------------------------------------------- */

static bool
find_kind(const char *lesson, struct sim_interval *interval, uint64_t *period, struct err *e)
{
	static const enum sim_interval_kind kind[] = {
		[SIM_LESSON_ICACHE] = SIM_INTERVAL_FETCH, [SIM_LESSON_MISPREDICT] = SIM_INTERVAL_BRANCH,
		[SIM_LESSON_LONG] = SIM_INTERVAL_LOAD, [SIM_LESSON_TWO] = SIM_INTERVAL_LOAD,
		[SIM_LESSON_DEPENDENT] = SIM_INTERVAL_LOAD,
	};
	struct sim_parameters set;
	const struct sim_program_row *row = sim_program_parse(lesson, &set, e);

	if (!row)
		return false;
	if (row->lesson < 0) {
		err_set(e, "%s has many kinds of events, and no interval diagram", row->name);
		return err_hint(e, "the programs one-… and two-… have one kind each");
	}
	interval->kind = kind[row->lesson];
	*period = (uint64_t)set.value[SIM_P_PERIOD];
	return true;
}

struct sim_interval *
sim_interval_new(const struct sim_machine *machine, sim_plants plants, const char *lesson, size_t events, uint64_t seed,
	struct err *e)
{
	struct sim_interval *v = mem_new(sizeof *v);
	struct lesson_run l = {
		.machine = machine, .plants = plants, .lesson = lesson, .seed = seed, .events = events + 2};
	struct recorded r = {0};
	uint64_t count[3][SIM_N_COUNTS] = {{0}};
	bool good = find_kind(lesson, v, &l.period, e);

	if (good) {
		const sim_perfect perfect = ALL_PERFECT & ~run_of[v->kind].real;

		r.kind = v->kind;
		v->width = machine->width;
		v->entries = machine->rob;
		v->front_end = machine->pipe.front_end;
		run_lesson(&l, perfect, v->kind == SIM_INTERVAL_LOAD, &r, count[0]);
		good = average(v, &r) || err_set(e, "on %s the event of %s does not occur", machine->name, lesson);
	}
	if (good) {
		const sim_perfect perfect = ALL_PERFECT & ~run_of[v->kind].real;

		run_lesson(&l, perfect, false, NULL, count[1]);
		run_lesson(&l, perfect | run_of[v->kind].cause, false, NULL, count[2]);
		v->truth = ((double)count[1][SIM_CYCLES] - (double)count[2][SIM_CYCLES]) /
			events_of(v, machine, count[1]);
		count_methods(v, machine, count[0], events_of(v, machine, count[0]));
	}
	free(r.cycle);
	if (good)
		return v;
	sim_interval_free(v);
	return NULL;
}

void
sim_interval_free(struct sim_interval *interval)
{
	if (!interval)
		return;
	free(interval->dispatched);
	free(interval->issued);
	free(interval->committed);
	free(interval->rob);
	free(interval->wrong);
	free(interval->fmt);
	free(interval->power5);
	free(interval);
}

const char *
sim_interval_lesson(size_t i)
{
	const struct sim_program_row *row;

	for (size_t k = 0; (row = sim_program_row(k)) != NULL; k++)
		if (row->lesson >= 0 && i-- == 0)
			return row->name;
	return NULL;
}
