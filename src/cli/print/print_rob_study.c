#include "cli/print/print_rob_study.h"

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
study_json(const char *machine, const struct rob_study *o, struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.rob_compression/1");
	json_str(w, "on", machine);
	json_num(w, "entries", o->found ? o->entries : NAN);
	json_bool(w, "compressed", o->compressed);
	json_open(w, "combinations", '[');
	for (size_t i = 0; i < o->n; i++) {
		struct str name = {0};

		row_name(&o->row[i], &name);
		json_open(w, NULL, '{');
		json_str(w, "instructions", str_text(&name));
		print_rob_study_answer_json(w, &o->row[i].fit);
		json_str(w, "full", rob_bottleneck_text(o->row[i].full));
		json_close(w, '}');
		str_free(&name);
	}
	json_close(w, ']');
	json_num(w, "left", o->found ? o->left : NAN);
	json_open(w, "conditions", '[');
	for (unsigned t = 0; o->found && t < ROB_TYPES; t++) {
		json_open(w, NULL, '{');
		json_str(w, "instruction", rob_type_name(t));
		print_rob_study_answer_json(w, &o->behind[t]);
		json_bool(w, "shares", o->shares[t]);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "groups", '[');
	for (size_t i = 0; i < o->n_groups; i++)
		json_num(w, NULL, o->group[i]);
	json_close(w, ']');
	json_num(w, "per_entry", o->per_entry ? (double)o->per_entry : NAN);
	json_bool(w, "cut", o->cut);
	json_close(w, '}');
}

static void
combinations_text(const struct options *o, const struct rob_study *s, struct str *out)
{
	bool ascii = print_ascii(o);

	str_add(out, "1. Which combinations fit, between two loads that miss all caches, and what is full then\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct rob_combination *r = &s->row[i];
		struct str name = {0};
		char value[NUMBER_TEXT] = "-";

		row_name(r, &name);
		if (r->fit.found)
			number_digits(value, r->fit.value, 4, ascii);
		str_add(out, "  ");
		print_padded(out, str_text(&name), NAME_WIDTH, ascii);
		print_right(out, value, VALUE_WIDTH, ascii);
		str_addf(out, "  %s", rob_bottleneck_text(r->full));
		if (r->n == 1 && r->fit.found && r->full != ROB_COMPRESSED && r->full != ROB_ENTRIES)
			str_addf(out, ": %g entries", rob_study_entries(s, r->type[0]));
		str_addc(out, '\n');
		str_free(&name);
	}
	if (!s->found)
		str_add(out, "  no reorder buffer is full: the stages that need its size were not run\n");
	else
		str_addf(out, "  The reorder buffer has %g entries and is %scompressed.\n", s->entries,
			s->compressed ? "" : "not ");
}

static void
conditions_text(const struct options *o, const struct rob_study *s, struct str *out)
{
	bool ascii = print_ascii(o);

	str_addf(out, "2. After loads, stores and jumps that leave %g entries\n", s->left);
	for (unsigned t = 0; t < ROB_TYPES; t++) {
		char value[NUMBER_TEXT] = "-";

		if (s->behind[t].found)
			number_digits(value, s->behind[t].value, 4, ascii);
		str_add(out, "  ");
		print_padded(out, rob_type_name(t), NAME_WIDTH, ascii);
		print_right(out, value, VALUE_WIDTH, ascii);
		str_addf(out, "  %s\n", s->shares[t] ? "shares entries" : "an entry each");
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
			s->per_entry == 1 ? "" : "s", s->per_entry == 1 ? "s" : "");
}

void
print_rob_study(const struct options *o, const char *machine, const struct rob_study *s, struct writing *out)
{
	if (o->json) {
		study_json(machine, s, &out->json);
		return;
	}
	combinations_text(o, s, &out->text);
	if (s->found && !s->cut) {
		conditions_text(o, s, &out->text);
		groups_text(s, &out->text);
	}
	if (s->cut)
		str_add(&out->text, "stopped: this is what was measured until then\n");
}
