#include "session_tables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "collect/store/session_file.h"
#include "test.h"

struct obs_table *
session_read_back(const char *path, struct err *e)
{
	struct session_file *f = session_file_open_to_read(path, e);
	struct obs_table *t = f ? session_file_read(f, e) : NULL;

	session_file_close(f);
	return t;
}

struct obs_table *
session_small_table(const char *a, const char *b)
{
	struct obs_table *t = obs_table_new((const char *const[]){a, b}, 2);

	obs_add_row(obs_table_add(t, "run", "run"), (int64_t[]){3, 4}, NULL, 0.5);
	return t;
}

bool
session_append(const char *path, const struct obs_table *t, struct err *e)
{
	struct session_file *f = session_file_open(path, e);
	struct session_writer *w = f ? session_writer_new(f, NULL) : NULL;
	bool good = w && session_writer_write(w, t, e);

	session_writer_free(w);
	session_file_close(f);
	return good;
}
