/* Rows that stay in the session file: a caller gets the same rows as from memory, and a failure where they cannot be
 * read. */
#include "core/obs/rows.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_file.h"
#include "core/network/network.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state.h"
#include "explorer/state/state_timeline.h"
#include "session_place.h"
#include "sql.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/recording.h"
#include "work/files/texts.h"
#include "work/timeline/network_data.h"
#include "work/timeline/timeline.h"

static void
write_table(const char *path, const struct obs_table *t)
{
	struct err e = {0};
	struct session_file *f = session_file_open(path, &e);
	struct session_writer *w = session_writer_new(f, NULL);

	if (!CHECK(f && session_writer_write(w, t, &e)))
		CHECK_STR(e.what, "");
	session_writer_free(w);
	session_file_close(f);
}

/* Opens the table with its rows in the file, however few they are. */
static struct obs_table *
open_far(const char *path)
{
	struct err e = {0};
	struct session_file *f = session_file_open_to_read(path, &e);
	struct obs_table *t = f ? session_file_read_far(f, 0, &e) : NULL;

	if (!CHECK(t != NULL))
		CHECK_STR(e.what, "");
	return t;
}

static struct obs_table *
open_near(const char *path)
{
	struct err e = {0};
	struct session_file *f = session_file_open_to_read(path, &e);
	struct obs_table *t = f ? session_file_read(f, &e) : NULL;

	session_file_close(f);
	if (!CHECK(t != NULL))
		CHECK_STR(e.what, "");
	return t;
}

static void
copy_file(const char *from, const char *to)
{
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	char bytes[65536];
	size_t n;

	while (in && out && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
		CHECK_INT(fwrite(bytes, 1, n, out), n);
	CHECK(in && fclose(in) == 0);
	CHECK(out && fclose(out) == 0);
}

/* --- random tables ----------------------------------------------------------------------------------------------- */

static void
add_random_rows(struct obs *o, size_t rows, bool timed, bool quality, uint64_t *seed)
{
	size_t n = o->n_columns;
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);

	for (size_t row = 0; row < rows; row++) {
		for (size_t i = 0; i < n; i++) {
			count[i] = (int64_t)(test_random(seed) >> (test_random(seed) % 64)) *
				(test_random(seed) % 9 ? 1 : -1);
			counted[i] = test_random(seed) % 5 != 0;
		}
		obs_add_row(o, count, counted, timed && test_random(seed) % 8 ? (double)(row / 2) : NAN);
		for (size_t i = 0; i < n && quality; i++) {
			if (test_random(seed) % 8 == 0)
				obs_set_quality(o, i, test_uniform(seed), 0);
			if (test_random(seed) % 12 == 0)
				obs_set_quality(o, i, 1, 1e-3 + test_uniform(seed));
		}
	}
	free(count);
	free(counted);
}

/* A random table; some observations have more rows than a block. */
static struct obs_table *
random_table(const char *const *column, size_t n, uint64_t *seed)
{
	struct obs_table *t = obs_table_new(column, n);

	for (size_t k = 1 + test_random(seed) % 3; k > 0; k--) {
		struct obs *o = obs_table_add(t, test_random(seed) % 2 ? "gcc" : "a b", "gcc -c x.c");

		o->decimals = (int)(test_random(seed) % 3);
		o->since_start = test_random(seed) % 2;
		add_random_rows(o,
			test_random(seed) % 2 ? test_random(seed) % 20
					      : OBS_BLOCK_ROWS * (test_random(seed) % 3) + test_random(seed) % 3,
			test_random(seed) % 2, test_random(seed) % 2, seed);
		for (size_t i = 0; i < n; i++)
			o->health[i] = (enum obs_health)(test_random(seed) % 5);
	}
	return t;
}

/* Writes tables with different columns into one file, so that rows of one stand between rows of others. */
static void
write_random(const char *path, uint64_t *seed)
{
	static const char *const column[] = {
		"load.ret", "page-faults:u", "x,y", "pde$_miss", "µ"}, *const other[] = {"µ", "new", "x,y"
	};
	struct obs_table *t = random_table(column, test_random(seed) % 6, seed),
			 *u = random_table(other, 1 + test_random(seed) % 3, seed);

	write_table(path, t);
	write_table(path, u);
	obs_table_free(t);
	obs_table_free(u);
}

static bool
same_double(double a, double b)
{
	return (isnan(a) && isnan(b)) || (a >= b && a <= b);
}

static bool
same_cell(const struct obs *a, size_t at, const struct obs_rows *b, size_t cell)
{
	return a->counted[at] == b->counted[cell] && a->count[at] == b->count[cell] &&
		same_double(a->running ? a->running[at] : 1, b->running ? b->running[cell] : 1) &&
		same_double(a->error ? a->error[at] : 0, b->error ? b->error[cell] : 0);
}

static void
check_range(const struct obs *near, const struct obs *far, size_t first, size_t end)
{
	size_t row = first;

	while (row < end) {
		struct obs_rows r = obs_rows(far, row, end);
		bool same = true;

		if (!CHECK(r.first == row && r.n > 0 && r.first + r.n <= end))
			return;
		for (size_t cell = 0; cell < r.n * near->n_columns; cell++)
			same &= same_cell(near, row * near->n_columns + cell, &r, cell);
		CHECK(same);
		row += r.n;
	}
	for (size_t i = 0; i < near->n_columns; i++) {
		struct obs_sum a = obs_sum(near, i, first, end - first), b = obs_sum(far, i, first, end - first);

		CHECK(a.sum == b.sum && a.counted == b.counted && same_double(a.running, b.running));
	}
}

static void
check_observation(const struct obs *near, const struct obs *far, uint64_t *seed)
{
	bool running[2], error[2];

	CHECK_STR(far->name, near->name);
	CHECK(far->decimals == near->decimals && far->since_start == near->since_start && far->exact == near->exact &&
		far->n_columns == near->n_columns);
	if (!CHECK_INT(far->n_rows, near->n_rows))
		return;
	CHECK(!far->shelf || (!far->count && !far->counted && !far->running && !far->error));
	for (size_t i = 0; i < near->n_columns; i++)
		CHECK_INT(far->health[i], near->health[i]);
	for (size_t row = 0; row < near->n_rows; row++)
		CHECK(same_double(near->time ? near->time[row] : NAN, far->time ? far->time[row] : NAN));
	check_range(near, far, 0, near->n_rows);
	for (int k = 0; k < 10 && near->n_rows; k++) {
		size_t first = test_random(seed) % near->n_rows;

		check_range(near, far, first, first + 1 + test_random(seed) % (near->n_rows - first));
	}
	obs_has_quality(near, &running[0], &error[0]);
	obs_has_quality(far, &running[1], &error[1]);
	CHECK(error[0] == error[1] && running[0] == running[1]);
}

static bool
keep_text(void *ctx, struct str *text, struct err *e)
{
	(void)e;
	str_add(ctx, str_text(text));
	str_clear(text);
	return true;
}

static void
export_both(const char *path, struct obs_table *t, struct str *out)
{
	const struct recording_drain d = {keep_text, out};
	struct session_model none = {0};
	struct str text = {0};
	struct err e = {0};

	recording_csv(t, &d, &text, &e);
	keep_text(out, &text, &e);
	CHECK(recording_json(path, &none, t, &d, &text, &e));
	keep_text(out, &text, &e);
	str_free(&text);
}

static void
check_copy(const struct obs_table *near, const struct obs_table *far)
{
	struct obs_table *copy = data_copy(far);
	uint64_t seed = 5;

	for (size_t i = 0; i < near->n; i++)
		check_observation(near->obs[i], far->obs[i], &seed);
	for (size_t i = 0; i < near->n; i++)
		for (size_t cell = 0; cell < near->obs[i]->n_rows * near->n_columns; cell++)
			if (!CHECK(copy->obs[i]->count[cell] == near->obs[i]->count[cell]))
				break;
	obs_table_free(copy);
}

/* Compares any range of rows of any observation, its export, and a copy of it, with the table in memory. */
static void
same_as_from_memory(void)
{
	uint64_t seed = 11;

	for (unsigned round = 0; round < test_rounds(25, 400); round++) {
		struct session_place p = session_place_new();
		struct obs_table *near, *far;
		struct str text[2] = {0};

		test_label("round %u", round);
		write_random(p.file, &seed);
		near = open_near(p.file);
		far = open_far(p.file);
		if (CHECK(near && far && near->n == far->n && near->n_columns == far->n_columns)) {
			for (size_t i = 0; i < near->n; i++)
				check_observation(near->obs[i], far->obs[i], &seed);
			obs_table_rest(far); /* closes the file, which is opened again when needed */
			check_copy(near, far);
			export_both(p.file, near, &text[0]);
			export_both(p.file, far, &text[1]);
			CHECK_STR(str_text(&text[1]), str_text(&text[0]));
			CHECK(!obs_table_failure(far));
		}
		str_free(&text[0]);
		str_free(&text[1]);
		obs_table_free(near);
		obs_table_free(far);
		session_place_free(&p);
	}
}

/* --- a run of a network and a stack ------------------------------------------------------------------------------ */

/* A run of all counters of the network and the stack, each over all owners. Their levels rise and fall. */
static void
write_run(const char *path, const struct network *n, const struct stack *s, size_t rows)
{
	size_t most = n->n_counters + s->n_counters, columns = 0;
	const char **name = mem_new_array(most, sizeof *name);
	int64_t *count = mem_new_array(most, sizeof *count);
	struct obs_table *t;
	uint64_t seed = 3;
	struct obs *o;

	for (size_t i = 0; i < most; i++) {
		const char *x = i < n->n_counters ? n->counter[i].name : s->counter[i - n->n_counters].name;
		bool known = false;

		for (size_t k = 0; k < columns; k++)
			known |= str_eq(name[k], x);
		if (!known)
			name[columns++] = x;
	}
	t = obs_table_new(name, columns);
	o = obs_table_add(t, "run", "test");
	o->since_start = true;
	for (size_t row = 0; row < rows; row++) {
		for (size_t i = 0; i < columns; i++)
			count[i] = (int64_t)(1000 * (1 + i % 7) * (1 + test_random(&seed) % 9)) + (int64_t)(row % 50);
		obs_add_row(o, count, NULL, (double)(row + 1));
	}
	write_table(path, t);
	obs_table_free(t);
	free(count);
	free(name);
}

struct far_subject {
	struct text net_text, stack_text;
	struct network *net;
	struct stack *stack;
};

static struct far_subject
load_subject(void)
{
	struct far_subject x = {0};
	struct diags d = {0};
	struct err e = {0};

	if (CHECK(text_load("spr-cxl", TEXT_NETWORK, &x.net_text, &e) &&
		    text_load("naive-spr", TEXT_STACK, &x.stack_text, &e))) {
		x.net = text_network(&x.net_text, &d);
		x.stack = text_stack(&x.stack_text, &d);
	}
	diags_free(&d);
	return x;
}

/* Takes ownership of the table. */
static bool
begin_session(struct state *s, struct obs_table *t)
{
	struct far_subject x = load_subject();

	state_init(s);
	s->view.frame.program = "hecate";
	if (!CHECK(x.net && x.stack && t))
		return false;
	state_open_timeline(s, x.net, &x.net_text, x.stack, &x.stack_text);
	s->data.table = mem_new(sizeof *s->data.table);
	s->data.table[0] = t;
	s->data.n_tables = 1;
	state_timeline_follow(s);
	return true;
}

static void
screen_of(struct state *s, enum action view, int w, int h, struct str *text)
{
	struct grid *g = grid_new(w, h, false);
	struct drawn d;

	state_act(s, view);
	state_timeline_show(s);
	draw_screen(s, g, &d);
	str_clear(text);
	grid_text(g, text);
	grid_free(g);
}

static const enum action view[] = {ACTION_paths, ACTION_stalls, ACTION_queues};

static void
check_screens(struct state *near, struct state *far)
{
	struct str a = {0}, b = {0};

	for (size_t v = 0; v < 3; v++) {
		screen_of(near, view[v], 120, 40, &a);
		screen_of(far, view[v], 120, 40, &b);
		CHECK_STR(str_text(&b), str_text(&a));
	}
	str_free(&a);
	str_free(&b);
}

#define RUN_ROWS 1300 /* more cells than are kept of rows in the file */

/* Views 5 to 7 at any snapshot, compared with any other, and of the whole run. */
static void
screens(void)
{
	struct far_subject x = load_subject();
	struct session_place p = session_place_new();
	struct state near, far;
	uint64_t seed = 7;

	write_run(p.file, x.net, x.stack, RUN_ROWS);
	if (begin_session(&near, open_near(p.file)) && begin_session(&far, open_far(p.file))) {
		CHECK(near.data.table[0]->n_columns * RUN_ROWS > OBS_FAR_CELLS);
		CHECK_INT(timeline_snapshots(far.data.timeline), RUN_ROWS);
		for (int k = 0; k < 12; k++) {
			size_t snapshot = test_random(&seed) % RUN_ROWS,
			       compared = k % 3 ? TIMELINE_NONE : test_random(&seed) % RUN_ROWS;

			test_label("snapshot %zu, compared %zd", snapshot, (ssize_t)compared);
			state_timeline_show_snapshots(&near, snapshot, compared);
			state_timeline_show_snapshots(&far, snapshot, compared);
			check_screens(&near, &far);
		}
		CHECK(!obs_table_failure(far.data.table[0]) && obs_table_far_reads(far.data.table[0]) > 0);
		CHECK_STR(far.view.message.text, near.view.message.text);
		state_free(&near);
		state_free(&far);
	}
	network_free(x.net);
	stack_free(x.stack);
	text_free(&x.net_text);
	text_free(&x.stack_text);
	session_place_free(&p);
}

/* --- rows that are kept in memory -------------------------------------------------------------------------------- */

static const char *const two[] = {"a", "b"};

static struct obs_table *
plain_table(size_t rows)
{
	struct obs_table *t = obs_table_new(two, 2);
	struct obs *o = obs_table_add(t, "run", "test");

	for (size_t i = 0; i < rows; i++)
		obs_add_row(o, (int64_t[]){(int64_t)i, -(int64_t)i}, NULL, (double)i);
	return t;
}

static struct obs_table *
far_of(const struct session_place *p, size_t rows)
{
	struct obs_table *t = plain_table(rows);

	write_table(p->file, t);
	obs_table_free(t);
	return open_far(p->file);
}

/* Blocks are read once while there is room for them, and sums over all rows once for all columns. The room has a
 * limit. */
static void
kept_in_memory(void)
{
	size_t blocks = 10, most = OBS_FAR_CELLS / 2 / OBS_BLOCK_ROWS + 5;
	struct session_place p = session_place_new(), q = session_place_new();
	struct obs_table *t = far_of(&p, blocks * OBS_BLOCK_ROWS), *large = far_of(&q, most * OBS_BLOCK_ROWS);
	const struct obs *o = t->obs[0];
	int64_t n = (int64_t)o->n_rows;

	CHECK_INT(obs_table_far_reads(t), 0);
	for (size_t row = 0; row < o->n_rows; row += 7)
		CHECK_INT(obs_rows(o, row, row + 1).count[0], row);
	CHECK_INT(obs_table_far_reads(t), blocks);
	CHECK_INT(obs_sum(o, 0, 0, o->n_rows).sum, n * (n - 1) / 2);
	CHECK_INT(obs_sum(o, 1, 0, o->n_rows).sum, -n * (n - 1) / 2);
	CHECK_INT(obs_table_far_reads(t), blocks);
	o = large->obs[0];
	for (int pass = 0; pass < 2; pass++)
		for (size_t row = 0; row < o->n_rows; row += OBS_BLOCK_ROWS)
			CHECK_INT(obs_rows(o, row, row + 1).count[1], -(int64_t)row);
	CHECK_INT(obs_table_far_reads(large), 2 * most);
	n = (int64_t)o->n_rows;
	CHECK_INT(obs_sum(o, 0, 0, o->n_rows).sum, n * (n - 1) / 2);
	CHECK_INT(obs_sum(o, 1, 0, o->n_rows).sum, -n * (n - 1) / 2);
	CHECK_INT(obs_table_far_reads(large), 3 * most);
	obs_table_free(t);
	obs_table_free(large);
	session_place_free(&p);
	session_place_free(&q);
}

/* --- files that change, break or disappear ----------------------------------------------------------------------- */

/* Rows in the middle cannot be read: they count nothing, the reason is reported, and after a rest reading is tried
 * again. */
static void
check_failure(struct obs_table *t, const char *why)
{
	size_t row = t->obs[0]->n_rows * 5 / 8;
	struct obs_rows r;

	obs_table_rest(t);
	r = obs_rows(t->obs[0], row, row + 1);
	CHECK(r.n == 1 && !r.counted[0] && !r.counted[1]);
	if (!CHECK(obs_table_failure(t) != NULL))
		return;
	if (!CHECK(strstr(obs_table_failure(t)->what, why)))
		CHECK_STR(obs_table_failure(t)->what, why);
	CHECK(!strstr(why, "not what") || *obs_table_failure(t)->hint);
	obs_table_rest(t);
	CHECK(!obs_table_failure(t));
}

static void
check_whole(struct obs_table *t)
{
	size_t n = t->obs[0]->n_rows;

	obs_table_rest(t);
	for (size_t row = 0; row < n; row++)
		CHECK_INT(obs_rows(t->obs[0], row, n).count[0], row);
	CHECK_INT(obs_sum(t->obs[0], 0, 0, n).sum, n * (n - 1) / 2);
	CHECK(!obs_table_failure(t));
}

static void
changed(void)
{
	static const struct {
		const char *sql, *why;
	} row[] = {
		{"DELETE FROM sample WHERE row=600", "has changed since it was opened"},
		{"DELETE FROM sample WHERE row>550", "has changed since it was opened"},
		{"UPDATE sample SET time=1 WHERE row=550", "has changed since it was opened"},
		{"UPDATE sample SET time=NULL WHERE row=550", "has changed since it was opened"},
		{"UPDATE sample SET cells=x'ff' WHERE row=550", "has changed since it was opened"},
		{"UPDATE sample SET cells=x'' WHERE row=550", "has changed since it was opened"},
		{"UPDATE sample SET cells=NULL WHERE row=550", NULL},
		{"DELETE FROM observation", "has changed since it was opened"},
		{"DROP TABLE sample", "no such table"},
		{"PRAGMA user_version=99", "newer hecate"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct session_place p = session_place_new();
		struct obs_table *t = far_of(&p, 1000);
		char *copy = str_format("%s.copy", p.file);

		test_label("%s", row[i].sql);
		obs_table_rest(t);
		copy_file(p.file, copy);
		if (row[i].why) {
			run_sql(p.file,
				str_eq(row[i].sql, "DELETE FROM observation")
					? "PRAGMA foreign_keys=ON; DELETE FROM sample; DELETE FROM "
					  "observation_counter; DELETE FROM observation"
					: row[i].sql);
			check_failure(t, row[i].why);
			copy_file(copy, p.file);
		}
		check_whole(t);
		unlink(copy);
		free(copy);
		obs_table_free(t);
		session_place_free(&p);
	}
}

/* The file grows, by this process or another one: what was read before stays readable. */
static void
appended(void)
{
	struct session_place p = session_place_new();
	struct obs_table *t = far_of(&p, 1000), *more = plain_table(300);

	CHECK_INT(obs_rows(t->obs[0], 3, 4).count[0], 3);
	obs_table_rest(t);
	write_table(p.file, more);
	check_whole(t);
	CHECK_INT(t->n, 1);
	obs_table_free(more);
	obs_table_free(t);
	session_place_free(&p);
}

/* The file is replaced by another one, removed, and put back. */
static void
replaced(void)
{
	struct session_place p = session_place_new(), q = session_place_new();
	struct obs_table *t = far_of(&p, 1000), *other = plain_table(1000);
	char *aside = str_format("%s.copy", p.file);

	obs_table_rest(t);
	write_table(q.file, other);
	CHECK_INT(rename(p.file, aside), 0);
	check_failure(t, "can no longer be read");
	CHECK_INT(link(q.file, p.file), 0);
	check_failure(t, "is another file than before");
	CHECK_INT(unlink(p.file), 0);
	CHECK_INT(mkdir(p.file, 0700), 0);
	check_failure(t, "is another file than before");
	CHECK_INT(rmdir(p.file), 0);
	CHECK_INT(rename(aside, p.file), 0);
	check_whole(t);
	free(aside);
	obs_table_free(t);
	obs_table_free(other);
	session_place_free(&p);
	session_place_free(&q);
}

/* The file is damaged or truncated after it was opened: reading gives cells or an error, and never crashes. */
static void
damaged(void)
{
	struct session_place p = session_place_new();
	struct obs_table *t = far_of(&p, 3000);
	unsigned failures = 0;
	uint64_t seed = 3;
	struct stat st;
	char *copy = str_format("%s.copy", p.file);

	obs_table_rest(t);
	copy_file(p.file, copy);
	CHECK_INT(stat(p.file, &st), 0);
	for (unsigned round = 0; round < test_rounds(150, 5000); round++) {
		int fd = open(p.file, O_RDWR);
		off_t at = (off_t)(test_random(&seed) % (uint64_t)st.st_size);
		unsigned char byte, bad = (unsigned char)test_random(&seed);
		size_t got = 0;

		obs_table_free(t); /* because rows that were read once are not read again */
		t = open_far(p.file);
		obs_table_rest(t);
		CHECK(pread(fd, &byte, 1, at) == 1 && pwrite(fd, &bad, 1, at) == 1);
		for (size_t row = OBS_BLOCK_ROWS / 2; row < 3000; row += OBS_BLOCK_ROWS)
			got += obs_rows(t->obs[0], row, row + 1).n;
		CHECK_INT(got, 12);
		failures += obs_table_failure(t) != NULL;
		CHECK(!obs_table_failure(t) || *obs_table_failure(t)->what);
		obs_table_rest(t);
		CHECK_INT(pwrite(fd, &byte, 1, at), 1);
		close(fd);
	}
	CHECK(failures > 0);
	obs_table_free(t);
	t = open_far(p.file);
	obs_table_rest(t);
	CHECK_INT(truncate(p.file, st.st_size / 3), 0);
	check_failure(t, "damaged");
	CHECK_INT(truncate(p.file, 0), 0);
	check_failure(t, "");
	copy_file(copy, p.file);
	check_whole(t);
	unlink(copy);
	free(copy);
	obs_table_free(t);
	session_place_free(&p);
}

static bool
never(void *ctx, struct str *text, struct err *e)
{
	(void)ctx;
	(void)text;
	(void)e;
	return true;
}

/* Nothing is written instead of rows that cannot be read: no export, no session file. */
static void
not_written(void)
{
	const struct recording_drain d = {never, NULL};
	struct session_place p = session_place_new(), q = session_place_new();
	struct obs_table *t = far_of(&p, 1000);
	struct session_model none = {0};
	struct session_writer *w;
	struct session_file *f;
	struct str out = {0};
	struct err e = {0};

	obs_table_rest(t);
	run_sql(p.file, "DELETE FROM sample WHERE row>=700");
	CHECK(!recording_csv(t, &d, &out, &e) && strstr(e.what, "has changed since it was opened"));
	obs_table_rest(t);
	e = (struct err){0};
	CHECK(!recording_json(p.file, &none, t, &d, &out, &e) &&
		strstr(e.what, "has changed since it was opened"));
	obs_table_rest(t);
	e = (struct err){0};
	f = session_file_open(q.file, &e);
	w = session_writer_new(f, NULL);
	CHECK(!session_writer_write(w, t, &e) && strstr(e.what, "has changed since it was opened"));
	session_writer_free(w);
	session_file_close(f);
	CHECK(access(q.file, F_OK) != 0);
	obs_table_free(t);
	str_free(&out);
	session_place_free(&p);
	session_place_free(&q);
}

/* Rows become unreadable while a view is shown: this is reported once, missing rows are left out, and the others are
 * drawn. */
static void
reported(void)
{
	struct far_subject x = load_subject();
	struct session_place p = session_place_new();
	struct state s, near;
	struct str text = {0};

	write_run(p.file, x.net, x.stack, RUN_ROWS);
	if (begin_session(&near, open_near(p.file)) && begin_session(&s, open_far(p.file))) {
		run_sql(p.file, "UPDATE sample SET cells=x'00' WHERE row BETWEEN 300 AND 320");
		state_timeline_show_snapshots(&s, 310, TIMELINE_NONE);
		screen_of(&s, ACTION_paths, 120, 40, &text);
		CHECK(s.view.message.bad && strstr(s.view.message.text, "has changed since it was opened"));
		s.view.message.text[0] = '\0';
		for (size_t v = 0; v < 3; v++) {
			state_timeline_show_snapshots(&s, 305 + v, TIMELINE_NONE);
			screen_of(&s, view[v], 120, 40, &text);
			CHECK(text.n > 0 && !*s.view.message.text);
		}
		state_timeline_show_snapshots(&s, 1200, TIMELINE_NONE);
		state_timeline_show_snapshots(&near, 1200, TIMELINE_NONE);
		check_screens(&near, &s);
		state_free(&s);
		state_free(&near);
	}
	str_free(&text);
	network_free(x.net);
	stack_free(x.stack);
	text_free(&x.net_text);
	text_free(&x.stack_text);
	session_place_free(&p);
}

TEST_MAIN(CASE(same_as_from_memory), CASE(screens), CASE(kept_in_memory), CASE(changed), CASE(appended), CASE(replaced),
	CASE(damaged), CASE(not_written), CASE(reported))
