#include "work/timeline/tiering.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "work/timeline/estimates.h"

#define ALIKE 0.05 /* relative difference of two delays below which no page moves */

const char *
tiering_kind_name(enum tiering_kind kind)
{
	static const char *const name[] = {"DRd", "RFO", "HWPF"};

	return name[kind];
}

const char *
tiering_move_name(enum tiering_move move)
{
	static const char *const name[] = {"unknown", "stay", "to-local", "to-cxl"};

	return name[move];
}

/* Requests and their cycles, of the events of a memory less those of another. */
static struct tiering_memory
memory_of(const struct network_data *data, const char *const *event, const char *const *less)
{
	double sum[2] = {0};

	for (int what = 0; what < 2; what++)
		for (int i = 0; i < 2; i++)
			for (int sign = 1; sign >= -1; sign -= 2) {
				const char *name = sign > 0 ? event[i] : less[i];
				char *full;

				if (!name)
					continue;
				full = str_format("unc_cha_tor_%s.%s", what ? "occupancy" : "inserts", name);
				sum[what] += sign * estimates_sum(data, full);
				free(full);
			}
	return (struct tiering_memory){fmax(sum[0], 0), sum[0] > 0 ? sum[1] / sum[0] : NAN};
}

static enum tiering_move
move_by(const struct tiering *t, enum tiering_kind kind)
{
	double local = t->local[kind].delay, cxl = t->cxl[kind].delay;

	if (isnan(local) || isnan(cxl))
		return TIERING_UNKNOWN;
	if (fabs(local - cxl) < ALIKE * fmax(local, cxl))
		return TIERING_STAY;
	return local < cxl ? TIERING_TO_LOCAL : TIERING_TO_CXL;
}

bool
tiering_of(const struct network_data *data, struct tiering *t)
{
	static const struct {
		const char *local[2], *less[2], *cxl[2];
	} event[TIERING_KINDS] = {
		[TIERING_DRD] = {{"ia_miss_drd_local_ddr"}, {NULL}, {"ia_miss_drd_cxl"}},
		[TIERING_RFO] = {{"ia_miss_rfo_local"}, {"ia_miss_rfo_cxl"}, {"ia_miss_rfo_cxl"}},
		[TIERING_HWPF] = {{"ia_miss_drd_pref_local_ddr", "ia_miss_rfo_pref_local"}, {"ia_miss_rfo_pref_cxl"},
			{"ia_miss_drd_pref_cxl", "ia_miss_rfo_pref_cxl"}},
	};
	static const char *const none[2];
	double all, cycles, shorter;

	*t = (struct tiering){.by = TIERING_DRD};
	for (int k = 0; k < TIERING_KINDS; k++) {
		t->local[k] = memory_of(data, event[k].local, event[k].less);
		t->cxl[k] = memory_of(data, event[k].cxl, none);
		if (t->local[k].misses + t->cxl[k].misses > t->local[t->by].misses + t->cxl[t->by].misses)
			t->by = (enum tiering_kind)k;
	}
	t->move = move_by(t, t->by);
	t->fixed = move_by(t, TIERING_DRD);
	shorter = fmin(t->local[t->by].delay, t->cxl[t->by].delay);
	all = t->local[t->by].misses + t->cxl[t->by].misses;
	cycles = t->local[t->by].misses * t->local[t->by].delay + t->cxl[t->by].misses * t->cxl[t->by].delay;
	t->gain_most = cycles / all / shorter;
	return all > 0;
}
