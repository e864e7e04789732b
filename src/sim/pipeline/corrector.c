/* A counter c votes 2c + 1. Three tables of counters are found by what TAGE says; at first they vote for its
 * prediction, as strongly as TAGE is sure. The others are found by a history each. Tables with the same kind of history
 * form a group. Its votes count twice for branches where this turned the sum into the right direction.
 *
 * A sum beyond the threshold is sure. The threshold is trained, too: it rises with wrong sums and falls with unsure
 * right ones, as in O-GEHL (Seznec, ISCA 2005). */
#include "sim/pipeline/predictors.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sim/pipeline/counter.h"

#define COUNTER_BITS 6
#define WEIGHT_BITS 6
#define WEIGHTS 8
#define THRESHOLD_BITS 8
#define THRESHOLDS 16
#define THRESHOLD_STEPS 8 /* of the common threshold, in one unit */
#define THRESHOLD_COMMON 35
#define COMMON_BITS 12
#define THRESHOLD_GROUP 12 /* for each group that counts twice */
#define CHOICE_BITS 7
#define BACKWARD_LOG 8 /* entries, for 64 KiB */
#define ITERATION_MOST 255
#define ALL_TABLES (SIM_CORRECTOR_BIASES + SIM_CORRECTOR_TABLES)

enum group { BIAS, OUTCOMES, PATH, LOCAL, FEW_LOCAL, ITERATION, GROUPS };

/* Entries (as logarithm, for 64 KiB) and bits of the tables of single branches' histories. */
static const struct {
	unsigned log, bits;
} locals[SIM_CORRECTOR_LOCALS] = {{8, 11}, {4, 16}};

/* Branches of the history, and entries of the table (as logarithm) for 64 KiB. Groups are in their order. */
static const struct corrector_table {
	enum group group;
	unsigned history, log;
} tables[ALL_TABLES] = {
	{BIAS, 0, 8}, {BIAS, 0, 8}, {BIAS, 0, 8},
	{OUTCOMES, 40, 9}, {OUTCOMES, 24, 10}, {OUTCOMES, 10, 10},
	{PATH, 25, 8}, {PATH, 16, 9}, {PATH, 9, 9},
	{LOCAL, 11, 9}, {LOCAL, 6, 10}, {LOCAL, 3, 10},
	{FEW_LOCAL, 16, 8}, {FEW_LOCAL, 11, 9}, {FEW_LOCAL, 6, 9},
	{ITERATION, 10, 8},
};

struct sim_corrector {
	int8_t *counter[ALL_TABLES];
	unsigned log[ALL_TABLES];
	uint64_t seen[ALL_TABLES]; /* mask of the history that counts */
	int8_t weight[GROUPS][WEIGHTS];
	int common;                /* threshold in steps */
	int8_t threshold[THRESHOLDS];
	int8_t choice[2];          /* for medium and high trust in TAGE: at least 0 prefers it to an unsure sum */
	uint64_t outcomes, path;
	uint16_t iteration;
	uint16_t *local[SIM_CORRECTOR_LOCALS];
	unsigned local_log[SIM_CORRECTOR_LOCALS];
	bool *backward;            /* by address: the branch goes back when taken */
	unsigned backward_log;
};

/* Histories are neutral at first: half of their tables vote for each direction. */
static void
fill_counters(struct sim_corrector *c)
{
	for (int t = SIM_CORRECTOR_BIASES; t < ALL_TABLES; t++)
		for (unsigned i = 0; i < 1u << c->log[t]; i++)
			c->counter[t][i] = (int8_t)-(t & 1);
	for (int t = 0; t < SIM_CORRECTOR_BIASES; t++)
		for (unsigned i = 0; i < 1u << c->log[t]; i++) {
			bool taken = i & 1, sure = i & 2;

			c->counter[t][i] = (int8_t)(taken ? (sure ? 31 : 0) : (sure ? -32 : -1));
		}
}

struct sim_corrector *
sim_corrector_new(unsigned kib, unsigned history)
{
	struct sim_corrector *corrector = mem_new(sizeof *corrector);

	for (int t = 0; t < ALL_TABLES; t++) {
		unsigned length = history < tables[t].history ? history : tables[t].history;

		if (tables[t].group == ITERATION)
			length = tables[t].history;
		corrector->log[t] = sim_table_log(tables[t].log, kib, 2);
		corrector->counter[t] = mem_new_array((size_t)1 << corrector->log[t], 1);
		corrector->seen[t] = ((uint64_t)1 << length) - 1;
	}
	fill_counters(corrector);
	corrector->common = THRESHOLD_COMMON * THRESHOLD_STEPS;
	for (int i = 0; i < SIM_CORRECTOR_LOCALS; i++) {
		corrector->local_log[i] = sim_table_log(locals[i].log, kib, 2);
		corrector->local[i] = mem_new_array((size_t)1 << corrector->local_log[i], sizeof *corrector->local[i]);
	}
	corrector->backward_log = sim_table_log(BACKWARD_LOG, kib, 2);
	corrector->backward = mem_new_array((size_t)1 << corrector->backward_log, sizeof *corrector->backward);
	return corrector;
}

void
sim_corrector_free(struct sim_corrector *c)
{
	if (!c)
		return;
	for (int t = 0; t < ALL_TABLES; t++)
		free(c->counter[t]);
	for (int i = 0; i < SIM_CORRECTOR_LOCALS; i++)
		free(c->local[i]);
	free(c->backward);
	free(c);
}

static uint16_t *
local_of(const struct sim_corrector *c, int i, uint64_t pc)
{
	return &c->local[i][sim_spread(pc) >> (64 - c->local_log[i])];
}

static bool *
backward_of(const struct sim_corrector *c, uint64_t pc)
{
	return &c->backward[sim_spread(pc) >> (64 - c->backward_log)];
}

static unsigned
hash_of(uint64_t pc, unsigned below)
{
	return (unsigned)((pc ^ pc >> 2 ^ pc >> 5) % below);
}

void
sim_corrector_look(const struct sim_corrector *c, uint64_t pc, struct sim_corrector_past *past)
{
	past->outcomes = c->outcomes;
	past->path = c->path;
	past->iteration = c->iteration;
	for (int i = 0; i < SIM_CORRECTOR_LOCALS; i++)
		past->local[i] = *local_of(c, i, pc);
}

/* Finds the places in tables that see what TAGE says. The last two bits are how sure it is, and what it predicts. */
static void
find_biases(const struct sim_corrector *corrector, uint64_t pc, const struct sim_tage_reading *tage,
	struct sim_corrector_reading *reading)
{
	uint64_t say = (uint64_t)(tage->trust == SIM_TAGE_HIGH) << 1 | tage->taken;
	uint64_t more[SIM_CORRECTOR_BIASES] = {
		tage->trust == SIM_TAGE_LOW,
		8 + (uint64_t)(tage->longest == tage->alternate),
		16 + (uint64_t)(tage->provider + 1),
	};

	for (int t = 0; t < SIM_CORRECTOR_BIASES; t++) {
		uint64_t h = sim_spread(pc + (more[t] << 56)) >> (64 - corrector->log[t]);

		reading->place[t] = (uint32_t)((h & ~(uint64_t)3) | say);
	}
}

static void
find_histories(const struct sim_corrector *corrector, const struct sim_corrector_past *past, uint64_t pc,
	struct sim_corrector_reading *reading)
{
	const uint64_t history[GROUPS] = {
		[OUTCOMES] = past->outcomes, [PATH] = past->path, [LOCAL] = past->local[0],
		[FEW_LOCAL] = past->local[1], [ITERATION] = past->iteration,
	};
	uint64_t address = sim_spread(pc);

	for (int t = SIM_CORRECTOR_BIASES; t < ALL_TABLES; t++) {
		uint64_t seen = history[tables[t].group] & corrector->seen[t];

		reading->place[t] = (uint32_t)(sim_spread(address + (seen << 1)) >> (64 - corrector->log[t]));
	}
}

static void
sum_groups(const struct sim_corrector *c, const struct sim_corrector_reading *r, int sum[GROUPS])
{
	int t = 0;

	for (enum group g = BIAS; g < GROUPS; g++)
		for (sum[g] = 0; t < ALL_TABLES && tables[t].group == g; t++)
			sum[g] += 2 * c->counter[t][r->place[t]] + 1;
}

/* Chooses between TAGE and a sum that says the opposite. */
static bool
prefer_tage(const struct sim_corrector *c, enum sim_tage_trust trust, const struct sim_corrector_reading *r)
{
	int size = abs(r->sum);

	if (trust == SIM_TAGE_HIGH)
		return size < r->threshold / 4 || (size < r->threshold / 2 && c->choice[1] >= 0);
	return trust == SIM_TAGE_MEDIUM && size < r->threshold / 4 && c->choice[0] >= 0;
}

void
sim_corrector_read(const struct sim_corrector *corrector, const struct sim_corrector_past *past, uint64_t pc,
	const struct sim_tage_reading *tage, struct sim_corrector_reading *reading)
{
	int sum[GROUPS];

	find_biases(corrector, pc, tage, reading);
	find_histories(corrector, past, pc, reading);
	sum_groups(corrector, reading, sum);
	reading->sum = 0;
	reading->threshold = corrector->common / THRESHOLD_STEPS + corrector->threshold[hash_of(pc, THRESHOLDS)];
	for (int g = 0; g < GROUPS; g++) {
		bool twice = corrector->weight[g][hash_of(pc, WEIGHTS)] >= 0;

		reading->sum += sum[g] * (1 + twice);
		reading->threshold += THRESHOLD_GROUP * twice;
	}
	reading->taken = reading->sum >= 0;
	if (reading->taken != tage->taken && prefer_tage(corrector, tage->trust, reading))
		reading->taken = tage->taken;
}

/* When an unsure sum contradicts TAGE, learns which of them is right. */
static void
train_choice(struct sim_corrector *c, const struct sim_tage_reading *tage, const struct sim_corrector_reading *r,
	bool taken)
{
	int size = abs(r->sum);

	if ((r->sum >= 0) == tage->taken)
		return;
	if (tage->trust == SIM_TAGE_HIGH && size < r->threshold / 2 && size >= r->threshold / 4)
		c->choice[1] = sim_counter_move(c->choice[1], tage->taken == taken, CHOICE_BITS);
	if (tage->trust == SIM_TAGE_MEDIUM && size < r->threshold / 4)
		c->choice[0] = sim_counter_move(c->choice[0], tage->taken == taken, CHOICE_BITS);
}

/* A group that turns the sum's direction, or would do so if it counted twice, learns whether that is right. */
static void
train_weights(struct sim_corrector *corrector, uint64_t pc, const struct sim_corrector_reading *reading, bool taken)
{
	int sum[GROUPS];

	sum_groups(corrector, reading, sum);
	for (int g = 0; g < GROUPS; g++) {
		int8_t *weight = &corrector->weight[g][hash_of(pc, WEIGHTS)];
		int once = reading->sum - (*weight >= 0 ? sum[g] : 0);

		if ((once >= 0) != (once + sum[g] >= 0))
			*weight = sim_counter_move(*weight, (sum[g] >= 0) == taken, WEIGHT_BITS);
	}
}

void
sim_corrector_train(struct sim_corrector *corrector, uint64_t pc, const struct sim_tage_reading *tage,
	const struct sim_corrector_reading *reading, bool taken, uint64_t next)
{
	bool wrong = (reading->sum >= 0) != taken;
	int8_t *threshold = &corrector->threshold[hash_of(pc, THRESHOLDS)];

	if (taken)
		*backward_of(corrector, pc) = next < pc;
	train_choice(corrector, tage, reading, taken);
	if (!wrong && abs(reading->sum) >= reading->threshold)
		return;
	corrector->common += wrong ? 1 : -1;
	corrector->common = corrector->common < 0        ? 0
		: corrector->common < (1 << COMMON_BITS) ? corrector->common
							 : (1 << COMMON_BITS) - 1;
	*threshold = sim_counter_move(*threshold, wrong, THRESHOLD_BITS);
	train_weights(corrector, pc, reading, taken);
	for (int t = 0; t < ALL_TABLES; t++)
		corrector->counter[t][reading->place[t]] = sim_counter_move(
			corrector->counter[t][reading->place[t]], taken, COUNTER_BITS);
}

void
sim_corrector_push(struct sim_corrector *corrector, uint64_t pc, bool conditional, bool taken)
{
	corrector->path = corrector->path << 1 ^ (sim_spread(pc) >> 60);
	if (!conditional)
		return;
	corrector->outcomes = corrector->outcomes << 1 | taken;
	for (int i = 0; i < SIM_CORRECTOR_LOCALS; i++) {
		uint16_t *local = local_of(corrector, i, pc);

		*local = (uint16_t)((*local << 1 | taken) & ((1 << locals[i].bits) - 1));
	}
	if (*backward_of(corrector, pc))
		corrector->iteration = taken
			? (uint16_t)(corrector->iteration + (corrector->iteration < ITERATION_MOST))
			: 0;
}

void
sim_corrector_undo(struct sim_corrector *c, uint64_t pc, bool conditional, const struct sim_corrector_past *past)
{
	c->outcomes = past->outcomes;
	c->path = past->path;
	c->iteration = past->iteration;
	for (int i = 0; i < SIM_CORRECTOR_LOCALS && conditional; i++)
		*local_of(c, i, pc) = past->local[i];
}

uint64_t
sim_corrector_bits(const struct sim_corrector *c)
{
	uint64_t bits = GROUPS * WEIGHTS * WEIGHT_BITS + THRESHOLDS * THRESHOLD_BITS + COMMON_BITS + 2 * CHOICE_BITS;

	for (int t = 0; t < ALL_TABLES; t++)
		bits += (uint64_t)COUNTER_BITS << c->log[t];
	for (int i = 0; i < SIM_CORRECTOR_LOCALS; i++)
		bits += (uint64_t)locals[i].bits << c->local_log[i];
	return bits + ((uint64_t)1 << c->backward_log);
}
