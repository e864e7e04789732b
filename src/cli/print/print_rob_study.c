
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/writing.h"
#include "work/probe/rob_study.h"

#define NAME_WIDTH 14
#define VALUE_WIDTH 6

static void
row_name(const struct rob_combination *r, struct str *out)
{
	for (unsigned i = 0; i < r->n; i++)
		str_addf(out, "%s%s", i ? "+" : "", rob_type_name(r->type[i]));
}

static void
print_rob_study_answer_json(struct json_writer *w, const struct probe_answer *a)
{
	json_num(w, "value", a->found ? a->value : NAN);
	json_num(w, "low", a->found ? a->low : NAN);
	json_num(w, "high", a->found ? a->high : NAN);
}

static void
study_json(const char *machine, const struct rob_study *study, struct json_writer *writer)
{
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.rob_compression/1");
	json_str(writer, "on", machine);
	json_num(writer, "entries", study->found ? study->entries : NAN);
	json_bool(writer, "compressed", study->compressed);
	json_open(writer, "combinations", '[');
	for (size_t i = 0; i < study->n; i++) {
		struct str name = {0};

		row_name(&study->row[i], &name);
		json_open(writer, NULL, '{');
		json_str(writer, "instructions", str_text(&name));
		print_rob_study_answer_json(writer, &study->row[i].fit);
		json_str(writer, "full", rob_bottleneck_text(study->row[i].full));
		json_close(writer, '}');
		str_free(&name);
	}
	json_close(writer, ']');
	json_num(writer, "left", study->found ? study->left : NAN);
	json_open(writer, "conditions", '[');
	for (unsigned t = 0; study->found && t < ROB_TYPES; t++) {
		json_open(writer, NULL, '{');
		json_str(writer, "instruction", rob_type_name(t));
		print_rob_study_answer_json(writer, &study->behind[t]);
		json_bool(writer, "shares", study->shares[t]);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "groups", '[');
	for (size_t i = 0; i < study->n_groups; i++)
		json_num(writer, NULL, study->group[i]);
	json_close(writer, ']');
	json_num(writer, "per_entry", study->per_entry ? (double)study->per_entry : NAN);
	json_bool(writer, "cut", study->cut);
	json_close(writer, '}');
}

static void
combinations_text(const struct options *options, const struct rob_study *study, struct str *out)
{
	bool ascii = print_ascii(options);

	str_add(out, "1. Which combinations fit, between two loads that miss all caches, and what is full then\n");
	for (size_t i = 0; i < study->n; i++) {
		const struct rob_combination *combination = &study->row[i];
		struct str name = {0};
		char value[NUMBER_TEXT] = "-";

		row_name(combination, &name);
		if (combination->fit.found)
			number_digits(value, combination->fit.value, 4, ascii);
		str_add(out, "  ");
		print_padded(out, str_text(&name), NAME_WIDTH, ascii);
		print_right(out, value, VALUE_WIDTH, ascii);
		str_addf(out, "  %s", rob_bottleneck_text(combination->full));
		if (combination->n == 1 && combination->fit.found && combination->full != ROB_COMPRESSED &&
			combination->full != ROB_ENTRIES)
			str_addf(out, ": %g entries", rob_study_entries(study, combination->type[0]));
		str_addc(out, '\n');
		str_free(&name);
	}
	if (!study->found)
		str_add(out, "  no reorder buffer is full: the stages that need its size were not run\n");
	else
		str_addf(out, "  The reorder buffer has %g entries and is %scompressed.\n", study->entries,
			study->compressed ? "" : "not ");
}

static void
conditions_text(const struct options *options, const struct rob_study *study, struct str *out)
{
	bool ascii = print_ascii(options);

	str_addf(out, "2. After loads, stores and jumps that leave %g entries\n", study->left);
	for (unsigned t = 0; t < ROB_TYPES; t++) {
		char value[NUMBER_TEXT] = "-";

		if (study->behind[t].found)
			number_digits(value, study->behind[t].value, 4, ascii);
		str_add(out, "  ");
		print_padded(out, rob_type_name(t), NAME_WIDTH, ascii);
		print_right(out, value, VALUE_WIDTH, ascii);
		str_addf(out, "  %s\n", study->shares[t] ? "shares entries" : "an entry each");
	}
}

static void
groups_text(const struct rob_study *s, struct str *out)
{
	str_add(out, "3. Groups of a jump and N nops after it: the nops of a group are dispatched together\n");
	for (size_t i = 0; i < s->n_groups; i++)
		str_addf(out, "  N = %-3zu %6g groups\n", i + 1, s->group[i]);
	if (s->per_entry)
		str_addf(out, "  Up to %u instruction%s of a cycle share%s an entry.\n", s->per_entry,
			plural_s(s->per_entry), s->per_entry == 1 ? "s" : "");
}

void
print_rob_study(const struct options *options, const char *machine, const struct rob_study *study, struct writing *out)
{
	if (options->json) {
		study_json(machine, study, &out->json);
		return;
	}
	combinations_text(options, study, &out->text);
	if (study->found && !study->cut) {
		conditions_text(options, study, &out->text);
		groups_text(study, &out->text);
	}
	if (study->cut)
		str_add(&out->text, "stopped: this is what was measured until then\n");
}
