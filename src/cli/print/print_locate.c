
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
add_same(const struct locate_candidate *candidate, size_t term, size_t wheres, struct str *out)
{
	bool some = false;

	for (size_t i = 0; i < candidate->n_same; i++) {
		const struct locate_same *same = &candidate->same[i];

		if (same->term != term)
			continue;
		str_addf(out, "%s%s", some ? "; " : "", same->name);
		some = true;
		for (size_t k = 0; k < same->n && k < wheres; k++)
			str_addf(out, "%s%s", k ? ", " : " at ", same->where[k]);
		if (same->n > wheres)
			str_addf(out, " and %zu more places (-v)", same->n - wheres);
	}
	return some;
}

/* Prints "counts the same: a; b"; for a sum or difference, a line for each term. */
static void
add_also(const struct options *options, const struct locate_candidate *candidate, struct str *out)
{
	for (size_t term = 0; term < candidate->terms; term++) {
		struct str same = {0};

		if (!add_same(candidate, term, options->verbose ? SIZE_MAX : WHERES_SHOWN, &same))
			continue;
		if (candidate->terms > 1)
			str_addf(out, "      term %zu counts the same as: %s\n", term + 1, str_text(&same));
		else
			str_addf(out, "      counts the same: %s\n", str_text(&same));
		str_free(&same);
	}
}

static void
write_also(struct json_writer *writer, const struct locate_candidate *candidate)
{
	struct str all = {0};

	for (size_t term = 0; term < candidate->terms; term++) {
		struct str same = {0};

		if (add_same(candidate, term, SIZE_MAX, &same))
			str_addf(&all, "%s%s", all.n ? "; " : "", str_text(&same));
		str_free(&same);
	}
	json_str(writer, "also", str_text(&all));
	str_free(&all);
}

static void
write_same(struct json_writer *writer, const struct locate_candidate *candidate)
{
	json_open(writer, "same", '[');
	for (size_t i = 0; i < candidate->n_same; i++) {
		const struct locate_same *same = &candidate->same[i];

		json_open(writer, NULL, '{');
		json_int(writer, "term", (int64_t)same->term + 1);
		json_str(writer, "place", same->name);
		json_open(writer, "at", '[');
		for (size_t k = 0; k < same->n; k++)
			json_str(writer, NULL, same->where[k]);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_candidate(struct json_writer *writer, const struct locate_candidate *candidate)
{
	json_open(writer, NULL, '{');
	json_str(writer, "place", candidate->name);
	write_also(writer, candidate);
	write_same(writer, candidate);
	json_int(writer, "terms", (int64_t)candidate->terms);
	json_bool(writer, "part", candidate->part);
	json_bool(writer, "declared", candidate->declared);
	json_bool(writer, "survives", candidate->survives);
	if (candidate->survives) {
		if (candidate->group < SIZE_MAX / 2)
			json_int(writer, "group", (int64_t)candidate->group);
		else
			json_null(writer, "group");
		json_str(writer, "rule", candidate->rule);
		json_num(writer, "width", candidate->width);
		print_json_lines(writer, "paste", candidate->paste);
	} else {
		json_str(writer, "refuted_by", candidate->refuter);
		json_str(writer, "constraint", candidate->constraint);
	}
	json_close(writer, '}');
}

void
print_locate_json(const struct options *options, const struct udd_model *model, const struct fset *on,
	const struct locate_result *result, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	print_json_head(writer, "hecate.locate/1", model, on);
	json_str(writer, "event", result->event);
	json_str(writer, "counter", result->known < model->n_counters ? model->counter[result->known].name : NULL);
	json_num(writer, "confidence", options->confidence);
	json_bool(writer, "counterpoint", options->counterpoint);
	json_int(writer, "observations", (int64_t)result->n_observations);
	json_open(writer, "left_out", '[');
	for (size_t i = 0; i < result->n_left_out; i++)
		json_str(writer, NULL, result->left_out[i]);
	json_close(writer, ']');
	json_int(writer, "places", (int64_t)result->places);
	json_int(writer, "tested", (int64_t)result->tested);
	json_int(writer, "skipped", (int64_t)result->skipped);
	json_int(writer, "survivors", (int64_t)result->n_survivors);
	json_open(writer, "candidates", '[');
	for (size_t i = 0; i < result->n; i++)
		write_candidate(writer, &result->candidate[i]);
	json_close(writer, ']');
	json_num(writer, "seconds", result->seconds);
	json_close(writer, '}');
}

static void
print_locate_add_head(
	const struct udd_model *model, const struct fset *on, const struct locate_result *result, struct str *out)
{
	struct str names = {0};

	print_feature_names(model, on, "none", &names);
	str_addf(out, "model %s, features on: %s\n", model->name, str_text(&names));
	str_free(&names);
	str_addf(out, "event %s", result->event);
	if (result->known < model->n_counters)
		str_addf(out, ", the model's counter %s", model->counter[result->known].name);
	str_addf(out, "; %zu observations have it\n", result->n_observations + result->n_left_out);
	if (result->n_left_out) {
		str_addf(out, "left out, because they refute the model itself:");
		for (size_t i = 0; i < result->n_left_out; i++)
			str_addf(out, "%s %s", i ? "," : "", result->left_out[i]);
		str_addc(out, '\n');
	}
	for (size_t i = 0; i < result->n; i++)
		if (result->candidate[i].declared && result->candidate[i].survives)
			str_addf(out, "the place that the model declares survives (no. %zu below)\n", i + 1);
		else if (result->candidate[i].declared)
			str_addf(out, "the place that the model declares is refuted by %s\n",
				result->candidate[i].refuter);
	str_addf(out, "%zu distinct places, %zu tested with sums and differences of up to three, %zu survive; %.3g s\n",
		result->places, result->tested, result->n_survivors, result->seconds);
	if (result->skipped)
		str_addf(out, "%zu sums and differences were not tested (--max-tests)\n", result->skipped);
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
add_survivor(const struct options *options, const struct locate_candidate *candidate, bool apart, bool ascii,
	struct str *out)
{
	str_addf(out, "  %s%s\n", apart ? "" : "= ", candidate->name);
	add_also(options, candidate, out);
	if (apart && candidate->rule) {
		str_add(out, "      predicts it exactly: ");
		print_relation(out, candidate->rule, ascii);
		str_addc(out, '\n');
	} else if (apart && isfinite(candidate->width)) {
		str_addf(out, "      bounds it: the interval is %.3g %% of it wide on average\n",
			100 * candidate->width);
	} else if (apart) {
		str_add(out, isnan(candidate->width) ? "      bounds it\n" : "      bounds it on one side only\n");
	}
	add_paste(candidate, out);
}

static void
add_refuted(const struct options *options, const struct locate_result *result, bool ascii, struct str *out)
{
	size_t n = 0, rest = 0;

	for (size_t i = result->n_survivors; i < result->n; i++) {
		const struct locate_candidate *candidate = &result->candidate[i];

		if (candidate->terms > 1 || (!options->verbose && (candidate->part || n >= REFUTED_SHOWN))) {
			rest++;
			continue;
		}
		str_addf(out, "%s  %s: %s shows not ", n++ ? "" : "\nrefuted\n", candidate->name, candidate->refuter);
		print_relation(out, candidate->constraint, ascii);
		str_addc(out, '\n');
		add_also(options, candidate, out);
	}
	if (rest)
		str_addf(out, "  and %zu more%s\n", rest, options->verbose ? ", sums and differences" : " (-v)");
}

void
print_locate_text(const struct options *options, const struct udd_model *model, const struct fset *on,
	const struct locate_result *result, struct str *out)
{
	bool ascii = print_ascii(options);
	size_t shown = options->verbose ? result->n_survivors : SURVIVORS_SHOWN;
	struct str text = {0};

	print_locate_add_head(model, on, result, &text);
	print_counterpoint(options, &text);
	if (result->n_survivors)
		str_add(&text,
			"\nwhere it could be counted, best first; = marks a place that no data over these counters "
			"tell from the one "
			"above\n");
	else
		str_add(&text,
			"\nno place of the model, and no sum or difference tested, survives: the event means something "
			"that the model does not have\n");
	for (size_t i = 0; i < result->n_survivors && i < shown; i++)
		add_survivor(options, &result->candidate[i],
			i == 0 || result->candidate[i].group != result->candidate[i - 1].group, ascii, &text);
	if (result->n_survivors > shown)
		str_addf(&text, "  and %zu more, which -v lists\n", result->n_survivors - shown);
	add_refuted(options, result, ascii, &text);
	print_lines(out, str_text(&text), ascii);
	str_free(&text);
}
