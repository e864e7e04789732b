/* Which columns of recorded data a network's counters are. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/counters/counters.h"
#include "core/network/network.h"
#include "core/obs/column_names.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "work/timeline/network_data.h"

/* Returns whether each event has columns. No column counts an event with a filter. */
static bool
is_in_data(const struct event_sum *sum, const struct column_names *names)
{
	bool has = !event_sum_is_filtered(sum);

	for (size_t i = 0; i < sum->n && has; i++) {
		struct event_columns found = column_names_find(names, sum->event[i].name);

		has = found.n > 0;
		event_columns_free(&found);
	}
	return has;
}

/* Returns the first alternative that the data have; NULL if they have none, or there is only one. */
static const struct event_sum *
find_taken(const struct counter_item *c, const struct column_names *names)
{
	for (size_t i = 0; i < c->n_choices && c->n_choices > 1; i++)
		if (is_in_data(&c->choice[i], names))
			return &c->choice[i];
	return NULL;
}

static struct wanted_counter
wanted_of(const struct counter_item *c, const struct event_sum *taken)
{
	static const struct event_item no_event[1];
	struct event_sum v = taken ? *taken : counter_events(c);

	return event_sum_is_filtered(&v) ? (struct wanted_counter){.name = c->name, .event = no_event, .n_events = 1}
		: (struct wanted_counter){.name = c->name, .event = v.event, .n_events = v.n};
}

struct columns_match *
network_data_match(const struct network *n, const struct obs_table *t, struct network_data_counter *taken)
{
	struct wanted_counter *wanted = mem_new_array(n->n_counters, sizeof *wanted);
	struct column_names *names = column_names_new(t);
	struct columns_match *m;

	for (size_t i = 0; i < n->n_counters; i++) {
		taken[i].taken = find_taken(&n->counter[i], names);
		wanted[i] = wanted_of(&n->counter[i], taken[i].taken);
	}
	m = columns_match_counters(wanted, n->n_counters, t);
	column_names_free(names);
	free(wanted);
	return m;
}

void
network_data_read_taken(struct network_data *data)
{
	for (; data->noted.n < data->table->n_notes; data->noted.n++) {
		const char *list = strstr(data->table->note[data->noted.n], NETWORK_DATA_TAKEN);

		for (size_t c = 0; list && c < data->net->n_counters; c++)
			for (size_t i = 1; i < data->net->counter[c].n_choices; i++) {
				struct str text = {0};

				str_addf(&text, " %s = ", data->net->counter[c].name);
				event_sum_text(&data->net->counter[c].choice[i], &text);
				str_addc(&text, ';');
				if (strstr(list, str_text(&text)))
					data->counter[c].taken = &data->net->counter[c].choice[i];
				str_free(&text);
			}
	}
}
