/* Record tables that are filled while a table grows and folds: they are those that the whole file gives. And record
 * tables that somebody else filled. */
#include "work/timeline/snapshot_records.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/random.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "parsed.h"
#include "session_place.h"
#include "session_tables.h"
#include "sql.h"
#include "test.h"
#include "work/files/stored.h"

#define SEEDS 40
#define STEPS 25

static const char text[] =
	"network n \"two cores\"; kind read; kind write;"
	"counter hit = \"hit\" per core unit requests; counter miss = \"miss\" per core unit requests;"
	"counter lost = \"lost\" per socket unit cycles; counter clk = \"clk\" per core unit cycles;"
	"stage a { module l1 per core { model cache; clock = clk; read { hit = hit; miss = miss; delay = 7 cycles; } "
	"write { hit = hit; } } }"
	"stage b { module mem per socket { read { hit = miss; stall = lost; } } } link l1 -> mem { read = miss; }";
static const char *const column[] = {"hit@S0-C0", "hit@S0-C1", "miss@S0-C0", "miss@S0-C1", "lost@S0", "clk", "other"};
enum { COLUMNS = 7 };

/* All figures with what they are about, in an order of their own. */
#define ALL \
	"SELECT group_concat(line, char(10)) FROM (SELECT line FROM (" \
	"SELECT 'snapshot', observation || ' ' || row || ' ' || rows || ' ' || ifnull(time, '?') || ' ' || " \
	"ifnull(seconds, '?') AS line FROM record_snapshot UNION ALL " \
	"SELECT 'edge', 'edge ' || observation || row || sender || receiver || kind || owner || ' ' || ifnull(load, " \
	"'?') " \
	"FROM edge UNION ALL " \
	"SELECT 'vertex', 'vertex ' || observation || row || module || kind || owner || ' ' || ifnull(hits, '?') || " \
	"' ' " \
	"|| ifnull(length, '?') FROM vertex UNION ALL " \
	"SELECT 'stall', 'stall ' || observation || row || module || kind || owner || destination || ' ' || " \
	"ifnull(stall, '?') || ' ' || ifnull(own, '?') FROM stall UNION ALL " \
	"SELECT 'path', 'path ' || observation || row || module || place || kind || ' ' || ifnull(hits, '?') FROM " \
	"path" \
	") ORDER BY line)"

/* Adds rows to the last observation of a table that grows, or begins another one, or folds its older rows. */
static void
grow(struct obs_table *t, uint64_t *r)
{
	struct obs *o = t->n && random_below(r, 8) ? t->obs[t->n - 1] : obs_table_add(t, "run", "run");
	size_t more = random_below(r, 4);

	o->since_start = true;
	for (size_t i = 0; i < more; i++) {
		int64_t count[COLUMNS];
		unsigned char counted[COLUMNS];

		for (size_t c = 0; c < COLUMNS; c++) {
			count[c] = (int64_t)random_below(r, 1000);
			counted[c] = random_below(r, 20) ? OBS_COUNTED : OBS_EMPTY;
		}
		obs_add_row(o, count, counted, (double)(o->n_rows + o->folded + 1));
	}
	obs_keep(o, 16);
}

static void
keep(struct snapshot_records **records, struct session_file *file, struct stored_tables *tables,
	const struct network *net, const struct obs_table *t, bool ended)
{
	const struct snapshot_run run = {.network = net, .table = t, .ended = ended};
	struct err e = {0};

	if (!CHECK(stored_follow(tables, file, t, NULL, &e) && snapshot_records_keep(records, file, tables, &run, &e)))
		CHECK_STR(e.what, "");
}

/* With folds, breaks and observations that begin: over SEEDS random runs. Rows are written before they are folded. */
static void
a_table_grows(void)
{
	struct network *net = parsed_network("n.net", text);
	size_t rows = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t r = seed;
		struct session_place p = session_place_new();
		struct obs_table *t = obs_table_new(column, COLUMNS);
		struct err e = {0};
		struct session_file *file = session_file_open(p.file, &e);
		struct stored_tables tables = {0};
		struct snapshot_records *records = NULL;
		char *live, *made;
		size_t n;

		test_label("seed %d", (int)seed);
		for (int i = 0; i < STEPS; i++) {
			grow(t, &r);
			keep(&records, file, &tables, net, t, i + 1 == STEPS);
		}
		snapshot_records_free(records);
		stored_free(&tables);
		session_file_close(file);
		live = sql_text(p.file, ALL);
		CHECK(snapshot_records_make(p.file, net, &n, &e));
		made = sql_text(p.file, ALL);
		CHECK_STR(live, made);
		rows += n;
		free(live);
		free(made);
		obs_table_free(t);
		session_place_free(&p);
	}
	CHECK(rows > 1000);
	network_free(net);
}

/* Records are only written, so what somebody else put there does no harm, and is gone when they are made anew. */
static void
filled_by_somebody_else(void)
{
	static const char *const sql[] = {
		"INSERT INTO record_snapshot VALUES(9223372036854775807, 1, 0, 1, 'x', zeroblob(9))",
		("INSERT INTO record_snapshot VALUES(-5, 1, 0, 1, NULL, NULL);"
		 "INSERT INTO path_record VALUES(-5, 77, 'much')"),
		"INSERT INTO record_thing VALUES(9223372036854775806, 'path', 'l1', 'read', '', 'l1', 0)",
		"INSERT INTO record_flow VALUES(0, hex(zeroblob(1000)), 'x', -1, 'y', zeroblob(5))",
		"INSERT INTO value VALUES('records', 'n'); INSERT INTO edge_record VALUES(1, 1, 'x', 'y')",
		"INSERT INTO value VALUES('records', 'somebody else')",
	};
	struct network *net = parsed_network("n.net", text);
	struct obs_table *t = obs_table_new(column, COLUMNS);
	char *want = NULL;

	for (int i = 0; i < 3; i++)
		obs_add_row(t->n ? t->obs[0] : obs_table_add(t, "run", "run"), (int64_t[]){1, 2, 3, 4, 5, 6, 7}, NULL,
			i);
	for (size_t i = 0; i <= sizeof sql / sizeof *sql; i++) {
		struct session_place p = session_place_new();
		struct err e = {0};
		char *got;
		size_t n;

		test_label("%s", i ? sql[i - 1] : "none");
		CHECK(session_append(p.file, t, &e));
		if (i) {
			run_sql(p.file, sql[i - 1]);
			if (!CHECK(snapshot_records_make(p.file, net, &n, &e)))
				CHECK_STR(e.what, "");
			run_sql(p.file, "PRAGMA foreign_key_check");
		} else {
			CHECK(snapshot_records_make(p.file, net, &n, &e));
		}
		CHECK_INT(n, 3);
		got = sql_text(p.file, ALL);
		if (want)
			CHECK_STR(got, want);
		else
			want = got;
		if (got != want)
			free(got);
		session_place_free(&p);
	}
	free(want);
	obs_table_free(t);
	network_free(net);
}

/* A file of version 10 has no records. It is read as it is, and filling them brings it up to date. */
static void
version_ten(void)
{
	struct network *net = parsed_network("n.net", text);
	struct obs_table *t = obs_table_new(column, COLUMNS), *back;
	struct session_place p = session_place_new();
	struct err e = {0};
	char *version;
	size_t n;

	obs_add_row(obs_table_add(t, "run", "run"), (int64_t[]){1, 2, 3, 4, 5, 6, 7}, NULL, 1);
	CHECK(session_append(p.file, t, &e));
	run_sql(p.file, SQL_WITHOUT_RECORDS "PRAGMA user_version=10");
	back = session_read_back(p.file, &e);
	CHECK(back && back->n == 1);
	obs_table_free(back);
	version = sql_text(p.file, "PRAGMA user_version");
	CHECK_STR(version, "10");
	free(version);
	CHECK(snapshot_records_make(p.file, net, &n, &e));
	CHECK_INT(n, 1);
	version = sql_text(p.file, "SELECT user_version || ' ' || (SELECT hits FROM path WHERE module='mem') FROM "
				   "pragma_user_version");
	CHECK_STR(version, "11 7.0");
	free(version);
	obs_table_free(t);
	session_place_free(&p);
	network_free(net);
}

/* A full disk ends the filling with a message, and leaves the samples. With room the next attempt does all. */
static void
a_full_disk(void)
{
	struct network *net = parsed_network("n.net", text);
	struct obs_table *t = obs_table_new(column, COLUMNS), *back;
	struct session_place p = session_place_new();
	struct err e = {0};
	struct session_file *file;
	struct stored_tables tables = {0};
	struct snapshot_records *records = NULL;
	const struct snapshot_run run = {.network = net, .table = t, .ended = true};
	char *all;

	for (int i = 0; i < 2000; i++)
		obs_add_row(t->n ? t->obs[0] : obs_table_add(t, "run", "run"), (int64_t[]){1, 2, 3, 4, 5, 6, 7}, NULL,
			i);
	file = session_file_open(p.file, &e);
	CHECK(stored_follow(&tables, file, t, NULL, &e));
	session_file_limit(file, 5);
	CHECK(!snapshot_records_keep(&records, file, &tables, &run, &e));
	CHECK(strstr(e.what, "no room left on the disk") != NULL);
	session_file_limit(file, 1000);
	CHECK(snapshot_records_keep(&records, file, &tables, &run, &e));
	snapshot_records_free(records);
	stored_free(&tables);
	session_file_close(file);
	all = sql_text(p.file, "SELECT count(*) || ' ' || count(DISTINCT snapshot) FROM path_record");
	CHECK_STR(all, "6000 2000");
	free(all);
	e = (struct err){0};
	back = session_read_back(p.file, &e);
	CHECK(back && back->obs[0]->n_rows == 2000);
	obs_table_free(back);
	obs_table_free(t);
	session_place_free(&p);
	network_free(net);
}

TEST_MAIN(CASE(a_table_grows), CASE(filled_by_somebody_else), CASE(version_ten), CASE(a_full_disk))
