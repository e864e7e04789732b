#include "work/calibrate/staged.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"
#include "work/files/simulation.h"

#define WORSE 0.001    /* by which the mean error of CPI must grow */
#define SAME 1e-9      /* equal machines count the same cycles */
#define SAMPLE 20000u  /* µops between two looks at patience */

/* What goes away is the front end. */
#define FRONT_END \
	(1u << SIM_PART_BRANCH | 1u << SIM_PART_L1I | 1u << SIM_PART_L2I | 1u << SIM_PART_L3I | 1u << SIM_PART_ITLB)

struct staged {
	struct sim_suite suite;
	struct staged_row *row; /* suite.n, after staged_run() */
	bool quick;
};

const char *
stage_name(enum stage s)
{
	static const char *const name[N_STAGES] = {"before", "parameters", "features", "truth"};

	return name[s];
}

struct staged *
staged_new(bool quick)
{
	struct staged *p = mem_new(sizeof *p);

	p->quick = quick;
	return p;
}

bool
staged_is_quick(const struct staged *p)
{
	return p->quick;
}

void
staged_free(struct staged *p)
{
	if (!p)
		return;
	sim_suite_free(&p->suite);
	free(p->row);
	free(p);
}

bool
staged_add(struct staged *p, const char *text, struct err *e)
{
	return simulation_add_workloads(&p->suite, NULL, text, e);
}

bool
staged_add_suite(struct staged *p, const char *name, struct err *e)
{
	return simulation_add_suite(&p->suite, NULL, name, e);
}

/* Simulates so many µops. False: stopped, or *e. */
static bool
run_on(struct sim_run *r, const char *program, uint64_t uops, const struct patience *patience, struct err *e)
{
	enum sim_news news = SIM_ROW;
	struct sim_row row;

	while (news == SIM_ROW && sim_run_accesses(r) < uops && patience_goes_on(patience))
		news = sim_run_row(r, &row, e);
	if (news == SIM_NO_ROW)
		return err_set(e, "the program %s ended", program);
	return news == SIM_ROW && patience_goes_on(patience);
}

/* Runs a program. The first third of its µops are not counted. False: stopped, or *e. */
static bool
run_program(const struct candidate *candidate, const char *program, sim_perfect perfect, uint64_t uops,
	const struct patience *patience, double *cpi, struct err *e)
{
	struct sim_run_spec spec = simulation_spec(candidate_simulation(candidate));
	struct sim_run *run;
	uint64_t cycles, instructions;
	bool good;

	spec.workload = program;
	spec.perfect = perfect;
	spec.references = spec.multiplex = false;
	spec.warm_up = 0;
	spec.accesses = uops / 3 + 1 < SAMPLE ? uops / 3 + 1 : SAMPLE; /* more than one sample, however few µops */
	run = sim_run_new(&spec, e);
	good = run && run_on(run, program, uops / 3, patience, e);
	if (good) {
		cycles = sim_run_truth(run)[SIM_CYCLES];
		instructions = sim_run_truth(run)[SIM_INSTRUCTIONS];
		good = run_on(run, program, uops, patience, e);
	}
	if (good && sim_run_truth(run)[SIM_INSTRUCTIONS] == instructions)
		good = err_set(e, "no instruction of %s retired in %" PRIu64 " µops: give --accesses more", program,
			uops);
	if (good)
		*cpi = (double)(sim_run_truth(run)[SIM_CYCLES] - cycles) /
			(double)(sim_run_truth(run)[SIM_INSTRUCTIONS] - instructions);
	sim_run_free(run);
	return good;
}

/* A machine with and without the feature whose gain is asked for; the same one twice if none is. */
struct pair {
	struct candidate *with, *without;
};

static bool
run_pair(const struct pair *m, const char *program, bool gain, uint64_t uops, const struct patience *patience,
	struct staged_time *out, struct err *e)
{
	double ideal;

	if (!run_program(m->with, program, 0, uops, patience, &out->cpi, e) ||
		!run_program(m->with, program, FRONT_END, uops, patience, &ideal, e))
		return false;
	out->front_end = out->cpi - ideal;
	return !gain || run_program(m->without, program, 0, uops, patience, &out->without, e);
}

/* Takes the machine over. */
static bool
make_pair(struct pair *p, struct candidate *m, const char *gain, struct err *e)
{
	if (m) {
		p->with = candidate_with(m, gain ? gain : "", gain != NULL, e);
		p->without = p->with ? candidate_with(m, gain ? gain : "", false, e) : NULL;
	}
	candidate_free(m);
	return p->without != NULL;
}

static bool
make_stages(struct pair *stage, const struct calibration *c, const char *truth, const char *gain, struct err *e)
{
	const struct candidate *before = c->before, *after = c->after;

	return make_pair(&stage[STAGE_BEFORE],
			candidate_new(candidate_on(before), candidate_changes(before), c->list, e), gain, e) &&
		make_pair(&stage[STAGE_FEATURES],
			candidate_new(candidate_on(after), candidate_changes(after), c->list, e), gain, e) &&
		make_pair(&stage[STAGE_PARAMETERS], calibrate_stage(c, KNOB_PARAMETER, e), gain, e) &&
		make_pair(&stage[STAGE_TRUTH], candidate_new(truth, NULL, c->list, e), gain, e);
}

bool
staged_run(struct staged *staged, const struct calibration *c, const char *truth, const char *gain, uint64_t uops,
	const struct patience *patience, struct err *e)
{
	struct pair stage[N_STAGES] = {0};
	bool good = make_stages(stage, c, truth, gain, e), going = good;

	staged->row = mem_resize(staged->row, staged->suite.n, sizeof *staged->row);
	for (size_t i = 0; i < staged->suite.n; i++) {
		staged->row[i] = (struct staged_row){.name = staged->suite.workload[i]};
		for (int s = 0; s < (int)N_STAGES && going; s++)
			if (!staged->quick)
				going = run_pair(&stage[s], staged->row[i].name, gain != NULL, uops, patience,
					&staged->row[i].time[s], e);
			else if (s != (int)STAGE_PARAMETERS)
				going = run_program(stage[s].with, staged->row[i].name, 0, uops, patience,
					&staged->row[i].time[s].cpi, e);
		staged->row[i].known = going;
	}
	for (int s = 0; s < (int)N_STAGES; s++) {
		candidate_free(stage[s].with);
		candidate_free(stage[s].without);
	}
	return !*e->what;
}

bool
staged_run_against(struct staged *staged, const struct calibration *calibration, const struct candidate *truth,
	uint64_t uops, struct err *e)
{
	const struct candidate *on[N_STAGES] = {
		[STAGE_BEFORE] = calibration->before, [STAGE_FEATURES] = calibration->after, [STAGE_TRUTH] = truth};
	bool going = true;

	staged->row = mem_resize(staged->row, staged->suite.n, sizeof *staged->row);
	for (size_t i = 0; i < staged->suite.n; i++) {
		staged->row[i] = (struct staged_row){.name = staged->suite.workload[i]};
		for (int s = 0; s < (int)N_STAGES && going; s++)
			if (on[s])
				going = run_program(
					on[s], staged->row[i].name, 0, uops, NULL, &staged->row[i].time[s].cpi, e);
		staged->row[i].known = going;
	}
	return going;
}

size_t
staged_count(const struct staged *p)
{
	return p->suite.n;
}

const struct staged_row *
staged_row(const struct staged *p, size_t i)
{
	return &p->row[i];
}

double
staged_cpi_error(const struct staged_row *r, enum stage s)
{
	return r->time[s].cpi / r->time[STAGE_TRUTH].cpi - 1;
}

double
staged_mean_error(const struct staged *p, enum stage s)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->suite.n; i++)
		if (p->row && p->row[i].known) {
			sum += fabs(staged_cpi_error(&p->row[i], s));
			n++;
		}
	return n ? sum / (double)n : NAN;
}

bool
staged_got_worse(const struct staged *p)
{
	return staged_mean_error(p, STAGE_FEATURES) > staged_mean_error(p, STAGE_BEFORE) + WORSE;
}

const struct staged_row *
staged_worst(const struct staged *p)
{
	const struct staged_row *worst = NULL;
	double most = SAME;

	for (size_t i = 0; i < p->suite.n; i++)
		if (p->row && p->row[i].known && fabs(staged_cpi_error(&p->row[i], STAGE_FEATURES)) > most) {
			worst = &p->row[i];
			most = fabs(staged_cpi_error(worst, STAGE_FEATURES));
		}
	return worst;
}

double
staged_front_end_error(const struct staged_row *r, enum stage s)
{
	return (r->time[s].front_end - r->time[STAGE_TRUTH].front_end) / r->time[STAGE_TRUTH].cpi;
}

double
staged_gain(const struct staged_row *r, enum stage s)
{
	return r->time[s].without / r->time[s].cpi - 1;
}
