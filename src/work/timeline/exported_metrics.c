#include "work/timeline/exported_metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"
#include "core/network/network.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "text/diag.h"
#include "work/files/metric_text.h"
#include "work/files/recording.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"
#include "work/timeline/owner_name.h"

#define A_DATE 1e8 /* seconds: later times are counted from 1970, earlier ones from the start */

struct exporting {
	const struct exported_metrics_to *to;
	const struct obs_table *table;
	struct err *e;
};

/* Returns when an observation's times begin, in seconds since 1970; NAN: that is not known. */
static double
beginning(const struct obs *o)
{
	struct tm tm = {0};

	if (o->time && o->n_rows && o->time[0] > A_DATE)
		return 0;
	if (!o->origin.started || !strptime(o->origin.started, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NAN;
	return (double)timegm(&tm);
}

/* Sets the point's time: the end of the row; without times, its number, so that rows stay apart. */
static void
set_time(const struct exporting *x, struct metric_point *p, const struct obs *o, size_t row)
{
	double from = beginning(o), s = o->time && !isnan(o->time[row]) ? o->time[row] : (double)(row + 1);

	p->timed = x->to->each_row;
	p->ns = (int64_t)(isnan(from) ? 0 : from) * 1000000000 + (int64_t)llround(s * 1e9);
}

/* Is a row of this observation wanted? */
static bool
wants(const struct exporting *x, const struct obs *o, size_t row)
{
	size_t place = 0;

	if (!x->to->rows)
		return true;
	while (x->table->obs[place] != o)
		place++;
	return row >= x->to->rows[place].first && row < x->to->rows[place].end;
}

static bool
give(const struct exporting *x, const struct metric_point *p)
{
	return !p->n_fields || x->to->take(x->to->ctx, p, x->e);
}

/* --- counts ------------------------------------------------------------------------------------------------------ */

static const char counts_help[] = "Counts of an event, summed over the rows.";
static const char amount_help[] = "Amount of an event with decimals, summed over the rows.";

static bool
give_count(const struct exporting *x, const struct obs *o, size_t column, size_t row, int64_t count)
{
	struct metric_point p = {.what = "hecate_event"};
	struct str base = {0}, owner = {0};
	bool good;

	owner_name_split(x->table->column[column], &base, &owner);
	metric_add_label(&p, "event", x->table->column[column]);
	metric_add_label(&p, "observation", o->name);
	metric_add_label(&p, "owner", owner.n ? str_text(&owner) : NULL);
	set_time(x, &p, o, row);
	if (o->decimals)
		metric_add_value(&p, "amount", (double)count * pow(10, -o->decimals), true, amount_help);
	else
		p.field[p.n_fields++] = (struct metric_field){
			.key = "counts", .help = counts_help, .rises = true, .whole = true, .count = count};
	good = give(x, &p);
	str_free(&base);
	str_free(&owner);
	return good;
}

static bool
export_rows(const struct exporting *x, const struct obs *o, struct exported_rows of)
{
	bool good = true;

	for (size_t row = of.first; row < of.end && good;) {
		struct obs_rows rows = obs_rows(o, row, of.end);

		for (size_t i = 0; i < rows.n && good; i++, row++)
			for (size_t c = 0; c < o->n_columns && good; c++)
				if (rows.counted[i * o->n_columns + c])
					good = give_count(x, o, c, row, rows.count[i * o->n_columns + c]);
	}
	return good;
}

static bool
export_sums(const struct exporting *x, const struct obs *o)
{
	bool good = true;

	for (size_t c = 0; c < o->n_columns && good; c++) {
		struct obs_sum sum = obs_sum(o, c, 0, o->n_rows);

		if (sum.counted && sum.sum <= INT64_MAX)
			good = give_count(x, o, c, 0, (int64_t)sum.sum);
	}
	return good;
}

/* --- network ----------------------------------------------------------------------------------------------------- */

struct snapshot_of {
	const struct exporting *x;
	const struct network_data *data;
	const struct net_state *state;
	size_t snapshot;
};

/* Begins a point of a module's owner. The number is used where the data name no owners; *number is its storage. */
static struct metric_point
begin_point(const struct snapshot_of *s, const char *what, size_t module, size_t owner, char number[24])
{
	const struct network *net = s->data->net;
	const struct network_data_snapshot *snapshot = &s->data->snapshot[s->snapshot];
	enum scope per = net->module[module].per;
	struct metric_point p = {.what = what};
	const char *name = s->data->owners->name[per] ? s->data->owners->name[per][owner] : NULL;

	snprintf(number, 24, "%zu", owner);
	metric_add_label(&p, "network", net->name);
	metric_add_label(&p, "observation", network_data_obs(s->data, s->snapshot)->name);
	metric_add_label(&p, "module", net->module[module].name);
	metric_add_label(&p, "owner", name ? name : net_state_owners(s->state, module) > 1 ? number : NULL);
	set_time(s->x, &p, network_data_obs(s->data, s->snapshot), snapshot->first_row + snapshot->n_rows - 1);
	return p;
}

static bool
export_vertex(const struct snapshot_of *s, const struct net_queues *queues, size_t module, size_t owner, size_t kind)
{
	struct net_cell_values v = net_state_cell(s->state, module, owner, kind);
	const struct net_queue *queue = net_queues_find(queues, module, owner, kind);
	const struct net_cell *cell = &s->data->net->module[module].cell[kind];
	struct str unit = {0};
	char number[24];
	struct metric_point p = begin_point(s, "hecate_vertex", module, owner, number);
	bool good;

	if (cell->field[NET_DELAY])
		unit_text(cell->field[NET_DELAY]->unit, &unit);
	metric_add_label(&p, "kind", s->data->net->kind[kind].name);
	metric_add_label(&p, "unit", unit.n ? str_text(&unit) : NULL);
	metric_add_value(&p, "requests", cell->n_hits ? v.hits : NAN, true, "Requests that were served at a module.");
	metric_add_value(&p, "misses", cell->field[NET_MISS] ? v.misses : NAN, true, "Requests that went on.");
	metric_add_value(&p, "delay", cell->field[NET_DELAY] ? v.field[NET_DELAY] : NAN, false,
		"Response time of requests served here, in the unit of the label.");
	metric_add_value(&p, "queue", queue ? queue->length : NAN, false, "Requests that wait here, on average.");
	good = give(s->x, &p);
	str_free(&unit);
	return good;
}

static bool
export_edge(const struct snapshot_of *s, size_t link, size_t owner, size_t kind)
{
	const struct network *net = s->data->net;
	char number[24];
	struct metric_point p = begin_point(s, "hecate_edge", net->link[link].from, owner, number);

	for (size_t i = 0; i < link; i++) /* a sample of Prometheus is unique */
		if (net->link[i].from == net->link[link].from && net->link[i].to == net->link[link].to)
			return true;
	metric_add_label(&p, "to", net->module[net->link[link].to].name);
	metric_add_label(&p, "kind", net->kind[kind].name);
	metric_add_value(&p, "load", net_state_load(s->state, link, owner, kind), true,
		"Requests from a module to the next.");
	return give(s->x, &p);
}

static bool
export_stall(const struct snapshot_of *s, const struct net_stalls *stalls, size_t module, size_t owner, size_t kind)
{
	size_t at = net_stalls_at(stalls, module, owner, kind);
	char number[24];
	struct metric_point p = begin_point(s, "hecate_stall", module, owner, number);

	if (!(stalls->stall[at] > 0) && !(stalls->hidden[at] > 0))
		return true;
	metric_add_label(&p, "kind", s->data->net->kind[kind].name);
	metric_add_label(&p, "destination", s->data->net->module[stalls->destination].name);
	metric_add_value(&p, "cycles", stalls->stall[at], true,
		"Cycles lost at a module to requests of a destination.");
	metric_add_value(&p, "own", net_stalls_reported(s->state, module, kind) ? stalls->own[at] : NAN, true,
		"Of these cycles, what arises at the module.");
	metric_add_value(&p, "hidden", stalls->hidden[at], true, "Cycles beyond what the module is seen to stall.");
	metric_add_value(&p, "kept", stalls->kept[at], true, "Cycles that stay here, because requests begin here.");
	return give(s->x, &p);
}

/* Everything of one snapshot. */
static bool
export_snapshot(
	const struct snapshot_of *s, const struct net_queues *queues, struct net_stalls *const *stalls, size_t n)
{
	const struct network *net = s->data->net;
	const struct obs *o = network_data_obs(s->data, s->snapshot);
	const struct network_data_snapshot *snapshot = &s->data->snapshot[s->snapshot];
	struct metric_point p = {.what = "hecate_snapshot"};
	bool good;

	metric_add_label(&p, "network", net->name);
	metric_add_label(&p, "observation", o->name);
	set_time(s->x, &p, o, snapshot->first_row + snapshot->n_rows - 1);
	metric_add_value(&p, "seconds", snapshot->seconds, false, "Length of the snapshot.");
	good = give(s->x, &p);
	for (size_t m = 0; m < net->n_modules && good; m++)
		for (size_t i = 0; i < net_state_owners(s->state, m) && good; i++)
			for (size_t k = 0; k < net->n_kinds && good; k++) {
				good = net->module[m].cell[k].state != NET_CELL_REPORTED ||
					export_vertex(s, queues, m, i, k);
				for (size_t d = 0; d < n && good; d++)
					good = export_stall(s, stalls[d], m, i, k);
			}
	for (size_t i = 0; i < net->n_links && good; i++)
		for (size_t owner = 0; owner < net_state_owners(s->state, net->link[i].from) && good; owner++)
			for (size_t k = 0; k < net->n_kinds && good; k++)
				good = export_edge(s, i, owner, k);
	return good;
}

static bool
export_network(const struct exporting *x, const struct network *net)
{
	struct network_data *data = network_data_new(net, x->table, NULL, x->to->each_row);
	struct net_state *state = net_state_new(net, &data->owners->shape);
	struct net_queues *queues = net_queues_new(state);
	size_t n;
	struct net_stalls **stalls = net_stalls_all(state, NET_BY_DELAY, &n);
	bool good = true;

	for (size_t i = 0; i < data->n && data->n_matched && good; i++) {
		struct snapshot_of s = {x, data, state, i};

		if (!wants(x, network_data_obs(data, i), data->snapshot[i].first_row + data->snapshot[i].n_rows - 1))
			continue;
		network_data_take(data, i, state);
		net_queues_update(queues, state);
		net_stalls_update(stalls, n, state);
		good = export_snapshot(&s, queues, stalls, n);
	}
	net_stalls_all_free(stalls, n);
	net_queues_free(queues);
	net_state_free(state);
	network_data_free(data);
	return good;
}

/* --- verdicts ---------------------------------------------------------------------------------------------------- */

enum { VERDICT_MODEL, VERDICT_FEATURES, VERDICT_OBSERVATION, VERDICT_CONFIDENCE, VERDICT_REGION, VERDICT_WORD,
	VERDICT_FAMILY, VERDICT_DISTANCE, VERDICT_THRESHOLD, VERDICT_P };

static double
number_in(const struct session_table *t, size_t row, size_t column)
{
	double v;

	return str_to_double(session_table_cell(t, row, column), &v) ? v : NAN;
}

static bool
export_verdict(const struct exporting *x, const struct session_table *t, size_t row)
{
	struct metric_point p = {.what = "hecate_verdict"};
	const char *name = session_table_cell(t, row, VERDICT_OBSERVATION);

	metric_add_label(&p, "model", session_table_cell(t, row, VERDICT_MODEL));
	metric_add_label(&p, "features", session_table_cell(t, row, VERDICT_FEATURES));
	metric_add_label(&p, "observation", name);
	metric_add_label(&p, "confidence", session_table_cell(t, row, VERDICT_CONFIDENCE));
	metric_add_label(&p, "region", session_table_cell(t, row, VERDICT_REGION));
	metric_add_label(&p, "verdict", session_table_cell(t, row, VERDICT_WORD));
	metric_add_value(&p, "refuted", str_eq(session_table_cell(t, row, VERDICT_WORD), "infeasible") ? 1 : 0, false,
		"1 if the observation refutes the model.");
	metric_add_value(&p, "p", number_in(t, row, VERDICT_P), false, "p-value of the verdict.");
	metric_add_value(&p, "distance2", number_in(t, row, VERDICT_DISTANCE), false,
		"Squared distance of the observation from the cone.");
	for (size_t i = 0; i < x->table->n; i++)
		if (str_eq(x->table->obs[i]->name, name) && x->table->obs[i]->n_rows) {
			if (!wants(x, x->table->obs[i], x->table->obs[i]->n_rows - 1))
				return true;
			set_time(x, &p, x->table->obs[i], x->table->obs[i]->n_rows - 1);
		}
	return give(x, &p);
}

static bool
export_verdicts(const struct exporting *x, const char *path)
{
	struct session_file *file = session_file_open_to_read(path, x->e);
	struct session_table table = {0};
	bool good = file && session_table_read(file, SESSION_TABLE_VERDICT, &table, x->e);

	for (size_t row = 0; row < table.n_rows && good; row++)
		good = export_verdict(x, &table, row);
	session_table_clear(&table);
	session_file_close(file);
	return good;
}

bool
exported_metrics(const char *path, const struct obs_table *table, const struct exported_metrics_to *to, size_t *undated,
	struct err *e)
{
	const struct exporting x = {to, table, e};
	struct diags d = {0};
	char *from = NULL;
	struct network *net = NULL;
	bool good = true;

	*undated = 0;
	for (size_t i = 0; i < table->n && good; i++) {
		*undated += isnan(beginning(table->obs[i])) ? 1 : 0;
		good = to->each_row ? export_rows(&x, table->obs[i],
			to->rows ? to->rows[i] : (struct exported_rows){0, table->obs[i]->n_rows})
			: export_sums(&x, table->obs[i]);
	}
	if (good && recording_holds(path, TEXT_NETWORK)) {
		net = network_load(path, &from, &d, e);
		good = net && export_network(&x, net);
		if (!net && !*e->what)
			err_set(e, "the network in %s has errors", path);
	}
	network_free(net);
	diags_free(&d);
	free(from);
	return good && export_verdicts(&x, path);
}
