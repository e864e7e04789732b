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
print_probe_answer_json(
	struct json_writer *w, const struct probe *p, const struct probe_answer *a, const struct expected *x)
{
	json_str(w, "probe", p->name);
	json_str(w, "measures", p->text);
	json_str(w, "parameter", *p->parameter ? p->parameter : NULL);
	json_str(w, "unit", p->unit);
	json_num(w, "value", a->found ? a->value : NAN);
	json_num(w, "low", a->found ? a->low : NAN);
	json_num(w, "high", a->found ? a->high : NAN); /* null: unbounded */
	json_bool(w, "at_least", probe_answer_at_least(a));
	json_str(w, "hidden_by", a->hidden_by);
	json_str(w, "doubt", probe_answer_doubt(p, a));
	if (!x)
		return;
	json_open(w, "expected", '{');
	json_num(w, "low", x->low);
	json_num(w, "high", x->high);
	json_bool(w, "doubtful", x->doubtful);
	json_str(w, "source", x->source);
	json_bool(w, "agrees", expected_agrees(x, a));
	json_close(w, '}');
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
curve_json(struct json_writer *w, const struct curve *c, const struct knees *k)
{
	json_str(w, "curve", c->name);
	json_str(w, "x", c->x_name);
	json_str(w, "y", c->y_name);
	json_int(w, "points", (int64_t)c->n);
	json_open(w, "knees", '[');
	for (size_t i = 0; i < k->n; i++)
		knee_json(w, &k->knee[i]);
	json_close(w, ']');
	json_open(w, "trends", '[');
	for (size_t i = 0; i < k->n_trends; i++)
		trend_json(w, &k->trend[i]);
	json_close(w, ']');
	json_int(w, "minor", (int64_t)k->minor);
	json_num(w, "noise", k->few ? NAN : k->noise);
	notes_json(c, w);
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
counts_json(const struct probe_result *r, struct json_writer *w)
{
	json_open(w, "counts", '[');
	for (size_t i = 0; i < r->n_counts; i++) {
		json_open(w, NULL, '{');
		json_str(w, "event", r->count[i].name);
		json_open(w, "points", '[');
		for (size_t k = 0; k < r->curve->n; k++) {
			json_open(w, NULL, '{');
			json_num(w, "x", r->curve->point[k].x);
			json_num(w, "time", r->curve->point[k].mean);
			json_num(w, "count", count_at(&r->count[i], r->curve->point[k].x));
			json_close(w, '}');
		}
		json_close(w, ']');
		notes_json(&r->count[i], w);
		json_close(w, '}');
	}
	json_close(w, ']');
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
knee_line(const struct knee *k, bool ascii, struct str *out)
{
	char x[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT], before[NUMBER_TEXT], after[NUMBER_TEXT];

	number_full(x, k->kind == KNEE_BEND ? round(10 * k->x) / 10 : k->x, ascii);
	number_full(low, k->kind == KNEE_BEND ? round(10 * k->low) / 10 : k->low, ascii);
	number_full(high, k->kind == KNEE_BEND ? round(10 * k->high) / 10 : k->high, ascii);
	number_digits(before, k->before, 4, ascii);
	number_digits(after, k->after, 4, ascii);
	if (k->kind == KNEE_JUMP && k->after < k->before)
		str_addf(out, "  jump at %s (%s to %s): from %s down to %s\n", x, low, high, before, after);
	else if (k->kind == KNEE_JUMP)
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
curve_text(const struct options *o, const struct curve *c, const struct knees *k, const struct curve *count,
	size_t n_counts, struct str *out)
{
	bool ascii = print_ascii(o);

	if (k->few)
		str_addf(out, "  too few points to tell a knee from noise: %d are needed\n", KNEE_FEWEST);
	for (size_t i = 0; i < k->n; i++)
		knee_line(&k->knee[i], ascii, out);
	for (size_t i = 0; i < k->n_trends && o->verbose; i++)
		trend_line(&k->trend[i], ascii, out);
	if (k->minor)
		str_addf(out, "  %zu smaller change%s of trend, which %s not matter\n", k->minor,
			k->minor == 1 ? "" : "s", k->minor == 1 ? "does" : "do");
	for (size_t i = 0; i < c->n && o->verbose; i++) {
		str_addf(out, "  %.10g,%.10g,%.10g,%.10g", c->point[i].x, c->point[i].min, c->point[i].mean,
			c->point[i].max);
		for (size_t e = 0; e < n_counts; e++)
			str_addf(out, ",%.10g", count_at(&count[e], c->point[i].x));
		str_addc(out, '\n');
	}
}

static void
imported_text(const struct options *o, const struct curve *c, const struct knees *k, struct str *out)
{
	print_visible(out, c->name);
	str_addf(out, ": %zu point%s", c->n, c->n == 1 ? "" : "s");
	if (c->x_name && c->y_name) {
		str_add(out, ", ");
		print_visible(out, c->y_name);
		str_add(out, " over ");
		print_visible(out, c->x_name);
	}
	str_addc(out, '\n');
	if (!k->few && k->n == 0)
		str_add(out, "  no knee: one trend explains the curve\n");
	curve_text(o, c, k, NULL, 0, out);
}

/* "expected 320: agrees", under the answer. */
static void
expected_text(const struct options *o, const struct expected *x, const struct probe_answer *a, struct str *out)
{
	bool ascii = print_ascii(o);
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	print_padded(out, "", PROBE_WIDTH, ascii);
	str_addf(out, "expected %s", number_digits(low, x->low, 4, ascii));
	if (x->high > x->low)
		str_addf(out, " to %s", number_digits(high, x->high, 4, ascii));
	str_addf(out, "%s: %s", x->doubtful ? " (doubtful)" : "", expected_agrees(x, a) ? "agrees" : "differs");
	if (o->verbose) {
		str_add(out, "; ");
		print_visible(out, x->source);
	}
	str_addc(out, '\n');
}

/* "rob             128 entries (128 to 130)   entries of the reorder buffer" */
static void
answer_line(const struct options *o, const struct probe *p, const struct probe_answer *a, struct str *out)
{
	char number[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
	struct str between = {0}, value = {0};
	bool ascii = print_ascii(o), least = probe_answer_at_least(a);

	str_add(&value, !a->found ? "-" : !least ? "" : ascii ? ">= " : "≥ ");
	if (a->found) {
		str_add(&value, number_digits(number, a->value, 4, ascii));
		str_add(&between, p->unit);
	} else {
		str_add(&between, p->value == PROBE_KNEE ? "no knee" : "not measured");
	}
	if (a->found && !least)
		str_addf(&between, " (%s to %s)", number_digits(low, a->low, 4, ascii),
			number_digits(high, a->high, 4, ascii));
	print_padded(out, p->name, PROBE_WIDTH, ascii);
	print_right(out, str_text(&value), VALUE_WIDTH, ascii);
	str_addc(out, ' ');
	print_padded(out, str_text(&between), INTERVAL_WIDTH, ascii);
	str_addc(out, ' ');
	print_visible(out, p->text);
	str_addc(out, '\n');
	str_free(&between);
	str_free(&value);
}

/* What makes the answer a lower bound, or doubtful, under it. */
static void
doubt_text(const struct options *o, const struct probe *p, const struct probe_answer *a, struct str *out)
{
	const char *doubt = probe_answer_doubt(p, a);

	if (a->hidden_by) {
		print_padded(out, "", PROBE_WIDTH, print_ascii(o));
		str_add(out, "or more: what ");
		print_visible(out, a->hidden_by);
		str_add(out, " measures may be full then, too\n");
	}
	if (doubt) {
		print_padded(out, "", PROBE_WIDTH, print_ascii(o));
		str_addf(out, "%s\n", doubt);
	}
}

/* "instructions: 12 in a pass at x = 4, 48 at x = 40", under the answer. */
static void
count_text(const struct options *o, const struct curve *count, struct str *out)
{
	const struct curve_point *last = count->n ? &count->point[count->n - 1] : NULL;
	bool ascii = print_ascii(o);
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
print_imported(const struct options *o, const struct probe *p, const struct curve *c, const struct knees *k,
	struct writing *out)
{
	struct probe_answer a = p ? probe_answer_of(p, k) : (struct probe_answer){0};

	if (o->json) {
		json_open(&out->json, NULL, '{');
		json_str(&out->json, "schema", "hecate.probe/1");
		if (p)
			print_probe_answer_json(&out->json, p, &a, NULL);
		curve_json(&out->json, c, k);
		json_close(&out->json, '}');
		return;
	}
	imported_text(o, c, k, &out->text);
	if (!p)
		return;
	answer_line(o, p, &a, &out->text);
	doubt_text(o, p, &a, &out->text);
	if (*p->says) {
		str_add(&out->text, "  ");
		print_visible(&out->text, p->says);
		str_addc(&out->text, '\n');
	}
}
