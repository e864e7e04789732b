/* Hardware that counts where cycles go. All methods watch the same pipeline in the same run:
 *
 *   naive      events, of all paths and of retired µops; models/stacks/naive.stack multiplies them by latencies
 *   power5     completion stalls: cycles without a commit, charged to what empties or blocks the reorder buffer
 *   fmt        frontend miss event table, section 4.1.1 of the source
 *   sfmt       shared FMT, section 4.1.2
 *   tea        time-proportional: each cycle is charged to what keeps the next instruction from committing
 *
 * They see only what a counter in hardware would see at its place in the pipeline: no method knows whether a path is
 * wrong before its branch is resolved. Each method is one file: power5.c, tea.c, and on the table of branches.h fmt.c
 * and sfmt.c. Each file opens with the method's rules, and says where the source leaves a choice.
 *
 * Global counters have 64 bits. Local ones, which wait for a branch or µop to commit, have SIM_LOCAL_BITS and saturate.
 *
 * Sources: Eyerman, Eeckhout, Karkhanis, Smith: A Performance Counter Architecture for Computing Accurate CPI
 * Components, ASPLOS 2006, sections 2 and 4. Gottschall, Eeckhout, Jahre: TEA: Time-Proportional Event Analysis, ISCA
 * 2023, for the states of commit. */
#ifndef SIM_ACCOUNT_ACCOUNT_H
#define SIM_ACCOUNT_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(id, name, text): the components of a CPI stack */
#define SIM_PARTS(X) \
	X(BASE, "base", "nothing is lost") \
	X(BRANCH, "branch", "mispredicted branches") \
	X(L1I, "l1i", "instructions from the second level") \
	X(L2I, "l2i", "instructions from beyond the second level") \
	X(L3I, "l3i", "instructions from beyond the third level") \
	X(ITLB, "itlb", "translation of instruction addresses") \
	X(L1D, "l1d", "data from the second level") \
	X(L2D, "l2d", "data from beyond the second level") \
	X(L3D, "l3d", "data from beyond the third level") \
	X(DTLB, "dtlb", "translation of data addresses") \
	X(UNIT, "unit", "units that take several cycles")

enum sim_part {
#define X(id, name, text) SIM_PART_##id,
	SIM_PARTS(X)
#undef X
	SIM_N_PARTS
};

enum sim_method { SIM_POWER5, SIM_FMT, SIM_SFMT, SIM_TEA, SIM_N_METHODS };

/* Set of fetch misses of a µop: it is the first one that was fetched after such a miss. */
enum sim_fetch_missed { SIM_MISSED_L1I = 1, SIM_MISSED_L2I = 2, SIM_MISSED_L3I = 4, SIM_MISSED_ITLB = 8 };

#define SIM_LOCAL_BITS 16 /* chosen: a miss or a branch lasts thousands of cycles at most */

/* What the hardware sees in a cycle, after the cycle's commits and dispatches. */
struct sim_signals {
	uint64_t cycles;      /* number of cycles in a row that look like this, 1 or more */
	uint16_t dispatched, committed; /* µops; 0 if cycles > 1 */
	/* miss for which the fetch stage waits: SIM_PART_L1I … SIM_PART_ITLB; SIM_PART_BASE: none. Once a branch is
	 * resolved as mispredicted, a miss of its wrong path is no longer reported. */
	uint8_t fetch_waits;
	/* miss that keeps the front end from delivering µops: the next µop to be dispatched waits for it in the fetch
	 * stage, or waited for it before the front end's stages. SIM_PART_BASE: none. Read while rob_empty. */
	uint8_t starved_by;
	/* rob_full: µops wait for an entry of the reorder buffer, of a queue, the scheduler or the window, or for a
	 * register */
	bool rob_empty, rob_full;
	/* what the oldest µop waits for: SIM_PART_L1D … SIM_PART_DTLB while its miss is under way, SIM_PART_UNIT while
	 * a unit with more than one cycle executes it; SIM_PART_BASE: it waits for operands, an issue slot, or nothing,
	 * or there is none */
	uint8_t head_waits;
};

struct sim_account;

/* `rows`: the most branches that the pipeline has in flight, from fetch to commit, 1 to 4096. `rob`: entries of the
 * reorder buffer, 1 or more. */
struct sim_account *sim_account_new(unsigned rows, unsigned rob);
void sim_account_free(struct sim_account *);

/* In each cycle the pipeline reports, in this order: branches that are resolved, µops that commit, µops that are
 * dispatched, branches that are fetched, and then the cycle. A pipeline that breaks the rules below ends in panic(). */

/* A branch was fetched and decoded. The pipeline ensures that fewer than `rows` others are in flight. */
void sim_account_fetch(struct sim_account *);
/* The oldest branch that was fetched and not dispatched entered the reorder buffer, in this entry (below `rob`). No
 * other branch in flight has the entry. */
void sim_account_dispatch(struct sim_account *, unsigned rob_id);
/* The branch of this entry was resolved. If it was mispredicted, all younger µops are gone when this returns: the
 * reorder buffer has the oldest `left` of its µops, and the branch is the last. Otherwise nothing happens. */
void sim_account_resolve(struct sim_account *, unsigned rob_id, bool mispredicted, unsigned left);
/* All µops are gone except the oldest `left` in the reorder buffer, of which `branches` are branches. The cause was no
 * branch, and the pipeline fetches the same µops again. */
void sim_account_squash(struct sim_account *, unsigned left, unsigned branches);
/* The oldest µop committed. `missed` is a set of enum sim_fetch_missed. `mispredicted` is as in the call that resolved
 * the branch. */
void sim_account_commit(struct sim_account *, bool branch, bool mispredicted, unsigned missed);
void sim_account_cycle(struct sim_account *, const struct sim_signals *);

/* Returns SIM_N_PARTS running totals of cycles, which only grow. The base is 0 here, because the stack file takes it as
 * the cycles that the other parts leave. Only the parts of tea include the base, and sum to the cycles.
 *
 * The parts of power5 and fmt never sum to more than the cycles. Those of sfmt may, by its known error: cycles of
 * wrong-path fetch misses, counted for the miss and for the branch. */
const uint64_t *sim_account_counts(const struct sim_account *, enum sim_method);

/* Returns the part that tea charged the last cycle to. */
enum sim_part sim_account_last_tea(const struct sim_account *);

/* Returns the bits of storage that the method's local state needs. They exclude its global counters, and the reason for
 * which the oldest µop waits, which all methods read. */
uint64_t sim_account_bits(const struct sim_account *, enum sim_method);

#endif
