/* hecate stack --by instruction: where the cycles of each instruction of a simulated program go. */
#include "cli/stack_instructions.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"
#include "cli/signals.h"
#include "cli/writing.h"
#include "work/files/instruction_stacks.h"

#define ROWS 20      /* instructions of the text */
#define SMALL 0.0005 /* share of the cycles from which a part has a column */

enum { ADDRESS, SHARE, UOPS, FIRST_PART };

/* --- text -------------------------------------------------------------------------------------------------------- */

static void
set_row(struct text_table *t, size_t row, const struct instruction_stacks *s, const double *part, double cycles)
{
	text_table_set(t, row, SHARE, "%.1f", 100 * cycles / (double)s->cycles);
	for (size_t k = 0; k < s->n_parts; k++)
		if (part[k] >= SMALL / 2 * (double)s->cycles)
			text_table_set(t, row, FIRST_PART + k, "%.1f", 100 * part[k] / (double)s->cycles);
}

/* A row for what the rows before it do not show. */
static void
add_others(struct text_table *t, const struct instruction_stacks *s)
{
	double *part = mem_new_array(s->n_parts, sizeof *part), cycles = 0;
	uint64_t uops = 0;
	size_t row;

	for (size_t i = ROWS; i < s->n; i++) {
		for (size_t k = 0; k < s->n_parts; k++)
			part[k] += s->item[i].part[k];
		cycles += s->item[i].cycles;
		uops += s->item[i].uops;
	}
	row = text_table_add(t);
	text_table_set(t, row, ADDRESS, "%zu more", s->n - ROWS);
	text_table_set(t, row, UOPS, "%" PRIu64, uops);
	set_row(t, row, s, part, cycles);
	free(part);
}

static void
stack_instructions_print_text(const struct options *o, const struct instruction_stacks *s, struct str *out)
{
	size_t n = FIRST_PART + s->n_parts + 1, last = n - 1, row;
	struct text_table_column *column = mem_new_array(n, sizeof *column);
	struct text_table *t;

	column[ADDRESS].title = "address";
	column[SHARE] = (struct text_table_column){.title = "cycles %", .right = true};
	column[UOPS] = (struct text_table_column){.title = "µops", .right = true};
	for (size_t k = 0; k < s->n_parts; k++)
		column[FIRST_PART + k] = (struct text_table_column){.title = s->name[k], .right = true,
			.hidden = s->part[k] < SMALL * (double)s->cycles};
	column[last].title = "instruction";
	t = text_table_new(column, n, print_ascii(o));
	for (size_t i = 0; i < s->n && i < ROWS; i++) {
		row = text_table_add(t);
		text_table_set(t, row, ADDRESS, "%#" PRIx64, s->item[i].address);
		text_table_set(t, row, UOPS, "%" PRIu64, s->item[i].uops);
		text_table_set(t, row, last, "%s", s->item[i].text);
		set_row(t, row, s, s->item[i].part, s->item[i].cycles);
	}
	if (s->n > ROWS)
		add_others(t, s);
	row = text_table_add(t);
	text_table_set(t, row, ADDRESS, "all");
	text_table_set(t, row, UOPS, "%" PRIu64, s->uops);
	set_row(t, row, s, s->part, (double)s->cycles);
	str_addf(out, "%s: %" PRIu64 " cycles by instruction, in %% of all\n\n", s->title, s->cycles);
	text_table_head(t, out);
	for (size_t i = 0; i <= row; i++)
		text_table_row(t, i, out);
	text_table_free(t);
	free(column);
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void
write_parts(struct json_writer *j, const struct instruction_stacks *s, const double *part)
{
	json_open(j, "parts", '{');
	for (size_t k = 0; k < s->n_parts; k++)
		json_num(j, s->name[k], part[k]);
	json_close(j, '}');
}

static void
stack_instructions_write_json(struct json_writer *j, const struct instruction_stacks *s)
{
	json_open(j, NULL, '{');
	json_str(j, "schema", "hecate.instructions/1");
	json_str(j, "machine", s->machine);
	json_str(j, "program", s->program);
	json_int(j, "uops", (int64_t)s->uops);
	json_int(j, "cycles", (int64_t)s->cycles);
	write_parts(j, s, s->part);
	json_open(j, "instructions", '[');
	for (size_t i = 0; i < s->n; i++) {
		json_open(j, NULL, '{');
		json_int(j, "address", (int64_t)s->item[i].address);
		json_str(j, "text", s->item[i].text);
		json_int(j, "uops", (int64_t)s->item[i].uops);
		json_num(j, "cycles", s->item[i].cycles);
		write_parts(j, s, s->item[i].part);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* --- the command ------------------------------------------------------------------------------------------------- */

static bool
stack_instructions_stop(void *ctx)
{
	(void)ctx;
	return signals_interrupted();
}

/* False and *e: the arguments are not those of this command. */
static bool
stack_instructions_fits(const struct options *o, struct err *e)
{
	const struct stack_options *own = o->own;

	if (!own->by)
		return err_set(e, "--trace of a program has no counts but those of its instructions"),
		       err_hint(e, "hecate stack --by instruction sim:core --trace FILE");
	if (o->n_args == 1 && str_starts(o->arg[0], "sim:"))
		return true;
	err_set(e,
		"--by instruction needs one program on a simulated core, because recorded counts have no instructions");
	return err_hint(e, "hecate stack --by instruction sim:core:mcf-like, or sim:core --trace FILE");
}

static bool
stack_instructions_write_all(const struct options *o, const struct instruction_stacks *s)
{
	struct writing out;

	writing_begin(&out, o);
	if (o->json)
		stack_instructions_write_json(&out.json, s);
	else
		stack_instructions_print_text(o, s, &out.text);
	return writing_end(&out, true);
}

int
stack_instructions(const struct options *o)
{
	struct instruction_stacks *s = NULL;
	struct signals signals;
	struct err e = {0};
	bool good = stack_instructions_fits(o, &e) && writing_can(o->output, &e);

	if (good) {
		signals_hold(&signals);
		s = instruction_stacks_new(o->arg[0], o->trace, stack_instructions_stop, NULL, &e);
		signals_let_go(&signals);
	}
	if (!s)
		print_failure(&e);
	else if (s->cut)
		log_line(NULL, "interrupted: the first %" PRIu64 " cycles", s->cycles);
	good = s && stack_instructions_write_all(o, s);
	instruction_stacks_free(s);
	signals_obey();
	return good ? 0 : 2;
}
