/* What --help prints: usage, and the options with what they mean for this subcommand, broken into lines. */
#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/text_table.h"

#define HELP_COLUMN 27 /* where the text of an option begins */

static const struct subcommand *
named(const char *name)
{
	const struct subcommand *c = subcommands;

	while (c->name && !str_eq(c->name, name) && !(c == subcommands && str_eq(name, "explorer")))
		c++;
	return c->name ? c : NULL;
}

/* Is a clause of an option's text about this subcommand? "record, import and sim: the session file" is about three. */
static bool
is_about(const char *clause, const struct subcommand *subcommand)
{
	size_t n = strcspn(clause, ":;");
	char *head = mem_strn(clause, n), **word;
	bool all = clause[n] == ':', one = false;

	for (char *and = strstr(head, " and "); and; and = strstr(head, " and "))
		memcpy(and, ",    ", 5);
	word = str_split(head, ',', NULL);
	for (size_t i = 0; word[i]; i++) {
		const struct subcommand *c = named(word[i] + strspn(word[i], " "));

		all = all && c;
		one |= c == subcommand;
	}
	str_split_free(word);
	free(head);
	return !all || one;
}

static void
add_option(const struct options *o, const struct option_row *row, struct str *out)
{
	struct str left = {0}, text = {0}, lines = {0};
	char **clause = str_split(row->help, ';', NULL);
	bool about = true, named_one;

	for (size_t i = 0; clause[i]; i++) {
		const char *at = clause[i] + strspn(clause[i], " ");

		named_one = at[strcspn(at, ":")] == ':';
		about = named_one || i == 0 ? is_about(at, o->command) : about;
		if (about)
			str_addf(&text, "%s%s", text.n ? "; " : "", at);
	}
	str_split_free(clause);
	if (row->letter)
		str_addf(&left, "-%c, ", row->letter);
	str_addf(&left, "--%s%s%s", row->name, row->arg ? " " : "", row->arg ? row->arg : "");
	print_wrapped(&lines, str_text(&text), HELP_COLUMN, 0, print_width(o), print_ascii(o));
	str_addf(out, "  %-*s ", HELP_COLUMN - 3, str_text(&left));
	if (left.n > HELP_COLUMN - 3)
		str_addf(out, "\n%s", str_text(&lines));
	else
		str_add(out, lines.n > HELP_COLUMN ? str_text(&lines) + HELP_COLUMN : "\n");
	str_free(&left);
	str_free(&text);
	str_free(&lines);
}

static void
add_options(const struct options *o, int bit, struct str *out)
{
	for (const struct option_row *row = option_rows(); row->name; row++)
		if (row->commands & bit)
			add_option(o, row, out);
}

void
help_text(const struct options *o, struct str *out)
{
	size_t width = print_width(o);
	bool ascii = print_ascii(o);
	struct str line = {0};

	if (*o->command->name) {
		str_addf(&line, "hecate %s %s", o->command->name, o->command->usage);
		print_wrapped(out, str_text(&line), 0, 4, width, ascii);
		str_clear(&line);
		str_addf(&line, "%s.", o->command->what);
		str_add(out, "\n");
		print_wrapped(out, str_text(&line), 0, 0, width, ascii);
		str_add(out, "\n");
		add_options(o, o->command->bit, out);
		str_free(&line);
		return;
	}
	str_add(out, "hecate: does this model of a machine survive these hardware event counters?\n\n");
	for (const struct subcommand *c = subcommands; c->name; c++) {
		str_clear(&line);
		str_addf(&line, "hecate %s%s%s", c->name, *c->name ? " " : "", c->usage);
		print_wrapped(out, str_text(&line), 2, 8, width, ascii);
		print_wrapped(out, c->what, 6, 0, width, ascii);
	}
	str_add(out, "\n");
	print_wrapped(out,
		"MODEL is a .udd file, STACK a .stack file, or an installed name. DATA is a session file, a wide CSV "
		"or what perf stat wrote; - is standard input.", 0, 0, width, ascii);
	print_wrapped(out, "hecate COMMAND --help lists the options of COMMAND. The explorer takes:", 0, 0, width,
		ascii);
	str_add(out, "\n");
	add_options(o, C_EXPLORE, out);
	str_free(&line);
}
