#include "cli/print/print_probe.h"

#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"

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

void
print_probe_json(const struct curve *c, const struct knees *k, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.probe/1");
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
	json_open(w, "notes", '[');
	for (size_t i = 0; i < c->n_notes; i++)
		json_str(w, NULL, c->note[i]);
	json_close(w, ']');
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
	if (k->kind == KNEE_JUMP)
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

void
print_probe_text(const struct options *o, const struct curve *c, const struct knees *k, struct str *out)
{
	bool ascii = print_ascii(o);

	print_visible(out, c->name);
	str_addf(out, ": %zu point%s", c->n, c->n == 1 ? "" : "s");
	if (c->x_name && c->y_name) {
		str_add(out, ", ");
		print_visible(out, c->y_name);
		str_add(out, " over ");
		print_visible(out, c->x_name);
	}
	str_addc(out, '\n');
	if (k->few)
		str_addf(out, "  too few points to tell a knee from noise: %d are needed\n", KNEE_FEWEST);
	else if (k->n == 0)
		str_add(out, "  no knee: one trend explains the curve\n");
	for (size_t i = 0; i < k->n; i++)
		knee_line(&k->knee[i], ascii, out);
	for (size_t i = 0; i < k->n_trends && o->verbose; i++)
		trend_line(&k->trend[i], ascii, out);
	if (k->minor)
		str_addf(out, "  %zu smaller change%s of trend, which %s not matter\n", k->minor,
			k->minor == 1 ? "" : "s", k->minor == 1 ? "does" : "do");
}
