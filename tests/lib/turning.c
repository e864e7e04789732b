#include "turning.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/stats/region.h"
#include "core/verdict/verdict.h"
#include "sim/machine.h"
#include "sim/run.h"
#include "test.h"
#include "text/diag.h"

#define ROWS 60
#define SLICE 16000         /* ns: 1/250 of Linux's, as are all other times here */
#define SAMPLE (25 * SLICE) /* 100 ms for slices of 4 ms */
#define PERIODIC "periodic:footprint=64M,other=250,period=%.0fns"
#define APERIODIC "zipf:footprint=64M,other=250,value=64"
#define COUNTERS 3

/* Three events that take turns on the one programmable counter that the machine has left. A rotation is three turns,
 * 12 ms of Linux's time. A load of a page that no TLB has makes one walk, which ends, and fills a 4 KB page, as long
 * as nothing merges walks or speculates. So walks begun = walks done = walks done of 4 KB. */
static const enum sim_event event[COUNTERS] = {SIM_LOAD_CAUSES_WALK, SIM_LOAD_WALK_DONE, SIM_LOAD_WALK_DONE_4K};
static const int64_t signature[COUNTERS] = {1, 1, 1};

const struct turning_setting turning_setting[] = {
	{"none", 0}, {"1", 1}, {"1.0003", 1.0003}, {"1.003", 1.003}, {"0.9", 0.9}, {"2", 2}, {"0.5", 0.5}, {"3", 3},
};
const size_t turning_n_settings = sizeof turning_setting / sizeof *turning_setting;

struct turning {
	struct sim_machine *machine;
	struct cone *cone;
};

struct turning *
turning_new(void)
{
	struct turning *t = mem_new(sizeof *t);
	struct diags d = {0};
	unsigned long n;
	char *text = test_read("../models/machines/haswell.machine", &n);

	t->machine = sim_machine_parse("haswell.machine", text, n, NULL, &d);
	t->machine->counters = 1;
	t->cone = cone_new(COUNTERS, 1, signature, NULL);
	diags_free(&d);
	free(text);
	return t;
}

void
turning_free(struct turning *t)
{
	cone_free(t->cone);
	sim_machine_free(t->machine);
	free(t);
}

/* The outcome of one run. */
struct turned {
	bool blind, refuted, undecided, warned;
	double period_off;
};

struct turns {
	struct turning *t;
	const struct turning_setting *s;
	enum rotation_how how;
	uint64_t seed;
	double shift;
	struct turned *one;
};

static bool
is_refuted(const struct turns *w, const struct samples *s, bool *undecided)
{
	const struct verdict_options o = {.confidence = 0.99, .decides = REGION_CONE, .alone = true, .bare = true};
	struct region *r = region_new(s, false);
	struct verdict *v = verdict_new(w->t->cone, r, &o);
	bool refuted = v->verdict == VERDICT_INFEASIBLE;

	*undecided = v->verdict == VERDICT_UNDECIDED;
	verdict_free(v);
	region_free(r);
	return refuted;
}

static void
judge(const struct turns *w, const int64_t *count, const double *running, double locked_ns, struct turned *out)
{
	struct samples s = {.n_counters = COUNTERS, .n_rows = ROWS, .count = count, .running = running};
	double period = w->s->ratio * COUNTERS * SLICE;
	bool undecided;

	s.independent = w->how == ROTATION_KERNEL; /* the test of the cone alone asks for no slow noise */
	out->blind = is_refuted(w, &s, &undecided);
	s.independent = false;
	s.locked = out->warned = locked_ns > 0;
	s.random_turns = w->how == ROTATION_RANDOM;
	out->refuted = is_refuted(w, &s, &out->undecided);
	out->period_off = locked_ns > 0 && period > 0 ? fabs(locked_ns / period - 1) : 0;
}

static void
turn_once(void *ctx, size_t i)
{
	struct turns *w = ctx;
	char *workload = w->s->ratio > 0 ? str_format(PERIODIC, w->s->ratio * COUNTERS * SLICE) : mem_str(APERIODIC);
	const struct sim_run_spec spec = {
		.machine = w->t->machine, .workload = workload, .trace = -1, .seed = w->seed + i, .event = event,
			.n_events = COUNTERS, .multiplex = true,
		.warm_up = 100000, .sample_ns = SAMPLE, .slice_ns = SLICE, .rotation = w->how,
	};
	struct sim_run *r = sim_run_new(&spec, NULL);
	int64_t count[ROWS * COUNTERS];
	double running[ROWS * COUNTERS], locked_ns = 0;
	struct sim_row row;

	for (size_t m = 0; m < ROWS && sim_run_row(r, &row, NULL) == SIM_ROW; m++) {
		for (size_t k = 0; k < COUNTERS; k++) {
			count[m * COUNTERS + k] = (int64_t)((double)row.reading[k].count * (k == 1 ? 1 + w->shift : 1));
			running[m * COUNTERS + k] = row.reading[k].running;
		}
		locked_ns = row.turns.program_ns;
	}
	judge(w, count, running, locked_ns, &w->one[i]);
	sim_run_free(r);
	free(workload);
}

struct turning_count
turning_run(struct turning *t, const struct turning_setting *s, enum rotation_how how, size_t runs, uint64_t seed,
	double shift)
{
	struct turns w = {.t = t, .s = s, .how = how, .seed = seed, .shift = shift};
	const struct parallel crew = {.each = turn_once, .ctx = &w};
	struct turning_count out = {.runs = runs};

	w.one = mem_new_array(runs, sizeof *w.one);
	parallel_each(&crew, runs);
	for (size_t i = 0; i < runs; i++) {
		out.blind += w.one[i].blind;
		out.refuted += w.one[i].refuted;
		out.undecided += w.one[i].undecided;
		out.warned += w.one[i].warned;
		out.period_off = fmax(out.period_off, w.one[i].period_off);
	}
	free(w.one);
	return out;
}
