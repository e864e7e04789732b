/* TAGE: a table of two-bit counters by address, and tagged tables, each by address and a longer history than the one
 * before (Seznec and Michaud, "A case for (partially) tagged geometric history length branch prediction", JILP 2006).
 *
 * tage_sc_l.c adds a loop predictor and a statistical corrector. */
#ifndef SIM_PIPELINE_TAGE_H
#define SIM_PIPELINE_TAGE_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_TAGE_TABLES 16 /* the most tagged tables */

struct sim_tage;

/* The histories of all tables, each folded. */
struct sim_tage_past {
	uint32_t fold[SIM_TAGE_TABLES];
};

enum sim_tage_trust { SIM_TAGE_LOW, SIM_TAGE_MEDIUM, SIM_TAGE_HIGH };

/* What the tables say about a branch. */
struct sim_tage_reading {
	uint16_t tag[SIM_TAGE_TABLES];
	uint32_t place[SIM_TAGE_TABLES]; /* index of the entry in each table */
	uint32_t base;                   /* index in the table by address */
	/* tables with the longest and second longest history that match; −1: by address */
	int provider, other;
	bool longest, alternate;         /* predictions of provider and other */
	bool weak;                       /* the provider's counter still has its first value */
	bool taken;                      /* the prediction: `longest` or `alternate` */
	enum sim_tage_trust trust;
};

/* `kib`: KiB of storage for all of tage_sc_l.c, rounded down to a power of two. These tables take most of it. */
struct sim_tage *sim_tage_new(unsigned kib, unsigned history);
void sim_tage_free(struct sim_tage *);

/* Reads the tables for a conditional branch. */
void sim_tage_read(const struct sim_tage *, const struct sim_tage_past *, uint64_t pc, struct sim_tage_reading *);
/* Trains with the outcome of a branch, and with what the tables now say for the history of its prediction. `right`:
 * all predictors together predicted it correctly. */
void sim_tage_train(struct sim_tage *, const struct sim_tage_reading *, bool taken, bool right);

/* Adds branch number n (branches of all kinds, from 0) to the histories. After a recovery, numbers are used again.
 * `target`: the target of an indirect branch or a return, otherwise 0. */
void sim_tage_push(struct sim_tage *, struct sim_tage_past *, uint64_t n, uint64_t pc, bool taken, uint64_t target);

uint64_t sim_tage_bits(const struct sim_tage *);

#endif
