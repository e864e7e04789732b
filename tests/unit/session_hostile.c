/* Session files made to do harm: each is refused with an error or read, in little time and memory. */
#include "collect/store/session_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "session_place.h"
#include "sql.h"
#include "test.h"

#define CPU_SECONDS 10 /* limit for one file; an undisturbed one takes some hundredths */
#define MEMORY_MB 1500

#define FOREVER " WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM r) "
#define UP_TO(n) " WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM r WHERE x<" n ") "

static void
make_good(const char *path)
{
	char name[] = "m", file[] = "m.udd", text[] = "incr a;\n";
	struct udd_file part = {.name = file, .text = text, .n = sizeof text - 1};
	struct session_model m = {.name = name, .path = file, .file = &part, .n = 1};
	struct obs_table *t = obs_table_new((const char *const[]){"a", "b"}, 2);
	struct err e = {0};
	struct session_file *f = session_file_open(path, &e);
	struct session_writer *w = session_writer_new(f, NULL);

	for (int i = 0; i < 3; i++)
		obs_add_row(t->n ? t->obs[0] : obs_table_add(t, "run", "run"), (int64_t[]){3, 4}, NULL, i);
	CHECK(session_writer_write(w, t, &e) && session_file_add_model(f, &m, &e));
	session_writer_free(w);
	session_file_close(f);
	obs_table_free(t);
}

/* Everything that hecate reads of a file; false if something was refused, with the reason in *e. */
static bool
read_all(const char *path, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct session_model m = {0}, *all = NULL;
	struct obs_table *t = NULL;
	size_t n = 0;
	bool good = f && session_file_model(f, &m, e) && session_file_texts(f, TEXT_STACK, &all, &n, e) &&
		    (t = session_file_read(f, e));

	if (good)
		for (size_t i = 0; i < t->n_notes; i++)
			CHECK(strlen(t->note[i]) < 5u << 20);
	session_model_free(&m);
	session_models_free(all, n);
	obs_table_free(t);
	session_file_close(f);
	return good;
}

static bool
append(const char *path, struct err *e)
{
	struct obs_table *t = obs_table_new((const char *const[]){"c"}, 1);
	struct session_file *f = session_file_open(path, e);
	struct session_writer *w = f ? session_writer_new(f, NULL) : NULL;
	bool good;

	obs_add_row(obs_table_add(t, "more", "more"), (int64_t[]){5}, NULL, 0);
	good = w && session_writer_write(w, t, e);
	session_writer_free(w);
	session_file_close(f);
	obs_table_free(t);
	return good;
}

/* `why` is a part of the error; NULL: the file is accepted. */
static void
check_answer(bool (*does)(const char *, struct err *), const char *path, const char *why)
{
	struct err e = {0};
	clock_t begin = clock();
	bool good;

	setrlimit(RLIMIT_CPU, &(struct rlimit){300, 300}); /* a hanging file ends the program */
	good = does(path, &e);
	CHECK_INT(good, !why);
	if (why && !CHECK(strstr(e.what, why) != NULL))
		CHECK_STR(e.what, why);
	CHECK(!why || (!strchr(e.what, '\n') && strlen(e.what) < 450));
	CHECK(clock() - begin < (clock_t)CPU_SECONDS * CLOCKS_PER_SEC);
}

struct hostile {
	const char *what, *sql, *why;
	bool writes; /* appending gives the same error; otherwise it only has to end */
};

static void
check_rows(const struct hostile *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct session_place p = session_place_new();

		test_label("%s", row[i].what);
		make_good(p.file);
		run_sql(p.file, row[i].sql);
		check_answer(read_all, p.file, row[i].why);
		if (row[i].writes)
			check_answer(append, p.file, row[i].why);
		session_place_free(&p);
	}
}
#define CHECK_ROWS(row) check_rows(row, sizeof(row) / sizeof *(row))

/* Items that a database can have besides tables. */
static void
items_that_are_not_hecates(void)
{
	static const struct hostile row[] = {
		{"a view that does not end",
			"DROP TABLE note; CREATE VIEW note AS" FOREVER "SELECT x AS id, 'n' AS text FROM r",
			"view note is not one of hecate's", true},
		{"counters of a view",
			"PRAGMA foreign_keys=OFF; DROP TABLE counter; CREATE VIEW counter AS" FOREVER
			"SELECT x AS id, 'c'||x AS name FROM r",
			"view counter is not one", true},
		{"a view of hecate's that does not end",
			"DROP VIEW edge_bandwidth; DROP VIEW edge; CREATE VIEW edge AS" FOREVER
			"SELECT x AS load FROM r",
			"view edge is not as hecate makes it", true},
		{"one more view", "CREATE VIEW edges AS SELECT * FROM edge", "view edges is not one", true},
		{"an index of records", "CREATE INDEX i ON path_record(hits)", "index i is not one", true},
		{"a trigger on records",
			"CREATE TRIGGER t AFTER INSERT ON record_snapshot BEGIN DELETE FROM sample; END",
			"trigger t is not one", true},
		{"a trigger", "CREATE TRIGGER t AFTER INSERT ON value BEGIN INSERT INTO note(text) SELECT 'x'; END",
			"trigger t is not one", true},
		{"a trigger on what is written",
			"CREATE TRIGGER counter BEFORE INSERT ON sample BEGIN SELECT RAISE(IGNORE); END",
			"trigger counter is not one", true},
		{"a virtual table",
			"PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES('table','v','v',0,'CREATE VIRTUAL "
			"TABLE v USING fts5(a)')",
			"table v is not one", true},
		{"a virtual table in the place of one of ours",
			"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage=0, sql='CREATE VIRTUAL TABLE "
			"note USING fts5(text)' WHERE name='note'",
			"table note is not as hecate makes it", true},
		{"another table", "CREATE TABLE extra(x)", "table extra is not one", true},
		{"an index", "CREATE INDEX i ON note(text)", "index i is not one", true},
		{"an index of an expression", "CREATE INDEX i ON note(upper(text))", "index i is not one", true},
		{"a computed column",
			"DROP TABLE note; CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT AS "
			"(hex(zeroblob(100000000))))",
			"table note is not as", true},
		{"a default that is computed", "ALTER TABLE note ADD COLUMN more TEXT DEFAULT 'x'",
			"table note is not as", true},
		{"a renamed column", "ALTER TABLE note RENAME COLUMN text TO words", "table note is not as", true},
		{"a name for the terminal", "CREATE TABLE \"\033[2J\n\033]0;x\007\"(x)",
			"is not one of hecate's", true},
		{"a name that does not end",
			"PRAGMA writable_schema=ON; INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) "
			"VALUES('table',hex(zeroblob(1000000)),'x',3,'CREATE TABLE x(y)')",
			"hecate", true},
		{"a statement of megabytes",
			"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql=sql||hex(zeroblob(3000000)) WHERE "
			"name='note'",
			"", true},
		{"a text as schema",
			"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql='DROP TABLE sample' WHERE name='note'",
			"", true},
	};

	CHECK_ROWS(row);
}

/* A schema with wrong places of the rows. */
static void
tables_in_each_others_place(void)
{
	static const struct hostile row[] = {
		{"two tables on one page",
			"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage=(SELECT rootpage FROM "
			"sqlite_schema WHERE name='sample') "
			"WHERE name='note'",
			"", false},
		{"a table on the first page",
			"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage=1 WHERE name='sample'", "",
			false},
		{"a table beyond the end",
			"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage=2000000 WHERE name='sample'", "",
			false},
	};

	CHECK_ROWS(row);
}

static void
sizes(void)
{
	static const struct hostile row[] = {
		{"a long note", "INSERT INTO note(text) VALUES(hex(zeroblob(60000000)))",
			"longer than any that hecate writes", false},
		/* a writer reads no name of an observation */
		{"a long name",
			"INSERT INTO observation(name,source,exact,decimals,tasks) "
			"VALUES(hex(zeroblob(60000000)),'',0,0,0)",
			"longer than any", false},
		{"a long cell", "UPDATE sample SET cells=zeroblob(100000000)", "longer than any", false},
		{"a long name of a model", "UPDATE model SET name=hex(zeroblob(60000000))", "longer than any", false},
		{"a long text", "UPDATE model_file SET text=zeroblob(100000000)", "longer than any", false},
		{"many texts", "INSERT INTO model_file" UP_TO("1000000") "SELECT 1, x, 'p'||x, 0, x'20' FROM r",
			"files of one model", false},
		{"much text", "INSERT INTO model_file" UP_TO("20") "SELECT 1, x, 'p'||x, 0, zeroblob(10000000) FROM r",
			"bytes of one model", false},
		{"many folders", "INSERT INTO model_folder" UP_TO("1000000") "SELECT 1, x, 'p'||x FROM r",
			"folders of one model", false},
		{"many models",
			"INSERT INTO model(name,path,added,kind)" UP_TO(
				"300000") "SELECT 'm'||x, '', '', 'stack' FROM r",
			"models, networks or stacks", false},
		{"one model many times",
			"INSERT INTO model(name,path,added,kind)" UP_TO("300000") "SELECT 'm', '', '', 'stack' FROM r",
			NULL, false},
		{"many notes", "INSERT INTO note(text)" UP_TO("1000000") "SELECT 'n' FROM r", NULL, true},
		{"many counters", "INSERT INTO counter(name)" UP_TO("300000") "SELECT 'c'||x FROM r", "counters", true},
		{"many observations",
			"INSERT INTO observation(name,source,exact,decimals,tasks)" UP_TO(
				"1100000") "SELECT 'o'||x,'',0,0,0 FROM r",
			"observations", true},
		{"observations times counters",
			"INSERT INTO counter(name)" UP_TO(
				"60000") "SELECT 'c'||x FROM r; "
					 "INSERT INTO observation(name,source,exact,decimals,tasks)" UP_TO(
						 "60000") "SELECT 'o'||x,'',0,0,0 FROM r",
			"observations times counters", true},
	};

	CHECK_ROWS(row);
}

/* Values of other types than the columns declare; SQLite stores them as they are. */
static void
values(void)
{
	static const struct hostile row[] = {
		{"cells that are a text", "UPDATE sample SET cells=hex(cells)", "the samples of observation run",
			false},
		{"cells that are a number", "UPDATE sample SET cells=1e300", "the samples of observation run", false},
		{"rows from below", "UPDATE sample SET row=row-9223372036854775807", "the samples of observation run",
			false},
		{"times that are none", "UPDATE sample SET time=9e999", "the samples of observation run", false},
		{"tasks without end", "UPDATE observation SET tasks=9e999", "the head of observation run", false},
		{"decimals", "UPDATE observation SET decimals=-9223372036854775808", "the head of observation run",
			false},
		{"a place far away", "UPDATE observation_counter SET at=9223372036854775807 WHERE at=1",
			"the counters of observation run", false},
		{"a text of a text", "UPDATE model_file SET text=hex(text)", NULL, false},
		{"the same as one that is not there", "UPDATE model_file SET same=-9223372036854775808", NULL, false},
	};

	CHECK_ROWS(row);
}

/* A tree whose branches all lead to the same leaf: SQLite reads a few pages as billions of rows. */
static void
a_tree_of_one_leaf(void)
{
	struct session_place p = session_place_new();
	unsigned char page[2][8192];
	struct err e = {0};
	int fd, n_pages;

	make_good(p.file);
	run_sql(p.file, "INSERT INTO value" UP_TO("5") "SELECT 'k'||x, 'v' FROM r");
	run_sql(p.file, "PRAGMA journal_mode=DELETE; INSERT INTO note(text)" UP_TO("400000") "SELECT 'n' FROM r");
	fd = open(p.file, O_RDWR);
	n_pages = (int)(lseek(fd, 0, SEEK_END) / (off_t)sizeof *page);
	CHECK(n_pages > 100);
	/* Each inner page of a table (type 5) becomes one whose children are all its first child (sqlite.org, "Database
	 * File Format", 1.6). */
	for (int i = 1; i < n_pages; i++) {
		size_t n;

		CHECK_INT(pread(fd, page[0], sizeof *page, (off_t)i * (off_t)sizeof *page), sizeof *page);
		if (page[0][0] != 5)
			continue;
		n = (size_t)page[0][3] << 8 | page[0][4];
		for (size_t k = 0; k < n; k++) {
			size_t cell = (size_t)page[0][12 + 2 * k] << 8 | page[0][13 + 2 * k],
			       first = (size_t)page[0][12] << 8 | page[0][13];

			memmove(page[0] + cell, page[0] + first, 4);
		}
		CHECK_INT(pwrite(fd, page[0], sizeof *page, (off_t)i * (off_t)sizeof *page), sizeof *page);
	}
	close(fd);
	check_answer(read_all, p.file, NULL);
	check_answer(append, p.file, NULL);
	CHECK_STR(e.what, "");
	session_place_free(&p);
}

/* hecate writes nothing beyond the bounds either, so everything that it recorded can be read. */
static void
what_is_written_can_be_read(void)
{
	struct session_place p = session_place_new();
	size_t n = 70000;
	char **name = mem_new_array(n, sizeof *name);
	struct obs_table *t;
	struct err e = {0};
	struct session_file *f;
	struct session_writer *w;

	make_good(p.file);
	for (size_t i = 0; i < n; i++)
		name[i] = str_format("c%zu", i);
	t = obs_table_new((const char *const *)name, n);
	obs_table_add(t, "wide", "");
	f = session_file_open(p.file, &e);
	w = session_writer_new(f, NULL);
	CHECK(!session_writer_write(w, t, &e) && strstr(e.what, "more counters than one session file may hold: 65536"));
	session_writer_free(w);
	session_file_close(f);
	e = (struct err){0};
	CHECK(read_all(p.file, &e));
	CHECK_STR(e.what, "");
	obs_table_free(t);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
	session_place_free(&p);
}

/* The largest text that hecate reads is written and read back. */
static void
the_largest_text(void)
{
	struct session_place p = session_place_new();
	char name[] = "m", path[] = "big.udd";
	struct udd_file part = {.name = path, .text = mem_new_array(UDD_FILE_MAX + 1, 1), .n = UDD_FILE_MAX - 1};
	struct session_model m = {.name = name, .path = path, .file = &part, .n = 1}, got = {0};
	struct err e = {0};
	struct session_file *f;

	memset(part.text, ' ', part.n);
	make_good(p.file);
	f = session_file_open(p.file, &e);
	if (CHECK(f != NULL) && CHECK(session_file_add_model(f, &m, &e)) && CHECK(session_file_model(f, &got, &e)) &&
		CHECK_INT(got.n, 1))
		CHECK(got.file[0].n == part.n && memcmp(got.file[0].text, part.text, part.n) == 0);
	CHECK_STR(e.what, "");
	session_file_close(f);
	session_model_free(&got);
	free(part.text);
	session_place_free(&p);
}

TEST_MAIN(CASE(items_that_are_not_hecates), CASE(tables_in_each_others_place), CASE(sizes), CASE(values),
	CASE(a_tree_of_one_leaf), CASE(what_is_written_can_be_read), CASE(the_largest_text))
