#include "table.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/import.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "test.h"

/* Whether both are NULL, or have the same bytes: NaN equals itself. */
static bool
same(const void *a, const void *b, size_t n)
{
	return !a == !b && (!a || n == 0 || memcmp(a, b, n) == 0);
}

/* Whether both have the same values. NULL stands for the usual value in each cell. */
static bool
same_quality(const double *a, const double *b, size_t n, double usual)
{
	bool same = true;

	for (size_t i = 0; i < n && same; i++) {
		double x = a ? a[i] : usual, y = b ? b[i] : usual;

		same = memcmp(&x, &y, sizeof x) == 0;
	}
	return same;
}

static const char *
what_differs(const struct obs *a, const struct obs *b)
{
	size_t c = a->n_columns, cells = a->n_rows * c;

	if (!str_eq(a->name, b->name) || !str_eq(a->source, b->source))
		return "name or source";
	if (a->exact != b->exact || a->decimals != b->decimals || a->tasks != b->tasks)
		return "exact, decimals or tasks";
	if (a->n_rows != b->n_rows || a->n_columns != b->n_columns || a->per_row != b->per_row ||
		obs_samples(a) != obs_samples(b))
		return "number of rows, columns or samples";
	if (!same(a->count, b->count, cells * sizeof *a->count) || !same(a->counted, b->counted, cells))
		return "counts";
	if (!same(a->time, b->time, a->n_rows * sizeof *a->time))
		return "times";
	if (!same_quality(a->running, b->running, cells, 1) || !same_quality(a->error, b->error, cells, 0))
		return "running or error";
	if (!same(a->health, b->health, c * sizeof *a->health))
		return "health";
	if (!same(a->of, b->of, cells * sizeof *a->of) || !same(a->total, b->total, c * sizeof *a->total))
		return "samples of cells, or totals";
	return NULL;
}

static char *
error_difference(const struct err *a, const struct err *b)
{
	struct str x = {0}, y = {0};
	char *out = NULL;

	err_text(a, &x);
	err_text(b, &y);
	if (!str_eq(str_text(&x), str_text(&y)))
		out = str_format("errors: \"%s\" and \"%s\"", str_text(&x), str_text(&y));
	str_free(&x);
	str_free(&y);
	return out;
}

char *
table_difference(const struct obs_table *a, const struct err *ea, const struct obs_table *b, const struct err *eb)
{
	if (!a || !b)
		return !a && !b ? error_difference(ea, eb)
				: str_format("only one is a table; errors: \"%s\", \"%s\"", ea->what, eb->what);
	if (a->n != b->n || a->n_columns != b->n_columns || a->n_notes != b->n_notes)
		return str_format("%zu observations, %zu columns, %zu notes; and %zu, %zu, %zu", a->n, a->n_columns,
			a->n_notes, b->n, b->n_columns, b->n_notes);
	for (size_t i = 0; i < a->n_columns; i++)
		if (!str_eq(a->column[i], b->column[i]))
			return str_format("column %zu: %s and %s", i, a->column[i], b->column[i]);
	for (size_t i = 0; i < a->n; i++) {
		const char *what = what_differs(a->obs[i], b->obs[i]);

		if (what)
			return str_format("observation %zu (%s): %s", i, a->obs[i]->name, what);
	}
	for (size_t i = 0; i < a->n_notes; i++)
		if (!str_eq(a->note[i], b->note[i]))
			return str_format("note %zu: %s; and %s", i, a->note[i], b->note[i]);
	return NULL;
}

static void
add_cell(struct str *out, const struct obs *o, size_t cell)
{
	char digits[32];
	size_t n;

	if (!o->counted[cell]) {
		str_add(out, " -");
		return;
	}
	n = (size_t)snprintf(digits, sizeof digits, "%0*lld", o->decimals + 1, (long long)o->count[cell]);
	str_addf(out, " %.*s%s%s", (int)(n - (size_t)o->decimals), digits, o->decimals ? "." : "",
		digits + n - o->decimals);
	if (o->running && o->running[cell] < 1)
		str_addf(out, "(%g%%)", o->running[cell] * 100);
	if (o->error && o->error[cell] > 0)
		str_addf(out, "+-%.4g", o->error[cell]);
}

static void
add_observation(struct str *out, const struct obs_table *t, const struct obs *o)
{
	str_addf(out, "%s%s", o->name, o->exact ? ", exact" : "");
	if (o->tasks > 0)
		str_addf(out, ", tasks %g", o->tasks);
	for (size_t i = 0; i < t->n_columns; i++)
		if (o->health[i] != OBS_LIVE)
			str_addf(out, ", %s %s", t->column[i], obs_health_name(o->health[i]));
	str_addc(out, '\n');
	for (size_t row = 0; row < o->n_rows; row++) {
		str_add(out, o->time ? "" : "  total");
		if (o->time)
			str_addf(out, "  %.9f", o->time[row]);
		for (size_t i = 0; i < t->n_columns; i++)
			add_cell(out, o, row * t->n_columns + i);
		str_addc(out, '\n');
	}
}

char *
table_text(const struct obs_table *t, const struct err *e)
{
	struct str out = {0};

	if (!t) {
		err_text(e, &out);
		str_addc(&out, '\n');
		return str_take(&out);
	}
	str_add(&out, "columns");
	for (size_t i = 0; i < t->n_columns; i++)
		str_addf(&out, " [%s]", t->column[i]);
	str_addc(&out, '\n');
	for (size_t i = 0; i < t->n; i++)
		add_observation(&out, t, t->obs[i]);
	for (size_t i = 0; i < t->n_notes; i++)
		str_addf(&out, "note %s\n", t->note[i]);
	return str_take(&out);
}

static void
write_text(const char *folder, const char *file, const char *text)
{
	char *path = str_format("%s/%s", folder, file);
	FILE *f = fopen(path, "w");

	if (CHECK(f)) {
		fputs(text, f);
		fclose(f);
	}
	free(path);
}

void
table_check_file(const char *folder, const char *expect, const char *file, bool exact)
{
	char *path = str_format("data/%s/%s", folder, file), *got, *want,
	     *want_file = str_format("%s%s", exact ? "exact_" : "", file),
	     *want_path = str_format("data/%s/expect/%s", expect, want_file);
	const char *write = getenv("HECATE_WRITE_EXPECT");
	unsigned long n;
	char *text = test_read(path, &n);
	struct err e = {.what = ""};
	struct obs_table *t = text ? import_read(file, text, n, exact, &e) : NULL;

	test_label("%s", want_file);
	got = table_text(t, &e);
	if (write && text)
		write_text(write, want_file, got);
	want = test_read(want_path, NULL);
	if (CHECK(text) && CHECK(want))
		CHECK_STR(got, want);
	obs_table_free(t);
	free(text);
	free(path);
	free(want_file);
	free(want_path);
	free(got);
	free(want);
}
