/* Session files of older versions (tests/data/session): read without a change, and appended to. */
#include "collect/store/session_file.h"
#include "collect/store/session_table.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "session_place.h"
#include "session_tables.h"
#include "sql.h"
#include "test.h"

/* A file of version 2 has models only. It is read as it is, and upgraded when something is appended. */
static void
version_two(void)
{
	unsigned long n, m = 0;
	char *bytes = test_read("data/session/v2.hecate", &n), *after = mem_new(1 << 20);
	struct obs_table *t = session_small_table("f", "m"), *old, *now;
	struct session_model got;
	struct session_place p = session_place_new();
	struct err e = {0};
	int fd = open(p.file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	struct session_file *f;

	CHECK_INT(write(fd, bytes, n), n);
	close(fd);
	old = session_read_back(p.file, &e);
	CHECK(old && old->n > 0 && !old->obs[0]->since_start);
	f = session_file_open_to_read(p.file, &e);
	CHECK(session_file_model(f, &got, &e));
	CHECK_INT(got.kind, TEXT_MODEL);
	CHECK_STR(got.name, "kept");
	session_model_free(&got);
	session_file_close(f);
	fd = open(p.file, O_RDONLY);
	m = (unsigned long)read(fd, after, 1 << 20);
	close(fd);
	CHECK(n == m && memcmp(bytes, after, n) == 0);
	t->obs[0]->since_start = true;
	CHECK(session_append(p.file, t, &e));
	now = session_read_back(p.file, &e);
	if (CHECK(now && old) && CHECK_INT(now->n, old->n + 1)) {
		CHECK(!now->obs[0]->since_start && now->obs[old->n]->since_start);
		CHECK_INT(now->obs[0]->n_rows, old->obs[0]->n_rows);
	}
	f = session_file_open_to_read(p.file, &e);
	CHECK(session_file_model(f, &got, &e));
	CHECK_STR(got.name, "kept");
	session_model_free(&got);
	session_file_close(f);
	obs_table_free(old);
	obs_table_free(now);
	obs_table_free(t);
	free(bytes);
	free(after);
	session_place_free(&p);
}

/* A file of version 4 has no definitions, no zeros for unlisted counts, and no processors. It is read as it is, and
 * upgraded when something is appended. */
static void
version_four(void)
{
	char extra[] = "EXTRA", path[] = "m.fdlm4", text[] = "FLOW { done; }", name[] = "m", *define[] = {extra};
	struct udd_file file = {.name = path, .text = text, .n = sizeof text - 1};
	struct session_model m = {.name = name, .path = path, .file = &file, .n = 1, .define = define, .n_defines = 1},
		got;
	char cpu[] = "GenuineIntel family 6 model 60", machine[] = "{}";
	unsigned long n;
	char *bytes = test_read("data/session/v4.hecate", &n);
	struct obs_table *t = session_small_table("f", "m"), *old, *now;
	struct session_place p = session_place_new();
	struct err e = {0};
	int fd = open(p.file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	struct session_file *f;

	CHECK_INT(write(fd, bytes, n), n);
	close(fd);
	old = session_read_back(p.file, &e);
	CHECK(old && old->n == 2 && !old->obs[0]->silent_zeros && !old->obs[0]->origin.cpu);
	f = session_file_open_to_read(p.file, &e);
	CHECK(session_file_model(f, &got, &e) && got.n_defines == 0);
	CHECK_STR(got.name, "kept");
	session_model_free(&got);
	session_file_close(f);
	t->obs[0]->silent_zeros = true;
	obs_copy_origin(t->obs[0], &(struct obs_origin){.cpu = cpu, .machine = machine});
	t->obs[0]->rotation = (struct obs_rotation){.period = 0.012, .locked = 0.0120036, .seed = UINT64_MAX - 5};
	CHECK(session_append(p.file, t, &e));
	f = session_file_open(p.file, &e);
	CHECK(session_file_add_model(f, &m, &e) && session_file_model(f, &got, &e) && got.n_defines == 1);
	session_model_free(&got);
	session_file_close(f);
	now = session_read_back(p.file, &e);
	if (CHECK(now && old) && CHECK_INT(now->n, old->n + 1)) {
		CHECK(!now->obs[0]->silent_zeros && now->obs[old->n]->silent_zeros && now->obs[0]->rotation.seed == 0 &&
		      memcmp(&now->obs[old->n]->rotation, &t->obs[0]->rotation, sizeof t->obs[0]->rotation) == 0);
		CHECK(!now->obs[0]->origin.cpu);
		CHECK_STR(now->obs[old->n]->origin.cpu, cpu);
		CHECK_STR(now->obs[old->n]->origin.machine, machine);
		CHECK(!now->obs[0]->origin.machine);
	}
	obs_table_free(old);
	obs_table_free(now);
	obs_table_free(t);
	free(bytes);
	session_place_free(&p);
}

/* A file of version 3 has no truth. Appending upgrades it, and the truth of an observation is read back. */
static void
version_three(void)
{
	unsigned long n;
	char *bytes = test_read("data/session/v3.hecate", &n), *number;
	struct session_table truth = {.n_columns = session_table_columns(SESSION_TABLE_TRUTH)}, got = {0};
	struct obs_table *t = session_small_table("f", "m");
	struct session_place p = session_place_new();
	struct err e = {0};
	int fd = open(p.file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	struct session_file *f;
	struct session_writer *w;

	CHECK_INT(write(fd, bytes, n), n);
	close(fd);
	f = session_file_open_to_read(p.file, &e);
	CHECK(f && session_table_read(f, SESSION_TABLE_TRUTH, &got, &e));
	CHECK_INT(got.n_rows, 0);
	session_file_close(f);
	f = session_file_open(p.file, &e);
	w = session_writer_new(f, NULL);
	CHECK(f && session_file_begin(f, &e) && session_writer_write(w, t, &e));
	number = str_format("%lld", (long long)session_writer_number(w, 0));
	CHECK_STR(number, "2"); /* after the one in the file */
	session_table_add(&truth, (const char *[]){number, "features", "merging"});
	CHECK(session_table_write(f, SESSION_TABLE_TRUTH, &truth, false, &e) && session_file_commit(f, &e));
	session_writer_free(w);
	session_file_close(f);
	f = session_file_open_to_read(p.file, &e);
	CHECK(f && session_table_read(f, SESSION_TABLE_TRUTH, &got, &e));
	if (CHECK_INT(got.n_rows, 1)) {
		CHECK_STR(session_table_cell(&got, 0, 0), "2");
		CHECK_STR(session_table_cell(&got, 0, 2), "merging");
	}
	session_file_close(f);
	session_table_clear(&got);
	session_table_clear(&truth);
	obs_table_free(t);
	free(number);
	free(bytes);
	session_place_free(&p);
}

TEST_MAIN(CASE(version_two), CASE(version_three), CASE(version_four))
