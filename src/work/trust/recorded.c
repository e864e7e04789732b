#include "work/trust/recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "collect/import/run_table.h"
#include "core/obs/obs.h"
#include "core/trust/expected.h"
#include "core/trust/runs.h"
#include "event/name.h"
#include "work/files/files.h"

#define TABLE_MAX ((size_t)1 << 28) /* bytes of a table of runs */
#define EXACT_MAX 9007199254740991.0 /* 2^53 - 1: of larger counts, a double may show another one */

/* Events whose counts may explain the error of others in the same run, by the keys of their names. */
static const struct { const char *key; enum trust_beside beside; } helper[] = {
	{"page_faults", TRUST_BESIDE_FAULTS},
	{"context_switches", TRUST_BESIDE_SWITCHES},
	{"interrupts", TRUST_BESIDE_INTERRUPTS},
	{"hw_int_rcv", TRUST_BESIDE_INTERRUPTS},
	{"hw_interrupts", TRUST_BESIDE_INTERRUPTS},
	{"hw_interrupts.received", TRUST_BESIDE_INTERRUPTS},
	{"interrupts_taken", TRUST_BESIDE_INTERRUPTS},
	{"ref_cycles", TRUST_BESIDE_REFERENCE},
};

static int
helper_of(const char *column)
{
	struct str key = {0};
	int found = -1;

	event_name_form(column, &key);
	for (size_t i = 0; i < sizeof helper / sizeof helper[0] && found < 0; i++)
		if (str_eq(helper[i].key, str_text(&key)))
			found = (int)helper[i].beside;
	str_free(&key);
	return found;
}

static double
recorded_cell_of(const struct obs *o, size_t row, size_t column)
{
	size_t at = row * o->n_columns + column;

	return o->counted[at] ? (double)o->count[at] / pow(10, o->decimals) : NAN;
}

/* A file that is no table of runs. */
struct recorded_file {
	const char *path;
	bool several;     /* others may have further runs */
	bool unmarked;    /* an event without a modifier counts in the kernel, too, as perf stat does */
};

/* The name of a test: those of files that differ only in the number at their end are one, "run" of run1 and run-02.
 */
static char *
test_of(const struct obs *obs, const struct recorded_file *file)
{
	const char *slash = strrchr(file->path, '/'), *base = slash ? slash + 1 : file->path;
	size_t n = strlen(obs->name), stem = n;

	if (file->several && str_starts(base, obs->name) && obs->n_rows == 1 && obs->runs == 0) {
		while (stem > 0 && strchr("0123456789", obs->name[stem - 1]))
			stem--;
		while (stem > 0 && stem < n && strchr("-_.#", obs->name[stem - 1]))
			stem--;
	}
	return mem_strn(obs->name, stem > 0 ? stem : n);
}

static void
recorded_add_column(struct trust_runs *runs, const struct obs_table *table, const struct obs *obs, size_t column,
	const struct recorded_file *file)
{
	char *test = test_of(obs, file);
	struct trust_group *group = trust_runs_group(runs, "", table->column[column], test);
	size_t huge = 0;

	free(test);
	group->kernel = event_name_counts_kernel(table->column[column], file->unmarked);
	for (size_t row = 0; row < obs->n_rows; row++) {
		struct trust_run run = trust_run_of(recorded_cell_of(obs, row, column));
		size_t at = row * obs->n_columns + column;

		if (isnan(run.count) || run.count > EXACT_MAX) {
			group->empty++;
			huge += run.count > EXACT_MAX;
			continue;
		}
		for (size_t c = 0; c < table->n_columns; c++)
			if (c != column && helper_of(table->column[c]) >= 0)
				run.beside[helper_of(table->column[c])] = recorded_cell_of(obs, row, c);
		if (obs->running)
			run.running = obs->running[at];
		if (obs->time && obs->n_rows == 1 && obs->exact)
			run.beside[TRUST_BESIDE_SECONDS] = obs->time[0];
		trust_group_add(group, &run);
	}
	if (huge)
		trust_runs_note(runs, str_format("%s: %zu count%s of %s beyond 2^53 left out: was the counter misread?",
			file->path, huge, plural_s(huge), table->column[column]));
	if (obs->n_rows == 1 && obs->runs > 1) {
		group->stated_runs = (size_t)obs->runs;
		if (obs->error)
			group->stated_sd = obs->error[column] * sqrt(obs->runs);
	}
}

static bool
read_other(const char *path, const char *text, size_t n, bool several, struct trust_runs *runs, struct err *e)
{
	const struct recorded_file file = {path, several, import_format_of(text, n) == IMPORT_PERF_STAT};
	struct obs_table *table = import_read(path, text, n, false, e);

	if (!table)
		return false;
	for (size_t i = 0; i < table->n; i++)
		for (size_t c = 0; c < table->n_columns; c++)
			recorded_add_column(runs, table, table->obs[i], c, &file);
	for (size_t i = 0; i < table->n_notes; i++)
		trust_runs_note(runs, mem_str(table->note[i]));
	obs_table_free(table);
	return true;
}

static bool
read_one(const char *path, bool expectations, bool several, struct trust_runs *runs, struct run_table_pairs *pairs,
	struct trust_expected *expected, struct err *e)
{
	const char *name = str_eq(path, "-") ? "stdin" : path;
	size_t n = 0;
	char *text = file_read(path, TABLE_MAX, &n, e);
	enum run_table_kind kind;
	bool good;

	if (!text)
		return false;
	kind = run_table_kind_of(text, n);
	if (expectations || kind == RUN_TABLE_EXPECTED || kind == RUN_TABLE_INSTRUMENTED)
		good = run_table_read_expected(name, text, n, expected, e);
	else if (kind == RUN_TABLE_RUNS)
		good = run_table_read(name, text, n, runs, pairs, e);
	else
		good = read_other(name, text, n, several, runs, e);
	free(text);
	return good;
}

/* False and *e: a file is there twice, so that each of its runs would count as two. */
static bool
are_different(char *const *path, size_t n, struct err *e)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (str_eq(path[i], path[k])) {
				err_set(e, "%s is named twice, so each of its runs would count as two", path[i]);
				return err_hint(e, "leave it out once");
			}
	return true;
}

bool
recorded_read(char *const *path, size_t n, const char *expected, struct trust_runs *runs, struct err *e)
{
	struct run_table_pairs *pairs = run_table_pairs_new();
	struct trust_expected x = {0};
	bool good = are_different(path, n, e) && (!expected || read_one(expected, true, false, runs, pairs, &x, e));

	for (size_t i = 0; i < n && good; i++)
		good = read_one(path[i], false, n > 1, runs, pairs, &x, e);
	if (good && runs->n == 0) {
		err_set(e, "there are expected counts, but no runs");
		good = err_hint(e, "name the file with the runs, too");
	}
	if (good) {
		run_table_settle(runs, pairs);
		trust_expected_apply(&x, runs);
	}
	trust_expected_free(&x);
	run_table_pairs_free(pairs);
	return good;
}
