/* Each table holds two-bit counters: Smith, "A study of branch prediction strategies", ISCA 1981, strategy 7. Bimodal
 * finds them by address, gshare by address XOR history (McFarling, "Combining branch predictors", DEC WRL TN-36, 1993,
 * section 7). The hybrid has both, and a third table by address, which counts who was right when they differed (section
 * 8). A history with more branches than the index has bits is folded. */
#include "sim/pipeline/predictors.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sim/pipeline/counter.h"

enum two_bit_table { BY_ADDRESS, BY_HISTORY, CHOOSER, TABLES };

struct sim_two_bit {
	int8_t *table[TABLES]; /* NULL if the kind does not have it; counters from −2 to 1 */
	unsigned log;          /* entries of each table are 1 << log */
	uint64_t recent;       /* mask of the outcomes that count */
};

static size_t
place_by_address(const struct sim_two_bit *p, uint64_t pc)
{
	/* The shift keeps neighbours apart where instructions are aligned to 4 bytes, and where they are not. */
	return (size_t)((pc ^ pc >> 2) & (((uint64_t)1 << p->log) - 1));
}

static size_t
place_by_history(const struct sim_two_bit *p, uint64_t pc, uint64_t outcomes)
{
	uint64_t mask = ((uint64_t)1 << p->log) - 1, place = place_by_address(p, pc);

	for (outcomes &= p->recent; p->log && outcomes; outcomes >>= p->log)
		place ^= outcomes & mask;
	return (size_t)place;
}

struct sim_two_bit *
sim_two_bit_new(enum sim_predictor_kind kind, unsigned entries, unsigned history)
{
	struct sim_two_bit *bit = mem_new(sizeof *bit);
	size_t n;

	bit->log = entries ? sim_log2(entries) : 0;
	n = (size_t)1 << bit->log;
	bit->recent = history >= 64 ? UINT64_MAX : ((uint64_t)1 << history) - 1;
	if (kind != SIM_PREDICT_GSHARE)
		bit->table[BY_ADDRESS] = mem_new_array(n, 1);
	if (kind != SIM_PREDICT_BIMODAL)
		bit->table[BY_HISTORY] = mem_new_array(n, 1);
	if (kind == SIM_PREDICT_HYBRID)
		bit->table[CHOOSER] = mem_new_array(n, 1);
	/* Branches are weakly not taken at first. */
	for (size_t i = 0; i < n; i++)
		for (int t = BY_ADDRESS; t <= BY_HISTORY; t++)
			if (bit->table[t])
				bit->table[t][i] = -1;
	return bit;
}

void
sim_two_bit_free(struct sim_two_bit *p)
{
	if (!p)
		return;
	for (int t = 0; t < TABLES; t++)
		free(p->table[t]);
	free(p);
}

bool
sim_two_bit_read(const struct sim_two_bit *p, uint64_t pc, uint64_t outcomes)
{
	size_t place = place_by_address(p, pc);

	if (!p->table[BY_HISTORY] || (p->table[CHOOSER] && p->table[CHOOSER][place] < 0))
		return p->table[BY_ADDRESS][place] >= 0;
	return p->table[BY_HISTORY][place_by_history(p, pc, outcomes)] >= 0;
}

void
sim_two_bit_train(struct sim_two_bit *bit, uint64_t pc, uint64_t outcomes, bool taken)
{
	size_t place = place_by_address(bit, pc);
	int8_t *address = bit->table[BY_ADDRESS] ? &bit->table[BY_ADDRESS][place] : NULL;
	int8_t *history = bit->table[BY_HISTORY] ? &bit->table[BY_HISTORY][place_by_history(bit, pc, outcomes)] : NULL;
	int8_t *chooser = bit->table[CHOOSER] ? &bit->table[CHOOSER][place] : NULL;

	if (chooser && address && history && (*address >= 0) != (*history >= 0))
		*chooser = sim_counter_move(*chooser, (*history >= 0) == taken, 2);
	if (address)
		*address = sim_counter_move(*address, taken, 2);
	if (history)
		*history = sim_counter_move(*history, taken, 2);
}

uint64_t
sim_two_bit_bits(const struct sim_two_bit *p)
{
	uint64_t bits = 0;

	for (int t = 0; t < TABLES; t++)
		bits += p->table[t] ? (uint64_t)2 << p->log : 0;
	return bits;
}
