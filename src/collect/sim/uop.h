/* What a simulated core is fed with: µops that touch memory, in program order, and what stands between them.
 *
 * A workload fills arrays of these, a core eats them; neither knows the other. Addresses are virtual. A wrong path is
 * in the stream: the workload, which knows what would be fetched behind a branch, says so, and how much of it is really
 * executed the core decides by the time at which the branch is resolved. */
#ifndef COLLECT_SIM_UOP_H
#define COLLECT_SIM_UOP_H

#include <stdint.h>

/* a fetch: of an instruction, by a trace; data-side structures do not see it */
enum sim_uop_kind { SIM_LOAD, SIM_STORE, SIM_FETCH };

enum sim_uop_flag {
	/* its address is what the load before it in program order brings (of a right path's µop: the load before it on
	   the right path): a pointer, an index */
	SIM_DEPENDS = 1,
	SIM_MISPREDICT = 2, /* a branch behind it hangs on it (a load's value, a store's address) and is mispredicted:
			       the SIM_WRONG µops that follow are of the wrong path */
	/* squashed when that branch is resolved; those that would begin later are not executed at all. Its own
	   SIM_MISPREDICT and SIM_CLEAR are not looked at */
	SIM_WRONG = 4,
	SIM_CLEAR = 8, /* a machine clear when it retires: what was begun behind it is squashed, and begins anew. The
			  SIM_WRONG µops that follow are that first try */
};

struct sim_uop {
	uint64_t at;    /* virtual address, below 2^48 */
	uint16_t other; /* µops in front of it that touch no memory */
	uint8_t kind;   /* enum sim_uop_kind */
	uint8_t flags;  /* set of enum sim_uop_flag */
	uint32_t size;  /* bytes */
};

#endif
