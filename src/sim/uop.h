/* The input of a simulated core: µops that access memory, in program order, each with the number of other µops before
 * it.
 *
 * A workload fills arrays of these and a core runs them; neither knows the other. Addresses are virtual. Wrong paths
 * are part of the stream, because only the workload knows what would be fetched after a branch. The core decides how
 * much of a wrong path is executed, by the time at which the branch is resolved. */
#ifndef SIM_UOP_H
#define SIM_UOP_H

#include <stdint.h>

/* SIM_FETCH: an instruction fetch of a trace; TLBs and data caches do not see it */
enum sim_uop_kind { SIM_LOAD, SIM_STORE, SIM_FETCH };

enum sim_uop_flag {
	/* its address comes from the load before it in program order, like that of a pointer or an index; for a
	 * right-path µop this is a load of the right path */
	SIM_DEPENDS = 1,
	/* a branch after it depends on a load's value or a store's address, and is mispredicted: the SIM_WRONG µops
	 * that follow are its wrong path */
	SIM_MISPREDICT = 2,
	/* squashed when that branch is resolved; later µops of the wrong path are not executed at all. SIM_MISPREDICT
	 * and SIM_CLEAR on it have no effect */
	SIM_WRONG = 4,
	/* a machine clear when it retires: younger µops are squashed and begin again. The SIM_WRONG µops that follow
	 * are their first try */
	SIM_CLEAR = 8,
};

struct sim_uop {
	uint64_t at;    /* virtual address, below 2^48 */
	uint16_t other; /* number of µops without memory access before it */
	uint8_t kind;   /* enum sim_uop_kind */
	uint8_t flags;  /* set of enum sim_uop_flag */
	uint32_t size;  /* bytes */
};

#endif
