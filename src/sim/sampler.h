/* Samples of a simulated machine in the form that every source gives them: rows of increments for counters that are
 * sums of events. */
#ifndef SIM_SAMPLER_H
#define SIM_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/run.h"

struct err;
struct obs_table;
struct source_counter;
struct source_row;
struct source_status;

struct sim_sampler;

/* Simulates `how`, with the events of these counters, and their groups (a number per counter, or NULL). The constraints
 * are between the numbers of the counters; neither is kept. NULL and *e: as sim_run_new(), or none of the counters can
 * be counted. The status of each counter says why it cannot be counted. */
struct sim_sampler *sim_sampler_new(
	const struct sim_run_spec *how, const struct source_counter *, size_t n, struct err *e);
void sim_sampler_free(struct sim_sampler *);

const struct source_status *sim_sampler_status(const struct sim_sampler *); /* a status per counter */
/* Makes the status say that zeros are honest from now on: for a run that is judged alone, of a machine without lies. */
void sim_sampler_vouch(struct sim_sampler *);

/* Writes the next row into the caller's arrays; otherwise as sim_run_row(). */
enum sim_news sim_sampler_row(struct sim_sampler *, struct source_row *, struct err *e);
void sim_sampler_cancel(struct sim_sampler *); /* ends the simulation, as sim_run_cancel() */
const struct sim_run *sim_sampler_run(const struct sim_sampler *); /* the run, for its truth and its workload */

/* Adds one observation of up to `samples` rows to a table whose columns are the counters, in their order. It is exact
 * when the counters took no turns. Its health comes from its own rows (collect/liveness.h). False and *e: nothing was
 * added. */
bool sim_sampler_observe(
	struct sim_sampler *, size_t samples, const char *name, const char *source, struct obs_table *, struct err *e);

/* Corrects health over many workloads, since one workload does not use everything. A counter that rose in some
 * observation of the table is live, and its zeros are real. A counter that rose in none of SIM_CROWD or more
 * observations is dead. If the machine was not asked to lie (`honest`), the zeros of all others are real, too. */
#define SIM_CROWD 20
void sim_judge_health(struct obs_table *, bool honest);

#endif
