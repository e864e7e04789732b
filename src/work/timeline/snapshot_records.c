#include "work/timeline/snapshot_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/store/session_file.h"
#include "collect/store/session_records.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/files/recording.h"
#include "work/files/stored.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"

#define AT_ONCE 1024 /* snapshots of snapshot_records_make() in one transaction */

/* What the records have of an observation. */
struct seen {
	size_t written; /* its rows, folded ones included */
	size_t folded;  /* its folded rows when `data` was made */
	bool exact;
};

struct snapshot_records {
	struct session_file *file;
	struct session_records *out;
	const struct network *net;
	const struct obs_table *table, *flows; /* flows: a table of its own, or NULL */
	struct network_data *data;
	struct net_state *state;
	struct net_path_map *map;
	struct net_queues *queues;
	struct net_stalls **stalls;
	size_t n_stalls;
	const struct net_queue **queue; /* per cell; see cell_at() */
	bool *leads;                    /* modules × modules: is there a way from one to the other? */
	size_t *first;                  /* per module: number of owners of the modules before; n_modules + 1 entries */
	/* Numbers of things in the file; 0: not looked up yet. Each module has room for its owners and for all of them
	 * together, the last one. */
	int64_t *edge, *vertex, *stall, *path;
	struct seen *seen; /* per observation of the table */
	size_t n_seen, snapshots;
};

/* --- one snapshot ------------------------------------------------------------------------------------------------- */

struct record_pass {
	struct snapshot_records *r;
	int64_t snapshot;
	struct err *e;
};

/* Returns a place in arrays that have one entry for each module, owner and kind. Owner n_owners: all together. */
static size_t
cell_at(const struct snapshot_records *r, size_t module, size_t owner, size_t kind)
{
	return (r->first[module] + module + owner) * r->net->n_kinds + kind;
}

static size_t
records_owners(const struct snapshot_records *r, size_t module)
{
	return r->first[module + 1] - r->first[module];
}

/* Adds a row about a thing, whose number in the file is kept in *number. */
static bool
add_row(const struct record_pass *p, int64_t *number, struct session_thing thing, size_t module, size_t owner,
	const double *figure)
{
	const struct snapshot_records *r = p->r;
	const char *name = owner < records_owners(r, module) ? r->data->owners->name[r->net->module[module].per][owner]
							     : NULL;

	thing.owner = name ? name : "";
	if (!*number && !(*number = session_records_thing(r->out, &thing, p->e)))
		return false;
	return session_records_add(r->out, thing.what, p->snapshot, *number, figure, p->e);
}

/* Returns the part of the time in which a module had no request of a kind, over all owners. NAN: unknown. */
static double
idle_of(const struct snapshot_records *r, size_t module, size_t kind)
{
	double busy = 0, clock = 0;

	for (size_t o = 0; o < records_owners(r, module); o++) {
		busy += net_state_cell(r->state, module, o, kind).field[NET_BUSY];
		clock += net_state_clock(r->state, module, o);
	}
	return clock > 0 ? 1 - busy / clock : NAN;
}

/* Returns the first owner to write: a module with one owner has only the row of all together. */
static size_t
first_written(const struct snapshot_records *r, size_t module)
{
	return records_owners(r, module) > 1 ? 0 : 1;
}

static bool
write_edge(const struct record_pass *p, size_t link, size_t kind, int64_t *number)
{
	const struct snapshot_records *r = p->r;
	const struct net_link *l = &r->net->link[link];
	size_t owners = records_owners(r, l->from);
	double all = 0;
	bool good = true;

	for (size_t o = 0; o < owners; o++)
		all += net_state_load(r->state, link, o, kind);
	for (size_t o = first_written(r, l->from); o <= owners && good; o++) {
		const double figure[] = {o < owners ? net_state_load(r->state, link, o, kind) : all,
			o < owners ? NAN : idle_of(r, l->to, kind)};

		good = add_row(p, &number[o * r->net->n_kinds + kind],
			(struct session_thing){.what = SESSION_EDGES,
				.module = r->net->module[l->from].name,
				.kind = r->net->kind[kind].name,
				.target = r->net->module[l->to].name},
			l->from, o, figure);
	}
	return good;
}

static bool
write_edges(const struct record_pass *p)
{
	const struct snapshot_records *r = p->r;
	int64_t *number = r->edge;

	for (size_t i = 0; i < r->net->n_links; i++) {
		for (size_t k = 0; k < r->net->n_kinds; k++)
			if (!write_edge(p, i, k, number))
				return false;
		number += (records_owners(r, r->net->link[i].from) + 1) * r->net->n_kinds;
	}
	return true;
}

enum { HITS, MISSES, DELAY, LENGTH, ARRIVALS, WAIT, OCCUPIED, BUSY, BYTES, VERTEX_FIGURES };

static void
vertex_figures(const struct snapshot_records *r, size_t module, size_t owner, size_t kind, double out[VERTEX_FIGURES])
{
	struct net_cell_values v = net_state_cell(r->state, module, owner, kind);
	const struct net_queue *q = r->queue[cell_at(r, module, owner, kind)];

	out[HITS] = v.hits;
	out[MISSES] = v.misses;
	out[DELAY] = v.field[NET_DELAY];
	out[LENGTH] = q ? q->length : NAN;
	out[ARRIVALS] = q ? q->arrivals : NAN;
	out[WAIT] = q ? q->wait : NAN;
	out[OCCUPIED] = q ? q->occupied : NAN;
	out[BUSY] = v.field[NET_BUSY];
	out[BYTES] = v.field[NET_BYTES];
}

/* Adds an owner's figures to those of all owners. A mean over owners needs the requests of each: it stays unknown. */
static void
add_figures(const double *owner, double *all)
{
	for (int i = 0; i < VERTEX_FIGURES; i++)
		all[i] = i == DELAY || i == WAIT || i == ARRIVALS ? NAN : all[i] + owner[i];
}

static bool
write_vertex(const struct record_pass *p, size_t module, size_t kind)
{
	const struct snapshot_records *r = p->r;
	const struct session_thing thing = {.what = SESSION_VERTICES,
		.module = r->net->module[module].name,
		.kind = r->net->kind[kind].name,
		.target = ""};
	size_t owners = records_owners(r, module);
	double all[VERTEX_FIGURES] = {0}, figure[VERTEX_FIGURES];

	if (owners == 1) {
		vertex_figures(r, module, 0, kind, figure);
		return add_row(p, &r->vertex[cell_at(r, module, 1, kind)], thing, module, 1, figure);
	}
	for (size_t o = 0; o < owners; o++) {
		vertex_figures(r, module, o, kind, figure);
		add_figures(figure, all);
		if (!add_row(p, &r->vertex[cell_at(r, module, o, kind)], thing, module, o, figure))
			return false;
	}
	return add_row(p, &r->vertex[cell_at(r, module, owners, kind)], thing, module, owners, all);
}

/* Stalls at a module because of one destination. */
static bool
write_stall(const struct record_pass *p, const struct net_stalls *s, size_t module, size_t kind, int64_t *number)
{
	const struct snapshot_records *r = p->r;
	size_t owners = records_owners(r, module);
	bool counted = net_stalls_reported(r->state, module, kind), good = true;
	double all[5] = {0};

	for (size_t o = 0; o <= owners && good; o++) {
		size_t at = o < owners ? net_stalls_at(s, module, o, kind) : 0;
		const double own[] = {
			s->stall[at], counted ? s->own[at] : NAN, s->hidden[at], s->kept[at], s->stuck[at]};

		for (int i = 0; i < 5 && o < owners; i++)
			all[i] += own[i];
		if (o >= first_written(r, module))
			good = add_row(p, &number[cell_at(r, module, o, kind)],
				(struct session_thing){.what = SESSION_STALLS,
					.module = r->net->module[module].name,
					.kind = r->net->kind[kind].name,
					.target = r->net->module[s->destination].name},
				module, o, o < owners ? own : all);
	}
	return good;
}

/* Can a counted stall of this kind reach the module, from itself or from one between it and the destination? If not,
 * its 0 would not be measured, and has no row. */
static bool
has_stalls(const struct snapshot_records *r, size_t module, size_t destination, size_t kind)
{
	size_t n = r->net->n_modules;

	for (size_t m = 0; m < n; m++)
		if (r->leads[module * n + m] && r->leads[m * n + destination] && net_stalls_reported(r->state, m, kind))
			return true;
	return false;
}

static bool
write_stalls(const struct record_pass *p, size_t kind)
{
	const struct snapshot_records *r = p->r;
	size_t cells = cell_at(r, r->net->n_modules, 0, 0);
	bool good = true;

	for (size_t m = 0; m < r->net->n_modules; m++)
		for (size_t d = 0; d < r->n_stalls && good; d++)
			if (r->net->module[m].cell[kind].state != NET_CELL_ABSENT &&
				has_stalls(r, m, r->stalls[d]->destination, kind))
				good = write_stall(p, r->stalls[d], m, kind, r->stall + d * cells);
	return good;
}

static bool
write_cells(const struct record_pass *p)
{
	const struct snapshot_records *r = p->r;
	size_t cells = cell_at(r, r->net->n_modules, 0, 0);
	bool good = true;

	memset(r->queue, 0, cells * sizeof *r->queue);
	for (size_t i = 0; i < r->queues->n; i++) {
		const struct net_queue *q = &r->queues->queue[i];

		r->queue[cell_at(r, q->module, q->owner, q->kind)] = q;
	}
	for (size_t k = 0; k < r->net->n_kinds && good; k++) {
		for (size_t m = 0; m < r->net->n_modules && good; m++)
			if (r->net->module[m].cell[k].state == NET_CELL_REPORTED)
				good = write_vertex(p, m, k);
		good = good && write_stalls(p, k);
	}
	return good;
}

/* Places of all tasks together. */
static bool
write_places(const struct record_pass *p)
{
	const struct snapshot_records *r = p->r;
	bool good = true;

	for (size_t i = 0; i < r->map->n_rows; i++)
		for (size_t k = 0; k < r->map->n_kinds && good; k++) {
			const struct net_map_row *row = &r->map->row[i];

			if (row->cell[k].state == NET_CELL_REPORTED && !row->cell[k].unknown)
				good = add_row(p, &r->path[i * r->map->n_kinds + k],
					(struct session_thing){.what = SESSION_PATHS,
						.module = r->net->module[row->module].name,
						.kind = r->net->kind[k].name,
						.target = row->place},
					row->module, SIZE_MAX, &row->cell[k].hits);
		}
	return good;
}

static bool
write_snapshot(struct snapshot_records *r, size_t snapshot, int64_t observation, size_t row, struct err *e)
{
	const struct network_data_snapshot *s = &r->data->snapshot[snapshot];
	const struct obs *o = network_data_obs(r->data, snapshot);
	struct record_pass p = {.r = r, .e = e};

	network_data_take(r->data, snapshot, r->state);
	net_path_map_update(r->map, r->state);
	net_queues_update(r->queues, r->state);
	net_stalls_update(r->stalls, r->n_stalls, r->state);
	p.snapshot = session_records_snapshot(r->out, observation, row, s->n_rows,
		o->time ? o->time[s->first_row + s->n_rows - 1] : NAN, s->seconds, e);
	r->snapshots++;
	return p.snapshot && write_edges(&p) && write_cells(&p) && write_places(&p) &&
		snapshot_records_flows(r->out, r->data, snapshot, r->flows, p.snapshot, e);
}

/* --- a table ------------------------------------------------------------------------------------------------------ */

static void
forget_data(struct snapshot_records *r)
{
	network_data_free(r->data);
	net_state_free(r->state);
	net_path_map_free(r->map);
	net_queues_free(r->queues);
	net_stalls_all_free(r->stalls, r->n_stalls);
	free(r->queue);
	free(r->first);
	free(r->edge);
	free(r->vertex);
	free(r->stall);
	free(r->path);
	r->data = NULL;
	r->state = NULL;
	r->map = NULL;
	r->queues = NULL;
	r->stalls = NULL;
	r->n_stalls = 0;
	r->queue = NULL;
	r->first = NULL;
	r->edge = r->vertex = r->stall = r->path = NULL;
}

/* Finds which modules lead to which; each leads to itself. Links go to later modules. */
static void
find_ways(struct snapshot_records *r)
{
	size_t n = r->net->n_modules;

	r->leads = mem_new_array(n * n, sizeof *r->leads);
	for (size_t m = n; m-- > 0;) {
		r->leads[m * n + m] = true;
		for (size_t i = 0; i < r->net->n_links; i++)
			for (size_t to = 0; to < n && r->net->link[i].from == m; to++)
				r->leads[m * n + to] |= r->leads[r->net->link[i].to * n + to];
	}
}

static void
make_data(struct snapshot_records *r)
{
	size_t edges = 0, cells;

	forget_data(r);
	r->data = network_data_new(r->net, r->table, NULL, true);
	r->state = net_state_new(r->net, &r->data->owners->shape);
	r->map = net_path_map_new(r->state);
	r->queues = net_queues_new(r->state);
	r->stalls = net_stalls_all(r->state, NET_BY_DELAY, &r->n_stalls);
	r->first = mem_new_array(r->net->n_modules + 1, sizeof *r->first);
	for (size_t m = 0; m < r->net->n_modules; m++)
		r->first[m + 1] = r->first[m] + net_state_owners(r->state, m);
	for (size_t i = 0; i < r->net->n_links; i++)
		edges += (records_owners(r, r->net->link[i].from) + 1) * r->net->n_kinds;
	cells = cell_at(r, r->net->n_modules, 0, 0);
	r->edge = mem_new_array(edges, sizeof *r->edge);
	r->queue = mem_new_array(cells, sizeof *r->queue);
	r->vertex = mem_new_array(cells, sizeof *r->vertex);
	r->stall = mem_new_array(cells * r->n_stalls, sizeof *r->stall);
	r->path = mem_new_array(r->map->n_rows * r->map->n_kinds, sizeof *r->path);
	for (size_t i = 0; i < r->n_seen; i++)
		r->seen[i].folded = r->table->obs[i]->folded;
}

/* Takes what the table has gained. Snapshots are found anew if rows were folded or replaced, or columns were added. */
static void
follow_table(struct snapshot_records *r)
{
	bool changed = !r->data || r->data->owners->n_columns != r->table->n_columns;

	if (r->n_seen < r->table->n)
		r->seen = mem_resize(r->seen, r->table->n, sizeof *r->seen);
	for (; r->n_seen < r->table->n; r->n_seen++)
		r->seen[r->n_seen] = (struct seen){.exact = r->table->obs[r->n_seen]->exact};
	r->n_seen = r->table->n;
	for (size_t i = 0; i < r->n_seen; i++) {
		const struct obs *o = r->table->obs[i];
		struct seen *s = &r->seen[i];

		changed |= o->folded != s->folded;
		if (o->n_rows + o->folded < s->written || o->exact != s->exact) {
			*s = (struct seen){.exact = o->exact}; /* the writer has removed its rows and their records */
			changed = true;
		}
	}
	if (changed)
		make_data(r);
	else
		network_data_follow(r->data);
}

static struct snapshot_records *
snapshot_records_new(
	struct session_file *file, const struct network *net, const struct obs_table *table, bool anew, struct err *e)
{
	struct session_records *out = session_records_new(file, net->name, anew, e);
	struct snapshot_records *r;

	if (!out)
		return NULL;
	r = mem_new(sizeof *r);
	r->file = file;
	r->out = out;
	r->net = net;
	r->table = table;
	find_ways(r);
	return r;
}

void
snapshot_records_free(struct snapshot_records *r)
{
	if (!r)
		return;
	forget_data(r);
	session_records_free(r->out);
	free(r->leads);
	free(r->seen);
	free(r);
}

/* Finds an observation in the file, and the row in the file of its row 0. */
static bool
find_observation(const struct snapshot_records *r, const struct session_writer *writer, size_t obs, int64_t *number,
	size_t *first, struct err *e)
{
	const struct obs *o = r->table->obs[obs];

	*first = 0;
	if (writer) {
		*number = session_writer_number(writer, obs);
		*first = session_writer_observation_rows(writer, obs) - o->n_rows;
		return true;
	}
	*number = session_records_observation(r->file, o->name, e);
	if (!*number && !*e->what)
		err_set(e, "the file has no observation '%s'", o->name);
	return *number != 0;
}

/* Writes those of the snapshots *at … end - 1 that are new, at most `most`. */
static bool
write_some(struct snapshot_records *r, const struct session_writer *writer, size_t *at, size_t end, size_t most,
	struct err *e)
{
	size_t obs = SIZE_MAX, first = 0;
	int64_t number = 0;

	/* Rows that were folded before they had records are one by one in the file only: there is nothing to write. */
	for (; *at < end && most; ++*at) {
		const struct network_data_snapshot *s = &r->data->snapshot[*at];
		size_t own = network_data_source(r->data, *at);
		const struct obs *o = r->table->obs[own];

		if (s->first_row + o->folded < r->seen[own].written || (writer && s->first_row < o->sums))
			continue;
		if (own != obs && !find_observation(r, writer, own, &number, &first, e))
			return false;
		/* It may have records of an earlier text of the network. */
		if (!r->seen[own].written && !session_records_forget(r->file, number, e))
			return false;
		obs = own;
		if (!write_snapshot(r, *at, number, first + s->first_row, e))
			return false;
		r->seen[obs].written = s->first_row + s->n_rows + o->folded;
		most--;
	}
	return true;
}

/* Writes the snapshots that the table has gained; the last one only if the run has `ended`. */
static bool
follow(struct snapshot_records *r, const struct session_writer *writer, const struct obs_table *flows, bool ended,
	struct err *e)
{
	size_t at = 0, end;

	follow_table(r);
	r->flows = flows;
	end = r->data->n - (r->data->n && !ended);
	return !r->data->n_matched || write_some(r, writer, &at, end, SIZE_MAX, e);
}

void
snapshot_records_leave(struct snapshot_records **r, const struct obs_table *table)
{
	if (!*r || (*r)->table != table)
		return;
	snapshot_records_free(*r);
	*r = NULL;
}

/* Restores the state before a failed attempt, whose rows and numbers of things are not in the file. */
static void
forget_attempt(struct snapshot_records *r, const struct seen *before, size_t n)
{
	forget_data(r);
	if (n)
		memcpy(r->seen, before, n * sizeof *before);
	r->n_seen = n;
}

bool
snapshot_records_keep(struct snapshot_records **r, struct session_file *file, const struct stored_tables *tables,
	const struct snapshot_run *run, struct err *e)
{
	const struct session_writer *writer = stored_writer(tables, run->table);
	struct seen *before;
	size_t n;
	bool good;

	if (!writer)
		return true;
	if (*r && ((*r)->table != run->table || (*r)->net != run->network || (*r)->file != file))
		snapshot_records_leave(r, (*r)->table);
	n = *r ? (*r)->n_seen : 0;
	before = n ? mem_copy((*r)->seen, n * sizeof *before) : NULL;
	good = session_file_begin(file, e) &&
		(*r || (*r = snapshot_records_new(file, run->network, run->table, false, e))) &&
		follow(*r, writer, run->flows, run->ended, e) && session_file_commit(file, e);
	if (!good) {
		session_file_rollback(file);
		if (*r)
			forget_attempt(*r, before, n);
	}
	free(before);
	return good;
}

/* --- a file ------------------------------------------------------------------------------------------------------- */

static bool
make_all(struct session_file *file, struct snapshot_records *r, struct err *e)
{
	bool good = true;
	size_t at = 0;

	follow_table(r);
	if (!r->data->n_matched) {
		err_set(e, "the file has no column for any counter of the network %s", r->net->name);
		return err_hint(e, "hecate net NETWORK --check lists the counters and their events");
	}
	while (good && at < r->data->n)
		good = write_some(r, NULL, &at, r->data->n, AT_ONCE, e) && session_file_commit(file, e) &&
			(at == r->data->n || session_file_begin(file, e));
	if (good && obs_table_failure(r->table)) {
		*e = *obs_table_failure(r->table);
		return false;
	}
	return good;
}

bool
snapshot_records_make(const char *path, const struct network *net, size_t *snapshots, struct err *e)
{
	/* A reader that came first would keep the writer out. */
	struct session_file *file = session_file_open(path, e);
	struct recorded *recorded = file ? recorded_open(path, e) : NULL;
	struct snapshot_records *r = recorded && session_file_begin(file, e)
		? snapshot_records_new(file, net, recorded_table(recorded), true, e)
		: NULL;
	bool good = r && make_all(file, r, e);

	*snapshots = r ? r->snapshots : 0;
	if (file && !good)
		session_file_rollback(file);
	snapshot_records_free(r);
	recorded_free(recorded);
	session_file_close(file);
	return good;
}
