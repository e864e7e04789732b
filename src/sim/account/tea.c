/* A time-proportional account, after TEA (Gottschall, Eeckhout, Jahre, ISCA 2023), which charges each cycle to the µops
 * that commit next, and to the events that these met. Commit is in one of four states:
 *
 *   state      in the cycle                                        the cycle is charged to
 *   computing  µops commit                                         the base
 *   stalled    the oldest µop is not complete                      what it waits for, or waited for last
 *   drained    the reorder buffer is empty                         the fetch miss that the next µop met, or the base
 *   flushed    the same, after a misprediction until µops enter    the branch
 *
 * Each cycle is charged to exactly one part, so the base is counted and not left over: it cannot be negative, and the
 * parts sum to the cycles. TEA gives each instruction its own stack: instructions.h. Here all are summed.
 *
 * The states are those of POWER5's completion stalls, and so the errors about drains and resolution are the same:
 * summed over all instructions, a cycle in which an older µop commits is no cycle of the miss. There are two
 * differences. The base is counted. A µop keeps its event until it commits: the cycles between the end of its miss and
 * its commit are charged to the miss, while POWER5 charges them to nothing. TEA charges the cycles before the miss
 * began, too, because it reads the events at commit; here they have gone to the base, so that no count ever shrinks.
 *
 * TEA has combined events for a µop that met several. Here the last one counts. */
#include "sim/account/methods.h"

/* The youngest µops are gone. If none is left, the next cycle has an empty reorder buffer and forgets the event. */
void
sim_tea_flush(struct sim_tea *t, bool branch)
{
	t->flushed = branch;
}

/* Returns the part that the cycle is charged to, and notes the event of the oldest µop. */
static enum sim_part
take_cycle(struct sim_tea *t, const struct sim_signals *s)
{
	if (s->committed || s->rob_empty)
		t->stalled_on = SIM_PART_BASE;
	else if (s->head_waits != SIM_PART_BASE)
		t->stalled_on = s->head_waits;
	if (s->committed)
		return SIM_PART_BASE;
	if (!s->rob_empty)
		return t->stalled_on;
	return t->flushed ? SIM_PART_BRANCH : (enum sim_part)s->starved_by;
}

void
sim_tea_cycle(struct sim_tea *t, const struct sim_signals *s)
{
	t->charged = take_cycle(t, s);
	t->counts[t->charged] += s->cycles;
	if (s->dispatched)
		t->flushed = false;
}

/* The latch of the flush, and the event of the oldest µop: none, or one of the back end's parts. TEA itself needs the
 * events of each µop in flight, because it samples instructions. */
uint64_t
sim_tea_bits(void)
{
	return 1 + 3;
}

_Static_assert(SIM_PART_UNIT - SIM_PART_L1D + 1 < 8, "the event of the oldest µop has 3 bits");
