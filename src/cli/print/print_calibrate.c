#include "cli/print/print_calibrate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "work/calibrate/calibrate.h"

#define PROBE_WIDTH 18
#define VALUE_WIDTH 10
#define ERROR_WIDTH 11
#define INDENT 2
#define LINE_WIDTH 100u

static void
value_cell(const struct probe_answer *a, bool ascii, struct str *out)
{
	char v[NUMBER_TEXT] = "-", text[NUMBER_TEXT + 8];

	if (a->found)
		number_digits(v, a->value, 4, ascii);
	snprintf(text, sizeof text, "%s%s", !probe_answer_at_least(a) ? "" : ascii ? ">= " : "≥ ", v);
	print_right(out, text, VALUE_WIDTH, ascii);
}

static void
error_cell(const struct probe_answer *a, const struct probe_answer *truth, bool differs, bool ascii, struct str *out)
{
	char *text = str_format("%+.2f %%%s", 100 * answers_error(a, truth), differs ? " *" : "  ");

	print_right(out, text, ERROR_WIDTH + 2, ascii);
	str_free(&(struct str){.s = text});
}

static void
row_text(const struct calibration *c, size_t i, bool ascii, struct str *out)
{
	const struct calibration_row *r = &c->row[i];

	print_padded(out, c->list->probe[i]->name, PROBE_WIDTH, ascii);
	value_cell(&r->truth, ascii, out);
	value_cell(&r->before, ascii, out);
	error_cell(&r->before, &r->truth, r->differs, ascii, out);
	value_cell(&r->after, ascii, out);
	error_cell(&r->after, &r->truth, r->remains, ascii, out);
	str_add(out, "  ");
	print_visible(out, c->list->probe[i]->unit);
	str_addc(out, '\n');
}

static void
table_text(const struct calibration *c, bool ascii, struct str *out)
{
	print_padded(out, "probe", PROBE_WIDTH, ascii);
	print_right(out, "truth", VALUE_WIDTH, ascii);
	print_right(out, "before", VALUE_WIDTH, ascii);
	print_right(out, "error  ", ERROR_WIDTH + 2, ascii);
	print_right(out, "after", VALUE_WIDTH, ascii);
	print_right(out, "error  ", ERROR_WIDTH + 2, ascii);
	str_addc(out, '\n');
	for (size_t i = 0; i < c->list->n; i++)
		if (c->row[i].compared)
			row_text(c, i, ascii, out);
	print_padded(out, "mean |error|", PROBE_WIDTH + 2 * VALUE_WIDTH, ascii);
	str_addf(out, "%*.2f %%", ERROR_WIDTH - 2, 100 * c->error_before);
	str_addf(out, "%*.2f %%\n", VALUE_WIDTH + ERROR_WIDTH, 100 * c->error_after);
}

/* "4 per cycle with width 3" */
static void
answer_text(const struct probe *p, const struct probe_answer *a, const struct knob *k, const char *value, bool ascii,
	struct str *out)
{
	char v[NUMBER_TEXT] = "nothing";

	if (a->found)
		number_digits(v, a->value, 4, ascii);
	str_add(out, v);
	if (a->found && *p->unit) {
		str_addc(out, ' ');
		print_visible(out, p->unit);
	}
	str_addf(out, " with %s %s", knob_name(k), value);
}

/* A line for each tie that a probe tells apart, and one for all others. */
static void
ties_text(const struct calibration *c, const struct calibration_fault *f, bool ascii, struct str *out)
{
	bool some = false;

	for (size_t i = 0; i < f->n_ties; i++) {
		const struct calibration_tie *t = &f->tie[i];

		if (!t->probe)
			continue;
		str_addf(out, "    or else: %s %s (a tie; hecate probe %s tells them apart: ", knob_name(t->knob),
			t->after, t->probe->name);
		answer_text(t->probe, &t->fault, f->knob, f->after, ascii, out);
		str_add(out, ", ");
		answer_text(t->probe, &t->tie, t->knob, t->after, ascii, out);
		str_add(out, ")\n");
	}
	for (size_t i = 0; i < f->n_ties; i++)
		if (!f->tie[i].probe) {
			str_addf(out, "%s%s %s", some ? ", " : "    or else: ", knob_name(f->tie[i].knob),
				f->tie[i].after);
			some = true;
		}
	if (some)
		str_addf(out, " (a tie: %s tells them apart)\n",
			c->coverage.cut ? "no probe that ran" : "no installed probe");
}

/* "  rob: 128, fits with 96 (parameter; explains rob, int_registers)" */
static void
fault_text(const struct calibration *c, const struct calibration_fault *f, bool ascii, struct str *out)
{
	bool some = false;

	str_addf(out, "  %s: %s, fits with %s (%s; explains ", knob_name(f->knob), f->before, f->after,
		knob_kind_name(knob_kind_of(f->knob)));
	for (size_t i = 0; i < c->list->n; i++)
		if (f->explains[i]) {
			str_addf(out, "%s%s", some ? ", " : "", c->list->probe[i]->name);
			some = true;
		}
	str_add(out, some ? ")\n" : "no probe alone)\n");
	if (f->doubt < c->list->n)
		str_addf(out, "    in doubt: %s depends on it, too, and still differs\n",
			c->list->probe[f->doubt]->name);
	ties_text(c, f, ascii, out);
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
unseen_text(const struct coverage *v, bool partly, const char *title, struct str *out)
{
	size_t column = 0;

	for (size_t i = 0; i < v->n; i++) {
		const struct coverage_item *item = &v->item[i];
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
coverage_text(const struct calibration *c, struct str *out)
{
	const struct coverage *v = &c->coverage;

	if (c->cut)
		return;
	str_addf(out, "%s as far as %zu of %zu items of the machine file are probed.\n",
		c->remaining ? "Fitted" : "Equal", v->probed, v->items);
	unseen_text(v, false, "No probe that ran depends on these items:", out);
	unseen_text(v, true, "Of these items, some other value shows in no probe:", out);
	str_add(out, "Never turned: ");
	for (size_t i = 0; coverage_never_turned[i]; i++)
		str_addf(out, "%s%s", i ? ", " : "", coverage_never_turned[i]);
	str_add(out, ".\n");
	if (v->cut)
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
remaining_text(const struct calibration *c, struct str *out)
{
	if (c->remaining)
		str_add(out, "What remains:\n");
	for (size_t i = 0; i < c->list->n; i++) {
		const struct calibration_row *r = &c->row[i];
		const struct probe *p = c->list->probe[i];

		if (!r->compared || !r->remains)
			continue;
		if (r->asks)
			str_addf(out, "  %s: agrees with %s %s alone, but then %s differs: they contradict each "
				"other;\n    measure both again, or leave one out\n", p->name, knob_name(r->asks),
				r->asked, c->list->probe[r->against]->name);
		else
			str_addf(out, "  %s: %s\n", p->name, !has_knob(p) ? "no item of a machine file is known for it"
				: c->cut ? "not calibrated any more"
				: "no value of a machine file that was tried makes it agree");
	}
}

void
print_calibration(const struct options *o, const struct calibration_names *n, const struct calibration *c,
	struct str *out)
{
	bool ascii = print_ascii(o);

	str_addf(out, "Truth: ");
	print_visible(out, n->truth);
	str_add(out, "; calibrated: ");
	print_visible(out, n->a);
	str_add(out, "\n\n");
	table_text(c, ascii, out);
	str_addc(out, '\n');
	if (c->differing == 0 && !c->cut)
		str_add(out, "No probe differs: there is nothing to calibrate.\n");
	else
		str_addf(out, "Probes that differ (*): %zu of %zu before, %zu after. Machines tried: %zu.\n",
			c->differing, c->compared, c->remaining, c->tried);
	if (c->n_faults)
		str_add(out, "At fault:\n");
	for (size_t i = 0; i < c->n_faults; i++)
		fault_text(c, &c->fault[i], ascii, out);
	remaining_text(c, out);
	coverage_text(c, out);
	if (c->cut)
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
row_json(struct json_writer *w, const struct calibration *c, size_t i)
{
	const struct probe *p = c->list->probe[i];
	const struct calibration_row *r = &c->row[i];

	json_open(w, NULL, '{');
	json_str(w, "probe", p->name);
	json_str(w, "unit", p->unit);
	print_calibrate_answer_json(w, "truth", &r->truth);
	print_calibrate_answer_json(w, "before", &r->before);
	print_calibrate_answer_json(w, "after", &r->after);
	json_num(w, "error_before", answers_error(&r->before, &r->truth));
	json_num(w, "error_after", answers_error(&r->after, &r->truth));
	json_bool(w, "differs", r->differs);
	json_bool(w, "remains", r->remains);
	json_str(w, "contradicts", r->asks ? c->list->probe[r->against]->name : NULL);
	json_close(w, '}');
}

static void
fault_json(struct json_writer *w, const struct calibration *c, const struct calibration_fault *f)
{
	json_open(w, NULL, '{');
	json_str(w, "name", knob_name(f->knob));
	json_str(w, "kind", knob_kind_name(knob_kind_of(f->knob)));
	json_str(w, "before", f->before);
	json_str(w, "after", f->after);
	json_open(w, "explains", '[');
	for (size_t i = 0; i < c->list->n; i++)
		if (f->explains[i])
			json_str(w, NULL, c->list->probe[i]->name);
	json_close(w, ']');
	json_str(w, "doubt", f->doubt < c->list->n ? c->list->probe[f->doubt]->name : NULL);
	json_open(w, "ties", '[');
	for (size_t i = 0; i < f->n_ties; i++) {
		json_open(w, NULL, '{');
		json_str(w, "name", knob_name(f->tie[i].knob));
		json_str(w, "after", f->tie[i].after);
		json_str(w, "probe", f->tie[i].probe ? f->tie[i].probe->name : NULL);
		if (f->tie[i].probe) {
			print_calibrate_answer_json(w, "with_fault", &f->tie[i].fault);
			print_calibrate_answer_json(w, "with_tie", &f->tie[i].tie);
		}
		json_close(w, '}');
	}
	json_close(w, ']');
	json_close(w, '}');
}

static void
coverage_json(struct json_writer *w, const struct coverage *v)
{
	json_int(w, "items", (int64_t)v->items);
	json_int(w, "items_probed", (int64_t)v->probed);
	json_bool(w, "items_cut", v->cut);
	json_open(w, "not_probed", '[');
	for (size_t i = 0; i < v->n; i++) {
		json_open(w, NULL, '{');
		json_str(w, "name", knob_name(v->item[i].knob));
		json_str(w, "value", v->item[i].now);
		json_bool(w, "partly", v->item[i].partly);
		json_open(w, "unseen", '[');
		for (size_t j = 0; j < v->item[i].n; j++)
			json_str(w, NULL, v->item[i].unseen[j]);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "never_turned", '[');
	for (size_t i = 0; coverage_never_turned[i]; i++)
		json_str(w, NULL, coverage_never_turned[i]);
	json_close(w, ']');
}

void
print_calibration_json(const struct calibration_names *n, const struct calibration *c, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.calibration/1");
	json_str(w, "machine", n->a);
	json_str(w, "truth", n->truth);
	json_open(w, "probes", '[');
	for (size_t i = 0; i < c->list->n; i++)
		if (c->row[i].compared)
			row_json(w, c, i);
	json_close(w, ']');
	json_open(w, "faults", '[');
	for (size_t i = 0; i < c->n_faults; i++)
		fault_json(w, c, &c->fault[i]);
	json_close(w, ']');
	coverage_json(w, &c->coverage);
	json_num(w, "error_before", c->error_before);
	json_num(w, "error_after", c->error_after);
	json_int(w, "tried", (int64_t)c->tried);
	json_bool(w, "cut", c->cut);
}
