#include "sim/pipeline/predict.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "sim/pipeline/tage_sc_l.h"
#include "sim/pipeline/targets.h"
#include "sim/pipeline/two_bit.h"

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
	struct sim_predictor *p = mem_new(sizeof *p);

	p->kind = size->kind;
	p->targets = sim_targets_new(size);
	switch (size->kind) {
	case SIM_PREDICT_PERFECT:
		break;
	case SIM_PREDICT_BIMODAL:
	case SIM_PREDICT_GSHARE:
	case SIM_PREDICT_HYBRID:
		p->two_bit = sim_two_bit_new(size->kind, size->entries, size->history);
		break;
	case SIM_PREDICT_TAGE:
		p->tage = sim_tage_sc_l_new(size->entries, size->history, SIM_PREDICTOR_FLIGHTS);
		break;
	}
	return p;
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
sim_predictor_ask(struct sim_predictor *p, const struct sim_op *o)
{
	struct sim_prediction answer = {.ticket = p->next, .taken = true};
	bool conditional = o->branch == SIM_CONDITIONAL;

	if (p->next - p->oldest == SIM_PREDICTOR_FLIGHTS)
		panic("more than %u branches in flight", SIM_PREDICTOR_FLIGHTS);
	p->next++;
	if (p->tage)
		answer.taken = sim_tage_sc_l_ask(p->tage, answer.ticket, o);
	else if (conditional)
		answer.taken = p->two_bit ? sim_two_bit_read(p->two_bit, o->pc, p->outcomes) : o->flags & SIM_OP_TAKEN;
	answer.target = answer.taken ? sim_targets_read(p->targets, o) : o->pc + o->length;
	push(p, answer.ticket, o, answer.taken, answer.target);
	return answer;
}

void
sim_predictor_forget(struct sim_predictor *p, uint64_t ticket)
{
	if (ticket - p->oldest >= p->next - p->oldest)
		panic("branch %llu is not in flight", (unsigned long long)ticket);
	/* From the newest on: each restores what was before it. */
	while (p->next > ticket) {
		const struct flight *f = flight_of(p, --p->next);

		p->outcomes = f->outcomes;
		sim_targets_undo(p->targets, &f->targets);
		if (p->tage)
			sim_tage_sc_l_undo(p->tage, p->next);
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
sim_predictor_commit(struct sim_predictor *p, uint64_t ticket, const struct sim_op *o)
{
	const struct flight *f = flight_of(p, ticket);

	if (ticket != p->oldest || ticket == p->next)
		panic("branch %llu is not the oldest one in flight", (unsigned long long)ticket);
	sim_targets_train(p->targets, o, &f->targets);
	if (p->two_bit && o->branch == SIM_CONDITIONAL)
		sim_two_bit_train(p->two_bit, o->pc, f->outcomes, o->flags & SIM_OP_TAKEN);
	if (p->tage && o->branch == SIM_CONDITIONAL)
		sim_tage_sc_l_train(p->tage, ticket, p->next - 1, o);
	p->oldest++;
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
