#include "sim/pipeline/predict.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "sim/pipeline/predictors.h"

/* What recovery and training need of a branch in flight. */
struct flight {
	struct sim_targets_past targets;
	uint64_t outcomes; /* of the conditional branches before it */
};

struct sim_predictor {
	enum sim_predictor_kind kind;
	struct sim_targets *targets;
	struct sim_two_bit *two_bit;     /* bimodal, gshare, hybrid */
	struct sim_tage_sc_l *tage;
	uint64_t outcomes;               /* of conditional branches, newest in bit 0 */
	uint64_t oldest, next;           /* tickets in flight: from `oldest` up to before `next` */
	struct flight flight[SIM_PREDICTOR_FLIGHTS]; /* by ticket modulo their number */
};

static struct flight *
flight_of(struct sim_predictor *p, uint64_t ticket)
{
	return &p->flight[ticket % SIM_PREDICTOR_FLIGHTS];
}

struct sim_predictor *
sim_predictor_new(const struct sim_predictor_size *size)
{
	struct sim_predictor *predictor = mem_new(sizeof *predictor);

	predictor->kind = size->kind;
	predictor->targets = sim_targets_new(size);
	switch (size->kind) {
	case SIM_PREDICT_PERFECT:
		break;
	case SIM_PREDICT_BIMODAL:
	case SIM_PREDICT_GSHARE:
	case SIM_PREDICT_HYBRID:
		predictor->two_bit = sim_two_bit_new(size->kind, size->entries, size->history);
		break;
	case SIM_PREDICT_TAGE:
		predictor->tage = sim_tage_sc_l_new(size->entries, size->history, SIM_PREDICTOR_FLIGHTS);
		break;
	}
	return predictor;
}

void
sim_predictor_free(struct sim_predictor *p)
{
	if (!p)
		return;
	sim_targets_free(p->targets);
	sim_two_bit_free(p->two_bit);
	sim_tage_sc_l_free(p->tage);
	free(p);
}

/* Adds the newest branch to all histories, and keeps what they were. */
static void
push(struct sim_predictor *p, uint64_t ticket, const struct sim_op *o, bool taken, uint64_t next)
{
	struct flight *f = flight_of(p, ticket);

	f->outcomes = p->outcomes;
	if (o->branch == SIM_CONDITIONAL)
		p->outcomes = p->outcomes << 1 | taken;
	sim_targets_push(p->targets, o, taken, next, &f->targets);
	if (p->tage)
		sim_tage_sc_l_push(p->tage, ticket, o, taken, next);
}

struct sim_prediction
sim_predictor_ask(struct sim_predictor *predictor, const struct sim_op *op)
{
	struct sim_prediction answer = {.ticket = predictor->next, .taken = true};
	bool conditional = op->branch == SIM_CONDITIONAL;

	if (predictor->next - predictor->oldest == SIM_PREDICTOR_FLIGHTS)
		panic("more than %u branches in flight", SIM_PREDICTOR_FLIGHTS);
	predictor->next++;
	if (predictor->tage)
		answer.taken = sim_tage_sc_l_ask(predictor->tage, answer.ticket, op);
	else if (conditional)
		answer.taken = predictor->two_bit ? sim_two_bit_read(predictor->two_bit, op->pc, predictor->outcomes)
						  : op->flags & SIM_OP_TAKEN;
	answer.target = answer.taken ? sim_targets_read(predictor->targets, op) : op->pc + op->length;
	push(predictor, answer.ticket, op, answer.taken, answer.target);
	return answer;
}

void
sim_predictor_forget(struct sim_predictor *predictor, uint64_t ticket)
{
	if (ticket - predictor->oldest >= predictor->next - predictor->oldest)
		panic("branch %llu is not in flight", (unsigned long long)ticket);
	/* From the newest on: each restores what was before it. */
	while (predictor->next > ticket) {
		const struct flight *flight = flight_of(predictor, --predictor->next);

		predictor->outcomes = flight->outcomes;
		sim_targets_undo(predictor->targets, &flight->targets);
		if (predictor->tage)
			sim_tage_sc_l_undo(predictor->tage, predictor->next);
	}
}

void
sim_predictor_recover(struct sim_predictor *p, uint64_t ticket, const struct sim_op *o)
{
	sim_predictor_forget(p, ticket);
	p->next = ticket + 1;
	push(p, ticket, o, o->branch != SIM_CONDITIONAL || o->flags & SIM_OP_TAKEN, o->next);
}

void
sim_predictor_commit(struct sim_predictor *predictor, uint64_t ticket, const struct sim_op *op)
{
	const struct flight *flight = flight_of(predictor, ticket);

	if (ticket != predictor->oldest || ticket == predictor->next)
		panic("branch %llu is not the oldest one in flight", (unsigned long long)ticket);
	sim_targets_train(predictor->targets, op, &flight->targets);
	if (predictor->two_bit && op->branch == SIM_CONDITIONAL)
		sim_two_bit_train(predictor->two_bit, op->pc, flight->outcomes, op->flags & SIM_OP_TAKEN);
	if (predictor->tage && op->branch == SIM_CONDITIONAL)
		sim_tage_sc_l_train(predictor->tage, ticket, predictor->next - 1, op);
	predictor->oldest++;
}

uint64_t
sim_predictor_bits(const struct sim_predictor *p)
{
	uint64_t bits = sim_targets_bits(p->targets);

	if (p->two_bit)
		bits += sim_two_bit_bits(p->two_bit);
	if (p->tage)
		bits += sim_tage_sc_l_bits(p->tage);
	return bits;
}
