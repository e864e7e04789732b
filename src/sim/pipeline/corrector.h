/* The statistical corrector: a sum of counters that reverts TAGE's predictions where they are wrong more often than
 * right (Seznec, "A new case for the TAGE branch predictor", MICRO 2011; "TAGE-SC-L branch predictors", CBP 2014;
 * "TAGE-SC-L branch predictors again", CBP 2016). It also sees histories that TAGE does not: outcomes of the branch
 * itself, the path, and the iterations of the innermost loop (Seznec, San Miguel and Albericio, "The inner most loop
 * iteration counter", MICRO 2015). */
#ifndef SIM_PIPELINE_CORRECTOR_H
#define SIM_PIPELINE_CORRECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pipeline/tage.h"

#define SIM_CORRECTOR_LOCALS 2  /* tables of histories of single branches */
#define SIM_CORRECTOR_TABLES 13 /* tables of counters that see a history */
#define SIM_CORRECTOR_BIASES 3  /* those that see what TAGE says */

struct sim_corrector;

/* What the corrector saw before a branch. */
struct sim_corrector_past {
	uint64_t outcomes; /* of conditional branches, newest in bit 0 */
	uint64_t path;
	uint16_t local[SIM_CORRECTOR_LOCALS];
	uint16_t iteration;
};

struct sim_corrector_reading {
	uint32_t place[SIM_CORRECTOR_BIASES + SIM_CORRECTOR_TABLES];
	int sum;       /* at least 0: taken */
	int threshold; /* below it, the sum is unsure */
	bool taken;    /* the prediction of both together */
};

/* `kib`: like sim_tage_new(). */
struct sim_corrector *sim_corrector_new(unsigned kib, unsigned history);
void sim_corrector_free(struct sim_corrector *);

/* Copies the histories that a conditional branch sees. */
void sim_corrector_look(const struct sim_corrector *, uint64_t pc, struct sim_corrector_past *);
/* Reads the tables. */
void sim_corrector_read(const struct sim_corrector *, const struct sim_corrector_past *, uint64_t pc,
	const struct sim_tage_reading *, struct sim_corrector_reading *);
/* Trains with the outcome of a branch, and with what the tables say now with the histories of its prediction. */
void sim_corrector_train(struct sim_corrector *, uint64_t pc, const struct sim_tage_reading *,
	const struct sim_corrector_reading *, bool taken, uint64_t next);

/* Adds a branch to the histories. */
void sim_corrector_push(struct sim_corrector *, uint64_t pc, bool conditional, bool taken);
/* Restores the histories from before the newest branch. */
void sim_corrector_undo(struct sim_corrector *, uint64_t pc, bool conditional, const struct sim_corrector_past *);

uint64_t sim_corrector_bits(const struct sim_corrector *);

#endif
