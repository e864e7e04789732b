/* Each branch of any kind adds BITS bits: a hash of its address and of where it went. A table's history is the last
 * `length` of them, folded by XOR into a register of fewer bits. The register is moved with each branch (Michaud, "A
 * PPM-like, tag-based branch predictor", JILP 2005): rotate, XOR the new bits in, XOR the oldest out.
 *
 *        oldest branch leaves                    newest branch
 *              |                                      |
 *   pushed: ...b b b b b b b b b b b b b b b b b b b b    (a ring of one byte per branch)
 *               \________________ length _____________/
 *
 * Hardware folds each history three times, for the index and twice for the tag. Here one wider register serves all,
 * because a multiplication spreads it.
 *
 * Training moves the counter of the provider, which is the longest match. After a misprediction up to two tables with
 * longer histories get an entry, unless useful entries take all places. When that happens too often, all useful bits
 * are cleared (JILP 2006; number of entries and clearing: Seznec, "TAGE-SC-L branch predictors", CBP 2014). */
#include "sim/pipeline/tage.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/pipeline/counter.h"

#define BITS 2 /* added to the history by each branch */
#define RING 8192 /* branches: the longest history, and those in flight */
#define SHORTEST 4
#define LONGEST 3000
#define COUNTER_BITS 3
#define USEFUL_BITS 1
#define SHORT_TAG 8
#define LONG_TAG 12
#define CHOICES 4
#define CHOICE_BITS 5
#define PRESSURE 1024 /* failed allocations, minus successful ones, before useful bits are cleared */

struct tage_entry {
	uint16_t tag;
	int8_t counter;
	uint8_t useful;
};

struct sim_tage {
	unsigned tables;
	unsigned log, base_log; /* entries of each tagged table and of the base are powers of two */
	unsigned length[SIM_TAGE_TABLES], width[SIM_TAGE_TABLES], tag_bits[SIM_TAGE_TABLES];
	unsigned out[SIM_TAGE_TABLES]; /* how far the oldest bits of a fold have been rotated when they leave */
	struct tage_entry *entry;    /* of table 0, then 1, … */
	int8_t *base;
	int8_t choice[CHOICES]; /* at least 0: the second longest match is better than a new entry */
	int pressure;
	uint64_t random;
	uint8_t pushed[RING];
};

/* Rotates a number of `width` bits, fewer than 32. */
static inline uint32_t
rotate(uint32_t x, unsigned by, unsigned width)
{
	return (x << by | x >> (width - by)) & (((uint32_t)1 << width) - 1);
}

/* Lengths grow geometrically, by at least 1. A short history needs fewer tables. */
static void
choose_lengths(struct sim_tage *tage, unsigned history)
{
	unsigned longest = history < LONGEST ? history : LONGEST, before = 0;
	double ratio = longest > SHORTEST ? pow((double)longest / SHORTEST, 1.0 / (SIM_TAGE_TABLES - 1)) : 1;

	for (unsigned i = 0; i < SIM_TAGE_TABLES && before < longest; i++) {
		unsigned length = (unsigned)(SHORTEST * pow(ratio, i) + 0.5);

		length = length > before ? length : before + 1;
		tage->length[i] = before = length < longest ? length : longest;
		tage->width[i] = 31 - i % 7;
		tage->out[i] = BITS * tage->length[i] % tage->width[i];
		tage->tag_bits[i] = SHORT_TAG + (LONG_TAG - SHORT_TAG) * i / (SIM_TAGE_TABLES - 1);
		tage->tables = i + 1;
	}
}

struct sim_tage *
sim_tage_new(unsigned kib, unsigned history)
{
	struct sim_tage *tage = mem_new(sizeof *tage);

	choose_lengths(tage, history);
	tage->log = sim_table_log(11, kib, 2);
	tage->base_log = sim_table_log(13, kib, 2);
	tage->entry = mem_new_array((size_t)tage->tables << tage->log, sizeof *tage->entry);
	for (size_t i = 0; i < (size_t)tage->tables << tage->log; i++)
		tage->entry[i].tag = UINT16_MAX; /* matches nothing */
	tage->base = mem_new_array((size_t)1 << tage->base_log, 1);
	for (size_t i = 0; i < (size_t)1 << tage->base_log; i++)
		tage->base[i] = -1;
	return tage;
}

void
sim_tage_free(struct sim_tage *t)
{
	if (!t)
		return;
	free(t->entry);
	free(t->base);
	free(t);
}

static inline struct tage_entry *
entry_at(const struct sim_tage *t, int table, const struct sim_tage_reading *r)
{
	return &t->entry[((size_t)table << t->log) + r->place[table]];
}

/* The choice between a new entry and the alternate prediction depends on how long its history is. */
static unsigned
choice_of(const struct sim_tage *t, const struct sim_tage_reading *r)
{
	return (unsigned)r->provider * CHOICES / t->tables;
}

static int
strength(int8_t counter)
{
	return counter >= 0 ? counter : -counter - 1;
}

static void
find_matches(
	const struct sim_tage *tage, const struct sim_tage_past *past, uint64_t pc, struct sim_tage_reading *reading)
{
	uint64_t address = sim_spread(pc) >> 32;
	uint32_t matches = 0;

	reading->base = (uint32_t)((pc ^ pc >> 2) & (((uint64_t)1 << tage->base_log) - 1));
	for (unsigned i = 0; i < tage->tables; i++) {
		uint64_t h = sim_spread(past->fold[i] ^ address);

		reading->place[i] = (uint32_t)(h >> (64 - tage->log));
		reading->tag[i] = (uint16_t)(h >> 24 & ((1u << tage->tag_bits[i]) - 1));
		matches |= (uint32_t)(entry_at(tage, (int)i, reading)->tag == reading->tag[i]) << i;
	}
	reading->provider = matches ? (int)sim_log2(matches) : -1;
	matches &= ~((uint32_t)1 << (reading->provider & 31));
	reading->other = matches ? (int)sim_log2(matches) : -1;
}

void
sim_tage_read(
	const struct sim_tage *tage, const struct sim_tage_past *past, uint64_t pc, struct sim_tage_reading *reading)
{
	int8_t base, counter;
	int strong;

	find_matches(tage, past, pc, reading);
	base = tage->base[reading->base];
	reading->alternate = reading->longest = reading->taken = base >= 0;
	reading->weak = false;
	reading->trust = strength(base) == 1 ? SIM_TAGE_HIGH : SIM_TAGE_LOW;
	if (reading->provider < 0)
		return;
	if (reading->other >= 0)
		reading->alternate = entry_at(tage, reading->other, reading)->counter >= 0;
	counter = entry_at(tage, reading->provider, reading)->counter;
	reading->longest = counter >= 0;
	strong = strength(counter);
	reading->weak = strong == 0;
	reading->taken = reading->weak && tage->choice[choice_of(tage, reading)] >= 0 ? reading->alternate
										      : reading->longest;
	reading->trust = strong == 3 ? SIM_TAGE_HIGH : strong == 2 ? SIM_TAGE_MEDIUM : SIM_TAGE_LOW;
}

/* Gives up to two tables with longer histories than the provider's an entry for this branch. */
static void
allocate(struct sim_tage *tage, const struct sim_tage_reading *reading, bool taken)
{
	int made = 0, failed = 0;
	int first = reading->provider + 1 + (random_below(&tage->random, 4) == 0);

	for (int i = first; i < (int)tage->tables && made < 2; i++) {
		struct tage_entry *entry = entry_at(tage, i, reading);

		if (entry->useful) {
			failed++;
			continue;
		}
		*entry = (struct tage_entry){reading->tag[i], taken ? 0 : -1, 0};
		made++;
		i++; /* the second one not next to the first */
	}
	tage->pressure += failed - 2 * made;
	if (tage->pressure < 0)
		tage->pressure = 0;
	if (tage->pressure < PRESSURE)
		return;
	tage->pressure = 0;
	for (size_t i = 0; i < (size_t)tage->tables << tage->log; i++)
		tage->entry[i].useful >>= 1;
}

static void
train_base(struct sim_tage *t, const struct sim_tage_reading *r, bool taken)
{
	t->base[r->base] = sim_counter_move(t->base[r->base], taken, 2);
}

static void
train_provider(struct sim_tage *tage, const struct sim_tage_reading *reading, bool taken)
{
	struct tage_entry *entry = entry_at(tage, reading->provider, reading);

	/* The alternate prediction may be needed soon: it learns, too. */
	if (reading->weak && reading->longest != taken) {
		if (reading->other >= 0) {
			struct tage_entry *other = entry_at(tage, reading->other, reading);

			other->counter = sim_counter_move(other->counter, taken, COUNTER_BITS);
		} else
			train_base(tage, reading, taken);
	}
	entry->counter = sim_counter_move(entry->counter, taken, COUNTER_BITS);
	if (strength(entry->counter) == 0)
		entry->useful = 0;
	if (reading->longest != reading->alternate && reading->longest == taken &&
		entry->useful < (1 << USEFUL_BITS) - 1)
		entry->useful++;
}

void
sim_tage_train(struct sim_tage *tage, const struct sim_tage_reading *r, bool taken, bool right)
{
	bool wanted = r->taken != taken;

	if (r->weak) {
		int8_t *choice = &tage->choice[choice_of(tage, r)];

		if (r->longest == taken)
			wanted = false; /* it only needs more time */
		if (r->longest != r->alternate)
			*choice = sim_counter_move(*choice, r->alternate == taken, CHOICE_BITS);
	}
	/* Loop predictor or corrector predict it: an entry is seldom worth it. */
	if (right && random_below(&tage->random, 32))
		wanted = false;
	if (wanted)
		allocate(tage, r, taken);
	if (r->provider >= 0)
		train_provider(tage, r, taken);
	else
		train_base(tage, r, taken);
}

void
sim_tage_push(struct sim_tage *t, struct sim_tage_past *now, uint64_t n, uint64_t pc, bool taken, uint64_t target)
{
	uint32_t bits = (uint32_t)(sim_spread(sim_spread(pc) + target) >> (64 - BITS)) ^ taken;

	for (unsigned i = 0; i < t->tables; i++) {
		uint32_t oldest = t->pushed[(n - t->length[i]) % RING];

		now->fold[i] = rotate(now->fold[i], BITS, t->width[i]) ^ bits ^ rotate(oldest, t->out[i], t->width[i]);
	}
	t->pushed[n % RING] = (uint8_t)bits;
}

uint64_t
sim_tage_bits(const struct sim_tage *t)
{
	uint64_t bits = (uint64_t)2 << t->base_log;

	for (unsigned i = 0; i < t->tables; i++)
		bits += (uint64_t)(COUNTER_BITS + USEFUL_BITS + t->tag_bits[i]) << t->log;
	return bits + CHOICES * CHOICE_BITS;
}
