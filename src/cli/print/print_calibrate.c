#include "cli/print/print_calibrate.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "work/calibrate/calibrate.h"

#define INDENT 2
#define LINE_WIDTH 100u

/* An answer, and unless it is the truth's own its error, and a mark if it differs. */
static void
answer_cells(struct text_table *table, const struct probe_answer *answer, const struct probe_answer *truth,
	bool differs, bool ascii)
{
	char number[NUMBER_TEXT];

	text_table_addf(table, "%s%s", !probe_answer_at_least(answer) ? "" : ascii ? ">= " : "≥ ",
		answer->found ? number_digits(number, answer->value, 4, ascii) : "-");
	if (answer == truth)
		return;
	text_table_addf(table, "%+.2f %%", 100 * answers_error(answer, truth));
	text_table_add(table, differs ? " *" : "  ");
}

static void
table_text(const struct calibration *calibration, bool ascii, struct str *out)
{
	static const struct text_column value = {.right = true, .gap = TEXT_NO_GAP, .width = 10},
		error = {.title = "error", .right = true, .gap = TEXT_NO_GAP, .width = 11},
		mark = {.title = "  ", .gap = TEXT_NO_GAP, .width = 2};
	struct text_column column[] = {{.title = "probe", .width = 18}, value, value, error, mark, value, error, mark,
		{.gap = TEXT_NO_GAP}};
	struct text_table *table;

	column[1].title = "truth";
	column[2].title = "before";
	column[5].title = "after";
	table = text_table_new(column, sizeof column / sizeof *column, ascii);
	for (size_t i = 0; i < calibration->list->n; i++) {
		const struct calibration_row *row = &calibration->row[i];

		if (!row->compared)
			continue;
		text_table_row(table, "%s", calibration->list->probe[i]->name);
		answer_cells(table, &row->truth, &row->truth, false, ascii);
		answer_cells(table, &row->before, &row->truth, row->differs, ascii);
		answer_cells(table, &row->after, &row->truth, row->remains, ascii);
		text_table_addf(table, "  %s", calibration->list->probe[i]->unit);
	}
	text_table_row(table, "mean |error|");
	text_table_skip(table, 2);
	text_table_addf(table, "%.2f %%", 100 * calibration->error_before);
	text_table_skip(table, 2);
	text_table_addf(table, "%.2f %%", 100 * calibration->error_after);
	text_table_end(table, out);
}

/* "4 per cycle with width 3" */
static void
answer_text(const struct probe *probe, const struct probe_answer *answer, const struct knob *knob, const char *value,
	bool ascii, struct str *out)
{
	char v[NUMBER_TEXT] = "nothing";

	if (answer->found)
		number_digits(v, answer->value, 4, ascii);
	str_add(out, v);
	if (answer->found && *probe->unit) {
		str_addc(out, ' ');
		print_visible(out, probe->unit);
	}
	str_addf(out, " with %s %s", knob_name(knob), value);
}

/* A line for each tie that a probe tells apart, and one for all others. */
static void
ties_text(const struct calibration *calibration, const struct calibration_fault *fault, bool ascii, struct str *out)
{
	bool some = false;

	for (size_t i = 0; i < fault->n_ties; i++) {
		const struct calibration_tie *tie = &fault->tie[i];

		if (!tie->probe)
			continue;
		str_addf(out, "    or else: %s %s (a tie; hecate probe %s tells them apart: ", knob_name(tie->knob),
			tie->after, tie->probe->name);
		answer_text(tie->probe, &tie->fault, fault->knob, fault->after, ascii, out);
		str_add(out, ", ");
		answer_text(tie->probe, &tie->tie, tie->knob, tie->after, ascii, out);
		str_add(out, ")\n");
	}
	for (size_t i = 0; i < fault->n_ties; i++)
		if (!fault->tie[i].probe) {
			str_addf(out, "%s%s %s", some ? ", " : "    or else: ", knob_name(fault->tie[i].knob),
				fault->tie[i].after);
			some = true;
		}
	if (some)
		str_addf(out, " (a tie: %s tells them apart)\n",
			calibration->coverage.cut ? "no probe that ran" : "no installed probe");
}

/* "  rob: 128, fits with 96 (parameter; explains rob, int_registers)" */
static void
fault_text(const struct calibration *calibration, const struct calibration_fault *fault, bool ascii, struct str *out)
{
	bool some = false;

	str_addf(out, "  %s: %s, fits with %s (%s; explains ", knob_name(fault->knob), fault->before, fault->after,
		knob_kind_name(knob_kind_of(fault->knob)));
	for (size_t i = 0; i < calibration->list->n; i++)
		if (fault->explains[i]) {
			str_addf(out, "%s%s", some ? ", " : "", calibration->list->probe[i]->name);
			some = true;
		}
	str_add(out, some ? ")\n" : "no probe alone)\n");
	if (fault->doubt < calibration->list->n)
		str_addf(out, "    in doubt: %s depends on it, too, and still differs\n",
			calibration->list->probe[fault->doubt]->name);
	ties_text(calibration, fault, ascii, out);
}

/* Adds a piece of a list, on a new line where the present one gets too long. *column: how far that is. */
static void
print_calibrate_add_wrapped(struct str *out, const char *piece, size_t *column)
{
	size_t n = strlen(piece) + 2;

	if (*column > INDENT && *column + n > LINE_WIDTH) {
		str_addf(out, ",\n%*s", INDENT, "");
		*column = INDENT;
	} else if (*column > INDENT) {
		str_add(out, ", ");
	}
	str_add(out, piece);
	*column += n;
}

/* "l1i size (8 KiB), redirect (3)"; partly: with the values that no probe shows: "issue (8; not 16)" */
static void
unseen_text(const struct coverage *coverage, bool partly, const char *title, struct str *out)
{
	size_t column = 0;

	for (size_t i = 0; i < coverage->n; i++) {
		const struct coverage_item *item = &coverage->item[i];
		struct str piece = {0};

		if (item->partly != partly)
			continue;
		if (!column)
			str_addf(out, "%s\n%*s", title, INDENT, "");
		column = column ? column : INDENT;
		str_addf(&piece, "%s (%s", knob_name(item->knob), item->now);
		for (size_t j = 0; j < item->n && partly; j++)
			str_addf(&piece, "%s%s", j ? " or " : ", not ", item->unseen[j]);
		str_addc(&piece, ')');
		print_calibrate_add_wrapped(out, str_text(&piece), &column);
		str_free(&piece);
	}
	if (column)
		str_addc(out, '\n');
}

static void
coverage_text(const struct calibration *calibration, struct str *out)
{
	const struct coverage *coverage = &calibration->coverage;

	if (calibration->cut)
		return;
	str_addf(out, "%s as far as %zu of %zu items of the machine file are probed.\n",
		calibration->remaining ? "Fitted" : "Equal", coverage->probed, coverage->items);
	unseen_text(coverage, false, "No probe that ran depends on these items:", out);
	unseen_text(coverage, true, "Of these items, some other value shows in no probe:", out);
	str_add(out, "Never turned: ");
	for (size_t i = 0; coverage_never_turned[i]; i++)
		str_addf(out, "%s%s", i ? ", " : "", coverage_never_turned[i]);
	str_add(out, ".\n");
	if (coverage->cut)
		str_add(out, "Stopped: the other items were not looked at.\n");
}

static bool
has_knob(const struct probe *p)
{
	for (size_t i = 0; i < knob_count(); i++)
		if (knob_rank(knob_at(i), p->name, p->parameter))
			return true;
	return false;
}

static void
remaining_text(const struct calibration *calibration, struct str *out)
{
	if (calibration->remaining)
		str_add(out, "What remains:\n");
	for (size_t i = 0; i < calibration->list->n; i++) {
		const struct calibration_row *row = &calibration->row[i];
		const struct probe *probe = calibration->list->probe[i];

		if (!row->compared || !row->remains)
			continue;
		if (row->asks)
			str_addf(out, "  %s: agrees with %s %s alone, but then %s differs: they contradict each "
				"other;\n    measure both again, or leave one out\n", probe->name, knob_name(row->asks),
				row->asked, calibration->list->probe[row->against]->name);
		else
			str_addf(out, "  %s: %s\n", probe->name,
				!has_knob(probe) ? "no item of a machine file is known for it"
					: calibration->cut
					? "not calibrated any more"
					: "no value of a machine file that was tried makes it agree");
	}
}

void
print_calibration(const struct options *options, const struct calibration_names *names,
	const struct calibration *calibration, struct str *out)
{
	bool ascii = print_ascii(options);

	str_addf(out, "Truth: ");
	print_visible(out, names->truth);
	str_add(out, "; calibrated: ");
	print_visible(out, names->a);
	str_add(out, "\n\n");
	table_text(calibration, ascii, out);
	str_addc(out, '\n');
	if (calibration->differing == 0 && !calibration->cut)
		str_add(out, "No probe differs: there is nothing to calibrate.\n");
	else
		str_addf(out, "Probes that differ (*): %zu of %zu before, %zu after. Machines tried: %zu.\n",
			calibration->differing, calibration->compared, calibration->remaining, calibration->tried);
	if (calibration->n_faults)
		str_add(out, "At fault:\n");
	for (size_t i = 0; i < calibration->n_faults; i++)
		fault_text(calibration, &calibration->fault[i], ascii, out);
	remaining_text(calibration, out);
	coverage_text(calibration, out);
	if (calibration->cut)
		str_add(out, "Stopped: this is what was done so far.\n");
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void
print_calibrate_answer_json(struct json_writer *w, const char *key, const struct probe_answer *a)
{
	json_open(w, key, '{');
	json_num(w, "value", a->found ? a->value : NAN);
	json_num(w, "low", a->found ? a->low : NAN);
	json_num(w, "high", a->found ? a->high : NAN);
	json_close(w, '}');
}

static void
row_json(struct json_writer *writer, const struct calibration *calibration, size_t i)
{
	const struct probe *probe = calibration->list->probe[i];
	const struct calibration_row *row = &calibration->row[i];

	json_open(writer, NULL, '{');
	json_str(writer, "probe", probe->name);
	json_str(writer, "unit", probe->unit);
	print_calibrate_answer_json(writer, "truth", &row->truth);
	print_calibrate_answer_json(writer, "before", &row->before);
	print_calibrate_answer_json(writer, "after", &row->after);
	json_num(writer, "error_before", answers_error(&row->before, &row->truth));
	json_num(writer, "error_after", answers_error(&row->after, &row->truth));
	json_bool(writer, "differs", row->differs);
	json_bool(writer, "remains", row->remains);
	json_str(writer, "contradicts", row->asks ? calibration->list->probe[row->against]->name : NULL);
	json_close(writer, '}');
}

static void
fault_json(struct json_writer *writer, const struct calibration *calibration, const struct calibration_fault *fault)
{
	json_open(writer, NULL, '{');
	json_str(writer, "name", knob_name(fault->knob));
	json_str(writer, "kind", knob_kind_name(knob_kind_of(fault->knob)));
	json_str(writer, "before", fault->before);
	json_str(writer, "after", fault->after);
	json_open(writer, "explains", '[');
	for (size_t i = 0; i < calibration->list->n; i++)
		if (fault->explains[i])
			json_str(writer, NULL, calibration->list->probe[i]->name);
	json_close(writer, ']');
	json_str(writer, "doubt",
		fault->doubt < calibration->list->n ? calibration->list->probe[fault->doubt]->name : NULL);
	json_open(writer, "ties", '[');
	for (size_t i = 0; i < fault->n_ties; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "name", knob_name(fault->tie[i].knob));
		json_str(writer, "after", fault->tie[i].after);
		json_str(writer, "probe", fault->tie[i].probe ? fault->tie[i].probe->name : NULL);
		if (fault->tie[i].probe) {
			print_calibrate_answer_json(writer, "with_fault", &fault->tie[i].fault);
			print_calibrate_answer_json(writer, "with_tie", &fault->tie[i].tie);
		}
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
}

static void
coverage_json(struct json_writer *writer, const struct coverage *coverage)
{
	json_int(writer, "items", (int64_t)coverage->items);
	json_int(writer, "items_probed", (int64_t)coverage->probed);
	json_bool(writer, "items_cut", coverage->cut);
	json_open(writer, "not_probed", '[');
	for (size_t i = 0; i < coverage->n; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "name", knob_name(coverage->item[i].knob));
		json_str(writer, "value", coverage->item[i].now);
		json_bool(writer, "partly", coverage->item[i].partly);
		json_open(writer, "unseen", '[');
		for (size_t j = 0; j < coverage->item[i].n; j++)
			json_str(writer, NULL, coverage->item[i].unseen[j]);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "never_turned", '[');
	for (size_t i = 0; coverage_never_turned[i]; i++)
		json_str(writer, NULL, coverage_never_turned[i]);
	json_close(writer, ']');
}

void
print_calibration_json(
	const struct calibration_names *names, const struct calibration *calibration, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.calibration/1");
	json_str(writer, "machine", names->a);
	json_str(writer, "truth", names->truth);
	json_open(writer, "probes", '[');
	for (size_t i = 0; i < calibration->list->n; i++)
		if (calibration->row[i].compared)
			row_json(writer, calibration, i);
	json_close(writer, ']');
	json_open(writer, "faults", '[');
	for (size_t i = 0; i < calibration->n_faults; i++)
		fault_json(writer, calibration, &calibration->fault[i]);
	json_close(writer, ']');
	coverage_json(writer, &calibration->coverage);
	json_num(writer, "error_before", calibration->error_before);
	json_num(writer, "error_after", calibration->error_after);
	json_int(writer, "tried", (int64_t)calibration->tried);
	json_bool(writer, "cut", calibration->cut);
}
