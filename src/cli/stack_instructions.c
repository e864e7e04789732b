/* hecate stack --by instruction: where the cycles of each instruction of a simulated program go. */
#include "cli/commands.h"

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

/* Fills a row, but for the address before these cells and the instruction after them. */
static void
add_cells(struct text_table *table, const struct instruction_stacks *stacks, const double *part, double cycles,
	uint64_t uops)
{
	text_table_addf(table, "%.1f", 100 * cycles / (double)stacks->cycles);
	text_table_addf(table, "%" PRIu64, uops);
	for (size_t k = 0; k < stacks->n_parts; k++)
		if (part[k] >= SMALL / 2 * (double)stacks->cycles)
			text_table_addf(table, "%.1f", 100 * part[k] / (double)stacks->cycles);
		else
			text_table_skip(table, 1);
}

/* A row for what the rows before it do not show. */
static void
add_others(struct text_table *table, const struct instruction_stacks *stacks)
{
	double *part = mem_new_array(stacks->n_parts, sizeof *part), cycles = 0;
	uint64_t uops = 0;

	for (size_t i = ROWS; i < stacks->n; i++) {
		for (size_t k = 0; k < stacks->n_parts; k++)
			part[k] += stacks->item[i].part[k];
		cycles += stacks->item[i].cycles;
		uops += stacks->item[i].uops;
	}
	text_table_row(table, "%zu more", stacks->n - ROWS);
	add_cells(table, stacks, part, cycles, uops);
	free(part);
}

static void
stack_instructions_print_text(const struct options *options, const struct instruction_stacks *stacks, struct str *out)
{
	size_t n = FIRST_PART + stacks->n_parts + 1;
	struct text_column *column = mem_new_array(n, sizeof *column);
	struct text_table *table;

	column[ADDRESS].title = "address";
	column[SHARE] = (struct text_column){.title = "cycles %", .right = true};
	column[UOPS] = (struct text_column){.title = "µops", .right = true};
	for (size_t k = 0; k < stacks->n_parts; k++)
		column[FIRST_PART + k] = (struct text_column){.title = stacks->name[k], .right = true,
			.hidden = stacks->part[k] < SMALL * (double)stacks->cycles};
	column[n - 1].title = "instruction";
	table = text_table_new(column, n, print_ascii(options));
	for (size_t i = 0; i < stacks->n && i < ROWS; i++) {
		text_table_row(table, "%#" PRIx64, stacks->item[i].address);
		add_cells(table, stacks, stacks->item[i].part, stacks->item[i].cycles, stacks->item[i].uops);
		text_table_add(table, stacks->item[i].text);
	}
	if (stacks->n > ROWS)
		add_others(table, stacks);
	text_table_row(table, "all");
	add_cells(table, stacks, stacks->part, (double)stacks->cycles, stacks->uops);
	str_addf(out, "%s: %" PRIu64 " cycles by instruction, in %% of all\n\n", stacks->title, stacks->cycles);
	text_table_end(table, out);
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
stack_instructions_write_json(struct json_writer *writer, const struct instruction_stacks *stacks)
{
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.instructions/1");
	json_str(writer, "machine", stacks->machine);
	json_str(writer, "program", stacks->program);
	json_int(writer, "uops", (int64_t)stacks->uops);
	json_int(writer, "cycles", (int64_t)stacks->cycles);
	write_parts(writer, stacks, stacks->part);
	json_open(writer, "instructions", '[');
	for (size_t i = 0; i < stacks->n; i++) {
		json_open(writer, NULL, '{');
		json_int(writer, "address", (int64_t)stacks->item[i].address);
		json_str(writer, "text", stacks->item[i].text);
		json_int(writer, "uops", (int64_t)stacks->item[i].uops);
		json_num(writer, "cycles", stacks->item[i].cycles);
		write_parts(writer, stacks, stacks->item[i].part);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
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
stack_instructions_fits(const struct options *options, struct err *e)
{
	const struct stack_options *own = options->own;

	if (!own->by)
		return err_set(e, "--trace of a program has no counts but those of its instructions"),
		       err_hint(e, "hecate stack --by instruction sim:core --trace FILE");
	if (options->n_args == 1 && str_starts(options->arg[0], "sim:"))
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
stack_instructions(const struct options *options)
{
	struct instruction_stacks *stacks = NULL;
	struct signals signals;
	struct err e = {0};
	bool good = stack_instructions_fits(options, &e) && writing_can(options->output, &e);

	if (good) {
		signals_hold(&signals);
		stacks = instruction_stacks_new(options->arg[0], options->trace, stack_instructions_stop, NULL, &e);
		signals_let_go(&signals);
	}
	if (!stacks)
		print_failure(&e);
	else if (stacks->cut)
		log_line(NULL, "interrupted: the first %" PRIu64 " cycles", stacks->cycles);
	good = stacks && stack_instructions_write_all(options, stacks);
	instruction_stacks_free(stacks);
	signals_obey();
	return good ? 0 : 2;
}
