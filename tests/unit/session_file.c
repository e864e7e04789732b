/* The session file: what is read back equals what was written, although processes are killed, disks are full, files are
 * damaged, and several write. */
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"

#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "killed.h"
#include "session_place.h"
#include "session_tables.h"
#include "sql.h"
#include "test.h"
#include "work/files/files.h"

static void
add_random_row(struct obs *o, uint64_t *seed)
{
	size_t n = o->n_columns;
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);

	for (size_t i = 0; i < n; i++) {
		count[i] = (int64_t)(test_random(seed) >> (test_random(seed) % 64)) * (test_random(seed) % 9 ? 1 : -1);
		if (test_random(seed) % 20 == 0)
			count[i] = test_random(seed) % 2 ? INT64_MAX : INT64_MIN;
		counted[i] = test_random(seed) % 5 != 0;
	}
	obs_add_row(o, count, counted, test_random(seed) % 4 ? test_uniform(seed) * 100 : NAN);
	for (size_t i = 0; i < n; i++) {
		if (test_random(seed) % 8 == 0)
			obs_set_quality(o, i, test_uniform(seed), 0);
		if (test_random(seed) % 12 == 0)
			obs_set_quality(o, i, 1, 1e-3 + test_uniform(seed));
	}
	free(count);
	free(counted);
}

static struct obs *
add_random_observation(struct obs_table *t, uint64_t *seed)
{
	static const char *const name[] = {"gcc", "gcc", "a b,\"c\"\n", "µ", ""};
	struct obs *o = obs_table_add(t, name[test_random(seed) % 5], "gcc -c x.c");

	o->exact = test_random(seed) % 2;
	o->since_start = test_random(seed) % 2;
	o->decimals = (int)(test_random(seed) % 19);
	o->tasks = (double)(test_random(seed) % 5);
	o->elapsed = test_random(seed) % 3 ? 0 : test_uniform(seed);
	for (size_t rows = test_random(seed) % 12; rows > 0; rows--)
		add_random_row(o, seed);
	for (size_t i = 0; i < o->n_columns; i++)
		o->health[i] = (enum obs_health)(test_random(seed) % 5);
	return o;
}

static struct obs_table *
random_table(uint64_t *seed)
{
	static const char *const column[] = {"load.ret", "page-faults:u", "x,y", "pde$_miss", "µ"};
	struct obs_table *t = obs_table_new(column, test_random(seed) % 6);

	for (size_t n = test_random(seed) % 5; n > 0; n--)
		add_random_observation(t, seed);
	for (size_t n = test_random(seed) % 3; n > 0; n--)
		obs_table_note(t, OBS_NOTE_LOST, str_format("file:%zu: left out", n));
	return t;
}

static bool
same_double(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

static bool
same_cell(const struct obs *a, const struct obs *b, size_t cell)
{
	return a->counted[cell] == b->counted[cell] && a->count[cell] == b->count[cell] &&
	       same_double(a->running ? a->running[cell] : 1, b->running ? b->running[cell] : 1) &&
	       same_double(a->error ? a->error[cell] : 0, b->error ? b->error[cell] : 0);
}

static void
check_same_observation(const struct obs *a, const struct obs *b)
{
	CHECK_STR(a->name, b->name);
	CHECK_STR(a->source, b->source);
	CHECK_INT(a->exact, b->exact);
	CHECK_INT(a->since_start, b->since_start);
	CHECK_INT(a->decimals, b->decimals);
	CHECK(a->tasks == b->tasks);
	CHECK(a->elapsed == b->elapsed);
	CHECK_INT(a->n_columns, b->n_columns);
	if (!CHECK_INT(a->n_rows, b->n_rows))
		return;
	for (size_t i = 0; i < a->n_columns; i++)
		CHECK_INT(a->health[i], b->health[i]);
	for (size_t row = 0; row < a->n_rows; row++)
		CHECK(same_double(a->time ? a->time[row] : NAN, b->time ? b->time[row] : NAN));
	for (size_t cell = 0; cell < a->n_rows * a->n_columns; cell++)
		CHECK(same_cell(a, b, cell));
}

static void
check_same(const struct obs_table *a, const struct obs_table *b)
{
	if (!CHECK(a && b) || !CHECK_INT(a->n_columns, b->n_columns) || !CHECK_INT(a->n, b->n) ||
		!CHECK_INT(a->n_notes, b->n_notes))
		return;
	for (size_t i = 0; i < a->n_columns; i++)
		CHECK_STR(a->column[i], b->column[i]);
	for (size_t i = 0; i < a->n; i++)
		check_same_observation(a->obs[i], b->obs[i]);
	for (size_t i = 0; i < a->n_notes; i++)
		CHECK_STR(a->note[i], b->note[i]);
}

/* Written while it grows, in pieces of random size. An empty table without a note makes no file. */
static void
round_trip(void)
{
	uint64_t seed = 5;

	for (unsigned round = 0; round < test_rounds(60, 2000); round++) {
		struct session_place p = session_place_new();
		struct obs_table *t = random_table(&seed), *got;
		struct err e = {0};
		struct session_file *f = session_file_open(p.file, &e);
		struct session_writer *w = session_writer_new(f, "[\"gcc\"]");

		CHECK(session_writer_write(w, t, &e));
		for (unsigned piece = 0; piece < 3; piece++) {
			if (t->n && test_random(&seed) % 2)
				add_random_row(t->obs[t->n - 1], &seed);
			if (test_random(&seed) % 2)
				add_random_observation(t, &seed);
			CHECK(session_writer_write(w, t, &e));
		}
		session_writer_free(w);
		session_file_close(f);
		CHECK_INT(access(p.file, F_OK) == 0, t->n || t->n_notes);
		if (t->n || t->n_notes) {
			got = session_read_back(p.file, &e);
			check_same(got, t);
			obs_table_free(got);
		}
		obs_table_free(t);
		session_place_free(&p);
	}
}

/* Another table joins by the names of its columns; names of observations continue their numbers. */
static void
appended(void)
{
	struct session_place p = session_place_new();
	struct obs_table *a = session_small_table("f", "m"), *b = session_small_table("m", "g"), *got;
	struct err e = {0};

	CHECK(session_append(p.file, a, &e) && session_append(p.file, b, &e));
	got = session_read_back(p.file, &e);
	if (CHECK(got != NULL) && CHECK_INT(got->n, 2) && CHECK_INT(got->n_columns, 3)) {
		CHECK_STR(got->column[2], "g");
		CHECK_STR(got->obs[1]->name, "run#2");
		CHECK_INT(got->obs[1]->counted[0], 0);
		CHECK_INT(got->obs[1]->health[0], OBS_ABSENT);
		CHECK_INT(got->obs[1]->count[1], 3);
		CHECK_INT(got->obs[1]->count[2], 4);
		CHECK_INT(got->obs[0]->health[2], OBS_ABSENT);
		CHECK_INT(got->obs[0]->health[1], OBS_LIVE);
	}
	obs_table_free(got);
	obs_table_free(a);
	obs_table_free(b);
	session_place_free(&p);
}

static void
models(void)
{
	char main[] = "m.udd", part[] = "x.udd", alias[] = "./x.udd", text[] = "include \"x.udd\";", bytes[] = "a\0b",
		inc[] = "inc", name[] = "m", other[] = "other", extra[] = "EXTRA=1";
	struct udd_file file[3] = {
		{.name = main, .text = text, .n = sizeof text - 1, .dev = 1, .ino = 7}, {.name = part,
			.text = bytes, .n = 3, .dev = 1, .ino = 9},
		{.name = alias, .text = bytes, .n = 3, .dev = 1, .ino = 9},
	};
	char *folder[] = {inc}, *define[] = {extra};
	struct session_model m = {.name = name,
				     .path = main,
				     .file = file,
				     .n = 3,
				     .include_dir = folder,
				     .n_include_dirs = 1},
			     got;
	int64_t number;
	struct obs_table *t = session_small_table("f", "m");
	struct session_place p = session_place_new();
	struct err e = {0};
	struct session_file *f = session_file_open(p.file, &e);
	struct session_writer *w = session_writer_new(f, NULL);

	CHECK(session_file_model(f, &got, &e) && !got.path);
	CHECK(session_file_add_model(f, &m, &e) && session_file_add_model(f, &m, &e) && session_writer_write(w, t, &e));
	m.name = other;
	CHECK(session_file_add_model(f, &m, &e) && session_file_model(f, &got, &e));
	CHECK_STR(got.name, "other");
	CHECK_STR(got.path, "m.udd");
	if (CHECK_INT(got.n, 3) && CHECK_INT(got.n_include_dirs, 1)) {
		CHECK_STR(got.include_dir[0], "inc");
		CHECK_INT(got.file[1].n, 3);
		CHECK(memcmp(got.file[1].text, "a\0b", 4) == 0);
		CHECK(got.file[1].ino == got.file[2].ino && got.file[0].ino != got.file[1].ino);
	}
	CHECK_INT(got.n_defines, 0);
	session_model_free(&got);
	/* The same text with another definition is another model. */
	CHECK(session_file_same_model(f, &m, &number, &e) && number);
	m.define = define;
	m.n_defines = 1;
	CHECK(session_file_same_model(f, &m, &number, &e) && !number);
	CHECK(session_file_add_model(f, &m, &e) && session_file_model(f, &got, &e) && session_file_same_model(f, &m,
		&number, &e) && number);
	if (CHECK_INT(got.n_defines, 1))
		CHECK_STR(got.define[0], "EXTRA=1");
	session_model_free(&got);
	session_writer_free(w);
	session_file_close(f);
	obs_table_free(t);
	session_place_free(&p);
}

/* Networks and stacks are stored after the model. One with the model's name and text is another item. A kind that
 * hecate never writes counts as damage. */
static void
networks(void)
{
	char path[] = "m.net", text[] = "network m;", name[] = "m";
	struct udd_file file = {.name = path, .text = text, .n = sizeof text - 1};
	struct session_model m = {.kind = TEXT_MODEL, .name = name, .path = path, .file = &file, .n = 1}, got;
	struct obs_table *t = session_small_table("f", "m");
	struct session_place p = session_place_new();
	struct err e = {0};
	struct session_file *f = session_file_open(p.file, &e);
	struct session_writer *w = session_writer_new(f, NULL);
	int64_t number;

	CHECK(session_writer_write(w, t, &e) && session_file_add_model(f, &m, &e));
	CHECK(session_file_same_model(f, &m, &number, &e) && number == 1);
	for (int kind = TEXT_NETWORK; kind <= TEXT_STACK; kind++) {
		m.kind = (enum text_kind)kind;
		CHECK(session_file_same_model(f, &m, &number, &e) && number == 0);
		CHECK(session_file_add_model(f, &m, &e) && session_file_add_model(f, &m, &e) &&
			session_file_model(f, &got, &e));
		CHECK_INT(got.kind, kind);
		CHECK_STR(got.path, "m.net");
		if (CHECK_INT(got.n, 1))
			CHECK_STR(got.file[0].text, text);
		CHECK(session_file_same_model(f, &m, &number, &e) && number == kind + 1);
		session_model_free(&got);
	}
	session_writer_free(w);
	session_file_close(f);
	run_sql(p.file, "UPDATE model SET kind='picture'");
	f = session_file_open_to_read(p.file, &e);
	CHECK(!session_file_model(f, &got, &e) && strstr(e.what, "damaged") && !got.path);
	session_file_close(f);
	obs_table_free(t);
	session_place_free(&p);
}

/* Only the last text of each name is read, the last one stored first, and of the one kind that was asked for. A damaged
 * one among them is reported. */
static void
texts(void)
{
	static const struct {
		const char *name, *text;
		enum text_kind kind;
	} row[] = {
		{"a", "1", TEXT_STACK}, {"b", "2", TEXT_STACK}, {"m", "3", TEXT_NETWORK}, {"a", "4",
			TEXT_STACK}, {"c", "5", TEXT_STACK},
	};
	static const char *const want[] = {"c 5", "a 4", "b 2"};
	struct obs_table *t = session_small_table("f", "m");
	struct session_place p = session_place_new();
	struct session_model *got;
	struct err e = {0};
	struct session_file *f;
	size_t n;

	CHECK(session_append(p.file, t, &e));
	f = session_file_open(p.file, &e);
	CHECK(session_file_texts(f, TEXT_STACK, &got, &n, &e) && n == 0 && !got);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *name = mem_str(row[i].name), *text = mem_str(row[i].text);
		struct udd_file file = {.name = name, .text = text, .n = 1};
		struct session_model m = {.kind = row[i].kind, .name = name, .path = name, .file = &file, .n = 1};

		CHECK(session_file_add_model(f, &m, &e));
		free(name);
		free(text);
	}
	CHECK(session_file_texts(f, TEXT_STACK, &got, &n, &e));
	if (CHECK_INT(n, 3))
		for (size_t i = 0; i < n; i++) {
			char *line = str_format("%s %s", got[i].name, got[i].file[0].text);

			CHECK_STR(line, want[i]);
			free(line);
		}
	session_models_free(got, n);
	session_file_close(f);
	run_sql(p.file, "UPDATE model SET kind='picture' WHERE id=4");
	f = session_file_open_to_read(p.file, &e);
	/* the older text of that name remains */
	CHECK(session_file_texts(f, TEXT_STACK, &got, &n, &e) && n == 3);
	session_models_free(got, n);
	session_file_close(f);
	run_sql(p.file, "DROP TABLE model_file");
	f = session_file_open_to_read(p.file, &e);
	CHECK(!f || (!session_file_texts(f, TEXT_STACK, &got, &n, &e) && !got && n == 0));
	CHECK(strstr(e.what, p.file));
	session_file_close(f);
	obs_table_free(t);
	session_place_free(&p);
}

static bool
is_sound(const char *path)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *s = NULL;
	bool sound = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
		sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL) == SQLITE_OK &&
		sqlite3_step(s) == SQLITE_ROW && str_eq((const char *)sqlite3_column_text(s, 0), "ok");

	sqlite3_finalize(s);
	sqlite3_close(db);
	return sound;
}

/* Writes rows 1, 2, 3 … for ever, and reports each one that is in the file. */
static void
write_for_ever(void *path, int out)
{
	struct obs_table *t = obs_table_new((const char *const[]){"f", "m"}, 2);
	struct obs *o = obs_table_add(t, "run", "run");
	struct err e = {0};
	struct session_file *f = session_file_open(path, &e);
	struct session_writer *w = f ? session_writer_new(f, NULL) : NULL;

	for (int64_t k = 1; w; k++) {
		obs_add_row(o, (int64_t[]){k, 2 * k}, NULL, (double)k);
		if (!session_writer_write(w, t, &e) || !killed_report(out, k))
			break;
	}
}

/* kill -9 at a random row, also while the file is created: it can be opened, is sound, and has every row that was
 * reported. */
static void
killed(void)
{
	uint64_t seed = 11;

	for (unsigned round = 0; round < test_rounds(25, 400); round++) {
		struct session_place p = session_place_new();
		struct killed k;
		struct err e = {0};
		struct obs_table *got;

		k = killed_run(write_for_ever, p.file, test_random(&seed) % 60);
		if (k.reported) {
			got = session_read_back(p.file, &e);
			if (CHECK(got != NULL) && CHECK_INT(got->n, 1) &&
				CHECK(got->obs[0]->n_rows >= (size_t)k.reported))
				for (size_t row = 0; row < got->obs[0]->n_rows; row++)
					CHECK(got->obs[0]->count[2 * row] == (int64_t)row + 1 &&
						got->obs[0]->count[2 * row + 1] == 2 * (int64_t)row + 2);
			obs_table_free(got);
			CHECK(is_sound(p.file));
			/* More can be appended. */
			got = session_small_table("f", "m");
			CHECK(session_append(p.file, got, &e));
			obs_table_free(got);
		} else if (access(p.file, F_OK) == 0) {
			CHECK(session_file_is(p.file) && is_sound(p.file));
		}
		{
			char *rest = str_format("%s/s.hecate.%ld.part", p.dir, (long)k.pid),
			     *journal = str_format("%s-journal", rest);

			unlink(rest);
			unlink(journal);
			free(rest);
			free(journal);
		}
		session_place_free(&p);
	}
}

/* Several tasks: each window adds a row to each of them, and now and then a new task comes. */
static void
write_tasks_for_ever(void *path, int out)
{
	struct obs_table *t = obs_table_new((const char *const[]){"f", "m"}, 2);
	struct err e = {0};
	struct session_file *f = session_file_open(path, &e);
	struct session_writer *w = f ? session_writer_new(f, NULL) : NULL;

	for (int64_t k = 1; w; k++) {
		if (k % 7 == 1)
			obs_table_add(t, "task", "run");
		for (size_t i = 0; i < t->n; i++)
			obs_add_row(t->obs[i], (int64_t[]){k, (int64_t)i}, NULL, (double)k);
		if (!session_writer_write(w, t, &e) || !killed_report(out, k))
			break;
	}
}

/* kill -9 while several observations grow: the file has a window for all of them or for none. */
static void
killed_while_several_grow(void)
{
	uint64_t seed = 12;

	for (unsigned round = 0; round < test_rounds(15, 200); round++) {
		struct session_place p = session_place_new();
		struct killed k;
		struct err e = {0};
		struct obs_table *got;

		k = killed_run(write_tasks_for_ever, p.file, 1 + test_random(&seed) % 60);
		got = session_read_back(p.file, &e);
		if (CHECK(got != NULL) && CHECK(got->n > 0)) {
			size_t last = got->obs[0]->n_rows;

			CHECK(last >= (size_t)k.reported);
			CHECK_INT(got->n, (last + 6) / 7);
			for (size_t i = 0; i < got->n; i++) {
				const struct obs *o = got->obs[i];

				CHECK_INT(o->n_rows, last - 7 * i);
				for (size_t row = 0; row < o->n_rows; row++)
					CHECK(o->count[2 * row] == (int64_t)(7 * i + row + 1) &&
						o->count[2 * row + 1] == (int64_t)i);
			}
		}
		obs_table_free(got);
		CHECK(is_sound(p.file));
		session_place_free(&p);
	}
}

/* Observations grow, change their health or become exact, in any order, and writes fail in between: the file equals the
 * table. */
static void
several_grow(void)
{
	struct session_place p = session_place_new();
	uint64_t seed = 4;
	struct obs_table *t = session_small_table("f", "m"), *got;
	struct err e = {0};
	struct session_file *f = session_file_open(p.file, &e);
	struct session_writer *w = session_writer_new(f, "[\"make\"]");
	size_t rows = 0;

	for (unsigned round = 0; round < 200; round++) {
		bool fails = round % 20 == 13;
		struct obs *o = test_random(&seed) % 4 == 0 ? obs_table_add(t, "task", "make")
							    : t->obs[test_random(&seed) % t->n];

		for (unsigned k = 0; k < (fails ? 2000 : test_random(&seed) % 4); k++)
			add_random_row(o, &seed);
		o = t->obs[test_random(&seed) % t->n];
		add_random_row(o, &seed);
		o->health[test_random(&seed) % 2] = (enum obs_health)(test_random(&seed) % (OBS_ZERO_SUSPECT + 1));
		if (round % 50 == 31)
			o->exact = !o->exact;
		if (fails) {
			session_file_limit(f, 1);
			CHECK(!session_writer_write(w, t, &e));
			session_file_limit(f, 100000);
		}
		CHECK(session_writer_write(w, t, &e));
		CHECK(session_writer_write(w, t, &e));
	}
	for (size_t i = 0; i < t->n; i++)
		rows += t->obs[i]->n_rows;
	CHECK_INT(session_writer_rows(w), rows);
	session_writer_free(w);
	session_file_close(f);
	got = session_read_back(p.file, &e);
	check_same(got, t);
	obs_table_free(got);
	obs_table_free(t);
	session_place_free(&p);
}

/* A small table that is being written. */
struct writing {
	struct session_place p;
	struct obs_table *t;
	struct session_file *f;
	struct session_writer *w;
	struct err e;
};

static void
begin_writing(struct writing *x)
{
	*x = (struct writing){.p = session_place_new(), .t = session_small_table("f", "m")};
	x->f = session_file_open(x->p.file, &x->e);
	x->w = session_writer_new(x->f, NULL);
}

/* Ends the writing, and reads the file. The caller frees. */
static struct obs_table *
end_writing(struct writing *x)
{
	session_writer_free(x->w);
	session_file_close(x->f);
	return session_read_back(x->p.file, &x->e);
}

/* Rows that were written and later folded in memory stay single rows in the file. New rows come after them, and none is
 * written twice. */
static void
folded_rows_are_kept(void)
{
	struct writing x;
	struct obs_table *got;
	struct obs *o;
	size_t before;

	begin_writing(&x);
	o = x.t->obs[0];
	before = o->n_rows;
	for (int64_t i = 0; i < 300; i++) {
		obs_keep(o, 32);
		obs_add_row(o, (int64_t[]){i, 1}, NULL, (double)(before + (size_t)i + 1));
		if (i % 5 == 4)
			CHECK(session_writer_write(x.w, x.t, &x.e));
	}
	CHECK(o->folded > 200);
	CHECK_INT(session_writer_rows(x.w), before + 300);
	/* Rows that were folded before they were written can no longer be written; the error says so. */
	for (int64_t i = 300; i < 340; i++) {
		obs_keep(o, 32);
		obs_add_row(o, (int64_t[]){i, 1}, NULL, (double)(before + (size_t)i + 1));
	}
	CHECK(!session_writer_write(x.w, x.t, &x.e));
	CHECK(strstr(x.e.what, "added up before they could be written") != NULL);
	got = end_writing(&x);
	if (CHECK(got && got->obs[0]->n_rows == before + 300)) {
		for (size_t i = 0; i < 300; i++)
			CHECK_INT(got->obs[0]->count[(before + i) * got->n_columns], i);
	}
	CHECK(is_sound(x.p.file));
	obs_table_free(got);
	session_place_free(&x.p);
	/* A new file takes the folded table. */
	x.p = session_place_new();
	CHECK(session_append(x.p.file, x.t, &x.e));
	got = session_read_back(x.p.file, &x.e);
	if (CHECK(got))
		CHECK_INT(got->obs[0]->n_rows, o->n_rows);
	obs_table_free(got);
	obs_table_free(x.t);
	session_place_free(&x.p);
}

/* What was written before the disk was full stays. Later, with room again, more can be written. */
static void
full_disk(void)
{
	struct writing x;
	struct obs_table *got;
	size_t kept = 0;
	bool good = true;

	begin_writing(&x);
	CHECK(session_writer_write(x.w, x.t, &x.e));
	session_file_limit(x.f, 3);
	for (unsigned i = 0; i < 5000 && good; i++) {
		kept = x.t->obs[0]->n_rows;
		for (unsigned k = 0; k < 20; k++)
			obs_add_row(x.t->obs[0], (int64_t[]){1 << 20, 1 << 20}, NULL, i);
		good = session_writer_write(x.w, x.t, &x.e);
	}
	CHECK(!good);
	CHECK(strstr(x.e.what, "no room left on the disk") != NULL);
	got = end_writing(&x);
	if (CHECK(got != NULL))
		CHECK_INT(got->obs[0]->n_rows, kept);
	CHECK(is_sound(x.p.file));
	obs_table_free(got);
	CHECK(session_append(x.p.file, x.t, &x.e));
	obs_table_free(x.t);
	session_place_free(&x.p);
}

/* The last observation may change: a run of few samples replaces them by its exact totals, or is withdrawn. */
static void
the_last_observation_may_change(void)
{
	struct writing x;
	struct obs_table *got;
	struct obs *o;

	begin_writing(&x);
	o = obs_table_add(x.t, "few", "few -x");
	obs_add_row(o, (int64_t[]){1, 2}, NULL, 0.1);
	obs_add_row(o, (int64_t[]){3, 4}, NULL, 0.2);
	CHECK(session_writer_write(x.w, x.t, &x.e));
	obs_table_drop(x.t, x.t->n - 1);
	o = obs_table_add(x.t, "few", "few -x");
	o->exact = true;
	obs_add_row(o, (int64_t[]){9, 9}, NULL, NAN);
	CHECK(session_writer_write(x.w, x.t, &x.e));
	got = session_file_read(x.f, &x.e);
	check_same(got, x.t);
	obs_table_free(got);
	obs_table_drop(x.t, x.t->n - 1);
	CHECK(session_writer_write(x.w, x.t, &x.e));
	got = session_file_read(x.f, &x.e);
	check_same(got, x.t);
	obs_table_free(got);
	o = obs_table_add(x.t, "few", "few -y");
	obs_add_row(o, (int64_t[]){7, 8}, NULL, 0.1);
	CHECK(session_writer_write(x.w, x.t, &x.e));
	CHECK_INT(session_writer_rows(x.w), x.t->obs[0]->n_rows + 1);
	got = end_writing(&x);
	check_same(got, x.t);
	obs_table_free(got);
	obs_table_free(x.t);
	session_place_free(&x.p);
}

/* A write that failed changed nothing, and the same writer can repeat it. */
static void
failed_writes_can_be_repeated(void)
{
	struct session_place p = session_place_new();
	uint64_t seed = 9;
	struct obs_table *t = session_small_table("f", "m"), *got;
	struct err e = {0};
	struct session_file *f = session_file_open(p.file, &e);
	struct session_writer *w = session_writer_new(f, NULL);

	for (int round = 0; round < 3; round++) {
		struct obs *o = obs_table_add(t, "long", "long");

		for (int i = 0; i < 4000; i++)
			add_random_row(o, &seed);
		session_file_limit(f, 1);
		CHECK(!session_writer_write(w, t, &e));
		CHECK(strstr(e.what, "no room") != NULL);
		session_file_limit(f, 100000);
		CHECK(session_writer_write(w, t, &e));
	}
	session_writer_free(w);
	session_file_close(f);
	got = session_read_back(p.file, &e);
	check_same(got, t);
	CHECK(is_sound(p.file));
	obs_table_free(got);
	obs_table_free(t);
	session_place_free(&p);
}

/* A second writer is refused, with the first one's name; a reader sees everything written so far. */
static void
opened_twice(void)
{
	struct session_place p = session_place_new();
	struct obs_table *t = session_small_table("f", "m"), *got;
	struct err e = {0};
	struct session_file *f = session_file_open(p.file, &e);
	struct session_writer *w = session_writer_new(f, NULL);
	char *me = str_format("process %ld", (long)getpid());

	CHECK(session_writer_write(w, t, &e));
	CHECK(session_file_open(p.file, &e) == NULL);
	CHECK(strstr(e.what, "is being written by another hecate") && strstr(e.what, me));
	got = session_read_back(p.file, &e);
	check_same(got, t);
	obs_table_free(got);
	obs_add_row(t->obs[0], (int64_t[]){5, 6}, NULL, 1);
	CHECK(session_writer_write(w, t, &e));
	session_writer_free(w);
	session_file_close(f);
	got = session_read_back(p.file, &e);
	check_same(got, t);
	obs_table_free(got);
	obs_table_free(t);
	free(me);
	session_place_free(&p);
}

/* What was done to a good file, and a part of the error that reading it gives. */
static void
refused(void)
{
	static const struct { const char *sql, *word; } row[] = {
		{"PRAGMA user_version=12", "newer hecate"},
		{"PRAGMA user_version=0", "damaged: it has no version"},
		{"PRAGMA application_id=7", "another program"},
		{"DROP TABLE sample", "damaged"},
		{"UPDATE sample SET cells=x'01'", "damaged: the samples of observation run"},
		{"UPDATE sample SET cells=x'0106010801'", "samples"},
		{"UPDATE sample SET cells=x'01ffffffffffffffffff7f0100'", "samples"},
		{"UPDATE sample SET row=row+1", "samples"},
		{"UPDATE observation SET decimals=40", "the head of observation"},
		{"UPDATE observation SET tasks=-1", "the head of observation"},
		{"UPDATE observation_counter SET health='fine'", "the counters of observation"},
		{"UPDATE observation_counter SET counter=1 WHERE at=1", "the counters of observation"},
		{"DELETE FROM counter WHERE id=2", "the counters of observation"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct session_place p = session_place_new();
		struct obs_table *t = session_small_table("f", "m");
		struct err e = {0};

		test_label("%s", row[i].sql);
		CHECK(session_append(p.file, t, &e));
		run_sql(p.file, row[i].sql);
		CHECK(session_read_back(p.file, &e) == NULL);
		if (!CHECK(strstr(e.what, row[i].word) != NULL))
			CHECK_STR(e.what, row[i].word);
		CHECK(*e.hint != '\0');
		obs_table_free(t);
		session_place_free(&p);
	}
}

static void
damaged_files_are_refused(void)
{
	struct session_place p = session_place_new();
	char *missing = str_format("%s/no/s", p.dir), got[8] = "", *wal;
	struct err e = {0};
	int fd;

	CHECK(!session_file_open(p.dir, &e) && strstr(e.what, "is a directory"));
	CHECK(!session_file_open_to_read(p.file, &e) && strstr(e.what, "no such file"));
	CHECK(!session_file_open(missing, &e) && *e.hint);
	fd = open(p.file, O_WRONLY | O_CREAT, 0600);
	CHECK(!session_file_open(p.file, &e) && strstr(e.what, "empty file"));
	CHECK_INT(write(fd, "a,b\n1,2\n", 8), 8);
	close(fd);
	CHECK(!session_file_open(p.file, &e) && strstr(e.what, "not a session file"));
	fd = open(p.file, O_RDONLY);
	CHECK_INT(read(fd, got, 8), 8);
	close(fd);
	CHECK(memcmp(got, "a,b\n1,2\n", 8) == 0);
	CHECK_INT(unlink(p.file), 0);
	wal = str_format("%s-wal", p.file);
	close(open(wal, O_WRONLY | O_CREAT, 0600));
	CHECK(!session_file_open(p.file, &e) && strstr(e.what, "is left over from another file") && *e.hint);
	CHECK(access(p.file, F_OK) != 0 && access(wal, F_OK) == 0);
	free(wal);
	free(missing);
	session_place_free(&p);
}

/* Random bytes in a file: reading gives a table or an error, and does no harm. */
static void
random_bytes_do_no_harm(void)
{
	struct session_place p = session_place_new();
	struct obs_table *t;
	uint64_t seed = 3;
	struct err e = {0};
	unsigned refusals = 0;
	unsigned char byte;
	struct stat st;

	t = random_table(&seed);
	for (int i = 0; i < 20; i++)
		add_random_observation(t, &seed);
	CHECK(session_append(p.file, t, &e));
	CHECK_INT(stat(p.file, &st), 0);
	for (unsigned round = 0; round < test_rounds(300, 20000); round++) {
		int fd = open(p.file, O_RDWR);
		off_t at = (off_t)(test_random(&seed) % (uint64_t)st.st_size);
		unsigned char bad = (unsigned char)test_random(&seed);
		struct obs_table *got;

		CHECK(pread(fd, &byte, 1, at) == 1 && pwrite(fd, &bad, 1, at) == 1);
		close(fd);
		e = (struct err){0};
		got = session_read_back(p.file, &e);
		CHECK((got != NULL) == (*e.what == '\0'));
		refusals += !got;
		obs_table_free(got);
		fd = open(p.file, O_RDWR);
		CHECK(pwrite(fd, &byte, 1, at) == 1);
		close(fd);
	}
	CHECK(refusals > 0);
	CHECK_INT(truncate(p.file, st.st_size / 2), 0);
	CHECK(!session_read_back(p.file, &e) && strstr(e.what, "damaged"));
	obs_table_free(t);
	session_place_free(&p);
}

/* Two tables with common names grow at the same time; neither writer knows what the other adds. */
static void
two_writers(void)
{
	static const char *const column[] = {"a"};
	struct session_place p = session_place_new();
	struct err e = {0};
	struct session_file *f = session_file_open(p.file, &e);
	struct session_writer *w[2] = {session_writer_new(f, NULL), session_writer_new(f, NULL)};
	struct obs_table *t[2] = {obs_table_new(column, 1), obs_table_new(column, 1)}, *all;

	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 2; i++) {
			obs_add_row(obs_table_add(t[i], "java-1", ""), (int64_t[]){10 * i + round}, NULL, 1);
			test_label("round %d, table %d", round, i);
			if (!CHECK(session_writer_write(w[i], t[i], &e)))
				CHECK_STR(e.what, "");
		}
	all = session_file_read(f, &e);
	if (CHECK(all != NULL)) {
		CHECK_INT(all->n, 6);
		for (size_t i = 0; i < all->n; i++)
			CHECK_INT(all->obs[i]->count[0], 10 * (int64_t)(i % 2) + (int64_t)i / 2);
	}
	for (int i = 0; i < 2; i++) {
		session_writer_free(w[i]);
		obs_table_free(t[i]);
	}
	obs_table_free(all);
	session_file_close(f);
	session_place_free(&p);
}

/* Does this process hold a lock on the bytes that SQLite locks while a database is open? (sqlite.org, "File Locking And
 * Concurrency", SHARED) Only another process can tell. */
static bool
sqlite_has_lock(const char *path)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000002, .l_len = 510};
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		int fd = open(path, O_RDWR);

		_exit(fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 1 : 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* Another program that reads the file and ends removes the write-ahead log if it finds no lock of the writer. */
static void
lock_stays_while_the_file_is_looked_at(void)
{
	static const char *const column[] = {"a"};
	struct session_place p = session_place_new();
	struct err e = {0};
	struct session_file *f = session_file_open(p.file, &e), *second;
	struct obs_table *t = obs_table_new(column, 1);
	struct session_writer *w = session_writer_new(f, NULL);
	size_t n;
	int fd;

	obs_add_row(obs_table_add(t, "x", ""), (int64_t[]){1}, NULL, 1);
	CHECK(session_writer_write(w, t, &e));
	CHECK(sqlite_has_lock(p.file));
	CHECK(session_file_is(p.file));
	CHECK(sqlite_has_lock(p.file));
	session_file_close(session_file_open_to_look(p.file, 1, &e));
	CHECK(sqlite_has_lock(p.file));
	second = session_file_open(p.file, &e);
	CHECK(!second && strstr(e.what, "being written"));
	CHECK(sqlite_has_lock(p.file));
	free(file_read(p.file, 1 << 24, &n, &e));
	CHECK(sqlite_has_lock(p.file));
	fd = file_open(p.file, &e);
	file_close(fd);
	CHECK(sqlite_has_lock(p.file));
	session_writer_free(w);
	obs_table_free(t);
	session_file_close(f);
	CHECK(!sqlite_has_lock(p.file));
	CHECK_INT(close(fd), -1);
	session_place_free(&p);
}

TEST_MAIN(CASE(lock_stays_while_the_file_is_looked_at), CASE(two_writers), CASE(round_trip), CASE(appended),
	CASE(models), CASE(networks), CASE(texts), CASE(killed), CASE(killed_while_several_grow), CASE(several_grow),
	CASE(folded_rows_are_kept), CASE(full_disk), CASE(opened_twice), CASE(the_last_observation_may_change),
	CASE(failed_writes_can_be_repeated), CASE(refused), CASE(damaged_files_are_refused),
	CASE(random_bytes_do_no_harm))
