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
#include "shape/shape.h"
#include "work/search/compare.h"

#define DIFFERENCES_SHOWN 6 /* observations listed without -v */
#define REMEDIES_SHOWN 12
#define OBSERVATIONS_SHOWN 8 /* observations listed without -v that refute both or neither */

static const char *const side_name[2] = {"first", "second"};

static const char *const place_word[] = {
	[COMPARE_COUNTERS] = "counters", [COMPARE_EVENT] = "event", [COMPARE_CASE] = "case"
};

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

#define ROW(field) SHAPE_FIELD(struct compare_difference, field)
#define KEEPER(record) SHAPE_ONE_OF(record, keeper, side_name), .key = "keeper"
static const struct shape_row SIGNATURE_ROWS[] = {
	{SHAPE_ARRAY(struct compare_difference, signature, n), .key = "coef", .as = SHAPE_COEFFICIENTS},
};
static const struct shape SIGNATURE = SHAPE(struct compare_difference, SIGNATURE_ROWS);

static const struct shape_row DIFFERENCE_ROWS[] = {
	{KEEPER(struct compare_difference), .help = "which choice keeps it"},
	{ROW(constraint.text), .key = "text", .help = "the constraint"},
	{ROW(constraint.equality), .key = "equality", .help = "it is Σ coef·v = 0, else Σ coef·v ≥ 0"},
	{SHAPE_ARRAY(struct compare_difference, constraint.coef, constraint.n), .key = "coef",
		.as = SHAPE_COEFFICIENTS},
	{ROW(facet), .key = "facet", .help = "a facet of the keeper's cone; else made to separate a µpath"},
	{ROW(broken), .key = "broken", .help = "what data must show to break it: `FF + FM > PGF`"},
	{ROW(breaking), .key = "breaking", .help = "signatures of the other that break it"},
	{ROW(value), .key = "value", .help = "Σ coef·v of the simplest of these signatures"},
	{.type = SHAPE_RECORD, .key = "signature", .of = &SIGNATURE, .help = "that signature"},
	{ROW(line), .key = "path", .help = "one of its µpaths on one line"},
	{.type = SHAPE_HAND, .key = "steps", .json = "array(string)", .help = "the same µpath step by step"},
};
const struct shape print_difference_shape = SHAPE(struct compare_difference, DIFFERENCE_ROWS);
#undef ROW

static bool
has_text(const void *remedy)
{
	return ((const struct compare_remedy *)remedy)->text != NULL;
}

#define ROW(field) SHAPE_FIELD(struct compare_remedy, field)
static const struct shape_row REMEDY_ROWS[] = {
	{SHAPE_ONE_OF(struct compare_remedy, kind, place_word), .key = "kind",
		.help = "unused `counters` of the model; else a new one at an event or case"},
	{ROW(what), .key = "what", .help = "the counters, the event, or property and value"},
	{SHAPE_ARRAY(struct compare_remedy, counter, n), .key = "counters", .as = SHAPE_COUNTER,
		.help = "counters of the model; all of them are needed"},
	{.type = SHAPE_HAND, .key = "relation", .json = "string", .help = "of the cones with them"},
	{KEEPER(struct compare_remedy), .shown = has_text, .help = "which keeps the constraint"},
	{ROW(text), .key = "text", .help = "the simplest constraint that one keeps then and the other breaks"},
};
const struct shape print_remedy_shape = SHAPE(struct compare_remedy, REMEDY_ROWS);
#undef ROW

static bool
has_nearest(const void *observation)
{
	return ((const struct compare_observation *)observation)->nearest;
}

#define ROW(field) SHAPE_FIELD(struct compare_observation, field)
#define VERDICT(field) SHAPE_ONE_OF(struct compare_observation, field, verdict_words)
static const struct shape_row NEAREST_ROWS[] = {
	{KEEPER(struct compare_observation), .help = "which choice keeps it"},
	{ROW(text), .key = "text", .help = "the constraint"},
	{ROW(off), .key = "off", .help = "by how many counts the mean breaks it"},
	{ROW(reach), .key = "reach", .help = "half the region's width across the constraint; 0 if exact"},
	{ROW(size), .key = "size", .help = "Σ abs(coef)·mean"},
	{ROW(needed), .key = "needed",
		.help = "about how many samples would decide, if the true mean is here; null: none would"},
};
static const struct shape NEAREST = SHAPE(struct compare_observation, NEAREST_ROWS);

static const struct shape_row TOLD_ROWS[] = {
	{ROW(name), .key = "name"},
	{VERDICT(alone[0]), .key = "first", .help = "the verdict, for this observation alone"},
	{VERDICT(alone[1]), .key = "second", .help = "the verdict, for this observation alone"},
	{VERDICT(family_wise[0]), .key = "first_family_wise", .help = "by Holm's procedure over all observations"},
	{VERDICT(family_wise[1]), .key = "second_family_wise", .help = "by Holm's procedure over all observations"},
	{ROW(decides), .key = "tells", .help = "it refutes one of them, and the other survives it"},
	{ROW(samples), .key = "samples", .help = "rows"},
	{.type = SHAPE_RECORD, .key = "nearest", .of = &NEAREST, .shown = has_nearest,
		.help = "the constraint that it comes nearest to breaking; null: its counters show no difference"},
};
const struct shape print_told_shape = SHAPE(struct compare_observation, TOLD_ROWS);

static const char *
compare_counter_name(const void *model, size_t i)
{
	return ((const struct udd_model *)model)->counter[i].name;
}

static void
compare_by_hand(const void *model, struct json_writer *writer, const char *key, const void *record)
{
	(void)model;
	if (str_eq(key, "steps"))
		print_json_lines(writer, key, ((const struct compare_difference *)record)->steps);
	else
		json_str(writer, key, relation_name(((const struct compare_remedy *)record)->relation));
}

void
print_compare_json(const struct options *options, const struct udd_model *model, const struct comparison *comparison,
	const char *const name[2], const struct result *data, struct json_writer *writer)
{
	const struct shape_names names = {.counter = compare_counter_name, .by_hand = compare_by_hand, .ctx = model};

	json_open(writer, NULL, '{');
	print_compare_head(writer, "hecate.compare/1", model);
	print_compare_counters(writer, model, comparison->used);
	if (data) {
		json_num(writer, "confidence", options->confidence);
		json_bool(writer, "counterpoint", options->counterpoint);
		json_open(writer, "warnings", '[');
		for (size_t i = 0; i < data->n_notes; i++)
			print_json_warning(writer, data->note[i].code, data->note[i].text);
		json_close(writer, ']');
	}
	for (int k = 0; k < 2; k++) {
		json_open(writer, side_name[k], '{');
		json_str(writer, "name", name[k]);
		print_json_set(writer, "features", model, &comparison->on[k]);
		print_compare_tags(writer, model, &comparison->on[k]);
		json_decimal(writer, "paths", comparison->paths[k]);
		json_int(writer, "signatures", (int64_t)comparison->signatures[k]);
		json_int(writer, "own", (int64_t)comparison->own[k]);
		json_int(writer, "rays", (int64_t)comparison->rays[k]);
		json_bool(writer, "complete", comparison->complete[k]);
		json_close(writer, '}');
	}
	json_str(writer, "relation", relation_name(comparison->relation));
	json_open(writer, "differences", '[');
	for (size_t i = 0; i < comparison->n_differences; i++)
		shape_json(writer, NULL, &print_difference_shape, &comparison->difference[i], &names);
	json_close(writer, ']');
	json_str(writer, "example", comparison->example);
	json_open(writer, "remedies", '[');
	for (size_t i = 0; i < comparison->n_remedies; i++)
		shape_json(writer, NULL, &print_remedy_shape, &comparison->remedy[i], &names);
	json_close(writer, ']');
	json_bool(writer, "hurried", comparison->hurried);
	json_open(writer, "observations", '[');
	for (size_t i = 0; i < comparison->n_observations; i++)
		shape_json(writer, NULL, &print_told_shape, &comparison->observation[i], &names);
	json_close(writer, ']');
	json_num(writer, "seconds", comparison->seconds);
	json_close(writer, '}');
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
print_compare_tags(struct json_writer *writer, const struct udd_model *model, const struct fset *on)
{
	json_open(writer, "tags", '[');
	for (size_t i = 0; i < model->n_features && model->form == UDD_FORM_FDL_FOLDER; i++) {
		char **tag = fset_has(on, i) ? str_split(model->feature[i].text, ',', NULL) : NULL;

		for (size_t k = 0; tag && tag[k]; k++)
			if (*tag[k])
				json_str(writer, NULL, tag[k] + strspn(tag[k], " "));
		str_split_free(tag);
	}
	json_close(writer, ']');
}

static void
add_sides(
	const struct udd_model *model, const struct comparison *comparison, const char *const name[2], struct str *out)
{
	str_addf(out, "model %s, %zu of %zu counters\n", model->name, comparison->n_used, model->n_counters);
	for (int k = 0; k < 2; k++) {
		struct str on = {0};

		print_compare_about(model, &comparison->on[k], &on);
		str_addf(out, "%-8s%s", side_name[k], name[k]);
		if (!str_eq(name[k], str_text(&on)))
			str_addf(out, ": %s", str_text(&on));
		str_addf(out, "\n        %s µpaths, %zu signatures, %zu of its own; %zu %s\n", comparison->paths[k],
			comparison->signatures[k], comparison->own[k], comparison->rays[k],
			comparison->complete[k] ? "extreme rays" : "generators, not all facets known");
		str_free(&on);
	}
	str_addc(out, '\n');
}

static void
add_relation_sentence(const struct comparison *comparison, struct str *out)
{
	switch (comparison->relation) {
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
add_difference(const struct compare_difference *difference, bool ascii, bool steps, struct str *out)
{
	str_add(out, "  ");
	print_relation(out, difference->constraint.text, ascii);
	str_addf(out, "\n    kept by the %s; data must show ", side_name[difference->keeper]);
	print_relation(out, difference->broken, ascii);
	str_addf(out, ", as %zu signature%s of the %s %s; the simplest breaks it by %lld:\n", difference->breaking,
		plural_s(difference->breaking), side_name[1 - difference->keeper],
		difference->breaking == 1 ? "does" : "do",
		(long long)(difference->value < 0 ? -difference->value : difference->value));
	if (steps) {
		char **line = str_split(difference->steps, '\n', NULL);

		for (size_t i = 0; line[i]; i++)
			if (*line[i])
				str_addf(out, "      %s\n", line[i]);
		str_split_free(line);
	} else {
		str_addf(out, "      %s\n", difference->line);
	}
}

static void
add_differences(const struct options *options, const struct comparison *comparison, bool ascii, struct str *out)
{
	size_t shown = options->verbose ? comparison->n_differences : DIFFERENCES_SHOWN;

	if (!comparison->n_differences)
		return;
	str_addf(out, "\nwhat would decide, simplest first: %zu constraint%s that one keeps and the other breaks\n",
		comparison->n_differences, plural_s(comparison->n_differences));
	for (size_t i = 0; i < comparison->n_differences && i < shown; i++)
		add_difference(&comparison->difference[i], ascii, i == 0 || options->verbose, out);
	if (comparison->n_differences > shown)
		str_addf(out, "  and %zu more (-v)\n", comparison->n_differences - shown);
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
add_remedies(const struct options *options, const struct udd_model *model, const struct comparison *comparison,
	bool ascii, struct str *out)
{
	size_t shown = options->verbose ? comparison->n_remedies : REMEDIES_SHOWN;

	if (!comparison->looked)
		return;
	add_invisible(model, comparison, out);
	if (comparison->own[0] + comparison->own[1] == 0)
		str_add(out, "  they have the same signatures over these counters\n");
	else if (comparison->example)
		str_addf(out, "  the signatures of only one are sums of the other's: %s\n", comparison->example);
	if (comparison->hurried)
		str_add(out, "  not all counters, events and cases were tried: the cones take too long\n");
	if (!comparison->n_remedies && !comparison->hurried) {
		str_add(out,
			"  no counter of the model would tell them apart, and none on a single event or case of a "
			"decision\n");
		return;
	}
	if (!comparison->n_remedies)
		return;
	str_add(out,
		comparison->remedy[0].kind == COMPARE_COUNTERS
			? "\ncounters of the model, not in use, that would tell them apart\n"
			: "\nno counter of the model tells them apart, but a new one would\n");
	for (size_t i = 0; i < comparison->n_remedies && i < shown; i++) {
		const struct compare_remedy *remedy = &comparison->remedy[i];

		str_addf(out, "  %s%s",
			remedy->kind == COMPARE_EVENT          ? "on event "
				: remedy->kind == COMPARE_CASE ? "on case "
							  : "",
			remedy->what);
		if (remedy->text) {
			str_addf(out, ": the %s keeps ", side_name[remedy->keeper]);
			print_relation(out, remedy->text, ascii);
		}
		str_addc(out, '\n');
	}
	if (comparison->n_remedies > shown)
		str_addf(out, "  and %zu more (-v)\n", comparison->n_remedies - shown);
}

static void
add_nearest(const struct compare_observation *observation, bool ascii, struct str *out)
{
	char number[NUMBER_TEXT], other[NUMBER_TEXT];

	str_addf(out, "  %-20s ", observation->name);
	if (observation->verdict[0] == VERDICT_UNDECIDED || observation->verdict[1] == VERDICT_UNDECIDED ||
		!observation->nearest) {
		str_addf(out, "%s by the first, %s by the second\n", verdict_name(observation->verdict[0]),
			verdict_name(observation->verdict[1]));
		return;
	}
	if (observation->off > 0 && observation->reach > 0) {
		str_addf(out, "its mean breaks ");
		print_relation(out, observation->text, ascii);
		str_addf(out, " by %s, within noise of %s", number_digits(number, observation->off, 4, ascii),
			number_digits(other, observation->reach, 4, ascii));
		if (isfinite(observation->needed))
			str_addf(out, ": an estimated %s samples would decide, there are %zu",
				number_count(number, ceil(observation->needed), ascii), observation->samples);
	} else {
		str_add(out, "holds to ");
		print_relation(out, observation->text, ascii);
		str_addf(out, observation->off < 0 ? ", by %s (%s %%)" : " exactly",
			number_digits(number, -observation->off, 4, ascii),
			number_digits(other, 100 * -observation->off / observation->size, 3, ascii));
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
add_refuters(const struct comparison *comparison, int side, struct str *out)
{
	size_t n = 0;

	for (size_t i = 0; i < comparison->n_observations; i++) {
		const struct compare_observation *observation = &comparison->observation[i];

		if (!observation->decides || observation->verdict[side] != VERDICT_INFEASIBLE)
			continue;
		if (n++ == 0)
			str_addf(out, "  refute the %s alone: ", side_name[side]);
		else
			str_add(out, ", ");
		str_add(out, observation->name);
	}
	if (n)
		str_addc(out, '\n');
}

/* The other way to count, where more observations refute by themselves than family-wise. */
static void
add_other_count(const struct options *options, const struct comparison *comparison, struct str *out)
{
	size_t each[2] = {0}, together[2] = {0};
	bool family = model_args_family_wise(options);

	for (size_t i = 0; i < comparison->n_observations; i++)
		for (int k = 0; k < 2; k++) {
			each[k] += comparison->observation[i].alone[k] == VERDICT_INFEASIBLE;
			together[k] += comparison->observation[i].family_wise[k] == VERDICT_INFEASIBLE;
		}
	if (together[0] != each[0] || together[1] != each[1])
		str_addf(out, "  %s: %zu refute the %s, %zu the %s\n",
			family ? "one by one" : "by Holm's procedure over all", family ? each[0] : together[0],
			side_name[0], family ? each[1] : together[1], side_name[1]);
}

static void
add_observations(const struct options *options, const struct comparison *comparison, bool ascii, struct str *out)
{
	const struct compare_observation **rest = mem_new_array(comparison->n_observations, sizeof *rest);
	size_t n = 0, both = 0;

	for (size_t i = 0; i < comparison->n_observations; i++) {
		const struct compare_observation *observation = &comparison->observation[i];

		if (observation->verdict[0] == VERDICT_INFEASIBLE && observation->verdict[1] == VERDICT_INFEASIBLE)
			both++;
		else if (!observation->decides)
			rest[n++] = observation;
	}
	if (comparison->n_observations) {
		str_addf(out, "\nobservations that tell them apart: %zu of %zu\n",
			comparison->n_observations - n - both, comparison->n_observations);
		print_counterpoint(options, out);
	}
	add_refuters(comparison, 0, out);
	add_refuters(comparison, 1, out);
	if (both)
		str_addf(out, "  refute both: %zu\n", both);
	add_other_count(options, comparison, out);
	if (n) {
		qsort(rest, n, sizeof(*rest), compare_nearness);
		str_add(out, "the others, nearest first\n");
	}
	for (size_t i = 0; i < n && (options->verbose || i < OBSERVATIONS_SHOWN); i++)
		add_nearest(rest[i], ascii, out);
	if (n > OBSERVATIONS_SHOWN && !options->verbose)
		str_addf(out, "  and %zu more (-v)\n", n - OBSERVATIONS_SHOWN);
	free(rest);
}

void
print_compare_text(const struct options *options, const struct udd_model *model, const struct comparison *comparison,
	const char *const name[2], struct str *out)
{
	bool ascii = print_ascii(options);
	struct str text = {0};

	add_sides(model, comparison, name, &text);
	add_relation_sentence(comparison, &text);
	add_remedies(options, model, comparison, ascii, &text);
	add_differences(options, comparison, ascii, &text);
	add_observations(options, comparison, ascii, &text);
	print_lines(out, str_text(&text), ascii);
	str_free(&text);
}
