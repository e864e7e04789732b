/* hecate net NETWORK A B --compare: the two observations that are compared, and what forbids it. */
#include "cli/net_compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_net.h"
#include "cli/reading.h"
#include "core/obs/obs.h"
#include "text/diag.h"
#include "work/files/recording.h"
#include "work/timeline/network_compare.h"
#include "work/timeline/network_data.h"

/* The recordings that were read, and the two observations found in them. */
struct sides {
	struct obs_table *table[2];
	struct network_data *data[2]; /* per file */
	size_t n_files;
	struct network_data *of[2];   /* per side */
	size_t first[2], n[2], n_sides;
	struct names found;           /* names of all observations, for messages */
};

/* Takes the runs of snapshots of a file's observations. */
static void
add_sides(struct sides *sides, struct network_data *data)
{
	for (size_t i = 0, end; i < data->n; i = end) {
		const char *name = network_data_obs(data, i)->name;

		for (end = i + 1; end < data->n && data->snapshot[end].obs == data->snapshot[i].obs; end++)
			continue;
		if (sides->n_sides < 2) {
			sides->of[sides->n_sides] = data;
			sides->first[sides->n_sides] = i;
			sides->n[sides->n_sides] = end - i;
		}
		sides->n_sides++;
		names_add(&sides->found, name, strlen(name));
	}
}

static bool
refuse_sides(const struct sides *sides)
{
	struct str list = {0};
	struct err e = {0};

	for (size_t i = 0; i < sides->found.n && i < 6; i++)
		str_addf(&list, "%s%s", i ? ", " : "", sides->found.name[i]);
	if (sides->found.n > 6)
		str_add(&list, ", …");
	err_set(&e, "--compare compares two observations, but there %s %zu%s%s", sides->n_sides == 1 ? "is" : "are",
		sides->n_sides, sides->n_sides ? ": " : "", str_text(&list));
	err_hint(&e, sides->n_sides < 2 ? "give two files, or one with two observations"
					: "--observations GLOB chooses by name");
	str_free(&list);
	return print_failed(&e);
}

/* Returns the name of the network that a session file was recorded with; NULL without one. */
static char *
recorded_network(const char *path)
{
	struct diags d = {0};
	struct err e = {0};
	char *from = NULL, *name = NULL;
	struct network *net = recording_is(path) ? network_load(path, &from, &d, &e) : NULL;

	if (net)
		name = mem_str(net->name);
	network_free(net);
	diags_free(&d);
	free(from);
	return name;
}

/* Refuses two session files that were recorded with different networks. */
static bool
same_networks(const struct options *o)
{
	char *first = NULL, *other = NULL;
	struct err e = {0};
	bool same = true;

	for (size_t i = reading_first(o); i < o->n_args && same; i++) {
		other = recorded_network(o->arg[i]);
		same = !first || !other || str_eq(first, other);
		if (same && !first) {
			first = other;
			other = NULL;
		}
		if (!same) {
			err_set(&e, "%s was recorded with the network %s, %s with %s", o->arg[reading_first(o)], first,
				o->arg[i], other);
			err_hint(&e, "export one of them as a CSV to compare what they have in common");
			print_failure(&e);
		}
		free(other);
	}
	free(first);
	return same;
}

static bool
read_sides(const struct net_report *report, struct sides *sides)
{
	const struct options *o = report->options;
	struct err e = {0};

	if (o->n_args - reading_first(o) > 2) {
		err_set(&e, "--compare takes two files, but there are %zu", o->n_args - reading_first(o));
		err_hint(&e, "give two of them");
		return print_failed(&e);
	}
	if (!same_networks(o))
		return false;
	for (size_t i = reading_first(o); i < o->n_args; i++) {
		struct obs_table *table = reading_open(o, o->arg[i]);

		if (!table)
			return false;
		sides->table[sides->n_files] = table;
		sides->data[sides->n_files] = network_data_new(report->net, table, o->observations, true);
		add_sides(sides, sides->data[sides->n_files++]);
	}
	return sides->n_sides == 2 || refuse_sides(sides);
}

static bool
compare_sides(struct net_report *report, const struct sides *sides, struct str *out)
{
	struct network_compare *c = network_compare_new(report->net, sides->of, sides->first, sides->n);
	const char *const name[] = {network_data_obs(sides->of[0], sides->first[0])->name,
		network_data_obs(sides->of[1], sides->first[1])->name};
	struct err e = {0};
	bool good = c->n_common > 0;

	for (size_t i = 0; i < sides->n_files; i++)
		good &= reading_is_whole(sides->table[i]);
	if (good && report->options->json)
		print_net_compare_json(report, c, name);
	else if (good)
		print_net_compare(report, c, name, out);
	else if (!c->n_common) {
		err_set(&e, "%s and %s have no counter of the network in common", name[0], name[1]);
		err_hint(&e, "hecate net NETWORK --check lists the counters and their events");
		print_failure(&e);
	}
	network_compare_free(c);
	return good;
}

bool
net_compare(struct net_report *report, struct str *out)
{
	struct sides sides = {.n_files = 0};
	bool good = read_sides(report, &sides) && compare_sides(report, &sides, out);

	for (size_t i = 0; i < sides.n_files; i++) {
		network_data_free(sides.data[i]);
		obs_table_free(sides.table[i]);
	}
	names_free(&sides.found);
	return good;
}
