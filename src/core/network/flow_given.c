#include "core/network/flow_given.h"

#include <string.h>

#include "core/network/flow_table.h"

struct flows *
flows_given(const struct flow_spec *spec, const struct flow *given, size_t n, const struct flow_trouble *trouble)
{
	struct flow_spec room = *spec;
	struct flows *f;

	if (room.most < n + 1)
		room.most = n + 1;
	f = flows_new(&room);
	for (size_t i = 0; i < n; i++) {
		struct flow_kept *k = flow_table_begin(f, i, given[i].task, given[i].core, given[i].destination);

		memcpy(k->count, given[i].count, spec->n_counters * sizeof *k->count);
		memcpy(k->lost, given[i].lost, spec->n_counters * sizeof *k->lost);
		k->flow = given[i];
		k->flow.count = k->count;
		k->flow.lost = k->lost;
		f->next_number = given[i].number >= f->next_number ? given[i].number + 1 : f->next_number;
		f->next_life = given[i].life >= f->next_life ? given[i].life + 1 : f->next_life;
	}
	f->n = n;
	flow_table_find_slots_anew(f);
	f->trouble = *trouble;
	return f;
}
