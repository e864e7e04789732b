#include "work/timeline/timeline_ratios.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "work/timeline/network_compare.h"
#include "work/timeline/network_data.h"
#include "work/timeline/timeline_state.h"

/* One side of a comparison: a run of snapshots, or one of them. */
struct ratios_side {
	struct network_data *data;
	size_t first, n;
};

static struct ratios_side
side_of(const struct timeline *timeline, size_t snapshot, bool alone)
{
	const struct timeline_entry *entry = &timeline->entry[snapshot];
	size_t from = snapshot, to = snapshot + 1;

	if (!timeline_data_snapshot(timeline, snapshot))
		return (struct ratios_side){NULL, 0, 0};
	while (!alone && from && timeline_same_run(timeline, from - 1, snapshot) &&
		timeline_data_snapshot(timeline, from - 1))
		from--;
	while (!alone && to < timeline->n && timeline_same_run(timeline, to, snapshot) &&
		timeline_data_snapshot(timeline, to))
		to++;
	return (struct ratios_side){timeline->table[entry->table].data, timeline->entry[from].data_snapshot, to - from};
}

struct timeline_ratios *
timeline_ratios_new(const struct timeline *timeline, size_t a, size_t b)
{
	bool alone = timeline_same_run(timeline, a, b);
	const struct ratios_side side[2] = {side_of(timeline, a, alone), side_of(timeline, b, alone)};
	struct timeline_ratios *ratios;
	size_t counts = 0;

	if (!side[0].data || !side[1].data)
		return NULL;
	ratios = mem_new(sizeof *ratios);
	for (int i = 0; i < 2; i++) {
		struct timeline_snapshot m = timeline_snapshot(timeline, i ? b : a);

		ratios->name[i] = alone ? str_format("%s, snapshot %zu", m.name, m.number) : mem_str(m.name);
		counts += side[i].n * side[i].data->first_place[timeline->net->n_counters];
	}
	if (counts <= TIMELINE_RATIOS_MOST)
		ratios->compare = network_compare_new(timeline->net,
			(struct network_data *[]){side[0].data, side[1].data},
			(size_t[]){side[0].first, side[1].first}, (size_t[]){side[0].n, side[1].n});
	return ratios;
}

size_t
timeline_other_run(const struct timeline *timeline, size_t snapshot)
{
	for (size_t i = 0; i < timeline->n; i++)
		if (!timeline_same_run(timeline, i, snapshot) && timeline_data_snapshot(timeline, i))
			return i;
	return TIMELINE_NONE;
}

void
timeline_ratios_free(struct timeline_ratios *ratios)
{
	if (!ratios)
		return;
	free(ratios->name[0]);
	free(ratios->name[1]);
	network_compare_free(ratios->compare);
	free(ratios);
}
