#include "collect/store/session_records.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "collect/store/session_store.h"
#include "collect/store/session_writer.h"

#define RECORDS_KEY "records" /* key of the network, in the table `value` */

static const struct {
	const char *name, *word;
	int figures;
} tables[SESSION_RECORDS] = {
	[SESSION_EDGES] = {"edge_record", "edge", 2},
	[SESSION_VERTICES] = {"vertex_record", "vertex", 9},
	[SESSION_STALLS] = {"stall_record", "stall", 5},
	[SESSION_FLOWS] = {"flow_record", "flow", 5},
	[SESSION_PATHS] = {"path_record", "path", 1},
};

struct session_records {
	struct session_file *file;
	sqlite3_stmt *add[SESSION_RECORDS];
	sqlite3_stmt *snapshot, *thing, *flow;
};

/* Removes the rows of the snapshots for which a condition holds. */
static bool
session_records_remove(struct session_file *file, const char *where, struct err *e)
{
	struct str sql = {0};
	bool good;

	for (int i = 0; i < SESSION_RECORDS; i++)
		str_addf(&sql, "DELETE FROM %s WHERE snapshot IN (SELECT id FROM record_snapshot WHERE %s);",
			tables[i].name, where);
	str_addf(&sql, "DELETE FROM record_snapshot WHERE %s", where);
	good = session_store_run(file, str_text(&sql), e);
	str_free(&sql);
	return good;
}

bool
session_records_forget(struct session_file *file, int64_t observation, struct err *e)
{
	char *where = str_format("observation=%lld", (long long)observation);
	bool good = session_records_remove(file, where, e);

	free(where);
	return good;
}

static bool
session_records_clear(struct session_file *file, struct err *e)
{
	struct str sql = {0};
	bool good;

	for (int i = 0; i < SESSION_RECORDS; i++)
		str_addf(&sql, "DELETE FROM %s;", tables[i].name);
	str_add(&sql, "DELETE FROM record_snapshot; DELETE FROM record_thing; DELETE FROM record_flow");
	good = session_store_run(file, str_text(&sql), e);
	str_free(&sql);
	return good;
}

/* Writes down whose records the file has, and removes those of another network. */
static bool
own_records(struct session_file *file, const char *network, bool anew, struct err *e)
{
	char *before = NULL;
	bool good = session_file_value(file, RECORDS_KEY, &before, e), same = before && str_eq(before, network);

	if (good && before && (anew || !same))
		good = session_records_clear(file, e);
	if (good && !same)
		good = session_file_set_value(file, RECORDS_KEY, network, e);
	free(before);
	return good;
}

static bool
prepare_add(struct session_records *r, int table, struct err *e)
{
	struct str sql = {0};

	str_addf(&sql, "INSERT INTO %s VALUES(?,?", tables[table].name);
	for (int i = 0; i < tables[table].figures; i++)
		str_add(&sql, ",?");
	str_addc(&sql, ')');
	r->add[table] = session_store_prepare(r->file, str_text(&sql), e);
	str_free(&sql);
	return r->add[table] != NULL;
}

struct session_records *
session_records_new(struct session_file *file, const char *network, bool anew, struct err *e)
{
	struct session_records *r = mem_new(sizeof *r);
	bool good;

	r->file = file;
	good = own_records(file, network, anew, e) &&
		(r->snapshot = session_store_prepare(file,
			 "INSERT INTO record_snapshot(observation, row, rows, time, seconds) VALUES(?,?,?,?,?)", e)) &&
		(r->thing = session_store_prepare(file,
			 "INSERT INTO record_thing(what, module, kind, owner, target, flow) VALUES(?,?,?,?,?,?) "
			 "ON CONFLICT DO UPDATE SET what=what RETURNING id",
			 e)) &&
		(r->flow = session_store_prepare(file,
			 "INSERT INTO record_flow(task, tid, life, cpu, destination) VALUES(?,?,?,?,?) "
			 "ON CONFLICT DO UPDATE SET task=excluded.task RETURNING id",
			 e));
	for (int i = 0; good && i < SESSION_RECORDS; i++)
		good = prepare_add(r, i, e);
	if (good)
		return r;
	session_records_free(r);
	return NULL;
}

void
session_records_free(struct session_records *r)
{
	if (!r)
		return;
	for (int i = 0; i < SESSION_RECORDS; i++)
		sqlite3_finalize(r->add[i]);
	sqlite3_finalize(r->snapshot);
	sqlite3_finalize(r->thing);
	sqlite3_finalize(r->flow);
	free(r);
}

/* Binds an unknown figure as NULL; JSON writes null for these, too. */
static void
bind_figure(sqlite3_stmt *s, int at, double x)
{
	if (!isfinite(x))
		sqlite3_bind_null(s, at);
	else
		sqlite3_bind_double(s, at, x);
}

/* Runs a statement that returns the number of a row. */
static int64_t
returned_number(struct session_records *r, sqlite3_stmt *s, struct err *e)
{
	int64_t number = 0;

	if (sqlite3_step(s) == SQLITE_ROW)
		number = sqlite3_column_int64(s, 0);
	return session_store_step(r->file, s, e) ? number : 0;
}

int64_t
session_records_snapshot(struct session_records *r, int64_t observation, size_t first, size_t n, double time,
	double seconds, struct err *e)
{
	sqlite3_bind_int64(r->snapshot, 1, observation);
	sqlite3_bind_int64(r->snapshot, 2, (int64_t)first);
	sqlite3_bind_int64(r->snapshot, 3, (int64_t)n);
	bind_figure(r->snapshot, 4, time);
	bind_figure(r->snapshot, 5, seconds);
	return session_store_step(r->file, r->snapshot, e) ? sqlite3_last_insert_rowid(r->file->db) : 0;
}

int64_t
session_records_observation(struct session_file *file, const char *name, struct err *e)
{
	sqlite3_stmt *s = session_store_prepare(file, "SELECT id FROM observation WHERE name=?", e);
	int64_t number = 0;
	int got = SQLITE_ERROR;

	if (s) {
		session_bind_text(s, 1, name);
		if ((got = sqlite3_step(s)) == SQLITE_ROW)
			number = sqlite3_column_int64(s, 0);
		else if (got != SQLITE_DONE)
			session_store_fail(file, e);
	}
	sqlite3_finalize(s);
	return number;
}

int64_t
session_records_thing(struct session_records *r, const struct session_thing *thing, struct err *e)
{
	session_bind_text(r->thing, 1, tables[thing->what].word);
	session_bind_text(r->thing, 2, thing->module);
	session_bind_text(r->thing, 3, thing->kind);
	session_bind_text(r->thing, 4, thing->owner);
	session_bind_text(r->thing, 5, thing->target);
	sqlite3_bind_int64(r->thing, 6, thing->flow);
	return returned_number(r, r->thing, e);
}

int64_t
session_records_flow(struct session_records *r, const char *task, int64_t tid, uint64_t life, int cpu,
	const char *destination, struct err *e)
{
	session_bind_text(r->flow, 1, task);
	sqlite3_bind_int64(r->flow, 2, tid);
	sqlite3_bind_int64(r->flow, 3, (int64_t)life);
	sqlite3_bind_int(r->flow, 4, cpu);
	session_bind_text(r->flow, 5, destination);
	return returned_number(r, r->flow, e);
}

bool
session_records_add(struct session_records *r, enum session_record table, int64_t snapshot, int64_t thing,
	const double *figure, struct err *e)
{
	sqlite3_stmt *s = r->add[table];
	bool known = false;

	for (int i = 0; i < tables[table].figures; i++) {
		known |= isfinite(figure[i]);
		bind_figure(s, i + 3, figure[i]);
	}
	if (!known)
		return true;
	sqlite3_bind_int64(s, 1, snapshot);
	sqlite3_bind_int64(s, 2, thing);
	return session_store_step(r->file, s, e);
}
