/* Samples of a simulated machine as every source gives them: a row of increments for counters that are sums of events.
 */
#ifndef COLLECT_SIM_SAMPLER_H
#define COLLECT_SIM_SAMPLER_H

#include <stddef.h>
#include <stdint.h>

#include "collect/sim/run.h"

struct err;
struct obs_table;
struct source_counter;
struct source_row;
struct source_status;

struct sim_sampler;

/* What is simulated is `how`, whose events are those of the counters, and whose groups are theirs: a number per
 * counter, or NULL. Nothing of the counters is kept. NULL and *e: as sim_run_new(), or none of the counters can be
 * counted; those that cannot be are told by their status. */
struct sim_sampler *sim_sampler_new(
	const struct sim_run_spec *how, const struct source_counter *, size_t n, struct err *e);
void sim_sampler_free(struct sim_sampler *);

const struct source_status *sim_sampler_status(const struct sim_sampler *); /* per counter */

/* The next row, into the caller's arrays; as sim_run_row(). */
enum sim_news sim_sampler_row(struct sim_sampler *, struct source_row *, struct err *e);
void sim_sampler_cancel(struct sim_sampler *); /* as sim_run_cancel() */
const struct sim_run *sim_sampler_run(const struct sim_sampler *); /* its truth, its workload */

/* A whole observation of up to `samples` rows, added to a table whose columns are the counters, in their order. It is
 * exact where the counters did not take turns. Its health is told by its own rows (collect/liveness.h). False and *e:
 * nothing was added. */
bool sim_sampler_observe(
	struct sim_sampler *, size_t samples, const char *name, const char *source, struct obs_table *, struct err *e);

/* The same workload cannot do everything, but many together do: a counter that rose in some observation of the table is
 * alive, and where it reads 0 that is a 0; one that rose in none of SIM_CROWD or more is dead. */
#define SIM_CROWD 20
void sim_judge_health(struct obs_table *);

#endif
