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
running_cause(const struct sim_pipe *pipe, const struct pipe_uop *uop)
{
	bool memory = sim_op_reads(&uop->op) || sim_op_writes(&uop->op);
	unsigned latency = pipe->size->latency[uop->op.kind];

	if (memory && uop->dtlb_missed && pipe->now < uop->translated)
		return SIM_SLOT_DTLB;
	if (memory && uop->part != SIM_PART_BASE)
		return pipe_slots_level_of(
			pipe, (enum sim_part)uop->part, sim_op_reads(&uop->op) ? SIM_SLOT_LOAD_L1 : SIM_SLOT_STORE_L1);
	if (uop->held_up > latency)
		return bandwidth_of(uop);
	if (memory)
		return sim_op_reads(&uop->op) ? SIM_SLOT_LOAD_L1 : SIM_SLOT_STORE_L1;
	if (latency <= 1)
		return SIM_SLOT_NOT_READY;
	return pipe_slots_is_fp((enum sim_op_kind)uop->op.kind) ? SIM_SLOT_FV_EXECUTE : SIM_SLOT_SCALAR_EXECUTE;
}

/* Why dispatch is blocked. */
static enum sim_event
back_end_cause(struct sim_pipe *pipe)
{
	const struct pipe_uop *uop = pipe_at(pipe, pipe->head);

	if (pipe->fp_full)
		return SIM_SLOT_FV_BANDWIDTH;
	if (pipe->store_blocked && pipe->release_first != pipe->release_next)
		return pipe_slots_level_of(pipe,
			(enum sim_part)pipe->released_from[pipe->release_first & pipe->release_mask],
			SIM_SLOT_STORE_L1);
	if (pipe->head == pipe->dispatched)
		return SIM_SLOT_NOT_READY;
	switch ((enum pipe_stage)uop->stage) {
	case PIPE_DONE:
		return SIM_SLOT_COMMIT;
	case PIPE_READY:
		return bandwidth_of(uop);
	case PIPE_RUNS:
		return running_cause(pipe, uop);
	case PIPE_FRONT:
	case PIPE_WAITS:
	case PIPE_HELD:
		break;
	}
	return SIM_SLOT_NOT_READY;
}

/* Why dispatch ended with room for more: the front end has no µop. */
static enum sim_event
front_end_cause(struct sim_pipe *pipe)
{
	const struct pipe_uop *next = pipe->dispatched < pipe->fetched ? pipe_at(pipe, pipe->dispatched) : NULL;
	const struct pipe_uop *last = pipe->dispatched ? pipe_at(pipe, pipe->dispatched - 1) : NULL;
	enum sim_part starved = (enum sim_part)(next ? next->starved : pipe->starved);

	if (next ? next->wrong : pipe->wrong)
		return SIM_SLOT_WRONG_PATH;
	if (starved == SIM_PART_ITLB)
		return SIM_SLOT_ITLB;
	if (starved == SIM_PART_L1I)
		return SIM_SLOT_ICACHE_L2;
	if (starved == SIM_PART_L2I && pipe->memory.has_l3)
		return SIM_SLOT_ICACHE_L3;
	if (starved == SIM_PART_L2I || starved == SIM_PART_L3I)
		return SIM_SLOT_ICACHE_MEM;
	if (!next && pipe->branches >= pipe->size->branches)
		return SIM_SLOT_BRANCHES;
	return last && last->op.branch && last->op.flags & SIM_OP_TAKEN ? SIM_SLOT_TAKEN : SIM_SLOT_FETCH;
}

void
pipe_count_slots(struct sim_pipe *pipe, uint64_t n)
{
	uint64_t empty = n * pipe->machine->width - pipe->now_dispatched;
	enum sim_event cause;

	pipe->count[SIM_SLOT_RETIRING] += pipe->now_dispatched - pipe->wrong_dispatched - pipe->again_dispatched;
	pipe->count[SIM_SLOT_WRONG_PATH] += pipe->wrong_dispatched;
	pipe->count[SIM_SLOT_CLEARED] += pipe->again_dispatched;
	if (!empty)
		return;
	if (pipe->recovering)
		cause = pipe->again ? SIM_SLOT_CLEARED : SIM_SLOT_RECOVERY;
	else
		cause = pipe_back_end_is_full(pipe) ? back_end_cause(pipe) : front_end_cause(pipe);
	pipe->count[cause] += empty;
}
