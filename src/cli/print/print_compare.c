#include "cli/print/print_compare.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/model_args.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "work/search/compare.h"

#define DIFFERENCES_SHOWN 6 /* observations listed without -v */
#define REMEDIES_SHOWN 12
#define OBSERVATIONS_SHOWN 8 /* observations listed without -v that refute both or neither */

static const char *const side_name[2] = {"first", "second"};

static const char *
place_name(enum compare_place p)
{
	switch (p) {
	case COMPARE_COUNTERS:
		return "counters";
	case COMPARE_EVENT:
		return "event";
	case COMPARE_CASE:
		break;
	}
	return "case";
}

void
print_compare_counters(struct json_writer *w, const struct udd_model *m, const bool *used)
{
	json_open(w, "counters", '[');
	for (size_t i = 0; i < m->n_counters; i++)
		if (used[i])
			json_str(w, NULL, m->counter[i].name);
	json_close(w, ']');
}

void
print_compare_head(struct json_writer *w, const char *schema, const struct udd_model *m)
{
	json_str(w, "schema", schema);
	json_str(w, "model", m->name);
	json_str(w, "file", m->file);
}

static void
write_difference(struct json_writer *w, const struct udd_model *m, const struct compare_difference *d)
{
	json_open(w, NULL, '{');
	json_str(w, "keeper", side_name[d->keeper]);
	json_str(w, "text", d->constraint.text);
	json_bool(w, "equality", d->constraint.equality);
	print_coefficients(w, "coef", m, d->constraint.coef, d->constraint.n);
	json_bool(w, "facet", d->facet);
	json_str(w, "broken", d->broken);
	json_int(w, "breaking", (int64_t)d->breaking);
	json_int(w, "value", d->value);
	json_open(w, "signature", '{');
	print_coefficients(w, "coef", m, d->signature, d->n);
	json_close(w, '}');
	json_str(w, "path", d->line);
	print_json_lines(w, "steps", d->steps);
	json_close(w, '}');
}

static void
write_remedy(struct json_writer *w, const struct udd_model *m, const struct compare_remedy *x)
{
	json_open(w, NULL, '{');
	json_str(w, "kind", place_name(x->kind));
	json_str(w, "what", x->what);
	json_open(w, "counters", '[');
	for (size_t i = 0; i < x->n; i++)
		json_str(w, NULL, m->counter[x->counter[i]].name);
	json_close(w, ']');
	json_str(w, "relation", relation_name(x->relation));
	json_str(w, "keeper", x->text ? side_name[x->keeper] : NULL);
	json_str(w, "text", x->text);
	json_close(w, '}');
}

static void
print_compare_write_observation(struct json_writer *w, const struct compare_observation *x)
{
	json_open(w, NULL, '{');
	json_str(w, "name", x->name);
	json_str(w, "first", verdict_name(x->alone[0]));
	json_str(w, "second", verdict_name(x->alone[1]));
	json_str(w, "first_family_wise", verdict_name(x->family_wise[0]));
	json_str(w, "second_family_wise", verdict_name(x->family_wise[1]));
	json_bool(w, "tells", x->decides);
	json_int(w, "samples", (int64_t)x->samples);
	if (x->nearest) {
		json_open(w, "nearest", '{');
		json_str(w, "keeper", side_name[x->keeper]);
		json_str(w, "text", x->text);
		json_num(w, "off", x->off);
		json_num(w, "reach", x->reach);
		json_num(w, "size", x->size);
		json_num(w, "needed", x->needed);
		json_close(w, '}');
	} else {
		json_null(w, "nearest");
	}
	json_close(w, '}');
}

void
print_compare_json(const struct options *o, const struct udd_model *m, const struct comparison *c,
	const char *const name[2], const struct result *data, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_compare_head(w, "hecate.compare/1", m);
	print_compare_counters(w, m, c->used);
	if (data) {
		json_num(w, "confidence", o->confidence);
		json_bool(w, "counterpoint", o->counterpoint);
		json_open(w, "warnings", '[');
		for (size_t i = 0; i < data->n_notes; i++)
			print_json_warning(w, data->note[i].code, data->note[i].text);
		json_close(w, ']');
	}
	for (int k = 0; k < 2; k++) {
		json_open(w, side_name[k], '{');
		json_str(w, "name", name[k]);
		print_json_set(w, "features", m, &c->on[k]);
		print_compare_tags(w, m, &c->on[k]);
		json_decimal(w, "paths", c->paths[k]);
		json_int(w, "signatures", (int64_t)c->signatures[k]);
		json_int(w, "own", (int64_t)c->own[k]);
		json_int(w, "rays", (int64_t)c->rays[k]);
		json_bool(w, "complete", c->complete[k]);
		json_close(w, '}');
	}
	json_str(w, "relation", relation_name(c->relation));
	json_open(w, "differences", '[');
	for (size_t i = 0; i < c->n_differences; i++)
		write_difference(w, m, &c->difference[i]);
	json_close(w, ']');
	json_str(w, "example", c->example);
	json_open(w, "remedies", '[');
	for (size_t i = 0; i < c->n_remedies; i++)
		write_remedy(w, m, &c->remedy[i]);
	json_close(w, ']');
	json_bool(w, "hurried", c->hurried);
	json_open(w, "observations", '[');
	for (size_t i = 0; i < c->n_observations; i++)
		print_compare_write_observation(w, &c->observation[i]);
	json_close(w, ']');
	json_num(w, "seconds", c->seconds);
	json_close(w, '}');
}

/* What to print next to a set's name: its features or, in a folder of models, the tags of its sidecar. */
void
print_compare_about(const struct udd_model *m, const struct fset *on, struct str *out)
{
	if (m->form != UDD_FORM_FDL_FOLDER) {
		print_feature_names(m, on, "no features", out);
		return;
	}
	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			str_add(out, *m->feature[i].text ? m->feature[i].text : "no tags");
}

void
print_compare_tags(struct json_writer *w, const struct udd_model *m, const struct fset *on)
{
	json_open(w, "tags", '[');
	for (size_t i = 0; i < m->n_features && m->form == UDD_FORM_FDL_FOLDER; i++) {
		char **tag = fset_has(on, i) ? str_split(m->feature[i].text, ',', NULL) : NULL;

		for (size_t k = 0; tag && tag[k]; k++)
			if (*tag[k])
				json_str(w, NULL, tag[k] + strspn(tag[k], " "));
		str_split_free(tag);
	}
	json_close(w, ']');
}

static void
add_sides(const struct udd_model *m, const struct comparison *c, const char *const name[2], struct str *out)
{
	str_addf(out, "model %s, %zu of %zu counters\n", m->name, c->n_used, m->n_counters);
	for (int k = 0; k < 2; k++) {
		struct str on = {0};

		print_compare_about(m, &c->on[k], &on);
		str_addf(out, "%-8s%s", side_name[k], name[k]);
		if (!str_eq(name[k], str_text(&on)))
			str_addf(out, ": %s", str_text(&on));
		str_addf(out, "\n        %s µpaths, %zu signatures, %zu of its own; %zu %s\n", c->paths[k],
			c->signatures[k], c->own[k], c->rays[k],
			c->complete[k] ? "extreme rays" : "generators, not all facets known");
		str_free(&on);
	}
	str_addc(out, '\n');
}

static void
add_relation_sentence(const struct comparison *c, struct str *out)
{
	switch (c->relation) {
	case RELATION_EQUAL:
		str_add(out, "equal: both make the same cone; no data over these counters tell them apart\n");
		return;
	case RELATION_INSIDE:
		str_add(out,
			"inside: the cone of the first lies in that of the second; data can refute the first alone\n");
		return;
	case RELATION_CONTAINS:
		str_add(out,
			"contains: the cone of the second lies in that of the first; data can refute the second "
			"alone\n");
		return;
	case RELATION_NEITHER:
		str_add(out, "neither lies in the other: data can refute either one\n");
		return;
	case RELATION_UNKNOWN:
		str_add(out,
			"unknown: a point could not be decided in time; --cone-seconds allows more time for the "
			"facets\n");
		return;
	}
}

static void
add_difference(const struct compare_difference *d, bool ascii, bool steps, struct str *out)
{
	str_add(out, "  ");
	print_relation(out, d->constraint.text, ascii);
	str_addf(out, "\n    kept by the %s; data must show ", side_name[d->keeper]);
	print_relation(out, d->broken, ascii);
	str_addf(out, ", as %zu signature%s of the %s %s; the simplest breaks it by %lld:\n", d->breaking,
		d->breaking == 1 ? "" : "s", side_name[1 - d->keeper], d->breaking == 1 ? "does" : "do",
		(long long)(d->value < 0 ? -d->value : d->value));
	if (steps) {
		char **line = str_split(d->steps, '\n', NULL);

		for (size_t i = 0; line[i]; i++)
			if (*line[i])
				str_addf(out, "      %s\n", line[i]);
		str_split_free(line);
	} else {
		str_addf(out, "      %s\n", d->line);
	}
}

static void
add_differences(const struct options *o, const struct comparison *c, bool ascii, struct str *out)
{
	size_t shown = o->verbose ? c->n_differences : DIFFERENCES_SHOWN;

	if (!c->n_differences)
		return;
	str_addf(out, "\nwhat would decide, simplest first: %zu constraint%s that one keeps and the other breaks\n",
		c->n_differences, c->n_differences == 1 ? "" : "s");
	for (size_t i = 0; i < c->n_differences && i < shown; i++)
		add_difference(&c->difference[i], ascii, i == 0 || o->verbose, out);
	if (c->n_differences > shown)
		str_addf(out, "  and %zu more (-v)\n", c->n_differences - shown);
}

/* Features that only one of them has. Over these counters all of them are invisible together. */
static void
add_invisible(const struct udd_model *m, const struct comparison *c, struct str *out)
{
	const struct fset differ = fset_xor(c->on[0], c->on[1]);

	if (m->form == UDD_FORM_FDL_FOLDER)
		return; /* the tags of both are already printed above */
	str_add(out, "  invisible to these counters here: ");
	print_feature_names(m, &differ, "", out);
	str_addc(out, '\n');
}

static void
add_remedies(
	const struct options *o, const struct udd_model *m, const struct comparison *c, bool ascii, struct str *out)
{
	size_t shown = o->verbose ? c->n_remedies : REMEDIES_SHOWN;

	if (!c->looked)
		return;
	add_invisible(m, c, out);
	if (c->own[0] + c->own[1] == 0)
		str_add(out, "  they have the same signatures over these counters\n");
	else if (c->example)
		str_addf(out, "  the signatures of only one are sums of the other's: %s\n", c->example);
	if (c->hurried)
		str_add(out, "  not all counters, events and cases were tried: the cones take too long\n");
	if (!c->n_remedies && !c->hurried) {
		str_add(out,
			"  no counter of the model would tell them apart, and none on a single event or case of a "
			"decision\n");
		return;
	}
	if (!c->n_remedies)
		return;
	str_add(out,
		c->remedy[0].kind == COMPARE_COUNTERS
			? "\ncounters of the model, not in use, that would tell them apart\n"
			: "\nno counter of the model tells them apart, but a new one would\n");
	for (size_t i = 0; i < c->n_remedies && i < shown; i++) {
		const struct compare_remedy *x = &c->remedy[i];

		str_addf(out, "  %s%s",
			x->kind == COMPARE_EVENT          ? "on event "
				: x->kind == COMPARE_CASE ? "on case "
							  : "",
			x->what);
		if (x->text) {
			str_addf(out, ": the %s keeps ", side_name[x->keeper]);
			print_relation(out, x->text, ascii);
		}
		str_addc(out, '\n');
	}
	if (c->n_remedies > shown)
		str_addf(out, "  and %zu more (-v)\n", c->n_remedies - shown);
}

static void
add_nearest(const struct compare_observation *x, bool ascii, struct str *out)
{
	char number[NUMBER_TEXT], other[NUMBER_TEXT];

	str_addf(out, "  %-20s ", x->name);
	if (x->verdict[0] == VERDICT_UNDECIDED || x->verdict[1] == VERDICT_UNDECIDED || !x->nearest) {
		str_addf(out, "%s by the first, %s by the second\n", verdict_name(x->verdict[0]),
			verdict_name(x->verdict[1]));
		return;
	}
	if (x->off > 0 && x->reach > 0) {
		str_addf(out, "its mean breaks ");
		print_relation(out, x->text, ascii);
		str_addf(out, " by %s, within noise of %s", number_digits(number, x->off, 4, ascii),
			number_digits(other, x->reach, 4, ascii));
		if (isfinite(x->needed))
			str_addf(out, ": an estimated %s samples would decide, there are %zu",
				number_count(number, ceil(x->needed), ascii), x->samples);
	} else {
		str_add(out, "holds to ");
		print_relation(out, x->text, ascii);
		str_addf(out, x->off < 0 ? ", by %s (%s %%)" : " exactly", number_digits(number, -x->off, 4, ascii),
			number_digits(other, 100 * -x->off / x->size, 3, ascii));
	}
	str_addc(out, '\n');
}

/* Order: first observations that would decide with more samples, then those whose mean is closest to a constraint. */
static int
compare_nearness(const void *va, const void *vb)
{
	const struct compare_observation *a = *(const struct compare_observation *const *)va,
					 *b = *(const struct compare_observation *const *)vb;
	double x = isnan(a->needed) ? INFINITY : a->needed, y = isnan(b->needed) ? INFINITY : b->needed;

	if (x < y || x > y)
		return x < y ? -1 : 1;
	x = a->nearest ? -a->off / a->size : INFINITY;
	y = b->nearest ? -b->off / b->size : INFINITY;
	return x < y ? -1 : x > y;
}

static void
add_refuters(const struct comparison *c, int side, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_observations; i++) {
		const struct compare_observation *x = &c->observation[i];

		if (!x->decides || x->verdict[side] != VERDICT_INFEASIBLE)
			continue;
		if (n++ == 0)
			str_addf(out, "  refute the %s alone: ", side_name[side]);
		else
			str_add(out, ", ");
		str_add(out, x->name);
	}
	if (n)
		str_addc(out, '\n');
}

/* The other way to count, where more observations refute by themselves than family-wise. */
static void
add_other_count(const struct options *o, const struct comparison *c, struct str *out)
{
	size_t each[2] = {0}, together[2] = {0};
	bool family = model_args_family_wise(o);

	for (size_t i = 0; i < c->n_observations; i++)
		for (int k = 0; k < 2; k++) {
			each[k] += c->observation[i].alone[k] == VERDICT_INFEASIBLE;
			together[k] += c->observation[i].family_wise[k] == VERDICT_INFEASIBLE;
		}
	if (together[0] != each[0] || together[1] != each[1])
		str_addf(out, "  %s: %zu refute the %s, %zu the %s\n",
			family ? "one by one" : "by Holm's procedure over all", family ? each[0] : together[0],
			side_name[0], family ? each[1] : together[1], side_name[1]);
}

static void
add_observations(const struct options *o, const struct comparison *c, bool ascii, struct str *out)
{
	const struct compare_observation **rest = mem_new_array(c->n_observations, sizeof *rest);
	size_t n = 0, both = 0;

	for (size_t i = 0; i < c->n_observations; i++) {
		const struct compare_observation *x = &c->observation[i];

		if (x->verdict[0] == VERDICT_INFEASIBLE && x->verdict[1] == VERDICT_INFEASIBLE)
			both++;
		else if (!x->decides)
			rest[n++] = x;
	}
	if (c->n_observations) {
		str_addf(out, "\nobservations that tell them apart: %zu of %zu\n", c->n_observations - n - both,
			c->n_observations);
		print_counterpoint(o, out);
	}
	add_refuters(c, 0, out);
	add_refuters(c, 1, out);
	if (both)
		str_addf(out, "  refute both: %zu\n", both);
	add_other_count(o, c, out);
	if (n) {
		qsort(rest, n, sizeof(*rest), compare_nearness);
		str_add(out, "the others, nearest first\n");
	}
	for (size_t i = 0; i < n && (o->verbose || i < OBSERVATIONS_SHOWN); i++)
		add_nearest(rest[i], ascii, out);
	if (n > OBSERVATIONS_SHOWN && !o->verbose)
		str_addf(out, "  and %zu more (-v)\n", n - OBSERVATIONS_SHOWN);
	free(rest);
}

void
print_compare_text(const struct options *o, const struct udd_model *m, const struct comparison *c,
	const char *const name[2], struct str *out)
{
	bool ascii = print_ascii(o);
	struct str text = {0};

	add_sides(m, c, name, &text);
	add_relation_sentence(c, &text);
	add_remedies(o, m, c, ascii, &text);
	add_differences(o, c, ascii, &text);
	add_observations(o, c, ascii, &text);
	print_lines(out, str_text(&text), ascii);
	str_free(&text);
}
