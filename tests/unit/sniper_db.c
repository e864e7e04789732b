/* Sniper's database: what the region of interest added, shared components, and databases that are locked, cut off,
 * damaged, or of something else. Expected counts are the differences in tests/data/sniper/db.sql. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"
#include "mutate.h"
#include "session_place.h"
#include "sql.h"
#include "table.h"
#include "test.h"
#include "work/files/data.h"

static struct session_place
make_database(const char *change)
{
	struct session_place p = session_place_new();
	char *sql = test_read("data/sniper/db.sql", NULL);

	if (sql)
		run_sql(p.file, sql);
	if (change)
		run_sql(p.file, change);
	free(sql);
	return p;
}

/* The file's bytes; the caller frees them. */
static char *
bytes_of(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *bytes = mem_new(1 << 20);

	*n = f ? fread(bytes, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	return bytes;
}

static void
what_the_region_added(void)
{
	struct session_place p = make_database(NULL);
	size_t n, m;
	char *before = bytes_of(p.file, &n), *after, *text;
	struct err e = {0};
	struct obs_table *t = import_read("sim.stats.sqlite3", before, n, false, &e);

	text = table_text(t, &e);
	CHECK_STR(text,
		"columns [rob_timer.cpiBase] [performance_model.elapsed_time] [L3.loads] "
		"[performance_model.instruction_count] [rob_timer.cpiBranchPredictor]\n"
		"sim.stats:core0, exact\n"
		"  total 9007199254740993 2000000 42 100 0\n"
		"sim.stats:core1, exact, L3.loads absent\n"
		"  total 98210000 2000000 - 200 4\n"
		"note sim.stats.sqlite3: values of 1 statistic left out (below zero): dram.reads\n"
		"note sim.stats.sqlite3: values of 1 statistic left out (not a count but a fraction, a text, nan, or "
		"beyond 63 bits): rob_timer.outstanding\n"
		"note sim.stats.sqlite3: values of 1 statistic left out (of the whole system, not of a core): "
		"barrier.global_time\n");
	free(text);
	obs_table_free(t);
	t = data_read(p.file, false, &e);
	CHECK(t && t->n == 2);
	obs_table_free(t);
	/* nothing was written, into the file or next to it: session_place_free() finds other files */
	after = bytes_of(p.file, &m);
	CHECK(m == n && memcmp(before, after, n) == 0);
	free(before);
	free(after);
	session_place_free(&p);
}

static void
databases_that_cannot_be_read_say_why(void)
{
	static const struct { const char *name, *change, *says; } row[] = {
		{"no region and no end", "DELETE FROM prefixes WHERE prefixname IN ('roi-end', 'stop')",
			"neither the snapshot roi-end nor stop"},
		{"without its names", "DROP TABLE names", "neither a session file nor statistics of Sniper"},
		{"a view in the place of a table", "DROP TABLE \"values\"; CREATE VIEW \"values\" AS SELECT 1",
			"neither a session file nor statistics of Sniper"},
		{"another column", "ALTER TABLE \"values\" RENAME COLUMN core TO cpu", "no such column"},
		{"twice", "INSERT INTO \"values\" VALUES (3, 1, 0, 5)", "twice in one snapshot"},
		{"empty", "DELETE FROM \"values\"", "no value of a core"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct session_place p = make_database(row[i].change);
		struct err e = {0};
		struct obs_table *t = data_read(p.file, false, &e);

		test_label("%s", row[i].name);
		CHECK(!t && *e.hint);
		test_check(strstr(e.what, row[i].says) != NULL, __FILE__, __LINE__, "%s", e.what);
		obs_table_free(t);
		session_place_free(&p);
	}
}

static void
the_whole_run_without_a_region(void)
{
	struct session_place p = make_database("DELETE FROM prefixes WHERE prefixname LIKE 'roi%';"
		"INSERT INTO \"values\" VALUES (1, 7, 0, 100)");
	struct obs_table *t = data_read(p.file, false, NULL);

	if (CHECK(t && t->n == 1)) {
		CHECK_STR(t->column[0], "performance_model.instruction_count");
		CHECK_INT(t->obs[0]->count[0], 800);
	}
	obs_table_free(t);
	session_place_free(&p);
}

/* Another process holds the lock that SQLite takes before it writes. */
static void
a_locked_database_is_not_read(void)
{
	struct session_place p = make_database(NULL);
	struct err e = {0};
	int ready[2];
	pid_t child;
	char c;

	CHECK_INT(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000001, .l_len = 1};
		int fd = open(p.file, O_RDWR);

		if (fcntl(fd, F_SETLK, &lock) == 0 && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	if (CHECK(child > 0 && read(ready[0], &c, 1) == 1)) {
		CHECK(!data_read(p.file, false, &e));
		CHECK(strstr(e.what, "locked") && strstr(e.hint, "wait"));
		kill(child, SIGKILL);
	}
	waitpid(child, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	session_place_free(&p);
}

static void
an_unfinished_write_is_noticed(void)
{
	struct session_place p = make_database(NULL);
	char *beside = str_format("%s-journal", p.file);
	FILE *f = fopen(beside, "w");
	struct err e = {0};

	if (CHECK(f != NULL)) {
		fputs("pages", f);
		fclose(f);
		CHECK(!data_read(p.file, false, &e));
		CHECK(strstr(e.what, "in the middle of a write") != NULL);
		unlink(beside);
	}
	free(beside);
	session_place_free(&p);
}

/* Damaged bytes give a table or an error, and never more time than the file's size allows. */
static void
damaged_databases_are_survived(void)
{
	struct session_place p = make_database(NULL);
	uint64_t seed = 5;
	size_t n;
	char *bytes = bytes_of(p.file, &n);
	unsigned rounds = test_rounds(300, 20000), tables = 0;

	for (unsigned round = 0; round < rounds; round++) {
		static const char *const piece[] = {"\xff\xff", "\x00\x00", "roi-end", "values"};
		size_t size;
		char *bad = mutate(bytes, n, piece, 4, 40, &seed, &size);
		struct err e = {.what = ""};
		struct obs_table *t = import_read("f", bad, size, false, &e);

		if (!test_check(t ? !*e.what : *e.what && *e.file, __FILE__, __LINE__, "round %u: \"%s\"", round,
			e.what))
			round = rounds;
		tables += t != NULL;
		obs_table_free(t);
		free(bad);
	}
	CHECK(tables < rounds);
	free(bytes);
	session_place_free(&p);
}

TEST_MAIN(CASE(what_the_region_added), CASE(the_whole_run_without_a_region),
	CASE(databases_that_cannot_be_read_say_why), CASE(a_locked_database_is_not_read),
	CASE(an_unfinished_write_is_noticed), CASE(damaged_databases_are_survived))
