#include "cli/print/print_probe.h"

#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/probe/probe.h"
#include "work/probe/native_expect.h"

#define PROBE_WIDTH 17
#define VALUE_WIDTH 8
#define INTERVAL_WIDTH 28

static void
knee_json(struct json_writer *w, const struct knee *k)
{
	json_open(w, NULL, '{');
	json_str(w, "kind", knee_kind_name(k->kind));
	json_num(w, "x", k->x);
	json_num(w, "low", k->low);
	json_num(w, "high", k->high);
	json_num(w, "before", k->before);
	json_num(w, "after", k->after);
	json_close(w, '}');
}

static void
trend_json(struct json_writer *w, const struct knee_trend *t)
{
	json_open(w, NULL, '{');
	json_num(w, "first", t->first);
	json_num(w, "last", t->last);
	json_num(w, "from", t->a + t->slope * t->first);
	json_num(w, "to", t->a + t->slope * t->last);
	json_num(w, "slope", t->slope);
	json_close(w, '}');
}

static void
print_probe_answer_json(struct json_writer *writer, const struct probe *probe, const struct probe_answer *answer,
	const struct expected *expected)
{
	json_str(writer, "probe", probe->name);
	json_str(writer, "measures", probe->text);
	json_str(writer, "parameter", *probe->parameter ? probe->parameter : NULL);
	json_str(writer, "unit", probe->unit);
	json_num(writer, "value", answer->found ? answer->value : NAN);
	json_num(writer, "low", answer->found ? answer->low : NAN);
	json_num(writer, "high", answer->found ? answer->high : NAN); /* null: unbounded */
	json_bool(writer, "at_least", probe_answer_at_least(answer));
	json_str(writer, "hidden_by", answer->hidden_by);
	json_str(writer, "doubt", probe_answer_doubt(probe, answer));
	if (!expected)
		return;
	json_open(writer, "expected", '{');
	json_num(writer, "low", expected->low);
	json_num(writer, "high", expected->high);
	json_bool(writer, "doubtful", expected->doubtful);
	json_str(writer, "source", expected->source);
	json_bool(writer, "agrees", expected_agrees(expected, answer));
	json_close(writer, '}');
}

static void
notes_json(const struct curve *c, struct json_writer *w)
{
	json_open(w, "notes", '[');
	for (size_t i = 0; i < c->n_notes; i++)
		json_str(w, NULL, c->note[i]);
	json_close(w, ']');
}

static void
curve_json(struct json_writer *writer, const struct curve *curve, const struct knees *knees)
{
	json_str(writer, "curve", curve->name);
	json_str(writer, "x", curve->x_name);
	json_str(writer, "y", curve->y_name);
	json_int(writer, "points", (int64_t)curve->n);
	json_open(writer, "knees", '[');
	for (size_t i = 0; i < knees->n; i++)
		knee_json(writer, &knees->knee[i]);
	json_close(writer, ']');
	json_open(writer, "trends", '[');
	for (size_t i = 0; i < knees->n_trends; i++)
		trend_json(writer, &knees->trend[i]);
	json_close(writer, ']');
	json_int(writer, "minor", (int64_t)knees->minor);
	json_num(writer, "noise", knees->few ? NAN : knees->noise);
	notes_json(curve, writer);
}

void
print_probes_begin(const char *machine, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.probes/1");
	json_str(w, "on", machine);
	json_open(w, "results", '[');
}

void
print_probes_end(bool cut, struct json_writer *w)
{
	json_close(w, ']');
	json_bool(w, "cut", cut);
	json_close(w, '}');
}

/* The count at this x; NAN: it was stopped before. */
static double
count_at(const struct curve *count, double x)
{
	for (size_t i = 0; i < count->n; i++)
		if (count->point[i].x == x)
			return count->point[i].mean;
	return NAN;
}

static void
counts_json(const struct probe_result *result, struct json_writer *writer)
{
	json_open(writer, "counts", '[');
	for (size_t i = 0; i < result->n_counts; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "event", result->count[i].name);
		json_open(writer, "points", '[');
		for (size_t k = 0; k < result->curve->n; k++) {
			json_open(writer, NULL, '{');
			json_num(writer, "x", result->curve->point[k].x);
			json_num(writer, "time", result->curve->point[k].mean);
			json_num(writer, "count", count_at(&result->count[i], result->curve->point[k].x));
			json_close(writer, '}');
		}
		json_close(writer, ']');
		notes_json(&result->count[i], writer);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
probe_json(const struct probe_result *r, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_probe_answer_json(w, r->probe, r->answer, r->expected);
	curve_json(w, r->curve, r->knees);
	if (r->n_counts)
		counts_json(r, w);
	json_close(w, '}');
}

/* "at x = 142 (139 to 148) a jump from 189.0 to 327.7" */
static void
knee_line(const struct knee *knee, bool ascii, struct str *out)
{
	char x[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT], before[NUMBER_TEXT], after[NUMBER_TEXT];

	number_full(x, knee->kind == KNEE_BEND ? round(10 * knee->x) / 10 : knee->x, ascii);
	number_full(low, knee->kind == KNEE_BEND ? round(10 * knee->low) / 10 : knee->low, ascii);
	number_full(high, knee->kind == KNEE_BEND ? round(10 * knee->high) / 10 : knee->high, ascii);
	number_digits(before, knee->before, 4, ascii);
	number_digits(after, knee->after, 4, ascii);
	if (knee->kind == KNEE_JUMP && knee->after < knee->before)
		str_addf(out, "  jump at %s (%s to %s): from %s down to %s\n", x, low, high, before, after);
	else if (knee->kind == KNEE_JUMP)
		str_addf(out, "  jump at %s (%s to %s): from %s to %s; up to %s fit\n", x, low, high, before, after, x);
	else
		str_addf(out, "  bend at %s (%s to %s): the trends meet at %s\n", x, low, high, before);
}

static void
trend_line(const struct knee_trend *t, bool ascii, struct str *out)
{
	char first[NUMBER_TEXT], last[NUMBER_TEXT], from[NUMBER_TEXT], to[NUMBER_TEXT];

	number_full(first, t->first, ascii);
	number_full(last, t->last, ascii);
	number_digits(from, t->a + t->slope * t->first, 4, ascii);
	number_digits(to, t->a + t->slope * t->last, 4, ascii);
	str_addf(out, "  trend from %s to %s: %s to %s\n", first, last, from, to);
}

/* A knee or none, and with -v trends and points; beside a point, what the events of `count` counted. */
static void
curve_text(const struct options *options, const struct curve *curve, const struct knees *knees,
	const struct curve *count, size_t n_counts, struct str *out)
{
	bool ascii = print_ascii(options);

	if (knees->few)
		str_addf(out, "  too few points to tell a knee from noise: %d are needed\n", KNEE_FEWEST);
	for (size_t i = 0; i < knees->n; i++)
		knee_line(&knees->knee[i], ascii, out);
	for (size_t i = 0; i < knees->n_trends && options->verbose; i++)
		trend_line(&knees->trend[i], ascii, out);
	if (knees->minor)
		str_addf(out, "  %zu smaller change%s of trend, which %s not matter\n", knees->minor,
			plural_s(knees->minor), knees->minor == 1 ? "does" : "do");
	for (size_t i = 0; i < curve->n && options->verbose; i++) {
		str_addf(out, "  %.10g,%.10g,%.10g,%.10g", curve->point[i].x, curve->point[i].min, curve->point[i].mean,
			curve->point[i].max);
		for (size_t e = 0; e < n_counts; e++)
			str_addf(out, ",%.10g", count_at(&count[e], curve->point[i].x));
		str_addc(out, '\n');
	}
}

static void
imported_text(const struct options *options, const struct curve *curve, const struct knees *knees, struct str *out)
{
	print_visible(out, curve->name);
	str_addf(out, ": %zu point%s", curve->n, plural_s(curve->n));
	if (curve->x_name && curve->y_name) {
		str_add(out, ", ");
		print_visible(out, curve->y_name);
		str_add(out, " over ");
		print_visible(out, curve->x_name);
	}
	str_addc(out, '\n');
	if (!knees->few && knees->n == 0)
		str_add(out, "  no knee: one trend explains the curve\n");
	curve_text(options, curve, knees, NULL, 0, out);
}

/* "expected 320: agrees", under the answer. */
static void
expected_text(const struct options *options, const struct expected *expected, const struct probe_answer *answer,
	struct str *out)
{
	bool ascii = print_ascii(options);
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	print_padded(out, "", PROBE_WIDTH, ascii);
	str_addf(out, "expected %s", number_digits(low, expected->low, 4, ascii));
	if (expected->high > expected->low)
		str_addf(out, " to %s", number_digits(high, expected->high, 4, ascii));
	str_addf(out, "%s: %s", expected->doubtful ? " (doubtful)" : "",
		expected_agrees(expected, answer) ? "agrees" : "differs");
	if (options->verbose) {
		str_add(out, "; ");
		print_visible(out, expected->source);
	}
	str_addc(out, '\n');
}

/* "rob             128 entries (128 to 130)   entries of the reorder buffer" */
static void
answer_line(
	const struct options *options, const struct probe *probe, const struct probe_answer *answer, struct str *out)
{
	char number[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
	struct str between = {0}, value = {0};
	bool ascii = print_ascii(options), least = probe_answer_at_least(answer);

	str_add(&value, !answer->found ? "-" : !least ? "" : ascii ? ">= " : "≥ ");
	if (answer->found) {
		str_add(&value, number_digits(number, answer->value, 4, ascii));
		str_add(&between, probe->unit);
	} else {
		str_add(&between, probe->value == PROBE_KNEE ? "no knee" : "not measured");
	}
	if (answer->found && !least)
		str_addf(&between, " (%s to %s)", number_digits(low, answer->low, 4, ascii),
			number_digits(high, answer->high, 4, ascii));
	print_padded(out, probe->name, PROBE_WIDTH, ascii);
	print_right(out, str_text(&value), VALUE_WIDTH, ascii);
	str_addc(out, ' ');
	print_padded(out, str_text(&between), INTERVAL_WIDTH, ascii);
	str_addc(out, ' ');
	print_visible(out, probe->text);
	str_addc(out, '\n');
	str_free(&between);
	str_free(&value);
}

/* What makes the answer a lower bound, or doubtful, under it. */
static void
doubt_text(const struct options *options, const struct probe *probe, const struct probe_answer *a, struct str *out)
{
	const char *doubt = probe_answer_doubt(probe, a);

	if (a->hidden_by) {
		print_padded(out, "", PROBE_WIDTH, print_ascii(options));
		str_add(out, "or more: what ");
		print_visible(out, a->hidden_by);
		str_add(out, " measures may be full then, too\n");
	}
	if (doubt) {
		print_padded(out, "", PROBE_WIDTH, print_ascii(options));
		str_addf(out, "%s\n", doubt);
	}
}

/* "instructions: 12 in a pass at x = 4, 48 at x = 40", under the answer. */
static void
count_text(const struct options *options, const struct curve *count, struct str *out)
{
	const struct curve_point *last = count->n ? &count->point[count->n - 1] : NULL;
	bool ascii = print_ascii(options);
	char y[NUMBER_TEXT], x[NUMBER_TEXT];

	print_padded(out, "", PROBE_WIDTH, ascii);
	print_visible(out, count->name);
	if (!last) {
		str_add(out, ": not counted\n");
		return;
	}
	str_addf(out, ": %s in a pass", number_digits(y, count->point[0].mean, 4, ascii));
	str_addf(out, " at x = %s", number_full(x, count->point[0].x, ascii));
	str_addf(out, ", %s", number_digits(y, last->mean, 4, ascii));
	str_addf(out, " at x = %s\n", number_full(x, last->x, ascii));
}

static void
answer_text(const struct options *o, const struct probe_result *r, struct str *out)
{
	answer_line(o, r->probe, r->answer, out);
	doubt_text(o, r->probe, r->answer, out);
	if (r->expected)
		expected_text(o, r->expected, r->answer, out);
	for (size_t i = 0; i < r->n_counts; i++)
		count_text(o, &r->count[i], out);
	if (o->verbose)
		curve_text(o, r->curve, r->knees, r->count, r->n_counts, out);
}

void
print_probe_row(const struct options *o, const char *name, const char *text, struct str *out)
{
	print_padded(out, name, PROBE_WIDTH, print_ascii(o));
	print_visible(out, text);
	str_addc(out, '\n');
}

void
print_probe(const struct options *o, const struct probe_result *r, struct writing *out)
{
	if (o->json)
		probe_json(r, &out->json);
	else
		answer_text(o, r, &out->text);
}

void
print_imported(const struct options *options, const struct probe *probe, const struct curve *curve,
	const struct knees *knees, struct writing *out)
{
	struct probe_answer a = probe ? probe_answer_of(probe, knees) : (struct probe_answer){0};

	if (options->json) {
		json_open(&out->json, NULL, '{');
		json_str(&out->json, "schema", "hecate.probe/1");
		if (probe)
			print_probe_answer_json(&out->json, probe, &a, NULL);
		curve_json(&out->json, curve, knees);
		json_close(&out->json, '}');
		return;
	}
	imported_text(options, curve, knees, &out->text);
	if (!probe)
		return;
	answer_line(options, probe, &a, &out->text);
	doubt_text(options, probe, &a, &out->text);
	if (*probe->says) {
		str_add(&out->text, "  ");
		print_visible(&out->text, probe->says);
		str_addc(&out->text, '\n');
	}
}
