/* Programs before calibration, after its parameters and after its features, against the truth. */
#include <math.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_calibrate.h"
#include "cli/print/text_table.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/staged.h"

/* What a table shows of a program in a stage. */
typedef double cell_of(const struct staged_row *, enum stage);

static double
cpi_of(const struct staged_row *r, enum stage s)
{
	return r->time[s].cpi;
}

static double
front_end_of(const struct staged_row *r, enum stage s)
{
	return r->time[s].front_end;
}

static double
gain_error(const struct staged_row *r, enum stage s)
{
	return staged_gain(r, s) - staged_gain(r, STAGE_TRUTH);
}

static double
mean(const struct staged *staged, cell_of *cell, enum stage s, bool absolute)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < staged_count(staged); i++) {
		const struct staged_row *row = staged_row(staged, i);

		if (row->known) {
			sum += absolute ? fabs(cell(row, s)) : cell(row, s);
			n++;
		}
	}
	return n ? sum / (double)n : NAN;
}

/* A program's row, or that of the means (NULL): the truth, and a value and an error for each stage. */
static void
cells(const struct staged *staged, const struct staged_row *row, cell_of *value, cell_of *error, double scale,
	struct text_table *table)
{
	for (int i = 0; i <= (int)STAGE_TRUTH; i++) {
		enum stage s = i ? (enum stage)(i - 1) : STAGE_TRUTH;

		text_table_addf(table, "%.*f", scale > 1 ? 2 : 3,
			scale * (row ? value(row, s) : mean(staged, value, s, false)));
		if (i)
			text_table_addf(table, row ? "%+.2f" : "%.2f",
				100 * (row ? error(row, s) : mean(staged, error, s, true)));
	}
}

/* One table: the truth, and a value and an error for each stage. */
static void
table(const struct options *options, const struct staged *staged, const char *title, cell_of *value, cell_of *error,
	double scale, struct str *out)
{
	struct text_column column[2 + 2 * STAGE_TRUTH] = {{.title = "program", .width = 18}};
	struct text_table *table;
	size_t known = 0;

	for (int i = 0; i <= 2 * (int)STAGE_TRUTH; i++)
		column[1 + i] = (struct text_column){.right = true, .gap = TEXT_NO_GAP, .width = 11,
			.title = !i ? stage_name(STAGE_TRUTH) : i % 2 ? stage_name((enum stage)(i / 2)) : "error %"};
	table = text_table_new(column, sizeof column / sizeof *column, print_ascii(options));
	for (size_t i = 0; i < staged_count(staged); i++) {
		const struct staged_row *row = staged_row(staged, i);

		known += row->known;
		text_table_row(table, row->known ? "%s" : "%-18s  not run", row->name);
		if (row->known)
			cells(staged, row, value, error, scale, table);
	}
	if (known) {
		text_table_row(table, "mean, |error|");
		cells(staged, NULL, value, error, scale, table);
	}
	str_addf(out, "\n%s\n", title);
	text_table_end(table, out);
}

/* What the programs say of the fit. */
static void
print_calibrated_programs_judge(const struct staged *staged, const struct calibration *calibration, struct str *out)
{
	double before = staged_mean_error(staged, STAGE_BEFORE), after = staged_mean_error(staged, STAGE_FEATURES);
	const struct staged_row *worst = staged_worst(staged);

	if (isnan(before))
		return;
	str_addf(out, "\nMean error of the CPI of %zu programs: %.2f %% before, %.2f %% after.\n", staged_count(staged),
		100 * before, 100 * after);
	if (staged_got_worse(staged))
		str_add(out, "The fit is refused: programs come out worse, so something differs that these probes "
			"do not see.\n");
	else if (worst)
		str_addf(out, "%s, %s most (%.2g %%).\nThe cause is %s%s.\n",
			calibration->remaining ? "Programs still differ" : "No probe differs, but programs do",
			worst->name, 100 * fabs(staged_cpi_error(worst, STAGE_FEATURES)),
			calibration->remaining ? "what remains" : "among the items that no probe shows, or in none",
			calibration->n_faults ? "; an item above may stand for it" : "");
}

void
print_calibrated_programs(const struct options *options, const struct staged *staged,
	const struct calibration *calibration, const char *gain, struct str *out)
{
	struct str title = {0};

	if (staged_is_quick(staged)) {
		print_calibrated_programs_judge(staged, calibration, out);
		return;
	}
	table(options, staged, "Cycles per instruction; error relative to the truth", cpi_of, staged_cpi_error, 1, out);
	table(options, staged, "Of them the front end; error relative to the truth's cycles per instruction",
		front_end_of, staged_front_end_error, 1, out);
	print_calibrated_programs_judge(staged, calibration, out);
	if (!gain)
		return;
	str_addf(&title, "Gain in %% by %s; error: difference to the truth", gain);
	table(options, staged, str_text(&title), staged_gain, gain_error, 100, out);
	str_free(&title);
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void
stage_json(struct json_writer *w, const struct staged_row *r, enum stage s, bool gain, bool quick)
{
	json_open(w, stage_name(s), '{');
	json_num(w, "cpi", r->time[s].cpi);
	if (quick) {
		json_close(w, '}');
		return;
	}
	json_num(w, "front_end", r->time[s].front_end);
	json_num(w, "gain", gain ? staged_gain(r, s) : NAN);
	json_close(w, '}');
}

static void
means_json(struct json_writer *w, const struct staged *p, const char *key, cell_of *error)
{
	json_open(w, key, '{');
	for (int s = 0; s < (int)STAGE_TRUTH; s++)
		if (!staged_is_quick(p) || s != (int)STAGE_PARAMETERS)
			json_num(w, stage_name((enum stage)s), mean(p, error, (enum stage)s, true));
	json_close(w, '}');
}

void
print_calibrated_programs_json(
	const struct staged *staged, const char *gain, struct json_writer *writer)
{
	json_bool(writer, "refused", staged_got_worse(staged));
	json_bool(writer, "doubted", staged_worst(staged) != NULL);
	json_str(writer, "gain", gain);
	json_open(writer, "programs", '[');
	for (size_t i = 0; i < staged_count(staged); i++) {
		const struct staged_row *row = staged_row(staged, i);

		if (!row->known)
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "program", row->name);
		for (int s = 0; s < (int)N_STAGES; s++)
			if (!staged_is_quick(staged) || s != (int)STAGE_PARAMETERS)
				stage_json(writer, row, (enum stage)s, gain != NULL, staged_is_quick(staged));
		json_close(writer, '}');
	}
	json_close(writer, ']');
	means_json(writer, staged, "cpi_error", staged_cpi_error);
	if (!staged_is_quick(staged))
		means_json(writer, staged, "front_end_error", staged_front_end_error);
	if (gain)
		means_json(writer, staged, "gain_error", gain_error);
}
