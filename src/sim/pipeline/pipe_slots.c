/* Dispatch slots: a machine of width W has W of them in each cycle, and each is charged to exactly one cause, so that
 * all causes sum to W × cycles.
 *
 *   a µop takes the slot      right path: retiring; wrong path: wrong_path; dispatched again after a clear: cleared
 *   none, after a squash      recovery, or cleared, until a µop of the right path is dispatched
 *   none, dispatch is blocked what the oldest µop waits for; or what the oldest store does that leaves the full queue
 *   none, one too many        the limit of floating-point µops in a cycle: FVDQBandwidth
 *   none, no µop is there     why fetch was late with the next one: a miss, a taken branch, its width
 *
 * The causes of the back end have the names of the stall reasons of XS-GEM5 (OpenXiangShan, src/cpu/o3/comm.hh), which
 * Cliff-SKP clusters. XS-GEM5 asks the oldest µop, too. It knows wrong paths only when they are resolved; here the
 * simulator knows them at once, so a slot without µops on a wrong path is no loss of the front end.
 *
 * A µop that had to wait for a port longer than it takes to execute is charged to bandwidth, otherwise to latency. */
#include "sim/pipeline/pipe_state.h"

static bool
pipe_slots_is_fp(enum sim_op_kind k)
{
	return k == SIM_OP_FADD || k == SIM_OP_FMUL || k == SIM_OP_FDIV || k == SIM_OP_FMA;
}

/* The cause of a µop that is ready and has no port. */
static enum sim_event
bandwidth_of(const struct pipe_uop *u)
{
	if (sim_op_reads(&u->op) || sim_op_writes(&u->op))
		return SIM_SLOT_MEM_BANDWIDTH;
	return pipe_slots_is_fp((enum sim_op_kind)u->op.kind) ? SIM_SLOT_FV_BANDWIDTH : SIM_SLOT_INT_BANDWIDTH;
}

/* The cause for a level that data come from: `first` is that of L1, and L2, L3 and memory follow. */
static enum sim_event
pipe_slots_level_of(const struct sim_pipe *p, enum sim_part part, enum sim_event first)
{
	int level = part == SIM_PART_L1D ? 1 : part == SIM_PART_L2D && p->memory.has_l3 ? 2
		: part == SIM_PART_L2D || part == SIM_PART_L3D ? 3 : 0;

	return (enum sim_event)((int)first + level);
}

/* The cause of the oldest µop while it is executed. */
static enum sim_event
running_cause(const struct sim_pipe *p, const struct pipe_uop *u)
{
	bool memory = sim_op_reads(&u->op) || sim_op_writes(&u->op);
	unsigned latency = p->size->latency[u->op.kind];

	if (memory && u->dtlb_missed && p->now < u->translated)
		return SIM_SLOT_DTLB;
	if (memory && u->part != SIM_PART_BASE)
		return pipe_slots_level_of(
			p, (enum sim_part)u->part, sim_op_reads(&u->op) ? SIM_SLOT_LOAD_L1 : SIM_SLOT_STORE_L1);
	if (u->held_up > latency)
		return bandwidth_of(u);
	if (memory)
		return sim_op_reads(&u->op) ? SIM_SLOT_LOAD_L1 : SIM_SLOT_STORE_L1;
	if (latency <= 1)
		return SIM_SLOT_NOT_READY;
	return pipe_slots_is_fp((enum sim_op_kind)u->op.kind) ? SIM_SLOT_FV_EXECUTE : SIM_SLOT_SCALAR_EXECUTE;
}

/* Why dispatch is blocked. */
static enum sim_event
back_end_cause(struct sim_pipe *p)
{
	const struct pipe_uop *u = pipe_at(p, p->head);

	if (p->fp_full)
		return SIM_SLOT_FV_BANDWIDTH;
	if (p->store_blocked && p->release_first != p->release_next)
		return pipe_slots_level_of(
			p, (enum sim_part)p->released_from[p->release_first & p->release_mask], SIM_SLOT_STORE_L1);
	if (p->head == p->dispatched)
		return SIM_SLOT_NOT_READY;
	switch ((enum pipe_stage)u->stage) {
	case PIPE_DONE:
		return SIM_SLOT_COMMIT;
	case PIPE_READY:
		return bandwidth_of(u);
	case PIPE_RUNS:
		return running_cause(p, u);
	case PIPE_FRONT:
	case PIPE_WAITS:
	case PIPE_HELD:
		break;
	}
	return SIM_SLOT_NOT_READY;
}

/* Why dispatch ended with room for more: the front end has no µop. */
static enum sim_event
front_end_cause(struct sim_pipe *p)
{
	const struct pipe_uop *next = p->dispatched < p->fetched ? pipe_at(p, p->dispatched) : NULL;
	const struct pipe_uop *last = p->dispatched ? pipe_at(p, p->dispatched - 1) : NULL;
	enum sim_part starved = (enum sim_part)(next ? next->starved : p->starved);

	if (next ? next->wrong : p->wrong)
		return SIM_SLOT_WRONG_PATH;
	if (starved == SIM_PART_ITLB)
		return SIM_SLOT_ITLB;
	if (starved == SIM_PART_L1I)
		return SIM_SLOT_ICACHE_L2;
	if (starved == SIM_PART_L2I && p->memory.has_l3)
		return SIM_SLOT_ICACHE_L3;
	if (starved == SIM_PART_L2I || starved == SIM_PART_L3I)
		return SIM_SLOT_ICACHE_MEM;
	if (!next && p->branches >= p->size->branches)
		return SIM_SLOT_BRANCHES;
	return last && last->op.branch && last->op.flags & SIM_OP_TAKEN ? SIM_SLOT_TAKEN : SIM_SLOT_FETCH;
}

void
pipe_count_slots(struct sim_pipe *p, uint64_t n)
{
	uint64_t empty = n * p->machine->width - p->now_dispatched;
	enum sim_event cause;

	p->count[SIM_SLOT_RETIRING] += p->now_dispatched - p->wrong_dispatched - p->again_dispatched;
	p->count[SIM_SLOT_WRONG_PATH] += p->wrong_dispatched;
	p->count[SIM_SLOT_CLEARED] += p->again_dispatched;
	if (!empty)
		return;
	if (p->recovering)
		cause = p->again ? SIM_SLOT_CLEARED : SIM_SLOT_RECOVERY;
	else
		cause = pipe_back_end_is_full(p) ? back_end_cause(p) : front_end_cause(p);
	p->count[cause] += empty;
}
