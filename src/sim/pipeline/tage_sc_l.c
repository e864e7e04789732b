/* A prediction: TAGE's, which the corrector may revert, unless the loop predictor knows the branch and has been useful
 * lately.
 *
 * At commit the tables are read again, with the histories that the branch saw. So the branch does not teach them again
 * what they have learnt since its prediction (Seznec, MICRO 2011, compares both ways). */

#include <stdlib.h>

#include "base/mem.h"
#include "sim/pipeline/counter.h"
#include "sim/pipeline/predictors.h"
#include "sim/pipeline/tage.h"

#define LOOP_CHOICE_BITS 7

/* A branch in flight, and the histories before it. */
struct tage_flight {
	uint64_t pc;
	struct sim_corrector_past corrector;
	struct sim_tage_past tage;
	struct sim_loop_past loop;
	bool conditional;
	bool predicted; /* outcome */
};

struct sim_tage_sc_l {
	struct sim_tage *tage;
	struct sim_loops *loops;
	struct sim_corrector *corrector;
	struct sim_tage_past now;
	int8_t loop_choice; /* at least 0: the loop predictor is used */
	uint64_t random;
	struct tage_flight *flight;
	uint64_t mask;
};

/* What all parts say of one branch. */
struct opinion {
	struct sim_tage_reading tage;
	struct sim_corrector_reading corrector;
	bool taken; /* the prediction of all together */
};

struct sim_tage_sc_l *
sim_tage_sc_l_new(unsigned kib, unsigned history, unsigned in_flight)
{
	struct sim_tage_sc_l *p = mem_new(sizeof *p);

	p->tage = sim_tage_new(kib, history);
	p->loops = sim_loops_new(kib);
	p->corrector = sim_corrector_new(kib, history);
	p->loop_choice = -1;
	p->flight = mem_new_array(in_flight, sizeof *p->flight);
	p->mask = in_flight - 1;
	return p;
}

void
sim_tage_sc_l_free(struct sim_tage_sc_l *p)
{
	if (!p)
		return;
	sim_tage_free(p->tage);
	sim_loops_free(p->loops);
	sim_corrector_free(p->corrector);
	free(p->flight);
	free(p);
}

static void
tage_sc_l_read_all(const struct sim_tage_sc_l *p, const struct tage_flight *f, struct opinion *o)
{
	sim_tage_read(p->tage, &f->tage, f->pc, &o->tage);
	sim_corrector_read(p->corrector, &f->corrector, f->pc, &o->tage, &o->corrector);
	o->taken = f->loop.known && p->loop_choice >= 0 ? f->loop.taken : o->corrector.taken;
}

bool
sim_tage_sc_l_ask(struct sim_tage_sc_l *sim_tage_sc_l, uint64_t ticket, const struct sim_op *op)
{
	struct tage_flight *flight = &sim_tage_sc_l->flight[ticket & sim_tage_sc_l->mask];
	struct opinion opinion;

	flight->pc = op->pc;
	flight->tage = sim_tage_sc_l->now;
	flight->conditional = op->branch == SIM_CONDITIONAL;
	flight->loop.entry = -1;
	sim_corrector_look(sim_tage_sc_l->corrector, flight->pc, &flight->corrector);
	if (!flight->conditional)
		return true;
	flight->loop = sim_loops_read(sim_tage_sc_l->loops, flight->pc);
	tage_sc_l_read_all(sim_tage_sc_l, flight, &opinion);
	return flight->predicted = opinion.taken;
}

void
sim_tage_sc_l_push(struct sim_tage_sc_l *p, uint64_t ticket, const struct sim_op *o, bool taken, uint64_t next)
{
	const struct tage_flight *f = &p->flight[ticket & p->mask];
	bool varies = o->branch == SIM_INDIRECT || o->branch == SIM_INDIRECT_CALL || o->branch == SIM_RETURN;

	sim_loops_push(p->loops, &f->loop, taken);
	sim_corrector_push(p->corrector, f->pc, f->conditional, taken);
	sim_tage_push(p->tage, &p->now, ticket, f->pc, taken, varies ? next : 0);
}

void
sim_tage_sc_l_undo(struct sim_tage_sc_l *p, uint64_t ticket)
{
	const struct tage_flight *f = &p->flight[ticket & p->mask];

	p->now = f->tage;
	sim_corrector_undo(p->corrector, f->pc, f->conditional, &f->corrector);
	sim_loops_undo(p->loops, &f->loop);
}

/* May give a branch an entry. Younger branches in flight that used the entry for another branch give it up. */
static void
add_loop(struct sim_tage_sc_l *p, uint64_t ticket, uint64_t newest, bool taken)
{
	int added = sim_loops_add(p->loops, p->flight[ticket & p->mask].pc, taken, random_next(&p->random));

	while (added >= 0 && ticket < newest) {
		struct tage_flight *f = &p->flight[++ticket & p->mask];

		if (f->loop.entry == added)
			f->loop.entry = -1;
	}
}

static void
train_loops(struct sim_tage_sc_l *p, uint64_t ticket, uint64_t newest, const struct opinion *opinion, bool taken)
{
	const struct tage_flight *f = &p->flight[ticket & p->mask];

	if (f->loop.known && f->loop.taken != opinion->corrector.taken)
		p->loop_choice = sim_counter_move(p->loop_choice, f->loop.taken == taken, LOOP_CHOICE_BITS);
	if (f->loop.entry >= 0)
		sim_loops_train(p->loops, &f->loop, taken,
			f->loop.taken != opinion->corrector.taken || random_below(&p->random, 8) == 0);
	else if (f->predicted != taken)
		add_loop(p, ticket, newest, taken);
}

void
sim_tage_sc_l_train(struct sim_tage_sc_l *p, uint64_t ticket, uint64_t newest, const struct sim_op *o)
{
	const struct tage_flight *f = &p->flight[ticket & p->mask];
	bool taken = o->flags & SIM_OP_TAKEN;
	struct opinion opinion;

	tage_sc_l_read_all(p, f, &opinion);
	train_loops(p, ticket, newest, &opinion, taken);
	sim_corrector_train(p->corrector, f->pc, &opinion.tage, &opinion.corrector, taken, o->next);
	sim_tage_train(p->tage, &opinion.tage, taken, opinion.taken == taken);
}

uint64_t
sim_tage_sc_l_bits(const struct sim_tage_sc_l *p)
{
	return sim_tage_bits(p->tage) + sim_loops_bits(p->loops) + sim_corrector_bits(p->corrector) + LOOP_CHOICE_BITS;
}
