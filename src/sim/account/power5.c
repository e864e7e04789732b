/* Completion stalls as IBM's POWER5 counts them (section 2 of the source). A cycle counts only if no µop commits in it:
 *
 *   reorder buffer               the cycle counts for
 *   empty after a misprediction  the branch, until µops enter
 *   empty after a fetch miss     the miss, until µops enter
 *   empty for another reason     nothing
 *   not empty                    what the oldest µop waits for, while it does; otherwise nothing
 *
 *   cycle      0         10        20        30
 *   fetch      mmmmmmmmmm······················   a miss of 10 cycles
 *   dispatch   ·····          ·················   5 stages later
 *   commit     ········          ··············   the reorder buffer drains for 3 cycles
 *   counts             *******                    7 of 10
 *
 * The cycles in which the reorder buffer drains count for nothing, because µops still commit in them. So a fetch miss
 * is charged its delay less the time of draining, and nothing if draining takes longer; a mispredicted branch is
 * charged part of the refilling, and never its resolution. A data miss is charged from the cycle in which it reaches
 * the head, although µops still enter after it. The source shows these as the errors of the method.
 *
 * A fetch miss that follows a misprediction is the branch's until µops enter: the flush came first.
 *
 * POWER5 commits groups of up to five instructions. That is left out: a cycle is one without a commit when the
 * simulated machine commits nothing. */
#include "sim/account/methods.h"

/* The youngest µops are gone, because of a mispredicted branch or for another reason. Only a branch is charged for the
 * empty reorder buffer that may follow; the flush that came last decides. */
void
sim_power5_flush(struct sim_power5 *p, bool branch)
{
	p->flushed = branch;
}

/* Returns the part that a cycle without a commit is charged to. */
static enum sim_part
stalled_by(const struct sim_power5 *p, const struct sim_signals *s)
{
	if (!s->rob_empty)
		return s->head_waits;
	return p->flushed ? SIM_PART_BRANCH : (enum sim_part)s->starved_by;
}

void
sim_power5_cycle(struct sim_power5 *p, const struct sim_signals *s)
{
	enum sim_part part = s->committed ? SIM_PART_BASE : stalled_by(p, s);

	if (part != SIM_PART_BASE)
		p->counts[part] += s->cycles;
	if (s->dispatched)
		p->flushed = false;
}

/* The latch of the flush. The pipeline itself carries the reasons for an empty reorder buffer and for a stalled µop to
 * the counters. */
uint64_t
sim_power5_bits(void)
{
	return 1;
}
