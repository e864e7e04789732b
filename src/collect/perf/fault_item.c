#include "collect/perf/fault_item.h"

/* Below that many faults an equal count may be chance: the pages were not mapped one by one. */
#define FEWEST_FAULTS 16

/* What the tries so far say of one batch of items. */
struct batch {
	bool out[FAULT_BATCH];
	size_t equal[FAULT_TOUCHES][FAULT_BATCH]; /* tries in which the item equalled the faults */
	size_t usable[FAULT_TOUCHES];             /* tries that raised enough faults */
};

static bool
batch_is_out(const struct batch *b)
{
	for (int i = 0; i < FAULT_BATCH; i++)
		if (!b->out[i])
			return false;
	return true;
}

/* A touch by which no try raised faults, as where one huge page serves all reads, says nothing of any item. */
static bool
item_follows(const struct batch *b, int i)
{
	bool some = false;

	for (int how = 0; how < FAULT_TOUCHES; how++) {
		if (b->usable[how] && b->equal[how][i] < FAULT_EQUAL)
			return false;
		some = some || b->usable[how];
	}
	return some && !b->out[i];
}

/* Returns true once each item is excluded or follows. */
static bool
batch_is_decided(const struct batch *b)
{
	for (int i = 0; i < FAULT_BATCH; i++)
		if (!b->out[i] && !item_follows(b, i))
			return false;
	return true;
}

/* Takes a try into account. Returns false if it was disturbed: an item that is not excluded differs from the faults. */
static bool
batch_take(struct batch *batch, enum fault_touch how, const struct fault_try *try)
{
	uint64_t least = try->touched < try->faults ? try->touched : try->faults;
	bool calm = true;

	if (least < FEWEST_FAULTS)
		return false;
	batch->usable[how]++;
	for (int i = 0; i < FAULT_BATCH; i++) {
		batch->out[i] = batch->out[i] || try->count[i] < least;
		batch->equal[how][i] += try->count[i] == try->faults;
		calm = calm && (batch->out[i] || try->count[i] == try->faults);
	}
	return calm;
}

static void
batch_try(struct batch *batch, const struct fault_kernel *kernel, struct fault_item *found)
{
	for (size_t round = 0; round < FAULT_ROUNDS && !batch_is_out(batch); round++) {
		for (int how = 0; how < FAULT_TOUCHES; how++) {
			struct fault_try t = {0};
			bool calm = kernel->touch(kernel->ctx, (enum fault_touch)how, round, &t) &&
				batch_take(batch, (enum fault_touch)how, &t);

			found->tries++;
			found->disturbed += !calm;
		}
		if (round + 1 >= FAULT_EQUAL && batch_is_decided(batch))
			return;
	}
}

/* Adds the items of the batch that follow. Returns true if another one might: it is not out, and was equal once. */
static bool
batch_report(const struct batch *batch, int first, struct fault_item *found)
{
	bool doubtful = false;

	for (int i = 0; i < FAULT_BATCH; i++) {
		bool once = false;

		for (int how = 0; how < FAULT_TOUCHES; how++)
			once = once || batch->equal[how][i];
		if (item_follows(batch, i)) {
			if (found->n < FAULT_SEVERAL)
				found->item[found->n] = first + i;
			found->n++;
		} else {
			doubtful = doubtful || (!batch->out[i] && once);
		}
	}
	return doubtful;
}

struct fault_item
fault_item_find(const struct fault_kernel *kernel)
{
	struct fault_item found = {.finding = FAULT_ITEM_REFUSED};
	bool open = true, doubtful = false, all_out = true;

	for (int first = 0; first < FAULT_ITEMS && open; first += FAULT_BATCH) {
		struct batch b = {0};

		open = kernel->open(kernel->ctx, first);
		if (open)
			batch_try(&b, kernel, &found);
		kernel->close(kernel->ctx);
		doubtful = batch_report(&b, first, &found) || doubtful;
		all_out = all_out && batch_is_out(&b);
	}
	if (!open)
		return found;
	found.finding = found.n > 1 ? FAULT_ITEM_SEVERAL
		: found.n == 1 && !doubtful ? FAULT_ITEM_FOUND
		: all_out                   ? FAULT_ITEM_NONE
					    : FAULT_ITEM_DISTURBED;
	return found;
}
