#include "cli/print/print_locate.h"

#include <math.h>
#include <stdint.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "work/search/locate.h"

#define WHERES_SHOWN 2     /* places listed per name */
#define SURVIVORS_SHOWN 12 /* candidates listed without -v */
#define REFUTED_SHOWN 12

/* Lists what counts the same as a term: each name with at most so many places. False: nothing does. */
static bool
add_same(const struct locate_candidate *c, size_t term, size_t wheres, struct str *out)
{
	bool some = false;

	for (size_t i = 0; i < c->n_same; i++) {
		const struct locate_same *s = &c->same[i];

		if (s->term != term)
			continue;
		str_addf(out, "%s%s", some ? "; " : "", s->name);
		some = true;
		for (size_t k = 0; k < s->n && k < wheres; k++)
			str_addf(out, "%s%s", k ? ", " : " at ", s->where[k]);
		if (s->n > wheres)
			str_addf(out, " and %zu more places (-v)", s->n - wheres);
	}
	return some;
}

/* Prints "counts the same: a; b"; for a sum or difference, a line for each term. */
static void
add_also(const struct options *o, const struct locate_candidate *c, struct str *out)
{
	for (size_t term = 0; term < c->terms; term++) {
		struct str same = {0};

		if (!add_same(c, term, o->verbose ? SIZE_MAX : WHERES_SHOWN, &same))
			continue;
		if (c->terms > 1)
			str_addf(out, "      term %zu counts the same as: %s\n", term + 1, str_text(&same));
		else
			str_addf(out, "      counts the same: %s\n", str_text(&same));
		str_free(&same);
	}
}

static void
write_also(struct json_writer *w, const struct locate_candidate *c)
{
	struct str all = {0};

	for (size_t term = 0; term < c->terms; term++) {
		struct str same = {0};

		if (add_same(c, term, SIZE_MAX, &same))
			str_addf(&all, "%s%s", all.n ? "; " : "", str_text(&same));
		str_free(&same);
	}
	json_str(w, "also", str_text(&all));
	str_free(&all);
}

static void
write_same(struct json_writer *w, const struct locate_candidate *c)
{
	json_open(w, "same", '[');
	for (size_t i = 0; i < c->n_same; i++) {
		const struct locate_same *s = &c->same[i];

		json_open(w, NULL, '{');
		json_int(w, "term", (int64_t)s->term + 1);
		json_str(w, "place", s->name);
		json_open(w, "at", '[');
		for (size_t k = 0; k < s->n; k++)
			json_str(w, NULL, s->where[k]);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
}

static void
write_candidate(struct json_writer *w, const struct locate_candidate *c)
{
	json_open(w, NULL, '{');
	json_str(w, "place", c->name);
	write_also(w, c);
	write_same(w, c);
	json_int(w, "terms", (int64_t)c->terms);
	json_bool(w, "part", c->part);
	json_bool(w, "declared", c->declared);
	json_bool(w, "survives", c->survives);
	if (c->survives) {
		if (c->group < SIZE_MAX / 2)
			json_int(w, "group", (int64_t)c->group);
		else
			json_null(w, "group");
		json_str(w, "rule", c->rule);
		json_num(w, "width", c->width);
		print_json_lines(w, "paste", c->paste);
	} else {
		json_str(w, "refuted_by", c->refuter);
		json_str(w, "constraint", c->constraint);
	}
	json_close(w, '}');
}

void
print_locate_json(const struct options *o, const struct udd_model *m, const struct fset *on,
	const struct locate_result *l, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_json_head(w, "hecate.locate/1", m, on);
	json_str(w, "event", l->event);
	json_str(w, "counter", l->known < m->n_counters ? m->counter[l->known].name : NULL);
	json_num(w, "confidence", o->confidence);
	json_bool(w, "counterpoint", o->counterpoint);
	json_int(w, "observations", (int64_t)l->n_observations);
	json_open(w, "left_out", '[');
	for (size_t i = 0; i < l->n_left_out; i++)
		json_str(w, NULL, l->left_out[i]);
	json_close(w, ']');
	json_int(w, "places", (int64_t)l->places);
	json_int(w, "tested", (int64_t)l->tested);
	json_int(w, "skipped", (int64_t)l->skipped);
	json_int(w, "survivors", (int64_t)l->n_survivors);
	json_open(w, "candidates", '[');
	for (size_t i = 0; i < l->n; i++)
		write_candidate(w, &l->candidate[i]);
	json_close(w, ']');
	json_num(w, "seconds", l->seconds);
	json_close(w, '}');
}

static void
print_locate_add_head(const struct udd_model *m, const struct fset *on, const struct locate_result *l, struct str *out)
{
	struct str names = {0};

	print_feature_names(m, on, "none", &names);
	str_addf(out, "model %s, features on: %s\n", m->name, str_text(&names));
	str_free(&names);
	str_addf(out, "event %s", l->event);
	if (l->known < m->n_counters)
		str_addf(out, ", the model's counter %s", m->counter[l->known].name);
	str_addf(out, "; %zu observations have it\n", l->n_observations + l->n_left_out);
	if (l->n_left_out) {
		str_addf(out, "left out, because they refute the model itself:");
		for (size_t i = 0; i < l->n_left_out; i++)
			str_addf(out, "%s %s", i ? "," : "", l->left_out[i]);
		str_addc(out, '\n');
	}
	for (size_t i = 0; i < l->n; i++)
		if (l->candidate[i].declared && l->candidate[i].survives)
			str_addf(out, "the place that the model declares survives (no. %zu below)\n", i + 1);
		else if (l->candidate[i].declared)
			str_addf(out, "the place that the model declares is refuted by %s\n", l->candidate[i].refuter);
	str_addf(out, "%zu distinct places, %zu tested with sums and differences of up to three, %zu survive; %.3g s\n",
		l->places, l->tested, l->n_survivors, l->seconds);
	if (l->skipped)
		str_addf(out, "%zu sums and differences were not tested (--max-tests)\n", l->skipped);
}

static void
add_paste(const struct locate_candidate *c, struct str *out)
{
	char **line = str_split(c->paste, '\n', NULL);

	for (size_t i = 0; line[i]; i++)
		if (*line[i])
			str_addf(out, "      %s\n", line[i]);
	str_split_free(line);
}

static void
add_survivor(const struct options *o, const struct locate_candidate *c, bool apart, bool ascii, struct str *out)
{
	str_addf(out, "  %s%s\n", apart ? "" : "= ", c->name);
	add_also(o, c, out);
	if (apart && c->rule) {
		str_add(out, "      predicts it exactly: ");
		print_relation(out, c->rule, ascii);
		str_addc(out, '\n');
	} else if (apart && isfinite(c->width)) {
		str_addf(out, "      bounds it: the interval is %.3g %% of it wide on average\n", 100 * c->width);
	} else if (apart) {
		str_add(out, isnan(c->width) ? "      bounds it\n" : "      bounds it on one side only\n");
	}
	add_paste(c, out);
}

static void
add_refuted(const struct options *o, const struct locate_result *l, bool ascii, struct str *out)
{
	size_t n = 0, rest = 0;

	for (size_t i = l->n_survivors; i < l->n; i++) {
		const struct locate_candidate *c = &l->candidate[i];

		if (c->terms > 1 || (!o->verbose && (c->part || n >= REFUTED_SHOWN))) {
			rest++;
			continue;
		}
		str_addf(out, "%s  %s: %s shows not ", n++ ? "" : "\nrefuted\n", c->name, c->refuter);
		print_relation(out, c->constraint, ascii);
		str_addc(out, '\n');
		add_also(o, c, out);
	}
	if (rest)
		str_addf(out, "  and %zu more%s\n", rest, o->verbose ? ", sums and differences" : " (-v)");
}

void
print_locate_text(const struct options *o, const struct udd_model *m, const struct fset *on,
	const struct locate_result *l, struct str *out)
{
	bool ascii = print_ascii(o);
	size_t shown = o->verbose ? l->n_survivors : SURVIVORS_SHOWN;
	struct str text = {0};

	print_locate_add_head(m, on, l, &text);
	print_counterpoint(o, &text);
	if (l->n_survivors)
		str_add(&text,
			"\nwhere it could be counted, best first; = marks a place that no data over these counters "
			"tell from the one "
			"above\n");
	else
		str_add(&text,
			"\nno place of the model, and no sum or difference tested, survives: the event means something "
			"that the model does not have\n");
	for (size_t i = 0; i < l->n_survivors && i < shown; i++)
		add_survivor(o, &l->candidate[i], i == 0 || l->candidate[i].group != l->candidate[i - 1].group, ascii,
			&text);
	if (l->n_survivors > shown)
		str_addf(&text, "  and %zu more, which -v lists\n", l->n_survivors - shown);
	add_refuted(o, l, ascii, &text);
	print_lines(out, str_text(&text), ascii);
	str_free(&text);
}
